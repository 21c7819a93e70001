//! Findings that only follow from others.

use super::texts::Texts;
use crate::base::{Diagnostic, Severity, Span};
use crate::syntax::is_word;
use std::collections::BTreeSet;

/// What could not be read: nobody knows what it would have defined.
pub(crate) struct Broken {
    /// Whether there is any.
    any: bool,
    /// The words of its lines, as they are and as they are probably meant, in small letters.
    words: BTreeSet<String>,
    /// The words that may be meant by a line that begins no statement.
    meant: BTreeSet<String>,
    /// The first words of lines whose second word, a name, could not be read.
    nameless: BTreeSet<String>,
    places: Vec<Span>,
}

impl Broken {
    /// From the errors of reading.
    pub fn new(unread: &[Diagnostic], texts: &Texts) -> Broken {
        let errors: Vec<_> = unread.iter().filter(|d| d.severity == Severity::Error).collect();
        let lines = errors.iter().map(|d| texts.line_of(d.span()));
        let meant = errors.iter().filter_map(|d| d.fix.as_ref()).map(|fix| fix.text.as_str());
        let nameless = errors.iter().filter_map(|d| {
            let line = texts.line_of(d.span()).split(|c| !is_word(c)).find(|w| !w.is_empty())?;
            texts.before(d.span()).trim_end().ends_with(line).then(|| line.to_owned())
        });
        let helps = errors.iter().filter(|d| d.code == "unknown-statement").flat_map(|d| &d.helps);
        Broken {
            any: !errors.is_empty(),
            words: lines.chain(meant).flat_map(words).collect(),
            meant: helps.flat_map(|help| words(help)).collect(),
            nameless: nameless.collect(),
            places: errors.iter().map(|d| d.span()).collect(),
        }
    }

    /// Whether a finding may be there only because of what could not be read: every warning, and that something is
    /// missing which one of those lines speaks of.
    pub fn explains(&self, finding: &Diagnostic) -> bool {
        let place = finding.span();
        if self.places.iter().any(|p| p.file == place.file && place.start <= p.start && p.end <= place.end) {
            return true;
        }
        let kinds: &[&str] = match finding.code {
            "unknown-zone" => &["zone"],
            "unknown-mark" => &["mark"],
            "unknown-option" => &["option"],
            "unknown-name" => &["zone", "mark", "define", "counter", "remember"],
            _ => &[],
        };
        if kinds.iter().any(|kind| self.nameless.contains(*kind)) {
            return true;
        }
        let missing = match finding.code {
            // A line that could not be read may be the one that an act needs.
            "turn-empty" => return self.any,
            "no-board" | "no-players" | "no-hand" if self.meant.contains(finding.code.trim_start_matches("no-")) => {
                return true;
            }
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
        self.any && (finding.severity != Severity::Error || self.words.contains(&missing.to_lowercase()))
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c| !is_word(c)).filter(|w| !w.is_empty()).map(str::to_lowercase)
}
