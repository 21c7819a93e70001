//! The games written by hand, each as somebody would who needed just this one, and what holds them to the engine's rules.

mod bits;
pub mod breakthrough;
pub mod chess;
pub mod othello;

use rulebook::engine::{Game, Random};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Won by a seat.
    Won(u8),
    /// Nobody won.
    Drawn,
}

/// How a random game went.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// Turns played.
    pub turns: u32,
    /// How it ended; none if the limit of turns came first.
    pub outcome: Option<Outcome>,
}

impl Played {
    /// A random game played by the engine.
    pub fn by_engine(game: &Game, rng: &mut Random, max_turns: u32) -> Played {
        let played = game.playout(&mut game.start(), rng, max_turns);
        let outcome = played.outcome.map(|o| o.winner().map_or(Outcome::Drawn, Outcome::Won));
        Played { turns: played.turns, outcome }
    }

    /// What the game is worth to the player who begins: 1, 0 or a half.
    fn worth(&self) -> f64 {
        match self.outcome {
            Some(Outcome::Won(0)) => 1.0,
            Some(Outcome::Won(_)) => 0.0,
            Some(Outcome::Drawn) | None => 0.5,
        }
    }
}

/// Panics unless the numbers of turns and the results of random games have the same mean on both sides, up to five standard errors.
pub fn check_means(name: &str, mut engine: impl FnMut() -> Played, mut rival: impl FnMut() -> Played) {
    const GAMES: usize = 2000;
    let engine: Vec<Played> = (0..GAMES).map(|_| engine()).collect();
    let rival: Vec<Played> = (0..GAMES).map(|_| rival()).collect();
    let figures: [(&str, fn(&Played) -> f64); 2] =
        [("number of turns", |p| f64::from(p.turns)), ("result for the first player", Played::worth)];
    for (what, figure) in figures {
        let (ours, theirs) = (moments(&engine, figure), moments(&rival, figure));
        let error = ((ours.1 + theirs.1) / GAMES as f64).sqrt();
        let (a, b) = (ours.0, theirs.0);
        assert!(
            (a - b).abs() <= 5.0 * error,
            "{name}: mean {what} {a:.3} by the engine, {b:.3} by hand, error {error:.3}"
        );
    }
}

/// Mean and variance.
fn moments(games: &[Played], figure: fn(&Played) -> f64) -> (f64, f64) {
    let n = games.len() as f64;
    let mean = games.iter().map(figure).sum::<f64>() / n;
    (mean, games.iter().map(|g| (figure(g) - mean).powi(2)).sum::<f64>() / n)
}
