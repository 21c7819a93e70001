//! The line that is typed at the prompt: completion and what it may mean.

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

/// What is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// `help`.
    Help,
    /// `moves`, `moves d4`.
    Moves(Option<String>),
    /// `undo`.
    Undo,
    /// `hint`.
    Hint,
    /// `save FILE`.
    Save(String),
    /// `load FILE`.
    Load(String),
    /// `position`.
    Position,
    /// `board`.
    Board,
    /// `resign`.
    Resign,
    /// `quit`.
    Quit,
    /// Nothing.
    Empty,
    /// A move.
    Move(String),
    /// A command without what it needs.
    Lacking(&'static str),
}

/// The commands, and what they do.
pub const COMMANDS: [(&str, &str); 10] = [
    ("help", "this list"),
    ("moves [CELL]", "the legal moves, or those from a cell"),
    ("undo", "take your last move back"),
    ("hint", "what the computer would play"),
    ("save FILE", "write the game to a file"),
    ("load FILE", "go on with a saved game"),
    ("position", "the position as text"),
    ("board", "the board once more"),
    ("resign", "give up"),
    ("quit", "leave"),
];

/// Reads a line.
pub fn parse(line: &str) -> Line {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
    match (word.to_ascii_lowercase().as_str(), rest) {
        ("", _) => Line::Empty,
        ("help" | "?", "") => Line::Help,
        ("moves", "") => Line::Moves(None),
        ("moves", cell) => Line::Moves(Some(cell.to_owned())),
        ("undo", "") => Line::Undo,
        ("hint", "") => Line::Hint,
        ("save", "") => Line::Lacking("`save` needs the name of a file: save FILE"),
        ("save", file) => Line::Save(file.to_owned()),
        ("load", "") => Line::Lacking("`load` needs the name of a file: load FILE"),
        ("load", file) => Line::Load(file.to_owned()),
        ("position", "") => Line::Position,
        ("board", "") => Line::Board,
        ("resign", "") => Line::Resign,
        ("quit" | "exit", "") => Line::Quit,
        _ => Line::Move(line.to_owned()),
    }
}

/// Completes commands and moves.
#[derive(Default)]
pub struct Assistant {
    /// The texts of the legal moves now.
    pub moves: Vec<String>,
    /// The cells that `moves` may be followed by.
    pub cells: Vec<String>,
}

impl Assistant {
    fn candidates(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.len() - typed.trim_start().len();
        let text = &typed[start..];
        if let Some(cell) = text.strip_prefix("moves ") {
            let fitting = self.cells.iter().filter(|c| c.starts_with(cell)).cloned().collect();
            return (typed.len() - cell.len(), fitting);
        }
        let commands = COMMANDS.iter().map(|(usage, _)| usage.split(' ').next().unwrap_or(usage).to_owned());
        let moves = self.moves.iter().cloned();
        (start, moves.chain(commands).filter(|c| c.starts_with(text)).collect())
    }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, words) = self.candidates(line.get(..pos).unwrap_or(line));
        Ok((start, words.into_iter().map(|w| Pair { display: w.clone(), replacement: w }).collect()))
    }
}

impl Hinter for Assistant {
    type Hint = String;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<String> {
        if line.is_empty() || pos < line.len() {
            return None;
        }
        // Only what is sure: the one thing that the line can become.
        let (start, words) = self.candidates(line);
        match words.as_slice() {
            [only] => only.get(line.len() - start..).filter(|rest| !rest.is_empty()).map(str::to_owned),
            _ => None,
        }
    }
}

impl Highlighter for Assistant {
    fn highlight_hint<'h>(&self, hint: &'h str) -> std::borrow::Cow<'h, str> {
        std::borrow::Cow::Owned(format!("\x1b[2m{hint}\x1b[m"))
    }
}

impl Validator for Assistant {}

impl Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::{Assistant, Line, parse};

    #[test]
    fn lines_are_commands_or_moves() {
        assert_eq!(parse("  moves d4 "), Line::Moves(Some("d4".to_owned())));
        assert_eq!(parse("e2e4"), Line::Move("e2e4".to_owned()));
        assert_eq!(parse("b2b4, c1+"), Line::Move("b2b4, c1+".to_owned()));
        assert_eq!(parse("QUIT"), Line::Quit);
        assert!(matches!(parse("save"), Line::Lacking(_)));
        assert_eq!(parse(""), Line::Empty);
    }

    #[test]
    fn completion_knows_moves_and_commands() {
        let assistant = Assistant { moves: vec!["e2e4".to_owned(), "e2e3".to_owned()], cells: vec!["e2".to_owned()] };
        assert_eq!(assistant.candidates("e2e").1, ["e2e4", "e2e3"]);
        assert_eq!(assistant.candidates("mov").1, ["moves"]);
        assert_eq!(assistant.candidates("moves e"), (6, vec!["e2".to_owned()]));
    }
}
