//! Start positions, hands and diagrams.

use super::cx::Cx;
use super::report::Report;
use crate::base::{Diagnostic, Span, Spanned};
use crate::ir::piece::PieceType;
use crate::ir::setup::{Fill, Setup};
use crate::ir::{Cell, KindId, Seat, TypeId};
use crate::syntax::Word;
use crate::syntax::expr::WhoKind;
use crate::syntax::setup::{self as ss, Diagram, Place};
use std::collections::BTreeMap;

/// At most so many pieces of a kind are in a hand.
const MAX_HELD: u16 = 1000;

/// A piece on a cell: owner, kind, cell.
pub(crate) type Placed = (Option<Seat>, KindId, Cell);

/// What reading a diagram needs to know.
pub(crate) struct Look<'a> {
    pub types: &'a [PieceType],
    /// The kind in which each type is placed.
    pub base: Vec<KindId>,
    pub board: &'a crate::ir::board::Board,
    /// Where the board is described, if that is known.
    pub board_span: Option<Span>,
    /// Pieces that were removed.
    pub removed: &'a [(Word, String, Span)],
}

impl Look<'_> {
    /// The rows of a diagram as cells, the top row first.
    fn rows(&self) -> Vec<Vec<Cell>> {
        let ranks = self.board.cells.iter().map(|c| c.rank).max().map_or(0, |r| r + 1);
        (0..ranks)
            .rev()
            .map(|rank| {
                let all = self.board.cells.iter().enumerate();
                all.filter(|(_, c)| c.rank == rank).map(|(i, _)| i as Cell).collect()
            })
            .collect()
    }

    /// The owner and kind of a glyph.
    pub fn glyph(&self, glyph: &str) -> Option<(Option<Seat>, KindId)> {
        for (t, ty) in self.types.iter().enumerate() {
            if let Some(seat) = ty.glyphs.iter().position(|g| g == glyph) {
                let owner = if ty.neutral { None } else { Some(seat as Seat) };
                return Some((owner, self.base[t]));
            }
        }
        None
    }

    /// What stands where in a diagram.
    pub fn diagram(&self, diagram: &Diagram, faults: &mut Vec<Diagnostic>) -> Vec<Placed> {
        let rows = self.rows();
        let mut out = Vec::new();
        if diagram.rows.len() != rows.len() {
            faults.push(
                self.misfit(
                    Diagnostic::error(
                        "diagram",
                        format!(
                            "this diagram has {}, and the board has {}",
                            crate::base::words::count(diagram.rows.len(), "row"),
                            crate::base::words::count(rows.len(), "rank")
                        ),
                        diagram.span,
                    )
                    .help(format!(
                        "draw {}, the last rank first, with `.` for an empty cell; or make the board smaller",
                        lines_of(&rows)
                    )),
                ),
            );
            return out;
        }
        for (row, cells) in diagram.rows.iter().zip(&rows) {
            if row.node.len() != cells.len() {
                faults.push(
                    self.misfit(
                        Diagnostic::error(
                            "diagram",
                            format!(
                                "this row has {}, and the rank has {}",
                                crate::base::words::count(row.node.len(), "cell"),
                                cells.len()
                            ),
                            row.span,
                        )
                        .help("write `.` for an empty cell"),
                    ),
                );
                continue;
            }
            for (glyph, &cell) in row.node.iter().zip(cells) {
                if glyph.node == "." {
                    continue;
                }
                match self.glyph(&glyph.node) {
                    Some((owner, kind)) => out.push((owner, kind, cell)),
                    // It may be the sign of a piece whose own sign is at fault.
                    None if self.types.iter().flat_map(|t| &t.glyphs).any(|g| unsigned(g)) => {}
                    None => faults.push(self.unknown_glyph(glyph)),
                }
            }
        }
        out
    }

    /// A fault of size points at the board too.
    fn misfit(&self, fault: Diagnostic) -> Diagnostic {
        match self.board_span {
            Some(board) => fault.label(board, "this is the board"),
            None => fault,
        }
    }

    fn unknown_glyph(&self, glyph: &Spanned<String>) -> Diagnostic {
        let sign = glyph.node.to_uppercase();
        let gone = self.removed.iter().find(|(name, signs, _)| match signs.as_str() {
            "" => name.node.starts_with(&sign),
            signs => signs.to_uppercase().split('/').any(|s| s == sign),
        });
        if let Some((name, _, span)) = gone {
            let error = Diagnostic::error("diagram", format!("no piece is drawn as `{}`", glyph.node), glyph.span);
            return Report::needs_removed(error, &name.node, *span);
        }
        let signs = self.types.iter().flat_map(|t| &t.glyphs);
        let known: Vec<String> = signs.map(|g| format!("`{g}`")).collect();
        let mut list: Vec<String> = Vec::new();
        for g in known {
            if !list.contains(&g) {
                list.push(g);
            }
        }
        list.truncate(24);
        Diagnostic::error("diagram", format!("no piece is drawn as `{}`", glyph.node), glyph.span).help(
            match list.is_empty() {
                true => "no piece has a sign yet: a piece gets it behind its name, as in `piece Pawn \"P\"`".to_owned(),
                false => format!("the signs are {}", crate::base::words::all_of(&list)),
            },
        )
    }
}

/// Whether this stands for the sign of a piece whose own signs are at fault.
fn unsigned(glyph: &str) -> bool {
    glyph.is_empty() || glyph.len() > 1 && glyph.starts_with('?')
}

/// The lines of a diagram in words: `8 lines of 8 cells`.
fn lines_of(rows: &[Vec<Cell>]) -> String {
    let lines = crate::base::words::count(rows.len(), "line");
    match rows.first().map(Vec::len) {
        Some(cells) if rows.iter().all(|r| r.len() == cells) => format!("{lines} of {cells} cells"),
        _ => lines,
    }
}

impl Cx<'_> {
    /// What reading a diagram needs to know.
    pub fn look<'t>(&'t self, types: &'t [PieceType]) -> Look<'t> {
        let base = (0..types.len()).map(|t| self.base_kind(t as TypeId).unwrap_or(0)).collect();
        Look { types, base, board: &self.geo.board, board_span: Some(self.board), removed: &self.report.removed }
    }

    /// The start of the game.
    pub fn setup(
        &mut self,
        setup: Option<&ss::Setup>,
        hand: Option<&ss::Hand>,
        types: &[PieceType],
        span: Span,
    ) -> Setup {
        let mut out = Setup { places: Vec::new(), hands: vec![Vec::new(); self.seats.len()], fill: None };
        if let Some(hand) = hand {
            let stock = self.stock(&hand.stock);
            out.hands = vec![stock; self.seats.len()];
        }
        match setup {
            None => {}
            Some(ss::Setup::Diagram(diagram)) => {
                let mut faults = Vec::new();
                out.places = self.look(types).diagram(diagram, &mut faults);
                faults.into_iter().for_each(|f| self.push(f));
            }
            Some(ss::Setup::Places(places)) => {
                let mut placed = BTreeMap::new();
                for place in places {
                    self.place(place, types, &mut out.places, &mut placed);
                }
            }
            Some(ss::Setup::Position(word)) => self.position(word, types, &mut out),
            Some(ss::Setup::Fill { cells, budget, with }) => {
                let found = self.static_cells(cells, false);
                let budget = self.count(budget, 0, 1_000_000_000, "a budget");
                let kinds = if with.is_empty() { self.fill_kinds(types) } else { self.fill_with(with) };
                if let (Some(cells), Some(budget), Some(kinds)) = (found, budget, kinds) {
                    out.fill = self.fill(cells, budget, kinds, types, span);
                }
            }
        }
        out.places.sort_by_key(|(_, _, cell)| *cell);
        out
    }

    fn stock(&mut self, stock: &[(Spanned<i64>, Word)]) -> Vec<(TypeId, u16)> {
        let mut out: Vec<(TypeId, u16)> = Vec::new();
        for (n, word) in stock {
            let n = self.in_range(n.node, n.span, 1, i64::from(MAX_HELD), "a number of pieces in hand");
            let Some(t) = self.piece(word) else { continue };
            if out.iter().any(|(o, _)| *o == t) {
                let first = stock.iter().find(|(_, w)| w.node == word.node).map_or(word.span, |(_, w)| w.span);
                self.push(
                    Diagnostic::error("duplicate", format!("`{}` is in the hand twice", word.node), word.span)
                        .label(first, "first named here")
                        .help("add up the numbers"),
                );
                continue;
            }
            if let Some(n) = n {
                out.push((t, n as u16));
            }
        }
        out.sort_by_key(|(t, _)| *t);
        out
    }

    /// Places a piece; `placed`: where it was said of each cell that something stands on it.
    fn place(&mut self, place: &Place, types: &[PieceType], out: &mut Vec<Placed>, placed: &mut BTreeMap<Cell, Span>) {
        let cells = self.static_cells(&place.on, false);
        let t = self.piece(&place.piece);
        let (Some(cells), Some(t)) = (cells, t) else { return };
        let Some(kind) = self.base_kind(t) else { return };
        let neutral = types[t as usize].neutral;
        let seats: Vec<Seat> = match place.who.as_ref().map(|w| (&w.kind, w.span)) {
            None if neutral => vec![0],
            None => (0..self.seats.len() as Seat).collect(),
            Some((WhoKind::Name(name), span)) => match self.seat(name) {
                Some(seat) => vec![seat],
                None => {
                    let known: Vec<_> = self.seats.iter().map(|s| (s.node.clone(), Some(s.span))).collect();
                    self.report.unknown("unknown-player", "player", &Word::new(name.clone(), span), &known);
                    return;
                }
            },
            Some((_, span)) => {
                self.error(
                    "unknown-player",
                    span,
                    "a setup needs the name of a player",
                    "leave the player out to place the pieces of both",
                );
                return;
            }
        };
        for seat in seats {
            for &cell in &cells[seat as usize] {
                if let Some(first) = placed.insert(cell, place.on.span) {
                    let name = &self.geo.board.cells[cell as usize].name;
                    let message = format!("two pieces would stand on {name}");
                    let d = Diagnostic::error("setup", message, place.on.span)
                        .help("give them different cells; each player counts cells, ranks and zones from his own side");
                    let other = first != place.on.span;
                    self.push(if other { d.label(first, "the first is placed here") } else { d });
                    return;
                }
                out.push((if neutral { None } else { Some(seat) }, kind, cell));
            }
        }
    }

    fn fill_kinds(&mut self, types: &[PieceType]) -> Option<Vec<KindId>> {
        let list: Vec<TypeId> = if self.ladder.is_empty() {
            (0..types.len()).filter(|&t| !types[t].neutral).map(|t| t as TypeId).collect()
        } else {
            self.ladder.clone()
        };
        list.into_iter().map(|t| self.base_kind(t)).collect()
    }

    fn fill_with(&mut self, words: &[Word]) -> Option<Vec<KindId>> {
        let types: Vec<_> = words.iter().map(|w| self.piece(w)).collect();
        types.into_iter().map(|t| t.and_then(|t| self.base_kind(t))).collect()
    }

    fn fill(
        &mut self,
        cells: Vec<Vec<Cell>>,
        budget: i32,
        kinds: Vec<KindId>,
        types: &[PieceType],
        span: Span,
    ) -> Option<Fill> {
        let worth = |k: &KindId| i64::from(types[self.kinds[*k as usize].piece as usize].worth);
        let cheapest = kinds.iter().map(worth).min();
        let most = cells.iter().map(Vec::len).max().unwrap_or(0) as i64;
        let overlap = cells.iter().enumerate().any(|(s, a)| cells[..s].iter().flatten().any(|c| a.contains(c)));
        let fault = if cells.iter().any(Vec::is_empty) {
            Some(("a player would have no cell to fill".to_owned(), "name a zone with cells"))
        } else if overlap {
            Some(("two players would fill the same cell".to_owned(), "name a zone that differs for each player"))
        } else {
            match cheapest {
                None => Some(("there is nothing to fill the cells with".to_owned(), "define pieces")),
                Some(least) if least.saturating_mul(most) > i64::from(budget) => Some((
                    format!("{budget} is too little: {most} cells cost at least {}", least.saturating_mul(most)),
                    "raise the budget, or allow a cheaper piece",
                )),
                Some(_) => None,
            }
        };
        if let Some((message, help)) = fault {
            self.error("fill", span, message, help);
            return None;
        }
        let ordered = cells
            .into_iter()
            .enumerate()
            .map(|(seat, mut own)| {
                own.sort_by_key(|&c| {
                    let seen = self.geo.seen(c, seat as Seat);
                    (self.geo.board.cells[seen as usize].rank, self.geo.board.cells[c as usize].file)
                });
                own
            })
            .collect();
        Some(Fill { cells: ordered, budget, kinds })
    }

    /// `setup "POSITION"`: the board and the hands of a position text.
    fn position(&mut self, word: &Word, types: &[PieceType], out: &mut Setup) {
        let text = word.node.split_whitespace().next().unwrap_or("");
        let (board, hands) = match text.split_once('[') {
            Some((board, rest)) => (board, rest.trim_end_matches(']')),
            None => (text, ""),
        };
        if !self.position_board(word, board, types, &mut out.places) {
            return;
        }
        let mut rest = hands;
        let mut n: u16 = 1;
        while let Some(c) = rest.chars().next() {
            if c.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                let Some(held) = self.held(word, &rest[..end]) else { return };
                (n, rest) = (held, &rest[end..]);
                continue;
            }
            let (glyph, after) = next_glyph(rest);
            let Some((Some(seat), kind)) = self.look(types).glyph(glyph) else {
                self.unread(part(word, glyph), format!("no piece in hand is drawn as `{glyph}`"));
                return;
            };
            let t = self.kinds[kind as usize].piece;
            let hand = &mut out.hands[seat as usize];
            match hand.iter_mut().find(|(o, _)| *o == t) {
                Some((_, m)) => *m = m.saturating_add(n),
                None => hand.push((t, n)),
            }
            n = 1;
            rest = after;
        }
    }

    /// A number of pieces in hand in a position text; one that is too large is said.
    fn held(&mut self, word: &Word, digits: &str) -> Option<u16> {
        let held = digits.parse().ok().filter(|n| *n <= MAX_HELD);
        if held.is_none() {
            let message = format!("a hand cannot hold {digits} pieces of a kind");
            let help = format!("it holds at most {MAX_HELD}");
            self.error("position", part(word, digits), message, help);
        }
        held
    }

    /// The position of a test: its board, who is to move, and its numbers.
    pub fn test_position(&mut self, word: &Word, game: &crate::ir::Game) {
        let mut fields = word.node.split_whitespace();
        let text = fields.next().unwrap_or("");
        let board = if text.ends_with(']') { text.split('[').next().unwrap_or("") } else { text };
        if !self.position_board(word, board, &game.types, &mut Vec::new()) {
            return;
        }
        let Some(side) = fields.next() else { return };
        if !game.seats.iter().any(|s| s.letter == side || s.name.to_lowercase() == side.to_lowercase()) {
            let letters: Vec<String> = game.seats.iter().map(|s| format!("`{}`", s.letter)).collect();
            let message = format!("behind the board stands the player to move, not `{side}`");
            let help = format!("write {}", crate::base::words::one_of(&letters));
            self.error("position", part(word, side), message, help);
        }
        for number in text[board.len()..].split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()) {
            self.held(word, number);
        }
        for number in fields.filter(|f| f.bytes().all(|b| b.is_ascii_digit()) && f.parse::<i32>().is_err()) {
            let help = "fields behind the player to move count turns";
            self.error("position", part(word, number), format!("the number {number} is too large"), help);
        }
    }

    fn unread(&mut self, span: Span, message: String) {
        self.off_board(
                "position",
                span,
                message,
                "write the ranks from the last to the first with `/` between them, a number for empty cells and the glyphs of pieces",
            );
    }

    /// The board of a position text; whether it could be read.
    fn position_board(&mut self, word: &Word, board: &str, types: &[PieceType], out: &mut Vec<Placed>) -> bool {
        let rows = self.look(types).rows();
        let mut inside = false;
        let between = |c: char| {
            inside = matches!(c, '(' | '{') || inside && !matches!(c, ')' | '}');
            c == '/' && !inside
        };
        let given: Vec<&str> = board.trim_end_matches('/').split(between).collect();
        if given.len() != rows.len() {
            let at = if board.is_empty() { word.span } else { part(word, board) };
            self.unread(
                at,
                format!(
                    "this position has {}, and the board has {}",
                    crate::base::words::count(given.len(), "rank"),
                    rows.len()
                ),
            );
            return false;
        }
        for (row, cells) in given.iter().zip(&rows) {
            let mut at = 0_usize;
            let mut rest = *row;
            while let Some(c) = rest.chars().next() {
                if c.is_ascii_digit() {
                    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                    at = at.saturating_add(rest[..end].parse::<usize>().unwrap_or(usize::MAX));
                    rest = &rest[end..];
                    continue;
                }
                let (glyph, after) = next_glyph(rest);
                let look = self.look(types);
                let Some((owner, mut kind)) = look.glyph(glyph) else {
                    self.unread(part(word, glyph), format!("no piece is drawn as `{glyph}`"));
                    return false;
                };
                rest = after;
                if let Some(inner) = rest.strip_prefix('(') {
                    let Some((name, after)) = inner.split_once(')') else {
                        self.unread(part(word, row), "a bracket is not closed".to_owned());
                        return false;
                    };
                    let t = self.kinds[kind as usize].piece;
                    let Some(o) = self.orientations[t as usize].iter().position(|o| o.name == name) else {
                        self.unread(part(word, name), format!("there is no way up called `{name}`"));
                        return false;
                    };
                    kind += o as KindId;
                    rest = after;
                }
                rest = rest.strip_prefix('~').unwrap_or(rest);
                match cells.get(at) {
                    Some(&cell) => out.push((owner, kind, cell)),
                    None => rest = "",
                }
                at = at.saturating_add(1);
            }
            if at != cells.len() {
                let at = if row.is_empty() { word.span } else { part(word, row) };
                self.unread(at, format!("the rank `{row}` does not have {} cells", cells.len()));
                return false;
            }
        }
        true
    }
}

/// Where a part of a text stands.
fn part(word: &Word, part: &str) -> Span {
    let from = (part.as_ptr() as usize).saturating_sub(word.node.as_ptr() as usize) as u32;
    Span { start: word.span.start + from, end: word.span.start + from + part.len() as u32, ..word.span }
}

/// The first glyph of a text, one character or several in braces, and the rest.
fn next_glyph(text: &str) -> (&str, &str) {
    if let Some(inner) = text.strip_prefix('{')
        && let Some((glyph, rest)) = inner.split_once('}')
    {
        return (glyph, rest);
    }
    let end = text.chars().next().map_or(0, char::len_utf8);
    text.split_at(end)
}
