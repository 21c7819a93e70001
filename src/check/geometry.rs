//! Boards as tables: cells, names, neighbours, and what the words for directions mean for each seat.

use crate::ir::board::{Board, CellInfo, DirId, Direction, Dirs, Shape};
use crate::ir::{Cell, Seat};
use std::collections::HashMap;

/// At most so many cells.
pub(crate) const MAX_CELLS: u64 = 704;

/// How the board is turned for the second player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turning {
    Mirror,
    Rotate,
    None,
}

/// A board and what is asked of it while rules are compiled.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub board: Board,
    pub files: u16,
    pub ranks: u16,
    wrap_files: bool,
    wrap_ranks: bool,
    index: HashMap<(u16, u16), Cell>,
    /// For each seat, whether `forward` points the other way.
    reversed: Vec<bool>,
}

/// Steps of the absolute directions in the order in which they are numbered.
const SQUARE: [(&str, i32, i32); 8] = [
    ("north", 0, 1),
    ("northeast", 1, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("southwest", -1, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
];
const RHOMBUS: [(&str, i32, i32); 6] =
    [("north", 0, 1), ("east", 1, 0), ("southeast", 1, -1), ("south", 0, -1), ("west", -1, 0), ("northwest", -1, 1)];
const HEXAGON: [(&str, i32, i32); 6] =
    [("north", 0, 1), ("northeast", 1, 1), ("east", 1, 0), ("south", 0, -1), ("southwest", -1, -1), ("west", -1, 0)];

/// What the relative words mean for the first player.
const RELATIVE: [(&str, &[&str]); 14] = [
    ("forward", &["north"]),
    ("backward", &["south"]),
    ("left", &["west"]),
    ("right", &["east"]),
    ("forward-left", &["northwest"]),
    ("forward-right", &["northeast"]),
    ("backward-left", &["southwest"]),
    ("backward-right", &["southeast"]),
    ("forward-diagonal", &["northwest", "northeast"]),
    ("backward-diagonal", &["southwest", "southeast"]),
    ("sideways", &["west", "east"]),
    ("orthogonal", &["north", "east", "south", "west"]),
    ("diagonal", &["northeast", "southeast", "southwest", "northwest"]),
    ("any", &["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]),
];

/// All words for directions.
pub(crate) fn direction_words() -> impl Iterator<Item = &'static str> {
    RELATIVE.iter().map(|(w, _)| *w).chain(SQUARE.iter().map(|(w, _, _)| *w))
}

/// `a`, …, `z`, `aa`, ….
pub(crate) fn file_name(file: u16) -> String {
    let mut n = u32::from(file) + 1;
    let mut letters = Vec::new();
    while n > 0 {
        n -= 1;
        letters.push(b'a' + (n % 26) as u8);
        n /= 26;
    }
    letters.reverse();
    String::from_utf8(letters).unwrap_or_default()
}

/// The number of a file, from 0.
pub(crate) fn file_number(name: &str) -> Option<u32> {
    if name.is_empty() || name.len() > 3 {
        return None;
    }
    let mut n: u32 = 0;
    for b in name.bytes() {
        if !b.is_ascii_lowercase() {
            return None;
        }
        n = n * 26 + u32::from(b - b'a') + 1;
    }
    Some(n - 1)
}

/// How many cells a shape has.
pub(crate) fn cell_count(shape: Shape) -> u64 {
    match shape {
        Shape::Grid { files, ranks } | Shape::Rhombus { files, ranks } => u64::from(files) * u64::from(ranks),
        Shape::Hexagon { side } => {
            let s = u64::from(side);
            if s == 0 { 0 } else { 3 * s * (s - 1) + 1 }
        }
    }
}

impl Geometry {
    /// Makes the tables; the shape has between one and [`MAX_CELLS`] cells.
    pub fn new(shape: Shape, wrap_files: bool, wrap_ranks: bool, turning: Turning, seats: usize) -> Geometry {
        let (files, ranks) = match shape {
            Shape::Grid { files, ranks } | Shape::Rhombus { files, ranks } => (files, ranks),
            Shape::Hexagon { side } => (2 * side - 1, 2 * side - 1),
        };
        let mut cells = Vec::new();
        let mut index = HashMap::new();
        for rank in 0..ranks {
            for file in 0..files {
                if let Shape::Hexagon { side } = shape
                    && file.abs_diff(rank) >= side
                {
                    continue;
                }
                index.insert((file, rank), cells.len() as Cell);
                cells.push(CellInfo { name: format!("{}{}", file_name(file), rank + 1), file, rank });
            }
        }
        let steps: &[(&str, i32, i32)] = match shape {
            Shape::Grid { .. } => &SQUARE,
            Shape::Rhombus { .. } => &RHOMBUS,
            Shape::Hexagon { .. } => &HEXAGON,
        };
        let mut geo = Geometry {
            board: Board {
                shape,
                cells,
                dirs: Vec::new(),
                turned: Vec::new(),
                orthogonal: Vec::new(),
                any: (0..steps.len() as DirId).collect(),
            },
            files,
            ranks,
            wrap_files,
            wrap_ranks,
            index,
            reversed: (0..seats).map(|s| seats == 2 && s == 1).collect(),
        };
        for (name, df, dr) in steps {
            let opposite = steps.iter().position(|(_, f, r)| (*f, *r) == (-df, -dr)).unwrap_or(0) as DirId;
            let next = (0..geo.board.cells.len() as Cell).map(|c| geo.offset(c, *df, *dr)).collect();
            geo.board.dirs.push(Direction { name: (*name).to_owned(), opposite, next });
        }
        geo.board.orthogonal = match shape {
            Shape::Grid { .. } => (0..8).step_by(2).collect(),
            Shape::Rhombus { .. } | Shape::Hexagon { .. } => geo.board.any.clone(),
        };
        geo.board.turned = (0..seats).map(|s| geo.turned(turning, geo.reversed[s])).collect();
        geo
    }

    fn turned(&self, turning: Turning, reversed: bool) -> Vec<Cell> {
        let same = || (0..self.board.cells.len() as Cell).collect::<Vec<_>>();
        if !reversed || turning == Turning::None {
            return same();
        }
        let image = |c: &CellInfo, mirror: bool| {
            let file = if mirror { c.file } else { self.files - 1 - c.file };
            self.index.get(&(file, self.ranks - 1 - c.rank)).copied()
        };
        let all = |mirror: bool| self.board.cells.iter().map(|c| image(c, mirror)).collect::<Option<Vec<_>>>();
        let mirrored = if turning == Turning::Mirror { all(true) } else { None };
        mirrored.or_else(|| all(false)).unwrap_or_else(same)
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.reversed.len()
    }

    /// Whether squares, not hexagons.
    pub fn square(&self) -> bool {
        matches!(self.board.shape, Shape::Grid { .. })
    }

    /// The cell at these coordinates.
    pub fn at(&self, file: u16, rank: u16) -> Option<Cell> {
        self.index.get(&(file, rank)).copied()
    }

    /// The cell of this name.
    pub fn named(&self, name: &str) -> Option<Cell> {
        let digits = name.find(|c: char| c.is_ascii_digit())?;
        let file = file_number(&name[..digits])?;
        let rank: u32 = name[digits..].parse().ok()?;
        self.at(u16::try_from(file).ok()?, u16::try_from(rank.checked_sub(1)?).ok()?)
    }

    /// The cell so many files and ranks away.
    pub fn offset(&self, c: Cell, df: i32, dr: i32) -> Option<Cell> {
        let from = &self.board.cells[c as usize];
        let one = |at: u16, by: i32, size: u16, wrap: bool| {
            let to = i64::from(at) + i64::from(by);
            let to = if wrap { to.rem_euclid(i64::from(size)) } else { to };
            u16::try_from(to).ok()
        };
        self.at(one(from.file, df, self.files, self.wrap_files)?, one(from.rank, dr, self.ranks, self.wrap_ranks)?)
    }

    /// The cell as the seat sees it: the one that lies for it where `c` lies for the first player.
    pub fn seen(&self, c: Cell, seat: Seat) -> Cell {
        self.board.turned[seat as usize][c as usize]
    }

    /// The directions a word means for each seat; `None` if this board has not all of them.
    pub fn word(&self, word: &str) -> Option<Dirs> {
        let find = |name: &str| self.board.dirs.iter().position(|d| d.name == name).map(|d| d as DirId);
        if let Some(d) = SQUARE.iter().find(|(w, _, _)| *w == word) {
            return find(d.0).map(|d| vec![vec![d]; self.seats()]);
        }
        let relative = RELATIVE.iter().find(|(w, _)| *w == word)?;
        let base: Vec<DirId> = match word {
            "any" => self.board.any.clone(),
            "orthogonal" => self.board.orthogonal.clone(),
            _ => relative.1.iter().map(|name| find(name)).collect::<Option<Vec<_>>>()?,
        };
        Some(self.facing(&base))
    }

    /// These directions of the first player, turned round for each seat.
    pub fn facing(&self, base: &[DirId]) -> Dirs {
        self.reversed
            .iter()
            .map(|reversed| {
                base.iter().map(|&d| if *reversed { self.board.dirs[d as usize].opposite } else { d }).collect()
            })
            .collect()
    }

    /// The step of a direction.
    pub fn step(&self, d: DirId) -> (i32, i32) {
        let steps: &[(&str, i32, i32)] = match self.board.shape {
            Shape::Grid { .. } => &SQUARE,
            Shape::Rhombus { .. } => &RHOMBUS,
            Shape::Hexagon { .. } => &HEXAGON,
        };
        let (_, f, r) = steps[d as usize];
        (f, r)
    }

    /// `dark`, `light`, `corner` or `edge`; `None` if the board has no such cells.
    pub fn builtin(&self, word: &str) -> Option<Vec<Cell>> {
        let all = 0..self.board.cells.len() as Cell;
        let info = |c: Cell| &self.board.cells[c as usize];
        Some(match word {
            "dark" | "light" if self.square() => {
                let parity = u16::from(word == "light");
                all.filter(|&c| (info(c).file + info(c).rank) % 2 == parity).collect()
            }
            "edge" => all.filter(|&c| self.board.dirs.iter().any(|d| d.next[c as usize].is_none())).collect(),
            "corner" => match self.board.shape {
                Shape::Grid { files, ranks } | Shape::Rhombus { files, ranks } => all
                    .filter(|&c| {
                        let end = |at: u16, size: u16, wrap: bool| !wrap && (at == 0 || at + 1 == size);
                        end(info(c).file, files, self.wrap_files) && end(info(c).rank, ranks, self.wrap_ranks)
                    })
                    .collect(),
                Shape::Hexagon { .. } => all
                    .filter(|&c| self.board.dirs.iter().filter(|d| d.next[c as usize].is_some()).count() <= 3)
                    .collect(),
            },
            _ => return None,
        })
    }

    /// Which cells there are, for a name that is none: on a hexagon, where files differ in length, those of its file.
    pub fn near(&self, name: &str) -> String {
        let file = file_number(name.trim_end_matches(|c: char| c.is_ascii_digit()));
        let of_file = |c: &&CellInfo| Some(u32::from(c.file)) == file;
        let list: Vec<&CellInfo> = self.board.cells.iter().filter(of_file).collect();
        match (self.board.shape, list.as_slice(), self.board.cells.as_slice()) {
            (Shape::Hexagon { .. }, [first, .., last], _) => {
                format!("the cells of file {} are {} to {}", file_name(first.file), first.name, last.name)
            }
            (Shape::Hexagon { .. }, ..) => format!("its files are a to {}", file_name(self.files - 1)),
            (_, _, [first, .., last]) => format!("its cells are {} to {}", first.name, last.name),
            _ => "it has one cell, `a1`".to_owned(),
        }
    }
}
