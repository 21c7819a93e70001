//! The examples of the documentation are definitions that compile.
//!
//! A block marked `game` is a whole file, and nothing is to be said of it. A block marked `rules` is a fragment behind the
//! head that `docs/language/README.md` gives; a line of the head gives way where the fragment says the same thing itself.
//! A block marked `console` in the README is a command and what it prints, in a folder where the definitions shown before it lie.

use assert_cmd::Command;
use rulebook::base::{Diagnostic, Severity, Sources};
use rulebook::check;
use rulebook::games::Shipped;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Each line with the beginnings of lines that make it give way.
const HEAD: &[(&str, &[&str])] = &[
    ("game \"Example\"", &[]),
    ("players White, Black", &["players "]),
    ("board 8x8", &["board "]),
    ("piece Pawn   \"P\" worth 1 { step forward to empty; step forward-diagonal to enemy }", &["piece Pawn "]),
    ("piece Knight \"N\" worth 3 { leap (1,2) }", &["piece Knight "]),
    ("piece Rook   \"R\" worth 5 { slide orthogonal }", &["piece Rook "]),
    ("piece Queen  \"Q\" worth 9 { slide any }", &["piece Queen "]),
    ("piece King   \"K\" royal { step any }", &["piece King "]),
    ("setup { Pawn on rank 2; King on e1; Queen on d1; Rook on a1, h1; Knight on b1, g1 }", &["setup "]),
    ("mover wins when checkmate", &[]),
    ("draw when stalemate", &[]),
    ("draw when position occurs 3 times", &[]),
    ("test \"the start\" { turns = 14 }", &["test "]),
];

/// A fenced block: its mark, the number of its first line, its text.
pub struct Block {
    pub mark: String,
    line: usize,
    pub text: String,
}

pub fn blocks(text: &str) -> Vec<Block> {
    let mut list = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (open.take(), line.strip_prefix("```")) {
            (None, Some(mark)) => open = Some(Block { mark: mark.to_owned(), line: number + 2, text: String::new() }),
            (None, None) => {}
            (Some(block), Some(_)) => list.push(block),
            (Some(mut block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
        }
    }
    list
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = vec![root.join("README.md")];
    let folder = std::fs::read_dir(root.join("docs/language")).expect("the folder of the language");
    list.extend(folder.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    list.sort();
    list
}

/// The head behind which a fragment is read.
pub fn head(fragment: &str) -> String {
    let says = |begin: &str| fragment.lines().any(|l| l.starts_with(begin));
    HEAD.iter().filter(|(_, unless)| !unless.iter().any(|u| says(u))).fold(String::new(), |mut text, (line, _)| {
        let _ = writeln!(text, "{line}");
        text
    })
}

/// What is said of a text; the places count from the line where the block begins.
fn findings(name: &str, text: &str, skip: usize, first: usize, strict: bool) -> String {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let (definition, mut found) = check::load(&mut sources, file, &Shipped);
    if let (Some(definition), true) = (definition, found.is_empty()) {
        found = definition.check();
    }
    let bad = |d: &&Diagnostic| strict || d.severity == Severity::Error;
    found.iter().filter(bad).fold(String::new(), |mut out, d| {
        let (line, column) = sources.line_column(d.span());
        let at = if d.span().file == file { (line + first).saturating_sub(skip + 1) } else { first };
        let _ = writeln!(out, "{name}:{at}:{column}: {}: {}; {}", d.code, d.message, d.helps.join("; "));
        out
    })
}

#[test]
fn every_example_is_a_definition_that_compiles() {
    let mut faults = String::new();
    let mut seen = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        let name = page.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&page).display().to_string();
        for block in blocks(&text) {
            seen += 1;
            match block.mark.as_str() {
                "game" => faults.push_str(&findings(&name, &block.text, 0, block.line, true)),
                "rules" => {
                    let head = head(&block.text);
                    let skip = head.lines().count();
                    faults.push_str(&findings(&name, &(head + &block.text), skip, block.line, false));
                }
                _ => seen -= 1,
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
    assert!(seen > 40, "only {seen} examples were found");
}

#[test]
fn the_head_of_fragments_is_the_one_that_the_page_shows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language/README.md");
    let text = std::fs::read_to_string(page).expect("the page");
    let shown = HEAD.iter().fold(String::new(), |all, (line, _)| all + line + "\n");
    assert!(blocks(&text).iter().any(|b| b.mark == "game" && b.text == shown), "the page does not show\n{shown}");
}

#[test]
fn commands_print_what_the_readme_shows() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("docs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the readme");
    let mut seen = 0;
    for block in blocks(&readme) {
        match block.mark.as_str() {
            "game" | "game-step" => {
                let name = block.text.split('"').nth(1).expect("a head").to_lowercase();
                std::fs::write(folder.join(format!("{name}.game")), &block.text).expect("a file");
            }
            "console" => {
                let (command, shown) = block.text.split_once('\n').expect("a command");
                let words = command.strip_prefix("$ rulebook ").expect("a command").split(' ');
                let ran = Command::new(env!("CARGO_BIN_EXE_rulebook"))
                    .current_dir(&folder)
                    .args(words)
                    .output()
                    .expect("output");
                let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
                assert_eq!(printed.trim_end(), shown.trim_end(), "README.md:{}: {command}", block.line);
                seen += 1;
            }
            _ => {}
        }
    }
    assert!(seen >= 5, "only {seen} commands were found");
}

#[test]
fn the_readme_shows_the_example_of_the_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lib = std::fs::read_to_string(root.join("src/lib.rs")).expect("the library");
    let doc: String = lib
        .lines()
        .filter_map(|l| l.strip_prefix("//!"))
        .fold(String::new(), |all, l| all + l.strip_prefix(' ').unwrap_or(l) + "\n");
    let text = |page: &str| blocks(page).into_iter().find(|b| b.mark == "rust" || b.mark.is_empty()).map(|b| b.text);
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the readme");
    assert!(text(&readme).is_some());
    assert_eq!(text(&readme), text(&doc));
}

/// The targets of the links of a page, without what follows `#`.
fn links(text: &str) -> Vec<String> {
    let mut code = false;
    let prose = text.lines().filter(|l| {
        code ^= l.starts_with("```");
        !code
    });
    let parts = prose.flat_map(|l| l.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    parts.map(|link| link.split('#').next().unwrap_or("").to_owned()).filter(|l| !l.is_empty()).collect()
}

#[test]
fn links_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = pages();
    for folder in ["docs/decisions", "docs/errors"] {
        let pages = std::fs::read_dir(root.join(folder)).expect("a folder of pages");
        list.extend(pages.flatten().map(|e| e.path()));
    }
    for page in list {
        let folder = page.parent().unwrap_or(root);
        for link in links(&std::fs::read_to_string(&page).unwrap_or_default()) {
            let there = link.contains("://") || folder.join(&link).exists();
            assert!(there, "{}: there is no `{link}`", page.display());
        }
    }
}

#[test]
fn the_readme_lists_what_ships() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the readme");
    for name in rulebook::games::names() {
        let definition = crate::common::definition(name);
        let row = readme.lines().find(|l| l.starts_with(&format!("| `{name}` |"))).unwrap_or_default();
        let options = definition.options().into_iter().map(|o| o.name);
        for word in definition.variants().into_iter().map(|v| v.slug).chain(options) {
            assert!(row.contains(&format!("`{word}`")), "the row of {name} lacks `{word}`");
        }
    }
}
