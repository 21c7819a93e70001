//! Cures that are certain: each alone makes nothing worse.

use crate::docs::blocks;
use rulebook::base::codes::KINDS;
use rulebook::base::{Diagnostic, FileId, Severity, Sources};
use rulebook::check::{self, Definition};
use rulebook::games::{self, Shipped};
use std::path::Path;

fn errors(text: &str) -> (Vec<Diagnostic>, FileId) {
    let mut sources = Sources::new();
    let file = sources.add("test.game", text);
    let (definition, found) = check::load(&mut sources, file, &Shipped);
    let found = definition.as_ref().map_or(found, Definition::check);
    (found, file)
}

/// Texts with faults: where they are from, and what they say.
fn corpus() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for kind in KINDS {
        for block in blocks(kind.page) {
            let head = if block.mark.starts_with("rules") { crate::docs::head(&block.text) } else { String::new() };
            texts.push((kind.number.to_owned(), head + &block.text));
        }
    }
    for folder in ["tests/check/err", "tests/check/meaning", "tests/syntax/err", "tests/hostile"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "game")) {
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a case")));
        }
    }
    texts
}

/// Makes each certain cure of a text alone: the errors do not get more, and none is then told where it was made.
fn cure_each(name: &str, text: &str, faults: &mut Vec<String>) -> usize {
    let (found, file) = errors(text);
    // What a file without a readable head lacks is not known before; it is told at the name.
    let new = |d: &&Diagnostic| d.severity == Severity::Error && !matches!(d.code, "no-players" | "no-board");
    let count = |found: &[Diagnostic]| found.iter().filter(new).count();
    let cures = found.iter().filter_map(|d| Some((d, d.fix.as_ref()?)));
    let certain: Vec<_> = cures.filter(|(_, fix)| fix.certain && fix.span.file == file).collect();
    for (finding, fix) in &certain {
        let (start, end) = (fix.span.start as usize, fix.span.end as usize);
        let (left, file) = errors(&format!("{}{}{}", &text[..start], fix.text, &text[end..]));
        let (from, to) = (fix.span.start, fix.span.start + fix.text.len() as u32);
        let here = |d: &&Diagnostic| d.span().file == file && d.span().start <= to && from <= d.span().end;
        let line = text[..start].matches('\n').count();
        let what = format!(
            "{name}:{}: {}: {} (`{}` for `{}`)",
            line + 1,
            text.lines().nth(line).unwrap_or("").trim(),
            finding.message,
            fix.text,
            &text[start..end]
        );
        if let Some(there) = left.iter().filter(new).find(here) {
            faults.push(format!("{what} leads to: {}", there.message));
        } else if count(&left) > count(&found) {
            faults.push(format!("{what} makes more errors: {}", left[0].message));
        }
    }
    certain.len()
}

#[test]
fn a_certain_cure_leads_to_no_other_error() {
    let mut faults = Vec::new();
    let made: usize = corpus().iter().map(|(name, text)| cure_each(name, text, &mut faults)).sum();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(made > 80, "only {made} were made");
}

/// One of so many is tried; `SLIPS_STEP` in the environment takes its place.
fn step(without: usize) -> usize {
    std::env::var("SLIPS_STEP").ok().and_then(|n| n.parse().ok()).unwrap_or(without)
}

/// What others write for a word of the language.
const OTHERS: &[(&str, &str)] = &[
    ("forward", "up upward forwards onward ahead"),
    ("backward", "down backwards"),
    ("sideways", "horizontally lateral"),
    ("diagonal", "diagonally diagonals"),
    ("orthogonal", "straight orthogonally"),
    ("any", "all every each"),
    ("2", "two"),
    ("3", "three"),
    ("rank", "row rows ranks line"),
    ("file", "column col"),
    ("my", "mine our his"),
    ("enemy", "opponent opponents foe"),
    ("empty", "free vacant"),
    ("when", "if where on whenever once upon"),
    ("if", "when where provided"),
    ("and", "but && & also plus ,"),
    ("or", "|| | ,"),
    ("not", "! isn't"),
    ("is", "are = =="),
    ("=", "is equals == := :"),
    ("<", "> less"),
    ("to", "onto into upon on ->"),
    ("on", "at in onto ="),
    ("as", "like with to into"),
    ("has", "have owns"),
    ("cannot", "can't doesn't"),
    ("stuck", "blocked checkmated checked"),
    ("then", "and , ->"),
    ("may", "can optionally could"),
    ("otherwise", "else"),
    ("capture", "take takes captures"),
    ("move", "moves go"),
    ("slide", "ride run slides"),
    ("step", "move steps go"),
    ("drop", "place put drops"),
    ("wins", "win won"),
    ("draw", "tie draws"),
    ("piece", "pieces token"),
    ("pieces", "piece men"),
    ("times", "time x"),
    ("turns", "moves plies"),
    ("over", "across"),
    ("adjacent", "neighbouring neighboring"),
    ("except", "but without"),
    ("{", "( [ :"),
    ("in", "at of"),
];

#[test]
#[ignore = "slow"]
fn a_certain_cure_of_a_foreign_word_leads_to_no_other_error() {
    let step = step(9);
    let mut faults = Vec::new();
    let mut made = 0;
    for name in games::names() {
        let text = games::text(name).expect("a shipped game");
        for (right, wrong) in OTHERS {
            let places: Vec<usize> = text.match_indices(&format!(" {right} ")).map(|(at, _)| at + 1).collect();
            for (n, wrong) in wrong.split(' ').enumerate() {
                // Others for each word, and not all of a game.
                for at in places.iter().skip(n % 3).step_by(step) {
                    let text = format!("{}{wrong}{}", &text[..*at], &text[at + right.len()..]);
                    made += cure_each(name, &text, &mut faults);
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(made > 1500 / step, "only {made} were made");
}

#[test]
#[ignore = "slow"]
fn a_certain_cure_of_a_slip_leads_to_no_other_error() {
    let mut faults = Vec::new();
    for name in games::names() {
        crate::slips::texts(name, step(39)).iter().for_each(|text| {
            cure_each(name, text, &mut faults);
        });
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
