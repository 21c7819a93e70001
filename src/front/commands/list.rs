//! `rulebook list`.

use crate::front::cli::ListArgs;
use crate::front::json::{ListedGame, ListedOption, ListedValues, ListedVariant};
use crate::front::loading;
use crate::front::output::{Failure, Out};
use crate::games;
use anstyle::Style;

/// Lists the shipped games.
pub fn run(out: &mut Out, args: &ListArgs) -> Result<bool, Failure> {
    let mut listed = Vec::new();
    let mut good = true;
    for name in games::names() {
        let (_, definition, _) = loading::read(name)?;
        let Some(definition) = definition else {
            out.error(format!("`{name}` has errors; `rulebook check {name}` tells them\n"));
            good = false;
            continue;
        };
        listed.push(ListedGame {
            name: name.to_string(),
            title: definition.name().to_owned(),
            variants: definition.variants().into_iter().map(|v| ListedVariant { name: v.name, slug: v.slug }).collect(),
            options: definition
                .options()
                .into_iter()
                .map(|o| ListedOption { name: o.name, default: o.default, values: o.values.into(), text: o.text })
                .collect(),
        });
    }
    if args.output.json() {
        out.json(&listed)?;
        return Ok(good);
    }
    let width = listed.iter().map(|g| g.name.chars().count()).max().unwrap_or(0);
    for game in &listed {
        let mut line = out.paint(Style::new().bold(), &format!("{:<width$}", game.name));
        line.push_str(&format!("  {}", game.title));
        if !game.variants.is_empty() {
            let slugs: Vec<String> = game.variants.iter().map(|v| format!("+{}", v.slug)).collect();
            line.push_str(&format!("  {}", slugs.join(" ")));
        }
        for option in &game.options {
            line.push_str(&format!("  {}={}", option.name, option.default));
            line.push_str(&match &option.values {
                ListedValues::List(values) => format!(" ({})", values.join(", ")),
                ListedValues::Range { least, most } => format!(" ({least}..{most})"),
                ListedValues::YesNo => String::new(),
            });
        }
        out.line(line)?;
    }
    Ok(good)
}
