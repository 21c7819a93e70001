//! The ranges of numbers.

use super::conditions::Truth;
use super::{Possible, Scene};
use crate::check::walk::{self, Node};
use crate::ir::KindId;
use crate::ir::expr::{Num, Op};
use crate::ir::rule::{Change, Effect, TallyEvent};
use crate::ir::turn::Verb;

/// A range of numbers.
pub(super) type Range = (i64, i64);
pub(super) const MANY: i64 = i32::MAX as i64;
pub(super) const ANY: Range = (-MANY - 1, MANY);

impl Possible<'_> {
    /// The ranges of counters; of the first `told` it is told if they never change.
    pub(super) fn count(&mut self, told: usize) {
        let game = self.game;
        let mut changed: Vec<bool> = (0..game.counters.len()).map(|c| c >= told).collect();
        let mut ranges: Vec<Range> = game.counters.iter().map(|c| (i64::from(c.start), i64::from(c.start))).collect();
        walk::game(game, &mut |node| {
            if let Node::Effect(Effect::Count { counter, change, value, .. }) = node {
                let seats = game.seats.len();
                changed[*counter as usize] = true;
                let ranges = &mut ranges[*counter as usize];
                for n in 0..seats * seats {
                    let (low, high) = self.num(value, Scene::new(n / seats, n % seats));
                    let (low, high) = match change {
                        Change::Add => (if low < 0 { ANY.0 } else { 0 }, if high > 0 { ANY.1 } else { 0 }),
                        Change::Subtract => (if high > 0 { ANY.0 } else { 0 }, if low < 0 { ANY.1 } else { 0 }),
                        Change::Set => {
                            *ranges = (ranges.0.min(low), ranges.1.max(high));
                            continue;
                        }
                    };
                    *ranges = (ranges.0.saturating_add(low).max(ANY.0), ranges.1.saturating_add(high).min(ANY.1));
                }
            }
        });
        self.counters = ranges.into_iter().zip(changed).map(|(r, changed)| if changed { r } else { ANY }).collect();
    }

    /// Whether the number is the same in every position, for every player.
    pub fn constant(&self, num: &Num) -> bool {
        let seats = self.game.seats.len();
        let ranges = (0..seats * seats).map(|n| self.num(num, Scene::new(n / seats, n % seats)));
        let (low, high) = ranges.fold((MANY, ANY.0), |all, range| (all.0.min(range.0), all.1.max(range.1)));
        low == high && !self.spent()
    }

    /// Whether a change of the counter surely leaves it as it is.
    pub fn changes_nothing(&self, counter: u16, change: Change, value: &Num) -> bool {
        let (low, high) = self.counters[counter as usize];
        let adds = matches!(change, Change::Add | Change::Subtract);
        !self.spent() && (low == high || adds && *value == Num::Const(0))
    }

    /// The range of a number.
    pub(super) fn num(&self, num: &Num, scene: Scene) -> Range {
        self.spend(4);
        if self.spent() {
            return ANY;
        }
        let clip = |(low, high): Range| (low.max(ANY.0), high.min(ANY.1));
        let pair = |a: &Num, b: &Num| (self.num(a, scene), self.num(b, scene));
        match num {
            Num::Const(n) => (i64::from(*n), i64::from(*n)),
            Num::Count(set) => {
                let found = self.set(set, scene);
                let most = if self.nothing(&found) { 0 } else { self.most(&found) };
                (self.least(set, scene).min(most), most)
            }
            Num::Worth(set) => {
                let found = self.set(set, scene);
                let most = found.cells.len();
                let worths = (0..self.game.kinds.len() as KindId)
                    .filter(|k| found.kinds.iter().any(|of| of >> k & 1 != 0))
                    .map(|k| i64::from(self.game.type_of(k).worth));
                clip(worths.fold((0, 0), |(low, high), w| (low.min(w * most), high.max(w * most))))
            }
            Num::WorthOf(role) => {
                let kinds = 0..self.game.kinds.len() as KindId;
                let worth = |k: KindId| i64::from(self.game.type_of(k).worth);
                let range = |all: Range, w: i64| (all.0.min(w), all.1.max(w));
                match scene.roles.get(*role) {
                    Some(piece) => {
                        let mut worths = kinds.filter(|k| piece.kinds >> k & 1 != 0).map(worth);
                        let first = worths.next().unwrap_or(0);
                        worths.fold((first, first), range)
                    }
                    None => kinds.map(worth).fold((0, 0), range),
                }
            }
            Num::Odd(_) => (0, 1),
            Num::Counter(counter, _) => self.counters[*counter as usize],
            Num::Hand(_, types) => (0, if types.iter().any(|t| self.held[*t as usize]) { MANY } else { 0 }),
            Num::Tally(tally, _) => {
                let tally = &self.game.tallies[*tally as usize];
                let there = |k: &KindId| self.present.iter().any(|of| of >> k & 1 != 0);
                let loses = |k: &KindId| there(k) && !self.game.type_of(*k).uncapturable;
                let happens = match tally.event {
                    TallyEvent::Captured => self.captures && tally.kinds.as_ref().is_none_or(|k| k.iter().any(loses)),
                    _ if tally.kinds.as_ref().is_some_and(|k| !k.iter().any(there)) => false,
                    TallyEvent::Moved => self.acts(&Verb::Move),
                    TallyEvent::Dropped => self.acts(&Verb::Drop),
                    TallyEvent::Shifted => self.shifts,
                    TallyEvent::Flipped => self.flips,
                    TallyEvent::Rotated => self.rotates,
                };
                (0, if happens { MANY } else { 0 })
            }
            Num::TurnNumber if scene.first => (1, 1),
            // While a board is filled it is 0.
            Num::TurnNumber => (i64::from(self.game.setup.fill.is_none()), MANY),
            Num::Add(a, b) => {
                let (a, b) = pair(a, b);
                clip((a.0 + b.0, a.1 + b.1))
            }
            Num::Sub(a, b) => {
                let (a, b) = pair(a, b);
                clip((a.0 - b.1, a.1 - b.0))
            }
            Num::Mul(a, b) => {
                let (a, b) = pair(a, b);
                let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                clip((products.into_iter().min().unwrap_or(ANY.0), products.into_iter().max().unwrap_or(ANY.1)))
            }
            Num::SeenBy(who, inner) => self.num(inner, Scene { viewer: self.who(*who, scene), ..scene }),
        }
    }
}

pub(super) fn compare(a: Range, op: Op, b: Range) -> Truth {
    match op {
        Op::Lt => Truth { yes: a.0 < b.1, no: a.1 >= b.0 },
        Op::Le => Truth { yes: a.0 <= b.1, no: a.1 > b.0 },
        Op::Gt => Truth { yes: a.1 > b.0, no: a.0 <= b.1 },
        Op::Ge => Truth { yes: a.1 >= b.0, no: a.0 < b.1 },
        Op::Eq => Truth { yes: a.0 <= b.1 && b.0 <= a.1, no: a.0 != a.1 || b.0 != b.1 || a.0 != b.0 },
    }
}
