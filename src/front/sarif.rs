//! Findings as a SARIF 2.1.0 log: the format in which editors and review tools read the findings of many programs.

use super::json::Place;
use crate::base::codes::Kind;
use crate::base::{Diagnostic, Sources, Span};
use serde_json::{Value, json};

/// A log in the making.
#[derive(Default)]
pub struct Log {
    rules: Vec<&'static Kind>,
    results: Vec<Value>,
}

impl Log {
    /// Adds the findings of a file.
    pub fn add(&mut self, sources: &Sources, findings: &[Diagnostic]) {
        for finding in findings {
            let kind = finding.kind();
            let rule = self.rules.iter().position(|k| *k == kind).unwrap_or_else(|| {
                self.rules.push(kind);
                self.rules.len() - 1
            });
            self.results.push(result(sources, finding, rule));
        }
    }

    /// The whole log.
    pub fn finish(self) -> Value {
        let rules: Vec<Value> = self.rules.into_iter().map(rule).collect();
        json!({
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": "Rulebook", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        })
    }
}

fn rule(kind: &Kind) -> Value {
    let words = kind.name.split('-').filter_map(|w| Some((w.get(..1)?.to_uppercase(), w.get(1..)?)));
    json!({
        "id": kind.number,
        "name": words.map(|(first, rest)| first + rest).collect::<String>(),
        "shortDescription": { "text": kind.meaning },
        "fullDescription": { "text": kind.text() },
        "help": { "text": kind.page, "markdown": kind.page },
    })
}

fn result(sources: &Sources, d: &Diagnostic, rule: usize) -> Value {
    let advice = d.notes.iter().map(|n| format!("\nnote: {n}")).chain(d.helps.iter().map(|h| format!("\nhelp: {h}")));
    let mut result = json!({
        "ruleId": d.kind().number,
        "ruleIndex": rule,
        "level": d.severity,
        "message": { "text": advice.fold(d.message.clone(), |all, one| all + &one) },
        "locations": [location(sources, d.span(), &d.labels[0].text)],
    });
    let others = d.labels[1..].iter().enumerate().map(|(i, label)| {
        let mut other = location(sources, label.span, &label.text);
        other["id"] = (i + 1).into();
        other
    });
    if d.labels.len() > 1 {
        result["relatedLocations"] = others.collect();
    }
    if let Some(fix) = &d.fix {
        let place = Place::new(sources, fix.span);
        result["fixes"] = json!([{
            "description": { "text": if fix.certain { "correct it" } else { "what was probably meant" } },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(&place.file) },
                "replacements": [{ "deletedRegion": region(&place), "insertedContent": { "text": fix.text } }],
            }],
        }]);
    }
    result
}

fn location(sources: &Sources, span: Span, text: &str) -> Value {
    let place = Place::new(sources, span);
    let physical = json!({ "artifactLocation": { "uri": uri(&place.file) }, "region": region(&place) });
    if text.is_empty() {
        return json!({ "physicalLocation": physical });
    }
    json!({ "physicalLocation": physical, "message": { "text": text } })
}

fn region(place: &Place) -> Value {
    json!({
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    })
}

/// A path as a reference: what is not plain is written as bytes in hexadecimal.
fn uri(path: &str) -> String {
    path.bytes().fold(String::new(), |mut uri, byte| {
        match byte {
            b'\\' => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
        uri
    })
}
