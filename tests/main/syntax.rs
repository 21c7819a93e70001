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
            let kind = if fix.certain { "fix" } else { "guess" };
            let _ = writeln!(out, "    {kind}: `{}` -> `{}`", sources.slice(fix.span), fix.text);
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

/// How much is left out: a build without optimisation is slow, and the thorough run is optimised.
const RARELY: usize = if cfg!(debug_assertions) { 60 } else { 3 };

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

/// The errors of a text that is long or deep. It is to be read at all: the steps of the grammar are counted, and what is quadratic in so long
/// a text is not done within minutes.
fn faults(text: &str) -> Vec<Diagnostic> {
    parse(text).1
}

fn codes(errors: &[Diagnostic]) -> Vec<&str> {
    errors.iter().map(|e| e.code).collect()
}

#[test]
fn deep_and_long_phrases() {
    let brackets = |n: usize| format!("game \"X\"\ndraw when {}checkmate{}", "(".repeat(n), ")".repeat(n));
    assert!(faults(&brackets(60)).is_empty());
    assert_eq!(codes(&faults(&brackets(65))), ["too-deep"]);
    assert_eq!(codes(&faults(&brackets(100_000))), ["too-deep"]);
    let numbers = format!("game \"X\"\ndraw when {}1{} = 1", "(".repeat(60), ")".repeat(60));
    assert!(faults(&numbers).is_empty());
    let odd = format!("game \"X\"\ndraw when {}1{}", "odd(".repeat(60), ")".repeat(60));
    assert!(faults(&odd).is_empty());
    let mixed = format!("game \"X\"\ndraw when {}here{}", "(count of (d4 in ".repeat(30), ") = 1)".repeat(30));
    faults(&mixed);
    let acts = format!("game \"X\"\nturn {{ {}move{} }}", "(".repeat(60), ")".repeat(60));
    assert!(faults(&acts).is_empty());

    let ands = format!("game \"X\"\ndraw when checkmate{}", " and my King is attacked".repeat(10_000));
    assert!(faults(&ands).is_empty());
    let ors = format!("game \"X\"\ndraw when checkmate{}", "\nor stalemate # x".repeat(10_000));
    assert!(faults(&ors).is_empty());
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
        faults(&format!("game \"X\"\n{start}{}", again.repeat(20_000)));
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
    assert!(!faults(&bytes).is_empty());
    let words =
        ["piece", "{", "}", "when", "and", "(", ")", "\n", "\"", "|", ";", "any", "Pawn", "e4", "=", "step", "é"];
    let words: String = (0..200_000).flat_map(|_| [words[next() % words.len()], " "]).collect();
    assert!(!faults(&words).is_empty());
    let one_line = format!("game \"X\"\ndraw when {}", "a and ".repeat(170_000));
    assert!(!faults(&one_line).is_empty());
    assert_eq!(codes(&faults(&" ".repeat(5 << 20))), ["too-long"]);
    let errors = faults(&format!("game \"X\"\n{}", "x\n".repeat(500_000)));
    assert_eq!(errors.len(), 100);
}

#[test]
fn every_beginning_of_a_game_is_read_without_panic() {
    insta::glob!("../..", "{games,tests/syntax/ok}/*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        for end in (0..text.len()).step_by(7 * RARELY).filter(|&i| text.is_char_boundary(i)) {
            parse(&text[..end]);
        }
    });
}

#[test]
fn any_word_may_be_missing_or_doubled() {
    insta::glob!("../..", "{games,tests/syntax/ok}/*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        for word in text.split_whitespace().step_by(6 * RARELY) {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            let (before, after) = (&text[..at], &text[at + word.len()..]);
            for errors in [parse(&format!("{before}{after}")).1, parse(&format!("{before}{word} {word}{after}")).1] {
                assert!(errors.iter().all(|e| !e.message.contains('_')), "{errors:?}");
            }
        }
    });
}

#[test]
fn places_are_exact() {
    let text = "game \"X\"\ndraw when my Pawn # comment\n  and 3 in line  ;by \"A B\"";
    let file = tree(text);
    let slice = |span: rulebook::base::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(file.name.span), "X");
    let [draw, by] = file.items.as_slice() else { panic!("two statements") };
    assert_eq!(slice(draw.span), "draw when my Pawn # comment\n  and 3 in line");
    let syntax::game::ItemKind::Outcome(outcome) = &draw.kind else { panic!("a result") };
    assert_eq!(slice(outcome.header), "draw");
    let syntax::expr::CondKind::And(parts) = &outcome.cond.kind else { panic!("two conditions") };
    assert_eq!(parts.iter().map(|c| slice(c.span)).collect::<Vec<_>>(), ["my Pawn", "3 in line"]);
    let syntax::game::ItemKind::By { author, .. } = &by.kind else { panic!("an author") };
    assert_eq!(slice(author.span), "A B");
}

#[test]
fn a_condition_can_be_read_alone() {
    let read = |text| syntax::parse_cond(rulebook::base::FileId(0), text);
    assert!(read("no Pawn and mover has King on d4..e5").is_ok());
    for wrong in ["", "# nothing", "no Pawn; no King", "no Pawn {", "4 in", "draw when checkmate"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn line_ends_tabs_and_odd_blanks_do_not_matter() {
    insta::glob!("../..", "games/*.game", |path| {
        let text = std::fs::read_to_string(path).expect("the file can be read");
        tree(&text.replace('\n', "\r\n"));
        tree(&format!("\u{FEFF}{}", text.replace("  ", "\t").replace(" ", "\u{A0} ")));
    });
}

/// The debug form of a tree without its places.
fn shape(tree: &impl std::fmt::Debug) -> String {
    let mut rest = format!("{tree:?}");
    let mut out = String::new();
    while let Some(at) = rest.find("span: Span {") {
        let end = rest[at..].find('}').map_or(rest.len(), |i| at + i + 1);
        out.push_str(rest[..at].trim_end_matches([' ', ',']));
        rest = rest[end..].trim_start_matches([' ', ',']).to_owned();
        if !rest.starts_with(['}', ')']) {
            out.push_str(", ");
        }
    }
    out += &rest;
    while let Some((before, after)) = out.split_once("Span {") {
        out = format!("{before}here{}", after.split_once('}').map_or("", |(_, after)| after));
    }
    // `Spanned { node: X }` is X.
    out.replace("Spanned { node: ", "{").replace("Some", "").replace("None", "-")
}

#[test]
fn every_form_gives_its_tree() {
    let text = include_str!("../syntax/ok/forms.game");
    let mut sources = Sources::new();
    sources.add("forms.game", text);
    let mut out = String::new();
    for item in tree(text).items {
        let _ = writeln!(out, "{}", sources.slice(item.span));
        let mut head = shape(&(item.overrides.is_some(), &item.label, &item.only, &item.quote));
        head = head.replace("(false, -, [], [])", "");
        let kind = shape(&item.kind).replace("{kind: ", "\n        ").replace(" { kind: ", "\n        ");
        let _ = writeln!(out, "    {head}{kind}\n");
    }
    insta::with_settings!({ snapshot_path => "../syntax/ok", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("forms", out);
    });
}
