//! Effects, events, prohibitions and memory.

use super::Word;
use super::expr::{Cond, Count, Dirs, Number, SetPhrase, Who};
use crate::base::{Span, Spanned};

/// A change of state.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What changes.
    pub kind: EffectKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of effect.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    /// `capture SET`.
    Capture(SetPhrase),
    /// `remove SET`.
    Remove(SetPhrase),
    /// `flip SET`.
    Flip(SetPhrase),
    /// `roll SET`.
    Roll(SetPhrase),
    /// `rotate SET up by 1`, `rotate SET down by 1`.
    Rotate { set: SetPhrase, up: bool, by: Count },
    /// `SET becomes Queen`.
    Becomes(SetPhrase, Word),
    /// `SET slides all the way toward X`, `SET steps away from X`, `SET slides 3 forward`.
    Displace { set: SetPhrase, distance: Distance, course: Course },
    /// `mark SET as NAME`.
    Mark(SetPhrase, Word),
    /// `unmark SET` (all marks), `unmark SET as NAME`.
    Unmark(SetPhrase, Option<Word>),
    /// `score += worth of victim`, `opponent's hand += Pawn`, `my hand += original of victim`.
    Assign { target: Target, op: AssignOp, value: Number },
    /// `end turn`.
    EndTurn,
    /// `when C { … } otherwise { … }`.
    When { cond: Cond, then: Vec<Effect>, otherwise: Vec<Effect> },
}

/// How far a displaced piece goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Distance {
    /// `steps`: one cell.
    One,
    /// `slides 3`.
    UpTo(Count),
    /// `slides all the way`.
    AllTheWay,
}

/// Where a displaced piece goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// `toward X`.
    Toward(SetPhrase),
    /// `away from X`.
    AwayFrom(SetPhrase),
    /// A direction, seen by the viewer.
    Dirs(Dirs),
}

/// What an assignment changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// `my hand`, `opponent's hand`.
    Hand(Who),
    /// `score`, `score of opponent`, a counter.
    Counter(Word, Option<Who>),
}

/// How an assignment changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `+=`.
    Add,
    /// `-=`.
    Subtract,
    /// `=`.
    Set,
}

/// `after move or drop { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct After {
    /// One or more events.
    pub events: Vec<Spanned<Event>>,
    /// What happens.
    pub body: Vec<Effect>,
    /// From `after` to before the brace.
    pub header: Span,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// `move`, `drop`, `capture`, `rotate`, `turn` …: an act, or the end of a turn.
    Act(String),
    /// `enemy moves to SET`, `friend moves to SET`, `piece moves to SET` (in pieces).
    MovesTo { by: By, to: SetPhrase },
}

/// Whose piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// `enemy`.
    Enemy,
    /// `friend`.
    Friend,
    /// `piece`.
    Anyone,
}

/// `forbid ACT [TYPE] when C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Forbid {
    /// `capture`, `move`, `drop`, `turn`, `fill` ….
    pub act: Word,
    /// Only this piece.
    pub piece: Option<Word>,
    /// When.
    pub cond: Cond,
}

/// `remember NAME when C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Remember {
    /// Its name.
    pub name: Word,
    /// When it becomes true, for ever.
    pub cond: Cond,
}

/// `counter NAME = N [each]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its name.
    pub name: Word,
    /// Its value at the start.
    pub start: Spanned<i64>,
    /// One per player.
    pub each: bool,
}

/// `mark NAME [for N turns]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its name.
    pub name: Word,
    /// How many further turns it can be read in; for ever if not said.
    pub turns: Option<Count>,
}
