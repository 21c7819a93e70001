//! One layout for every definition.
//!
//! What an author may choose stays: where lines end, which blocks stand on one line, blank lines, comments, and which
//! columns line up. All else is settled here: indentation, blanks between words, where braces stand, how far columns
//! are moved. It works on the signs of a text, as [`super::layout`] cuts it, and on no meaning.

use super::expected::is_language_word;
use super::layout::{JOINING, is_blank, is_word};
use super::parse;
use crate::base::{Diagnostic, FileId, Severity};
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// How far a block is moved in, in columns.
const INDENT: usize = 2;

/// Where comments behind statements begin, unless a statement is longer.
const COMMENT_COLUMN: usize = 34;

/// The text in its canonical layout. Formatting it once more changes nothing, and its syntax tree is that of the text
/// but for the places.
///
/// # Errors
/// The syntax errors of the text, if it has any.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, errors) = parse(file, text);
    if errors.iter().any(|e| e.severity == Severity::Error) {
        return Err(errors);
    }
    let tokens = tokens(text);
    let mut printer = Printer::new(&tokens);
    for at in 0..tokens.len() {
        printer.token(at);
    }
    printer.end_statement();
    printer.end_row();
    let mut rows = printer.rows;
    shift_diagrams(&mut rows);
    align_columns(&mut rows);
    align_comments(&mut rows);
    let mut out = String::with_capacity(text.len());
    for row in &rows {
        out.push_str(row.text().trim_end());
        out.push('\n');
    }
    Ok(out)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Sign,
    Text,
    /// All rows of diagrams that stand side by side.
    Diagram,
    Open,
    Close,
    Semicolon,
    Comment,
    Quote,
}

#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    text: &'a str,
    kind: Kind,
    /// Line breaks before it.
    breaks: usize,
    /// Blanks before it on its line.
    blanks: usize,
    /// Its column, from 0.
    column: usize,
}

impl Token<'_> {
    fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, Kind::Word | Kind::Sign)
    }

    fn joins(&self) -> bool {
        self.kind == Kind::Word && JOINING.contains(&self.text)
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut list: Vec<Token> = Vec::new();
    let (mut at, mut breaks, mut blanks, mut line) = (0, 0, 0, 0);
    while let Some(c) = text[at..].chars().next() {
        if c == '\n' || is_blank(c) {
            at += c.len_utf8();
            (breaks, blanks) = if c == '\n' { (breaks + 1, 0) } else { (breaks, blanks + 1) };
            line = if c == '\n' { at } else { line };
            continue;
        }
        let rest = &text[at..];
        let first = breaks > 0 || list.is_empty();
        let (kind, length) = token(rest, first, list.last());
        let column = text[line..at].trim_start_matches('\u{FEFF}').chars().count();
        let token = rest[..length].trim_end();
        list.push(Token { text: token, kind, breaks, blanks, column });
        at += length;
        (breaks, blanks) = (0, 0);
    }
    list
}

/// What a text begins with, and how long that is, in bytes.
fn token(rest: &str, first: bool, before: Option<&Token>) -> (Kind, usize) {
    let line = rest.find('\n').unwrap_or(rest.len());
    let c = rest.as_bytes()[0];
    match c {
        b'#' => return (Kind::Comment, line),
        b'>' if first => return (Kind::Quote, line),
        b'"' => return (Kind::Text, rest[1..].find('"').map_or(line, |i| i + 2).min(line)),
        b'|' => return (Kind::Diagram, rows(&rest[..line])),
        b'{' => return (Kind::Open, 1),
        b'}' => return (Kind::Close, 1),
        b';' => return (Kind::Semicolon, 1),
        _ => {}
    }
    if let Some(sign) = ["+=", "-=", "<=", ">=", ".."].into_iter().find(|s| rest.starts_with(s)) {
        return (Kind::Sign, sign.len());
    }
    if c == b'-' {
        // A minus sign belongs to the number behind it, unless a number stands before it.
        let unary = ["when", "and", "or", "not", "if", "unless", "as", "highest", "lowest", "most"];
        let operand = before.is_some_and(|t| t.is(")") || t.kind == Kind::Word && !unary.contains(&t.text));
        if operand || !rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return (Kind::Sign, 1);
        }
    }
    match rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()) {
        0 => (Kind::Sign, rest.chars().next().map_or(1, char::len_utf8)),
        length => (Kind::Word, length),
    }
}

/// How long the rows at the beginning of a line are, with arrows between them.
fn rows(line: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = line[end..].trim_start_matches(is_blank);
        let start = line.len() - rest.len();
        end = match rest.as_bytes() {
            [b'|', ..] => start + rest[1..].find('|').map_or(rest.len(), |i| i + 2),
            [b'-', b'>', ..] => start + 2,
            _ => return end,
        };
    }
}

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Acts,
    Tests,
    Other,
}

struct Frame<'a> {
    holds: Holds,
    one_line: bool,
    statement: Statement<'a>,
}

/// The statement that is being printed.
#[derive(Default)]
struct Statement<'a> {
    words: Vec<&'a str>,
    /// The atoms of the row that begin a turn of a test, and whether a turn has several steps.
    turns: Vec<usize>,
    commas: bool,
}

impl Statement<'_> {
    fn begun(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether a diagram belongs to it wherever it begins.
    fn awaits_diagram(&self) -> bool {
        self.words.last().is_some_and(|w| ["setup", "expect"].contains(w))
    }

    /// Whether what follows is the texts of turns.
    fn lists_turns(&self) -> bool {
        match self.words.first() {
            Some(&("play" | "legal" | "illegal")) => true,
            Some(&"moves") => self.words.contains(&"="),
            Some(&"after") => !self.words.contains(&"expect"),
            _ => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowKind {
    /// A statement, or several.
    Code,
    /// Goes on with the statement before.
    Continuation,
    Diagram,
    /// A quote, a comment of its own, or nothing.
    Other,
}

struct Atom<'a> {
    text: &'a str,
    kind: Kind,
    /// Blanks before it.
    gap: usize,
    /// Whether the author left more than one.
    wide: bool,
    /// Whether it belongs to the text of a move.
    raw: bool,
}

struct Row<'a> {
    kind: RowKind,
    indent: usize,
    atoms: Vec<Atom<'a>>,
    comment: Option<&'a str>,
    /// Blanks before the comment.
    gap: usize,
}

impl Row<'_> {
    fn empty() -> Row<'static> {
        Row { kind: RowKind::Other, indent: 0, atoms: Vec::new(), comment: None, gap: 0 }
    }

    /// The columns up to the atom.
    fn width(&self, atoms: usize) -> usize {
        self.indent + self.atoms[..atoms].iter().map(|a| a.gap + a.text.width()).sum::<usize>()
    }

    fn text(&self) -> String {
        let mut text = " ".repeat(self.indent);
        for atom in &self.atoms {
            text.push_str(&" ".repeat(atom.gap));
            text.push_str(atom.text);
        }
        text.push_str(&" ".repeat(self.gap));
        text + self.comment.unwrap_or("")
    }
}

struct Printer<'a> {
    tokens: &'a [Token<'a>],
    rows: Vec<Row<'a>>,
    row: Row<'a>,
    stack: Vec<Frame<'a>>,
    statement: Statement<'a>,
    /// Comments between a head and its brace: they go behind it.
    waiting: Vec<&'a str>,
    /// How far the diagram is moved in.
    diagram: usize,
}

impl<'a> Printer<'a> {
    fn new(tokens: &'a [Token<'a>]) -> Printer<'a> {
        Printer {
            tokens,
            rows: Vec::new(),
            row: Row::empty(),
            stack: Vec::new(),
            statement: Statement::default(),
            waiting: Vec::new(),
            diagram: 0,
        }
    }

    fn indent(&self) -> usize {
        INDENT * self.stack.iter().filter(|f| !f.one_line).count()
    }

    fn in_one_line(&self) -> bool {
        self.stack.last().is_some_and(|f| f.one_line)
    }

    fn holds(&self) -> Holds {
        self.stack.last().map_or(Holds::Other, |f| f.holds)
    }

    /// The next token that is no comment.
    fn next(&self, at: usize) -> Option<&'a Token<'a>> {
        self.tokens[at + 1..].iter().find(|t| t.kind != Kind::Comment)
    }

    fn token(&mut self, at: usize) {
        let token = &self.tokens[at];
        match token.kind {
            Kind::Comment => return self.comment(at),
            Kind::Semicolon => return self.semicolon(at),
            Kind::Open => return self.open(at),
            Kind::Close => return self.close(at),
            Kind::Quote => {
                self.end_statement();
                self.begin(at, RowKind::Other, self.indent());
                let words = token.text[1..].trim();
                self.row.atoms.push(Atom { text: ">", kind: Kind::Quote, gap: 0, wide: false, raw: true });
                self.row.atoms.push(Atom { text: words, kind: Kind::Quote, gap: 1, wide: false, raw: true });
                return self.end_row();
            }
            Kind::Diagram if !self.in_one_line() => return self.diagram(at),
            _ => {}
        }
        let closed = self.row.atoms.last().filter(|a| a.kind == Kind::Close);
        let after_block = closed.is_some() && !token.joins() && !self.in_one_line();
        let rest = self.tokens.get(at + 2..).unwrap_or_default();
        let alternative = token.is("otherwise") && self.row.atoms.len() > 1 && on_one_line(rest);
        let fresh = self.row.atoms.is_empty() || self.row.kind == RowKind::Diagram;
        if token.breaks > 0 && token.joins() && self.statement.begun() {
            let level = usize::from(!(token.is("or") && self.holds() == Holds::Acts));
            self.begin(at, RowKind::Continuation, self.indent() + INDENT * level);
        } else if token.breaks > 0 || fresh || after_block && !alternative {
            self.end_statement();
            self.begin(at, RowKind::Code, self.indent());
        } else if after_block || closed.is_some() && !token.joins() {
            self.end_statement();
        }
        self.push(at);
    }

    /// Ends the row and begins another, with a blank line between them where the author has one.
    fn begin(&mut self, at: usize, kind: RowKind, indent: usize) {
        self.end_row();
        let after_open = self.rows.last().is_none_or(|r| r.atoms.last().is_some_and(|a| a.kind == Kind::Open));
        let token = &self.tokens[at];
        let inner = kind == RowKind::Continuation || token.kind == Kind::Close;
        // Diagrams that a semicolon keeps apart are kept apart by a blank line.
        let apart = token.kind == Kind::Diagram
            && !self.statement.begun()
            && self.rows.last().is_some_and(|r| r.kind == RowKind::Diagram);
        if (token.breaks > 1 || apart) && !after_open && !inner {
            self.rows.push(Row::empty());
        }
        self.row = Row { kind, indent, ..Row::empty() };
    }

    fn end_row(&mut self) {
        let row = std::mem::replace(&mut self.row, Row::empty());
        if !row.atoms.is_empty() || row.comment.is_some() {
            self.rows.push(row);
        }
        for comment in std::mem::take(&mut self.waiting) {
            let indent = self.indent();
            self.rows.push(Row { indent, comment: Some(comment), ..Row::empty() });
        }
    }

    fn end_statement(&mut self) {
        let statement = std::mem::take(&mut self.statement);
        if statement.commas {
            for atom in statement.turns.into_iter().skip(1) {
                self.row.atoms[atom].gap = 2;
            }
        }
    }

    /// Puts the token into the row.
    fn push(&mut self, at: usize) {
        let token = &self.tokens[at];
        let raw = self.holds() == Holds::Tests && self.statement.lists_turns() && !token.is("expect");
        let gap = match self.row.atoms.last() {
            None => false,
            Some(last) if last.raw && raw && !token.is(",") && last.text != "," => token.blanks > 0,
            Some(_) => self.apart(at),
        };
        if raw && token.is(",") {
            self.statement.commas = true;
        } else if raw && gap && self.row.atoms.last().is_some_and(|a| a.text != ",") {
            self.statement.turns.push(self.row.atoms.len());
        }
        let wide = token.blanks > 1 && token.breaks == 0;
        self.row.atoms.push(Atom { text: token.text, kind: token.kind, gap: usize::from(gap), wide, raw });
        self.statement.words.push(token.text);
    }

    /// Whether a blank stands between this token and the one before.
    fn apart(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|i| &self.tokens[i]) else { return false };
        let token = &self.tokens[at];
        if token.kind == Kind::Sign && [",", ")", ":", ".."].contains(&token.text) {
            return false;
        }
        if before.kind == Kind::Sign && ["(", ".."].contains(&before.text) {
            return false;
        }
        if token.is("(") {
            // A name with arguments, or a question to a number.
            let free = before.text.starts_with(|c: char| c.is_lowercase()) && !is_language_word(before.text);
            let called = free && self.statement.words.first() != Some(&"option");
            return !(before.kind == Kind::Word && (called || ["odd", "even"].contains(&before.text)));
        }
        // The two numbers of a leap.
        let text = |i: Option<usize>| i.and_then(|i| self.tokens.get(i)).map_or("", |t| t.text);
        let leap = self.statement.words.contains(&"leap");
        !(before.is(",") && leap && text(at.checked_sub(3)) == "(" && text(Some(at + 1)) == ")")
    }

    fn comment(&mut self, at: usize) {
        let token = &self.tokens[at];
        let next = self.next(at);
        if self.statement.begun() && next.is_some_and(|t| t.kind == Kind::Open) {
            return self.waiting.push(token.text);
        }
        if token.breaks == 0 && !self.row.atoms.is_empty() && self.row.comment.is_none() {
            self.row.comment = Some(token.text);
            return;
        }
        let goes_on = |t: &Token| t.joins() || t.kind == Kind::Diagram && self.statement.awaits_diagram();
        let inside = self.statement.begun() && next.is_some_and(goes_on);
        if !inside {
            self.end_statement();
        }
        self.begin(at, RowKind::Other, self.indent() + if inside { INDENT } else { 0 });
        self.row.comment = Some(token.text);
        // What follows is a row of its own.
        self.end_row();
    }

    fn semicolon(&mut self, at: usize) {
        self.end_statement();
        if self.row.kind == RowKind::Diagram {
            return;
        }
        let goes_on = self.tokens.get(at + 1).is_some_and(|t| {
            let ends = matches!(t.kind, Kind::Close | Kind::Comment | Kind::Semicolon);
            t.breaks == 0 && !ends && (t.kind != Kind::Diagram || self.in_one_line())
        });
        let Some(last) = self.row.atoms.last() else { return };
        let one_line = last.kind != Kind::Close || self.in_one_line() || self.row.atoms.len() > 1;
        if goes_on && one_line && last.kind != Kind::Open {
            self.row.atoms.push(Atom { text: ";", kind: Kind::Semicolon, gap: 0, wide: false, raw: false });
        }
    }

    fn open(&mut self, at: usize) {
        let rest = &self.tokens[at + 1..];
        let one_line = on_one_line(rest);
        let mut head = self.statement.words.iter().copied().skip_while(|w| *w == "override");
        let mut first = head.next();
        if first == Some("rule") {
            first = self.statement.words.iter().position(|w| *w == ":").map(|i| self.statement.words[i + 1]);
        }
        let holds = match first {
            Some("turn") => Holds::Acts,
            Some("test") => Holds::Tests,
            Some("when" | "otherwise") => self.holds(),
            _ => Holds::Other,
        };
        let gap = usize::from(!self.row.atoms.is_empty());
        let wide = self.tokens[at].blanks > 1 && self.tokens[at].breaks == 0;
        self.row.atoms.push(Atom { text: "{", kind: Kind::Open, gap, wide, raw: false });
        let statement = std::mem::take(&mut self.statement);
        self.stack.push(Frame { holds, one_line, statement });
        if !self.waiting.is_empty() {
            self.row.comment = Some(self.waiting.remove(0));
        }
        if !one_line && rest.first().is_some_and(|t| t.kind != Kind::Comment || t.breaks > 0) {
            self.end_row();
        }
    }

    fn close(&mut self, at: usize) {
        self.end_statement();
        let Some(frame) = self.stack.pop() else { return };
        if frame.one_line {
            let empty = self.row.atoms.last().is_some_and(|a| a.kind == Kind::Open);
            let gap = usize::from(!empty);
            self.row.atoms.push(Atom { text: "}", kind: Kind::Close, gap, wide: false, raw: false });
        } else {
            self.begin(at, RowKind::Code, self.indent());
            self.row.atoms.push(Atom { text: "}", kind: Kind::Close, gap: 0, wide: false, raw: false });
        }
        self.statement = frame.statement;
    }

    fn diagram(&mut self, at: usize) {
        let token = &self.tokens[at];
        let comments = self.tokens[..at].iter().rev().take_while(|t| t.kind == Kind::Comment);
        let breaks = token.breaks + comments.map(|t| t.breaks).sum::<usize>();
        let asked = self.statement.begun() && (breaks == 0 || self.statement.awaits_diagram());
        if !asked && (breaks != 1 || self.row.kind != RowKind::Diagram) {
            self.end_statement();
        }
        if !self.statement.begun() || asked {
            self.diagram = self.indent() + if asked { INDENT } else { 0 };
        }
        self.begin(at, if asked { RowKind::Continuation } else { RowKind::Diagram }, self.diagram);
        self.row.kind = RowKind::Diagram;
        self.row.gap = token.column;
        self.row.atoms.push(Atom { text: token.text, kind: Kind::Diagram, gap: 0, wide: false, raw: true });
        self.statement.words.push("|");
    }
}

/// Whether a block is on one line, or empty, by what follows its brace.
fn on_one_line(rest: &[Token]) -> bool {
    if rest.first().is_some_and(|t| t.kind == Kind::Close) {
        return true;
    }
    let mut depth = 1;
    for token in rest {
        if token.breaks > 0 || token.kind == Kind::Comment {
            return false;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
    }
    false
}

/// Puts the rows of a diagram below one another, or keeps where they stand to one another if each is moved against the last, as on a
/// board of hexagons.
fn shift_diagrams(rows: &mut [Row]) {
    for group in rows.chunk_by_mut(|a, b| a.kind == RowKind::Diagram && b.kind == RowKind::Diagram) {
        let least = group.iter().map(|r| r.gap).min().unwrap_or(0);
        let crooked = group.windows(2).any(|pair| pair[0].gap == pair[1].gap);
        for row in group.iter_mut().filter(|r| r.kind == RowKind::Diagram) {
            row.indent += if crooked { 0 } else { row.gap - least };
            row.gap = 0;
        }
    }
}

/// A place in a statement that may line up with the same place of its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    /// What follows `rule NAME:`.
    Labelled,
    /// The second word.
    Second,
    /// The text of a piece.
    Glyph,
    /// `wins`, `loses`.
    Verdict,
    /// `when`.
    When,
    /// `=`.
    Equals,
    /// The second mark of a face.
    Mark,
    /// `if`, `unless`.
    Guard,
    /// `{` of a block on one line.
    Block,
    /// What follows a semicolon.
    Next(usize),
}

/// Statements that line up with one another have the same class; `override` stands before it.
fn class(row: &Row) -> (bool, &'static str, String) {
    let override_ = row.atoms.first().is_some_and(|a| a.text == "override");
    let mut words = row.atoms.iter().skip(usize::from(override_)).map(|a| a.text);
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let class = match first {
        "players" | "board" | "symmetry" | "zone" | "ladder" | "hand" | "mark" if second != "of" => "head",
        "legal" | "illegal" => "legal",
        "top" | "bottom" | "front" | "back" | "left" | "right" if second == "=" => "face",
        "when" | "otherwise" => "case",
        "draw" | "mover" | "next" | "me" | "opponent" | "any" | "highest" | "lowest" => "result",
        name if name.starts_with(char::is_uppercase) && ["wins", "loses"].contains(&second) => "result",
        _ => "",
    };
    (override_, class, if class.is_empty() { first.to_owned() } else { String::new() })
}

/// The columns of a row: each with the number of its atom.
fn columns(row: &Row, class: &(bool, &'static str, String)) -> BTreeMap<Column, usize> {
    let mut found = BTreeMap::new();
    let (mut depth, mut semicolons, mut guarded) = (0, 0, false);
    let word = class.2.as_str();
    let start = usize::from(class.0);
    for (i, atom) in row.atoms.iter().enumerate().skip(start + 1) {
        let before = row.atoms[i - 1].text;
        let column = match (atom.kind, atom.text) {
            _ if depth > 0 => None,
            _ if i == start + 1 && ["head", "legal"].contains(&class.1) => Some(Column::Second),
            _ if before == ";" => Some(Column::Next(semicolons)),
            _ if atom.raw => None,
            (Kind::Text, _) if ["piece", "cube"].contains(&word) => Some(Column::Glyph),
            (Kind::Open, _) if i + 1 < row.atoms.len() => Some(Column::Block),
            (Kind::Word, "wins" | "loses") if class.1 == "result" => Some(Column::Verdict),
            (Kind::Word, "when") => Some(Column::When),
            (Kind::Word, "if" | "unless") => Some(Column::Guard),
            (Kind::Sign, "=") if !guarded && class.1 != "case" => Some(Column::Equals),
            _ if before == ":" && word == "rule" => Some(Column::Labelled),
            _ if before == "," && class.1 == "face" => Some(Column::Mark),
            _ => None,
        };
        guarded |= matches!(column, Some(Column::When | Column::Guard));
        if let Some(column) = column {
            found.entry(column).or_insert(i);
        }
        match atom.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Semicolon if depth == 0 => semicolons += 1,
            _ => {}
        }
    }
    found
}

/// Lines up the columns of neighbouring statements of one class, where the author has moved one of them.
fn align_columns(rows: &mut [Row]) {
    let mut paragraph: Vec<usize> = Vec::new();
    for i in 0..rows.len() {
        let row = &rows[i];
        let blank = row.atoms.is_empty() && row.comment.is_none();
        let apart = paragraph.first().is_some_and(|f| rows[*f].indent != row.indent);
        if blank || row.kind == RowKind::Code && apart {
            align_paragraph(rows, &std::mem::take(&mut paragraph));
        }
        if rows[i].kind == RowKind::Code {
            paragraph.push(i);
        }
    }
    align_paragraph(rows, &paragraph);
}

fn align_paragraph(rows: &mut [Row], paragraph: &[usize]) {
    let mut groups: BTreeMap<_, Vec<(Column, usize, usize)>> = BTreeMap::new();
    for &i in paragraph {
        let class = class(&rows[i]);
        for (column, atom) in columns(&rows[i], &class) {
            groups.entry((column, class.clone())).or_default().push((column, i, atom));
        }
    }
    for group in groups.into_values() {
        if group.iter().any(|(_, i, atom)| rows[*i].atoms[*atom].wide) {
            let widest = group.iter().map(|(_, i, atom)| rows[*i].width(*atom)).max().unwrap_or(0);
            for (_, i, atom) in group {
                rows[i].atoms[atom].gap += widest - rows[i].width(atom);
            }
        }
    }
}

/// Puts the comments of neighbouring rows below one another.
fn align_comments(rows: &mut [Row]) {
    let beside = |row: &Row| row.comment.is_some() && !row.atoms.is_empty();
    for group in rows.chunk_by_mut(|a, b| beside(a) && beside(b)) {
        let widest = group.iter().map(|r| r.width(r.atoms.len())).max().unwrap_or(0);
        let column = COMMENT_COLUMN.max(widest + 2);
        for row in group.iter_mut().filter(|r| beside(r)) {
            row.gap = column - row.width(row.atoms.len());
        }
    }
}
