//! The intermediate representation: one game's resolved rules as plain data, the waist between language and engine.
//!
//! # Contract
//!
//! The checker makes it, the engine and its slow twin interpret it, and nothing else gives it meaning. All names are
//! resolved to indices, `extends`, variants and options are folded in (a statement that its options switch off is not
//! here), everything a viewer sees differently is already turned round: a [`PerSeat`] table holds one entry per player.
//! It never refers upward: a set may hold conditions only through [`expr::Set::Where`], programs hold no loops and no
//! recursion, so each costs at most cells × directions × the longest ray.
//!
//! ## Players and viewers
//! Seats are numbered in the order of `players`; seat 0 moves first. Every program (set, condition, number, effect) is
//! evaluated with a *viewer*, a seat; `Me` and everything relative is seen by it. Who the viewer is: in a clause,
//! reaction or promotion the owner of the piece; in `forbid capture` the attacker's owner; in turns, afters, other
//! forbids and preferences the mover; in a result see [`ending::Verdict`]; in latches each player in turn.
//! The *mover* is the player whose turn it is, in results the one whose turn just ended; *next* is the seat after.
//!
//! ## Roles
//! While a step is considered, `here` is its target (in a generator's arguments, the cell where the piece stands),
//! `origin` the cell it left, `this` the piece whose clause it is. Before the step (`guards`, `target`) the board is the
//! one before the step, with `this` on `origin`; after landing `this` and `here` are the landing cell. In capture events
//! `attacker` and `victim` are records (kind, owner, cell) that outlive the pieces; as a set, `attacker` is the cell
//! where the capturing piece stands now (the piece that made the step; empty if it has gone) and `victim` the cell
//! where the captured piece stood. In an `after` block `this` and `here` are those of the step; in a condition or set of the turn those of the
//! step before. A role that is not there is the empty set.
//!
//! ## The way of a step
//! A step goes in one of its generator's directions; a leap in the first direction of the board in which its target lies from its origin, or, if there is none,
//! in no direction: then `toward` and `away from` do not hold and `crossed` is empty. Where a clause leads to one target in several directions (boards
//! with joined sides), the step goes in the first that `toward`, `away from`, `within` and the capture of what is jumped allow.
//!
//! ## One step (a *step* is one act with all its effects), in this order
//! 1. The choice: piece, target, and what belongs to it (promotion, orientation, way of turning).
//! 2. `target`, `from`, `within`, guards and `forbid capture` (the piece on the target, jumped hurdles) are read on the
//!    position before. A landing or jump whose victim is uncapturable or forbidden is no step.
//! 3. The piece leaves, victims leave, the piece lands. A drop puts a piece from the hand; it takes what stands on its target.
//! 4. The clause's `then` effects: one block.
//! 5. Reactions of pieces ([`rule::Reaction`]), only after a move act that is not a drop: all that hold after 4, one block.
//! 6. Promotion takes effect, then its own `then`.
//! 7. The queue of victims in the order of capture, those captured at once by cell: for each, all `after capture` blocks
//!    in order. A `Capture` effect in them appends to the queue.
//! 8. The `after` blocks of the act's events, in order, once.
//! 9. Bookkeeping: turn sets, tallies, unmoved, last moved. What is read before tells of earlier steps of the turn.
//! 10. `forbid ACT` for that act, read on the result: if one holds, the step was never possible.
//! 11. Chance: each piece marked by `Roll` is rolled, at most once per step (a chance decision of its own, see below).
//! 12. Results with `at_once`, in order.
//!
//! A *block* computes every set, condition and number on the board as it was when the block began, then writes. Writes to a
//! counter with `Add` and `Subtract` add up; otherwise the later write wins, for owner, kind and place of a piece each by itself; a piece that is
//! captured or removed does nothing else. Of reactions the earlier rule writes first, for each the piece on the lower cell. `Capture` skips pieces that are uncapturable
//! or whose capture is forbidden. The player whose step it is gets the credit (`Me` in an after block is the mover).
//!
//! ## The end of a turn, in this order
//! 1. `forbid turn` (among them `safety`): if one holds, the whole turn is illegal.
//! 2. Quiet counters, age of marks, turn number; `next` becomes the seat to move (after a swap of sides `mover` is from here on the seat before it, where
//!    the person who swapped now sits); latches of every player, in order, read on the
//!    position after the turn; the position is counted for repetition.
//! 3. Results, in order, on this position, with `mover` = who just moved. The first that holds ends the game.
//!
//! If no result holds and `next` has no legal turn, the game is a draw. A position that is set up, the start too, is taken to go on; only if nobody
//! can move there are results tried on it, as if the other player's turn had ended.
//!
//! ## Legality
//! A turn is a path through [`turn::Turn`]; it is legal iff each step is possible and no `forbid turn` holds at its end.
//! A step is offered iff it can be completed to a legal turn. A turn ends at [`turn::Choice::End`], after an `EndTurn` effect, or when an
//! at-once result holds. `Can` asks whether some step of an act is possible at the start of the player's turn, through 10, without
//! completing the turn: an act that the turn does not offer then, in none of its alternatives, is not possible. Asked within a turn about another player, `Can` and
//! `Stuck` look at the start of the turn after it: its number is one more, and marks are a turn older. While steps are generated inside `Can`, `Stuck`, `Checkmate` or `Stalemate`, forbids that look ahead
//! themselves are skipped (`safety` is not one of them), and the four conditions are false wherever else they are read. A question about
//! attacks that is asked while attacks are found (by a clause's conditions or target, or `forbid capture`) finds none, and the four are false there.
//! A turn has at most [`MAX_STEPS`] steps; at that length it is complete.
//! Steps that are written alike are one (see `docs/language/notation.md`), whatever clauses or acts lead to them; they are told apart only as far as a block or
//! a prohibition follows one of their names: if one of them is possible, the step is.
//!
//! ## Chance
//! A draw is made at the end of its step; the turn so far is committed: `forbid turn` is tested just before it as if the turn ended there,
//! afterwards only steps that can be completed legally are offered, and if there is none the turn ends as it stands. A draw is a decision of
//! its own, made by chance, with equal weights. Enumeration counts each outcome as a turn of its own. Preferences measure a turn at its end, one with a draw
//! just before the first: nobody prefers what chance decides, and after a draw nothing is preferred.
//!
//! ## What a position is, for repetition
//! Cell contents (kind and owner), unmoved flags a castle can still use, hands, marks, latches, once-per-game uses, counters,
//! last-moved types that some clause reads ([`Game::unlearnable`] are not kept), whether the persons have changed seats, and who is to move. Not: turn number, quiet counters, tallies, turn sets.

pub mod board;
pub mod ending;
pub mod expr;
pub mod piece;
pub mod place;
pub mod rule;
pub mod setup;
pub mod turn;
pub mod visit;

use serde::{Deserialize, Serialize};

/// A seat (player), from 0.
pub type Seat = u8;
/// A cell: an index into [`board::Board::cells`].
pub type Cell = u16;
/// A kind of piece as it stands on the board: an index into [`Game::kinds`].
pub type KindId = u8;
/// A piece type: an index into [`Game::types`].
pub type TypeId = u8;
/// A clause: an index into [`Game::clauses`].
pub type ClauseId = u16;
/// One entry per seat.
pub type PerSeat<T> = Vec<T>;
/// A set of cells, ascending.
pub type Cells = Vec<Cell>;
/// A set of kinds, ascending.
pub type Kinds = Vec<KindId>;

/// A game: the resolved rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Version of this representation; readers refuse others.
    pub version: u32,
    /// `game "Name"`.
    pub name: String,
    /// Variants folded in, in order.
    pub variants: Vec<String>,
    /// Options and their values, all of them, in file order.
    pub options: Vec<(String, String)>,
    /// The players.
    pub seats: Vec<SeatInfo>,
    /// The board.
    pub board: board::Board,
    /// Named sets of cells.
    pub zones: Vec<board::Zone>,
    /// Piece types.
    pub types: Vec<piece::PieceType>,
    /// What stands on cells: a type, an orientation, an original type.
    pub kinds: Vec<piece::Kind>,
    /// All clauses of all types.
    pub clauses: Vec<piece::Clause>,
    /// Kind-to-kind tables used by rotations.
    pub remaps: Vec<piece::Remap>,
    /// The ladder: kinds from low to high; empty if there is none.
    pub ladder: Kinds,
    /// Counters, `score` among them if it is used.
    pub counters: Vec<rule::Counter>,
    /// Flags that stay true.
    pub latches: Vec<rule::Latch>,
    /// Sets of marked cells.
    pub marks: Vec<rule::Mark>,
    /// Things that may happen once per game and player, by a name for display.
    pub once: Vec<String>,
    /// What is counted within a turn.
    pub tallies: Vec<rule::Tally>,
    /// Runs of quiet turns that results ask for.
    pub quiets: Vec<rule::Quiet>,
    /// Types that may be in a hand at some time.
    pub hand_types: Vec<TypeId>,
    /// Kinds for which it is kept whether the piece has moved (castling partners, and all that `unmoved` reads).
    pub unmoved_kinds: Kinds,
    /// Whether last-moved types are read by some clause.
    pub reads_last_moved: bool,
    /// Blocks that run after acts and captures.
    pub afters: Vec<rule::After>,
    /// Blocks that pieces run when another piece moves.
    pub reactions: Vec<rule::Reaction>,
    /// Prohibitions.
    pub forbids: Vec<rule::Forbid>,
    /// What a player does in a turn.
    pub turn: turn::Turn,
    /// Which legal turns are kept, in order.
    pub prefer: Vec<expr::Num>,
    /// The start.
    pub setup: setup::Setup,
    /// Results, in order.
    pub results: Vec<ending::Result>,
    /// Where all this is written.
    #[serde(default)]
    pub places: place::Places,
}

/// Most steps in a turn.
pub const MAX_STEPS: usize = 60;

/// Most turns that marks may last in all, each mark's own counted too.
pub const MAX_MARK_TURNS: usize = 8;

/// The version of the representation that this program writes and reads.
pub const VERSION: u32 = 1;

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatInfo {
    /// Its name.
    pub name: String,
    /// How position texts write it: the lower-case first letter of the name, or the whole name in lower case where
    /// two players share the letter.
    pub letter: String,
}

impl Game {
    /// The kinds of a type.
    pub fn kinds_of(&self, t: TypeId) -> impl Iterator<Item = KindId> + '_ {
        self.kinds.iter().enumerate().filter(move |(_, k)| k.piece == t).map(|(i, _)| i as KindId)
    }

    /// The name of a cell.
    pub fn cell_name(&self, c: Cell) -> &str {
        &self.board.cells[c as usize].name
    }

    /// The type of a kind.
    pub fn type_of(&self, k: KindId) -> &piece::PieceType {
        &self.types[self.kinds[k as usize].piece as usize]
    }

    /// The seat after `s`.
    pub fn next_seat(&self, s: Seat) -> Seat {
        (s + 1) % self.seats.len() as Seat
    }

    /// The types that all who imitate the last mover leave out: of a move by them, or as them, nothing is remembered.
    pub fn unlearnable(&self) -> Vec<TypeId> {
        use piece::{Generator, Source};
        let mut out: Option<Vec<TypeId>> = None;
        for clause in &self.clauses {
            if let Generator::Imitate { source: Source::LastMoved(_), except } = &clause.generator {
                let kept = out.unwrap_or_else(|| except.clone());
                out = Some(kept.into_iter().filter(|t| except.contains(t)).collect());
            }
        }
        out.unwrap_or_default()
    }

    /// Whether all that can ever be dropped is of one type, so that moves need not name it.
    pub fn one_drop_type(&self) -> bool {
        self.drop_types().len() == 1
    }

    /// The types that can be dropped.
    pub fn drop_types(&self) -> Vec<TypeId> {
        let drops = |t: &TypeId| self.drop_clauses(&self.types[*t as usize]).next().is_some();
        (0..self.types.len() as TypeId).filter(drops).collect()
    }

    /// The clauses of a type that are drops.
    pub fn drop_clauses<'a>(&'a self, piece: &'a piece::PieceType) -> impl Iterator<Item = u16> + 'a {
        let drops = |c: &u16| matches!(self.clauses[*c as usize].generator, piece::Generator::Drop { .. });
        piece.clauses.iter().copied().filter(drops)
    }
}
