//! Effects, events, prohibitions and memory.

use super::cx::{Cx, Env, Place};
use super::fold;
use super::walk::{self, Node};
use super::written::Banned;
use crate::base::Diagnostic;
use crate::ir::expr::{Cond, Role, Set, Who};
use crate::ir::rule::{After, Change, Course, Effect, Event, Forbid, Forbidden, HandItem};
use crate::ir::turn::Verb;
use crate::syntax::Word;
use crate::syntax::expr::{Noun, NumberKind, SetPhrase};
use crate::syntax::game::Item;
use crate::syntax::rule as sr;

/// The words for acts, and what they are.
pub(crate) const VERBS: [(&str, Verb); 17] = [
    ("move", Verb::Move),
    ("drop", Verb::Drop),
    ("capture", Verb::Capture),
    ("step", Verb::Step),
    ("slide", Verb::Slide),
    ("leap", Verb::Leap),
    ("jump", Verb::Jump),
    ("hop", Verb::Hop),
    ("castle", Verb::Castle),
    ("rotate", Verb::Rotate),
    ("spin", Verb::Rotate),
    ("tip", Verb::Rotate),
    ("remove", Verb::Remove),
    ("flip", Verb::Flip),
    ("pass", Verb::Pass),
    ("swap", Verb::Swap),
    ("fill", Verb::Fill),
];

/// Whether the condition asks what could be done from the position.
pub(crate) fn looks_ahead(cond: &Cond) -> bool {
    let mut found = false;
    walk::cond(cond, &mut |node| {
        if let Node::Cond(Cond::Can(..) | Cond::Stuck(_) | Cond::Checkmate | Cond::Stalemate) = node {
            found = true;
        }
    });
    found
}

impl Cx<'_> {
    /// The act that a word names; an unknown one is said.
    pub fn verb(&mut self, word: &Word) -> Option<Verb> {
        if let Some((_, verb)) = VERBS.iter().find(|(w, _)| *w == word.node) {
            return Some(verb.clone());
        }
        if self.labels.contains(&word.node) {
            return Some(Verb::Label(word.node.clone()));
        }
        let known: Vec<_> = VERBS
            .iter()
            .map(|(w, _)| ((*w).to_owned(), None))
            .chain(self.labels.iter().map(|l| (l.clone(), None)))
            .collect();
        self.report.unknown("unknown-act", "act", word, &known);
        None
    }

    /// A list of effects; constant cases are opened.
    pub fn effects(&mut self, effects: &[sr::Effect], env: &Env) -> Option<Vec<Effect>> {
        let all: Vec<_> = effects.iter().map(|e| self.effect(e, env)).collect();
        let all = all.into_iter().collect::<Option<Vec<_>>>()?;
        self.overwrites(effects, &all);
        Some(all.into_iter().flatten().collect())
    }

    /// A set to whose pieces something is done.
    fn pieces(&mut self, phrase: &SetPhrase, env: &Env) -> Option<Set> {
        let set = self.set(phrase, env);
        self.only_pieces(phrase.span);
        set
    }

    fn effect(&mut self, effect: &sr::Effect, env: &Env) -> Option<Vec<Effect>> {
        Some(vec![match &effect.kind {
            sr::EffectKind::Capture(set) => Effect::Capture(self.pieces(set, env)?),
            sr::EffectKind::Remove(set) => Effect::Remove(self.pieces(set, env)?),
            sr::EffectKind::Flip(set) => Effect::Flip(self.pieces(set, env)?),
            sr::EffectKind::Roll(set) => {
                self.needs_ladder(effect.span, "roll")?;
                Effect::Roll(self.pieces(set, env)?)
            }
            sr::EffectKind::Rotate { set, up, by } => {
                self.needs_ladder(effect.span, "rotate")?;
                let rungs = self.ladder.len() as i64;
                let by = self.count(by, 1, (rungs - 1).max(1), "the number of rungs");
                let set = self.pieces(set, env)?;
                Effect::Remap(set, self.ladder_remap(*up, by? as usize))
            }
            sr::EffectKind::Becomes(set, piece) => {
                let set = self.pieces(set, env);
                let t = self.piece(piece)?;
                if self.pieces[t as usize].faces.is_some() {
                    self.push(
                        Diagnostic::error(
                            "not-flat",
                            format!("`{}` is a cube, and this does not say which way up", piece.node),
                            piece.span,
                        )
                        .label(self.pieces[t as usize].name.span, "the cube")
                        .help("let it become a flat piece"),
                    );
                    return None;
                }
                Effect::Become(set?, self.base_kind(t)?)
            }
            sr::EffectKind::Displace { set, distance, course } => {
                let set = self.pieces(set, env);
                let limit = match distance {
                    sr::Distance::One => Some(1),
                    sr::Distance::UpTo(n) => Some(self.count(n, 1, 1000, "a distance")? as u16),
                    sr::Distance::AllTheWay => None,
                };
                let course = match course {
                    sr::Course::Toward(to) => Course::Toward(self.set(to, env)?),
                    sr::Course::AwayFrom(from) => Course::AwayFrom(self.set(from, env)?),
                    sr::Course::Dirs(dirs) => {
                        let found = self.dirs(dirs, env)?;
                        if found.iter().any(|d| d.len() != 1) {
                            self.error(
                                "one-direction",
                                dirs.span,
                                "a piece can be displaced in one direction only",
                                "write one direction, such as `forward` or `north`",
                            );
                            return None;
                        }
                        Course::Dirs(found)
                    }
                };
                Effect::Displace { set: set?, limit, course }
            }
            sr::EffectKind::Mark(set, name) => {
                let set = self.set(set, env);
                let mark = self.known_mark(name)?;
                Effect::Mark(set?, mark)
            }
            sr::EffectKind::Unmark(set, name) => {
                let found = self.set(set, env);
                let marks: Vec<u16> = match name {
                    Some(name) => vec![self.known_mark(name)?],
                    None => (0..self.marks.len() as u16).collect(),
                };
                if marks.is_empty() {
                    self.error(
                        "unknown-mark",
                        effect.span,
                        "this game has no marks",
                        "declare one, as in `mark visited`",
                    );
                    return None;
                }
                let found = found?;
                return Some(marks.into_iter().map(|m| Effect::Unmark(found.clone(), m)).collect());
            }
            sr::EffectKind::Assign { target, op, value } => {
                let change = match op {
                    sr::AssignOp::Add => Change::Add,
                    sr::AssignOp::Subtract => Change::Subtract,
                    sr::AssignOp::Set => Change::Set,
                };
                match target {
                    sr::Target::Hand(who) => {
                        if !self.has_hand {
                            self.error(
                                "no-hand",
                                effect.span,
                                "this game has no hands",
                                "say that there are, with `hand empty`",
                            );
                            return None;
                        }
                        if change == Change::Set {
                            self.error(
                                "hand-item",
                                effect.span,
                                "a hand cannot be set",
                                "add to it with `+=` or take from it with `-=`",
                            );
                            return None;
                        }
                        let who = self.player(who, env);
                        let what = self.hand_item(value, env)?;
                        Effect::Hand { who: who?, change, what }
                    }
                    sr::Target::Counter(word, who) => {
                        let Some(counter) = self.counter(&word.node) else {
                            let mut known: Vec<_> = self
                                .counters
                                .iter()
                                .zip(&self.counter_spans)
                                .map(|(c, s)| (c.name.clone(), Some(*s)))
                                .collect();
                            known.push(("score".to_owned(), None));
                            self.report.unknown("unknown-name", "counter", word, &known);
                            return None;
                        };
                        let each = self.counters[counter as usize].each;
                        let who = match who {
                            Some(who) if !each => {
                                self.one_for_all(word, counter, who.span);
                                return None;
                            }
                            Some(who) => self.player(who, env)?,
                            None => Who::Me,
                        };
                        let made = Effect::Count { counter, who, change, value: self.num(value, env)? };
                        self.written.changes.push((effect.span, made.clone()));
                        made
                    }
                }
            }
            sr::EffectKind::EndTurn => Effect::EndTurn,
            sr::EffectKind::When { cond, then, otherwise } => {
                let cond = self.cond(cond, env);
                let start = self.moment();
                let then = self.effects(then, env);
                if cond == Some(Cond::Const(false)) {
                    self.forget(start);
                }
                let middle = self.moment();
                let otherwise = self.effects(otherwise, env);
                if cond == Some(Cond::Const(true)) {
                    self.forget(middle);
                }
                let (cond, then, otherwise) = (cond?, then?, otherwise?);
                return Some(match cond {
                    Cond::Const(true) => then,
                    Cond::Const(false) => otherwise,
                    cond => vec![Effect::When(cond, then, otherwise)],
                });
            }
        }])
    }

    /// Says that there is no ladder, if so.
    pub fn needs_ladder(&mut self, span: crate::base::Span, verb: &str) -> Option<()> {
        if !self.ladder.is_empty() {
            return Some(());
        }
        let names = self.pieces.iter().filter(|p| p.faces.is_none()).map(|p| p.name.node.as_str());
        let shown = names.chain(["Pawn", "Rook"]).take(3).zip([1, 3, 5]);
        let rungs: Vec<String> = shown.map(|(name, worth)| format!("{name} {worth}")).collect();
        let example = rungs.join(" < ");
        self.error(
            "no-ladder",
            span,
            format!("there is no ladder to {verb} on"),
            format!("write one, as in `ladder {example}`; cubes turn with `spin` and `tip`"),
        );
        None
    }

    fn known_mark(&mut self, name: &Word) -> Option<u16> {
        if let Some(mark) = self.mark(&name.node) {
            return Some(mark);
        }
        let known: Vec<_> = self.marks.iter().zip(&self.mark_spans).map(|(m, s)| (m.name.clone(), Some(*s))).collect();
        self.report.unknown("unknown-mark", "mark", name, &known);
        None
    }

    fn hand_item(&mut self, value: &crate::syntax::expr::Number, env: &Env) -> Option<HandItem> {
        let record = |phrase: &SetPhrase| match phrase.nouns.as_slice() {
            [noun] if phrase.adjectives.is_empty() && phrase.relations.is_empty() && phrase.count.is_none() => {
                match noun.node {
                    Noun::Victim => Some(Role::Victim),
                    Noun::Attacker => Some(Role::Attacker),
                    Noun::This => Some(Role::This),
                    _ => None,
                }
            }
            _ => None,
        };
        match &value.kind {
            NumberKind::OriginalOf(phrase) => {
                if let Some(role) = record(phrase) {
                    self.set(phrase, env)?;
                    return Some(HandItem::OriginalOf(role));
                }
                self.error(
                    "hand-item",
                    phrase.span,
                    "a hand can get one piece at a time",
                    "write `original of victim` in `after capture`",
                );
                None
            }
            NumberKind::Word(word, None) if word.node.chars().next().is_some_and(|c| !c.is_lowercase()) => {
                self.piece(word).map(HandItem::Type)
            }
            NumberKind::Word(..)
            | NumberKind::Literal(_)
            | NumberKind::WorthOf(_)
            | NumberKind::CountOf(_)
            | NumberKind::TurnNumber
            | NumberKind::Odd { .. }
            | NumberKind::Binary(..) => {
                self.error(
                    "hand-item",
                    value.span,
                    "a hand gets pieces, not numbers",
                    "write the name of a piece, or `original of victim` in `after capture`",
                );
                None
            }
        }
    }

    /// `after ACT { … }`; nothing if options leave nothing of it.
    pub fn after(&mut self, after: &sr::After) -> Option<Option<After>> {
        let mut events = Vec::new();
        let mut failed = false;
        for event in &after.events {
            match &event.node {
                sr::Event::Act(act) if act == "capture" => {
                    self.event(event.span, &Verb::Capture);
                    events.push(Event::Capture);
                }
                sr::Event::Act(act) if act == "turn" => {
                    self.error(
                        "event",
                        event.span,
                        "the end of a turn is not an event",
                        "name the acts after which it shall happen, as in `after move or drop { … }`",
                    );
                    failed = true;
                }
                sr::Event::Act(act) => match self.verb(&Word::new(act.clone(), event.span)) {
                    Some(verb) => {
                        self.event(event.span, &verb);
                        events.push(Event::Act(verb));
                    }
                    None => failed = true,
                },
                sr::Event::MovesTo { .. } => {
                    self.error(
                        "event",
                        event.span,
                        "only a piece can react to where others move",
                        "write it inside a piece, or use `after move { … }` with `here`",
                    );
                    failed = true;
                }
            }
        }
        let place = if !events.is_empty() && events.iter().all(|e| *e == Event::Capture) {
            Place::AfterCapture
        } else {
            Place::After
        };
        let body = self.effects(&after.body, &Env::new(place))?;
        if failed {
            return None;
        }
        Some((!body.is_empty()).then_some(After { events, body }))
    }

    /// `forbid ACT [PIECE] when C`; nothing if it never forbids.
    pub fn forbid(&mut self, item: &Item, forbid: &sr::Forbid) -> Option<Option<Forbid>> {
        let kinds = match &forbid.piece {
            Some(word) => Some(self.piece(word).map(|t| self.kinds_of(t))?),
            None => None,
        };
        let (what, place) = match forbid.act.node.as_str() {
            "capture" => {
                self.event(forbid.act.span, &Verb::Capture);
                (Forbidden::Capture, Place::ForbidCapture)
            }
            "turn" => {
                if let Some(piece) = &forbid.piece {
                    self.error(
                        "forbid",
                        piece.span,
                        "a whole turn belongs to no piece",
                        "name an act, as in `forbid move Pawn when …`",
                    );
                    return None;
                }
                (Forbidden::Turn, Place::ForbidTurn)
            }
            _ => {
                let verb = self.verb(&forbid.act)?;
                self.event(forbid.act.span, &verb);
                (Forbidden::Act(verb, kinds.clone()), Place::ForbidAct)
            }
        };
        let cond = self.cond(&forbid.cond, &Env::new(place))?;
        let attackers = kinds.clone();
        self.written.forbids.push(Banned { cond: forbid.cond.span, what: what.clone(), attackers });
        let cond = match (&what, kinds) {
            (Forbidden::Capture, Some(kinds)) => fold::all(vec![Cond::RoleIs(Role::Attacker, kinds), cond]),
            _ => cond,
        };
        if cond == Cond::Const(false) {
            return Some(None);
        }
        let text = match &item.label {
            Some(label) if label.node == "safety" => "safety".to_owned(),
            _ => {
                let line = self.texts.line(item.span);
                line.find("forbid ").map_or(line.clone(), |at| line[at..].to_owned())
            }
        };
        let looks_ahead = looks_ahead(&cond);
        Some(Some(Forbid { text, what, cond, looks_ahead }))
    }
}

/// The rule that no royal may be left attacked.
pub(crate) fn safety() -> Forbid {
    Forbid { text: "safety".to_owned(), what: Forbidden::Turn, cond: Cond::InCheck(Who::Me), looks_ahead: false }
}

/// Whether the effects, however deep, have one that `test` likes.
pub(crate) fn any_effect(effects: &[sr::Effect], test: &mut dyn FnMut(&sr::EffectKind) -> bool) -> bool {
    effects.iter().any(|e| {
        test(&e.kind)
            || match &e.kind {
                sr::EffectKind::When { then, otherwise, .. } => any_effect(then, test) || any_effect(otherwise, test),
                _ => false,
            }
    })
}

/// An error about a thing that two statements say.
pub(crate) fn twice(what: &str, name: &Word, first: crate::base::Span) -> Diagnostic {
    Diagnostic::error("duplicate", format!("`{}` is already the name of {what}", name.node), name.span)
        .label(first, "first defined here")
        .help("choose another name")
}
