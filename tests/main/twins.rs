//! The engine against its slow twin: the same legal turns, positions and results along random games.

use crate::common::{combinations, follow_turns, game, lockstep};
use rulebook::base::Sources;
use rulebook::check::{self, Choices, Selection};
use rulebook::engine::Game;
use rulebook::games::Shipped;
use rulebook::testing;
use rulebook::twin::Twin;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

fn compare(games: u64, turns: u32) {
    for name in combinations() {
        let game = game(&name);
        let twin = Twin::new(game.rules().clone());
        for seed in 0..games {
            lockstep(&game, &twin, seed, turns, usize::MAX).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        assert_eq!(twin.conflicts(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn engine_and_twin_agree() {
    compare(1, if cfg!(debug_assertions) { 6 } else { 25 });
}

/// Random games of each shipped game and variant, as many as hold twenty thousand legal turns (one of Proteus, some of chess, over a hundred of
/// Connect Four) and two thousand at most: the twin has to list all turns to play one. On two threads.
#[test]
#[ignore = "slow"]
fn engine_and_twin_agree_over_many_games() {
    const GAMES: u64 = 2000;
    const LISTED: usize = 20_000;
    let names = combinations();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let game = game(name);
            let twin = Twin::new(game.rules().clone());
            let (mut seed, mut listed) = (0, 0);
            while seed < GAMES && listed < LISTED {
                listed += lockstep(&game, &twin, seed, 400, usize::MAX).unwrap_or_else(|e| panic!("{name}: {e}"));
                seed += 1;
            }
            assert_eq!(twin.conflicts(), Vec::<String>::new(), "{name}");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// Of so many positions engine and twin list the legal turns of one when many games are compared: of each game those after other turns.
const LISTED_OF: u64 = 100;

/// Random games of each shipped game and variant, `TWIN_GAMES` of each (without it, two) from seed `TWIN_FROM` on (without it, 0). Each turn is carried out by
/// both, with the same position and outcome after it; both list all turns of one position in [`LISTED_OF`]. On two threads.
#[test]
#[ignore = "slow"]
fn engine_and_twin_carry_out_the_same_turns() {
    let number = |name, without| std::env::var(name).map_or(without, |n| n.parse().expect("a number"));
    let (from, games) = (number("TWIN_FROM", 0), number("TWIN_GAMES", 2));
    let names = combinations();
    let jobs: Vec<(&String, u64)> =
        (from..from + games).flat_map(|seed| names.iter().map(move |name| (name, seed))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut ready: BTreeMap<&String, (Game, Twin)> = BTreeMap::new();
        while let Some((name, seed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let (game, twin) = ready.entry(name).or_insert_with(|| {
                let game = game(name);
                let twin = Twin::new(game.rules().clone());
                (game, twin)
            });
            let listed = |turn: u32| u64::from(turn) % LISTED_OF == *seed % LISTED_OF;
            follow_turns(game, twin, *seed, 2000, listed).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(twin.conflicts(), Vec::<String>::new(), "{name}");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

/// Rules that can be read in two ways, with what the contract says of them: the tests of `tests/rules` pass, and the twin agrees.
#[test]
fn rules_are_read_as_the_contract_says() {
    insta::glob!("../rules", "*.game", |path| {
        let name = path.display();
        let mut sources = Sources::new();
        let file = sources.add("rules.game", std::fs::read_to_string(path).expect("a text"));
        let (definition, faults) = check::load(&mut sources, file, &Shipped);
        assert!(faults.is_empty(), "{name}: {faults:?}");
        let definition = definition.expect("a definition");
        let reports = testing::run(&definition, &Selection::default(), |_| true);
        assert!(!reports.is_empty(), "{name} has no tests");
        for report in reports {
            assert!(report.passed(), "{name}: {}: {:?}", report.name, report.failures);
        }
        let game = Game::new(definition.compile(&Selection::default()).expect("a game").game).expect("a small game");
        let twin = Twin::new(game.rules().clone());
        for seed in 0..4 {
            lockstep(&game, &twin, seed, 12, 200).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    });
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
                lockstep(&game, &twin, 3, if cfg!(debug_assertions) { 4 } else { 14 }, usize::MAX)
                    .unwrap_or_else(|e| panic!("{text}: {e}"));
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
