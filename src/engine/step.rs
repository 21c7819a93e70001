//! Steps: one act of a turn, as data.

use crate::ir::turn::Chosen;
use crate::ir::{Cell, ClauseId, KindId};

/// One act of a turn, or an outcome of chance. It belongs to the state it was listed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// What is done.
    pub deed: Deed,
    /// The state of the turn graph after it.
    pub(crate) next: u16,
}

impl Step {
    /// The same move with this promotion.
    pub(super) fn promoting(self, becomes: Option<KindId>) -> Step {
        match self.deed {
            Deed::Move { clause, kind, from, to, .. } => {
                Step { deed: Deed::Move { clause, kind, from, to, promote: becomes }, ..self }
            }
            _ => self,
        }
    }
}

/// What is done in a step; cells are those of the board, kinds and clauses those of the rules.
#[allow(missing_docs, reason = "the fields are named in the doc lines of the variants")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// A piece of a kind moves by a clause; `promote` is what it becomes.
    Move { clause: ClauseId, kind: KindId, from: Cell, to: Cell, promote: Option<KindId> },
    /// A piece enters from the hand.
    Drop { clause: ClauseId, kind: KindId, to: Cell },
    /// A piece is rotated by a table.
    Rotate { remap: u16, cell: Cell, named: bool },
    /// An effect on a chosen piece.
    Choose { effect: Chosen, cell: Cell },
    /// Nothing.
    Pass,
    /// The persons change seats.
    Swap,
    /// The turn ends although it could go on.
    Done,
    /// A piece is placed while the setup is filled.
    Fill { kind: KindId, cell: Cell },
    /// An outcome of chance: the piece on the cell becomes the kind.
    Roll { kind: KindId, cell: Cell },
}

impl Deed {
    /// The cell that the deed starts from or is done on, as a player would point at it.
    pub fn source(&self) -> Option<Cell> {
        match *self {
            Deed::Move { from, .. } => Some(from),
            Deed::Rotate { cell, .. }
            | Deed::Choose { cell, .. }
            | Deed::Fill { cell, .. }
            | Deed::Roll { cell, .. } => Some(cell),
            Deed::Drop { .. } | Deed::Pass | Deed::Swap | Deed::Done => None,
        }
    }

    /// The cell where a piece lands.
    pub fn target(&self) -> Option<Cell> {
        match *self {
            Deed::Move { to, .. } | Deed::Drop { to, .. } => Some(to),
            _ => None,
        }
    }
}
