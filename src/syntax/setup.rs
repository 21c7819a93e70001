//! Start positions, hands, and diagrams.

use super::Word;
use super::board::{self, Cells};
use super::expected;
use super::expr::{self, Count, Who, WhoKind};
use super::layout::{Line, is_blank};
use super::parser::{Node, Read, Reader, Rule};
use crate::base::{Diagnostic, Span, Spanned};

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

/// Reads `setup …`, in one line or with a block of placings.
pub(super) fn setup(reader: &mut Reader, n: Node, line: &Line) -> Read<Setup> {
    let Some(kind) = n.phrases().next() else {
        let block = reader.block(line)?;
        let places = reader.lines(block, |reader, line| {
            reader.no_quote(line)?;
            reader.no_block(line, "a placing")?;
            place(reader.head(Rule::place_line, line, expected::Place::Setup)?.one(Rule::place)?)
        });
        reader.no_tail(line)?;
        return Ok(Setup::Places(places));
    };
    reader.no_block(line, "this `setup`")?;
    Ok(match kind.rule() {
        Rule::diagram => match diagrams(kind)? {
            (diagram, None) => Setup::Diagram(diagram),
            (_, Some(second)) => {
                let error = Diagnostic::error("syntax", "a setup has one diagram", second.span);
                return Err(Box::new(error.help("leave out the second")));
            }
        },
        Rule::string => Setup::Position(kind.word()),
        Rule::fill => Setup::Fill {
            cells: kind.read(Rule::cells, board::cells)?,
            budget: kind.read(Rule::count, expr::count)?,
            with: kind.opt(Rule::names).map_or(Vec::new(), |n| n.words(Rule::name)),
        },
        Rule::place => Setup::Places(vec![place(kind)?]),
        _ => return Err(kind.strange()),
    })
}

fn place(n: Node) -> Read<Place> {
    let mut names = n.words(Rule::name);
    let piece = names.pop().ok_or_else(|| n.strange())?;
    let who = names.pop().map(|w| Who { kind: WhoKind::Name(w.node), span: w.span });
    Ok(Place { who, piece, on: n.read(Rule::cells, board::cells)? })
}

/// Reads `hand 12 Stone, 1 Jester` or `hand empty`.
pub(super) fn hand(n: Node) -> Read<Hand> {
    Ok(Hand { stock: stock(&n)?, span: n.span() })
}

/// Reads the stock that stands in a phrase; none if it says `empty`.
pub(super) fn stock(n: &Node) -> Read<Vec<(Spanned<i64>, Word)>> {
    match n.opt(Rule::stock) {
        None => Ok(Vec::new()),
        Some(stock) => stock.list(Rule::portion, |portion| {
            Ok((portion.read(Rule::integer, |n| n.number())?, portion.one(Rule::name)?.word()))
        }),
    }
}

/// Reads a diagram, or two side by side.
pub(super) fn diagrams(n: Node) -> Read<(Diagram, Option<Diagram>)> {
    let mut left: Vec<Node> = Vec::new();
    let mut right: Vec<Node> = Vec::new();
    let mut arrow = false;
    for rows in n.all(Rule::rows) {
        let mut pair = rows.all(Rule::row);
        left.push(pair.next().ok_or_else(|| rows.strange())?);
        let second = pair.next();
        arrow |= rows.has(Rule::p_arrow);
        if left.len() > 1 && second.is_some() == right.is_empty() || second.is_none() && rows.has(Rule::p_arrow) {
            let error = Diagnostic::error(
                "syntax",
                "this line of the diagram needs two rows or one, as the first",
                rows.span(),
            );
            return Err(Box::new(error.help("two diagrams side by side have two rows on every line")));
        }
        right.extend(second);
    }
    if !right.is_empty() && !arrow {
        let error = Diagnostic::error("syntax", "two diagrams stand side by side without `->` between them", n.span());
        return Err(Box::new(error.help("write `->` between the two rows of one line")));
    }
    let second = if right.is_empty() { None } else { Some(diagram(&right)?) };
    Ok((diagram(&left)?, second))
}

fn diagram(rows: &[Node]) -> Read<Diagram> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Ok(Diagram { rows: Vec::new(), span: Span::default() });
    };
    Ok(Diagram { rows: rows.iter().map(glyphs).collect(), span: first.span().to(last.span()) })
}

/// Glyphs are parted by blanks; in a row without any blank each character is one.
fn glyphs(n: &Node) -> Spanned<Vec<Spanned<String>>> {
    let (text, span) = (n.text(), n.span());
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let apart = inner.contains(is_blank);
    let mut glyphs: Vec<Spanned<String>> = Vec::new();
    let mut end = None;
    for (i, c) in inner.char_indices() {
        if is_blank(c) {
            continue;
        }
        let start = span.start as usize + 1 + i;
        match glyphs.last_mut() {
            Some(glyph) if apart && end == Some(start) => {
                glyph.node.push(c);
                glyph.span.end += c.len_utf8() as u32;
            }
            _ => glyphs.push(Spanned::new(c.to_string(), Span::new(span.file, start, start + c.len_utf8()))),
        }
        end = Some(start + c.len_utf8());
    }
    Spanned::new(glyphs, span)
}
