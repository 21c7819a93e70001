//! What the author is told when a line cannot be read: the one place of wording for syntax errors.
//!
//! The grammar says which rules it would have taken at the furthest place it came to, and [`super::names`] what they are
//! called; here it becomes a sentence, with advice for typical slips.

use super::layout::{is_blank, is_word};
use super::names::{examples, is_keyword, keyword, name, punctuation};
use super::parser::{Grammar, Reader, Rule};
use crate::base::words::{nearest, one_of};
use crate::base::{Diagnostic, Span};
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use std::ops::Range;

/// What kind of line was to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The first line of a file.
    Head,
    /// A statement.
    Statement,
    /// A line of a piece.
    Piece,
    /// A line of a cube.
    Cube,
    /// An effect.
    Effect,
    /// The acts of a turn.
    Turn,
    /// A placing in a setup.
    Setup,
    /// A line of a test.
    Test,
    /// A condition typed alone.
    Condition,
    /// What stands after a block.
    Tail,
}

const STATEMENTS: &str = "by about source players board symmetry zone ladder hand piece extend cube remember counter mark option \
     define setup turn prefer after forbid rule without variant when otherwise test override mover next draw \
     highest lowest any";
const CLAUSES: &str =
    "step slide leap jump hop castle drop moves promote may after betza override royal uncapturable worth";
const SIDES: &str = "top bottom front back left right";
const EFFECTS: &str = "capture remove flip roll rotate mark unmark end when otherwise";
const ACTS: &str = "move drop capture step slide leap jump hop castle rotate spin tip remove flip roll pass swap again may when \
     otherwise then";
const TEST_LINES: &str = "position hands hand set play legal illegal turns moves perft after expect Black White";

/// How many words a message lists.
const MOST_WORDS: usize = 16;

/// Words kept for later versions of the language.
pub const RESERVED: &str = "track die along onward staying push off group territory stacks layers across sow random hidden team together \
     label";

impl Place {
    /// What such a line is called (`no … begins with`), and the words that may begin it.
    fn words(self) -> (&'static str, Vec<&'static str>) {
        let (what, words, more) = match self {
            Place::Head => ("game", "game", ""),
            Place::Statement => ("statement", STATEMENTS, ""),
            Place::Piece => ("line of a piece", CLAUSES, ""),
            Place::Cube => ("line of a cube", CLAUSES, SIDES),
            Place::Effect => ("effect", EFFECTS, ""),
            Place::Turn => ("act", ACTS, ""),
            Place::Setup => ("placing", "", ""),
            Place::Test => ("line of a test", TEST_LINES, ""),
            Place::Condition | Place::Tail => ("condition", "", ""),
        };
        (what, words.split(' ').chain(more.split(' ')).filter(|w| !w.is_empty()).collect())
    }

    /// Whether no author's own word may begin such a line.
    fn closed(self) -> bool {
        matches!(self, Place::Head | Place::Statement | Place::Piece | Place::Cube | Place::Test)
    }
}

/// Says why `range` could not be read; `brace` is where a block begins right after it.
pub fn diagnose(
    reader: &Reader,
    range: Range<usize>,
    error: &Error<Rule>,
    place: Place,
    brace: Option<usize>,
) -> Diagnostic {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        let error = Diagnostic::error("too-long", "this line is too long to be read", reader.span(&range));
        return error.help("name parts of it with `define`, or write several lines");
    };
    let at = range.start
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let slip = Slip::new(reader, &range, at, positives, brace);
    let error = slip.reserved().or_else(|| slip.first_word(place)).unwrap_or_else(|| slip.general());
    if !error.helps.is_empty() {
        return error;
    }
    let first = slip.before.iter().chain(&slip.found).map(|t| slip.text(t)).find(|word| *word != "override");
    match form(place, first.unwrap_or("")) {
        Some(form) => error.help(format!("for example `{form}`")),
        None => error,
    }
}

/// Lines of each kind by their first word; the one without a word stands for all others.
const FORMS: &[(Place, &[(&str, &str)])] = &[
    (Place::Head, &[("", "game \"Name\"")]),
    (
        Place::Statement,
        &[
            ("by", "by \"Nobody\", 2024"),
            ("about", "about \"A race of two pawns\""),
            ("source", "source \"https://example.org/race\""),
            ("players", "players White, Black"),
            ("board", "board 8x8"),
            ("symmetry", "symmetry mirror"),
            ("zone", "zone start = rank 1..2"),
            ("ladder", "ladder Pawn 2 < Rook 5 < Queen 6"),
            ("hand", "hand 12 Stone"),
            ("piece", "piece Rook \"R\" { slide orthogonal }"),
            ("extend", "extend Pawn { step sideways to empty }"),
            ("cube", "cube Tower \"T\" { top = gate front }"),
            ("remember", "remember checked when my King is attacked"),
            ("counter", "counter lives = 3 each"),
            ("mark", "mark passed for 1 turn"),
            ("define", "define flanked = enemies adjacent to here"),
            ("option", "option ties = draw (draw, mover) \"what a tie is\""),
            ("setup", "setup Pawn on rank 2"),
            ("turn", "turn { move then may pass }"),
            ("prefer", "prefer most captured pieces"),
            ("after", "after capture { score += worth of victim }"),
            ("forbid", "forbid move King when here is attacked"),
            ("rule", "rule long: draw when turn number = 300"),
            ("without", "without rule long"),
            ("variant", "variant \"Wild\" { extend Pawn { step any } }"),
            ("when", "when ties is draw { draw when stalemate }"),
            ("test", "test \"the start\" { turns = 20 }"),
            ("draw", "draw when position occurs 3 times"),
            ("highest", "highest score wins when turn number = 100"),
            ("lowest", "lowest score wins when turn number = 100"),
            ("", "mover wins when next has no piece"),
        ],
    ),
    (Place::Piece, CLAUSE_FORMS),
    (Place::Cube, CLAUSE_FORMS),
    (
        Place::Effect,
        &[
            ("capture", "capture adjacent enemies"),
            ("remove", "remove adjacent enemies"),
            ("flip", "flip adjacent enemies"),
            ("roll", "roll this"),
            ("rotate", "rotate this up by 1"),
            ("mark", "mark here as hot"),
            ("unmark", "unmark here as hot"),
            ("end", "end turn"),
            ("when", "when victim is Queen { score += 9 }"),
            ("score", "score += worth of victim"),
            ("my", "my hand += original of victim"),
            ("", "nearest enemy in any direction steps toward here"),
        ],
    ),
    (Place::Turn, &[("", "move then may rotate another by 1")]),
    (Place::Setup, &[("", "Pawn on rank 2")]),
    (
        Place::Test,
        &[
            ("position", "position \"4k3/8/8/8/8/8/8/4K3\""),
            ("hands", "hands empty"),
            ("hand", "hand of White = 2 Stone"),
            ("set", "set score of White = 4"),
            ("play", "play e2e4 e7e5"),
            ("legal", "legal e2e4"),
            ("illegal", "illegal e2e5"),
            ("turns", "turns = 20"),
            ("moves", "moves of d4 = a4 b4"),
            ("perft", "perft 3 = 8902"),
            ("after", "after e2e4 expect no result"),
            ("expect", "expect d4 is empty"),
            ("", "Black to play"),
        ],
    ),
    (Place::Condition, &[("", "d4 is empty")]),
    (Place::Tail, &[("", "… if OPTION")]),
];

const CLAUSE_FORMS: &[(&str, &str)] = &[
    ("step", "step forward to empty"),
    ("slide", "slide diagonal up to 3"),
    ("leap", "leap (1,2)"),
    ("jump", "jump diagonal over enemy"),
    ("hop", "hop any far over piece"),
    ("castle", "castle with Rook"),
    ("drop", "drop to empty in rank 1..2"),
    ("moves", "moves as Rook, Knight"),
    ("promote", "promote on rank 8 to Queen, Rook"),
    ("may", "may promote on rank 8 to Queen, Rook"),
    ("after", "after enemy moves to behind this { capture this }"),
    ("betza", "betza \"fmWfcF\""),
    ("worth", "worth 5"),
    ("top", "top = gate front"),
    ("bottom", "bottom = gate left"),
    ("front", "front = gate top"),
    ("back", "back = gate top"),
    ("left", "left = gate top"),
    ("right", "right = gate top"),
    ("", "charge: step forward 2 to empty"),
];

/// A line of this kind that begins with the word, or another one.
fn form(place: Place, word: &str) -> Option<&'static str> {
    let (_, forms) = FORMS.iter().find(|(p, _)| *p == place)?;
    forms.iter().find(|(first, _)| *first == word || first.is_empty()).map(|(_, form)| *form)
}

/// A failure to read a line, taken apart.
struct Slip<'a> {
    reader: &'a Reader<'a>,
    positives: &'a [Rule],
    /// The tokens before the place of the failure.
    before: Vec<Range<usize>>,
    /// The token at it, if it stands on the same line as the one before.
    found: Option<Range<usize>>,
    brace: Option<usize>,
    at: usize,
}

impl<'a> Slip<'a> {
    fn new(
        reader: &'a Reader<'a>,
        range: &Range<usize>,
        at: usize,
        positives: &'a [Rule],
        brace: Option<usize>,
    ) -> Slip<'a> {
        let text = reader.text;
        let before = tokens(text, range.start..at);
        let end = before.last().map_or(range.start, |t| t.end);
        let broken = text.get(end..at).is_some_and(|gap| gap.contains('\n'));
        let found = (at < range.end && !broken).then(|| token_at(text, at, range.end));
        Slip { reader, positives, before, found, brace, at }
    }

    fn text(&self, range: &Range<usize>) -> &'a str {
        self.reader.text.get(range.clone()).unwrap_or("")
    }

    fn expects(&self, rule: Rule) -> bool {
        self.positives.contains(&rule)
    }

    /// A name that is not free.
    fn reserved(&self) -> Option<Diagnostic> {
        let found = self.found.as_ref()?;
        let word = self.text(found);
        if !self.expects(Rule::new_word) || !is_language_word(word) || self.before.is_empty() {
            return None;
        }
        if self.positives.iter().any(|&r| is_keyword(r) && keyword(r) == word) {
            return None;
        }
        let span = self.reader.span(found);
        let why = if is_reserved(word) {
            format!("`{word}` is reserved for a later version of the language")
        } else {
            format!("`{word}` is a word of the language and cannot be a name of your own")
        };
        Some(Diagnostic::error("reserved-word", why, span).help("choose another name"))
    }

    /// A first word that begins no line of this kind.
    fn first_word(&self, place: Place) -> Option<Diagnostic> {
        let (what, words) = place.words();
        let mut tokens = self.before.iter().chain(self.found.iter());
        let mut first = tokens.next()?;
        let mut count = self.before.len();
        while matches!(self.text(first), "override") {
            first = tokens.next()?;
            count -= 1;
        }
        let word = self.text(first);
        if words.contains(&word) || words.is_empty() || !word.starts_with(char::is_alphabetic) {
            return None;
        }
        let near = nearest(word, words.iter().copied());
        let own = word.starts_with(char::is_uppercase) || !is_language_word(word);
        let unknown = count <= 1 && place.closed() && !(word.starts_with(char::is_uppercase) && count == 1);
        if !(own && near.is_some() && count <= 2 || unknown || count == 0 && place.closed()) {
            return None;
        }
        let span = self.reader.span(first);
        if place == Place::Head {
            let error = Diagnostic::error("syntax", format!("expected `game \"Name\"`, found `{word}`"), span);
            return Some(error.help("the first line of a file names the game"));
        }
        let error = Diagnostic::error("unknown-statement", format!("no {what} begins with `{word}`"), span);
        Some(match near.filter(|_| own) {
            Some(near) => error.help(format!("did you mean `{near}`?")).suggest(span, near),
            None => match home_of(word, place) {
                Some(home) => error.help(format!("`{word}` belongs {home}")),
                None => {
                    let known: Vec<String> = words.iter().take(MOST_WORDS).map(|w| format!("`{w}`")).collect();
                    let more = if words.len() > MOST_WORDS { " …" } else { "" };
                    error.help(format!("it may begin with {}{more}", one_of(&known)))
                }
            },
        })
    }

    fn general(&self) -> Diagnostic {
        let names = self.names();
        let list = match names.len() {
            0 => "the end of the line".to_owned(),
            1..=7 => one_of(&names),
            _ => format!("{} …", names[..6].join(", ")),
        };
        let previous = self.before.last();
        let error = match (&self.found, previous) {
            (Some(found), previous) => {
                let word = self.text(found);
                let span = self.reader.span(found);
                match previous {
                    Some(previous) if self.expects(Rule::EOI) => {
                        let message = format!("unexpected `{word}` after `{}`", self.text(previous));
                        let error = Diagnostic::error("syntax", message, span);
                        if (1..=7).contains(&names.len()) {
                            error.note(format!("here may follow {list}"))
                        } else {
                            error
                        }
                    }
                    _ => Diagnostic::error("syntax", format!("expected {list}, found `{word}`"), span),
                }
            }
            (None, Some(previous)) => {
                let span = Span { start: previous.end as u32, ..self.reader.span(previous) };
                let word = self.text(previous);
                let before = if self.brace.is_some() { " and before `{`" } else { "" };
                Diagnostic::error("syntax", format!("expected {list} after `{word}`{before}"), span)
            }
            (None, None) => {
                let at = self.brace.unwrap_or(self.at);
                let end = if self.brace.is_some() { at + 1 } else { at };
                let found = if self.brace.is_some() { ", found `{`" } else { "" };
                let span = self.reader.span(&(at..end));
                Diagnostic::error("syntax", format!("expected {list}{found}"), span)
            }
        };
        self.advise(error)
    }

    /// What was expected, phrases before words. Where the line cannot end yet, what would only prolong the phrase is
    /// left out.
    fn names(&self) -> Vec<String> {
        let token = |r: Rule| is_keyword(r) || punctuation(r).is_some();
        let mut rules: Vec<Rule> = self.positives.iter().copied().filter(|&r| r != Rule::EOI).collect();
        rules.sort_by_key(|&r| token(r));
        if !self.expects(Rule::EOI) {
            let needed: Vec<Rule> = rules.iter().copied().filter(|&r| !self.prolongs(r)).collect();
            if !needed.is_empty() {
                rules = needed;
            }
        }
        let mut names: Vec<String> = Vec::new();
        for rule in rules {
            let name = name(rule).unwrap_or_else(|| "something else".to_owned());
            // `a` or `b`: two words, not a phrase.
            let parts: Vec<String> = match name.starts_with('`') && name.ends_with('`') {
                true => name.replace("` or `", "`, `").split(", ").map(str::to_owned).collect(),
                false => vec![name],
            };
            for part in parts {
                if !names.contains(&part) {
                    names.push(part);
                }
            }
        }
        names
    }

    fn prolongs(&self, rule: Rule) -> bool {
        match rule {
            Rule::p_comma => !self.expects(Rule::p_close),
            Rule::relation | Rule::plus_minus | Rule::p_times | Rule::p_dots | Rule::k_or | Rule::k_and => true,
            Rule::k_except | Rule::k_in | Rule::k_of => true,
            _ => false,
        }
    }

    /// Adds what helps with a typical slip.
    fn advise(&self, error: Diagnostic) -> Diagnostic {
        let Some(found) = &self.found else {
            return error;
        };
        let word = self.text(found);
        let span = self.reader.span(found);
        let previous = self.before.last().map_or("", |t| self.text(t));
        if word.starts_with(['“', '”', '„']) {
            let error = error.help("texts stand in straight quotes: `\"…\"`");
            let rest = self.reader.text[found.start..].lines().next().unwrap_or("");
            let mut inner = rest.char_indices().skip(1);
            let Some((end, sign)) = inner.find(|(_, c)| matches!(c, '“' | '”' | '„' | '"')) else { return error };
            let quoted = self.reader.span(&(found.start..found.start + end + sign.len_utf8()));
            return error.fix(quoted, format!("\"{}\"", &rest[word.chars().next().map_or(0, char::len_utf8)..end]));
        }
        if word == "anywhere" {
            return error.help("`leap anywhere` reaches every cell");
        }
        if word == "or" && self.before.iter().any(|t| matches!(self.text(t), "if" | "unless")) {
            return error.help("put the condition of `if` or `unless` in brackets when it has an `or`");
        }
        if word == "=" && previous == "=" {
            return error.help("one `=` compares").fix(span, "");
        }
        if word == "not" && previous == "not" {
            return error.help("put the second `not` in brackets, or leave both out");
        }
        if word == "!" {
            return error.help("write `not A = B` for two numbers that differ");
        }
        if self.expects(Rule::what) && word.starts_with(|c: char| c.is_ascii_digit()) {
            let error = error.help("numbers are compared with `=`: `score = 3`");
            let is = self.before.last().filter(|_| previous == "is");
            return if let Some(is) = is { error.fix(self.reader.span(is), "=") } else { error };
        }
        if self.expects(Rule::grid) && word.starts_with(|c: char| c.is_ascii_digit()) {
            return error.help("a size is one word: `8x8`");
        }
        if word == "by" && self.expects(Rule::k_up) {
            return error.help("say which way: `up by 1` or `down by 1`");
        }
        if word == "to" && self.expects(Rule::p_dots) {
            let rest = &self.reader.text[found.end..];
            let end = found.end + (rest.len() - rest.trim_start_matches(is_blank).len());
            let around = self.reader.span(&(self.before.last().map_or(found.start, |t| t.end)..end));
            return error.help("a range is written with two dots: `10..100`").fix(around, "..");
        }
        if self.expects(Rule::k_all) && self.expects(Rule::count) {
            return error.help("say how far: `slides all the way …`, `slides 2 …`, or `steps …` for one cell");
        }
        if word == "," && self.expects(Rule::cell) {
            return error.help("cells stand with blanks between them").fix(span, "");
        }
        if word == "any" && !self.expects(Rule::dirs) || previous == "any" && self.expects(Rule::k_player) {
            return error.help("leave out `any`: a set alone asks whether there is such a piece or cell");
        }
        let lower = word.starts_with(|c: char| c.is_lowercase());
        let known = is_language_word(word);
        let candidates: Vec<String> = self.positives.iter().flat_map(|&r| examples(r)).collect();
        let longer = candidates.iter().find(|c| c.starts_with(word) && lower && c.len() == word.len() + 1);
        if let Some(longer) = longer.filter(|_| !known) {
            return error.help(format!("did you mean `{longer}`?")).suggest(span, longer);
        }
        if let Some(near) = nearest(word, candidates.iter().map(String::as_str)).filter(|n| *n != word && !known) {
            return error.help(format!("did you mean `{near}`?")).suggest(span, near);
        }
        if let Some(last) = self.before.last().filter(|_| !is_language_word(previous)) {
            let near = nearest(previous, candidates.iter().map(String::as_str));
            if let Some(near) = near.filter(|_| previous.starts_with(|c: char| c.is_lowercase())) {
                return error
                    .help(format!("did you mean `{near}` for `{previous}`?"))
                    .suggest(self.reader.span(last), near);
            }
        }
        if is_reserved(word) {
            return error.note(format!("`{word}` is reserved for a later version of the language"));
        }
        let wants_name = self.expects(Rule::name) || self.expects(Rule::names);
        if wants_name && lower && !known {
            let mut letters = word.chars();
            let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            return error
                .help(format!("names of pieces and players begin with a capital letter: `{capital}`"))
                .suggest(span, capital);
        }
        if self.expects(Rule::new_word) && word.starts_with(char::is_uppercase) {
            let small = word.to_lowercase();
            return error.help(format!("only pieces and players have capital letters: `{small}`")).suggest(span, small);
        }
        error
    }
}

/// Where a first word belongs that is not one of `place`.
fn home_of(word: &str, place: Place) -> Option<&'static str> {
    let homes = [
        (Place::Statement, "outside of the braces"),
        (Place::Piece, "in the braces of a `piece`"),
        (Place::Effect, "after `then`, or in the braces of an `after`"),
        (Place::Test, "in the braces of a `test`"),
        (Place::Turn, "in the braces of a `turn`"),
    ];
    let home = homes.iter().find(|(p, _)| *p != place && p.words().1.contains(&word));
    home.map(|(_, text)| *text)
}

/// Whether a word is kept for later versions.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.split(' ').any(|r| r == word)
}

/// Whether a word is not free for names.
pub fn is_language_word(word: &str) -> bool {
    Grammar::parse(Rule::keyword, word).is_ok_and(|pairs| pairs.as_str() == word)
}

/// The tokens in `range`, without comments.
pub fn tokens(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut at = range.start;
    while let Some(c) = text.get(at..range.end).and_then(|t| t.chars().next()) {
        if c == '#' {
            at = text[at..range.end].find('\n').map_or(range.end, |i| at + i);
        } else if c == '\n' || is_blank(c) {
            at += c.len_utf8();
        } else {
            let token = token_at(text, at, range.end);
            at = token.end;
            all.push(token);
        }
    }
    all
}

/// The token that begins at `at`.
pub fn token_at(text: &str, at: usize, end: usize) -> Range<usize> {
    let rest = text.get(at..end).unwrap_or("");
    let Some(c) = rest.chars().next() else {
        return at..at;
    };
    let length = match c {
        '"' => rest[1..].find(['"', '\n']).map_or(rest.len(), |i| i + 2),
        c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        _ => ["..", "<=", ">=", "+=", "-=", "->"]
            .iter()
            .find(|t| rest.starts_with(**t))
            .map_or(c.len_utf8(), |t| t.len()),
    };
    at..(at + length).min(end)
}

#[cfg(test)]
mod tests {
    use super::{FORMS, Place};
    use crate::base::FileId;
    use crate::syntax::{parse, parse_cond};

    #[test]
    fn the_examples_of_lines_can_be_read() {
        for (place, forms) in FORMS {
            for (word, form) in *forms {
                let text = match place {
                    Place::Head => (*form).to_owned(),
                    Place::Statement => format!("game \"T\"\n{form}"),
                    Place::Piece | Place::Cube => format!("game \"T\"\ncube Tower \"T\" {{ {form} }}"),
                    Place::Effect => format!("game \"T\"\nafter move {{ {form} }}"),
                    Place::Turn => format!("game \"T\"\nturn {{ {form} }}"),
                    Place::Setup => format!("game \"T\"\nsetup {{ {form} }}"),
                    Place::Test => format!("game \"T\"\ntest \"T\" {{ {form} }}"),
                    Place::Condition => {
                        assert!(parse_cond(FileId(0), form).is_ok(), "{form}");
                        continue;
                    }
                    Place::Tail => continue,
                };
                assert_eq!(parse(FileId(0), &text).1, [], "{form}");
                assert!(form.starts_with(word), "{form}");
            }
        }
    }
}
