//! Sentences about a game in progress.

use crate::engine::{Decider, Deed, Game, Outcome, State, Step};
use crate::ir::expr::{Cond, Who};
use crate::ir::turn::Chosen;
use crate::ir::{KindId, Seat};

/// The name of a seat.
pub fn seat_name(game: &Game, seat: Seat) -> &str {
    game.rules().seats.get(seat as usize).map_or("nobody", |seat| &seat.name)
}

/// The name of a piece as it stands: its type, and for a cube how it is turned.
pub fn kind_name(game: &Game, kind: KindId) -> String {
    let rules = game.rules();
    let piece = rules.type_of(kind);
    match rules.kinds[kind as usize].orientation {
        Some(turned) => match piece.orientations.get(turned as usize) {
            Some(orientation) => format!("{} ({})", piece.name, orientation.name),
            None => piece.name.clone(),
        },
        None => piece.name.clone(),
    }
}

/// `White wins`, `draw`, `White and Red share the win`.
pub fn verdict(game: &Game, outcome: &Outcome) -> String {
    let first: Vec<&str> =
        (0..outcome.ranks.len()).filter(|s| outcome.ranks[*s] == 1).map(|s| seat_name(game, s as Seat)).collect();
    match outcome.winner() {
        Some(winner) => format!("{} wins", seat_name(game, winner)),
        None if first.len() == outcome.ranks.len() => "draw".to_owned(),
        None => format!("{} share the win", crate::base::words::all_of(&first)),
    }
}

/// The verdict and its reason.
pub fn result(game: &Game, outcome: &Outcome) -> String {
    if outcome.reason.is_empty() {
        verdict(game, outcome)
    } else {
        format!("{} ({})", verdict(game, outcome), outcome.reason)
    }
}

/// Whose turn it is, which turn, and which step of it: `turn 3: White to move, step 2 (rotate)`.
pub fn status(game: &Game, state: &State, so_far: &[Step]) -> String {
    if let Some(outcome) = game.outcome(state) {
        return format!("game over: {}", result(game, &outcome));
    }
    if game.decider(state) == Decider::Chance {
        return "chance decides".to_owned();
    }
    let name = seat_name(game, game.to_move(state));
    let number = game.turn_number(state);
    let mut line = match number {
        0 => filling(game, state, name),
        _ => format!("turn {number}: {name} to move"),
    };
    let royal = game.rules().types.iter().any(|t| t.royal);
    if royal && game.holds(state, &Cond::InCheck(Who::Me), game.to_move(state)) {
        line.push_str(", in check");
    }
    let steps = so_far.iter().filter(|step| !matches!(step.deed, Deed::Roll { .. })).count();
    if steps > 0 || game.within_turn(state) {
        let words = offers(game, state);
        line.push_str(&format!(", step {} ({})", steps + 1, words.join(" or ")));
        if !so_far.is_empty() {
            line.push_str(&format!(" after {}", game.turn_text(so_far)));
        }
    }
    line
}

/// While the setup is filled: which cell, and what may still be spent.
fn filling(game: &Game, state: &State, name: &str) -> String {
    let rules = game.rules();
    let seat = game.to_move(state);
    let cell = game.steps(state).iter().find_map(|s| s.deed.source()).map_or("a cell", |c| rules.cell_name(c));
    let Some(fill) = &rules.setup.fill else { return format!("setup: {name} fills {cell}") };
    let own = fill.cells.get(seat as usize).into_iter().flatten();
    let spent: i32 = own.filter_map(|c| game.piece(state, *c)).map(|(_, kind)| rules.type_of(kind).worth).sum();
    format!("setup: {name} fills {cell}, {} points left", fill.budget - spent)
}

/// What kinds of act the steps of a state are, in the order of the steps.
fn offers(game: &Game, state: &State) -> Vec<&'static str> {
    let mut words = Vec::new();
    for step in game.steps(state) {
        let word = verb(&step.deed);
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The word for what a deed does.
pub fn verb(deed: &Deed) -> &'static str {
    match deed {
        Deed::Move { .. } => "move",
        Deed::Drop { .. } => "drop",
        Deed::Rotate { .. } => "rotate",
        Deed::Choose { effect: Chosen::Remove, .. } => "remove",
        Deed::Choose { effect: Chosen::Capture, .. } => "capture",
        Deed::Choose { effect: Chosen::Flip, .. } => "flip",
        Deed::Pass => "pass",
        Deed::Swap => "swap",
        Deed::Done => "done",
        Deed::Fill { .. } => "place",
        Deed::Roll { .. } => "roll",
    }
}
