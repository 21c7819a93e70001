//! Sets of cells.

use crate::ir::{Cell, Game};

/// Words of a set of cells: enough for the largest board.
pub(super) const WORDS: usize = 11;

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits([u64; WORDS]);

impl Bits {
    pub(super) const NONE: Bits = Bits([0; WORDS]);

    pub(super) fn all(cells: usize) -> Bits {
        let mut out = Bits::NONE;
        (0..cells).for_each(|c| out.insert(c as Cell));
        out
    }

    pub(super) fn of(cells: impl IntoIterator<Item = Cell>) -> Bits {
        let mut out = Bits::NONE;
        cells.into_iter().for_each(|c| out.insert(c));
        out
    }

    pub(super) fn insert(&mut self, c: Cell) {
        self.0[c as usize / 64] |= 1 << (c % 64);
    }

    pub fn has(&self, c: Cell) -> bool {
        self.0[c as usize / 64] >> (c % 64) & 1 != 0
    }

    pub fn is_empty(&self) -> bool {
        *self == Bits::NONE
    }

    pub(super) fn len(&self) -> i64 {
        self.0.iter().map(|w| i64::from(w.count_ones())).sum()
    }

    pub(super) fn with(mut self, other: Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a = f(*a, b));
        self
    }

    pub fn and(self, other: Bits) -> Bits {
        self.with(other, |a, b| a & b)
    }

    pub fn or(self, other: Bits) -> Bits {
        self.with(other, |a, b| a | b)
    }
}

pub(super) fn cells_of(bits: Bits) -> impl Iterator<Item = Cell> {
    (0..(WORDS * 64) as Cell).filter(move |c| bits.has(*c))
}

/// The length of the longest line on the board.
pub(super) fn longest(game: &Game) -> i32 {
    let cells = game.board.cells.len();
    let mut best = 1;
    for dir in &game.board.dirs {
        for first in 0..cells {
            // A line begins where nothing lies behind; a line without a beginning goes round.
            let begins = game.board.dirs[dir.opposite as usize].next[first].is_none();
            let mut long = 1;
            let mut at = first;
            while let (true, Some(next)) = (begins, dir.next[at]) {
                (at, long) = (next as usize, long + 1);
            }
            best = best.max(if begins { long } else { 1 });
        }
        if dir.next.iter().all(Option::is_some) {
            return i32::MAX;
        }
    }
    best
}
