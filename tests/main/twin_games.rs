//! The slow interpreter on the shipped games: known counts, and texts that say everything.

use rulebook::base::Sources;
use rulebook::check::{self, Selection};
use rulebook::games::{self, Shipped};
use rulebook::twin::{Position, Twin};

fn twin(name: &str, variants: &[&str], options: &[(&str, &str)]) -> Twin {
    let mut sources = Sources::new();
    let file = sources.add(name, games::text(name).expect("a shipped game"));
    let (definition, faults) = check::load(&mut sources, file, &Shipped);
    assert!(faults.is_empty(), "{name}: {faults:?}");
    let choice = Selection {
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        options: options.iter().map(|(o, v)| ((*o).to_owned(), (*v).to_owned())).collect(),
    };
    let compiled = definition.expect("a definition").compile(&choice).expect("a game");
    Twin::new(compiled.game)
}

fn counts(name: &str, expected: &[u64]) {
    let twin = twin(name, &[], &[]);
    let start = twin.start();
    let found: Vec<u64> = (1..).take(expected.len()).map(|d| twin.perft(&start, d)).collect();
    assert_eq!(found, expected, "{name}");
    assert_eq!(twin.conflicts(), Vec::<String>::new(), "{name}");
}

fn at(twin: &Twin, text: &str) -> Position {
    twin.parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn texts(twin: &Twin, position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = twin.turns(position).into_iter().map(|(t, _)| t).collect();
    texts.sort();
    texts
}

fn go(twin: &Twin, position: &Position, turns: &[&str]) -> Position {
    turns.iter().fold(position.clone(), |p, turn| {
        let found = twin.turns(&p).into_iter().find(|(t, _)| t == turn);
        found.unwrap_or_else(|| panic!("{turn} is not legal in {}", twin.text(&p))).1
    })
}

fn wins(twin: &Twin, position: &Position) -> Option<Option<u8>> {
    twin.outcome(position).map(|o| o.winner())
}

#[test]
fn known_counts() {
    counts("chess", &[20, 400, 8902]);
    counts("crazyhouse", &[20, 400, 8902]);
    counts("monteagudo", &[20, 400, 8982]);
    counts("breakthrough", &[22, 484, 11132]);
    counts("othello", &[4, 12, 56, 244]);
    counts("draughts", &[7, 49, 302, 1469]);
    counts("connect-four", &[7, 49, 343]);
    counts("bushi-shogi", &[16, 256, 1024]);
    counts("magneton", &[64, 4032]);
    counts("gomoku", &[225]);
    counts("hex", &[121, 14641]);
    counts("proteus", &[232]);
}

#[test]
fn two_turns_of_proteus() {
    counts("proteus", &[232, 53824]);
}

#[test]
fn kiwipete() {
    let twin = twin("chess", &[], &[]);
    let position = at(&twin, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    assert_eq!([twin.perft(&position, 1), twin.perft(&position, 2)], [48, 2039]);
}

#[test]
fn dice_that_turn() {
    let twin = twin("bushi-shogi", &[], &[]);
    let start = twin.start();
    let first = texts(&twin, &start);
    assert_eq!(first.len(), 16);
    assert!(first.contains(&"a1:top/back".to_owned()) && !first.contains(&"a1:top/front".to_owned()));
    let both = go(&twin, &start, &["a1:right/front", "a2:left/top"]);
    assert_eq!(texts(&twin, &both).len(), 4);
    let forced = go(&twin, &both, &["spin", "spin"]);
    assert_eq!(texts(&twin, &forced).len(), 1);
    let turns = ["spin", "left", "right", "right", "spin", "left", "left", "right", "spin"];
    let late = go(&twin, &forced, &turns);
    assert_eq!(twin.outcome(&late), None);
    assert_eq!(wins(&twin, &go(&twin, &late, &["left"])), Some(Some(1)));
}

#[test]
fn a_whole_game_of_magneton() {
    let twin = twin("magneton", &[], &[]);
    let turns = "h4 h6 f5 g1 g7 h8 e1 a8 f1 e8 c2 d8 e4 c3 h2 g6 d3 e5 g2 d6 b5 g6 h7 b3 a7a8 f2f3 f6e6 c3d3 f2c2 b8b5";
    let turns: Vec<&str> = turns.split(' ').collect();
    let end = go(&twin, &twin.start(), &turns);
    assert_eq!(wins(&twin, &end), Some(Some(1)));
}

#[test]
fn a_king_must_be_able_to_answer() {
    let twin = twin("monteagudo", &[], &[]);
    let mate = go(&twin, &twin.start(), &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(texts(&twin, &mate), ["X@f2", "X@g3"]);
    assert_eq!(twin.outcome(&mate), None);
}

/// Plays at random and asks of every position whether its text tells all that its turns need.
fn wander(name: &str, variants: &[&str], options: &[(&str, &str)], plies: usize) {
    let twin = twin(name, variants, options);
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    let plies = if cfg!(debug_assertions) { plies.div_ceil(4) } else { plies };
    for _ in 0..2 {
        let mut position = twin.start();
        for _ in 0..plies {
            let mut turns = twin.turns(&position);
            turns.sort_by(|a, b| a.0.cmp(&b.0));
            if turns.is_empty() {
                assert!(twin.outcome(&position).is_some(), "{name}");
                break;
            }
            let text = twin.text(&position);
            let read = at(&twin, &text);
            assert_eq!(twin.text(&read), text, "{name}");
            let again = texts(&twin, &read);
            assert!(again.iter().eq(turns.iter().map(|(t, _)| t)), "{name}: {text}");
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pick = (random >> 33) as usize % turns.len();
            position = turns.swap_remove(pick).1;
        }
    }
    assert_eq!(twin.conflicts(), Vec::<String>::new(), "{name} {variants:?} {options:?}");
}

#[test]
fn texts_tell_everything() {
    wander("breakthrough", &[], &[], 40);
    wander("othello", &[], &[], 40);
    wander("connect-four", &[], &[], 40);
    wander("bushi-shogi", &[], &[], 40);
    wander("bushi-shogi", &[], &[("single-sword", "yes")], 40);
    wander("draughts", &[], &[], 40);
    wander("draughts", &[], &[("must-take-most", "yes")], 40);
    wander("hex", &[], &[], 4);
    wander("gomoku", &["Standard"], &[], 3);
    wander("magneton", &[], &[], 20);
    wander("magneton", &[], &[("one-sided", "yes"), ("weak-force", "yes")], 20);
}

#[test]
fn texts_of_chess_tell_everything() {
    wander("chess", &[], &[], 10);
    wander("chess", &["Compulsory Capture"], &[], 10);
    wander("chess", &["King of the Hill"], &[], 6);
    wander("crazyhouse", &[], &[], 10);
    wander("monteagudo", &[], &[], 10);
}

#[test]
fn texts_of_proteus_tell_everything() {
    wander("proteus", &[], &[], 8);
    wander("proteus", &["Russian Roulette"], &[("trade-off", "off")], 8);
    wander("proteus", &["Wall Street"], &[], 18);
    wander("proteus", &["Polarity", "Warhorses"], &[("trade-off", "move-only")], 4);
}
