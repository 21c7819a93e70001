//! The tests inside a definition: runs them and says what was expected and what was found.

mod arrange;
mod run;
pub mod trial;

use crate::base::{Diagnostic, Span};
use crate::check::{Definition, Selection};
use crate::engine::Game;
use crate::syntax::test::Test;

/// How a test went.
#[derive(Clone, Debug)]
pub struct Report {
    /// What the test shows.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// What failed; nothing if the test passed.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Whether nothing failed.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// A line of a test that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Where: the line, or the word in it.
    pub span: Span,
    /// In one sentence.
    pub message: String,
    /// What the line asks for, if it is a comparison.
    pub expected: Option<Box<str>>,
    /// What came out instead.
    pub found: Option<Box<str>>,
    /// The position there, drawn.
    pub board: Option<Box<str>>,
    /// Whether it is about which moves are legal.
    pub moves: bool,
    /// What the checker says, if the test cannot be run.
    pub diagnostics: Vec<Diagnostic>,
}

impl Failure {
    fn new(span: Span, message: impl Into<String>) -> Failure {
        Failure {
            span,
            message: message.into(),
            expected: None,
            found: None,
            board: None,
            moves: false,
            diagnostics: Vec::new(),
        }
    }

    fn compare(span: Span, message: impl Into<String>, expected: impl ToString, found: impl ToString) -> Failure {
        Failure {
            expected: Some(expected.to_string().into()),
            found: Some(found.to_string().into()),
            ..Failure::new(span, message)
        }
    }
}

/// Runs all tests of a definition that `wanted` picks by name. `base` is what they are played with besides what they ask for.
pub fn run(definition: &Definition, base: &Selection, wanted: impl Fn(&str) -> bool) -> Vec<Report> {
    let mut compiled: Vec<(Selection, Result<Game, Failure>)> = Vec::new();
    let mut reports = Vec::new();
    for test in definition.tests().iter().filter(|test| wanted(&test.name.node)) {
        let selection = selection(base, definition, test);
        let known = compiled.iter().position(|(other, _)| *other == selection);
        let index = known.unwrap_or_else(|| {
            let game = prepare(definition, &selection, test);
            compiled.push((selection, game));
            compiled.len() - 1
        });
        let (selection, game) = &compiled[index];
        let failures = match game {
            Ok(game) => run::run(definition, selection, game, test),
            Err(failure) => vec![Failure { span: test.name.span, ..failure.clone() }],
        };
        reports.push(Report { name: test.name.node.clone(), span: test.span, failures });
    }
    reports
}

/// What a test asks for, on top of the base.
fn selection(base: &Selection, definition: &Definition, test: &Test) -> Selection {
    let asked = definition.selection(test);
    let mut selection = base.clone();
    for name in asked.variants {
        if !selection.variants.contains(&name) {
            selection.variants.push(name);
        }
    }
    for (name, value) in asked.options {
        selection.options.retain(|(other, _)| *other != name);
        selection.options.push((name, value));
    }
    selection
}

fn prepare(definition: &Definition, selection: &Selection, test: &Test) -> Result<Game, Failure> {
    let compiled = definition.compile(selection).map_err(|diagnostics| Failure {
        diagnostics,
        ..Failure::new(test.name.span, "the game has errors with the variants and options of this test")
    })?;
    Game::new(compiled.game).map_err(|e| Failure::new(test.name.span, format!("the game cannot be played: {e}")))
}
