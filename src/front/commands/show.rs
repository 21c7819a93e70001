//! `rulebook show`.

use crate::front::cli::ShowArgs;
use crate::front::json::Shown;
use crate::front::loading;
use crate::front::output::{Failure, Out};
use crate::session::describe;
use crate::session::draw::{self, Look};

/// Shows a position: the board, what else is known, and its text.
pub fn run(out: &mut Out, args: &ShowArgs) -> Result<bool, Failure> {
    let placed = loading::place(out, &args.game, &args.position)?;
    let (game, state) = (&placed.game, &placed.state);
    if args.output.json() {
        out.json(&Shown::new(placed.loaded.title(), game, state))?;
        return Ok(true);
    }
    out.line(placed.loaded.title())?;
    out.line("")?;
    out.print(draw::position(game, state, &Look { color: out.color, marked: Vec::new() }))?;
    out.line("")?;
    out.line(describe::status(game, state, &placed.open))?;
    out.line(game.position(state))?;
    Ok(true)
}
