//! Sets of cells as machine words, in several widths.

use super::cpu;
use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of cells. A cell is an index below [`Bits::WIDTH`].
pub trait Bits:
    Copy
    + Eq
    + Default
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// How many cells there is room for.
    const WIDTH: usize;
    /// The set without a cell.
    const EMPTY: Self;
    /// Room for a list of cells.
    type List: AsMut<[u16]>;
    /// An empty list.
    const LIST: Self::List;
    /// Room for a word for each line of a board.
    type Lines: AsMut<[u32]> + Copy;
    /// How many lines there is room for, and empty words for them.
    const LINES: (usize, Self::Lines);
    /// A number made from the set, 0 for the empty set.
    fn digest(self) -> u64;
    /// The set of one cell.
    fn bit(cell: usize) -> Self;
    /// Moves every cell by `delta`; what leaves the width falls off or comes round, so callers mask.
    fn shift(self, delta: i32) -> Self;
    /// No cell.
    fn is_empty(self) -> bool;
    /// The number of cells.
    fn count(self) -> u32;
    /// The lowest cell; the set must not be empty.
    fn first(self) -> usize;
    /// The highest cell; the set must not be empty.
    fn last(self) -> usize;
    /// Without its lowest cell.
    fn rest(self) -> Self;
    /// The k-th cell in ascending order, counted from 0; there must be one.
    fn nth(self, k: u32) -> usize;
    /// Of a line through a cell, `up` its cells above and `low` those below, what is seen from there: up to and with the first occupied cell either way.
    fn sight(up: Self, low: Self, occupied: Self) -> Self;
    /// The cells of `what` with which a ray (ascending or descending) begins, if the cell after them is one of `to`.
    fn run_up_to(ray: Self, what: Self, to: Self, ascends: bool) -> Self;

    /// Whether the cell is in the set.
    #[inline]
    fn has(self, cell: usize) -> bool {
        !(self & Self::bit(cell)).is_empty()
    }

    /// Some cell.
    #[inline]
    fn any(self) -> bool {
        !self.is_empty()
    }

    /// What is here and not there.
    #[inline]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The cells in ascending order.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// The cells of a set in ascending order.
pub struct Cells<B>(B);

impl<B: Bits> Iterator for Cells<B> {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let cell = self.0.first();
        self.0 = self.0.rest();
        Some(cell)
    }
}

/// Scrambles a number; 0 stays 0.
#[inline]
pub fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

macro_rules! word {
    ($word:ty, $lines:literal, $count:expr, $nth:expr) => {
        impl Bits for $word {
            type List = [u16; <$word>::BITS as usize];
            const LIST: Self::List = [0; <$word>::BITS as usize];
            type Lines = [u32; $lines];
            const LINES: (usize, Self::Lines) = ($lines, [0; $lines]);
            const WIDTH: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;
            fn digest(self) -> u64 {
                mix(self as u64) ^ mix((self >> (Self::BITS / 2)) as u64).rotate_left(21)
            }
            #[inline]
            fn bit(cell: usize) -> Self {
                1 << (cell & (Self::WIDTH - 1))
            }
            #[inline]
            fn shift(self, delta: i32) -> Self {
                self.rotate_left(delta as u32 & (Self::BITS - 1))
            }
            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline]
            fn count(self) -> u32 {
                $count(self)
            }
            #[inline]
            fn nth(self, k: u32) -> usize {
                $nth(self, k)
            }
            #[inline]
            fn sight(up: Self, low: Self, occupied: Self) -> Self {
                // twice the first blocker above, less the first one below: all bits from this to that
                let (above, below) = (up & occupied, low & occupied);
                let nearest = above & above.wrapping_neg();
                let floor = Self::MAX << (Self::BITS - 1 - (below | 1).leading_zeros());
                (up | low) & nearest.wrapping_add(nearest).wrapping_add(floor)
            }
            #[inline]
            fn run_up_to(ray: Self, what: Self, to: Self, ascends: bool) -> Self {
                let stops = ray & !what;
                let (stop, before) = match ascends {
                    true => {
                        let stop = stops & stops.wrapping_neg();
                        (stop, stop.wrapping_sub(1))
                    }
                    false => {
                        let stop = 1 << (Self::BITS - 1 - (stops | 1).leading_zeros());
                        (stop & stops, !(stop | (stop - 1)))
                    }
                };
                if stop & to == 0 { 0 } else { ray & before }
            }
            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline]
            fn last(self) -> usize {
                (Self::BITS - 1 - self.leading_zeros()) as usize
            }
            #[inline]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

word!(u64, 48, cpu::count, |set, k| cpu::select(set, k) as usize);
word!(u128, 80, |set: u128| cpu::count(set as u64) + cpu::count((set >> 64) as u64), |set: u128, k| {
    let low = cpu::count(set as u64);
    match k < low {
        true => cpu::select(set as u64, k) as usize,
        false => 64 + cpu::select((set >> 64) as u64, k - low) as usize,
    }
});

/// The most cells of the widest sets.
const MOST_CELLS: usize = 704;

/// A set of up to 64 × N cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Default for Wide<N> {
    fn default() -> Self {
        Wide([0; N])
    }
}

macro_rules! lanes {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt;)*) => { $(
        impl<const N: usize> $trait for Wide<N> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Wide(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
        impl<const N: usize> $assign for Wide<N> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    )* };
}

lanes! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl<const N: usize> Not for Wide<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Wide(std::array::from_fn(|i| !self.0[i]))
    }
}

impl<const N: usize> Bits for Wide<N> {
    const WIDTH: usize = 64 * N;
    type List = [u16; MOST_CELLS];
    const LIST: Self::List = [0; MOST_CELLS];
    type Lines = [u32; 160];
    const LINES: (usize, Self::Lines) = (160, [0; 160]);
    const EMPTY: Self = Wide([0; N]);
    fn digest(self) -> u64 {
        self.0.iter().enumerate().fold(0, |h, (i, lane)| h ^ mix(*lane).rotate_left(7 * i as u32))
    }
    #[inline]
    fn bit(cell: usize) -> Self {
        let mut lanes = [0; N];
        lanes[(cell >> 6) % N] = 1 << (cell & 63);
        Wide(lanes)
    }
    #[inline]
    fn shift(self, delta: i32) -> Self {
        let (lane, bit) = (delta.unsigned_abs() as usize >> 6, delta.unsigned_abs() & 63);
        let at = |i: usize| self.0.get(i).copied().unwrap_or(0);
        Wide(std::array::from_fn(|i| {
            if delta >= 0 {
                let low = if i > lane && bit > 0 { at(i - lane - 1) >> (64 - bit) } else { 0 };
                if i >= lane { at(i - lane) << bit | low } else { 0 }
            } else {
                let high = if bit > 0 { at(i + lane + 1) << (64 - bit) } else { 0 };
                at(i + lane) >> bit | high
            }
        }))
    }
    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |a, b| a | b) == 0
    }
    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|lane| cpu::count(*lane)).sum()
    }
    #[inline]
    fn first(self) -> usize {
        self.0.iter().position(|lane| *lane != 0).map_or(Self::WIDTH, |i| i * 64 + self.0[i].trailing_zeros() as usize)
    }
    #[inline]
    fn last(self) -> usize {
        self.0
            .iter()
            .rposition(|lane| *lane != 0)
            .map_or(Self::WIDTH, |i| i * 64 + 63 - self.0[i].leading_zeros() as usize)
    }
    #[inline]
    fn nth(self, k: u32) -> usize {
        let mut left = k;
        for (i, lane) in self.0.iter().enumerate() {
            let n = cpu::count(*lane);
            if left < n {
                return i * 64 + cpu::select(*lane, left) as usize;
            }
            left -= n;
        }
        Self::WIDTH
    }
    #[inline]
    fn sight(up: Self, low: Self, occupied: Self) -> Self {
        let (above, below) = (up & occupied, low & occupied);
        let (last, first) = (above.first(), if below.is_empty() { 0 } else { below.last() });
        let mut seen = [0; N];
        for (i, lane) in seen.iter_mut().enumerate() {
            // the bits of this lane from `first` to `last`
            let from = first.saturating_sub(i * 64);
            let to = (last + 1).saturating_sub(i * 64).min(64);
            if from < to {
                *lane = (u64::MAX << from) & (u64::MAX >> (64 - to));
            }
        }
        (up | low) & Wide(seen)
    }
    #[inline]
    fn run_up_to(ray: Self, what: Self, to: Self, ascends: bool) -> Self {
        let stops = ray.minus(what);
        if stops.is_empty() {
            return stops;
        }
        let stop = if ascends { stops.first() } else { stops.last() };
        if !to.has(stop) {
            return Self::EMPTY;
        }
        ray.cells().filter(|c| (*c < stop) == ascends && *c != stop).fold(Self::EMPTY, |s, c| s | Self::bit(c))
    }
    #[inline]
    fn rest(self) -> Self {
        let mut lanes = self.0;
        if let Some(lane) = lanes.iter_mut().find(|lane| **lane != 0) {
            *lane &= *lane - 1;
        }
        Wide(lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation agrees with the same operation on a list of booleans.
    fn check<B: Bits>() {
        let set = |cells: &[usize]| cells.iter().fold(B::EMPTY, |s, c| s | B::bit(*c));
        let cells: Vec<usize> = (0..B::WIDTH).filter(|c| c % 7 == 3 || c % 11 == 0).collect();
        let s = set(&cells);
        assert_eq!(s.cells().collect::<Vec<_>>(), cells);
        assert_eq!(s.count() as usize, cells.len());
        assert_eq!((s.first(), s.last()), (cells[0], cells[cells.len() - 1]));
        assert_eq!(s.nth(5), cells[5]);
        for delta in [0_i32, 1, 8, 9, 17, -1, -7, -9, -19, 63, 64, 65, -63, -64, -65] {
            if delta.unsigned_abs() as usize >= B::WIDTH {
                continue;
            }
            let stays = |c: &i32| (0..B::WIDTH as i32).contains(&(c + delta));
            let staying: Vec<i32> = cells.iter().map(|c| *c as i32).filter(stays).collect();
            let moved: Vec<usize> = staying.iter().map(|c| (c + delta) as usize).collect();
            let s = set(&staying.iter().map(|c| *c as usize).collect::<Vec<_>>());
            assert_eq!(s.shift(delta).cells().collect::<Vec<_>>(), moved, "{delta}");
        }
        // a line of every third cell
        for cell in (0..B::WIDTH).step_by(3).filter(|c| !s.has(*c)) {
            let line: Vec<usize> = (0..B::WIDTH).step_by(3).filter(|c| *c != cell).collect();
            let (up, low): (Vec<usize>, Vec<usize>) = line.iter().partition(|c| **c > cell);
            let above = up.iter().position(|c| s.has(*c)).map_or(&up[..], |i| &up[..=i]);
            let below = low.iter().rposition(|c| s.has(*c)).map_or(&low[..], |i| &low[i..]);
            assert_eq!(B::sight(set(&up), set(&low), s), set(above) | set(below), "{cell}");
        }
        // a ray of every second cell, on which runs of the set end in cells that are not in it
        for start in 0..B::WIDTH {
            for ascends in [true, false] {
                let ahead = |c: &usize| if ascends { *c > start } else { *c < start };
                let mut ray: Vec<usize> = (0..B::WIDTH).filter(|c| c % 2 == start % 2).filter(ahead).collect();
                let cells_of_ray = set(&ray);
                if !ascends {
                    ray.reverse();
                }
                let run: Vec<usize> = ray.iter().copied().take_while(|c| s.has(*c)).collect();
                let stop = ray.get(run.len());
                let to = set(&(0..B::WIDTH).filter(|c| c % 5 < 3).collect::<Vec<_>>());
                let found = B::run_up_to(cells_of_ray, s, to, ascends);
                let expected = if stop.is_some_and(|c| to.has(*c)) { set(&run) } else { B::EMPTY };
                assert_eq!(found, expected, "{start} {ascends}");
            }
        }
        assert!(B::EMPTY.is_empty() && !s.is_empty() && (s & !s).is_empty() && s.has(3) && !s.has(4));
    }

    #[test]
    fn words_are_sets() {
        check::<u64>();
        check::<u128>();
        check::<Wide<4>>();
        check::<Wide<6>>();
        check::<Wide<11>>();
    }
}
