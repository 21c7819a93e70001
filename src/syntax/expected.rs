//! What the author is told when a line cannot be read: the one place of wording for syntax errors.
//!
//! The grammar says which rules it would have taken at the furthest place it came to, and [`super::names`] what they are
//! called; here it becomes a sentence, with advice for typical slips.

use super::foreign::{self, Cure};
use super::layout::{is_blank, is_word};
use super::names::{is_keyword, keyword, name, punctuation};
use super::parser::{Grammar, Reader, Rule};
use crate::base::words::{nearest, one_of};
use crate::base::{Diagnostic, Fix, Span};
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
    pub fn words(self) -> (&'static str, Vec<&'static str>) {
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

    /// Where the table of foreign words looks for the first word of such a line.
    fn key(self) -> &'static str {
        match self {
            Place::Statement => "statement",
            Place::Piece | Place::Cube => "piece",
            Place::Effect => "effect",
            Place::Turn => "act",
            Place::Test => "test",
            Place::Head | Place::Setup | Place::Condition | Place::Tail => "",
        }
    }

    /// Whether no author's own word may begin such a line.
    fn closed(self) -> bool {
        matches!(self, Place::Head | Place::Statement | Place::Piece | Place::Cube | Place::Test)
    }
}

/// Whether a line begins with a word that begins statements.
pub fn is_statement(line: &str) -> bool {
    let word = &line[token_at(line, 0, line.len())];
    Place::Statement.words().1.contains(&word)
}

/// Says why `range` could not be read; `brace` is where a block begins right after it.
pub fn diagnose(
    reader: &Reader,
    rule: Rule,
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
    let error = slip.reserved().or_else(|| slip.first_word(place)).unwrap_or_else(|| slip.general(place));
    let (error, astray) = match error.fix.as_ref().map(|fix| !leads_on(reader, rule, &range, at, fix)) {
        None => (error, false),
        Some(true) => (error, true),
        Some(false) => (mend(reader, rule, &range, error, place, brace), false),
    };
    if !error.helps.is_empty() && !astray {
        return error;
    }
    match slip.phrase().or_else(|| form(place, slip.first())) {
        Some(form) => {
            let mut helps = error.helps.clone();
            helps.retain(|help| {
                !astray || !["write `", "leave out", "did you mean"].iter().any(|w| help.starts_with(w))
            });
            Diagnostic { fix: None, helps, ..error }.help(format!("for example `{form}`"))
        }
        None if astray => Diagnostic { fix: None, ..error },
        None => error,
    }
}

/// How many edits one after another make a line readable.
const MOST_EDITS: usize = 4;

/// An edit is kept if the line can be read with it. If it still cannot, the edits that follow from it belong to it; if there is
/// none, only the advice is kept, with that for the rest of the line.
fn mend(
    reader: &Reader,
    rule: Rule,
    range: &Range<usize>,
    mut error: Diagnostic,
    place: Place,
    brace: Option<usize>,
) -> Diagnostic {
    let Some(first) = error.fix.clone() else { return error };
    let (mut text, mut range, mut brace) = (reader.text.to_owned(), range.clone(), brace);
    let (start, old_end) = (range.start, range.end);
    let (mut fix, mut certain) = (first.clone(), true);
    for _ in 0..MOST_EDITS {
        let at = fix.span.start as usize..fix.span.end as usize;
        let whole = range.start <= at.start && at.end <= range.end && !fix.text.contains(['{', '}', ';', '#', '\n']);
        if !whole {
            break;
        }
        let grown = |end: usize| (end + fix.text.len()).saturating_sub(at.len());
        certain &= fix.certain;
        text.replace_range(at.clone(), &fix.text);
        range.end = grown(range.end);
        brace = brace.map(grown);
        let Err(unread) = Grammar::parse(rule, &text[range.clone()]) else {
            if fix == first {
                return error;
            }
            let (old, new) = (&reader.text[start..old_end], &text[range]);
            let (from, to) = differing(old, new);
            let span = reader.span(&(start + from.start..start + from.end));
            error.fix = Some(Fix { span, text: new[to].to_owned(), certain });
            return error;
        };
        let ErrorVariant::ParsingError { positives, .. } = &unread.variant else { break };
        let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = unread.location;
        let again = Reader { file: reader.file, text: &text, errors: Vec::new() };
        let slip = Slip::new(&again, &range, range.start + at, positives, brace);
        let next = slip.reserved().or_else(|| slip.first_word(place)).unwrap_or_else(|| slip.general(place));
        for help in next.helps {
            if !error.helps.contains(&help) {
                error.helps.push(help);
            }
        }
        match next.fix {
            Some(next) => fix = next,
            None => {
                error.fix = None;
                return error;
            }
        }
    }
    if fix != first {
        error.fix = None;
    }
    error
}

/// What differs between two texts, in each.
fn differing(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let same = |(a, b): &(char, char)| a == b;
    let length = |(c, _): (char, char)| c.len_utf8();
    let front: usize = old.chars().zip(new.chars()).take_while(same).map(length).sum();
    let (a, b) = (&old[front..], &new[front..]);
    let back: usize = a.chars().rev().zip(b.chars().rev()).take_while(same).map(length).sum();
    (front..old.len() - back, front..new.len() - back)
}

/// Whether the line can be read with an edit, or at least farther than to what stands behind it.
fn leads_on(reader: &Reader, rule: Rule, range: &Range<usize>, at: usize, fix: &Fix) -> bool {
    let (start, end) = (fix.span.start as usize, fix.span.end as usize);
    let (Some(before), Some(after)) = (reader.text.get(range.start..start), reader.text.get(end..range.end)) else {
        // it reaches beyond what was read here
        return true;
    };
    let text = format!("{before}{}{after}", fix.text);
    if fix.text.contains(['{', '}', ';', '\n']) {
        // the line is divided anew
        return true;
    }
    let Err(error) = Grammar::parse(rule, &text) else { return true };
    let found = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let grown = fix.text.len() as isize - (end - start) as isize;
    let place = if at >= end { (at as isize + grown) as usize } else { start + fix.text.len() } - range.start;
    let blank = text.get(place..).map_or(0, |rest| rest.len() - rest.trim_start().len());
    found > place + blank
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

/// Conditions in which a phrase stands.
const PHRASES: &[(Rule, &str)] = &[
    (Rule::k_occurs, "position occurs 3 times"),
    (Rule::k_times, "position occurs 3 times"),
    (Rule::k_line, "4 in line"),
    (Rule::k_stuck, "next is stuck"),
    (Rule::k_number, "turn number = 100"),
    (Rule::k_pass, "50 turns pass without captured piece"),
    (Rule::k_of, "count of my pieces = 3"),
    (Rule::comparison, "turn number >= 100"),
    (Rule::verb, "next cannot move"),
    (Rule::cells, "my King on rank 8"),
    (Rule::cells_sum, "my King on rank 8"),
    (Rule::cells_atom, "my King on rank 8"),
    (Rule::set, "next has no piece"),
    (Rule::who_cond, "next has no piece"),
];

/// A line of this kind that begins with the word, or another one.
pub(super) fn form(place: Place, word: &str) -> Option<&'static str> {
    let (_, forms) = FORMS.iter().find(|(p, _)| *p == place)?;
    forms.iter().find(|(first, _)| *first == word || first.is_empty()).map(|(_, form)| *form)
}

/// A failure to read a line, taken apart.
pub(super) struct Slip<'a> {
    pub reader: &'a Reader<'a>,
    pub positives: &'a [Rule],
    /// The tokens before the place of the failure.
    pub before: Vec<Range<usize>>,
    /// The token at it, if it stands on the same line as the one before.
    pub found: Option<Range<usize>>,
    pub brace: Option<usize>,
    at: usize,
    /// Where the line ends.
    pub end: usize,
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
        let token = token_at(text, at, range.end);
        let joined = matches!(&text[token.clone()], "if" | "unless");
        let found = (at < range.end && (!broken || joined)).then_some(token);
        Slip { reader, positives, before, found, brace, at, end: range.end }
    }

    /// The first word of the line.
    pub fn first(&self) -> &'a str {
        let mut words = self.before.iter().chain(&self.found).map(|t| self.text(t));
        words.find(|word| *word != "override").unwrap_or("")
    }

    /// The tokens behind the one that was found, up to the end of its line of text.
    pub fn after(&self) -> Vec<Range<usize>> {
        let from = self.found.as_ref().map_or(self.end, |t| t.end);
        let end = self.reader.text[from..].find('\n').map_or(self.end, |i| (from + i).min(self.end));
        tokens(self.reader.text, from..end)
    }

    /// Whether the author has made something of this name.
    pub fn is_own(&self, word: &str) -> bool {
        let kinds = ["zone", "define", "mark", "counter", "option", "remember"];
        let text = self.reader.text;
        text.match_indices(word).any(|(at, _)| {
            let ends = !text[at + word.len()..].starts_with(is_word);
            ends && kinds.iter().any(|kind| text[..at].trim_end_matches(is_blank).ends_with(kind))
        })
    }

    /// An example of the phrase, if a condition was being read.
    fn phrase(&self) -> Option<&'static str> {
        let begins = |t: &Range<usize>| matches!(self.text(t), "when" | "if" | "unless" | "soon");
        if !self.before.iter().any(begins) {
            return None;
        }
        PHRASES.iter().find(|(rule, _)| self.expects(*rule)).map(|(_, example)| *example)
    }

    pub fn text(&self, range: &Range<usize>) -> &'a str {
        self.reader.text.get(range.clone()).unwrap_or("")
    }

    pub fn expects(&self, rule: Rule) -> bool {
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
        let mut tokens = self.before.iter().chain(&self.found);
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
        let other = |w: &&&str| w.strip_suffix('s') == Some(word) || word.strip_suffix('s') == Some(**w);
        let mut rest = tokens.cloned().collect::<Vec<_>>();
        rest.extend(self.after());
        let next = rest.first().map_or("", |t| self.text(t));
        let result = matches!(next, "wins" | "loses" | "win" | "lose");
        let plural = words.iter().find(other).filter(|_| !result && (word != "move" || next == "as")).copied();
        let near = plural.or_else(|| nearest(word, words.iter().copied()));
        let capital = word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
        let own = word.starts_with(char::is_uppercase) || !is_language_word(word);
        let passant = rest.iter().take(2).any(|t| self.text(t).contains("passant"));
        let home = home_of(word, place);
        let foreign = match place {
            Place::Statement if capital && matches!(next, "cannot" | "can't" | "never") => {
                foreign::find(["statement"], "cannot").map(|(help, _)| (help, Cure::No))
            }
            _ if capital || plural.is_some() => None,
            Place::Piece if passant => foreign::find(["piece"], "passant"),
            Place::Turn if word == "else" && self.brace.is_some() => foreign::find(["effect"], "else"),
            _ => foreign::find([place.key()], word),
        };
        let foreign = foreign.filter(|_| !self.is_own(word));
        let named = word.starts_with(char::is_uppercase) && next.starts_with('"');
        let piece = place == Place::Statement && named;
        let unknown = count <= 1 && place.closed() && !(word.starts_with(char::is_uppercase) && count == 1);
        let told = own && near.is_some() && count <= 2 || unknown || count == 0 && place.closed();
        if !(told || piece || foreign.is_some() && (own || count == 0)) {
            return None;
        }
        let span = self.reader.span(first);
        if place == Place::Head {
            let error = Diagnostic::error("syntax", format!("expected `game \"Name\"`, found `{word}`"), span);
            let error = error.help("the first line of a file names the game");
            return Some(match word {
                _ if word.eq_ignore_ascii_case("game") => error.fix(span, "game"),
                _ if next.starts_with('"') => error.suggest(span, "game"),
                _ => error,
            });
        }
        let error = Diagnostic::error("unknown-statement", format!("no {what} begins with `{word}`"), span);
        if piece && near.is_none() {
            let error = error.help(format!("a kind of piece is written `piece {word} {next} {{ … }}`"));
            return Some(error.suggest(Span { end: span.start, ..span }, "piece "));
        }
        if let Some((help, cure)) = foreign {
            return Some(cure.add(error.help(help), span));
        }
        if next == ":" && place == Place::Piece {
            let small = word.to_lowercase();
            return Some(match is_language_word(&small) {
                true => {
                    error.help(format!("`{small}` is a word of the language and cannot be a label; choose another"))
                }
                false => error.help("labels are written in small letters").suggest(span, small),
            });
        }
        if next == ":" && place == Place::Statement {
            let error = error.help(format!("a label is written `rule {word}: …`"));
            return Some(error.suggest(Span { end: span.start, ..span }, "rule "));
        }
        Some(match near.filter(|_| own || plural.is_some()) {
            Some(near) => error.help(format!("did you mean `{near}`?")).suggest(span, near),
            None if place == Place::Piece && own && words.contains(&next) => {
                let error = error.help("a label ends with `:`");
                error.suggest(Span { start: span.end, ..span }, ":")
            }
            None => match home {
                Some(home) => error.help(format!("`{word}` belongs {home}")),
                None => {
                    let known: Vec<String> = words.iter().take(MOST_WORDS).map(|w| format!("`{w}`")).collect();
                    let more = if words.len() > MOST_WORDS { " …" } else { "" };
                    error.help(format!("it may begin with {}{more}", one_of(&known)))
                }
            },
        })
    }

    fn general(&self, place: Place) -> Diagnostic {
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
        self.advise(error, place)
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
