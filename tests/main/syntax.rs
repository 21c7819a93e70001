//! The grammar and the parser: what must parse, what must not and how it is said, and what no text may do.

use rulebook::base::{Diagnostic, Sources};
use rulebook::syntax::{self, game::File};
use std::fmt::Write;

/// Parses a text alone.
fn parse(text: &str) -> (Option<File>, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let file = sources.add("test.game", text);
    let (tree, errors) = syntax::parse(file, text);
    (tree, errors, sources)
}

/// The errors in a plain form: `line:col code: message`, then labels, notes, helps and the cure.
fn plain(errors: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for error in errors {
        let (line, column) = sources.line_column(error.span());
        let _ = writeln!(out, "{line}:{column} [{}] `{}`: {}", error.code, sources.slice(error.span()), error.message);
        for label in &error.labels[1..] {
            let (line, column) = sources.line_column(label.span);
            let _ = writeln!(out, "    at {line}:{column}: {}", label.text);
        }
        for note in &error.notes {
            let _ = writeln!(out, "    note: {note}");
        }
        for help in &error.helps {
            let _ = writeln!(out, "    help: {help}");
        }
        if let Some(fix) = &error.fix {
            let _ = writeln!(out, "    fix: `{}` -> `{}`", sources.slice(fix.span), fix.text);
        }
    }
    out
}

/// The tree of a text without errors.
fn tree(text: &str) -> File {
    let (tree, errors, sources) = parse(text);
    assert!(errors.is_empty(), "{}", plain(&errors, &sources));
    tree.expect("a text without errors has a tree")
}

#[test]
fn shipped_games_and_ok_cases_parse() {
    insta::glob!("../..", "{games,tests/syntax/ok}/*.game", |path| {
        tree(&std::fs::read_to_string(path).expect("the file can be read"));
    });
}

#[test]
fn err_cases_are_explained() {
    insta::glob!("../syntax/err", "*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        let (_, errors, sources) = parse(&text);
        assert!(!errors.is_empty(), "{} has no error", path.display());
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        insta::with_settings!({ snapshot_path => "../syntax/err", prepend_module_to_snapshot => false, omit_expression => true, snapshot_suffix => "" }, {
            insta::assert_snapshot!(name, format!("{text}\n--- errors ---\n{}", plain(&errors, &sources)));
        });
    });
}

/// Parses within a time that only a hang would need.
fn parse_soon(text: &str) -> Vec<Diagnostic> {
    let start = std::time::Instant::now();
    let (_, errors, _) = parse(text);
    assert!(start.elapsed().as_secs() < 20, "{} bytes took {:?}", text.len(), start.elapsed());
    errors
}

fn codes(errors: &[Diagnostic]) -> Vec<&str> {
    errors.iter().map(|e| e.code).collect()
}

#[test]
fn deep_and_long_phrases() {
    let brackets = |n: usize| format!("game \"X\"\ndraw when {}checkmate{}", "(".repeat(n), ")".repeat(n));
    assert!(parse_soon(&brackets(60)).is_empty());
    assert_eq!(codes(&parse_soon(&brackets(65))), ["too-deep"]);
    assert_eq!(codes(&parse_soon(&brackets(100_000))), ["too-deep"]);
    let numbers = format!("game \"X\"\ndraw when {}1{} = 1", "(".repeat(60), ")".repeat(60));
    assert!(parse_soon(&numbers).is_empty());
    let odd = format!("game \"X\"\ndraw when {}1{}", "odd(".repeat(60), ")".repeat(60));
    assert!(parse_soon(&odd).is_empty());
    let mixed = format!("game \"X\"\ndraw when {}here{}", "(count of (d4 in ".repeat(30), ") = 1)".repeat(30));
    parse_soon(&mixed);
    let acts = format!("game \"X\"\nturn {{ {}move{} }}", "(".repeat(60), ")".repeat(60));
    assert!(parse_soon(&acts).is_empty());

    let ands = format!("game \"X\"\ndraw when checkmate{}", " and my King is attacked".repeat(10_000));
    assert!(parse_soon(&ands).is_empty());
    let ors = format!("game \"X\"\ndraw when checkmate{}", "\nor stalemate # x".repeat(10_000));
    assert!(parse_soon(&ors).is_empty());
    for (start, again) in [
        ("draw when ", "not "),
        ("draw when 1", " + 1"),
        ("draw when 1", " * 1"),
        ("zone z = d4", " except d4"),
        ("draw when pieces", " attacking pieces"),
        ("draw when pieces", " in samurai on my Samurai"),
        ("draw when pieces", " in start in start direction"),
        ("draw when enemies", " between here and friend"),
        ("turn { move", " or else move"),
        ("turn { ", "may "),
        ("turn { ", "when x { "),
        ("after move { ", "when x { "),
        ("", "when x { "),
        ("", "variant \"V\" { "),
        ("players A", ", A"),
        ("setup", "\n| . |"),
        ("hand ", "{"),
        ("", "}"),
        ("", "|"),
        ("", "\""),
        ("", "> x\n"),
        ("", "\n# x\n"),
        ("", "; "),
        ("test \"t\" { play ", "a1, "),
        ("test \"t\" { after ", "a1 "),
    ] {
        parse_soon(&format!("game \"X\"\n{start}{}", again.repeat(20_000)));
    }
}

#[test]
fn large_texts() {
    let mut random = 1_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize
    };
    let bytes: String = (0..1 << 20).map(|_| char::from((next() % 127) as u8)).collect();
    assert!(!parse_soon(&bytes).is_empty());
    let words =
        ["piece", "{", "}", "when", "and", "(", ")", "\n", "\"", "|", ";", "any", "Pawn", "e4", "=", "step", "é"];
    let words: String = (0..200_000).flat_map(|_| [words[next() % words.len()], " "]).collect();
    assert!(!parse_soon(&words).is_empty());
    let one_line = format!("game \"X\"\ndraw when {}", "a and ".repeat(170_000));
    assert!(!parse_soon(&one_line).is_empty());
    assert_eq!(codes(&parse_soon(&" ".repeat(5 << 20))), ["too-long"]);
    let errors = parse_soon(&format!("game \"X\"\n{}", "x\n".repeat(500_000)));
    assert_eq!(errors.len(), 100);
}

#[test]
fn every_beginning_of_a_game_is_read_without_panic() {
    insta::glob!("../..", "{games,tests/syntax/ok}/*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        for end in (0..text.len()).step_by(7).filter(|&i| text.is_char_boundary(i)) {
            parse(&text[..end]);
        }
    });
}

#[test]
fn line_ends_tabs_and_odd_blanks_do_not_matter() {
    insta::glob!("../..", "games/*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        tree(&text.replace('\n', "\r\n"));
        tree(&format!("\u{FEFF}{}", text.replace("  ", "\t").replace(" ", "\u{A0} ")));
    });
}
