//! Sets of cells.

use super::cx::{Cx, Env, Place};
use super::fold;
use super::geometry;
use super::option::bare_word;
use super::written::Phrase;
use crate::base::{Diagnostic, Span, Spanned};
use crate::ir::board::Dirs;
use crate::ir::expr::{Role, Set, TurnSet, Who};
use crate::ir::rule::{Tally, TallyEvent, Whose};
use crate::ir::{KindId, Kinds};
use crate::syntax::expr::{
    Adjective, Cond as CondPhrase, CondKind, DefineBody, Noun, Relation, SetCount, SetPhrase, Who as WhoPhrase, WhoKind,
};
use crate::syntax::{Word, foreign};

/// A player, or every player in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Players {
    One(Who),
    Any,
}

/// The word, if the condition is nothing but a word.
pub(crate) fn cond_word(cond: &CondPhrase) -> Option<Word> {
    match &cond.kind {
        CondKind::Set(set) => bare_word(set),
        _ => None,
    }
}

/// The adjectives of what happened in the turn.
pub(crate) fn event_of(adjective: Adjective) -> Option<(TallyEvent, Option<TurnSet>)> {
    Some(match adjective {
        Adjective::Captured => (TallyEvent::Captured, None),
        Adjective::Moved => (TallyEvent::Moved, Some(TurnSet::Moved)),
        Adjective::Dropped => (TallyEvent::Dropped, Some(TurnSet::Dropped)),
        Adjective::Shifted => (TallyEvent::Shifted, Some(TurnSet::Shifted)),
        Adjective::Flipped => (TallyEvent::Flipped, Some(TurnSet::Flipped)),
        Adjective::Rotated => (TallyEvent::Rotated, Some(TurnSet::Rotated)),
        Adjective::Nearest
        | Adjective::Adjacent
        | Adjective::My
        | Adjective::Opponents
        | Adjective::Enemy
        | Adjective::Friend
        | Adjective::Surrounded
        | Adjective::Attacked
        | Adjective::Unmoved => return None,
    })
}

impl Cx<'_> {
    /// A player, or any.
    pub fn players(&mut self, who: &WhoPhrase, env: &Env) -> Option<Players> {
        Some(Players::One(match &who.kind {
            WhoKind::AnyPlayer => return Some(Players::Any),
            WhoKind::Me => {
                self.needs_viewer(who.span, "me", env)?;
                Who::Me
            }
            WhoKind::Opponent => self.opponent(who.span, env)?,
            WhoKind::Mover => Who::Mover,
            WhoKind::Next => Who::Next,
            WhoKind::Name(name) => {
                if let Some((_, bound)) = env.params.iter().find(|(p, _)| p == name) {
                    if bound.is_none() {
                        self.error(
                            "viewer",
                            who.span,
                            format!("`{name}` cannot be said here, because another player looks"),
                            "write `mover`, `next` or the name of a player",
                        );
                    }
                    return bound.map(Players::One);
                }
                match self.seat(name) {
                    Some(seat) => Who::Seat(seat),
                    None => {
                        let word = Word::new(name.clone(), who.span);
                        let mut known: Vec<_> = self.seats.iter().map(|s| (s.node.clone(), Some(s.span))).collect();
                        known.extend(env.params.iter().map(|(p, _)| (p.clone(), None)));
                        self.report.unknown("unknown-player", "player", &word, &known);
                        return None;
                    }
                }
            }
        }))
    }

    /// One player; `any player` is said to be wrong.
    pub fn player(&mut self, who: &WhoPhrase, env: &Env) -> Option<Who> {
        match self.players(who, env)? {
            Players::One(who) => Some(who),
            Players::Any => {
                self.error(
                    "any-player",
                    who.span,
                    "`any player` can stand only at the beginning of a condition or a result",
                    "write `me`, `mover`, `next` or the name of a player",
                );
                None
            }
        }
    }

    fn opponent(&mut self, span: Span, env: &Env) -> Option<Who> {
        self.needs_viewer(span, "opponent", env)?;
        if self.seats.len() != 2 {
            let n = self.seats.len();
            self.push(
                Diagnostic::error(
                    "opponent",
                    format!("with {} there is no single opponent", crate::base::words::count(n, "player")),
                    span,
                )
                .label(self.players_span(), "the players are named here")
                .help("`next` is the player who moves after this one, `enemies` are the pieces of all others, as in `no enemies`; or name a player"),
            );
            return None;
        }
        Some(Who::Opponent)
    }

    /// Says that nobody looks, if so.
    fn needs_viewer(&mut self, span: Span, word: &str, env: &Env) -> Option<()> {
        if !env.absolute() {
            return Some(());
        }
        let piece = self.pieces.first().map_or("pieces", |p| p.name.node.as_str());
        let names: Vec<String> = self.seats.iter().map(|s| format!("`{piece} of {}`", s.node)).collect();
        self.error(
            "viewer",
            span,
            format!("`{word}` means nothing in a test, because nobody looks at the board there"),
            format!(
                "leave `{word}` out, or name the player behind the pieces, as in {}",
                crate::base::words::one_of(&names)
            ),
        );
        None
    }

    /// A set; a count before it is said to be wrong.
    pub fn set(&mut self, phrase: &SetPhrase, env: &Env) -> Option<Set> {
        let counted = phrase.relations.iter().any(|r| matches!(r.node, Relation::Between(..)));
        match &phrase.count {
            None => {}
            Some(SetCount::Exactly(_)) if counted => {}
            Some(SetCount::One | SetCount::Another | SetCount::UpTo(_)) => {
                self.error(
                    "choice",
                    phrase.span,
                    "nobody can choose here",
                    "to let the player choose make it part of the turn, as in `turn { move then remove one enemy }`; for all of them leave out the number, as in `remove enemies`",
                );
                return None;
            }
            Some(SetCount::No | SetCount::Exactly(_) | SetCount::AtLeast(_) | SetCount::AtMost(_)) => {
                self.error(
                    "count-here",
                    phrase.span,
                    "a number of pieces is a condition, and a set is expected",
                    "leave out the number (any of these pieces will do then), or ask for it in a condition, as in `… if 2 enemies`",
                );
                return None;
            }
        }
        let set = self.members(phrase, env)?;
        self.ask(phrase.span, env, Phrase::Set(set.clone()));
        Some(set)
    }

    /// The members of the set that a phrase describes, whatever count stands before it.
    pub fn members(&mut self, phrase: &SetPhrase, env: &Env) -> Option<Set> {
        self.phrase(phrase.span)?;
        let nouns: Vec<_> = phrase.nouns.iter().map(|n| self.noun(n, env)).collect();
        let dirs: Vec<_> = phrase
            .relations
            .iter()
            .filter_map(|r| match &r.node {
                Relation::InDirection(d) => Some((d, r.span)),
                _ => None,
            })
            .collect();
        let directed = dirs.first().map(|(d, _)| self.dirs(d, env));
        let nouns = nouns.into_iter().collect::<Option<Vec<_>>>();
        let dirs_used = phrase.adjectives.iter().any(|a| matches!(a.node, Adjective::Nearest | Adjective::Adjacent))
            || phrase.relations.iter().any(|r| matches!(r.node, Relation::Between(..) | Relation::AdjacentTo(_)));
        if let (Some((_, span)), false) = (dirs.first(), dirs_used) {
            self.error(
                "direction-here",
                *span,
                "directions belong to `nearest`, `adjacent` or `between`",
                "leave them out to look at all of these, or write `nearest … in … direction`, `adjacent … in … direction` or `… between A and B in … direction`",
            );
            return None;
        }
        let directed = match directed {
            Some(None) => return None,
            Some(Some(dirs)) => Some(dirs),
            None => None,
        };
        let mut set = fold::either(nouns?);
        for adjective in phrase.adjectives.iter().rev() {
            set = self.adjective(adjective, set, directed.as_ref(), env)?;
        }
        for relation in &phrase.relations {
            set = self.relation(relation, set, phrase, directed.as_ref(), env)?;
        }
        Some(set)
    }

    fn adjective(&mut self, adjective: &Spanned<Adjective>, set: Set, dirs: Option<&Dirs>, env: &Env) -> Option<Set> {
        let span = adjective.span;
        if let Some((event, turned)) = event_of(adjective.node) {
            return match turned {
                Some(turned) => Some(fold::both(vec![Set::Turned(turned), set])),
                None => {
                    debug_assert_eq!(event, TallyEvent::Captured);
                    self.error(
                        "captured",
                        span,
                        "captured pieces have left the board: they can be counted, but have no cells",
                        "nothing on the board can be done with them; ask for their number, as in `2 captured pieces`, `no captured piece` or `my captured pieces except Pawn`",
                    );
                    None
                }
            };
        }
        Some(match adjective.node {
            Adjective::Nearest => {
                let Some(dirs) = dirs else {
                    self.error(
                        "direction-missing",
                        span,
                        "`nearest` does not say in which directions",
                        "add them, as in `nearest enemy in any direction`",
                    );
                    return None;
                };
                let here = self.role(Role::Here, span, env)?;
                Set::First { from: Box::new(here), what: Box::new(set), dirs: dirs.clone() }
            }
            Adjective::Adjacent => {
                let here = self.role(Role::Here, span, env)?;
                let dirs = dirs.cloned().unwrap_or_else(|| self.any_dirs());
                fold::both(vec![set, Set::Neighbours { of: Box::new(here), dirs }])
            }
            Adjective::My => {
                self.needs_viewer(span, "my", env)?;
                fold::both(vec![Set::Of(Who::Me), set])
            }
            Adjective::Friend => {
                self.needs_viewer(span, "friend", env)?;
                fold::both(vec![Set::Of(Who::Me), set])
            }
            Adjective::Enemy => {
                self.needs_viewer(span, "enemy", env)?;
                fold::both(vec![Set::Enemies, set])
            }
            Adjective::Opponents => {
                let who = self.opponent(span, env)?;
                fold::both(vec![Set::Of(who), set])
            }
            Adjective::Surrounded => Set::Surrounded(Box::new(set)),
            Adjective::Attacked => Set::Attacked(Box::new(set)),
            Adjective::Unmoved => fold::both(vec![Set::Unmoved, set]),
            Adjective::Captured
            | Adjective::Moved
            | Adjective::Dropped
            | Adjective::Shifted
            | Adjective::Flipped
            | Adjective::Rotated => set,
        })
    }

    fn relation(
        &mut self,
        relation: &Spanned<Relation>,
        set: Set,
        phrase: &SetPhrase,
        dirs: Option<&Dirs>,
        env: &Env,
    ) -> Option<Set> {
        Some(match &relation.node {
            Relation::InDirection(_) => set,
            Relation::In(cells) => {
                let cells = self.cells_set(cells, env)?;
                fold::both(vec![set, cells])
            }
            Relation::Between(from, to) => {
                let from = self.set(from, env);
                let to: Vec<_> = to.iter().map(|t| self.set(t, env)).collect();
                let Some(dirs) = dirs else {
                    self.error(
                        "direction-missing",
                        relation.span,
                        "`between` does not say in which directions",
                        "add them, as in `enemies between here and friend in any direction`",
                    );
                    return None;
                };
                let exactly = match &phrase.count {
                    Some(SetCount::Exactly(n)) => Some(self.count(n, 1, 1000, "the length of a run")?),
                    None => None,
                    Some(_) => {
                        self.error(
                            "count-here",
                            phrase.span,
                            "a run between two pieces takes a plain number",
                            "write `2 enemies between …` for runs of exactly 2, or no number for any run",
                        );
                        return None;
                    }
                };
                let to = to.into_iter().collect::<Option<Vec<_>>>()?;
                Set::Runs {
                    what: Box::new(set),
                    from: Box::new(from?),
                    to: Box::new(fold::either(to)),
                    dirs: dirs.clone(),
                    exactly,
                }
            }
            Relation::Attacking { attacking, defending, set: of } => {
                let of = Box::new(self.set(of, env)?);
                fold::both(vec![set, Set::Bearing { of, attacking: *attacking, defending: *defending }])
            }
            Relation::Of(who) => {
                let who = self.player(who, env)?;
                fold::both(vec![Set::Of(who), set])
            }
            Relation::Except(words) => {
                let mut parts = Vec::new();
                let mut failed = false;
                for word in words {
                    match self.except_word(word, env) {
                        Some(part) => parts.push(part),
                        None => failed = true,
                    }
                }
                if failed {
                    return None;
                }
                fold::minus(set, fold::either(parts))
            }
            Relation::AdjacentTo(of) => {
                let of = Box::new(self.set(of, env)?);
                let dirs = dirs.cloned().unwrap_or_else(|| self.any_dirs());
                fold::both(vec![set, Set::Neighbours { of, dirs }])
            }
        })
    }

    fn except_word(&mut self, word: &Word, env: &Env) -> Option<Set> {
        match word.node.chars().next() {
            Some(c) if c.is_lowercase() => self.word_set(word, env),
            _ => self.piece(word).map(|t| Set::Kinds(self.kinds_of(t))),
        }
    }

    fn noun(&mut self, noun: &Spanned<Noun>, env: &Env) -> Option<Set> {
        let span = noun.span;
        Some(match &noun.node {
            Noun::Pieces => Set::Pieces,
            Noun::Enemies => {
                self.needs_viewer(span, "enemies", env)?;
                Set::Enemies
            }
            Noun::Friends => {
                self.needs_viewer(span, "friends", env)?;
                Set::Of(Who::Me)
            }
            Noun::Empty => Set::Empty,
            Noun::Nothing => {
                self.error(
                    "nothing-here",
                    span,
                    "`nothing` can stand only behind `toward` and `away from`",
                    "for cells without a piece write `empty`",
                );
                return None;
            }
            Noun::This => self.role(Role::This, span, env)?,
            Noun::Here => self.role(Role::Here, span, env)?,
            Noun::Origin if env.drops => {
                self.error(
                    "role",
                    span,
                    "a drop has no origin: the piece comes from outside of the board",
                    "write `here` for the cell where it is dropped, or leave out the condition",
                );
                return None;
            }
            Noun::Origin => self.role(Role::Origin, span, env)?,
            Noun::Attacker => self.role(Role::Attacker, span, env)?,
            Noun::Victim => self.role(Role::Victim, span, env)?,
            Noun::Crossed => {
                self.role(Role::Origin, span, env)?;
                Set::Crossed
            }
            Noun::Marker => match env.marker {
                Some(mark) => Set::Marker(mark),
                None => {
                    let declare = if self.marks.is_empty() {
                        "declare one, `mark NAME`, set it by `then mark … as NAME`, and "
                    } else {
                        ""
                    };
                    self.error(
                        "marker",
                        span,
                        "`marker` is the piece that set the mark to which a move goes, and this move goes to none",
                        format!("{declare}use `marker` in the `then` of a clause that moves to a mark, as in `step any to NAME then capture marker`"),
                    );
                    return None;
                }
            },
            Noun::BehindThis => {
                let this = self.role(Role::This, span, env)?;
                self.needs_viewer(span, "behind", env)?;
                let south = self.geo.word("backward").unwrap_or_default();
                Set::Neighbours { of: Box::new(this), dirs: south }
            }
            Noun::Name(name) => {
                let word = Word::new(name.clone(), span);
                let t = self.piece(&word)?;
                self.pieces_of(t)
            }
            Noun::Cell(name) => {
                let word = Word::new(name.clone(), span);
                let cells = crate::syntax::board::Cells {
                    parts: vec![vec![crate::syntax::board::CellsAtom::Cell(word)]],
                    except: None,
                    span,
                };
                self.cells_set(&cells, env)?
            }
            Noun::Cells(cells) => self.cells_set(cells, env)?,
            Noun::Word(name) => self.word_set(&Word::new(name.clone(), span), env)?,
        })
    }

    /// All pieces of a type.
    fn pieces_of(&self, t: crate::ir::TypeId) -> Set {
        let kinds = self.kinds_of(t);
        if kinds.len() == self.kinds.len() { Set::Pieces } else { Set::Kinds(kinds) }
    }

    /// What a lower-case word means as a set.
    pub fn word_set(&mut self, word: &Word, env: &Env) -> Option<Set> {
        if let Some(mark) = self.mark(&word.node) {
            return Some(Set::Mark(mark));
        }
        if self.is_zone(&word.node) {
            return self.zone(&word.node).map(Set::Zone);
        }
        if self.defines.contains_key(&word.node) {
            let (define, mut inner) = self.enter(word, env)?;
            if !self.no_params(&define.params, word) {
                return None;
            }
            inner.params.clear();
            return match &define.body {
                DefineBody::Cond(CondPhrase { kind: CondKind::Set(phrase), .. }) => self.set(phrase, &inner),
                DefineBody::Directions(dirs) => {
                    let dirs = self.dirs(dirs, &inner)?;
                    let here = self.role(Role::Here, word.span, env)?;
                    Some(Set::Neighbours { of: Box::new(here), dirs })
                }
                DefineBody::Cond(_) | DefineBody::Number(_) => {
                    let is = if matches!(define.body, DefineBody::Number(_)) { "a number" } else { "a condition" };
                    self.push(
                        Diagnostic::error(
                            "wrong-type",
                            format!("`{}` is {is}, and a set of cells or pieces is expected", word.node),
                            word.span,
                        )
                        .label(define.name.span, "defined here")
                        .help("use it with `if` or `when`, or define it as a set"),
                    );
                    None
                }
            };
        }
        if let Some(dirs) = self.geo.word(&word.node) {
            let here = self.role(Role::Here, word.span, env)?;
            return Some(Set::Neighbours { of: Box::new(here), dirs });
        }
        self.unknown_word(word, "a set of cells or pieces");
        None
    }

    /// Says what a word is that does not fit, or that there is none.
    pub fn unknown_word(&mut self, word: &Word, expected: &str) {
        let unknown = Diagnostic::error("unknown-name", format!("there is nothing called `{}`", word.node), word.span);
        if self.report.full() {
            return self.push(unknown);
        }
        let is = if let Some(s) = self.settings.get(&word.node) {
            Some(("an option", s.span))
        } else if let Some(l) = self.latch_names.iter().find(|l| l.node == word.node) {
            Some(("something remembered", l.span))
        } else if let Some(i) = self.counters.iter().position(|c| c.name == word.node) {
            self.counter_spans.get(i).map(|s| ("a counter", *s))
        } else if let Some(z) = self.zone_decls.iter().find(|z| z.decl.name.node == word.node) {
            Some(("a zone", z.decl.name.span))
        } else if let Some(i) = self.marks.iter().position(|m| m.name == word.node) {
            Some(("a mark", self.mark_spans[i]))
        } else {
            self.defines.get(&word.node).map(|d| ("a definition", d.name.span))
        };
        if let Some((is, span)) = is {
            self.push(
                Diagnostic::error(
                    "wrong-type",
                    format!("`{}` is {is}, and {expected} is expected", word.node),
                    word.span,
                )
                .label(span, "defined here")
                .help(match is {
                    "a counter" => format!("compare it, as in `{} >= 3`", word.node),
                    "something remembered" => format!("it is a condition: `{0}`, or `{0} of PLAYER`", word.node),
                    "a zone" | "a mark" if expected == "a number" => {
                        format!("to count it write `count of {}`", word.node)
                    }
                    _ => format!("use {expected} here"),
                }),
            );
            return;
        }
        if word.node == "score" {
            self.error(
                "wrong-type",
                word.span,
                format!("`score` is a counter, and {expected} is expected"),
                "compare it, as in `score >= 10`",
            );
            return;
        }
        let mut known: Vec<(String, Option<Span>)> = Vec::new();
        known.extend(self.zone_decls.iter().map(|z| (z.decl.name.node.clone(), Some(z.decl.name.span))));
        known.extend(self.marks.iter().zip(&self.mark_spans).map(|(m, s)| (m.name.clone(), Some(*s))));
        let mut defines: Vec<_> = self.defines.values().map(|d| (d.name.node.clone(), Some(d.name.span))).collect();
        defines.sort();
        known.extend(defines);
        known.extend(self.settings.all.iter().map(|s| (s.info.name.clone(), Some(s.span))));
        known.extend(self.latch_names.iter().map(|l| (l.node.clone(), Some(l.span))));
        known.extend(self.counters.iter().zip(&self.counter_spans).map(|(c, s)| (c.name.clone(), Some(*s))));
        for w in super::board::BUILTIN_ZONES {
            known.push((w.to_owned(), None));
        }
        if let Some(help) = self.report.in_variant(&word.node) {
            return self.push(unknown.help(help));
        }
        let mut d = unknown;
        known.extend(geometry::direction_words().map(|w| (w.to_owned(), None)));
        for w in
            ["empty", "enemy", "enemies", "friend", "friends", "piece", "pieces", "nothing", "this", "here", "origin"]
        {
            known.push((w.to_owned(), None));
        }
        known.extend(["checkmate", "stalemate"].map(|w| (w.to_owned(), None)));
        known.extend(self.pieces.iter().map(|p| (p.name.node.clone(), Some(p.name.span))));
        if let Some((help, cure)) = foreign::find(["a condition", "pieces", "cells", "anywhere"], &word.node) {
            self.push(cure.add(d.help(help), word.span));
            return;
        }
        match crate::base::words::nearest(&word.node, known.iter().map(|(n, _)| n.as_str())) {
            Some(near) => {
                if let Some((_, Some(span))) = known.iter().find(|(n, _)| n == near) {
                    d = d.label(*span, format!("`{near}` is defined here"));
                }
                d = d.help(format!("did you mean `{near}`?")).suggest(word.span, near);
            }
            None => {
                d = d.help(format!(
                    "{expected} is expected; to make one write `zone {0} = …` or `define {0} = …`",
                    word.node
                ))
            }
        }
        self.push(d);
    }

    /// Says that a definition needs players, if it does.
    pub fn no_params(&mut self, params: &[Word], word: &Word) -> bool {
        if params.is_empty() {
            return true;
        }
        let names: Vec<String> = params.iter().map(|p| p.node.clone()).collect();
        self.push(
            Diagnostic::error("arguments", format!("`{}` is about a player, and none is given", word.node), word.span)
                .label(params[0].span, format!("stands for a player ({})", names.join(", ")))
                .help(format!("write `{}(me)`", word.node))
                .suggest(word.span, format!("{}(me)", word.node)),
        );
        false
    }

    /// The cell of a role, if the sentence has it.
    pub fn role(&mut self, role: Role, span: Span, env: &Env) -> Option<Set> {
        let place = env.place;
        let fine = match role {
            Role::Attacker | Role::Victim => matches!(place, Place::AfterCapture | Place::ForbidCapture),
            Role::This => matches!(
                place,
                Place::Generator
                    | Place::Guard
                    | Place::Then
                    | Place::Reaction
                    | Place::After
                    | Place::AfterCapture
                    | Place::ForbidAct
                    | Place::Turn
            ),
            Role::Here => matches!(
                place,
                Place::Generator
                    | Place::Guard
                    | Place::Then
                    | Place::Reaction
                    | Place::After
                    | Place::AfterCapture
                    | Place::ForbidCapture
                    | Place::ForbidAct
                    | Place::Turn
            ),
            Role::Origin => matches!(
                place,
                Place::Guard
                    | Place::Then
                    | Place::Reaction
                    | Place::After
                    | Place::AfterCapture
                    | Place::ForbidCapture
                    | Place::ForbidAct
                    | Place::Turn
            ),
        };
        if fine {
            return Some(Set::Role(role));
        }
        let word = self.texts.slice(span).split_whitespace().next().unwrap_or("").to_owned();
        let word = match word.as_str() {
            "" | "nearest" | "adjacent" | "behind" => match role {
                Role::This => "this",
                Role::Here => "here",
                Role::Origin => "origin",
                Role::Attacker => "attacker",
                Role::Victim => "victim",
            }
            .to_owned(),
            _ => word,
        };
        let (message, help) = match (role, place) {
            (Role::Attacker | Role::Victim, Place::Generator | Place::Guard | Place::Then) => (
                format!("`{word}` exists only in `after capture` and `forbid capture`"),
                "in a piece write `this` for the piece and `here` for the cell it goes to",
            ),
            (Role::Attacker | Role::Victim, _) => (
                format!("`{word}` exists only in `after capture` and `forbid capture`"),
                match place {
                    Place::ForbidAct => {
                        "write `this` for the piece that made the step, or forbid captures: `forbid capture when …`"
                    }
                    Place::After | Place::Turn => {
                        "write `this` for the piece that made the step, or put the sentence in `after capture { … }`"
                    }
                    Place::Reaction => {
                        "write `this` for the piece that reacts and `here` for the cell where the other landed"
                    }
                    _ => "write `captured pieces` to count what was captured in the turn",
                },
            ),
            (_, Place::Result | Place::Remember | Place::Prefer | Place::ForbidTurn | Place::Quiet) => (
                format!("`{word}` belongs to a step, and this is tried when the turn is over"),
                "name the pieces, as in `my King`, or ask for what happened in the turn, as in `moved Pawn`",
            ),
            (_, Place::Test) => (
                format!("`{word}` belongs to a step, and a test looks at the board"),
                "name the cell, as in `d4 is empty`",
            ),
            (_, Place::ForbidCapture) => (
                format!("`{word}` is not clear in `forbid capture`"),
                "write `attacker` for the capturing piece and `victim` for the captured one",
            ),
            (_, Place::Generator) => (
                format!("`{word}` is not known before the piece has a target"),
                "write `this` for the piece that moves, or put the condition behind `if`",
            ),
            (_, _) => (format!("`{word}` has no meaning here"), "name the pieces or cells"),
        };
        self.error("role", span, message, help);
        None
    }

    /// The tally that a phrase asks for: pieces to which one thing happened in the turn, restricted only by owner and
    /// kind. `mine`: the sentence is about one player's pieces. Gives the tally and whose view it takes.
    pub fn as_tally(&mut self, phrase: &SetPhrase, mine: Option<Who>, env: &Env) -> Option<(Tally, Who)> {
        let mut event = None;
        let mut whose = if mine.is_some() { Whose::Mine } else { Whose::Anyone };
        let mut who = mine.unwrap_or(Who::Me);
        let mut restrict = |new: Whose, of: Who| {
            let first = whose == Whose::Anyone;
            if first {
                whose = new;
                who = of;
            }
            first || (whose == new && who == of)
        };
        for adjective in &phrase.adjectives {
            match (event_of(adjective.node), adjective.node) {
                (Some((e, _)), _) if event.is_none() => event = Some(e),
                (None, Adjective::My | Adjective::Friend) if !env.absolute() && restrict(Whose::Mine, Who::Me) => {}
                (None, Adjective::Enemy) if !env.absolute() && restrict(Whose::Enemies, Who::Me) => {}
                (None, Adjective::Opponents)
                    if self.seats.len() == 2 && !env.absolute() && restrict(Whose::Mine, Who::Opponent) => {}
                _ => return None,
            }
        }
        let event = event?;
        let mut kinds: Option<Kinds> = None;
        let mut all = false;
        for noun in &phrase.nouns {
            match &noun.node {
                Noun::Pieces => all = true,
                Noun::Enemies if phrase.nouns.len() == 1 && !env.absolute() && restrict(Whose::Enemies, Who::Me) => {
                    all = true
                }
                Noun::Friends if phrase.nouns.len() == 1 && !env.absolute() && restrict(Whose::Mine, Who::Me) => {
                    all = true
                }
                Noun::Name(name) => {
                    let t = self.piece(&Word::new(name.clone(), noun.span))?;
                    let more = self.kinds_of(t);
                    kinds.get_or_insert_with(Vec::new).extend(more);
                }
                _ => return None,
            }
        }
        if all {
            kinds = None;
        }
        for relation in &phrase.relations {
            match &relation.node {
                Relation::Except(words) => {
                    let less = self.kinds_named(words)?;
                    let from = kinds.take().unwrap_or_else(|| (0..self.kinds.len()).map(|k| k as KindId).collect());
                    kinds = Some(from.into_iter().filter(|k| !less.contains(k)).collect());
                }
                Relation::Of(of) => {
                    let of = self.player(of, env)?;
                    if !restrict(Whose::Mine, of) {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        if let Some(kinds) = &mut kinds {
            kinds.sort_unstable();
            kinds.dedup();
        }
        Some((Tally { event, kinds, whose }, who))
    }
}
