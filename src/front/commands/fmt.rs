//! `rulebook fmt`.

use crate::base::{Sources, words};
use crate::front::cli::FmtArgs;
use crate::front::loading::{self, read_text};
use crate::front::output::{Failure, Out};
use crate::front::report;
use crate::syntax;
use similar::TextDiff;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Lays definitions out afresh. One that has errors, or cannot be read, does not keep the others from it.
pub fn run(out: &mut Out, args: &FmtArgs) -> Result<bool, Failure> {
    let mut unread = None;
    let mut good = true;
    for name in &args.files {
        let done = match name.as_str() {
            "-" => stdin(out, args.check),
            _ => definitions(Path::new(name)).and_then(|files| {
                files.iter().try_fold(true, |good, file| Ok(file_in_place(out, file, args.check)? && good))
            }),
        };
        match done {
            Ok(fine) => good &= fine,
            Err(failure) => {
                if let Some(earlier) = unread.replace(failure) {
                    let _ = earlier.report(out);
                }
            }
        }
    }
    unread.map_or(Ok(good), Err)
}

/// The definitions that are meant by a path: the file, or those in the folder and below it.
fn definitions(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let failed = |e: std::io::Error| Failure::usage(format!("cannot read `{}`: {e}", path.display()));
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        entries.push((entry.path(), entry.file_type().map_err(failed)?));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    let mut files = Vec::new();
    for (entry, kind) in entries {
        if kind.is_dir() {
            files.extend(definitions(&entry)?);
        } else if entry.extension().is_some_and(|e| e == "game") {
            files.push(entry);
        }
    }
    Ok(files)
}

/// The layout of a text; its errors are printed.
fn laid_out(out: &mut Out, name: &str, text: &str) -> Option<String> {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    syntax::format(file, text)
        .map_err(|errors| {
            out.error(report::render(&errors, &sources, out.color_err));
            out.error(format!("{name}: not touched, {}\n", words::count(errors.len(), "error")));
        })
        .ok()
}

fn stdin(out: &mut Out, check: bool) -> Result<bool, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().take(syntax::MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    let text = loading::utf8(bytes).map_err(|e| Failure::usage(format!("cannot read the input: {e}")))?;
    let Some(formatted) = laid_out(out, "stdin", &text) else { return Ok(false) };
    if check {
        return compare(out, "stdin", &text, &formatted);
    }
    out.print(formatted)?;
    Ok(true)
}

fn file_in_place(out: &mut Out, path: &Path, check: bool) -> Result<bool, Failure> {
    let name = path.display().to_string();
    let text = read_text(path).map_err(|e| Failure::usage(format!("cannot read `{name}`: {e}")))?;
    let Some(formatted) = laid_out(out, &name, &text) else { return Ok(false) };
    if check {
        return compare(out, &name, &text, &formatted);
    }
    if formatted != text {
        std::fs::write(path, formatted).map_err(|e| Failure::usage(format!("cannot write `{name}`: {e}")))?;
        out.line(format!("{name}: laid out afresh"))?;
    }
    Ok(true)
}

/// Shows what would change.
fn compare(out: &mut Out, name: &str, text: &str, formatted: &str) -> Result<bool, Failure> {
    if text == formatted {
        return Ok(true);
    }
    let diff = TextDiff::from_lines(text, formatted);
    out.print(diff.unified_diff().context_radius(2).header(name, "formatted").to_string())?;
    Ok(false)
}
