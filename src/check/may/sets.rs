//! What may be in a set.

use super::cells::{Bits, cells_of};
use super::{NOBODY, OWNERS, Possible, ROLES, Scene};
use crate::ir::expr::{Role, Set, TurnSet, Who};
use crate::ir::piece::Facing;
use crate::ir::turn::Verb;
use crate::ir::{Cell, KindId};

/// Cells that may be members, and what may be on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct May {
    pub cells: Bits,
    pub(super) empty: bool,
    /// For each owner the kinds.
    pub(super) kinds: [u128; OWNERS],
    /// Whether the members are exactly those of the cells that have such contents.
    pub(super) exact: bool,
}

impl Possible<'_> {
    pub(super) fn top(&self) -> May {
        May { cells: self.all, empty: true, kinds: self.present, exact: false }
    }

    pub(super) fn none(&self) -> May {
        May { cells: Bits::NONE, empty: false, kinds: [0; OWNERS], exact: false }
    }

    /// Whether the set surely has no members.
    pub fn nothing(&self, may: &May) -> bool {
        if self.spent() {
            return false;
        }
        if may.cells.is_empty() {
            return true;
        }
        if may.empty {
            return false;
        }
        let seats = self.game.seats.len();
        !(0..=seats).any(|owner| {
            let kinds = may.kinds[if owner == seats { NOBODY } else { owner }];
            (0..self.game.kinds.len()).any(|k| {
                self.spend(1);
                kinds >> k & 1 != 0 && !self.at[owner][k].and(may.cells).is_empty()
            })
        })
    }

    /// The players that a word may mean.
    pub(super) fn who(&self, who: Who, scene: Scene) -> usize {
        let after = |s: usize| (s + 1) % self.game.seats.len();
        match who {
            Who::Me => scene.viewer,
            Who::Opponent => after(scene.viewer),
            Who::Mover => scene.mover,
            Who::Next => after(scene.mover),
            Who::Seat(s) => s as usize,
        }
    }

    pub(super) fn contents(&self, keep: impl Fn(usize) -> u128) -> May {
        let mut kinds = self.present;
        kinds.iter_mut().enumerate().for_each(|(owner, k)| *k &= keep(owner));
        May { cells: self.all, empty: false, kinds, exact: true }
    }

    pub(super) fn zoned(&self, cells: Bits) -> May {
        May { cells, exact: true, ..self.top() }
    }

    /// What may be in a set.
    pub fn set(&self, set: &Set, scene: Scene) -> May {
        self.spend(4);
        if self.spent() {
            return self.top();
        }
        match set {
            Set::Empty => May { empty: true, ..self.contents(|_| 0) },
            Set::Board => self.zoned(self.all),
            Set::Pieces => self.contents(|_| u128::MAX),
            Set::Of(who) => {
                let seat = self.who(*who, scene);
                self.contents(|owner| if owner == seat { u128::MAX } else { 0 })
            }
            Set::Enemies => self.contents(|o| if o == scene.viewer || o == NOBODY { 0 } else { u128::MAX }),
            Set::Kinds(kinds) => {
                let mask = kinds.iter().fold(0, |mask: u128, k| mask | 1 << k);
                self.contents(|_| mask)
            }
            Set::Zone(z) if self.blank(Some(*z)) => self.top(),
            Set::Zone(z) => self.zoned(self.zone(*z, scene.viewer)),
            Set::Cells(cells) => self.zoned(Bits::of(cells.iter().copied())),
            Set::Role(role) => match scene.roles.get(*role) {
                Some(piece) => {
                    let may = self.contents(|owner| if piece.owners >> owner & 1 != 0 { piece.kinds } else { 0 });
                    May { exact: false, ..may }
                }
                None => self.top(),
            },
            Set::Crossed | Set::Mark(_) | Set::Marker(_) => self.top(),
            Set::Neighbours { of, dirs } => {
                let of = self.set(of, scene);
                if self.nothing(&of) {
                    return self.none();
                }
                let mut cells = Bits::NONE;
                for c in cells_of(of.cells) {
                    dirs[scene.viewer].iter().filter_map(|d| self.game.board.next(c, *d)).for_each(|c| cells.insert(c));
                }
                self.spend(64 + of.cells.len() as u64 * 4);
                May { cells, ..self.top() }
            }
            Set::Turned(what) => {
                let (drops, moves) = (self.acts(&Verb::Drop), self.acts(&Verb::Move));
                let happens = match what {
                    TurnSet::Moved => moves,
                    TurnSet::Dropped => drops,
                    TurnSet::Shifted => self.shifts,
                    TurnSet::Flipped => self.flips,
                    TurnSet::Rotated => self.rotates,
                };
                if happens { self.top() } else { self.none() }
            }
            Set::Unmoved => May { exact: false, ..self.contents(|_| u128::MAX) },
            Set::Attacked(of) | Set::Surrounded(of) => May { exact: false, ..self.set(of, scene) },
            Set::Bearing { of, .. } => match self.nothing(&self.set(of, scene)) {
                true => self.none(),
                false => May { exact: false, ..self.contents(|_| u128::MAX) },
            },
            Set::First { from, what, .. } => {
                let (from, what) = (self.set(from, scene), self.set(what, scene).occupied());
                let none = self.nothing(&from) || self.nothing(&what);
                if none { self.none() } else { May { exact: false, ..what } }
            }
            Set::Runs { what, from, to, exactly, .. } => {
                let (what, from, to) = (self.set(what, scene), self.set(from, scene), self.set(to, scene));
                let long = exactly.is_some_and(|n| n > self.line);
                let none = long || self.nothing(&what) || self.nothing(&from) || self.nothing(&to);
                if none { self.none() } else { May { exact: false, ..what } }
            }
            Set::Union(parts) => {
                let mut parts = parts.iter().map(|p| self.set(p, scene)).filter(|m| !self.nothing(m));
                let Some(first) = parts.next() else { return self.none() };
                parts.fold(first, |a, b| {
                    let mut kinds = a.kinds;
                    kinds.iter_mut().zip(b.kinds).for_each(|(a, b)| *a |= b);
                    let alike = a.cells == b.cells || (a.empty, a.kinds) == (b.empty, b.kinds);
                    let exact = a.exact && b.exact && alike;
                    May { cells: a.cells.or(b.cells), empty: a.empty || b.empty, kinds, exact }
                })
            }
            Set::Intersect(parts) => parts.iter().map(|p| self.set(p, scene)).fold(self.zoned(self.all), May::and),
            Set::Minus(a, b) => {
                let (a, b) = (self.set(a, scene), self.set(b, scene));
                if b.exact && self.whatever(&b) {
                    May { cells: a.cells.with(b.cells, |a, b| a & !b), ..a }
                } else if b.exact && b.cells == self.all {
                    let mut kinds = a.kinds;
                    kinds.iter_mut().zip(b.kinds).for_each(|(a, b)| *a &= !b);
                    May { empty: a.empty && !b.empty, kinds, ..a }
                } else {
                    May { exact: false, ..a }
                }
            }
            Set::Where(of, cond) => {
                let of = self.set(of, scene);
                if self.cond(cond, scene.elsewhere()).yes { May { exact: false, ..of } } else { self.none() }
            }
            Set::SeenBy(who, of) => self.set(of, Scene { viewer: self.who(*who, scene), ..scene }),
        }
    }

    /// Whether cells belong to it whatever is on them.
    fn whatever(&self, may: &May) -> bool {
        may.empty && may.kinds == self.present
    }

    /// How many members the set surely has.
    pub(super) fn least(&self, set: &Set, scene: Scene) -> i64 {
        let found = self.set(set, scene);
        let cells = if found.exact && self.whatever(&found) { found.cells.len() } else { 0 };
        let known = ROLES.iter().any(|role| self.surely_in(*role, set, scene));
        cells.max(i64::from(known))
    }

    /// Whether a piece that surely stands on the board surely is in the set.
    pub(super) fn surely_in(&self, role: Role, set: &Set, scene: Scene) -> bool {
        self.spend(4);
        if scene.roles.get(role).is_none() || self.spent() {
            return false;
        }
        match set {
            Set::Role(other) => role == *other,
            Set::Union(parts) => parts.iter().any(|p| self.surely_in(role, p, scene)),
            Set::Intersect(parts) => parts.iter().all(|p| self.surely_in(role, p, scene)),
            Set::Minus(a, b) => {
                let apart = self.set(&Set::Role(role), scene).and(self.set(b, scene));
                self.surely_in(role, a, scene) && self.nothing(&apart)
            }
            Set::Neighbours { of, dirs } => {
                let back = |ways: u64| dirs[scene.viewer].iter().fold(ways, |left, d| left & !(1 << d)) == 0;
                role == Role::This && **of == Set::Role(Role::Here) && scene.back.is_some_and(back)
            }
            Set::SeenBy(who, of) => self.surely_in(role, of, Scene { viewer: self.who(*who, scene), ..scene }),
            _ => self.set(&Set::Role(role), scene).lies_in(&self.set(set, scene)),
        }
    }

    /// Whether the first piece on a ray may be what a line asks for.
    pub fn faces(&self, facing: Option<&Facing>, scene: Scene) -> bool {
        match facing {
            Some(Facing::Piece(set)) => !self.nothing(&self.set(set, scene).occupied()),
            Some(Facing::Nothing) | None => true,
        }
    }

    /// Whether a cell may be such a member.
    pub fn fits(&self, cell: Cell, may: &May) -> bool {
        let seats = self.game.seats.len();
        let stands = |owner: usize| {
            let kinds = may.kinds[if owner == seats { NOBODY } else { owner }];
            (0..self.game.kinds.len()).any(|k| kinds >> k & 1 != 0 && self.at[owner][k].has(cell))
        };
        may.cells.has(cell) && (may.empty || (0..=seats).any(stands))
    }

    /// Without the pieces that cannot be captured.
    pub fn capturable(&self, may: May) -> May {
        let all = 0..self.game.kinds.len() as KindId;
        let safe = all.filter(|k| self.game.type_of(*k).uncapturable).fold(0, |mask: u128, k| mask | 1 << k);
        May { kinds: may.kinds.map(|k| k & !safe), ..may }
    }
}

impl May {
    /// Only the cells with pieces.
    pub fn occupied(self) -> May {
        May { empty: false, ..self }
    }

    /// Members of both.
    pub fn and(self, other: May) -> May {
        let mut kinds = self.kinds;
        kinds.iter_mut().zip(other.kinds).for_each(|(a, b)| *a &= b);
        let cells = self.cells.and(other.cells);
        May { cells, empty: self.empty && other.empty, kinds, exact: self.exact && other.exact }
    }

    /// Whether all that may be here surely lies in the other.
    fn lies_in(&self, other: &May) -> bool {
        other.exact
            && self.cells.and(other.cells) == self.cells
            && (other.empty || !self.empty)
            && self.kinds.iter().zip(other.kinds).all(|(own, other)| own & !other == 0)
    }
}
