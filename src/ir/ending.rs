//! Results.

use super::Seat;
use super::expr::{Cond, Num, Who};
use serde::{Deserialize, Serialize};

/// A result rule. It is tried at the end of each turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Result {
    /// The author's line, to say why a game ended.
    pub text: String,
    /// What happens.
    pub verdict: Verdict,
    /// Also tried after each step (with `mover` = whose step it was, `next` = the seat after).
    pub at_once: bool,
    /// When.
    pub cond: Cond,
}

/// What a result says. The viewer of the condition is the grammatical subject: for `Wins(w)` and `Loses(w)` that player, otherwise the mover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// That player wins, the others lose.
    Wins(Who),
    /// That player loses; with two players the other wins.
    Loses(Who),
    /// The first player for whom as viewer the condition holds wins: the mover first, then in seat order.
    AnyPlayerWins,
    /// The same, losing.
    AnyPlayerLoses,
    /// Nobody wins.
    Draw,
    /// The player for whom as viewer the number is highest wins; equal on top is a draw.
    Highest(Num),
    /// The lowest.
    Lowest(Num),
}

impl Verdict {
    /// Who sees the condition; none if each player does in turn.
    pub fn viewer(&self) -> Option<Who> {
        match self {
            Verdict::Wins(who) | Verdict::Loses(who) => Some(*who),
            Verdict::Draw | Verdict::Highest(_) | Verdict::Lowest(_) => Some(Who::Mover),
            Verdict::AnyPlayerWins | Verdict::AnyPlayerLoses => None,
        }
    }
}

/// How a game ended: a rank for each seat, 1 for the best; equal ranks share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// For each seat.
    pub ranks: Vec<u8>,
    /// The rule that ended it.
    pub reason: String,
}

impl Outcome {
    /// Nobody is ahead.
    pub fn draw(seats: usize, reason: impl Into<String>) -> Outcome {
        Outcome { ranks: vec![1; seats], reason: reason.into() }
    }

    /// One wins, the others share second place.
    pub fn win(seats: usize, winner: Seat, reason: impl Into<String>) -> Outcome {
        let ranks = (0..seats).map(|s| if s == winner as usize { 1 } else { 2 }).collect();
        Outcome { ranks, reason: reason.into() }
    }

    /// The only player with rank 1, if there is one.
    pub fn winner(&self) -> Option<Seat> {
        let mut best = self.ranks.iter().enumerate().filter(|(_, r)| **r == 1);
        match (best.next(), best.next()) {
            (Some((s, _)), None) => Some(s as Seat),
            _ => None,
        }
    }
}
