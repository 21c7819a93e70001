//! Findings that only follow from others.

use super::texts::Texts;
use crate::base::{Diagnostic, Severity};
use crate::syntax::is_word;
use std::collections::BTreeSet;

/// What could not be read: nobody knows what it would have defined.
pub(crate) struct Broken {
    /// Whether there is any.
    any: bool,
    /// The words of its lines, as they are and as they are probably meant.
    words: BTreeSet<String>,
}

impl Broken {
    /// From the errors of reading.
    pub fn new(unread: &[Diagnostic], texts: &Texts) -> Broken {
        let errors: Vec<_> = unread.iter().filter(|d| d.severity == Severity::Error).collect();
        let lines = errors.iter().map(|d| texts.line_of(d.span()));
        let meant = errors.iter().filter_map(|d| d.fix.as_ref()).map(|fix| fix.text.as_str());
        let words = lines.chain(meant).flat_map(|text| text.split(|c| !is_word(c))).filter(|w| !w.is_empty());
        Broken { any: !errors.is_empty(), words: words.map(str::to_owned).collect() }
    }

    /// Whether a finding may be there only because of what could not be read: every warning, and that something is
    /// missing which one of those lines speaks of.
    pub fn explains(&self, finding: &Diagnostic) -> bool {
        let missing = match finding.code {
            "no-board" => "board",
            "no-players" => "players",
            "no-ladder" => "ladder",
            "no-hand" => "hand",
            "diagram" | "position" => "piece",
            code if code.starts_with("unknown-") || code == "nothing-to-change" => {
                // The message names it last, in backticks.
                let quoted = finding.message.rsplit('`').nth(1).unwrap_or("");
                quoted.rsplit(' ').next().unwrap_or("")
            }
            _ => "",
        };
        self.any && (finding.severity != Severity::Error || self.words.contains(missing))
    }
}
