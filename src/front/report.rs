//! Diagnostics as text, with the lines they speak of.

use crate::base::{Diagnostic, Severity, Sources, Span, codes, words};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Patch, Renderer, Snippet};
use std::ops::Range;

/// How many findings of a file are told; more would help nobody.
const MAX_TOLD: usize = 50;

/// All diagnostics, one below the other, up to a number; then how many more there are.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MAX_TOLD) {
        text.push_str(&renderer.render(&groups(diagnostic, sources)));
        text.push_str("\n\n");
    }
    if diagnostics.len() > MAX_TOLD {
        text.push_str(&format!("… and {} more\n\n", diagnostics.len() - MAX_TOLD));
    }
    text
}

/// `2 errors and 1 warning`, or nothing if there are none.
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let words = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let parts: Vec<String> = words
        .into_iter()
        .map(|(severity, noun)| (count(severity), noun))
        .filter(|(n, _)| *n > 0)
        .map(|(n, noun)| words::count(n, noun))
        .collect();
    (!parts.is_empty()).then(|| words::all_of(&parts))
}

/// How to learn more of what was found.
pub fn more(diagnostics: &[Diagnostic]) -> Option<String> {
    let mut codes: Vec<&str> = diagnostics.iter().map(|d| d.kind().number).collect();
    codes.sort_unstable();
    codes.dedup();
    match codes.as_slice() {
        [] => None,
        [one] => Some(format!("`rulebook explain {one}` tells more")),
        [first, ..] => Some(format!("`rulebook explain {first}` tells more; so for {}", words::all_of(&codes[1..]))),
    }
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut main = level
        .primary_title(diagnostic.message.as_str())
        .id(codes::find(diagnostic.code).map_or(diagnostic.code, |kind| kind.number))
        .elements(Vec::<Snippet<'_, annotate_snippets::Annotation<'_>>>::new());
    // One snippet for each file, that of the fault first.
    let mut files = Vec::new();
    for label in &diagnostic.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    for file in files {
        let source = sources.get(file);
        let mut snippet = Snippet::source(source.text.as_str()).path(source.name.as_str());
        for (i, label) in diagnostic.labels.iter().enumerate().filter(|(_, l)| l.span.file == file) {
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range(label.span, &source.text));
            snippet = snippet.annotation(if label.text.is_empty() {
                annotation
            } else {
                annotation.label(label.text.as_str())
            });
        }
        main = main.element(snippet);
    }
    for note in &diagnostic.notes {
        main = main.element(Level::NOTE.message(note.as_str()));
    }
    for help in &diagnostic.helps {
        main = main.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![main];
    if let Some(fix) = &diagnostic.fix {
        let source = sources.get(fix.span.file);
        let patch = Patch::new(range(fix.span, &source.text), fix.text.as_str());
        let snippet = Snippet::source(source.text.as_str()).path(source.name.as_str()).patch(patch);
        let title = if fix.certain { "change it like this" } else { "perhaps you mean this" };
        groups.push(Level::HELP.secondary_title(title).element(snippet));
    }
    groups
}

/// The bytes of a span, kept within the text and on the borders of characters.
fn range(span: Span, text: &str) -> Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}
