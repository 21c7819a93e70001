//! Breakthrough on two words. The board is turned round after each turn, so that the player to move always goes up.

use super::bits::{NOT_A, NOT_H, each, select};
use super::{Outcome, Played};
use rulebook::engine::Random;
use std::hint::black_box;

const LAST_RANK: u64 = 0xff << 56;

/// The pawns of the player to move and those of the other.
#[derive(Clone, Copy)]
pub struct Breakthrough {
    me: u64,
    foe: u64,
}

impl Breakthrough {
    /// Two ranks of pawns each.
    pub fn start() -> Breakthrough {
        Breakthrough { me: 0xffff, foe: 0xffff << 48 }
    }

    /// Where pawns can go, straight on, to the left and to the right; each target is reached by one pawn in each way.
    fn targets(&self) -> [u64; 3] {
        [self.me << 8 & !(self.me | self.foe), (self.me & NOT_A) << 7 & !self.me, (self.me & NOT_H) << 9 & !self.me]
    }

    /// The position after the move to `to` in way number `way` of [`Self::targets`], and whether it won.
    fn after(&self, way: usize, to: u64) -> (Breakthrough, bool) {
        let from = to >> [8, 7, 9][way];
        let (me, foe) = (self.me ^ from ^ to, self.foe & !to);
        (Breakthrough { me: foe.swap_bytes(), foe: me.swap_bytes() }, to & LAST_RANK != 0 || foe == 0)
    }

    /// The number of sequences of `depth` turns; without `PLAY` the last ones are counted by their targets.
    pub fn perft<const PLAY: bool>(&self, depth: u32) -> u64 {
        let targets = self.targets();
        if depth == 1 && !PLAY {
            return targets.iter().map(|t| u64::from(t.count_ones())).sum();
        }
        let mut nodes = 0;
        for (way, targets) in targets.into_iter().enumerate() {
            for to in each(targets) {
                let (after, won) = black_box(self.after(way, to));
                nodes += match depth {
                    1 => 1,
                    _ if won => 0,
                    _ => after.perft::<PLAY>(depth - 1),
                };
            }
        }
        nodes
    }

    /// A random game from here.
    pub fn playout(mut self, rng: &mut Random) -> Played {
        let mut turns = 0;
        loop {
            let targets = self.targets();
            let counts = targets.map(u64::count_ones);
            // the player to move is never stuck: nothing of his stands ahead of his foremost pawn
            let mut k = rng.below(counts.iter().sum());
            let mut way = 0;
            while k >= counts[way] {
                k -= counts[way];
                way += 1;
            }
            let (after, won) = self.after(way, select(targets[way], k));
            if won {
                return Played { turns: turns + 1, outcome: Some(Outcome::Won((turns & 1) as u8)) };
            }
            turns += 1;
            self = after;
        }
    }
}
