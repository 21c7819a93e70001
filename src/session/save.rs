//! Saved games: a small text that people can read and write.
//!
//! ```text
//! rulebook saved game 1
//!
//! game     proteus
//! variant  Warhorses
//! set      quiet-limit=50
//! seed     42
//! player   White human
//! player   Black computer 2000
//! start    8/2P5/8/8/8/8/8/8 w …      (only if it is not the game's start)
//! resigned White                      (only if somebody did)
//!
//! moves
//!   1  b2b4, c1+
//!   2  b7b5, c8+
//! ```
//!
//! Lines that start with `#` are comments. The number before a move may be left out.

use super::{Match, Player};
use crate::engine::{Game, Step};
use crate::ir::Seat;
use std::fmt::Write as _;

const HEAD: &str = "rulebook saved game";
const VERSION: &str = "1";

/// What a saved game says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The shipped name or the path of the game.
    pub game: String,
    /// Variants, by name.
    pub variants: Vec<String>,
    /// Options that were set.
    pub options: Vec<(String, String)>,
    /// The seed.
    pub seed: u64,
    /// Who plays: the name of a seat at the start, the player, and its line.
    pub players: Vec<(String, Player, usize)>,
    /// The position at the start, if it is not the game's.
    pub start: Option<(String, usize)>,
    /// Who resigned.
    pub resigned: Option<(String, usize)>,
    /// The turns with their lines.
    pub turns: Vec<(String, usize)>,
}

/// What is wrong with a saved game; `line` counts from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SavedError {
    /// Where.
    pub line: usize,
    /// What.
    pub message: String,
}

fn error(line: usize, message: impl Into<String>) -> SavedError {
    SavedError { line, message: message.into() }
}

impl Saved {
    /// Reads the text of a saved game.
    pub fn parse(text: &str) -> Result<Saved, SavedError> {
        let mut saved = Saved::default();
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        match lines.next() {
            Some((_, head)) if head == format!("{HEAD} {VERSION}") => {}
            Some((at, head)) if head.starts_with(HEAD) => {
                return Err(error(
                    at,
                    format!("this is version `{}`; only version {VERSION} can be read", head[HEAD.len()..].trim()),
                ));
            }
            Some((at, _)) => return Err(error(at, format!("not a saved game: it must begin with `{HEAD} {VERSION}`"))),
            None => return Err(error(1, "the file is empty")),
        }
        let mut moves = false;
        for (at, line) in lines {
            if moves {
                let turn = line.split_once(char::is_whitespace).filter(|(n, _)| n.parse::<u32>().is_ok());
                saved.turns.push((turn.map_or(line, |(_, rest)| rest.trim()).to_owned(), at));
            } else if line == "moves" {
                moves = true;
            } else {
                saved.header(at, line)?;
            }
        }
        if saved.game.is_empty() {
            return Err(error(1, "it does not say which game it is; add a line `game NAME`"));
        }
        Ok(saved)
    }

    fn header(&mut self, at: usize, line: &str) -> Result<(), SavedError> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(w, r)| (w, r.trim()));
        if rest.is_empty() {
            return Err(error(at, format!("`{word}` must be followed by its value")));
        }
        match word {
            "game" => self.game = rest.to_owned(),
            "variant" => self.variants.push(rest.to_owned()),
            "set" => {
                let (name, value) = rest
                    .split_once('=')
                    .ok_or_else(|| error(at, format!("`{rest}` is not of the form `option=value`")))?;
                self.options.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            "seed" => self.seed = rest.parse().map_err(|_| error(at, format!("`{rest}` is not a whole number")))?,
            "player" => {
                let (name, player) = parse_player(rest)
                    .ok_or_else(|| error(at, "a player is `NAME human`, `NAME random` or `NAME computer NODES`"))?;
                self.players.push((name, player, at));
            }
            "start" => self.start = Some((rest.to_owned(), at)),
            "resigned" => self.resigned = Some((rest.to_owned(), at)),
            other => {
                let known = ["game", "variant", "set", "seed", "player", "start", "resigned", "moves"];
                return Err(error(
                    at,
                    format!("`{other}` is not known here; expected {}", crate::base::words::one_of(&known)),
                ));
            }
        }
        Ok(())
    }

    /// Plays a saved game up to where it was.
    pub fn replay(&self, game: Game) -> Result<Match, SavedError> {
        let mut players = vec![Player::Human; game.rules().seats.len()];
        for (name, player, at) in &self.players {
            players[seat(&game, name, *at)? as usize] = *player;
        }
        let mut new = match &self.start {
            None => Match::new(game, players, self.seed),
            Some((text, at)) => {
                let state = game.read_position(text).map_err(|e| error(*at, e.to_string()))?;
                Match::from_position(game, players, self.seed, state)
            }
        };
        for (text, at) in &self.turns {
            if new.outcome().is_some() {
                return Err(error(*at, format!("`{text}` cannot be played: the game is over")));
            }
            let steps: Vec<Step> = new.game.read(&new.state, text).map_err(|refusal| {
                let hint = refusal.nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                error(*at, format!("`{text}` cannot be played: {}{hint}", refusal.reason))
            })?;
            new.commands += 1;
            for step in steps {
                let seat = new.game.to_move(&new.state);
                let typed = new.player(new.game.person(&new.state, seat)) == Player::Human;
                let command = typed.then_some(new.commands);
                new.step(step, command, &mut Vec::new());
            }
        }
        if let Some((name, at)) = &self.resigned {
            new.resigned = Some(seat(&new.game, name, *at)?);
        }
        Ok(new)
    }
}

fn seat(game: &Game, name: &str, at: usize) -> Result<Seat, SavedError> {
    let seats = &game.rules().seats;
    seats.iter().position(|seat| seat.name.eq_ignore_ascii_case(name)).map(|i| i as Seat).ok_or_else(|| {
        let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
        error(at, format!("`{name}` is no player of this game; its players are {}", crate::base::words::all_of(&names)))
    })
}

fn parse_player(text: &str) -> Option<(String, Player)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (name, player) = match words.as_slice() {
        [name @ .., "human"] => (name, Player::Human),
        [name @ .., "random"] => (name, Player::Random),
        [name @ .., "computer", nodes] => (name, Player::Computer { nodes: nodes.parse().ok().filter(|n| *n > 0)? }),
        _ => return None,
    };
    (!name.is_empty()).then(|| (name.join(" "), player))
}

impl Match {
    /// The text of the saved game. `game`, `variants` and `options` say how to find the rules again.
    pub fn save(&self, game: &str, variants: &[String], options: &[(String, String)]) -> String {
        let mut text = format!("{HEAD} {VERSION}\n\n");
        let mut field = |name: &str, value: &str| {
            let _ = writeln!(text, "{name:<8} {value}");
        };
        field("game", game);
        for variant in variants {
            field("variant", variant);
        }
        for (name, value) in options {
            field("set", &format!("{name}={value}"));
        }
        field("seed", &self.seed.to_string());
        for (person, player) in self.players.iter().enumerate() {
            let name = self.person_name(person as Seat);
            match player {
                Player::Human => field("player", &format!("{name} human")),
                Player::Random => field("player", &format!("{name} random")),
                Player::Computer { nodes } => field("player", &format!("{name} computer {nodes}")),
            }
        }
        if let Some(start) = &self.start_text {
            field("start", start);
        }
        if let Some(person) = self.resigned {
            field("resigned", self.person_name(person));
        }
        text.push_str("\nmoves\n");
        for (i, turn) in self.turns().iter().enumerate() {
            let _ = writeln!(text, "{:>3}  {turn}", i + 1);
        }
        text
    }

    /// The position at the start.
    pub fn start(&self) -> &crate::engine::State {
        &self.start
    }
}
