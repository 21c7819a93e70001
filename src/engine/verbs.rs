//! Names of acts as bits, so that "is this act one of those" is one `and`.

use super::Unplayable;
use super::clause::Gen;
use crate::ir::Game;
use crate::ir::turn::Verb;

/// A set of verbs.
pub type Verbs = u64;

/// Every move.
pub const MOVE: Verbs = 1;
/// Every drop.
pub const DROP: Verbs = 1 << 1;
/// Captures: of a clause, that it can capture; of an act, that it did.
pub const CAPTURE: Verbs = 1 << 2;
/// Rotations, tips and spins of a turn.
pub const ROTATE: Verbs = 1 << 9;
/// Chosen removals.
pub const REMOVE: Verbs = 1 << 10;
/// Chosen flips.
pub const FLIP: Verbs = 1 << 11;
/// Passes.
pub const PASS: Verbs = 1 << 12;
/// Swaps of sides.
pub const SWAP: Verbs = 1 << 13;
/// Placings while the setup is filled.
pub const FILL: Verbs = 1 << 14;
/// What is done without a clause.
pub const TURN_ACTS: Verbs = ROTATE | REMOVE | FLIP | PASS | SWAP | FILL;
const FIRST_LABEL: u32 = 16;
/// Every label.
pub const LABELS: Verbs = !0 << FIRST_LABEL;
/// Sorts of clauses: step, slide, leap, jump, hop.
pub const SORTS: Verbs = 0b11111 << 3;

/// The labels of a game's clauses, in the order of their bits.
pub struct VerbSets {
    labels: Vec<String>,
}

impl VerbSets {
    /// Numbers the labels of a game.
    pub fn new(game: &Game) -> Result<VerbSets, Unplayable> {
        let mut labels: Vec<String> =
            game.clauses.iter().filter(|c| !c.label.is_empty()).map(|c| c.label.clone()).collect();
        labels.sort_unstable();
        labels.dedup();
        match labels.len() <= (Verbs::BITS - FIRST_LABEL) as usize {
            true => Ok(VerbSets { labels }),
            false => Err(Unplayable("a game may give its clauses at most 48 different labels".into())),
        }
    }

    /// The bit of a verb; none for a label that no clause bears.
    pub fn bit(&self, verb: &Verb) -> Verbs {
        match verb {
            Verb::Move => MOVE,
            Verb::Drop => DROP,
            Verb::Capture => CAPTURE,
            Verb::Step => 1 << 3,
            Verb::Slide => 1 << 4,
            Verb::Leap => 1 << 5,
            Verb::Jump => 1 << 6,
            Verb::Hop => 1 << 7,
            Verb::Castle => 1 << 8,
            Verb::Rotate => ROTATE,
            Verb::Remove => REMOVE,
            Verb::Flip => FLIP,
            Verb::Pass => PASS,
            Verb::Swap => SWAP,
            Verb::Fill => FILL,
            Verb::Label(label) => match self.labels.iter().position(|l| l == label) {
                Some(i) => 1 << (FIRST_LABEL as usize + i),
                None => 0,
            },
        }
    }

    /// The verbs of a clause.
    pub fn of_clause<B>(&self, gen_: &Gen<B>, captures: bool, label: &str) -> Verbs {
        let kind = match gen_ {
            Gen::Step { .. } => Verb::Step,
            Gen::Slide { .. } => Verb::Slide,
            Gen::Leap { .. } | Gen::Anywhere => Verb::Leap,
            Gen::Hop { captures: true, .. } => Verb::Jump,
            Gen::Hop { captures: false, .. } => Verb::Hop,
            Gen::Castle { .. } => Verb::Castle,
            Gen::Drop { .. } => Verb::Drop,
            Gen::Imitate { .. } => Verb::Move,
        };
        let drop = matches!(gen_, Gen::Drop { .. });
        let label = if label.is_empty() { 0 } else { self.bit(&Verb::Label(label.to_owned())) };
        self.bit(&kind) | if drop { DROP } else { MOVE } | if captures { CAPTURE } else { 0 } | label
    }
}
