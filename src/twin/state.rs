//! What a position consists of, as plain lists and sets.

use crate::ir::board::DirId;
use crate::ir::expr::TurnSet;
use crate::ir::rule::TallyEvent;
use crate::ir::{Cell, Game, KindId, Seat, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A piece on a cell. Its number follows it through one turn; between turns it is its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub kind: KindId,
    pub owner: Option<Seat>,
    pub unmoved: bool,
    pub id: u32,
}

/// A piece as it was when something happened to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub piece: Piece,
    pub cell: Cell,
}

/// The cells of one mark, each with the turn in which it was set, and the piece that set it last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marked {
    pub cells: BTreeMap<Cell, i32>,
    pub marker: Option<u32>,
}

/// How a player's piece moved last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LastMoved {
    pub piece: TypeId,
    pub moved_as: BTreeSet<TypeId>,
}

/// Something that happened to a piece in the current turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Happened {
    pub event: TallyEvent,
    pub kind: KindId,
    pub owner: Option<Seat>,
    pub id: u32,
}

/// What is known only within a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Now {
    /// The texts of the steps done.
    pub steps: Vec<String>,
    /// Pieces that made a step.
    pub acted: BTreeSet<u32>,
    /// The piece that made the step before.
    pub actor: Option<u32>,
    /// Target of the step before.
    pub here: Option<Cell>,
    /// Where it came from.
    pub origin: Option<Cell>,
    /// On which line.
    pub dir: Option<DirId>,
    /// All that happened.
    pub events: Vec<Happened>,
    /// Some step was no pass.
    pub active: bool,
    /// An effect ended the turn.
    pub ended: bool,
    /// What the preferences measured just before the first draw of chance.
    pub preference: Option<Vec<i32>>,
}

/// A mark: its cells with the turns for which they will still be read, and where its marker stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkKey {
    pub cells: Vec<(Cell, i32)>,
    pub marker: Option<Cell>,
}

/// What makes two positions the same for repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub cells: Vec<Option<(KindId, Option<Seat>)>>,
    pub unmoved: BTreeSet<Cell>,
    pub hands: Vec<BTreeMap<TypeId, u32>>,
    pub marks: Vec<MarkKey>,
    pub latches: Vec<Vec<bool>>,
    pub once: Vec<Vec<bool>>,
    pub counters: Vec<Vec<i32>>,
    pub last: Vec<Option<LastMoved>>,
    pub swapped: bool,
    pub seat: Seat,
}

/// A state of the game, at the start of a turn or within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub board: Vec<Option<Piece>>,
    /// For each seat how many of each type.
    pub hands: Vec<BTreeMap<TypeId, u32>>,
    pub marks: Vec<Marked>,
    /// For each latch and seat.
    pub latches: Vec<Vec<bool>>,
    /// For each once-per-game entry and seat: used up.
    pub once: Vec<Vec<bool>>,
    /// For each counter and seat (seat 0 alone where it is not per player).
    pub counters: Vec<Vec<i32>>,
    pub last: Vec<Option<LastMoved>>,
    pub quiets: Vec<i32>,
    /// The player to move.
    pub seat: Seat,
    /// The number of the turn, from 1; 0 while the setup is filled.
    pub turn: i32,
    /// Passes in a row.
    pub passes: u32,
    pub swapped: bool,
    /// Cells filled in the setup.
    pub filled: usize,
    /// Positions at the ends of turns, the start included.
    pub history: Arc<Vec<Key>>,
    pub now: Now,
    /// The next number for a piece.
    pub fresh: u32,
}

impl State {
    /// Where the piece of this number stands.
    pub fn find(&self, id: u32) -> Option<Cell> {
        self.board.iter().position(|p| p.is_some_and(|p| p.id == id)).map(|c| c as Cell)
    }

    /// What stands on a cell.
    pub fn at(&self, c: Cell) -> Option<Piece> {
        self.board[c as usize]
    }

    /// Puts a new piece on a cell.
    pub fn put(&mut self, c: Cell, kind: KindId, owner: Option<Seat>, unmoved: bool) -> Piece {
        let piece = Piece { kind, owner, unmoved, id: self.fresh };
        self.fresh += 1;
        self.board[c as usize] = Some(piece);
        piece
    }

    /// How many of a type a player holds.
    pub fn held(&self, seat: Seat, t: TypeId) -> u32 {
        self.hands[seat as usize].get(&t).copied().unwrap_or(0)
    }

    /// Changes what a player holds; nothing is kept of nothing.
    pub fn hold(&mut self, seat: Seat, t: TypeId, n: u32) {
        let hand = &mut self.hands[seat as usize];
        if n == 0 {
            hand.remove(&t);
        } else {
            hand.insert(t, n);
        }
    }

    /// Whether this happened to the piece in the current turn.
    pub fn happened(&self, id: u32, what: TurnSet) -> bool {
        let event = match what {
            TurnSet::Moved => TallyEvent::Moved,
            TurnSet::Dropped => TallyEvent::Dropped,
            TurnSet::Shifted => TallyEvent::Shifted,
            TurnSet::Flipped => TallyEvent::Flipped,
            TurnSet::Rotated => TallyEvent::Rotated,
        };
        self.now.events.iter().any(|h| h.id == id && h.event == event)
    }

    /// Takes away marks that can no longer be read in the current turn.
    pub fn age_marks(&mut self, game: &Game) {
        for (m, mark) in game.marks.iter().enumerate() {
            if let Some(n) = mark.turns {
                let turn = self.turn;
                self.marks[m].cells.retain(|_, set| *set + i32::from(n) >= turn);
            }
            if self.marks[m].cells.is_empty() {
                self.marks[m].marker = None;
            }
        }
    }

    /// Numbers pieces by their cells and forgets what belongs to the turn.
    pub fn settle(&mut self) {
        let marker: Vec<Option<Cell>> = self.marks.iter().map(|m| m.marker.and_then(|id| self.find(id))).collect();
        for (m, cell) in self.marks.iter_mut().zip(marker) {
            m.marker = cell.map(u32::from);
        }
        for (c, piece) in self.board.iter_mut().enumerate() {
            if let Some(piece) = piece {
                piece.id = c as u32;
            }
        }
        self.fresh = self.board.len() as u32;
        self.now = Now::default();
    }

    /// What is compared for repetition, with `seat` to move in turn `turn`.
    pub fn key(&self, game: &Game, seat: Seat, turn: i32) -> Key {
        let mut unmoved = BTreeSet::new();
        for (c, piece) in self.board.iter().enumerate() {
            if piece.is_some_and(|p| p.unmoved) {
                unmoved.insert(c as Cell);
            }
        }
        let mut marks = Vec::new();
        for (m, mark) in game.marks.iter().enumerate() {
            let life = |set: i32| mark.turns.map_or(0, |n| set + i32::from(n) - turn);
            let cells: Vec<(Cell, i32)> =
                self.marks[m].cells.iter().map(|(c, set)| (*c, life(*set))).filter(|(_, n)| *n >= 0).collect();
            let marker = if cells.is_empty() { None } else { self.marks[m].marker.and_then(|id| self.find(id)) };
            marks.push(MarkKey { cells, marker });
        }
        Key {
            cells: self.board.iter().map(|p| p.map(|p| (p.kind, p.owner))).collect(),
            unmoved,
            hands: self.hands.clone(),
            marks,
            latches: self.latches.clone(),
            once: self.once.clone(),
            counters: self.counters.clone(),
            last: if game.reads_last_moved { self.last.clone() } else { vec![None; self.last.len()] },
            swapped: self.swapped,
            seat,
        }
    }
}
