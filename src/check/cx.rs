//! What is known while a game is compiled: names, tables, and who looks.

use super::geometry::Geometry;
use super::option::Settings;
use super::report::Report;
use super::texts::Texts;
use super::written::Written;
use crate::base::{Code, Diagnostic, Span, Spanned};
use crate::ir::board::{Zone, ZoneId};
use crate::ir::expr::Who;
use crate::ir::piece::{Kind, Orientation, Remap};
use crate::ir::place::Places;
use crate::ir::rule::{Counter, Mark, Quiet, Tally};
use crate::ir::{Cells, KindId, Kinds, PerSeat, TypeId};
use crate::syntax::Word;
use crate::syntax::board as sb;
use crate::syntax::expr::{Count, Define};
use crate::syntax::piece::{Clause, Face, Side, Trait};
use std::collections::HashMap;

/// At most so many expansions of definitions in one game.
pub(crate) const MAX_EXPANSIONS: usize = 10_000;

/// At most so many conditions, sets and numbers in one game, those of definitions counted wherever they are used.
pub(crate) const MAX_PHRASES: usize = 50_000;

/// How deep definitions, and zones, may use one another.
pub(crate) const MAX_NESTING: usize = 50;

/// At most so many targets in all tables of leaps.
pub(crate) const MAX_LEAPS: usize = 400_000;

/// A piece as it is declared.
#[derive(Clone, Debug)]
pub(crate) struct PieceDecl {
    pub name: Word,
    pub glyph: Option<Word>,
    pub traits: Vec<Spanned<Trait>>,
    pub clauses: Vec<Clause>,
    /// For a cube: its faces as written.
    pub faces: Option<Vec<Face>>,
}

/// A zone as it is declared, and its cells once they are known.
#[derive(Clone, Debug)]
pub(crate) struct ZoneDecl {
    pub decl: sb::Zone,
    pub id: Option<ZoneId>,
    pub busy: bool,
}

/// How long each table was at some moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    asked: usize,
    acts: usize,
    zones: usize,
    remaps: usize,
    tallies: usize,
    quiets: usize,
    counters: usize,
    once: usize,
}

/// What is known and made.
pub(crate) struct Cx<'a> {
    pub texts: &'a Texts,
    pub settings: &'a Settings,
    pub report: Report,
    pub seats: Vec<Word>,
    /// Where the board is described.
    pub board: Span,
    pub geo: Geometry,
    pub pieces: Vec<PieceDecl>,
    pub kinds: Vec<Kind>,
    pub orientations: Vec<Vec<Orientation>>,
    /// Rungs from low to high.
    pub ladder: Vec<TypeId>,
    pub zone_decls: Vec<ZoneDecl>,
    pub defines: HashMap<String, Define>,
    pub mark_spans: Vec<Span>,
    /// Where the rules made so far are written.
    pub places: Places,
    pub latch_names: Vec<Word>,
    pub counter_spans: Vec<Span>,
    /// Labels of clauses, for acts.
    pub labels: Vec<String>,
    pub has_hand: bool,
    pub hand_types: Vec<TypeId>,
    pub expansions: usize,
    /// How many conditions, sets and numbers were read.
    pub phrases: usize,
    /// Where what is compiled is written.
    pub written: Written,
    /// How many targets the tables of leaps have.
    pub leaps: usize,

    pub zones: Vec<Zone>,
    pub remaps: Vec<Remap>,
    pub tallies: Vec<Tally>,
    pub quiets: Vec<Quiet>,
    pub counters: Vec<Counter>,
    pub marks: Vec<Mark>,
    pub once: Vec<String>,
}

/// In what kind of sentence a phrase stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Arguments of a generator.
    Generator,
    /// Targets and conditions of clauses.
    Guard,
    /// Effects of clauses.
    Then,
    Reaction,
    After,
    AfterCapture,
    ForbidCapture,
    ForbidAct,
    ForbidTurn,
    Turn,
    Prefer,
    Result,
    Remember,
    Quiet,
    Test,
}

/// A sentence: its kind, who looks, and what its definitions were given.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    pub place: Place,
    /// The viewer, where it is known as a player.
    pub viewer: Option<Who>,
    /// Parameters of the definition being expanded; nothing where the player cannot be said from here.
    pub params: Vec<(String, Option<Who>)>,
    /// The mark that the clause aims at.
    pub marker: Option<u16>,
    /// The clause is a drop.
    pub drops: bool,
    /// Definitions being expanded.
    pub stack: Vec<String>,
}

impl Env {
    pub fn new(place: Place) -> Env {
        let viewer = match place {
            Place::After
            | Place::AfterCapture
            | Place::ForbidAct
            | Place::ForbidTurn
            | Place::Turn
            | Place::Prefer
            | Place::Quiet => Some(Who::Mover),
            Place::Generator
            | Place::Guard
            | Place::Then
            | Place::Reaction
            | Place::ForbidCapture
            | Place::Result
            | Place::Remember
            | Place::Test => None,
        };
        Env { place, viewer, params: Vec::new(), marker: None, drops: false, stack: Vec::new() }
    }

    /// The same sentence read at another place.
    pub fn at(&self, place: Place) -> Env {
        Env { place, ..self.clone() }
    }

    pub fn seen_by(mut self, viewer: Option<Who>) -> Env {
        self.viewer = viewer;
        self
    }

    /// Whether nobody looks: cells are those of the board.
    pub fn absolute(&self) -> bool {
        self.place == Place::Test
    }

    /// The sentence as `who` sees it; `None` is some player not known.
    pub fn turned(&self, who: Option<Who>) -> Env {
        let across = |w: Who| match w {
            Who::Mover => Some(Who::Next),
            Who::Next => Some(Who::Mover),
            Who::Seat(s) if s < 2 => Some(Who::Seat(1 - s)),
            Who::Seat(_) | Who::Me | Who::Opponent => None,
        };
        let fixed = |w: Who| match w {
            Who::Me => self.viewer,
            Who::Opponent => self.viewer.and_then(across),
            Who::Mover | Who::Next | Who::Seat(_) => Some(w),
        };
        let params = self
            .params
            .iter()
            .map(|(name, bound)| {
                let inner = bound.and_then(|w| match (w, who) {
                    (Who::Me, Some(Who::Me)) | (Who::Opponent, Some(Who::Opponent)) => Some(Who::Me),
                    (Who::Me, Some(Who::Opponent)) | (Who::Opponent, Some(Who::Me)) => Some(Who::Opponent),
                    _ => fixed(w),
                });
                (name.clone(), inner)
            })
            .collect();
        Env { viewer: who.and_then(fixed), params, ..self.clone() }
    }
}

impl Cx<'_> {
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report.error(code, span, message, help);
    }

    /// Keeps an error about something that does not fit the board.
    pub fn off_board(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::error(code, message, span).label(self.board, "this is the board").help(help));
    }

    /// Where the players are named.
    pub fn players_span(&self) -> Span {
        self.seats.first().zip(self.seats.last()).map_or_else(Span::default, |(first, last)| first.span.to(last.span))
    }

    pub fn push(&mut self, d: Diagnostic) {
        self.report.push(d);
    }

    /// Makes sure that something is said of a part that could not be compiled, so that no game goes without it.
    pub fn lost(&mut self, span: Span) {
        if !self.report.failed() {
            self.error("syntax", span, "this cannot be understood", "say it in another way");
        }
    }

    /// The tables as they are now.
    pub fn moment(&self) -> Moment {
        Moment {
            asked: self.written.asked.len(),
            acts: self.written.acts.len(),
            zones: self.zones.len(),
            remaps: self.remaps.len(),
            tallies: self.tallies.len(),
            quiets: self.quiets.len(),
            counters: self.counters.len(),
            once: self.once.len(),
        }
    }

    /// Forgets what was added to the tables since then, because nothing refers to it. Zones of the author's stay.
    pub fn forget(&mut self, m: Moment) {
        let named = self.zone_decls.iter().filter_map(|z| z.id).map(|id| id as usize + 1).max().unwrap_or(0);
        self.zones.truncate(m.zones.max(named));
        self.written.asked.truncate(m.asked);
        self.written.acts.truncate(m.acts);
        self.remaps.truncate(m.remaps);
        self.tallies.truncate(m.tallies);
        self.quiets.truncate(m.quiets);
        self.counters.truncate(m.counters);
        self.once.truncate(m.once);
    }

    /// Whether a table has grown since then.
    pub fn grown(&self, m: Moment) -> bool {
        self.remaps.len() > m.remaps
            || self.tallies.len() > m.tallies
            || self.quiets.len() > m.quiets
            || self.counters.len() > m.counters
            || self.once.len() > m.once
            || self.zones.len() > m.zones
    }

    /// The type of this name; an unknown one is said.
    pub fn piece(&mut self, word: &Word) -> Option<TypeId> {
        if let Some(t) = self.piece_named(&word.node) {
            return Some(t);
        }
        if self.seats.iter().any(|s| s.node == word.node) {
            self.push(
                Diagnostic::error(
                    "unknown-piece",
                    format!("`{}` is a player, and a piece is expected", word.node),
                    word.span,
                )
                .label(self.players_span(), "the players are named here")
                .help(format!("for that player's pieces write `pieces of {}`", word.node))
                .suggest(word.span, format!("pieces of {}", word.node)),
            );
            return None;
        }
        let known: Vec<_> = self.pieces.iter().map(|p| (p.name.node.clone(), Some(p.name.span))).collect();
        self.report.unknown("unknown-piece", "piece", word, &known);
        None
    }

    pub fn piece_named(&self, name: &str) -> Option<TypeId> {
        self.pieces.iter().position(|p| p.name.node == name).map(|t| t as TypeId)
    }

    /// All kinds of a type.
    pub fn kinds_of(&self, t: TypeId) -> Kinds {
        (0..self.kinds.len()).filter(|&k| self.kinds[k].piece == t).map(|k| k as KindId).collect()
    }

    /// The kind in which a type is placed.
    pub fn base_kind(&self, t: TypeId) -> Option<KindId> {
        self.kinds.iter().position(|k| k.piece == t && k.original == t).map(|k| k as KindId)
    }

    /// The kinds of all these types; unknown ones are said.
    pub fn kinds_named(&mut self, words: &[Word]) -> Option<Kinds> {
        let types: Vec<_> = words.iter().map(|w| self.piece(w)).collect();
        let mut kinds: Kinds = Vec::new();
        for t in types {
            kinds.extend(self.kinds_of(t?));
        }
        kinds.sort_unstable();
        kinds.dedup();
        Some(kinds)
    }

    /// The seat of this name.
    pub fn seat(&self, name: &str) -> Option<u8> {
        self.seats.iter().position(|s| s.node == name).map(|s| s as u8)
    }

    /// A count from `low` to `high`; anything else is said.
    pub fn count(&mut self, count: &Count, low: i64, high: i64, what: &str) -> Option<i32> {
        let (n, span) = self.settings.count(count, &mut self.report)?;
        self.in_range(n, span, low, high, what)
    }

    /// A number from `low` to `high`; anything else is said.
    pub fn in_range(&mut self, n: i64, span: Span, low: i64, high: i64, what: &str) -> Option<i32> {
        if (low..=high).contains(&n) {
            return i32::try_from(n).ok();
        }
        self.error(
            "number-range",
            span,
            format!("{what} cannot be {n}"),
            format!("write a number from {low} to {high}"),
        );
        None
    }

    /// The number of a zone with these cells, made if need be.
    pub fn zone_id(&mut self, name: &str, cells: PerSeat<Cells>) -> ZoneId {
        if let Some(id) = self.zones.iter().position(|z| z.cells == cells) {
            return id as ZoneId;
        }
        self.zones.push(Zone { name: name.to_owned(), cells });
        (self.zones.len() - 1) as ZoneId
    }

    /// The number of a tally.
    pub fn tally(&mut self, tally: Tally) -> u16 {
        intern(&mut self.tallies, tally)
    }

    /// The number of a run of quiet turns.
    pub fn quiet(&mut self, quiet: Quiet) -> u16 {
        intern(&mut self.quiets, quiet)
    }

    /// The number of a table of kinds.
    pub fn remap(&mut self, remap: Remap) -> u16 {
        intern(&mut self.remaps, remap)
    }

    /// The number of a thing that may happen once.
    pub fn once(&mut self, name: &str) -> u16 {
        intern(&mut self.once, name.to_owned())
    }

    /// The number of a counter; `score` is there as soon as it is asked for.
    pub fn counter(&mut self, name: &str) -> Option<u16> {
        if let Some(i) = self.counters.iter().position(|c| c.name == name) {
            if let Some(span) = self.counter_spans.get(i) {
                self.report.use_name(*span);
            }
            return Some(i as u16);
        }
        if name != "score" {
            return None;
        }
        self.counters.push(Counter { name: "score".to_owned(), start: 0, each: true });
        Some((self.counters.len() - 1) as u16)
    }

    pub fn mark(&mut self, name: &str) -> Option<u16> {
        let i = self.marks.iter().position(|m| m.name == name)?;
        self.report.use_name(self.mark_spans[i]);
        Some(i as u16)
    }

    pub fn latch(&mut self, name: &str) -> Option<u16> {
        let i = self.latch_names.iter().position(|l| l.node == name)?;
        self.report.use_name(self.latch_names[i].span);
        Some(i as u16)
    }

    /// Counts a phrase; the first of too many is said, and none of them is read.
    pub fn phrase(&mut self, span: Span) -> Option<()> {
        self.phrases += 1;
        if self.phrases == MAX_PHRASES + 1 {
            self.error(
                "too-large",
                span,
                format!("with its definitions written out, this game has more than {MAX_PHRASES} phrases"),
                "each definition is replaced by its text; use long ones less often",
            );
        }
        (self.phrases <= MAX_PHRASES).then_some(())
    }

    /// Goes into a definition; a circle and a flood of expansions are said.
    pub fn enter(&mut self, word: &Word, env: &Env) -> Option<(Define, Env)> {
        self.phrase(word.span)?;
        let define = self.defines.get(&word.node)?.clone();
        self.report.use_name(define.name.span);
        if env.stack.contains(&word.node) {
            self.push(
                Diagnostic::error(
                    "circular",
                    format!("the definition of `{}` needs itself", word.node),
                    define.name.span,
                )
                .label(word.span, "used here")
                .help("a definition is replaced by its text, so it cannot use its own name, also not by way of others: take one of these uses out"),
            );
            return None;
        }
        if env.stack.len() >= MAX_NESTING {
            self.error(
                "too-large",
                word.span,
                format!("definitions use one another more than {MAX_NESTING} deep"),
                "write some of them out",
            );
            return None;
        }
        self.expansions += 1;
        if self.expansions > MAX_EXPANSIONS {
            self.error(
                "too-large",
                word.span,
                "the definitions expand to more than can be handled",
                "each definition is replaced by its text; let fewer of them use one another twice",
            );
            return None;
        }
        let mut inner = env.clone();
        inner.stack.push(word.node.clone());
        Some((define, inner))
    }

    /// Side names of a cube for a direction word: seen by the owner.
    pub fn sides_of(&mut self, word: &Word) -> Option<Vec<Side>> {
        Some(match word.node.as_str() {
            "forward" => vec![Side::Front],
            "backward" => vec![Side::Back],
            "left" => vec![Side::Left],
            "right" => vec![Side::Right],
            "sideways" => vec![Side::Left, Side::Right],
            "orthogonal" | "any" => vec![Side::Front, Side::Right, Side::Back, Side::Left],
            _ => {
                self.error(
                    "unknown-direction",
                    word.span,
                    format!("`{}` is no direction of a cube", word.node),
                    "a cube shows and tips `forward`, `backward`, `left` and `right`, seen by its owner",
                );
                return None;
            }
        })
    }
}

fn intern<T: PartialEq>(table: &mut Vec<T>, entry: T) -> u16 {
    let at = table.iter().position(|t| *t == entry).unwrap_or(table.len());
    if at == table.len() {
        table.push(entry);
    }
    at as u16
}
