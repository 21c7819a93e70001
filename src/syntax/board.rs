//! Boards, symmetry, zones and cells.

use super::Word;
use super::layout::MAX_DEPTH;
use super::parser::{Node, Read, Rule};
use crate::base::{Diagnostic, Span, Spanned};

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

/// Reads `board SHAPE [wrap …]`.
pub(super) fn board(n: Node) -> Read<Board> {
    let shape = match n.opt(Rule::hex_board) {
        Some(hex) => match hex.opt(Rule::grid) {
            Some(grid) => size(grid).map(|(files, ranks)| Shape::Rhombus(files, ranks))?,
            None => Shape::Hexagon(hex.read(Rule::integer, |n| n.number())?),
        },
        None => size(n.one(Rule::grid)?).map(|(files, ranks)| Shape::Grid(files, ranks))?,
    };
    let wrap = n.maybe(Rule::wrap, |n| {
        let wrap = match n.first()?.rule() {
            Rule::k_files => Wrap::Files,
            Rule::k_ranks => Wrap::Ranks,
            Rule::k_both => Wrap::Both,
            _ => return Err(n.strange()),
        };
        Ok(Spanned::new(wrap, n.span()))
    })?;
    Ok(Board { shape, wrap, span: n.span() })
}

fn size(n: Node) -> Read<(Spanned<u32>, Spanned<u32>)> {
    let (text, span) = (n.text(), n.span());
    let Some((files, ranks)) = text.split_once('x') else {
        return Err(n.strange());
    };
    let number = |digits: &str, start: usize| match digits.parse() {
        Ok(number) => {
            let start = span.start + start as u32;
            Ok(Spanned::new(number, Span { start, end: start + digits.len() as u32, ..span }))
        }
        Err(_) => {
            let error = Diagnostic::error("syntax", "this board is too large", span);
            Err(Box::new(error.help("write a smaller one, such as `8x8`")))
        }
    };
    Ok((number(files, 0)?, number(ranks, files.len() + 1)?))
}

/// Reads `symmetry …`.
pub(super) fn symmetry(n: Node) -> Read<Symmetry> {
    Ok(if n.has(Rule::k_mirror) {
        Symmetry::Mirror
    } else if n.has(Rule::k_rotate) {
        Symmetry::Rotate
    } else {
        n.one(Rule::k_none)?;
        Symmetry::None
    })
}

/// Reads `zone …`.
pub(super) fn zone(n: Node) -> Read<Zone> {
    Ok(Zone { name: n.one(Rule::new_word)?.word(), fixed: n.has(Rule::k_fixed), cells: n.read(Rule::cells, cells)? })
}

/// Reads `A, B except C`; `A except B except C` is `A except (B except C)`.
pub(super) fn cells(n: Node) -> Read<Cells> {
    let mut sums = n.list(Rule::cells_sum, |sum| {
        let parts = sum.list(Rule::cells_part, |part| part.list(Rule::cells_atom, cells_atom))?;
        Ok(Cells { parts, except: None, span: sum.span() })
    })?;
    if sums.len() > MAX_DEPTH {
        let error = Diagnostic::error("too-deep", "too many `except` in one phrase", n.span());
        return Err(Box::new(error.help("name a part of it with `zone`")));
    }
    let mut whole = sums.pop().ok_or_else(|| n.strange())?;
    while let Some(mut before) = sums.pop() {
        before.span = before.span.to(whole.span);
        before.except = Some(Box::new(whole));
        whole = before;
    }
    Ok(whole)
}

fn cells_atom(n: Node) -> Read<CellsAtom> {
    let kind = n.only()?;
    match kind.rule() {
        Rule::ranks => {
            let ends = kind.list(Rule::integer, |n| n.number())?;
            pair(&kind, ends).map(|(from, to)| CellsAtom::Ranks(from, to))
        }
        Rule::files => pair(&kind, kind.words(Rule::letter)).map(|(from, to)| CellsAtom::Files(from, to)),
        Rule::rectangle => pair(&kind, kind.words(Rule::cell)).map(|(from, to)| CellsAtom::Rectangle(from, to)),
        Rule::cell => Ok(CellsAtom::Cell(kind.word())),
        Rule::cells_group => Ok(CellsAtom::Group(kind.read(Rule::cells, cells)?)),
        Rule::word => Ok(CellsAtom::Word(kind.word())),
        _ => Err(kind.strange()),
    }
}

// `1` stands for `1..1`.
fn pair<T: Clone>(n: &Node, ends: Vec<T>) -> Read<(T, T)> {
    match ends.as_slice() {
        [one] => Ok((one.clone(), one.clone())),
        [from, to] => Ok((from.clone(), to.clone())),
        _ => Err(n.strange()),
    }
}

/// Reads `rank 1..2`, `file a`, `d4..e5` or `(CELLS)` where a noun stands.
pub(super) fn cells_noun(n: Node) -> Read<Cells> {
    let span = n.span();
    Ok(Cells { parts: vec![vec![cells_atom(n)?]], except: None, span })
}
