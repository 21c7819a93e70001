//! Matches: what commands do, undo, saved games, swapped sides.

use crate::common::game;
use rulebook::session::{Command, Event, Match, Player, Saved, Waiting};

fn both(name: &str) -> Match {
    Match::new(game(name), Vec::new(), 7)
}

fn play(current: &mut Match, moves: &[&str]) -> Vec<Event> {
    let mut all = Vec::new();
    for text in moves {
        let events = current.submit(Command::Play(text.to_string()));
        let refused = events.iter().find(|e| matches!(e, Event::Refused { .. } | Event::Impossible(_)));
        assert_eq!(refused, None, "{text}");
        all.extend(events);
    }
    all
}

#[test]
fn a_turn_is_told_once_it_is_complete() {
    let mut current = both("proteus");
    let events = play(&mut current, &["b2b4"]);
    assert!(matches!(events.as_slice(), [Event::Stepped { seat: 0, .. }]), "{events:?}");
    assert_eq!(current.turn_so_far().len(), 1);
    let events = play(&mut current, &["c1+"]);
    assert!(events.iter().any(|e| matches!(e, Event::Turn { seat: 0, text, .. } if text == "b2b4, c1+")), "{events:?}");
    assert_eq!(current.turns(), ["b2b4, c1+"]);
    assert_eq!(current.waiting(), Waiting::Human(1));
}

#[test]
fn undo_takes_back_what_was_typed_last() {
    let mut current = both("proteus");
    let start = current.game().position(current.state());
    play(&mut current, &["b2b4, c1+"]);
    current.submit(Command::Undo);
    assert_eq!(current.game().position(current.state()), start);
    play(&mut current, &["b2b4", "c1+"]);
    current.submit(Command::Undo);
    assert_eq!(current.turn_so_far().len(), 1);
    current.submit(Command::Undo);
    assert_eq!(current.game().position(current.state()), start);
    assert!(matches!(current.submit(Command::Undo).as_slice(), [Event::Impossible(_)]));
}

#[test]
fn undo_goes_back_over_the_reply_of_a_machine() {
    let game = game("chess");
    let mut current = Match::new(game, vec![Player::Human, Player::Random], 3);
    let start = current.game().position(current.state());
    play(&mut current, &["e2e4"]);
    while let Waiting::Machine(_) = current.waiting() {
        current.submit(Command::Continue);
    }
    assert_eq!(current.turns().len(), 2);
    current.submit(Command::Undo);
    assert_eq!(current.game().position(current.state()), start);
}

#[test]
fn chance_is_not_chosen_by_the_player() {
    let game = game("proteus+russian-roulette");
    let state = game.read_position("8/8/8/3p4/4P3/8/1P6/8 w").expect("a position");
    let mut current = Match::from_position(game, Vec::new(), 7, state);
    let before = current.game().position(current.state());
    let events = current.submit(Command::Play("e4d5~R, b2+".to_owned()));
    assert!(matches!(events.as_slice(), [Event::Refused { .. }]), "{events:?}");
    assert_eq!(current.game().position(current.state()), before);
    // A turn may be typed at once although chance decides in its middle.
    let events = play(&mut current, &["e4d5, b2+"]);
    assert_eq!(events.iter().filter(|e| matches!(e, Event::Chance { .. })).count(), 1, "{events:?}");
    assert_eq!(current.turns().len(), 1);
    let first = current.turns();
    current.submit(Command::Undo);
    play(&mut current, &["e4d5, b2+"]);
    assert_eq!(current.turns(), first, "the same seed and move give the same roll");
}

#[test]
fn a_saved_game_is_the_same_game() {
    let mut current = Match::new(game("proteus+warhorses"), vec![Player::Human, Player::Computer { nodes: 30 }], 42);
    for text in ["b2b4, c1+", "b4b5, c1+"] {
        play(&mut current, &[text]);
        while let Waiting::Machine(_) = current.waiting() {
            current.submit(Command::Continue);
        }
    }
    let text = current.save("proteus", &["Warhorses".to_owned()], &[]);
    let saved = Saved::parse(&text).expect("it can be read");
    assert_eq!((saved.game.as_str(), saved.seed), ("proteus", 42));
    assert_eq!(saved.variants, ["Warhorses"]);
    let again = saved.replay(game("proteus+warhorses")).expect("it can be played");
    assert_eq!(again.turns(), current.turns());
    assert_eq!(again.game().position(again.state()), current.game().position(current.state()));
    assert_eq!(again.player(1), Player::Computer { nodes: 30 });
    assert_eq!(again.save("proteus", &["Warhorses".to_owned()], &[]), text);
}

#[test]
fn a_broken_saved_game_says_where() {
    let head = "rulebook saved game 1\ngame chess\nseed 1\nmoves\n";
    let parse = |text: &str| Saved::parse(text).map_err(|e| e.to_string());
    assert!(parse("").unwrap_err().contains("empty"));
    assert!(parse("hello").unwrap_err().starts_with("line 1: not a saved game"));
    assert!(parse("rulebook saved game 9\n").unwrap_err().contains("only version 1"));
    assert!(parse("rulebook saved game 1\ngame chess\nsede 3\n").unwrap_err().starts_with("line 3: `sede`"));
    let saved = parse(&format!("{head}  1  e2e4\n  2  e7e5\n  3  e1e3\n")).expect("it can be read");
    let error = saved.replay(game("chess")).err().expect("the king does not move so");
    assert_eq!(error.line, 7);
    assert!(error.message.starts_with("`e1e3` cannot be played"), "{error}");
}

#[test]
fn resigning_ends_the_game_and_can_be_taken_back() {
    let mut current = both("chess");
    play(&mut current, &["e2e4"]);
    let events = current.submit(Command::Resign);
    assert!(matches!(events.as_slice(), [Event::Over(outcome)] if outcome.winner() == Some(0)), "{events:?}");
    assert_eq!(current.waiting(), Waiting::Nobody);
    assert!(matches!(current.submit(Command::Play("e7e5".to_owned())).as_slice(), [Event::Impossible(_)]));
    let text = current.save("chess", &[], &[]);
    let again = Saved::parse(&text).expect("it can be read").replay(game("chess")).expect("it can be played");
    assert_eq!(again.outcome().and_then(|o| o.winner()), Some(0));
    current.submit(Command::Undo);
    play(&mut current, &["e7e5"]);
}

#[test]
fn after_a_swap_the_persons_keep_their_players() {
    let mut current = Match::new(game("hex"), vec![Player::Human, Player::Random], 1);
    play(&mut current, &["f6"]);
    assert_eq!(current.waiting(), Waiting::Machine(1));
    let mut current = Match::new(game("hex"), vec![Player::Random, Player::Human], 1);
    current.submit(Command::Continue);
    play(&mut current, &["swap"]);
    let (game, state) = (current.game(), current.state());
    assert_eq!((game.person(state, 0), game.person(state, 1)), (1, 0), "the human sits on the first seat now");
    match current.waiting() {
        Waiting::Human(seat) => assert_eq!(seat, 0),
        Waiting::Machine(seat) => assert_eq!(seat, 1),
        other => panic!("{other:?}"),
    }
}
