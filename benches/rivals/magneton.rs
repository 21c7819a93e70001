//! Magneton on a mailbox board, with every option as it is set at first.

use super::mailbox::{self, Board, CELLS, DIRECTIONS, EMPTY, WALL, first, name, next};
use super::{Outcome, Rules};

/// Stones of each player before the first turn.
const STONES: u8 = 12;

/// A turn; cells are those of the mailbox.
#[derive(Clone, Copy)]
pub enum Step {
    /// A stone is placed.
    Drop { to: usize },
    /// A stone moves.
    Slide { from: usize, to: usize },
}

/// One moment of a game; a stone is the number of its owner plus 1.
#[derive(Clone, Copy)]
pub struct Magneton {
    board: Board,
    side: u8,
    hands: [u8; 2],
    /// Turns since the last stone was placed.
    moves: u32,
    /// The players that have a row through a stone shifted in the last turn.
    rows: [bool; 2],
}

impl Magneton {
    /// Shifts the stones that see the one on `cell`; returns where those are that were shifted, 0 for none, by
    /// direction.
    fn shift(&mut self, cell: usize) -> [usize; 8] {
        DIRECTIONS.map(|direction| {
            let from = first(&self.board, cell, direction);
            let stone = self.board[from];
            if stone == WALL {
                return 0;
            }
            let to = match stone == self.board[cell] {
                true => next(first(&self.board, from, direction), -direction),
                false => next(cell, direction),
            };
            self.board[from] = EMPTY;
            self.board[to] = stone;
            if to == from { 0 } else { to }
        })
    }

    /// Whether four stones or more of one colour stand in line through the stone on a cell.
    fn is_in_row(&self, cell: usize) -> bool {
        let stone = self.board[cell];
        let run = |direction| {
            let mut n = 0;
            let mut at = next(cell, direction);
            while self.board[at] == stone {
                n += 1;
                at = next(at, direction);
            }
            n
        };
        DIRECTIONS[..4].iter().any(|d| run(*d) + run(-*d) >= 3)
    }
}

impl Rules for Magneton {
    type Step = Step;

    fn start() -> Magneton {
        Magneton { board: mailbox::empty(), side: 0, hands: [STONES; 2], moves: 0, rows: [false; 2] }
    }

    fn list(&self, steps: &mut Vec<Step>) {
        let mine = self.side + 1;
        if self.hands[usize::from(self.side)] > 0 {
            steps.extend(CELLS.into_iter().filter(|c| self.board[*c] == EMPTY).map(|to| Step::Drop { to }));
            return;
        }
        for from in CELLS.into_iter().filter(|c| self.board[*c] == mine) {
            for direction in DIRECTIONS {
                let ahead = first(&self.board, from, direction);
                let to = next(ahead, -direction);
                if to == from {
                    continue;
                }
                let drawn = self.board[ahead] == 3 - mine;
                if drawn || self.board[first(&self.board, from, -direction)] == mine {
                    steps.push(Step::Slide { from, to });
                }
            }
        }
    }

    fn after(&self, step: Step) -> Option<Magneton> {
        let mut after = *self;
        let to = match step {
            Step::Drop { to } => {
                after.hands[usize::from(self.side)] -= 1;
                after.moves = 0;
                to
            }
            Step::Slide { from, to } => {
                after.board[from] = EMPTY;
                after.moves += 1;
                to
            }
        };
        after.board[to] = self.side + 1;
        after.rows = [false; 2];
        for shifted in after.shift(to) {
            if shifted != 0 && after.is_in_row(shifted) {
                after.rows[usize::from(after.board[shifted] - 1)] = true;
            }
        }
        after.side = 1 - self.side;
        Some(after)
    }

    fn reversible(&self) -> usize {
        self.moves as usize
    }

    fn key(&self) -> u64 {
        super::hash(&self.board, u64::from(self.side))
    }

    fn outcome(&self, occurred: usize) -> Option<Outcome> {
        let mover = 1 - self.side;
        if self.rows[usize::from(mover)] {
            return Some(Outcome::Won(mover));
        }
        if self.rows[usize::from(self.side)] {
            return Some(Outcome::Won(self.side));
        }
        (occurred >= 3).then_some(Outcome::Drawn)
    }

    fn stuck(&self) -> Outcome {
        Outcome::Won(1 - self.side)
    }

    fn text(&self, step: Step) -> String {
        match step {
            Step::Drop { to } => name(to),
            Step::Slide { from, to } => name(from) + &name(to),
        }
    }
}
