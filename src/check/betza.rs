//! The notation of chess-variant authors, as in `betza "fmWfcF"`.

use crate::base::{Diagnostic, Span};
use crate::syntax::Word;
use crate::syntax::piece::Clause;

/// The clauses that the notation stands for; `span` is the whole line.
pub fn expand(word: &Word, span: Span) -> Result<Vec<Clause>, Box<Diagnostic>> {
    let _ = span;
    Err(Box::new(
        Diagnostic::error("not-yet", "this notation cannot be read yet", word.span).help("write the moves in words"),
    ))
}
