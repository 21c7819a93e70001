//! `rulebook explain`.

use crate::base::codes::{self, KINDS, Kind};
use crate::front::cli::ExplainArgs;
use crate::front::output::{Failure, Out};
use anstyle::Style;

/// Explains one kind of finding, or lists them all.
pub fn run(out: &mut Out, args: &ExplainArgs) -> Result<bool, Failure> {
    let Some(word) = &args.code else {
        let width = KINDS.iter().map(|k| k.name.len()).max().unwrap_or(0);
        for Kind { number, name, meaning, .. } in KINDS {
            let number = out.paint(Style::new().bold(), number);
            out.line(format!("{number}  {name:<width$}  {meaning}"))?;
        }
        return Ok(true);
    };
    let Some(kind) = codes::find(word) else {
        let help = match codes::near(word) {
            Some(Kind { number, name, .. }) => format!("the nearest is {number}, `{name}`"),
            None => "`rulebook explain` lists all codes".to_owned(),
        };
        return Err(Failure::usage(format!("there is no code `{word}`")).help(help));
    };
    let title = format!("{} {}: {}", kind.number, kind.name, kind.meaning);
    out.line(out.paint(Style::new().bold(), &title))?;
    let mut code = false;
    for line in kind.page.lines().skip(1) {
        if line.starts_with("```") {
            code = !code;
        } else if code && !line.is_empty() {
            out.line(format!("    {line}"))?;
        } else {
            out.line(line)?;
        }
    }
    Ok(true)
}
