//! Chess by the library cozy-chess.

use super::{Outcome, Played};
use cozy_chess::{BitBoard, Board, Color, Move, Piece, PieceMoves};
use rulebook::engine::Random;
use smallvec::SmallVec;
use std::hint::black_box;

/// The number of sequences of `depth` moves; without `PLAY` the last ones are counted by the lengths of their lists.
pub fn perft<const PLAY: bool>(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 && !PLAY {
            nodes += moves.len() as u64;
            return false;
        }
        for m in moves {
            let mut after = board.clone();
            after.play_unchecked(m);
            nodes += if depth == 1 { 1 } else { perft::<PLAY>(&after, depth - 1) };
            black_box(&after);
        }
        false
    });
    nodes
}

/// A random game from the start, each legal move equally likely. It ends by all the rules of the engine's game: mate,
/// stalemate, repetition, fifty moves, too little material. (The library's hash tells positions apart by a pawn that
/// has just passed even if it cannot be taken, so that a rare repetition comes later.) `keys` is room for the hashes of
/// the game's positions.
pub fn playout(keys: &mut Vec<u64>, rng: &mut Random, max_turns: u32) -> Played {
    let mut board = Board::default();
    let mut turns = 0;
    keys.clear();
    keys.push(board.hash());
    let outcome = loop {
        let mut lists: SmallVec<[PieceMoves; 20]> = SmallVec::new();
        board.generate_moves(|moves| {
            lists.push(moves);
            false
        });
        let total: usize = lists.iter().map(|l| l.len()).sum();
        if total == 0 {
            let mover = if board.side_to_move() == Color::White { 1 } else { 0 };
            break Some(if board.checkers().is_empty() { Outcome::Drawn } else { Outcome::Won(mover) });
        }
        let quiet = board.halfmove_clock();
        let before = keys.iter().rev().skip(2).step_by(2).take(usize::from(quiet) / 2);
        if quiet >= 100 || before.filter(|k| **k == board.hash()).count() >= 2 || is_dead(&board) {
            break Some(Outcome::Drawn);
        }
        if turns == max_turns {
            break None;
        }
        let mut k = rng.below(total as u32) as usize;
        let list = lists.into_iter().find(|l| {
            let here = k < l.len();
            k -= if here { 0 } else { l.len() };
            here
        });
        let chosen: Move = list.and_then(|l| l.into_iter().nth(k)).expect("fewer than all are skipped");
        board.play_unchecked(chosen);
        keys.push(board.hash());
        turns += 1;
    };
    Played { turns, outcome }
}

/// Whether nobody can mate: at most one knight or bishop, or bishops on cells of one colour only.
fn is_dead(board: &Board) -> bool {
    let mighty = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !mighty.is_empty() {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    (knights | bishops).len() <= 1
        || knights.is_empty()
            && (bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES))
}
