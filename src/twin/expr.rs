//! Sets of cells, conditions and numbers, each read afresh from the state whenever it is asked for.

use super::Twin;
use super::state::{Record, State};
use crate::ir::board::{DirId, Dirs};
use crate::ir::expr::{Cond, Num, Op, Role, Set, Who};
use crate::ir::rule::Whose;
use crate::ir::{Cell, KindId, Seat};
use std::collections::BTreeSet;

/// Under which circumstances something is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Env {
    /// Whose turn it is, in results whose turn just ended.
    pub mover: Seat,
    /// Inside a look at the turns that somebody would have: forbids that look ahead are skipped, and no second look is taken.
    pub ahead: bool,
    /// How many questions about attacks are being answered one inside the other.
    pub attacks: u8,
    /// The position as it stands is already among those counted for repetition.
    pub counted: bool,
}

/// How deep questions about attacks may nest before they are answered with no.
const ATTACKS: u8 = 1;

impl Env {
    /// The ordinary circumstances of a turn.
    pub fn turn(mover: Seat) -> Env {
        Env { mover, ahead: false, attacks: 0, counted: true }
    }
}

/// The cells that roles name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    pub this: Option<Cell>,
    pub here: Option<Cell>,
    pub origin: Option<Cell>,
    pub dir: Option<DirId>,
    pub attacker: Option<Record>,
    pub victim: Option<Record>,
}

/// A reader of programs: a state, a viewer and what roles mean.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub twin: &'a Twin,
    pub s: &'a State,
    pub env: Env,
    pub viewer: Seat,
    pub roles: Roles,
}

impl<'a> View<'a> {
    /// The seat of a player.
    pub fn who(&self, who: Who) -> Seat {
        match who {
            Who::Me => self.viewer,
            Who::Opponent => self.twin.game.next_seat(self.viewer),
            Who::Mover => self.env.mover,
            Who::Next => self.twin.game.next_seat(self.env.mover),
            Who::Seat(s) => s,
        }
    }

    fn seen_by(&self, who: Who) -> View<'a> {
        View { viewer: self.who(who), ..*self }
    }

    fn dirs<'d>(&self, dirs: &'d Dirs) -> &'d [DirId] {
        &dirs[self.viewer as usize]
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        0..self.s.board.len() as Cell
    }

    /// The cell of a role.
    pub fn role(&self, role: Role) -> Option<Cell> {
        match role {
            Role::This => self.roles.this,
            Role::Here => self.roles.here,
            Role::Origin => self.roles.origin,
            Role::Attacker => self.roles.attacker.and_then(|r| self.s.find(r.piece.id)),
            Role::Victim => self.roles.victim.map(|r| r.cell),
        }
    }

    /// The kind in a role's record.
    fn record(&self, role: Role) -> Option<KindId> {
        match role {
            Role::This | Role::Here | Role::Origin => self.role(role).and_then(|c| self.s.at(c)).map(|p| p.kind),
            Role::Attacker => self.roles.attacker.map(|r| r.piece.kind),
            Role::Victim => self.roles.victim.map(|r| r.piece.kind),
        }
    }

    /// The type that a role's record had before promotion.
    pub fn original(&self, role: Role) -> Option<crate::ir::TypeId> {
        self.record(role).map(|k| self.twin.game.kinds[k as usize].original)
    }

    /// Whether a cell is in a set.
    pub fn contains(&self, set: &Set, c: Cell) -> bool {
        let piece = self.s.at(c);
        match set {
            Set::Empty => piece.is_none(),
            Set::Board => true,
            Set::Pieces => piece.is_some(),
            Set::Of(who) => piece.is_some_and(|p| p.owner == Some(self.who(*who))),
            Set::Enemies => piece.is_some_and(|p| p.owner.is_some_and(|o| o != self.viewer)),
            Set::Kinds(kinds) => piece.is_some_and(|p| kinds.contains(&p.kind)),
            Set::Zone(z) => self.twin.game.zones[*z as usize].cells[self.viewer as usize].contains(&c),
            Set::Cells(cells) => cells.contains(&c),
            Set::Role(role) => self.role(*role) == Some(c),
            Set::Mark(m) => self.s.marks[*m as usize].cells.contains_key(&c),
            Set::Turned(what) => piece.is_some_and(|p| self.s.happened(p.id, *what)),
            Set::Unmoved => piece.is_some_and(|p| p.unmoved),
            Set::Union(sets) => sets.iter().any(|s| self.contains(s, c)),
            Set::Intersect(sets) => sets.iter().all(|s| self.contains(s, c)),
            Set::Minus(a, b) => self.contains(a, c) && !self.contains(b, c),
            Set::Where(of, cond) => {
                let there = View { roles: Roles { here: Some(c), ..self.roles }, ..*self };
                self.contains(of, c) && there.holds(cond)
            }
            Set::SeenBy(who, of) => self.seen_by(*who).contains(of, c),
            Set::Attacked(of) => self.contains(of, c) && self.attacked(c),
            Set::Surrounded(of) => self.contains(of, c) && self.surrounded(c),
            Set::Neighbours { .. }
            | Set::Crossed
            | Set::Marker(_)
            | Set::Bearing { .. }
            | Set::First { .. }
            | Set::Runs { .. } => self.members(set).contains(&c),
        }
    }

    /// The cells of a set.
    pub fn members(&self, set: &Set) -> BTreeSet<Cell> {
        match set {
            Set::Empty
            | Set::Board
            | Set::Pieces
            | Set::Of(_)
            | Set::Enemies
            | Set::Kinds(_)
            | Set::Zone(_)
            | Set::Cells(_)
            | Set::Role(_)
            | Set::Mark(_)
            | Set::Turned(_)
            | Set::Unmoved => self.cells().filter(|c| self.contains(set, *c)).collect(),
            Set::Union(sets) => sets.iter().flat_map(|s| self.members(s)).collect(),
            Set::Intersect(sets) => {
                let all: Vec<BTreeSet<Cell>> = sets.iter().map(|s| self.members(s)).collect();
                self.cells().filter(|c| all.iter().all(|s| s.contains(c))).collect()
            }
            Set::Minus(a, b) => {
                let without = self.members(b);
                self.members(a).into_iter().filter(|c| !without.contains(c)).collect()
            }
            Set::Where(of, cond) => {
                let at = |c: Cell| View { roles: Roles { here: Some(c), ..self.roles }, ..*self };
                self.members(of).into_iter().filter(|c| at(*c).holds(cond)).collect()
            }
            Set::SeenBy(who, of) => self.seen_by(*who).members(of),
            Set::Attacked(of) => self.members(of).into_iter().filter(|c| self.attacked(*c)).collect(),
            Set::Surrounded(of) => self.members(of).into_iter().filter(|c| self.surrounded(*c)).collect(),
            Set::Neighbours { of, dirs } => {
                let mut out = BTreeSet::new();
                for c in self.members(of) {
                    out.extend(self.dirs(dirs).iter().filter_map(|d| self.twin.game.board.next(c, *d)));
                }
                out
            }
            Set::Crossed => match (self.roles.origin, self.roles.dir, self.roles.here) {
                (Some(from), Some(dir), Some(to)) => self.twin.between(from, dir, to).into_iter().collect(),
                _ => BTreeSet::new(),
            },
            Set::Marker(m) => {
                let mark = &self.s.marks[*m as usize];
                let bears = self.roles.here.is_some_and(|c| mark.cells.contains_key(&c));
                mark.marker.filter(|_| bears).and_then(|id| self.s.find(id)).into_iter().collect()
            }
            Set::Bearing { of, attacking, defending } => {
                let mut out = BTreeSet::new();
                for c in self.members(of) {
                    out.extend(self.bearing(c, *attacking, *defending));
                }
                out
            }
            Set::First { from, what, dirs } => {
                let mut out = BTreeSet::new();
                for c in self.members(from) {
                    for d in self.dirs(dirs) {
                        let first = self.twin.ray(c, *d).into_iter().find(|x| self.s.at(*x).is_some());
                        out.extend(first.filter(|x| self.contains(what, *x)));
                    }
                }
                out
            }
            Set::Runs { what, from, to, dirs, exactly } => {
                let (what, to) = (self.members(what), self.members(to));
                let mut out = BTreeSet::new();
                for c in self.members(from) {
                    for d in self.dirs(dirs) {
                        let ray = self.twin.ray(c, *d);
                        let run: Vec<Cell> = ray.iter().copied().take_while(|x| what.contains(x)).collect();
                        let followed = ray.get(run.len()).is_some_and(|x| to.contains(x));
                        if followed && exactly.is_none_or(|n| run.len() as i64 == i64::from(n)) {
                            out.extend(run);
                        }
                    }
                }
                out
            }
        }
    }

    /// Whether what stands on the cell is attacked by a player other than its owner, or, if it is empty, other than the viewer.
    fn attacked(&self, c: Cell) -> bool {
        !self.bearing(c, true, false).is_empty()
    }

    /// Pieces that attack or defend a cell.
    fn bearing(&self, c: Cell, attacking: bool, defending: bool) -> BTreeSet<Cell> {
        if self.env.attacks >= ATTACKS {
            return BTreeSet::new();
        }
        let env = Env { attacks: self.env.attacks + 1, ..self.env };
        let lent = self.twin.lent(env, self.s);
        self.twin.bearing(env, self.s, &lent, c, self.viewer, (attacking, defending))
    }

    /// Whether the group of the piece on this cell has no empty neighbour.
    fn surrounded(&self, c: Cell) -> bool {
        let Some(piece) = self.s.at(c) else {
            return false;
        };
        let mut group = BTreeSet::from([c]);
        let mut todo = vec![c];
        while let Some(x) = todo.pop() {
            for d in &self.twin.game.board.orthogonal {
                let Some(y) = self.twin.game.board.next(x, *d) else {
                    continue;
                };
                match self.s.at(y) {
                    None => return false,
                    Some(p) if p.owner == piece.owner && group.insert(y) => todo.push(y),
                    Some(_) => {}
                }
            }
        }
        true
    }

    /// Whether a condition holds.
    pub fn holds(&self, cond: &Cond) -> bool {
        match cond {
            Cond::Const(b) => *b,
            Cond::All(all) => all.iter().all(|c| self.holds(c)),
            Cond::Any(any) => any.iter().any(|c| self.holds(c)),
            Cond::Not(c) => !self.holds(c),
            Cond::Some(set) => !self.members(set).is_empty(),
            Cond::Within(a, b) => {
                let a = self.members(a);
                !a.is_empty() && a.iter().all(|c| self.contains(b, *c))
            }
            Cond::RoleIs(role, kinds) => self.record(*role).is_some_and(|k| kinds.contains(&k)),
            Cond::Compare(a, op, b) => {
                let (a, b) = (self.number(a), self.number(b));
                match op {
                    Op::Eq => a == b,
                    Op::Lt => a < b,
                    Op::Le => a <= b,
                    Op::Gt => a > b,
                    Op::Ge => a >= b,
                }
            }
            Cond::Odd(n) => self.number(n).rem_euclid(2) == 1,
            Cond::Line { count, exactly, of, through } => self.line(*count, *exactly, of, through.as_ref()),
            Cond::Connects { of, from, to, dirs } => {
                let (of, to) = (self.members(of), self.members(to));
                let mut reached: BTreeSet<Cell> = self.members(from).intersection(&of).copied().collect();
                let mut todo: Vec<Cell> = reached.iter().copied().collect();
                while let Some(c) = todo.pop() {
                    for d in self.dirs(dirs) {
                        let Some(x) = self.twin.game.board.next(c, *d) else {
                            continue;
                        };
                        if of.contains(&x) && reached.insert(x) {
                            todo.push(x);
                        }
                    }
                }
                reached.iter().any(|c| to.contains(c))
            }
            Cond::InCheck(who) => self.in_check(self.who(*who)),
            Cond::Stuck(who) => self.stuck(self.who(*who)),
            Cond::Checkmate => {
                let next = self.who(Who::Next);
                self.in_check(next) && self.stuck(next)
            }
            Cond::Stalemate => {
                let next = self.who(Who::Next);
                !self.asked() && !self.in_check(next) && self.stuck(next)
            }
            Cond::Can(who, verb) => !self.asked() && self.twin.can(self.env, self.s, self.who(*who), verb),
            Cond::Occurs { times, board_only } => self.occurrences(*board_only) >= i64::from(*times),
            Cond::Quiet { quiet, turns } => self.s.quiets[*quiet as usize] >= self.number(turns),
            Cond::AllPass => self.s.passes as usize >= self.twin.game.seats.len(),
            Cond::Latch(l, who) => self.s.latches[*l as usize][self.who(*who) as usize],
            Cond::SeenBy(who, c) => self.seen_by(*who).holds(c),
            Cond::AnyPlayer(c) => {
                self.twin.mover_first(self.env.mover).into_iter().any(|viewer| View { viewer, ..*self }.holds(c))
            }
        }
    }

    /// Whether a royal of this player is attacked by another player.
    fn in_check(&self, seat: Seat) -> bool {
        self.cells().any(|c| {
            self.s.at(c).is_some_and(|p| p.owner == Some(seat) && self.twin.game.type_of(p.kind).royal)
                && self.attacked(c)
        })
    }

    /// Whether turns or attacks are being found for an answer: then look-ahead is answered with no.
    fn asked(&self) -> bool {
        self.env.ahead || self.env.attacks > 0
    }

    fn stuck(&self, seat: Seat) -> bool {
        !self.asked() && self.twin.stuck(self.env, self.s, seat)
    }

    fn line(&self, count: i32, exactly: bool, of: &Set, through: Option<&Set>) -> bool {
        let board = &self.twin.game.board;
        let of = self.members(of);
        let through = through.map(|t| self.members(t));
        let Ok(count) = usize::try_from(count) else {
            return false;
        };
        for &start in &of {
            for (d, dir) in board.dirs.iter().enumerate() {
                if dir.opposite < d as DirId {
                    continue;
                }
                let mut window = vec![start];
                window.extend(self.twin.ray(start, d as DirId).into_iter().take(count.saturating_sub(1)));
                if window.len() != count || !window.iter().all(|c| of.contains(c)) {
                    continue;
                }
                let before = board.next(start, dir.opposite);
                let after = window.last().and_then(|c| board.next(*c, d as DirId));
                if exactly && (before.is_some_and(|c| of.contains(&c)) || after.is_some_and(|c| of.contains(&c))) {
                    continue;
                }
                if through.as_ref().is_none_or(|t| window.iter().any(|c| t.contains(c))) {
                    return true;
                }
            }
        }
        false
    }

    /// How often the position has occurred, this time included.
    fn occurrences(&self, board_only: bool) -> i64 {
        let history = &self.s.history;
        let now = if self.env.counted {
            history.last().cloned()
        } else {
            // The board just reached, as it will be when the turn ends here.
            let mut s = self.s.clone();
            self.twin.forget_unmoved(&mut s);
            let ended = s.seat != self.env.mover;
            let turn = if ended { s.turn } else { s.turn.saturating_add(1) };
            Some(s.key(&self.twin.game, self.who(Who::Next), turn))
        };
        let Some(now) = now else { return 0 };
        let same = history.iter().filter(|k| if board_only { k.cells == now.cells } else { **k == now }).count();
        same as i64 + i64::from(!self.env.counted)
    }

    /// A number.
    pub fn number(&self, num: &Num) -> i32 {
        let game = &self.twin.game;
        match num {
            Num::Const(n) => *n,
            Num::Count(set) => self.members(set).len() as i32,
            Num::Worth(set) => {
                let pieces = self.members(set).into_iter().filter_map(|c| self.s.at(c));
                pieces.fold(0i32, |sum, p| sum.saturating_add(game.type_of(p.kind).worth))
            }
            Num::WorthOf(role) => self.record(*role).map_or(0, |k| game.type_of(k).worth),
            Num::Odd(n) => self.number(n).rem_euclid(2),
            Num::Counter(n, who) => {
                let seat = if game.counters[*n as usize].each { self.who(*who) } else { 0 };
                self.s.counters[*n as usize][seat as usize]
            }
            Num::Hand(who, types) => {
                let seat = self.who(*who);
                types.iter().fold(0i32, |sum, t| sum.saturating_add(self.s.held(seat, *t) as i32))
            }
            Num::Tally(t, who) => {
                let (tally, seat) = (&game.tallies[*t as usize], self.who(*who));
                let counted = self.s.now.events.iter().filter(|h| {
                    let kind = tally.kinds.as_ref().is_none_or(|k| k.contains(&h.kind));
                    let whose = match tally.whose {
                        Whose::Anyone => true,
                        Whose::Mine => h.owner == Some(seat),
                        Whose::Enemies => h.owner.is_some_and(|o| o != seat),
                    };
                    h.event == tally.event && kind && whose
                });
                counted.count() as i32
            }
            Num::TurnNumber => self.s.turn,
            Num::Add(a, b) => self.number(a).saturating_add(self.number(b)),
            Num::Sub(a, b) => self.number(a).saturating_sub(self.number(b)),
            Num::Mul(a, b) => self.number(a).saturating_mul(self.number(b)),
            Num::SeenBy(who, n) => self.seen_by(*who).number(n),
        }
    }
}

impl Twin {
    /// The cells after `c` in a direction, up to the edge (or to itself, where the board closes).
    pub(super) fn ray(&self, c: Cell, d: DirId) -> Vec<Cell> {
        let mut out = Vec::new();
        let mut at = c;
        while let Some(next) = self.game.board.next(at, d) {
            if next == c || out.contains(&next) {
                break;
            }
            out.push(next);
            at = next;
        }
        out
    }

    /// The first direction in which a cell lies from another.
    pub(super) fn way(&self, from: Cell, to: Cell) -> Option<DirId> {
        (0..self.game.board.dirs.len() as DirId).find(|d| self.ray(from, *d).contains(&to))
    }

    /// The cells strictly between two cells on a line.
    pub(super) fn between(&self, from: Cell, d: DirId, to: Cell) -> Vec<Cell> {
        self.ray(from, d).into_iter().take_while(|c| *c != to).collect()
    }

    /// The seats, this one first, the others in seat order.
    pub(super) fn mover_first(&self, mover: Seat) -> Vec<Seat> {
        let mut seats = vec![mover];
        seats.extend((0..self.game.seats.len() as Seat).filter(|s| *s != mover));
        seats
    }
}
