//! The engine: plays any [`crate::ir::Game`].
//!
//! [`Game`] holds the rules, [`State`] one moment of a game. A state is at the start of a turn, between two steps of a turn, or waits for chance.

mod step;

pub use crate::ir::ending::Outcome;
use crate::ir::{self, Cell, KindId, Seat, TypeId};
pub use step::{Deed, Step};
use std::sync::Arc;

/// A game ready to be played; cheap to clone, shared between threads.
#[derive(Clone)]
pub struct Game {
    ir: Arc<ir::Game>,
}

/// One moment of a game. Cheap to clone; undo is going back to a clone kept.
#[derive(Clone)]
pub struct State {
}

/// Who decides what happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// A player, by the seat it sits on.
    Player(Seat),
    /// Chance, each outcome equally likely.
    Chance,
}

/// Why a game cannot be played by this engine: a limit it exceeds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unplayable(pub String);

/// Why a position text cannot be read; `at` is the byte where it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at character {})", at + 1)]
pub struct PositionError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub at: usize,
}

/// Why a move is refused, in the words of the rule that refuses it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// One sentence, lower case.
    pub reason: String,
    /// A legal move text near to what was typed, if there is one.
    pub nearest: Option<String>,
}

/// What the undo of a step needs.
pub struct Undo(#[allow(dead_code)] Box<State>);

/// How a random game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended; none if the limit came first.
    pub outcome: Option<Outcome>,
    /// Turns played.
    pub turns: u32,
    /// Steps played, chance not counted.
    pub steps: u32,
}

impl Game {
    /// Prepares a game: tables, programs, the width of sets.
    pub fn new(ir: ir::Game) -> Result<Game, Unplayable> { todo!() }
    /// The rules.
    pub fn rules(&self) -> &ir::Game { &self.ir }
    /// The start of a game.
    pub fn start(&self) -> State { todo!() }
    /// Who decides next. Of a finished game it is the player who would be to move.
    pub fn decider(&self, state: &State) -> Decider { todo!() }
    /// The legal steps, in a fixed order; the outcomes, if chance decides; none if the game is over.
    pub fn steps(&self, state: &State) -> Vec<Step> { todo!() }
    /// The legal turns (from within a turn, its legal completions), outcomes of chance enumerated, each as its steps.
    pub fn turns(&self, state: &State) -> Vec<Vec<Step>> { todo!() }
    /// Plays a step listed for this state. Panics on a step that was not.
    pub fn play(&self, state: &mut State, step: Step) -> Undo { todo!() }
    /// Takes the last step back.
    pub fn undo(&self, state: &mut State, undo: Undo) { todo!() }
    /// How the game ended, if it has.
    pub fn outcome(&self, state: &State) -> Option<Outcome> { todo!() }
    /// The text of a step.
    pub fn step_text(&self, step: Step) -> String { todo!() }
    /// The text of several steps of one turn.
    pub fn turn_text(&self, steps: &[Step]) -> String { todo!() }
    /// Reads the text of a turn or of its next steps.
    pub fn read(&self, state: &State, text: &str) -> Result<Vec<Step>, Refusal> { todo!() }
    /// The position as text.
    pub fn position(&self, state: &State) -> String { todo!() }
    /// Reads a position text.
    pub fn read_position(&self, text: &str) -> Result<State, PositionError> { todo!() }
    /// The hash by which repetition is told; kept up step by step.
    pub fn hash(&self, state: &State) -> u64 { todo!() }
    /// The same, computed afresh.
    pub fn hash_afresh(&self, state: &State) -> u64 { todo!() }
    /// The number of sequences of `depth` legal turns.
    pub fn perft(&self, state: &State, depth: u32) -> u64 { todo!() }
    /// The number of sequences of `depth` decisions (steps; outcomes of chance count as decisions).
    pub fn perft_steps(&self, state: &State, depth: u32) -> u64 { todo!() }
    /// Plays a random game to its end or for `max_turns` turns, each step drawn uniformly from the legal ones. Leaves the state where it ended.
    pub fn playout(&self, state: &mut State, rng: &mut Random, max_turns: u32) -> Playout { todo!() }
    /// Whether the state is within a turn.
    pub fn within_turn(&self, state: &State) -> bool { todo!() }
    /// The player to move.
    pub fn to_move(&self, state: &State) -> Seat { todo!() }
    /// Which person sits on a seat (they differ after a swap of sides): persons are numbered by the seats they started on.
    pub fn person(&self, state: &State, seat: Seat) -> Seat { todo!() }
    /// The number of the current turn, from 1; 0 while the setup is filled.
    pub fn turn_number(&self, state: &State) -> u32 { todo!() }
    /// What stands on a cell: its owner (none for a neutral piece) and kind.
    pub fn piece(&self, state: &State, cell: Cell) -> Option<(Option<Seat>, KindId)> { todo!() }
    /// How many of a type a player holds.
    pub fn in_hand(&self, state: &State, seat: Seat, piece: TypeId) -> u32 { todo!() }
    /// The value of a counter; of one that is not per player, ask for seat 0.
    pub fn counter(&self, state: &State, counter: usize, seat: Seat) -> i32 { todo!() }
    /// Whether a latch is set.
    pub fn latch(&self, state: &State, latch: usize, seat: Seat) -> bool { todo!() }
    /// Evaluates a condition on the state, seen by a seat (the mover is the player to move).
    pub fn holds(&self, state: &State, cond: &ir::expr::Cond, viewer: Seat) -> bool { todo!() }
    /// Builds a state from parts, for tests and editors.
    pub fn arrange(&self, arrangement: &Arrangement) -> State { todo!() }
    /// Why this text is not a legal move here, by the rule that refuses it.
    pub fn explain(&self, state: &State, text: &str) -> Refusal { todo!() }
}

/// A position given by its parts; what is not said is as at the start of the game, except the board.
#[derive(Clone, Debug, Default)]
pub struct Arrangement {
    /// Pieces: owner, kind, cell. Pieces of the start position's kind on their start cells count as unmoved.
    pub places: Vec<(Option<Seat>, KindId, Cell)>,
    /// The player to move; seat 0 if not said.
    pub to_move: Option<Seat>,
    /// Hands, per seat; what the setup gives, if not said.
    pub hands: Vec<Option<Vec<(TypeId, u16)>>>,
    /// Counters: index, seat, value.
    pub counters: Vec<(usize, Seat, i32)>,
    /// Latches that are set: index, seat.
    pub latches: Vec<(usize, Seat)>,
    /// What a player last moved: seat, type.
    pub last_moved: Vec<(Seat, Option<TypeId>)>,
}

/// A seeded source of randomness, the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(rand_xoshiro::Xoshiro256PlusPlus);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        use rand_xoshiro::rand_core::SeedableRng;
        Random(rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number below `n` (which must not be 0), each equally likely up to 2⁻³².
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        use rand_xoshiro::rand_core::Rng;
        self.0.next_u64()
    }
}
