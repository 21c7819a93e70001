//! The texts of moves, written and read. See `docs/language/notation.md`.

use super::step::{Deed, Step};
use super::{Decider, Game, Refusal, State};
use crate::base::words::nearest;
use crate::ir::piece::Generator;
use crate::ir::turn::Chosen;
use crate::ir::{self, KindId};

/// The text of a step.
pub fn step(game: &ir::Game, step: Step) -> String {
    match step.deed {
        Deed::Move { clause, kind, from, to, promote } => {
            let mut text = format!("{}{}", game.cell_name(from), game.cell_name(to));
            if let Some(kind) = promote {
                text.push('=');
                text.push_str(letter(game, kind));
            }
            push_label(label(game, clause, kind), &mut text);
            text
        }
        Deed::Drop { clause, kind, to } => {
            let mut text = match game.one_drop_type() {
                true => game.cell_name(to).to_owned(),
                false => format!("{}@{}", letter(game, kind), game.cell_name(to)),
            };
            if let Some(orientation) = game.kinds[kind as usize].orientation {
                text.push(':');
                text.push_str(&game.type_of(kind).orientations[orientation as usize].name);
            }
            push_label(&game.clauses[clause as usize].label, &mut text);
            text
        }
        Deed::Rotate { remap, cell, named } => {
            let way = &game.remaps[remap as usize].text;
            match (named, way.starts_with(['+', '-'])) {
                (false, _) => way.clone(),
                (true, true) => format!("{}{way}", game.cell_name(cell)),
                (true, false) => format!("{}:{way}", game.cell_name(cell)),
            }
        }
        Deed::Choose { effect, cell } => match effect {
            Chosen::Remove | Chosen::Capture => format!("x{}", game.cell_name(cell)),
            Chosen::Flip => format!("~{}", game.cell_name(cell)),
        },
        Deed::Fill { kind, cell } => format!("{}={}", game.cell_name(cell), letter(game, kind)),
        Deed::Pass => "pass".to_owned(),
        Deed::Swap => "swap".to_owned(),
        Deed::Done => "done".to_owned(),
        Deed::Roll { kind, .. } => format!("~{}", letter(game, kind)),
    }
}

/// The text of the steps of a turn.
pub fn turn(game: &ir::Game, steps: &[Step]) -> String {
    let mut text = String::new();
    for s in steps.iter().filter(|s| s.deed != Deed::Done) {
        if !text.is_empty() && !matches!(s.deed, Deed::Roll { .. }) {
            text.push_str(", ");
        }
        text.push_str(&step(game, *s));
    }
    text
}

fn letter(game: &ir::Game, kind: KindId) -> &str {
    &game.type_of(kind).letter
}

/// The label of a move: that of its line, or of the line by which it is borrowed.
fn label(game: &ir::Game, clause: u16, kind: KindId) -> &str {
    let own = &game.type_of(kind).clauses;
    let imitates = |c: &&u16| matches!(game.clauses[**c as usize].generator, Generator::Imitate { .. });
    let via = own.iter().find(imitates).filter(|_| !own.contains(&clause));
    match (&*game.clauses[clause as usize].label, via) {
        ("", Some(via)) => &game.clauses[*via as usize].label,
        (label, _) => label,
    }
}

fn push_label(label: &str, text: &mut String) {
    if !label.is_empty() {
        text.push(':');
        text.push_str(label);
    }
}

/// Reads the text of a turn or of its next steps, up to the first that completes the turn.
pub fn read(game: &Game, state: &State, text: &str) -> Result<Vec<Step>, Refusal> {
    let mut steps = Vec::new();
    let mut now = state.clone();
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split(',').map(str::trim) {
        // an outcome of chance stands right behind its step; a chosen flip begins with the same sign
        match part.char_indices().find(|(i, c)| *c == '~' && *i > 0) {
            Some((at, _)) => {
                parts.push(&part[..at]);
                parts.extend(part[at..].split_inclusive('~').skip(1).map(|p| p.trim_end_matches('~')));
            }
            None => parts.push(part),
        }
    }
    for (i, part) in parts.iter().enumerate() {
        let typed = match game.decider(&now) {
            Decider::Chance => format!("~{}", part.trim_start_matches('~')),
            Decider::Player(_) => (*part).to_owned(),
        };
        let legal = game.steps(&now);
        let same: Vec<Step> = legal.iter().copied().filter(|s| game.step_text(*s) == typed).collect();
        // steps with one text may differ in how the turn can go on: take the first that the rest of the text fits
        let rest = parts[i + 1..].join(", ");
        let fitting = same.iter().copied().find(|s| {
            if rest.is_empty() || same.len() == 1 {
                return true;
            }
            let mut after = now.clone();
            game.play(&mut after, *s);
            read(game, &after, &rest).is_ok()
        });
        match fitting.or(same.first().copied()) {
            Some(step) => {
                game.play(&mut now, step);
                steps.push(step);
                let over = !game.within_turn(&now) && game.decider(&now) != Decider::Chance;
                if over && i + 1 < parts.len() {
                    let over = game.outcome(&now).map(|_| game.explain(&now, part));
                    let (after, grounds) = match over {
                        Some(refusal) => (refusal.reason, refusal.grounds),
                        None => ("the turn is complete".to_owned(), Vec::new()),
                    };
                    return Err(Refusal {
                        reason: format!("after `{}` {after}", game.turn_text(&steps)),
                        grounds,
                        nearest: Some(game.turn_text(&steps)),
                    });
                }
            }
            None => {
                let mut refusal = game.explain(&now, &typed);
                if refusal.nearest.is_none() {
                    let texts: Vec<String> = legal.iter().map(|s| game.step_text(*s)).collect();
                    refusal.nearest = nearest(&typed, texts.iter().map(String::as_str)).map(str::to_owned);
                }
                return Err(refusal);
            }
        }
    }
    Ok(steps)
}
