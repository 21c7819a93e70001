//! Results and preferences.

use super::expr::{Cond, Number, SetPhrase, Who};
use super::game::Guard;
use crate::base::Span;

/// `WHO wins when C`, `draw as soon as C`, `highest N wins when C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What happens.
    pub verdict: Verdict,
    /// `as soon as`: tried after each step too.
    pub at_once: bool,
    /// When.
    pub cond: Cond,
    /// From the first word to before `when`.
    pub header: Span,
}

/// What a result says.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// `WHO wins`.
    Wins(Who),
    /// `WHO loses`.
    Loses(Who),
    /// `draw`.
    Draw,
    /// `highest N wins`.
    Highest(Number),
    /// `lowest N wins`.
    Lowest(Number),
}

/// `prefer most SET|NUMBER [if C]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefer {
    /// Of what.
    pub most: Most,
    /// Conditions over options.
    pub guards: Vec<Guard>,
}

/// What is counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Most {
    /// The size of a set.
    Set(SetPhrase),
    /// A number.
    Number(Number),
}
