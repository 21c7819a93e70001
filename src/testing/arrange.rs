//! Diagrams and other statements about a position.

use super::Failure;
use crate::base::words;
use crate::check;
use crate::engine::{Arrangement, Game, State};
use crate::ir::{Cell, KindId, Seat, TypeId};
use crate::syntax::Word;
use crate::syntax::setup::Diagram;

/// What a diagram says of a cell.
pub type Spot = Option<(Option<Seat>, KindId)>;

/// Reads a diagram: what stands on each cell.
pub fn diagram(game: &Game, drawn: &Diagram) -> Result<Vec<Spot>, Vec<Failure>> {
    let places = check::diagram(game.rules(), drawn).map_err(|diagnostics| {
        vec![Failure { diagnostics, ..Failure::new(drawn.span, "the diagram cannot be read") }]
    })?;
    let mut spots: Vec<Spot> = vec![None; game.rules().board.cells.len()];
    for (owner, kind, cell) in places {
        spots[cell as usize] = Some((owner, kind));
    }
    Ok(spots)
}

/// What stands on each cell of a state.
pub fn spots(game: &Game, state: &State) -> Vec<Spot> {
    (0..game.rules().board.cells.len()).map(|c| game.piece(state, c as Cell)).collect()
}

/// The names of the cells where what stands differs from what should.
pub fn difference(game: &Game, expected: &[Spot], found: &[Spot]) -> Vec<String> {
    let rules = game.rules();
    let name = |spot: &Spot| match spot {
        None => "empty".to_owned(),
        Some((owner, kind)) => {
            let owner = owner.map_or(String::new(), |s| format!("{} ", rules.seats[s as usize].name));
            format!("{owner}{}", rules.type_of(*kind).name)
        }
    };
    let same = |a: &Spot, b: &Spot| match (a, b) {
        // Diagrams do not tell how a cube is turned or what a piece was before.
        (Some((o1, k1)), Some((o2, k2))) => {
            o1 == o2 && rules.kinds[*k1 as usize].piece == rules.kinds[*k2 as usize].piece
        }
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    expected
        .iter()
        .zip(found)
        .enumerate()
        .filter(|(_, (e, f))| !same(e, f))
        .map(|(c, (e, f))| format!("{} is {}, not {}", rules.cell_name(c as Cell), name(f), name(e)))
        .collect()
}

/// The parts of a position.
pub fn parts(spots: &[Spot]) -> Arrangement {
    let places = spots
        .iter()
        .enumerate()
        .filter_map(|(cell, spot)| spot.map(|(owner, kind)| (owner, kind, cell as Cell)))
        .collect();
    Arrangement { places, ..Arrangement::default() }
}

/// A player by its name.
pub fn seat(game: &Game, word: &Word) -> Result<Seat, Failure> {
    let seats = &game.rules().seats;
    seats.iter().position(|s| s.name == word.node).map(|i| i as Seat).ok_or_else(|| {
        let names: Vec<&str> = seats.iter().map(|s| s.name.as_str()).collect();
        unknown(word, "player", &names)
    })
}

/// A piece type by its name.
pub fn piece_type(game: &Game, word: &Word) -> Result<TypeId, Failure> {
    let types = &game.rules().types;
    types.iter().position(|t| t.name == word.node).map(|i| i as TypeId).ok_or_else(|| {
        let names: Vec<&str> = types.iter().map(|t| t.name.as_str()).collect();
        unknown(word, "piece", &names)
    })
}

/// A failure for a name that is not known, with the nearest that is.
pub fn unknown(word: &Word, what: &str, known: &[&str]) -> Failure {
    let hint = match words::nearest(&word.node, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("this game has no {what}"),
        None => format!("there are {}", words::all_of(known)),
    };
    Failure::new(word.span, format!("`{}` is no {what} of this game; {hint}", word.node))
}
