//! Sets of cells, conditions and numbers.

use super::board::{Dirs, ZoneId};
use super::turn::Verb;
use super::{Cells, Kinds, Seat, TypeId};
use serde::{Deserialize, Serialize};

/// A player, seen by the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// `me`: the viewer.
    Me,
    /// `opponent`: the seat after the viewer (two players only).
    Opponent,
    /// `mover`.
    Mover,
    /// `next`: the seat after the mover.
    Next,
    /// A player by name.
    Seat(Seat),
}

/// A cell known by what happened there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The piece whose clause it is, or that made the step.
    This,
    /// The target of the step.
    Here,
    /// The cell it left.
    Origin,
    /// The capturing piece.
    Attacker,
    /// The captured piece.
    Victim,
}

/// What happened to pieces in the current turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TurnSet {
    /// By a move act.
    Moved,
    /// By a drop.
    Dropped,
    /// Displaced by an effect.
    Shifted,
    /// Changed owner.
    Flipped,
    /// Changed kind by a rotation, a tip, a spin or a roll.
    Rotated,
}

/// A set of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// `empty`: cells without a piece.
    Empty,
    /// Every cell.
    Board,
    /// `pieces`: cells with a piece.
    Pieces,
    /// The pieces of a player.
    Of(Who),
    /// Pieces of other players than the viewer (neutral pieces belong to nobody and are no enemies).
    Enemies,
    /// Pieces of these kinds, whoever owns them.
    Kinds(Kinds),
    /// A zone as the viewer sees it.
    Zone(ZoneId),
    /// These cells for everybody.
    Cells(Cells),
    /// A role's cell.
    Role(Role),
    /// Cells one step from some cell of `of` in one of the viewer's `dirs`.
    Neighbours {
        /// From where.
        of: Box<Set>,
        /// In which directions.
        dirs: Dirs,
    },
    /// `crossed`: cells strictly between origin and here, on the line the step took.
    Crossed,
    /// Cells that bear a mark.
    Mark(u16),
    /// Where the piece now stands that last set mark `n`, if `here` bears that mark.
    Marker(u16),
    /// Cells of pieces to which this happened in the current turn.
    Turned(TurnSet),
    /// Pieces that have not moved since the start (only `unmoved_kinds`).
    Unmoved,
    /// Members of the set that are attacked by a player other than their owner; an empty cell, by a player other than the viewer: if a
    /// piece of some kind that stood there could be captured.
    Attacked(Box<Set>),
    /// Pieces that attack (enemy of the piece's owner there) or defend (friend) a cell of `of`: that could capture there by a
    /// clause, with pieces that imitate contributing as [`super::piece::Generator::Imitate`] says.
    Bearing {
        /// On which cells.
        of: Box<Set>,
        /// Enemies of the piece there.
        attacking: bool,
        /// Friends of the piece there.
        defending: bool,
    },
    /// `nearest X in D direction`: from each cell of `from`, the first piece on each ray, if it is in `what`.
    First {
        /// Where rays start (exclusive).
        from: Box<Set>,
        /// What is looked for.
        what: Box<Set>,
        /// Rays.
        dirs: Dirs,
    },
    /// `X between A and B in D direction`: on each ray from each cell of `from` (exclusive), the whole unbroken run of `what` that is
    /// followed at once by a cell of `to`; runs that are empty or not exactly `exactly` long count nothing.
    Runs {
        /// What the run consists of.
        what: Box<Set>,
        /// Where rays start.
        from: Box<Set>,
        /// What must follow the run.
        to: Box<Set>,
        /// Rays.
        dirs: Dirs,
        /// The exact length, if said.
        exactly: Option<i32>,
    },
    /// Members of the set whose group (cells connected by orthogonal steps, same owner) has no empty neighbour.
    Surrounded(Box<Set>),
    /// Any of them.
    Union(Vec<Set>),
    /// All of them.
    Intersect(Vec<Set>),
    /// The first without the second.
    Minus(Box<Set>, Box<Set>),
    /// The cells of the set for which the condition holds with `here` = that cell.
    Where(Box<Set>, Box<Cond>),
    /// The set, seen by another player.
    SeenBy(Who, Box<Set>),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// `=`.
    Eq,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl Op {
    /// Whether it holds between two numbers.
    pub fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Op::Eq => a == b,
            Op::Lt => a < b,
            Op::Le => a <= b,
            Op::Gt => a > b,
            Op::Ge => a >= b,
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cond {
    /// Always, or never: options leave them.
    Const(bool),
    /// All hold (in order, the first that fails decides).
    All(Vec<Cond>),
    /// One holds.
    Any(Vec<Cond>),
    /// It does not hold.
    Not(Box<Cond>),
    /// The set is not empty.
    Some(Set),
    /// `A is B`: A has a cell and all its cells lie in B.
    Within(Set, Set),
    /// The role's record is of one of these kinds.
    RoleIs(Role, Kinds),
    /// A comparison.
    Compare(Num, Op, Num),
    /// The number is odd.
    Odd(Num),
    /// `n in line`: n consecutive cells of `of` in one direction (a direction and its opposite are one line), at least one of them in `through`
    /// if said; `exactly`: the whole unbroken run has length n.
    Line {
        /// How many.
        count: i32,
        /// No more.
        exactly: bool,
        /// Of what.
        of: Set,
        /// Containing one of these.
        through: Option<Set>,
    },
    /// A chain of cells of `of`, each one step (in `dirs`) from the one before, leads from a cell of `from` to one of `to`.
    Connects {
        /// The stones.
        of: Set,
        /// One edge.
        from: Set,
        /// The other.
        to: Set,
        /// Steps.
        dirs: Dirs,
    },
    /// A royal of that player is attacked by another player.
    InCheck(Who),
    /// The player, to move in this position, has no legal turn.
    Stuck(Who),
    /// `next` is in check and stuck.
    Checkmate,
    /// `next` is not in check and stuck.
    Stalemate,
    /// Some step of the act is possible at the start of that player's turn.
    Can(Who, Verb),
    /// The position at the end of the turn has occurred so often, this time included.
    Occurs {
        /// How often.
        times: i32,
        /// Compare cell contents only.
        board_only: bool,
    },
    /// The last `turns` turns were quiet by [`super::Game::quiets`] number `quiet`.
    Quiet {
        /// Which.
        quiet: u16,
        /// How many turns.
        turns: Num,
    },
    /// Since the last turn that was not a pass, every player has passed.
    AllPass,
    /// A latch of that player is set.
    Latch(u16, Who),
    /// The condition, seen by another player.
    SeenBy(Who, Box<Cond>),
    /// It holds for some player as viewer (mover first, then in seat order).
    AnyPlayer(Box<Cond>),
}

/// A whole number; arithmetic saturates at 32 bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Num {
    /// A constant.
    Const(i32),
    /// The size of a set.
    Count(Set),
    /// The summed worth of the pieces in a set.
    Worth(Set),
    /// The worth of a role's record (0 if there is none).
    WorthOf(Role),
    /// 1 if odd, 0 if even.
    Odd(Box<Num>),
    /// A counter of that player (of nobody, if it is not `each`).
    Counter(u16, Who),
    /// How many pieces of these types that player holds in hand.
    Hand(Who, Vec<TypeId>),
    /// A tally of the current turn, for that player's view.
    Tally(u16, Who),
    /// The number of the current turn, from 1.
    TurnNumber,
    /// A sum.
    Add(Box<Num>, Box<Num>),
    /// A difference.
    Sub(Box<Num>, Box<Num>),
    /// A product.
    Mul(Box<Num>, Box<Num>),
    /// The number, seen by another player.
    SeenBy(Who, Box<Num>),
}
