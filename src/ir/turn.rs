//! What a player does in a turn: a graph of choices.

use super::TypeId;
use super::expr::{Cond, Set};
use serde::{Deserialize, Serialize};

/// The turn: `states[0]` is the start. Chance and setup are outside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The states; every arc names the state after it.
    pub states: Vec<Choice>,
}

impl Turn {
    /// Whether every act completes the turn.
    pub fn one_step(&self) -> bool {
        fn ends(choice: &Choice, states: &[Choice]) -> bool {
            match choice {
                Choice::End => true,
                Choice::Do(_, next) => states[*next as usize] == Choice::End,
                Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().all(|p| ends(p, states)),
                Choice::Cases(cases) => cases.iter().all(|(_, c)| ends(c, states)),
                Choice::Again(a, b) => ends(a, states) && ends(b, states),
                Choice::Goto(_) => true,
            }
        }
        self.states.iter().all(|c| ends(c, &self.states))
    }
}

/// What may be done in a state; conditions are read when the state is entered, viewer = the mover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// The turn is complete.
    End,
    /// One act, then the state.
    Do(Act, u16),
    /// Any of them.
    Or(Vec<Choice>),
    /// The first that has a legal completion.
    OrElse(Vec<Choice>),
    /// The first case whose condition holds; nothing if none does. `otherwise` is `Const(true)`.
    Cases(Vec<(Cond, Choice)>),
    /// `again`: while a step of the act is possible (whether or not the turn can then be completed), the act, otherwise the rest.
    Again(Box<Choice>, Box<Choice>),
    /// What another state offers.
    Goto(u16),
}

/// One act.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Clauses of the mover's pieces.
    Play {
        /// Which clauses.
        verb: Verb,
        /// Only pieces of these types.
        types: Option<Vec<TypeId>>,
        /// Which pieces.
        chooser: Chooser,
    },
    /// A rotation of a chosen piece.
    Rotate {
        /// The pieces it may be chosen from.
        set: Set,
        /// Which of them.
        chooser: Chooser,
        /// The ways, each possible if its condition holds (with `here` and `this` = the piece) and its table has an entry for the kind.
        ways: Vec<(Cond, u16)>,
        /// Whether moves name the cell; not where a player can never have two.
        named: bool,
    },
    /// An effect on a chosen piece.
    Choose {
        /// What happens.
        effect: Chosen,
        /// The pieces it may be chosen from.
        set: Set,
    },
    /// Nothing.
    Pass,
    /// The persons change seats, and the same seat is to move again: the other person now sits there.
    SwapSides,
}

/// Which clauses an act uses; also the name of an act for `after`, `forbid` and `can`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Every clause but drops.
    Move,
    /// Drops.
    Drop,
    /// Moves that capture by landing, by jumping, or by a `Capture` in the clause's own `then` (as en passant does); and chosen captures. No drops.
    Capture,
    /// Step clauses.
    Step,
    /// Slide clauses.
    Slide,
    /// Leap clauses.
    Leap,
    /// Jumps.
    Jump,
    /// Hops.
    Hop,
    /// Castlings.
    Castle,
    /// Clauses with this label.
    Label(String),
    /// Rotations, tips and spins of a turn.
    Rotate,
    /// Chosen removals.
    Remove,
    /// Chosen flips.
    Flip,
    /// A pass.
    Pass,
    /// Swapping sides.
    Swap,
    /// Placing a piece while the setup is filled.
    Fill,
}

/// Which own piece an act may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chooser {
    /// Any.
    Any,
    /// One that made no step of this turn.
    Another,
    /// The one that made the step before.
    Same,
}

/// An effect on a chosen piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// `remove one …`.
    Remove,
    /// `capture one …`.
    Capture,
    /// `flip one …`.
    Flip,
}
