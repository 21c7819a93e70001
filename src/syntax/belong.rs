//! Where statements may stand, and which words may stand around them: what would be read and then be of no use is told.

use super::game::{Guard, Item, ItemKind};
use crate::base::{Diagnostic, Span};

/// The braces around a statement.
#[derive(Clone, Copy, Default)]
pub(super) struct Inside<'a> {
    /// The name of the variant.
    pub variant: Option<&'a str>,
    /// Whether a `when` is the innermost.
    pub when: bool,
}

/// What is wrong with where a statement stands, and with the words around it.
pub(super) fn astray(item: &Item, inside: Inside) -> Vec<Diagnostic> {
    let word = word(&item.kind);
    let mut found: Vec<Diagnostic> = misplaced(item, word, inside).into_iter().collect();
    if let (Some(overrides), Some(why)) = (item.overrides, overrides_nothing(&item.kind)) {
        let error = Diagnostic::error("syntax", format!("`{word}` cannot follow `override`"), overrides);
        found.push(error.help(why).suggest(Span { end: overrides.end + 1, ..overrides }, ""));
    }
    if let Some(label) = &item.label
        && !matches!(item.kind, ItemKind::After(_) | ItemKind::Outcome(_) | ItemKind::Forbid(_) | ItemKind::Prefer(_))
    {
        let help = match &item.kind {
            ItemKind::Test(_) | ItemKind::Variant(_) => format!("a {word} has its name in quotes"),
            _ if overrides_nothing(&item.kind).is_some() => {
                "nothing can change this line, so it needs no name".to_owned()
            }
            ItemKind::Players(_)
            | ItemKind::Board(_)
            | ItemKind::Symmetry(_)
            | ItemKind::Ladder(_)
            | ItemKind::Hand(_)
            | ItemKind::Setup(_)
            | ItemKind::Turn(_) => format!("it is there once: `override {word} …` and `without {word}` find it"),
            _ => format!("it is found by its name: `override {word} NAME …`, `without {word} NAME`"),
        };
        let start = item.overrides.map_or(item.span.start, |o| o.end + 1);
        let error = Diagnostic::error("syntax", format!("`{word}` has no label"), label.span);
        let whole = Span { start, end: label.span.end + 2, ..item.span };
        found.push(
            error.help(format!("{help}; only results, `after`, `forbid` and `prefer` have labels")).suggest(whole, ""),
        );
    }
    if let (Some(guard), Some(help)) = (item.only.first(), unguarded(&item.kind)) {
        found.push(refused(word, guard, help));
    }
    found
}

fn refused(word: &str, guard: &Guard, help: &str) -> Diagnostic {
    Diagnostic::error("syntax", format!("`{word}` stands whatever options say"), guard.span).help(help)
}

fn misplaced(item: &Item, word: &str, inside: Inside) -> Option<Diagnostic> {
    let what = match (inside.when, inside.variant) {
        (true, _) => "a `when`",
        (false, Some(_)) => "a variant",
        (false, None) => return None,
    };
    let help = match (&item.kind, inside.variant) {
        (ItemKind::Test(test), Some(variant)) => format!(
            "write it behind the braces, and with what it is played: `test \"{}\" with \"{variant}\" {{ … }}`",
            test.name.node
        ),
        (ItemKind::Test(test), None) => format!(
            "write it behind the braces, and with what it is played: `test \"{}\" with OPTION = VALUE {{ … }}`",
            test.name.node
        ),
        (ItemKind::Variant(_), _) if inside.when => {
            "a variant can always be chosen; write it outside, and `when … { … }` into its braces".to_owned()
        }
        (ItemKind::Variant(v), Some(variant)) => format!(
            "write it behind the `}}` of \"{variant}\"; \"{variant}\" and \"{}\" can then be chosen together",
            v.name.node
        ),
        (ItemKind::By { .. } | ItemKind::About { .. }, _) => {
            "it is said of the game, whatever is chosen: write it below `game`".to_owned()
        }
        _ => return None,
    };
    let start = Span { end: item.span.start + word.len() as u32, ..item.span };
    Some(Diagnostic::error("unknown-statement", format!("no line of {what} begins with `{word}`"), start).help(help))
}

/// Why the statement takes the place of none.
fn overrides_nothing(kind: &ItemKind) -> Option<&'static str> {
    Some(match kind {
        ItemKind::By { .. } | ItemKind::About { .. } => "what is said of a game is not inherited; leave out `override`",
        ItemKind::Test(_) => "tests are not inherited; leave out `override`",
        ItemKind::Variant(_) => {
            "variants are inherited as they are; leave out `override`, and give this one a name of its own"
        }
        ItemKind::Extend(_) => {
            "`extend` adds to what is there; leave out `override`, or write `override piece …` for a new body"
        }
        ItemKind::Without(_) => "`without` takes away by itself; leave out `override`",
        ItemKind::When { .. } => "write `override` before the statements in the braces",
        _ => return None,
    })
}

/// What to do where options cannot decide whether the statement stands.
fn unguarded(kind: &ItemKind) -> Option<&'static str> {
    Some(match kind {
        ItemKind::Variant(_) => "a variant can always be chosen; write `when … { … }` into its braces",
        ItemKind::Option(_) => "which options there are depends on nothing; let what the option changes depend on both",
        ItemKind::By { .. } | ItemKind::About { .. } => {
            "it is said of the game, whatever is chosen; leave out the condition"
        }
        _ => return None,
    })
}

/// The word with which it begins.
fn word(kind: &ItemKind) -> &'static str {
    match kind {
        ItemKind::By { .. } => "by",
        ItemKind::About { what: super::game::AboutKind::About, .. } => "about",
        ItemKind::About { what: super::game::AboutKind::Source, .. } => "source",
        ItemKind::Players(_) => "players",
        ItemKind::Board(_) => "board",
        ItemKind::Symmetry(_) => "symmetry",
        ItemKind::Zone(_) => "zone",
        ItemKind::Ladder(_) => "ladder",
        ItemKind::Hand(_) => "hand",
        ItemKind::Piece(_) => "piece",
        ItemKind::Extend(_) => "extend",
        ItemKind::Cube(_) => "cube",
        ItemKind::Remember(_) => "remember",
        ItemKind::Counter(_) => "counter",
        ItemKind::Mark(_) => "mark",
        ItemKind::Option(_) => "option",
        ItemKind::Define(_) => "define",
        ItemKind::Setup(_) => "setup",
        ItemKind::Turn(_) => "turn",
        ItemKind::Prefer(_) => "prefer",
        ItemKind::After(_) => "after",
        ItemKind::Forbid(_) => "forbid",
        ItemKind::Outcome(_) => "a result",
        ItemKind::Without(_) => "without",
        ItemKind::Variant(_) => "variant",
        ItemKind::When { .. } => "when",
        ItemKind::Test(_) => "test",
    }
}
