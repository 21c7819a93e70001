//! Why a text is not a legal move, in the words of the rule that refuses it.
//!
//! Every clause of the piece is tried without its conditions, then with one after the other, up to the first that fails in
//! this position. The clause that comes furthest is the one to tell of. What is told is what was tried: nothing is guessed.

use super::Ground;
use super::apply::{After, Event, Trace};
use super::attack::bits;
use super::bits::Bits;
use super::clause::{self, Gen};
use super::core::{Core, NEUTRAL, Over};
use super::eval::{At, History};
use super::geometry::NONE;
use super::graph::{Act, Ch, Way};
use super::group::Groups;
use super::program::{Lowering, S};
use super::rules::Rules;
use super::step::{Deed, Step};
use super::verbs;
use crate::base::words::one_of;
use crate::ir;
use crate::ir::expr::Set;
use crate::ir::piece::{Generator, Source};
use crate::ir::place::{ClausePlace, Place};
use crate::ir::rule::Forbidden;
use crate::ir::turn::Chooser;

/// A sentence, and the places of the rules that it speaks of.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub reason: String,
    pub grounds: Vec<Ground>,
}

impl Told {
    pub fn new(reason: impl Into<String>) -> Told {
        Told { reason: reason.into(), grounds: Vec::new() }
    }

    /// Points at a place, if it is known, and says what it has to do with the matter.
    pub fn at(mut self, place: Option<&Place>, text: impl Into<String>) -> Told {
        if let Some(place) = place
            && !self.grounds.iter().any(|g| g.place == *place)
        {
            self.grounds.push(Ground { place: place.clone(), text: text.into() });
        }
        self
    }

    /// Goes on with another sentence.
    fn and(mut self, other: Told) -> Told {
        if !self.reason.contains(&other.reason) {
            self.reason = format!("{}; {}", self.reason, other.reason);
        }
        other.grounds.into_iter().fold(self, |told, g| told.at(Some(&g.place), g.text))
    }
}

/// How far a clause lets a move come: what it fails at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Far {
    /// It never leads there.
    Nowhere,
    /// It leads there from other places, or on other boards.
    Zone,
    /// Something is in the way.
    Way,
    /// What is ahead or behind does not fit.
    Facing,
    /// What stands on the target does not fit.
    Target,
    /// Its conditions do not hold.
    Guard,
    /// The piece on the target may not be captured.
    Protected,
    /// It lets the move pass.
    Through,
}

type Reason = (Far, Told);

/// What a player may have meant.
enum Meant<'a> {
    /// From a cell to a cell, with a promotion letter.
    Move(usize, usize, Option<&'a str>),
    /// A piece (by its letter, or the only one) onto a cell, with what stands behind a colon.
    Drop(Option<&'a str>, usize, Option<&'a str>),
    /// Something with a cell and what stands behind it: a rotation, a removal.
    On(usize, &'a str),
    /// No cell in it.
    Other,
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Why the text is not legal here.
    pub fn explain(&self, core: &Core<B, K, M>, history: &History, text: &str) -> Told {
        if let Over::Yes { rule, .. } = core.over {
            let reason = self.outcome(core).map_or(String::new(), |o| o.reason);
            let place = self.game.places.results.get(rule as usize);
            return Told::new(format!("the game is over: {reason}")).at(place, "this ended it");
        }
        if core.rolls.any() {
            return Told::new(format!("chance decides now, and `{text}` is none of its outcomes"));
        }
        if core.turn == 0 {
            return Told::new(format!("the setup is filled now; {}", self.offered(core, history)));
        }
        if let Some(cell) = self.off_board(text) {
            return Told::new(format!("there is no cell `{cell}` on this board"));
        }
        match self.meant(text) {
            Meant::Move(from, to, promote) => self.explain_move(core, history, from, to, promote),
            Meant::Drop(letter, to, None) if self.oriented(letter) => {
                let (cell, offered) = (self.cell_name(to), self.offered(core, history));
                Told::new(format!("say which way up it lies on {cell}, by the faces on top and in front; {offered}"))
            }
            Meant::Drop(letter, to, way) => self.explain_drop(core, history, letter, to, way),
            Meant::On(cell, rest) => self.explain_on(core, history, cell, rest, text),
            Meant::Other => self.explain_word(core, history, text),
        }
    }

    fn explain_word(&self, core: &Core<B, K, M>, history: &History, text: &str) -> Told {
        let remap = self.game.remaps.iter().position(|r| r.text == text);
        if let Some(remap) = remap {
            let mut ways = Vec::new();
            self.rotations(&self.turn[core.q as usize], core, history, remap as u16, &mut ways);
            let cell = ways.first().map(|(set, ..)| self.set(set, core, &At::mover(core.side, history)));
            if let Some(cell) = cell.filter(|set| set.any()) {
                return self.explain_rotation(core, history, cell.first(), remap as u16, text);
            }
        }
        if remap.is_some() || ["pass", "swap", "done"].contains(&text) {
            return self.not_offered(core, history, &format!("`{text}` is not possible now"));
        }
        Told::new(format!("`{text}` is no move; {}", self.offered(core, history)))
    }

    /// Whether what is dropped can lie in several ways.
    fn oriented(&self, letter: Option<&str>) -> bool {
        let meant = |t: u8| letter.is_none_or(|l| self.game.types[t as usize].letter == l);
        self.drops.iter().any(|(t, c)| {
            meant(*t) && matches!(&self.clauses[*c as usize].gen_, Gen::Drop { kinds } if kinds.len() > 1)
        })
    }

    pub fn cell_name(&self, cell: usize) -> &str {
        self.game.cell_name(cell as u16)
    }

    /// The cells at the beginning of a text: the longest names that fit.
    fn leading_cell<'a>(&self, text: &'a str) -> Option<(usize, &'a str)> {
        (0..self.geo.cells)
            .filter(|c| text.starts_with(self.cell_name(*c)))
            .max_by_key(|c| self.cell_name(*c).len())
            .map(|c| (c, &text[self.cell_name(c).len()..]))
    }

    /// The first cell that the board does not have, of a text that is made of one or two cells and what may stand beside them.
    fn off_board<'a>(&self, text: &'a str) -> Option<&'a str> {
        let behind = text.split_once('@').map_or(text, |(_, rest)| rest);
        let mut rest = behind.split(['=', ':', '~', '+', '-']).next().unwrap_or(behind);
        let mut off = None;
        for _ in 0..2 {
            let letters = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
            let long = rest[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - letters);
            if !(1..=2).contains(&letters) || long == 0 {
                return None;
            }
            let (name, after) = rest.split_at(letters + long);
            let known = |name: &str| self.game.board.cell(name).is_some();
            if !known(name) && !name.strip_prefix('x').is_some_and(known) {
                off = off.or(Some(name));
            }
            rest = after;
            if rest.is_empty() {
                return off;
            }
        }
        None
    }

    fn meant<'a>(&self, text: &'a str) -> Meant<'a> {
        if let Some((letter, rest)) = text.split_once('@')
            && let Some((cell, rest)) = self.leading_cell(rest)
        {
            return Meant::Drop(Some(letter), cell, rest.strip_prefix(':'));
        }
        if let Some((from, rest)) = self.leading_cell(text) {
            return match self.leading_cell(rest) {
                Some((to, rest)) => {
                    let promote = rest.strip_prefix('=').map(|r| r.split(':').next().unwrap_or(r));
                    Meant::Move(from, to, promote)
                }
                None if (rest.is_empty() || rest.starts_with(':')) && !self.drops.is_empty() => {
                    Meant::Drop(None, from, rest.strip_prefix(':'))
                }
                None => Meant::On(from, rest),
            };
        }
        match text.get(1..).and_then(|rest| self.leading_cell(rest)) {
            Some((cell, "")) if text.starts_with(['x', '~']) => Meant::On(cell, &text[..1]),
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

    /// The name of a kind with its article.
    pub fn name(&self, kind: u8) -> String {
        articled(&self.game.type_of(kind).name)
    }

    pub fn seat_name(&self, seat: u8) -> &str {
        self.game.seats.get(seat as usize).map_or("nobody", |s| &s.name)
    }

    /// What stands on a cell, as seen by the player to move.
    fn stands(&self, core: &Core<B, K, M>, cell: usize) -> String {
        let name = self.cell_name(cell);
        match core.piece(cell) {
            None => format!("{name} is empty"),
            Some((owner, kind)) => {
                let piece = &self.game.type_of(kind).name;
                match owner {
                    NEUTRAL => format!("the {piece} stands on {name}"),
                    _ if owner == core.side => format!("your own {piece} stands on {name}"),
                    _ => format!("{}'s {piece} stands on {name}", self.seat_name(owner)),
                }
            }
        }
    }

    fn low(&self) -> Lowering<'_> {
        Lowering { game: &self.game, layout: &self.layout, verbs: &self.verbs }
    }

    /// Where the parts of a clause are written.
    fn places(&self, clause: u16) -> ClausePlace {
        self.game.places.clauses.get(clause as usize).cloned().unwrap_or_default()
    }

    /// The place of a clause, if it is known.
    pub fn written(&self, clause: u16) -> Option<&Place> {
        self.game.places.clauses.get(clause as usize).map(|p| &p.whole)
    }

    /// Points at what may be done now.
    fn at_turn(&self, told: Told, core: &Core<B, K, M>, history: &History) -> Told {
        let place = self.turn_place(core, history);
        let case = place != self.game.places.turn.as_ref();
        told.at(place, if case { "this case of the turn holds now" } else { "what may be done now" })
    }

    /// Where what may be done now is written: the case that holds, or the turn.
    pub fn turn_place(&self, core: &Core<B, K, M>, history: &History) -> Option<&Place> {
        if let Ch::Cases(cases) = &self.turn[core.q as usize]
            && let ir::turn::Choice::Cases(written) = &self.game.turn.states[core.q as usize]
        {
            let at = At::mover(core.side, history);
            let holding = cases.iter().position(|(c, _)| self.holds(c, core, &at))?;
            let cond = &written.get(holding)?.0;
            let case = self.game.places.cases.iter().find(|(c, _)| c == cond);
            return case.map(|(_, place)| place).or(self.game.places.turn.as_ref());
        }
        self.game.places.turn.as_ref()
    }

    fn explain_move(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        from: usize,
        to: usize,
        promote: Option<&str>,
    ) -> Told {
        let Some((owner, kind)) = core.piece(from) else {
            return Told::new(format!("{} is empty: there is no piece to move", self.cell_name(from)));
        };
        if owner != core.side {
            let (name, player) = (&self.game.type_of(kind).name, self.seat_name(core.side));
            return Told::new(format!("the {name} on {} is not {player}'s, who is to move", self.cell_name(from)));
        }
        if from == to {
            return Told::new(format!("a move leads to another cell than {}", self.cell_name(from)));
        }
        let t = self.type_of[kind as usize] as usize;
        let reasons: Vec<Reason> = self.moves[t]
            .iter()
            .map(|c| match self.clause_reason(core, history, *c, kind, from, to) {
                (Far::Through, _) => (Far::Through, self.explain_legality(core, history, *c, kind, from, to, promote)),
                reason => reason,
            })
            .collect();
        match furthest(reasons) {
            None => Told::new(format!("{} never moves", self.name(kind))),
            Some((Far::Nowhere, told)) => {
                let ways: Vec<String> =
                    self.moves[t].iter().map(|c| format!("`{}`", self.game.clauses[*c as usize].text)).collect();
                let (piece, from, to) = (self.name(kind), self.cell_name(from), self.cell_name(to));
                let reason = format!("{piece} does not go from {from} to {to}; it may {}", one_of(&ways));
                Told { reason, grounds: told.grounds }
            }
            Some((_, told)) => told,
        }
    }

    /// How far a clause lets a piece come, and why no further.
    fn clause_reason(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        c: u16,
        kind: u8,
        from: usize,
        to: usize,
    ) -> Reason {
        let written = &self.game.clauses[c as usize];
        let clause = &self.clauses[c as usize];
        let places = self.places(c);
        let whole = self.written(c);
        let seat = core.side;
        let s = seat as usize & 1;
        if self.targets(clause, core, seat, kind, from, history).has(to) {
            return (Far::Through, Told::default());
        }
        let may = |but: String| Told::new(format!("{} may `{}`, but {but}", self.name(kind), written.text));
        let nowhere = || (Far::Nowhere, Told::default().at(whole, "it does not lead there"));
        match &written.generator {
            Generator::Castle { steps, .. } => {
                let Gen::Castle { dirs, partner, .. } = &clause.gen_ else { return nowhere() };
                let along = |d: &&u8| self.geo.walk(from, **d).nth(*steps as usize - 1) == Some(to);
                return match dirs[s].iter().find(along) {
                    None => nowhere(),
                    Some(d) => match self.guard_reason(core, history, c, from, to, &may) {
                        Some(reason) => reason,
                        None => {
                            let but = self.castling(core, history, kind, from, *d, *steps, partner);
                            (Far::Guard, may(but).at(whole, "not possible now"))
                        }
                    },
                };
            }
            Generator::Imitate { source, .. } => {
                if let Some(reason) = self.guard_reason(core, history, c, from, to, &may) {
                    return reason;
                }
                return self.imitation(core, history, c, kind, from, to, *source);
            }
            Generator::Drop { .. } => return nowhere(),
            _ => {}
        }
        // The clause without its conditions, on the board without other pieces: is it a matter of geometry?
        let bare = ir::piece::Clause {
            target: Set::Board,
            toward: None,
            away_from: None,
            from: None,
            within: None,
            guards: Vec::new(),
            then: Vec::new(),
            once: None,
            ..written.clone()
        };
        let at =
            At { viewer: seat, this: from as u16, origin: from as u16, here: to as u16, ..At::mover(seat, history) };
        let reach = |clause: &ir::piece::Clause, core: &Core<B, K, M>| {
            self.reach(&clause::clause(&self.low(), c, clause), core, seat, kind, from, &at)
        };
        let ray = self.geo.dirs.iter().position(|d| d.rays[from].has(to));
        let could = match &bare.generator {
            Generator::Hop { dirs, far, beyond, .. } => {
                ray.is_some_and(|d| dirs[s].iter().any(|x| usize::from(*x) == d))
                    && (*far || *beyond || self.geo.between(from, to).count() == 1)
                    && self.geo.between(from, to).any()
            }
            Generator::Slide { dirs, all_the_way: true, .. } => {
                ray.is_some_and(|d| dirs[s].iter().any(|x| usize::from(*x) == d))
            }
            _ => {
                let mut alone = Core::empty();
                self.put(&mut alone, seat, kind, from);
                reach(&bare, &alone).has(to)
            }
        };
        if !could {
            return nowhere();
        }
        if clause.from.is_some_and(|z| !z[s].has(from)) {
            let but = format!("{} is not there", self.cell_name(from));
            return (Far::Zone, may(but).at(places.from.as_ref().or(whole), "not from here"));
        }
        if let Some(zone) = clause.within {
            let way = B::bit(from) | B::bit(to) | self.geo.between(from, to);
            let outside = way.minus(zone[s]);
            if outside.any() {
                let cell = if outside.has(to) { to } else { outside.first() };
                let but = format!("{} lies outside", self.cell_name(cell));
                return (Far::Zone, may(but).at(places.within.as_ref().or(whole), "only within"));
            }
        }
        if !reach(&bare, core).has(to) {
            let but = self.hindrance(core, &bare.generator, seat, from, to, &at);
            return (Far::Way, may(but).at(whole, "no way there now"));
        }
        for (facing, place, back) in
            [(&written.toward, &places.toward, false), (&written.away_from, &places.away_from, true)]
        {
            let Some(facing) = facing else { continue };
            let turned = match back {
                false => ir::piece::Clause { toward: Some(facing.clone()), ..bare.clone() },
                true => ir::piece::Clause { away_from: Some(facing.clone()), ..bare.clone() },
            };
            if !reach(&turned, core).has(to) {
                let but = self.first_seen(core, from, ray, back);
                let what = if back { "not away from such a thing" } else { "not toward such a thing" };
                return (Far::Facing, may(but).at(place.as_ref().or(whole), what));
            }
        }
        let place = places.target.as_ref().or(whole);
        if !self.set(&self.low().set(&written.target), core, &at).has(to) {
            if let Set::Mark(mark) = &written.target {
                let name = &self.game.marks[*mark as usize].name;
                let told = may(format!("{} is not marked `{name}` now", self.cell_name(to)));
                let mark = self.game.places.marks.get(*mark as usize);
                return (Far::Target, told.at(place, "this does not fit").at(mark, "how long such a mark lasts"));
            }
            return (Far::Target, may(self.stands(core, to)).at(place, "this does not fit"));
        }
        if self.protected(core, seat, kind, from as u16, history).has(to) {
            return (Far::Protected, self.explain_protected(core, history, kind, from, to));
        }
        if let Some(reason) = self.guard_reason(core, history, c, from, to, &may) {
            return reason;
        }
        (Far::Way, may("it does not lead there now".to_owned()).at(whole, "not now"))
    }

    /// The first guard of a clause that does not hold.
    fn guard_reason(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        c: u16,
        from: usize,
        to: usize,
        may: &dyn Fn(String) -> Told,
    ) -> Option<Reason> {
        let (written, places) = (&self.game.clauses[c as usize], self.places(c));
        if let Some(once) = written.once
            && core.slots[self.layout.once(once, core.side)] != 0
        {
            let but = "that is possible once per game, and has been done".to_owned();
            return Some((Far::Guard, may(but).at(self.written(c), "once per game")));
        }
        let here = to as u16;
        let at = At { viewer: core.side, here, ..At::mover(core.side, history) };
        // A drop comes from nowhere.
        let at = match written.generator {
            Generator::Drop { .. } => at,
            _ => At { this: from as u16, origin: from as u16, ..at },
        };
        let low = self.low();
        let failing = written.guards.iter().position(|g| !self.holds(&low.cond(g), core, &at))?;
        let place = places.guards.get(failing);
        let but = match place {
            Some(place) => format!("its condition `{}` is not met", place.text),
            None => "its condition is not met".to_owned(),
        };
        Some((Far::Guard, may(but).at(place.or(self.written(c)), "not met now")))
    }

    /// What keeps a piece from going where nothing but other pieces could keep it from.
    fn hindrance(
        &self,
        core: &Core<B, K, M>,
        generator: &Generator,
        seat: u8,
        from: usize,
        to: usize,
        at: &At,
    ) -> String {
        let between = self.geo.between(from, to) & core.occupied();
        let ray = self.geo.dirs.iter().position(|d| d.rays[from].has(to));
        let first = ray.and_then(|d| self.geo.first(from, d as u8, core.occupied()));
        match generator {
            Generator::Hop { far, over, .. } => {
                let near = ray.and_then(|d| self.geo.walk(from, d as u8).next());
                let hurdle = if *far { first.filter(|h| between.has(*h)) } else { near };
                match hurdle {
                    Some(hurdle) if core.piece(hurdle).is_none() => {
                        format!("{} is empty", self.cell_name(hurdle))
                    }
                    Some(hurdle) if self.set(&self.low().set(over), core, at).has(hurdle) => {
                        match between.minus(B::bit(hurdle)).is_empty() {
                            true => format!("it does not lead over {} to there", self.cell_name(hurdle)),
                            false => self.stands(core, between.minus(B::bit(hurdle)).first()),
                        }
                    }
                    Some(hurdle) => self.stands(core, hurdle),
                    None => "nothing stands between".to_owned(),
                }
            }
            Generator::Leap { paths } => {
                let path = paths.get(seat as usize & 1).and_then(|p| p[from].iter().find(|(c, _)| *c == to as u16));
                let via = path.iter().flat_map(|(_, via)| via).find(|c| core.occupied().has(**c as usize));
                via.map_or("the way is not free".to_owned(), |c| self.stands(core, *c as usize))
            }
            Generator::Slide { all_the_way: true, .. } if between.is_empty() => match ray {
                Some(d) if !core.occupied().has(to) => {
                    let last = self.geo.furthest(from, d as u8, core.occupied());
                    let last = last.map_or("nowhere", |c| self.cell_name(c));
                    format!("all the way leads to {last}")
                }
                _ => self.stands(core, to),
            },
            _ => match first.filter(|c| between.has(*c)) {
                Some(blocker) => self.stands(core, blocker),
                None => format!("that does not lead to {} here", self.cell_name(to)),
            },
        }
    }

    /// What a clause with `toward` or `away from` sees instead.
    fn first_seen(&self, core: &Core<B, K, M>, from: usize, ray: Option<usize>, back: bool) -> String {
        let Some(d) = ray else { return "the direction is another".to_owned() };
        let d = if back { self.geo.dirs[d].opposite } else { d };
        let side = if back { "behind it" } else { "ahead of it" };
        match self.geo.first(from, d as u8, core.occupied()) {
            None => format!("nothing stands {side}"),
            Some(seen) => format!("{side} {}", self.stands(core, seen)),
        }
    }

    /// Why a royal cannot castle.
    fn castling(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        kind: u8,
        from: usize,
        dir: u8,
        steps: u16,
        partner: &[u8],
    ) -> String {
        let seat = core.side;
        let royal = &self.game.type_of(kind).name;
        let partners: Vec<&str> = partner.iter().map(|k| self.game.type_of(*k).name.as_str()).collect();
        let path: Vec<usize> = self.geo.walk(from, dir).take(steps as usize).collect();
        let Some(rook) = self.geo.first(from, dir, core.occupied()) else {
            return format!("there is no {} on that side", one_of(&partners));
        };
        if !core.own[seat as usize].has(rook) || !partner.contains(&core.kind_at(rook)) || path.contains(&rook) {
            return self.stands(core, rook);
        }
        if !core.unmoved.has(from) {
            return format!("the {royal}, or each {} that it could castle with, has moved", one_of(&partners));
        }
        if !core.unmoved.has(rook) {
            let name = &self.game.type_of(core.kind_at(rook)).name;
            return format!("the {name} on {} has moved, or is not from the start", self.cell_name(rook));
        }
        let attackers = self.attackers(core, from, 1 - (seat & 1), true, history);
        if attackers.any() {
            return format!("the {royal} is attacked by {}", self.placed(core, attackers.first()));
        }
        let mut trial = *core;
        let mut king = from;
        for step in path {
            self.take(&mut trial, king);
            self.put(&mut trial, seat, kind, step);
            king = step;
            let attackers = self.attackers(&trial, king, 1 - (seat & 1), true, history);
            if attackers.any() {
                let by = self.placed(core, attackers.first());
                return format!("on {} the {royal} would be attacked by {by}", self.cell_name(king));
            }
        }
        "it is not possible now".to_owned()
    }

    /// `the Rook on e8`.
    fn placed(&self, core: &Core<B, K, M>, cell: usize) -> String {
        let name = core.piece(cell).map_or("piece", |(_, kind)| &self.game.type_of(kind).name);
        format!("the {name} on {}", self.cell_name(cell))
    }

    /// Why a piece cannot go there with the moves that it borrows.
    fn imitation(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        c: u16,
        kind: u8,
        from: usize,
        to: usize,
        source: Source,
    ) -> Reason {
        let (piece, text) = (self.name(kind), &self.game.clauses[c as usize].text);
        let Gen::Imitate { except, .. } = &self.clauses[c as usize].gen_ else {
            return (Far::Nowhere, Told::default());
        };
        let types = self.lent(core, core.side, from, c, source, *except, history);
        if types == 0 {
            let but = match source {
                Source::LastMoved(_) => "no such piece has been moved",
                Source::Bearing { .. } => "there is no such piece that it could learn from now",
            };
            let told = Told::new(format!("{piece} `{text}`, but {but}"));
            return (Far::Way, told.at(self.written(c), "nothing to move as now"));
        }
        let names: Vec<String> = bits(types).map(|t| articled(&self.game.types[t].name)).collect();
        let lent = bits(types).flat_map(|t| &self.moves[t]).filter(|l| self.clauses[**l as usize].plain);
        let reasons = lent.map(|l| self.clause_reason(core, history, *l, kind, from, to)).collect();
        let moves = format!("{piece} moves as {} now", one_of(&names));
        let told = match furthest(reasons) {
            None | Some((Far::Through, _)) => (Far::Nowhere, Told::new(format!("{moves}, which has no move to lend"))),
            Some((Far::Nowhere, told)) => {
                let (from, to) = (self.cell_name(from), self.cell_name(to));
                // It comes nearer than a clause that could never lead there.
                (Far::Zone, Told { reason: format!("{moves}, and does not go from {from} to {to}"), ..told })
            }
            Some((far, told)) => (far, Told { reason: format!("{moves}: {}", told.reason), ..told }),
        };
        (told.0, told.1.at(self.written(c), "so it borrows the move"))
    }

    fn explain_protected(&self, core: &Core<B, K, M>, history: &History, kind: u8, from: usize, to: usize) -> Told {
        let victim = core.kind_at(to);
        if self.uncapturable.contains(&victim) {
            let place = self.game.places.uncapturable.get(self.type_of[victim as usize] as usize);
            return Told::new(format!("{} on {} cannot be captured", self.name(victim), self.cell_name(to)))
                .at(place.and_then(Option::as_ref), "by this");
        }
        let attacker = super::eval::Record { kind, owner: core.side, cell: from as u16 };
        let record = super::eval::Record { kind: victim, owner: core.owner_at(to), cell: to as u16 };
        let at = At { attacker, victim: record, here: to as u16, this: from as u16, ..At::mover(core.side, history) };
        let low = self.low();
        let forbids = self.game.forbids.iter().enumerate().filter(|(_, f)| f.what == Forbidden::Capture);
        let mut holding = forbids.filter(|(_, f)| self.holds(&low.cond(&f.cond), core, &at));
        let (rule, place) = match holding.next() {
            Some((i, f)) => (f.text.as_str(), self.game.places.forbids.get(i)),
            None => ("", None),
        };
        let (piece, victim) = (self.name(kind), self.name(victim));
        Told::new(format!("{piece} may not capture {victim} on {}: `{rule}`", self.cell_name(to)))
            .at(place, "this forbids it")
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
    ) -> Told {
        let choices = self.promotions(core, core.side, kind, from as u16, to as u16, history);
        let mut promotion = None;
        if let Some(choices) = choices {
            let t = self.type_of[kind as usize] as usize;
            let zone = |p: &super::clause::Promotion<B>| p.zone[core.side as usize & 1].has(to);
            let rule = self.promotions[t].iter().position(zone);
            let place = rule.and_then(|i| self.game.places.promotions.get(t)?.get(i));
            let letters: Vec<String> =
                choices.iter().flatten().map(|k| format!("`={}`", self.game.type_of(*k).letter)).collect();
            let chosen = choices.iter().find(|k| k.map(|k| self.game.type_of(k).letter.as_str()) == promote);
            let (piece, cell) = (self.name(kind), self.cell_name(to));
            match chosen {
                Some(kind) => promotion = *kind,
                None if letters.is_empty() => {
                    let reason = format!("{piece} must promote on {cell}, and nothing is left to promote to");
                    return Told::new(reason).at(place, "by this");
                }
                None => {
                    let used = rule.and_then(|i| {
                        let spent =
                            |once: &Option<u16>| once.is_some_and(|o| core.slots[self.layout.once(o, core.side)] != 0);
                        let named = |k: u8| Some(self.game.type_of(k).letter.as_str()) == promote;
                        self.promotions[t][i].to.iter().find(|(k, once)| named(*k) && spent(once))
                    });
                    let reason = match promote {
                        _ if used.is_some() => {
                            let name = used.map_or(String::new(), |(k, _)| self.name(*k));
                            format!("{name} is possible once per game, and has been made")
                        }
                        Some(letter) => format!("{piece} does not become `{letter}` on {cell}"),
                        None => format!("{piece} promotes on {cell}"),
                    };
                    return Told::new(format!("{reason}: add {}", one_of(&letters))).at(place, "by this");
                }
            }
        } else if promote.is_some() {
            return Told::new(format!("{} does not promote on {}", self.name(kind), self.cell_name(to)));
        }
        let (from, to) = (from as u16, to as u16);
        let told = self.explain_deed(core, history, Deed::Move { clause, kind, from, to, promote: promotion });
        told.at(self.written(clause), "the move is of this kind")
    }

    /// The step of a deed, as the turn offers it.
    fn step_offered(&self, core: &Core<B, K, M>, history: &History, deed: Deed) -> Option<Step> {
        // Two clauses may lead to one place: the step is listed once.
        let same = |other: Deed| match (deed, other) {
            (Deed::Move { from, to, promote, .. }, Deed::Move { from: f, to: t, promote: p, .. }) => {
                (from, to, promote) == (f, t, p)
            }
            (Deed::Drop { kind, to, .. }, Deed::Drop { kind: k, to: t, .. }) => (kind, to) == (k, t),
            (Deed::Rotate { remap, cell, .. }, Deed::Rotate { remap: r, cell: c, .. }) => (remap, cell) == (r, c),
            (a, b) => a == b,
        };
        let mut groups = Groups::new();
        self.offers(core, history, false, &mut groups);
        let mut found = None;
        for group in groups.iter() {
            self.each_step(group, core, history, &mut |step| {
                if same(step.deed) {
                    found = Some(step);
                }
                found.is_none()
            });
        }
        found
    }

    /// Why a deed that its own rule allows is not legal.
    fn explain_deed(&self, core: &Core<B, K, M>, history: &History, deed: Deed) -> Told {
        let Some(step) = self.step_offered(core, history, deed) else {
            let what = match deed {
                Deed::Move { from, .. } | Deed::Rotate { cell: from, .. } if core.acted.has(from as usize) => {
                    format!("{} has already made a step of this turn", self.placed(core, from as usize))
                }
                _ => String::new(),
            };
            return self.not_offered(core, history, &what);
        };
        if self.steps(core, history).contains(&step) {
            return Told::new(format!("it is written `{}`", super::text::step(&self.game, step)));
        }
        let trace = Trace::default();
        let mut after = *core;
        match self.carry_out(&mut after, step, history, Some(&trace)) {
            After::Impossible => self.explain_forbidden_act(&trace),
            After::Complete | After::Chance if self.turn_forbidden(&after, history) => {
                self.explain_forbidden_turn(core, &after, history)
            }
            After::Continues if self.after(core, step, history).is_none() => {
                let what = "after that the turn could not be completed".to_owned();
                Told::new(what).at(self.game.places.turn.as_ref(), "what belongs to a turn")
            }
            _ => match self.game.places.prefer.first() {
                Some(place) => Told::new(format!("another move goes before: `{}`", place.text))
                    .at(Some(place), "another move has more of this"),
                None => self.not_offered(core, history, ""),
            },
        }
    }

    /// The turn asks for something else.
    fn not_offered(&self, core: &Core<B, K, M>, history: &History, what: &str) -> Told {
        let steps = self.steps(core, history);
        let all = |f: &dyn Fn(&Step) -> bool| !steps.is_empty() && steps.iter().all(f);
        let clause = |step: &Step| match step.deed {
            Deed::Move { clause, .. } => self.clauses[clause as usize].verbs,
            Deed::Drop { .. } => verbs::DROP,
            Deed::Rotate { .. } => verbs::ROTATE,
            Deed::Pass => verbs::PASS,
            _ => 0,
        };
        let captures = |step: &Step| {
            let trace = Trace::default();
            self.carry_out(&mut core.clone(), *step, history, Some(&trace));
            trace.borrow().iter().any(|e| matches!(e, Event::Captured(_)))
        };
        let goes_on = |s: &Step| s.deed.source() == Some(core.last);
        let must = match () {
            () if !core.fresh && all(&|s| clause(s) == verbs::ROTATE) => "a rotation must be made now".to_owned(),
            () if !core.fresh && core.last != NONE && all(&goes_on) => {
                format!("only {} may go on", self.placed(core, core.last as usize))
            }
            () if all(&|s| clause(s) == verbs::DROP) => "a piece must be dropped now".to_owned(),
            () if all(&|s| clause(s) == verbs::PASS) => "only a pass is left".to_owned(),
            () if all(&captures) => "a capture must be made now".to_owned(),
            () if all(&|s| clause(s) & verbs::MOVE != 0) => "a piece must be moved now".to_owned(),
            () => String::new(),
        };
        let what = match (what, must.as_str()) {
            ("", "") => "something else must be done now".to_owned(),
            ("", must) => must.to_owned(),
            (what, "") => what.to_owned(),
            (what, must) => format!("{what}: {must}"),
        };
        let told = Told::new(format!("{what}; {}", self.offered(core, history)));
        self.at_turn(told, core, history)
    }

    fn explain_forbidden_act(&self, trace: &Trace) -> Told {
        let forbidden = trace.borrow().iter().find_map(|e| match e {
            Event::Forbidden(i) => Some(*i),
            _ => None,
        });
        let acts = self.game.forbids.iter().enumerate().filter(|(_, f)| matches!(f.what, Forbidden::Act(..)));
        match forbidden.and_then(|i| acts.clone().nth(i)) {
            Some((i, forbid)) => Told::new(format!("a rule forbids it: `{}`", forbid.text))
                .at(self.game.places.forbids.get(i), "this would hold after it"),
            None => Told::new("a rule forbids it"),
        }
    }

    fn explain_forbidden_turn(&self, core: &Core<B, K, M>, after: &Core<B, K, M>, history: &History) -> Told {
        let at = At::mover(after.side, history);
        let turns = self.game.forbids.iter().enumerate().filter(|(_, f)| f.what == Forbidden::Turn);
        for ((i, forbid), (cond, _)) in turns.zip(&self.forbid_turns) {
            if !self.holds(cond, after, &at) {
                continue;
            }
            let place = self.game.places.forbids.get(i);
            if forbid.text != "safety" {
                return Told::new(format!("a rule forbids it: `{}`", forbid.text))
                    .at(place, "this would hold after it");
            }
            let royals = self.royals.iter().fold(B::EMPTY, |s, k| s | after.sets[*k as usize]);
            for royal in (royals & after.own[after.side as usize]).cells() {
                let enemy = 1 - (after.side & 1);
                let attackers = self.attackers(after, royal, enemy, true, history);
                let Some(attacker) = attackers.any().then(|| attackers.first()) else { continue };
                let still = core.own[core.side as usize].has(royal)
                    && self.attackers(core, royal, enemy, false, history).has(attacker);
                let kind = after.kind_at(attacker);
                let by = self.moves[self.type_of[kind as usize] as usize].iter().find(|c| {
                    self.targets(&self.clauses[**c as usize], after, enemy, kind, attacker, history).has(royal)
                });
                return Told::new(format!(
                    "your {} on {} would {}be attacked by {}",
                    self.game.type_of(after.kind_at(royal)).name,
                    self.cell_name(royal),
                    if still { "still " } else { "" },
                    self.placed(after, attacker)
                ))
                .at(place, "may not be left attacked")
                .at(by.and_then(|c| self.written(*c)), "so it attacks");
            }
        }
        self.not_offered(core, history, "")
    }

    fn explain_drop(
        &self,
        core: &Core<B, K, M>,
        history: &History,
        letter: Option<&str>,
        to: usize,
        way: Option<&str>,
    ) -> Told {
        let seat = core.side;
        let s = seat as usize & 1;
        let drops = self.drops.iter().filter(|(t, _)| letter.is_none_or(|l| self.game.types[*t as usize].letter == l));
        let mut reasons: Vec<Reason> = Vec::new();
        for (t, c) in drops {
            let info = &self.game.types[*t as usize];
            let clause = &self.clauses[*c as usize];
            let written = &self.game.clauses[*c as usize];
            let places = self.places(*c);
            let whole = self.written(*c);
            let may = |but: String| Told::new(format!("{} may `{}`, but {but}", articled(&info.name), written.text));
            let at = At { viewer: seat, here: to as u16, ..At::mover(seat, history) };
            let held = self.layout.hand(seat, *t).map_or(1, |slot| core.slots[slot]);
            let accepted = self.set(&self.low().set(&written.target), core, &at).has(to);
            let turned = |k: &&u8| match self.game.kinds[**k as usize].orientation {
                Some(o) => way == Some(info.orientations[o as usize].name.as_str()),
                None => true,
            };
            let kind = match &clause.gen_ {
                Gen::Drop { kinds } => kinds.iter().find(turned).copied(),
                _ => None,
            };
            let reason = if held <= 0 {
                (Far::Nowhere, Told::new(format!("{} holds no {}", self.seat_name(seat), info.name)))
            } else if core.occupied().has(to) {
                let told = Told::new(format!("a drop needs an empty cell, and {}", self.stands(core, to)));
                (Far::Way, told.at(places.target.as_ref().or(whole), "this does not fit"))
            } else if clause.within.is_some_and(|z| !z[s].has(to)) {
                let but = format!("{} lies outside", self.cell_name(to));
                (Far::Zone, may(but).at(places.within.as_ref().or(whole), "only within"))
            } else if !accepted {
                let but = format!("{} does not fit", self.cell_name(to));
                (Far::Target, may(but).at(places.target.as_ref().or(whole), "this does not fit"))
            } else if let Some(reason) = self.guard_reason(core, history, *c, to, to, &may) {
                reason
            } else if let Some(kind) = kind {
                let told = self.explain_deed(core, history, Deed::Drop { clause: *c, kind, to: to as u16 });
                (Far::Through, told)
            } else {
                let way = way.unwrap_or_default();
                let reason = format!("`{way}` is no way in which {} can lie", articled(&info.name));
                (Far::Guard, Told::new(format!("{reason}; {}", self.offered(core, history))))
            };
            reasons.push(reason);
        }
        match (furthest(reasons), letter) {
            (Some((_, told)), _) => told,
            (None, Some(letter)) => Told::new(format!("no piece `{letter}` can be dropped")),
            (None, None) => Told::new(format!("nothing can be dropped on {}", self.cell_name(to))),
        }
    }

    fn explain_on(&self, core: &Core<B, K, M>, history: &History, cell: usize, rest: &str, text: &str) -> Told {
        let offered = self.offered(core, history);
        let remap = self.game.remaps.iter().position(|r| r.text == rest.trim_start_matches(':'));
        match core.piece(cell) {
            None => Told::new(format!("{} is empty; {offered}", self.cell_name(cell))),
            Some(_) if remap.is_some() => {
                self.explain_rotation(core, history, cell, remap.unwrap_or_default() as u16, text)
            }
            Some((owner, _)) if owner != core.side => {
                Told::new(format!("the piece on {} is not yours; {offered}", self.cell_name(cell)))
            }
            Some((_, kind)) if rest.is_empty() => {
                let to: Vec<String> = self
                    .steps(core, history)
                    .iter()
                    .filter(|s| s.deed.source() == Some(cell as u16))
                    .take(4)
                    .map(|s| format!("`{}`", super::text::step(&self.game, *s)))
                    .collect();
                let name = &self.game.type_of(kind).name;
                Told::new(match to.is_empty() {
                    true => format!("the {name} on {} cannot move now", self.cell_name(cell)),
                    false => format!("say where the {name} on {} goes, as in {}", self.cell_name(cell), one_of(&to)),
                })
            }
            Some(_) => Told::new(format!("`{text}` is not possible now; {offered}")),
        }
    }

    /// The rotations by a table among what may be chosen from now.
    fn rotations<'a>(
        &'a self,
        choice: &'a Ch<B>,
        core: &Core<B, K, M>,
        history: &History,
        remap: u16,
        out: &mut Vec<(&'a S<B>, Chooser, &'a Way<B>, bool)>,
    ) {
        match choice {
            Ch::End => {}
            Ch::Do(Act::Rotate { set, chooser, ways, named }, _) => {
                let ways = ways.iter().filter(|w| w.remap == remap);
                out.extend(ways.map(|way| (set, *chooser, way, *named)));
            }
            Ch::Do(..) => {}
            Ch::Or(parts) | Ch::OrElse(parts) => {
                parts.iter().for_each(|p| self.rotations(p, core, history, remap, out));
            }
            Ch::Cases(cases) => {
                let at = At::mover(core.side, history);
                if let Some((_, choice)) = cases.iter().find(|(c, _)| self.holds(c, core, &at)) {
                    self.rotations(choice, core, history, remap, out);
                }
            }
            Ch::Again(act, rest) => {
                self.rotations(act, core, history, remap, out);
                self.rotations(rest, core, history, remap, out);
            }
            Ch::Goto(q) => self.rotations(&self.turn[*q as usize], core, history, remap, out),
        }
    }

    fn explain_rotation(&self, core: &Core<B, K, M>, history: &History, cell: usize, remap: u16, text: &str) -> Told {
        let mut ways = Vec::new();
        self.rotations(&self.turn[core.q as usize], core, history, remap, &mut ways);
        let kind = core.kind_at(cell);
        let name = &self.game.remaps[remap as usize].text;
        let at = At { this: cell as u16, here: cell as u16, ..At::mover(core.side, history) };
        let mut best = None;
        for (set, chooser, way, named) in ways {
            let told = if !self.set(set, core, &at).has(cell) {
                match core.owner_at(cell) == core.side {
                    true => Told::new(format!("{} may not be turned now", self.placed(core, cell))),
                    false => Told::new(format!("{} is not {}'s", self.placed(core, cell), self.seat_name(core.side))),
                }
            } else if chooser == Chooser::Another && core.acted.has(cell) {
                Told::new(format!("{} has already made a step of this turn", self.placed(core, cell)))
            } else if chooser == Chooser::Same && usize::from(core.last) != cell {
                Told::new("only the piece that made the step before may be turned".to_owned())
            } else if way.lacks.contains(&kind) {
                Told::new(format!("{} cannot be turned by `{name}`: there is nothing to turn to", self.name(kind)))
            } else if way.cond.as_ref().is_some_and(|c| !self.holds(c, core, &at)) {
                Told::new(format!("the condition of turning by `{name}` is not met"))
            } else {
                return self.explain_deed(core, history, Deed::Rotate { remap, cell: cell as u16, named });
            };
            best.get_or_insert(told);
        }
        match best {
            Some(told) => self.at_turn(told, core, history),
            None => self.not_offered(core, history, &format!("`{text}` is not possible in this step of the turn")),
        }
    }
}

/// The reasons of the clauses that come furthest, as one.
fn furthest(reasons: Vec<Reason>) -> Option<Reason> {
    let far = reasons.iter().map(|r| r.0).max()?;
    let told = reasons.into_iter().filter(|r| r.0 == far).map(|r| r.1);
    // What every clause that lets the move pass says is said once.
    let most = if far == Far::Through { 1 } else { 4 };
    told.take(most).reduce(Told::and).map(|told| (far, told))
}

/// The name with its article.
pub fn articled(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {name}")
}
