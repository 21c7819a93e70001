//! Players that choose by themselves: a tree search over steps, and a random one.
//!
//! Budgets are counted in nodes and seeds come in, so the same question always has the same answer, on every machine.

pub mod duel;
mod material;
mod tree;

use crate::engine::{Game, Outcome, Random, State, Step};
use crate::ir::Seat;
use smallvec::SmallVec;

/// The budget of the computer player if nobody says otherwise.
pub const DEFAULT_NODES: u32 = 5000;

/// What each person gets of a game, from 0 (lost) to 1 (won).
pub type Rewards = SmallVec<[f64; 4]>;

/// What a search prefers.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The step.
    pub step: Step,
    /// How often the search tried it.
    pub visits: u32,
    /// What the player to move may expect from it, from 0 (lost) to 1 (won).
    pub value: f64,
    /// The nodes of the search.
    pub nodes: u32,
}

/// The step a tree search of `nodes` nodes prefers; none if there is none.
///
/// Where chance decides, it is one of the outcomes, drawn with the seed.
pub fn best(game: &Game, state: &State, nodes: u32, seed: u64) -> Option<Choice> {
    tree::search(game, state, nodes, seed)
}

/// A step drawn with equal chances from the legal ones; none if there is none.
pub fn random(game: &Game, state: &State, rng: &mut Random) -> Option<Step> {
    pick(rng, &game.steps(state)).copied()
}

/// One of the items, each with the same chance.
pub fn pick<'a, T>(rng: &mut Random, items: &'a [T]) -> Option<&'a T> {
    let n = u32::try_from(items.len()).ok().filter(|n| *n > 0)?;
    items.get(rng.below(n) as usize)
}

/// A seed for one of many uses of another seed.
pub fn derive(seed: u64, number: u64) -> u64 {
    let mut z = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What an outcome is worth to each person, with regard to the seats they sit on in `state`: the share of the others
/// that are ranked behind, equal ones counting half.
pub fn rewards(game: &Game, state: &State, outcome: &Outcome) -> Rewards {
    let seats = outcome.ranks.len();
    let mut rewards: Rewards = smallvec::smallvec![0.5; seats];
    if seats < 2 {
        return rewards;
    }
    for (seat, mine) in outcome.ranks.iter().enumerate() {
        let behind: f64 = outcome
            .ranks
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != seat)
            .map(|(_, theirs)| match mine.cmp(theirs) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            })
            .sum();
        let person = game.person(state, seat as Seat) as usize;
        if let Some(reward) = rewards.get_mut(person) {
            *reward = behind / (seats - 1) as f64;
        }
    }
    rewards
}
