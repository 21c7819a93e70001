//! The engine against its slow twin: the same legal turns, positions and results along random games.

use crate::common::{combinations, game};
use rulebook::check::Choices;
use rulebook::engine::{Game, Random};
use rulebook::twin::{Position, Twin};
use std::collections::BTreeMap;

/// Plays one random game on both for at most so many turns.
fn lockstep(name: &str, game: &Game, twin: &Twin, seed: u64, turns: u32) {
    let mut rng = Random::new(seed);
    let mut state = game.start();
    let mut position = twin.start();
    for _ in 0..turns {
        let text = game.position(&state);
        assert_eq!(text, twin.text(&position), "{name}, seed {seed}");
        let ours: BTreeMap<String, _> = game.turns(&state).into_iter().map(|t| (game.turn_text(&t), t)).collect();
        let theirs: BTreeMap<String, Position> = twin.turns(&position).into_iter().collect();
        let (a, b): (Vec<&String>, Vec<&String>) = (ours.keys().collect(), theirs.keys().collect());
        assert_eq!(a, b, "{name}, seed {seed}: {text}");
        let results = (game.outcome(&state), twin.outcome(&position));
        assert_eq!(results.0.map(|o| o.ranks), results.1.map(|o| o.ranks), "{name}, seed {seed}: {text}");
        if a.is_empty() {
            return;
        }
        let chosen = a[rng.below(a.len() as u32) as usize].clone();
        for step in &ours[&chosen] {
            game.play(&mut state, *step);
        }
        position = theirs[&chosen].clone();
    }
}

fn compare(games: u64, turns: u32) {
    for name in combinations() {
        let game = game(&name);
        let twin = Twin::new(game.rules().clone());
        for seed in 0..games {
            lockstep(&name, &game, &twin, seed, turns);
        }
        assert_eq!(twin.conflicts(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn engine_and_twin_agree() {
    compare(1, if cfg!(debug_assertions) { 10 } else { 25 });
}

#[test]
#[ignore = "slow"]
fn engine_and_twin_agree_over_many_games() {
    compare(1, 60);
}

/// Options change the rules, so each value is compared too.
#[test]
fn engine_and_twin_agree_on_every_option() {
    for name in rulebook::games::names() {
        for option in crate::common::definition(name).options() {
            for value in values(&option.values) {
                let text = format!("{name} {}={value}", option.name);
                let game = game(&text);
                let twin = Twin::new(game.rules().clone());
                lockstep(&text, &game, &twin, 3, 14);
            }
        }
    }
}

fn values(choices: &Choices) -> Vec<String> {
    match choices {
        Choices::List(list) => list.clone(),
        Choices::Range(least, most) => vec![least.to_string(), most.to_string()],
        Choices::YesNo => vec!["yes".to_owned(), "no".to_owned()],
    }
}
