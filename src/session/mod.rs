//! A game in progress: commands go in, events come out.
//!
//! Nothing here reads, writes, waits or asks for the time. Randomness comes from the seed of the match and the number of the
//! decision alone, so a match that is saved and loaded, or taken back and played again, goes on in the same way.

pub mod describe;
pub mod draw;
mod save;
pub mod text;

pub use save::{Saved, SavedError};
pub use text::{Stray, play_line, split_line};

use crate::engine::{Decider, Deed, Game, Outcome, Refusal, State, Step};
use crate::ir::{Cell, KindId, Seat};
use crate::search::{self, derive, pick};

/// Who plays for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Somebody who types.
    Human,
    /// A tree search with a budget of nodes for each step.
    Computer {
        /// The budget.
        nodes: u32,
    },
    /// Any legal step.
    Random,
}

/// What can be asked of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Plays a turn or the next steps of one, for the human who is to move.
    Play(String),
    /// Lets chance or the machine whose turn it is decide.
    Continue,
    /// Takes back what a human did last, and all that followed.
    Undo,
    /// Asks what the computer would do.
    Hint {
        /// The budget of the search for each step.
        nodes: u32,
    },
    /// Gives the game up, for the human who is to move.
    Resign,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A player made a step.
    Stepped {
        /// On which seat.
        seat: Seat,
        /// Who.
        person: Seat,
        /// The step.
        text: String,
    },
    /// Chance decided.
    Chance {
        /// Where.
        cell: Cell,
        /// What it turned up.
        kind: KindId,
        /// How moves write it.
        text: String,
    },
    /// A turn is complete.
    Turn {
        /// On which seat it was made.
        seat: Seat,
        /// By whom.
        person: Seat,
        /// The whole turn.
        text: String,
    },
    /// The game is over.
    Over(Outcome),
    /// A move was refused; nothing changed, or only the steps before it were played.
    Refused {
        /// What was typed.
        text: String,
        /// Why.
        refusal: Refusal,
    },
    /// So many steps were taken back.
    TakenBack {
        /// The text of what was taken back.
        text: String,
    },
    /// The computer's advice.
    Hint {
        /// A turn or the rest of one.
        text: String,
        /// What the player may expect of it, from 0 to 1.
        value: f64,
    },
    /// The command makes no sense now.
    Impossible(String),
}

/// Who has to do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// A human on a seat.
    Human(Seat),
    /// A machine on a seat: [`Command::Continue`].
    Machine(Seat),
    /// Chance: [`Command::Continue`].
    Chance,
    /// Nobody, the game is over.
    Nobody,
}

/// A step that was made, and what the match was before.
struct Entry {
    before: State,
    step: Step,
    /// The seat and the person, if it was a player's.
    by: Option<(Seat, Seat)>,
    /// The command of a human that it belongs to, or none.
    command: Option<u32>,
    /// Whether it is the first of its turn.
    opens: bool,
}

/// A game in progress.
pub struct Match {
    game: Game,
    start: State,
    start_text: Option<String>,
    seed: u64,
    /// By person.
    players: Vec<Player>,
    state: State,
    log: Vec<Entry>,
    resigned: Option<Seat>,
    commands: u32,
}

impl Match {
    /// A match from the start of the game. Persons are numbered by the seats they start on; those for whom no player is
    /// given are human.
    pub fn new(game: Game, mut players: Vec<Player>, seed: u64) -> Match {
        players.resize(game.rules().seats.len(), Player::Human);
        let start = game.start();
        Match {
            state: start.clone(),
            start,
            start_text: None,
            game,
            seed,
            players,
            log: Vec::new(),
            resigned: None,
            commands: 0,
        }
    }

    /// A match from another position.
    pub fn from_position(game: Game, players: Vec<Player>, seed: u64, start: State) -> Match {
        let mut new = Match::new(game, players, seed);
        new.start_text = Some(new.game.position(&start));
        new.state = start.clone();
        new.start = start;
        new
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Who plays for a person.
    pub fn player(&self, person: Seat) -> Player {
        self.players.get(person as usize).copied().unwrap_or(Player::Human)
    }

    /// The name of a person: that of the seat it started on.
    pub fn person_name(&self, person: Seat) -> &str {
        self.game.rules().seats.get(person as usize).map_or("", |seat| &seat.name)
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        let Some(person) = self.resigned else { return self.game.outcome(&self.state) };
        let seats = self.game.rules().seats.len();
        let seat = (0..seats).find(|s| self.game.person(&self.state, *s as Seat) == person).unwrap_or(0);
        let mut outcome = Outcome::draw(seats, format!("{} resigned", describe::seat_name(&self.game, seat as Seat)));
        outcome.ranks[seat] = 2;
        Some(outcome)
    }

    /// Who has to do something.
    pub fn waiting(&self) -> Waiting {
        if self.outcome().is_some() {
            return Waiting::Nobody;
        }
        match self.game.decider(&self.state) {
            Decider::Chance => Waiting::Chance,
            Decider::Player(seat) => match self.player(self.game.person(&self.state, seat)) {
                Player::Human => Waiting::Human(seat),
                Player::Computer { .. } | Player::Random => Waiting::Machine(seat),
            },
        }
    }

    /// The steps of the current turn so far.
    pub fn turn_so_far(&self) -> Vec<Step> {
        if self.at_turn_start() {
            return Vec::new();
        }
        let opened = self.log.iter().rposition(|entry| entry.opens).unwrap_or(0);
        self.log[opened..].iter().map(|entry| entry.step).collect()
    }

    /// The turns played, the last perhaps not complete, as move texts.
    pub fn turns(&self) -> Vec<String> {
        let mut turns: Vec<Vec<Step>> = Vec::new();
        for entry in &self.log {
            match turns.last_mut() {
                Some(turn) if !entry.opens => turn.push(entry.step),
                _ => turns.push(vec![entry.step]),
            }
        }
        turns.iter().map(|steps| self.game.turn_text(steps)).collect()
    }

    /// The cells the last step left and reached, to point them out on the board.
    pub fn last_cells(&self) -> Vec<Cell> {
        let deed = self.log.last().map(|entry| entry.step.deed);
        deed.iter().flat_map(|deed| [deed.source(), deed.target()]).flatten().collect()
    }

    fn at_turn_start(&self) -> bool {
        text::turn_is_over(&self.game, &self.state)
    }

    /// Does what is asked and tells what happened.
    pub fn submit(&mut self, command: Command) -> Vec<Event> {
        let mut events = Vec::new();
        match command {
            Command::Play(text) => self.play_typed(&text, &mut events),
            Command::Continue => self.proceed(&mut events),
            Command::Undo => self.take_back(&mut events),
            Command::Hint { nodes } => self.hint(nodes, &mut events),
            Command::Resign => match self.waiting() {
                Waiting::Human(seat) => {
                    self.resigned = Some(self.game.person(&self.state, seat));
                    events.extend(self.outcome().map(Event::Over));
                }
                Waiting::Machine(_) | Waiting::Chance | Waiting::Nobody => {
                    events.push(Event::Impossible("it is not your turn, so there is nothing to resign".to_owned()));
                }
            },
        }
        events
    }

    fn play_typed(&mut self, text: &str, events: &mut Vec<Event>) {
        match self.waiting() {
            Waiting::Human(_) => {}
            Waiting::Nobody => {
                events.push(Event::Impossible("the game is over; `undo` takes the last move back".to_owned()));
                return;
            }
            Waiting::Machine(_) | Waiting::Chance => {
                events.push(Event::Impossible("it is not your turn".to_owned()));
                return;
            }
        }
        self.commands += 1;
        let command = Some(self.commands);
        let mut rest = text.trim();
        loop {
            match self.game.read(&self.state, rest) {
                Ok(steps) => {
                    if let Some(refusal) = self.foretells(&steps) {
                        events.push(Event::Refused { text: rest.to_owned(), refusal });
                    } else {
                        for step in steps {
                            self.step(step, command, events);
                        }
                    }
                    return;
                }
                Err(refusal) => {
                    // A turn typed at once may go on after an outcome of chance: play up to it, let chance decide, go on.
                    let Some((head, tail)) = self.up_to_chance(rest) else {
                        events.push(Event::Refused { text: rest.to_owned(), refusal });
                        return;
                    };
                    for step in head {
                        self.step(step, command, events);
                    }
                    while self.waiting() == Waiting::Chance {
                        self.proceed(events);
                    }
                    if !matches!(self.waiting(), Waiting::Human(_)) || self.at_turn_start() {
                        return;
                    }
                    rest = tail;
                }
            }
        }
    }

    /// Whether the steps claim to know what chance decides.
    fn foretells(&self, steps: &[Step]) -> Option<Refusal> {
        steps.iter().any(|step| matches!(step.deed, Deed::Roll { .. })).then(|| Refusal {
            reason: "the outcome of a roll is not yours to choose; leave out what follows `~`".to_owned(),
            grounds: Vec::new(),
            nearest: None,
        })
    }

    /// The steps of the first parts of the text, if chance decides after them, and the parts that are left.
    fn up_to_chance<'t>(&self, text: &'t str) -> Option<(Vec<Step>, &'t str)> {
        for (comma, _) in text.match_indices(',') {
            let Ok(steps) = self.game.read(&self.state, text[..comma].trim()) else { continue };
            let mut state = self.state.clone();
            for &step in &steps {
                let _ = self.game.play(&mut state, step);
            }
            let foretold = self.foretells(&steps).is_some();
            if !foretold && self.game.outcome(&state).is_none() && self.game.decider(&state) == Decider::Chance {
                return Some((steps, text[comma + 1..].trim()));
            }
        }
        None
    }

    fn proceed(&mut self, events: &mut Vec<Event>) {
        let seed = derive(self.seed, self.log.len() as u64);
        let mut rng = crate::engine::Random::new(seed);
        let step = match self.waiting() {
            Waiting::Nobody | Waiting::Human(_) => None,
            Waiting::Chance => pick(&mut rng, &self.game.steps(&self.state)).copied(),
            Waiting::Machine(seat) => match self.player(self.game.person(&self.state, seat)) {
                Player::Computer { nodes } => {
                    search::best(&self.game, &self.state, nodes, seed).map(|choice| choice.step)
                }
                Player::Random | Player::Human => search::random(&self.game, &self.state, &mut rng),
            },
        };
        match step {
            Some(step) => self.step(step, None, events),
            None => events.push(Event::Impossible("there is nothing to decide".to_owned())),
        }
    }

    fn step(&mut self, step: Step, command: Option<u32>, events: &mut Vec<Event>) {
        let opens = self.at_turn_start();
        let by = match self.game.decider(&self.state) {
            Decider::Chance => None,
            Decider::Player(seat) => Some((seat, self.game.person(&self.state, seat))),
        };
        let before = self.state.clone();
        let _ = self.game.play(&mut self.state, step);
        self.log.push(Entry { before, step, by, command, opens });
        match (by, step.deed) {
            (_, Deed::Roll { kind, cell }) => {
                events.push(Event::Chance { cell, kind, text: self.game.step_text(step) });
            }
            (Some((seat, person)), _) => {
                events.push(Event::Stepped { seat, person, text: self.game.step_text(step) });
            }
            (None, _) => {}
        }
        let outcome = self.outcome();
        if outcome.is_some() || self.at_turn_start() {
            let opened = self.log.iter().rposition(|entry| entry.opens).unwrap_or(0);
            let turn: Vec<Step> = self.log[opened..].iter().map(|entry| entry.step).collect();
            if let Some((seat, person)) = self.log[opened].by {
                events.push(Event::Turn { seat, person, text: self.game.turn_text(&turn) });
            }
        }
        events.extend(outcome.map(Event::Over));
    }

    fn take_back(&mut self, events: &mut Vec<Event>) {
        if self.resigned.take().is_some() {
            events.push(Event::TakenBack { text: "the resignation".to_owned() });
            return;
        }
        let Some(last) = self.log.iter().rposition(|entry| entry.command.is_some()) else {
            events.push(Event::Impossible("there is no move of yours to take back".to_owned()));
            return;
        };
        let command = self.log[last].command;
        let first = self.log.iter().position(|entry| entry.command == command).unwrap_or(last);
        let steps: Vec<Step> = self.log[first..=last].iter().map(|entry| entry.step).collect();
        self.state = self.log[first].before.clone();
        self.log.truncate(first);
        events.push(Event::TakenBack { text: self.game.turn_text(&steps) });
    }

    fn hint(&mut self, nodes: u32, events: &mut Vec<Event>) {
        if !matches!(self.waiting(), Waiting::Human(_)) {
            events.push(Event::Impossible("there is nothing to decide for you".to_owned()));
            return;
        }
        let mut state = self.state.clone();
        let mut steps = Vec::new();
        let mut value = None;
        loop {
            let seed = derive(self.seed, (self.log.len() + steps.len()) as u64);
            let Some(choice) = search::best(&self.game, &state, nodes, seed) else { break };
            let _ = self.game.play(&mut state, choice.step);
            steps.push(choice.step);
            value = value.or(Some(choice.value));
            let over = self.game.outcome(&state).is_some() || text::turn_is_over(&self.game, &state);
            if over || self.game.decider(&state) == Decider::Chance {
                break;
            }
        }
        match value {
            Some(value) => events.push(Event::Hint { text: self.game.turn_text(&steps), value }),
            None => events.push(Event::Impossible("there is nothing to decide for you".to_owned())),
        }
    }
}
