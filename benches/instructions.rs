//! How many instructions a node of perft or a turn of a random game takes, against the committed baseline `benches/instructions.json`.
//!
//!     cargo bench --bench instructions                 compare; fails if a job takes over 3 % more than the baseline
//!     cargo bench --bench instructions -- --bless      write the baseline
//!
//! A count says the same on a busy machine as on an idle one. It is taken by callgrind, a tool of valgrind, under which this program runs
//! itself: each job once and twice over, so that the difference is the job alone, without loading the game.

use rulebook::engine::{Game, Random};
use serde_json::{Map, Value, json};
use std::process::{Command, ExitCode};

/// How much worse than the baseline is too much.
const TOLERANCE: f64 = 0.03;

/// What is done to a game, so many times.
#[derive(Clone, Copy)]
enum Work {
    /// Counts the sequences of so many turns.
    Perft(u32),
    /// The same, and plays the last turn of each too.
    PerftPlayed(u32),
    /// Plays a random game for at most so many turns.
    Playout(u32),
}

/// Name, game, work, and how many times it is done at first.
const JOBS: [(&str, &str, Work, u64); 13] = [
    ("chess perft 3", "chess", Work::Perft(3), 1),
    ("chess perft 3, played", "chess", Work::PerftPlayed(3), 1),
    ("chess", "chess", Work::Playout(1000), 40),
    ("breakthrough", "breakthrough", Work::Playout(1000), 40),
    ("othello", "othello", Work::Playout(1000), 20),
    ("connect-four", "connect-four", Work::Playout(1000), 100),
    ("gomoku", "gomoku", Work::Playout(1000), 10),
    ("hex", "hex", Work::Playout(1000), 10),
    ("draughts", "draughts", Work::Playout(1000), 20),
    ("proteus", "proteus", Work::Playout(1000), 10),
    ("magneton", "magneton", Work::Playout(1000), 20),
    ("monteagudo", "monteagudo", Work::Playout(100), 4),
    ("bushi-shogi", "bushi-shogi", Work::Playout(1000), 100),
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| w != "--bench").collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => compare(false),
        ["--bless"] => compare(true),
        ["--job", name, times] => {
            println!("{}", run(name, times.parse().expect("a number")));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("only --bless can stand here");
            ExitCode::from(2)
        }
    }
}

/// Does a job so many times; tells how many nodes or turns that were.
fn run(name: &str, times: u64) -> u64 {
    let (_, game, work, _) = JOBS.iter().find(|j| j.0 == name).expect("a job");
    let game: Game =
        rulebook::load(rulebook::games::text(game).expect("a shipped game")).expect("a game without errors");
    let start = game.start();
    let once = |seed| match work {
        Work::Perft(depth) => game.perft(&start, *depth),
        Work::PerftPlayed(depth) => game.perft_played(&start, *depth),
        Work::Playout(turns) => u64::from(game.playout(&mut start.clone(), &mut Random::new(seed), *turns).turns),
    };
    (0..times).map(once).sum()
}

/// What callgrind counts for a job done so many times: instructions, and nodes or turns.
fn count(name: &str, times: u64) -> Result<(u64, u64), String> {
    let program = std::env::current_exe().map_err(|e| format!("this program cannot find itself: {e}"))?;
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--job", name, &times.to_string()])
        .output()
        .map_err(|e| format!("valgrind cannot be run: {e}; install the package `valgrind`"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    let collected = said.lines().find_map(|l| l.split_once("Collected :")).and_then(|(_, n)| n.trim().parse().ok());
    let units = String::from_utf8_lossy(&done.stdout).trim().parse().ok();
    collected.zip(units).ok_or_else(|| format!("valgrind says nothing that can be used for {name}:\n{said}"))
}

/// Instructions of a job for each node or turn.
fn instructions(name: &str, times: u64) -> Result<f64, String> {
    let (once, twice) = std::thread::scope(|scope| {
        let once = scope.spawn(|| count(name, times));
        (count(name, 2 * times), once.join().expect("a thread that counts"))
    });
    let ((more, units), (less, of)) = (once?, twice?);
    Ok((more - less) as f64 / (units - of) as f64)
}

fn compare(bless: bool) -> ExitCode {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/instructions.json");
    let baseline: Map<String, Value> =
        std::fs::read_to_string(path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut found = Map::new();
    let mut worse = Vec::new();
    println!("{:<24}{:>16}{:>14}{:>10}", "instructions a unit", "now", "baseline", "change");
    for (name, _, work, times) in JOBS {
        let now = match instructions(name, times) {
            Ok(now) => now,
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::from(2);
            }
        };
        let unit = if matches!(work, Work::Playout(_)) { "turn" } else { "node" };
        let (before, change) = match baseline.get(name).and_then(Value::as_f64) {
            Some(before) => (format!("{before:.1}"), Some(now / before - 1.0)),
            None => ("-".to_owned(), None),
        };
        let said = change.map_or("new".to_owned(), |c| format!("{:+.1} %", c * 100.0));
        println!("{name:<24}{now:>11.1} {unit}{before:>14}{said:>10}");
        if change.is_some_and(|c| c > TOLERANCE) {
            worse.push(name);
        }
        found.insert(name.to_owned(), json!((now * 10.0).round() / 10.0));
    }
    if bless {
        let text = serde_json::to_string_pretty(&found).expect("numbers can be written as JSON");
        std::fs::write(path, text + "\n").expect("benches/instructions.json can be written");
        return ExitCode::SUCCESS;
    }
    if worse.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("more than {} % worse: {}; if that is meant, run this with --bless", TOLERANCE * 100.0, worse.join(", "));
    ExitCode::FAILURE
}
