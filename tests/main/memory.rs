//! What games and states take of memory, and that playing on takes no more. Counts are those of the test's own thread.

use crate::common::game;
use allocation_counter::measure;
use rulebook::engine::{Game, Random};
use rulebook::games;

/// Allocations of a playout of at most so many turns from a clone of the start.
fn allocations(game: &Game, turns: u32) -> u64 {
    let start = game.start();
    let count = || {
        measure(|| {
            game.playout(&mut start.clone(), &mut Random::new(3), turns);
        })
    };
    count();
    count().count_total
}

/// A playout from a cloned start may allocate, but no more for many turns than for few.
#[test]
fn a_long_playout_allocates_no_more_often_than_a_short_one() {
    let all = games::names().map(|name| {
        let game = game(name);
        (name, allocations(&game, 4), allocations(&game, 40))
    });
    let wrong: Vec<_> = all.filter(|(_, short, long)| short != long).collect();
    assert!(wrong.is_empty(), "games with their allocations in 4 and in 40 turns: {wrong:?}");
}

/// After a playout the state has all the room it needs: going on from it, or from the start on the same state, allocates nothing.
#[test]
fn a_playout_on_a_state_used_before_allocates_nothing() {
    let all = games::names().map(|name| {
        let game = game(name);
        let mut state = game.start();
        game.playout(&mut state, &mut Random::new(3), 60);
        state.clone_from(&game.start());
        let counted = measure(|| {
            game.playout(&mut state, &mut Random::new(3), 40);
        });
        (name, counted.count_total)
    });
    let wrong: Vec<_> = all.filter(|(_, count)| *count > 0).collect();
    assert!(wrong.is_empty(), "games with their allocations in 40 turns: {wrong:?}");
}

#[test]
fn a_compiled_game_is_smaller_than_two_megabytes() {
    let all = games::names().map(|name| {
        let mut kept = None;
        let counted = measure(|| kept = Some(game(name)));
        (name, counted.bytes_current)
    });
    let wrong: Vec<_> = all.filter(|(_, bytes)| *bytes > 2 << 20).collect();
    assert!(wrong.is_empty(), "games with their bytes: {wrong:?}");
}

#[test]
fn a_state_is_small() {
    let sizes = games::names().map(|name| {
        let game = game(name);
        (name, game.rules().board.cells.len(), game.state_size())
    });
    let wrong: Vec<_> = sizes.filter(|(_, cells, size)| *cells <= 64 && *size >= 1024).collect();
    assert!(wrong.is_empty(), "games with their cells and bytes of a state: {wrong:?}");
    let large =
        rulebook::load("game \"Large\" extends \"gomoku\"\noverride board 19x19").expect("a game without errors");
    assert!(large.state_size() < 4096, "gomoku of 19x19 has states of {} bytes", large.state_size());
}
