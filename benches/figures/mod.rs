//! What the benchmarks share: the arguments, tables, and timing of playouts.

use rulebook::engine::{Game, Random};
use std::time::{Duration, Instant};

/// The most turns of a playout; none of the shipped games comes near.
pub const LONGEST: u32 = 20_000;

/// What stands behind `--`: `--seconds S` and a part of a name.
pub struct Arguments {
    /// How long a row is measured.
    pub time: Duration,
    /// Only rows whose name holds this are measured.
    pub filter: String,
}

impl Arguments {
    /// Reads them; Cargo adds `--bench` of its own.
    pub fn read(seconds: f64) -> Arguments {
        let mut arguments = Arguments { time: Duration::from_secs_f64(seconds), filter: String::new() };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--bench" => {}
                "--seconds" => {
                    let seconds =
                        words.next().and_then(|w| w.parse().ok()).and_then(|s| Duration::try_from_secs_f64(s).ok());
                    arguments.time = seconds.unwrap_or_else(|| refuse("--seconds needs a number"));
                }
                other if other.starts_with('-') => {
                    refuse(&format!("there is no option {other}; --seconds S and a part of a name can stand here"))
                }
                other => arguments.filter = other.to_owned(),
            }
        }
        arguments
    }

    /// Whether a row is asked for.
    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }
}

fn refuse(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2);
}

/// Random games played in some time.
#[derive(Clone, Copy, Default)]
pub struct Played {
    /// Games.
    pub playouts: u64,
    /// Turns of all games.
    pub turns: u64,
    /// Seconds.
    pub seconds: f64,
}

impl Played {
    /// Games a second.
    pub fn playout_rate(&self) -> f64 {
        self.playouts as f64 / self.seconds
    }

    /// Turns a second.
    pub fn turn_rate(&self) -> f64 {
        self.turns as f64 / self.seconds
    }

    /// Turns of a game, on average.
    pub fn mean_turns(&self) -> f64 {
        self.turns as f64 / self.playouts as f64
    }
}

/// Plays random games for at least so long, and one game at least.
pub fn play(game: &Game, seed: u64, time: Duration) -> Played {
    let mut rng = Random::new(seed);
    let start = game.start();
    let mut state = start.clone();
    let mut played = Played::default();
    let began = Instant::now();
    while played.playouts == 0 || began.elapsed() < time {
        state.clone_from(&start);
        played.turns += u64::from(game.playout(&mut state, &mut rng, LONGEST).turns);
        played.playouts += 1;
    }
    played.seconds = began.elapsed().as_secs_f64();
    played
}

/// Prints a line of a table: the first column to the left, 18 wide, the others to the right, 14 wide.
pub fn row<T: AsRef<str>>(columns: &[T]) {
    let mut line = format!("{:<18}", columns[0].as_ref());
    columns[1..].iter().for_each(|c| line.push_str(&format!("{:>14}", c.as_ref())));
    println!("{line}");
}
