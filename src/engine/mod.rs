//! The engine: plays any [`crate::ir::Game`].
//!
//! [`Game`] holds the rules, [`State`] one moment of a game. A state is at the start of a turn, between two steps of a turn, or waits for chance.

mod account;
mod apply;
mod atlas;
mod attack;
mod bits;
mod block;
mod chain;
mod clause;
mod core;
mod cpu;
mod effects;
mod ending;
mod eval;
mod explain;
mod facts;
mod fill;
mod generate;
mod geometry;
mod graph;
mod group;
mod lane;
mod layout;
mod moment;
mod ops;
mod position;
mod program;
mod reach;
mod resolved;
mod rules;
mod stack;
mod step;
mod text;
mod threats;
mod turn;
mod verbs;

pub use crate::ir::ending::Outcome;
use crate::ir::{self, Cell, KindId, Seat, TypeId};
use bits::Bits as _;
use moment::{Leaves, Moment};
use rules::Rules;
use std::sync::Arc;
pub use step::{Deed, Step};

/// Most players a game may have here.
pub const MAX_SEATS: usize = 2;

/// The widths for which the engine is compiled: cells in a set, sets, slots.
macro_rules! widths {
    ($($name:ident: $bits:ty, $sets:literal, $slots:literal;)*) => {
        enum AnyRules {
            $($name(Rules<$bits, $sets, $slots>),)*
        }
        enum AnyMoment {
            $($name(Box<Moment<$bits, $sets, $slots>>),)*
        }
        impl Clone for AnyMoment {
            fn clone(&self) -> Self {
                match self {
                    $(AnyMoment::$name(m) => AnyMoment::$name(m.clone()),)*
                }
            }
            fn clone_from(&mut self, source: &Self) {
                match (self, source) {
                    $((AnyMoment::$name(to), AnyMoment::$name(from)) => to.clone_from(from),)*
                    (to, from) => *to = from.clone(),
                }
            }
        }
        /// Prepares the rules on the narrowest sets that hold them.
        fn prepare(ir: &Arc<ir::Game>, sets: usize, slots: usize) -> Result<AnyRules, Unplayable> {
            let cells = ir.board.cells.len();
            $(
                if cells <= <$bits as bits::Bits>::WIDTH && sets <= $sets && slots <= $slots {
                    return Ok(AnyRules::$name(Rules::new(ir.clone())?));
                }
            )*
            Err(Unplayable(format!(
                "the game is too large: {cells} cells, {sets} kinds of piece and marks, and {slots} numbers; with up to 384 cells at most 144 and 1024 are possible, with up to 704 cells 48 and 128"
            )))
        }
        /// Runs `$body` with the rules and the moment of the same width.
        macro_rules! with {
            ($game:expr, $state:expr, |$rules:ident, $moment:ident| $body:expr) => {
                match (&*$game.rules, $state) {
                    $((AnyRules::$name($rules), AnyMoment::$name($moment)) => $body,)*
                    _ => panic!("the state belongs to another game"),
                }
            };
        }
        /// Bytes of one state, see [`Game::state_size`].
        fn size_of_core(rules: &AnyRules) -> usize {
            match rules {
                $(AnyRules::$name(_) => size_of::<core::Core<$bits, $sets, $slots>>(),)*
            }
        }
        /// Makes a state from the rules.
        macro_rules! make {
            ($game:expr, |$rules:ident| $body:expr) => {
                match &*$game.rules {
                    $(AnyRules::$name($rules) => State { moment: AnyMoment::$name(Box::new($body)) },)*
                }
            };
        }
        /// Makes a state from the rules, or fails.
        macro_rules! try_make {
            ($game:expr, |$rules:ident| $body:expr) => {
                match &*$game.rules {
                    $(AnyRules::$name($rules) => Ok(State { moment: AnyMoment::$name(Box::new($body?)) }),)*
                }
            };
        }
    };
}

widths! {
    Small: u64, 8, 16;
    Medium: u64, 32, 64;
    Broad: u128, 32, 64;
    Large: bits::Wide<6>, 32, 64;
    Many: bits::Wide<6>, 144, 1024;
    Huge: bits::Wide<11>, 48, 128;
}

/// A game ready to be played; cheap to clone, shared between threads.
#[derive(Clone)]
pub struct Game {
    ir: Arc<ir::Game>,
    rules: Arc<AnyRules>,
}

/// One moment of a game. Undo is going back to a state kept.
pub struct State {
    moment: AnyMoment,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State { moment: self.moment.clone() }
    }
    /// Takes over another state of the same game in the memory that this one has.
    fn clone_from(&mut self, source: &Self) {
        self.moment.clone_from(&source.moment);
    }
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

/// Why a position text cannot be read; `at` is the character where it goes wrong, from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (at character {})", at + 1)]
pub struct PositionError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub at: usize,
}

/// A place of the rules, and what it has to do with a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The place.
    pub place: ir::place::Place,
    /// A few words, lower case.
    pub text: String,
}

/// Why a step is legal, and what it brings about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The text of the step.
    pub step: String,
    /// One sentence, lower case.
    pub reason: String,
    /// The rules: first the one that allows it, then those that follow.
    pub grounds: Vec<Ground>,
}

/// Why a move is refused, in the words of the rule that refuses it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refusal {
    /// One sentence, lower case.
    pub reason: String,
    /// The rules that it speaks of; none if that is not a matter of rules.
    pub grounds: Vec<Ground>,
    /// A legal move text near to what was typed, if there is one.
    pub nearest: Option<String>,
}

/// What the undo of a step needs.
pub struct Undo(#[allow(dead_code)] Box<State>);

/// How a random game went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// The game is over; [`Game::outcome`] says how. Otherwise the limit came first.
    pub over: bool,
    /// Turns played.
    pub turns: u32,
    /// Steps played, chance not counted.
    pub steps: u32,
}

impl Game {
    /// Prepares a game: tables, programs, the width of sets.
    pub fn new(ir: ir::Game) -> Result<Game, Unplayable> {
        if ir.seats.len() != MAX_SEATS {
            return Err(Unplayable(format!(
                "the game has {} players; this engine plays games for two",
                ir.seats.len()
            )));
        }
        let ir = Arc::new(ir);
        cpu::detect();
        let layout = layout::Layout::new(&ir)?;
        let rules = Arc::new(prepare(&ir, layout.sets, layout.len)?);
        Ok(Game { ir, rules })
    }
    /// The rules.
    pub fn rules(&self) -> &ir::Game {
        &self.ir
    }
    /// The start of a game.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// assert_eq!(game.turns(&game.start()).len(), 20);
    /// ```
    pub fn start(&self) -> State {
        make!(self, |rules| rules.start())
    }
    /// Who decides next. Of a finished game it is the player who would be to move.
    pub fn decider(&self, state: &State) -> Decider {
        with!(self, &state.moment, |_rules, m| match m.core.rolls.is_empty() {
            true => Decider::Player(m.core.side),
            false => Decider::Chance,
        })
    }
    /// The legal steps, in a fixed order; the outcomes, if chance decides; none if the game is over.
    pub fn steps(&self, state: &State) -> Vec<Step> {
        with!(self, &state.moment, |rules, m| rules.steps(&m.core, &m.history))
    }
    /// The legal turns (from within a turn, its legal completions), outcomes of chance enumerated, each as its steps. There can be very
    /// many; see [`Game::turns_within`].
    pub fn turns(&self, state: &State) -> Vec<Vec<Step>> {
        self.turns_within(state, usize::MAX).unwrap_or_default()
    }

    /// The same; none if there are more than `limit`.
    pub fn turns_within(&self, state: &State, limit: usize) -> Option<Vec<Vec<Step>>> {
        let mut list = Vec::new();
        let all = with!(self, &state.moment, |rules, m| {
            rules.each_turn(&m.core, &m.history, &mut Vec::new(), &mut |_, path| {
                list.push(path.to_vec());
                list.len() <= limit
            })
        });
        all.then_some(list)
    }

    /// Plays a step listed for this state; a step that is not legal here changes nothing.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// let mut state = game.start();
    /// let step = game.steps(&state)[0];
    /// let undo = game.play(&mut state, step);
    /// game.undo(&mut state, undo);
    /// assert_eq!(game.position(&state), game.position(&game.start()));
    /// ```
    pub fn play(&self, state: &mut State, step: Step) -> Undo {
        let before = state.clone();
        with!(self, &mut state.moment, |rules, m| rules.play_step(m, step));
        Undo(Box::new(before))
    }
    /// Takes the last step back.
    pub fn undo(&self, state: &mut State, undo: Undo) {
        *state = *undo.0
    }
    /// How the game ended, if it has.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// let mut state = game.start();
    /// for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
    ///     for step in game.read(&state, text).unwrap() {
    ///         game.play(&mut state, step);
    ///     }
    /// }
    /// assert_eq!(game.outcome(&state).unwrap().winner(), Some(1));
    /// ```
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        with!(self, &state.moment, |rules, m| rules.outcome(&m.core))
    }
    /// The text of a step.
    pub fn step_text(&self, step: Step) -> String {
        text::step(&self.ir, step)
    }
    /// The text of several steps of one turn.
    pub fn turn_text(&self, steps: &[Step]) -> String {
        text::turn(&self.ir, steps)
    }
    /// Reads the text of a turn or of its next steps.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// let refusal = game.read(&game.start(), "e2e5").unwrap_err();
    /// assert!(refusal.reason.contains("a Pawn"), "{refusal}");
    /// ```
    ///
    /// # Errors
    /// Why it is not legal, by the rule that refuses it.
    pub fn read(&self, state: &State, text: &str) -> Result<Vec<Step>, Refusal> {
        text::read(self, state, text)
    }
    /// The position as text.
    pub fn position(&self, state: &State) -> String {
        with!(self, &state.moment, |rules, m| rules.position(m))
    }
    /// Reads a position text. Results are tried at the ends of turns, so a position is taken to go on unless the player to move has no legal turn.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// let text = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    /// let state = game.read_position(text).unwrap();
    /// assert_eq!(game.position(&state), text);
    /// ```
    ///
    /// # Errors
    /// What is wrong, and at which character.
    pub fn read_position(&self, text: &str) -> Result<State, PositionError> {
        let (board, moves) = match text.split_once(" moves ") {
            Some((board, moves)) => (board, Some(moves)),
            None => (text, None),
        };
        let mut state: State = try_make!(self, |rules| rules.read_position(board))?;
        if let Some(moves) = moves {
            let steps = self
                .read(&state, moves.trim())
                .map_err(|refusal| PositionError { message: refusal.reason, at: board.chars().count() })?;
            for step in steps {
                self.play(&mut state, step);
            }
        }
        Ok(state)
    }
    /// The hash by which repetition is told; kept up step by step.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// assert_eq!(game.hash(&game.start()), game.hash_afresh(&game.start()));
    /// ```
    pub fn hash(&self, state: &State) -> u64 {
        with!(self, &state.moment, |rules, m| rules.hash(&m.core))
    }
    /// The same, computed afresh.
    pub fn hash_afresh(&self, state: &State) -> u64 {
        with!(self, &state.moment, |rules, m| {
            let mut core = m.core;
            (core.board_hash, core.slot_hash) = rules.hashes_afresh(&core);
            rules.hash(&core)
        })
    }
    /// The number of sequences of `depth` legal turns.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// assert_eq!(game.perft(&game.start(), 3), 8902);
    /// ```
    pub fn perft(&self, state: &State, depth: u32) -> u64 {
        self.perft_within(state, depth, u64::MAX).unwrap_or(u64::MAX)
    }

    /// The same; none if there are more than `limit`.
    pub fn perft_within(&self, state: &State, depth: u32, limit: u64) -> Option<u64> {
        self.count_turns(state, depth, limit, Leaves::Counted)
    }

    /// The same number as [`Game::perft`], found by playing the last turn of each sequence too instead of counting it.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// assert_eq!(game.perft_played(&game.start(), 3), 8902);
    /// ```
    pub fn perft_played(&self, state: &State, depth: u32) -> u64 {
        self.count_turns(state, depth, u64::MAX, Leaves::Played).unwrap_or(u64::MAX)
    }

    fn count_turns(&self, state: &State, depth: u32, limit: u64, leaves: Leaves) -> Option<u64> {
        let mut left = limit;
        with!(self, &state.moment, |rules, m| rules.perft(&m.core, &mut m.history.clone(), depth, &mut left, leaves))
    }

    /// The size of one state in bytes, without the list of earlier positions.
    pub fn state_size(&self) -> usize {
        size_of_core(&self.rules)
    }

    /// The number of sequences of `depth` decisions (steps; outcomes of chance count as decisions).
    pub fn perft_steps(&self, state: &State, depth: u32) -> u64 {
        with!(self, &state.moment, |rules, m| rules.perft_steps(&m.core, &mut m.history.clone(), depth))
    }
    /// Plays a random game to its end or for `max_turns` turns, each step drawn uniformly from the legal ones. Leaves the state where it ended.
    ///
    /// ```
    /// use rulebook::engine::Random;
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// let played = game.playout(&mut game.start(), &mut Random::new(7), 1000);
    /// assert!(played.over);
    /// ```
    pub fn playout(&self, state: &mut State, rng: &mut Random, max_turns: u32) -> Playout {
        with!(self, &mut state.moment, |rules, m| rules.playout(m, rng, max_turns))
    }
    /// Whether the state is within a turn.
    pub fn within_turn(&self, state: &State) -> bool {
        with!(self, &state.moment, |_rules, m| !m.core.fresh)
    }
    /// The player to move.
    pub fn to_move(&self, state: &State) -> Seat {
        with!(self, &state.moment, |_rules, m| m.core.side)
    }
    /// Which person sits on a seat (they differ after a swap of sides): persons are numbered by the seats they started on.
    pub fn person(&self, state: &State, seat: Seat) -> Seat {
        with!(self, &state.moment, |rules, m| match m.core.slots[rules.layout.swapped()] {
            0 => seat,
            _ => self.ir.next_seat(seat),
        })
    }
    /// The number of the current turn, from 1; 0 while the setup is filled.
    pub fn turn_number(&self, state: &State) -> u32 {
        with!(self, &state.moment, |_rules, m| m.core.turn)
    }
    /// What stands on a cell: its owner (none for a neutral piece) and kind.
    pub fn piece(&self, state: &State, cell: Cell) -> Option<(Option<Seat>, KindId)> {
        with!(self, &state.moment, |_rules, m| m
            .core
            .piece(cell as usize)
            .map(|(owner, kind)| ((owner != core::NEUTRAL).then_some(owner), kind)))
    }
    /// How many of a type a player holds.
    pub fn in_hand(&self, state: &State, seat: Seat, piece: TypeId) -> u32 {
        with!(self, &state.moment, |rules, m| rules
            .layout
            .hand(seat, piece)
            .map_or(0, |slot| m.core.slots[slot].max(0) as u32))
    }
    /// The value of a counter; of one that is not per player, ask for seat 0.
    pub fn counter(&self, state: &State, counter: usize, seat: Seat) -> i32 {
        with!(self, &state.moment, |rules, m| m.core.slots[rules.layout.counter(counter, seat)])
    }
    /// Whether a latch is set.
    pub fn latch(&self, state: &State, latch: usize, seat: Seat) -> bool {
        with!(self, &state.moment, |rules, m| m.core.slots[rules.layout.latch(latch, seat)] != 0)
    }
    /// Evaluates a condition on the state, seen by a seat (the mover is the player to move).
    pub fn holds(&self, state: &State, cond: &ir::expr::Cond, viewer: Seat) -> bool {
        with!(self, &state.moment, |rules, m| rules.holds_now(m, cond, viewer))
    }
    /// Builds a state from parts, for tests and editors.
    pub fn arrange(&self, arrangement: &Arrangement) -> State {
        make!(self, |rules| rules.arrange(arrangement))
    }
    /// Changes parts of a position, at the beginning of its turn, and leaves all others as they are. Results are not tried, except that a player who cannot
    /// move ends the game.
    pub fn alter(&self, state: &mut State, changes: &[Alteration]) {
        with!(self, &mut state.moment, |rules, m| rules.alter(m, changes));
    }
    /// Why this text is not a legal move here, by the rule that refuses it.
    pub fn explain(&self, state: &State, text: &str) -> Refusal {
        let told = with!(self, &state.moment, |rules, m| rules.explain(&m.core, &m.history, text));
        Refusal { reason: told.reason, grounds: told.grounds, nearest: None }
    }

    /// Why the steps of a turn, as [`Game::read`] gives them, are legal: each by which rule, and what it brings about.
    ///
    /// ```
    /// let game = rulebook::load(rulebook::games::text("chess").unwrap()).unwrap();
    /// let state = game.start();
    /// let accounts = game.account(&state, &game.read(&state, "e2e3").unwrap());
    /// assert_eq!(accounts[0].reason, "a Pawn may `step forward to empty`");
    /// ```
    pub fn account(&self, state: &State, steps: &[Step]) -> Vec<Account> {
        let mut now = state.clone();
        let mut list = Vec::new();
        for step in steps {
            let told = with!(self, &now.moment, |rules, m| rules.account(&m.core, &m.history, *step));
            self.play(&mut now, *step);
            let told = with!(self, &now.moment, |rules, m| rules.ended(&m.core, told));
            list.push(Account { step: self.step_text(*step), reason: told.reason, grounds: told.grounds });
        }
        list
    }

    /// What a legal step does; of lines of a piece that do alike, by the one that leads there.
    pub fn deed(&self, state: &State, step: Step) -> Deed {
        with!(self, &state.moment, |rules, m| rules.by_line(&m.core, &m.history, step.deed))
    }
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
}

/// A change of one part of a position, see [`Game::alter`].
#[derive(Clone, Debug)]
pub enum Alteration {
    /// Who is to move; the round stays.
    ToMove(Seat),
    /// All that a player holds.
    Hand(Seat, Vec<(TypeId, u16)>),
    /// A counter, by its number: whose (seat 0 if it is nobody's), and the value.
    Counter(usize, Seat, i32),
    /// A latch, by its number, and whether it is set.
    Latch(usize, Seat, bool),
    /// What a player moved last, as itself; or nothing.
    LastMoved(Seat, Option<TypeId>),
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
