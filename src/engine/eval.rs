//! Sets, conditions and numbers, evaluated on a state.

use super::bits::Bits;
use super::core::{Core, NEUTRAL};
use super::geometry::{NONE, NOWHERE};
use super::program::{C, N, S};
use super::rules::Rules;
use super::verbs::Verbs;
use crate::ir::expr::{Role, Who};
use crate::ir::rule::Whose;

/// The keys of earlier positions at the ends of turns: of the whole position, and of the board alone.
pub type History = [(u64, u64)];

/// A record of a piece that may be gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its kind.
    pub kind: u8,
    /// Its owner index.
    pub owner: u8,
    /// Where it stood, or [`NONE`] if there is no such piece.
    pub cell: u16,
}

impl Record {
    /// No piece.
    pub const NONE: Record = Record { kind: 0, owner: NEUTRAL, cell: NONE };

    fn exists(self) -> bool {
        self.cell != NONE
    }
}

/// Where and for whom a phrase is evaluated.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// Who sees.
    pub viewer: u8,
    /// Whose turn it is or was.
    pub mover: u8,
    /// Roles.
    pub this: u16,
    /// Target.
    pub here: u16,
    /// Cell left.
    pub origin: u16,
    /// In which direction, where several can lead from cell to cell.
    pub dir: u8,
    /// Capturing piece.
    pub attacker: Record,
    /// Captured piece.
    pub victim: Record,
    /// Earlier positions.
    pub history: &'a History,
    /// The present position is the last of the history.
    pub counted: bool,
}

impl<'a> At<'a> {
    /// Seen by the mover, without roles.
    pub fn mover(mover: u8, history: &'a History) -> At<'a> {
        At {
            viewer: mover,
            mover,
            this: NONE,
            here: NONE,
            origin: NONE,
            dir: NOWHERE,
            attacker: Record::NONE,
            victim: Record::NONE,
            history,
            counted: false,
        }
    }

    /// The seat a word names.
    #[inline]
    pub fn seat(&self, who: Who) -> u8 {
        match who {
            Who::Me => self.viewer,
            Who::Opponent => 1 - (self.viewer & 1),
            Who::Mover => self.mover,
            Who::Next => 1 - (self.mover & 1),
            Who::Seat(s) => s,
        }
    }

    fn seen_by(&self, viewer: u8) -> At<'a> {
        At { viewer, ..*self }
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// The pieces of these kinds.
    #[inline]
    pub fn kinds(&self, core: &Core<B, K, M>, kinds: &[u8]) -> B {
        kinds.iter().fold(B::EMPTY, |s, k| s | core.sets[*k as usize])
    }

    fn role(&self, core: &Core<B, K, M>, role: Role, at: &At) -> B {
        let cell = match role {
            Role::Here => at.here,
            Role::Origin => at.origin,
            Role::Victim => at.victim.cell,
            Role::This => at.this,
            Role::Attacker if at.attacker.exists() => at.this,
            Role::Attacker => NONE,
        };
        if cell == NONE {
            return B::EMPTY;
        }
        let bit = B::bit(cell as usize);
        match role {
            Role::This | Role::Attacker => bit & core.occupied(),
            Role::Here | Role::Origin | Role::Victim => bit,
        }
    }

    /// The pieces that belong to a player other than the viewer.
    #[inline]
    pub fn enemies(&self, core: &Core<B, K, M>, viewer: u8) -> B {
        core.own[1 - (viewer & 1) as usize]
    }

    /// A set, of which the commonest kind is made in place.
    #[inline(always)]
    fn quick_set(&self, set: &S<B>, core: &Core<B, K, M>, at: &At) -> B {
        match set {
            S::Stock { of, kinds, on } => self.stock(*of, kinds, on, core, at),
            S::Kinds(kinds) => self.kinds(core, kinds),
            S::Of(who) => core.own[at.seat(*who) as usize],
            _ => self.set(set, core, at),
        }
    }

    #[inline(always)]
    fn stock(&self, of: Option<Who>, kinds: &[u8], on: &[B; 2], core: &Core<B, K, M>, at: &At) -> B {
        let mut set = on[(at.viewer & 1) as usize];
        if let Some(who) = of {
            set &= core.own[at.seat(who) as usize % 3];
        }
        if !kinds.is_empty() {
            set &= self.kinds(core, kinds);
        }
        set
    }

    /// A set.
    #[inline]
    pub fn set(&self, set: &S<B>, core: &Core<B, K, M>, at: &At) -> B {
        match set {
            S::Stock { of, kinds, on } => self.stock(*of, kinds, on, core, at),
            S::Empty => self.geo.all.minus(core.occupied()),
            S::Pieces => core.occupied(),
            S::Of(who) => core.own[at.seat(*who) as usize],
            S::Enemies => self.enemies(core, at.viewer),
            S::Kinds(kinds) => self.kinds(core, kinds),
            S::Const(sets) => sets[(at.viewer & 1) as usize],
            S::Turned(index) => core.sets[*index],
            S::Unmoved => core.unmoved,
            _ => self.set_of_parts(set, core, at),
        }
    }

    /// A set that is made from others.
    #[inline(never)]
    fn set_of_parts(&self, set: &S<B>, core: &Core<B, K, M>, at: &At) -> B {
        match set {
            S::Stock { .. }
            | S::Empty
            | S::Pieces
            | S::Of(_)
            | S::Enemies
            | S::Kinds(_)
            | S::Const(_)
            | S::Turned(_)
            | S::Unmoved => self.set(set, core, at),
            S::Role(role) => self.role(core, *role, at),
            S::Neighbours(of, dirs) => self.geo.neighbours(self.set(of, core, at), &dirs[at.viewer as usize & 1]),
            S::Crossed if at.origin == NONE || at.here == NONE => B::EMPTY,
            S::Crossed => self.geo.between_by(at.dir, at.origin as usize, at.here as usize),
            S::Mark(first, count) => (*first..first + count).fold(B::EMPTY, |s, l| s | core.sets[l]),
            S::Marker(mark) => self.marker(core, *mark, at.here),
            S::Attacked(of) => {
                let of = self.set(of, core, at);
                of.cells().filter(|c| self.is_attacked(core, *c, at)).fold(B::EMPTY, |s, c| s | B::bit(c))
            }
            S::Bearing { of, attacking, defending } => {
                let of = self.set(of, core, at);
                self.bearing(core, of, *attacking, *defending, at)
            }
            S::First { from, what, dirs, every } => {
                let (from, what) = (self.set(from, core, at), self.set(what, core, at));
                let occupied = core.occupied();
                let mut found = B::EMPTY;
                if *every {
                    let seen = from.cells().fold(B::EMPTY, |s, c| s | self.geo.slides(&self.geo.stars, c, occupied));
                    return seen & occupied & what;
                }
                for c in from.cells() {
                    for d in &dirs[at.viewer as usize & 1] {
                        if let Some(hit) = self.geo.first(c, *d, occupied) {
                            found |= B::bit(hit) & what;
                        }
                    }
                }
                found
            }
            S::Runs { what, from, to, dirs, exactly } => {
                let (what, from, to) = (self.set(what, core, at), self.set(from, core, at), self.set(to, core, at));
                let to = to.minus(what);
                self.geo.runs(what, from, to, &dirs[at.viewer as usize & 1], *exactly)
            }
            S::RunStarts { what, to, dirs } => {
                let (what, to) = (self.set(what, core, at), self.set(to, core, at));
                self.geo.run_starts(what, to.minus(what), &dirs[at.viewer as usize & 1])
            }
            S::Surrounded(of) => self.surrounded(core, self.set(of, core, at)),
            S::Union(parts) => parts.iter().fold(B::EMPTY, |s, p| s | self.set(p, core, at)),
            S::Intersect(parts) => {
                let mut all = self.geo.all;
                for part in parts {
                    all &= self.set(part, core, at);
                    if all.is_empty() {
                        break;
                    }
                }
                all
            }
            S::Minus(a, b) => self.set(a, core, at).minus(self.set(b, core, at)),
            S::Where(a, c) => {
                let a = self.set(a, core, at);
                a.cells()
                    .filter(|cell| self.holds(c, core, &At { here: *cell as u16, ..*at }))
                    .fold(B::EMPTY, |s, cell| s | B::bit(cell))
            }
            S::SeenBy(who, a) => self.set(a, core, &at.seen_by(at.seat(*who))),
            S::AllIf(c) => {
                if self.holds(c, core, at) {
                    self.geo.all
                } else {
                    B::EMPTY
                }
            }
        }
    }

    fn marker(&self, core: &Core<B, K, M>, mark: usize, here: u16) -> B {
        let (first, count) = self.layout.layers[mark];
        let marked = (first..first + count).any(|l| here != NONE && core.sets[l].has(here as usize));
        match core.slots[self.layout.marker(mark)] {
            cell if marked && cell > 0 => B::bit(cell as usize - 1) & core.occupied(),
            _ => B::EMPTY,
        }
    }

    fn surrounded(&self, core: &Core<B, K, M>, of: B) -> B {
        let empty = self.geo.all.minus(core.occupied());
        let mut left = of;
        let mut found = B::EMPTY;
        while left.any() {
            let seed = left.first();
            let group = self.geo.flood(B::bit(seed), core.own[core.owner_at(seed) as usize], &self.geo.orthogonal);
            if (self.geo.neighbours(group, &self.geo.orthogonal) & empty).is_empty() {
                found |= group & of;
            }
            left = left.minus(group | B::bit(seed));
        }
        found
    }

    /// A condition.
    #[inline]
    pub fn holds(&self, cond: &C<B>, core: &Core<B, K, M>, at: &At) -> bool {
        match cond {
            C::All(parts) => parts.iter().all(|p| self.holds_alone(p, core, at)),
            C::Any(parts) => parts.iter().any(|p| self.holds_alone(p, core, at)),
            _ => self.holds_alone(cond, core, at),
        }
    }

    /// A condition, of which the commonest kinds are decided in place.
    #[inline(never)]
    pub fn holds_alone(&self, cond: &C<B>, core: &Core<B, K, M>, at: &At) -> bool {
        match cond {
            C::Const(b) => *b,
            C::Some(s) => self.quick_set(s, core, at).any(),
            C::None(s) => self.quick_set(s, core, at).is_empty(),
            C::Single(s) => {
                let set = self.quick_set(s, core, at);
                set.is_empty() || set.rest().is_empty()
            }
            C::Others(kinds) => core.occupied().minus(self.kinds(core, kinds)).any(),
            C::NoOthers(kinds) => core.occupied().minus(self.kinds(core, kinds)).is_empty(),
            C::Counted(slots) => slots.iter().any(|slot| core.slots[*slot] != 0),
            C::AllPass => core.slots[self.layout.passes()] >= 2,
            C::Latch(latch, who) => core.slots[self.layout.latch(*latch, at.seat(*who))] != 0,
            C::Quiet { slot, turns: N::Const(n) } => core.slots[*slot] >= *n,
            C::Can(who, verb) => self.can_now(*who, *verb, core, at),
            C::Cannot(who, verb) => !self.can_now(*who, *verb, core, at),
            C::All(_) | C::Any(_) | C::Not(_) | C::Compare(..) | C::Quiet { .. } => self.holds_by_parts(cond, core, at),
            C::Occurs { times, board_only } => self.occurs(*times, *board_only, core, at),
            _ => self.holds_by_search(cond, core, at),
        }
    }

    /// Whether a player can do something, asked outside of such a question and of one about attacks.
    #[inline(never)]
    fn can_now(&self, who: Who, verb: Verbs, core: &Core<B, K, M>, at: &At) -> bool {
        !core.ahead && !core.asking && self.can(core, at.seat(who), verb, at)
    }

    /// Whether the position has occurred so often, this time included.
    #[inline(never)]
    pub(super) fn occurs(&self, times: i32, board_only: bool, core: &Core<B, K, M>, at: &At) -> bool {
        // within a turn the position is the one the turn would leave
        let needed = if at.counted { times } else { times - 1 };
        let past = core.past(at.counted).min(at.history.len());
        // where seats alternate, every second position has the same player to move
        let stride = if self.facts.alternates && !board_only { 2 } else { 1 };
        if needed <= 0 || past <= (needed as usize - 1) * stride {
            return needed <= 0;
        }
        let key = match at.history.last() {
            Some((key, _)) if at.counted => *key,
            _ => self.key_with_side(core, if at.counted { core.side } else { 1 - (core.side & 1) }),
        };
        let mut found = 0;
        let first = usize::from(!at.counted && stride == 2);
        for (k, b) in at.history[at.history.len() - past..].iter().rev().skip(first).step_by(stride) {
            found += i32::from(if board_only { *b == core.board_hash } else { *k == key });
        }
        found >= needed
    }

    /// A condition that is made from others, or compares numbers.
    #[inline(never)]
    fn holds_by_parts(&self, cond: &C<B>, core: &Core<B, K, M>, at: &At) -> bool {
        match cond {
            C::All(parts) => parts.iter().all(|p| self.holds(p, core, at)),
            C::Any(parts) => parts.iter().any(|p| self.holds_alone(p, core, at)),
            C::Not(c) => !self.holds(c, core, at),
            C::Quiet { slot, turns } => core.slots[*slot] >= self.number(turns, core, at),
            C::Compare(a, op, b) => {
                let (a, b) = (self.number(a, core, at), self.number(b, core, at));
                op.holds(a, b)
            }
            _ => self.holds(cond, core, at),
        }
    }

    /// A condition that takes more than a few operations.
    #[inline(never)]
    fn holds_by_search(&self, cond: &C<B>, core: &Core<B, K, M>, at: &At) -> bool {
        match cond {
            C::Const(_)
            | C::Some(_)
            | C::None(_)
            | C::Single(_)
            | C::Others(_)
            | C::NoOthers(_)
            | C::Counted(_)
            | C::AllPass
            | C::Latch(..)
            | C::Can(..)
            | C::Cannot(..)
            | C::Occurs { .. } => self.holds(cond, core, at),
            C::All(_) | C::Any(_) | C::Not(_) | C::Compare(..) | C::Quiet { .. } => self.holds_by_parts(cond, core, at),
            C::Within(a, b) => {
                let a = self.set(a, core, at);
                a.any() && a.minus(self.set(b, core, at)).is_empty()
            }
            C::RoleIs(role, kinds) => {
                let record = self.record(core, *role, at);
                record.exists() && kinds.contains(&record.kind)
            }
            C::Odd(n) => self.number(n, core, at).rem_euclid(2) == 1,
            C::Line { count, exactly, of, through } => {
                let through = through.as_ref().map(|t| self.set(t, core, at));
                if through.is_some_and(|t| t.is_empty()) {
                    return false;
                }
                // a row must contain the cell, and the cells of one row are cells of the set
                self.geo.has_row(self.set(of, core, at), *count, *exactly, through.unwrap_or(self.geo.all))
            }
            C::Connects { of, from, to, dirs } => {
                let (from, to) = (self.set(from, core, at), self.set(to, core, at));
                self.geo.joins(self.set(of, core, at), from, to, &dirs[at.viewer as usize & 1])
            }
            C::InCheck(who) => self.in_check(core, at.seat(*who), at.history),
            C::Stuck(_) | C::Checkmate | C::Stalemate if core.ahead || core.asking => false,
            C::Stuck(who) => self.is_stuck(core, at.seat(*who), at),
            C::Checkmate => {
                let next = at.seat(Who::Next);
                self.in_check(core, next, at.history) && self.is_stuck(core, next, at)
            }
            C::Stalemate => {
                let next = at.seat(Who::Next);
                !self.in_check(core, next, at.history) && self.is_stuck(core, next, at)
            }
            C::SeenBy(who, c) => self.holds(c, core, &at.seen_by(at.seat(*who))),
            C::AnyPlayer(c) => {
                self.holds(c, core, &at.seen_by(at.mover)) || self.holds(c, core, &at.seen_by(at.seat(Who::Next)))
            }
        }
    }

    /// The record of a role: of a piece that stands, or of one that is remembered.
    fn record(&self, core: &Core<B, K, M>, role: Role, at: &At) -> Record {
        match role {
            Role::Attacker => at.attacker,
            Role::Victim => at.victim,
            Role::This | Role::Here | Role::Origin => {
                let cell = match role {
                    Role::This => at.this,
                    Role::Here => at.here,
                    _ => at.origin,
                };
                match core.piece(cell as usize) {
                    Some((owner, kind)) if cell != NONE => Record { kind, owner, cell },
                    _ => Record::NONE,
                }
            }
        }
    }

    /// A number.
    #[inline]
    pub fn number(&self, number: &N<B>, core: &Core<B, K, M>, at: &At) -> i32 {
        match number {
            N::Const(n) => *n,
            N::Count(s) => self.set(s, core, at).count() as i32,
            N::TurnNumber => core.turn as i32,
            _ => self.number_of_parts(number, core, at),
        }
    }

    /// A number that is made from others, or looked up.
    #[inline(never)]
    fn number_of_parts(&self, number: &N<B>, core: &Core<B, K, M>, at: &At) -> i32 {
        match number {
            N::Const(_) | N::Count(_) | N::TurnNumber => self.number(number, core, at),
            N::Worth(s) => {
                let set = self.set(s, core, at) & core.occupied();
                set.cells().fold(0, |sum, c| sum.saturating_add(self.worth[core.kind_at(c) as usize]))
            }
            N::WorthOf(role) => {
                let record = self.record(core, *role, at);
                if record.exists() { self.worth[record.kind as usize] } else { 0 }
            }
            N::Odd(n) => self.number(n, core, at).rem_euclid(2),
            N::Counter(counter, each, who) => {
                let seat = if *each { at.seat(*who) } else { 0 };
                core.slots[self.layout.counter(*counter, seat)]
            }
            N::Hand(who, types) => {
                let seat = at.seat(*who);
                types.iter().filter_map(|t| self.layout.hand(seat, *t)).map(|slot| core.slots[slot]).sum()
            }
            N::Tally(tally, whose, who) => {
                let seat = at.seat(*who);
                let of = |s: u8| core.slots[self.layout.tally(*tally, s)];
                match whose {
                    Whose::Anyone => self.layout.tallies_of(*tally).map(|slot| core.slots[slot]).sum(),
                    Whose::Mine => of(seat),
                    Whose::Enemies => of(1 - (seat & 1)),
                }
            }
            N::Add(a, b) => self.number(a, core, at).saturating_add(self.number(b, core, at)),
            N::Sub(a, b) => self.number(a, core, at).saturating_sub(self.number(b, core, at)),
            N::Mul(a, b) => self.number(a, core, at).saturating_mul(self.number(b, core, at)),
            N::SeenBy(who, n) => self.number(n, core, &at.seen_by(at.seat(*who))),
        }
    }
}
