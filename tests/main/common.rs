//! What several tests need: shipped games, ready to be played.

use rulebook::base::Sources;
use rulebook::check::{self, Selection};
use rulebook::engine::{Deed, Game, Outcome, Random};
use rulebook::twin::{Position, Twin};
use std::collections::{BTreeMap, BTreeSet};

/// The definition of a shipped game.
pub fn definition(name: &str) -> check::Definition {
    let mut sources = Sources::new();
    let file = sources.add(name, rulebook::games::text(name).expect("a shipped game"));
    let (definition, diagnostics) = check::load(&mut sources, file, &rulebook::games::Shipped);
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    definition.expect("a definition")
}

/// A shipped game with variants and options: `proteus+warhorses trade-off=off`.
pub fn game(text: &str) -> Game {
    let mut words = text.split_whitespace();
    let mut parts = words.next().expect("a name").split('+');
    let name = parts.next().expect("a name");
    let selection = Selection {
        variants: parts.map(str::to_owned).collect(),
        options: words
            .map(|w| w.split_once('=').map(|(o, v)| (o.to_owned(), v.to_owned())).expect("option=value"))
            .collect(),
    };
    let compiled = definition(name).compile(&selection);
    Game::new(compiled.unwrap_or_else(|d| panic!("{text}: {d:?}")).game).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Every shipped game with every combination of its variants, as `name+variant+variant`.
pub fn combinations() -> Vec<String> {
    let mut list = Vec::new();
    for name in rulebook::games::names() {
        let slugs: Vec<String> = definition(name).variants().iter().map(|v| v.slug.clone()).collect();
        // variants that override the same statement exclude one another; combining is asked of those that can be combined
        for chosen in 0..1u32 << slugs.len() {
            let picked = slugs.iter().enumerate().filter(|(i, _)| chosen >> i & 1 != 0).map(|(_, s)| s.clone());
            let selection = Selection { variants: picked.clone().collect(), options: Vec::new() };
            if definition(name).compile(&selection).is_ok() {
                list.push(std::iter::once(name.to_owned()).chain(picked).collect::<Vec<_>>().join("+"));
            }
        }
    }
    list
}

/// Plays one random game on engine and twin for at most so many turns, and compares positions, hashes, legal turns and results on the way.
/// Stops before a position with more than `most` legal turns. Returns how many legal turns were listed on the way.
///
/// # Errors
/// What they differ in, and where.
pub fn lockstep(game: &Game, twin: &Twin, seed: u64, turns: u32, most: usize) -> Result<usize, String> {
    let (mut listed, mut came) = (0, String::new());
    let mut rng = Random::new(seed);
    let mut state = game.start();
    let mut position = twin.start();
    for _ in 0..turns {
        let text = game.position(&state);
        let place = format!("seed {seed}, at {text}{came}");
        same("the position", &place, &text, &twin.text(&position))?;
        if game.outcome(&state).is_none() {
            let read = game.read_position(&text).map(|s| game.position(&s));
            same("the position read back", &place, &read, &Ok(text.clone()))?;
        }
        same("the hash", &place, &game.hash(&state), &game.hash_afresh(&state))?;
        let Some(list) = game.turns_within(&state, most) else { return Ok(listed) };
        listed += list.len();
        let ours: BTreeMap<String, _> = list.into_iter().map(|t| (game.turn_text(&t), t)).collect();
        let theirs: BTreeMap<String, Position> = twin.turns(&position).into_iter().collect();
        let (a, b): (Vec<&String>, Vec<&String>) = (ours.keys().collect(), theirs.keys().collect());
        same("the legal turns", &place, &a, &b)?;
        same("the result", &place, &ranks(game.outcome(&state)), &ranks(twin.outcome(&position)))?;
        if a.is_empty() {
            return Ok(listed);
        }
        let chosen = a[rng.below(a.len() as u32) as usize].clone();
        for step in &ours[&chosen] {
            game.play(&mut state, *step);
        }
        // a turn that could go on is ended by a step of its own, which its text leaves out
        if let Some(done) = game.steps(&state).into_iter().find(|s| game.within_turn(&state) && s.deed == Deed::Done) {
            game.play(&mut state, done);
        }
        position = theirs[&chosen].clone();
        came = format!(", after {chosen} from {text}");
    }
    Ok(listed)
}

/// Lets the engine play a random game turn by turn, and asks of each turn that it leads to a position to which one of the twin's leads too,
/// and that the game ends when the twin's ends, with the same result.
///
/// # Errors
/// What they differ in, and where.
pub fn follow_playouts(game: &Game, twin: &Twin, seed: u64, turns: u32, most: usize) -> Result<(), String> {
    let mut rng = Random::new(seed);
    let mut state = game.start();
    let mut position = twin.start();
    for _ in 0..turns {
        let place = format!("playout, seed {seed}, at {}", game.position(&state));
        let over = twin.outcome(&position);
        if over.is_none() && game.turns_within(&state, most).is_none() {
            return Ok(());
        }
        let played = game.playout(&mut state, &mut rng, 1);
        same("whether the game goes on", &place, &(played.turns == 1), &over.is_none())?;
        if over.is_some() {
            return same("the result", &place, &ranks(game.outcome(&state)), &ranks(over));
        }
        let text = game.position(&state);
        let found = twin.turns(&position).into_iter().find(|(_, after)| twin.text(after) == text);
        let Some((_, after)) = found else { return Err(format!("no turn of the twin leads to {text} ({place})")) };
        position = after;
    }
    Ok(())
}

/// Plays one random game step by step on the engine and turn by turn on the twin, for at most so many turns, and compares positions and results; at the turns
/// that `listed` picks, from 0, all legal turns too. Returns the number of turns.
///
/// # Errors
/// What they differ in, and where.
pub fn follow_turns(
    game: &Game,
    twin: &Twin,
    seed: u64,
    turns: u32,
    listed: impl Fn(u32) -> bool,
) -> Result<u32, String> {
    let mut rng = Random::new(seed);
    let mut state = game.start();
    let mut position = twin.start();
    for turn in 0..turns {
        let text = game.position(&state);
        let place = format!("seed {seed}, turn {turn}, at {text}");
        same("the position", &place, &text, &twin.text(&position))?;
        same("the result", &place, &ranks(game.outcome(&state)), &ranks(twin.outcome(&position)))?;
        if game.outcome(&state).is_some() {
            return Ok(turn);
        }
        if listed(turn) {
            let ours: BTreeSet<String> = game.turns(&state).iter().map(|t| game.turn_text(t)).collect();
            let theirs: BTreeSet<String> = twin.turns(&position).into_iter().map(|(text, _)| text).collect();
            same("the legal turns", &place, &ours, &theirs)?;
        }
        let mut played = Vec::new();
        while played.is_empty() || game.within_turn(&state) {
            let steps = game.steps(&state);
            let step = steps[rng.below(steps.len() as u32) as usize];
            played.push(step);
            game.play(&mut state, step);
        }
        let text = game.turn_text(&played);
        let after = twin.play(&position, &text);
        position = after.ok_or_else(|| format!("the twin has no turn {text} ({place})"))?;
    }
    Ok(turns)
}

fn ranks(outcome: Option<Outcome>) -> Option<Vec<u8>> {
    outcome.map(|o| o.ranks)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, place: &str, engine: &T, twin: &T) -> Result<(), String> {
    if engine == twin {
        Ok(())
    } else {
        Err(format!("{what} differs ({place})\n  engine: {engine:?}\n  twin:   {twin:?}"))
    }
}
