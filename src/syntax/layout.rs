//! The layout of a text: lines and blocks, before any word is understood.
//!
//! A line ends at a line break or `;`, unless the next line begins with a word that joins (`and or then if unless
//! except`), with `{`, or with the next row of a diagram. Because every line is then read on its own, one broken line
//! does not hide the errors of the others. Nothing here recurses: a text may nest as deep as it likes.

use super::MAX_ERRORS;
use crate::base::{Diagnostic, FileId, Span};
use std::ops::Range;

/// How deep blocks, and brackets in one line, may nest.
pub const MAX_DEPTH: usize = 64;

/// How many lines a text may have, those in blocks and quotes too; a line that goes on is one.
pub const MAX_LINES: usize = 5000;

/// One line: `HEAD`, or `HEAD { BLOCK } TAIL`.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Rulebook quotes (`> …`) that stand before it.
    pub quote: Vec<Range<usize>>,
    /// The words before the brace, without blanks and comments at the ends.
    pub head: Range<usize>,
    /// What stands in braces.
    pub block: Option<Block>,
    /// The words after the brace; empty as a rule.
    pub tail: Range<usize>,
    /// Why it cannot be read, if that is plain from its layout.
    pub broken: Option<Box<Diagnostic>>,
}

impl Line {
    /// From the first word to the last.
    pub fn range(&self) -> Range<usize> {
        let end = self.block.as_ref().map_or(self.head.end, |b| b.close + 1);
        self.head.start..end.max(self.tail.end)
    }
}

/// `{ … }`.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Where `{` stands.
    pub open: usize,
    /// Where `}` stands, or where it is missing.
    pub close: usize,
    /// The lines between.
    pub lines: Vec<Line>,
}

/// Words that continue the line before.
pub const JOINING: [&str; 6] = ["and", "or", "then", "if", "unless", "except"];

/// Statements that can stand in no block but that of a variant: when a `}` is missing, the block ends before them.
const OUTERMOST: [&str; 29] = [
    "game", "by", "about", "source", "players", "board", "symmetry", "zone", "ladder", "piece", "extend", "cube",
    "variant", "test", "option", "define", "setup", "turn", "prefer", "forbid", "rule", "without", "remember",
    "counter", "draw", "mover", "next", "highest", "lowest",
];

/// Cuts a text into lines. The errors are of the layout alone: braces, strings, nesting.
pub fn layout(file: FileId, text: &str) -> (Vec<Line>, Vec<Diagnostic>) {
    let first = Scanner::new(file, text, false).scan();
    if first.unclosed == 0 {
        return (first.lines, first.errors);
    }
    let second = Scanner::new(file, text, true).scan();
    (second.lines, second.errors)
}

/// An open block: where its brace stands, the line it belongs to, and the lines around that line.
struct Frame {
    open: usize,
    owner: Line,
    around: Vec<Line>,
}

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    /// End open blocks before a statement that cannot stand in them.
    repair: bool,
    at: usize,
    stack: Vec<Frame>,
    lines: Vec<Line>,
    /// The line being read, and whether it has any word yet.
    line: Line,
    begun: bool,
    /// How many lines and quotes were read.
    count: usize,
    brackets: usize,
    /// Whether the last token is a row of a diagram.
    row: bool,
    errors: Vec<Diagnostic>,
    unclosed: usize,
}

impl<'a> Scanner<'a> {
    fn new(file: FileId, text: &'a str, repair: bool) -> Scanner<'a> {
        Scanner {
            file,
            text,
            repair,
            at: 0,
            stack: Vec::new(),
            lines: Vec::new(),
            line: Line::default(),
            begun: false,
            count: 0,
            brackets: 0,
            row: false,
            errors: Vec::new(),
            unclosed: 0,
        }
    }

    fn scan(mut self) -> Scanner<'a> {
        while let Some(c) = self.text[self.at..].chars().next() {
            if self.count > MAX_LINES || self.errors.len() >= MAX_ERRORS {
                return self.give_up();
            }
            match c {
                '\n' => self.line_break(),
                ';' => {
                    self.finish();
                    self.at += 1;
                }
                '#' => self.at = self.end_of_line(),
                '"' => self.enclosed('"', "text"),
                '|' => {
                    self.enclosed('|', "row");
                    self.row = true;
                }
                '{' => {
                    if !self.open() {
                        return self;
                    }
                }
                '}' => self.close(),
                '>' if !self.begun && self.starts_line() => {
                    let end = self.end_of_line();
                    self.line.quote.push(trim(self.text, self.at + 1..end));
                    self.count += 1;
                    self.at = end;
                }
                c if is_blank(c) => self.at += c.len_utf8(),
                _ => self.word(c),
            }
        }
        self.finish();
        while let Some(frame) = self.stack.pop() {
            let last = self.text.trim_end().len();
            self.never_closed(&frame, last, None);
            self.leave(frame, last);
        }
        self.finish();
        self
    }

    /// Ends a text of which the rest shall not be read.
    fn give_up(mut self) -> Scanner<'a> {
        if self.count > MAX_LINES {
            let message = format!("a definition of more than {MAX_LINES} lines is not read");
            let error = Diagnostic::error("too-long", message, self.span(self.at, self.at));
            self.report(error.help("let another definition extend this one, or say the same in fewer lines"));
        }
        while let Some(frame) = self.stack.pop() {
            self.leave(frame, self.at);
            self.finish();
        }
        self
    }

    /// Takes the text up to `end` into the line.
    fn touch(&mut self, end: usize) {
        let part = if self.line.block.is_some() { &mut self.line.tail } else { &mut self.line.head };
        if part.start == part.end {
            part.start = self.at;
        }
        part.end = end;
        self.row = false;
        self.begun = true;
        self.at = end;
    }

    fn word(&mut self, c: char) {
        match c {
            '(' => {
                self.brackets += 1;
                if self.brackets > MAX_DEPTH {
                    let message = format!("brackets nest deeper than {MAX_DEPTH} levels");
                    let help = "give a part of the phrase a name with `define`";
                    self.broken(Diagnostic::error("too-deep", message, self.span(self.at, self.at + 1)).help(help));
                }
            }
            ')' => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()).max(c.len_utf8());
        if self.repair && !self.begun && self.starts_line() {
            self.end_blocks_before(&self.text[self.at..self.at + length]);
        }
        self.touch(self.at + length);
    }

    /// A text or a row, up to its closing sign on the same line.
    fn enclosed(&mut self, sign: char, what: &str) {
        let rest = &self.text[self.at + 1..];
        let end = self.at + 1 + rest.find([sign, '\n']).unwrap_or(rest.len());
        if self.text[end..].starts_with(sign) {
            return self.touch(end + 1);
        }
        let end = trim(self.text, self.at..end).end;
        let message = format!("the {what} that begins here has no closing `{sign}`");
        let error = Diagnostic::error("unclosed", message, self.span(self.at, end));
        self.broken(error.help(format!("write `{sign}` where it ends, on the same line")));
        self.touch(end);
    }

    /// Notes that the line cannot be read; the first reason counts.
    fn broken(&mut self, error: Diagnostic) {
        self.line.broken.get_or_insert_with(|| Box::new(error));
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end)
    }

    fn report(&mut self, error: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }

    /// Ends the line at a line break, unless the next line continues it.
    fn line_break(&mut self) {
        let blank = |c: char| is_blank(c) || c == '\n';
        let mut next = self.at;
        let mut breaks = 0;
        loop {
            let rest = &self.text[next..];
            let skipped = rest.find(|c| !blank(c)).unwrap_or(rest.len());
            breaks += rest[..skipped].matches('\n').count();
            next += skipped;
            if !self.text[next..].starts_with('#') {
                break;
            }
            next = self.text[next..].find('\n').map_or(self.text.len(), |i| next + i);
        }
        let rest = &self.text[next..];
        if self.begun && self.awaits_row(breaks) && self.half_a_row(next) {
            return;
        }
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let joins = self.begun
            && match rest.chars().next() {
                Some('{') => self.line.block.is_none(),
                Some('|') => self.awaits_row(breaks),
                _ => JOINING.contains(&word),
            };
        if !joins {
            self.finish();
        }
        self.at = next;
    }

    /// Takes a row of a diagram that has lost its first sign, or both, if one stands there.
    fn half_a_row(&mut self, at: usize) -> bool {
        let rest = &self.text[at..];
        let row = trim(self.text, at..at + rest.find(['#', '\n']).unwrap_or(rest.len()));
        let half = self.text[row.clone()].ends_with('|') || rest.starts_with(". ");
        let is_row = !rest.starts_with('|') && half;
        if is_row {
            let error = Diagnostic::error(
                "unclosed",
                "this row of a diagram does not begin with `|`",
                self.span(row.start, row.end),
            );
            self.broken(error.help("write `|` at both ends of each row"));
            self.at = at;
            self.touch(row.end);
            self.row = true;
        }
        is_row
    }

    /// Whether a row of a diagram continues the line: after `setup`, `expect`, or directly after a row.
    fn awaits_row(&self, breaks: usize) -> bool {
        let head = self.text.get(self.line.head.clone()).unwrap_or("");
        let asked = head.ends_with("setup") || head.ends_with("expect");
        self.line.block.is_none() && (asked || self.row && breaks == 1)
    }

    fn finish(&mut self) {
        if self.begun || (!self.line.quote.is_empty() && (self.at >= self.text.len() || self.closes())) {
            if !self.begun {
                self.line.head = self.line.quote[0].start..self.line.quote[0].start;
            }
            self.lines.push(std::mem::take(&mut self.line));
            self.count += 1;
        }
        self.begun = false;
        self.brackets = 0;
    }

    fn closes(&self) -> bool {
        self.text[self.at..].starts_with('}')
    }

    /// Opens a block; false if blocks nest too deep to go on.
    fn open(&mut self) -> bool {
        if self.line.block.is_some() {
            self.finish();
        }
        if !self.begun {
            self.line.head = self.at..self.at;
        }
        if self.stack.len() >= MAX_DEPTH {
            let span = self.span(self.at, self.at + 1);
            let error = Diagnostic::error("too-deep", format!("blocks nest deeper than {MAX_DEPTH} levels"), span);
            self.report(error.help("use fewer braces; conditions can be joined with `and`"));
            self.lines.clear();
            while let Some(frame) = self.stack.pop() {
                self.leave(frame, self.at);
            }
            self.finish();
            return false;
        }
        let owner = std::mem::take(&mut self.line);
        self.stack.push(Frame { open: self.at, owner, around: std::mem::take(&mut self.lines) });
        self.begun = false;
        self.brackets = 0;
        self.at += 1;
        true
    }

    fn close(&mut self) {
        self.finish();
        let Some(frame) = self.stack.pop() else {
            let span = self.span(self.at, self.at + 1);
            let error = Diagnostic::error("unclosed", "this `}` closes nothing", span);
            self.report(error.help("remove it, or write the `{` that it shall close").suggest(span, ""));
            self.at += 1;
            return;
        };
        self.leave(frame, self.at);
        self.at += 1;
        // What follows on the same line belongs to this one only if it joins, as `if` does.
        let rest = self.text[self.at..].trim_start_matches(is_blank);
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        if !word.is_empty() && !JOINING.contains(&word) {
            self.finish();
        }
    }

    /// Gives the lines read to the block and goes on with the line it belongs to.
    fn leave(&mut self, frame: Frame, close: usize) {
        let lines = std::mem::replace(&mut self.lines, frame.around);
        self.line = frame.owner;
        self.line.block = Some(Block { open: frame.open, close, lines });
        self.line.tail = close + 1..close + 1;
        self.begun = true;
    }

    /// Ends every open block in which a statement that begins with `word` cannot stand.
    fn end_blocks_before(&mut self, word: &str) {
        if !OUTERMOST.contains(&word) {
            return;
        }
        let holds = |frame: &Frame| {
            let head = &self.text[frame.owner.head.clone()];
            match head.split_whitespace().next() {
                Some("variant") => !matches!(word, "variant" | "test" | "game"),
                Some("when" | "otherwise") => true,
                _ => false,
            }
        };
        let Some(outer) = self.stack.iter().position(|f| !holds(f)) else {
            return;
        };
        let quote = std::mem::take(&mut self.line.quote);
        let last = self.text[..self.at].trim_end().len();
        while self.stack.len() > outer {
            let Some(frame) = self.stack.pop() else { break };
            self.never_closed(&frame, last, Some(self.at..self.at + word.len()));
            self.leave(frame, last);
            self.finish();
        }
        self.line.quote = quote;
    }

    /// A block that should end at `last` does not; `before` is the statement that cannot stand in it.
    fn never_closed(&mut self, frame: &Frame, last: usize, before: Option<Range<usize>>) {
        self.unclosed += 1;
        let open = self.span(frame.open, frame.open + 1);
        let (what, end) = match &before {
            Some(word) => (format!("a `}}` is missing before `{}`", &self.text[word.clone()]), word.start),
            None => ("a `}` is missing at the end".to_owned(), self.text.len()),
        };
        let from = self.text[..last].rfind('\n').map_or(0, |i| i + 1);
        let from = from + (self.text[from..last].len() - self.text[from..last].trim_start().len());
        let mut error = Diagnostic::error("unclosed", what, self.span(from.max(frame.open), last));
        error = error.label(open, "the block that begins here is never closed");
        self.report(error.help("write `}` where the block ends").suggest(self.span(end, end), "}\n"));
    }

    fn end_of_line(&self) -> usize {
        self.text[self.at..].find('\n').map_or(self.text.len(), |i| self.at + i)
    }

    /// Whether only blanks stand before this place on its line.
    fn starts_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches(is_blank);
        before.is_empty() || before.ends_with('\n')
    }
}

/// Blanks, among them those that pages and editors put in.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\u{A0}' | '\u{FEFF}')
}

/// Letters of a word.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '\'')
}

fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..(range.start + part.trim_end().len()).max(start)
}
