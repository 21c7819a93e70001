//! Moves drawn blindly: for a random step what long-moving pieces can do is counted as on an empty board, and drawn again if something is in the way.
//!
//! That every move stands for itself once among those drawn from keeps them equally likely; and to know how many moves a queen has on an empty board is one look-up.

use super::bits::Bits;
use super::core::Core;
use super::eval::History;
use super::geometry::Geometry;
use super::group::{Code, Group, Groups, What};
use super::ops::{How, Land, Op};
use super::rules::Rules;
use super::step::{Deed, Step};
use crate::ir::turn::Chooser;

/// An operation of a play act as a seat draws from it.
pub struct Lot<B> {
    kind: u8,
    /// The kind promotes on these cells.
    promotes: B,
    /// Where a piece must stand.
    from: B,
    code: Code,
    way: Way,
}

enum Way {
    /// One step by a distance.
    Step(i32, Land),
    /// By tables; how many moves there are on an empty board, by cell.
    Bare(Box<[u16]>),
    /// As it is listed otherwise; the number of the operation.
    Listed(u16),
}

impl<B: Bits> Lot<B> {
    /// The operations of an act, `play` its number, for each seat.
    pub fn of(geo: &Geometry<B>, ops: &[Op<B>], play: usize, promotes: &[[B; 2]]) -> [Vec<Lot<B>>; 2] {
        [0, 1].map(|s| {
            let lots = ops.iter().enumerate();
            lots.map(|(i, op)| {
                let mut code = op.code[s];
                let way = match &op.how {
                    How::Step { delta, land, .. } if op.lone => Way::Step(delta[s], *land),
                    How::Reach { leaps, sliders, land: Some(_) }
                        if op.lone && !op.promotes && geo.straight && play <= u8::MAX.into() =>
                    {
                        code = Code::new(What::Bare { play: play as u8, op: i as u16, size: 0 }, 0);
                        Way::Bare((0..geo.cells).map(|c| geo.bare(leaps, sliders, s, c).count() as u16).collect())
                    }
                    _ => Way::Listed(i as u16),
                };
                Lot { kind: op.kind, promotes: promotes[op.kind as usize][s], from: op.from[s], code, way }
            })
            .collect()
        })
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Emits the groups of a play act, moves of long-moving pieces as on an empty board.
    pub fn blind_groups(
        &self,
        core: &Core<B, K, M>,
        play: usize,
        chooser: Chooser,
        next: u16,
        history: &History,
        out: &mut Groups<B>,
    ) {
        let s = core.side as usize & 1;
        let frame = self.frame(core, history, None, out);
        let mine = self.choosing(core, chooser);
        for lot in &self.lots[play][s] {
            let pieces = mine & core.sets[lot.kind as usize] & lot.from;
            if pieces.is_empty() {
                continue;
            }
            match &lot.way {
                Way::Step(delta, land) => {
                    let targets = pieces.shift(*delta) & frame.lands[*land as usize];
                    if targets.any() {
                        let code = lot.code.leading(next);
                        let promotes = code.promotes() && (targets & lot.promotes).any();
                        out.push(targets, if promotes { code } else { code.unpromoting() });
                    }
                }
                Way::Bare(moves) => {
                    let size = pieces.cells().fold(0, |n, cell| n + u32::from(moves[cell]));
                    if let Ok(size) = u16::try_from(size) {
                        out.push_bare(pieces, lot.code.leading(next), size);
                    } else {
                        // more than a group can hold
                        for cell in pieces.cells() {
                            out.push_bare(B::bit(cell), lot.code.leading(next), moves[cell]);
                        }
                    }
                }
                Way::Listed(op) => {
                    let op = &self.plays[play].ops[*op as usize];
                    self.op_groups(op, core, pieces, &frame, next, out);
                }
            }
        }
        for drop in &self.plays[play].drops {
            self.drop_groups(drop, core, &frame, next, out);
        }
    }

    /// The k-th move of a group that lists moves as on an empty board; none if the board is in the way.
    pub fn blind_step(&self, group: &Group<B>, core: &Core<B, K, M>, mut k: u32) -> Option<Step> {
        let What::Bare { play, op: number, .. } = group.code.what() else { return None };
        let s = core.side as usize & 1;
        let op = &self.plays[play as usize].ops[number as usize];
        let Way::Bare(moves) = &self.lots[play as usize][s][number as usize].way else { return None };
        let How::Reach { leaps, sliders, land: Some(land) } = &op.how else { return None };
        let cell = group.targets.cells().find(|cell| match u32::from(moves[*cell]) {
            n if k >= n => {
                k -= n;
                false
            }
            _ => true,
        })?;
        let to = self.geo.bare(leaps, sliders, s, cell).nth(k);
        let leaps = leaps.as_ref().is_some_and(|x| x[s][cell].has(to));
        let free = self.lands(core, core.side)[*land as usize].has(to)
            && (leaps || (self.geo.between(cell, to) & core.occupied()).is_empty());
        let deed = Deed::Move { clause: op.clause, kind: op.kind, from: cell as u16, to: to as u16, promote: None };
        free.then_some(Step { deed, next: group.code.next() })
    }
}
