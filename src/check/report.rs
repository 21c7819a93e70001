//! What was found, and which names were used, while a definition is read.

use crate::base::words::{all_of, nearest};
use crate::base::{Code, Diagnostic, Severity, Span};
use crate::syntax::{Word, foreign, is_language_word};
use std::collections::BTreeSet;

/// How many findings are kept; more would help nobody.
const MAX_FINDINGS: usize = 200;

/// To how many places one finding points.
const MAX_LABELS: usize = 6;

/// Findings and used names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub findings: Vec<Diagnostic>,
    /// How often something was found, repetitions too.
    pub said: usize,
    /// Whether an error was found.
    failed: bool,
    /// Pieces that were removed: name, what draws it, and where that is said.
    pub removed: Vec<(Word, String, Span)>,
    /// Names that only a variant has that was not chosen, and its name.
    pub elsewhere: Vec<(String, String)>,
    /// Places of the definitions of names that were used.
    pub used: BTreeSet<Span>,
    /// Whether the rules have been read: what is read now is of a test.
    pub of_test: bool,
}

impl Report {
    /// Keeps a finding, once; what points at more places of the same fault adds them to it.
    pub fn push(&mut self, mut finding: Diagnostic) {
        self.said += 1;
        self.failed |= finding.severity == Severity::Error;
        let missing = match finding.code {
            "no-hand" => "hand",
            "no-ladder" => "ladder",
            _ => "",
        };
        if let Some(help) = self.in_variant(missing) {
            finding.helps = vec![help];
        }
        if self.full() || self.findings.contains(&finding) {
            return;
        }
        let same =
            |f: &&mut Diagnostic| f.code == finding.code && f.span() == finding.span() && f.message == finding.message;
        match self.findings.iter_mut().find(same) {
            Some(known) => {
                let labels = finding.labels.into_iter().filter(|l| !known.labels.contains(l));
                let labels: Vec<_> = labels.take(MAX_LABELS.saturating_sub(known.labels.len())).collect();
                known.labels.extend(labels);
                known.severity = known.severity.min(finding.severity);
            }
            None => self.findings.push(finding),
        }
    }

    /// Keeps an error with one advice.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::error(code, message, span).help(help));
    }

    /// Notes that the name defined there is used.
    pub fn use_name(&mut self, defined: Span) {
        self.used.insert(defined);
    }

    /// Whether there are so many findings that no more are kept.
    pub fn full(&self) -> bool {
        self.findings.len() >= MAX_FINDINGS
    }

    /// Whether an error was found.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// What a name is that only a variant has.
    pub fn in_variant(&self, name: &str) -> Option<String> {
        let (_, variant) = self.elsewhere.iter().find(|(other, _)| other == name)?;
        Some(format!(
            "`{name}` is there only in the variant `{variant}`: write this line into its braces, or `with \"{variant}\"` behind the name of a test"
        ))
    }

    /// Adds what to do about a drawing that needs a piece which was removed at `span`.
    pub fn needs_removed(d: Diagnostic, name: &str, span: Span) -> Diagnostic {
        let help = match d.span().file == span.file {
            true => format!("leave `{name}` out here too, or keep the piece"),
            false => STILL_NEEDED.to_owned(),
        };
        d.label(span, format!("`{name}` is removed here")).help(help)
    }

    /// Says that there is no `what` of this name, and what there is.
    pub fn unknown(&mut self, code: Code, what: &str, word: &Word, known: &[(String, Option<Span>)]) {
        let mut d = Diagnostic::error(code, format!("there is no {what} called `{}`", word.node), word.span);
        if self.full() {
            return self.push(d);
        }
        if let Some((_, _, span)) = self.removed.iter().find(|(w, ..)| what == "piece" && w.node == word.node) {
            let error = match self.of_test {
                true => Report::needs_removed(d, &word.node, *span),
                false => still_needed(&word.node, *span, word.span),
            };
            return self.push(error);
        }
        if let Some(help) = self.in_variant(&word.node) {
            return self.push(d.help(help));
        }
        let place = match what {
            "direction" => "a direction",
            "option" => "a number",
            "zone" => "cells",
            "player" => "a player",
            "piece" => "a kind of piece",
            other => other,
        };
        let small = word.node.to_lowercase();
        let other = if what == "option" { "a condition" } else { "" };
        if let Some((help, cure)) = foreign::find([place, other, "anywhere"], &word.node) {
            if what == "option" {
                d.message = format!("`{}` means nothing here", word.node);
            }
            self.push(cure.add(d.help(help), word.span));
            return;
        }
        if small != word.node && is_language_word(&small) {
            d = d.help(format!("words of the language are written in small letters: `{small}`"));
            self.push(d.suggest(word.span, small));
            return;
        }
        match nearest(&word.node, known.iter().map(|(n, _)| n.as_str())) {
            Some(near) => {
                if let Some(Some(span)) = known.iter().find(|(n, _)| n == near).map(|(_, s)| *s) {
                    d = d.label(span, format!("`{near}` is defined here"));
                }
                d = d.help(format!("did you mean `{near}`?")).suggest(word.span, near);
            }
            None if known.is_empty() => d = d.help(format!("this game has no {what}; define `{}` first", word.node)),
            None => {
                let names: Vec<String> = known.iter().map(|(n, _)| format!("`{n}`")).take(16).collect();
                let dots = if known.len() > names.len() { " …" } else { "" };
                d = d.help(format!("there {} {}{dots}", if names.len() == 1 { "is" } else { "are" }, all_of(&names)));
            }
        }
        self.push(d);
    }
}

const STILL_NEEDED: &str =
    "keep the piece, or give the lines that need it up too with `without …`, or replace them with `override …`";

/// The error for the removal of a piece, at `removed`, that a line needs.
fn still_needed(name: &str, removed: Span, line: Span) -> Diagnostic {
    let message = format!("`{name}` is removed, and still needed elsewhere");
    Diagnostic::error("unknown-piece", message, removed).label(line, format!("this needs `{name}`")).help(STILL_NEEDED)
}
