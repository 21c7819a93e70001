//! Engine and twin on games that nobody wrote: random definitions drawn from the grammar `tests/generated.txt`.

use crate::common::{follow_playouts, lockstep};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::Union;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use rulebook::engine::Game;
use rulebook::twin::Twin;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Strategies for the sentences of the grammar, by name.
struct Grammar(BTreeMap<String, BoxedStrategy<String>>);

impl Grammar {
    fn new() -> Grammar {
        let mut grammar = Grammar(BTreeMap::new());
        let lines = include_str!("../generated.txt").lines().filter(|l| !l.starts_with('#') && !l.is_empty());
        let mut entries: Vec<(String, String)> = Vec::new();
        for line in lines {
            match (line.strip_prefix("  "), entries.last_mut()) {
                (Some(more), Some((_, body))) => body.push_str(more),
                _ => {
                    let (name, body) = line.split_once(" = ").expect("NAME = ALTERNATIVES");
                    entries.push((name.to_owned(), body.to_owned()));
                }
            }
        }
        for (name, body) in entries {
            let strategy = grammar.alternatives(&mut body.chars());
            grammar.0.insert(name, strategy);
        }
        grammar
    }

    /// The strategy of a name; names are explained before they are used, so nothing recurs.
    fn get(&self, name: &str) -> BoxedStrategy<String> {
        self.0.get(name).unwrap_or_else(|| panic!("the grammar does not say what <{name}> is")).clone()
    }

    /// Reads alternatives up to the end or to a closing bracket.
    fn alternatives(&self, text: &mut std::str::Chars) -> BoxedStrategy<String> {
        let mut all = Vec::new();
        let mut phrase: Vec<BoxedStrategy<String>> = Vec::new();
        let mut plain = String::new();
        loop {
            let next = text.next();
            if matches!(next, None | Some('|' | '(' | ')' | '<' | '@')) && !plain.is_empty() {
                phrase.push(Just(std::mem::take(&mut plain)).boxed());
            }
            match next {
                None | Some('|' | ')') => {
                    all.push(std::mem::take(&mut phrase).prop_map(|parts| parts.concat()).boxed());
                    if next != Some('|') {
                        return Union::new(all).boxed();
                    }
                }
                Some('(') => phrase.push(self.alternatives(text)),
                Some('<') => phrase.push(self.get(&text.by_ref().take_while(|c| *c != '>').collect::<String>())),
                Some('@') => {
                    let sign = text.next().expect("a letter after @");
                    phrase.push((0..100u8).prop_map(move |n| format!("@{sign}{n:02}")).boxed());
                }
                Some('\\') => plain.extend(text.next()),
                Some(c) => plain.push(c),
            }
        }
    }
}

/// A game whose sentences still hold signs.
#[derive(Clone, Debug)]
struct Sketch {
    board: String,
    symmetry: String,
    zone: String,
    marks: String,
    hand: String,
    pieces: Vec<PieceSketch>,
    /// Whether there is a cube too.
    cube: bool,
    /// Of each player: which of the cells on his half, and which piece.
    places: Vec<(u8, u8)>,
    rules: Vec<String>,
    turn: String,
    results: Vec<String>,
    /// The last turn.
    limit: u8,
}

#[derive(Clone, Debug)]
struct PieceSketch {
    traits: String,
    worth: u8,
    lines: Vec<String>,
}

fn sketches(board: &str, places: usize) -> impl Strategy<Value = Sketch> + use<> {
    let grammar = Grammar::new();
    let get = |name| grammar.get(name);
    let lines = (get("first"), vec(get("line"), 0..3), get("drop"), get("special"), get("promotion"), get("reaction"));
    let piece =
        (get("trait"), 0..4u8, lines).prop_map(|(traits, worth, (first, more, drop, special, promotion, reaction))| {
            let mut lines = vec![first];
            lines.extend(more);
            lines.extend([drop, special, promotion, reaction].into_iter().filter(|l| !l.is_empty()));
            PieceSketch { traits, worth, lines }
        });
    let rules = (vec(get("after"), 0..3), vec(get("forbid"), 0..2), get("remember"), get("prefer")).prop_map(
        |(mut rules, forbids, remember, prefer)| {
            rules.extend(forbids);
            rules.extend([remember, prefer]);
            rules
        },
    );
    let ground = (get(board), get("symmetry"), get("zone"), get("marks"), get("hand"));
    let cube = prop::bool::weighted(0.06);
    let places = vec((any::<u8>(), any::<u8>()), 1..places);
    let play = (rules, get("turn"), vec(get("result"), 1..4), 4..30u8);
    (ground, vec(piece, 2..5), cube, places, play).prop_map(|(ground, pieces, cube, places, play)| {
        let (board, symmetry, zone, marks, hand) = ground;
        let (rules, turn, results, limit) = play;
        Sketch { board, symmetry, zone, marks, hand, pieces, cube, places, rules, turn, results, limit }
    })
}

const NAMES: [&str; 5] = ["Ant", "Bee", "Cat", "Dog", "Elk"];
const SQUARE_DIRECTIONS: [&str; 16] = [
    "any",
    "orthogonal",
    "diagonal",
    "forward",
    "forward-diagonal",
    "sideways",
    "backward",
    "forward or sideways",
    "forward-left",
    "any",
    "backward-diagonal",
    "left",
    "forward or backward",
    "north or southeast",
    "east",
    "right",
];
const HEXAGON_DIRECTIONS: [&str; 7] =
    ["any", "forward", "left or right", "backward", "orthogonal", "forward or backward", "south"];
const SQUARE_NEIGHBOURS: [&str; 6] = ["forward", "left", "backward", "forward-right", "southwest", "east"];
const HEXAGON_NEIGHBOURS: [&str; 4] = ["forward", "left", "backward", "north"];
const LEAPS: [&str; 7] = [
    "leap (1,2)",
    "leap (1,1)",
    "leap (0,2)",
    "leap (1,2) lame",
    "leap (1,2) forward",
    "leap anywhere",
    "leap (0,1), (2,2)",
];

/// A board as the signs see it.
struct Ground {
    hexagons: bool,
    /// Files and ranks, from 0, rank by rank.
    cells: Vec<(u8, u8)>,
    files: u8,
    ranks: u8,
}

fn cell_name((file, rank): (u8, u8)) -> String {
    format!("{}{}", (b'a' + file) as char, rank + 1)
}

impl Ground {
    fn new(board: &str) -> Ground {
        let size = board.split(" wrap").next().unwrap_or(board);
        let (hexagons, size) = size.strip_prefix("hex ").map_or((false, size), |size| (true, size));
        let number = |text: &str| text.parse::<u8>().expect("a number");
        let (files, ranks, side) = match size.split_once('x') {
            Some((files, ranks)) => (number(files), number(ranks), u8::MAX),
            None => (2 * number(size) - 1, 2 * number(size) - 1, number(size)),
        };
        let all = (0..ranks).flat_map(|r| (0..files).map(move |f| (f, r)));
        Ground { hexagons, cells: all.filter(|(f, r)| f.abs_diff(*r) < side).collect(), files, ranks }
    }

    /// A sentence with what this game has in the place of its signs; `piece` is the one it belongs to, of `count`.
    fn fill(&self, sentence: &str, piece: usize, count: usize, labels: &mut Vec<String>) -> String {
        let mut parts = sentence.split('@');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (sign, number, rest) = (&part[..1], part[1..3].parse::<usize>().expect("a number"), &part[3..]);
            let of = |squares: &[&str], hexagons: &[&str]| {
                let list = if self.hexagons { hexagons } else { squares };
                list[number % list.len()].to_owned()
            };
            out.push_str(&match sign {
                "p" => NAMES[number % count].to_owned(),
                "o" => NAMES[number % piece.max(1)].to_owned(),
                "n" => NAMES[(piece + 1 + number % (count - 1)) % count].to_owned(),
                "d" => of(&SQUARE_DIRECTIONS, &HEXAGON_DIRECTIONS),
                "e" => of(&SQUARE_NEIGHBOURS, &HEXAGON_NEIGHBOURS),
                "j" => of(&LEAPS, &["leap anywhere"]),
                "x" => of(&["dark", "light"], &["corner", "edge"]),
                "r" => (number % usize::from(self.ranks) + 1).to_string(),
                "q" => self.ranks.to_string(),
                "f" => ((b'a' + number as u8 % self.files) as char).to_string(),
                "c" => cell_name(self.cells[number % self.cells.len()]),
                "l" => {
                    labels.push(format!("way-{}", labels.len() + 1));
                    labels[labels.len() - 1].clone()
                }
                "k" if labels.is_empty() => "move".to_owned(),
                "k" => labels[number % labels.len()].clone(),
                _ => panic!("no sign @{sign}"),
            });
            out.push_str(rest);
        }
        out
    }
}

impl Sketch {
    /// The definition: statements for everything that is named, and what this game has in the place of signs.
    fn text(&self) -> String {
        let ground = Ground::new(&self.board);
        let count = self.pieces.len();
        let sentences = self.pieces.iter().flat_map(|p| &p.lines).chain(&self.rules).chain(&self.results);
        let traits = self.pieces.iter().map(|p| &p.traits);
        let sentences: Vec<&String> = sentences.chain(traits).chain([&self.board, &self.turn]).collect();
        let says = |word: &str| sentences.iter().any(|s| s.contains(word));
        let hands = !self.hand.is_empty() || says(" hand");
        let mut labels = Vec::new();
        let mut body = String::new();
        for (i, PieceSketch { traits, worth, lines }) in self.pieces.iter().enumerate() {
            let neutral = traits == " neutral" && i > 1;
            let traits = if traits == " neutral" && !neutral { "" } else { traits };
            let glyph = &NAMES[i][..1];
            body.push_str(&format!("piece {} \"{glyph}\" worth {worth}{traits} {{\n", NAMES[i]));
            for line in lines {
                // a neutral piece is nobody's to drop, and the first piece has none before it whose moves it could borrow
                let idle = neutral && line.contains("drop to") || i == 0 && line.contains("@o");
                if !idle {
                    body.push_str(&format!("  {}\n", ground.fill(line, i, count, &mut labels)));
                }
            }
            if hands && !neutral && i % 2 == 0 && !lines.iter().any(|l| l.contains("drop to")) {
                body.push_str("  drop to empty\n");
            }
            body.push_str("}\n");
        }
        let mut statements = vec![self.zone.clone(), self.hand.clone()];
        if self.cube {
            let faces = "top = flag front; front = flag left; right = flag top bottom; step orthogonal; drop to empty any way up";
            statements.push(format!("cube Elk \"E\" {{ {faces} }}"));
        }
        statements.extend_from_slice(&self.rules);
        if self.cube {
            let acts = "move or drop or spin one Elk clockwise or tip one Elk forward or left";
            statements.push(format!("turn {{ ({acts}) or else pass }}"));
        } else {
            statements.push(self.turn.clone());
        }
        statements.extend_from_slice(&self.results);
        statements.push(format!("draw when turn number >= {}", self.limit));
        let remembers = statements.iter().any(|s| s.starts_with("remember"));
        for statement in statements.iter().filter(|s| !s.is_empty()) {
            body.push_str(&ground.fill(statement, 0, count, &mut labels));
            body.push('\n');
        }
        let rungs: Vec<String> = (0..count).map(|i| format!("{} {}", NAMES[i], i * 2 % 5)).collect();
        let ladder = format!("ladder {}", rungs.join(" < "));
        let named = [
            (&["hot", "unmark"][..], self.marks.as_str()),
            (&["cold"], "mark cold for 2 turns"),
            (&["gold"], "counter gold = 1 each"),
            (&["rotate ", "roll "], &ladder),
            (if hands && self.hand.is_empty() { &[""] } else { &[] }, "hand empty"),
            (if remembers { &[] } else { &["hurt"] }, "remember hurt when my captured pieces"),
        ];
        let mut head = format!("game \"Generated\"\nplayers White, Black\nboard {}\n{}\n", self.board, self.symmetry);
        for (_, statement) in named.iter().filter(|(words, _)| words.iter().any(|w| w.is_empty() || body.contains(w))) {
            head.push_str(&format!("{statement}\n"));
        }
        head + &body + &self.setup(&ground)
    }

    /// Placings on the near half of the board, each cell once.
    fn setup(&self, ground: &Ground) -> String {
        let cells = &ground.cells;
        let half: Vec<_> = cells.iter().filter(|c| c.1 < ground.ranks / 2).copied().collect();
        let mut taken = BTreeSet::new();
        let mut lines = String::new();
        for (cell, piece) in &self.places {
            let at = usize::from(*cell) % half.len();
            if !taken.insert(at) {
                continue;
            }
            let types = self.pieces.len() + usize::from(self.cube);
            let piece = match usize::from(*piece) % types {
                p if p == self.pieces.len() => "Elk",
                p => NAMES[p],
            };
            let there = cell_name(half[at]);
            match self.symmetry.as_str() {
                "symmetry none" => {
                    let far = cell_name(cells[cells.len() - 1 - at]);
                    lines.push_str(&format!("  White {piece} on {there}\n  Black {piece} on {far}\n"));
                }
                _ => lines.push_str(&format!("  {piece} on {there}\n")),
            }
        }
        format!("setup {{\n{lines}}}\n")
    }
}

/// How much of one generated game is looked at.
#[derive(Clone, Copy)]
struct Effort {
    /// Random games.
    games: u64,
    /// Turns of each, listed by both.
    turns: u32,
    /// Turns that may be listed in all, and at one position.
    listed: usize,
}

/// Compares engine and twin on a game; tells whether there was something to compare. There is not where the checker refuses the definition,
/// where nobody can move at the start, and where one text of a turn means two things, so that either may be played.
///
/// # Errors
/// What they differ in, and where.
fn judge(text: &str, effort: Effort) -> Result<bool, String> {
    let Ok(game) = rulebook::load(text) else { return Ok(false) };
    let twin = Twin::new(game.rules().clone());
    let found = compare(&game, &twin, effort);
    let ambiguous = twin.conflicts().iter().any(|c| c.starts_with("two turns are written"));
    if ambiguous { Ok(false) } else { found.map(|()| true) }
}

fn compare(game: &Game, twin: &Twin, effort: Effort) -> Result<(), String> {
    for seed in 0..effort.games {
        lockstep(game, twin, seed, effort.turns, effort.listed)?;
        follow_playouts(game, twin, seed, effort.turns, effort.listed)?;
    }
    let start = game.start();
    for depth in 1..=2 {
        let Some(count) = game.perft_within(&start, depth, effort.listed as u64) else { break };
        let played = game.perft_played(&start, depth);
        let counts = (count, played, twin.perft(&twin.start(), depth));
        if counts.0 != counts.1 || counts.0 != counts.2 {
            return Err(format!("perft {depth}: counted, played, and by the twin: {counts:?}"));
        }
    }
    Ok(())
}

/// Draws so many games from a seed and compares engine and twin on each. `GENERATED_SEED` (0 to 255) and `GENERATED_CASES` in the environment
/// take the place of seed and number, to look for more.
fn run(board: &str, places: usize, seed: u8, cases: u32, effort: Effort) {
    let given = |name| std::env::var(name).ok().and_then(|n| n.parse::<u32>().ok());
    let seed = given("GENERATED_SEED").map_or(seed, |s| s as u8);
    let cases = given("GENERATED_CASES").unwrap_or(cases);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 10_000, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let (drawn, accepted) = (Cell::new(0), Cell::new(0));
    let result = TestRunner::new_with_rng(config, rng).run(&sketches(board, places), |sketch| {
        let text = sketch.text();
        let compared = judge(&text, effort).map_err(TestCaseError::fail)?;
        drawn.set(drawn.get() + 1);
        accepted.set(accepted.get() + u32::from(compared));
        Ok(())
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, sketch)) => panic!("{reason}\nin this game:\n{}", sketch.text()),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
    let (drawn, accepted) = (drawn.get(), accepted.get());
    assert!(accepted * 10 >= drawn * 6, "only {accepted} of {drawn} generated games are accepted");
}

#[test]
fn engine_and_twin_agree_on_generated_games() {
    run("board small", 6, 1, 120, Effort { games: 1, turns: 4, listed: 60 });
}
