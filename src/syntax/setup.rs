//! Start positions, hands, and diagrams.

use super::Word;
use super::board::Cells;
use super::expr::{Count, Who};
use crate::base::{Span, Spanned};

/// `setup …`.
#[derive(Clone, Debug, PartialEq)]
pub enum Setup {
    /// A board drawn in text.
    Diagram(Diagram),
    /// `setup Pawn on start`, or several in braces.
    Places(Vec<Place>),
    /// `setup "FEN"`.
    Position(Word),
    /// `setup each player fills CELLS spending N [with Pawn, Rook]`.
    Fill { cells: Cells, budget: Count, with: Vec<Word> },
}

/// `[White] Pawn on CELLS`: for each player in turn, or for one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Only for this player.
    pub who: Option<Who>,
    /// What.
    pub piece: Word,
    /// Where, seen by the player.
    pub on: Cells,
}

/// Rows of glyphs, the top row first.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// Each row: glyphs in order; `.` is an empty cell.
    pub rows: Vec<Spanned<Vec<Spanned<String>>>>,
    /// All rows.
    pub span: Span,
}

/// `hand 12 Stone, 1 Jester` or `hand empty`, for each player.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// How many of what; empty for `hand empty`.
    pub stock: Vec<(Spanned<i64>, Word)>,
    /// The statement.
    pub span: Span,
}
