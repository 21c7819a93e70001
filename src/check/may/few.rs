//! How many pieces of a type a player may have.

use super::numbers::MANY;
use super::sets::May;
use super::{NOBODY, Possible};
use crate::check::walk::{self, Node};
use crate::ir::TypeId;
use crate::ir::piece::Generator;
use crate::ir::rule::{Change, Effect, HandItem};
use crate::ir::turn::{Act, Chosen};

impl Possible<'_> {
    /// For each type how many pieces of it a player may have on the board: no more than at the start and in hand, if nothing makes more.
    pub(super) fn numbers(&self, seat: usize) -> Vec<i64> {
        let game = self.game;
        let mut made = vec![game.setup.fill.is_some(); game.types.len()];
        let mut all = false;
        let of = |k: &u8| game.kinds[*k as usize].piece as usize;
        let mut more: Vec<usize> = Vec::new();
        walk::game(game, &mut |node| match node {
            Node::Effect(Effect::Flip(_)) | Node::Act(Act::Choose { effect: Chosen::Flip, .. }) => all = true,
            Node::Effect(Effect::Become(_, kind)) => more.push(of(kind)),
            Node::Effect(Effect::Roll(_)) => more.extend(game.ladder.iter().map(of)),
            Node::Effect(Effect::Hand { change: Change::Add, what, .. }) => match what {
                HandItem::Type(t) => more.push(*t as usize),
                HandItem::OriginalOf(_) => all = true,
            },
            _ => {}
        });
        more.extend(game.types.iter().flat_map(|ty| &ty.promotions).flat_map(|p| p.to.iter().map(|(k, _)| of(k))));
        for remap in &game.remaps {
            let pairs = remap.table.iter().enumerate().filter_map(|(from, to)| Some((of(&(from as u8)), of(&(*to)?))));
            more.extend(pairs.filter(|(from, to)| from != to).map(|(_, to)| to));
        }
        for (t, ty) in game.types.iter().enumerate() {
            let drops = |c: &u16| matches!(game.clauses[*c as usize].generator, Generator::Drop { .. });
            if !self.has_hand && ty.clauses.iter().any(drops) {
                more.push(t);
            }
        }
        more.into_iter().for_each(|t| made[t] = true);
        let count = |t: usize| {
            let placed = game
                .setup
                .places
                .iter()
                .filter(|(owner, kind, _)| owner.map(usize::from) == Some(seat) && of(kind) == t);
            let held = game.setup.hands[seat].iter().filter(|(h, _)| *h as usize == t).map(|(_, n)| i64::from(*n));
            placed.count() as i64 + held.sum::<i64>()
        };
        (0..game.types.len()).map(|t| if all || made[t] { MANY } else { count(t) }).collect()
    }

    /// How many pieces of these types a player may have in all.
    pub(super) fn at_most(&self, seat: usize, types: &[TypeId]) -> i64 {
        types.iter().map(|t| self.most[seat][*t as usize]).sum::<i64>().min(MANY)
    }

    /// How many members such a set may have.
    pub(super) fn most(&self, may: &May) -> i64 {
        let cells = may.cells.len();
        if may.empty || may.kinds[NOBODY] != 0 {
            return cells;
        }
        let types = 0..self.game.types.len() as TypeId;
        let pieces = (0..self.game.seats.len()).map(|seat| {
            let kinds = may.kinds[seat];
            let there: Vec<TypeId> = types.clone().filter(|t| kinds & self.mask(*t) != 0).collect();
            self.at_most(seat, &there)
        });
        cells.min(pieces.sum())
    }
}
