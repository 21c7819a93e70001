//! The file: head, statements, options and variants.

use super::Word;
use super::board::{Board, Symmetry, Zone};
use super::ending::{Outcome, Prefer};
use super::expr::{Cond, Define};
use super::piece::{Cube, Extend, Ladder, Piece};
use super::rule::{After, Counter, Forbid, Mark, Remember};
use super::setup::{Hand, Setup};
use super::test::Test;
use super::turn::Turn;
use crate::base::{Span, Spanned};

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
