//! Atlases: games that know few positions are played at random on a map of them.
//!
//! The map is drawn once, from the start, by the steps that the way round lists; from then on a step is one look-up. Turns are numbered on the map only as far as
//! rules tell them apart, and a position that came back is left to the way round, which knows what results say of it. Tests hold each turn of
//! a playout against the turns that are listed.

use super::Random;
use super::bits::Bits;
use super::core::{Core, Over, UNBOUNDED};
use super::moment::Moment;
use super::rules::Rules;
use super::step::Step;
use super::turn::Tried;
use crate::ir::Game;
use crate::ir::expr::{Cond, Num};
use crate::ir::visit::{Node, any_phrase};
use std::collections::BTreeMap;

/// The most that the cells of a game may hold in different ways for a map to be tried.
const MAX_BOARDS: u64 = 1 << 16;

/// How large a map may be, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// The positions that can come from the start, and the steps between them.
pub struct Atlas<B, const K: usize, const M: usize> {
    /// The positions, at the beginning of turns and within them; turn numbers are cut, and what is counted for repetition is left out.
    places: Vec<Core<B, K, M>>,
    /// What the history keeps of each.
    keys: Vec<(u64, u64)>,
    /// The roads from each place: from here to where those of the next begin.
    first: Vec<u32>,
    roads: Vec<Road>,
    /// Places by hash.
    index: BTreeMap<u64, Vec<u32>>,
    /// The number that stands for all later turns.
    last_turn: u32,
}

/// A legal step.
struct Road {
    step: Step,
    to: u32,
    /// The turn is complete.
    ends: bool,
    /// Something has happened in the turn that cannot be undone.
    no_way_back: bool,
}

/// Whether the rules of a game may know few positions.
pub fn thinkable(game: &Game) -> bool {
    let contents = 1 + game.seats.len() as u64 * game.kinds.len() as u64;
    contents.checked_pow(game.board.cells.len() as u32).is_some_and(|n| n <= MAX_BOARDS)
}

/// The turn number from which on rules do not tell turns apart; none if that cannot be told.
fn last_turn(game: &Game) -> Option<u32> {
    let (mut read, mut compared, mut last) = (0, 0, 0);
    any_phrase(game, &mut |n| {
        match n {
            Node::Num(Num::TurnNumber) => read += 1,
            Node::Cond(
                Cond::Compare(Num::TurnNumber, _, Num::Const(n)) | Cond::Compare(Num::Const(n), _, Num::TurnNumber),
            ) => {
                compared += 1;
                last = last.max(*n);
            }
            _ => {}
        }
        false
    });
    (read == compared).then(|| u32::try_from(last).unwrap_or(0).saturating_add(1))
}

/// Whether only results ask what occurred before.
fn only_results_look_back(game: &Game) -> bool {
    let rest = Game { results: Vec::new(), ..game.clone() };
    !any_phrase(&rest, &mut |n| matches!(n, Node::Cond(Cond::Occurs { .. })))
}

impl<B: Bits, const K: usize, const M: usize> Atlas<B, K, M> {
    /// Draws the map, if the rules allow one.
    pub fn new(rules: &Rules<B, K, M>) -> Option<Self> {
        let suits = !rules.facts.rolls && rules.at_once.is_empty() && only_results_look_back(&rules.game);
        suits.then_some(())?;
        let mut atlas = Atlas {
            places: Vec::new(),
            keys: Vec::new(),
            first: vec![0],
            roads: Vec::new(),
            index: BTreeMap::new(),
            last_turn: last_turn(&rules.game)?,
        };
        atlas.place(rules, rules.start().core);
        let mut at = 0;
        while let Some(core) = atlas.places.get(at).copied() {
            for step in rules.steps(&core, &[]) {
                let mut after = core;
                rules.advance(&mut after, step, true, &[]);
                let ends = after.ended();
                let mut no_way_back = after.since == u16::MAX;
                if ends {
                    rules.end_turn(&mut after, &mut Vec::new());
                    no_way_back = after.since == 0;
                }
                let to = atlas.place(rules, after);
                atlas.roads.push(Road { step, to, ends, no_way_back });
            }
            atlas.first.push(atlas.roads.len() as u32);
            at += 1;
            let size = atlas.places.len() * (size_of::<Core<B, K, M>>() + 64) + atlas.roads.len() * size_of::<Road>();
            (size <= MAX_SIZE).then_some(())?;
        }
        Some(atlas)
    }

    /// A state as it stands on the map, and its hash.
    fn mapped(&self, rules: &Rules<B, K, M>, mut core: Core<B, K, M>) -> (Core<B, K, M>, u64) {
        core.turn = core.turn.min(self.last_turn);
        core.since = if core.since == u16::MAX { u16::MAX } else { 1 };
        (core, rules.hash(&core))
    }

    /// The number of a place; a new one, if it is not on the map.
    fn place(&mut self, rules: &Rules<B, K, M>, core: Core<B, K, M>) -> u32 {
        let (core, hash) = self.mapped(rules, core);
        let alike = self.index.entry(hash).or_default();
        if let Some(known) = alike.iter().find(|p| self.places[**p as usize] == core) {
            return *known;
        }
        let number = self.places.len() as u32;
        alike.push(number);
        self.keys.push((rules.key_with_side(&core, core.side), core.board_hash));
        self.places.push(core);
        number
    }

    fn find(&self, rules: &Rules<B, K, M>, core: &Core<B, K, M>) -> Option<usize> {
        let (core, hash) = self.mapped(rules, *core);
        self.index.get(&hash)?.iter().map(|p| *p as usize).find(|p| self.places[*p] == core)
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// The map of the game, if it has one.
    pub fn atlas(&self) -> Option<&Atlas<B, K, M>> {
        let drawn = self.atlas.as_ref()?;
        drawn.get_or_init(|| Atlas::new(self)).as_ref()
    }

    /// Plays on at random on the map. Gives the turns and steps played; none if the state is not on the map.
    pub fn playout_by_atlas(
        &self,
        atlas: &Atlas<B, K, M>,
        moment: &mut Moment<B, K, M>,
        rng: &mut Random,
        max_turns: u32,
    ) -> Option<(u32, u32)> {
        let (core, history) = (&mut moment.core, &mut moment.history);
        let mut at = atlas.find(self, core)?;
        let (mut turns, mut steps) = (0, 0);
        let (mut turn, mut since) = (core.turn, core.since);
        // the place with what the map leaves out
        let here = |at: usize, turn: u32, since: u16| {
            let place = &atlas.places[at];
            Core { turn, since: if place.since == u16::MAX { u16::MAX } else { since }, ..*place }
        };
        while turns < max_turns {
            let (first, end) = (atlas.first[at], atlas.first[at + 1]);
            if first == end {
                break;
            }
            let road = &atlas.roads[(first + rng.below(end - first)) as usize];
            steps += 1;
            if road.ends {
                turns += 1;
                if self.facts.repeats {
                    let next_since = if road.no_way_back { 0 } else { (since + 1).min(UNBOUNDED) };
                    let (key, board) = atlas.keys[road.to as usize];
                    let past =
                        if next_since == UNBOUNDED { history.len() } else { history.len().min(next_since.into()) };
                    if history[history.len() - past..].iter().any(|(k, b)| *k == key || *b == board) {
                        // a rule may ask how often it occurred
                        *core = here(at, turn, since);
                        self.advance(core, road.step, true, history);
                        self.end_turn(core, history);
                        if core.over != Over::No {
                            return Some((turns, steps));
                        }
                    } else {
                        history.push((key, board));
                    }
                    since = next_since;
                }
                turn = turn.saturating_add(1);
            }
            at = road.to as usize;
        }
        *core = here(at, turn, since);
        if core.over == Over::No && core.fresh && turns < max_turns {
            self.finish_stuck(core, history, Tried::Others);
        }
        Some((turns, steps))
    }
}
