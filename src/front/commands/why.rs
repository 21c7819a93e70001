//! `rulebook why`.

use crate::base::{Diagnostic, Label, Severity, words};
use crate::engine::{Game, Ground, Refusal, State, Step};
use crate::front::cli::WhyArgs;
use crate::front::json::{Position, Why, WhyStep};
use crate::front::loading::{self, Placed};
use crate::front::output::{Failure, Out};
use crate::front::report;

/// How many moves near to a misspelt one are named.
const NEAREST: usize = 3;

/// Tells which rule allows a move, or which refuses it.
pub fn run(out: &mut Out, args: &WhyArgs) -> Result<bool, Failure> {
    let placed = loading::place(out, &args.game, &args.position)?;
    let (game, state) = (&placed.game, &placed.state);
    let read = game.read(state, &args.turn);
    let legal = read.is_ok();
    if args.json {
        out.json(&answer(&placed, &args.turn, read))?;
        return Ok(legal);
    }
    match &read {
        Ok(steps) => {
            for account in game.account(state, steps) {
                let message = format!("`{}` is legal: {}", account.step, account.reason);
                tell(out, &placed, "legal", message, &account.grounds, &[])?;
            }
        }
        Err(refusal) => {
            let message = format!("`{}` is not legal: {}", args.turn, refusal.reason);
            tell(out, &placed, "illegal", message, &refusal.grounds, &near(game, state, &args.turn, refusal))?;
        }
    }
    Ok(legal)
}

/// Legal moves whose texts are near to a refused one.
fn near(game: &Game, state: &State, text: &str, refusal: &Refusal) -> Vec<String> {
    let steps: Vec<String> = game.steps(state).into_iter().map(|step| game.step_text(step)).collect();
    let mut near: Vec<String> = refusal.nearest.iter().cloned().collect();
    for text in words::nearest_of(text, steps.iter().map(String::as_str)) {
        if near.len() < NEAREST && !near.iter().any(|n| n == text) {
            near.push(text.to_owned());
        }
    }
    near
}

fn tell(
    out: &mut Out,
    placed: &Placed,
    code: &'static str,
    message: String,
    grounds: &[Ground],
    near: &[String],
) -> Result<(), Failure> {
    let near: Vec<String> = near.iter().map(|text| format!("`{text}`")).collect();
    let help = (!near.is_empty()).then(|| format!("did you mean {}?", words::one_of(&near)));
    let Some((first, others)) = grounds.split_first() else {
        out.line(format!("note[{code}]: {message}"))?;
        if let Some(help) = help {
            out.line(format!("  = help: {help}"))?;
        }
        out.line("")?;
        return Ok(());
    };
    let first = Label { span: first.place.span, text: first.text.clone() };
    let mut diagnostic = Diagnostic {
        code,
        severity: Severity::Note,
        message,
        labels: vec![first],
        notes: Vec::new(),
        helps: Vec::new(),
        fix: None,
    };
    for ground in others {
        diagnostic = diagnostic.label(ground.place.span, ground.text.as_str());
    }
    if let Some(help) = help {
        diagnostic = diagnostic.help(help);
    }
    Ok(out.print(report::render(&[diagnostic], &placed.loaded.sources, out.color))?)
}

fn answer(placed: &Placed, turn: &str, read: Result<Vec<Step>, Refusal>) -> Why {
    let (game, state, sources) = (&placed.game, &placed.state, &placed.loaded.sources);
    let position = Position::new(placed.loaded.title(), game, state);
    match read {
        Ok(steps) => {
            let accounts = game.account(state, &steps).into_iter();
            let steps = accounts.map(|a| WhyStep::new(sources, a.step, a.reason, &a.grounds)).collect();
            Why { position, legal: true, steps, nearest: Vec::new() }
        }
        Err(refusal) => {
            let nearest = near(game, state, turn, &refusal);
            let step = WhyStep::new(sources, turn.to_owned(), refusal.reason, &refusal.grounds);
            Why { position, legal: false, steps: vec![step], nearest }
        }
    }
}
