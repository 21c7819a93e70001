//! The start of a game.

use super::{Cell, Cells, KindId, PerSeat, Seat, TypeId};
use serde::{Deserialize, Serialize};

/// The start position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    /// Pieces on cells: owner (none for a neutral piece), kind, cell.
    pub places: Vec<(Option<Seat>, KindId, Cell)>,
    /// What each player holds.
    pub hands: PerSeat<Vec<(TypeId, u16)>>,
    /// A filling that the players do first.
    pub fill: Option<Fill>,
}

/// `setup each player fills CELLS spending N`: before the first turn each player in seat order puts one piece on each of its cells, in order.
/// Each placing is a turn of its own (act `Fill`), turn number 0; no results are tried and no positions counted until all cells are filled.
/// A piece may be placed iff its worth and the cheapest completion of the rest fit the budget, and no `forbid fill` holds afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// For each seat its cells in order: from its own first rank, on each rank from file a.
    pub cells: PerSeat<Cells>,
    /// What each may spend.
    pub budget: i32,
    /// What may be placed.
    pub kinds: Vec<KindId>,
}
