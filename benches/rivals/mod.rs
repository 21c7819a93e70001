//! The games written by hand, each as somebody would who needed just this one, and what holds them to the engine's
//! rules.

mod bits;
pub mod breakthrough;
pub mod bushi;
pub mod chess;
pub mod magneton;
mod mailbox;
pub mod monteagudo;
pub mod othello;
pub mod proteus;

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
        let mut state = game.start();
        let played = game.playout(&mut state, rng, max_turns);
        let outcome = game.outcome(&state).map(|o| o.winner().map_or(Outcome::Drawn, Outcome::Won));
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

/// The rules of a game written plainly: lists of steps, and a new state for each.
pub trait Rules: Copy {
    /// One act of a turn.
    type Step: Copy;

    /// The start of a game.
    fn start() -> Self;
    /// Lists the steps of the player to move; those that [`Rules::after`] refuses are not legal.
    fn list(&self, steps: &mut Vec<Self::Step>);
    /// The state after a listed step, with the next player to move if the turn is complete; none if the step is not
    /// legal.
    fn after(&self, step: Self::Step) -> Option<Self>;
    /// Whether a step of this turn has been made and another is due.
    fn within_turn(&self) -> bool {
        false
    }
    /// How many turns back the present position may have stood before.
    fn reversible(&self) -> usize;
    /// What makes the position, for repetition.
    fn key(&self) -> u64;
    /// How the game ended at the end of a turn, if it has; `occurred` says how often the position has stood, this time
    /// included. That the player to move is stuck may be left to [`Rules::stuck`].
    fn outcome(&self, occurred: usize) -> Option<Outcome>;
    /// How it ends when the player to move has no legal step.
    fn stuck(&self) -> Outcome;
    /// The text of a step, as the engine writes it.
    fn text(&self, step: Self::Step) -> String;
}

/// A game under way.
struct Match<R> {
    state: R,
    /// Keys of the positions so far, the present last.
    keys: Vec<u64>,
    outcome: Option<Outcome>,
}

impl<R: Rules> Match<R> {
    fn new() -> Match<R> {
        let state = R::start();
        Match { state, keys: vec![state.key()], outcome: None }
    }

    /// Goes on to the state after a step; returns whether a turn is complete.
    fn go(&mut self, after: R) -> bool {
        self.state = after;
        if after.within_turn() {
            return false;
        }
        let key = after.key();
        let before = self.keys.iter().rev().take(after.reversible()).filter(|k| **k == key).count();
        self.keys.push(key);
        self.outcome = after.outcome(before + 1);
        true
    }
}

/// A random game, each legal step equally likely. `steps` is room for lists.
pub fn playout<R: Rules>(steps: &mut Vec<R::Step>, rng: &mut Random, max_turns: u32) -> Played {
    let mut game = Match::<R>::new();
    let mut turns = 0;
    while game.outcome.is_none() && turns < max_turns {
        steps.clear();
        game.state.list(steps);
        let after = loop {
            if steps.is_empty() {
                break None;
            }
            let step = steps.swap_remove(rng.below(steps.len() as u32) as usize);
            if let Some(after) = game.state.after(step) {
                break Some(after);
            }
        };
        match after {
            Some(after) => turns += u32::from(game.go(after)),
            None => game.outcome = Some(game.state.stuck()),
        }
    }
    Played { turns, outcome: game.outcome }
}

/// The number of sequences of `depth` turns from the start.
pub fn perft<R: Rules>(depth: u32) -> u64 {
    perft_from(&mut Match::<R>::new(), depth)
}

fn perft_from<R: Rules>(game: &mut Match<R>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.outcome.is_some() {
        return 0;
    }
    let (state, kept) = (game.state, game.keys.len());
    let mut steps = Vec::new();
    state.list(&mut steps);
    let mut nodes = 0;
    for after in steps.into_iter().filter_map(|s| state.after(s)) {
        let complete = game.go(after);
        nodes += perft_from(game, depth - u32::from(complete));
        game.keys.truncate(kept);
        game.outcome = None;
    }
    game.state = state;
    nodes
}

/// Panics unless engine and rival offer the same steps and see the same end in random games of at most `max_turns`
/// turns.
pub fn check_steps<R: Rules>(name: &str, game: &Game, games: u64, max_turns: u32) {
    for seed in 0..games {
        let (mut rng, mut state, mut rival) = (Random::new(seed), game.start(), Match::<R>::new());
        let mut turns = 0;
        while turns < max_turns {
            let place = || format!("{name}, seed {seed}: {}", game.position(&state));
            let mut theirs = Vec::new();
            rival.state.list(&mut theirs);
            let now = rival.state;
            let mut theirs: Vec<(String, R)> =
                theirs.into_iter().filter_map(|s| now.after(s).map(|after| (now.text(s), after))).collect();
            theirs.sort_by(|a, b| a.0.cmp(&b.0));
            if theirs.is_empty() && rival.outcome.is_none() {
                rival.outcome = Some(now.stuck());
            }
            let outcome = game.outcome(&state).map(|o| o.winner().map_or(Outcome::Drawn, Outcome::Won));
            assert_eq!(outcome, rival.outcome, "{}", place());
            if outcome.is_some() {
                break;
            }
            let mut ours: Vec<_> = game.steps(&state).into_iter().map(|s| (game.step_text(s), s)).collect();
            ours.sort_by(|a, b| a.0.cmp(&b.0));
            assert!(ours.iter().map(|s| &s.0).eq(theirs.iter().map(|s| &s.0)), "{}: other steps", place());
            // in every second game few steps are chosen from, so that positions come back
            let choices = if seed % 2 == 0 { ours.len() } else { ours.len().min(3) };
            let k = rng.below(choices as u32) as usize;
            game.play(&mut state, ours[k].1);
            turns += u32::from(rival.go(theirs[k].1));
        }
    }
}

/// A hash of some bytes and a word.
fn hash(bytes: &[u8], word: u64) -> u64 {
    bytes.chunks(8).fold(word.wrapping_add(0x9e37_79b9_7f4a_7c15), |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash.rotate_left(29) ^ u64::from_le_bytes(word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ mixed >> 32
    })
}

/// A number that says something about a random game.
type Figure = fn(&Played) -> f64;

/// Panics unless the numbers of turns and the results of random games have the same mean on both sides, up to five
/// standard errors.
pub fn check_means(name: &str, mut engine: impl FnMut() -> Played, mut rival: impl FnMut() -> Played) {
    const GAMES: usize = 2000;
    let engine: Vec<Played> = (0..GAMES).map(|_| engine()).collect();
    let rival: Vec<Played> = (0..GAMES).map(|_| rival()).collect();
    let figures: [(&str, Figure); 2] =
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
fn moments(games: &[Played], figure: Figure) -> (f64, f64) {
    let n = games.len() as f64;
    let mean = games.iter().map(figure).sum::<f64>() / n;
    (mean, games.iter().map(|g| (figure(g) - mean).powi(2)).sum::<f64>() / n)
}
