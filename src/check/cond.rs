//! Conditions.

use super::cx::{Cx, Env, Place};
use super::expr::{Players, event_of};
use super::fold;
use super::option::bare_word;
use super::written::Phrase;
use crate::base::{Diagnostic, Span};
use crate::ir::expr::{Cond, Num, Op, Role, Set, Who};
use crate::ir::rule::Quiet;
use crate::ir::{KindId, Kinds};
use crate::syntax::Word;
use crate::syntax::expr::{
    Comparison, Cond as CondPhrase, CondKind, DefineBody, Dirs as DirsPhrase, IsWhat, Noun, Relation, SetCount,
    SetPhrase, Who as WhoPhrase,
};
use crate::syntax::game::Guard;

/// A written comparison.
pub(crate) fn op_of(op: Comparison) -> Op {
    match op {
        Comparison::Equal => Op::Eq,
        Comparison::Less => Op::Lt,
        Comparison::AtMost => Op::Le,
        Comparison::Greater => Op::Gt,
        Comparison::AtLeast => Op::Ge,
    }
}

impl Cx<'_> {
    /// A condition; parts that options decide are gone.
    pub fn cond(&mut self, cond: &CondPhrase, env: &Env) -> Option<Cond> {
        self.phrase(cond.span)?;
        let moment = self.moment();
        let out = self.cond_kind(cond, env)?;
        if matches!(out, Cond::Const(_)) {
            self.forget(moment);
        }
        self.ask(cond.span, env, Phrase::Cond(out.clone()));
        Some(out)
    }

    /// Conditions of a line, all of which must hold.
    pub fn guards(&mut self, guards: &[Guard], env: &Env) -> Option<Vec<Cond>> {
        Some(self.placed_guards(guards, env)?.into_iter().map(|(cond, _)| cond).collect())
    }

    /// The same, each with its place; one alone if it never holds.
    pub fn placed_guards(&mut self, guards: &[Guard], env: &Env) -> Option<Vec<(Cond, Span)>> {
        let mut parts: Vec<(Option<Cond>, Span)> = Vec::new();
        for guard in guards {
            match &guard.cond.kind {
                CondKind::And(conds) if !guard.negated => {
                    parts.extend(conds.iter().map(|c| (self.cond(c, env), c.span)));
                }
                _ => {
                    let cond = self.cond(&guard.cond, env).map(|c| fold::not_if(guard.negated, c));
                    parts.push((cond, guard.span));
                }
            }
        }
        let mut out = Vec::new();
        for (cond, span) in parts.into_iter().map(|(cond, span)| cond.map(|c| (c, span))).collect::<Option<Vec<_>>>()? {
            match cond {
                Cond::Const(true) => {}
                Cond::Const(false) => return Some(vec![(cond, span)]),
                Cond::All(parts) => out.extend(parts.into_iter().map(|c| (c, span))),
                cond => out.push((cond, span)),
            }
        }
        Some(out)
    }

    fn conds(&mut self, parts: &[CondPhrase], env: &Env) -> Option<Vec<Cond>> {
        let all: Vec<_> = parts.iter().map(|c| self.cond(c, env)).collect();
        all.into_iter().collect()
    }

    fn cond_kind(&mut self, cond: &CondPhrase, env: &Env) -> Option<Cond> {
        Some(match &cond.kind {
            CondKind::Or(parts) => fold::any(self.conds(parts, env)?),
            CondKind::And(parts) => fold::all(self.conds(parts, env)?),
            CondKind::Not(inner) => fold::not(self.cond(inner, env)?),
            CondKind::Checkmate => Cond::Checkmate,
            CondKind::Stalemate => Cond::Stalemate,
            CondKind::BoardFull => fold::not(Cond::Some(Set::Empty)),
            CondKind::AllPass => Cond::AllPass,
            CondKind::Line { exactly, count, of, through } => {
                let count = self.count(count, 1, 1000, "the length of a line");
                let of = match of {
                    Some(of) => self.set(of, env),
                    None if env.absolute() => {
                        self.error(
                            "viewer",
                            cond.span,
                            "this does not say whose line, and nobody looks in a test",
                            "write `in line of pieces of PLAYER`",
                        );
                        None
                    }
                    None => Some(Set::Of(Who::Me)),
                };
                let through = match through {
                    Some(through) => Some(self.set(through, env)?),
                    None => None,
                };
                Cond::Line { count: count?, exactly: *exactly, of: of?, through }
            }
            CondKind::Occurs { board_only, times } => Cond::Occurs {
                times: self.count(times, 1, 1000, "how often a position occurs")?,
                board_only: *board_only,
            },
            CondKind::Quiet { turns, without } => {
                let turns = self.count(turns, 1, 1_000_000, "a number of turns");
                let inner = Env::new(Place::Quiet);
                let parts: Vec<_> = without.iter().map(|p| self.exists(p, None, &inner)).collect();
                let broken = fold::any(parts.into_iter().collect::<Option<Vec<_>>>()?);
                let quiet = self.quiet(Quiet { broken });
                Cond::Quiet { quiet, turns: Num::Const(turns?) }
            }
            CondKind::Connects { who, from, to, dirs } => {
                let who = self.players(who, env);
                let (from, to) = (self.cells_set(from, env), self.cells_set(to, env));
                let dirs = match dirs {
                    Some(dirs) => self.dirs(dirs, env)?,
                    None => self.orthogonal_dirs(),
                };
                let (who, from, to) = (who?, from?, to?);
                match who {
                    Players::One(who) => Cond::Connects { of: Set::Of(who), from, to, dirs },
                    Players::Any => Cond::AnyPlayer(Box::new(Cond::Connects { of: Set::Of(Who::Me), from, to, dirs })),
                }
            }
            CondKind::InCheck(who) => self.of_players(who, env, Cond::InCheck)?,
            CondKind::Stuck(who) => self.of_players(who, env, Cond::Stuck)?,
            CondKind::Can { who, negated, act } => {
                let verb = self.verb(act);
                let who = self.players(who, env);
                let verb = verb?;
                fold::not_if(*negated, any_or(who?, |w| Cond::Can(w, verb.clone())))
            }
            CondKind::HandEmpty { who, negated } => {
                self.needs_hand(cond.span)?;
                let types = self.hand_types.clone();
                let who = self.players(who, env)?;
                let (op, n) = if *negated { (Op::Ge, 1) } else { (Op::Eq, 0) };
                any_or(who, |w| fold::compare(Num::Hand(w, types.clone()), op, Num::Const(n)))
            }
            CondKind::HandHas { who, piece } => {
                self.needs_hand(cond.span)?;
                let piece = self.piece(piece);
                let who = self.players(who, env);
                let piece = piece?;
                any_or(who?, |w| fold::compare(Num::Hand(w, vec![piece]), Op::Ge, Num::Const(1)))
            }
            CondKind::Has { who, set } => {
                let who = self.players(who, env)?;
                match who {
                    Players::Any => {
                        let inner = env.turned(None);
                        Cond::AnyPlayer(Box::new(self.exists(set, Some(Who::Me), &inner)?))
                    }
                    Players::One(who) if who == Who::Me || Some(who) == env.viewer => {
                        self.exists(set, Some(Who::Me), env)?
                    }
                    Players::One(who) => {
                        let inner = env.turned(Some(who));
                        match self.exists(set, Some(Who::Me), &inner)? {
                            Cond::Const(b) => Cond::Const(b),
                            inner => Cond::SeenBy(who, Box::new(inner)),
                        }
                    }
                }
            }
            CondKind::Shows { set, mark, dirs } => {
                let kinds = self.showing(mark, dirs);
                let set = self.set(set, env);
                Cond::Within(set?, Set::Kinds(kinds?))
            }
            CondKind::Compare { left, op, right } => {
                let left = self.num(left, env)?;
                fold::compare(left, op_of(*op), self.num(right, env)?)
            }
            CondKind::Odd { odd, number } => match self.num(number, env)? {
                Num::Const(n) => Cond::Const((n.rem_euclid(2) == 1) == *odd),
                n => fold::not_if(!*odd, Cond::Odd(n)),
            },
            CondKind::Is { set, negated, what } => fold::not_if(*negated, self.is(set, what, env)?),
            CondKind::Call { name, args } => self.call(name, args, env)?,
            CondKind::Set(phrase) => {
                if let Some(word) = bare_word(phrase)
                    && let Some(cond) = self.word_cond(&word, env)
                {
                    return cond;
                }
                if let Some(cond) = self.latch_of(phrase, env) {
                    return cond;
                }
                self.exists(phrase, None, env)?
            }
        })
    }

    fn of_players(&mut self, who: &WhoPhrase, env: &Env, make: fn(Who) -> Cond) -> Option<Cond> {
        self.players(who, env).map(|who| any_or(who, make))
    }

    fn needs_hand(&mut self, span: crate::base::Span) -> Option<()> {
        if self.has_hand {
            return Some(());
        }
        self.error(
            "no-hand",
            span,
            "this game has no hands",
            "say what a player holds at the start, as in `hand 12 Stone` or `hand empty`",
        );
        None
    }

    /// `f of P` for something remembered.
    fn latch_of(&mut self, phrase: &SetPhrase, env: &Env) -> Option<Option<Cond>> {
        match (&phrase.count, phrase.adjectives.as_slice(), phrase.nouns.as_slice(), phrase.relations.as_slice()) {
            (None, [], [noun], [relation]) => match (&noun.node, &relation.node) {
                (Noun::Word(name), Relation::Of(who)) => {
                    let latch = self.latch(name)?;
                    Some(self.players(who, env).map(|w| any_or(w, |w| Cond::Latch(latch, w))))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a bare word means as a condition; nothing if it is rather a set.
    fn word_cond(&mut self, word: &Word, env: &Env) -> Option<Option<Cond>> {
        if self.settings.get(&word.node).is_some() {
            return Some(self.settings.flag(word, &mut self.report).map(Cond::Const));
        }
        if let Some(latch) = self.latch(&word.node) {
            if env.absolute() {
                self.error(
                    "viewer",
                    word.span,
                    format!("`{}` is remembered for each player, and nobody looks in a test", word.node),
                    format!("write `{} of PLAYER`", word.node),
                );
                return Some(None);
            }
            return Some(Some(Cond::Latch(latch, Who::Me)));
        }
        if self.defines.contains_key(&word.node) {
            let (define, mut inner) = match self.enter(word, env) {
                Some(found) => found,
                None => return Some(None),
            };
            if !self.no_params(&define.params, word) {
                return Some(None);
            }
            inner.params.clear();
            return Some(self.body_cond(&define.body, word, &inner));
        }
        None
    }

    fn body_cond(&mut self, body: &DefineBody, word: &Word, env: &Env) -> Option<Cond> {
        match body {
            DefineBody::Cond(cond) => self.cond(cond, env),
            DefineBody::Directions(_) | DefineBody::Number(_) => {
                let is = if matches!(body, DefineBody::Number(_)) { "a number" } else { "directions" };
                self.error(
                    "wrong-type",
                    word.span,
                    format!("`{}` stands for {is}, and a condition is expected", word.node),
                    if is == "a number" { "compare it with something" } else { "use it where directions stand" },
                );
                None
            }
        }
    }

    fn call(&mut self, name: &Word, args: &[WhoPhrase], env: &Env) -> Option<Cond> {
        if !self.defines.contains_key(&name.node) {
            let mut known: Vec<_> = self.defines.values().map(|d| (d.name.node.clone(), Some(d.name.span))).collect();
            known.sort();
            self.report.unknown("unknown-name", "definition", name, &known);
            return None;
        }
        let bound: Vec<_> = args.iter().map(|a| self.players(a, env).map(|w| (w, a.span))).collect();
        let (define, mut inner) = self.enter(name, env)?;
        if define.params.len() != args.len() {
            let span = define.params.first().map_or(define.name.span, |p| p.span);
            self.push(
                Diagnostic::error(
                    "arguments",
                    format!(
                        "`{}` is about {}, and {} given",
                        name.node,
                        match define.params.len() {
                            0 => "no player".to_owned(),
                            n => crate::base::words::count(n, "player"),
                        },
                        if args.len() == 1 { "1 is".to_owned() } else { format!("{} are", args.len()) }
                    ),
                    name.span,
                )
                .label(span, "defined here")
                .help(match define.params.len() {
                    0 => "leave out the brackets, or define it with a name for the player".to_owned(),
                    n => {
                        let names = ["mover", "next", "me", "opponent"];
                        let given = args.iter().map(|a| self.texts.slice(a.span));
                        let shown: Vec<&str> = given.chain(names).take(n).collect();
                        format!("write `{}({})`", name.node, shown.join(", "))
                    }
                }),
            );
            return None;
        }
        let mut params = Vec::new();
        for (param, who) in define.params.iter().zip(bound) {
            match who? {
                (Players::One(who), _) => params.push((param.node.clone(), Some(who))),
                (Players::Any, span) => {
                    self.error(
                        "any-player",
                        span,
                        "a definition is about one player",
                        "write `me`, `opponent`, `mover`, `next` or the name of a player",
                    );
                    return None;
                }
            }
        }
        inner.params = params;
        self.body_cond(&define.body, name, &inner)
    }

    /// `A is B`.
    fn is(&mut self, phrase: &SetPhrase, what: &IsWhat, env: &Env) -> Option<Cond> {
        if let (Some(word), IsWhat::Names(values)) = (bare_word(phrase), what)
            && self.settings.get(&word.node).is_some()
        {
            let hits: Vec<_> = values.iter().map(|v| self.settings.is(&word, v, &mut self.report)).collect();
            return hits.into_iter().collect::<Option<Vec<_>>>().map(|h| Cond::Const(h.contains(&true)));
        }
        if let Some(word) = bare_word(phrase)
            && self.settings.get(&word.node).is_some()
        {
            self.error(
                "option-value",
                word.span,
                format!("`{}` is an option, and is compared with something on the board", word.node),
                format!("compare it with one of its values, as in `{} is VALUE`", word.node),
            );
            return None;
        }
        let role = match (phrase.adjectives.as_slice(), phrase.nouns.as_slice(), phrase.relations.as_slice()) {
            ([], [noun], []) => match noun.node {
                Noun::Attacker => Some(Role::Attacker),
                Noun::Victim => Some(Role::Victim),
                _ => None,
            },
            _ => None,
        };
        let set = self.set(phrase, env);
        Some(match what {
            IsWhat::Empty => Cond::Within(set?, Set::Empty),
            IsWhat::Attacked => Cond::Some(Set::Attacked(Box::new(set?))),
            IsWhat::Unmoved => Cond::Within(set?, Set::Unmoved),
            IsWhat::Surrounded => {
                let set = set?;
                Cond::Within(set.clone(), Set::Surrounded(Box::new(set)))
            }
            IsWhat::In(cells) => {
                let cells = self.cells_set(cells, env);
                Cond::Within(set?, cells?)
            }
            IsWhat::Enemy | IsWhat::Friend => {
                if env.absolute() {
                    self.error(
                        "viewer",
                        phrase.span,
                        "nobody looks in a test",
                        format!(
                            "name the player, as in `pieces of {} on a1`",
                            self.seats.first().map_or("White", |s| s.node.as_str())
                        ),
                    );
                    return None;
                }
                if role == Some(Role::Victim) && env.place == Place::AfterCapture {
                    self.error(
                        "role",
                        phrase.span,
                        "the captured piece has left the board, so whose it was cannot be asked",
                        "count instead, as in `my captured pieces`",
                    );
                    return None;
                }
                let whose = if matches!(what, IsWhat::Enemy) { Set::Enemies } else { Set::Of(Who::Me) };
                Cond::Within(set?, whose)
            }
            IsWhat::Names(words) => {
                let lower = words.iter().all(|w| w.node.chars().next().is_some_and(char::is_lowercase));
                if lower {
                    let parts: Vec<_> = words.iter().map(|w| self.word_set(w, env)).collect();
                    let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                    return Some(Cond::Within(set?, fold::either(parts)));
                }
                let kinds = self.kinds_named(words);
                match role {
                    Some(role) => {
                        set?;
                        Cond::RoleIs(role, kinds?)
                    }
                    None => Cond::Within(set?, Set::Kinds(kinds?)),
                }
            }
        })
    }

    /// Whether there are such pieces or cells, in the number the phrase says. `mine`: only that player's pieces.
    pub fn exists(&mut self, phrase: &SetPhrase, mine: Option<Who>, env: &Env) -> Option<Cond> {
        let (op, n) = match &phrase.count {
            None => (Op::Ge, 1),
            Some(SetCount::No) => (Op::Eq, 0),
            Some(SetCount::Exactly(_)) if phrase.relations.iter().any(|r| matches!(r.node, Relation::Between(..))) => {
                (Op::Ge, 1)
            }
            Some(SetCount::Exactly(n)) => (Op::Eq, self.count(n, 0, 1_000_000, "a number of pieces")?),
            Some(SetCount::AtLeast(n)) => (Op::Ge, self.count(n, 0, 1_000_000, "a number of pieces")?),
            Some(SetCount::AtMost(n)) => (Op::Le, self.count(n, 0, 1_000_000, "a number of pieces")?),
            Some(SetCount::One | SetCount::Another | SetCount::UpTo(_)) => {
                self.error(
                    "choice",
                    phrase.span,
                    "a condition cannot choose a piece",
                    "write a number, as in `1 piece` or `at most 3 pieces`",
                );
                return None;
            }
        };
        if let Some((event, set)) = phrase.adjectives.iter().find_map(|a| event_of(a.node)) {
            let before = self.report.said;
            if let Some((tally, who)) = self.as_tally(phrase, mine, env) {
                let tally = self.tally(tally);
                return Some(match (op, n) {
                    (Op::Ge, n) if n <= 0 => Cond::Const(true),
                    _ => fold::compare(Num::Tally(tally, who), op, Num::Const(n)),
                });
            }
            if self.report.said > before {
                return None;
            }
            if set.is_none() {
                debug_assert_eq!(event, crate::ir::rule::TallyEvent::Captured);
                self.error(
                    "captured",
                    phrase.span,
                    "captured pieces have left the board: they can be counted by owner and by kind only",
                    "write for example `captured pieces`, `my captured Rook` or `captured enemies except Pawn`",
                );
                return None;
            }
        }
        let set = self.members(phrase, env)?;
        let set = match mine {
            Some(who) => fold::both(vec![Set::Of(who), set]),
            None => set,
        };
        Some(fold::size(set, op, n))
    }

    /// The kinds of cubes that show a mark on one of these sides.
    fn showing(&mut self, mark: &Word, dirs: &DirsPhrase) -> Option<Kinds> {
        self.cube_mark(mark)?;
        let mut sides = Vec::new();
        for part in &dirs.parts {
            match part {
                crate::syntax::expr::Dir::Word(word) => sides.extend(self.sides_of(word)?),
                crate::syntax::expr::Dir::Shown { span, .. } => {
                    self.error(
                        "direction-changes",
                        *span,
                        "a condition about a cube needs plain directions",
                        "write `forward`, `backward`, `left` or `right`",
                    );
                    return None;
                }
            }
        }
        Some(self.showing_at(&mark.node, &sides))
    }

    /// The kinds whose upper face has the mark on one of the sides.
    pub fn showing_at(&self, mark: &str, sides: &[crate::syntax::piece::Side]) -> Kinds {
        let names: Vec<&str> = sides.iter().map(|s| super::cube::side_name(*s)).collect();
        (0..self.kinds.len())
            .filter(|&k| {
                let kind = &self.kinds[k];
                let Some(o) = kind.orientation else { return false };
                self.orientations[kind.piece as usize][o as usize]
                    .marks
                    .iter()
                    .any(|(m, places)| m == mark && places.iter().any(|p| names.contains(&p.as_str())))
            })
            .map(|k| k as KindId)
            .collect()
    }

    /// Checks that some cube has the mark.
    pub fn cube_mark(&mut self, mark: &Word) -> Option<()> {
        let mut known: Vec<(String, Option<crate::base::Span>)> = Vec::new();
        for face in self.pieces.iter().filter_map(|p| p.faces.as_ref()).flatten() {
            for (name, _) in &face.marks {
                if !known.iter().any(|(n, _)| *n == name.node) {
                    known.push((name.node.clone(), Some(name.span)));
                }
            }
        }
        if known.iter().any(|(n, _)| *n == mark.node) {
            return Some(());
        }
        self.report.unknown("unknown-mark", "mark on a cube", mark, &known);
        None
    }
}

/// For one player, or for any as viewer.
fn any_or(who: Players, make: impl Fn(Who) -> Cond) -> Cond {
    match who {
        Players::One(who) => make(who),
        Players::Any => Cond::AnyPlayer(Box::new(make(Who::Me))),
    }
}
