//! Why a text is not a legal move, in the words of the rule that refuses it.

use super::apply::After;
use super::bits::Bits;
use super::clause::{Clause, Gen};
use super::core::{Core, Over};
use super::eval::{At, History};
use super::group::{Groups, What};
use super::rules::Rules;
use super::step::{Deed, Step};
use crate::base::words::one_of;
use crate::ir::rule::Forbidden;

/// What a player may have meant.
enum Meant<'a> {
    /// From a cell to a cell, with a promotion letter.
    Move(usize, usize, Option<&'a str>),
    /// A piece (by its letter, or the only one) onto a cell.
    Drop(Option<&'a str>, usize),
    /// Something with a cell: a rotation, a removal.
    On(usize),
    /// No cell in it.
    Other,
}

/// How far a clause lets a move come; the furthest is the one to tell of.
type Reason = (u8, String);

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// One sentence that says why the text is not legal here.
    pub fn explain(&self, core: &Core<B, K, M>, history: &History, text: &str) -> String {
        if core.over != Over::No {
            let reason = self.outcome(core).map_or(String::new(), |o| o.reason);
            return format!("the game is over: {reason}");
        }
        if core.rolls.any() {
            return format!("chance decides now, and `{text}` is none of its outcomes");
        }
        match self.meant(text) {
            Meant::Move(from, to, promote) => self.explain_move(core, history, from, to, promote),
            Meant::Drop(letter, to) if !text.contains(':') && self.oriented(letter) => {
                let (cell, offered) = (self.cell_name(to), self.offered(core, history));
                format!("say which way up it lies on {cell}, by the faces on top and in front; {offered}")
            }
            Meant::Drop(letter, to) => self.explain_drop(core, history, letter, to),
            Meant::On(cell) => self.explain_on(core, history, cell, text),
            Meant::Other => {
                let known = ["pass", "swap", "done"].contains(&text) || self.game.remaps.iter().any(|r| r.text == text);
                let what = if known { "is not possible now" } else { "is no move" };
                format!("`{text}` {what}; {}", self.offered(core, history))
            }
        }
    }

    /// Whether what is dropped can lie in several ways.
    fn oriented(&self, letter: Option<&str>) -> bool {
        let meant = |t: u8| letter.is_none_or(|l| self.game.types[t as usize].letter == l);
        self.drops.iter().any(|(t, c)| {
            meant(*t) && matches!(&self.clauses[*c as usize].gen_, Gen::Drop { kinds } if kinds.len() > 1)
        })
    }

    fn cell_name(&self, cell: usize) -> &str {
        self.game.cell_name(cell as u16)
    }

    /// The cells at the beginning of a text: the longest names that fit.
    fn leading_cell<'a>(&self, text: &'a str) -> Option<(usize, &'a str)> {
        (0..self.geo.cells)
            .filter(|c| text.starts_with(self.cell_name(*c)))
            .max_by_key(|c| self.cell_name(*c).len())
            .map(|c| (c, &text[self.cell_name(c).len()..]))
    }

    fn meant<'a>(&self, text: &'a str) -> Meant<'a> {
        if let Some((letter, rest)) = text.split_once('@')
            && let Some((cell, _)) = self.leading_cell(rest)
        {
            return Meant::Drop(Some(letter), cell);
        }
        if let Some((from, rest)) = self.leading_cell(text) {
            return match self.leading_cell(rest) {
                Some((to, rest)) => Meant::Move(from, to, rest.strip_prefix('=')),
                None if (rest.is_empty() || rest.starts_with(':')) && !self.drops.is_empty() => Meant::Drop(None, from),
                None => Meant::On(from),
            };
        }
        match text.get(1..).and_then(|rest| self.leading_cell(rest)) {
            Some((cell, "")) if text.starts_with(['x', '~']) => Meant::On(cell),
            _ => Meant::Other,
        }
    }

    /// What may be done instead: a few legal steps.
    fn offered(&self, core: &Core<B, K, M>, history: &History) -> String {
        let steps = self.steps(core, history);
        let texts: Vec<String> =
            steps.iter().take(4).map(|s| format!("`{}`", super::text::step(&self.game, *s))).collect();
        let more = if steps.len() > 4 { " and so on" } else { "" };
        format!("possible now: {}{more}", texts.join(", "))
    }

    fn name(&self, kind: u8) -> String {
        articled(&self.game.type_of(kind).name)
    }

    fn seat_name(&self, seat: u8) -> &str {
        self.game.seats.get(seat as usize).map_or("nobody", |s| &s.name)
    }

    fn stands(&self, core: &Core<B, K, M>, cell: usize) -> String {
        match core.piece(cell) {
            None => format!("{} is empty", self.cell_name(cell)),
            Some((owner, kind)) => {
                let whose = if owner == core.side { "your own" } else { "the" };
                format!("{whose} {} stands on {}", self.game.type_of(kind).name, self.cell_name(cell))
            }
        }
    }

    fn explain_move(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        from: usize,
        to: usize,
        promote: Option<&str>,
    ) -> String {
        let Some((owner, kind)) = core.piece(from) else {
            return format!("{} is empty: there is no piece to move", self.cell_name(from));
        };
        if owner != core.side {
            let (name, player) = (&self.game.type_of(kind).name, self.seat_name(core.side));
            return format!("the {name} on {} is not {player}'s, who is to move", self.cell_name(from));
        }
        let mut groups = Groups::new();
        self.offers(core, history, false, &mut groups);
        if !groups.iter().any(|g| matches!(g.code.what(), What::Play { .. })) && !core.fresh {
            return format!("no piece moves in this step of the turn; {}", self.offered(core, history));
        }
        let t = self.type_of[kind as usize] as usize;
        let mut best: Option<Reason> = None;
        for c in &self.moves[t] {
            let reason = self.explain_clause(core, history, *c, kind, from, to, promote);
            if best.as_ref().is_none_or(|b| reason.0 > b.0) {
                best = Some(reason);
            }
        }
        match best {
            None => format!("{} never moves", self.name(kind)),
            Some((0, _)) => {
                let ways: Vec<String> =
                    self.moves[t].iter().map(|c| format!("`{}`", self.game.clauses[*c as usize].text)).collect();
                let (from, to) = (self.cell_name(from), self.cell_name(to));
                format!("{} does not go from {from} to {to}; it may {}", self.name(kind), one_of(&ways))
            }
            Some((_, reason)) => reason,
        }
    }

    fn explain_clause(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        c: u16,
        kind: u8,
        from: usize,
        to: usize,
        promote: Option<&str>,
    ) -> Reason {
        let clause = &self.clauses[c as usize];
        let text = &self.game.clauses[c as usize].text;
        let piece = self.name(kind);
        let seat = core.side;
        let at =
            At { viewer: seat, this: from as u16, origin: from as u16, here: to as u16, ..At::mover(seat, history) };
        if self.targets(clause, core, seat, kind, from, history).has(to) {
            return (9, self.explain_legality(core, history, c, kind, from, to, promote));
        }
        // on the board without other pieces: is it a matter of geometry?
        let mut bare = Core::empty();
        self.put(&mut bare, seat, kind, from);
        bare.unmoved = core.unmoved & B::bit(from);
        let reaches = self.reach(clause, core, seat, kind, from, &at).has(to);
        let could = match &clause.gen_ {
            Gen::Hop { .. } | Gen::Castle { .. } | Gen::Imitate { .. } => reaches,
            Gen::Slide { all_the_way: true, .. } => self.geo.dirs.iter().any(|d| d.rays[from].has(to)),
            _ => self.reach(&unfaced(clause), &bare, seat, kind, from, &at).has(to),
        };
        if let Gen::Castle { .. } = clause.gen_
            && self.looks_like_castling(clause, from, to, seat)
        {
            return (
                6,
                format!(
                    "`{text}` is not possible now: both pieces must be unmoved, nothing between them, and no cell the royal crosses attacked"
                ),
            );
        }
        if !could {
            return (0, String::new());
        }
        if clause.from.is_some_and(|z| !z[seat as usize & 1].has(from)) {
            return (3, format!("{piece} may `{text}`, and {} is not there", self.cell_name(from)));
        }
        if clause.within.is_some_and(|z| !z[seat as usize & 1].has(to)) {
            return (3, format!("{piece} may `{text}`, and {} lies outside", self.cell_name(to)));
        }
        if !reaches {
            let blocker = self.geo.between(from, to) & core.occupied();
            return match blocker.is_empty() {
                true => (4, format!("{piece} may `{text}`, which does not lead to {} here", self.cell_name(to))),
                false => {
                    (5, format!("{piece} may `{text}`, but {}", self.stands(core, self.nearest_to(from, to, blocker))))
                }
            };
        }
        if self.protected(core, seat, kind, from as u16, history).has(to) && self.enemies(core, seat).has(to) {
            return (7, self.explain_protected(core, kind, to));
        }
        let holds = clause.guards.iter().chain(&clause.tried).all(|g| self.holds(g, core, &at))
            && clause.lifted.iter().all(|l| self.set(l, core, &at).has(to))
            && clause.once.is_none_or(|o| core.slots[self.layout.once(o, seat)] == 0);
        if !holds {
            return (6, format!("{piece} may `{text}`, and that condition does not hold"));
        }
        (5, format!("{piece} may `{text}`, but {}", self.stands(core, to)))
    }

    fn looks_like_castling(&self, clause: &Clause<B>, from: usize, to: usize, seat: u8) -> bool {
        let Gen::Castle { dirs, steps, .. } = &clause.gen_ else { return false };
        dirs[seat as usize & 1].iter().any(|d| self.geo.walk(from, *d).nth(*steps as usize - 1) == Some(to))
    }

    fn nearest_to(&self, from: usize, to: usize, blockers: B) -> usize {
        let dir = (0..self.geo.dirs.len()).find(|d| self.geo.dirs[*d].rays[from].has(to));
        dir.and_then(|d| self.geo.first(from, d as u8, blockers)).unwrap_or_else(|| blockers.first())
    }

    fn explain_protected(&self, core: &Core<B, K, M>, kind: u8, to: usize) -> String {
        let victim = core.kind_at(to);
        if self.uncapturable.contains(&victim) {
            return format!("{} on {} cannot be captured", self.name(victim), self.cell_name(to));
        }
        let rule = self.game.forbids.iter().find(|f| f.what == Forbidden::Capture).map_or("", |f| f.text.as_str());
        format!("{} may not capture {} on {}: `{rule}`", self.name(kind), self.name(victim), self.cell_name(to))
    }

    /// The move is possible as far as its clause goes: what forbids it?
    fn explain_legality(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        clause: u16,
        kind: u8,
        from: usize,
        to: usize,
        promote: Option<&str>,
    ) -> String {
        let choices = self.promotions(core, core.side, kind, from as u16, to as u16, history);
        let mut promotion = None;
        if let Some(choices) = choices {
            let letters: Vec<String> =
                choices.iter().flatten().map(|k| format!("`={}`", self.game.type_of(*k).letter)).collect();
            let chosen = choices.iter().find(|k| k.map(|k| self.game.type_of(k).letter.as_str()) == promote);
            match chosen {
                Some(kind) => promotion = *kind,
                None if letters.is_empty() => {
                    return format!(
                        "{} must promote on {}, and nothing is left to promote to",
                        self.name(kind),
                        self.cell_name(to)
                    );
                }
                None => {
                    return format!("{} promotes on {}: add {}", self.name(kind), self.cell_name(to), one_of(&letters));
                }
            }
        } else if promote.is_some() {
            return format!("{} does not promote on {}", self.name(kind), self.cell_name(to));
        }
        let deed = Deed::Move { clause, kind, from: from as u16, to: to as u16, promote: promotion };
        self.explain_deed(core, history, deed, |what| match what {
            What::Play { clause: c, .. } => *c == clause,
            _ => false,
        })
    }

    fn explain_deed(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        deed: Deed,
        same: impl Fn(&What) -> bool,
    ) -> String {
        let mut groups = Groups::new();
        self.offers(core, history, false, &mut groups);
        let Some(group) = groups.iter().find(|g| same(&g.code.what())) else {
            return match core.fresh {
                true => format!("another kind of move must be made now; {}", self.offered(core, history)),
                false => format!("that piece may not move in this step of the turn; {}", self.offered(core, history)),
            };
        };
        let mut after = *core;
        match self.apply(&mut after, Step { deed, next: group.code.next() }, history) {
            After::Impossible => self.explain_forbidden_act(core),
            After::Complete | After::Chance => self.explain_forbidden_turn(&after, history),
            After::Continues => match self.after(core, Step { deed, next: group.code.next() }, history) {
                None => "after that the turn could not be completed".to_owned(),
                Some(_) => format!("another move must be made now; {}", self.offered(core, history)),
            },
        }
    }

    fn explain_forbidden_act(&self, core: &Core<B, K, M>) -> String {
        let rules =
            self.game.forbids.iter().filter(|f| matches!(f.what, Forbidden::Act(..)) && !(core.ahead && f.looks_ahead));
        let texts: Vec<String> = rules.map(|f| format!("`{}`", f.text)).collect();
        format!("a rule forbids it: {}", one_of(&texts))
    }

    fn explain_forbidden_turn(&self, after: &Core<B, K, M>, history: &History) -> String {
        let at = At::mover(after.side, history);
        let turns = self.game.forbids.iter().filter(|f| f.what == Forbidden::Turn);
        for (forbid, (cond, _)) in turns.zip(&self.forbid_turns) {
            if !self.holds(cond, after, &at) {
                continue;
            }
            if forbid.text != "safety" {
                return format!("a rule forbids it: `{}`", forbid.text);
            }
            let royals = self.royals.iter().fold(B::EMPTY, |s, k| s | after.sets[*k as usize]);
            for royal in (royals & after.own[after.side as usize]).cells() {
                let attackers = self.attackers(after, royal, 1 - (after.side & 1), true, history);
                if attackers.any() {
                    let attacker = attackers.first();
                    return format!(
                        "your {} on {} would be attacked by the {} on {}",
                        self.game.type_of(after.kind_at(royal)).name,
                        self.cell_name(royal),
                        self.game.type_of(after.kind_at(attacker)).name,
                        self.cell_name(attacker)
                    );
                }
            }
        }
        "another move must be made now".to_owned()
    }

    fn explain_drop(&self, core: &Core<B, K, M>, history: &History, letter: Option<&str>, to: usize) -> String {
        let seat = core.side;
        let drops = self.drops.iter().filter(|(t, _)| letter.is_none_or(|l| self.game.types[*t as usize].letter == l));
        let mut best = (
            0,
            match letter {
                Some(letter) => format!("no piece `{letter}` can be dropped"),
                None => format!("nothing can be dropped on {}", self.cell_name(to)),
            },
        );
        for (t, c) in drops {
            let info = &self.game.types[*t as usize];
            let clause = &self.clauses[*c as usize];
            let text = &self.game.clauses[*c as usize].text;
            let at = At { viewer: seat, here: to as u16, ..At::mover(seat, history) };
            let held = self.layout.hand(seat, *t).map_or(1, |slot| core.slots[slot]);
            let reason = if held <= 0 {
                (1, format!("{} holds no {}", self.seat_name(seat), info.name))
            } else if core.occupied().has(to) {
                (3, format!("a drop needs an empty cell, and {}", self.stands(core, to)))
            } else if clause.within.is_some_and(|z| !z[seat as usize & 1].has(to)) {
                (4, format!("{} may `{text}`, and {} lies outside", articled(&info.name), self.cell_name(to)))
            } else if !(clause.guards.iter().chain(&clause.tried).all(|g| self.holds(g, core, &at))
                && clause.lifted.iter().all(|l| self.set(l, core, &at).has(to)))
            {
                (2, format!("{} may `{text}`, and that condition does not hold", articled(&info.name)))
            } else {
                let kind = match &clause.gen_ {
                    Gen::Drop { kinds } => kinds.first().copied().unwrap_or(0),
                    _ => 0,
                };
                let deed = Deed::Drop { clause: *c, kind, to: to as u16 };
                (5, self.explain_deed(core, history, deed, |w| matches!(w, What::Drop { clause: d, .. } if d == c)))
            };
            if reason.0 > best.0 {
                best = reason;
            }
        }
        best.1
    }

    fn explain_on(&self, core: &Core<B, K, M>, history: &History, cell: usize, text: &str) -> String {
        let offered = self.offered(core, history);
        match core.piece(cell) {
            None => format!("{} is empty; {offered}", self.cell_name(cell)),
            Some((owner, _)) if owner != core.side => {
                format!("the piece on {} is not yours; {offered}", self.cell_name(cell))
            }
            Some(_) if core.acted.has(cell) => {
                format!("the piece on {} has already made a step of this turn; {offered}", self.cell_name(cell))
            }
            Some(_) => format!("`{text}` is not possible now; {offered}"),
        }
    }
}

/// The name with its article.
fn articled(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// The clause's geometry without `toward` and `away from`.
fn unfaced<B: Bits>(clause: &Clause<B>) -> Clause<B> {
    let gen_ = match &clause.gen_ {
        Gen::Step { dirs, distance } => Gen::Step { dirs: dirs.clone(), distance: *distance },
        Gen::Slide { dirs, limit, all_the_way } => {
            Gen::Slide { dirs: dirs.clone(), limit: *limit, all_the_way: *all_the_way }
        }
        Gen::Leap { table, .. } => Gen::Leap { table: table.clone(), lame: None },
        Gen::Anywhere | Gen::Hop { .. } | Gen::Castle { .. } | Gen::Drop { .. } | Gen::Imitate { .. } => Gen::Anywhere,
    };
    Clause {
        number: clause.number,
        gen_,
        target: super::clause::Target::Empty,
        toward: None,
        away: None,
        from: None,
        within: None,
        guards: Vec::new(),
        lifted: Vec::new(),
        tried: Vec::new(),
        then: Box::new([]),
        then_captures: false,
        once: None,
        open: true,
        plain: clause.plain,
        label: clause.label,
        verbs: clause.verbs,
        tame: false,
        simple: false,
        mark: None,
    }
}
