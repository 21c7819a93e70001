//! Tests inside a definition: names, diagrams and conditions are checked; playing them is not done here.

use super::cx::{Cx, Env, Place};
use super::offered::Offered;
use super::report::Report;
use super::{Definition, Selection, notation};
use crate::base::{Diagnostic, Span, Spanned};
use crate::ir;
use crate::ir::expr::Cond;
use crate::syntax::Word;
use crate::syntax::expr::{Cond as CondPhrase, WhoKind};
use crate::syntax::setup::Diagram;
use crate::syntax::test::{ExpectedResult, Test, TestLineKind, With};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// What a test is played with.
pub(crate) fn selection(test: &Test) -> Selection {
    let mut out = Selection::default();
    for with in &test.with {
        match with {
            With::Variant(name) => out.variants.push(name.node.clone()),
            With::Option(name, value) => out.options.push((name.node.clone(), value.node.clone())),
        }
    }
    out
}

/// A condition that nobody looks at; what it needs must be in the game already.
pub(crate) fn cond(cx: &mut Cx, phrase: &CondPhrase) -> Option<Cond> {
    let moment = cx.moment();
    let cond = cx.cond(phrase, &Env::new(Place::Test));
    if cx.grown(moment) {
        cx.forget(moment);
        cx.error(
            "not-kept",
            phrase.span,
            "no rule of the game asks for this, so it is not recorded",
            "a test can ask for what a rule asks for too, and for what stands on the board, as in `expect a1 is empty`",
        );
        return None;
    }
    cond
}

/// Checks the tests of a definition, those with the same variants and options on one reading of it. `work` is what was read before.
pub(crate) fn check(definition: &Definition, all: &mut Report, mut work: usize) {
    headers(definition.tests(), all);
    let mut groups: Vec<(Selection, Vec<&Test>)> = Vec::new();
    for test in definition.tests() {
        let choice = selection(test);
        match groups.iter_mut().find(|(other, _)| *other == choice) {
            Some((_, tests)) => tests.push(test),
            None => groups.push((choice, vec![test])),
        }
    }
    let read = super::game::only_warnings(&definition.unread);
    let offered = if read { Offered::by(definition.files()) } else { Offered::all() };
    for (choice, tests) in groups {
        if work > super::MAX_WORK {
            return all.push(definition.too_much());
        }
        let made = definition.make(&choice, |cx, game| {
            for test in &tests {
                cx.phrases = 0;
                lines(cx, game, &offered, test);
            }
        });
        work += made.work;
        for finding in made.findings {
            if matches!(finding.code, "unknown-variant" | "unknown-option" | "option-value")
                && finding.labels[0].span == definition.own().name.span
            {
                for test in &tests {
                    let mut finding = finding.clone();
                    finding.labels[0].span = with_span(test, &finding.message).unwrap_or(test.name.span);
                    all.push(finding);
                }
                continue;
            }
            let at = finding.span();
            let within =
                |test: &&Test| test.span.file == at.file && test.span.start <= at.start && at.end <= test.span.end;
            if tests.iter().any(within) || !choice_is_tried(&choice) {
                all.push(finding);
            }
        }
    }
}

/// Warns of tests that show nothing, and of two that nobody could tell apart in a report.
fn headers(tests: &[Test], all: &mut Report) {
    let mut names: HashMap<(&str, Selection), Span> = HashMap::new();
    for test in tests {
        let name = &test.name;
        if !test.lines.iter().any(|line| asks(&line.kind)) {
            let message = format!("test \"{}\" asks nothing, so it cannot fail", name.node);
            let help = "say what must come of it, as in `turns = 20`, `legal a1a2` or `expect no result`; or remove it";
            all.push(Diagnostic::warning("asks-nothing", message, name.span).help(help));
        }
        match names.entry((&name.node, selection(test))) {
            Entry::Occupied(first) => all.push(
                Diagnostic::warning("duplicate", format!("there are two tests called \"{}\"", name.node), name.span)
                    .label(*first.get(), "the first of them")
                    .help("say in its name what this one shows, so that it is known which one failed"),
            ),
            Entry::Vacant(free) => {
                free.insert(name.span);
            }
        }
    }
}

/// Whether a line of a test can fail.
fn asks(line: &TestLineKind) -> bool {
    match line {
        TestLineKind::Board(_, after) => after.is_some(),
        TestLineKind::Position(_)
        | TestLineKind::ToPlay(_)
        | TestLineKind::HandsEmpty
        | TestLineKind::Hand(..)
        | TestLineKind::Set { .. }
        | TestLineKind::SetLastMoved { .. } => false,
        TestLineKind::ExpectBoard(_)
        | TestLineKind::Play(_)
        | TestLineKind::Legal(_)
        | TestLineKind::Illegal(_)
        | TestLineKind::Turns(_)
        | TestLineKind::MovesOf(..)
        | TestLineKind::Moves(_)
        | TestLineKind::Perft(..)
        | TestLineKind::After(..)
        | TestLineKind::Expect(_)
        | TestLineKind::ExpectCond(_) => true,
    }
}

/// Whether the check of the definition itself tries this choice.
fn choice_is_tried(choice: &Selection) -> bool {
    choice.variants.len() + choice.options.len() <= 1
}

/// The word of `with` that a message quotes.
fn with_span(test: &Test, message: &str) -> Option<crate::base::Span> {
    test.with.iter().find_map(|w| match w {
        With::Variant(word) if message.ends_with(&format!("`{}`", word.node)) => Some(word.span),
        With::Option(_, value) if message.ends_with(&format!("cannot be `{}`", value.node)) => Some(value.span),
        With::Option(name, _) if message.ends_with(&format!("`{}`", name.node)) => Some(name.span),
        With::Variant(_) | With::Option(..) => None,
    })
}

fn lines(cx: &mut Cx, game: &ir::Game, offered: &Offered, test: &Test) {
    let moves = |cx: &mut Cx, turns: &[Word]| notation::turns(cx, game, offered, turns);
    for (i, line) in test.lines.iter().enumerate() {
        match &line.kind {
            TestLineKind::Board(before, after) => {
                diagram(cx, game, before);
                if let Some(after) = after {
                    diagram(cx, game, after);
                    if !test.lines[i..].iter().any(|l| matches!(l.kind, TestLineKind::Play(_))) {
                        cx.error(
                            "nothing-played",
                            after.span,
                            "this position shall stand at the end of the test, and nothing is played",
                            "add a line `play …` with the turns that lead to it",
                        );
                    }
                }
            }
            TestLineKind::ExpectBoard(board) => diagram(cx, game, board),
            TestLineKind::ToPlay(who) => player(cx, who),
            TestLineKind::Hand(who, stock) => {
                player(cx, who);
                for (n, piece) in stock {
                    cx.in_range(n.node, n.span, 0, 1000, "a number of pieces in hand");
                    if let Some(t) = cx.piece(piece)
                        && !game.hand_types.contains(&t)
                    {
                        cx.push(
                            Diagnostic::error(
                                "not-in-hand",
                                format!("`{}` can never be in hand", piece.node),
                                piece.span,
                            )
                            .label(cx.pieces[t as usize].name.span, "this piece")
                            .help("give it a `drop`, or put it into the `hand` of the game"),
                        );
                    }
                }
            }
            TestLineKind::HandsEmpty => {
                if game.hand_types.is_empty() {
                    cx.error(
                        "no-hand",
                        line.span,
                        "this game has no hands",
                        "remove this line, or add `hand empty` to the game",
                    );
                }
            }
            TestLineKind::Set { name, who, value } => {
                if let Some(who) = who {
                    player(cx, who);
                }
                cx.in_range(value.node, value.span, i64::from(i32::MIN), i64::from(i32::MAX), "a counter");
                match game.counters.iter().find(|c| c.name == name.node) {
                    Some(c) if c.each != who.is_some() => {
                        let (message, help) = if c.each {
                            (
                                format!("`{}` is kept for each player", name.node),
                                format!("write `{} of PLAYER`", name.node),
                            )
                        } else {
                            (format!("`{}` is one for all players", name.node), "leave out the player".to_owned())
                        };
                        cx.error("arguments", name.span, message, help);
                    }
                    Some(_) => {}
                    // a latch: any number but 0 sets it
                    None if game.latches.iter().any(|l| l.name == name.node) && who.is_some() => {}
                    None => {
                        let known: Vec<_> = game.counters.iter().map(|c| (c.name.clone(), None)).collect();
                        cx.report.unknown("unknown-name", "counter", name, &known);
                    }
                }
            }
            TestLineKind::SetLastMoved { who, piece } => {
                player(cx, who);
                if piece.node != "none" {
                    cx.piece(piece);
                }
                if !offered.last_moved {
                    cx.error(
                        "not-kept",
                        line.span,
                        "no piece moves as the piece last moved, so it is not recorded",
                        "remove this line, or give a piece a line such as `moves as piece last moved by opponent`",
                    );
                }
            }
            TestLineKind::MovesOf(cell, cells) => {
                cx.cell(cell, true);
                for c in cells.iter().filter(|c| c.node != "none") {
                    cx.cell(c, true);
                }
                notation::listed_once(cx, cells);
            }
            TestLineKind::Play(turns) => moves(cx, turns),
            TestLineKind::Legal(turns) | TestLineKind::Illegal(turns) | TestLineKind::Moves(turns) => {
                moves(cx, turns);
                notation::listed_once(cx, turns);
            }
            TestLineKind::After(turns, result) => {
                moves(cx, turns);
                expected(cx, result);
            }
            TestLineKind::Expect(result) => expected(cx, result),
            TestLineKind::ExpectCond(phrase) => {
                cond(cx, phrase);
            }
            TestLineKind::Position(text) => cx.test_position(text, game),
            TestLineKind::Turns(_) | TestLineKind::Perft(..) => {}
        }
    }
}

fn diagram(cx: &mut Cx, game: &ir::Game, diagram: &Diagram) {
    let mut faults: Vec<Diagnostic> = Vec::new();
    cx.look(&game.types).diagram(diagram, &mut faults);
    faults.into_iter().for_each(|f| cx.push(f));
}

fn player(cx: &mut Cx, who: &Word) {
    if cx.seat(&who.node).is_none() {
        let known: Vec<_> = cx.seats.iter().map(|s| (s.node.clone(), Some(s.span))).collect();
        cx.report.unknown("unknown-player", "player", who, &known);
    }
}

fn expected(cx: &mut Cx, result: &Spanned<ExpectedResult>) {
    match &result.node {
        ExpectedResult::Wins(WhoKind::Name(name)) => {
            let end = result.span.end.min(result.span.start + name.len() as u32);
            player(cx, &Word::new(name.clone(), Span { end, ..result.span }));
        }
        ExpectedResult::Wins(WhoKind::Mover | WhoKind::Next) | ExpectedResult::Draw | ExpectedResult::NoResult => {}
        ExpectedResult::Wins(WhoKind::Me | WhoKind::Opponent | WhoKind::AnyPlayer) => {
            cx.error("viewer", result.span, "a test names the player who wins", "write the name of a player")
        }
    }
}

/// What stands where in a diagram, for those who play a test.
pub fn places(game: &ir::Game, drawn: &Diagram) -> Result<Vec<super::setup::Placed>, Vec<Diagnostic>> {
    let base = (0..game.types.len() as ir::TypeId)
        .map(|t| game.kinds.iter().position(|k| k.piece == t && k.original == t).unwrap_or(0) as ir::KindId)
        .collect();
    let look = super::setup::Look { types: &game.types, base, board: &game.board, board_span: None, removed: &[] };
    let mut faults = Vec::new();
    let out = look.diagram(drawn, &mut faults);
    if faults.is_empty() { Ok(out) } else { Err(faults) }
}
