//! What `--format json` prints. The shapes are described in `docs/json.md`; fields may be added, none is renamed or taken away.

#![allow(missing_docs, reason = "the fields are described in docs/json.md")]

use crate::base::{Diagnostic, Severity, Sources, Span};
use crate::check::Choices;
use crate::engine::{Deed, Game, Ground, Outcome, State, Step};
use crate::ir::turn::Chosen;
use crate::ir::{Cell, KindId, Seat};
use crate::session::describe;
use crate::testing::Report;
use serde::Serialize;
use std::collections::BTreeMap;

/// A shipped game.
#[derive(Serialize)]
pub struct ListedGame {
    pub name: String,
    pub title: String,
    pub variants: Vec<ListedVariant>,
    pub options: Vec<ListedOption>,
}

/// A variant of a game.
#[derive(Serialize)]
pub struct ListedVariant {
    pub name: String,
    pub slug: String,
}

/// An option of a game.
#[derive(Serialize)]
pub struct ListedOption {
    pub name: String,
    pub default: String,
    pub values: ListedValues,
    pub text: String,
}

/// What an option may be.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ListedValues {
    List(Vec<String>),
    Range { least: i64, most: i64 },
    YesNo,
}

impl From<Choices> for ListedValues {
    fn from(choices: Choices) -> ListedValues {
        match choices {
            Choices::List(values) => ListedValues::List(values),
            Choices::Range(least, most) => ListedValues::Range { least, most },
            Choices::YesNo => ListedValues::YesNo,
        }
    }
}

/// How a game ended.
#[derive(Serialize)]
pub struct Result {
    pub verdict: String,
    pub winner: Option<String>,
    pub ranks: Vec<u8>,
    pub reason: String,
}

impl Result {
    pub fn new(game: &Game, outcome: &Outcome) -> Result {
        Result {
            verdict: describe::verdict(game, outcome),
            winner: outcome.winner().map(|seat| describe::seat_name(game, seat).to_owned()),
            ranks: outcome.ranks.clone(),
            reason: outcome.reason.clone(),
        }
    }
}

/// A position.
#[derive(Serialize)]
pub struct Position {
    pub game: String,
    pub position: String,
    pub to_move: Option<String>,
    pub turn: u32,
    pub within_turn: bool,
    pub result: Option<Result>,
}

impl Position {
    pub fn new(title: String, game: &Game, state: &State) -> Position {
        let outcome = game.outcome(state);
        let mover = outcome.is_none().then(|| describe::seat_name(game, game.to_move(state)).to_owned());
        Position {
            game: title,
            position: game.position(state),
            to_move: mover,
            turn: game.turn_number(state),
            within_turn: game.within_turn(state),
            result: outcome.map(|outcome| Result::new(game, &outcome)),
        }
    }
}

/// What `show` prints.
#[derive(Serialize)]
pub struct Shown {
    #[serde(flatten)]
    pub position: Position,
    pub pieces: Vec<Piece>,
    pub hands: Vec<Hand>,
    pub counters: Vec<Counter>,
    pub latches: Vec<Latch>,
}

/// A piece on a cell.
#[derive(Serialize)]
pub struct Piece {
    pub cell: String,
    pub owner: Option<String>,
    pub piece: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orientation: Option<String>,
    pub glyph: String,
}

/// What a player holds.
#[derive(Serialize)]
pub struct Hand {
    pub player: String,
    pub pieces: Vec<Held>,
}

/// Some pieces in a hand.
#[derive(Serialize)]
pub struct Held {
    pub piece: String,
    pub count: u32,
}

/// A counter of a player, or of nobody.
#[derive(Serialize)]
pub struct Counter {
    pub name: String,
    pub player: Option<String>,
    pub value: i32,
}

/// A latch that is set.
#[derive(Serialize)]
pub struct Latch {
    pub name: String,
    pub player: String,
}

impl Shown {
    pub fn new(title: String, game: &Game, state: &State) -> Shown {
        let rules = game.rules();
        let seats: Vec<Seat> = (0..rules.seats.len() as Seat).collect();
        let name = |seat: Seat| describe::seat_name(game, seat).to_owned();
        let pieces = (0..rules.board.cells.len() as Cell)
            .filter_map(|cell| game.piece(state, cell).map(|(owner, kind)| (cell, owner, kind)))
            .map(|(cell, owner, kind)| {
                let piece = rules.type_of(kind);
                let orientation = rules.kinds[kind as usize].orientation;
                Piece {
                    cell: rules.cell_name(cell).to_owned(),
                    owner: owner.map(name),
                    piece: piece.name.clone(),
                    orientation: orientation.and_then(|o| Some(piece.orientations.get(o as usize)?.name.clone())),
                    glyph: piece.glyphs.get(owner.unwrap_or(0) as usize).cloned().unwrap_or_default(),
                }
            })
            .collect();
        let hand = |seat: Seat| Hand {
            player: name(seat),
            pieces: rules
                .hand_types
                .iter()
                .map(|t| Held { piece: rules.types[*t as usize].name.clone(), count: game.in_hand(state, seat, *t) })
                .filter(|held| held.count > 0)
                .collect(),
        };
        let hands = if rules.hand_types.is_empty() { Vec::new() } else { seats.iter().map(|s| hand(*s)).collect() };
        let mut counters = Vec::new();
        for (i, counter) in rules.counters.iter().enumerate() {
            for &seat in seats.iter().filter(|s| counter.each || **s == 0) {
                counters.push(Counter {
                    name: counter.name.clone(),
                    player: counter.each.then(|| name(seat)),
                    value: game.counter(state, i, seat),
                });
            }
        }
        let mut latches = Vec::new();
        for (i, latch) in rules.latches.iter().enumerate() {
            for &seat in seats.iter().filter(|s| game.latch(state, i, **s)) {
                latches.push(Latch { name: latch.name.clone(), player: name(seat) });
            }
        }
        Shown { position: Position::new(title, game, state), pieces, hands, counters, latches }
    }
}

/// What `moves` prints.
#[derive(Serialize)]
pub struct Moves {
    #[serde(flatten)]
    pub position: Position,
    pub count: usize,
    pub moves: Vec<Move>,
}

/// A legal turn.
#[derive(Serialize)]
pub struct Move {
    pub text: String,
    pub steps: Vec<MoveStep>,
}

impl Move {
    pub fn new(game: &Game, steps: &[Step]) -> Move {
        Move { text: game.turn_text(steps), steps: steps.iter().map(|step| MoveStep::new(game, *step)).collect() }
    }
}

/// A step of a turn.
#[derive(Serialize)]
pub struct MoveStep {
    pub text: String,
    pub act: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
}

impl MoveStep {
    fn new(game: &Game, step: Step) -> MoveStep {
        let cell = |cell: Cell| Some(game.rules().cell_name(cell).to_owned());
        let kind = |kind: KindId| Some(describe::kind_name(game, kind));
        let (from, to, piece) = match step.deed {
            Deed::Move { from, to, promote, .. } => (cell(from), cell(to), promote.and_then(kind)),
            Deed::Drop { kind: dropped, to, .. } => (None, cell(to), kind(dropped)),
            Deed::Fill { kind: placed, cell: to } => (None, cell(to), kind(placed)),
            Deed::Roll { kind: rolled, cell: at } => (cell(at), None, kind(rolled)),
            Deed::Rotate { cell: at, .. } => (cell(at), None, None),
            Deed::Choose { effect: Chosen::Remove | Chosen::Capture | Chosen::Flip, cell: at } => {
                (cell(at), None, None)
            }
            Deed::Pass | Deed::Swap | Deed::Done => (None, None, None),
        };
        MoveStep { text: game.step_text(step), act: describe::verb(&step.deed), from, to, piece }
    }
}

/// What `perft` prints.
#[derive(Serialize)]
pub struct Perft {
    pub game: String,
    pub position: String,
    pub depth: u32,
    pub unit: &'static str,
    pub count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divide: Option<Vec<Divided>>,
    pub seconds: f64,
}

/// The count behind a first turn.
#[derive(Serialize)]
pub struct Divided {
    pub text: String,
    pub count: u64,
}

/// What `playout` prints.
#[derive(Serialize)]
pub struct Playouts {
    pub game: String,
    pub games: u32,
    pub seed: u64,
    pub max_turns: u32,
    pub results: Vec<Tally>,
    pub unfinished: u32,
    pub turns: Spread,
    pub steps: Spread,
    pub seconds: f64,
    pub turns_per_second: f64,
    pub steps_per_second: f64,
}

/// How often games ended in one way.
#[derive(Serialize)]
pub struct Tally {
    pub verdict: String,
    pub reason: String,
    pub count: u32,
}

/// The spread of a number over games.
#[derive(Serialize)]
pub struct Spread {
    pub mean: f64,
    pub least: u32,
    pub median: u32,
    pub most: u32,
}

impl Spread {
    pub fn of(mut values: Vec<u32>) -> Spread {
        values.sort_unstable();
        let sum: u64 = values.iter().map(|v| u64::from(*v)).sum();
        let at = |i: usize| values.get(i).copied().unwrap_or(0);
        Spread {
            mean: sum as f64 / values.len().max(1) as f64,
            least: at(0),
            median: at(values.len() / 2),
            most: at(values.len().saturating_sub(1)),
        }
    }
}

/// What `duel` prints.
#[derive(Serialize)]
pub struct Duel {
    pub game: String,
    pub games: u32,
    pub seed: u64,
    pub nodes: u32,
    pub max_turns: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub unfinished: u32,
    pub seconds: f64,
}

/// A place in a text: bytes counted from 0, lines and columns from 1.
#[derive(Serialize)]
pub struct Place {
    pub file: String,
    pub start: u32,
    pub end: u32,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Place {
    pub fn new(sources: &Sources, span: Span) -> Place {
        let (line, column) = sources.line_column(span);
        let (end_line, end_column) = sources.line_column(Span { start: span.end, ..span });
        let file = sources.get(span.file).name.clone();
        Place { file, start: span.start, end: span.end, line, column, end_line, end_column }
    }
}

/// A finding of `check`.
#[derive(Serialize)]
pub struct Finding {
    pub code: &'static str,
    pub name: &'static str,
    pub severity: Severity,
    pub message: String,
    #[serde(flatten)]
    pub place: Place,
    pub labels: Vec<FindingLabel>,
    pub helps: Vec<String>,
    pub notes: Vec<String>,
    pub fixes: Vec<FindingFix>,
}

/// A place and what is said of it.
#[derive(Serialize)]
pub struct FindingLabel {
    #[serde(flatten)]
    pub place: Place,
    pub text: String,
}

/// A replacement that cures the fault.
#[derive(Serialize)]
pub struct FindingFix {
    #[serde(flatten)]
    pub place: Place,
    pub text: String,
    pub certain: bool,
}

impl Finding {
    pub fn new(sources: &Sources, d: &Diagnostic) -> Finding {
        let place = |span| Place::new(sources, span);
        let labels = d.labels.iter().map(|label| FindingLabel { place: place(label.span), text: label.text.clone() });
        let fixes = d.fix.iter().map(|f| FindingFix { place: place(f.span), text: f.text.clone(), certain: f.certain });
        Finding {
            code: d.kind().number,
            name: d.code,
            severity: d.severity,
            message: d.message.clone(),
            place: place(d.span()),
            labels: labels.collect(),
            helps: d.helps.clone(),
            notes: d.notes.clone(),
            fixes: fixes.collect(),
        }
    }
}

/// What `why` prints.
#[derive(Serialize)]
pub struct Why {
    #[serde(flatten)]
    pub position: Position,
    pub legal: bool,
    pub steps: Vec<WhyStep>,
    pub nearest: Vec<String>,
}

/// A step, and the rules that allow or refuse it.
#[derive(Serialize)]
pub struct WhyStep {
    pub text: String,
    pub reason: String,
    pub grounds: Vec<FindingLabel>,
}

impl WhyStep {
    pub fn new(sources: &Sources, text: String, reason: String, grounds: &[Ground]) -> WhyStep {
        let label = |g: &Ground| FindingLabel { place: Place::new(sources, g.place.span), text: g.text.clone() };
        WhyStep { text, reason, grounds: grounds.iter().map(label).collect() }
    }
}

/// How the random games of one choice of a definition went.
#[derive(Serialize)]
pub struct Tried {
    pub variants: Vec<String>,
    pub options: BTreeMap<String, String>,
    pub games: u32,
    pub results: Vec<TriedResult>,
    pub unfinished: u32,
    pub wins: Vec<Share>,
    pub turns: Spread,
    pub branching: Option<f64>,
}

/// A way in which random games ended.
#[derive(Serialize)]
pub struct TriedResult {
    pub winner: Option<String>,
    pub reason: String,
    pub count: u32,
}

/// A share of games, and between which shares the true one lies with a probability of 95 %.
#[derive(Serialize)]
pub struct Share {
    pub player: String,
    pub count: u32,
    pub low: f64,
    pub high: f64,
}

/// What `check --play` prints of a definition behind its findings.
#[derive(Serialize)]
pub struct Trials<'a> {
    pub file: &'a str,
    pub seed: u64,
    pub max_turns: u32,
    pub played: &'a [Tried],
}

/// What `test` prints of a definition.
#[derive(Serialize)]
pub struct Tested {
    pub file: String,
    pub passed: usize,
    pub failed: usize,
    pub tests: Vec<TestedTest>,
}

/// A test.
#[derive(Serialize)]
pub struct TestedTest {
    pub name: String,
    pub place: Place,
    pub passed: bool,
    pub failures: Vec<TestFailure>,
}

/// A line of a test that failed.
#[derive(Serialize)]
pub struct TestFailure {
    pub place: Place,
    pub message: String,
    pub expected: Option<String>,
    pub found: Option<String>,
    pub board: Option<String>,
    pub findings: Vec<Finding>,
}

impl TestedTest {
    pub fn new(sources: &Sources, report: &Report) -> TestedTest {
        TestedTest {
            name: report.name.clone(),
            place: Place::new(sources, report.span),
            passed: report.passed(),
            failures: report
                .failures
                .iter()
                .map(|f| TestFailure {
                    place: Place::new(sources, f.span),
                    message: f.message.clone(),
                    expected: f.expected.as_deref().map(str::to_owned),
                    found: f.found.as_deref().map(str::to_owned),
                    board: f.board.as_deref().map(str::to_owned),
                    findings: f.diagnostics.iter().map(|d| Finding::new(sources, d)).collect(),
                })
                .collect(),
        }
    }
}
