//! Where one piece can go by one clause: geometry, then conditions; and what it may capture.

use super::attack::bits;
use super::bits::Bits;
use super::clause::{Clause, Facing, Gen, Target};
use super::core::Core;
use super::eval::{At, History, Record};
use super::geometry::{NONE, NOWHERE};
use super::rules::Rules;
use super::threats::Loan;
use smallvec::SmallVec;

/// What must stand first on a ray.
pub enum Look<B> {
    Any,
    Nothing,
    /// One of these pieces.
    At(B),
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Occupied cells that a piece of `kind`, owned by `seat` and standing on `from`, may not capture on.
    #[inline]
    pub fn protected(&self, core: &Core<B, K, M>, seat: u8, kind: u8, from: u16, history: &History) -> B {
        if self.bar_pairs.is_empty() {
            return self.kinds(core, &self.barred[kind as usize]);
        }
        let attacker = Record { kind, owner: seat, cell: from };
        self.protected_by(core, attacker, &At { viewer: seat, this: from, ..At::mover(core.side, history) })
    }

    /// Occupied cells on which nothing may be captured by the attacker (by nobody, if there is none) that stands on `this`.
    pub fn protected_by(&self, core: &Core<B, K, M>, attacker: Record, at: &At) -> B {
        let (viewer, barred) = match attacker.cell == NONE {
            true => (at.mover, &self.barred_alone),
            false => (attacker.owner, &self.barred[attacker.kind as usize]),
        };
        let mut barred = self.kinds(core, barred);
        if !self.bar_pairs.is_empty() {
            for cell in core.occupied().minus(barred).cells() {
                let victim = Record { kind: core.kind_at(cell), owner: core.owner_at(cell), cell: cell as u16 };
                let at = At { viewer, attacker, victim, here: cell as u16, ..*at };
                if self.bar_pairs.iter().any(|(c, looks)| !(core.ahead && *looks) && self.holds(c, core, &at)) {
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
    pub fn tried(&self, clause: &Clause<B>, core: &Core<B, K, M>, targets: B, at: &At) -> B {
        let by_target = matches!(clause.target, Target::Tried(_));
        if clause.tried.is_empty() && !by_target {
            return targets;
        }
        let mut kept = B::EMPTY;
        for cell in targets.cells() {
            let mut at = At { here: cell as u16, ..*at };
            if !self.geo.straight && at.origin != NONE {
                let kind = core.kind_at(at.origin as usize);
                at.dir = self.heading(clause, core, at.viewer, kind, at.origin as usize, cell, at.history);
            }
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
            Gen::Imitate { .. } => self.narrowed(clause, core, reach, &at),
            _ => self.tried(clause, core, reach & self.accepted(clause, core, kind, &at), &at),
        }
    }

    /// Geometry of a clause: the cells it leads to, whatever stands there.
    pub fn reach(&self, clause: &Clause<B>, core: &Core<B, K, M>, seat: u8, kind: u8, cell: usize, at: &At) -> B {
        self.reach_in(clause, core, seat, kind, cell, None, at)
    }

    /// The direction in which a clause leads from cell to cell: of several the first; none if it goes by no direction.
    pub fn heading(
        &self,
        clause: &Clause<B>,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: usize,
        to: usize,
        history: &History,
    ) -> u8 {
        let dirs = match &clause.gen_ {
            Gen::Step { dirs, .. } | Gen::Slide { dirs, .. } | Gen::Hop { dirs, .. } | Gen::Castle { dirs, .. } => dirs,
            _ => return NOWHERE,
        };
        let at = At { viewer: seat, this: from as u16, origin: from as u16, ..At::mover(core.side, history) };
        let leads = |d: &u8| self.reach_in(clause, core, seat, kind, from, Some(*d), &at).has(to);
        dirs[seat as usize & 1].iter().copied().find(leads).unwrap_or(NOWHERE)
    }

    /// The same in one direction only, if one is given.
    fn reach_in(
        &self,
        clause: &Clause<B>,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        cell: usize,
        only: Option<u8>,
        at: &At,
    ) -> B {
        let occupied = core.occupied();
        let s = seat as usize & 1;
        let walls = clause.within.map_or(occupied, |z| occupied | self.geo.all.minus(z[s]));
        let turned = clause.toward.is_some() || clause.away.is_some();
        let looks = |d: u8| {
            only.is_none_or(|only| only == d)
                && (!turned
                    || self.faces(&clause.toward, core, cell, d, at)
                        && self.faces(&clause.away, core, cell, self.geo.dirs[d as usize].opposite as u8, at))
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
                        let last = match limit {
                            Some(n) => {
                                self.geo.walk(cell, *d).take(*n as usize).take_while(|c| !occupied.has(*c)).last()
                            }
                            None => self.geo.furthest(cell, *d, occupied),
                        };
                        if let Some(last) = last.filter(|to| self.geo.slide(cell, *d, walls).has(*to)) {
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
                over &= clause.within.map_or(occupied, |z| occupied & z[s]);
                for d in dirs[s].iter().filter(|d| looks(**d)) {
                    let hurdle = match far {
                        true => self.geo.first(cell, *d, walls),
                        false => self.geo.walk(cell, *d).next(),
                    };
                    let Some(hurdle) = hurdle.filter(|h| over.has(*h)) else { continue };
                    if *beyond {
                        reach |= self.geo.slide(hurdle, *d, walls) & self.geo.dirs[*d as usize].rays[cell];
                    } else if let Some(behind) = self.geo.walk(hurdle, *d).next().filter(|c| *c != cell) {
                        reach |= B::bit(behind);
                    }
                }
                if let Some(within) = clause.within {
                    reach &= within[s];
                }
            }
            Gen::Castle { partner, steps, dirs } => {
                if core.unmoved.has(cell) {
                    for d in dirs[s].iter().filter(|d| looks(**d)) {
                        if let Some(to) = self.castle(core, seat, cell, *d, *steps, partner, at) {
                            reach |= B::bit(to);
                        }
                    }
                }
            }
            Gen::Drop { .. } => {}
            Gen::Imitate { source, except } => {
                let types = self.lent(core, seat, cell, clause.number, *source, *except, at.history);
                reach = self.borrowed(core, types, seat, kind, cell, at.history);
            }
        }
        if turned && matches!(clause.gen_, Gen::Leap { .. } | Gen::Anywhere) {
            let along = |to: &usize| self.geo.way(cell, *to).is_some_and(looks);
            reach = reach.cells().filter(along).fold(B::EMPTY, |s, c| s | B::bit(c));
        }
        reach
    }

    /// Keeps of the targets of an imitator those for which its own conditions hold, whatever the lender's are.
    pub fn narrowed(&self, clause: &Clause<B>, core: &Core<B, K, M>, mut targets: B, at: &At) -> B {
        for set in &clause.lifted {
            targets &= self.set(set, core, at);
        }
        for cond in &clause.tried {
            let fits = |to: &usize| self.holds(cond, core, &At { here: *to as u16, ..*at });
            targets = targets.cells().filter(fits).fold(B::EMPTY, |s, c| s | B::bit(c));
        }
        targets
    }

    /// The lines of others that an imitating clause lends to the piece on a cell, each with its targets.
    pub fn each_loan(
        &self,
        clause: &Clause<B>,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        cell: usize,
        history: &History,
        f: &mut dyn FnMut(&Clause<B>, B),
    ) {
        let Gen::Imitate { source, except } = &clause.gen_ else { return };
        if !self.applies(clause, core, seat, cell, history) {
            return;
        }
        let at = At { viewer: seat, this: cell as u16, origin: cell as u16, ..At::mover(core.side, history) };
        for t in bits(self.lent(core, seat, cell, clause.number, *source, *except, history)) {
            for line in self.moves[t].iter().map(|c| &self.clauses[*c as usize]).filter(|c| c.plain) {
                let targets = self.targets(line, core, seat, kind, cell, history);
                f(line, self.narrowed(clause, core, targets, &at));
            }
        }
    }

    /// The imitating clause by which a piece makes a move by the line of another; none if the line is its own.
    pub fn borrower(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        line: u16,
        from: usize,
        to: usize,
        history: &History,
    ) -> Option<&Clause<B>> {
        let own = &self.moves[self.type_of[kind as usize] as usize];
        if own.contains(&line) {
            return None;
        }
        own.iter().map(|c| &self.clauses[*c as usize]).find(|clause| {
            let mut lends = false;
            self.each_loan(clause, core, seat, kind, from, history, &mut |c, targets| {
                lends |= c.number == line && targets.has(to);
            });
            lends
        })
    }

    /// Where the piece can go by the plain clauses of some types.
    pub fn borrowed(&self, core: &Core<B, K, M>, types: u128, seat: u8, kind: u8, cell: usize, history: &History) -> B {
        if types == 0 {
            return B::EMPTY;
        }
        let s = seat as usize & 1;
        let occupied = core.occupied();
        let empty = self.geo.all.minus(occupied);
        let enemies = self.enemies(core, seat).minus(self.protected(core, seat, kind, cell as u16, history));
        let lands = [empty, enemies, empty | enemies];
        let mut reach = B::EMPTY;
        for loan in bits(types).flat_map(|t| &self.lending.moves[t]) {
            reach |= match loan {
                Loan::Reach { leaps, sliders, land } => {
                    self.reaches(leaps, sliders, s, cell, occupied) & lands[*land as usize]
                }
                Loan::Clause(c) => self.targets(&self.clauses[*c as usize], core, seat, kind, cell, history),
            };
        }
        reach
    }

    /// The cell so many steps away, if the cells on the way are open.
    pub fn steps_to(&self, cell: usize, dir: u8, distance: u16, walls: B) -> Option<usize> {
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

    /// The partner of a castling in a direction: the first piece there, an own one that has not moved, beyond the target.
    pub fn castling_partner(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        cell: usize,
        dir: u8,
        steps: u16,
        partner: &[u8],
    ) -> Option<usize> {
        let rook = self.geo.first(cell, dir, core.occupied())?;
        let fits = core.own[seat as usize].has(rook) && core.unmoved.has(rook) && partner.contains(&core.kind_at(rook));
        let near = || self.geo.walk(cell, dir).take(steps as usize).any(|c| c == rook);
        (fits && !near()).then_some(rook)
    }

    pub fn castle(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        cell: usize,
        dir: u8,
        steps: u16,
        partner: &[u8],
        at: &At,
    ) -> Option<usize> {
        self.castling_partner(core, seat, cell, dir, steps, partner)?;
        let path: SmallVec<[usize; 8]> = self.geo.walk(cell, dir).take(steps as usize).collect();
        let to = *path.last()?;
        if path.len() < steps as usize {
            return None;
        }
        if self.facts.safety {
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

    /// How far a piece on a cell can go in these directions (as bits), where the first piece ahead and the first one behind must be as said; these
    /// are among the seen.
    #[inline]
    pub fn along(&self, cell: usize, toward: &Look<B>, away: &Look<B>, seen: B, dirs: u64, occupied: B) -> B {
        let geo = &self.geo;
        let back = |d: u8| geo.dirs[d as usize].opposite as u8;
        let fits = |look: &Look<B>, d: u8| match look {
            Look::Any => true,
            Look::Nothing => (geo.dirs[d as usize].rays[cell] & occupied).is_empty(),
            Look::At(set) => (geo.dirs[d as usize].rays[cell] & seen & *set).any(),
        };
        let mut reach = B::EMPTY;
        match (toward, away) {
            (Look::At(set), away) => {
                for piece in (seen & *set).cells() {
                    let Some(d) = geo.way(cell, piece).filter(|d| dirs >> d & 1 != 0 && fits(away, back(*d))) else {
                        continue;
                    };
                    reach |= B::bit(geo.dirs[back(d) as usize].next[piece] as usize);
                }
            }
            (toward, Look::At(set)) => {
                for piece in (seen & *set).cells() {
                    let d = geo.way(cell, piece).map(back).filter(|d| dirs >> d & 1 != 0 && fits(toward, *d));
                    if let Some(to) = d.and_then(|d| geo.furthest(cell, d, occupied)) {
                        reach |= B::bit(to);
                    }
                }
            }
            _ => {}
        }
        reach.minus(B::bit(cell))
    }
}
