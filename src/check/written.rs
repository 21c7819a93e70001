//! Where the parts of a game are written, and what is noted of them while they are compiled.

use super::cx::{Cx, Env, Place};
use crate::base::{Code, Diagnostic, Span};
use crate::ir::expr::{Cond, Set, Who};
use crate::ir::rule::{Effect, Event, Forbidden};
use crate::ir::turn::{Act, Verb};
use crate::ir::{Kinds, TypeId};
use crate::syntax::piece::Clause;
use std::collections::BTreeMap;

/// At most so many phrases are kept to be judged.
const MAX_ASKED: usize = 20_000;

/// Where the parts of a compiled game are written, in the order of its tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// For each type its name.
    pub types: Vec<Span>,
    /// For each clause its line.
    pub clauses: Vec<Span>,
    /// For each type the lines of its promotions.
    pub promotions: Vec<Vec<Span>>,
    /// For each reaction its line.
    pub reactions: Vec<Span>,
    /// For each `after` block its header.
    pub afters: Vec<Span>,
    /// For each prohibition its act; for the one that royal pieces bring, the name of the first of them.
    pub forbids: Vec<Span>,
    /// For each result its condition.
    pub results: Vec<Span>,
    /// The acts of the turn as they are written, each with what it is.
    pub acts: Vec<(Span, Act)>,
}

/// A set or a condition that was compiled.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub span: Span,
    pub what: Phrase,
    pub place: Place,
    pub viewer: Option<Who>,
    /// In a line of a piece, whose.
    pub piece: Option<TypeId>,
}

#[derive(Clone, Debug)]
pub(crate) enum Phrase {
    Set(Set),
    /// A set of which only the pieces matter.
    Pieces(Set),
    Cond(Cond),
}

/// What an earlier alternative of a turn leaves to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// It needs nothing, so one behind `or else` is never tried.
    Free,
    /// It can be done whenever the later one could, which stands behind `or else`; `by_verb`: by another name of the act.
    Wider { by_verb: bool },
    /// It is all that the later one is, which stands behind `or`.
    Same,
}

/// A prohibition.
#[derive(Clone, Debug)]
pub(crate) struct Banned {
    pub cond: Span,
    pub what: Forbidden,
    /// Of a capture: by which pieces, if that is said.
    pub attackers: Option<Kinds>,
}

/// What is noted while a game is compiled.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub places: Places,
    /// Whose lines are being compiled.
    pub piece: Option<TypeId>,
    /// Nothing is noted now: what is read is not part of the game.
    pub deaf: bool,
    /// So many phrases were compiled that not all are noted.
    pub overheard: bool,
    pub asked: Vec<Asked>,
    pub acts: Vec<(Span, Act)>,
    /// Acts that something follows or that are forbidden.
    pub events: Vec<(Span, Event)>,
    pub forbids: Vec<Banned>,
    /// For each clause, and for each promotion of each type, the line as it is read.
    pub lines: Vec<Clause>,
    pub promotions: Vec<Vec<Clause>>,
    /// Alternatives, and the one before that leaves nothing to them.
    pub behind: Vec<(Span, Option<(Span, Before)>)>,
    /// Changes of counters.
    pub changes: Vec<(Span, Effect)>,
    /// Conditions of the cases of a turn.
    pub cases: Vec<(Span, Cond)>,
    /// Acts of a sequence, and those of which one is surely done right before.
    pub sequels: Vec<(Span, Vec<Act>)>,
    pub doubts: Doubts,
}

/// What may be wrong at a place, or that nothing is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doubts(BTreeMap<(Code, Span), Option<Diagnostic>>);

impl Doubts {
    /// Notes a doubt about what is written at a place, or that there is none: then none stands there, whatever else is said.
    pub fn judge(&mut self, code: Code, span: Span, doubt: Option<Diagnostic>) {
        self.0
            .entry((code, span))
            .and_modify(|old| {
                if doubt.is_none() {
                    *old = None;
                }
            })
            .or_insert(doubt);
    }

    /// Adds what was said of the same definition, played otherwise.
    pub fn merge(&mut self, other: Doubts) {
        for ((code, span), doubt) in other.0 {
            self.judge(code, span, doubt);
        }
    }

    /// Those that stand. Of two at one place, one of them within the other, the inner one says why.
    pub fn standing(self) -> Vec<Diagnostic> {
        let all: Vec<Diagnostic> = self.0.into_values().flatten().collect();
        let within = |a: Span, b: Span| a != b && a.file == b.file && b.start <= a.start && a.end <= b.end;
        let told = |d: &&Diagnostic| !all.iter().take(500).any(|other| within(other.span(), d.span()));
        all.iter().filter(told).cloned().collect()
    }
}

impl Cx<'_> {
    /// Notes a phrase.
    pub fn ask(&mut self, span: Span, env: &Env, what: Phrase) {
        if self.written.deaf || env.place == Place::Test {
            return;
        }
        if self.written.asked.len() >= MAX_ASKED {
            self.written.overheard = true;
            return;
        }
        let piece = self.written.piece;
        self.written.asked.push(Asked { span, what, place: env.place, viewer: env.viewer, piece });
    }

    /// Of the set that was noted last, if it is written there, only the pieces matter.
    pub fn only_pieces(&mut self, span: Span) {
        if let Some(Asked { what, .. }) = self.written.asked.last_mut().filter(|asked| asked.span == span)
            && let Phrase::Set(set) = what
        {
            *what = Phrase::Pieces(set.clone());
        }
    }

    /// Notes an act that something follows or that is forbidden.
    pub fn event(&mut self, span: Span, verb: &Verb) {
        let event = if *verb == Verb::Capture { Event::Capture } else { Event::Act(verb.clone()) };
        self.written.events.push((span, event));
    }
}
