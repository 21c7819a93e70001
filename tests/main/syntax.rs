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
