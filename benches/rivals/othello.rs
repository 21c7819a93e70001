//! Othello on two words, lines found by filling in all eight directions.

use super::bits::{each, select};
use super::{Outcome, Played};
use rulebook::engine::Random;
use std::hint::black_box;

/// Cells from which a line can go on to either side.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;
/// The four axes: the step between neighbours, and where the discs between the ends of a line may stand.
const AXES: [(u32, u64); 4] = [(1, INNER), (7, INNER), (8, u64::MAX), (9, INNER)];

/// The discs of the player to move and those of the other, and how many turns in a row were passes.
#[derive(Clone, Copy)]
pub struct Othello {
    me: u64,
    foe: u64,
    passes: u32,
}

/// The cells reached from `seed` over one to six of the `between`, and the neighbours beyond them, by one shift.
fn fill(seed: u64, between: u64, shift: impl Fn(u64) -> u64) -> (u64, u64) {
    let mut line = between & shift(seed);
    for _ in 0..5 {
        line |= between & shift(line);
    }
    (line, shift(line))
}

impl Othello {
    /// The four discs in the middle.
    pub fn start() -> Othello {
        Othello { me: 1 << 27 | 1 << 36, foe: 1 << 28 | 1 << 35, passes: 0 }
    }

    /// Where a disc can be placed.
    fn targets(&self) -> u64 {
        let mut ends = 0;
        for (step, between) in AXES {
            ends |= fill(self.me, self.foe & between, |b| b << step).1;
            ends |= fill(self.me, self.foe & between, |b| b >> step).1;
        }
        ends & !(self.me | self.foe)
    }

    /// The position after a disc is placed there; 0 is a pass.
    fn after(&self, to: u64) -> Othello {
        if to == 0 {
            return Othello { me: self.foe, foe: self.me, passes: self.passes + 1 };
        }
        let mut flipped = 0;
        for (step, between) in AXES {
            for (line, end) in
                [fill(to, self.foe & between, |b| b << step), fill(to, self.foe & between, |b| b >> step)]
            {
                if end & self.me != 0 {
                    flipped |= line;
                }
            }
        }
        Othello { me: self.foe ^ flipped, foe: self.me | to | flipped, passes: 0 }
    }

    /// The number of sequences of `depth` turns; without `PLAY` the last ones are counted by their targets.
    pub fn perft<const PLAY: bool>(&self, depth: u32) -> u64 {
        if self.passes == 2 {
            return 0;
        }
        let targets = self.targets();
        if depth == 1 && !PLAY {
            return u64::from(targets.count_ones().max(1));
        }
        let below = |to| {
            let after = black_box(self.after(to));
            if depth == 1 { 1 } else { after.perft::<PLAY>(depth - 1) }
        };
        if targets == 0 { below(0) } else { each(targets).map(below).sum() }
    }

    /// A random game from here.
    pub fn playout(mut self, rng: &mut Random) -> Played {
        let mut turns = 0;
        while self.passes < 2 {
            let targets = self.targets();
            let to = if targets == 0 { 0 } else { select(targets, rng.below(targets.count_ones())) };
            self = self.after(to);
            turns += 1;
        }
        let mover = (turns & 1) as u8;
        let outcome = match self.me.count_ones().cmp(&self.foe.count_ones()) {
            std::cmp::Ordering::Greater => Outcome::Won(mover),
            std::cmp::Ordering::Equal => Outcome::Drawn,
            std::cmp::Ordering::Less => Outcome::Won(1 - mover),
        };
        Played { turns, outcome: Some(outcome) }
    }
}
