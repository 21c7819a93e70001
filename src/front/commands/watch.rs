//! `rulebook check --watch`.
//!
//! Editors save in many ways: they write into a file, or write another and rename it, or delete and create. Asking for
//! the state of a few files by name a few times a second sees all of them, on any file system.

use super::check;
use crate::front::cli::CheckArgs;
use crate::front::loading;
use crate::front::output::{Failure, Out};
use std::collections::BTreeMap;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How often the files are looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// What tells one state of a file from another; none if it is not there.
type State = Option<(SystemTime, u64)>;

/// Checks the definitions, and again whenever one of them, or one they extend, has changed. Ends only if the output does.
pub fn run(out: &mut Out, args: &CheckArgs) -> Result<bool, Failure> {
    let own: Vec<PathBuf> = args.files.iter().filter_map(|file| loading::path(file)).collect();
    if own.is_empty() {
        return Err(Failure::usage("there is nothing to watch: shipped games do not change")
            .help("give the path of a definition"));
    }
    let clears = std::io::stdout().is_terminal();
    loop {
        // The states are from before the check: what changes while it runs is seen at the next look.
        let paths = own.iter().cloned().chain(args.files.iter().flat_map(|file| loading::read_for(file)));
        let before = states(paths);
        if clears {
            out.print("\x1b[2J\x1b[3J\x1b[H")?;
        }
        match check::run(out, args) {
            Ok(_) => {}
            Err(Failure::Io(e)) if e.kind() == ErrorKind::BrokenPipe => return Ok(true),
            Err(failure) => {
                let _ = failure.report(out);
            }
        }
        out.line("")?;
        out.flush()?;
        out.error("watching; Ctrl-C ends\n");
        wait(before);
    }
}

fn states(paths: impl IntoIterator<Item = PathBuf>) -> BTreeMap<PathBuf, State> {
    paths.into_iter().map(|path| (state(&path), path)).map(|(state, path)| (path, state)).collect()
}

fn state(path: &Path) -> State {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Waits until the files differ from what they were, and are at rest.
fn wait(before: BTreeMap<PathBuf, State>) {
    let mut last = before.clone();
    loop {
        std::thread::sleep(PAUSE);
        let now = states(before.keys().cloned());
        if now != before && now == last {
            return;
        }
        last = now;
    }
}
