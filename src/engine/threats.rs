//! How pieces attack, as tables looked up from the attacked cell.
//!
//! Kinds that share a reach are one class: "slides on a diagonal: bishop, queen". What no table tells is left to the clauses, tried piece by piece.

use super::bits::Bits;
use super::clause::{Clause, Gen, Target, can_capture};
use super::geometry::{Geometry, NONE, Sliders};
use crate::ir::Game;

/// All attacks of a game.
pub struct Threats<B> {
    /// The classes, per attacking seat.
    pub classes: [Vec<Class<B>>; 2],
    /// Kinds and clauses to be tried piece by piece.
    pub others: Vec<(u8, u16)>,
}

/// Kinds that attack alike.
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
        let kinds = game.kinds.len();
        let mut leaps: [Vec<Option<Vec<B>>>; 2] = [vec![None; kinds], vec![None; kinds]];
        let mut slides: [Vec<Vec<u8>>; 2] = [vec![Vec::new(); kinds], vec![Vec::new(); kinds]];
        let mut others = Vec::new();
        for kind in 0..kinds {
            for c in &game.type_of(kind as u8).clauses {
                let clause = &clauses[*c as usize];
                if !can_capture(clause) {
                    continue;
                }
                match &clause.gen_ {
                    Gen::Step { dirs, distance: 1 } if unconditional(clause) => {
                        for s in 0..2 {
                            let table = leaps[s][kind].get_or_insert_with(|| vec![B::EMPTY; geo.cells]);
                            for d in dirs.get(s).into_iter().flatten() {
                                for (c, to) in
                                    geo.dirs[*d as usize].next.iter().enumerate().filter(|(_, to)| **to != NONE)
                                {
                                    table[*to as usize] |= B::bit(c);
                                }
                            }
                        }
                    }
                    Gen::Leap { table: targets, lame: None } if unconditional(clause) => {
                        for s in 0..2 {
                            let table = leaps[s][kind].get_or_insert_with(|| vec![B::EMPTY; geo.cells]);
                            for (c, targets) in targets[s].iter().enumerate() {
                                targets.cells().for_each(|to| table[to] |= B::bit(c));
                            }
                        }
                    }
                    Gen::Slide { dirs, limit: None, all_the_way: false } if unconditional(clause) => {
                        for s in 0..2 {
                            for d in dirs
                                .get(s)
                                .into_iter()
                                .flatten()
                                .filter(|d| !slides[s][kind].contains(d))
                                .collect::<Vec<_>>()
                            {
                                slides[s][kind].push(*d);
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
            let sliding =
                |d: u8| -> Vec<u8> { (0..kinds as u8).filter(|k| slides[s][*k as usize].contains(&d)).collect() };
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
        Threats { classes, others }
    }
}

/// Whether nothing but geometry decides on what a clause captures.
fn unconditional<B>(clause: &Clause<B>) -> bool {
    matches!(clause.target, Target::Default | Target::Enemy)
        && clause.from.is_none()
        && clause.within.is_none()
        && clause.toward.is_none()
        && clause.away.is_none()
        && clause.guards.is_empty()
        && clause.lifted.is_empty()
        && clause.tried.is_empty()
        && clause.once.is_none()
}
