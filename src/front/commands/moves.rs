//! `rulebook moves`.

use crate::engine::Step;
use crate::front::cli::MovesArgs;
use crate::front::json::{Move, Moves, Position};
use crate::front::loading;
use crate::front::output::{Failure, Out};

/// More turns than this are not listed.
const TOO_MANY: usize = 1_000_000;

/// Lists the legal turns, or the next steps.
pub fn run(out: &mut Out, args: &MovesArgs) -> Result<bool, Failure> {
    let placed = loading::place(out, &args.game, &args.position)?;
    let (game, state) = (&placed.game, &placed.state);
    let mut turns: Vec<Vec<Step>> = match args.steps {
        true => game.steps(state).into_iter().map(|step| vec![step]).collect(),
        false => game.turns_within(state, TOO_MANY).ok_or_else(|| {
            Failure::wrong(format!("there are more than {TOO_MANY} turns")).help("`--steps` lists the next steps only")
        })?,
    };
    if let Some(name) = &args.from {
        let cell = game
            .rules()
            .board
            .cell(name)
            .ok_or_else(|| Failure::usage(format!("`{name}` is no cell of this board")))?;
        turns.retain(|steps| steps.first().is_some_and(|step| step.deed.source().or(step.deed.target()) == Some(cell)));
    }
    if args.output.json() {
        let moves: Vec<Move> = turns.iter().map(|steps| Move::new(game, steps)).collect();
        let position = Position::new(placed.loaded.title(), game, state);
        out.json(&Moves { position, count: moves.len(), moves })?;
        return Ok(true);
    }
    for steps in &turns {
        out.line(game.turn_text(steps))?;
    }
    Ok(true)
}
