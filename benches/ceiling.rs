//! The engine against code written for one game alone, in one process and in turn, and against the rates it is to
//! reach.
//!
//!     cargo bench --bench ceiling                                      all of it, some minutes
//!     cargo bench --bench ceiling -- --seconds 0.1 --rounds 3 perft    quicker, and only rows named so
//!
//! Before a game is timed its rival is checked: it must count the same turns as the engine, and its random games must
//! be as long and as often won.

mod measure;
mod rivals;

use cozy_chess::Board;
use measure::{Bench, Job, Work};
use rivals::breakthrough::Breakthrough;
use rivals::bushi::Bushi;
use rivals::magneton::Magneton;
use rivals::monteagudo::Monteagudo;
use rivals::othello::Othello;
use rivals::proteus::Proteus;
use rivals::{Played, Rules, chess};
use rulebook::engine::{Game, Random, State};
use rulebook::games;

const PLAYOUTS: &str = "playouts";
const MOVES: &str = "moves";
const NODES: &str = "nodes";

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const TIC_TAC_TOE: &str = r#"
game "Tic-tac-toe"
players Cross, Nought
board   3x3
piece Mark "X/O" { drop to empty }
mover wins when 3 in line
draw when board is full
"#;

fn main() {
    let mut bench = Bench::from_args();
    breakthrough(&mut bench);
    othello(&mut bench);
    chess(&mut bench);
    engine_only(&mut bench);
    plain::<Proteus>(
        &mut bench,
        Plain { game: "proteus", perft: 2, max_turns: 250, playouts: ("proteus playouts", Some(25e3)), moves: None },
    );
    plain::<Magneton>(
        &mut bench,
        Plain { game: "magneton", perft: 3, max_turns: 1000, playouts: ("magneton playouts", Some(30e3)), moves: None },
    );
    plain::<Monteagudo>(
        &mut bench,
        Plain {
            game: "monteagudo",
            perft: 4,
            max_turns: 300,
            playouts: ("monteagudo playouts", None),
            moves: Some(("monteagudo random moves", 2.5e6)),
        },
    );
    plain::<Bushi>(
        &mut bench,
        Plain { game: "bushi-shogi", perft: 8, max_turns: 1000, playouts: ("bushi-shogi playouts", None), moves: None },
    );
    bench.write("ceiling").expect("target/bench can be written to");
}

/// A shipped game.
fn shipped(name: &str) -> Game {
    rulebook::load(games::text(name).expect("a shipped game")).unwrap_or_else(|errors| panic!("{name}: {errors:?}"))
}

/// A random game by the engine, up to so many turns; returns how many turns it had.
fn play(game: &Game, max_turns: u32) -> impl FnMut() -> u64 + 'static {
    let (game, mut rng, start) = (game.clone(), Random::new(1), game.start());
    let mut state = start.clone();
    move || {
        state.clone_from(&start);
        u64::from(game.playout(&mut state, &mut rng, max_turns).turns)
    }
}

/// Random games by the engine, up to so many turns, counted as games.
fn playouts(game: &Game, max_turns: u32) -> Work {
    let mut play = play(game, max_turns);
    Box::new(move || u64::from(play() > 0))
}

/// Random games by the engine, up to so many turns, counted by their turns.
fn turns(game: &Game, max_turns: u32) -> Work {
    Box::new(play(game, max_turns))
}

/// Random games by a rival, counted as games.
fn rival_playouts(mut play: impl FnMut(&mut Random) -> Played + 'static) -> Option<Work> {
    let mut rng = Random::new(1);
    Some(Box::new(move || u64::from(play(&mut rng).turns > 0)))
}

/// Random games by a rival, counted by their turns.
fn rival_turns(mut play: impl FnMut(&mut Random) -> Played + 'static) -> Option<Work> {
    let mut rng = Random::new(1);
    Some(Box::new(move || u64::from(play(&mut rng).turns)))
}

/// The engine's perft, leaves counted or played.
fn perft(game: &Game, state: State, depth: u32, played: bool) -> Work {
    let game = game.clone();
    Box::new(move || if played { game.perft_played(&state, depth) } else { game.perft(&state, depth) })
}

/// Panics unless a rival counts as many turns as the engine, with the last ones counted and played.
fn check_perft(name: &str, game: &Game, state: &State, depth: u32, rival: [u64; 2]) {
    let engine = [game.perft(state, depth), game.perft_played(state, depth)];
    assert_eq!(engine, rival, "{name}: perft {depth} by the engine and by hand, leaves counted and played");
}

/// Panics unless random games of the engine and a rival are alike.
fn check_playouts(name: &str, game: &Game, max_turns: u32, mut rival: impl FnMut(&mut Random) -> Played) {
    let (mut a, mut b) = (Random::new(2), Random::new(3));
    rivals::check_means(name, || Played::by_engine(game, &mut a, max_turns), || rival(&mut b));
}

fn breakthrough(bench: &mut Bench) {
    let (game, rival) = (shipped("breakthrough"), Breakthrough::start());
    let depth = 5;
    let check = || {
        for depth in 1..=depth {
            let counts = [rival.perft::<false>(depth), rival.perft::<true>(depth)];
            check_perft("breakthrough", &game, &game.start(), depth, counts);
        }
        check_playouts("breakthrough", &game, u32::MAX, |rng| rival.playout(rng));
    };
    bench.jobs(
        check,
        vec![
            Job {
                name: "breakthrough playouts",
                unit: PLAYOUTS,
                aim: Some(450e3),
                engine: playouts(&game, u32::MAX),
                rival: rival_playouts(move |rng| rival.playout(rng)),
            },
            Job {
                name: "breakthrough perft, counted",
                unit: NODES,
                aim: None,
                engine: perft(&game, game.start(), depth, false),
                rival: Some(Box::new(move || rival.perft::<false>(depth))),
            },
            Job {
                name: "breakthrough perft, played",
                unit: NODES,
                aim: None,
                engine: perft(&game, game.start(), depth, true),
                rival: Some(Box::new(move || rival.perft::<true>(depth))),
            },
        ],
    );
}

fn othello(bench: &mut Bench) {
    let (game, rival) = (shipped("othello"), Othello::start());
    let depth = 8;
    let check = || {
        for depth in 1..=depth {
            let counts = [rival.perft::<false>(depth), rival.perft::<true>(depth)];
            check_perft("othello", &game, &game.start(), depth, counts);
        }
        check_playouts("othello", &game, u32::MAX, |rng| rival.playout(rng));
    };
    bench.jobs(
        check,
        vec![
            Job {
                name: "othello playouts",
                unit: PLAYOUTS,
                aim: Some(350e3),
                engine: playouts(&game, u32::MAX),
                rival: rival_playouts(move |rng| rival.playout(rng)),
            },
            Job {
                name: "othello perft, counted",
                unit: NODES,
                aim: None,
                engine: perft(&game, game.start(), depth, false),
                rival: Some(Box::new(move || rival.perft::<false>(depth))),
            },
            Job {
                name: "othello perft, played",
                unit: NODES,
                aim: None,
                engine: perft(&game, game.start(), depth, true),
                rival: Some(Box::new(move || rival.perft::<true>(depth))),
            },
        ],
    );
}

fn chess(bench: &mut Bench) {
    let game = shipped("chess");
    let (start, kiwipete) = (game.start(), game.read_position(KIWIPETE).expect("a position"));
    let (their_start, their_kiwipete) = (Board::default(), KIWIPETE.parse::<Board>().expect("a position"));
    let max_turns = 300;
    let check = || {
        for (state, board, depth) in [(&start, &their_start, 5), (&kiwipete, &their_kiwipete, 4)] {
            let counts = [chess::perft::<false>(board, depth), chess::perft::<true>(board, depth)];
            check_perft("chess", &game, state, depth, counts);
        }
        let mut keys = Vec::new();
        check_playouts("chess", &game, max_turns, |rng| chess::playout(&mut keys, rng, max_turns));
    };
    let mut keys = Vec::new();
    let mut jobs = vec![Job {
        name: "chess random moves",
        unit: MOVES,
        aim: Some(6e6),
        engine: turns(&game, max_turns),
        rival: rival_turns(move |rng| chess::playout(&mut keys, rng, max_turns)),
    }];
    let positions = [
        (["chess perft, counted", "chess perft, played"], &start, &their_start, 5),
        (["kiwipete chess perft, counted", "kiwipete chess perft, played"], &kiwipete, &their_kiwipete, 4),
    ];
    for ([counted, played], state, board, depth) in positions {
        let (one, other) = (board.clone(), board.clone());
        jobs.push(Job {
            name: counted,
            unit: NODES,
            aim: Some(200e6),
            engine: perft(&game, state.clone(), depth, false),
            rival: Some(Box::new(move || chess::perft::<false>(&one, depth))),
        });
        jobs.push(Job {
            name: played,
            unit: NODES,
            aim: Some(60e6),
            engine: perft(&game, state.clone(), depth, true),
            rival: Some(Box::new(move || chess::perft::<true>(&other, depth))),
        });
    }
    bench.jobs(check, jobs);
}

/// Games that are held against rates alone.
fn engine_only(bench: &mut Bench) {
    let tic_tac_toe = rulebook::load(TIC_TAC_TOE).unwrap_or_else(|errors| panic!("{errors:?}"));
    let rows = [
        ("connect-four playouts", 2e6, shipped("connect-four")),
        ("tic-tac-toe playouts", 5e6, tic_tac_toe),
        ("gomoku playouts", 350e3, shipped("gomoku")),
        ("hex playouts", 180e3, shipped("hex")),
        ("draughts playouts", 200e3, shipped("draughts")),
    ];
    let job = |(name, aim, game): (_, _, Game)| Job {
        name,
        unit: PLAYOUTS,
        aim: Some(aim),
        engine: playouts(&game, u32::MAX),
        rival: None,
    };
    bench.jobs(|| {}, rows.into_iter().map(job).collect());
}

/// A game with a rival that is written plainly.
struct Plain {
    game: &'static str,
    /// Depth to which turns are counted in the check.
    perft: u32,
    /// Turns after which a random game is broken off.
    max_turns: u32,
    /// The row for random games, with its aim.
    playouts: (&'static str, Option<f64>),
    /// A row for their turns, with its aim.
    moves: Option<(&'static str, f64)>,
}

fn plain<R: Rules + 'static>(bench: &mut Bench, plain: Plain) {
    let (game, max_turns) = (shipped(plain.game), plain.max_turns);
    let play = move |steps: &mut Vec<R::Step>, rng: &mut Random| rivals::playout::<R>(steps, rng, max_turns);
    let check = || {
        for depth in 1..=plain.perft {
            let count = rivals::perft::<R>(depth);
            check_perft(plain.game, &game, &game.start(), depth, [count; 2]);
        }
        rivals::check_steps::<R>(plain.game, &game, 200, max_turns);
        let mut steps = Vec::new();
        check_playouts(plain.game, &game, max_turns, |rng| play(&mut steps, rng));
    };
    let (mut steps, mut other_steps) = (Vec::new(), Vec::new());
    let (name, aim) = plain.playouts;
    let mut jobs = vec![Job {
        name,
        unit: PLAYOUTS,
        aim,
        engine: playouts(&game, max_turns),
        rival: rival_playouts(move |rng| play(&mut steps, rng)),
    }];
    if let Some((name, aim)) = plain.moves {
        jobs.push(Job {
            name,
            unit: MOVES,
            aim: Some(aim),
            engine: turns(&game, max_turns),
            rival: rival_turns(move |rng| play(&mut other_steps, rng)),
        });
    }
    bench.jobs(check, jobs);
}
