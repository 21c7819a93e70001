//! An 8x8 board as an array with a wall around it, two cells thick above and below so that knights do not leave it
//! either.

/// Cells with the wall.
pub const SIZE: usize = 120;
/// What stands on a cell without a piece.
pub const EMPTY: u8 = 0;
/// What stands outside.
pub const WALL: u8 = 0xff;

/// All cells, rank by rank.
pub const CELLS: [usize; 64] = {
    let mut cells = [0; 64];
    let mut i = 0;
    while i < 64 {
        cells[i] = cell(i % 8, i / 8);
        i += 1;
    }
    cells
};

/// From a cell to its neighbours: opposite directions are four apart, the slanted ones are odd.
pub const DIRECTIONS: [isize; 8] = [10, 11, 1, -9, -10, -11, -1, 9];
/// From a cell to those a knight leaps to.
pub const KNIGHT: [isize; 8] = [8, 12, 19, 21, -8, -12, -19, -21];

/// Contents of all cells.
pub type Board = [u8; SIZE];

/// A board without pieces.
pub fn empty() -> Board {
    let mut board = [WALL; SIZE];
    for cell in CELLS {
        board[cell] = EMPTY;
    }
    board
}

/// The cell on a file and a rank, both from 0.
pub const fn cell(file: usize, rank: usize) -> usize {
    21 + file + 10 * rank
}

/// The rank of a cell, from 0, as a player counts them.
pub fn rank(cell: usize, player: u8) -> usize {
    let rank = cell / 10 - 2;
    if player == 0 { rank } else { 7 - rank }
}

/// The step forward of a player.
pub fn forward(player: u8) -> isize {
    if player == 0 { 10 } else { -10 }
}

/// The cell a step away.
pub fn next(cell: usize, step: isize) -> usize {
    cell.wrapping_add_signed(step)
}

/// The first cell in a direction that is not empty: a piece's or the wall's.
pub fn first(board: &Board, from: usize, direction: isize) -> usize {
    let mut cell = next(from, direction);
    while board[cell] == EMPTY {
        cell = next(cell, direction);
    }
    cell
}

/// The name of a cell.
pub fn name(cell: usize) -> String {
    format!("{}{}", (b'a' + (cell % 10 - 1) as u8) as char, cell / 10 - 1)
}
