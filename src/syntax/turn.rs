//! What a player does in a turn.

use super::Word;
use super::expr::{Cond, Count, Dirs, SetPhrase};
use super::game::Guard;
use crate::base::{Span, Spanned};

/// `turn { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What is to be done.
    pub body: TurnBody,
    /// The statement.
    pub span: Span,
}

/// Cases or one expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnBody {
    /// `when C { … } … otherwise { … }`: the first case that holds.
    Cases(Vec<(Option<Cond>, Acts)>),
    /// One expression.
    Acts(Acts),
}

/// An expression over acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Acts {
    /// What.
    pub kind: ActsKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expression over acts.
#[derive(Clone, Debug, PartialEq)]
pub enum ActsKind {
    /// `A or B`.
    Or(Vec<Acts>),
    /// `A or else B`: B only if A has no legal completion.
    OrElse(Vec<Acts>),
    /// `A then B`.
    Then(Vec<Acts>),
    /// `may A`.
    May(Box<Acts>),
    /// `A if C`, `A unless C`: read when A is about to be done.
    If(Box<Acts>, Vec<Guard>),
    /// `again`: the act before, with the same piece, as long as possible; `may again`: as often as wanted.
    Again,
    /// One act.
    Act(Act),
}

/// One act.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// `move`, `drop`, `capture`, `step`, `slide`, `leap`, `jump`, `hop`, `castle`, or the label of a clause; with a
    /// piece name or `another` or `with this`.
    Play { verb: Word, piece: Option<Word>, chooser: Option<Spanned<Chooser>> },
    /// `rotate another by 1`, `rotate one Pawn by 2`.
    Rotate { set: SetPhrase, by: Count },
    /// `spin clockwise`, `spin one Samurai clockwise`, `spin counterclockwise`.
    Spin { set: Option<SetPhrase>, clockwise: bool },
    /// `tip left`, `tip gaze`, `tip one Samurai left`.
    Tip { set: Option<SetPhrase>, dirs: Dirs },
    /// `remove one enemy`, `capture one SET`, `flip one SET`.
    Choose { verb: Word, set: SetPhrase },
    /// `pass`.
    Pass,
    /// `swap sides`.
    SwapSides,
}

/// Which own piece an act may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// `another`: one that did not act yet in this turn.
    Another,
    /// `with this`: the one of the step before.
    Same,
}
