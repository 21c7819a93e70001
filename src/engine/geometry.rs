//! Geometry as tables: shifts, rays, and what lies between.

use super::bits::Bits;
use crate::ir::board::Board;

/// No cell.
pub const NONE: u16 = u16::MAX;
/// No direction.
pub const NOWHERE: u8 = u8::MAX;

/// One direction.
pub struct Direction<B> {
    /// Cell index difference of the regular neighbours.
    delta: i32,
    /// Cells whose neighbour is `delta` away.
    regular: B,
    /// Those neighbours.
    arrivals: B,
    /// How often a distance must be doubled to pass the longest ray.
    doublings: u8,
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

/// Slides in a set of directions, from each cell: lines whose two ends are seen at once.
pub struct Sliders<B> {
    /// Lines per cell.
    lines: usize,
    /// By cell and line: the cells above and those below.
    ends: Vec<(B, B)>,
    /// Directions whose rays do not ascend or descend.
    bent: Vec<u8>,
    /// By cell: what is seen on an empty board.
    pub bare: Vec<B>,
}

/// Directions in which runs are looked for, side by side.
pub struct Fan<B> {
    /// For a run back from its end: the distance of a step, and the cells where it leads.
    back: Vec<(i32, B)>,
    /// By cell and direction the ray, and whether it ascends.
    rays: Vec<(B, bool)>,
    /// How often a distance must be doubled to pass the longest ray.
    doublings: u8,
}

impl<B: Bits> Fan<B> {
    /// The cells from which a run of `what` begins that a cell of `to` follows.
    #[inline]
    pub fn starts(&self, what: B, to: B) -> B {
        let mut starts = B::EMPTY;
        for (delta, arrivals) in &self.back {
            // the distance over which runs are carried back doubles
            let (mut open, mut distance) = (what & *arrivals, *delta);
            let mut run = to.shift(distance) & open;
            for _ in 0..self.doublings {
                run |= run.shift(distance) & open;
                open &= open.shift(distance);
                distance *= 2;
            }
            starts |= run.shift(*delta) & *arrivals;
        }
        starts
    }

    /// The runs of `what` that begin beside a cell and that a cell of `to` follows.
    #[inline]
    pub fn runs(&self, cell: usize, what: B, to: B) -> B {
        let rays = &self.rays[cell * self.back.len()..(cell + 1) * self.back.len()];
        rays.iter().fold(B::EMPTY, |found, (ray, ascends)| found | B::run_up_to(*ray, what, to, *ascends))
    }
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
    /// Slides in every direction.
    pub stars: Sliders<B>,
    /// By pair of cells the first direction in which the second is seen from the first, or [`NOWHERE`].
    ways: Vec<u8>,
    /// No ray bends, and from no cell another is seen in two directions.
    pub straight: bool,
}

impl<B: Bits> Geometry<B> {
    /// Makes the tables.
    pub fn new(board: &Board) -> Geometry<B> {
        let cells = board.cells.len();
        let all = (0..cells).fold(B::EMPTY, |s, c| s | B::bit(c));
        let dirs: Vec<Direction<B>> = board.dirs.iter().map(|d| direction(d, cells)).collect();
        let lines = (0..dirs.len()).filter(|d| *d <= dirs[*d].opposite).collect();
        let mut ways = vec![NOWHERE; cells * cells];
        let mut straight = dirs.iter().all(|d| d.order.is_some());
        for (d, dir) in dirs.iter().enumerate() {
            for (from, ray) in dir.rays.iter().enumerate() {
                for to in ray.cells() {
                    let way = &mut ways[from * cells + to];
                    straight &= *way == NOWHERE;
                    if *way == NOWHERE {
                        *way = d as u8;
                    }
                }
            }
        }
        let mut geo = Geometry {
            stars: Sliders { lines: 0, ends: Vec::new(), bent: Vec::new(), bare: Vec::new() },
            cells,
            all,
            dirs,
            lines,
            orthogonal: board.orthogonal.clone(),
            ways,
            straight,
        };
        geo.stars = geo.sliders(&(0..geo.dirs.len() as u8).collect::<Vec<_>>());
        geo
    }

    /// A direction as a distance between cells and the cells from which it leads to another; none if some neighbours are not so far apart.
    pub fn regular(&self, d: u8) -> Option<(i32, B)> {
        let dir = &self.dirs[d as usize];
        dir.irregular.is_empty().then_some((dir.delta, dir.regular))
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

    /// The cells of `through` that unbroken runs of it in a direction reach from the seed.
    #[inline]
    pub fn run(&self, seed: B, through: B, d: u8) -> B {
        let dir = &self.dirs[d as usize];
        if !dir.irregular.is_empty() {
            let mut run = self.shift(seed, d) & through;
            let mut front = run;
            while front.any() {
                front = (self.shift(front, d) & through).minus(run);
                run |= front;
            }
            return run;
        }
        // the distance over which runs are carried on doubles
        let mut open = through & dir.arrivals;
        let mut run = seed.shift(dir.delta) & open;
        let mut distance = dir.delta;
        for _ in 0..dir.doublings {
            run |= run.shift(distance) & open;
            open &= open.shift(distance);
            distance *= 2;
        }
        run
    }

    /// The cells from which a run of `what` that a cell of `to` follows begins in one of the directions.
    #[inline]
    pub fn run_starts(&self, what: B, to: B, dirs: &[u8]) -> B {
        dirs.iter().fold(B::EMPTY, |starts, d| {
            let back = self.dirs[*d as usize].opposite as u8;
            starts | self.shift(self.run(to, what, back), back)
        })
    }

    /// The runs of `what` (of just so many, if said) that begin beside a cell of `from` in one of the directions and that a cell of `to` follows.
    #[inline]
    pub fn runs(&self, what: B, from: B, to: B, dirs: &[u8], exactly: Option<i32>) -> B {
        let mut found = B::EMPTY;
        for start in from.cells() {
            for d in dirs {
                let dir = &self.dirs[*d as usize];
                let run = match dir.order {
                    Some(ascends) => B::run_up_to(dir.rays[start], what, to, ascends),
                    None => {
                        let inside = self.walk(start, *d).take_while(|c| what.has(*c)).count();
                        let followed = self.walk(start, *d).nth(inside).is_some_and(|c| to.has(c));
                        let run = self.walk(start, *d).take(if followed { inside } else { 0 });
                        run.fold(B::EMPTY, |s, c| s | B::bit(c))
                    }
                };
                if exactly.is_none_or(|n| run.count() as i32 == n) {
                    found |= run;
                }
            }
        }
        found
    }

    /// Whether a chain of steps in `dirs` through `of` joins a cell of `from` to one of `to`.
    pub fn joins(&self, of: B, from: B, to: B, dirs: &[u8]) -> bool {
        let (from, to) = (from & of, to & of);
        from.any() && to.any() && (self.flood(from, of, dirs) & to).any()
    }

    /// These directions side by side; none if some of them bend.
    pub fn fan(&self, dirs: &[u8]) -> Option<Fan<B>> {
        let dirs: Vec<&Direction<B>> = dirs.iter().map(|d| &self.dirs[*d as usize]).collect();
        let straight = |d: &&Direction<B>| d.order.is_some() && self.dirs[d.opposite].irregular.is_empty();
        dirs.iter().all(straight).then(|| Fan {
            back: dirs.iter().map(|d| &self.dirs[d.opposite]).map(|d| (d.delta, d.arrivals)).collect(),
            rays: (0..self.cells).flat_map(|c| dirs.iter().map(move |d| (d.rays[c], d.order == Some(true)))).collect(),
            doublings: dirs.iter().map(|d| d.doublings.max(self.dirs[d.opposite].doublings)).max().unwrap_or(0),
        })
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

    /// The last cell of a ray before the first occupied one, or at its end; none if there is none between.
    #[inline]
    pub fn furthest(&self, cell: usize, d: u8, occupied: B) -> Option<usize> {
        let dir = &self.dirs[d as usize];
        let Some(ascends) = dir.order else { return self.walk(cell, d).take_while(|c| !occupied.has(*c)).last() };
        let ray = dir.rays[cell];
        let hit = ray & occupied;
        let open = match hit.is_empty() {
            true => ray,
            false => {
                let stop = if ascends { hit.first() } else { hit.last() };
                ray.minus(dir.rays[stop] | B::bit(stop))
            }
        };
        match open.is_empty() {
            true => None,
            false => Some(if ascends { open.last() } else { open.first() }),
        }
    }

    /// Whether every way back leads back, and from no cell another is seen in two directions.
    pub fn reversible(&self) -> bool {
        self.straight
            && self.dirs.iter().all(|dir| {
                let back = &self.dirs[dir.opposite].next;
                dir.next.iter().enumerate().all(|(c, to)| *to == NONE || back[*to as usize] as usize == c)
            })
            && self.dirs.iter().enumerate().all(|(d, dir)| self.dirs[dir.opposite].opposite == d)
    }

    /// Tables for slides in these directions.
    pub fn sliders(&self, dirs: &[u8]) -> Sliders<B> {
        let rises = |d: u8| self.dirs[d as usize].order;
        let back = |d: u8| self.dirs[d as usize].opposite as u8;
        let mut lines: Vec<(Option<u8>, Option<u8>)> = Vec::new();
        for d in dirs.iter().copied() {
            match rises(d) {
                Some(true) => {
                    lines.push((Some(d), (dirs.contains(&back(d)) && rises(back(d)) == Some(false)).then(|| back(d))))
                }
                Some(false) if !(dirs.contains(&back(d)) && rises(back(d)) == Some(true)) => {
                    lines.push((None, Some(d)))
                }
                _ => {}
            }
        }
        let ray = |d: Option<u8>, c: usize| d.map_or(B::EMPTY, |d| self.dirs[d as usize].rays[c]);
        Sliders {
            lines: lines.len(),
            ends: (0..self.cells)
                .flat_map(|c| lines.iter().map(move |(up, low)| (ray(*up, c), ray(*low, c))))
                .collect(),
            bent: dirs.iter().copied().filter(|d| rises(*d).is_none()).collect(),
            bare: (0..self.cells)
                .map(|c| dirs.iter().fold(B::EMPTY, |s, d| s | self.dirs[*d as usize].rays[c]))
                .collect(),
        }
    }

    /// What a piece on a cell reaches by sliding, up to and with the first occupied cell each way.
    #[inline]
    pub fn slides(&self, sliders: &Sliders<B>, cell: usize, occupied: B) -> B {
        let mut seen = B::EMPTY;
        for (up, low) in &sliders.ends[cell * sliders.lines..(cell + 1) * sliders.lines] {
            seen |= B::sight(*up, *low, occupied);
        }
        for d in &sliders.bent {
            seen |= self.slide(cell, *d, occupied);
        }
        seen
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

    /// The first direction in which a cell is seen from another.
    #[inline]
    pub fn way(&self, from: usize, to: usize) -> Option<u8> {
        Some(self.ways[from * self.cells + to]).filter(|d| *d != NOWHERE)
    }

    /// The cells strictly between two cells on one of the rays from the first; nothing if there is no such ray.
    #[inline]
    pub fn between(&self, from: usize, to: usize) -> B {
        let Some(d) = self.way(from, to) else { return B::EMPTY };
        let dir = &self.dirs[d as usize];
        match self.straight {
            true => dir.rays[from] & self.dirs[dir.opposite].rays[to],
            false => self.upto(from, d, to).minus(B::bit(to)),
        }
    }

    /// The cells strictly between two cells in a direction; where none is given, in the first in which the second is seen.
    #[inline]
    pub fn between_by(&self, dir: u8, from: usize, to: usize) -> B {
        match dir {
            NOWHERE => self.between(from, to),
            d => self.upto(from, d, to).minus(B::bit(to)),
        }
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

    /// Whether some cells of `set` stand in an unbroken row of `count` (or, if `exactly`, of just so many) along a line, one of them in `through`.
    #[inline]
    pub fn has_row(&self, set: B, count: usize, exactly: bool, through: B) -> bool {
        self.lines.iter().any(|d| {
            let (d, back) = (*d as u8, self.dirs[*d].opposite as u8);
            if self.dirs[d as usize].order.is_none() {
                return set.cells().any(|start| self.is_row(start, d, set, count, exactly, through));
            }
            let starts = self.row_starts(set, count, back);
            if starts.is_empty() {
                return false;
            }
            let cover = |starts: B, n: usize| {
                (1..n)
                    .fold((starts, starts), |(s, all), _| {
                        let s = self.shift(s, d);
                        (s, all | s)
                    })
                    .1
            };
            let long = match exactly {
                true => cover(self.row_starts(set, count + 1, back), count + 1),
                false => B::EMPTY,
            };
            (cover(starts, count).minus(long) & through).any()
        })
    }

    /// Whether a row of `count` cells of `set` begins at a cell, on a line that may lead round; it holds no cell twice.
    fn is_row(&self, start: usize, d: u8, set: B, count: usize, exactly: bool, through: B) -> bool {
        let row = self.walk(start, d).take(count - 1).fold(B::bit(start), |row, c| row | B::bit(c));
        let last = self.walk(start, d).take(count - 1).last().unwrap_or(start);
        let goes_on = |cell: usize, d: usize| {
            let next = self.dirs[d].next[cell];
            next != NONE && set.has(next as usize)
        };
        let longer = || goes_on(start, self.dirs[d as usize].opposite) || goes_on(last, d as usize);
        row.count() as usize == count && row.minus(set).is_empty() && (row & through).any() && !(exactly && longer())
    }

    /// The first cells of rows of at least `count` cells of `set`, seen against direction `back`: lengths are doubled while they fit.
    #[inline]
    fn row_starts(&self, set: B, count: usize, back: u8) -> B {
        let mut starts = set;
        let mut n = 1;
        while n < count && starts.any() {
            let more = n.min(count - n);
            starts &= (0..more).fold(starts, |s, _| self.shift(s, back));
            n += more;
        }
        starts
    }

    /// The whole line on which two cells lie; nothing if they lie on none.
    pub fn line(&self, a: usize, b: usize) -> B {
        self.way(a, b).map_or(B::EMPTY, |d| {
            let dir = &self.dirs[d as usize];
            dir.rays[a] | self.dirs[dir.opposite].rays[a] | B::bit(a)
        })
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
    let rays: Vec<B> = (0..cells)
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
    let arrivals = regular.cells().fold(B::EMPTY, |s, c| s | B::bit(next[c] as usize));
    let longest = rays.iter().map(|r: &B| r.count()).max().unwrap_or(0);
    let doublings = longest.next_power_of_two().trailing_zeros() as u8;
    Direction { delta, regular, arrivals, doublings, irregular, next, rays, order, opposite: d.opposite as usize }
}
