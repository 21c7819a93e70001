//! What the author is told when a line cannot be read: the one place of wording for syntax errors.
//!
//! The grammar says which rules it would have taken at the furthest place it came to. Each rule has a human name here,
//! so no error ever shows a name of the implementation.

use super::layout::{is_blank, is_word};
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

const STATEMENTS: [&str; 35] = [
    "by", "about", "source", "players", "board", "symmetry", "zone", "ladder", "hand", "piece", "extend", "cube",
    "remember", "counter", "mark", "option", "define", "setup", "turn", "prefer", "after", "forbid", "rule", "without",
    "variant", "when", "otherwise", "test", "override", "mover", "next", "draw", "highest", "lowest", "any",
];
const CLAUSES: [&str; 16] = [
    "step", "slide", "leap", "jump", "hop", "castle", "drop", "moves", "promote", "may", "after", "betza", "override",
    "royal", "uncapturable", "worth",
];
const SIDES: [&str; 6] = ["top", "bottom", "front", "back", "left", "right"];
const EFFECTS: [&str; 10] =
    ["capture", "remove", "flip", "roll", "rotate", "mark", "unmark", "end", "when", "otherwise"];
const ACTS: [&str; 22] = [
    "move", "drop", "capture", "step", "slide", "leap", "jump", "hop", "castle", "rotate", "spin", "tip", "remove",
    "flip", "roll", "pass", "swap", "again", "may", "when", "otherwise", "then",
];
const TEST_LINES: [&str; 14] = [
    "position", "hands", "hand", "set", "play", "legal", "illegal", "turns", "moves", "perft", "after", "expect",
    "Black", "White",
];

/// Words kept for later versions of the language.
pub const RESERVED: [&str; 18] = [
    "track", "die", "along", "onward", "staying", "push", "off", "group", "territory", "stacks", "layers", "across",
    "sow", "random", "hidden", "team", "together", "label",
];

impl Place {
    /// What such a line is called, and the words that may begin it.
    fn words(self) -> (&'static str, Vec<&'static str>) {
        match self {
            Place::Head => ("a game", vec!["game"]),
            Place::Statement => ("a statement", STATEMENTS.to_vec()),
            Place::Piece => ("a line of a piece", CLAUSES.to_vec()),
            Place::Cube => ("a line of a cube", [&SIDES[..], &CLAUSES[..]].concat()),
            Place::Effect => ("an effect", EFFECTS.to_vec()),
            Place::Turn => ("an act", ACTS.to_vec()),
            Place::Setup => ("a placing", Vec::new()),
            Place::Test => ("a line of a test", TEST_LINES.to_vec()),
            Place::Condition => ("a condition", Vec::new()),
            Place::Tail => ("a condition", Vec::new()),
        }
    }

    /// Whether no author's own word may begin such a line.
    fn closed(self) -> bool {
        matches!(self, Place::Head | Place::Statement | Place::Piece | Place::Cube | Place::Test)
    }
}

/// Says why `range` could not be read; `brace` is where a block begins right after it.
pub fn diagnose(
    reader: &Reader, range: Range<usize>, error: &Error<Rule>, place: Place, brace: Option<usize>,
) -> Diagnostic {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return Diagnostic::error("too-long", "this line is too long to be read", reader.span(&range));
    };
    let at = range.start
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let slip = Slip::new(reader, &range, at, positives, brace);
    slip.reserved().or_else(|| slip.first_word(place)).unwrap_or_else(|| slip.general())
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
        reader: &'a Reader<'a>, range: &Range<usize>, at: usize, positives: &'a [Rule], brace: Option<usize>,
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
        let why = if RESERVED.contains(&word) {
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
        let error = Diagnostic::error("unknown-statement", format!("{what} cannot begin with `{word}`"), span);
        if place == Place::Head {
            return Some(error.help("the first line of a file is `game \"Name\"`"));
        }
        Some(match near.filter(|_| own) {
            Some(near) => error.help(format!("did you mean `{near}`?")).fix(span, near),
            None => match home_of(word, place) {
                Some(home) => error.help(format!("`{word}` belongs {home}")),
                None => error,
            },
        })
    }

    fn general(&self) -> Diagnostic {
        let mut names: Vec<String> = Vec::new();
        let phrases = self.positives.iter().filter(|&&r| !is_keyword(r) && punctuation(r).is_none());
        let tokens = self.positives.iter().filter(|&&r| is_keyword(r) || punctuation(r).is_some());
        for &rule in phrases.chain(tokens) {
            let name = name(rule).unwrap_or_else(|| "something else".to_owned());
            if rule != Rule::EOI && !names.contains(&name) {
                names.push(name);
            }
        }
        let all = names.len();
        if all > 7 {
            names.truncate(6);
        }
        let mut list = if all > 7 { format!("{} …", names.join(", ")) } else { one_of(&names) };
        if list.is_empty() {
            list = "the end of the line".to_owned();
        }
        let previous = self.before.last();
        let error = match (&self.found, previous) {
            (Some(found), previous) => {
                let word = self.text(found);
                let span = self.reader.span(found);
                match previous {
                    Some(previous) if self.expects(Rule::EOI) => {
                        let message = format!("unexpected `{word}` after `{}`", self.text(previous));
                        let error = Diagnostic::error("syntax", message, span);
                        if names.is_empty() { error } else { error.note(format!("here may follow {list}")) }
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

    /// Adds what helps with a typical slip.
    fn advise(&self, error: Diagnostic) -> Diagnostic {
        let Some(found) = &self.found else { return error };
        let word = self.text(found);
        let span = self.reader.span(found);
        let previous = self.before.last().map_or("", |t| self.text(t));
        if word.starts_with(['“', '”', '„']) {
            return error.help("texts stand in straight quotes: `\"…\"`");
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
        if word == "any" && !self.expects(Rule::dirs) {
            return error.help("leave out `any`: a set alone asks whether there is such a piece or cell");
        }
        let lower = word.starts_with(|c: char| c.is_lowercase());
        let known = is_language_word(word);
        let candidates: Vec<String> = self.positives.iter().flat_map(|&r| examples(r)).collect();
        if let Some(near) = nearest(word, candidates.iter().map(String::as_str)).filter(|n| *n != word && !known) {
            return error.help(format!("did you mean `{near}`?")).fix(span, near);
        }
        if RESERVED.contains(&word) {
            return error.note(format!("`{word}` is reserved for a later version of the language"));
        }
        let wants_name = self.expects(Rule::name) || self.expects(Rule::names);
        if wants_name && lower && !known {
            let mut letters = word.chars();
            let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            return error
                .help(format!("names of pieces and players begin with a capital letter: `{capital}`"))
                .fix(span, capital);
        }
        if self.expects(Rule::new_word) && word.starts_with(char::is_uppercase) {
            let small = word.to_lowercase();
            return error.help(format!("only pieces and players have capital letters: `{small}`")).fix(span, small);
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

/// Whether a word is not free for names.
pub fn is_language_word(word: &str) -> bool {
    Grammar::parse(Rule::keyword, word).is_ok_and(|pairs| pairs.as_str() == word)
}

/// The tokens in `range`, without comments.
fn tokens(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
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
    let Some(c) = rest.chars().next() else { return at..at };
    let length = match c {
        '"' => rest[1..].find(['"', '\n']).map_or(rest.len(), |i| i + 2),
        c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
        _ => ["..", "<=", ">=", "+=", "-=", "->"].iter().find(|t| rest.starts_with(**t)).map_or(c.len_utf8(), |t| t.len()),
    };
    at..(at + length).min(end)
}

/// Whether a rule is a word of the language.
pub fn is_keyword(rule: Rule) -> bool {
    (Rule::k_about..=Rule::k_zone).contains(&rule)
}

/// The word that a keyword rule takes.
fn keyword(rule: Rule) -> String {
    match rule {
        Rule::k_opponents => "opponent's".to_owned(),
        _ => format!("{rule:?}").trim_start_matches("k_").replace('_', "-"),
    }
}

/// The sign that a punctuation rule takes.
pub fn punctuation(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::p_comma => ",",
        Rule::p_colon => ":",
        Rule::p_open => "(",
        Rule::p_close => ")",
        Rule::p_dots => "..",
        Rule::p_arrow => "->",
        Rule::p_equals => "=",
        Rule::p_at_most => "<=",
        Rule::p_at_least => ">=",
        Rule::p_less => "<",
        Rule::p_greater => ">",
        Rule::p_add => "+=",
        Rule::p_subtract => "-=",
        Rule::p_plus => "+",
        Rule::p_minus => "-",
        Rule::p_times => "*",
        _ => return None,
    })
}

/// Words that may stand for a rule, for `did you mean`.
fn examples(rule: Rule) -> Vec<String> {
    if is_keyword(rule) {
        return vec![keyword(rule)];
    }
    let words: &[&str] = match rule {
        Rule::dir | Rule::dirs | Rule::dir_word => &[
            "any", "orthogonal", "diagonal", "sideways", "forward", "forward-diagonal", "forward-left", "forward-right",
            "backward", "backward-diagonal", "backward-left", "backward-right", "left", "right", "north", "south",
            "east", "west",
        ],
        Rule::set | Rule::plain_set | Rule::noun | Rule::drop_set => &[
            "piece", "pieces", "enemy", "enemies", "friend", "friends", "empty", "nothing", "this", "here", "nearest",
            "adjacent", "surrounded", "captured",
        ],
        Rule::cond | Rule::conj | Rule::neg => &["checkmate", "stalemate", "not", "position", "mover", "next"],
        Rule::number => &["worth", "count", "turn", "score"],
        Rule::cells => &["rank", "file", "dark", "light", "corner", "edge"],
        _ => &[],
    };
    words.iter().map(|w| (*w).to_owned()).collect()
}

/// What a rule is called in an error.
pub fn name(rule: Rule) -> Option<String> {
    if is_keyword(rule) {
        return Some(format!("`{}`", keyword(rule)));
    }
    if let Some(sign) = punctuation(rule) {
        return Some(format!("`{sign}`"));
    }
    phrase(rule).map(str::to_owned)
}

fn phrase(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EOI => "the end of the line",
        Rule::WHITESPACE | Rule::blank | Rule::new_lines => "a blank",
        Rule::COMMENT => "a comment",
        Rule::idc | Rule::letter => "a letter",
        Rule::name => "a name with a capital letter",
        Rule::names => "names with capital letters",
        Rule::cell => "a cell (`e4`)",
        Rule::word => "a word of your own",
        Rule::new_word => "a name in small letters",
        Rule::any_word => "a word",
        Rule::integer | Rule::literal => "a whole number",
        Rule::string => "a text in quotes",
        Rule::keyword => "a word of the language",
        Rule::game_line => "`game \"Name\"`",
        Rule::item_line | Rule::statement | Rule::own_condition => "a statement",
        Rule::label | Rule::without_label => "a label (`rule name:`)",
        Rule::by => "`by`",
        Rule::about => "`about`",
        Rule::source => "`source`",
        Rule::players => "`players`",
        Rule::option => "`option`",
        Rule::values => "values",
        Rule::value_range => "a range (`10..100`)",
        Rule::value => "a value (`yes`, `no`, a number or a word)",
        Rule::variant_head => "`variant`",
        Rule::when_head => "`when`",
        Rule::otherwise_head => "`otherwise`",
        Rule::without => "`without`",
        Rule::without_named => "a kind and a name (`piece Queen`)",
        Rule::without_word => "the first word of a statement (`turn`, `setup` …)",
        Rule::without_header => "the beginning of a statement (`after capture`, `draw` …)",
        Rule::guard | Rule::guards_line => "`if` or `unless`",
        Rule::board => "`board`",
        Rule::hex_board => "`hex` and a size",
        Rule::grid => "a size (`8x8`)",
        Rule::wrap => "`files`, `ranks` or `both`",
        Rule::symmetry => "`symmetry`",
        Rule::zone => "`zone`",
        Rule::cells | Rule::cells_sum | Rule::cells_part | Rule::cells_atom | Rule::cells_noun => {
            "cells (`rank 1`, `d4..e5`, a zone …)"
        }
        Rule::cells_group => "cells in brackets",
        Rule::ranks => "`rank`",
        Rule::files => "`file`",
        Rule::rectangle => "a rectangle (`d4..e5`)",
        Rule::define => "`define`",
        Rule::params => "names in brackets (`(p)`)",
        Rule::define_body => "a condition, a set, a number or directions",
        Rule::several_dirs | Rule::dirs | Rule::dir | Rule::dir_word | Rule::one_dir | Rule::noun_dir => {
            "a direction (`forward`, `any`, `diagonal` …)"
        }
        Rule::shown | Rule::shown_set | Rule::shown_noun => "a mark on a piece (`sword on my Samurai`)",
        Rule::end_here => "the end of the line",
        Rule::cond | Rule::cond_line | Rule::conj | Rule::neg | Rule::prim | Rule::cond_group => "a condition",
        Rule::compare => "a comparison (`score = 3`)",
        Rule::comparison => "`=`, `<`, `<=`, `>` or `>=`",
        Rule::line => "a line (`4 in line`)",
        Rule::line_of => "`of`",
        Rule::line_through => "`through`",
        Rule::occurs => "`position occurs 3 times`",
        Rule::times => "`times`",
        Rule::quiet => "`100 turns pass without …`",
        Rule::turns => "`turns`",
        Rule::all_pass => "`all pass`",
        Rule::checkmate => "`checkmate`",
        Rule::stalemate => "`stalemate`",
        Rule::board_full => "`board is full`",
        Rule::hand_cond | Rule::hand_of => "a hand (`my hand`)",
        Rule::hand_empty => "`is empty`",
        Rule::hand_has => "`has` and a piece",
        Rule::who_cond => "what a player does or has",
        Rule::connects => "`connects`",
        Rule::in_check => "`is in check`",
        Rule::stuck => "`is stuck`",
        Rule::can => "`can` or `cannot`",
        Rule::has => "`has`",
        Rule::parity => "`odd(…)` or `even(…)`",
        Rule::call => "a definition with a player in brackets",
        Rule::set_cond | Rule::set | Rule::plain_set | Rule::described | Rule::noun | Rule::drop_set | Rule::tip_set => {
            "pieces or cells (`enemy`, `my King`, `empty` …)"
        }
        Rule::shows => "`shows`",
        Rule::is => "`is`",
        Rule::what | Rule::what_in | Rule::what_names => "what it is (`empty`, `in …`, a piece …)",
        Rule::who | Rule::winner => "a player (`mover`, `next`, `me`, `opponent` or a name)",
        Rule::any_player => "`any player`",
        Rule::chosen | Rule::chosen_set => "`one` or `another`",
        Rule::set_count => "how many (`no`, `2`, `at least 3` …)",
        Rule::at_least => "`at least`",
        Rule::at_most => "`at most`",
        Rule::up_to => "`up to`",
        Rule::count | Rule::count_before => "a whole number or an option",
        Rule::adjective => "an adjective (`my`, `nearest`, `captured` …)",
        Rule::behind_this => "`behind this`",
        Rule::relation => "a relation (`in any direction`, `on …`, `except …`)",
        Rule::rel_direction => "`in … direction`",
        Rule::rel_cells => "`on` or `in`",
        Rule::rel_between => "`between`",
        Rule::rel_bearing | Rule::bearing => "`attacking` or `defending`",
        Rule::rel_of => "`of`",
        Rule::rel_except => "`except`",
        Rule::rel_adjacent => "`adjacent to`",
        Rule::number | Rule::product | Rule::factor | Rule::number_name | Rule::number_group => "a number",
        Rule::plus_minus => "`+` or `-`",
        Rule::worth_of => "`worth of`",
        Rule::count_of => "`count of`",
        Rule::turn_number => "`turn number`",
        Rule::original_of => "`original of`",
        Rule::piece_head => "`piece`",
        Rule::extend_head => "`extend`",
        Rule::cube_head => "`cube`",
        Rule::trait_word | Rule::traits => "a trait (`royal`, `worth 5` …)",
        Rule::ladder => "`ladder`",
        Rule::rung => "a rung (`Pawn 2`)",
        Rule::clause | Rule::clause_line => "a line of a piece (`step`, `slide`, `leap` …)",
        Rule::cube_line => "a face (`top = …`) or a line of a piece",
        Rule::clause_label => "a label (`name:`)",
        Rule::tail => "`if`, `unless`, `then` or `once per game`",
        Rule::then => "`then`",
        Rule::once => "`once per game`",
        Rule::promote => "`promote`",
        Rule::promotion => "a piece to become",
        Rule::betza => "`betza`",
        Rule::moves_as => "`moves as`",
        Rule::last_moved => "`piece last moved by`",
        Rule::borne => "`pieces attacking this` or `pieces defending this`",
        Rule::move_clause => "a move (`step`, `slide`, `leap`, `jump`, `hop`, `castle` or `drop`)",
        Rule::step => "`step`",
        Rule::slide => "`slide`",
        Rule::leap => "`leap`",
        Rule::hop => "`jump` or `hop`",
        Rule::castle => "`castle`",
        Rule::drop => "`drop`",
        Rule::steps => "`steps`",
        Rule::any_way_up => "`any way up`",
        Rule::all_the_way => "`all the way`",
        Rule::offset => "an offset (`(1,2)`)",
        Rule::selector => "`to`, `toward`, `away from`, `from` or `within`",
        Rule::to => "`to`",
        Rule::toward => "`toward`",
        Rule::away_from => "`away from`",
        Rule::from => "`from`",
        Rule::within => "`within`",
        Rule::face => "a face (`top = …`)",
        Rule::face_mark => "a mark and its edges (`sword front`)",
        Rule::side => "a side (`top`, `front`, `left` …)",
        Rule::effect | Rule::effect_line => "an effect (`capture`, `remove`, `flip` …)",
        Rule::simple => "`capture`, `remove`, `flip` or `roll`",
        Rule::rotate | Rule::rotate_act => "`rotate`",
        Rule::mark | Rule::mark_item => "`mark`",
        Rule::unmark => "`unmark`",
        Rule::end_turn => "`end turn`",
        Rule::assign => "an assignment (`score += 1`)",
        Rule::target => "a counter or a hand",
        Rule::assign_op => "`+=`, `-=` or `=`",
        Rule::acted => "what happens to pieces (`… becomes Queen`)",
        Rule::becomes => "`becomes`",
        Rule::displaced | Rule::slid | Rule::stepped => "`slides` or `steps`",
        Rule::after_head => "`after`",
        Rule::event => "an event (`move`, `drop`, `capture` …)",
        Rule::arrival => "`enemy moves to`",
        Rule::verb | Rule::play_verb => "an act (`move`, `drop`, `capture` …)",
        Rule::forbid => "`forbid`",
        Rule::forbidden => "an act (`capture`, `move`, `drop`, `turn` …)",
        Rule::remember => "`remember`",
        Rule::counter => "`counter`",
        Rule::turn_head => "`turn`",
        Rule::acts_line | Rule::acts | Rule::ors | Rule::thens | Rule::guarded | Rule::act => {
            "an act (`move`, `drop`, `rotate another by 1` …)"
        }
        Rule::acts_group => "acts in brackets",
        Rule::again => "`again`",
        Rule::pass => "`pass`",
        Rule::swap_sides => "`swap sides`",
        Rule::spin_act => "`spin`",
        Rule::tip_act => "`tip`",
        Rule::choose_act => "`remove`, `flip` or `capture one …`",
        Rule::play_act => "a verb of play",
        Rule::with_this => "`with this`",
        Rule::outcome | Rule::verdict => "a result (`mover wins`, `draw` …)",
        Rule::draw => "`draw`",
        Rule::highest => "`highest`",
        Rule::lowest => "`lowest`",
        Rule::wins => "`wins`",
        Rule::loses => "`loses`",
        Rule::as_soon_as => "`as soon as`",
        Rule::prefer => "`prefer`",
        Rule::most => "what is counted",
        Rule::hand => "`hand`",
        Rule::stock | Rule::portion => "how many of what (`12 Stone`)",
        Rule::setup => "`setup`",
        Rule::fill => "`each player fills`",
        Rule::place | Rule::place_line => "a piece and its cells (`Pawn on rank 2`)",
        Rule::diagram | Rule::rows | Rule::row => "a row of a diagram (`| . p . |`)",
        Rule::test_head => "`test`",
        Rule::with => "a variant (`\"Name\"`) or an option (`name = value`)",
        Rule::test_line | Rule::test_kind => "a line of a test",
        Rule::t_board => "a diagram",
        Rule::t_position => "`position`",
        Rule::t_to_play => "`… to play`",
        Rule::t_hands_empty => "`hands empty`",
        Rule::t_hand => "`hand of`",
        Rule::t_set | Rule::t_set_last => "`set`",
        Rule::t_play => "`play`",
        Rule::t_legal => "`legal`",
        Rule::t_illegal => "`illegal`",
        Rule::t_turns => "`turns =`",
        Rule::t_moves_of => "`moves of`",
        Rule::t_moves => "`moves =`",
        Rule::t_perft => "`perft`",
        Rule::t_after => "`after`",
        Rule::t_expect | Rule::t_expect_board | Rule::t_expect_cond => "`expect`",
        Rule::result => "a result (`White wins`, `draw`, `no result`)",
        Rule::turn_text | Rule::move_text => "a move",
        _ => return None,
    })
}
