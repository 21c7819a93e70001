//! The clause `betza`: which cells a string reaches, which words it equals, and how faults in it are explained.

use proptest::prelude::*;
use rulebook::base::{Diagnostic, Sources};
use rulebook::check::{Selection, load};
use rulebook::games::Shipped;
use rulebook::ir::piece::{Clause, Generator};
use rulebook::ir::{Cell, Game};

const SIDE: i32 = 9;

/// A game on nine by nine cells with one piece that moves so.
fn compile(lines: &str) -> Result<Game, (Vec<Diagnostic>, Sources)> {
    let text = format!(
        "game \"Test\"\nplayers White, Black\nboard 9x9\npiece Man \"M\" {{\n{lines}\n}}\n\
         setup Man on rank 1\nmover wins when next has no Man\n"
    );
    let mut sources = Sources::new();
    let file = sources.add("test.game", text);
    let (definition, mut found) = load(&mut sources, file, &Shipped);
    if let Some(definition) = definition.filter(|_| found.is_empty()) {
        match definition.compile(&Selection::default()) {
            Ok(made) => return Ok(made.game),
            Err(errors) => found = errors,
        }
    }
    Err((found, sources))
}

fn game(lines: &str) -> Game {
    compile(lines).unwrap_or_else(|(found, _)| panic!("{lines}: {found:#?}"))
}

fn betza(string: &str) -> String {
    format!("  betza \"{string}\"")
}

/// The clauses without the author's line.
fn clauses(lines: &str) -> Vec<Clause> {
    game(lines).clauses.into_iter().map(|c| Clause { text: String::new(), ..c }).collect()
}

/// Where a piece of the seat can go from a cell of an empty board.
fn reach(game: &Game, seat: usize, cell: Cell) -> Vec<Cell> {
    let mut out = Vec::new();
    let next = |d: &u8, c: Cell| game.board.dirs[usize::from(*d)].next[usize::from(c)];
    for clause in &game.clauses {
        match &clause.generator {
            Generator::Step { dirs, distance } => {
                out.extend(dirs[seat].iter().filter_map(|d| (0..*distance).try_fold(cell, |c, _| next(d, c))))
            }
            Generator::Slide { dirs, limit, .. } => {
                for d in &dirs[seat] {
                    let ray = std::iter::successors(next(d, cell), |c| next(d, *c));
                    out.extend(ray.take(limit.map_or(usize::MAX, usize::from)));
                }
            }
            Generator::Leap { paths } => out.extend(paths[seat][usize::from(cell)].iter().map(|(to, _)| *to)),
            Generator::LeapAnywhere => out.extend((0..game.board.cells.len() as Cell).filter(|c| *c != cell)),
            Generator::Hop { .. } => {}
            Generator::Castle { .. } | Generator::Drop { .. } | Generator::Imitate { .. } => panic!("{clause:?}"),
        }
    }
    out.sort_unstable();
    let all = out.len();
    out.dedup();
    assert_eq!(all, out.len(), "a cell is reached twice: {:?}", game.clauses);
    out
}

/// Whether the offset is (a, b) in some order and with some signs.
fn is((x, y): (i32, i32), a: i32, b: i32) -> bool {
    (x.abs().min(y.abs()), x.abs().max(y.abs())) == (a, b)
}

/// Whether the offset is (a, b) so, times one of `1..=n`.
fn rides((x, y): (i32, i32), a: i32, b: i32, n: i32) -> bool {
    (1..=n).any(|k| x % k == 0 && y % k == 0 && is((x / k, y / k), a, b))
}

/// A string, and whether its piece reaches the offset (to the owner's right, forward) on an empty board.
type Row = (&'static str, fn(i32, i32) -> bool);

const TABLE: &[Row] = &[
    ("W", |x, y| x.abs() + y.abs() == 1),
    ("F", |x, y| x.abs() == 1 && y.abs() == 1),
    ("K", |x, y| x.abs().max(y.abs()) == 1),
    ("D", |x, y| is((x, y), 0, 2)),
    ("A", |x, y| is((x, y), 2, 2)),
    ("H", |x, y| is((x, y), 0, 3)),
    ("G", |x, y| is((x, y), 3, 3)),
    ("N", |x, y| is((x, y), 1, 2)),
    ("C", |x, y| is((x, y), 1, 3)),
    ("L", |x, y| is((x, y), 1, 3)),
    ("Z", |x, y| is((x, y), 2, 3)),
    ("J", |x, y| is((x, y), 2, 3)),
    ("U", |x, y| (x, y) != (0, 0)),
    ("R", |x, y| (x == 0) != (y == 0)),
    ("B", |x, y| x != 0 && x.abs() == y.abs()),
    ("Q", |x, y| (x, y) != (0, 0) && (x == 0 || y == 0 || x.abs() == y.abs())),
    ("WW", |x, y| (x == 0) != (y == 0)),
    ("F0", |x, y| x != 0 && x.abs() == y.abs()),
    ("KK", |x, y| (x, y) != (0, 0) && (x == 0 || y == 0 || x.abs() == y.abs())),
    ("W1", |x, y| x.abs() + y.abs() == 1),
    ("W2", |x, y| rides((x, y), 0, 1, 2)),
    ("R3", |x, y| rides((x, y), 0, 1, 3)),
    ("B12", |x, y| rides((x, y), 1, 1, 12)),
    ("Q2", |x, y| rides((x, y), 0, 1, 2) || rides((x, y), 1, 1, 2)),
    ("NN", |x, y| rides((x, y), 1, 2, 8)),
    ("N0", |x, y| rides((x, y), 1, 2, 8)),
    ("N2", |x, y| rides((x, y), 1, 2, 2)),
    ("DD", |x, y| rides((x, y), 0, 2, 8)),
    ("AA", |x, y| rides((x, y), 2, 2, 8)),
    ("rD0", |x, y| y == 0 && x > 0 && x % 2 == 0),
    ("fW", |x, y| (x, y) == (0, 1)),
    ("fsW", |x, y| (x, y) == (0, 1) || (x.abs() == 1 && y == 0)),
    ("frlW", |x, y| (x, y) == (0, 1) || (x.abs() == 1 && y == 0)),
    ("vR", |x, y| x == 0 && y != 0),
    ("sR2", |x, y| y == 0 && x != 0 && x.abs() <= 2),
    ("fF", |x, y| x.abs() == 1 && y == 1),
    ("sF", |x, y| x.abs() == 1 && y.abs() == 1),
    ("flF", |x, y| (x, y) == (-1, 1)),
    ("lfF", |x, y| (x, y) == (-1, 1)),
    ("flbrB", |x, y| x != 0 && x == -y),
    ("fK", |x, y| x.abs() <= 1 && y == 1),
    ("vK", |x, y| x.abs() <= 1 && y.abs() == 1),
    ("rQ", |x, y| x > 0 && (y == 0 || x == y.abs())),
    ("bD", |x, y| (x, y) == (0, -2)),
    ("fA", |x, y| x.abs() == 2 && y == 2),
    ("fN", |x, y| x.abs() == 1 && y == 2),
    ("ffN", |x, y| x.abs() == 1 && y == 2),
    ("fsN", |x, y| x.abs() == 2 && y == 1),
    ("fhN", |x, y| is((x, y), 1, 2) && y > 0),
    ("lhC", |x, y| is((x, y), 1, 3) && x < 0),
    ("frN", |x, y| (x, y) == (2, 1)),
    ("rfN", |x, y| (x, y) == (1, 2)),
    ("rfbsN", |x, y| (x, y) == (1, 2) || (x.abs() == 2 && y == -1)),
    ("sN", |x, y| x.abs() == 2 && y.abs() == 1),
    ("vN", |x, y| x.abs() == 1 && y.abs() == 2),
    ("rvN", |x, y| x == 1 && y.abs() == 2),
    ("hrN", |x, y| [(1, 2), (2, -1), (-1, -2), (-2, 1)].contains(&(x, y))),
    ("hlN", |x, y| [(-1, 2), (-2, -1), (1, -2), (2, 1)].contains(&(x, y))),
    ("fhNN", |x, y| rides((x, y), 1, 2, 8) && y > 0),
    ("nN", |x, y| is((x, y), 1, 2)),
    ("frnZ", |x, y| (x, y) == (3, 2)),
    ("nD", |x, y| is((x, y), 0, 2)),
    ("fmWfcF", |x, y| (x, y) == (0, 1) || (x.abs() == 1 && y == 1)),
    ("WfF", |x, y| x.abs() + y.abs() == 1 || (x.abs() == 1 && y == 1)),
    ("FfW", |x, y| (x.abs() == 1 && y.abs() == 1) || (x, y) == (0, 1)),
    ("BN", |x, y| (x != 0 && x.abs() == y.abs()) || is((x, y), 1, 2)),
    ("KADGH", |x, y| (x, y) != (0, 0) && rides((x, y), 0, 1, 3) || rides((x, y), 1, 1, 3)),
    ("mRcpR", |x, y| (x == 0) != (y == 0)),
    ("gQ", |_, _| false),
];

#[test]
fn strings_reach_what_their_definition_says() {
    for (string, reaches) in TABLE {
        let game = game(&betza(string));
        for seat in 0..2 {
            // The centre, an edge, a corner, and a cell near the far side.
            for (file, rank) in [(4, 4), (0, 3), (8, 0), (6, 7)] {
                let turn = if seat == 0 { 1 } else { -1 };
                let expected: Vec<Cell> = (0..SIDE * SIDE)
                    .filter(|c| reaches((c % SIDE - file) * turn, (c / SIDE - rank) * turn))
                    .map(|c| c as Cell)
                    .collect();
                let found = reach(&game, seat, (rank * SIDE + file) as Cell);
                assert_eq!(found, expected, "`{string}` for seat {seat} from file {file}, rank {rank}");
            }
        }
    }
}

/// Strings and the words for the same.
const WORDS: &[(&str, &str)] = &[
    ("fmWfcF", "step forward to empty\nstep forward-diagonal to enemy"),
    ("ifmnD", "step forward 2 to empty if this is unmoved"),
    ("K", "step any"),
    ("Q", "slide any"),
    ("fsW", "step forward or sideways"),
    ("WfF", "step orthogonal\nstep forward-diagonal"),
    ("N", "leap (1,2)"),
    ("fN", "leap (1,2) forward"),
    ("vN", "leap (1,2) forward or backward"),
    ("fhN", "leap (1,2) forward-diagonal"),
    ("lhN", "leap (1,2) forward-left or backward-left"),
    ("vD", "leap (0,2) forward or backward"),
    ("blA", "leap (2,2) backward-left"),
    ("nN", "leap (1,2) lame"),
    ("nsN", "leap (1,2) lame sideways"),
    ("nA", "step diagonal 2"),
    ("nZ", "leap (2,3) lame"),
    ("R4", "slide orthogonal up to 4"),
    ("mB2", "slide diagonal up to 2 to empty"),
    ("mcR", "slide orthogonal"),
    ("dK", "step any to friend"),
    ("mdW", "step orthogonal to empty, friend"),
    ("mcdW", "step orthogonal to empty, enemy, friend"),
    ("cdF", "step diagonal to enemy, friend"),
    ("mU", "leap anywhere to empty"),
    ("mRcpR", "slide orthogonal to empty\nhop orthogonal far over piece beyond to enemy"),
    ("pR", "hop orthogonal far over piece beyond"),
    ("pWW", "hop orthogonal far over piece beyond"),
    ("gQ", "hop any far over piece"),
    ("fgB", "hop forward-diagonal far over piece"),
    ("jD", "hop orthogonal over piece"),
    ("cjA", "hop diagonal over piece to enemy"),
    ("mNcB", "leap (1,2) to empty\nslide diagonal to enemy"),
];

#[test]
fn strings_equal_their_words() {
    for (string, words) in WORDS {
        assert_eq!(clauses(&betza(string)), clauses(words), "`{string}`");
    }
}

#[test]
fn what_stands_behind_the_string_holds_for_each_move() {
    let both = clauses("  betza \"WimF\" if this is attacked then flip here");
    let words = "step orthogonal if this is attacked then flip here\n\
                 step diagonal to empty if this is unmoved if this is attacked then flip here";
    assert_eq!(both, clauses(words));
}

#[test]
fn riders_need_empty_cells_between() {
    let game = game(&betza("frNN"));
    let Generator::Leap { paths } = &game.clauses[0].generator else { panic!("{:?}", game.clauses) };
    let cell = |name: &str| game.board.cells.iter().position(|c| c.name == name).expect("it is on the board") as Cell;
    let [b2, d3, f4, h5] = ["b2", "d3", "f4", "h5"].map(cell);
    assert_eq!(paths[0][usize::from(b2)], [(d3, vec![]), (f4, vec![d3]), (h5, vec![d3, f4])]);
    assert_eq!(paths[1][usize::from(h5)], [(f4, vec![]), (d3, vec![f4]), (b2, vec![f4, d3])]);
}

#[test]
fn a_single_lame_leap_is_blocked_where_it_starts() {
    let game = game(&betza("nfrN"));
    let Generator::Leap { paths } = &game.clauses[0].generator else { panic!("{:?}", game.clauses) };
    // From e5 to g6 over f5.
    assert_eq!(paths[0][4 * 9 + 4], [(5 * 9 + 6, vec![4 * 9 + 5])]);
}

/// Strings, what the error points at (the first character and how many), and a part of its text.
const FAULTS: &[(&str, usize, usize, &str)] = &[
    ("", 0, 0, "there is no move in this string"),
    ("E", 0, 1, "there is no atom `E`"),
    ("WX", 1, 1, "there is no atom `X`"),
    ("fmWfc", 3, 2, "`fc` modifies nothing"),
    ("m", 0, 1, "`m` modifies nothing"),
    ("W F", 1, 1, "blanks have no place"),
    ("wW", 0, 1, "`w` has no meaning"),
    ("N\u{fc}", 1, 2, "`\u{fc}` has no meaning"),
    ("3W", 0, 1, "the range `3` belongs to no atom"),
    ("WW3", 2, 1, "the range `3` belongs to no atom"),
    ("U2", 1, 1, "takes no range"),
    ("W1001", 1, 4, "`1001` is too far"),
    ("W99999999999999999999", 1, 20, "is too far"),
    ("RR", 1, 1, "`R` slides already"),
    ("UU", 1, 1, "reaches every cell already"),
    ("fU", 0, 1, "a direction changes nothing"),
    ("mmW", 1, 1, "`m` stands twice"),
    ("ppR", 1, 1, "`p` stands twice"),
    ("nW", 0, 1, "`n` changes nothing"),
    ("nR", 0, 1, "`n` changes nothing"),
    ("nNN", 0, 1, "a rider that is lame"),
    ("nDD", 0, 1, "a rider that is lame"),
    ("pN", 0, 1, "`p` needs a piece that slides"),
    ("gK", 0, 1, "`g` needs a piece that slides"),
    ("pR4", 2, 1, "takes no range"),
    ("pgR", 1, 1, "`p` and `g` do not go together"),
    ("npR", 0, 1, "`n` and `p` do not go together"),
    ("jN", 0, 1, "`j` before `N` cannot be said"),
    ("jR", 0, 1, "`j` before `R` cannot be said"),
    ("fhW", 0, 2, "`h` halves eight directions"),
    ("hN", 0, 1, "`h` is half of a direction"),
    ("frK", 0, 2, "can be read in more than one way"),
    ("ffQ", 0, 2, "can be read in more than one way"),
    ("fmWfceF", 5, 1, "en passant needs a mark"),
    ("KO2", 1, 1, "a castling needs a partner"),
    ("mafsW", 1, 1, "joins several legs"),
    ("[W-F]", 0, 1, "joins several legs"),
    ("tR", 0, 1, "joins several legs"),
    ("yR", 0, 1, "joins several legs"),
    ("xW", 0, 1, "changes other pieces"),
    ("uW", 0, 1, "changes other pieces"),
    ("oR", 0, 1, "joins the edges"),
    ("zB", 0, 1, "crooked and circular riders"),
    ("qN", 0, 1, "crooked and circular riders"),
    ("(FN)", 0, 1, "groups atoms"),
    ("kK", 0, 1, "is said of the piece"),
];

#[test]
fn faults_are_pointed_at() {
    for (string, from, length, message) in FAULTS {
        let (found, sources) = compile(&betza(string)).expect_err(string);
        assert_eq!(found.len(), 1, "`{string}`: {found:#?}");
        let fault = &found[0];
        assert!(fault.message.contains(message), "`{string}`: {}", fault.message);
        assert!(!fault.helps.is_empty(), "`{string}` has no help");
        let written = if string.is_empty() { "betza \"\"" } else { &string[*from..from + length] };
        assert_eq!(sources.slice(fault.span()), written, "`{string}`");
        if !string.is_empty() {
            assert_eq!(sources.line_column(fault.span()), (5, 10 + string[..*from].chars().count()), "`{string}`");
        }
    }
}

#[test]
fn a_leap_beyond_the_board_is_a_fault() {
    let text =
        "game \"T\"\nplayers White, Black\nboard 3x3\npiece Man \"M\" {\n betza \"frZ\"\n}\nsetup Man on rank 1\n";
    let mut sources = Sources::new();
    let file = sources.add("test.game", text);
    let (definition, found) = load(&mut sources, file, &Shipped);
    assert!(found.is_empty(), "{found:?}");
    let errors = definition.expect("it can be read").compile(&Selection::default()).expect_err("the leap is too long");
    assert!(errors.iter().any(|e| e.message.contains("leaves the board")), "{errors:?}");
}

#[test]
fn a_string_may_be_long_but_not_endless() {
    assert_eq!(game(&betza(&"mW".repeat(100))).clauses.len(), 100);
    let (found, _) = compile(&betza(&"mW".repeat(101))).expect_err("there are too many atoms");
    assert!(found[0].message.contains("more than 100 atoms"), "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_string_is_too_strange(string in "[fblrvshmcdinjpgaxWFKDAHGNCZRBQU0-9é ]{0,12}") {
        let _ = compile(&betza(&string));
    }

    #[test]
    fn no_text_is_too_strange(string in "[^\"\n\r]{0,20}") {
        let _ = compile(&betza(&string));
    }
}
