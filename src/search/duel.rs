//! The computer against a random player: a measure of how well the search plays a game.

use super::{best, derive, pick, random};
use crate::engine::{Decider, Game, Random};
use crate::ir::Seat;
use serde::Serialize;

/// How a duel is played.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The computer's budget for a step.
    pub nodes: u32,
    /// The seed of the whole duel.
    pub seed: u64,
    /// A game longer than this is broken off.
    pub max_turns: u32,
}

/// How a game went for the computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bout {
    /// Won.
    Win,
    /// Neither won nor lost.
    Draw,
    /// Lost.
    Loss,
    /// Broken off.
    Unfinished,
}

/// Plays game `number` of a duel. The computer starts on the seats in turn; everybody else moves at random.
pub fn bout(game: &Game, terms: Terms, number: u32) -> Bout {
    let seed = derive(terms.seed, u64::from(number));
    let mut rng = Random::new(seed);
    let seats = game.rules().seats.len().max(1) as u32;
    let computer = (number % seats) as Seat;
    let mut state = game.start();
    let mut decisions = 0u64;
    while game.turn_number(&state) <= terms.max_turns {
        if let Some(outcome) = game.outcome(&state) {
            let rewards = super::rewards(game, &state, &outcome);
            return match rewards.get(computer as usize) {
                Some(1.0) => Bout::Win,
                Some(0.0) => Bout::Loss,
                _ => Bout::Draw,
            };
        }
        let step = match game.decider(&state) {
            Decider::Chance => pick(&mut rng, &game.steps(&state)).copied(),
            Decider::Player(seat) if game.person(&state, seat) == computer => {
                best(game, &state, terms.nodes, derive(seed, decisions)).map(|choice| choice.step)
            }
            Decider::Player(_) => random(game, &state, &mut rng),
        };
        let Some(step) = step else { break };
        let _ = game.play(&mut state, step);
        decisions += 1;
    }
    Bout::Unfinished
}
