//! What the targets share: how a definition is loaded, and how texts are changed so that many still mean something.

use libfuzzer_sys::fuzzer_mutate;
use rulebook::base::{Diagnostic, Sources};
use rulebook::check::{self, Definition, Selection};
use rulebook::engine::Random;
use rulebook::games::{self, Shipped};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

/// A definition, if the text could be read as one, and what is wrong with it; each place lies in the text it names.
pub fn load(text: &str) -> (Option<Definition>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let file = sources.add("fuzz.game", text);
    let (definition, found) = check::load(&mut sources, file, &Shipped);
    let found = match &definition {
        Some(definition) => definition.check(),
        None => found,
    };
    assert!(definition.is_some() || !found.is_empty(), "no definition and no reason");
    for d in &found {
        for span in d.labels.iter().map(|l| l.span) {
            let text = &sources.get(span.file).text;
            assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} is no place of the text");
        }
    }
    let told = rulebook::front::render(&found, &sources, false);
    assert!(found.is_empty() || !told.is_empty());
    (definition, found)
}

/// The game alone, and with each of its variants.
pub fn selections(definition: &Definition) -> Vec<Selection> {
    let alone = definition.variants().into_iter().map(|v| Selection { variants: vec![v.name], options: Vec::new() });
    std::iter::once(Selection::default()).chain(alone).collect()
}

/// Lines of the shipped games and of the corpora of tests, by the first word of the block they stand in; blocks count as one line.
struct Donors(BTreeMap<String, Vec<String>>);

impl Donors {
    fn get() -> &'static Donors {
        static DONORS: OnceLock<Donors> = OnceLock::new();
        DONORS.get_or_init(|| {
            let mut donors = Donors(BTreeMap::new());
            games::names().filter_map(games::text).for_each(|text| donors.add(text));
            donors.add_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests"));
            donors
        })
    }

    fn add_folder(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            match path.extension() {
                None => self.add_folder(&path),
                Some(e) if e == "game" => {
                    let text = std::fs::read_to_string(&path).unwrap_or_default();
                    if text.len() < 64 << 10 {
                        self.add(&text);
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn add(&mut self, text: &str) {
        for part in parts(text) {
            let line = text[part.range].trim_end().to_owned();
            if line.len() < 4096 {
                self.0.entry(part.within).or_default().push(line);
            }
        }
    }

    fn line(&self, within: &str, rng: &mut Random) -> &str {
        let lines = self.0.get(within).or_else(|| self.0.get(""));
        lines.and_then(|l| pick(l, rng)).map_or("", String::as_str)
    }
}

fn pick<'a, T>(list: &'a [T], rng: &mut Random) -> Option<&'a T> {
    (!list.is_empty()).then(|| &list[rng.below(list.len() as u32) as usize])
}

/// A line with the block that it opens.
struct Part {
    range: Range<usize>,
    /// The first word of the block it stands in.
    within: String,
}

/// All lines, inner ones behind the one that holds them. `;` ends a line as a line break does.
fn parts(text: &str) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut start = 0;
    let (mut quoted, mut comment) = (false, false);
    let push = |out: &mut Vec<Part>, open: &[usize], range: Range<usize>| {
        let within = open.last().map_or("", |&at| first_word(&text[out[at].range.start..]));
        out.push(Part { range, within: within.to_owned() });
    };
    for (at, c) in text.char_indices() {
        match c {
            '\n' => (quoted, comment) = (false, false),
            _ if comment => continue,
            '"' => quoted = !quoted,
            _ if quoted => continue,
            '#' => comment = true,
            _ => {}
        }
        if !matches!(c, '\n' | ';' | '{' | '}') {
            continue;
        }
        if c == '{' {
            push(&mut out, &open, start..at + 1);
            open.push(out.len() - 1);
        } else {
            if !text[start..at].trim().is_empty() {
                push(&mut out, &open, start..at);
            }
            if c == '}'
                && let Some(head) = open.pop()
            {
                out[head].range.end = at + 1;
            }
        }
        start = at + c.len_utf8();
    }
    if !text[start..].trim().is_empty() {
        push(&mut out, &open, start..text.len());
    }
    out
}

fn first_word(text: &str) -> &str {
    text.trim_start().split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or("")
}

/// Words, numbers, texts in quotes and marks.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let word = |c: char| c.is_alphanumeric() || "-_'".contains(c);
    let mut rest = 0;
    while let Some(c) = text[rest..].chars().next() {
        let start = rest;
        rest += c.len_utf8();
        if c.is_whitespace() {
            continue;
        }
        if c == '"' {
            rest += text[rest..].find(['"', '\n']).map_or(text.len() - rest, |n| n + 1);
        } else if word(c) {
            rest += text[rest..].find(|c| !word(c)).unwrap_or(text.len() - rest);
        }
        out.push(start..rest);
    }
    out
}

const NUMBERS: [&str; 18] =
    ["0", "1", "2", "3", "4", "7", "8", "16", "26", "27", "59", "60", "64", "99", "100", "704", "65536", "2147483648"];
const CELLS: [&str; 8] = ["a1", "b1", "a2", "c3", "e4", "h8", "z26", "aa1"];

/// Changes a text here and there; see [`change`]. One time in eight libFuzzer's own mutator changes its bytes.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut rng = Random::new(u64::from(seed));
    let Ok(text) = std::str::from_utf8(&data[..size]) else { return fuzzer_mutate(data, size, max_size) };
    if rng.below(8) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut text = text.to_owned();
    for _ in 0..=rng.below(3) {
        text = change(&text, &mut rng);
    }
    let mut end = text.len().min(max_size);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    data[..end].copy_from_slice(&text.as_bytes()[..end]);
    end
}

/// Puts together the lines of two texts.
pub fn cross(one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut rng = Random::new(u64::from(seed));
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let mut text = String::new();
    let (a, b) = (parts(&one), parts(&other));
    let top = |list: &[Part]| list.iter().filter(|p| p.within.is_empty()).map(|p| p.range.clone()).collect::<Vec<_>>();
    for range in top(&a) {
        if rng.below(8) > 0 {
            text += one[range].trim();
            text.push('\n');
        }
        if rng.below(6) == 0
            && let Some(range) = pick(&top(&b), &mut rng)
        {
            text += other[range.clone()].trim();
            text.push('\n');
        }
    }
    let mut end = text.len().min(out.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    out[..end].copy_from_slice(&text.as_bytes()[..end]);
    end
}

fn replaced(text: &str, range: Range<usize>, with: &str) -> String {
    format!("{}{with}{}", &text[..range.start], &text[range.end..])
}

/// Changes one thing: a line with its block is left out, doubled, moved, or comes from another definition; a word is left out, doubled,
/// exchanged with another, becomes one of its own kind, or is put in brackets.
fn change(text: &str, rng: &mut Random) -> String {
    let (parts, words) = (parts(text), tokens(text));
    let (Some(part), Some(word)) = (pick(&parts, rng), pick(&words, rng)) else {
        return "game \"N\"\nplayers White, Black\nboard 3x3\npiece Ant \"A\" { step any }\nsetup Ant on a1\n"
            .to_owned();
    };
    let (line, range) = (&text[part.range.clone()], part.range.clone());
    match rng.below(16) {
        0 => replaced(text, range, ""),
        1 => replaced(text, range.end..range.end, &format!("\n{line}")),
        2 => match parts.iter().filter(|p| p.within == part.within).collect::<Vec<_>>().as_slice() {
            [] => text.to_owned(),
            alike => {
                let other = text[alike[rng.below(alike.len() as u32) as usize].range.clone()].to_owned();
                replaced(text, range, &other)
            }
        },
        3..=5 => replaced(text, range.end..range.end, &format!("\n{}\n", Donors::get().line(&part.within, rng))),
        6 => replaced(text, range, Donors::get().line(&part.within, rng)),
        7 => replaced(text, word.clone(), ""),
        8 => replaced(text, word.end..word.end, &format!(" {}", &text[word.clone()])),
        9 => replaced(text, range, &swap_words(line, rng)),
        10 | 11 => replaced(text, word.clone(), &alike(text, &words, word, rng)),
        12 => replaced(text, word.clone(), &donated(&part.within, &text[word.clone()], rng)),
        13 => {
            let open = rng.below(3);
            let (before, behind) = [("(", ")"), ("not (", ")"), ("{ ", " }")][open as usize];
            let inner = tokens(line);
            match (pick(&inner, rng), pick(&inner, rng)) {
                (Some(a), Some(b)) => {
                    let (a, b) = (a.start.min(b.start), a.end.max(b.end));
                    replaced(text, range.start + a..range.start + b, &format!("{before}{}{behind}", &line[a..b]))
                }
                _ => text.to_owned(),
            }
        }
        14 => {
            let donor = Donors::get().line(&part.within, rng);
            let joiner = [" and ", " or ", " except ", ", ", " then ", " if ", " + "][rng.below(7) as usize];
            let phrase = phrase(donor, rng);
            replaced(text, word.end..word.end, &format!("{joiner}{phrase}"))
        }
        _ => replaced(text, word.clone(), phrase(line, rng)),
    }
}

/// Some words of a line, one after the other.
fn phrase<'a>(line: &'a str, rng: &mut Random) -> &'a str {
    let words = tokens(line);
    if words.is_empty() {
        return line;
    }
    let from = rng.below(words.len() as u32) as usize;
    let to = (from + rng.below(6) as usize).min(words.len() - 1);
    &line[words[from].start..words[to].end]
}

fn swap_words(line: &str, rng: &mut Random) -> String {
    let words = tokens(line);
    let (Some(a), Some(b)) = (pick(&words, rng), pick(&words, rng)) else { return line.to_owned() };
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a == b {
        return line.to_owned();
    }
    let between = &line[a.end..b.start];
    format!("{}{}{between}{}{}", &line[..a.start], &line[b.clone()], &line[a.clone()], &line[b.end..])
}

/// What kind a word is: number, cell, name, text in quotes, word of the language, mark.
fn class(word: &str) -> u8 {
    let mut chars = word.chars();
    match chars.next() {
        Some('0'..='9') => 0,
        Some('a'..='z') if word.len() < 5 && word.ends_with(|c: char| c.is_ascii_digit()) => 1,
        Some('A'..='Z') => 2,
        Some('"') => 3,
        Some('a'..='z') => 4,
        _ => 5,
    }
}

/// A word of the same kind, of this text or a notable one.
fn alike(text: &str, words: &[Range<usize>], word: &Range<usize>, rng: &mut Random) -> String {
    let own = class(&text[word.clone()]);
    let notable: &[&str] = match own {
        0 => &NUMBERS,
        1 => &CELLS,
        _ => &[],
    };
    if rng.below(2) == 0
        && let Some(found) = pick(notable, rng)
    {
        return (*found).to_owned();
    }
    let same: Vec<&Range<usize>> = words.iter().filter(|w| class(&text[(*w).clone()]) == own).collect();
    pick(&same, rng).map_or(String::new(), |w| text[(*w).clone()].to_owned())
}

/// A word of the same kind from another definition.
fn donated(within: &str, word: &str, rng: &mut Random) -> String {
    for _ in 0..8 {
        let line = Donors::get().line(within, rng);
        let words: Vec<Range<usize>> =
            tokens(line).into_iter().filter(|w| class(&line[w.clone()]) == class(word)).collect();
        if let Some(found) = pick(&words, rng) {
            return line[found.clone()].to_owned();
        }
    }
    word.to_owned()
}

/// Has libFuzzer change texts by [`mutate`] and [`cross`].
#[macro_export]
macro_rules! change_texts {
    () => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            $crate::mutate(data, size, max_size, seed)
        });
        libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            $crate::cross(one, other, out, seed)
        });
    };
}
