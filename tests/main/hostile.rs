//! Definitions that try to make the program recurse, hang or grow without end: `tests/hostile`. Each is refused with an error, or can be played.
//!
//! What fuzzing found lies there too. `large.txt` has those that are too long to be kept: `@N«TEXT»` in it stands for N times TEXT, in which
//! `%` is the number from 0, `^` the number before, and `\n`, `\r`, `\0` are such characters.

use allocation_counter::measure;
use rulebook::base::codes::KINDS;
use rulebook::base::{Diagnostic, Severity, Sources};
use rulebook::check::{self, Selection};
use rulebook::engine::{Game, Random};
use rulebook::games::Shipped;
use rulebook::testing;
use std::path::{Path, PathBuf};

/// What a definition may take of memory, in bytes, to be checked and played.
const MAX_MEMORY: u64 = 200 << 20;

/// Checks a text, plays a little, runs its tests. Gives the first error with its place, or the first failure of a test, or `ok`.
fn check(text: String) -> String {
    let mut sources = Sources::new();
    let file = sources.add("hostile.game", text);
    let (definition, errors) = check::load(&mut sources, file, &Shipped);
    let found = definition.as_ref().map_or(errors, check::Definition::check);
    let told = |d: &Diagnostic| {
        let (line, column) = sources.line_column(d.span());
        format!("{} at {line}:{column}", d.kind().number)
    };
    rulebook::front::render(&found, &sources, false);
    if let Some(error) = found.iter().find(|d| d.severity == Severity::Error) {
        assert_eq!(error.span().file, file, "{error:?}");
        assert!(!error.helps.is_empty(), "{error:?}");
        return told(error);
    }
    let definition = definition.expect("there is no error");
    let compiled = definition.compile(&Selection::default()).expect("there is no error");
    let game = match Game::new(compiled.game) {
        Ok(game) => game,
        Err(why) => return format!("E0703 {why}"),
    };
    play(&game);
    let reports = testing::run(&definition, &Selection::default(), |_| true);
    match reports.iter().flat_map(|r| &r.failures).next() {
        Some(failure) => format!("E0604 at {}: {}", sources.line_column(failure.span).0, failure.message),
        None => "ok".to_owned(),
    }
}

fn play(game: &Game) {
    let state = game.start();
    let _ = game.steps(&state);
    let _ = game.turns_within(&state, 2);
    let _ = game.perft_within(&state, 1, 3);
    let _ = game.playout(&mut state.clone(), &mut Random::new(1), 4);
    let position = game.position(&state);
    let read = game.read_position(&position).map(|s| game.position(&s));
    assert_eq!(read.as_ref(), Ok(&position));
    let _ = game.explain(&state, "a1a2").reason;
}

fn within_memory(name: &str, text: String) -> String {
    let mut found = String::new();
    let taken = measure(|| found = check(text)).bytes_max;
    assert!(taken < MAX_MEMORY, "{name} takes {} MB", taken >> 20);
    found
}

#[test]
fn no_definition_brings_the_program_down() {
    insta::glob!("../..", "tests/hostile/*.game", |path| {
        let text = std::fs::read(path).expect("a file");
        within_memory(&path.display().to_string(), String::from_utf8_lossy(&text).into_owned());
    });
}

/// The sections of `large.txt`: name, how what is found must begin, text.
fn large() -> Vec<(String, String, String)> {
    let all = include_str!("../hostile/large.txt");
    let (_, sections) = all.split_once("\n== ").expect("a section");
    let section = |section: &str| {
        let (head, text) = section.split_once('\n').expect("a text");
        let (name, found) = head.split_once(": ").expect("NAME: FOUND");
        (name.to_owned(), found.to_owned(), written_out(text))
    };
    sections.split("\n== ").map(section).collect()
}

fn written_out(text: &str) -> String {
    let mut parts = text.split('@');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (count, rest) = part.split_once('«').expect("@N«TEXT»");
        let (repeated, after) = rest.split_once('»').expect("@N«TEXT»");
        let repeated = repeated.replace("\\n", "\n").replace("\\r", "\r").replace("\\0", "\0");
        for i in 0..count.parse::<i64>().expect("a number") {
            out.push_str(&repeated.replace('%', &i.to_string()).replace('^', &(i - 1).to_string()));
        }
        out.push_str(after);
    }
    out
}

fn large_ones(wanted: impl Fn(&str, &str) -> bool) {
    let mut wrong = String::new();
    for (name, expected, text) in large().into_iter().filter(|(name, _, text)| wanted(name, text)) {
        let found = within_memory(&name, text);
        if !found.starts_with(&expected) {
            wrong += &format!("\n== {name}: {found}\n   not {expected}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_too_much_is_refused_where_it_stands() {
    large_ones(|name, text| !name.starts_with("play") && text.len() < 6_000);
}

/// Without optimisation long texts, and games that play far, take too long.
#[test]
#[ignore = "slow"]
fn what_is_far_too_much_is_refused_where_it_stands() {
    large_ones(|_, _| true);
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_line() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bytes-{}.game", std::process::id()));
    for (bytes, line) in [(&b"game \"N\"\nplayers \xFF, B\n"[..], 2), (b"\xFF\xFEg\0a\0m\0e\0", 1)] {
        std::fs::write(&path, bytes).expect("a file");
        let ran = assert_cmd::Command::new(env!("CARGO_BIN_EXE_rulebook")).arg("check").arg(&path).output();
        let told = String::from_utf8_lossy(&ran.expect("output").stderr).into_owned();
        assert!(told.contains(&format!("line {line} ")), "{told}");
    }
}

/// The value of a constant: a number, or one shifted.
fn value(text: &str) -> Option<u64> {
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    match text.split_once("<<") {
        Some((a, b)) => Some(number(a)? << number(b)?),
        None => number(text),
    }
}

fn sources(folder: &Path, list: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()) {
        match path.is_dir() {
            true => sources(&path, list),
            false => list.push(path),
        }
    }
}

/// `docs/limits.md` has a row for every limit, with its value and the number of its error.
#[test]
fn the_page_of_limits_tells_the_constants() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/limits.md")).expect("the page");
    let mut rows = Vec::new();
    for row in page.lines().filter(|l| l.starts_with("| ") && l.contains(".rs`")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, most, past, place] = cells[..] else { panic!("{row}") };
        let place: Vec<&str> = place.split('`').filter(|p| !p.trim().is_empty()).collect();
        let (number, unit) = most.split_once(' ').unwrap_or((most, ""));
        let unit = [("", 1), ("KB", 1 << 10), ("MB", 1 << 20)].iter().find(|(u, _)| *u == unit).expect("a unit").1;
        rows.push((place[0], place[1], number.parse::<u64>().expect("a number") * unit));
        let known = !past.starts_with('E') || KINDS.iter().any(|k| k.number == past);
        assert!(known, "there is no error {past}");
    }
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files);
    let mut seen = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let name = file.strip_prefix(root).expect("within the root").to_str().expect("a name").replace('\\', "/");
        for line in text.lines() {
            let Some((_, constant)) = line.split_once("const ") else { continue };
            let Some((constant, is)) = constant.split_once(": ") else { continue };
            if !["MAX_", "TOO_MANY"].iter().any(|s| constant.starts_with(s)) && !constant.ends_with("BUDGET") {
                continue;
            }
            let is = is.split_once("= ").and_then(|(_, v)| value(v.trim_end_matches(';')));
            let row = rows.iter().find(|(file, c, _)| *file == name && *c == constant);
            assert_eq!(row.map(|r| r.2), is, "{name} {constant}");
            seen += 1;
        }
    }
    assert_eq!(seen, rows.len(), "a row of the page names a constant that is gone");
}
