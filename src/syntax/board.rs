//! Boards, symmetry, zones and cells.

use super::Word;
use crate::base::{Span, Spanned};

/// `board SHAPE [wrap …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Its shape.
    pub shape: Shape,
    /// `wrap files` joins the first and last file, `wrap ranks` the ranks, `wrap both` both.
    pub wrap: Option<Spanned<Wrap>>,
    /// The statement.
    pub span: Span,
}

/// The shape of a board.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// `8x8`: files by ranks.
    Grid(Spanned<u32>, Spanned<u32>),
    /// `hex 5`: a hexagon with five cells on a side.
    Hexagon(Spanned<u32>),
    /// `hex 11x11`: a rhombus of hexagons, files by ranks.
    Rhombus(Spanned<u32>, Spanned<u32>),
}

/// What `wrap` joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The first and the last file.
    Files,
    /// The first and the last rank.
    Ranks,
    /// Both.
    Both,
}

/// How cells and zones are turned for the second player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Rank 1 becomes the last rank, files stay (the default).
    Mirror,
    /// Half a turn.
    Rotate,
    /// Not at all.
    None,
}

/// `zone NAME [fixed] = CELLS`.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its name.
    pub name: Word,
    /// `fixed`: not turned for the second player.
    pub fixed: bool,
    /// Its cells.
    pub cells: Cells,
}

/// `A, B except C`: a union, less what is excepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// The parts, united; each part is an intersection `A in B in C`.
    pub parts: Vec<Vec<CellsAtom>>,
    /// `except CELLS`.
    pub except: Option<Box<Cells>>,
    /// The whole phrase.
    pub span: Span,
}

/// The simplest sets of cells.
#[derive(Clone, Debug, PartialEq)]
pub enum CellsAtom {
    /// `rank 1`, `rank 1..2`, counted from the player's own side.
    Ranks(Spanned<u32>, Spanned<u32>),
    /// `file a`, `file a..c`, as letters.
    Files(Word, Word),
    /// `d4`.
    Cell(Word),
    /// `d4..e5`: the rectangle.
    Rectangle(Word, Word),
    /// `dark`, `light`, `corner`, `edge`, or a zone of the author's.
    Word(Word),
    /// `(CELLS)`.
    Group(Cells),
}
