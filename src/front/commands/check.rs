//! `rulebook check`.

use crate::base::Severity;
use crate::front::cli::CheckArgs;
use crate::front::json::{Checked, Finding};
use crate::front::output::{Failure, Out};
use crate::front::{loading, report};
use anstyle::{AnsiColor, Style};

/// Checks each definition. A file that cannot be read does not keep the others from being checked.
pub fn run(out: &mut Out, args: &CheckArgs) -> Result<bool, Failure> {
    let mut checked = Vec::new();
    let mut unread = None;
    let mut good = true;
    for file in &args.files {
        let (sources, definition, mut diagnostics) = match loading::read(file) {
            Ok(read) => read,
            Err(failure) => {
                if let Some(earlier) = unread.replace(failure) {
                    let _ = earlier.report(out);
                }
                continue;
            }
        };
        if let Some(definition) = &definition {
            // What could not be read makes what is left look odd: then only errors are worth telling.
            let broken = diagnostics.iter().any(|d| d.severity == Severity::Error);
            for diagnostic in definition.check() {
                let telling = diagnostic.severity == Severity::Error || !broken;
                if telling && !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
        }
        let errors = diagnostics.iter().any(|d| d.severity == Severity::Error || args.strict);
        let ok = !errors && definition.is_some();
        good &= ok;
        if args.json {
            let findings = diagnostics.iter().map(|d| Finding::new(&sources, d)).collect();
            checked.push(Checked { file: file.clone(), ok, findings });
            continue;
        }
        out.print(report::render(&diagnostics, &sources, out.color))?;
        let color = if ok { AnsiColor::BrightGreen } else { AnsiColor::BrightRed };
        let verdict = match report::summary(&diagnostics) {
            None if ok => "ok".to_owned(),
            None => "cannot be read as a game".to_owned(),
            Some(summary) if ok => format!("ok, {summary}"),
            Some(summary) => summary,
        };
        let verdict = out.paint(Style::new().bold().fg_color(Some(color.into())), &verdict);
        out.line(format!("{file}: {verdict}"))?;
    }
    if args.json {
        out.json(&checked)?;
    }
    match unread {
        Some(failure) => Err(failure),
        None => Ok(good),
    }
}
