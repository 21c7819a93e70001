//! Proteus on a mailbox board, without variants.

use super::mailbox::{self, Board, CELLS, DIRECTIONS, EMPTY, KNIGHT, WALL, forward, name, next};
use super::{Outcome, Rules};
use std::cmp::Ordering;

const PYRAMID: u8 = 1;
const PAWN: u8 = 2;
const BISHOP: u8 = 3;
const KNIGHT_FACE: u8 = 4;
const ROOK: u8 = 5;
const QUEEN: u8 = 6;
/// Points by face.
const WORTH: [u16; 7] = [0, 0, 2, 3, 4, 5, 6];
/// Set in the dice of the second player; the rest is the face.
const SECOND: u8 = 8;
/// Turns without a capture after which the points decide.
const QUIET_LIMIT: u8 = 100;

/// A step of a turn; cells are those of the mailbox.
#[derive(Clone, Copy)]
pub enum Step {
    /// A die moves.
    Move { from: usize, to: usize },
    /// A die goes so many faces up the ladder, or down if negative.
    Rotate { cell: usize, by: i8 },
}

/// One moment of a game.
#[derive(Clone, Copy)]
pub struct Proteus {
    board: Board,
    side: u8,
    /// The cell of the die that moved in this turn; 0 for none.
    moved: usize,
    captured: bool,
    /// A player has too few dice left.
    last_die: bool,
    dice: [u8; 2],
    score: [u16; 2],
    quiet: u8,
}

fn die(face: u8, owner: u8) -> u8 {
    face + owner * SECOND
}

fn owner(die: u8) -> u8 {
    u8::from(die & SECOND != 0)
}

fn face(die: u8) -> u8 {
    die & !SECOND
}

/// Whether a pawn of the player may go two steps from here: a dark cell of its first two ranks.
fn is_start(cell: usize, player: u8) -> bool {
    mailbox::rank(cell, player) < 2 && (cell / 10 + cell % 10) % 2 == 1
}

impl Proteus {
    /// Whether the die on a cell can be captured by the player.
    fn is_prey(&self, cell: usize, player: u8) -> bool {
        let die = self.board[cell];
        die != EMPTY && die != WALL && owner(die) != player && face(die) != PYRAMID
    }

    /// Calls `f` with the cells to which the die on a cell can move.
    fn each_target(&self, from: usize, mut f: impl FnMut(usize)) {
        let die = self.board[from];
        let player = owner(die);
        let directions = match face(die) {
            PAWN => {
                let ahead = next(from, forward(player));
                if self.board[ahead] == EMPTY {
                    f(ahead);
                    let second = next(ahead, forward(player));
                    if is_start(from, player) && self.board[second] == EMPTY {
                        f(second);
                    }
                }
                [ahead - 1, ahead + 1].into_iter().filter(|c| self.is_prey(*c, player)).for_each(f);
                return;
            }
            KNIGHT_FACE => {
                for step in KNIGHT {
                    let to = next(from, step);
                    if self.board[to] == EMPTY || self.is_prey(to, player) {
                        f(to);
                    }
                }
                return;
            }
            BISHOP => [false, true],
            ROOK => [true, false],
            QUEEN => [true, true],
            _ => return,
        };
        for (i, direction) in DIRECTIONS.into_iter().enumerate() {
            if !directions[i % 2] {
                continue;
            }
            let mut to = next(from, direction);
            while self.board[to] == EMPTY {
                f(to);
                to = next(to, direction);
            }
            if self.is_prey(to, player) {
                f(to);
            }
        }
    }

    /// Takes a die off the board and counts it for the player to move.
    fn capture(&mut self, cell: usize) {
        self.score[usize::from(self.side)] += WORTH[usize::from(face(self.board[cell]))];
        self.dice[usize::from(1 - self.side)] -= 1;
        self.board[cell] = EMPTY;
        self.captured = true;
    }

    fn move_die(&mut self, from: usize, to: usize) {
        if self.board[to] != EMPTY {
            self.capture(to);
        }
        self.board[to] = self.board[from];
        self.board[from] = EMPTY;
        // the stab in the back: the queen that has this cell behind her
        let enemy = 1 - self.side;
        let front = next(to, forward(enemy));
        if self.board[front] == die(QUEEN, enemy) {
            self.capture(front);
        }
    }

    fn end_turn(&mut self) {
        self.quiet = if self.captured { 0 } else { self.quiet + 1 };
        self.captured = false;
        self.moved = 0;
        self.side = 1 - self.side;
    }

    fn can_move(&self) -> bool {
        CELLS.into_iter().any(|cell| {
            let die = self.board[cell];
            let mut found = false;
            if die != EMPTY && owner(die) == self.side {
                self.each_target(cell, |_| found = true);
            }
            found
        })
    }

    fn highest_score(&self) -> Outcome {
        match self.score[0].cmp(&self.score[1]) {
            Ordering::Greater => Outcome::Won(0),
            Ordering::Equal => Outcome::Drawn,
            Ordering::Less => Outcome::Won(1),
        }
    }
}

impl Rules for Proteus {
    type Step = Step;

    fn start() -> Proteus {
        let mut board = mailbox::empty();
        for cell in CELLS {
            for player in 0..2 {
                if is_start(cell, player) {
                    board[cell] = die(PAWN, player);
                }
            }
        }
        Proteus { board, side: 0, moved: 0, captured: false, last_die: false, dice: [8; 2], score: [0; 2], quiet: 0 }
    }

    fn list(&self, steps: &mut Vec<Step>) {
        // within a turn another die is rotated by one; at its beginning one is rotated by two instead of all
        let by = if self.moved == 0 { 2 } else { 1 };
        for cell in CELLS {
            let die = self.board[cell];
            if die == EMPTY || owner(die) != self.side || cell == self.moved {
                continue;
            }
            if self.moved == 0 {
                self.each_target(cell, |to| steps.push(Step::Move { from: cell, to }));
            }
            for by in [by, -by] {
                if (PYRAMID as i8..=QUEEN as i8).contains(&(face(die) as i8 + by)) {
                    steps.push(Step::Rotate { cell, by });
                }
            }
        }
    }

    fn after(&self, step: Step) -> Option<Proteus> {
        let mut after = *self;
        match step {
            Step::Move { from, to } => {
                after.move_die(from, to);
                after.last_die = after.dice[0] <= 1 || after.dice[1] <= 1;
                after.moved = to;
                if after.last_die {
                    after.end_turn();
                }
            }
            Step::Rotate { cell, by } => {
                after.board[cell] = after.board[cell].wrapping_add_signed(by);
                after.end_turn();
            }
        }
        Some(after)
    }

    fn within_turn(&self) -> bool {
        self.moved != 0
    }

    fn reversible(&self) -> usize {
        usize::from(self.quiet)
    }

    fn key(&self) -> u64 {
        super::hash(&self.board, u64::from(self.side))
    }

    fn outcome(&self, occurred: usize) -> Option<Outcome> {
        if self.last_die {
            return Some(self.highest_score());
        }
        if !self.can_move() {
            return Some(self.stuck());
        }
        if occurred >= 3 {
            return Some(Outcome::Drawn);
        }
        (self.quiet >= QUIET_LIMIT).then(|| self.highest_score())
    }

    fn stuck(&self) -> Outcome {
        Outcome::Won(1 - self.side)
    }

    fn text(&self, step: Step) -> String {
        match step {
            Step::Move { from, to } => name(from) + &name(to),
            Step::Rotate { cell, by } => {
                name(cell) + &if by > 0 { "+" } else { "-" }.repeat(usize::from(by.unsigned_abs()))
            }
        }
    }
}
