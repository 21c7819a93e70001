//! Tests inside a definition.

use super::Word;
use super::expected::Place;
use super::expr::{self, Cond, WhoKind};
use super::layout::Line;
use super::parser::{Node, Read, Reader, Rule};
use super::setup::{self, Diagram};
use crate::base::{Diagnostic, Span, Spanned};

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

/// Reads `test "…" with … { … }`.
pub(super) fn test(reader: &mut Reader, n: Node, line: &Line) -> Read<Test> {
    let name = n.one(Rule::string)?.word();
    let with = n.list(Rule::with, |with| {
        Ok(match with.opt(Rule::string) {
            Some(variant) => With::Variant(variant.word()),
            None => With::Option(with.one(Rule::word)?.word(), with.one(Rule::value)?.word()),
        })
    })?;
    let block = reader.block(line)?;
    reader.no_tail(line)?;
    let lines = reader.lines(block, |reader, line| {
        reader.no_quote(line)?;
        reader.no_block(line, "a line of a test")?;
        let kind = reader.head(Rule::test_line, line, Place::Test)?.only()?;
        Ok(TestLine { kind: test_line(&kind)?, span: reader.span(&line.range()) })
    });
    Ok(Test { name, with, lines, span: reader.span(&line.range()) })
}

fn test_line(n: &Node) -> Read<TestLineKind> {
    let name = || n.one(Rule::name).map(|n| n.word());
    Ok(match n.rule() {
        Rule::t_board => {
            let (before, after) = setup::diagrams(n.one(Rule::diagram)?)?;
            TestLineKind::Board(before, after)
        }
        Rule::t_position => TestLineKind::Position(n.one(Rule::string)?.word()),
        Rule::t_to_play => TestLineKind::ToPlay(name()?),
        Rule::t_hands_empty => TestLineKind::HandsEmpty,
        Rule::t_hand => TestLineKind::Hand(name()?, setup::stock(n)?),
        Rule::t_set => TestLineKind::Set {
            name: n.one(Rule::word)?.word(),
            who: n.opt(Rule::name).map(|n| n.word()),
            value: n.read(Rule::literal, |n| n.number())?,
        },
        Rule::t_set_last => {
            let mut names = n.words(Rule::name).into_iter();
            let who = names.next().ok_or_else(|| n.strange())?;
            let piece = match (names.next(), n.opt(Rule::k_none)) {
                (Some(piece), _) => piece,
                (None, Some(none)) => none.word(),
                (None, None) => return Err(n.strange()),
            };
            TestLineKind::SetLastMoved { who, piece }
        }
        Rule::t_play => TestLineKind::Play(turns(n)),
        Rule::t_legal => TestLineKind::Legal(turns(n)),
        Rule::t_illegal => TestLineKind::Illegal(turns(n)),
        Rule::t_turns => TestLineKind::Turns(n.read(Rule::integer, |n| n.number())?),
        Rule::t_moves_of => {
            let mut cells = n.words(Rule::cell);
            let from = if cells.is_empty() {
                return Err(n.strange());
            } else {
                cells.remove(0)
            };
            TestLineKind::MovesOf(from, cells)
        }
        Rule::t_moves => TestLineKind::Moves(turns(n)),
        Rule::t_perft => {
            let numbers = n.list(Rule::integer, |n| n.number())?;
            let [depth, count] = numbers.as_slice() else {
                return Err(n.strange());
            };
            TestLineKind::Perft(depth.clone(), count.clone())
        }
        Rule::t_after => TestLineKind::After(turns(n), n.read(Rule::result, result)?),
        Rule::t_expect_board => match setup::diagrams(n.one(Rule::diagram)?)? {
            (diagram, None) => TestLineKind::ExpectBoard(diagram),
            (_, Some(second)) => {
                let error = Diagnostic::error("syntax", "`expect` has one diagram", second.span);
                return Err(Box::new(error.help("leave out the second")));
            }
        },
        Rule::t_expect => TestLineKind::Expect(n.read(Rule::result, result)?),
        Rule::t_expect_cond => TestLineKind::ExpectCond(n.read(Rule::cond, expr::cond)?),
        _ => return Err(n.strange()),
    })
}

/// The turns of a line; the steps of one turn are joined by `, `.
fn turns(n: &Node) -> Vec<Word> {
    let turns = n.all(Rule::turn_text).map(|turn| {
        let steps: Vec<&str> = turn.all(Rule::move_text).map(|step| step.text()).collect();
        Spanned::new(steps.join(", "), turn.span())
    });
    turns.collect()
}

fn result(n: Node) -> Read<Spanned<ExpectedResult>> {
    let result = if n.has(Rule::k_draw) {
        ExpectedResult::Draw
    } else if n.has(Rule::k_no) {
        ExpectedResult::NoResult
    } else {
        ExpectedResult::Wins(WhoKind::Name(n.one(Rule::name)?.word().node))
    };
    Ok(Spanned::new(result, n.span()))
}
