//! The texts of moves in tests: whether they could be texts of moves of the game at all. See `docs/language/notation.md`.

use super::cx::Cx;
use crate::base::Diagnostic;
use crate::base::words::{all_of, one_of};
use crate::ir::Game;
use crate::syntax::Word;

/// Words with which lines of a test begin.
const LINES: [&str; 6] = ["expect", "legal", "illegal", "play", "after", "perft"];

/// Checks the turns of a line; with `once`, each may be listed once.
pub(super) fn turns(cx: &mut Cx, game: &Game, turns: &[Word], once: bool) {
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
        if let Some(step) = turn.node.split(", ").find(|step| !fits(game, step)) {
            cx.push(
                Diagnostic::error("move-text", format!("`{step}` is not the text of a move of this game"), turn.span)
                    .help(match step.rsplit_once('=') {
                        Some((_, letter)) if !letter.is_empty() && !is_letter(game, letter) => {
                            let letters: Vec<String> = game.types.iter().map(|t| format!("`{}`", t.letter)).collect();
                            format!("no piece has the letter `{letter}`; the letters are {}", all_of(&letters))
                        }
                        _ => format!("here {}", one_of(&forms(game))),
                    }),
            );
        }
    }
    if once {
        listed_once(cx, turns);
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
fn fits(game: &Game, text: &str) -> bool {
    let mut parts = text.split('~');
    let step = parts.next().unwrap_or("");
    let outcomes: Vec<&str> = parts.collect();
    match (step, outcomes.as_slice()) {
        ("", [cell]) if game.board.cell(cell).is_some() => true,
        ("", [first, ..]) => !first.is_empty() && outcomes.iter().all(|o| is_letter(game, o)),
        _ => act(game, step) && outcomes.iter().all(|o| is_letter(game, o)),
    }
}

fn is_letter(game: &Game, text: &str) -> bool {
    game.types.iter().any(|t| t.letter == text)
}

fn act(game: &Game, text: &str) -> bool {
    let is_cell = |text: &str| game.board.cell(text).is_some();
    let way = |text: &str| game.remaps.iter().any(|r| r.text == text);
    if matches!(text, "pass" | "swap" | "done") || way(text) && !text.starts_with(['+', '-']) {
        return true;
    }
    if text.strip_prefix('x').is_some_and(is_cell) {
        return true;
    }
    if let Some((letter, rest)) = text.split_once('@') {
        return !game.drop_types().is_empty()
            && is_letter(game, letter)
            && from_cell(game, rest).any(|rest| tail(game, rest));
    }
    // how many steps up or down a ladder depends on options
    let ladder_way = |rest: &str| {
        let goes =
            |sign: char| rest.trim_matches(sign).is_empty() && game.remaps.iter().any(|r| r.text.starts_with(sign));
        !rest.is_empty() && (goes('+') || goes('-'))
    };
    from_cell(game, text).any(|rest| {
        let one_drop = game.drop_types().len() == 1;
        let promoted = |rest: &str| match rest.strip_prefix('=') {
            Some(rest) => {
                game.types.iter().any(|t| rest.strip_prefix(t.letter.as_str()).is_some_and(|r| tail(game, r)))
            }
            None => tail(game, rest),
        };
        one_drop && tail(game, rest)
            || ladder_way(rest)
            || rest.strip_prefix(':').is_some_and(way)
            || game.setup.fill.is_some() && rest.strip_prefix('=').is_some_and(|letter| is_letter(game, letter))
            || from_cell(game, rest).any(promoted)
    })
}

/// What is left of a text behind a cell, for each cell that it may begin with.
fn from_cell<'a>(game: &'a Game, text: &'a str) -> impl Iterator<Item = &'a str> {
    game.board.cells.iter().filter_map(|cell| text.strip_prefix(cell.name.as_str()))
}

/// Whether an orientation and a label, or one of them, or nothing is left.
fn tail(game: &Game, text: &str) -> bool {
    let label = |text: &str| {
        text.is_empty()
            || text.strip_prefix(':').is_some_and(|l| !l.is_empty() && game.clauses.iter().any(|c| c.label == l))
    };
    let mut ways = game.types.iter().flat_map(|t| &t.orientations);
    label(text)
        || text
            .strip_prefix(':')
            .is_some_and(|rest| ways.any(|o| rest.strip_prefix(o.name.as_str()).is_some_and(label)))
}
