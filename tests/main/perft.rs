//! Published counts and those of independent models: `tests/perft.txt`.

use crate::common::game;

/// Every line up to a budget of counted turns.
fn check(budget: u64) {
    let table = include_str!("../perft.txt");
    for line in table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let [name, position, counts] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}")
        };
        let game = game(name);
        let state = match position {
            "start" => game.start(),
            text => game.read_position(text).unwrap_or_else(|e| panic!("{text}: {e}")),
        };
        for (depth, count) in counts.split_whitespace().enumerate() {
            let Ok(count) = count.parse::<u64>() else { continue };
            if count <= budget {
                assert_eq!(game.perft(&state, depth as u32 + 1), count, "{name}, {position}, depth {}", depth + 1);
            }
        }
    }
}

#[test]
fn small_counts_are_right() {
    check(if cfg!(debug_assertions) { 12_000 } else { 60_000 });
}

#[test]
#[ignore = "slow"]
fn large_counts_are_right() {
    check(12_000_000);
}
