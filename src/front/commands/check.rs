//! `rulebook check`.

use super::trials::{self, Plan};
use crate::base::{Diagnostic, FileId, Severity, Sources, words};
use crate::check::{Definition, Selection};
use crate::engine::Game;
use crate::front::cli::{CheckArgs, CheckFormat};
use crate::front::json::{Finding, Trials};
use crate::front::output::{Failure, Out};
use crate::front::sarif::Log;
use crate::front::{loading, report};
use anstyle::{AnsiColor, Style};

/// So often at most a file is corrected and read again: what could not be read may hide more.
const MAX_ROUNDS: usize = 10;

/// Checks each definition. A file that cannot be read does not keep the others from being checked.
pub fn run(out: &mut Out, args: &CheckArgs) -> Result<bool, Failure> {
    let mut log = Log::default();
    let mut unread = None;
    let mut good = true;
    let worst = if args.strict { Severity::Warning } else { Severity::Error };
    for file in &args.files {
        let (sources, mut findings, definition) = match examine(out, file, args.fix) {
            Ok(found) => found,
            Err(failure) => {
                if let Some(earlier) = unread.replace(failure) {
                    let _ = earlier.report(out);
                }
                continue;
            }
        };
        let whole = definition.is_some();
        let mut tried = Vec::new();
        if let (Some(games), Some(definition), false) = (args.play, &definition, has_errors(&findings)) {
            let plan = Plan { games, seed: args.seed, max_turns: args.max_turns };
            let (more, played) = trials::run(out, file, definition, plan);
            findings.extend(more);
            findings.sort_by_key(|d| (d.span(), d.severity));
            tried = played;
        }
        let ok = whole && !findings.iter().any(|d| d.severity <= worst);
        good &= ok;
        match args.format {
            CheckFormat::Text => {
                trials::tell(out, file, &tried)?;
                tell(out, file, &sources, &findings, ok)?;
            }
            CheckFormat::Json => {
                for finding in &findings {
                    out.json_line(&Finding::new(&sources, finding))?;
                }
                if !tried.is_empty() {
                    let (seed, max_turns) = (args.seed, args.max_turns);
                    out.json_line(&Trials { file, seed, max_turns, played: &tried })?;
                }
            }
            CheckFormat::Sarif => log.add(&sources, &findings),
        }
    }
    if args.format == CheckFormat::Sarif {
        out.json(&log.finish())?;
    }
    match unread {
        Some(failure) => Err(failure),
        None => Ok(good),
    }
}

/// All findings of a definition, and the definition if it could be read as one; first corrected, if asked for.
fn examine(out: &mut Out, file: &str, fix: bool) -> Result<(Sources, Vec<Diagnostic>, Option<Definition>), Failure> {
    let mut corrected = 0;
    for _ in 0..MAX_ROUNDS {
        let (sources, definition, found) = loading::read(file)?;
        let findings = definition.as_ref().map_or(found, all);
        let (text, done) = correct(&sources.get(FileId(0)).text, &findings);
        if !fix || done == 0 || !loading::is_path(file) {
            if corrected > 0 {
                out.error(format!("{file}: {} made\n", words::count(corrected, "correction")));
            }
            return Ok((sources, findings, definition));
        }
        corrected += done;
        std::fs::write(file, text).map_err(|e| Failure::usage(format!("cannot write `{file}`: {e}")))?;
    }
    examine(out, file, false)
}

fn has_errors(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|d| d.severity == Severity::Error)
}

/// What is found in a definition, and that it cannot be played, if so.
fn all(definition: &Definition) -> Vec<Diagnostic> {
    let mut findings = definition.check();
    let told = has_errors(&findings) || findings.iter().any(|d| d.code == "players");
    if let (false, Ok(compiled)) = (told, definition.compile(&Selection::default()))
        && let Err(why) = Game::new(compiled.game)
        && let Some(file) = definition.files().last()
    {
        let error = Diagnostic::error("unplayable", why.to_string(), file.name.span);
        findings.insert(0, error.help("use less of what is too much; the rules themselves are right"));
    }
    findings
}

/// The text with every certain correction in it that overlaps no earlier one, and how many these are.
fn correct(text: &str, findings: &[Diagnostic]) -> (String, usize) {
    let fixes = findings.iter().filter_map(|d| d.fix.as_ref());
    let mut fixes: Vec<_> = fixes.filter(|fix| fix.certain && fix.span.file == FileId(0)).collect();
    fixes.sort_by_key(|fix| fix.span);
    let (mut corrected, mut at, mut done) = (String::new(), 0, 0);
    for fix in fixes {
        let (start, end) = (fix.span.start as usize, fix.span.end as usize);
        let touches = done > 0 && start <= at;
        if let (false, Some(before)) = (touches, text.get(at..start)) {
            corrected.push_str(before);
            corrected.push_str(&fix.text);
            (at, done) = (end, done + 1);
        }
    }
    corrected.push_str(text.get(at..).unwrap_or(""));
    (corrected, done)
}

fn tell(out: &mut Out, file: &str, sources: &Sources, findings: &[Diagnostic], ok: bool) -> Result<(), Failure> {
    out.print(report::render(findings, sources, out.color))?;
    let color = if ok { AnsiColor::BrightGreen } else { AnsiColor::BrightRed };
    let verdict = match report::summary(findings) {
        None if ok => "ok".to_owned(),
        None => "cannot be read as a game".to_owned(),
        Some(summary) if ok => format!("ok, {summary}"),
        Some(summary) => summary,
    };
    let verdict = out.paint(Style::new().bold().fg_color(Some(color.into())), &verdict);
    out.line(format!("{file}: {verdict}"))?;
    if let Some(more) = report::more(findings) {
        out.line(more)?;
    }
    Ok(())
}
