//! Moves as groups: one clause, one origin, a set of targets.

use super::bits::Bits;
use super::core::Core;
use super::eval::{At, History, Record};
use super::geometry::NONE;
use super::rules::{Clause, Facing, Gen, Promotion, Rules, Target};
use super::step::{Deed, Step};
use crate::ir::turn::{Chooser, Chosen, Verb};
use smallvec::SmallVec;

/// Steps that differ only in their target (and in what a promotion gives).
#[derive(Clone, Copy, Debug)]
pub struct Group<B> {
    /// Where they lead, or on which cells they are done.
    pub targets: B,
    /// What they are.
    pub what: What,
    /// The state of the turn graph after them.
    pub next: u16,
}

/// What the steps of a group are.
#[derive(Clone, Copy, Debug)]
pub enum What {
    /// A clause for a piece of this kind; `from` is its cell, or the way back from the target.
    Play {
        clause: u16,
        kind: u8,
        from: From,
    },
    /// A drop of a kind.
    Drop {
        clause: u16,
        kind: u8,
    },
    /// A rotation by a table.
    Rotate {
        remap: u16,
        named: bool,
    },
    /// A chosen effect.
    Choose(Chosen),
    /// A placing of a kind.
    Fill(u8),
    /// A pass, a swap or the end of the turn: one step, its target is no cell.
    Pass,
    Swap,
}

/// Where moves of a group start.
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// On a cell.
    Cell(u16),
    /// So many steps in this direction from the target.
    Back { dir: u8, steps: u16 },
}

/// The groups of a position. Their order, targets ascending, is the order of moves.
pub type Groups<B> = SmallVec<[Group<B>; 32]>;

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Occupied cells that a piece of `kind`, owned by `seat` and standing on `from`, may not capture on.
    #[inline]
    pub fn protected(&self, core: &Core<B, K, M>, seat: u8, kind: u8, from: u16, history: &History) -> B {
        let mut barred = B::EMPTY;
        for k in self.uncapturable.iter().chain(&self.barred[kind as usize]) {
            barred |= core.kind[*k as usize];
        }
        if !self.bar_pairs.is_empty() {
            for cell in core.occupied().minus(barred | core.own[seat as usize]).cells() {
                let attacker = Record { kind, owner: seat, cell: from };
                let victim = Record { kind: core.kind_at(cell), owner: core.owner_at(cell), cell: cell as u16 };
                let at = At {
                    viewer: seat,
                    attacker,
                    victim,
                    here: cell as u16,
                    this: from,
                    ..At::mover(core.side, history)
                };
                if self.bar_pairs.iter().any(|c| self.holds(c, core, &at)) {
                    barred |= B::bit(cell);
                }
            }
        }
        barred
    }

    /// Cells a clause accepts as targets, before geometry.
    fn accepted(&self, clause: &Clause<B>, core: &Core<B, K, M>, kind: u8, at: &At) -> B {
        let occupied = core.occupied();
        let empty = self.geo.all.minus(occupied);
        let mut accepted = match &clause.target {
            Target::Empty => empty,
            Target::Enemy => {
                let barred = self.protected(core, at.viewer, kind, at.origin, at.history);
                self.enemies(core, at.viewer).minus(barred)
            }
            Target::Default => {
                let barred = self.protected(core, at.viewer, kind, at.origin, at.history);
                empty | self.enemies(core, at.viewer).minus(barred)
            }
            Target::Set(set) => {
                let barred = self.protected(core, at.viewer, kind, at.origin, at.history);
                self.set(set, core, at).minus(barred)
            }
            Target::Tried(_) => {
                let barred = self.protected(core, at.viewer, kind, at.origin, at.history);
                self.geo.all.minus(barred)
            }
        };
        if let Some(within) = &clause.within {
            accepted &= within[at.viewer as usize & 1];
        }
        for set in &clause.lifted {
            accepted &= self.set(set, core, at);
        }
        accepted
    }

    /// Keeps the targets for which the conditions hold that must be tried one by one.
    fn tried(&self, clause: &Clause<B>, core: &Core<B, K, M>, targets: B, at: &At) -> B {
        let by_target = matches!(clause.target, Target::Tried(_));
        if clause.tried.is_empty() && !by_target {
            return targets;
        }
        let mut kept = B::EMPTY;
        for cell in targets.cells() {
            let at = At { here: cell as u16, ..*at };
            let fits = match &clause.target {
                Target::Tried(set) => self.set(set, core, &at).has(cell),
                _ => true,
            };
            if fits && clause.tried.iter().all(|c| self.holds(c, core, &at)) {
                kept |= B::bit(cell);
            }
        }
        kept
    }

    fn faces(&self, facing: &Option<Facing<B>>, core: &Core<B, K, M>, cell: usize, dir: u8, at: &At) -> bool {
        match facing {
            None => true,
            Some(Facing::Nothing) => self.geo.first(cell, dir, core.occupied()).is_none(),
            Some(Facing::Piece(set)) => {
                self.geo.first(cell, dir, core.occupied()).is_some_and(|hit| self.set(set, core, at).has(hit))
            }
        }
    }

    /// Whether the conditions of a clause that know no target hold for a piece on a cell.
    pub fn applies(&self, clause: &Clause<B>, core: &Core<B, K, M>, seat: u8, cell: usize, history: &History) -> bool {
        let s = seat as usize & 1;
        let at = At { viewer: seat, this: cell as u16, origin: cell as u16, ..At::mover(core.side, history) };
        clause.once.is_none_or(|o| core.slots[self.layout.once(o, seat)] == 0)
            && clause.from.is_none_or(|z| z[s].has(cell))
            && clause.within.is_none_or(|z| z[s].has(cell))
            && clause.guards.iter().all(|g| self.holds(g, core, &at))
    }

    /// Where the piece of `kind` and `seat` on `cell` can go by a clause (drops excepted), conditions included, legality not.
    pub fn targets(
        &self,
        clause: &Clause<B>,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        cell: usize,
        history: &History,
    ) -> B {
        if !self.applies(clause, core, seat, cell, history) {
            return B::EMPTY;
        }
        let at = At { viewer: seat, this: cell as u16, origin: cell as u16, ..At::mover(core.side, history) };
        let reach = self.reach(clause, core, seat, kind, cell, &at);
        if reach.is_empty() {
            return reach;
        }
        match &clause.gen_ {
            // the lender's own conditions have been applied
            Gen::Imitate { .. } => reach,
            _ => self.tried(clause, core, reach & self.accepted(clause, core, kind, &at), &at),
        }
    }

    /// Geometry of a clause: the cells it leads to, whatever stands there.
    pub fn reach(&self, clause: &Clause<B>, core: &Core<B, K, M>, seat: u8, kind: u8, cell: usize, at: &At) -> B {
        let occupied = core.occupied();
        let s = seat as usize & 1;
        let walls = clause.within.map_or(occupied, |z| occupied | self.geo.all.minus(z[s]));
        let turned = clause.toward.is_some() || clause.away.is_some();
        let looks = |d: u8| {
            !turned
                || self.faces(&clause.toward, core, cell, d, at)
                    && self.faces(&clause.away, core, cell, self.geo.dirs[d as usize].opposite as u8, at)
        };
        let mut reach = B::EMPTY;
        match &clause.gen_ {
            Gen::Step { dirs, distance } => {
                for d in dirs[s].iter().filter(|d| looks(**d)) {
                    if let Some(to) = self.steps_to(cell, *d, *distance, walls) {
                        reach |= B::bit(to);
                    }
                }
            }
            Gen::Slide { dirs, limit, all_the_way } => {
                for d in dirs[s].iter().filter(|d| looks(**d)) {
                    if *all_the_way {
                        let open = self.geo.slide(cell, *d, walls).minus(walls);
                        let last = match limit {
                            Some(n) => self.geo.walk(cell, *d).take(*n as usize).take_while(|c| open.has(*c)).last(),
                            None => self.geo.walk(cell, *d).take_while(|c| open.has(*c)).last(),
                        };
                        if let Some(last) = last {
                            reach |= B::bit(last);
                        }
                    } else {
                        let slide = self.geo.slide(cell, *d, walls);
                        reach |= match limit {
                            Some(n) => {
                                let near =
                                    self.geo.walk(cell, *d).take(*n as usize).fold(B::EMPTY, |s, c| s | B::bit(c));
                                slide & near
                            }
                            None => slide,
                        };
                    }
                }
            }
            Gen::Leap { table, lame: None } => reach = table[s][cell],
            Gen::Leap { lame: Some(paths), .. } => {
                for (to, via) in &paths[s][cell] {
                    if (*via & occupied).is_empty() {
                        reach |= B::bit(*to as usize);
                    }
                }
            }
            Gen::Anywhere => reach = self.geo.all.minus(B::bit(cell)),
            Gen::Hop { dirs, far, over, beyond, captures } => {
                let mut over = self.set(over, core, at);
                if *captures {
                    over = over.minus(self.protected(core, seat, kind, cell as u16, at.history));
                }
                for d in dirs[s].iter().filter(|d| looks(**d)) {
                    let hurdle = match far {
                        true => self.geo.first(cell, *d, occupied),
                        false => self.geo.walk(cell, *d).next(),
                    };
                    let Some(hurdle) = hurdle.filter(|h| over.has(*h)) else { continue };
                    if *beyond {
                        reach |= self.geo.slide(hurdle, *d, walls);
                    } else if let Some(behind) = self.geo.walk(hurdle, *d).next() {
                        reach |= B::bit(behind);
                    }
                }
                if let Some(within) = clause.within {
                    reach &= within[s];
                }
            }
            Gen::Castle { partner, steps, dirs } => {
                if core.unmoved.has(cell) {
                    for d in &dirs[s] {
                        if let Some(to) = self.castle(core, seat, cell, *d, *steps, partner, at) {
                            reach |= B::bit(to);
                        }
                    }
                }
            }
            Gen::Drop { .. } => {}
            Gen::Imitate { source, except } => {
                let types = self.lent(core, seat, cell, *source, *except, at.history);
                reach = self.borrowed(core, types, seat, kind, cell, at.history);
            }
        }
        reach
    }

    /// Where the piece can go by the plain clauses of some types.
    pub fn borrowed(&self, core: &Core<B, K, M>, types: u128, seat: u8, kind: u8, cell: usize, history: &History) -> B {
        let mut reach = B::EMPTY;
        for t in (0..self.moves.len()).filter(|t| types >> t & 1 != 0) {
            for clause in self.moves[t].iter().map(|c| &self.clauses[*c as usize]).filter(|c| c.plain) {
                reach |= self.targets(clause, core, seat, kind, cell, history);
            }
        }
        reach
    }

    /// The cell so many steps away, if the cells on the way are open.
    fn steps_to(&self, cell: usize, dir: u8, distance: u16, walls: B) -> Option<usize> {
        let next = &self.geo.dirs[dir as usize].next;
        let mut at = cell;
        for i in 1..=distance {
            let to = next[at];
            if to == NONE || (i < distance && walls.has(to as usize)) {
                return None;
            }
            at = to as usize;
        }
        Some(at)
    }

    fn castle(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        cell: usize,
        dir: u8,
        steps: u16,
        partner: &[u8],
        at: &At,
    ) -> Option<usize> {
        let rook = self.geo.first(cell, dir, core.occupied())?;
        if !core.own[seat as usize].has(rook) || !core.unmoved.has(rook) || !partner.contains(&core.kind_at(rook)) {
            return None;
        }
        let path: SmallVec<[usize; 8]> = self.geo.walk(cell, dir).take(steps as usize).collect();
        let to = *path.last()?;
        if path.len() < steps as usize || path.contains(&rook) {
            return None;
        }
        if self.safety {
            if self.in_check(core, seat, at.history) {
                return None;
            }
            let mut trial = *core;
            let kind = core.kind_at(cell);
            let mut king = cell;
            for step in path {
                self.take(&mut trial, king);
                self.put(&mut trial, seat, kind, step);
                king = step;
                if self.game.reads_last_moved {
                    self.note_last(&mut trial, seat, self.type_of[kind as usize], 1 << self.type_of[kind as usize]);
                }
                if self.in_check(&trial, seat, at.history) {
                    return None;
                }
            }
        }
        Some(to)
    }

    /// Emits the groups of a play act.
    pub fn play_groups(
        &self,
        core: &Core<B, K, M>,
        verb: &Verb,
        types: Option<u128>,
        chooser: Chooser,
        next: u16,
        history: &History,
        out: &mut Groups<B>,
    ) {
        let seat = core.side;
        if *verb != Verb::Drop {
            let mut mine = core.own[seat as usize];
            match chooser {
                Chooser::Any => {}
                Chooser::Another => mine = mine.minus(core.acted),
                Chooser::Same if core.last == NONE => return,
                Chooser::Same => mine &= B::bit(core.last as usize),
            }
            for kind in 0..self.type_of.len() {
                let t = self.type_of[kind] as usize;
                let pieces = mine & core.kind[kind];
                if pieces.is_empty() || types.is_some_and(|m| m >> t & 1 == 0) {
                    continue;
                }
                if self.whole[t] {
                    self.whole_groups(core, seat, kind as u8, pieces, verb, next, history, out);
                } else {
                    for cell in pieces.cells() {
                        self.piece_groups(core, seat, kind as u8, cell, verb, next, history, out);
                    }
                }
            }
        }
        if matches!(verb, Verb::Drop | Verb::Label(_)) {
            self.drop_groups(core, seat, verb, types, next, history, out);
        }
    }

    fn piece_groups(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        cell: usize,
        verb: &Verb,
        next: u16,
        history: &History,
        out: &mut Groups<B>,
    ) {
        let mut seen = B::EMPTY;
        for c in &self.moves[self.type_of[kind as usize] as usize] {
            let clause = &self.clauses[*c as usize];
            if !self.verb_fits(verb, *c) {
                continue;
            }
            let mut targets = self.targets(clause, core, seat, kind, cell, history);
            if *verb == Verb::Capture {
                targets &= self.capturing(clause, core);
            }
            if !clause.label {
                targets = targets.minus(seen);
                seen |= targets;
            }
            if targets.any() {
                out.push(Group { targets, what: What::Play { clause: *c, kind, from: From::Cell(cell as u16) }, next });
            }
        }
    }

    /// Targets on which the clause captures by landing, jumping or its own effect.
    fn capturing(&self, clause: &Clause<B>, core: &Core<B, K, M>) -> B {
        match clause.gen_ {
            Gen::Hop { captures: true, .. } => self.geo.all,
            _ if clause.then_captures => self.geo.all,
            _ => core.occupied(),
        }
    }

    fn whole_groups(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        pieces: B,
        verb: &Verb,
        next: u16,
        history: &History,
        out: &mut Groups<B>,
    ) {
        let s = seat as usize & 1;
        let occupied = core.occupied();
        let mut seen: SmallVec<[(u8, u16, B); 16]> = SmallVec::new();
        for c in &self.moves[self.type_of[kind as usize] as usize] {
            let clause = &self.clauses[*c as usize];
            if !self.verb_fits(verb, *c) {
                continue;
            }
            let (dirs, steps) = match &clause.gen_ {
                Gen::Step { dirs, distance } if self.goes_whole(clause) => (dirs, *distance),
                Gen::Hop { dirs, .. } if self.goes_whole(clause) => (dirs, 2),
                _ => {
                    for cell in pieces.cells() {
                        let mut targets = self.targets(clause, core, seat, kind, cell, history);
                        if *verb == Verb::Capture {
                            targets &= self.capturing(clause, core);
                        }
                        for (dir, steps, done) in &seen {
                            if let Some(to) = self.steps_to(cell, *dir, *steps, B::EMPTY)
                                && done.has(to)
                                && !clause.label
                            {
                                targets = targets.minus(B::bit(to));
                            }
                        }
                        if targets.any() {
                            let what = What::Play { clause: *c, kind, from: From::Cell(cell as u16) };
                            out.push(Group { targets, what, next });
                        }
                    }
                    continue;
                }
            };
            let at = At { viewer: seat, ..At::mover(core.side, history) };
            if clause.once.is_some_and(|o| core.slots[self.layout.once(o, seat)] != 0)
                || !clause.guards.iter().all(|g| self.holds(g, core, &at))
            {
                continue;
            }
            let mut accepted = self.accepted(clause, core, kind, &at);
            if *verb == Verb::Capture {
                accepted &= self.capturing(clause, core);
            }
            let from = clause.from.map_or(pieces, |z| pieces & z[s]);
            let from = clause.within.map_or(from, |z| from & z[s]);
            let over = match &clause.gen_ {
                Gen::Hop { over, captures, .. } => {
                    let over = self.set(over, core, &at);
                    if *captures { over.minus(self.protected(core, seat, kind, NONE, history)) } else { over }
                }
                _ => clause.within.map_or(self.geo.all, |z| z[s]).minus(occupied),
            };
            for d in &dirs[s] {
                let mut moved = from;
                for i in 1..=steps {
                    moved = self.geo.shift(moved, *d);
                    if i < steps {
                        moved &= over;
                    }
                }
                let mut targets = moved & accepted;
                if !clause.label {
                    for (dir, n, done) in &seen {
                        if (*dir, *n) == (*d, steps) {
                            targets = targets.minus(*done);
                        }
                    }
                    seen.push((*d, steps, targets));
                }
                if targets.any() {
                    let what = What::Play { clause: *c, kind, from: From::Back { dir: *d, steps } };
                    out.push(Group { targets, what, next });
                }
            }
        }
    }

    /// Whether a clause of a type whose moves go all at once has no condition on the single piece or target.
    fn goes_whole(&self, clause: &Clause<B>) -> bool {
        use crate::engine::program::S;
        clause.tried.is_empty()
            && clause.toward.is_none()
            && clause.away.is_none()
            && self.bar_pairs.is_empty()
            && clause.guards.is_empty()
            && clause.lifted.is_empty()
            && match &clause.target {
                Target::Default | Target::Empty | Target::Enemy => true,
                Target::Set(set) => matches!(set, S::Mark(..) | S::Const(_) | S::Of(_) | S::Kinds(_)),
                Target::Tried(_) => false,
            }
    }

    fn drop_groups(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        verb: &Verb,
        types: Option<u128>,
        next: u16,
        history: &History,
        out: &mut Groups<B>,
    ) {
        let at = At { viewer: seat, ..At::mover(core.side, history) };
        let first = out.len();
        for (t, c) in &self.drops {
            if types.is_some_and(|m| m >> t & 1 == 0) || !self.verb_fits(verb, *c) {
                continue;
            }
            if self.layout.hand(seat, *t).is_some_and(|slot| core.slots[slot] <= 0) {
                continue;
            }
            let clause = &self.clauses[*c as usize];
            if clause.once.is_some_and(|o| core.slots[self.layout.once(o, seat)] != 0)
                || !clause.guards.iter().all(|g| self.holds(g, core, &at))
            {
                continue;
            }
            let Gen::Drop { kinds } = &clause.gen_ else { continue };
            for kind in kinds {
                let targets = self.tried(clause, core, self.accepted(clause, core, *kind, &at), &at);
                let mut targets = targets.minus(core.occupied());
                if !clause.label {
                    for group in &out[first..] {
                        if matches!(group.what, What::Drop { kind: k, .. } if k == *kind) {
                            targets = targets.minus(group.targets);
                        }
                    }
                }
                if targets.any() {
                    out.push(Group { targets, what: What::Drop { clause: *c, kind: *kind }, next });
                }
            }
        }
    }

    /// Whether a clause belongs to an act.
    pub fn verb_fits(&self, verb: &Verb, clause: u16) -> bool {
        let c = &self.clauses[clause as usize];
        match verb {
            Verb::Move => !matches!(c.gen_, Gen::Drop { .. }),
            Verb::Drop => matches!(c.gen_, Gen::Drop { .. }),
            Verb::Capture => c.then_captures || super::rules::can_capture(c),
            Verb::Step => matches!(c.gen_, Gen::Step { .. }),
            Verb::Slide => matches!(c.gen_, Gen::Slide { .. }),
            Verb::Leap => matches!(c.gen_, Gen::Leap { .. } | Gen::Anywhere),
            Verb::Jump => matches!(c.gen_, Gen::Hop { captures: true, .. }),
            Verb::Hop => matches!(c.gen_, Gen::Hop { captures: false, .. }),
            Verb::Castle => matches!(c.gen_, Gen::Castle { .. }),
            Verb::Label(label) => c.label && self.game.clauses[clause as usize].label == *label,
            Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill => false,
        }
    }

    /// What a piece becomes on a target: nothing to choose (`None`), or the choices, `None` among them standing for staying what it is.
    pub fn promotions(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: u16,
        to: u16,
        history: &History,
    ) -> Option<SmallVec<[Option<u8>; 8]>> {
        let t = self.type_of[kind as usize] as usize;
        if !self.promotes[t][seat as usize & 1].has(to as usize) {
            return None;
        }
        let promotion = self.promotion(core, seat, kind, from, to, history)?;
        let mut choices: SmallVec<[Option<u8>; 8]> = promotion
            .to
            .iter()
            .filter(|(_, once)| once.is_none_or(|o| core.slots[self.layout.once(o, seat)] == 0))
            .map(|(k, _)| Some(*k))
            .collect();
        if promotion.may {
            choices.push(None);
        }
        Some(choices)
    }

    /// The promotion that applies to a move, read before the step.
    pub fn promotion(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: u16,
        to: u16,
        history: &History,
    ) -> Option<&Promotion<B>> {
        let at = At { viewer: seat, this: from, origin: from, here: to, ..At::mover(core.side, history) };
        self.promotions[self.type_of[kind as usize] as usize]
            .iter()
            .find(|p| p.zone[seat as usize & 1].has(to as usize) && p.guards.iter().all(|g| self.holds(g, core, &at)))
    }

    /// The cell where a move of a group to `to` starts.
    #[inline]
    pub fn origin(&self, from: From, to: usize) -> u16 {
        match from {
            From::Cell(cell) => cell,
            From::Back { dir, steps } => {
                let next = &self.geo.dirs[self.geo.dirs[dir as usize].opposite].next;
                (0..steps).fold(to as u16, |c, _| next[c as usize])
            }
        }
    }

    /// Calls `f` with each step of a group until it returns false; returns whether all were walked.
    pub fn each_step(
        &self,
        group: &Group<B>,
        core: &Core<B, K, M>,
        history: &History,
        f: &mut dyn FnMut(Step) -> bool,
    ) -> bool {
        let step = |deed| Step { deed, next: group.next };
        match group.what {
            What::Pass => return f(step(Deed::Pass)),
            What::Swap => return f(step(Deed::Swap)),
            _ => {}
        }
        for to in group.targets.cells() {
            let cell = to as u16;
            let go_on = match group.what {
                What::Play { clause, kind, from } => {
                    let from = self.origin(from, to);
                    match self.promotions(core, core.side, kind, from, cell, history) {
                        None => f(step(Deed::Move { clause, from, to: cell, promote: None })),
                        Some(choices) => {
                            choices.into_iter().all(|promote| f(step(Deed::Move { clause, from, to: cell, promote })))
                        }
                    }
                }
                What::Drop { clause, kind } => f(step(Deed::Drop { clause, kind, to: cell })),
                What::Rotate { remap, named } => f(step(Deed::Rotate { remap, cell, named })),
                What::Choose(effect) => f(step(Deed::Choose { effect, cell })),
                What::Fill(kind) => f(step(Deed::Fill { kind, cell })),
                What::Pass | What::Swap => true,
            };
            if !go_on {
                return false;
            }
        }
        true
    }

    /// How many steps a group has.
    pub fn size(&self, group: &Group<B>, core: &Core<B, K, M>, history: &History) -> u64 {
        match group.what {
            What::Pass | What::Swap => 1,
            What::Play { kind, .. } => {
                let t = self.type_of[kind as usize] as usize;
                let zone = self.promotes[t][core.side as usize & 1] & group.targets;
                if zone.is_empty() {
                    return u64::from(group.targets.count());
                }
                let mut n = u64::from(group.targets.minus(zone).count());
                let within = Group { targets: zone, ..*group };
                self.each_step(&within, core, history, &mut |_| {
                    n += 1;
                    true
                });
                n
            }
            _ => u64::from(group.targets.count()),
        }
    }
}
