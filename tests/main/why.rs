//! Why a turn is legal or not: what a player is told, and that it is true.

use rulebook::base::Sources;
use rulebook::check::{self, Selection};
use rulebook::engine::{Deed, Game, Ground, Random, State};
use rulebook::session::{play_line, split_line};
use std::fmt::Write;

/// A shipped game as `common::game` reads it, with its texts.
fn load(text: &str) -> (Sources, Game) {
    let name = text.split([' ', '+']).next().unwrap_or_default();
    let mut sources = Sources::new();
    let file = sources.add(format!("{name}.game"), rulebook::games::text(name).expect("a shipped game"));
    let definition = check::load(&mut sources, file, &rulebook::games::Shipped).0.expect("a definition");
    let mut words = text.split_whitespace();
    let selection = Selection {
        variants: words.next().unwrap_or_default().split('+').skip(1).map(str::to_owned).collect(),
        options: words.filter_map(|w| w.split_once('=')).map(|(o, v)| (o.to_owned(), v.to_owned())).collect(),
    };
    let compiled = definition.compile(&selection).unwrap_or_else(|d| panic!("{text}: {d:?}"));
    (sources, Game::new(compiled.game).expect("a game"))
}

/// The state after `after TURNS`, or of `position TEXT`.
fn state(game: &Game, before: &str) -> State {
    let mut state = game.start();
    if let Some(position) = before.strip_prefix("position ") {
        return game.read_position(position).unwrap_or_else(|e| panic!("{before}: {e}"));
    }
    let turns = split_line(before.strip_prefix("after ").unwrap_or(""));
    let open = play_line(game, &mut state, &turns).unwrap_or_else(|e| panic!("{before}: {e}"));
    assert!(open.is_empty(), "{before} ends within a turn");
    state
}

fn grounds(out: &mut String, sources: &Sources, grounds: &[Ground]) {
    for ground in grounds {
        let lines = sources.slice(ground.place.span).lines().map(|line| line.split('#').next().unwrap_or(line));
        let words = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        assert_eq!(words, ground.place.text, "the place and its words differ");
        let name = &sources.get(ground.place.span.file).name;
        let (line, column) = sources.line_column(ground.place.span);
        let _ = writeln!(out, "      {name}:{line}:{column} `{}`: {}", ground.place.text, ground.text);
    }
}

#[test]
fn turns_are_explained() {
    let mut out = String::new();
    let mut cases = 0;
    for line in include_str!("../why/cases.txt").lines() {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, before, turn] = parts.as_slice() else {
            assert!(line.is_empty() || line.starts_with('#'), "{line}");
            let _ = writeln!(out, "{line}");
            continue;
        };
        let (sources, game) = load(name);
        let state = state(&game, before);
        let _ = writeln!(out, "{name} | {before} | {turn}");
        match game.read(&state, turn) {
            Ok(steps) => {
                for account in game.account(&state, &steps) {
                    let _ = writeln!(out, "  yes {}: {}", account.step, account.reason);
                    grounds(&mut out, &sources, &account.grounds);
                }
            }
            Err(refusal) => {
                let _ = writeln!(out, "  no  {}", refusal.reason);
                grounds(&mut out, &sources, &refusal.grounds);
            }
        }
        cases += 1;
    }
    assert!(cases > 60, "{cases}");
    insta::with_settings!({ snapshot_path => "../why", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("cases", out);
    });
}

#[test]
fn lines_that_do_alike_are_told_apart() {
    let game = rulebook::load(
        "game \"Two Lines\"\nplayers White, Black\nboard 5x5\npiece Man \"M\" { slide diagonal; leap (1,2) }\n\
         setup Man on a1\ndraw when turn number = 9\n",
    )
    .expect("a game");
    let start = game.start();
    for (turn, line) in [("a1c3", "slide diagonal"), ("a1b3", "leap (1,2)")] {
        let steps = game.read(&start, turn).expect("a legal turn");
        assert_eq!(game.account(&start, &steps)[0].reason, format!("a Man may `{line}`"));
        let Deed::Move { clause, .. } = game.deed(&start, steps[0]) else { panic!("{turn} is a move") };
        assert_eq!(game.rules().clauses[clause as usize].text, line);
    }
}

/// Asks about everything that could be typed as a move of a piece, in positions of random games.
#[test]
fn every_legal_step_has_a_rule_and_every_other_a_reason() {
    let games =
        ["chess", "crazyhouse", "proteus+polarity", "magneton", "monteagudo", "bushi-shogi", "draughts", "othello"];
    for (seed, name) in games.iter().enumerate() {
        let (sources, game) = load(name);
        let mut rng = Random::new(seed as u64 + 11);
        let mut state = game.start();
        let cells = game.rules().board.cells.len() as u16;
        for _ in 0..if cfg!(debug_assertions) { 5 } else { 60 } {
            let steps = game.steps(&state);
            if steps.is_empty() {
                break;
            }
            for step in &steps {
                let account = game.account(&state, &[*step]).remove(0);
                let allowed = account.grounds.first().map(|g| &g.place.text);
                match game.deed(&state, *step) {
                    // The rule that is named is one that yields the step.
                    Deed::Move { clause, .. } | Deed::Drop { clause, .. } => {
                        assert_eq!(allowed, Some(&game.rules().clauses[clause as usize].text), "{name}: {account:?}");
                    }
                    _ => assert!(!account.reason.is_empty(), "{name}: {account:?}"),
                }
                grounds(&mut String::new(), &sources, &account.grounds);
            }
            let legal: Vec<String> = steps.iter().map(|s| game.step_text(*s)).collect();
            for _ in 0..60 {
                let mut cell = || game.rules().cell_name(rng.below(u32::from(cells)) as u16).to_owned();
                let text = format!("{}{}", cell(), cell());
                if legal.contains(&text) {
                    continue;
                }
                let refusal = game.explain(&state, &text);
                assert!(!refusal.reason.is_empty(), "{name}: {text}");
                grounds(&mut String::new(), &sources, &refusal.grounds);
            }
            let step = steps[rng.below(steps.len() as u32) as usize];
            game.play(&mut state, step);
        }
    }
}
