//! The kinds of findings: every one is explained, and its examples show it and nothing else.

use crate::docs::{Block, blocks, head};
use assert_cmd::Command;
use rulebook::base::codes::{self, KINDS, Kind};
use rulebook::base::{Code, Severity, Sources};
use rulebook::check::{self, Selection};
use rulebook::games::Shipped;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// An example as a whole definition: a line that says that it goes on is written out, and pictures of control characters are what
/// they show.
fn whole(mark: &str, text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match line.trim().strip_prefix("# … and so on up to ") {
            Some(most) => {
                let one = lines.last().expect("a line before").clone();
                let most: u32 = most.parse().expect("a number");
                lines.extend((2..=most).map(|n| one.replace('1', &n.to_string())));
            }
            None => lines.push(line.to_owned()),
        }
    }
    let shown = |c: char| match u32::from(c) {
        code @ 0x2400..=0x241F => char::from_u32(code - 0x2400).expect("a control character"),
        _ => c,
    };
    let text: String = lines.iter().flat_map(|l| l.chars().map(shown).chain(['\n'])).collect();
    if mark.starts_with("rules") { head(&text) + &text } else { text }
}

/// What the program says of an example, in its order: of reading and checking, of playing, of the tests that it shows. An example shows a few lines of a game,
/// so warnings of other kinds than the one explained are left aside.
fn findings(kind: &str, example: &Block, played: bool) -> Vec<(Code, String)> {
    if played {
        return findings_in_play(&example.text);
    }
    let text = &whole(&example.mark, &example.text);
    let mut sources = Sources::new();
    let file = sources.add("example.game", text);
    let (definition, found) = check::load(&mut sources, file, &Shipped);
    let found = definition.as_ref().map_or(found, |d| d.check());
    let told = found.into_iter().filter(|d| d.severity == Severity::Error || d.code == kind);
    let told: Vec<_> = told.map(|d| (d.code, d.message)).collect();
    let Some(definition) = definition.filter(|_| told.is_empty()) else { return told };
    if let Err(found) = rulebook::load(text) {
        return found.into_iter().map(|d| (d.code, d.message)).collect();
    }
    let shown = example.text.contains("test \"");
    let failed = rulebook::testing::run(&definition, &Selection::default(), |_| shown);
    failed
        .into_iter()
        .filter(|r| !r.passed())
        .map(|r| ("failed-test", format!("{}: {:?}", r.name, r.failures)))
        .collect()
}

/// What the program says of an example in random games.
fn findings_in_play(text: &str) -> Vec<(Code, String)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-played-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("example.game"), text).expect("a file");
    let args = ["check", "--play", "30", "--format", "json", "example.game"];
    let ran = Command::new(env!("CARGO_BIN_EXE_rulebook")).current_dir(&folder).args(args).output().expect("it runs");
    let out = String::from_utf8(ran.stdout).expect("text");
    let lines = out.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON"));
    let told = lines.filter_map(|l| Some((codes::find(l["code"].as_str()?)?.name, l["message"].to_string())));
    told.collect()
}

#[test]
fn every_kind_has_a_wrong_example_that_shows_it_and_a_right_one_that_is_clean() {
    let mut faults = Vec::new();
    for kind in KINDS {
        let examples = blocks(kind.page);
        let [wrong, right] = examples.as_slice() else { panic!("{} has not two examples", kind.number) };
        let sort = if right.mark == "game" { "game" } else { "rules" };
        assert_eq!([wrong.mark.as_str(), right.mark.as_str()], [&format!("{sort} wrong"), sort], "{}", kind.number);
        let played = kind.number.starts_with("E08");
        match findings(kind.name, wrong, played).first() {
            Some((code, _)) if *code == kind.name => {}
            other => faults.push(format!("{} ({}) shows {other:?}", kind.number, kind.name)),
        }
        let found = findings(kind.name, right, played);
        if !found.is_empty() {
            faults.push(format!("{} ({}), the right example: {found:?}", kind.number, kind.name));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn numbers_and_names_are_found_and_stand_once() {
    assert!(KINDS.windows(2).all(|pair| pair[0].number < pair[1].number), "numbers ascend");
    let names: BTreeSet<&str> = KINDS.iter().map(|k| k.name).collect();
    assert_eq!(names.len(), KINDS.len(), "names differ");
    for kind in KINDS {
        assert_eq!(codes::find(kind.number), Some(kind));
        assert_eq!(codes::find(kind.name), Some(kind));
        assert!(!kind.text().is_empty() && !kind.meaning.is_empty(), "{}", kind.number);
        let title = format!("# {} {}", kind.number, kind.name);
        assert_eq!(kind.page.lines().next(), Some(title.as_str()));
    }
    assert_eq!(codes::near("E0333").map(|k| &k.number[..2]), Some("E0"));
    assert_eq!(codes::near("unknwon-name").map(|k| k.name), Some("unknown-name"));
    assert_eq!(codes::near("weather"), None);
}

#[test]
fn the_folder_has_a_page_for_each_kind_and_lists_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors");
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|n| n != "README.md")
        .collect();
    files.sort();
    let numbers: Vec<String> = KINDS.iter().map(|k| format!("{}.md", k.number)).collect();
    assert_eq!(files, numbers);
    let list = std::fs::read_to_string(folder.join("README.md")).expect("the list");
    let rows: Vec<&str> = list.lines().filter(|l| l.starts_with("| [E")).collect();
    assert_eq!(rows.len(), KINDS.len());
    for (Kind { number, name, meaning, page }, row) in KINDS.iter().zip(rows) {
        let example = &blocks(page)[0];
        let star = match severity(name, &whole(&example.mark, &example.text)) {
            None if number.starts_with("E08") => " *",
            None | Some(Severity::Error) => "",
            Some(Severity::Warning) => " *",
            Some(Severity::Note) => " °",
        };
        assert_eq!(row, format!("| [{number}]({number}.md) | `{name}`{star} | {meaning} |"));
    }
}

/// How bad the first finding of a text is.
fn severity(kind: &str, text: &str) -> Option<Severity> {
    let mut sources = Sources::new();
    let file = sources.add("example.game", text);
    let (definition, found) = check::load(&mut sources, file, &Shipped);
    let found = definition.map_or(found, |d| d.check());
    found.iter().find(|d| d.code == kind).map(|d| d.severity)
}

#[test]
fn every_finding_says_what_to_do() {
    let mut texts: Vec<(String, String)> = Vec::new();
    for kind in KINDS {
        let wrong = &blocks(kind.page)[0];
        texts.push((kind.number.to_owned(), whole(&wrong.mark, &wrong.text)));
    }
    for folder in ["tests/check/err", "tests/check/meaning", "tests/syntax/err", "tests/hostile"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|e| e == "game") {
                texts.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a case")));
            }
        }
    }
    for (name, text) in texts {
        let mut sources = Sources::new();
        let file = sources.add("example.game", text);
        let (definition, found) = check::load(&mut sources, file, &Shipped);
        for finding in definition.map_or(found, |d| d.check()) {
            assert!(!finding.helps.is_empty(), "{name}: {} {}", finding.code, finding.message);
        }
    }
}

#[test]
fn what_only_follows_from_an_unread_line_is_not_told() {
    let game = |line: &str| {
        format!(
            "game \"T\"\nplayers White, Black\nboard 8x8\npiece Pawn \"P\" {{ step forward }}\nsetup Pawn on rank 1\n\
             mover wins when next has no piece\n{line}\ntest \"start\" {{ expect no pieces of White on rank 4 }}\n"
        )
    };
    let with = game("");
    for (text, expected) in [
        (game("peace Bishop \"B\" { slide diagonal }\nextend Bishop { step any }"), vec!["unknown-statement"]),
        (game("zone home rank 1\nmover wins when my Pawn on home"), vec!["syntax"]),
        (with.replace("board 8x8", "bord 8x8"), vec!["unknown-statement"]),
        (with.replace("players White, Black", "players White Black"), vec!["syntax"]),
        (with.replace("piece Pawn", "piece Pawn, "), vec!["syntax"]),
        // What has nothing to do with it is told in the same run, in the order of the text.
        (game("draw when turn number == 9\ndraw when Pwan on rank 3"), vec!["syntax", "unknown-piece"]),
        (game("draw when Pwan on rank 3\ndraw when turn number == 9"), vec!["unknown-piece", "syntax"]),
    ] {
        let codes: Vec<Code> = findings("", &blocks(&format!("```game\n{text}\n```\n"))[0], false)
            .into_iter()
            .map(|(code, _)| code)
            .collect();
        assert_eq!(codes, expected, "{text}");
    }
}

/// A definition with errors of several kinds, among them one in its parent's terms and one with a certain cure.
const FAULTY: &str = "game \"Sidestep\" extends \"breakthrough\"

extend Pwan { step sideways to empty }
draw when turn number == 100 # „zu lang“
zone middle = rank 4 in rank 5
";

/// Runs the program in a folder of its own, with [`FAULTY`] as `side step.game`; gives the exit code and what it printed.
fn run(name: &str, args: &[&str]) -> (i32, String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("side step.game"), FAULTY).expect("a file");
    let ran = Command::new(env!("CARGO_BIN_EXE_rulebook")).current_dir(&folder).args(args).output().expect("it runs");
    let out = String::from_utf8(ran.stdout).expect("text");
    let text = std::fs::read_to_string(folder.join("side step.game")).expect("the file");
    (ran.status.code().expect("an exit code"), out, text)
}

#[test]
fn findings_are_json_objects_one_a_line() {
    let (code, out, _) = run("json", &["check", "--format", "json", "side step.game"]);
    assert_eq!(code, 1);
    let found: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let codes: Vec<&str> = found.iter().filter_map(|f| f["code"].as_str()).collect();
    assert_eq!(codes, ["E0301", "E0001"], "the empty zone is only worth telling once the errors are cured");
    let place = |start, end, line, column| {
        json!({
            "file": "side step.game", "start": start, "end": end,
            "line": line, "column": column, "end_line": line, "end_column": column + end - start,
        })
    };
    for (found, place) in found.iter().zip([place(47, 51, 3, 8), place(102, 103, 4, 24)]) {
        for (field, value) in place.as_object().expect("fields") {
            assert_eq!(found[field], *value, "{field}");
            assert_eq!(found["labels"][0][field], *value, "{field} of the main label");
        }
        for list in ["labels", "helps", "notes", "fixes"] {
            assert!(found[list].is_array(), "{list}");
        }
    }
    assert_eq!(found[0]["name"], "unknown-piece");
    assert_eq!(found[0]["severity"], "error");
    assert_eq!(found[0]["labels"][1]["file"], "breakthrough.game");
    assert_eq!(found[0]["fixes"][0]["text"], "Pawn");
    assert_eq!(found[0]["fixes"][0]["certain"], false);
    assert_eq!(found[1]["fixes"][0]["certain"], true);
}

#[test]
fn sarif_is_what_the_schema_of_oasis_asks_for() {
    let (code, out, _) = run("sarif", &["check", "--format", "sarif", "side step.game"]);
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&out).expect("JSON");
    let mut schemas = boon::Schemas::new();
    let schema = include_str!("../sarif/sarif-schema-2.1.0.json");
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("sarif.json", serde_json::from_str(schema).expect("JSON")).expect("a schema");
    let schema = compiler.compile("sarif.json", &mut schemas).expect("a schema");
    let valid = |log: &Value| schemas.validate(log, schema).map_err(|e| e.to_string());
    assert_eq!(valid(&log), Ok(()));
    let mut broken = log.clone();
    broken["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = json!(0);
    assert!(valid(&broken).is_err(), "the schema is applied");
    let result = &log["runs"][0]["results"][0];
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a number") as usize];
    assert_eq!(rule["id"], result["ruleId"]);
    assert_eq!(rule["name"], "UnknownPiece");
    assert!(rule["help"]["markdown"].as_str().is_some_and(|page| page.contains("```rules wrong")));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "side%20step.game");
    assert_eq!(place["region"], json!({ "startLine": 3, "startColumn": 8, "endLine": 3, "endColumn": 12 }));
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "`Pawn` is defined here");
    let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "Pawn");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-all-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let files = KINDS.iter().filter(|kind| kind.name != "too-long").map(|kind| {
        let wrong = &blocks(kind.page)[0];
        let path = folder.join(format!("{}.game", kind.name));
        std::fs::write(&path, whole(&wrong.mark, &wrong.text)).expect("a file");
        path
    });
    let all = Command::new(env!("CARGO_BIN_EXE_rulebook")).args(["check", "--format", "sarif"]).args(files).output();
    let all: Value = serde_json::from_slice(&all.expect("it runs").stdout).expect("JSON");
    assert!(all["runs"][0]["results"].as_array().is_some_and(|list| list.len() + 2 >= KINDS.len()));
    assert_eq!(valid(&all), Ok(()), "a log with nearly every kind of finding");
    let (code, out, _) = run("clean", &["check", "--format", "sarif", "chess"]);
    assert_eq!(code, 0);
    assert_eq!(valid(&serde_json::from_str(&out).expect("JSON")), Ok(()), "a log without results is valid too");
}

#[test]
fn certain_cures_are_made_and_guesses_are_not() {
    let (code, out, text) = run("fix", &["check", "--fix", "side step.game"]);
    assert_eq!(code, 1);
    assert_eq!(text, FAULTY.replace("==", "="));
    assert!(out.contains("side step.game: 1 error"), "{out}");
    let (_, _, text) = run("nofix", &["check", "side step.game"]);
    assert_eq!(text, FAULTY);
}

#[test]
fn all_certain_cures_of_a_file_are_made_at_once() {
    let cures = [
        ("by “Nobody”", "by \"Nobody\""),
        ("option limit = 100 (200..50)", "option limit = 100 (50..200)"),
        ("option peak = 9 (1 to 20)", "option peak = 9 (1..20)"),
        ("draw when turn number == limit or score is 3", "draw when turn number = limit or score = 3"),
        ("extend King { castle with Rook to empty }", "extend King { castle with Rook }"),
        ("draw when turn number = peak of White", "draw when turn number = peak"),
        ("about \"a \u{7}bell\"", "about \"a bell\""),
    ];
    let text = |side: fn(&(&'static str, &'static str)) -> &'static str| {
        cures.iter().map(side).fold("game \"Cured\" extends \"chess\"\n".to_owned(), |all, line| all + line + "\n")
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-cures-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("cured.game");
    std::fs::write(&path, text(|cure| cure.0)).expect("a file");
    let ran =
        Command::new(env!("CARGO_BIN_EXE_rulebook")).arg("check").arg("--fix").arg(&path).output().expect("it runs");
    assert_eq!(std::fs::read_to_string(&path).expect("the file"), text(|cure| cure.1));
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(told.contains("7 corrections made"), "{told}");
}

#[test]
fn codes_are_explained_on_the_command_line() {
    let (code, out, _) = run("explain", &["explain", "e0301"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("E0301 unknown-piece: there is no piece of this name\n"), "{out}");
    assert!(out.contains("\n    extend Pwan { step sideways to empty }\n") && !out.contains("```"), "{out}");
    assert_eq!(run("explain", &["explain", "unknown-piece"]).1, out);
    let (code, out, _) = run("explain", &["explain"]);
    assert_eq!(code, 0);
    assert_eq!(out.lines().count(), KINDS.len());
    assert_eq!(run("explain", &["explain", "unknown-pieec"]).0, 2);
}

#[test]
fn so_many_findings_are_told_and_the_rest_is_counted() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-many-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let wrong: String = (0..60).map(|n| format!("extend Nobody{n} {{ step any }}\n")).collect();
    std::fs::write(folder.join("many.game"), format!("game \"Many\" extends \"chess\"\n{wrong}")).expect("a file");
    let program = env!("CARGO_BIN_EXE_rulebook");
    let ran = Command::new(program).current_dir(&folder).args(["check", "many.game"]).output().expect("it runs");
    let out = String::from_utf8(ran.stdout).expect("text");
    // 60 errors, and the note that there are no tests.
    assert_eq!(out.matches("error[E0301]").count(), 49, "{out}");
    assert!(out.contains("\n… and 11 more\n\nmany.game: 60 errors and 1 note\n"), "{out}");
}

#[test]
fn random_games_are_the_same_for_a_seed_and_can_be_played_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-again-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let page = codes::find("endless").expect("a kind").page;
    std::fs::write(folder.join("wander.game"), &blocks(page)[0].text).expect("a file");
    let ask = |args: &[&str]| {
        let ran =
            Command::new(env!("CARGO_BIN_EXE_rulebook")).current_dir(&folder).args(args).output().expect("it runs");
        String::from_utf8(ran.stdout).expect("text")
    };
    let args = ["check", "wander.game", "--play", "5", "--seed", "3", "--max-turns", "40"];
    let told = ask(&args);
    assert_eq!(told, ask(&args));
    let found = told.split_once("played by `rulebook ").and_then(|(_, rest)| rest.split_once('`'));
    let words: Vec<&str> = found.expect("the command of a game").0.split(' ').collect();
    assert!(ask(&words).contains("not over after 40 turns"), "{words:?}");
    let lines = ask(&[&args[..], &["--format", "json"]].concat());
    let last: Value = serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["played"][0]["games"], 5);
    assert_eq!(last["played"][0]["unfinished"], 5);
    assert_eq!(last["played"][0]["wins"][1]["player"], "Black");
    // No win in five games: by Wilson's formula the true share is below z²/(5 + z²) with z = 1.96.
    let high = last["played"][0]["wins"][1]["high"].as_f64().expect("a number");
    assert!((high - 0.4345).abs() < 1e-3, "{high}");
    assert_eq!(last["played"][0]["turns"]["mean"], 40.0);
}
