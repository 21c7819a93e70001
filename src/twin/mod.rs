//! The slow twin: an interpreter of the intermediate representation that does everything in the most obvious way.
//!
//! It exists to be compared with the fast engine. It keeps a list of cells, reads every set and condition afresh, plays each step on a
//! copy, enumerates every path of a turn and compares whole positions for repetition. Nothing here is quick, and nothing is shared
//! with the engine but the representation itself.

mod ending;
mod expr;
mod piece;
mod rule;
mod state;
mod text;
mod turn;

use crate::ir::ending::Outcome;
use crate::ir::piece::Generator;
use crate::ir::{Game, KindId, Seat};
use state::{Marked, Now, State};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The slow interpreter of one game.
pub struct Twin {
    game: Game,
    /// Kinds for which it matters whether the piece has moved.
    tracked: BTreeSet<KindId>,
    /// Whether some rule asks for unmoved pieces, castlings apart.
    reads_unmoved: bool,
    /// Writes that met each other.
    conflicts: Mutex<Vec<String>>,
}

/// A position at the start of a turn, with the history that repetition needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    state: State,
    /// The result, if the game is over.
    result: Option<Outcome>,
    /// Steps of the turn that are done already, as texts.
    begun: String,
    /// The start or set up by a text, not reached by a turn.
    set_up: bool,
}

impl Position {
    /// The player to move.
    pub fn seat(&self) -> Seat {
        self.state.seat
    }
}

impl Twin {
    /// The interpreter of a game.
    pub fn new(game: Game) -> Twin {
        let mut tracked: BTreeSet<KindId> = game.unmoved_kinds.iter().copied().collect();
        for (k, kind) in game.kinds.iter().enumerate() {
            for &clause in &game.types[kind.piece as usize].clauses {
                if let Generator::Castle { partner, .. } = &game.clauses[clause as usize].generator {
                    tracked.insert(k as KindId);
                    tracked.extend(partner);
                }
            }
        }
        let reads_unmoved = serde_json::to_value(&game).is_ok_and(|v| says_unmoved(&v));
        Twin { game, tracked, reads_unmoved, conflicts: Mutex::new(Vec::new()) }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Writes that met each other so far, in blocks or between turns with one text: what an author should not have written.
    pub fn conflicts(&self) -> Vec<String> {
        self.conflicts.lock().map(|c| c.clone()).unwrap_or_default()
    }

    fn conflict(&self, text: String) {
        if let Ok(mut all) = self.conflicts.lock()
            && !all.contains(&text)
        {
            all.push(text);
        }
    }

    /// The empty board, before the setup.
    fn blank(&self) -> State {
        let game = &self.game;
        let seats = game.seats.len();
        State {
            board: vec![None; game.board.cells.len()],
            hands: vec![BTreeMap::new(); seats],
            marks: vec![Marked::default(); game.marks.len()],
            latches: vec![vec![false; seats]; game.latches.len()],
            once: vec![vec![false; seats]; game.once.len()],
            counters: game.counters.iter().map(|c| vec![c.start; if c.each { seats } else { 1 }]).collect(),
            last: vec![None; seats],
            quiets: vec![0; game.quiets.len()],
            seat: 0,
            turn: 1,
            passes: 0,
            swapped: false,
            filled: 0,
            history: Arc::new(Vec::new()),
            now: Now::default(),
            fresh: 0,
        }
    }

    /// What the players hold at the start.
    fn deal(&self, s: &mut State) {
        for (seat, hand) in self.game.setup.hands.iter().enumerate() {
            for &(t, n) in hand {
                s.hold(seat as Seat, t, u32::from(n));
            }
        }
    }

    /// The start position.
    pub fn start(&self) -> Position {
        let mut s = self.blank();
        for &(owner, kind, cell) in &self.game.setup.places {
            s.put(cell, kind, owner, self.tracked.contains(&kind));
        }
        self.deal(&mut s);
        s.settle();
        match self.to_fill(0) {
            Some((seat, _, _)) => {
                s.seat = seat;
                s.turn = 0;
            }
            None => {
                self.forget_unmoved(&mut s);
                self.count(&mut s);
            }
        }
        Position { state: s, result: None, begun: String::new(), set_up: true }
    }

    /// The legal turns with their texts and the positions after them, each text once; none if the game is over.
    pub fn turns(&self, position: &Position) -> Vec<(String, Position)> {
        let mut out: Vec<(String, Position)> = Vec::new();
        for (text, done) in self.remaining(position) {
            let after = self.end_turn(done);
            match out.iter().find(|(t, _)| *t == text) {
                Some((_, other)) => {
                    if *other != after {
                        self.conflict(format!("two turns are written {text}"));
                    }
                }
                None => out.push((text, after)),
            }
        }
        out
    }

    /// The legal turns that go on as the position has begun.
    fn remaining(&self, position: &Position) -> Vec<(String, turn::Done)> {
        if position.result.is_some() {
            return Vec::new();
        }
        let all = self.legal(&position.state);
        if position.begun.is_empty() {
            return all;
        }
        all.into_iter()
            .filter_map(|(text, done)| {
                let rest = text.strip_prefix(&position.begun)?;
                let rest = match rest.strip_prefix(", ") {
                    Some(rest) => rest,
                    None if rest.starts_with('~') => rest,
                    None => return None,
                };
                Some((rest.to_owned(), done))
            })
            .collect()
    }

    /// The position after the turn that is written like this, without listing the others: whether `prefer` keeps it is not asked.
    /// None if there is no such turn.
    pub fn play(&self, position: &Position, text: &str) -> Option<Position> {
        match position.result.is_none() && position.begun.is_empty() {
            true => self.written(&position.state, text).map(|done| self.end_turn(done)),
            false => None,
        }
    }

    /// The result of a position at the end of a turn; a draw if the player to move has no legal turn and no result holds.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        if position.result.is_some() {
            return position.result.clone();
        }
        let s = &position.state;
        if !position.begun.is_empty() || !self.over(s) {
            return None;
        }
        let seats = self.game.seats.len();
        let before = (s.seat as usize + seats - 1) % seats.max(1);
        // where nobody can move at once, results are tried as if a turn had ended
        let held = if position.set_up { self.result(expr::Env::turn(before as Seat), s) } else { None };
        Some(held.unwrap_or_else(|| Outcome::draw(seats, "no legal turn")))
    }

    /// How many sequences of legal turns of this length there are; each outcome of chance counts.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => {
                let texts: BTreeSet<String> = self.remaining(position).into_iter().map(|(t, _)| t).collect();
                texts.len() as u64
            }
            _ => self.turns(position).iter().map(|(_, after)| self.perft(after, depth - 1)).sum(),
        }
    }
}

/// Whether the word `unmoved`, which no name can be, stands somewhere in a game's rules.
fn says_unmoved(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::String(s) => s == "unmoved",
        serde_json::Value::Array(all) => all.iter().any(says_unmoved),
        serde_json::Value::Object(all) => all.values().any(says_unmoved),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => false,
    }
}
