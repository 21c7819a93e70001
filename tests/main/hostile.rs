//! Definitions that try to make the program recurse, hang or grow without end: `tests/hostile`. Each is refused with an error, or can be played.

use rulebook::base::Sources;
use rulebook::check::{self, Selection};
use rulebook::engine::{Game, Random};
use rulebook::games::Shipped;

#[test]
fn no_definition_brings_the_program_down() {
    insta::glob!("../..", "tests/hostile/*.game", |path| {
        let mut sources = Sources::new();
        let text = std::fs::read_to_string(path).expect("a text");
        let file = sources.add("hostile.game", text);
        let (definition, errors) = check::load(&mut sources, file, &Shipped);
        let compiled = definition.filter(|_| errors.is_empty()).map(|d| {
            let _ = d.check();
            d.compile(&Selection::default())
        });
        let Some(Ok(compiled)) = compiled else { return };
        let game = Game::new(compiled.game).expect("what is checked can be played");
        let state = game.start();
        let _ = game.steps(&state);
        let _ = game.turns_within(&state, 2);
        let _ = game.perft_within(&state, 1, 3);
        let _ = game.playout(&mut state.clone(), &mut Random::new(1), 4);
        let read = game.read_position(&game.position(&state)).map(|s| game.position(&s));
        assert!(read.is_ok(), "{}: {read:?}", path.display());
        let _ = game.explain(&state, "a1a2").reason;
    });
}
