//! Cells, directions and zones.

use super::{Cell, Cells, PerSeat};
use serde::{Deserialize, Serialize};

/// An absolute direction: an index into [`Board::dirs`].
pub type DirId = u8;
/// A set of directions per seat, in the order in which they are tried.
pub type Dirs = PerSeat<Vec<DirId>>;
/// A zone: an index into [`super::Game::zones`].
pub type ZoneId = u16;

/// The cells and how they neighbour each other. Rules know neighbours only by the successor tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// How to draw it.
    pub shape: Shape,
    /// The cells; the index order (rank by rank from rank 1, each from file a) is the order in which sets are walked.
    pub cells: Vec<CellInfo>,
    /// The directions.
    pub dirs: Vec<Direction>,
    /// For a cell and a seat, the cell that the board's symmetry gives (the cell itself for seat 0).
    pub turned: PerSeat<Vec<Cell>>,
    /// Directions that count as orthogonal (all six on a hex board).
    pub orthogonal: Vec<DirId>,
    /// All directions.
    pub any: Vec<DirId>,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Files by ranks of squares.
    Grid {
        /// Number of files.
        files: u16,
        /// Number of ranks.
        ranks: u16,
    },
    /// A rhombus of hexagons: each rank is drawn half a cell further right than the rank below it is to its left, i.e.
    /// the neighbours of (f, r) are (f±1, r), (f, r±1), (f+1, r-1), (f-1, r+1).
    Rhombus {
        /// Number of files.
        files: u16,
        /// Number of ranks.
        ranks: u16,
    },
    /// A hexagon of hexagons with `side` cells on each side; rank r has the cells whose file and rank differ by less than `side`;
    /// the neighbours of (f, r) are (f±1, r), (f, r±1), (f+1, r+1), (f-1, r-1).
    Hexagon {
        /// Cells on a side.
        side: u16,
    },
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellInfo {
    /// `e4`.
    pub name: String,
    /// From 0.
    pub file: u16,
    /// From 0.
    pub rank: u16,
}

/// A direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Direction {
    /// `north`.
    pub name: String,
    /// The direction back.
    pub opposite: DirId,
    /// For each cell its neighbour in this direction.
    pub next: Vec<Option<Cell>>,
}

/// A named set of cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Zone {
    /// Its name or text.
    pub name: String,
    /// For each seat.
    pub cells: PerSeat<Cells>,
}

impl Board {
    /// The cell of this name.
    pub fn cell(&self, name: &str) -> Option<Cell> {
        self.cells.iter().position(|c| c.name == name).map(|i| i as Cell)
    }

    /// The neighbour of `c` in direction `d`.
    pub fn next(&self, c: Cell, d: DirId) -> Option<Cell> {
        self.dirs[d as usize].next[c as usize]
    }

    /// Whether some direction leads round, back to where it began.
    pub fn joined(&self) -> bool {
        let round = |c: Cell, d: &Direction| {
            let mut at = d.next[c as usize];
            for _ in 0..self.cells.len() {
                match at {
                    Some(to) if to != c => at = d.next[to as usize],
                    _ => break,
                }
            }
            at == Some(c)
        };
        (0..self.cells.len() as Cell).any(|c| self.dirs.iter().any(|d| round(c, d)))
    }
}
