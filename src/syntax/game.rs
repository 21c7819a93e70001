//! The file: head, statements, options and variants.

use super::Word;
use super::belong::{Inside, astray};
use super::board::{self, Board, Symmetry, Zone};
use super::ending::{self, Outcome, Prefer};
use super::expected::{self, Place};
use super::expr::{self, Cond, Define};
use super::layout::Line;
use super::names;
use super::parser::{Node, Read, Reader, Rule};
use super::piece::{self, Cube, Extend, Ladder, Piece};
use super::rule::{self, After, Counter, Forbid, Mark, Remember};
use super::setup::{self, Hand, Setup};
use super::test::{self, Test};
use super::turn::{self, Turn};
use crate::base::{Diagnostic, Span, Spanned};

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// `game "Name"`.
    pub name: Word,
    /// `extends "chess"`.
    pub extends: Option<Word>,
    /// The statements in file order.
    pub items: Vec<Item>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// `override …`: replaces the inherited statement with the same key.
    pub overrides: Option<Span>,
    /// `rule label: …`: a name by which heirs and variants can replace or remove the statement.
    pub label: Option<Word>,
    /// What it says.
    pub kind: ItemKind,
    /// A trailing `if C` or `unless C` over options (results, afters, forbids and setups have their own conditions and
    /// do not use it).
    pub only: Vec<Guard>,
    /// The whole statement.
    pub span: Span,
    /// Lines that start with `>` just before the statement: the rulebook's own words.
    pub quote: Vec<String>,
}

/// `if C` or `unless C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// `unless`.
    pub negated: bool,
    /// C.
    pub cond: Cond,
    /// From the word `if` or `unless` to the end.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `by "Name", 2001`.
    By { author: Word, year: Option<Spanned<i64>> },
    /// `about "…"`, `source "…"`: said of the game, without meaning for play.
    About { what: AboutKind, text: Word },
    /// `players White, Black`.
    Players(Vec<Word>),
    /// `board 8x8`.
    Board(Board),
    /// `symmetry mirror`.
    Symmetry(Symmetry),
    /// `zone start = dark in rank 1..2`.
    Zone(Zone),
    /// `ladder A < B 2 < C 3`.
    Ladder(Ladder),
    /// `hand 12 Stone`.
    Hand(Hand),
    /// `piece Rook "R" { … }`.
    Piece(Piece),
    /// `extend Pawn { … }`.
    Extend(Extend),
    /// `cube Samurai "S" { … }`.
    Cube(Cube),
    /// `remember f when C`.
    Remember(Remember),
    /// `counter checks = 0 each`.
    Counter(Counter),
    /// `mark passed for 1 turn`.
    Mark(Mark),
    /// `option ties = draw (draw, mover) "…"`.
    Option(OptionItem),
    /// `define x = …`.
    Define(Define),
    /// `setup …`.
    Setup(Setup),
    /// `turn { … }`.
    Turn(Turn),
    /// `prefer most captured pieces`.
    Prefer(Prefer),
    /// `after move { … }`.
    After(After),
    /// `forbid capture when C`.
    Forbid(Forbid),
    /// `mover wins when C`.
    Outcome(Outcome),
    /// `without rule dead`, `without piece Queen`, `without draw when …`.
    Without(Key),
    /// `variant "Polarity" { … }`.
    Variant(Variant),
    /// `when ties is mover { statements }`: statements that stand only if the option says so.
    When { cond: Cond, items: Vec<Item>, otherwise: Vec<Item> },
    /// `test "…" { … }`.
    Test(Test),
}

/// What an `about` line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AboutKind {
    /// `about`.
    About,
    /// `source`.
    Source,
}

/// `option NAME = DEFAULT (VALUES) "text"`.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionItem {
    /// Its name.
    pub name: Word,
    /// The value if nobody says otherwise.
    pub default: Value,
    /// The values offered; none means `yes` and `no` for a yes/no default, and any number for a number.
    pub values: Values,
    /// What it decides.
    pub text: Option<Word>,
}

/// The values an option offers.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Not said.
    Unsaid,
    /// `(off, whole-turn, move-only)`.
    Listed(Vec<Value>),
    /// `(10..500)`.
    Range(Spanned<i64>, Spanned<i64>),
}

/// A value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(Spanned<i64>),
    /// A word, among them `yes` and `no`.
    Word(Word),
}

/// `variant "Polarity" { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name; on the command line in lower case with hyphens for blanks.
    pub name: Word,
    /// What it changes.
    pub items: Vec<Item>,
}

/// Which statement `without` removes.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// `without rule label`.
    Label(Word),
    /// `without turn`, `without hand`, `without setup`, `without ladder`.
    Word(Word),
    /// `without piece Queen`, `without zone home`, `without mark passed` …: kind and name.
    Named(Word, Word),
    /// `without draw when`, `without after capture`, `without forbid drop`: the header of an unlabelled statement.
    Header(Word),
}

/// Reads a whole file; none if it has no head.
pub(super) fn read_file(reader: &mut Reader, lines: &[Line]) -> Option<File> {
    let Some(first) = lines.first() else {
        let error = Diagnostic::error("syntax", "the file is empty", reader.span(&(0..0)));
        reader.errors.push(error.help("the first line of a file is `game \"Name\"`"));
        return None;
    };
    let head = head(reader, first);
    let head = reader.keep(head);
    // A file without a head has its first statement on the first line.
    let headless = reader.text.get(first.head.clone()).is_some_and(expected::is_statement);
    let rest = if head.is_none() && headless { lines } else { &lines[1..] };
    let items = items(reader, rest, Inside::default());
    head.map(|(name, extends)| File { name, extends, items })
}

fn head(reader: &mut Reader, line: &Line) -> Read<(Word, Option<Word>)> {
    reader.no_quote(line)?;
    let node = reader.head(Rule::game_line, line, Place::Head)?;
    reader.no_block(line, "`game`")?;
    let mut texts = node.words(Rule::string).into_iter();
    let name = texts.next().ok_or_else(|| node.strange())?;
    Ok((name, texts.next()))
}

fn items(reader: &mut Reader, lines: &[Line], inside: Inside) -> Vec<Item> {
    let mut all: Vec<Item> = Vec::new();
    for line in lines {
        if reader.full() {
            break;
        }
        let read = item(reader, line, &mut all, inside);
        all.extend(reader.keep(read).flatten());
    }
    all
}

fn block_items(reader: &mut Reader, line: &Line, inside: Inside) -> Read<Vec<Item>> {
    let block = reader.block(line)?;
    Ok(items(reader, &block.lines, inside))
}

/// Reads one statement; an `otherwise` goes into the `when` before it.
fn item(reader: &mut Reader, line: &Line, before: &mut [Item], inside: Inside) -> Read<Option<Item>> {
    if let (true, Some(quote)) = (line.head.is_empty() && line.block.is_none(), line.quote.first()) {
        let error = Diagnostic::error("syntax", "no statement follows this quote of the rules", reader.span(quote));
        return Err(Box::new(
            error.help("put it before the statement that it belongs to, or make it a comment with `#`"),
        ));
    }
    let n = reader.head(Rule::item_line, line, Place::Statement)?;
    let kind = n.phrases().find(|p| !matches!(p.rule(), Rule::label | Rule::guard)).ok_or_else(|| n.strange())?;
    if kind.rule() == Rule::otherwise_head {
        let statements = block_items(reader, line, Inside { when: true, ..inside })?;
        match before.last_mut() {
            Some(Item { kind: ItemKind::When { otherwise, .. }, span, .. }) if otherwise.is_empty() => {
                *otherwise = statements;
                *span = span.to(reader.span(&line.range()));
            }
            _ => return Err(reader.lone_otherwise(line)),
        }
        return reader.no_tail(line).map(|()| None);
    }
    let mut only = n.list(Rule::guard, guard)?;
    let rule = kind.rule();
    let kind = item_kind(reader, kind, line, inside)?;
    if let ItemKind::Piece(_) | ItemKind::Extend(_) | ItemKind::Cube(_) | ItemKind::Turn(_) | ItemKind::Variant(_) =
        kind
    {
        only.extend(reader.tail(Rule::guards_line, line, Place::Tail)?.list(Rule::guard, guard)?);
    } else {
        if !matches!(kind, ItemKind::After(_) | ItemKind::When { .. } | ItemKind::Test(_) | ItemKind::Setup(_)) {
            reader.no_block(line, &names::name(rule).unwrap_or_else(|| "this statement".to_owned()))?;
        }
        reader.no_tail(line)?;
    }
    let item = Item {
        overrides: n.opt(Rule::k_override).map(|n| n.span()),
        label: n.maybe(Rule::label, |n| Ok(n.one(Rule::new_word)?.word()))?,
        kind,
        only,
        span: reader.span(&line.range()),
        quote: reader.quote(line),
    };
    reader.errors.extend(astray(&item, inside));
    Ok(Some(item))
}

fn item_kind(reader: &mut Reader, n: Node, line: &Line, inside: Inside) -> Read<ItemKind> {
    let text = || n.one(Rule::string).map(|n| n.word());
    Ok(match n.rule() {
        Rule::by => ItemKind::By { author: text()?, year: n.maybe(Rule::integer, |n| n.number())? },
        Rule::about => ItemKind::About { what: AboutKind::About, text: text()? },
        Rule::source => ItemKind::About { what: AboutKind::Source, text: text()? },
        Rule::players => ItemKind::Players(n.words(Rule::name)),
        Rule::board => ItemKind::Board(board::board(n)?),
        Rule::symmetry => ItemKind::Symmetry(board::symmetry(n)?),
        Rule::zone => ItemKind::Zone(board::zone(n)?),
        Rule::ladder => ItemKind::Ladder(piece::ladder(n)?),
        Rule::hand => ItemKind::Hand(setup::hand(n)?),
        Rule::piece_head => ItemKind::Piece(piece::piece(reader, n, line)?),
        Rule::extend_head => ItemKind::Extend(piece::extend(reader, n, line)?),
        Rule::cube_head => ItemKind::Cube(piece::cube(reader, n, line)?),
        Rule::remember => ItemKind::Remember(rule::remember(n)?),
        Rule::counter => ItemKind::Counter(rule::counter(n)?),
        Rule::mark_item => ItemKind::Mark(rule::mark(n)?),
        Rule::option => ItemKind::Option(option(n)?),
        Rule::define => ItemKind::Define(expr::define(n)?),
        Rule::setup => ItemKind::Setup(setup::setup(reader, n, line)?),
        Rule::turn_head => ItemKind::Turn(turn::turn(reader, line)?),
        Rule::prefer => ItemKind::Prefer(ending::prefer(n)?),
        Rule::after_head => ItemKind::After(rule::after(reader, n, line)?),
        Rule::forbid => ItemKind::Forbid(rule::forbid(n)?),
        Rule::outcome => ItemKind::Outcome(ending::outcome(n)?),
        Rule::without => ItemKind::Without(without(n)?),
        Rule::variant_head => {
            let name = text()?;
            let items = block_items(reader, line, Inside { variant: Some(&name.node), when: false })?;
            ItemKind::Variant(Variant { name, items })
        }
        Rule::when_head => {
            let cond = n.read(Rule::cond, expr::cond)?;
            let items = block_items(reader, line, Inside { when: true, ..inside })?;
            ItemKind::When { cond, items, otherwise: Vec::new() }
        }
        Rule::test_head => ItemKind::Test(test::test(reader, n, line)?),
        _ => return Err(n.strange()),
    })
}

/// Reads `if C` or `unless C`.
pub(super) fn guard(n: Node) -> Read<Guard> {
    Ok(Guard { negated: n.has(Rule::k_unless), cond: n.read(Rule::conj, expr::conj)?, span: n.span() })
}

fn option(n: Node) -> Read<OptionItem> {
    let values = if let Some(range) = n.opt(Rule::value_range) {
        let ends = range.list(Rule::integer, |n| n.number())?;
        let [from, to] = ends.as_slice() else {
            return Err(range.strange());
        };
        Values::Range(from.clone(), to.clone())
    } else if let Some(values) = n.opt(Rule::values) {
        Values::Listed(values.list(Rule::value, value)?)
    } else {
        Values::Unsaid
    };
    let name = n.one(Rule::new_word)?.word();
    let text = n.opt(Rule::string).map(|n| n.word());
    Ok(OptionItem { name, default: n.read(Rule::value, value)?, values, text })
}

fn value(n: Node) -> Read<Value> {
    match n.opt(Rule::integer) {
        Some(number) => Ok(Value::Number(number.number()?)),
        None => Ok(Value::Word(n.word())),
    }
}

fn without(n: Node) -> Read<Key> {
    let key = n.only()?;
    Ok(match key.rule() {
        Rule::without_label => Key::Label(key.one(Rule::word)?.word()),
        Rule::without_word => Key::Word(key.word()),
        Rule::without_named => Key::Named(key.first()?.word(), key.only()?.word()),
        Rule::without_header => {
            // `when` ends a header and is no part of it.
            let ends = |p: &Node| matches!(p.rule(), Rule::k_when | Rule::as_soon_as);
            let parts: Vec<Node> = key.children().filter(|p| !ends(p)).collect();
            let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Err(key.strange()) };
            let words: Vec<&str> = parts.iter().flat_map(|p| p.text().split_whitespace()).collect();
            Key::Header(Word::new(words.join(" "), first.span().to(last.span())))
        }
        _ => return Err(key.strange()),
    })
}
