//! Chess against an independent library, move set by move set along random games.

use crate::common::game;
use cozy_chess::{Board, Move, Piece, Square};
use rulebook::engine::Random;
use std::collections::BTreeSet;

/// A move of the library as a move text. It writes a castling as the king taking its own rook.
fn text(board: &Board, m: Move) -> String {
    let mut to = m.to;
    if board.piece_on(m.from) == Some(Piece::King) && board.color_on(m.to) == Some(board.side_to_move()) {
        let file = if m.to.file() > m.from.file() { cozy_chess::File::G } else { cozy_chess::File::C };
        to = Square::new(file, m.from.rank());
    }
    let promotion = match m.promotion {
        Some(Piece::Queen) => "=Q",
        Some(Piece::Rook) => "=R",
        Some(Piece::Bishop) => "=B",
        Some(Piece::Knight) => "=N",
        _ => "",
    };
    format!("{}{}{promotion}", m.from, to)
}

fn moves(board: &Board) -> BTreeSet<String> {
    let mut list = BTreeSet::new();
    board.generate_moves(|moves| {
        list.extend(moves.into_iter().map(|m| text(board, m)));
        false
    });
    list
}

fn fields(fen: &str, range: std::ops::Range<usize>) -> Vec<&str> {
    fen.split(' ').skip(range.start).take(range.len()).collect()
}

fn compare(games: u64) {
    let chess = game("chess");
    for seed in 0..games {
        let mut rng = Random::new(seed);
        let mut state = chess.start();
        let mut board = Board::default();
        loop {
            let position = chess.position(&state);
            let steps = chess.steps(&state);
            if let Some(outcome) = chess.outcome(&state) {
                let reason = outcome.reason;
                match board.status() {
                    cozy_chess::GameStatus::Won => assert!(reason.contains("checkmate"), "{position}: {reason}"),
                    cozy_chess::GameStatus::Drawn => {
                        assert!(reason.contains("stalemate") || reason.contains("100"), "{position}: {reason}");
                    }
                    // repetition and material are not the library's business
                    cozy_chess::GameStatus::Ongoing => {
                        assert!(
                            reason.contains("occurs") || reason.starts_with("draw when no"),
                            "{position}: {reason}"
                        );
                    }
                }
                break;
            }
            let ours: BTreeSet<String> = steps.iter().map(|s| chess.step_text(*s)).collect();
            assert_eq!(ours, moves(&board), "{position}");
            // the library writes an en passant cell whether or not a legal capture exists
            let (ours, theirs) = (chess.position(&state), board.to_string());
            assert_eq!(fields(&ours, 0..3), fields(&theirs, 0..3));
            assert!(
                fields(&ours, 3..4) == ["-"] || fields(&ours, 3..4) == fields(&theirs, 3..4),
                "{ours} is not {theirs}"
            );
            assert_eq!(fields(&ours, 4..6), fields(&theirs, 4..6));
            let step = steps[rng.below(steps.len() as u32) as usize];
            let chosen = chess.step_text(step);
            let mut found = None;
            board.generate_moves(|moves| {
                found = found.or(moves.into_iter().find(|m| text(&board, *m) == chosen));
                false
            });
            board.play(found.expect("the same move"));
            chess.play(&mut state, step);
        }
    }
}

#[test]
fn legal_moves_are_those_of_an_independent_library() {
    compare(20);
}

#[test]
#[ignore = "slow"]
fn legal_moves_are_those_of_an_independent_library_in_many_games() {
    compare(500);
}
