//! Geometry as tables: shifts, rays, and what lies between.

use super::bits::Bits;
use crate::ir::board::Board;

/// No cell.
pub const NONE: u16 = u16::MAX;

/// One direction.
pub struct Direction<B> {
    /// Cell index difference of the regular neighbours.
    delta: i32,
    /// Cells whose neighbour is `delta` away.
    regular: B,
    /// The other neighbours (joined edges, drawn boards).
    irregular: Vec<(u16, u16)>,
    /// Neighbour by cell, or [`NONE`].
    pub next: Vec<u16>,
    /// Ray by cell: all cells in this direction, up to where it would come round.
    pub rays: Vec<B>,
    /// On every ray cells ascend (`Some(true)`), descend, or neither.
    order: Option<bool>,
    /// The direction back.
    pub opposite: usize,
}

/// The tables of one board.
pub struct Geometry<B> {
    /// Number of cells.
    pub cells: usize,
    /// Every cell.
    pub all: B,
    /// The directions, as in the rules.
    pub dirs: Vec<Direction<B>>,
    /// Directions that are one of each pair, for lines.
    pub lines: Vec<usize>,
    /// Orthogonal directions.
    pub orthogonal: Vec<u8>,
}

impl<B: Bits> Geometry<B> {
    /// Makes the tables.
    pub fn new(board: &Board) -> Geometry<B> {
        let cells = board.cells.len();
        let all = (0..cells).fold(B::EMPTY, |s, c| s | B::bit(c));
        let dirs: Vec<Direction<B>> = board.dirs.iter().map(|d| direction(d, cells)).collect();
        let lines = (0..dirs.len()).filter(|d| *d <= dirs[*d].opposite).collect();
        Geometry { cells, all, dirs, lines, orthogonal: board.orthogonal.clone() }
    }

    /// The neighbours of a set in a direction.
    #[inline]
    pub fn shift(&self, set: B, d: u8) -> B {
        let dir = &self.dirs[d as usize];
        let mut moved = (set & dir.regular).shift(dir.delta);
        for (from, to) in &dir.irregular {
            if set.has(*from as usize) {
                moved |= B::bit(*to as usize);
            }
        }
        moved
    }

    /// The neighbours of a set in several directions.
    #[inline]
    pub fn neighbours(&self, set: B, dirs: &[u8]) -> B {
        dirs.iter().fold(B::EMPTY, |s, d| s | self.shift(set, *d))
    }

    /// The first cell of `stops` on the ray.
    #[inline]
    pub fn first(&self, cell: usize, d: u8, stops: B) -> Option<usize> {
        let dir = &self.dirs[d as usize];
        let hit = dir.rays[cell] & stops;
        if hit.is_empty() {
            return None;
        }
        match dir.order {
            Some(true) => Some(hit.first()),
            Some(false) => Some(hit.last()),
            None => self.walk(cell, d).find(|c| stops.has(*c)),
        }
    }

    /// The cells of a ray in order.
    pub fn walk(&self, cell: usize, d: u8) -> impl Iterator<Item = usize> + '_ {
        let next = &self.dirs[d as usize].next;
        let mut at = cell;
        std::iter::from_fn(move || {
            let to = next[at];
            if to == NONE || to as usize == cell {
                return None;
            }
            at = to as usize;
            Some(at)
        })
        .take(self.cells)
    }

    /// The ray up to and including the first occupied cell.
    #[inline]
    pub fn slide(&self, cell: usize, d: u8, occupied: B) -> B {
        let dir = &self.dirs[d as usize];
        let ray = dir.rays[cell];
        match self.first(cell, d, occupied) {
            None => ray,
            Some(stop) => match dir.order {
                Some(_) => ray.minus(dir.rays[stop]),
                None => self.upto(cell, d, stop),
            },
        }
    }

    fn upto(&self, cell: usize, d: u8, stop: usize) -> B {
        let mut set = B::EMPTY;
        for c in self.walk(cell, d) {
            set |= B::bit(c);
            if c == stop {
                break;
            }
        }
        set
    }

    /// The cells strictly between two cells on one of the rays from the first; nothing if there is no such ray.
    pub fn between(&self, from: usize, to: usize) -> B {
        let Some(d) = (0..self.dirs.len()).find(|d| self.dirs[*d].rays[from].has(to)) else { return B::EMPTY };
        self.upto(from, d as u8, to).minus(B::bit(to))
    }

    /// The cells of `within` that chains of steps in `dirs` through `within` reach from `seed`.
    pub fn flood(&self, seed: B, within: B, dirs: &[u8]) -> B {
        let mut reached = seed & within;
        loop {
            let more = (self.neighbours(reached, dirs) & within).minus(reached);
            if more.is_empty() {
                return reached;
            }
            reached |= more;
        }
    }

    /// The cells that stand in an unbroken row of `count` (or, if `exactly`, of just so many) cells of `set` along a line.
    pub fn rows(&self, set: B, count: usize, exactly: bool) -> B {
        let mut found = B::EMPTY;
        for d in &self.lines {
            let (d, back) = (*d as u8, self.dirs[*d].opposite as u8);
            let long = self.rows_along(set, count, d, back);
            found |= if exactly { long.minus(self.rows_along(set, count + 1, d, back)) } else { long };
        }
        found
    }

    fn rows_along(&self, set: B, count: usize, d: u8, back: u8) -> B {
        let mut starts = set;
        let mut moved = set;
        for _ in 1..count {
            moved = self.shift(moved, back);
            starts &= moved;
            if starts.is_empty() {
                return B::EMPTY;
            }
        }
        let mut cover = starts;
        for _ in 1..count {
            starts = self.shift(starts, d);
            cover |= starts;
        }
        cover
    }
}

fn direction<B: Bits>(d: &crate::ir::board::Direction, cells: usize) -> Direction<B> {
    let next: Vec<u16> = d.next.iter().map(|n| n.unwrap_or(NONE)).collect();
    let deltas: Vec<i32> = (0..cells).filter(|c| next[*c] != NONE).map(|c| next[c] as i32 - c as i32).collect();
    let delta = deltas.iter().copied().max_by_key(|x| (deltas.iter().filter(|y| *y == x).count(), *x)).unwrap_or(0);
    let mut regular = B::EMPTY;
    let mut irregular = Vec::new();
    for (c, to) in next.iter().enumerate().filter(|(_, to)| **to != NONE) {
        if i32::from(*to) - c as i32 == delta && delta != 0 && (delta.unsigned_abs() as usize) < B::WIDTH {
            regular |= B::bit(c);
        } else {
            irregular.push((c as u16, *to));
        }
    }
    let rays = (0..cells)
        .map(|c| {
            let mut ray = B::EMPTY;
            let mut at = c;
            for _ in 0..cells {
                let to = next[at];
                if to == NONE || to as usize == c || ray.has(to as usize) {
                    break;
                }
                at = to as usize;
                ray |= B::bit(at);
            }
            ray
        })
        .collect();
    let order = if irregular.is_empty() {
        Some(delta > 0)
    } else if irregular.iter().all(|(a, b)| b > a) && delta > 0 {
        Some(true)
    } else if irregular.iter().all(|(a, b)| b < a) && delta < 0 {
        Some(false)
    } else {
        None
    };
    Direction { delta, regular, irregular, next, rays, order, opposite: d.opposite as usize }
}
