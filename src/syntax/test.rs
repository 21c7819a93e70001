//! Tests inside a definition.

use super::Word;
use super::expr::{Cond, WhoKind};
use super::setup::Diagram;
use crate::base::{Span, Spanned};

/// `test "…" [with "Variant", option = value] { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    /// What it shows.
    pub name: Word,
    /// Variants and options it is played with.
    pub with: Vec<With>,
    /// Its lines in order.
    pub lines: Vec<TestLine>,
    /// The statement.
    pub span: Span,
}

/// What a test is played with.
#[derive(Clone, Debug, PartialEq)]
pub enum With {
    /// `"Polarity"`.
    Variant(Word),
    /// `trade-off = off`.
    Option(Word, Word),
}

/// One line of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct TestLine {
    /// What it says.
    pub kind: TestLineKind,
    /// Where.
    pub span: Span,
}

/// The kinds of line in a test.
#[derive(Clone, Debug, PartialEq)]
pub enum TestLineKind {
    /// A diagram: the position; after `->` (side by side), the position that must stand at the end of the test.
    Board(Diagram, Option<Diagram>),
    /// `expect` and a diagram: the board as it must be now.
    ExpectBoard(Diagram),
    /// `position "FEN"`.
    Position(Word),
    /// `Black to play`.
    ToPlay(Word),
    /// `hands empty`.
    HandsEmpty,
    /// `hand of White = 2 Stone, 1 Jester`, `hand of White = empty`.
    Hand(Word, Vec<(Spanned<i64>, Word)>),
    /// `score of White = 4` as a statement: `set score of White = 4`.
    Set { name: Word, who: Option<Word>, value: Spanned<i64> },
    /// `set last moved of White = Knight` (or `none`).
    SetLastMoved { who: Word, piece: Word },
    /// `play m1 m2 …`: each a whole turn; a comma continues the turn.
    Play(Vec<Word>),
    /// `legal m`: each a whole turn, or the first steps of one.
    Legal(Vec<Word>),
    /// `illegal m`.
    Illegal(Vec<Word>),
    /// `turns = 232`.
    Turns(Spanned<u64>),
    /// `moves of d4 = a1 d1 c4`: the cells it may reach (`none` for none).
    MovesOf(Word, Vec<Word>),
    /// `moves = m1 m2 …`: all legal whole turns (`none` for none).
    Moves(Vec<Word>),
    /// `perft 3 = 8902`.
    Perft(Spanned<u64>, Spanned<u64>),
    /// `after m expect RESULT`: from this position, which then is restored.
    After(Vec<Word>, Spanned<ExpectedResult>),
    /// `expect White wins`, `expect draw`, `expect no result`.
    Expect(Spanned<ExpectedResult>),
    /// `expect C`.
    ExpectCond(Cond),
}

/// A result a test expects.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectedResult {
    /// `White wins`.
    Wins(WhoKind),
    /// `draw`.
    Draw,
    /// `no result`.
    NoResult,
}
