//! `rulebook test`.

use crate::base::{Diagnostic, Sources, words};
use crate::front::cli::TestArgs;
use crate::front::json::{Tested, TestedTest};
use crate::front::output::{Failure, Out};
use crate::front::{loading, report};
use crate::testing::{self, Report};
use anstyle::{AnsiColor, Style};

/// Runs the tests of each definition. One that cannot be loaded does not keep the others from being tested.
pub fn run(out: &mut Out, args: &TestArgs) -> Result<bool, Failure> {
    let mut tested = Vec::new();
    let mut unread = None;
    let mut good = true;
    let (mut passed, mut failed) = (0, 0);
    for game in &args.games {
        let loaded = match loading::load(out, game, &args.set.set) {
            Ok(loaded) => loaded,
            Err(Failure::Reported) => {
                good = false;
                out.line(format!("{game}: has errors, no test was run"))?;
                continue;
            }
            Err(failure) => {
                if let Some(earlier) = unread.replace(failure) {
                    let _ = earlier.report(out);
                }
                continue;
            }
        };
        let wanted =
            |name: &str| args.only.as_ref().is_none_or(|only| name.to_lowercase().contains(&only.to_lowercase()));
        let reports = testing::run(&loaded.definition, &loaded.selection, wanted);
        let bad = reports.iter().filter(|r| !r.passed()).count();
        passed += reports.len() - bad;
        failed += bad;
        if args.output.json() {
            tested.push(Tested {
                file: game.clone(),
                passed: reports.len() - bad,
                failed: bad,
                tests: reports.iter().map(|r| TestedTest::new(&loaded.sources, r)).collect(),
            });
            continue;
        }
        out.line(out.paint(Style::new().bold(), game))?;
        if reports.is_empty() {
            out.line("  no tests")?;
        }
        for report in &reports {
            print(out, &loaded.sources, report)?;
        }
        out.flush()?;
    }
    if args.output.json() {
        out.json(&tested)?;
    } else {
        let summary = if failed == 0 {
            format!("{} passed", words::count(passed, "test"))
        } else {
            format!("{} passed, {failed} failed", words::count(passed, "test"))
        };
        out.line(format!("\n{summary}"))?;
    }
    match unread {
        Some(failure) => Err(failure),
        None => Ok(good && failed == 0),
    }
}

fn print(out: &mut Out, sources: &Sources, report: &Report) -> std::io::Result<()> {
    let (word, color) =
        if report.passed() { ("ok    ", AnsiColor::BrightGreen) } else { ("FAILED", AnsiColor::BrightRed) };
    let word = out.paint(Style::new().bold().fg_color(Some(color.into())), word);
    out.line(format!("  {word} {}", report.name))?;
    for failure in &report.failures {
        let mut diagnostic = Diagnostic::error("failed-test", failure.message.as_str(), failure.span);
        diagnostic = diagnostic.help(match failure.moves {
            true => "either the rules or the test are not as you mean them; `rulebook why` tells which rule allows a move or forbids it",
            false => "either the rules or the test are not as you mean them",
        });
        if let (Some(expected), Some(found)) = (&failure.expected, &failure.found) {
            diagnostic = diagnostic.note(format!("expected {expected}\n   found {found}"));
        }
        out.line("")?;
        out.print(report::render(&[diagnostic], sources, out.color))?;
        out.print(report::render(&failure.diagnostics, sources, out.color))?;
        if let Some(board) = &failure.board {
            for line in board.lines() {
                out.line(format!("    {line}"))?;
            }
            out.line("")?;
        }
    }
    Ok(())
}
