//! How pieces attack, as tables looked up from the attacked cell.
//!
//! Kinds that share a reach are one class: "slides on a diagonal: bishop, queen". What no table tells is left to the clauses, tried piece by piece.

use super::bits::Bits;
use super::clause::{Clause, Gen, Target, can_capture};
use super::geometry::{Geometry, NONE, Sliders};
use super::ops::{Land, reach_tables};
use super::program::S;
use crate::ir::expr::Who;
use crate::ir::piece::Source;
use crate::ir::{Game, KindId};

/// All attacks of a game.
pub struct Threats<B> {
    /// The classes, per attacking seat.
    pub classes: [Vec<Class<B>>; 2],
    /// What is to be tried piece by piece.
    pub others: Vec<Other>,
    /// Kinds that only attack as themselves, each with its type as a bit.
    pub steady: Vec<(u8, u128)>,
    /// Kinds that imitate, with the type of each.
    pub imitators: Vec<(u8, u8)>,
    /// Clauses by which a kind imitates what bears on it.
    pub learners: Vec<(u8, u16)>,
}

/// A clause by which a kind attacks, which no class tells.
pub struct Other {
    /// The kind.
    pub kind: u8,
    /// The clause.
    pub clause: u16,
    /// Whether it could ever capture a piece of a kind, by kind.
    pub victims: Vec<bool>,
    /// It imitates.
    pub imitates: bool,
}

/// Kinds (or types that lend their moves) that attack alike.
pub struct Class<B> {
    /// The kinds.
    pub kinds: Vec<u8>,
    /// From where.
    pub way: Way<B>,
}

/// From which cells a class attacks a cell.
pub enum Way<B> {
    /// By a table.
    Leaps(Vec<B>),
    /// Along these directions, as seen from the attacked cell.
    Slides(Sliders<B>),
}

impl<B: Bits> Threats<B> {
    /// Finds the classes.
    pub fn new(geo: &Geometry<B>, game: &Game, clauses: &[Clause<B>]) -> Threats<B> {
        let kinds = 0..game.kinds.len() as u8;
        let by_kind: Vec<Vec<u16>> =
            kinds.clone().map(|k| capturing(&game.type_of(k).clauses, clauses, |_| true)).collect();
        let (classes, others) = classes(geo, clauses, &by_kind);
        let imitates = |c: &u16| matches!(clauses[*c as usize].gen_, Gen::Imitate { .. });
        let learns = |c: &u16| matches!(clauses[*c as usize].gen_, Gen::Imitate { source: Source::Bearing { .. }, .. });
        let is_imitator = |k: &u8| game.type_of(*k).clauses.iter().any(imitates);
        let piece = |k: u8| game.kinds[k as usize].piece;
        let others = others
            .into_iter()
            .map(|(kind, clause)| Other {
                kind,
                clause,
                victims: kinds.clone().map(|v| may_take(&clauses[clause as usize], v)).collect(),
                imitates: imitates(&clause),
            })
            .collect();
        Threats {
            classes,
            others,
            steady: kinds.clone().filter(|k| !is_imitator(k)).map(|k| (k, 1 << piece(k))).collect(),
            imitators: kinds.clone().filter(is_imitator).map(|k| (k, piece(k))).collect(),
            learners: kinds
                .flat_map(|k| game.type_of(k).clauses.iter().copied().filter(learns).map(move |c| (k, c)))
                .collect(),
        }
    }
}

/// The moves that types lend to imitators.
pub struct Lending<B> {
    /// The classes of types that attack alike, per attacking seat: types as bits.
    pub classes: [Vec<(u128, Way<B>)>; 2],
    /// From where some class attacks a cell on an empty board, per attacking seat and cell.
    pub bare: [Vec<B>; 2],
    /// Types of which some attack is in no class.
    pub others: u128,
    /// What each type lends.
    pub moves: Vec<Vec<Loan<B>>>,
}

/// A move that is lent.
#[allow(clippy::large_enum_variant, reason = "there are few, and they are looked up often")]
pub enum Loan<B> {
    /// By tables, onto a cell where empty cells and enemies alone decide.
    Reach { leaps: Option<[Vec<B>; 2]>, sliders: Option<[Sliders<B>; 2]>, land: Land },
    /// By the clause itself.
    Clause(u16),
}

impl<B: Bits> Lending<B> {
    /// Finds out what each type lends; nothing if nobody borrows.
    pub fn new(geo: &Geometry<B>, game: &Game, clauses: &[Clause<B>]) -> Lending<B> {
        let borrowed = clauses.iter().any(|c| matches!(c.gen_, Gen::Imitate { .. }));
        let lent = |list: &[u16]| if borrowed { capturing(list, clauses, |c| c.plain) } else { Vec::new() };
        let by_type: Vec<Vec<u16>> = game.types.iter().map(|t| lent(&t.clauses)).collect();
        let (classes, others) = classes(geo, clauses, &by_type);
        let mut bare = [vec![B::EMPTY; geo.cells], vec![B::EMPTY; geo.cells]];
        for s in 0..2 {
            for class in &classes[s] {
                let table = match &class.way {
                    Way::Leaps(table) => table,
                    Way::Slides(sliders) => &sliders.bare,
                };
                bare[s].iter_mut().zip(table).for_each(|(all, more)| *all |= *more);
            }
        }
        let bits = |list: Vec<u8>| list.into_iter().fold(0, |m, t| m | 1 << t);
        Lending {
            classes: classes.map(|list| list.into_iter().map(|c| (bits(c.kinds), c.way)).collect()),
            bare,
            others: bits(others.iter().map(|(t, _)| *t).collect()),
            moves: game
                .types
                .iter()
                .map(|t| if borrowed { loans(geo, clauses, &t.clauses) } else { Vec::new() })
                .collect(),
        }
    }
}

/// What a type with these clauses lends. Slides and leaps onto the same cells are looked up together.
fn loans<B: Bits>(geo: &Geometry<B>, clauses: &[Clause<B>], list: &[u16]) -> Vec<Loan<B>> {
    let mut loans: Vec<Loan<B>> = Vec::new();
    for c in list.iter().filter(|c| clauses[**c as usize].plain) {
        let clause = &clauses[*c as usize];
        let land = match clause.target {
            Target::Empty => Some(Land::Empty),
            Target::Enemy => Some(Land::Enemy),
            Target::Default => Some(Land::Either),
            Target::Set(_) | Target::Tried(_) => None,
        };
        let tables = if free(clause) { reach_tables(geo, clause) } else { None };
        let (Some(land), Some((leaps, sliders))) = (land, tables) else {
            loans.push(Loan::Clause(*c));
            continue;
        };
        let same = loans.iter_mut().find_map(|loan| match loan {
            Loan::Reach { leaps: l, sliders: s, land: d } if *d == land => Some((l, s)),
            _ => None,
        });
        match same {
            Some((old @ None, _)) if leaps.is_some() => *old = leaps,
            Some((_, old @ None)) if sliders.is_some() => *old = sliders,
            Some(_) => loans.push(Loan::Clause(*c)),
            None => loans.push(Loan::Reach { leaps, sliders, land }),
        }
    }
    loans
}

/// Those of the clauses that can capture and that `f` takes.
fn capturing<B>(list: &[u16], clauses: &[Clause<B>], f: impl Fn(&Clause<B>) -> bool) -> Vec<u16> {
    let wanted = |c: &u16| {
        let clause = &clauses[*c as usize];
        can_capture(clause) && f(clause) && !list.iter().any(|o| covers(&clauses[*o as usize], clause))
    };
    list.iter().copied().filter(wanted).collect()
}

/// Whether a clause captures wherever one that goes to a mark does.
fn covers<B>(clause: &Clause<B>, marked: &Clause<B>) -> bool {
    let step = |c: &Clause<B>| match &c.gen_ {
        Gen::Step { dirs, distance: 1 } => Some(dirs.clone()),
        _ => None,
    };
    marked.mark.is_some() && unconditional(clause) && step(clause).is_some() && step(clause) == step(marked)
}

/// Whether a clause may take a piece of a kind, as far as that can be told without a board.
fn may_take<B>(clause: &Clause<B>, kind: KindId) -> bool {
    if let Gen::Hop { captures: true, over, .. } = &clause.gen_
        && may_have(over, kind)
    {
        return true;
    }
    match &clause.target {
        Target::Empty => false,
        Target::Default | Target::Enemy => true,
        Target::Set(set) | Target::Tried(set) => may_have(set, kind),
    }
}

fn may_have<B>(set: &S<B>, kind: KindId) -> bool {
    match set {
        S::Empty => false,
        S::Of(Who::Me) => false,
        S::Kinds(kinds) => kinds.contains(&kind),
        S::Stock { kinds, .. } => kinds.is_empty() || kinds.contains(&kind),
        S::Union(parts) => parts.iter().any(|p| may_have(p, kind)),
        S::Intersect(parts) => parts.iter().all(|p| may_have(p, kind)),
        S::Minus(a, b) => may_have(a, kind) && !matches!(&**b, S::Kinds(kinds) if kinds.contains(&kind)),
        _ => true,
    }
}

/// The classes of members (kinds, or types) with these clauses, per seat, and the clauses of members that are in no class.
#[allow(clippy::type_complexity, reason = "two lists")]
fn classes<B: Bits>(
    geo: &Geometry<B>,
    clauses: &[Clause<B>],
    members: &[Vec<u16>],
) -> ([Vec<Class<B>>; 2], Vec<(u8, u16)>) {
    let kinds = members.len();
    let mut leaps: [Vec<Option<Vec<B>>>; 2] = [vec![None; kinds], vec![None; kinds]];
    let mut slides: [Vec<Vec<u8>>; 2] = [vec![Vec::new(); kinds], vec![Vec::new(); kinds]];
    let mut others = Vec::new();
    for (kind, list) in members.iter().enumerate() {
        for c in list {
            let clause = &clauses[*c as usize];
            match &clause.gen_ {
                Gen::Step { dirs, distance: 1 } if unconditional(clause) => {
                    for (s, leaps) in leaps.iter_mut().enumerate() {
                        let table = leaps[kind].get_or_insert_with(|| vec![B::EMPTY; geo.cells]);
                        for d in dirs.get(s).into_iter().flatten() {
                            for (c, to) in geo.dirs[*d as usize].next.iter().enumerate().filter(|(_, to)| **to != NONE)
                            {
                                table[*to as usize] |= B::bit(c);
                            }
                        }
                    }
                }
                Gen::Leap { table: targets, lame: None } if unconditional(clause) => {
                    for (leaps, targets) in leaps.iter_mut().zip(targets) {
                        let table = leaps[kind].get_or_insert_with(|| vec![B::EMPTY; geo.cells]);
                        for (c, targets) in targets.iter().enumerate() {
                            targets.cells().for_each(|to| table[to] |= B::bit(c));
                        }
                    }
                }
                Gen::Slide { dirs, limit: None, all_the_way: false } if unconditional(clause) => {
                    for (s, slides) in slides.iter_mut().enumerate() {
                        for d in dirs.get(s).into_iter().flatten() {
                            if !slides[kind].contains(d) {
                                slides[kind].push(*d);
                            }
                        }
                    }
                }
                _ => others.push((kind as u8, *c)),
            }
        }
    }
    let classes = [0, 1].map(|s| {
        let mut classes: Vec<Class<B>> = Vec::new();
        for (kind, table) in leaps[s].iter().enumerate() {
            let Some(table) = table else { continue };
            match classes.iter_mut().find(|c| matches!(&c.way, Way::Leaps(t) if t == table)) {
                Some(class) => class.kinds.push(kind as u8),
                None => classes.push(Class { kinds: vec![kind as u8], way: Way::Leaps(table.clone()) }),
            }
        }
        // directions in which the same kinds slide
        let sliding = |d: u8| -> Vec<u8> { (0..kinds as u8).filter(|k| slides[s][*k as usize].contains(&d)).collect() };
        let mut ways: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        for d in 0..geo.dirs.len() as u8 {
            let (kinds, back) = (sliding(d), geo.dirs[d as usize].opposite as u8);
            match ways.iter_mut().find(|(k, _)| *k == kinds) {
                _ if kinds.is_empty() => {}
                Some((_, dirs)) => dirs.push(back),
                None => ways.push((kinds, vec![back])),
            }
        }
        classes.extend(ways.into_iter().map(|(kinds, dirs)| Class { kinds, way: Way::Slides(geo.sliders(&dirs)) }));
        classes
    });
    (classes, others)
}

/// Whether nothing but geometry decides on what a clause captures.
fn unconditional<B>(clause: &Clause<B>) -> bool {
    matches!(clause.target, Target::Default | Target::Enemy) && clause.within.is_none() && free(clause)
}

/// Whether a clause has no conditions, its target and the cells that it must stay within aside.
fn free<B>(clause: &Clause<B>) -> bool {
    clause.from.is_none()
        && clause.toward.is_none()
        && clause.away.is_none()
        && clause.guards.is_empty()
        && clause.lifted.is_empty()
        && clause.tried.is_empty()
        && clause.once.is_none()
}
