//! Advice for typical slips: what an author most probably meant where a line could not be read on.

use super::expected::{Place, Slip, form, is_language_word, is_reserved};
use super::foreign::{self, Cure};
use super::layout::{is_blank, is_word};
use super::names::{examples, is_keyword, keyword, punctuation};
use super::parser::Rule;
use crate::base::words::nearest;
use crate::base::{Diagnostic, Span};
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::Range;

/// An error with its advice, or one for which there is none yet.
type Told = ControlFlow<Diagnostic, Diagnostic>;

/// Words with which a move of a piece begins.
const CLAUSES: [&str; 8] = ["step", "slide", "leap", "jump", "hop", "castle", "drop", "moves"];

/// Words whose lines have a block in braces.
const BLOCKS: [&str; 9] = ["piece", "extend", "cube", "turn", "after", "variant", "test", "when", "otherwise"];

/// Signs of other languages, with what is written instead.
const SIGNS: &[(&str, Cure, &str)] = &[
    ("//", Cure::Write("#"), "a comment begins with `#`"),
    ("/*", Cure::Write("#"), "a comment begins with `#` and goes to the end of the line"),
    ("--", Cure::Write("#"), "a comment begins with `#`"),
    ("<!--", Cure::Write("#"), "a comment begins with `#`"),
    ("&&", Cure::Write("and"), "conditions are joined with `and` and `or`"),
    ("&", Cure::Write("and"), "conditions are joined with `and` and `or`"),
    ("||", Cure::Write("or"), "conditions are joined with `and` and `or`"),
    ("!=", Cure::No, "write `not A = B` for two numbers that differ"),
    ("≠", Cure::No, "write `not A = B` for two numbers that differ"),
    ("!", Cure::Write("not "), "the opposite of a condition is `not …`"),
    ("≥", Cure::Write(">="), "`>=` compares"),
    ("≤", Cure::Write("<="), "`<=` compares"),
    ("->", Cure::Guess("then"), "what comes after is joined with `then`"),
    ("++", Cure::Write(" += 1"), "a counter grows by `score += 1`"),
    ("%", Cure::No, "numbers are whole; there are no percentages"),
    (
        "/",
        Cure::No,
        "there is no division; multiply the other side, as in `2 * score > 9`, or write the number that comes out",
    ),
    ("?", Cure::Write(""), "names are made of letters, digits and hyphens"),
];

impl Slip<'_> {
    /// The places of the table of foreign words that what was expected stands for, the narrowest first.
    fn places(&self) -> Vec<String> {
        let words = self.positives.iter().filter(|&&r| is_keyword(r) && r != Rule::k_to).map(|&r| keyword(r));
        let words = self.expects(Rule::k_to).then(|| "to".to_owned()).into_iter().chain(words);
        let signs = self.positives.iter().filter_map(|&r| punctuation(r)).map(str::to_owned);
        let any = |rules: &[Rule]| rules.iter().any(|&r| self.expects(r));
        let phrases = [
            ("a direction", any(&[Rule::dirs, Rule::dir, Rule::dir_word, Rule::later_dir, Rule::tip_dirs])),
            ("comparison", self.expects(Rule::comparison)),
            ("becomes", self.expects(Rule::becomes)),
            ("cannot", self.expects(Rule::can)),
            ("files", self.expects(Rule::wrap)),
            ("a number", any(&[Rule::count, Rule::integer, Rule::count_before, Rule::stock, Rule::portion])),
            ("cells", any(&[Rule::cells, Rule::cells_sum, Rule::cells_part, Rule::cells_atom])),
            ("a condition", any(&[Rule::cond, Rule::conj, Rule::neg, Rule::prim])),
            ("pieces", any(&[Rule::set, Rule::plain_set, Rule::described, Rule::noun, Rule::drop_set])),
            ("a player", any(&[Rule::who, Rule::winner])),
            ("a value", self.expects(Rule::value)),
            ("act", any(&[Rule::acts, Rule::ors, Rule::thens, Rule::guarded, Rule::act, Rule::k_else])),
            ("what follows", any(&[Rule::EOI, Rule::selector, Rule::tail, Rule::relation, Rule::guard])),
        ];
        let phrases = phrases.iter().filter(|(_, expected)| *expected).map(|(name, _)| (*name).to_owned());
        words.chain(signs).chain(phrases).collect()
    }

    /// Adds what helps with words of other languages and of chess talk.
    fn foreign(&self, error: Diagnostic, found: &Range<usize>, place: Place) -> Told {
        let word = self.text(found);
        let capital = word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase);
        let mut places = if capital { Vec::new() } else { self.places() };
        places.extend((place == Place::Turn).then(|| "act".to_owned()));
        if let Some((help, cure)) = foreign::find(places.iter().map(String::as_str), word) {
            if cure == Cure::Write("if") && place == Place::Statement && self.first() != "prefer" {
                let error = error.help("options decide whether such a line stands: `… if OPTION`");
                return Break(error.suggest(self.reader.span(found), "if"));
            }
            return Break(cure.add(error.help(help), self.whole(found, cure)));
        }
        // A word before the place may have been taken for one of the author's.
        for token in self.before.iter().skip(1).rev().take(2) {
            let word = self.text(token);
            let free = word.starts_with(|c: char| c.is_ascii_lowercase()) && !is_language_word(word) || word == "of";
            if !free {
                break;
            }
            let places = ["what follows", "cells", "pieces", "a number", "anywhere"];
            let act = if place == Place::Turn { "act" } else { "" };
            let told = foreign::find([act].into_iter().chain(places), word);
            if let Some((help, cure)) = told.filter(|_| !self.is_own(word)) {
                return Break(cure.add(error.help(help), self.whole(token, cure)));
            }
        }
        match foreign::find(["anywhere"], word) {
            Some((help, cure)) => Break(cure.add(error.help(help), self.whole(found, cure))),
            None => Continue(error),
        }
    }

    /// The place of a token, with the blanks behind it if it is left out.
    fn whole(&self, token: &Range<usize>, cure: Cure) -> Span {
        let rest = &self.reader.text[token.end..self.end.max(token.end)];
        let blanks = if cure == Cure::Write("") { rest.len() - rest.trim_start_matches(is_blank).len() } else { 0 };
        self.reader.span(&(token.start..token.end + blanks))
    }

    /// Adds what helps with signs.
    fn signs(&self, error: Diagnostic, found: &Range<usize>, place: Place) -> Told {
        let (word, span) = (self.text(found), self.reader.span(found));
        let previous = self.before.last().map_or("", |t| self.text(t));
        let after = self.after();
        let next = after.first().map_or("", |t| self.text(t));
        let rest = &self.reader.text[found.start..after.last().map_or(found.end, |t| t.end)];
        let rest_span = self.reader.span(&(found.start..found.start + rest.len()));
        let before = self.before.last().map_or(span, |t| self.reader.span(t));
        let sign = SIGNS.iter().find(|(sign, ..)| rest.starts_with(sign));
        if self.before.is_empty() && word.starts_with(|c: char| c.is_ascii_digit()) && place == Place::Statement {
            let form = form(place, next).filter(|_| place.words().1.contains(&next));
            return match form {
                Some(form) => Break(error.help(format!("`{next}` comes first: `{form}`"))),
                None => Continue(error),
            };
        }
        let lone = |sign: &str| sign == "/" && (self.before.is_empty() || place == Place::Turn);
        if let Some((sign, cure, help)) = sign.filter(|(sign, ..)| !lone(sign)) {
            // A comment of several lines takes a `#` on each.
            let cure = if *sign == "/*" && !rest.contains("*/") { Cure::No } else { *cure };
            return Break(cure.add(error.help(*help), Span { end: span.start + sign.len() as u32, ..span }));
        }
        if matches!((previous, word), ("=", ">" | "<" | "+")) {
            let right = if word == "+" { "+=".to_owned() } else { format!("{word}=") };
            return Break(
                error.help(format!("the signs stand the other way round: `{right}`")).fix(before.to(span), right),
            );
        }
        if (previous, word) == ("<", ">") {
            return Break(error.help("write `not A = B` for two numbers that differ"));
        }
        let wants_text = self.expects(Rule::string) && !is_language_word(word);
        if let Some(inner) = word.strip_prefix('\'').and_then(|w| w.strip_suffix('\'')).filter(|_| wants_text) {
            return Break(error.help("texts stand in double quotes").fix(span, format!("\"{inner}\"")));
        }
        if wants_text && !self.expects(Rule::EOI) && word.starts_with(char::is_alphanumeric) {
            let all = matches!(self.first(), "about" | "source" | "position");
            let (text, span) = if all { (rest, rest_span) } else { (word, span) };
            return Break(error.help("a text stands in quotes").suggest(span, format!("\"{text}\"")));
        }
        if wants_text && previous == "setup" && word.starts_with(|c: char| c.is_ascii_digit()) {
            return Break(match rest.contains('/') {
                true => error.help("a position text stands in quotes").suggest(rest_span, format!("\"{rest}\"")),
                false => error.help("name a piece and all its cells: `setup Pawn on rank 2`"),
            });
        }
        if wants_text && self.first() == "option" && word.starts_with(char::is_alphabetic) {
            return Break(
                error.help("what the option decides stands in quotes").suggest(rest_span, format!("\"{rest}\"")),
            );
        }
        let glyph = wants_text && matches!(self.first(), "piece" | "cube") && word.chars().count() <= 2;
        if glyph && word.starts_with(char::is_alphanumeric) {
            return Break(error.help("the glyph stands in quotes").suggest(span, format!("\"{word}\"")));
        }
        let quoted = word.strip_prefix('"').and_then(|w| w.strip_suffix('"'));
        if let Some(inner) = quoted {
            if self.expects(Rule::name) || self.expects(Rule::names) {
                return Break(error.help("names stand without quotes").fix(span, inner));
            }
            if self.expects(Rule::grid) {
                return Break(error.help("a size stands without quotes").fix(span, inner));
            }
            if place == Place::Piece && self.before.is_empty() {
                let error = error.help("moves in Betza's notation are written `betza \"…\"`");
                return Break(error.suggest(Span { end: span.start, ..span }, "betza "));
            }
            if self.expects(Rule::trait_word) && self.before.len() > 2 {
                return Break(error.help("the glyph stands right behind the name, before traits"));
            }
        }
        if self.before.is_empty() {
            let help = match word {
                "*" | "`" | "/" | "<" | "=" => "a line that is no rule is a comment and begins with `#`",
                "(" | "[" => "a rule is a line of plain words, without brackets around it: `players White, Black`",
                "-" => {
                    return Break(error.help("lines begin without a dash").fix(self.whole(found, Cure::Write("")), ""));
                }
                "," | "." => "leave out the sign",
                _ if place == Place::Piece && word.starts_with(|c: char| c.is_ascii_digit()) => {
                    "the sort of move comes first, then the direction, then the number: `step forward 2`"
                }
                _ => return Continue(error),
            };
            return Break(error.help(help));
        }
        let ends = after.is_empty() && self.brace.is_none();
        match word {
            "," | "." if ends => {
                Break(error.help(format!("leave out the `{word}` at the end of the line")).fix(span, ""))
            }
            "." if next.starts_with(|c: char| c.is_ascii_digit()) && previous == ".." => {
                Break(error.help("a range has two dots").fix(span, ""))
            }
            "." if next.starts_with(|c: char| c.is_ascii_digit()) => Break(error.help("numbers are whole")),
            ")" => Break(error.help("this `)` closes nothing").suggest(span, "")),
            "[" if self.expects(Rule::p_open) => Break(error.help("write round brackets: `( … )`")),
            "[" if self.places().iter().any(|p| p == "cells") => {
                Break(error.help("cells stand without brackets: `e4, d4`"))
            }
            "(" if next == ")" => {
                let both = self.reader.span(&(found.start..after.first().map_or(found.end, |t| t.end)));
                Break(error.help("leave out the brackets").fix(both, ""))
            }
            "(" if self.first() == "players" => {
                Break(error.help("names stand without brackets: `players White, Black`"))
            }
            ":" if next == "=" && self.expects(Rule::p_equals) => Break(error.help("leave out the `:`").fix(span, "")),
            ":" if self.expects(Rule::k_extends) => Break(error.help("write `extends`").fix(span, " extends")),
            ":" if self.expects(Rule::k_when) => Break(error.help("write `when`").fix(span, " when")),
            ":" if place == Place::Piece && self.before.len() == 1 && CLAUSES.contains(&next) => {
                Break(error.help(format!(
                    "`{}` is a word of the language and cannot be a label; choose another",
                    self.first()
                )))
            }
            ":" if self.brace.is_some() || !BLOCKS.contains(&self.first()) => {
                let cure = if self.expects(Rule::p_equals) { Cure::Write(" =") } else { Cure::Write("") };
                let help = if cure == Cure::Write("") { "leave out the `:`" } else { "write `=`" };
                Break(cure.add(error.help(help), span))
            }
            "=" if !self.expects(Rule::k_on)
                && !self.expects(Rule::new_word)
                && !self.expects(Rule::relation)
                && !self.expects(Rule::k_number)
                && previous != "=" =>
            {
                Break(error.help("leave out the `=`").suggest(self.whole(found, Cure::Write("")), ""))
            }
            _ => Continue(error),
        }
    }

    /// Adds what helps where two things are joined.
    fn joints(&self, error: Diagnostic, found: &Range<usize>, place: Place) -> Told {
        let (word, span) = (self.text(found), self.reader.span(found));
        let previous = self.before.last();
        let last = previous.map_or("", |t| self.text(t));
        let after = self.after();
        let next = after.first().map_or("", |t| self.text(t));
        let joint = |word: &str| matches!(word, "and" | "or" | "," | "&");
        let (sign, behind) = if joint(word) { (Some(found), next) } else { (previous.filter(|_| joint(last)), word) };
        let (_, firsts) = place.words();
        let lines = matches!(place, Place::Piece | Place::Cube | Place::Effect | Place::Test);
        if let Some(sign) = sign.filter(|_| lines && firsts.contains(&behind)) {
            let error = error.help("each stands on a line of its own; on one line a `;` comes between");
            return Break(error.suggest(self.reader.span(sign), ";"));
        }
        if word == last && is_language_word(word) {
            return Break(
                error.help(format!("`{word}` stands there twice")).fix(self.whole(found, Cure::Write("")), ""),
            );
        }
        let behind_name = last.starts_with(char::is_uppercase) || last.chars().any(|c| c.is_ascii_digit());
        if joint(word) && self.expects(Rule::p_comma) && !self.expects(Rule::k_and) && behind_name {
            let start = previous.map_or(found.start, |t| t.end);
            return Break(error.help("several are joined with `,`").fix(self.reader.span(&(start..found.end)), ","));
        }
        let directions = examples(Rule::dirs);
        if joint(word) && directions.iter().any(|d| d == last) {
            if directions.iter().any(|d| d == next) {
                let or = if word == "," { " or" } else { "or" };
                return Break(error.help("directions are joined with `or`").suggest(span, or));
            }
            if word == "," {
                return Break(error.help("leave out the `,`").fix(span, ""));
            }
        }
        let is_direction = |word: &str| word != "any" && directions.iter().any(|d| d == word);
        if word == "direction"
            && is_direction(next)
            && let Some(direction) = after.first()
        {
            let both = self.reader.span(&(found.start..direction.end));
            return Break(error.help("`direction` stands behind it").fix(both, format!("{next} direction")));
        }
        if let Some(any) = previous.filter(|_| last == "any" && is_direction(word)) {
            let error = error.help(format!("`any` means all directions; for some write `{word}` alone"));
            return Break(error.fix(self.whole(any, Cure::Write("")), ""));
        }
        let hyphened = format!("{last}-{word}");
        if let Some(previous) = previous.filter(|_| directions.contains(&hyphened)) {
            let error = error.help(format!("a hyphen joins the two: `{hyphened}`"));
            return Break(error.fix(self.reader.span(&(previous.start..found.end)), hyphened));
        }
        if last == "moves" && self.expects(Rule::k_as) && directions.iter().any(|d| d == word) {
            let before = self.reader.span(previous.unwrap_or(found));
            return Break(match foreign::find(["piece"], "move") {
                Some((help, cure)) => cure.add(error.help(help), before),
                None => error,
            });
        }
        let results = ["mover", "next", "draw", "highest", "lowest"];
        if place == Place::Statement && self.first() == "when" && self.brace.is_none() && results.contains(&word) {
            return Break(error.help("a result says first what comes, then when: `mover wins when …`"));
        }
        if self.expects(Rule::k_when) && word == "if" && after.iter().any(|t| self.text(t) == "when") {
            let help = "whether a result stands at all is said around it: `when OPTION { mover wins when … }`";
            return Break(error.help(help));
        }
        if self.expects(Rule::k_when) && matches!(last, "wins" | "loses" | "draw") && !foreign_when(word) {
            let error = error.help("`when` stands before the condition");
            return Break(error.suggest(Span { end: span.start, ..span }, "when "));
        }
        if matches!(word, "if" | "unless") && self.reader.text[..found.start].trim_end_matches(is_blank).ends_with('\n')
        {
            let error = error.note(format!("a line that begins with `{word}` continues the line before"));
            return Break(error.help("begin it with another word; a result is written `mover wins when …`"));
        }
        let blocks = self.brace.is_none() && self.expects(Rule::EOI) && BLOCKS.contains(&self.first());
        if blocks && !matches!(word, "if" | "unless") {
            let text = &self.reader.text[found.start..after.last().map_or(found.end, |t| t.end)];
            let inner = text.trim_start_matches(['(', '[', ':', ' ']).trim_end_matches([')', ']', ' ']);
            let error = error.help(format!("what belongs to `{}` stands in braces", self.first()));
            let start = if word == ":" { previous.map_or(found.start, |t| t.end) } else { found.start };
            let blank = if word == ":" { " " } else { "" };
            let place = self.reader.span(&(start..found.start + text.len()));
            return Break(error.suggest(place, format!("{blank}{{ {inner} }}")));
        }
        Continue(error)
    }

    /// An effect with its condition behind it: the condition comes first.
    fn turned_round(&self, error: Diagnostic, found: &Range<usize>, after: &[Range<usize>]) -> Diagnostic {
        let error = error.help("the condition of an effect comes first, and the effect stands in braces");
        let ends = |t: &Range<usize>| matches!(self.text(t), "{" | "}" | ";");
        let first = self.before.iter().rposition(ends).map_or(0, |i| i + 1);
        let last = after.iter().take_while(|t| !ends(t)).last();
        let (Some(first), Some(last)) = (self.before.get(first), last) else { return error };
        let effect = self.reader.text[first.start..found.start].trim_end();
        let condition = self.reader.text[found.end..last.end].trim_start();
        error.suggest(self.reader.span(&(first.start..last.end)), format!("when {condition} {{ {effect} }}"))
    }

    /// Whether a word is the name of a player: one that the file names, or a usual one if it names none.
    fn is_player(&self, word: &str) -> bool {
        let named = self.reader.text.lines().find_map(|line| line.trim_start().strip_prefix("players "));
        let names = named.unwrap_or("White, Black");
        names.split(|c: char| !is_word(c)).any(|name| name == word)
    }

    /// A piece with its player beside it, `White Pawn`: whose it is stands behind `of`.
    fn owned(&self, error: Diagnostic, found: &Range<usize>) -> Diagnostic {
        let Some(previous) = self.before.last() else { return error };
        let (last, word) = (self.text(previous), self.text(found));
        let (piece, player) = if self.is_player(last) { (word, last) } else { (last, word) };
        let owned = format!("{piece} of {player}");
        match self.before.as_slice() {
            [.., cell, is, _] if self.text(is) == "is" && is_cell(self.text(cell)) => {
                let owned = format!("{owned} on {}", self.text(cell));
                let error = error.help(format!("whose piece it is stands behind `of`: `{owned}`"));
                error.suggest(self.reader.span(&(cell.start..found.end)), owned)
            }
            _ => {
                let error = error.help(format!("whose piece it is stands behind `of`: `{owned}`"));
                error.suggest(self.reader.span(&(previous.start..found.end)), owned)
            }
        }
    }

    /// Adds what helps where a word or sign is missing or stands in another place.
    fn missing(&self, error: Diagnostic, found: &Range<usize>, place: Place) -> Told {
        let (word, span) = (self.text(found), self.reader.span(found));
        let before = Span { end: span.start, ..span };
        let last = self.before.last().map_or("", |t| self.text(t));
        let end = self.before.last().map_or(before, |t| self.reader.span(&(t.end..t.end)));
        let after = self.after();
        let next = after.first().map_or("", |t| self.text(t));
        let places = self.places();
        let wants = |what: &str| places.iter().any(|p| p == what);
        let digits = &word[..word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len())];
        Break(match word {
            "if" if place == Place::Effect => self.turned_round(error, found, &after),
            "," if self.first() == "without" => error.help("one a line: `without rule dead; without rule pale`"),
            _ if self.first() == "without" && ["when", "of"].contains(&last) => error.help(
                "a line is named by its words up to `when`, as in `without draw when`, or by the name that it has",
            ),
            _ if self.first() == "without" && last.starts_with(char::is_uppercase) => error.help(format!(
                "lines and traits of a piece are not taken away: write it anew with `override piece {last} …`"
            )),
            "+=" | "-=" | "=" if place == Place::Effect && self.before.len() > 1 => {
                error.help("in braces a `;` or a new line stands between effects: `flip adjacent enemies; score += 1`")
            }
            "check" if last == "in" => error
                .help("a player is in check, and a piece is attacked: `opponent is in check`, `my King is attacked`"),
            "+=" | "-=" if last.starts_with(char::is_uppercase) => {
                let name = self.before.last().unwrap_or(found);
                let error = error.help(format!("counters have small letters: `{}`", last.to_lowercase()));
                error.suggest(self.reader.span(name), last.to_lowercase())
            }
            _ if last == "expect" && place.words().1.contains(&word) => {
                let expect = self.before.last().unwrap_or(found);
                let error = error.help(format!("a line that begins with `{word}` needs no `expect`"));
                error.fix(self.whole(expect, Cure::Write("")), "")
            }
            _ if is_number(word) && self.expects(Rule::k_up) => {
                error.help("the length of a slide is `up to 3`").suggest(before, "up to ")
            }
            _ if is_number(word) && self.expects(Rule::k_for) => error.help("`for` is missing").suggest(before, "for "),
            _ if is_number(word) && wants("a direction") => {
                error.help("the direction comes first: `step forward 2`, `slide any up to 3`")
            }
            _ if !digits.is_empty() && digits != word && wants("a number") => {
                let times = if last == "occurs" { " times" } else { "" };
                error.help("a number stands alone").suggest(span, format!("{digits}{times}"))
            }
            _ if !digits.is_empty() && wants("cells") => {
                let noun = after.first().filter(|_| matches!(next, "rank" | "row" | "file"));
                let whole = self.reader.span(&(found.start..noun.map_or(found.end, |t| t.end)));
                error.help(format!("write `rank {digits}`")).suggest(whole, format!("rank {digits}"))
            }
            _ if matches!(last, "my" | "enemy" | "friend") && word.starts_with(char::is_uppercase) => {
                error.help(format!("write where it is, as in `{last} {word} on e4`"))
            }
            _ if last.starts_with(char::is_uppercase)
                && word.starts_with(char::is_uppercase)
                && self.expects(Rule::p_comma)
                && self.first() != "players"
                && self.is_player(last) != self.is_player(word) =>
            {
                self.owned(error, found)
            }
            _ if last.starts_with(char::is_uppercase)
                && word.starts_with(char::is_uppercase)
                && self.expects(Rule::p_comma) =>
            {
                error.help("several are joined with `,`").suggest(end, ",")
            }
            _ if is_cell(&word.to_lowercase()) && !is_cell(word) => {
                let small = word.to_lowercase();
                error.help(format!("cells are written in small letters: `{small}`")).suggest(span, small)
            }
            _ if is_cell(word) && is_cell(last) && self.expects(Rule::p_comma) => {
                error.help("several are joined with `,`").fix(end, ",")
            }
            _ if self.expects(Rule::k_on) && (matches!(word, "rank" | "file") || is_cell(word)) => {
                error.help("`on` is missing").fix(before, "on ")
            }
            _ if self.expects(Rule::p_colon) && self.first() == "rule" && place == Place::Statement => {
                let begins = place.words().1.contains(&word);
                let (help, sign) = if begins { ("`:` is missing", ":") } else { ("a label is one word", "-") };
                let gap = Span { end: span.start, ..end };
                error.help(help).suggest(if begins { end } else { gap }, sign)
            }
            _ if self.expects(Rule::p_equals)
                && !self.expects(Rule::EOI)
                && word != "each"
                && word.starts_with(char::is_alphanumeric)
                && nearest(word, examples(Rule::k_fixed).iter().map(String::as_str)).is_none() =>
            {
                error.help("`=` is missing").suggest(before, "= ")
            }
            _ if (self.expects(Rule::wins) || self.expects(Rule::k_wins))
                && self.before.len() == 1
                && nearest(word, ["wins", "loses"]).is_none()
                && !next.is_empty() =>
            {
                let first = self.before.first().map_or(before, |t| self.reader.span(&(t.start..t.start)));
                let error = error.help("a remark begins with `#`, and a result is `White wins when …`");
                error.suggest(first, "# ")
            }
            _ => return Continue(error),
        })
    }

    fn told(&self, error: Diagnostic, found: &Range<usize>, place: Place) -> Told {
        if self.first() == "after" && self.before.len() > 1 && matches!(self.text(found), "when" | "if") {
            let help = "the condition stands in the braces: `after move { when next is in check { … } }`";
            return Break(error.help(help));
        }
        let number = self.before.last().filter(|t| self.expects(Rule::k_turn) && is_number(self.text(t)));
        if let Some(number) = number.filter(|_| matches!(self.text(found), "moves" | "rounds"))
            && let Ok(n) = self.text(number).parse::<u16>()
        {
            let (twice, word) = (2 * u32::from(n), self.text(found));
            let error = error.help(format!("a turn is one player's: {n} {word} of both players are `{twice} turns`"));
            return Break(error.suggest(self.reader.span(&(number.start..found.end)), format!("{twice} turns")));
        }
        let error = self.signs(error, found, place)?;
        let error = self.joints(error, found, place)?;
        let error = self.foreign(error, found, place)?;
        self.missing(error, found, place)
    }

    /// Adds what helps with a typical slip.
    pub fn advise(&self, error: Diagnostic, place: Place) -> Diagnostic {
        let Some(found) = &self.found else {
            let Some(last) = self.before.last() else { return error };
            let end = self.reader.span(&(last.end..last.end));
            return match self.text(last) {
                "," => error.help("leave out the `,` at the end of the line").fix(self.reader.span(last), ""),
                _ if self.brace.is_some() && self.first() == "zone" => {
                    error.help("cells stand without braces: `e4, d4`")
                }
                _ if self.expects(Rule::k_expect) => {
                    match self.before.iter().find(|t| nearest(self.text(t), ["expect"]).is_some()) {
                        Some(near) => error.help("write `expect`").fix(self.reader.span(near), "expect"),
                        None => error,
                    }
                }
                _ if self.expects(Rule::p_close) => error.help("write the `)` that is missing").suggest(end, ")"),
                _ => error,
            };
        };
        let word = self.text(found);
        let span = self.reader.span(found);
        let previous = self.before.last().map_or("", |t| self.text(t));
        if word == "hand" && previous == "opponents" {
            let before = self.reader.span(self.before.last().unwrap_or(found));
            return error.help("write `opponent's`").fix(before, "opponent's");
        }
        if word.starts_with(['“', '”', '„']) {
            let error = error.help("texts stand in straight quotes: `\"…\"`");
            let rest = self.reader.text[found.start..].lines().next().unwrap_or("");
            let mut inner = rest.char_indices().skip(1);
            let Some((end, sign)) = inner.find(|(_, c)| matches!(c, '“' | '”' | '„' | '"')) else { return error };
            let quoted = self.reader.span(&(found.start..found.start + end + sign.len_utf8()));
            return error.fix(quoted, format!("\"{}\"", &rest[word.chars().next().map_or(0, char::len_utf8)..end]));
        }
        if word == "anywhere" {
            return match self.first() {
                "drop" => error.help("write `drop to empty`, which is anywhere on the board"),
                _ => error.help("`leap anywhere` reaches every cell"),
            };
        }
        if word == "or" && self.before.iter().any(|t| matches!(self.text(t), "if" | "unless")) {
            return error.help("put the condition of `if` or `unless` in brackets when it has an `or`");
        }
        if word == "=" && previous == "=" {
            let both = self.reader.span(self.before.last().unwrap_or(found)).to(span);
            let next = self.after().first().map_or("", |t| self.text(t));
            let left = self.before.iter().rev().nth(1).map_or("", |t| self.text(t));
            return match !is_language_word(left) && next.starts_with(|c: char| c.is_ascii_lowercase()) {
                // A word may be the value of an option.
                true => error.help("numbers are compared by one `=`, words by `is`").suggest(both, "is"),
                false => error.help("one `=` compares").fix(span, ""),
            };
        }
        if word == "not" && previous == "not" {
            return error.help("put the second `not` in brackets, or leave both out");
        }
        if self.expects(Rule::what) && word.starts_with(|c: char| c.is_ascii_digit()) {
            let error = error.help("numbers are compared with `=`: `score = 3`");
            let is = self.before.last().filter(|_| previous == "is");
            return if let Some(is) = is { error.fix(self.reader.span(is), "=") } else { error };
        }
        if self.expects(Rule::grid) && !word.starts_with("hex") {
            let rest = self.after();
            let end = rest.last().map_or(found.end, |t| t.end);
            let numbers = self.reader.text[found.start..end].split(|c: char| !c.is_ascii_digit());
            let numbers: Vec<&str> = numbers.filter(|n| !n.is_empty()).collect();
            let error = error.help("a size is one word: `8x8`");
            return match numbers.as_slice() {
                [files, ranks] => {
                    let blank = if word == ":" { " " } else { "" };
                    error.suggest(self.reader.span(&(found.start..end)), format!("{blank}{files}x{ranks}"))
                }
                _ => error,
            };
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
        if word.split_once('-').is_some_and(|(a, b)| is_number(a) && is_number(b)) {
            return error.help("a range is written with two dots: `10..100`").fix(span, word.replace('-', ".."));
        }
        if previous == "file" && is_number(word) {
            let error = error.help("files have letters, as in `file a`; what has numbers is a rank, as in `rank 1`");
            return match word.parse::<u8>() {
                Ok(n @ 1..=26) => error.suggest(span, char::from(b'a' + n - 1)),
                _ => error,
            };
        }
        if previous == "rank" && word.chars().count() == 1 && word.starts_with(char::is_alphabetic) {
            return error.help("ranks have numbers, and files have letters: `rank 1`, `file a`");
        }
        let error = match self.told(error, found, place) {
            Break(told) => return told,
            Continue(error) => error,
        };
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
        let wants_name = [Rule::name, Rule::names, Rule::place, Rule::place_line].iter().any(|&r| self.expects(r));
        if wants_name && lower && !known && !word.contains('\'') {
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

fn is_cell(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_lowercase).count();
    (1..=2).contains(&letters) && is_number(&word[letters..])
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a word was meant to be `when`.
fn foreign_when(word: &str) -> bool {
    foreign::find(["when"], word).is_some() || nearest(word, ["when"]).is_some()
}
