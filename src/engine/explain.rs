//! Why a text is not a legal move, by the rule that refuses it.

use super::{Decider, Game, Refusal, State};

/// The first reason that can be found.
pub fn explain(game: &Game, state: &State, text: &str) -> Refusal {
    let refuse = |reason: String| Refusal { reason, nearest: None };
    if let Some(outcome) = game.outcome(state) {
        return refuse(format!("the game is over: {}", outcome.reason));
    }
    if game.decider(state) == Decider::Chance {
        return refuse(format!("chance decides now; `{text}` is none of its outcomes"));
    }
    refuse(format!("`{text}` is not a legal move here"))
}
