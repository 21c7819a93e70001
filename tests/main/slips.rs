//! Slips of the pen: in every shipped game each word and sign is left out, doubled, swapped with the next and misspelt, one at a time, and the checker must
//! notice on the line where it happened, unless what is left says the same or is as good a game.

use crate::common::definition;
use rulebook::base::{FileId, Severity, Sources, Span};
use rulebook::check::{self, Selection};
use rulebook::games::{self, Shipped};
use rulebook::syntax::test::Test;
use rulebook::testing;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a slip does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    LeftOut,
    Doubled,
    Swapped,
    Misspelt,
}

const SLIPS: [Slip; 4] = [Slip::LeftOut, Slip::Doubled, Slip::Swapped, Slip::Misspelt];

/// Words, numbers, texts, signs, and each sign of a diagram; comments and quotations are left alone.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut list = Vec::new();
    let mut at = 0;
    let length = |rest: &str, f: &dyn Fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
    let mut fresh = true;
    while at < text.len() {
        let rest = &text[at..];
        let c = rest.chars().next().expect("there is more");
        let n = match c {
            '\n' => {
                fresh = true;
                at += 1;
                continue;
            }
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '#' => {
                at += length(rest, &|c| c != '\n');
                continue;
            }
            '>' if fresh => {
                at += length(rest, &|c| c != '\n');
                continue;
            }
            '"' => rest[1..].find('"').map_or(rest.len(), |i| i + 2),
            c if c.is_ascii_digit() => length(rest, &|c| c.is_ascii_digit()),
            c if c.is_alphanumeric() => length(rest, &|c| c.is_alphanumeric() || c == '-'),
            '.' if rest.starts_with("..") => 2,
            c => c.len_utf8(),
        };
        fresh = false;
        list.push(at..at + n);
        at += n;
    }
    list
}

/// What someone types who means a word or a sign and does not look.
fn misspelt(token: &str) -> Option<String> {
    let c = token.chars().next()?;
    let letters: Vec<char> = token.chars().collect();
    match c {
        '"' => Some(token[..token.len() - 1].to_owned()),
        c if c.is_ascii_digit() => None,
        c if c.is_alphabetic() && letters.len() == 1 => Some(format!("{token}{token}")).filter(|_| false),
        c if c.is_alphabetic() => {
            // two letters that differ change places, those in the middle first
            let middle = letters.len() / 2;
            let places = (1..letters.len()).map(|i| (i + middle - 1) % (letters.len() - 1));
            let i = places.into_iter().find(|i| letters[*i] != letters[i + 1] && letters[i + 1] != '-')?;
            let mut wrong = letters;
            wrong.swap(i, i + 1);
            Some(wrong.into_iter().collect())
        }
        _ => {
            let pairs = [
                ("{", "("),
                ("}", ")"),
                ("(", "["),
                (")", "]"),
                ("[", "("),
                ("]", ")"),
                (":", "="),
                ("=", ":"),
                (",", "."),
                (";", ","),
                ("..", "-"),
                ("/", "\\"),
                ("+", "-"),
                ("-", "+"),
                (">", "<"),
                ("<", ">"),
                ("|", "!"),
                ("*", "x"),
            ];
            pairs.iter().find(|(right, _)| *right == token).map(|(_, wrong)| (*wrong).to_owned())
        }
    }
}

/// A text with a slip, and the bytes of it where that happened.
fn slipped(text: &str, tokens: &[Range<usize>], i: usize, slip: Slip) -> Option<(String, Range<usize>)> {
    let token = &tokens[i];
    let word = &text[token.clone()];
    let (with, end) = match slip {
        Slip::LeftOut => (String::new(), token.end),
        Slip::Doubled if text[token.end..].starts_with(char::is_whitespace) => (format!("{word} {word}"), token.end),
        Slip::Doubled => (format!("{word}{word}"), token.end),
        Slip::Swapped => {
            let next = tokens.get(i + 1)?;
            if text[next.clone()] == *word {
                return None;
            }
            (format!("{}{}{word}", &text[next.clone()], &text[token.end..next.start]), next.end)
        }
        Slip::Misspelt => (misspelt(word)?, token.end),
    };
    let length = with.len();
    Some((format!("{}{with}{}", &text[..token.start], &text[end..]), token.start..token.start + length.max(1)))
}

/// Each `step`-th slip in a shipped game, as a text.
pub fn texts(name: &str, step: usize) -> Vec<String> {
    let text = games::text(name).expect("a shipped game");
    let tokens = tokens(text);
    let numbers = (0..tokens.len() * SLIPS.len()).step_by(step);
    numbers.filter_map(|n| Some(slipped(text, &tokens, n / SLIPS.len(), SLIPS[n % SLIPS.len()])?.0)).collect()
}

/// What a definition means: its rules with each variant, without the author's own lines, and its tests.
fn meaning(definition: &check::Definition) -> Vec<serde_json::Value> {
    fn strip(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(map) => {
                for key in ["text", "span", "place"] {
                    map.remove(key);
                }
                map.values_mut().for_each(strip);
            }
            serde_json::Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let variants = definition.variants().into_iter().map(|v| vec![v.slug]);
    std::iter::once(Vec::new())
        .chain(variants)
        .map(|variants| {
            let compiled = definition.compile(&Selection { variants, options: Vec::new() });
            let mut value =
                compiled.map_or(serde_json::Value::Null, |c| serde_json::to_value(&c.game).expect("rules are data"));
            strip(&mut value);
            value
        })
        .collect()
}

/// What became of the slips of one kind.
#[derive(Default)]
struct Tally {
    slips: usize,
    /// The first error touches the line.
    there: usize,
    /// The first error points elsewhere.
    elsewhere: Vec<String>,
    /// No error, but a warning.
    warned: usize,
    /// No finding, and the game is the same.
    same: usize,
    /// No finding, but a test of the definition fails.
    tested: usize,
    /// No finding, and a test that says something else and passes too.
    other_test: Vec<String>,
    /// No finding, and another game that passes its tests.
    silent: Vec<String>,
}

/// Makes each `step`-th slip in a shipped game.
fn slip_all(name: &str, step: usize, tallies: &mut BTreeMap<Slip, Tally>) {
    let text = games::text(name).expect("a shipped game");
    let tokens = tokens(text);
    let right = meaning(&definition(name));
    let test = text.find("\ntest \"").unwrap_or(text.len());
    for number in (0..tokens.len() * SLIPS.len()).step_by(step) {
        let (i, slip) = (number / SLIPS.len(), SLIPS[number % SLIPS.len()]);
        let Some((wrong, place)) = slipped(text, &tokens, i, slip) else { continue };
        let line = text[..place.start].matches('\n').count() + 1;
        let what = |more: &str| {
            let shown = wrong.lines().nth(line - 1).unwrap_or("").trim();
            format!("{name}:{line} {slip:?} `{}`: {shown}{more}", &text[tokens[i].clone()])
        };
        let tally = tallies.entry(slip).or_default();
        tally.slips += 1;
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let mut sources = Sources::new();
            let file = sources.add(name, wrong.clone());
            let (definition, found) = check::load(&mut sources, file, &Shipped);
            let found = definition.as_ref().map_or(found, check::Definition::check);
            (definition, found, file)
        }));
        let Ok((definition, found, file)) = checked else { panic!("the checker panics: {}", what("")) };
        if let Some(first) = found.iter().find(|d| d.severity == Severity::Error) {
            match touches(&wrong, file, first.span(), &place) {
                true => tally.there += 1,
                false => tally.elsewhere.push(what(&format!("  -- {}", first.message))),
            }
        } else if !found.is_empty() {
            tally.warned += 1;
        } else if let Some(definition) = definition {
            let here = |t: &&Test| t.span.start as usize <= place.end && place.start <= t.span.end as usize;
            let touched = definition.tests().iter().find(here).map(|t| t.name.node.clone());
            if place.start < test && meaning(&definition) == right {
                tally.same += 1;
            } else if fails(&definition, |name| place.start < test || touched.as_deref() == Some(name)) {
                tally.tested += 1;
            } else if place.start >= test {
                tally.other_test.push(what(""));
            } else {
                tally.silent.push(what(""));
            }
        }
    }
}

/// Whether one of the tests fails that are wanted by name.
fn fails(definition: &check::Definition, wanted: impl Fn(&str) -> bool) -> bool {
    testing::run(definition, &Selection::default(), wanted).iter().any(|report| !report.passed())
}

/// Whether a span touches one of the lines of a place.
fn touches(text: &str, file: FileId, span: Span, place: &Range<usize>) -> bool {
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count();
    let (first, last) = (line(span.start as usize), line((span.end as usize).max(span.start as usize + 1) - 1));
    span.file == file && first <= line(place.end.saturating_sub(1)) && last >= line(place.start)
}

/// Makes each `step`-th slip in every shipped game: nearly all that are errors are told on their line, and what is not told at all is known and legal.
fn check_slips(step: usize) {
    let mut tallies = BTreeMap::new();
    for name in games::names() {
        slip_all(name, step, &mut tallies);
    }
    let mut report = String::new();
    let (mut errors, mut there) = (0, 0);
    for (slip, t) in &tallies {
        errors += t.there + t.elsewhere.len();
        there += t.there;
        let _ = writeln!(
            report,
            "{slip:?}: {} slips; an error on the line {}, elsewhere {}; a warning {}; the same game {}; told by a test {}; \
             another test that passes {}; another game {}",
            t.slips,
            t.there,
            t.elsewhere.len(),
            t.warned,
            t.same,
            t.tested,
            t.other_test.len(),
            t.silent.len()
        );
    }
    if let Ok(path) = std::env::var("SLIPS_REPORT") {
        let lists = tallies.values().flat_map(|t| {
            let named = [("elsewhere", &t.elsewhere), ("test", &t.other_test), ("silent", &t.silent)];
            named.into_iter().flat_map(|(what, list)| list.iter().map(move |l| format!("{what} {l}\n")))
        });
        std::fs::write(path, format!("{report}\n{}", lists.collect::<String>())).expect("the report can be written");
    }
    assert!(there * 100 >= errors * 95, "{there} of {errors} errors touch the line\n{report}");
    let known = include_str!("../check/slips.txt");
    let new: Vec<&String> = tallies.values().flat_map(|t| &t.silent).filter(|l| !known.contains(l.as_str())).collect();
    assert!(new.is_empty(), "not told, and not among the slips that are known to be legal: {new:#?}");
}

#[test]
fn slips_are_told_where_they_are() {
    check_slips(211);
}

#[test]
#[ignore = "slow"]
fn many_slips_are_told_where_they_are() {
    check_slips(std::env::var("SLIPS_STEP").ok().and_then(|n| n.parse().ok()).unwrap_or(if cfg!(debug_assertions) {
        39
    } else {
        13
    }));
}
