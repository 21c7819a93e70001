//! The search: it sees wins and threats, is the same for the same seed, and beats a random player.

use crate::common::game;
use rulebook::engine::{Game, State};
use rulebook::search::best;
use rulebook::search::duel::{Bout, Terms, bout};

fn after(game: &Game, moves: &[&str]) -> State {
    let mut state = game.start();
    rulebook::session::play_line(game, &mut state, moves).unwrap_or_else(|stray| panic!("{stray}"));
    state
}

fn chosen(game: &Game, state: &State, nodes: u32) -> String {
    let choice = best(game, state, nodes, 5).expect("there is a move");
    game.step_text(choice.step)
}

#[test]
fn a_win_at_once_is_played() {
    let game = game("connect-four");
    let state = after(&game, &["a1", "b1", "a2", "b2", "a3", "b3"]);
    assert_eq!(chosen(&game, &state, 10), "a4");
}

#[test]
fn a_threat_is_parried() {
    let game = game("connect-four");
    let state = after(&game, &["a1", "b1", "a2", "b2", "a3"]);
    assert_eq!(chosen(&game, &state, 1000), "a4");
}

#[test]
fn a_mate_is_found() {
    let game = game("chess");
    let state = game.read_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").expect("a position");
    assert_eq!(chosen(&game, &state, 50), "a1a8");
}

#[test]
fn the_same_seed_gives_the_same_choice() {
    for name in ["othello", "proteus"] {
        let game = game(name);
        let state = game.start();
        assert_eq!(best(&game, &state, 100, 11), best(&game, &state, 100, 11), "{name}");
    }
}

#[test]
fn a_finished_game_has_no_choice() {
    let game = game("chess");
    let state = after(&game, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(best(&game, &state, 10, 1), None);
}

#[test]
#[ignore = "takes minutes; run with --release"]
fn the_computer_beats_a_random_player_in_every_game() {
    for name in rulebook::games::names() {
        let game = game(name);
        let terms = Terms { nodes: 200, seed: 1, max_turns: 1000 };
        let bouts: Vec<Bout> = (0..6).map(|number| bout(&game, terms, number)).collect();
        let count = |kind: Bout| bouts.iter().filter(|b| **b == kind).count();
        assert!(count(Bout::Win) > count(Bout::Loss) + 2, "{name}: {bouts:?}");
    }
}
