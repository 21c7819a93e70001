//! Source texts and places in them.

use serde::{Deserialize, Serialize};

/// Which source text a [`Span`] lies in: an index into [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u16);

/// A range of bytes in one source text, end exclusive. A value that holds places is shown without them by `{:-?}`: two
/// texts that differ only in their layout have trees that look the same.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both; `other` must lie in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if f.sign_minus() {
            return f.write_str("_");
        }
        f.debug_struct("Span").field("file", &self.file).field("start", &self.start).field("end", &self.end).finish()
    }
}

/// A thing and the place where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The thing.
    pub node: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `node`, written at `span`.
    pub fn new(node: T, span: Span) -> Spanned<T> {
        Spanned { node, span }
    }
}

/// One source text.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path or the name of a shipped game, as diagnostics print it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// The source texts of one load: the file asked for and those it extends.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// No text yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a text and names it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(Source { name: name.into(), text: text.into() });
        FileId(self.files.len() as u16 - 1)
    }

    /// The text of `file`.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }

    /// The words at `span`.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of the start of `span`, both counted from 1, columns in characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.get(span.file).text;
        let before = text.get(..span.start as usize).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}
