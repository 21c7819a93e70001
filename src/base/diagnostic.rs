//! Diagnostics: what is wrong with a definition, where, and what to do.
//!
//! The voice: lower case, no full stop, the author's words in backticks, never a name of the implementation.

use super::codes::{self, Kind};
use super::source::Span;
use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The definition cannot be played.
    Error,
    /// It can be played, but probably does not say what its author means.
    Warning,
    /// Worth knowing, and no fault.
    Note,
}

/// The name of a kind of finding, such as `unknown-name`; [`codes::KINDS`] lists them all.
pub type Code = &'static str;

/// A place and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is said of it; may be empty.
    pub text: String,
}

/// A replacement that cures the fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// The new text.
    pub text: String,
    /// Whether it is surely what the author means; otherwise it is the nearest guess.
    pub certain: bool,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// The first label is the place of the fault; the others explain.
    pub labels: Vec<Label>,
    /// Facts that help to understand.
    pub notes: Vec<String>,
    /// What to do.
    pub helps: Vec<String>,
    /// A cure, or the nearest guess at one.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        debug_assert!(codes::find(code).is_some(), "`{code}` is not in the table of codes");
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            notes: Vec::new(),
            helps: Vec::new(),
            fix: None,
        }
    }

    /// A warning at `span`.
    pub fn warning(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message, span) }
    }

    /// A note at `span`.
    pub fn remark(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(code, message, span) }
    }

    /// Says something of the place of the fault.
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.labels[0].text = text.into();
        self
    }

    /// Points at one more place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds an advice.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// Adds a cure that can be applied unseen.
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { span, text: text.into(), certain: true });
        self
    }

    /// Adds a guess at what was meant.
    pub fn suggest(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(Fix { span, text: text.into(), certain: false });
        self
    }

    /// What kind of finding it is.
    pub fn kind(&self) -> &'static Kind {
        codes::find(self.code).unwrap_or(&codes::KINDS[0])
    }

    /// Where the fault is.
    pub fn span(&self) -> Span {
        self.labels[0].span
    }
}
