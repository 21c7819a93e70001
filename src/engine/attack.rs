//! Attacks: which pieces could capture on a cell, and what imitators borrow.

use super::bits::Bits;
use super::clause::{Clause, Gen, Target, can_capture};
use super::core::Core;
use super::eval::{At, History};
use super::geometry::NOWHERE;
use super::program::S;
use super::rules::Rules;
use super::threats::Way;
use crate::ir::expr::Role;
use crate::ir::piece::Source;
use smallvec::SmallVec;

/// What checks and pins tell of the moves that leave the only royal safe.
pub struct Safety<B> {
    /// Where the royal stands.
    pub royal: usize,
    /// What it is.
    pub kind: u8,
    /// Where another piece must land: anywhere, or where it ends the check.
    pub block: B,
    /// Pieces that must stay on their line with the royal.
    pub pinned: B,
    /// That is all: no enemy attacks by more than geometry. If not, what is left out is never safe, and what is not must be tried.
    pub decides: bool,
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Whether a royal of the player is attacked by another player.
    pub fn in_check(&self, core: &Core<B, K, M>, seat: u8, history: &History) -> bool {
        let (own, occupied) = (core.own[seat as usize & 1], core.occupied());
        self.royals.iter().any(|kind| {
            (core.sets[*kind as usize] & own)
                .cells()
                .any(|cell| self.attackers_of(core, cell, Some(*kind), occupied, 1 - (seat & 1), true, history).any())
        })
    }

    /// Whether a cell is attacked by a player other than the owner of the piece there (of an empty cell: than the viewer).
    pub fn is_attacked(&self, core: &Core<B, K, M>, cell: usize, at: &At) -> bool {
        let owner = core.piece(cell).map_or(at.viewer, |(owner, _)| owner);
        (0..2).any(|seat| seat != owner && self.attackers(core, cell, seat, true, at.history).any())
    }

    /// The board with the note that attacks are being found, where that can lead to a question about attacks.
    fn asking(&self, core: &Core<B, K, M>) -> Option<Core<B, K, M>> {
        match self.facts.asks_within && !core.asking {
            true => Some(Core { asking: true, ..*core }),
            false => None,
        }
    }

    /// Pieces of `seat` that could capture on `cell` if the piece there were an enemy's; with `first` one is enough.
    #[inline]
    pub fn attackers(&self, core: &Core<B, K, M>, cell: usize, seat: u8, first: bool, history: &History) -> B {
        let victim = core.occupied().has(cell).then(|| core.kind_at(cell));
        self.attackers_of(core, cell, victim, core.occupied(), seat, first, history)
    }

    /// The same for a victim of a kind (none: an empty cell), with these cells occupied.
    pub fn attackers_of(
        &self,
        core: &Core<B, K, M>,
        cell: usize,
        victim: Option<u8>,
        occupied: B,
        seat: u8,
        first: bool,
        history: &History,
    ) -> B {
        if core.asking {
            return B::EMPTY;
        }
        if victim.is_none() && self.facts.attacks_by_kind {
            return self.attackers_of_any(core, cell, seat, first, history);
        }
        let asking = self.asking(core);
        let core = asking.as_ref().unwrap_or(core);
        let s = seat as usize & 1;
        let mut mine = core.own[s].minus(B::bit(cell));
        if let Some(victim) = victim {
            let barred = &self.barred_from[victim as usize];
            if !barred.is_empty() {
                mine = mine.minus(self.kinds(core, barred));
            }
        }
        let mut found = B::EMPTY;
        for class in &self.threats.classes[s] {
            found |= self.seen(&class.way, cell, self.kinds(core, &class.kinds) & mine, occupied);
            if first && found.any() {
                break;
            }
        }
        if victim.is_some() && !self.bar_pairs.is_empty() {
            let may = |c: &usize| !self.protected(core, seat, core.kind_at(*c), *c as u16, history).has(cell);
            found = found.cells().filter(may).fold(B::EMPTY, |s, c| s | B::bit(c));
        }
        if first && found.any() {
            return B::bit(found.first());
        }
        if self.threats.others.is_empty() {
            return found;
        }
        for other in &self.threats.others {
            let pieces = (mine & core.sets[other.kind as usize]).minus(found);
            if pieces.is_empty() || victim.is_some_and(|v| !other.victims[v as usize]) {
                continue;
            }
            if other.imitates && self.bar_pairs.is_empty() && !self.clauses[other.clause as usize].asks_of_target() {
                found |= self.imitating(other.clause, core, pieces, cell, occupied, seat, history);
                if first && found.any() {
                    return found;
                }
                continue;
            }
            for c in pieces.cells() {
                if self.takes(other.clause, core, seat, other.kind, c, cell, history) {
                    found |= B::bit(c);
                    if first {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// Pieces of `seat` that could capture a piece of some kind if it stood on an empty cell.
    #[inline(never)]
    fn attackers_of_any(&self, core: &Core<B, K, M>, cell: usize, seat: u8, first: bool, history: &History) -> B {
        let mut found = B::EMPTY;
        for kind in 0..self.type_of.len() as u8 {
            let mut trial = *core;
            trial.own[1 - (seat as usize & 1)] |= B::bit(cell);
            trial.sets[kind as usize] |= B::bit(cell);
            found |= self.attackers_of(&trial, cell, Some(kind), trial.occupied(), seat, first, history);
            if first && found.any() {
                break;
            }
        }
        found
    }

    /// Of pieces of one kind of `seat` those that attack a cell by an imitating clause, where only kinds decide on what may take what.
    fn imitating(
        &self,
        clause: u16,
        core: &Core<B, K, M>,
        pieces: B,
        cell: usize,
        occupied: B,
        seat: u8,
        history: &History,
    ) -> B {
        let Gen::Imitate { source, except } = &self.clauses[clause as usize].gen_ else { return B::EMPTY };
        let s = seat as usize & 1;
        let near = match self.lending.others {
            0 => pieces & self.lending.bare[s][cell],
            _ => pieces,
        };
        let mut found = B::EMPTY;
        if near.is_empty() {
            return found;
        }
        let (kind, clause) = (core.kind_at(near.first()), &self.clauses[clause as usize]);
        let attacks = |c: usize, types: u128| self.lends_attack(core, types, seat, kind, c, cell, occupied, history);
        for c in near.cells() {
            // what it learns from others need not be known if it cannot help
            if (clause.open || self.applies(clause, core, seat, c, history))
                && (matches!(source, Source::LastMoved(_)) || attacks(c, !*except))
                && attacks(c, self.lent(core, seat, c, clause.number, *source, *except, history))
            {
                found |= B::bit(c);
            }
        }
        found
    }

    /// Whether a piece of `seat` attacks a cell if it moves as all of these types, as far as classes tell.
    #[inline]
    fn lent_attacks(&self, types: u128, from: usize, cell: usize, occupied: B, seat: u8) -> bool {
        let classes = &self.lending.classes[seat as usize & 1];
        classes.iter().any(|(of, way)| of & types != 0 && self.seen(way, cell, B::bit(from), occupied).any())
    }

    /// Whether a piece on `from` that moves as these types could capture on a cell, what may take what aside.
    fn lends_attack(
        &self,
        core: &Core<B, K, M>,
        types: u128,
        seat: u8,
        kind: u8,
        from: usize,
        cell: usize,
        occupied: B,
        history: &History,
    ) -> bool {
        let others = types & self.lending.others;
        self.lent_attacks(types, from, cell, occupied, seat)
            || others != 0 && self.lends_capture(core, others, seat, kind, from, cell, history)
    }

    /// The pieces that attack a cell in this way.
    #[inline(always)]
    fn seen(&self, way: &Way<B>, cell: usize, pieces: B, occupied: B) -> B {
        match way {
            Way::Leaps(table) => table[cell] & pieces,
            Way::Slides(sliders) if (sliders.bare[cell] & pieces).is_empty() => B::EMPTY,
            Way::Slides(sliders) => self.geo.slides(sliders, cell, occupied) & pieces,
        }
    }

    /// Whether a piece of `seat` attacks a cell by geometry alone.
    #[inline]
    pub fn is_struck(&self, core: &Core<B, K, M>, cell: usize, seat: usize) -> bool {
        let (enemies, occupied) = (core.own[seat], core.occupied());
        let classes = &self.threats.classes[seat];
        classes.iter().any(|c| self.seen(&c.way, cell, self.kinds(core, &c.kinds) & enemies, occupied).any())
    }

    /// Checks and pins, as far as they tell what leaves the royal safe; none if the player has not just one royal.
    pub fn safety(&self, core: &Core<B, K, M>, seat: u8) -> Option<Safety<B>> {
        let s = seat as usize & 1;
        let (own, enemies) = (core.own[s], core.own[1 - s]);
        let royals = self.kinds(core, &self.royals) & own;
        if royals.count() != 1 {
            return None;
        }
        let decides = (self.kinds(core, &self.facts.subtle) & enemies).is_empty();
        let royal = royals.first();
        let kind = core.kind_at(royal);
        let occupied = core.occupied();
        let may = match self.barred_from[kind as usize].is_empty() {
            true => enemies,
            false => enemies.minus(self.kinds(core, &self.barred_from[kind as usize])),
        };
        let (mut checkers, mut pinned) = (B::EMPTY, B::EMPTY);
        for class in &self.threats.classes[1 - s] {
            let pieces = self.kinds(core, &class.kinds) & may;
            match &class.way {
                Way::Leaps(table) => checkers |= table[royal] & pieces,
                Way::Slides(sliders) => {
                    for slider in (sliders.bare[royal] & pieces).cells() {
                        let between = self.geo.between(royal, slider) & occupied;
                        if between.is_empty() {
                            checkers |= B::bit(slider);
                        } else if between.rest().is_empty() {
                            pinned |= between & own;
                        }
                    }
                }
            }
        }
        let block = match checkers.any() {
            false => self.geo.all,
            true if checkers.rest().is_empty() => checkers | self.geo.between(royal, checkers.first()),
            true => B::EMPTY,
        };
        Some(Safety { royal, kind, block, pinned, decides })
    }

    /// The targets on which the royal would not be attacked.
    pub fn unattacked(&self, core: &Core<B, K, M>, safety: &Safety<B>, targets: B, history: &History) -> B {
        let occupied = core.occupied().minus(B::bit(safety.royal));
        let attacked = |to: usize| {
            self.attackers_of(core, to, Some(safety.kind), occupied, 1 - (core.side & 1), true, history).any()
        };
        targets.cells().filter(|to| attacked(*to)).fold(targets, |s, to| s.minus(B::bit(to)))
    }

    /// Whether the kinds (and `forbid capture`) let the piece take what stands on the cell.
    fn may_take(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: usize,
        cell: usize,
        victim: Option<u8>,
        history: &History,
    ) -> bool {
        let Some(victim) = victim else { return true };
        !self.barred[kind as usize].contains(&victim)
            && (self.bar_pairs.is_empty() || !self.protected(core, seat, kind, from as u16, history).has(cell))
    }

    /// Whether the piece on `from` could capture on `cell` by a clause, if an enemy stood there.
    fn takes(
        &self,
        number: u16,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: usize,
        cell: usize,
        history: &History,
    ) -> bool {
        let clause = &self.clauses[number as usize];
        if let Gen::Imitate { source, except } = &clause.gen_ {
            if !self.applies(clause, core, seat, from, history) {
                return false;
            }
            let types = self.lent(core, seat, from, number, *source, *except, history);
            let at = At { viewer: seat, this: from as u16, origin: from as u16, ..At::mover(core.side, history) };
            return self.lends_capture(core, types, seat, kind, from, cell, history)
                && self.narrowed(clause, &supposing(core, cell, seat), B::bit(cell), &at).any();
        }
        self.takes_by(clause, core, seat, kind, from, cell, history)
    }

    /// Whether a piece of `kind` on `from` that moves as `types` could capture on `cell`.
    fn lends_capture(
        &self,
        core: &Core<B, K, M>,
        types: u128,
        seat: u8,
        kind: u8,
        from: usize,
        cell: usize,
        history: &History,
    ) -> bool {
        bits(types).any(|t| {
            self.moves[t]
                .iter()
                .map(|c| &self.clauses[*c as usize])
                .any(|c| c.plain && can_capture(c) && self.takes_by(c, core, seat, kind, from, cell, history))
        })
    }

    fn takes_by(
        &self,
        clause: &Clause<B>,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: usize,
        cell: usize,
        history: &History,
    ) -> bool {
        let at = At {
            viewer: seat,
            this: from as u16,
            origin: from as u16,
            here: cell as u16,
            ..At::mover(core.side, history)
        };
        let s = seat as usize & 1;
        let victim = core.piece(cell).map(|(_, kind)| kind);
        // geometry, with an enemy supposed on the cell
        let trial;
        let board = match core.own[1 - s].has(cell) {
            true => core,
            false => {
                trial = supposing(core, cell, seat);
                &trial
            }
        };
        let at = match self.geo.straight {
            true => at,
            false => At { dir: self.heading(clause, board, seat, kind, from, cell, history), ..at },
        };
        if let Gen::Hop { captures: true, .. } = clause.gen_ {
            // a jump captures what it passes: look for a landing that passes the cell
            let targets = self.targets(clause, board, seat, kind, from, history);
            let passes = |to: usize| {
                let dir = match self.geo.straight {
                    true => NOWHERE,
                    false => self.heading(clause, board, seat, kind, from, to, history),
                };
                to == cell || self.geo.between_by(dir, from, to).has(cell)
            };
            return targets.cells().any(passes);
        }
        match &clause.target {
            Target::Empty => return false,
            Target::Default | Target::Enemy => {}
            Target::Set(set) | Target::Tried(set) => {
                if !self.would_accept(set, board, cell, victim, &at) {
                    return false;
                }
            }
        }
        if clause.once.is_some_and(|o| core.slots[self.layout.once(o, seat)] != 0)
            || clause.from.is_some_and(|z| !z[s].has(from))
            || clause.within.is_some_and(|z| !z[s].has(from) || !z[s].has(cell))
            || !self.may_take(core, seat, kind, from, cell, victim, history)
        {
            return false;
        }
        self.reach(clause, board, seat, kind, from, &at).has(cell)
            && clause.guards.iter().chain(&clause.tried).all(|g| self.holds(g, board, &at))
            && clause.lifted.iter().all(|l| self.set(l, board, &at).has(cell))
    }

    /// Whether a target set has the cell, supposing an enemy of the viewer there.
    fn would_accept(&self, set: &S<B>, core: &Core<B, K, M>, cell: usize, victim: Option<u8>, at: &At) -> bool {
        match set {
            S::Enemies | S::Pieces => true,
            S::Empty => false,
            S::Of(who) => at.seat(*who) != at.viewer,
            S::Kinds(kinds) => victim.is_some_and(|v| kinds.contains(&v)),
            S::Stock { of, kinds, on } => {
                of.is_none_or(|who| at.seat(who) != at.viewer)
                    && (kinds.is_empty() || victim.is_some_and(|v| kinds.contains(&v)))
                    && on[at.viewer as usize & 1].has(cell)
            }
            S::Union(parts) => parts.iter().any(|p| self.would_accept(p, core, cell, victim, at)),
            S::Intersect(parts) => parts.iter().all(|p| self.would_accept(p, core, cell, victim, at)),
            S::Minus(a, b) => {
                self.would_accept(a, core, cell, victim, at) && !self.would_accept(b, core, cell, victim, at)
            }
            S::Role(Role::Here) => true,
            _ => self.set(set, core, at).has(cell),
        }
    }

    /// The types that lend their moves to an imitator by a clause.
    pub fn lent(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        cell: usize,
        clause: u16,
        source: Source,
        except: u128,
        history: &History,
    ) -> u128 {
        match source {
            Source::LastMoved(who) => {
                let at = At { viewer: seat, ..At::mover(core.side, history) };
                self.last_moved(core, at.seat(who), except)
            }
            Source::Bearing { .. } => known(&self.learned(core, cell, history), cell, clause),
        }
    }

    fn last_moved(&self, core: &Core<B, K, M>, seat: u8, except: u128) -> u128 {
        let piece = core.slots[self.layout.last_piece(seat)];
        if piece == 0 || except >> (piece - 1) & 1 != 0 {
            return 0;
        }
        core.slots[self.layout.last_as(seat)] as u32 as u128 & !except
    }

    /// What the piece on a cell has learned that imitates what bears on it, and those it learns from in turn: the least fixed point.
    fn learned(&self, core: &Core<B, K, M>, asked: usize, history: &History) -> Learned {
        let asking = self.asking(core);
        let core = asking.as_ref().unwrap_or(core);
        let mut learned = Learned::new();
        let mut teachers: SmallVec<[Teacher; 8]> = SmallVec::new();
        let mut met = B::bit(asked);
        let mut due = met;
        while due.any() {
            let cell = due.first();
            due = due.rest();
            let (owner, kind) = (core.owner_at(cell), core.kind_at(cell));
            for (_, c) in self.threats.learners.iter().filter(|(k, _)| *k == kind) {
                let clause = &self.clauses[*c as usize];
                let Gen::Imitate { source: Source::Bearing { attacking, defending }, except } = &clause.gen_ else {
                    continue;
                };
                // of the piece that is asked about this is a question of its own
                let applies = clause.open || self.applies(clause, core, owner, cell, history);
                if !applies && cell != asked {
                    continue;
                }
                let (mut types, known) = (0, teachers.len());
                for seat in 0..2 {
                    if if seat == owner { *defending } else { *attacking } {
                        types |= self.bearing_types(core, cell, seat, *except, learned.len(), &mut teachers, history);
                    }
                }
                learned.push(Lesson { cell: cell as u16, clause: *c, types: types & !except, teaches: applies });
                for teacher in &teachers[known..] {
                    due |= B::bit(teacher.cell).minus(met);
                    met |= B::bit(teacher.cell);
                }
            }
        }
        // what imitators teach depends on what they learn
        let occupied = core.occupied();
        for teacher in &mut teachers {
            teacher.types = self.types_now(core, teacher.seat, teacher.cell, teacher.kind, history);
        }
        let mutual = teachers.iter().any(|t| learned.iter().any(|l| usize::from(l.cell) == t.cell));
        let mut grown = !teachers.is_empty();
        while grown {
            grown = false;
            for Teacher { learner, cell: from, kind, seat, bears, types: own } in &teachers {
                let Lesson { cell, clause: c, types, .. } = learned[*learner];
                let Gen::Imitate { except, .. } = &self.clauses[c as usize].gen_ else { continue };
                let lessons = learned.iter().filter(|l| usize::from(l.cell) == *from && l.teaches);
                let now = lessons.fold(*own, |all, l| all | l.types);
                let more = now & !except & !types;
                let others = now & !(1 << self.type_of[*kind as usize]);
                let attacks = || self.lends_attack(core, others, *seat, *kind, *from, cell.into(), occupied, history);
                if more != 0 && (*bears || attacks()) {
                    learned[*learner].types |= more;
                    grown = mutual;
                }
            }
        }
        learned
    }

    /// The types of the pieces of `seat` that bear on an occupied cell, but for those that imitate: they are added to the teachers of a learner.
    fn bearing_types(
        &self,
        core: &Core<B, K, M>,
        cell: usize,
        seat: u8,
        except: u128,
        learner: usize,
        teachers: &mut SmallVec<[Teacher; 8]>,
        history: &History,
    ) -> u128 {
        let s = seat as usize & 1;
        let (occupied, victim) = (core.occupied(), core.kind_at(cell) as usize);
        let barred = self.kinds(core, &self.barred_from[victim]);
        let mine = core.own[s].minus(B::bit(cell) | barred);
        let may = |c: usize| {
            self.bar_pairs.is_empty() || !self.protected(core, seat, core.kind_at(c), c as u16, history).has(cell)
        };
        let mut bearing = B::EMPTY;
        for class in &self.threats.classes[s] {
            bearing |= self.seen(&class.way, cell, self.kinds(core, &class.kinds) & mine, occupied);
        }
        if !self.bar_pairs.is_empty() {
            bearing = bearing.cells().filter(|c| may(*c)).fold(B::EMPTY, |s, c| s | B::bit(c));
        }
        for other in &self.threats.others {
            let t = self.type_of[other.kind as usize];
            if other.imitates || !other.victims[victim] || except >> t & 1 != 0 {
                continue;
            }
            for c in (mine & core.sets[other.kind as usize]).minus(bearing).cells() {
                let clause = &self.clauses[other.clause as usize];
                if self.takes_by(clause, core, seat, other.kind, c, cell, history) {
                    bearing |= B::bit(c);
                }
            }
        }
        let mut types = 0;
        for (kind, t) in &self.threats.steady {
            if (bearing & core.sets[*kind as usize]).any() {
                types |= t;
            }
        }
        let sees = match self.lending.others {
            0 => bearing | mine & self.lending.bare[s][cell],
            _ => mine,
        };
        for (kind, t) in &self.threats.imitators {
            if except >> t & 1 == 0 {
                for c in (sees & core.sets[*kind as usize]).cells().filter(|c| may(*c)) {
                    teachers.push(Teacher { learner, cell: c, kind: *kind, seat, bears: bearing.has(c), types: 0 });
                }
            }
        }
        types
    }

    /// The types a piece has at the moment, those aside that it learns from what bears on it: its own if it has moves of its own, and those it imitates.
    fn types_now(&self, core: &Core<B, K, M>, seat: u8, cell: usize, kind: u8, history: &History) -> u128 {
        let t = self.type_of[kind as usize];
        let mut types = 0;
        for c in &self.moves[t as usize] {
            let clause = &self.clauses[*c as usize];
            types |= match &clause.gen_ {
                Gen::Imitate { source: Source::Bearing { .. }, .. } => 0,
                Gen::Imitate { .. } if !clause.open && !self.applies(clause, core, seat, cell, history) => 0,
                Gen::Imitate { source: Source::LastMoved(who), except } => {
                    let at = At { viewer: seat, ..At::mover(core.side, history) };
                    self.last_moved(core, at.seat(*who), *except)
                }
                _ => 1 << t,
            };
        }
        types
    }

    /// Pieces that attack (enemies of the piece there) or defend (its friends) a cell of `of`.
    pub fn bearing(&self, core: &Core<B, K, M>, of: B, attacking: bool, defending: bool, at: &At) -> B {
        let mut found = B::EMPTY;
        for cell in of.cells() {
            let owner = core.piece(cell).map_or(at.viewer, |(owner, _)| owner);
            for seat in 0..2 {
                if if seat == owner { defending } else { attacking } {
                    found |= self.attackers(core, cell, seat, false, at.history);
                }
            }
        }
        found
    }

    /// What a player's last move is remembered as: the piece's type and the types it moved as, as far as some imitator takes them.
    pub fn note_last(&self, core: &mut Core<B, K, M>, seat: u8, piece: u8, types: u128) {
        let types = types & !self.unlearnable;
        if types == 0 || self.unlearnable >> piece & 1 != 0 {
            self.set_slot(core, self.layout.last_piece(seat), 0);
            self.set_slot(core, self.layout.last_as(seat), 0);
            return;
        }
        self.set_slot(core, self.layout.last_piece(seat), i32::from(piece) + 1);
        self.set_slot(core, self.layout.last_as(seat), types as u32 as i32);
    }

    /// The types that a move is remembered as: its own for a piece that has such a line of its own, and those from which it borrows one.
    pub fn moved_as(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        clause: u16,
        from: usize,
        to: usize,
        history: &History,
    ) -> u128 {
        let own = self.type_of[kind as usize];
        let lines = &self.moves[own as usize];
        let label = &self.game.clauses[clause as usize].label;
        let borrows = |c: &u16| matches!(self.clauses[*c as usize].gen_, Gen::Imitate { .. });
        if !lines.iter().any(borrows) {
            return 1 << own;
        }
        let mut types = 0;
        for line in lines.iter().map(|c| &self.clauses[*c as usize]) {
            let Gen::Imitate { source, except } = &line.gen_ else {
                let same = self.game.clauses[line.number as usize].label == *label;
                if same && self.targets(line, core, seat, kind, from, history).has(to) {
                    types |= 1 << own;
                }
                continue;
            };
            if !self.applies(line, core, seat, from, history) {
                continue;
            }
            let lent = self.lent(core, seat, from, line.number, *source, *except, history);
            let only = lines.len() == 1 && lent & lent.wrapping_sub(1) == 0;
            types |= bits(lent)
                .filter(|t| only || self.lends_move(line, label, core, 1 << t, seat, kind, from, to, history))
                .fold(0, |m, t| m | 1 << t);
        }
        types
    }

    /// Whether an imitating clause lends a move of a type to a cell, with this label if labels are told apart.
    fn lends_move(
        &self,
        line: &Clause<B>,
        label: &str,
        core: &Core<B, K, M>,
        types: u128,
        seat: u8,
        kind: u8,
        from: usize,
        to: usize,
        history: &History,
    ) -> bool {
        let at = At { viewer: seat, this: from as u16, origin: from as u16, ..At::mover(core.side, history) };
        let targets = match self.facts.borrows_apart {
            false => self.borrowed(core, types, seat, kind, from, history),
            true => bits(types)
                .flat_map(|t| &self.moves[t])
                .filter(|c| self.clauses[**c as usize].plain && self.game.clauses[**c as usize].label == label)
                .map(|c| self.targets(&self.clauses[*c as usize], core, seat, kind, from, history))
                .fold(B::EMPTY, |all, targets| all | targets),
        };
        self.narrowed(line, core, targets & B::bit(to), &at).any()
    }
}

/// The state with an enemy of `seat` supposed on a cell, of the kind of the piece there.
fn supposing<B: Bits, const K: usize, const M: usize>(core: &Core<B, K, M>, cell: usize, seat: u8) -> Core<B, K, M> {
    let mut trial = *core;
    trial.own.iter_mut().for_each(|own| *own = own.minus(B::bit(cell)));
    trial.own[1 - (seat as usize & 1)] |= B::bit(cell);
    trial
}

/// What a piece has learned by a clause from those that bear on it.
struct Lesson {
    /// Where it stands.
    cell: u16,
    clause: u16,
    types: u128,
    /// The clause's conditions hold, so that others learn it in turn.
    teaches: bool,
}

/// What pieces have learned.
type Learned = SmallVec<[Lesson; 8]>;

/// What the piece on a cell has learned by a clause.
fn known(learned: &Learned, cell: usize, clause: u16) -> u128 {
    learned.iter().find(|l| (l.cell as usize, l.clause) == (cell, clause)).map_or(0, |l| l.types)
}

/// An imitator that may bear on the cell of a learner.
struct Teacher {
    /// Which learner.
    learner: usize,
    /// Where the teacher stands.
    cell: usize,
    kind: u8,
    seat: u8,
    /// It bears by moves of its own.
    bears: bool,
    /// The types it has whatever it learns.
    types: u128,
}

/// The numbers of the bits that are set, ascending.
pub fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lowest)
    })
}
