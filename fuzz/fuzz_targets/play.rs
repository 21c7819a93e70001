//! Texts that are definitions without errors: the game and each variant play two hundred random plies and a playout.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rulebook::base::Severity;
use rulebook::engine::{Deed, Game, Random, State};
use rulebook_fuzz::{change_texts, load, selections};

change_texts!();

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (Some(definition), found) = load(text) else { return };
    if found.iter().any(|d| d.severity == Severity::Error) {
        return;
    }
    for selection in selections(&definition) {
        let Ok(compiled) = definition.compile(&selection) else { continue };
        let Ok(game) = Game::new(compiled.game) else { continue };
        steps(&game);
        turns(&game);
    }
});

/// How many steps are listed of a game, so that large ones do not take seconds.
const MAX_LISTED: usize = 4000;

/// Random steps, each out of those listed.
fn steps(game: &Game) {
    let mut rng = Random::new(1);
    let mut state = game.start();
    let mut seen = 0;
    for ply in 0..200 {
        let listed = game.steps(&state);
        seen += listed.len();
        if seen > MAX_LISTED {
            break;
        }
        assert_eq!(game.hash(&state), game.hash_afresh(&state), "at {}", game.position(&state));
        if listed.is_empty() {
            break;
        }
        let step = listed[rng.below(listed.len() as u32) as usize];
        if ply % 8 == 0 {
            let text = game.step_text(step);
            let read = game.read(&state, &text);
            assert!(read.is_ok(), "{text} at {}: {read:?}", game.position(&state));
            let position = game.position(&state);
            if game.outcome(&state).is_none() {
                let again = game.read_position(&position).map(|s| game.position(&s));
                assert_eq!(again.as_ref(), Ok(&position));
            }
        }
        game.play(&mut state, step);
    }
}

/// A playout, turn by turn: each leads where a listed turn leads.
fn turns(game: &Game) {
    let mut rng = Random::new(2);
    let mut state = game.start();
    for turn in 0..200 {
        let before = state.clone();
        let played = game.playout(&mut state, &mut rng, 1);
        if turn < 6 && played.turns == 1 {
            agrees(game, &before, &state);
        }
        if played.over || played.turns == 0 {
            break;
        }
    }
}

fn agrees(game: &Game, before: &State, after: &State) {
    let Some(listed) = game.turns_within(before, 200) else { return };
    let (position, hash) = (game.position(after), game.hash(after));
    let found = listed.into_iter().any(|steps| {
        let mut state = before.clone();
        for step in steps {
            game.play(&mut state, step);
        }
        // a turn that could go on is ended by a step of its own, which the list leaves out
        if let Some(done) = game.steps(&state).into_iter().find(|s| game.within_turn(&state) && s.deed == Deed::Done) {
            game.play(&mut state, done);
        }
        game.hash(&state) == hash && game.position(&state) == position
    });
    assert!(found, "a playout goes from {} to {position}, which no turn does", game.position(before));
}
