//! What every layer needs and nothing of a game: source text, places in it, and diagnostics.

pub mod codes;
pub mod diagnostic;
pub mod source;
pub mod words;

pub use diagnostic::{Code, Diagnostic, Fix, Label, Severity};
pub use source::{FileId, Source, Sources, Span, Spanned};
