//! Results: which rule ends the game, and for whom.

use super::bits::Bits;
use super::core::{Core, Over};
use super::eval::{At, History};
use super::rules::{Rules, Ruling, Watched};
use crate::ir::ending::{Outcome, Verdict};
use crate::ir::expr::Who;

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// The first result that holds; `mover` is who just moved. `within` is for results tried at once, within a turn: only those that ask for it are.
    /// With `stuck` unset, results that need the next player to be stuck are passed over, unless a later one holds that they would come before.
    pub fn ruling(
        &self,
        core: &Core<B, K, M>,
        within: bool,
        mover: u8,
        history: &History,
        stuck: bool,
    ) -> Option<Over> {
        let mut passed: Option<usize> = None;
        let mut at = At { counted: !within, ..At::mover(mover, history) };
        for (i, ruling) in self.results.iter().enumerate() {
            if within && !ruling.at_once {
                continue;
            }
            if ruling.only_if_stuck && !stuck {
                passed.get_or_insert(i);
                continue;
            }
            if let Some(over) = self.rule(i, ruling, core, &mut at) {
                let earlier = passed.into_iter().flat_map(|first| first..i).find_map(|j| {
                    let earlier = &self.results[j];
                    earlier.only_if_stuck.then(|| self.rule(j, earlier, core, &mut at)).flatten()
                });
                return Some(earlier.unwrap_or(over));
            }
        }
        None
    }

    /// The first that holds of the results that can hold only if the next player is stuck, of a position on which the others have been tried.
    pub fn ruling_if_stuck(&self, core: &Core<B, K, M>, mover: u8, history: &History) -> Option<Over> {
        let mut at = At { counted: true, ..At::mover(mover, history) };
        let rulings = self.results.iter().enumerate().filter(|(_, r)| r.only_if_stuck);
        rulings.into_iter().find_map(|(i, ruling)| self.rule(i, ruling, core, &mut at))
    }

    /// Whether one of the results watched holds at the end of a turn. What the pieces on the board allow is asked when those have changed.
    #[inline]
    pub fn ended_by_rule(&self, core: &mut Core<B, K, M>, mover: u8, history: &History) -> bool {
        let m = mover as usize & 1;
        let (stale, mut ripe) = (core.altered[m], core.ripe[m]);
        let seats = [mover, 1 - (mover & 1)];
        let mut at = At { counted: true, ..At::mover(mover, history) };
        for (i, Watched { parts, stock, viewer }) in self.watched.iter().enumerate() {
            at.viewer = named(*viewer, seats);
            if !stock.is_empty() {
                if stale {
                    let holds = stock.iter().all(|part| self.holds_alone(part, core, &at));
                    ripe = ripe & !(1 << i) | u16::from(holds) << i;
                }
                if ripe >> i & 1 == 0 {
                    continue;
                }
            }
            if parts.iter().all(|part| self.holds_alone(part, core, &at)) {
                return true;
            }
        }
        core.altered[m] = false;
        core.ripe[m] = ripe;
        false
    }

    /// Whether one of the results tried within a turn holds.
    #[inline]
    pub fn decided(&self, core: &Core<B, K, M>, mover: u8, history: &History) -> bool {
        let seats = [mover, 1 - (mover & 1)];
        let mut at = At { counted: false, ..At::mover(mover, history) };
        self.at_once.iter().any(|Watched { parts, viewer, .. }| {
            at.viewer = named(*viewer, seats);
            parts.iter().all(|part| self.holds_alone(part, core, &at))
        })
    }

    #[inline]
    fn rule(&self, index: usize, ruling: &Ruling<B>, core: &Core<B, K, M>, at: &mut At) -> Option<Over> {
        let seats = [at.mover, at.seat(Who::Next)];
        let mut holds_for = |seat: u8| {
            at.viewer = seat;
            self.holds(&ruling.cond, core, at)
        };
        let winner = match &ruling.verdict {
            Verdict::Wins(who) => holds_for(named(*who, seats)).then(|| Some(named(*who, seats))),
            Verdict::Loses(who) => holds_for(named(*who, seats)).then(|| Some(1 - (named(*who, seats) & 1))),
            Verdict::AnyPlayerWins => seats.into_iter().find(|s| holds_for(*s)).map(Some),
            Verdict::AnyPlayerLoses => seats.into_iter().find(|s| holds_for(*s)).map(|s| Some(1 - (s & 1))),
            Verdict::Draw => holds_for(seats[0]).then_some(None),
            Verdict::Highest(_) | Verdict::Lowest(_) => holds_for(seats[0]).then(|| self.ahead_in(ruling, core, at)),
        };
        winner.map(|winner| Over::Yes { rule: index as u16, winner })
    }

    /// Who has more of what a result counts, or less where that is asked; none if both have the same.
    fn ahead_in(&self, ruling: &Ruling<B>, core: &Core<B, K, M>, at: &mut At) -> Option<u8> {
        let mut value = |seat: u8| {
            at.viewer = seat;
            ruling.number.as_ref().map_or(0, |n| self.number(n, core, at))
        };
        let (a, b) = match ruling.verdict {
            Verdict::Lowest(_) => (value(1), value(0)),
            _ => (value(0), value(1)),
        };
        match a.cmp(&b) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// The outcome of a finished game.
    pub fn outcome(&self, core: &Core<B, K, M>) -> Option<Outcome> {
        match core.over {
            Over::No => None,
            Over::Yes { rule, winner } => {
                let reason = match self.game.results.get(rule as usize) {
                    Some(result) => result.text.clone(),
                    None => "the player to move has no legal move, and no rule says what that means".to_owned(),
                };
                let seats = self.game.seats.len();
                Some(match winner {
                    Some(seat) => Outcome::win(seats, seat, reason),
                    None => Outcome::draw(seats, reason),
                })
            }
        }
    }
}

/// The seat that the subject of a result names; `seats` are the mover and the next.
fn named(who: Who, [mover, next]: [u8; 2]) -> u8 {
    match who {
        Who::Me | Who::Mover => mover,
        Who::Opponent | Who::Next => next,
        Who::Seat(s) => s,
    }
}
