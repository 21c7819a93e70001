//! `rulebook perft`.

use crate::engine::{Game, State, Step};
use crate::front::cli::PerftArgs;
use crate::front::json::{Divided, Perft};
use crate::front::loading;
use crate::front::output::{Failure, Out};
use std::time::Instant;

/// Counts the sequences of turns, or of decisions.
pub fn run(out: &mut Out, args: &PerftArgs) -> Result<bool, Failure> {
    let placed = loading::place(out, &args.game, &args.position)?;
    let (game, state) = (&placed.game, &placed.state);
    if args.divide && args.depth == 0 {
        return Err(Failure::usage("`--divide` needs a depth of at least 1"));
    }
    let began = Instant::now();
    let mut divide = None;
    let count = if args.divide {
        let mut parts = Vec::new();
        for steps in first(game, state, args.steps)? {
            let mut after = state.clone();
            for step in &steps {
                let _ = game.play(&mut after, *step);
            }
            let part = Divided { text: game.turn_text(&steps), count: count(game, &after, args.depth - 1, args.steps) };
            if !args.output.json() {
                out.line(format!("{}: {}", part.text, part.count))?;
            }
            parts.push(part);
        }
        let sum = parts.iter().map(|p| p.count).sum();
        divide = Some(parts);
        sum
    } else {
        count(game, state, args.depth, args.steps)
    };
    let seconds = began.elapsed().as_secs_f64();
    let unit = if args.steps { "decisions" } else { "turns" };
    if args.output.json() {
        let (game_name, position) = (placed.loaded.title(), game.position(state));
        out.json(&Perft { game: game_name, position, depth: args.depth, unit, count, divide, seconds })?;
    } else {
        out.line(format!("perft {} = {count}", args.depth))?;
        out.error(format!("{seconds:.3} s, {:.0} {unit} a second\n", count as f64 / seconds.max(1e-9)));
    }
    Ok(true)
}

fn first(game: &Game, state: &State, steps: bool) -> Result<Vec<Vec<Step>>, Failure> {
    match steps {
        true => Ok(game.steps(state).into_iter().map(|step| vec![step]).collect()),
        false => game.turns_within(state, 1_000_000).ok_or_else(|| {
            Failure::wrong("there are too many turns to list").help("`--steps` divides by the first step")
        }),
    }
}

fn count(game: &Game, state: &State, depth: u32, steps: bool) -> u64 {
    if steps { game.perft_steps(state, depth) } else { game.perft(state, depth) }
}
