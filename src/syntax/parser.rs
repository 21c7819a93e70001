//! The grammar at work: from the text of one line to a [`Node`], and the verbs with which the other files of this
//! layer walk nodes to the tree. Each verb has one meaning:
//!
//! * `one(r)` the child of rule `r`, which the grammar demands; `opt(r)` the one it allows; `all(r)` every one;
//! * `only()` the first child that is neither a keyword nor punctuation; `first()` the first child of any kind;
//! * `has(r)` whether a keyword or phrase stands among the children;
//! * `read(r, f)`, `maybe(r, f)`, `list(r, f)`: as `one`, `opt`, `all`, each handed to `f`;
//! * `word()`, `number()`, `span()` the text, the value, the place; `strange()` the error if grammar and walk disagree.
//!
//! Nothing here panics on any text: a walk returns [`Read`], and what the grammar promised but did not keep is an error.

use super::expected::{self, Place};
use super::layout::{Block, Line};
use super::names;
use super::{MAX_ERRORS, Word};
use crate::base::{Diagnostic, FileId, Span, Spanned};
use pest::Parser;
use pest::iterators::Pair;
use std::ops::Range;
use std::str::FromStr;

#[allow(missing_docs)]
mod grammar {
    /// The grammar of the language, one file a family.
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/words.pest"]
    #[grammar = "grammar/game.pest"]
    #[grammar = "grammar/board.pest"]
    #[grammar = "grammar/expr.pest"]
    #[grammar = "grammar/piece.pest"]
    #[grammar = "grammar/rule.pest"]
    #[grammar = "grammar/turn.pest"]
    #[grammar = "grammar/ending.pest"]
    #[grammar = "grammar/setup.pest"]
    #[grammar = "grammar/test.pest"]
    pub struct Grammar;
}
pub(super) use grammar::{Grammar, Rule};

/// How many steps the grammar may take for one line; a line of ten thousand conditions stays below it.
const MAX_STEPS: usize = 20_000_000;

/// What reading a phrase gives.
pub(super) type Read<T> = Result<T, Box<Diagnostic>>;

/// A text that is being read, and the errors found so far.
pub(super) struct Reader<'i> {
    pub file: FileId,
    pub text: &'i str,
    pub errors: Vec<Diagnostic>,
}

impl<'i> Reader<'i> {
    /// The place of `range`.
    pub fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    /// Notes the error, if it is one.
    pub fn keep<T>(&mut self, read: Read<T>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(error) => {
                self.errors.push(*error);
                None
            }
        }
    }

    /// Whether there are so many errors that reading on would help nobody.
    pub fn full(&self) -> bool {
        self.errors.len() > MAX_ERRORS
    }

    /// Reads the head of a line.
    pub fn head(&self, rule: Rule, line: &Line, place: Place) -> Read<Node<'i>> {
        if let Some(broken) = &line.broken {
            return Err(broken.clone());
        }
        let brace = line.block.as_ref().map(|b| b.open);
        self.parse(rule, line.head.clone(), place, brace)
    }

    /// Reads what stands after the block of a line.
    pub fn tail(&self, rule: Rule, line: &Line, place: Place) -> Read<Node<'i>> {
        self.parse(rule, line.tail.clone(), place, None)
    }

    /// Reads the whole of `range` as `rule`.
    pub fn parse(&self, rule: Rule, range: Range<usize>, place: Place, brace: Option<usize>) -> Read<Node<'i>> {
        pest::set_call_limit(std::num::NonZeroUsize::new(MAX_STEPS));
        let part = self.text.get(range.clone()).unwrap_or("");
        match Grammar::parse(rule, part) {
            Ok(mut pairs) => match pairs.next() {
                Some(pair) => Ok(Node { pair, file: self.file, base: range.start }),
                None => {
                    let error = Diagnostic::error("syntax", "nothing to read", self.span(&range));
                    Err(Box::new(error.help("write a line here")))
                }
            },
            Err(error) => Err(Box::new(expected::diagnose(self, rule, range, &error, place, brace))),
        }
    }

    /// The block of a line that must have one.
    pub fn block<'l>(&self, line: &'l Line) -> Read<&'l Block> {
        line.block.as_ref().ok_or_else(|| {
            let end = line.head.end;
            let last = expected::tokens(self.text, line.head.clone()).pop().unwrap_or(line.head.clone());
            let message = format!("expected `{{` after `{}`", self.text.get(last).unwrap_or(""));
            let error = Diagnostic::error("syntax", message, self.span(&(end..end)));
            Box::new(error.help("write what belongs to it in braces, `{ … }`"))
        })
    }

    /// Refuses a block, and words after one, where `what` has none.
    pub fn no_block(&self, line: &Line, what: &str) -> Read<()> {
        match &line.block {
            None => Ok(()),
            Some(block) => {
                let span = self.span(&(block.open..block.open + 1));
                let error = Diagnostic::error("syntax", format!("{what} has no block in braces"), span);
                Err(Box::new(error.help("leave out the braces, or write the part in them as lines of their own")))
            }
        }
    }

    /// Refuses words after the block of a line.
    pub fn no_tail(&self, line: &Line) -> Read<()> {
        if line.tail.is_empty() {
            return Ok(());
        }
        let word = expected::token_at(self.text, line.tail.start, line.tail.end);
        let message = format!("unexpected `{}` after `}}`", &self.text[word.clone()]);
        let span = self.span(&word);
        let error = Diagnostic::error("syntax", message, span).help("begin a new line behind the `}`");
        Err(Box::new(error.suggest(Span { end: span.start, ..span }, "\n")))
    }

    /// Reads each line of a block; a broken one is noted and left out.
    pub fn lines<T>(&mut self, block: &Block, mut read: impl FnMut(&mut Reader<'i>, &Line) -> Read<T>) -> Vec<T> {
        let mut all = Vec::new();
        for line in &block.lines {
            if self.full() {
                break;
            }
            let result = read(self, line);
            all.extend(self.keep(result));
        }
        all
    }

    /// The quotes before a line, each without its `>`.
    pub fn quote(&self, line: &Line) -> Vec<String> {
        line.quote.iter().map(|q| self.text.get(q.clone()).unwrap_or("").to_owned()).collect()
    }

    /// Refuses a quote where no statement follows that could carry it.
    pub fn no_quote(&self, line: &Line) -> Read<()> {
        match line.quote.first() {
            None => Ok(()),
            Some(quote) => {
                let error = Diagnostic::error("syntax", "a quote of the rules cannot stand here", self.span(quote));
                Err(Box::new(error.help("put it before a statement or before a line of a piece")))
            }
        }
    }

    /// The error for an `otherwise` that follows no `when`.
    pub fn lone_otherwise(&self, line: &Line) -> Box<Diagnostic> {
        let message = "this `otherwise` follows no `when`";
        let error = Diagnostic::error("syntax", message, self.span(&line.head));
        Box::new(error.help("write it behind the `}` of a `when`"))
    }
}

/// A phrase as the grammar read it, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node<'i> {
    pair: Pair<'i, Rule>,
    file: FileId,
    /// Where the text that was parsed begins in the file.
    base: usize,
}

impl<'i> Node<'i> {
    /// Its rule.
    pub fn rule(&self) -> Rule {
        self.pair.as_rule()
    }

    /// Its words, up to the last token.
    pub fn text(&self) -> &'i str {
        let (start, end) = self.ends();
        let whole = self.pair.as_str();
        whole.get(..end - start).unwrap_or(whole)
    }

    /// Its place, from the first token to the last.
    pub fn span(&self) -> Span {
        let (start, end) = self.ends();
        Span::new(self.file, self.base + start, self.base + end)
    }

    // The grammar's own ends may take in blanks and comments behind the phrase; the last token does not.
    fn ends(&self) -> (usize, usize) {
        let start = self.pair.as_span().start();
        let mut last = self.pair.clone();
        while let Some(inner) = last.clone().into_inner().rev().find(|p| p.as_rule() != Rule::EOI) {
            last = inner;
        }
        (start, last.as_span().end().max(start))
    }

    fn node(&self, pair: Pair<'i, Rule>) -> Node<'i> {
        Node { pair, file: self.file, base: self.base }
    }

    /// All children.
    pub fn children(&self) -> impl Iterator<Item = Node<'i>> {
        let (file, base) = (self.file, self.base);
        self.pair.clone().into_inner().map(move |pair| Node { pair, file, base })
    }

    /// The children that are phrases: neither keywords nor punctuation.
    pub fn phrases(&self) -> impl Iterator<Item = Node<'i>> {
        self.children().filter(|n| !is_token(n.rule()))
    }

    /// The first child.
    pub fn first(&self) -> Read<Node<'i>> {
        self.children().next().ok_or_else(|| self.strange())
    }

    /// The first phrase.
    pub fn only(&self) -> Read<Node<'i>> {
        self.phrases().next().ok_or_else(|| self.strange())
    }

    /// The child of this rule, if there is one.
    pub fn opt(&self, rule: Rule) -> Option<Node<'i>> {
        self.pair.clone().into_inner().find(|p| p.as_rule() == rule).map(|p| self.node(p))
    }

    /// The child of this rule.
    pub fn one(&self, rule: Rule) -> Read<Node<'i>> {
        self.opt(rule).ok_or_else(|| self.strange())
    }

    /// The children of this rule.
    pub fn all(&self, rule: Rule) -> impl Iterator<Item = Node<'i>> {
        self.children().filter(move |n| n.rule() == rule)
    }

    /// Whether a child has this rule.
    pub fn has(&self, rule: Rule) -> bool {
        self.opt(rule).is_some()
    }

    /// Reads the child of this rule.
    pub fn read<T>(&self, rule: Rule, read: impl FnOnce(Node<'i>) -> Read<T>) -> Read<T> {
        read(self.one(rule)?)
    }

    /// Reads the child of this rule, if there is one.
    pub fn maybe<T>(&self, rule: Rule, read: impl FnOnce(Node<'i>) -> Read<T>) -> Read<Option<T>> {
        self.opt(rule).map(read).transpose()
    }

    /// Reads the children of this rule.
    pub fn list<T>(&self, rule: Rule, read: impl FnMut(Node<'i>) -> Read<T>) -> Read<Vec<T>> {
        self.all(rule).map(read).collect()
    }

    /// Its words with their place; of a text in quotes, what stands between them.
    pub fn word(&self) -> Word {
        let (text, span) = (self.text(), self.span());
        match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            Some(inner) => Spanned::new(inner.to_owned(), Span { start: span.start + 1, end: span.end - 1, ..span }),
            None => Spanned::new(text.to_owned(), span),
        }
    }

    /// The whole number it is.
    pub fn number<T: FromStr>(&self) -> Read<Spanned<T>> {
        match self.text().parse() {
            Ok(number) => Ok(Spanned::new(number, self.span())),
            Err(_) => {
                let error = Diagnostic::error("syntax", "this number is too large", self.span());
                Err(Box::new(error.help("write a smaller one; no number of a game has so many digits")))
            }
        }
    }

    /// The words of the children of this rule.
    pub fn words(&self, rule: Rule) -> Vec<Word> {
        self.all(rule).map(|n| n.word()).collect()
    }

    /// The error if the walk meets what it does not know; no text should lead here.
    pub fn strange(&self) -> Box<Diagnostic> {
        let error = Diagnostic::error("syntax", format!("`{}` cannot be read here", self.text()), self.span());
        Box::new(error.help("say it in another way"))
    }
}

/// Whether a rule is a keyword, a punctuation mark or the end.
pub(super) fn is_token(rule: Rule) -> bool {
    rule == Rule::EOI || names::is_keyword(rule) || names::punctuation(rule).is_some()
}
