//! Effects, events, prohibitions and memory.

use super::board::Dirs;
use super::expr::{Cond, Num, Role, Set, Who};
use super::turn::Verb;
use super::{KindId, Kinds, TypeId};
use serde::{Deserialize, Serialize};

/// A change of state. Sets are read when the block begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Takes the pieces off; each is a capture by the piece that made the step.
    Capture(Set),
    /// Takes them off; no capture.
    Remove(Set),
    /// They change to the viewer's side; those that are the viewer's already, to the seat after.
    Flip(Set),
    /// They will be rolled at the end of the step (ladder kinds only): every rung is equally likely.
    Roll(Set),
    /// Each becomes what a table says; where the table has no entry it stays.
    Remap(Set, u16),
    /// They become this kind.
    Become(Set, KindId),
    /// They move without capturing, firing no events, all to cells computed on the board before: each along its course while cells are empty, at most
    /// `limit` cells; two that are bound for one cell both stay.
    Displace {
        /// Which.
        set: Set,
        /// How far; none is as far as possible.
        limit: Option<u16>,
        /// Where to.
        course: Course,
    },
    /// Cells get a mark; `this` is its marker.
    Mark(Set, u16),
    /// Cells lose it.
    Unmark(Set, u16),
    /// A counter changes.
    Count {
        /// Which.
        counter: u16,
        /// Whose.
        who: Who,
        /// How.
        change: Change,
        /// By or to what.
        value: Num,
    },
    /// The hand of `who` gets (or loses) one piece for each cell or record.
    Hand {
        /// Whose.
        who: Who,
        /// More or fewer.
        change: Change,
        /// Of what.
        what: HandItem,
    },
    /// The turn is complete after this step.
    EndTurn,
    /// One of two lists.
    When(Cond, Vec<Effect>, Vec<Effect>),
}

/// How a number changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// `+=`.
    Add,
    /// `-=`.
    Subtract,
    /// `=`.
    Set,
}

/// What a hand gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HandItem {
    /// `original of victim`: the type the record had before promotion.
    OriginalOf(Role),
    /// A named type.
    Type(TypeId),
}

/// The course of a displaced piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Course {
    /// In the direction in which the first cell of the set lies that is on one of its rays (directions in board order).
    Toward(Set),
    /// The opposite.
    AwayFrom(Set),
    /// The viewer's direction (the first of it).
    Dirs(Dirs),
}

/// A block that runs after an act or a capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct After {
    /// After which.
    pub events: Vec<Event>,
    /// What happens.
    pub body: Vec<Effect>,
}

/// What a block follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A step of this act.
    Act(Verb),
    /// Each captured piece.
    Capture,
}

/// `after enemy moves to SET { … }` in a piece: viewer is the owner of the reacting piece, `this` its cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reaction {
    /// Kinds that react.
    pub kinds: Kinds,
    /// To whose moves.
    pub by: By,
    /// The landing cell must lie here (evaluated with `this` = the reacting piece).
    pub to: Set,
    /// What happens. Captures count for the player whose step it is.
    pub body: Vec<Effect>,
}

/// Whose piece moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Another player's than the reacting piece's.
    Enemy,
    /// The same player's, another piece.
    Friend,
    /// Any other piece.
    Anyone,
}

/// A prohibition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forbid {
    /// The author's line, for explanations; `safety` for the rule of royals.
    pub text: String,
    /// Of what.
    pub what: Forbidden,
    /// When.
    pub cond: Cond,
    /// Whether the condition asks for `Can`, `Stuck`, `Checkmate` or `Stalemate`.
    pub looks_ahead: bool,
}

/// What is forbidden.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forbidden {
    /// A pair of attacker and victim; read before the step; counts for attacks too.
    Capture,
    /// A step of this act, if its piece is (now) of one of these kinds (any, if not said); read after the step.
    Act(Verb, Option<Kinds>),
    /// The end of a turn.
    Turn,
}

/// A flag per player that stays true. All are tried for every player at the end of every turn, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Latch {
    /// Its name.
    pub name: String,
    /// When it becomes true, with the player as viewer.
    pub cond: Cond,
}

/// A counter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// Its first value.
    pub start: i32,
    /// One per player; otherwise one in all (kept for seat 0).
    pub each: bool,
}

/// A set of marked cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// A mark set in turn t can be read through turn t + n; for ever if not said.
    pub turns: Option<u16>,
    /// Read only by clause targets and `Marker`, in a game whose turns are single steps: where it can be read for one turn more and no legal turn of the
    /// player to move goes to it, it is dropped at the end of the turn, cell by cell.
    pub only_targets: bool,
}

/// Counts what happened in the current turn; set to 0 when a turn begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// What happened.
    pub event: TallyEvent,
    /// To pieces of these kinds (as they were when it happened: the kind that was captured, the kind that moved).
    pub kinds: Option<Kinds>,
    /// To whose pieces, from the view of the player asking.
    pub whose: Whose,
}

/// What a tally counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TallyEvent {
    /// A piece was captured.
    Captured,
    /// A piece made a move act.
    Moved,
    /// A piece was dropped.
    Dropped,
    /// A piece was displaced by an effect.
    Shifted,
    /// A piece changed owner (counted for the new owner).
    Flipped,
    /// A piece was rotated.
    Rotated,
}

/// Whose pieces a tally counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// Anybody's.
    Anyone,
    /// The asking player's.
    Mine,
    /// Other players'.
    Enemies,
}

/// A run of quiet turns: it grows by one at the end of a turn in which the condition does not hold (viewer = the mover), and is 0 after one in which it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quiet {
    /// What ends the quiet.
    pub broken: Cond,
}
