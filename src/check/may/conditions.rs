//! Whether conditions may hold.

use super::numbers::{ANY, MANY, Range, compare};
use super::{Possible, Scene};
use crate::ir::TypeId;
use crate::ir::expr::{Cond, Num, Op, Role, Set};
use crate::ir::turn::Verb;

/// Whether a condition may hold, and whether it may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub yes: bool,
    pub no: bool,
}

impl Truth {
    pub(super) const OPEN: Truth = Truth { yes: true, no: true };
    pub(super) const NEVER: Truth = Truth { yes: false, no: true };

    pub(super) fn not(self) -> Truth {
        Truth { yes: self.no, no: self.yes }
    }

    pub fn or(self, other: Truth) -> Truth {
        Truth { yes: self.yes || other.yes, no: self.no || other.no }
    }
}

impl Possible<'_> {
    /// Whether a condition may hold, and whether it may not.
    pub fn cond(&self, cond: &Cond, scene: Scene) -> Truth {
        self.spend(4);
        if self.spent() {
            return Truth::OPEN;
        }
        let may = |yes| if yes { Truth::OPEN } else { Truth::NEVER };
        let some = |s: &Set| !self.nothing(&self.set(s, scene));
        match cond {
            Cond::Const(b) => Truth { yes: *b, no: !*b },
            Cond::All(parts) => {
                let all = parts.iter().map(|p| self.cond(p, scene));
                let both =
                    all.fold(Truth { yes: true, no: false }, |a, b| Truth { yes: a.yes && b.yes, no: a.no || b.no });
                if both.yes && self.contradict(parts, scene) { Truth::NEVER } else { both }
            }
            Cond::Any(parts) => {
                let all = parts.iter().map(|p| self.cond(p, scene).not());
                let none =
                    all.fold(Truth { yes: true, no: false }, |a, b| Truth { yes: a.yes && b.yes, no: a.no || b.no });
                none.not()
            }
            Cond::Not(inner) => self.cond(inner, scene).not(),
            Cond::Some(set) => Truth { yes: !self.nothing(&self.set(set, scene)), no: self.least(set, scene) == 0 },
            Cond::Within(a, b) => Truth {
                yes: !self.nothing(&self.set(a, scene).and(self.set(b, scene))),
                no: !matches!(a, Set::Role(role) if self.surely_in(*role, b, scene)),
            },
            Cond::RoleIs(role, kinds) => {
                let mask = kinds.iter().fold(0, |mask: u128, k| mask | 1 << k);
                match scene.roles.get(*role).filter(|_| matches!(role, Role::Attacker | Role::Victim)) {
                    Some(piece) => Truth { yes: piece.kinds & mask != 0, no: piece.kinds & !mask != 0 },
                    None => may(self.present.iter().any(|of| of & mask != 0)),
                }
            }
            Cond::Compare(a, op, b) => compare(self.num(a, scene), *op, self.num(b, scene)),
            Cond::Odd(n) => match self.num(n, scene) {
                (low, high) if low == high => Truth { yes: low % 2 != 0, no: low % 2 == 0 },
                _ => Truth::OPEN,
            },
            Cond::Line { count, of, through, .. } => {
                may(*count <= self.line && some(of) && through.as_ref().is_none_or(some))
            }
            Cond::Connects { of, from, to, .. } => may(some(of) && some(from) && some(to)),
            Cond::InCheck(_) | Cond::Checkmate => {
                may(self.game.types.iter().enumerate().any(|(t, ty)| ty.royal && self.stands_somewhere(t as TypeId)))
            }
            Cond::Can(_, verb) => may(self.verb(verb, None)),
            Cond::AllPass => may(self.acts(&Verb::Pass)),
            Cond::SeenBy(who, inner) => self.cond(inner, Scene { viewer: self.who(*who, scene), ..scene }),
            Cond::AnyPlayer(inner) => {
                let each = (0..self.game.seats.len()).map(|viewer| self.cond(inner, Scene { viewer, ..scene }));
                each.fold(Truth { yes: false, no: true }, |a, b| Truth { yes: a.yes || b.yes, no: a.no && b.no })
            }
            // The position of now counts, but for those in which the board is filled.
            Cond::Occurs { times, .. } if *times <= 1 && self.game.setup.fill.is_none() => Truth::NEVER.not(),
            Cond::Latch(..) | Cond::Stuck(_) | Cond::Stalemate | Cond::Occurs { .. } | Cond::Quiet { .. } => {
                Truth::OPEN
            }
        }
    }

    /// Whether two of the parts can surely not hold together.
    pub(super) fn contradict(&self, parts: &[Cond], scene: Scene) -> bool {
        let parts: Vec<(&Cond, Option<(Num, Range)>)> = parts.iter().take(32).map(|p| (p, bound(p))).collect();
        parts.iter().enumerate().any(|(i, (a, range))| {
            parts[i + 1..].iter().any(|(b, other)| {
                self.spend(8);
                let (a, b) = (*a, *b);
                let opposite = |a: &Cond, b: &Cond| matches!(a, Cond::Not(inner) if **inner == *b);
                let apart = match (range, other) {
                    (Some((x, p)), Some((y, q))) => x == y && (p.0.max(q.0) > p.1.min(q.1)),
                    _ => false,
                };
                let placed = match (a, b) {
                    (Cond::Within(x, p), Cond::Within(y, q)) if x == y => {
                        self.nothing(&self.set(p, scene).and(self.set(q, scene)))
                    }
                    (Cond::RoleIs(x, p), Cond::RoleIs(y, q)) if x == y => !p.iter().any(|k| q.contains(k)),
                    _ => false,
                };
                opposite(a, b) || opposite(b, a) || apart || placed
            })
        })
    }
}

/// What a comparison with a constant, or the question whether there is something, asks of a number.
pub(crate) fn bound(cond: &Cond) -> Option<(Num, Range)> {
    Some(match cond {
        Cond::Some(set) => (Num::Count(set.clone()), (1, MANY)),
        Cond::Compare(Num::Const(n), op, num) => {
            let n = i64::from(*n);
            let range = match op {
                Op::Eq => (n, n),
                Op::Lt => (n + 1, MANY),
                Op::Le => (n, MANY),
                Op::Gt => (ANY.0, n - 1),
                Op::Ge => (ANY.0, n),
            };
            (num.clone(), range)
        }
        Cond::Compare(num, op, Num::Const(n)) => {
            let n = i64::from(*n);
            let range = match op {
                Op::Eq => (n, n),
                Op::Lt => (ANY.0, n - 1),
                Op::Le => (ANY.0, n),
                Op::Gt => (n + 1, MANY),
                Op::Ge => (n, MANY),
            };
            (num.clone(), range)
        }
        Cond::Not(inner) => match (&**inner, bound(inner)?) {
            (_, (num, (low, high))) if high >= MANY => (num, (ANY.0, low - 1)),
            (_, (num, (low, high))) if low <= ANY.0 => (num, (high + 1, MANY)),
            _ => return None,
        },
        _ => return None,
    })
}
