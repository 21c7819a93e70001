//! An opinion on a game that was broken off: who has more on the board, in hand and on the score.

use super::Rewards;
use crate::engine::{Game, State};
use crate::ir::piece::Generator;
use crate::ir::{self, Cell, Seat, TypeId};

/// How random games of a search are broken off and judged.
pub struct Judge {
    /// Random games longer than this are broken off.
    pub turns: u32,
    worth: Vec<f64>,
    scores: Vec<usize>,
    full: f64,
}

impl Judge {
    /// Looks at the rules once.
    pub fn new(game: &Game) -> Judge {
        let rules = game.rules();
        let told = rules.types.iter().any(|t| t.worth > 0);
        let worth: Vec<f64> = rules.types.iter().map(|t| if told { f64::from(t.worth.max(0)) } else { 1.0 }).collect();
        let scores =
            rules.counters.iter().enumerate().filter(|(_, c)| c.each && c.name == "score").map(|(i, _)| i).collect();
        let seats = rules.seats.len().max(1) as f64;
        let placed: f64 =
            rules.setup.places.iter().map(|(_, kind, _)| worth[rules.kinds[*kind as usize].piece as usize]).sum();
        let held: f64 = rules.setup.hands.iter().flatten().map(|(t, n)| worth[*t as usize] * f64::from(*n)).sum();
        let budget = rules.setup.fill.as_ref().map_or(0.0, |fill| f64::from(fill.budget) * seats);
        let full = ((placed + held + budget) / seats).max(6.0);
        Judge { turns: turns_to_play(rules), worth, scores, full }
    }

    /// What each person may expect of a position nobody has finished.
    pub fn judge(&self, game: &Game, state: &State) -> Rewards {
        let rules = game.rules();
        let seats = rules.seats.len();
        let mut totals: Rewards = smallvec::smallvec![0.0; seats];
        for cell in 0..rules.board.cells.len() {
            if let Some((Some(owner), kind)) = game.piece(state, cell as Cell) {
                totals[owner as usize] += self.worth[rules.kinds[kind as usize].piece as usize];
            }
        }
        for seat in 0..seats {
            for &held in &rules.hand_types {
                let held: TypeId = held;
                totals[seat] += self.worth[held as usize] * f64::from(game.in_hand(state, seat as Seat, held));
            }
            for &score in &self.scores {
                totals[seat] += f64::from(game.counter(state, score, seat as Seat));
            }
        }
        let mut rewards: Rewards = smallvec::smallvec![0.5; seats];
        for seat in 0..seats {
            let best_other = (0..seats).filter(|s| *s != seat).map(|s| totals[s]).fold(f64::MIN, f64::max);
            if best_other > f64::MIN {
                let lead = 6.0 * (totals[seat] - best_other) / self.full;
                // Between 0.1 and 0.9: a lead is never as good as a win.
                rewards[game.person(state, seat as Seat) as usize] = 0.5 + 0.4 * lead / (1.0 + lead.abs());
            }
        }
        rewards
    }
}

/// Where pieces are only put on the board a game ends by itself; elsewhere a random one may take for ever.
fn turns_to_play(rules: &ir::Game) -> u32 {
    let filling =
        rules.remaps.is_empty() && rules.clauses.iter().all(|c| matches!(c.generator, Generator::Drop { .. }));
    let cells = rules.board.cells.len() as u32;
    if filling { 2 * cells + 20 } else { 40 }
}
