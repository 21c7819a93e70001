//! Text to syntax tree. One file per family of the language, as in the grammar; the tree keeps the author's words and
//! places, and knows no meaning: names are not resolved, phrases are not typed.

#![allow(missing_docs, reason = "a variant's doc line is the source text it stands for; its fields are named in it")]
#![allow(clippy::large_enum_variant, reason = "a tree is built once and read once")]

mod advice;
mod belong;
pub mod board;
pub mod ending;
mod expected;
pub mod expr;
pub(crate) mod foreign;
mod format;
pub mod game;
mod layout;
mod names;
mod parser;
pub mod piece;
pub mod rule;
pub mod setup;
pub mod test;
pub mod turn;

use crate::base::{Diagnostic, FileId, Span, Spanned};
use expected::Place;
pub(crate) use expected::is_language_word;
pub use format::format;
pub use layout::is_word;
use parser::{Reader, Rule};

/// A word of the author's (a piece, player, zone, option …) with its place.
pub type Word = Spanned<String>;

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// The longest line of a text, from one line break to the next, in bytes.
pub const MAX_LINE: usize = 256 << 10;

/// How many errors of one text are kept; more would help nobody.
const MAX_ERRORS: usize = 100;

/// Reads one file. Gives the tree of all statements that could be read, and every syntax error found, in the order of
/// the text; the tree is missing only if the text does not begin with `game "Name"`.
pub fn parse(file: FileId, text: &str) -> (Option<game::File>, Vec<Diagnostic>) {
    if let Some(error) = too_long(file, text) {
        return (None, vec![error]);
    }
    let strange = control_characters(file, text);
    if !strange.is_empty() {
        return (None, strange);
    }
    let (lines, errors) = layout::layout(file, text);
    let mut reader = Reader { file, text, errors };
    let tree = game::read_file(&mut reader, &lines);
    let mut errors = reader.errors;
    errors.sort_by_key(|e| e.span());
    if errors.len() > MAX_ERRORS {
        errors.truncate(MAX_ERRORS);
        if let Some(last) = errors.last_mut() {
            last.notes.push("there are more errors, which are not shown".to_owned());
        }
    }
    (tree, errors)
}

/// Reads one condition, as typed at a prompt.
pub fn parse_cond(file: FileId, text: &str) -> Result<expr::Cond, Box<Diagnostic>> {
    if let Some(error) = too_long(file, text) {
        return Err(Box::new(error));
    }
    let (lines, errors) = layout::layout(file, text);
    if let Some(error) = errors.into_iter().next() {
        return Err(Box::new(error));
    }
    let reader = Reader { file, text, errors: Vec::new() };
    match lines.as_slice() {
        [line] if line.quote.is_empty() => {
            reader.no_block(line, "a condition")?;
            expr::cond(reader.head(Rule::cond_line, line, Place::Condition)?.one(Rule::cond)?)
        }
        _ => {
            let span = Span::new(file, 0, text.len());
            let error = Diagnostic::error("syntax", "expected one condition", span);
            Err(Box::new(error.help("for example `d4 is empty`")))
        }
    }
}

/// Characters that steer a terminal have no place in a definition.
fn control_characters(file: FileId, text: &str) -> Vec<Diagnostic> {
    let all = text.char_indices().filter(|(_, c)| c.is_control() && !['\n', '\r', '\t'].contains(c));
    let told = all.take(MAX_ERRORS).map(|(at, c)| {
        let message = format!("the control character U+{:04X} is not allowed", c as u32);
        let span = Span::new(file, at, at + c.len_utf8());
        let error = Diagnostic::error("control-character", message, span);
        error.help("remove it; a definition is plain text").fix(span, "")
    });
    told.collect()
}

/// What is wrong with a text that is too long, or has a line that is.
fn too_long(file: FileId, text: &str) -> Option<Diagnostic> {
    if text.len() > MAX_TEXT {
        let message = format!("a text of more than {} MB is not read", MAX_TEXT >> 20);
        let error = Diagnostic::error("too-long", message, Span::new(file, 0, 0));
        return Some(error.help("see whether this file is a definition at all"));
    }
    let line = text.split('\n').find(|line| line.len() > MAX_LINE)?;
    let at = line.as_ptr() as usize - text.as_ptr() as usize;
    let message = format!("this line has more than {} KB", MAX_LINE >> 10);
    Some(Diagnostic::error("too-long", message, Span::new(file, at, at)).help("write it on several lines"))
}
