//! The canonical layout: what it is, that it settles, and that it changes nothing but the layout.

use proptest::prelude::*;
use rulebook::base::FileId;
use rulebook::syntax;
use std::fs;

fn format(text: &str) -> String {
    syntax::format(FileId(0), text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The syntax tree without places.
fn tree(text: &str) -> String {
    let (tree, errors) = syntax::parse(FileId(0), text);
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    format!("{tree:-?}")
}

/// Formats a text that has no errors, and holds the result to what it promises.
fn check(text: &str) -> String {
    let formatted = format(text);
    assert_eq!(tree(&formatted), tree(text), "the meaning has changed:\n{formatted}");
    assert_eq!(format(&formatted), formatted, "the layout does not settle");
    let comments = |text: &str| text.matches('#').count();
    assert_eq!(comments(&formatted), comments(text), "a comment was lost:\n{formatted}");
    assert!(!formatted.contains(['\r', '\t', '\u{FEFF}']) && !formatted.contains(" \n"), "{formatted}");
    assert!(!formatted.contains("\n\n\n") && formatted.ends_with('\n') && !formatted.ends_with("\n\n"), "{formatted}");
    formatted
}

#[test]
fn shipped_games_are_formatted() {
    insta::glob!("../..", "games/*.game", |path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        assert_eq!(check(&text), text, "`rulebook fmt {}` would change it", path.display());
    });
}

#[test]
fn every_file_without_errors_keeps_its_meaning() {
    insta::glob!("..", "{syntax,check,hostile}/**/*.game", |path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        if syntax::parse(FileId(0), &text).1.is_empty() {
            check(&text);
        }
    });
}

#[test]
fn odd_layouts() {
    insta::glob!("../syntax/format", "*.game", |path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        insta::with_settings!({ snapshot_path => "../syntax/format", prepend_module_to_snapshot => false, omit_expression => true, snapshot_suffix => "" }, {
            insta::assert_snapshot!(name, check(&text));
        });
        assert_eq!(check(&text.replace('\n', "\r\n")), check(&text));
    });
}

#[test]
fn a_text_with_errors_has_no_layout() {
    for text in ["", "game \"X\"\npiece", "game \"X\"\nturn { move", "piece A \"A\" { step any }"] {
        assert!(syntax::format(FileId(0), text).is_err(), "{text}");
    }
}

/// The text with its blanks drawn anew, and with line breaks and comments where the language allows them.
fn respace(text: &str, mut seed: u64) -> String {
    let mut draw = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    const BLANKS: [&str; 6] = [" ", "  ", "\t", "    ", " \u{A0}", " "];
    const JOINING: [&str; 6] = ["and ", "or ", "then ", "if ", "unless ", "except "];
    let mut out = String::new();
    let mut in_test = false;
    for line in text.lines() {
        in_test = (in_test || line.starts_with("test ")) && line != "}";
        let words = line.trim_start();
        if words.starts_with(['|', '#', '>']) || words.is_empty() {
            out += &format!("{line}{}\n", ["", " ", "\t"][draw(3)]);
            continue;
        }
        out += ["", "  ", "\t", "      "][draw(4)];
        let (mut quoted, mut at) = (false, 0);
        while let Some(c) = words[at..].chars().next() {
            let rest = &words[at..];
            match c {
                '"' => quoted = !quoted,
                '#' if !quoted => {
                    out.push_str(rest);
                    break;
                }
                ' ' if !quoted => {
                    let joined = rest.trim_start();
                    let breakable = !in_test && !line.starts_with("test ");
                    let broken = breakable && JOINING.iter().any(|j| joined.starts_with(j)) && draw(4) == 0;
                    out += match (broken, draw(2)) {
                        (true, 0) => "\n",
                        (true, _) => " # noise\n\n  # noise\n",
                        (false, _) => BLANKS[draw(BLANKS.len())],
                    };
                    at += rest.len() - joined.len();
                    continue;
                }
                '(' | ')' | ',' | '=' | '{' | '}' if !quoted && !in_test && draw(3) == 0 => {
                    // Two signs may be one: `<=`, `+=`.
                    let apart = !(c == '=' && out.ends_with(['<', '>', '+', '-']));
                    out += if apart { BLANKS[draw(BLANKS.len())] } else { "" };
                    out.push(c);
                    out += BLANKS[draw(BLANKS.len())];
                    at += 1;
                    continue;
                }
                _ => {}
            }
            out.push(c);
            at += c.len_utf8();
        }
        let comment = !words.contains('#') && draw(8) == 0;
        out += if comment { " # noise\n" } else { "\n" };
    }
    out
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(debug_assertions) { 24 } else { 300 }, ..ProptestConfig::default() })]

    #[test]
    fn blanks_and_breaks_do_not_matter(game in 0..rulebook::games::names().count(), seed in any::<u64>()) {
        let name = rulebook::games::names().nth(game).expect("a game");
        let text = rulebook::games::text(name).expect("a text");
        let noisy = respace(text, seed);
        let formatted = check(&noisy);
        let quiet = formatted.replace("# noise", "");
        prop_assert_eq!(words(&quiet), words(text), "{}", noisy);
        prop_assert_eq!(tree(&formatted), tree(text));
    }
}
