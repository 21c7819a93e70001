//! Boards as text.

use super::describe;
use crate::engine::{Game, State};
use crate::ir::board::{Board, Shape};
use crate::ir::{Cell, KindId, Seat};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

/// How a board is drawn.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Whether the players' pieces have colours.
    pub color: bool,
    /// Cells to point out (only with colours).
    pub marked: Vec<Cell>,
}

/// What is known of a position, drawn: the board, then hands, counters and latches, one line each.
pub fn position(game: &Game, state: &State, look: &Look) -> String {
    let mut text = board(game, state, look);
    text.push_str(&facts(game, state));
    text
}

/// The board with its coordinates, and how its cubes are turned.
pub fn board(game: &Game, state: &State, look: &Look) -> String {
    let rules = game.rules();
    let pieces: Vec<Option<(Option<Seat>, KindId)>> =
        (0..rules.board.cells.len()).map(|c| game.piece(state, c as Cell)).collect();
    let mut text = draw(game, &pieces, look);
    for (cell, piece) in pieces.iter().enumerate() {
        if let Some((owner, kind)) = piece
            && let Some(line) = cube(game, *owner, *kind)
        {
            let name = rules.cell_name(cell as Cell);
            let _ = writeln!(text, "{name}: {line}");
        }
    }
    text
}

/// Hands, counters and the latches that are set, one line each.
pub fn facts(game: &Game, state: &State) -> String {
    let rules = game.rules();
    let mut text = String::new();
    let seats = || (0..rules.seats.len()).map(|s| s as Seat);
    if !rules.hand_types.is_empty() {
        for seat in seats() {
            let held: Vec<String> = rules
                .hand_types
                .iter()
                .filter_map(|t| match game.in_hand(state, seat, *t) {
                    0 => None,
                    1 => Some(rules.types[*t as usize].name.clone()),
                    n => Some(format!("{n} {}", rules.types[*t as usize].name)),
                })
                .collect();
            let held = if held.is_empty() { "nothing".to_owned() } else { held.join(", ") };
            let _ = writeln!(text, "{} holds {held}", describe::seat_name(game, seat));
        }
    }
    for (i, counter) in rules.counters.iter().enumerate() {
        if counter.each {
            let values: Vec<String> =
                seats().map(|s| format!("{} {}", describe::seat_name(game, s), game.counter(state, i, s))).collect();
            let _ = writeln!(text, "{}: {}", counter.name, values.join(", "));
        } else {
            let _ = writeln!(text, "{}: {}", counter.name, game.counter(state, i, 0));
        }
    }
    for (i, latch) in rules.latches.iter().enumerate() {
        let set: Vec<&str> =
            seats().filter(|s| game.latch(state, i, *s)).map(|s| describe::seat_name(game, s)).collect();
        if !set.is_empty() {
            let _ = writeln!(text, "{}: {}", latch.name, set.join(", "));
        }
    }
    text
}

/// Where text stands in a row of the drawing, and how it looks.
struct Stamp {
    column: i32,
    text: String,
    style: Option<Style>,
}

fn draw(game: &Game, pieces: &[Option<(Option<Seat>, KindId)>], look: &Look) -> String {
    let rules = game.rules();
    let board = &rules.board;
    let glyph = |piece: &Option<(Option<Seat>, KindId)>| match piece {
        None => ".".to_owned(),
        Some((owner, kind)) => {
            let glyphs = &rules.type_of(*kind).glyphs;
            glyphs.get(owner.unwrap_or(0) as usize).cloned().unwrap_or_else(|| "?".to_owned())
        }
    };
    let cells: Vec<String> = pieces.iter().map(glyph).collect();
    let files = board.cells.iter().map(|c| c.file).max().unwrap_or(0) as usize + 1;
    let ranks = board.cells.iter().map(|c| c.rank).max().unwrap_or(0) as i32 + 1;
    let names: Vec<String> = (0..files).map(|f| file_name(board, f as u16)).collect();
    let width = cells.iter().chain(&names).map(|text| text.width()).max().unwrap_or(1) as i32;
    let (pitch, slant) = pitch(board.shape, width);
    // Row 0 is the one below rank 1, for names of files.
    let mut rows: Vec<Vec<Stamp>> = (0..=ranks).map(|_| Vec::new()).collect();
    let column = |file: i32, rank: i32| pitch * file + slant * rank;
    for (i, cell) in board.cells.iter().enumerate() {
        let style = look.color.then(|| {
            let mut style = match &pieces[i] {
                None => Style::new().dimmed(),
                Some((owner, _)) => seat_style(*owner),
            };
            if look.marked.contains(&(i as Cell)) {
                style = style.underline();
            }
            style
        });
        let (file, rank) = (i32::from(cell.file), i32::from(cell.rank));
        rows[rank as usize + 1].push(Stamp { column: column(file, rank), text: cells[i].clone(), style });
    }
    let dim = look.color.then(|| Style::new().dimmed());
    for (file, name) in names.iter().enumerate() {
        let lowest =
            board.cells.iter().filter(|c| c.file as usize == file).map(|c| i32::from(c.rank)).min().unwrap_or(0);
        let stamp = Stamp { column: column(file as i32, lowest - 1), text: name.clone(), style: dim };
        rows[lowest as usize].push(stamp);
    }
    let digits = ranks.to_string().len() as i32;
    let gap = if slant == 0 { 2 } else { 1 };
    for rank in 0..ranks {
        let row = &mut rows[rank as usize + 1];
        let first = row.iter().map(|s| s.column).min().unwrap_or(0);
        let text = format!("{:>1$}", rank + 1, digits as usize);
        row.push(Stamp { column: first - gap - digits + 1 - i32::from(slant != 0), text, style: dim });
    }
    render(rows)
}

/// The distance of cells in a rank, and how far a rank stands to the right of the rank below.
fn pitch(shape: Shape, width: i32) -> (i32, i32) {
    let even = (width + 1) + (width + 1) % 2;
    match shape {
        Shape::Grid { .. } => (width + 1, 0),
        Shape::Rhombus { .. } => (even, even / 2),
        Shape::Hexagon { .. } => (even, -even / 2),
    }
}

fn render(mut rows: Vec<Vec<Stamp>>) -> String {
    let left = rows.iter().flatten().map(|s| s.column).min().unwrap_or(0);
    let mut text = String::new();
    for row in rows.iter_mut().rev() {
        row.sort_by_key(|s| s.column);
        let mut at = left;
        for stamp in row.iter() {
            while at < stamp.column {
                text.push(' ');
                at += 1;
            }
            match stamp.style {
                Some(style) => {
                    let _ = write!(text, "{style}{}{style:#}", stamp.text);
                }
                None => text.push_str(&stamp.text),
            }
            at += stamp.text.width() as i32;
        }
        text.push('\n');
    }
    text
}

/// The letters of a file: what its cells' names begin with.
fn file_name(board: &Board, file: u16) -> String {
    let name = board.cells.iter().find(|c| c.file == file).map_or("", |c| &c.name);
    name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// How a player's pieces look.
pub fn seat_style(owner: Option<Seat>) -> Style {
    const COLORS: [AnsiColor; 6] = [
        AnsiColor::BrightYellow,
        AnsiColor::BrightCyan,
        AnsiColor::BrightMagenta,
        AnsiColor::BrightGreen,
        AnsiColor::BrightRed,
        AnsiColor::BrightBlue,
    ];
    match owner {
        Some(seat) => Style::new().bold().fg_color(Some(COLORS[seat as usize % COLORS.len()].into())),
        None => Style::new().bold(),
    }
}

/// `Black Samurai (top/front): samurai ↓, sword ↑ ← →`, arrows as the board is drawn.
fn cube(game: &Game, owner: Option<Seat>, kind: KindId) -> Option<String> {
    let rules = game.rules();
    let turned = rules.kinds[kind as usize].orientation?;
    let piece = rules.type_of(kind);
    let orientation = piece.orientations.get(turned as usize)?;
    let marks: Vec<String> = orientation
        .marks
        .iter()
        .map(|(mark, places)| {
            let arrows: Vec<&str> = places.iter().map(|place| arrow(&rules.board, owner.unwrap_or(0), place)).collect();
            format!("{mark} {}", arrows.join(" "))
        })
        .collect();
    let owner = owner.map_or(String::new(), |seat| format!("{} ", describe::seat_name(game, seat)));
    let marks = if marks.is_empty() { "nothing on top".to_owned() } else { marks.join(", ") };
    Some(format!("{owner}{} ({}): {marks}", piece.name, orientation.name))
}

fn arrow<'a>(board: &Board, seat: Seat, place: &'a str) -> &'a str {
    const ARROWS: [&str; 4] = ["↑", "→", "↓", "←"];
    let Some(quarter) = ["front", "right", "back", "left"].iter().position(|p| *p == place) else { return place };
    let image =
        |c: Cell| board.turned.get(seat as usize).and_then(|t| t.get(c as usize)).map(|c| &board.cells[*c as usize]);
    // Where the second cell of the first rank and the second of the first file lie, seen by the seat: is the board turned or only mirrored?
    let mirrored = match (board.cells.first(), image(0)) {
        (Some(first), Some(there)) => {
            let wide = board.cells.iter().any(|c| c.file != first.file);
            wide && there.file == first.file && there.rank != first.rank
        }
        _ => false,
    };
    let turned = match quarter {
        q if seat == 0 => q,
        q if mirrored && q % 2 == 1 => q,
        q => (q + 2) % 4,
    };
    ARROWS[turned]
}
