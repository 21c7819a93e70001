//! Phrases made ready to run: constants as sets, places as offsets; and conditions about one cell lifted to sets of cells.

use super::bits::Bits;
use super::layout::Layout;
use super::verbs::{VerbSets, Verbs};
use crate::ir::expr::{Cond, Num, Op, Role, Set, Who};
use crate::ir::visit::Node;
use crate::ir::{Game, KindId, TypeId, rule};

/// Directions for each seat.
pub type DirSets = Vec<Vec<u8>>;

/// A set, see [`Set`].
#[derive(Clone, Debug)]
pub enum S<B> {
    Empty,
    Pieces,
    Of(Who),
    Enemies,
    Kinds(Box<[KindId]>),
    /// Pieces of a player (of anybody, if not said), of these kinds (of any, if none is said), on these cells as each seat sees them.
    Stock {
        of: Option<Who>,
        kinds: Box<[KindId]>,
        on: [B; 2],
    },
    /// A constant as each seat sees it.
    Const([B; 2]),
    Role(Role),
    Neighbours(Box<S<B>>, DirSets),
    Crossed,
    /// Layers `first..first + count` of the marks.
    Mark(usize, usize),
    Marker(usize),
    /// One of the sets of the state: what happened in the turn.
    Turned(usize),
    Unmoved,
    Attacked(Box<S<B>>),
    Bearing {
        of: Box<S<B>>,
        attacking: bool,
        defending: bool,
    },
    First {
        from: Box<S<B>>,
        what: Box<S<B>>,
        dirs: DirSets,
        /// These are all directions, for every seat.
        every: bool,
    },
    Runs {
        what: Box<S<B>>,
        from: Box<S<B>>,
        to: Box<S<B>>,
        dirs: DirSets,
        exactly: Option<i32>,
    },
    /// Lifted `Runs`: cells from which a run of `what` that `to` follows begins.
    RunStarts {
        what: Box<S<B>>,
        to: Box<S<B>>,
        dirs: DirSets,
    },
    Surrounded(Box<S<B>>),
    Union(Box<[S<B>]>),
    Intersect(Box<[S<B>]>),
    Minus(Box<S<B>>, Box<S<B>>),
    Where(Box<S<B>>, Box<C<B>>),
    SeenBy(Who, Box<S<B>>),
    /// Lifted: all cells if the condition, which knows no cell, holds.
    AllIf(Box<C<B>>),
}

/// A condition, see [`Cond`].
#[derive(Clone, Debug)]
pub enum C<B> {
    Const(bool),
    All(Box<[C<B>]>),
    Any(Box<[C<B>]>),
    Not(Box<C<B>>),
    Some(S<B>),
    /// The set is empty.
    None(S<B>),
    /// The set has no more than one cell.
    Single(S<B>),
    /// Some piece is not of these kinds.
    Others(Box<[KindId]>),
    /// No piece is.
    NoOthers(Box<[KindId]>),
    Within(S<B>, S<B>),
    RoleIs(Role, Box<[KindId]>),
    Compare(N<B>, Op, N<B>),
    /// Something was counted in the turn: one of these slots is not 0.
    Counted(Box<[usize]>),
    Odd(N<B>),
    Line {
        count: usize,
        exactly: bool,
        of: S<B>,
        through: Option<S<B>>,
    },
    Connects {
        of: S<B>,
        from: S<B>,
        to: S<B>,
        dirs: DirSets,
    },
    InCheck(Who),
    Stuck(Who),
    Checkmate,
    Stalemate,
    Can(Who, Verbs),
    Cannot(Who, Verbs),
    Occurs {
        times: i32,
        board_only: bool,
    },
    Quiet {
        slot: usize,
        turns: N<B>,
    },
    AllPass,
    /// Latch number, whose.
    Latch(usize, Who),
    SeenBy(Who, Box<C<B>>),
    AnyPlayer(Box<C<B>>),
}

/// A number, see [`Num`].
#[derive(Clone, Debug)]
pub enum N<B> {
    Const(i32),
    Count(S<B>),
    Worth(S<B>),
    WorthOf(Role),
    Odd(Box<N<B>>),
    /// Counter number; whether each player has one; whose.
    Counter(usize, bool, Who),
    Hand(Who, Box<[TypeId]>),
    Tally(usize, rule::Whose, Who),
    TurnNumber,
    Add(Box<N<B>>, Box<N<B>>),
    Sub(Box<N<B>>, Box<N<B>>),
    Mul(Box<N<B>>, Box<N<B>>),
    SeenBy(Who, Box<N<B>>),
}

impl<B: Bits> S<B> {
    /// Whether the pieces on the board decide, wherever they stand, how many there are; `all` is every cell.
    fn by_stock(&self, all: B) -> bool {
        match self {
            S::Pieces | S::Of(_) | S::Enemies | S::Kinds(_) => true,
            S::Stock { on, .. } => *on == [all; 2],
            S::Minus(a, b) => a.by_stock(all) && b.by_stock(all),
            S::Union(parts) | S::Intersect(parts) => parts.iter().all(|p| p.by_stock(all)),
            S::SeenBy(_, set) => set.by_stock(all),
            _ => false,
        }
    }
}

impl<B: Bits> C<B> {
    /// Whether the pieces on the board decide, wherever they stand; `all` is every cell.
    pub fn by_stock(&self, all: B) -> bool {
        match self {
            C::Const(_) | C::Others(_) | C::NoOthers(_) => true,
            C::Some(set) | C::None(set) | C::Single(set) => set.by_stock(all),
            C::Compare(N::Count(set), _, N::Const(_)) => set.by_stock(all),
            C::All(parts) | C::Any(parts) => parts.iter().all(|p| p.by_stock(all)),
            C::Not(cond) => cond.by_stock(all),
            _ => false,
        }
    }
}

/// What lowering needs to know of a game.
pub struct Lowering<'a> {
    /// The rules.
    pub game: &'a Game,
    /// Where numbers are kept.
    pub layout: &'a Layout,
    /// The bits of verbs.
    pub verbs: &'a VerbSets,
}

/// The set of these cells.
pub fn cells<B: Bits>(cells: &[u16]) -> B {
    cells.iter().fold(B::EMPTY, |s, c| s | B::bit(*c as usize))
}

/// The set as each of the two seats sees it.
pub fn per_seat<B: Bits>(sets: &[Vec<u16>]) -> [B; 2] {
    [0, 1].map(|s| sets.get(s).map_or(B::EMPTY, |c| cells(c)))
}

impl Lowering<'_> {
    /// Lowers a set.
    pub fn set<B: Bits>(&self, set: &Set) -> S<B> {
        match set {
            Set::Empty => S::Empty,
            Set::Board => {
                let all = (0..self.game.board.cells.len()).fold(B::EMPTY, |s, c| s | B::bit(c));
                S::Const([all; 2])
            }
            Set::Pieces => S::Pieces,
            Set::Of(who) => S::Of(*who),
            Set::Enemies => S::Enemies,
            Set::Kinds(kinds) => S::Kinds(kinds.clone().into()),
            Set::Zone(z) => S::Const(per_seat(&self.game.zones[*z as usize].cells)),
            Set::Cells(c) => S::Const([cells(c); 2]),
            Set::Role(r) => S::Role(*r),
            Set::Neighbours { of, dirs } => S::Neighbours(self.boxed(of), dirs.clone()),
            Set::Crossed => S::Crossed,
            Set::Mark(m) => {
                let (first, count) = self.layout.layers[*m as usize];
                S::Mark(first, count)
            }
            Set::Marker(m) => S::Marker(*m as usize),
            Set::Turned(t) => self.layout.turned(*t).map_or(S::Union(Box::new([])), S::Turned),
            Set::Unmoved => S::Unmoved,
            Set::Attacked(of) => S::Attacked(self.boxed(of)),
            Set::Bearing { of, attacking, defending } => {
                S::Bearing { of: self.boxed(of), attacking: *attacking, defending: *defending }
            }
            Set::First { from, what, dirs } => {
                let all = 0..self.game.board.dirs.len() as u8;
                let every = dirs.len() == 2 && dirs.iter().all(|list| all.clone().all(|d| list.contains(&d)));
                S::First { from: self.boxed(from), what: self.boxed(what), dirs: dirs.clone(), every }
            }
            Set::Runs { what, from, to, dirs, exactly } => S::Runs {
                what: self.boxed(what),
                from: self.boxed(from),
                to: self.boxed(to),
                dirs: dirs.clone(),
                exactly: *exactly,
            },
            Set::Surrounded(of) => S::Surrounded(self.boxed(of)),
            Set::Union(parts) => S::Union(parts.iter().map(|p| self.set(p)).collect()),
            Set::Intersect(parts) => {
                let mut flat = Vec::new();
                parts.iter().for_each(|p| self.flatten(p, &mut flat));
                self.stock(&flat).unwrap_or_else(|| S::Intersect(flat.into_boxed_slice()))
            }
            Set::Minus(a, b) => match (&**a, &**b) {
                (Set::Pieces, Set::Kinds(kinds)) => {
                    S::Kinds((0..self.game.kinds.len() as u8).filter(|k| !kinds.contains(k)).collect())
                }
                _ => S::Minus(self.boxed(a), self.boxed(b)),
            },
            Set::Where(a, c) => S::Where(self.boxed(a), Box::new(self.cond(c))),
            Set::SeenBy(who, a) => S::SeenBy(*who, self.boxed(a)),
        }
    }

    fn flatten<B: Bits>(&self, set: &Set, flat: &mut Vec<S<B>>) {
        match set {
            Set::Intersect(parts) => parts.iter().for_each(|p| self.flatten(p, flat)),
            _ => flat.push(self.set(set)),
        }
    }

    /// An intersection that one word says.
    fn stock<B: Bits>(&self, parts: &[S<B>]) -> Option<S<B>> {
        let (mut whose, mut of_kinds, mut places) = (None, None, None);
        for part in parts {
            let twice = match part {
                S::Of(who) => whose.replace(*who).is_some(),
                S::Enemies => whose.replace(Who::Opponent).is_some(),
                S::Kinds(kinds) if !kinds.is_empty() => of_kinds.replace(kinds.clone()).is_some(),
                S::Const(cells) => places.replace(*cells).is_some(),
                _ => true,
            };
            if twice {
                return None;
            }
        }
        let all = (0..self.game.board.cells.len()).fold(B::EMPTY, |s, c| s | B::bit(c));
        if whose.is_none() && of_kinds.is_none() {
            return None;
        }
        Some(S::Stock { of: whose, kinds: of_kinds.unwrap_or_default(), on: places.unwrap_or([all; 2]) })
    }

    fn boxed<B: Bits>(&self, set: &Set) -> Box<S<B>> {
        Box::new(self.set(set))
    }

    /// Lowers a condition.
    pub fn cond<B: Bits>(&self, cond: &Cond) -> C<B> {
        match cond {
            Cond::Const(b) => C::Const(*b),
            Cond::All(parts) => C::All(parts.iter().map(|p| self.cond(p)).collect()),
            Cond::Any(parts) => {
                let parts: Vec<C<B>> = parts.iter().map(|p| self.cond(p)).collect();
                let slots = |c: &C<B>| if let C::Counted(slots) = c { Some(slots.to_vec()) } else { None };
                match parts.iter().map(slots).collect::<Option<Vec<_>>>() {
                    Some(slots) if !slots.is_empty() => C::Counted(slots.concat().into()),
                    _ => C::Any(parts.into()),
                }
            }
            Cond::Not(c) => match self.cond(c) {
                C::Some(set) => C::None(set),
                C::None(set) => C::Some(set),
                C::Others(kinds) => C::NoOthers(kinds),
                C::Can(who, verb) => C::Cannot(who, verb),
                c => C::Not(Box::new(c)),
            },
            Cond::Some(Set::Minus(a, b)) if **a == Set::Pieces && matches!(**b, Set::Kinds(_)) => match &**b {
                Set::Kinds(kinds) if kinds.len() * 2 <= self.game.kinds.len() => C::Others(kinds.clone().into()),
                _ => C::Some(self.set(&Set::Minus(a.clone(), b.clone()))),
            },
            Cond::Some(s) => C::Some(self.set(s)),
            Cond::Within(a, b) => C::Within(self.set(a), self.set(b)),
            Cond::RoleIs(r, kinds) => C::RoleIs(*r, kinds.clone().into()),
            Cond::Compare(Num::Tally(t, _), op, Num::Const(n))
                if self.game.tallies[*t as usize].whose == rule::Whose::Anyone
                    && matches!((op, n), (Op::Ge, 1) | (Op::Gt, 0)) =>
            {
                C::Counted(self.layout.tallies_of(*t as usize).collect())
            }
            Cond::Compare(Num::Count(set), op, Num::Const(n)) => match (op, n) {
                (Op::Ge, 1) | (Op::Gt, 0) => C::Some(self.set(set)),
                (Op::Lt, 1) | (Op::Le | Op::Eq, 0) => C::None(self.set(set)),
                (Op::Lt, 2) | (Op::Le, 1) => C::Single(self.set(set)),
                _ => C::Compare(N::Count(self.set(set)), *op, N::Const(*n)),
            },
            Cond::Compare(a, op, b) => C::Compare(self.num(a), *op, self.num(b)),
            Cond::Odd(n) => C::Odd(self.num(n)),
            Cond::Line { count, exactly, of, through } => C::Line {
                count: (*count).max(1) as usize,
                exactly: *exactly,
                of: self.set(of),
                through: through.as_ref().map(|t| self.set(t)),
            },
            Cond::Connects { of, from, to, dirs } => {
                C::Connects { of: self.set(of), from: self.set(from), to: self.set(to), dirs: dirs.clone() }
            }
            Cond::InCheck(who) => C::InCheck(*who),
            Cond::Stuck(who) => C::Stuck(*who),
            Cond::Checkmate => C::Checkmate,
            Cond::Stalemate => C::Stalemate,
            Cond::Can(who, verb) => C::Can(*who, self.verbs.bit(verb)),
            Cond::Occurs { times, board_only } => C::Occurs { times: *times, board_only: *board_only },
            Cond::Quiet { quiet, turns } => {
                C::Quiet { slot: self.layout.quiet(*quiet as usize), turns: self.num(turns) }
            }
            Cond::AllPass => C::AllPass,
            Cond::Latch(l, who) => C::Latch(*l as usize, *who),
            Cond::SeenBy(who, c) => match self.seen_by(c, *who) {
                Some(seen) => self.cond(&seen),
                None => C::SeenBy(*who, Box::new(self.cond(c))),
            },
            Cond::AnyPlayer(c) => match (self.seen_by(c, Who::Mover), self.seen_by(c, Who::Next)) {
                (Some(a), Some(b)) => C::Any([a, b].iter().map(|c| self.cond(c)).collect()),
                _ => C::AnyPlayer(Box::new(self.cond(c))),
            },
        }
    }

    /// Lowers a number.
    pub fn num<B: Bits>(&self, num: &Num) -> N<B> {
        let boxed = |n: &Num| Box::new(self.num(n));
        match num {
            Num::Const(n) => N::Const(*n),
            Num::Count(s) => N::Count(self.set(s)),
            Num::Worth(s) => N::Worth(self.set(s)),
            Num::WorthOf(r) => N::WorthOf(*r),
            Num::Odd(n) => N::Odd(boxed(n)),
            Num::Counter(c, who) => N::Counter(*c as usize, self.game.counters[*c as usize].each, *who),
            Num::Hand(who, types) => N::Hand(*who, types.clone().into()),
            Num::Tally(t, who) => N::Tally(*t as usize, self.game.tallies[*t as usize].whose, *who),
            Num::TurnNumber => N::TurnNumber,
            Num::Add(a, b) => N::Add(boxed(a), boxed(b)),
            Num::Sub(a, b) => N::Sub(boxed(a), boxed(b)),
            Num::Mul(a, b) => N::Mul(boxed(a), boxed(b)),
            Num::SeenBy(who, n) => N::SeenBy(*who, boxed(n)),
        }
    }

    /// The condition as another player sees it, said so that it does not matter who looks; none if more depends on that than who is meant.
    fn seen_by(&self, cond: &Cond, who: Who) -> Option<Cond> {
        let of = |w: &Who| seen_by(*w, who);
        let all = |parts: &[Cond]| parts.iter().map(|p| self.seen_by(p, who)).collect::<Option<Vec<_>>>();
        let set = |s: &Set| self.set_seen_by(s, who);
        if self.game.seats.len() != 2 {
            return None;
        }
        Some(match cond {
            Cond::Const(_) | Cond::RoleIs(..) | Cond::Occurs { .. } | Cond::AllPass => cond.clone(),
            Cond::All(parts) => Cond::All(all(parts)?),
            Cond::Any(parts) => Cond::Any(all(parts)?),
            Cond::Not(c) => Cond::Not(Box::new(self.seen_by(c, who)?)),
            Cond::Some(s) => Cond::Some(set(s)?),
            Cond::Within(a, b) => Cond::Within(set(a)?, set(b)?),
            Cond::Compare(a, op, b) => Cond::Compare(self.num_seen_by(a, who)?, *op, self.num_seen_by(b, who)?),
            Cond::Odd(n) => Cond::Odd(self.num_seen_by(n, who)?),
            Cond::InCheck(w) => Cond::InCheck(of(w)),
            Cond::Stuck(w) => Cond::Stuck(of(w)),
            Cond::Can(w, verb) => Cond::Can(of(w), verb.clone()),
            Cond::Latch(latch, w) => Cond::Latch(*latch, of(w)),
            _ => return None,
        })
    }

    fn set_seen_by(&self, set: &Set, who: Who) -> Option<Set> {
        let all = |parts: &[Set]| parts.iter().map(|p| self.set_seen_by(p, who)).collect::<Option<Vec<_>>>();
        Some(match set {
            Set::Empty | Set::Board | Set::Pieces | Set::Kinds(_) | Set::Cells(_) => set.clone(),
            Set::Of(w) => Set::Of(seen_by(*w, who)),
            Set::Enemies => Set::Of(seen_by(Who::Opponent, who)),
            Set::Union(parts) => Set::Union(all(parts)?),
            Set::Intersect(parts) => Set::Intersect(all(parts)?),
            Set::Minus(a, b) => Set::Minus(Box::new(self.set_seen_by(a, who)?), Box::new(self.set_seen_by(b, who)?)),
            _ => return None,
        })
    }

    fn num_seen_by(&self, num: &Num, who: Who) -> Option<Num> {
        Some(match num {
            Num::Const(_) | Num::WorthOf(_) | Num::TurnNumber => num.clone(),
            Num::Count(s) => Num::Count(self.set_seen_by(s, who)?),
            Num::Worth(s) => Num::Worth(self.set_seen_by(s, who)?),
            Num::Counter(counter, w) => Num::Counter(*counter, seen_by(*w, who)),
            Num::Hand(w, types) => Num::Hand(seen_by(*w, who), types.clone()),
            _ => return None,
        })
    }

    /// The set of cells that, as `here`, make the condition hold; none if that cannot be told without trying each cell.
    pub fn lift<B: Bits>(&self, cond: &Cond) -> Option<S<B>> {
        if !reads_here(Node::Cond(cond)) {
            return Some(S::AllIf(Box::new(self.cond(cond))));
        }
        match cond {
            Cond::All(parts) => Some(S::Intersect(parts.iter().map(|p| self.lift(p)).collect::<Option<_>>()?)),
            Cond::Any(parts) => Some(S::Union(parts.iter().map(|p| self.lift(p)).collect::<Option<_>>()?)),
            Cond::Not(c) => Some(S::Minus(self.boxed(&Set::Board), Box::new(self.lift(c)?))),
            Cond::Some(set) => self.lift_some(set),
            Cond::Within(a, b) if !reads_here(Node::Set(b)) => match a {
                Set::Role(Role::Here) => Some(self.set(b)),
                Set::Neighbours { of, dirs } if **of == Set::Role(Role::Here) && dirs.iter().all(|d| d.len() == 1) => {
                    Some(S::Neighbours(self.boxed(b), self.opposite(dirs)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn lift_some<B: Bits>(&self, set: &Set) -> Option<S<B>> {
        match set {
            Set::Runs { what, from, to, dirs, exactly: None }
                if **from == Set::Role(Role::Here)
                    && !reads_here(Node::Set(what))
                    && !reads_here(Node::Set(to))
                    && !self.game.board.joined() =>
            {
                Some(S::RunStarts { what: self.boxed(what), to: self.boxed(to), dirs: dirs.clone() })
            }
            Set::Intersect(parts) => {
                let (moving, fixed): (Vec<&Set>, Vec<&Set>) = parts.iter().partition(|p| reads_here(Node::Set(p)));
                let [moving] = moving[..] else { return None };
                let fixed = Set::Intersect(fixed.into_iter().cloned().collect());
                match moving {
                    Set::Role(Role::Here) => Some(self.set(&fixed)),
                    Set::Neighbours { of, dirs } if **of == Set::Role(Role::Here) => {
                        Some(S::Neighbours(self.boxed(&fixed), self.opposite(dirs)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The ways back.
    pub fn opposite(&self, dirs: &DirSets) -> DirSets {
        dirs.iter().map(|d| d.iter().map(|d| self.game.board.dirs[*d as usize].opposite).collect()).collect()
    }
}

/// Whom a word means when another of two players says it.
fn seen_by(word: Who, who: Who) -> Who {
    match (word, who) {
        (Who::Me, _) => who,
        (Who::Opponent, Who::Me) => Who::Opponent,
        (Who::Opponent, Who::Opponent) => Who::Me,
        (Who::Opponent, Who::Mover) => Who::Next,
        (Who::Opponent, Who::Next) => Who::Mover,
        (Who::Opponent, Who::Seat(s)) => Who::Seat(1 - (s & 1)),
        (Who::Mover | Who::Next | Who::Seat(_), _) => word,
    }
}

/// Whether the phrase depends on where a step leads.
pub fn reads_here(node: Node) -> bool {
    node.reads(Role::Here)
}
