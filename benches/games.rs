//! What the shipped games cost: random games, loading, memory; how boards scale; and how threads add up.
//!
//!     cargo bench --bench games [-- --seconds 2 chess]
//!
//! Writes the same figures to `target/bench/games.json`.

mod figures;

use figures::{Arguments, Played, play, row};
use rulebook::engine::{Game, Random};
use rulebook::games;
use serde_json::{Value, json};
use std::time::Instant;

/// Sides of the boards of the second table.
const SIDES: [u32; 8] = [8, 10, 12, 14, 16, 19, 22, 26];

fn main() {
    let arguments = Arguments::read(1.0);
    let figures = json!({
        "games": shipped(&arguments),
        "scale": scale(&arguments),
        "threads": threads(&arguments),
    });
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/bench");
    std::fs::create_dir_all(folder).expect("the folder target/bench can be made");
    let text = serde_json::to_string_pretty(&figures).expect("figures can be written as JSON");
    std::fs::write(format!("{folder}/games.json"), text + "\n").expect("target/bench/games.json can be written");
}

/// Reads, checks and compiles a shipped game.
fn load(name: &str) -> Game {
    rulebook::load(games::text(name).expect("a shipped game")).expect("a game without errors")
}

fn rounded(number: f64) -> Value {
    json!((number * 1000.0).round() / 1000.0)
}

fn shipped(arguments: &Arguments) -> Value {
    println!("Random games, loading and memory");
    row(&["game", "playouts/s", "turns/s", "turns a game", "load ms", "state bytes", "game bytes"]);
    let mut all = serde_json::Map::new();
    for name in games::names().filter(|n| arguments.wants(n)) {
        let mut loads: Vec<f64> = (0..5)
            .map(|_| {
                let began = Instant::now();
                load(name);
                began.elapsed().as_secs_f64() * 1000.0
            })
            .collect();
        loads.sort_by(f64::total_cmp);
        let mut kept = None;
        let memory = allocation_counter::measure(|| kept = Some(load(name)));
        let game = kept.expect("a game");
        let played = play(&game, 1, arguments.time);
        let (rate, turns, mean) = (played.playout_rate(), played.turn_rate(), played.mean_turns());
        row(&[
            name.to_owned(),
            format!("{rate:.1}"),
            format!("{turns:.0}"),
            format!("{mean:.1}"),
            format!("{:.1}", loads[2]),
            game.state_size().to_string(),
            memory.bytes_current.to_string(),
        ]);
        let figures = json!({
            "playouts_per_second": rounded(rate),
            "turns_per_second": rounded(turns),
            "mean_turns": rounded(mean),
            "load_ms": rounded(loads[2]),
            "state_bytes": game.state_size(),
            "game_bytes": memory.bytes_current,
        });
        all.insert(name.to_owned(), figures);
    }
    Value::Object(all)
}

/// A shipped game on a board of another size.
fn resized(name: &str, side: u32) -> String {
    let changes = match name {
        "breakthrough" => {
            format!("override board {side}x{side}\noverride rule race: mover wins when mover has Pawn on rank {side}\n")
        }
        "gomoku" => format!("override board {side}x{side}\n"),
        "hex" => {
            let file = (b'a' + side as u8 - 1) as char;
            format!(
                "override board hex {side}x{side}\noverride Red wins when Red connects rank 1 to rank {side}\n\
                 override Blue wins when Blue connects file a to file {file}\n"
            )
        }
        other => panic!("{other} is not resized"),
    };
    format!("game \"Resized\" extends \"{name}\"\n{changes}")
}

/// The mean number of legal turns along some random games.
fn moves_per_turn(game: &Game) -> f64 {
    let mut rng = Random::new(2);
    let (mut positions, mut moves) = (0u64, 0u64);
    for _ in 0..3 {
        let mut state = game.start();
        loop {
            let steps = game.steps(&state);
            if steps.is_empty() {
                break;
            }
            positions += 1;
            moves += steps.len() as u64;
            game.play(&mut state, steps[rng.below(steps.len() as u32) as usize]);
        }
    }
    moves as f64 / positions as f64
}

fn scale(arguments: &Arguments) -> Value {
    println!("\nBoards of growing size; the last column is what a playout costs for each legal move along it");
    row(&["game", "playouts/s", "turns a game", "moves a turn", "ns a move"]);
    let mut all = serde_json::Map::new();
    for name in ["breakthrough", "gomoku", "hex"] {
        for side in SIDES {
            let title = format!("{name} {side}");
            if !arguments.wants(&title) {
                continue;
            }
            let Ok(game) = rulebook::load(&resized(name, side)) else {
                println!("{title:<18}  has more cells than a board can have");
                continue;
            };
            let played = play(&game, 1, arguments.time);
            let moves = moves_per_turn(&game);
            let cost = played.seconds * 1e9 / (played.turns as f64 * moves);
            let (rate, mean) = (played.playout_rate(), played.mean_turns());
            row(&[
                title.clone(),
                format!("{rate:.1}"),
                format!("{mean:.1}"),
                format!("{moves:.1}"),
                format!("{cost:.2}"),
            ]);
            let figures = json!({
                "playouts_per_second": rounded(rate),
                "mean_turns": rounded(mean),
                "moves_per_turn": rounded(moves),
                "ns_per_move": rounded(cost),
            });
            all.insert(title, figures);
        }
    }
    Value::Object(all)
}

fn threads(arguments: &Arguments) -> Value {
    println!("\nThreads");
    row(&["game", "1 thread", "2 threads", "ratio"]);
    let mut all = serde_json::Map::new();
    for name in games::names().filter(|n| arguments.wants(n)) {
        let game = load(name);
        let one = play(&game, 1, arguments.time).playout_rate();
        let both: Vec<Played> = std::thread::scope(|scope| {
            let started = [1, 2].map(|seed| {
                scope.spawn({
                    let game = game.clone();
                    move || play(&game, seed, arguments.time)
                })
            });
            started.into_iter().map(|t| t.join().expect("a thread that plays")).collect()
        });
        let two: f64 = both.iter().map(Played::playout_rate).sum();
        row(&[name.to_owned(), format!("{one:.1}"), format!("{two:.1}"), format!("{:.2}", two / one)]);
        all.insert(name.to_owned(), json!({ "one": rounded(one), "two": rounded(two), "ratio": rounded(two / one) }));
    }
    Value::Object(all)
}
