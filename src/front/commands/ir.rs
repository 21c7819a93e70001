//! `rulebook ir`.

use crate::front::cli::IrArgs;
use crate::front::output::{Failure, Out};
use crate::front::{listing, loading};

/// Prints what a definition means to the engine.
pub fn run(out: &mut Out, args: &IrArgs) -> Result<bool, Failure> {
    let loaded = loading::load(out, &args.game.game, &args.game.set.set)?;
    let rules = loaded.compile(out)?;
    match args.output.json() {
        true => out.json(&rules)?,
        false => out.print(listing::text(&rules))?,
    }
    Ok(true)
}
