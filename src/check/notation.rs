//! The texts of moves in tests: whether they could be texts of moves of the game at all. See `docs/language/notation.md`.

use super::cx::Cx;
use super::offered::Offered;
use crate::base::words::{all_of, one_of};
use crate::base::{Diagnostic, Span};
use crate::ir::Game;
use crate::syntax::Word;

/// Words with which lines of a test begin.
const LINES: [&str; 6] = ["expect", "legal", "illegal", "play", "after", "perft"];

/// Checks the turns of a line.
pub(super) fn turns(cx: &mut Cx, game: &Game, offered: &Offered, turns: &[Word]) {
    for turn in turns.iter().filter(|t| t.node != "none") {
        if LINES.contains(&turn.node.as_str()) {
            let message = format!("`{}` begins another line of a test", turn.node);
            let error = Diagnostic::error("move-text", message, turn.span);
            cx.push(
                error
                    .help("write it on a line of its own, or `;` before it")
                    .suggest(turn.span, format!("; {}", turn.node)),
            );
            break;
        }
        let steps: Vec<&str> = turn.node.split(", ").collect();
        let message = |step: &str| format!("`{step}` is not the text of a move of this game");
        if let Some(step) = steps.iter().find(|step| !fits(game, offered, step)) {
            cx.push(Diagnostic::error("move-text", message(step), part(turn, step)).help(instead(game, offered, step)));
        } else if steps.len() > 1 && !offered.sequences {
            let message = "these are several steps of one turn, and every turn of this game is one step";
            let error = Diagnostic::error("move-text", message, turn.span);
            let help = "turns stand with blanks between them";
            cx.push(error.help(help).suggest(turn.span, steps.join(" ")));
        }
    }
}

/// The place of a step in a turn that is written as usual.
fn part(turn: &Word, step: &str) -> Span {
    let Span { file, start, end } = turn.span;
    match turn.node.find(step) {
        Some(at) if turn.node.len() == (end - start) as usize => {
            let start = start + at as u32;
            Span { file, start, end: start + step.len() as u32 }
        }
        _ => turn.span,
    }
}

/// What to write for a step that could be none.
fn instead(game: &Game, offered: &Offered, step: &str) -> String {
    let letter = step.rsplit_once('=').map(|(_, letter)| letter).filter(|letter| !letter.is_empty());
    match (step, letter) {
        ("pass", _) => "no `turn` of this game has `pass`".to_owned(),
        ("swap", _) => "no `turn` of this game has `swap sides`".to_owned(),
        ("done", _) => "no `turn` of this game has `may`, so every turn ends by itself".to_owned(),
        (_, Some(letter)) if !is_letter(game, letter) => {
            let letters: Vec<String> = game.types.iter().map(|t| format!("`{}`", t.letter)).collect();
            format!("no piece has the letter `{letter}`; the letters are {}", all_of(&letters))
        }
        (_, Some(_)) if !offered.promotes => "no piece of this game is promoted".to_owned(),
        _ => format!("here {}", one_of(&forms(game))),
    }
}

/// Finds what is listed twice.
pub(super) fn listed_once(cx: &mut Cx, list: &[Word]) {
    for (i, word) in list.iter().enumerate() {
        if let Some(first) = list[..i].iter().find(|w| w.node == word.node) {
            cx.push(
                Diagnostic::error("duplicate", format!("`{}` is listed twice", word.node), word.span)
                    .label(first.span, "listed here first")
                    .help("remove one of the two"),
            );
        }
    }
}

/// How moves of the game are written, with examples.
fn forms(game: &Game) -> Vec<String> {
    let cell = |i: usize| game.cell_name((i % game.board.cells.len()) as u16);
    let drops = game.drop_types();
    let mut forms = Vec::new();
    if game.types.iter().any(|t| t.clauses.len() > game.drop_clauses(t).count()) {
        forms.push(format!("a move is written by the cells where it begins and ends, as in `{}{}`", cell(0), cell(1)));
    }
    match drops.as_slice() {
        [] => {}
        [_] => forms.push(format!("a drop by its cell, as in `{}`", cell(0))),
        [first, ..] => forms.push(format!(
            "a drop by letter, `@` and cell, as in `{}@{}`",
            game.types[*first as usize].letter,
            cell(0)
        )),
    }
    if let Some(way) = game.remaps.first() {
        let text = if way.text.starts_with(['+', '-']) { format!("{}{}", cell(0), way.text) } else { way.text.clone() };
        forms.push(format!("a turn of a piece as in `{text}`"));
    }
    if forms.is_empty() {
        forms.push("a move may be `pass`".to_owned());
    }
    forms
}

/// Whether a text could be that of a step, with the outcomes of chance behind it.
fn fits(game: &Game, offered: &Offered, text: &str) -> bool {
    let mut parts = text.split('~');
    let step = parts.next().unwrap_or("");
    let outcomes: Vec<&str> = parts.collect();
    match (step, outcomes.as_slice()) {
        ("", [cell]) if game.board.cell(cell).is_some() => offered.flips,
        ("", [first, ..]) => !first.is_empty() && outcomes.iter().all(|o| is_letter(game, o)),
        _ => act(game, offered, step) && outcomes.iter().all(|o| is_letter(game, o)),
    }
}

fn is_letter(game: &Game, text: &str) -> bool {
    game.types.iter().any(|t| t.letter == text)
}

fn act(game: &Game, offered: &Offered, text: &str) -> bool {
    let is_cell = |text: &str| game.board.cell(text).is_some();
    let way = |text: &str| game.remaps.iter().any(|r| r.text == text);
    match text {
        "pass" => return offered.pass,
        "swap" => return offered.swap,
        "done" => return offered.done,
        _ if way(text) && !text.starts_with(['+', '-']) => return true,
        _ => {}
    }
    if text.strip_prefix('x').is_some_and(is_cell) && offered.removes {
        return true;
    }
    let tail = |rest: &str| tail(game, offered, rest);
    let dropped = game.drop_types().len();
    if let Some((letter, rest)) = text.split_once('@') {
        return offered.drops && is_letter(game, letter) && from_cell(game, rest).any(tail);
    }
    // how many steps up or down a ladder depends on options
    let ladder_way = |rest: &str| {
        let goes =
            |sign: char| rest.trim_matches(sign).is_empty() && game.remaps.iter().any(|r| r.text.starts_with(sign));
        !rest.is_empty() && (goes('+') || goes('-'))
    };
    from_cell(game, text).any(|rest| {
        let promoted = |rest: &str| match rest.strip_prefix('=') {
            Some(rest) => {
                offered.promotes && game.types.iter().any(|t| rest.strip_prefix(t.letter.as_str()).is_some_and(tail))
            }
            None => tail(rest),
        };
        offered.drops && dropped <= 1 && tail(rest)
            || ladder_way(rest)
            || rest.strip_prefix(':').is_some_and(way)
            || game.setup.fill.is_some() && rest.strip_prefix('=').is_some_and(|letter| is_letter(game, letter))
            || offered.moves && from_cell(game, rest).any(promoted)
    })
}

/// What is left of a text behind a cell, for each cell that it may begin with.
fn from_cell<'a>(game: &'a Game, text: &'a str) -> impl Iterator<Item = &'a str> {
    game.board.cells.iter().filter_map(|cell| text.strip_prefix(cell.name.as_str()))
}

/// Whether an orientation and a label, or one of them, or nothing is left.
fn tail(game: &Game, offered: &Offered, text: &str) -> bool {
    let label = |text: &str| {
        text.is_empty()
            || text.strip_prefix(':').is_some_and(|l| !l.is_empty() && offered.labels.iter().any(|label| label == l))
    };
    let mut ways = game.types.iter().flat_map(|t| &t.orientations);
    label(text)
        || text
            .strip_prefix(':')
            .is_some_and(|rest| ways.any(|o| rest.strip_prefix(o.name.as_str()).is_some_and(label)))
}
