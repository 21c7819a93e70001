//! The slow interpreter, on games whose representation is written by hand.

use rulebook::ir::board::{Board, CellInfo, Direction, Dirs, Shape, Zone};
use rulebook::ir::ending::{self, Verdict};
use rulebook::ir::expr::{Cond, Num, Op, Role, Set, TurnSet, Who};
use rulebook::ir::piece::{Clause, Generator, Kind, PieceType, Promotion, Remap, Source};
use rulebook::ir::place::Places;
use rulebook::ir::rule::{
    After, By, Change, Counter, Course, Effect, Event, Forbid, Forbidden, Latch, Mark, Quiet, Reaction, Tally,
    TallyEvent, Whose,
};
use rulebook::ir::setup::{Fill, Setup};
use rulebook::ir::turn::{Act, Choice, Chooser, Turn, Verb};
use rulebook::ir::{Cell, Game, KindId, Seat, SeatInfo, TypeId, VERSION};
use rulebook::twin::{Position, Twin};

const NORTH: u8 = 0;
const EAST: u8 = 1;
const SOUTH: u8 = 2;
const WEST: u8 = 3;
const NORTHEAST: u8 = 4;
const SOUTHEAST: u8 = 5;
const SOUTHWEST: u8 = 6;
const NORTHWEST: u8 = 7;

const STEPS: [(&str, i32, i32, u8); 8] = [
    ("north", 0, 1, SOUTH),
    ("east", 1, 0, WEST),
    ("south", 0, -1, NORTH),
    ("west", -1, 0, EAST),
    ("northeast", 1, 1, SOUTHWEST),
    ("southeast", 1, -1, NORTHWEST),
    ("southwest", -1, -1, NORTHEAST),
    ("northwest", -1, 1, SOUTHEAST),
];

/// A board of squares for two players who see it mirrored by rank.
fn grid(files: u16, ranks: u16) -> Board {
    let at = |f: i32, r: i32| -> Option<Cell> {
        let inside = (0..i32::from(files)).contains(&f) && (0..i32::from(ranks)).contains(&r);
        inside.then_some((r * i32::from(files) + f) as Cell)
    };
    let mut cells = Vec::new();
    for rank in 0..ranks {
        for file in 0..files {
            let name = format!("{}{}", (b'a' + file as u8) as char, rank + 1);
            cells.push(CellInfo { name, file, rank });
        }
    }
    let pairs = || cells.iter().map(|c| (i32::from(c.file), i32::from(c.rank)));
    let dirs = STEPS.iter().map(|&(name, x, y, opposite)| Direction {
        name: name.to_owned(),
        opposite,
        next: pairs().map(|(f, r)| at(f + x, r + y)).collect(),
    });
    let same = (0..cells.len() as Cell).collect();
    let mirrored = pairs().filter_map(|(f, r)| at(f, i32::from(ranks) - 1 - r)).collect();
    Board {
        shape: Shape::Grid { files, ranks },
        dirs: dirs.collect(),
        turned: vec![same, mirrored],
        orthogonal: vec![NORTH, EAST, SOUTH, WEST],
        any: (0..8).collect(),
        cells,
    }
}

/// Directions of seat 0, and the same with north and south exchanged for seat 1.
fn dirs(list: &[u8]) -> Dirs {
    let mirror = |d: &u8| match *d {
        NORTH => SOUTH,
        SOUTH => NORTH,
        NORTHEAST => SOUTHEAST,
        SOUTHEAST => NORTHEAST,
        NORTHWEST => SOUTHWEST,
        SOUTHWEST => NORTHWEST,
        other => other,
    };
    vec![list.to_vec(), list.iter().map(mirror).collect()]
}

fn orthogonal() -> Dirs {
    dirs(&[NORTH, EAST, SOUTH, WEST])
}

fn diagonal() -> Dirs {
    dirs(&[NORTHEAST, SOUTHEAST, SOUTHWEST, NORTHWEST])
}

fn any() -> Dirs {
    dirs(&[0, 1, 2, 3, 4, 5, 6, 7])
}

fn clause(generator: Generator, target: Set) -> Clause {
    let plain = !matches!(generator, Generator::Drop { .. } | Generator::Castle { .. } | Generator::Imitate { .. });
    Clause {
        label: String::new(),
        text: String::new(),
        generator,
        target,
        toward: None,
        away_from: None,
        from: None,
        within: None,
        guards: Vec::new(),
        then: Vec::new(),
        once: None,
        plain,
    }
}

fn usual() -> Set {
    Set::Union(vec![Set::Empty, Set::Enemies])
}

fn step(list: &[u8], distance: u16, target: Set) -> Clause {
    clause(Generator::Step { dirs: dirs(list), distance }, target)
}

fn slide(dirs: Dirs) -> Clause {
    clause(Generator::Slide { dirs, limit: None, all_the_way: false }, usual())
}

/// A game without pieces, rules or results on a board of squares.
fn blank(files: u16, ranks: u16) -> Game {
    let seat = |name: &str| SeatInfo { name: name.to_owned(), letter: name[..1].to_lowercase() };
    Game {
        version: VERSION,
        name: "Hand-made".to_owned(),
        variants: Vec::new(),
        options: Vec::new(),
        seats: vec![seat("White"), seat("Black")],
        board: grid(files, ranks),
        zones: Vec::new(),
        types: Vec::new(),
        kinds: Vec::new(),
        clauses: Vec::new(),
        remaps: Vec::new(),
        ladder: Vec::new(),
        counters: Vec::new(),
        latches: Vec::new(),
        marks: Vec::new(),
        once: Vec::new(),
        tallies: Vec::new(),
        quiets: Vec::new(),
        hand_types: Vec::new(),
        unmoved_kinds: Vec::new(),
        reads_last_moved: false,
        afters: Vec::new(),
        reactions: Vec::new(),
        forbids: Vec::new(),
        turn: play(Verb::Move),
        prefer: Vec::new(),
        setup: Setup { places: Vec::new(), hands: vec![Vec::new(), Vec::new()], fill: None },
        results: Vec::new(),
        places: Places::default(),
    }
}

fn act(verb: Verb) -> Act {
    Act::Play { verb, types: None, chooser: Chooser::Any }
}

fn play(verb: Verb) -> Turn {
    Turn { states: vec![Choice::Do(act(verb), 1), Choice::End] }
}

/// Adds a type with one kind, of the same number.
fn add(game: &mut Game, name: &str, letter: &str, clauses: Vec<Clause>) -> TypeId {
    let t = game.types.len() as TypeId;
    let first = game.clauses.len() as u16;
    let ids = (first..first + clauses.len() as u16).collect();
    game.clauses.extend(clauses);
    game.types.push(PieceType {
        name: name.to_owned(),
        glyphs: vec![letter.to_owned(), letter.to_lowercase()],
        letter: letter.to_owned(),
        worth: 0,
        royal: false,
        uncapturable: false,
        neutral: false,
        clauses: ids,
        promotions: Vec::new(),
        orientations: Vec::new(),
    });
    game.kinds.push(Kind { piece: t, orientation: None, original: t });
    t
}

/// Adds a rank, counted from 1 and seen by each player, as a zone.
fn rank(game: &mut Game, n: u16) -> u16 {
    let ranks = game.board.cells.iter().map(|c| c.rank).max().unwrap_or(0) + 1;
    let cells = |rank: u16| -> Vec<Cell> {
        let all = 0..game.board.cells.len() as Cell;
        all.filter(|c| game.board.cells[*c as usize].rank == rank).collect()
    };
    let zone = Zone { name: format!("rank {n}"), cells: vec![cells(n - 1), cells(ranks - n)] };
    game.zones.push(zone);
    game.zones.len() as u16 - 1
}

fn result(verdict: Verdict, cond: Cond) -> ending::Result {
    ending::Result { text: String::new(), verdict, at_once: false, cond }
}

fn line(count: i32, who: Who) -> Cond {
    Cond::Line { count, exactly: false, of: Set::Of(who), through: None }
}

fn tic_tac_toe() -> Game {
    let mut game = blank(3, 3);
    add(&mut game, "Stone", "O", vec![clause(Generator::Drop { kinds: vec![0] }, Set::Empty)]);
    game.turn = play(Verb::Drop);
    game.results.push(result(Verdict::Wins(Who::Mover), line(3, Who::Mover)));
    game.results.push(result(Verdict::Draw, Cond::Not(Box::new(Cond::Some(Set::Empty)))));
    game
}

/// Three pawns against three on a board of nine cells.
fn race() -> Game {
    let mut game = blank(3, 3);
    let (first, last) = (rank(&mut game, 1), rank(&mut game, 3));
    add(&mut game, "Pawn", "P", vec![step(&[NORTH], 1, Set::Empty), step(&[NORTHEAST, NORTHWEST], 1, Set::Enemies)]);
    for seat in 0..2 {
        for &c in &game.zones[first as usize].cells[seat as usize] {
            game.setup.places.push((Some(seat), 0, c));
        }
    }
    let there = Set::Intersect(vec![Set::Of(Who::Mover), Set::Zone(last)]);
    game.results.push(result(Verdict::Wins(Who::Mover), Cond::Some(there)));
    game.results.push(result(Verdict::Loses(Who::Next), Cond::Stuck(Who::Next)));
    game
}

fn leaps(game: &Game, jumps: &[(i32, i32)]) -> Clause {
    let board = &game.board;
    let target = |c: &CellInfo, x: i32, y: i32| {
        let (f, r) = (i32::from(c.file) + x, i32::from(c.rank) + y);
        let found = board.cells.iter().position(|o| i32::from(o.file) == f && i32::from(o.rank) == r);
        found.map(|i| (i as Cell, Vec::new()))
    };
    let paths: Vec<Vec<(Cell, Vec<Cell>)>> =
        board.cells.iter().map(|c| jumps.iter().filter_map(|(x, y)| target(c, *x, *y)).collect()).collect();
    clause(Generator::Leap { paths: vec![paths.clone(), paths] }, usual())
}

const PAWN: KindId = 0;
const KNIGHT: KindId = 1;
const BISHOP: KindId = 2;
const ROOK: KindId = 3;
const QUEEN: KindId = 4;
const KING: KindId = 5;

fn chess() -> Game {
    let mut game = blank(8, 8);
    let (second, last) = (rank(&mut game, 2), rank(&mut game, 8));
    game.marks.push(Mark { name: "passed".to_owned(), turns: Some(1), only_targets: true });
    let mut double = step(&[NORTH], 2, Set::Empty);
    double.from = Some(second);
    double.then = vec![Effect::Mark(Set::Crossed, 0)];
    double.plain = false;
    let mut passing = step(&[NORTHEAST, NORTHWEST], 1, Set::Mark(0));
    passing.then = vec![Effect::Capture(Set::Marker(0))];
    passing.plain = false;
    let pawn = vec![step(&[NORTH], 1, Set::Empty), double, step(&[NORTHEAST, NORTHWEST], 1, Set::Enemies), passing];
    add(&mut game, "Pawn", "P", pawn);
    let knight = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
    let knight = leaps(&game, &knight);
    add(&mut game, "Knight", "N", vec![knight]);
    add(&mut game, "Bishop", "B", vec![slide(diagonal())]);
    add(&mut game, "Rook", "R", vec![slide(orthogonal())]);
    add(&mut game, "Queen", "Q", vec![slide(any())]);
    let castle = Generator::Castle { partner: vec![ROOK], steps: 2, dirs: dirs(&[EAST, WEST]) };
    let king = vec![step(&any()[0], 1, usual()), clause(castle, Set::Empty)];
    add(&mut game, "King", "K", king);
    game.types[KING as usize].royal = true;
    game.types[PAWN as usize].promotions.push(Promotion {
        may: false,
        zone: last,
        to: [QUEEN, ROOK, BISHOP, KNIGHT].iter().map(|k| (*k, None)).collect(),
        guards: Vec::new(),
        then: Vec::new(),
    });
    game.unmoved_kinds = vec![ROOK];
    let royals = Set::Intersect(vec![Set::Of(Who::Me), Set::Kinds(vec![KING])]);
    game.forbids.push(Forbid {
        text: "safety".to_owned(),
        what: Forbidden::Turn,
        cond: Cond::Some(Set::Attacked(Box::new(royals))),
        looks_ahead: false,
    });
    let back = [ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK];
    for (file, kind) in back.into_iter().enumerate() {
        let file = file as Cell;
        game.setup.places.push((Some(0), kind, file));
        game.setup.places.push((Some(0), PAWN, 8 + file));
        game.setup.places.push((Some(1), PAWN, 48 + file));
        game.setup.places.push((Some(1), kind, 56 + file));
    }
    game.tallies.push(Tally { event: TallyEvent::Captured, kinds: None, whose: Whose::Anyone });
    game.tallies.push(Tally { event: TallyEvent::Moved, kinds: Some(vec![PAWN]), whose: Whose::Anyone });
    let some = |t: u16| Cond::Compare(Num::Tally(t, Who::Me), Op::Gt, Num::Const(0));
    game.quiets.push(Quiet { broken: Cond::Any(vec![some(0), some(1)]) });
    game.results.push(result(Verdict::Wins(Who::Mover), Cond::Checkmate));
    game.results.push(result(Verdict::Draw, Cond::Stalemate));
    game.results.push(result(Verdict::Draw, Cond::Occurs { times: 3, board_only: false }));
    game.results.push(result(Verdict::Draw, Cond::Quiet { quiet: 0, turns: Num::Const(100) }));
    game
}

fn magneton() -> Game {
    let mut game = blank(8, 8);
    let first = |what: Set| {
        let here = Box::new(Set::Role(Role::Here));
        Set::First { from: here, what: Box::new(what), dirs: any() }
    };
    add(&mut game, "Stone", "O", vec![clause(Generator::Drop { kinds: vec![0] }, Set::Empty)]);
    game.types[0].glyphs[1] = "X".to_owned();
    game.hand_types.push(0);
    game.setup.hands = vec![vec![(0, 12)], vec![(0, 12)]];
    game.turn = play(Verb::Drop);
    let magnet = |set, course| Effect::Displace { set, limit: None, course };
    game.afters.push(After {
        events: vec![Event::Act(Verb::Drop), Event::Act(Verb::Move)],
        body: vec![
            magnet(first(Set::Enemies), Course::Toward(Set::Role(Role::Here))),
            magnet(first(Set::Of(Who::Me)), Course::AwayFrom(Set::Role(Role::Here))),
        ],
    });
    let through = Some(Set::Turned(TurnSet::Shifted));
    let row = Cond::Line { count: 4, exactly: false, of: Set::Of(Who::Me), through };
    game.results.push(result(Verdict::Wins(Who::Mover), row.clone()));
    game.results.push(result(Verdict::Wins(Who::Next), row));
    game
}

/// Men that must jump while they can.
fn jumpers(prefer: bool) -> Game {
    let mut game = blank(8, 8);
    let jump = Generator::Hop { dirs: any(), far: false, over: Set::Enemies, beyond: false, captures: true };
    add(&mut game, "Man", "M", vec![clause(jump, Set::Empty), step(&[NORTH], 1, Set::Empty)]);
    let again = Act::Play { verb: Verb::Jump, types: None, chooser: Chooser::Same };
    game.turn.states = vec![
        Choice::OrElse(vec![Choice::Do(act(Verb::Jump), 1), Choice::Do(act(Verb::Step), 2)]),
        Choice::Again(Box::new(Choice::Do(again, 1)), Box::new(Choice::Goto(2))),
        Choice::End,
    ];
    if prefer {
        game.tallies.push(Tally { event: TallyEvent::Captured, kinds: None, whose: Whose::Anyone });
        game.prefer.push(Num::Tally(0, Who::Me));
    }
    game
}

fn texts(twin: &Twin, position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = twin.turns(position).into_iter().map(|(t, _)| t).collect();
    texts.sort();
    texts
}

fn go(twin: &Twin, position: &Position, turns: &str) -> Position {
    turns.split_whitespace().fold(position.clone(), |p, turn| {
        let found = twin.turns(&p).into_iter().find(|(t, _)| t == turn);
        found.unwrap_or_else(|| panic!("{turn} is not legal in {}", twin.text(&p))).1
    })
}

fn at(twin: &Twin, text: &str) -> Position {
    twin.parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Text and back, in the position and in all that one turn leads to.
fn reads_what_it_writes(twin: &Twin, position: &Position) {
    for (turn, after) in twin.turns(position) {
        let text = twin.text(&after);
        assert_eq!(twin.text(&at(twin, &text)), text, "after {turn}");
    }
}

fn winner(twin: &Twin, position: &Position) -> Option<Option<Seat>> {
    twin.outcome(position).map(|o| o.winner())
}

#[test]
fn tic_tac_toe_counts_and_ends() {
    let twin = Twin::new(tic_tac_toe());
    let start = twin.start();
    assert_eq!(twin.text(&start), "3/3/3 w 1");
    let counts: Vec<u64> = (0..6).map(|d| twin.perft(&start, d)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120]);
    let won = go(&twin, &start, "a1 b1 a2 b2 a3");
    assert_eq!(winner(&twin, &won), Some(Some(0)));
    assert!(twin.turns(&won).is_empty());
    assert_eq!(twin.text(&won), "O2/Oo1/Oo1 b 3");
    let full = go(&twin, &start, "a1 b1 c1 a2 b2 a3 b3 c3 c2");
    assert_eq!(winner(&twin, &full), Some(None));
    assert!(twin.conflicts().is_empty());
}

#[test]
fn pawns_race_and_block() {
    let twin = Twin::new(race());
    let start = twin.start();
    assert_eq!(texts(&twin, &start), ["a1a2", "b1b2", "c1c2"]);
    let won = go(&twin, &start, "b1b2 a3b2 a1b2 c3b2 c1b2");
    assert_eq!(winner(&twin, &won), Some(Some(0)), "the last black pawn is blocked");
    let through = go(&twin, &start, "a1a2 b3a2 b1b2 a2a1");
    assert_eq!(winner(&twin, &through), Some(Some(1)));
    reads_what_it_writes(&twin, &start);
}

#[test]
fn chess_counts() {
    let twin = Twin::new(chess());
    let start = twin.start();
    assert_eq!(twin.text(&start), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(twin.perft(&start, 1), 20);
    assert_eq!(twin.perft(&start, 2), 400);
    assert_eq!(twin.perft(&start, 3), 8902);
    let kiwipete = at(&twin, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -");
    assert_eq!(twin.perft(&kiwipete, 1), 48);
    assert_eq!(twin.perft(&kiwipete, 2), 2039);
    let promotions = at(&twin, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1");
    assert_eq!(twin.perft(&promotions, 2), 496);
    let pins = at(&twin, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -");
    assert_eq!(twin.perft(&pins, 3), 2812);
    reads_what_it_writes(&twin, &kiwipete);
    assert!(twin.conflicts().is_empty(), "{:?}", twin.conflicts());
}

#[test]
fn chess_ends() {
    let twin = Twin::new(chess());
    let start = twin.start();
    let mate = go(&twin, &start, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(winner(&twin, &mate), Some(Some(1)));
    assert_eq!(twin.outcome(&at(&twin, &twin.text(&mate))), twin.outcome(&mate));
    let stalemate = go(&twin, &at(&twin, "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1"), "g5g6");
    assert_eq!(winner(&twin, &stalemate), Some(None));
    let shuffle = "g1f3 g8f6 f3g1 f6g8";
    let twice = go(&twin, &start, shuffle);
    assert_eq!(twin.outcome(&twice), None);
    assert_eq!(winner(&twin, &go(&twin, &twice, shuffle)), Some(None), "the start counts as the first occurrence");
    let quiet = go(&twin, &at(&twin, "7k/8/8/8/8/8/8/R6K w - - 99 80"), "a1a2");
    assert_eq!(winner(&twin, &quiet), Some(None));
}

#[test]
fn a_mark_is_written_only_where_it_is_used() {
    let twin = Twin::new(chess());
    let start = twin.start();
    let unused = go(&twin, &start, "e2e4");
    assert_eq!(twin.text(&unused), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    let used = go(&twin, &start, "e2e4 a7a6 e4e5 d7d5");
    assert_eq!(twin.text(&used), "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    let taken = go(&twin, &used, "e5d6");
    assert_eq!(twin.text(&taken), "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
    let gone = go(&twin, &used, "a2a3 a6a5");
    assert!(!texts(&twin, &gone).contains(&"e5d6".to_owned()));
    assert_eq!(twin.text(&at(&twin, &twin.text(&used))), twin.text(&used));
}

#[test]
fn castling_needs_pieces_that_have_not_moved() {
    let twin = Twin::new(chess());
    let board = "r3k2r/8/8/8/8/8/8/R3K2R";
    let free = at(&twin, &format!("{board} w KQkq - 0 1"));
    assert!(texts(&twin, &free).contains(&"e1g1".to_owned()));
    let castled = go(&twin, &free, "e1c1");
    assert_eq!(twin.text(&castled), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    let half = go(&twin, &free, "h1h8");
    assert_eq!(twin.text(&half), "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 1");
    let none = at(&twin, &format!("{board} w kq - 0 1"));
    assert!(!texts(&twin, &none).contains(&"e1g1".to_owned()));
    let through_check = at(&twin, "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let legal = texts(&twin, &through_check);
    assert!(legal.contains(&"e1c1".to_owned()) && !legal.contains(&"e1g1".to_owned()));
}

#[test]
fn magnets_pull_and_push() {
    let twin = Twin::new(magneton());
    let start = twin.start();
    assert_eq!(twin.text(&start), "8/8/8/8/8/8/8/8[12O12X] w 1");
    assert_eq!(twin.perft(&start, 2), 4032);
    let diagram = at(&twin, "8/3X2O1/1O3X2/3O4/8/6X1/2O2X2/6X1[OX] w 1");
    let after = go(&twin, &diagram, "d4");
    assert_eq!(twin.text(&after), "8/O2X2O1/3O4/4X3/3O4/4X1X1/2O5/6X1[X] b 1");
    let five = at(&twin, "8/8/3OX3/3O4/3O4/2O1X3/8/8[2OX] w 1");
    assert_eq!(winner(&twin, &go(&twin, &five, "b3")), Some(Some(0)));
    assert_eq!(winner(&twin, &go(&twin, &five, "d3")), None);
    assert!(twin.conflicts().is_empty());
}

#[test]
fn jumps_go_on_and_come_first() {
    let twin = Twin::new(jumpers(false));
    assert_eq!(texts(&twin, &at(&twin, "8/8/8/1m6/8/1m6/M6M/8 w 1")), ["a2c4, c4a6"]);
    let two = "8/8/8/1m6/8/1m4m1/M6M/8 w 1";
    assert_eq!(texts(&twin, &at(&twin, two)), ["a2c4, c4a6", "h2f4"]);
    assert_eq!(texts(&twin, &at(&twin, &format!("{two} moves a2c4"))), ["c4a6"]);
    assert!(twin.parse(&format!("{two} moves a2a3")).is_err());
    let most = Twin::new(jumpers(true));
    assert_eq!(texts(&most, &at(&most, two)), ["a2c4, c4a6"]);
}

const JESTER: TypeId = 7;
const AVENGER: TypeId = 8;
const EXECUTIONER: TypeId = 9;

fn monteagudo() -> Game {
    let mut game = chess();
    let (first, second) = (rank(&mut game, 1), rank(&mut game, 2));
    let drop = |kind: KindId, target: Set, guards: Vec<Cond>| Clause {
        guards,
        ..clause(Generator::Drop { kinds: vec![kind] }, target)
    };
    let imitate = |source: Source, except: Vec<TypeId>| clause(Generator::Imitate { source, except }, usual());
    let knight = game.clauses[game.types[KNIGHT as usize].clauses[0] as usize].clone();
    add(&mut game, "Hero", "H", vec![slide(any()), knight]);
    let jester = vec![
        drop(JESTER, Set::Intersect(vec![Set::Empty, Set::Zone(first)]), Vec::new()),
        imitate(Source::LastMoved(Who::Opponent), vec![AVENGER, EXECUTIONER]),
    ];
    add(&mut game, "Jester", "J", jester);
    let near = Set::Union(vec![Set::Zone(first), Set::Zone(second)]);
    let avenger = vec![
        drop(AVENGER, Set::Intersect(vec![Set::Empty, near]), vec![Cond::Latch(0, Who::Me)]),
        imitate(Source::Bearing { attacking: true, defending: true }, vec![EXECUTIONER]),
    ];
    add(&mut game, "Avenger", "A", avenger);
    let prey = Set::Minus(Box::new(Set::Enemies), Box::new(Set::Kinds(vec![KING])));
    let executioner =
        vec![drop(EXECUTIONER, Set::Empty, vec![Cond::Latch(1, Who::Me)]), clause(Generator::LeapAnywhere, prey)];
    add(&mut game, "Executioner", "X", executioner);
    game.hand_types = vec![JESTER, AVENGER, EXECUTIONER];
    game.setup.hands = vec![game.hand_types.iter().map(|t| (*t, 1)).collect(); 2];
    let all_but_pawns = (1..10).collect();
    game.tallies.push(Tally { event: TallyEvent::Captured, kinds: Some(all_but_pawns), whose: Whose::Mine });
    let bereaved = Cond::Compare(Num::Tally(2, Who::Me), Op::Gt, Num::Const(0));
    let latch = |name: &str, cond: Cond| Latch { name: name.to_owned(), cond };
    game.latches = vec![latch("bereaved", bereaved), latch("checked", Cond::InCheck(Who::Me))];
    game.once = vec!["Hero".to_owned()];
    game.types[PAWN as usize].promotions[0].to = vec![(ROOK, None), (BISHOP, None), (KNIGHT, None), (6, Some(0))];
    game.reads_last_moved = true;
    game.turn.states[0] = Choice::Or(vec![Choice::Do(act(Verb::Move), 1), Choice::Do(act(Verb::Drop), 1)]);
    game
}

#[derive(Default)]
struct Proteus {
    roulette: bool,
    polarity: bool,
    fill: bool,
}

fn proteus(variant: Proteus) -> Game {
    let mut game = blank(8, 8);
    let dark = |ranks: [u16; 2]| -> Vec<Cell> {
        let on = |c: &Cell| {
            let info = &game.board.cells[*c as usize];
            ranks.contains(&info.rank) && (info.file + info.rank).is_multiple_of(2)
        };
        (0..64).filter(on).collect()
    };
    let mut start = vec![dark([0, 1]), dark([6, 7])];
    game.zones.push(Zone { name: "start".to_owned(), cells: start.clone() });
    let mut double = step(&[NORTH], 2, Set::Empty);
    double.from = Some(0);
    let pawn = vec![step(&[NORTH], 1, Set::Empty), double, step(&[NORTHEAST, NORTHWEST], 1, Set::Enemies)];
    let knight = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
    let knight = leaps(&game, &knight);
    add(&mut game, "Pyramid", "Y", Vec::new());
    add(&mut game, "Pawn", "P", pawn);
    add(&mut game, "Bishop", "B", vec![slide(diagonal())]);
    add(&mut game, "Knight", "N", vec![knight]);
    add(&mut game, "Rook", "R", vec![slide(orthogonal())]);
    add(&mut game, "Queen", "Q", vec![slide(any())]);
    game.types[0].uncapturable = true;
    for (t, worth) in game.types.iter_mut().zip([0, 2, 3, 4, 5, 6]) {
        t.worth = worth;
    }
    game.ladder = (0..6).collect();
    for (text, by) in [("+", 1), ("-", -1), ("++", 2), ("--", -2)] {
        let table = (0..6).map(|k| Some(k + by).filter(|k| (0..6).contains(k)).map(|k| k as KindId)).collect();
        game.remaps.push(Remap { text: text.to_owned(), table });
    }
    let rotate = |chooser: Chooser, ways: [u16; 2]| Act::Rotate {
        set: Set::Of(Who::Me),
        chooser,
        ways: ways.map(|w| (Cond::Const(true), w)).to_vec(),
        named: true,
    };
    game.turn.states = vec![
        Choice::Or(vec![Choice::Do(act(Verb::Move), 1), Choice::Do(rotate(Chooser::Any, [2, 3]), 2)]),
        Choice::Do(rotate(Chooser::Another, [0, 1]), 2),
        Choice::End,
    ];
    let behind = Set::Neighbours { of: Box::new(Set::Role(Role::This)), dirs: dirs(&[SOUTH]) };
    game.reactions.push(Reaction {
        kinds: vec![5],
        by: By::Enemy,
        to: behind,
        body: vec![Effect::Capture(Set::Role(Role::This))],
    });
    game.counters.push(Counter { name: "score".to_owned(), start: 0, each: true });
    let value = Num::WorthOf(Role::Victim);
    let score = Effect::Count { counter: 0, who: Who::Me, change: Change::Add, value };
    game.afters.push(After { events: vec![Event::Capture], body: vec![score] });
    let can = Cond::Can(Who::Next, Verb::Move);
    game.results.push(result(Verdict::Loses(Who::Next), Cond::Not(Box::new(can))));
    let few = Cond::Compare(Num::Count(Set::Of(Who::Me)), Op::Le, Num::Const(1));
    let points = Verdict::Highest(Num::Counter(0, Who::Me));
    game.results.push(ending::Result { at_once: true, ..result(points, Cond::AnyPlayer(Box::new(few))) });
    if variant.roulette {
        let roll = Effect::Roll(Set::Role(Role::Attacker));
        game.afters.push(After { events: vec![Event::Capture], body: vec![roll] });
    }
    if variant.polarity {
        let odd = |role: Role| Num::Odd(Box::new(Num::WorthOf(role)));
        game.forbids.push(Forbid {
            text: String::new(),
            what: Forbidden::Capture,
            cond: Cond::Compare(odd(Role::Attacker), Op::Eq, odd(Role::Victim)),
            looks_ahead: false,
        });
    }
    if variant.fill {
        let empty = Cond::Some(Set::Intersect(vec![Set::Empty, Set::Zone(0)]));
        let immobile = Cond::Not(Box::new(Cond::Can(Who::Me, Verb::Move)));
        game.forbids.push(Forbid {
            text: String::new(),
            what: Forbidden::Act(Verb::Fill, None),
            cond: Cond::All(vec![Cond::Not(Box::new(empty)), immobile]),
            looks_ahead: true,
        });
        start[1].sort_by_key(|c| (std::cmp::Reverse(c / 8), c % 8));
        game.setup.fill = Some(Fill { cells: start, budget: 20, kinds: (0..6).collect() });
    } else {
        for (seat, cells) in (0..).zip(start) {
            game.setup.places.extend(cells.into_iter().map(|c| (Some(seat), 1, c)));
        }
    }
    game
}

fn othello() -> Game {
    let mut game = blank(8, 8);
    let flanked = || Set::Runs {
        what: Box::new(Set::Enemies),
        from: Box::new(Set::Role(Role::Here)),
        to: Box::new(Set::Of(Who::Me)),
        dirs: any(),
        exactly: None,
    };
    let disc = Clause {
        guards: vec![Cond::Some(flanked())],
        then: vec![Effect::Flip(flanked())],
        ..clause(Generator::Drop { kinds: vec![0] }, Set::Empty)
    };
    add(&mut game, "Disc", "D", vec![disc]);
    for (seat, cell) in [(1, 27), (0, 28), (0, 35), (1, 36)] {
        game.setup.places.push((Some(1 - seat), 0, cell));
    }
    let drop = Choice::Do(act(Verb::Drop), 1);
    game.turn.states = vec![Choice::OrElse(vec![drop, Choice::Do(Act::Pass, 1)]), Choice::End];
    game.results.push(result(Verdict::Highest(Num::Count(Set::Of(Who::Me))), Cond::AllPass));
    game
}

/// The targets of the piece on a cell.
fn targets(twin: &Twin, position: &Position, from: &str) -> String {
    let all = texts(twin, position);
    let all: Vec<&str> = all.iter().filter_map(|t| t.strip_prefix(from)).collect();
    all.join(" ")
}

#[test]
fn discs_flip() {
    let twin = Twin::new(othello());
    let start = twin.start();
    let counts: Vec<u64> = (1..6).map(|d| twin.perft(&start, d)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1396]);
    let blocked = at(&twin, "8/8/8/8/8/8/8/DD6 w 1");
    assert_eq!(texts(&twin, &blocked), ["pass"]);
    let once = go(&twin, &blocked, "pass");
    assert_eq!(twin.text(&once), "8/8/8/8/8/8/8/DD6 b 1 passes=1");
    assert_eq!(winner(&twin, &go(&twin, &once, "pass")), Some(Some(0)));
    assert!(twin.conflicts().is_empty());
}

#[test]
fn dice_move_and_turn() {
    let twin = Twin::new(proteus(Proteus::default()));
    let start = twin.start();
    assert_eq!(twin.text(&start), "1p1p1p1p/p1p1p1p1/8/8/8/8/1P1P1P1P/P1P1P1P1 w 1");
    let turns = texts(&twin, &start);
    assert_eq!(turns.len(), 232);
    for (turn, legal) in [("b2b4, c1+", true), ("c1++", true), ("b2b4, b4+", false), ("c1--", false)] {
        assert_eq!(turns.contains(&turn.to_owned()), legal, "{turn}");
    }
    let start_over = at(&twin, &twin.text(&start));
    assert_eq!(twin.turns(&start_over), twin.turns(&start));
    let stab = at(&twin, "7b/p7/4p3/2N1q3/8/8/P7/7R w 1");
    let after = twin.turns(&stab).into_iter().find(|(t, _)| t == "c5e6, a2+").map(|(_, p)| twin.text(&p));
    assert_eq!(after.as_deref(), Some("7b/p7/4N3/8/8/8/B7/7R b 1 score=8,0"));
    let last = at(&twin, "7p/8/8/3n4/8/8/P7/3R4 w 1 score=4,9");
    let taken = go(&twin, &last, "d1d5");
    assert_eq!(winner(&twin, &taken), Some(Some(1)), "it ends at once, eight to nine");
    let stuck = at(&twin, "3r4/8/8/2p5/2P5/8/1Y6/Y6q b 1");
    let moved = twin.turns(&stuck).into_iter().find(|(t, _)| t == "h1h2, d8-");
    assert_eq!(moved.map(|(_, p)| winner(&twin, &p)), Some(Some(Some(1))));
    assert!(twin.conflicts().is_empty());
}

#[test]
fn chance_is_enumerated() {
    let twin = Twin::new(proteus(Proteus { roulette: true, ..Proteus::default() }));
    let position = at(&twin, "8/2p3p1/8/3p4/4P3/8/1P6/8 w 1");
    let turns = texts(&twin, &position);
    let captures = turns.iter().filter(|t| t.starts_with("e4d5")).count();
    assert_eq!(captures, 6 * 2, "six faces, then one other die goes up or down");
    let after = twin.turns(&position).into_iter().find(|(t, _)| t == "e4d5~R, b2+").map(|(_, p)| twin.text(&p));
    assert_eq!(after.as_deref(), Some("8/2p3p1/8/3R4/8/8/1B6/8 b 1 score=2,0"));
    let drawn = at(&twin, "8/2p3p1/8/3p4/4P3/8/1P6/8 w 1 moves e4d5~R");
    assert_eq!(texts(&twin, &drawn), ["b2+", "b2-"]);
}

#[test]
fn captures_may_be_forbidden_in_pairs() {
    let twin = Twin::new(proteus(Proteus { polarity: true, ..Proteus::default() }));
    let board = |e6: &str| format!("7p/p1p5/{e6}/2N1q3/8/7B/P7/8 w 1");
    let score = |position: &Position, turn: &str| {
        let found = twin.turns(position).into_iter().find(|(t, _)| t == turn);
        found.map(|(_, p)| twin.text(&p).rsplit(' ').next().unwrap_or_default().to_owned())
    };
    let empty = at(&twin, &board("8"));
    assert_eq!(score(&empty, "c5e6, a2+").as_deref(), Some("1"), "nothing is taken");
    assert_eq!(score(&empty, "h3e6, a2+").as_deref(), Some("score=6,0"));
    let bishop = at(&twin, &board("4b3"));
    assert_eq!(score(&bishop, "c5e6, a2+").as_deref(), Some("score=3,0"));
    assert_eq!(score(&bishop, "h3e6, a2+"), None);
    let pawn = at(&twin, &board("4p3"));
    assert_eq!(score(&pawn, "c5e6, a2+"), None);
    assert_eq!(score(&pawn, "h3e6, a2+").as_deref(), Some("score=8,0"));
}

#[test]
fn a_setup_is_filled_within_its_budget() {
    let twin = Twin::new(proteus(Proteus { fill: true, ..Proteus::default() }));
    let start = twin.start();
    assert_eq!(texts(&twin, &start).len(), 6);
    let spent = go(&twin, &start, "a1=Q c1=Q e1=R g1=B");
    assert_eq!(twin.text(&spent), "8/8/8/8/8/8/8/Q1Q1R1B1 w 1 fill=4");
    assert_eq!(texts(&twin, &spent), ["b2=Y"]);
    assert_eq!(texts(&twin, &at(&twin, &twin.text(&spent))), ["b2=Y"]);
    let whites = go(&twin, &spent, "b2=Y d2=Y f2=Y h2=Y");
    assert_eq!(texts(&twin, &whites).len(), 6);
    assert!(texts(&twin, &whites).contains(&"b8=Y".to_owned()));
    let pyramids = go(&twin, &whites, "b8=Y d8=Y f8=Y h8=Y a7=Y c7=Y e7=Y");
    assert!(!texts(&twin, &pyramids).contains(&"g7=Y".to_owned()), "some die must be able to move");
    let full = go(&twin, &pyramids, "g7=P");
    assert_eq!(twin.text(&full), "1y1y1y1y/y1y1y1p1/8/8/8/8/1Y1Y1Y1Y/Q1Q1R1B1 w 1");
    assert_eq!(texts(&twin, &at(&twin, &twin.text(&full))), texts(&twin, &full));
}

#[test]
fn monteagudo_counts() {
    let twin = Twin::new(monteagudo());
    let start = twin.start();
    assert_eq!(twin.text(&start), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[JAXjax] w KQkq - 0 1");
    let counts: Vec<u64> = (1..4).map(|d| twin.perft(&start, d)).collect();
    assert_eq!(counts, [20, 400, 8982]);
    let board = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R";
    let bare = at(&twin, &format!("{board}[] w KQkq -"));
    assert_eq!([twin.perft(&bare, 1), twin.perft(&bare, 2)], [48, 2039]);
    let two = at(&twin, &format!("{board}[JAja] w KQkq - 0 1 bereaved=w,b last=P,N"));
    assert_eq!([twin.perft(&two, 1), twin.perft(&two, 2)], [58, 3165]);
    let three = at(&twin, &format!("{board}[JAXjax] w KQkq - 0 1 bereaved=w,b checked=w,b last=P,N"));
    assert_eq!([twin.perft(&three, 1), twin.perft(&three, 2)], [90, 7736]);
    reads_what_it_writes(&twin, &three);
    assert!(twin.conflicts().is_empty(), "{:?}", twin.conflicts());
}

#[test]
fn imitators_borrow() {
    let twin = Twin::new(monteagudo());
    let jester = |last: &str| {
        let position = at(&twin, &format!("7k/8/3p4/4p3/1p1J4/8/8/K7[] w - - 0 1 last=-,{last}"));
        targets(&twin, &position, "d4")
    };
    assert_eq!(jester("P"), "d5 e5");
    assert_eq!(jester("N"), "b3 b5 c2 c6 e2 e6 f3 f5");
    assert_eq!(jester("K"), "c3 c4 c5 d3 d5 e3 e4 e5");
    assert_eq!(jester("R"), "b4 c4 d1 d2 d3 d5 d6 e4 f4 g4 h4");
    assert_eq!(jester("-"), "");
    assert_eq!(jester("X"), "");
    assert_eq!(jester("A:R"), "");
    let avenger = |board: &str| targets(&twin, &at(&twin, &format!("{board}[] w - - 0 1 last=-,R")), "d4");
    assert_eq!(avenger("3r4/P4kb1/8/8/3A4/8/4N3/7K").split(' ').count(), 32);
    assert_eq!(avenger("7k/8/8/8/3A4/2P5/8/7K"), "d5");
    assert_eq!(avenger("7k/8/8/4p3/3A4/8/8/7K"), "d5 e5");
    assert_eq!(avenger("x6k/8/8/8/3A4/8/8/7K"), "");
    assert_eq!(avenger("k7/3a4/2p5/8/3A4/8/8/3R3K"), "a4 b4 c4 d2 d3 d5 d6 d7 e4 f4 g4 h4");
    assert_eq!(avenger("k7/3a4/8/8/3A4/8/8/7K"), "");
    assert!(avenger("3j3k/8/8/8/3A4/8/8/7K").is_empty(), "White has not moved: the jester has no type");
    let arming = at(&twin, "4j2k/8/8/8/8/8/P6P/RN2K3[] w - - 0 1 last=N,K");
    assert_eq!(
        texts(&twin, &arming),
        ["a2a3", "a2a4", "b1a3", "b1c3", "b1d2", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "h2h3", "h2h4"]
    );
}

#[test]
fn castling_beside_a_jester() {
    let twin = Twin::new(monteagudo());
    let legal = |jester: &str, last: &str| {
        let position = at(&twin, &format!("{jester}/4K2R[] w K - 0 1 last={last},-"));
        texts(&twin, &position).contains(&"e1g1".to_owned())
    };
    assert!(legal("k7/8/8/8/8/7j/8", "P"));
    assert!(!legal("k7/8/8/8/8/8/7j", "P"));
    assert!(!legal("k7/8/8/8/8/5j2/8", "N"));
    assert!(!legal("k7/8/8/8/8/8/5j2", "R"));
    assert!(legal("k7/8/8/8/8/8/3j4", "N"));
}

#[test]
fn a_hero_once() {
    let twin = Twin::new(monteagudo());
    let position = "2r3k1/1P6/8/8/8/8/8/6K1[] w - - 0 1";
    assert_eq!(targets(&twin, &at(&twin, position), "b7").split(' ').count(), 8);
    let used = at(&twin, &format!("{position} used-Hero=w"));
    assert_eq!(targets(&twin, &used, "b7"), "b8=B b8=N b8=R c8=B c8=N c8=R");
    let promoted = go(&twin, &at(&twin, position), "b7b8=H");
    let text = "1Hr3k1/8/8/8/8/8/8/6K1[] b - - 0 1 used-Hero=w last=P,-";
    assert_eq!(twin.text(&promoted), text);
}

#[test]
fn sides_are_swapped_once() {
    let mut game = blank(3, 3);
    game.zones = (0..2)
        .map(|i| Zone { name: String::new(), cells: vec![[vec![0, 1, 2], vec![6, 7, 8]][i].clone(); 2] })
        .collect();
    add(&mut game, "Stone", "O", vec![clause(Generator::Drop { kinds: vec![0] }, Set::Empty)]);
    let second = Cond::Compare(Num::TurnNumber, Op::Eq, Num::Const(2));
    let swap = Choice::Cases(vec![(second, Choice::Do(Act::SwapSides, 1))]);
    game.turn.states = vec![Choice::Or(vec![swap, Choice::Do(act(Verb::Drop), 1)]), Choice::End];
    let connects = Cond::Connects { of: Set::Of(Who::Me), from: Set::Zone(0), to: Set::Zone(1), dirs: orthogonal() };
    game.results.push(result(Verdict::AnyPlayerWins, connects));
    let twin = Twin::new(game);
    let start = twin.start();
    assert_eq!([twin.perft(&start, 1), twin.perft(&start, 2)], [9, 81]);
    let swapped = go(&twin, &start, "b2 swap");
    assert_eq!(twin.text(&swapped), "3/1O1/3 b 2 swapped=yes");
    assert!(!texts(&twin, &swapped).contains(&"swap".to_owned()));
    reads_what_it_writes(&twin, &swapped);
    let joined = go(&twin, &start, "b2 a1 b3 a2 b1");
    assert_eq!(winner(&twin, &joined), Some(Some(0)));
}
