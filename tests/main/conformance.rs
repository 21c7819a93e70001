//! What must hold in every game, checked along random games of each shipped game and combination of variants.

use crate::common::{combinations, game};
use rulebook::engine::{Alteration, Arrangement, Decider, Game, Random, State};
use std::collections::HashSet;

/// How much is tried: a build without optimisation is slow, and the thorough run is optimised.
const EFFORT: u32 = if cfg!(debug_assertions) { 1 } else { 4 };

/// The states of random games, one after the other.
fn along(game: &Game, seed: u64, games: u32, max_steps: u32, visit: &mut dyn FnMut(&State)) {
    for n in 0..games {
        let mut rng = Random::new(seed + u64::from(n));
        let mut state = game.start();
        for _ in 0..max_steps {
            visit(&state);
            let steps = game.steps(&state);
            if steps.is_empty() {
                break;
            }
            game.play(&mut state, steps[rng.below(steps.len() as u32) as usize]);
        }
    }
}

fn step_texts(game: &Game, state: &State) -> Vec<String> {
    game.steps(state).into_iter().map(|s| game.step_text(s)).collect()
}

#[test]
fn every_step_has_one_text_that_reads_back() {
    for name in combinations() {
        let game = game(&name);
        along(&game, 11, EFFORT, 40 * EFFORT, &mut |state| {
            let steps = game.steps(state);
            let texts = step_texts(&game, state);
            let unique: HashSet<&String> = texts.iter().collect();
            assert_eq!(unique.len(), texts.len(), "{name}: {}: {texts:?}", game.position(state));
            for (step, text) in steps.iter().zip(&texts) {
                let read = game.read(state, text).unwrap_or_else(|e| panic!("{name}: {text}: {e}"));
                assert_eq!(read, [*step], "{name}: {text}");
            }
        });
    }
}

#[test]
fn every_turn_has_one_text_that_reads_back() {
    for name in combinations() {
        let game = game(&name);
        let mut seen = 0;
        along(&game, 12, EFFORT, 30 * EFFORT, &mut |state| {
            seen += 1;
            if game.within_turn(state) || seen % 6 != 0 {
                return;
            }
            let turns = game.turns(state);
            let texts: HashSet<String> = turns.iter().map(|t| game.turn_text(t)).collect();
            assert_eq!(texts.len(), turns.len(), "{name}: {}", game.position(state));
            for turn in turns.iter().step_by(turns.len() / 20 + 1) {
                let text = game.turn_text(turn);
                let read = game.read(state, &text).unwrap_or_else(|e| panic!("{name}: {text}: {e}"));
                assert_eq!(game.turn_text(&read), text, "{name}");
            }
        });
    }
}

#[test]
fn a_step_taken_back_leaves_no_trace() {
    for name in combinations() {
        let game = game(&name);
        along(&game, 13, EFFORT, 20 * EFFORT, &mut |state| {
            let (position, hash, texts) = (game.position(state), game.hash(state), step_texts(&game, state));
            for step in game.steps(state) {
                let mut other = state.clone();
                let undo = game.play(&mut other, step);
                game.undo(&mut other, undo);
                assert_eq!(game.position(&other), position, "{name}");
                assert_eq!(game.hash(&other), hash, "{name}");
            }
            assert_eq!(step_texts(&game, state), texts, "{name}");
        });
    }
}

#[test]
fn the_hash_kept_up_is_the_hash_computed_afresh() {
    for name in combinations() {
        let game = game(&name);
        along(&game, 14, EFFORT, 60 * EFFORT, &mut |state| {
            assert_eq!(game.hash(state), game.hash_afresh(state), "{name}: {}", game.position(state));
        });
    }
}

#[test]
fn position_texts_read_back() {
    for name in combinations() {
        let game = game(&name);
        along(&game, 15, EFFORT, 40 * EFFORT, &mut |state| {
            if game.outcome(state).is_some() {
                return;
            }
            let text = game.position(state);
            let read = game.read_position(&text).unwrap_or_else(|e| panic!("{name}: {text}: {e}"));
            assert_eq!(game.position(&read), text, "{name}");
            assert_eq!(game.hash(&read), game.hash(state), "{name}: {text}");
            assert_eq!(step_texts(&game, &read), step_texts(&game, state), "{name}: {text}");
        });
    }
}

#[test]
fn every_game_ends_by_a_rule() {
    for name in combinations() {
        let game = game(&name);
        for seed in 0..3 * u64::from(EFFORT) {
            let mut state = game.start();
            let playout = game.playout(&mut state, &mut Random::new(seed), 20_000);
            assert!(playout.over, "{name}, seed {seed}: no result after {} turns", playout.turns);
        }
    }
}

/// Ten thousand random games of each; slow, run by `./test`.
#[test]
#[ignore = "slow"]
fn ten_thousand_random_games_end_by_a_rule() {
    for name in combinations() {
        let game = game(&name);
        let mut rng = Random::new(2001);
        for n in 0..10_000 {
            let mut state = game.start();
            let playout = game.playout(&mut state, &mut rng, 20_000);
            assert!(playout.over, "{name}, game {n}: no result after {} turns", playout.turns);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    for name in combinations() {
        let (one, two) = (game(&name), game(&name));
        let (mut a, mut b) = (one.start(), two.start());
        assert_eq!(
            one.playout(&mut a, &mut Random::new(5), 400),
            two.playout(&mut b, &mut Random::new(5), 400),
            "{name}"
        );
        assert_eq!(one.position(&a), two.position(&b), "{name}");
    }
}

/// Half a turn of the board with the players exchanged gives the same number of turns, in games that look alike from both sides.
#[test]
fn both_sides_play_by_the_same_rules() {
    for name in combinations() {
        let base = name.split('+').next().unwrap_or("");
        if ["connect-four", "hex"].contains(&base) || name.contains("wall-street") {
            continue;
        }
        let game = game(&name);
        let rules = game.rules();
        let cells = rules.board.cells.len() as u16;
        along(&game, 16, EFFORT, 40 * EFFORT, &mut |state| {
            if game.outcome(state).is_some() || game.within_turn(state) || game.decider(state) == Decider::Chance {
                return;
            }
            let arranged = |turned: bool| {
                let cell = |c: u16| if turned { cells - 1 - c } else { c };
                let seat = |s: u8| if turned { 1 - s } else { s };
                let places =
                    (0..cells).filter_map(|c| game.piece(state, c).map(|(o, k)| (o.map(seat), k, cell(c)))).collect();
                let hand = |s: u8| rules.hand_types.iter().map(|t| (*t, game.in_hand(state, s, *t) as u16)).collect();
                let latches = (0..rules.latches.len()).flat_map(|l| [(l, 0), (l, 1)]);
                let set = latches.map(|(l, s)| Alteration::Latch(l, seat(s), game.latch(state, l, s)));
                let parts = Arrangement {
                    places,
                    to_move: Some(seat(game.to_move(state))),
                    hands: vec![Some(hand(seat(0))), Some(hand(seat(1)))],
                };
                let mut state = game.arrange(&parts);
                game.alter(&mut state, &set.collect::<Vec<_>>());
                state
            };
            let (straight, turned) = (arranged(false), arranged(true));
            // unmoved pieces are known by their cells, which half a turn of an array with king and queen does not keep
            let castles =
                |state| game.position(state).split(' ').nth(2).is_some_and(|f| f.contains(['K', 'Q', 'k', 'q']));
            if !castles(&straight) && !castles(&turned) {
                let position = game.position(&straight);
                assert_eq!(game.turns(&straight).len(), game.turns(&turned).len(), "{name}: {position}");
            }
        });
    }
}

/// A playout cut short after each turn: every cut is one legal turn away from the one before, with the result that this turn has.
fn playout_goes_by_legal_turns(title: &str, game: &Game, seed: u64, most: u32) {
    let mut before = game.start();
    for turns in 1..=most {
        let mut state = game.start();
        let playout = game.playout(&mut state, &mut Random::new(seed), turns);
        if playout.turns < turns {
            // nobody could move after the last turn
            assert_eq!(game.outcome(&state), game.outcome(&before), "{title}, seed {seed}");
            return;
        }
        let (position, outcome) = (game.position(&state), game.outcome(&state));
        let legal = game.turns_within(&before, 20_000).expect("not so many turns").into_iter().any(|steps| {
            let mut after = before.clone();
            for step in steps {
                game.play(&mut after, step);
            }
            let ends = game.outcome(&after);
            let same = game.position(&after) == position && (outcome.is_none() || ends == outcome);
            before = if same { after } else { before.clone() };
            same
        });
        assert!(legal, "{title}, seed {seed}: turn {turns} to {position} is not legal");
        if playout.over {
            return;
        }
    }
}

#[test]
fn playouts_go_by_legal_turns() {
    for name in combinations() {
        for seed in 0..u64::from(EFFORT) {
            playout_goes_by_legal_turns(&name, &game(&name), seed, 12 * EFFORT);
        }
    }
}

#[test]
fn playouts_that_only_fill_the_board_go_by_legal_turns() {
    let stones = "piece Stone \"O/X\" { drop to empty }";
    let games = [
        ("board 3x3", stones, "mover wins when 3 in line\ndraw when board is full"),
        ("board 6x5", stones, "mover wins when exactly 4 in line\ndraw when board is full"),
        ("board 9x8", stones, "next wins when 4 in line\nhighest count of my pieces wins when board is full"),
        ("board 12x11", stones, "mover wins when 5 in line\ndraw when board is full"),
        ("board hex 5x5", stones, "A wins when A connects rank 1 to rank 5\nB wins when B connects file a to file e"),
        (
            "board hex 12x11",
            stones,
            "A wins when A connects rank 1 to rank 11\nB wins when B connects file a to file l",
        ),
        ("board hex 7x7", stones, "mover wins when 4 in line\nmover loses when 3 in line\ndraw when board is full"),
        ("board 7x6", "piece Disc \"O/X\" { drop to empty unless south is empty }", "mover wins when 4 in line"),
    ];
    for (board, piece, results) in games {
        let text =
            format!("game \"Stones\"\nplayers A, B\n{board}\n{piece}\n{results}\nnext loses when next is stuck\n");
        let game = rulebook::load(&text).unwrap_or_else(|e| panic!("{board}: {e:?}"));
        for seed in 0..u64::from(EFFORT) * 3 {
            playout_goes_by_legal_turns(board, &game, seed, 200);
        }
    }
}
