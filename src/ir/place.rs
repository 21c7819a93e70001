//! Where the rules are written, for explanations. Nothing here has a meaning for play, and a game may have no places at all.

use super::expr::Cond;
use crate::base::Span;
use serde::{Deserialize, Serialize};

/// A piece of the author's text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The words, on one line.
    pub text: String,
    /// Where they stand.
    pub span: Span,
}

/// Where the parts of a clause are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClausePlace {
    /// All of it.
    pub whole: Place,
    /// `to …`.
    pub target: Option<Place>,
    /// `toward …`.
    pub toward: Option<Place>,
    /// `away from …`.
    pub away_from: Option<Place>,
    /// `from …`.
    pub from: Option<Place>,
    /// `within …`, or `in …` of a drop.
    pub within: Option<Place>,
    /// Each of its guards.
    pub guards: Vec<Place>,
}

/// Where the rules of a game are written. The lists go with those of [`super::Game`], or are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Places {
    /// Of each clause.
    pub clauses: Vec<ClausePlace>,
    /// Of each promotion of each type.
    pub promotions: Vec<Vec<Place>>,
    /// Of each reaction.
    pub reactions: Vec<Place>,
    /// Of each `after` block.
    pub afters: Vec<Place>,
    /// Of each prohibition; of `safety` the word `royal`.
    pub forbids: Vec<Place>,
    /// Of each preference.
    pub prefer: Vec<Place>,
    /// Of each result.
    pub results: Vec<Place>,
    /// The word `uncapturable` of each type that has it.
    pub uncapturable: Vec<Option<Place>>,
    /// Of each mark.
    pub marks: Vec<Place>,
    /// Of the turn.
    pub turn: Option<Place>,
    /// The cases of the turn: the condition, and where it is written.
    pub cases: Vec<(Cond, Place)>,
}
