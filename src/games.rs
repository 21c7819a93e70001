//! The games that come with the program.

use crate::check::Library;

const GAMES: [(&str, &str); 12] = [
    ("proteus", include_str!("../games/proteus.game")),
    ("magneton", include_str!("../games/magneton.game")),
    ("monteagudo", include_str!("../games/monteagudo.game")),
    ("bushi-shogi", include_str!("../games/bushi-shogi.game")),
    ("chess", include_str!("../games/chess.game")),
    ("breakthrough", include_str!("../games/breakthrough.game")),
    ("othello", include_str!("../games/othello.game")),
    ("draughts", include_str!("../games/draughts.game")),
    ("connect-four", include_str!("../games/connect-four.game")),
    ("gomoku", include_str!("../games/gomoku.game")),
    ("hex", include_str!("../games/hex.game")),
    ("crazyhouse", include_str!("../games/crazyhouse.game")),
];

/// The names of the shipped games.
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|(name, _)| *name)
}

/// The text of a shipped game.
pub fn text(name: &str) -> Option<&'static str> {
    GAMES.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// The shipped games, as a library to extend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shipped;

impl Library for Shipped {
    fn text(&self, name: &str) -> Option<String> {
        text(name).map(str::to_owned)
    }

    fn names(&self) -> Vec<String> {
        names().map(str::to_owned).collect()
    }
}
