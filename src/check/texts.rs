//! The author's words at a place: a copy of the sources that a definition was read from.

use crate::base::{FileId, Sources, Span};
use crate::ir::place::Place;
use std::collections::BTreeMap;

/// The texts of a definition and of those it extends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    files: BTreeMap<FileId, String>,
}

impl Texts {
    /// Keeps a copy of `file`.
    pub fn keep(&mut self, sources: &Sources, file: FileId) {
        self.files.insert(file, sources.get(file).text.clone());
    }

    /// The words at `span`.
    pub fn slice(&self, span: Span) -> &str {
        self.files.get(&span.file).and_then(|t| t.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// `span` with the blanks and the word before it.
    pub fn with_word(&self, span: Span, word: &str) -> Span {
        let start = span.start as usize;
        let before = self.files.get(&span.file).and_then(|t| t.get(..start)).unwrap_or("");
        let cut = before.trim_end().strip_suffix(word).map_or(start, |rest| rest.trim_end_matches([' ', '\t']).len());
        Span { start: cut as u32, ..span }
    }

    /// What stands on its line before `span`.
    pub fn before(&self, span: Span) -> &str {
        let text = self.files.get(&span.file).and_then(|t| t.get(..span.start as usize)).unwrap_or("");
        &text[text.rfind('\n').map_or(0, |i| i + 1)..]
    }

    /// The whole line in which `span` begins.
    pub fn line_of(&self, span: Span) -> &str {
        let text = self.files.get(&span.file).map_or("", String::as_str);
        let at = span.start as usize;
        let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return "" };
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let end = after.find('\n').map_or(text.len(), |i| at + i);
        &text[start..end]
    }

    /// The words at `span`, and the place.
    pub fn place(&self, span: Span) -> Place {
        Place { text: self.line(span), span }
    }

    /// The words at `span` on one line, without comments.
    pub fn line(&self, span: Span) -> String {
        let mut out = String::new();
        for line in self.slice(span).lines() {
            for word in strip_comment(line).split_whitespace() {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(word);
            }
        }
        out
    }
}

/// `line` up to a `#` outside of a string.
fn strip_comment(line: &str) -> &str {
    let mut quoted = false;
    for (i, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..i],
            _ => {}
        }
    }
    line
}

/// A name as the command line takes it: lower case, blanks as hyphens.
pub(crate) fn slug(name: &str) -> String {
    name.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// The words of a text as names are written.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
}
