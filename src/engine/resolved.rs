//! What the short cuts of playouts resolve for each seat when the rules are prepared: sets of cells told by what stands on them, and results that can be
//! tried without ado.

use super::bits::Bits;
use super::core::Core;
use super::eval::{At, History};
use super::geometry::{Fan, Geometry};
use super::layout::Layout;
use super::program::{cells, per_seat};
use super::rules::Rules;
use crate::ir::ending::Verdict;
use crate::ir::expr::{Cond, Num, Op, Role, Set, Who};
use crate::ir::{Game, Seat};

/// Cells told by what stands on them.
#[derive(Clone)]
pub struct Stock<B> {
    /// Whose pieces, or none.
    pub whose: Whose,
    /// Of which kinds: any, if none is said.
    pub kinds: Vec<u8>,
    /// Where.
    pub on: B,
}

/// Whose pieces stand on a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Seat(u8),
    Anyone,
    Nobody,
}

/// A set of cells.
pub enum Cells<B> {
    Stock(Stock<B>),
    Shift(Box<Cells<B>>, Vec<u8>),
    /// Cells that are not one step in a direction from such a cell.
    Unless(Stock<B>, u8),
    Not(Box<Cells<B>>),
    All(Vec<Cells<B>>),
    /// Cells from which a run of the first begins that the second follows.
    Starts(Stock<B>, Stock<B>, Fan<B>),
}

/// A result for one mover.
pub struct Test<B> {
    /// Its number.
    pub rule: u16,
    /// When it holds.
    pub when: When<B>,
    /// Who wins then.
    pub winner: Winner,
}

impl<B: Bits> When<B> {
    /// Whether it asks only how many pieces of which kinds there are, wherever they stand.
    pub fn by_stock(&self, all: B) -> bool {
        match self {
            When::Some(stock) | When::None(stock) | When::Count { of: stock, .. } => {
                stock.on == all && stock.whose != Whose::Nobody
            }
            When::All(parts) => parts.iter().all(|part| part.by_stock(all)),
            _ => false,
        }
    }
}

/// When a result holds.
pub enum When<B> {
    Some(Stock<B>),
    None(Stock<B>),
    Count {
        of: Stock<B>,
        op: Op,
        n: i32,
    },
    Line {
        of: Stock<B>,
        count: usize,
        exactly: bool,
    },
    Connects {
        of: Stock<B>,
        from: B,
        to: B,
        dirs: Vec<u8>,
    },
    AllPass,
    /// So many turns since a slot was last set to 0.
    Quiet {
        slot: usize,
        turns: i32,
    },
    Occurs {
        times: i32,
        board_only: bool,
    },
    All(Vec<When<B>>),
}

/// Who wins by a result.
#[derive(Clone, Copy)]
pub enum Winner {
    Seat(Option<Seat>),
    /// Who has most, or least, pieces.
    Most(bool),
}

/// Resolves.
pub struct Resolver<'a, B> {
    pub game: &'a Game,
    pub geo: &'a Geometry<B>,
    pub layout: &'a Layout,
}

impl<B: Bits> Resolver<'_, B> {
    /// Cells told by what stands on them, if a set is that.
    pub fn stock(&self, set: &Set, seen: At) -> Option<Stock<B>> {
        let of = |whose| Some(Stock { whose, kinds: Vec::new(), on: self.geo.all });
        match set {
            Set::Of(who) => of(Whose::Seat(seen.seat(*who))),
            Set::Enemies => of(Whose::Seat(1 - (seen.viewer & 1))),
            Set::Pieces => of(Whose::Anyone),
            Set::Empty => of(Whose::Nobody),
            Set::Kinds(kinds) if !kinds.is_empty() => {
                Some(Stock { whose: Whose::Anyone, kinds: kinds.clone(), on: self.geo.all })
            }
            Set::Minus(set, except) if **set == Set::Pieces => match &**except {
                Set::Kinds(except) => {
                    let kinds: Vec<u8> = (0..self.game.kinds.len() as u8).filter(|k| !except.contains(k)).collect();
                    (!kinds.is_empty()).then_some(Stock { whose: Whose::Anyone, kinds, on: self.geo.all })
                }
                _ => None,
            },
            Set::SeenBy(who, set) => self.stock(set, At { viewer: seen.seat(*who), ..seen }),
            Set::Intersect(parts) => {
                let mut all = Stock { whose: Whose::Anyone, kinds: Vec::new(), on: self.geo.all };
                let mut owned = false;
                for part in parts {
                    match part {
                        Set::Kinds(kinds) if all.kinds.is_empty() && !kinds.is_empty() => all.kinds = kinds.clone(),
                        Set::Zone(z) => {
                            all.on &= per_seat::<B>(&self.game.zones[*z as usize].cells)[seen.viewer as usize & 1]
                        }
                        Set::Cells(c) => all.on &= cells::<B>(c),
                        Set::Board => {}
                        _ => {
                            let part = self.stock(part, seen)?;
                            if owned && part.whose != Whose::Anyone || !part.kinds.is_empty() && !all.kinds.is_empty() {
                                return None;
                            }
                            owned |= part.whose != Whose::Anyone;
                            if part.whose != Whose::Anyone {
                                all.whose = part.whose;
                            }
                            if !part.kinds.is_empty() {
                                all.kinds = part.kinds;
                            }
                            all.on &= part.on;
                        }
                    }
                }
                // cells that are merely somewhere are no pieces
                (owned || !all.kinds.is_empty()).then_some(all)
            }
            _ => None,
        }
    }

    /// A condition about `here` as the set of cells where it holds.
    pub fn lifted(&self, cond: &Cond, seen: At) -> Option<Cells<B>> {
        let here = |set: &Set| *set == Set::Role(Role::Here);
        let dirs_of = |dirs: &Vec<Vec<u8>>| dirs.get(seen.viewer as usize).cloned();
        let back = |dirs: &[u8]| dirs.iter().map(|d| self.geo.dirs[*d as usize].opposite as u8).collect::<Vec<_>>();
        match cond {
            Cond::Not(c) => Some(match self.lifted(c, seen)? {
                Cells::Shift(of, dirs) => match (*of, &dirs[..]) {
                    (Cells::Stock(stock), [dir]) => Cells::Unless(stock, *dir),
                    (of, _) => Cells::Not(Box::new(Cells::Shift(Box::new(of), dirs))),
                },
                cells => Cells::Not(Box::new(cells)),
            }),
            Cond::All(parts) => Some(Cells::All(parts.iter().map(|p| self.lifted(p, seen)).collect::<Option<_>>()?)),
            Cond::Within(Set::Neighbours { of, dirs }, set) if here(of) => {
                let dirs = dirs_of(dirs)?;
                let shifted = Cells::Shift(Box::new(Cells::Stock(self.stock(set, seen)?)), back(&dirs));
                (dirs.len() == 1).then_some(shifted)
            }
            Cond::Some(Set::Runs { what, from, to, dirs, exactly: None }) if here(from) => {
                Some(Cells::Starts(self.stock(what, seen)?, self.stock(to, seen)?, self.geo.fan(&dirs_of(dirs)?)?))
            }
            Cond::Some(Set::Intersect(parts)) => match &parts[..] {
                [Set::Neighbours { of, dirs }, set] | [set, Set::Neighbours { of, dirs }] if here(of) => {
                    let stock = Cells::Stock(self.stock(set, seen)?);
                    Some(Cells::Shift(Box::new(stock), back(&dirs_of(dirs)?)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn when(&self, cond: &Cond, seen: At) -> Option<When<B>> {
        match cond {
            Cond::SeenBy(who, c) => self.when(c, At { viewer: seen.seat(*who), ..seen }),
            Cond::All(parts) => Some(When::All(parts.iter().map(|p| self.when(p, seen)).collect::<Option<_>>()?)),
            Cond::Some(set) => Some(When::Some(self.stock(set, seen)?)),
            Cond::Not(c) => match &**c {
                Cond::Some(set) => Some(When::None(self.stock(set, seen)?)),
                _ => None,
            },
            Cond::Compare(Num::Count(set), op, Num::Const(n)) => {
                Some(When::Count { of: self.stock(set, seen)?, op: *op, n: *n })
            }
            Cond::Line { count, exactly, of, through: None } => {
                Some(When::Line { of: self.stock(of, seen)?, count: (*count).max(1) as usize, exactly: *exactly })
            }
            Cond::Connects { of, from, to, dirs } => {
                let place = |set: &Set| match set {
                    Set::Zone(z) => Some(per_seat::<B>(&self.game.zones[*z as usize].cells)[seen.viewer as usize & 1]),
                    Set::Cells(c) => Some(cells::<B>(c)),
                    _ => None,
                };
                let dirs = dirs.get(seen.viewer as usize)?.clone();
                Some(When::Connects { of: self.stock(of, seen)?, from: place(from)?, to: place(to)?, dirs })
            }
            Cond::AllPass => Some(When::AllPass),
            Cond::Quiet { quiet, turns: Num::Const(turns) } => {
                Some(When::Quiet { slot: self.layout.quiet(*quiet as usize), turns: *turns })
            }
            Cond::Occurs { times, board_only } => Some(When::Occurs { times: *times, board_only: *board_only }),
            _ => None,
        }
    }

    /// A result, if it can be tried without ado.
    pub fn test(&self, rule: usize, mover: u8) -> Option<Test<B>> {
        let result = &self.game.results[rule];
        let seen = |viewer| At { viewer, ..At::mover(mover, &[]) };
        let named = |who: Who| seen(mover).seat(who);
        let (viewer, winner) = match &result.verdict {
            Verdict::Wins(who) => (named(*who), Winner::Seat(Some(named(*who)))),
            Verdict::Loses(who) => (named(*who), Winner::Seat(Some(1 - (named(*who) & 1)))),
            Verdict::Draw => (mover, Winner::Seat(None)),
            Verdict::Highest(n) | Verdict::Lowest(n) => match n {
                Num::Count(set) if *set == Set::Of(Who::Me) => {
                    (mover, Winner::Most(matches!(result.verdict, Verdict::Highest(_))))
                }
                _ => return None,
            },
            Verdict::AnyPlayerWins | Verdict::AnyPlayerLoses => return None,
        };
        (!result.at_once).then_some(())?;
        Some(Test { rule: rule as u16, when: self.when(&result.cond, seen(viewer))?, winner })
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    #[inline(always)]
    pub fn stocked(&self, stock: &Stock<B>, core: &Core<B, K, M>) -> B {
        let set = match stock.whose {
            Whose::Seat(s) => core.own[s as usize & 1],
            Whose::Anyone => core.own[0] | core.own[1],
            Whose::Nobody => self.geo.all.minus(core.own[0] | core.own[1]),
        };
        let set = set & stock.on;
        if stock.kinds.is_empty() { set } else { set & self.kinds(core, &stock.kinds) }
    }

    /// A set of cells, of which the commonest kinds are found in place.
    #[inline(always)]
    pub fn entered(&self, cells: &Cells<B>, core: &Core<B, K, M>) -> B {
        match cells {
            Cells::Starts(what, to, fan) => fan.starts(self.stocked(what, core), self.stocked(to, core)),
            Cells::Unless(stock, dir) => self.geo.all.minus(self.geo.shift(self.stocked(stock, core), *dir)),
            _ => self.lane_cells(cells, core),
        }
    }

    fn lane_cells(&self, cells: &Cells<B>, core: &Core<B, K, M>) -> B {
        match cells {
            Cells::Starts(..) | Cells::Unless(..) => self.entered(cells, core),
            Cells::Stock(stock) => self.stocked(stock, core),
            Cells::Shift(of, dirs) => self.geo.neighbours(self.lane_cells(of, core), dirs),
            Cells::Not(of) => self.geo.all.minus(self.lane_cells(of, core)),
            Cells::All(parts) => parts.iter().fold(self.geo.all, |s, p| s & self.lane_cells(p, core)),
        }
    }

    /// Who wins by a result that holds; none if it is a draw.
    #[inline]
    pub fn test_winner(&self, test: &Test<B>, core: &Core<B, K, M>) -> Option<Seat> {
        match test.winner {
            Winner::Seat(winner) => winner,
            Winner::Most(highest) => {
                let (a, b) = (core.own[0].count(), core.own[1].count());
                (a != b).then_some(u8::from((a < b) == highest))
            }
        }
    }

    /// Whether a result holds at the end of a turn.
    #[inline]
    pub fn test_holds(&self, when: &When<B>, core: &Core<B, K, M>, passes: i32, history: &History) -> bool {
        match when {
            When::Some(stock) => self.stocked(stock, core).any(),
            When::None(stock) => self.stocked(stock, core).is_empty(),
            When::Count { of, op, n } => op.holds(self.stocked(of, core).count() as i32, *n),
            When::Line { of, count, exactly } => {
                self.geo.has_row(self.stocked(of, core), *count, *exactly, self.geo.all)
            }
            When::Connects { of, from, to, dirs } => self.geo.joins(self.stocked(of, core), *from, *to, dirs),
            When::AllPass => passes >= 2,
            When::Quiet { slot, turns } => core.slots[*slot] >= *turns,
            When::Occurs { times, board_only } => {
                let at = At { counted: true, ..At::mover(1 - (core.side & 1), history) };
                self.occurs(*times, *board_only, core, &at)
            }
            When::All(parts) => parts.iter().all(|w| self.test_holds(w, core, passes, history)),
        }
    }
}
