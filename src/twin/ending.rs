//! Results.

use super::Twin;
use super::expr::{Env, Roles, View};
use super::state::State;
use crate::ir::Seat;
use crate::ir::ending::{Outcome, Result, Verdict};

impl Twin {
    /// The result of a step, if an at-once one holds.
    pub(super) fn at_once(&self, env: Env, s: &State) -> Option<Outcome> {
        let env = Env { counted: false, ..env };
        self.game.results.iter().filter(|r| r.at_once).find_map(|r| self.verdict(env, s, r))
    }

    /// The result of a turn; the player who made it is the mover.
    pub(super) fn result(&self, env: Env, s: &State) -> Option<Outcome> {
        self.game.results.iter().find_map(|r| self.verdict(env, s, r))
    }

    fn verdict(&self, env: Env, s: &State, result: &Result) -> Option<Outcome> {
        let roles = Roles {
            this: s.now.actor.and_then(|id| s.find(id)),
            here: s.now.here,
            origin: s.now.origin,
            dir: s.now.dir,
            attacker: None,
            victim: None,
        };
        let view = |viewer: Seat| View { twin: self, s, env, viewer, roles };
        let by_mover = view(env.mover);
        let first = || self.mover_first(env.mover).into_iter().find(|seat| view(*seat).holds(&result.cond));
        match &result.verdict {
            Verdict::Wins(who) => {
                let seat = by_mover.who(*who);
                view(seat).holds(&result.cond).then(|| self.win(seat, result))
            }
            Verdict::Loses(who) => {
                let seat = by_mover.who(*who);
                view(seat).holds(&result.cond).then(|| self.loss(seat, result))
            }
            Verdict::AnyPlayerWins => first().map(|seat| self.win(seat, result)),
            Verdict::AnyPlayerLoses => first().map(|seat| self.loss(seat, result)),
            Verdict::Draw => by_mover.holds(&result.cond).then(|| self.draw(&result.text)),
            Verdict::Highest(num) | Verdict::Lowest(num) => {
                if !by_mover.holds(&result.cond) {
                    return None;
                }
                let values: Vec<i64> = (0..self.game.seats.len() as Seat)
                    .map(|seat| i64::from(view(seat).number(num)))
                    .map(|n| if matches!(result.verdict, Verdict::Lowest(_)) { -n } else { n })
                    .collect();
                let best = values.iter().copied().max()?;
                let mut top = (0..).zip(&values).filter(|(_, n)| **n == best).map(|(seat, _)| seat);
                match (top.next(), top.next()) {
                    (Some(seat), None) => Some(self.win(seat, result)),
                    _ => Some(self.draw(&result.text)),
                }
            }
        }
    }

    fn win(&self, seat: Seat, result: &Result) -> Outcome {
        Outcome::win(self.game.seats.len(), seat, result.text.clone())
    }

    /// One loses: last place, the others share the first.
    fn loss(&self, seat: Seat, result: &Result) -> Outcome {
        let ranks = (0..self.game.seats.len()).map(|s| if s == seat as usize { 2 } else { 1 }).collect();
        Outcome { ranks, reason: result.text.clone() }
    }

    fn draw(&self, reason: &str) -> Outcome {
        Outcome::draw(self.game.seats.len(), reason)
    }
}
