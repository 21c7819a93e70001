//! Options: named constants that are folded away before anything else is read.

use super::report::Report;
use crate::base::words::{nearest, one_of};
use crate::base::{Diagnostic, Span};
use crate::syntax::expr::{Comparison, Cond, CondKind, Count, IsWhat, Noun, Number, NumberKind, Operator, SetPhrase};
use crate::syntax::game::{Guard, OptionItem, Value, Values};
use crate::syntax::{Word, foreign};

/// The values an option offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choices {
    /// One of these.
    List(Vec<String>),
    /// A number from the first to the second.
    Range(i64, i64),
    /// `yes` or `no`.
    YesNo,
}

/// An option as a front end shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name.
    pub name: String,
    /// The value if nobody says otherwise.
    pub default: String,
    /// What it may be.
    pub values: Choices,
    /// What it decides; may be empty.
    pub text: String,
}

impl Choices {
    /// `yes or no`, `a, b or c`, `10 to 500`.
    pub fn describe(&self) -> String {
        match self {
            Choices::List(values) => one_of(&values.iter().map(|v| format!("`{v}`")).collect::<Vec<_>>()),
            Choices::Range(low, high) if (*low, *high) == ANY_NUMBER => "a whole number".to_owned(),
            Choices::Range(low, high) => format!("a number from {low} to {high}"),
            Choices::YesNo => "`yes` or `no`".to_owned(),
        }
    }

    /// Whether it offers this value.
    pub fn offers(&self, value: &str) -> bool {
        match self {
            Choices::List(values) => values.iter().any(|v| v == value),
            Choices::Range(low, high) => value.parse::<i64>().is_ok_and(|n| (*low..=*high).contains(&n)),
            Choices::YesNo => value == "yes" || value == "no",
        }
    }
}

/// What a number may be where nothing is said.
pub(crate) const ANY_NUMBER: (i64, i64) = (-1_000_000_000, 1_000_000_000);

/// How many options a game may have, and how many values one of them.
pub(crate) const MAX_OPTIONS: usize = 64;

/// An option with the value chosen for it.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub info: OptionInfo,
    pub span: Span,
    pub value: String,
}

/// All options of a game with their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub all: Vec<Setting>,
}

impl Settings {
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.all.iter().find(|s| s.info.name == name)
    }

    /// Adds an option, or replaces the one of its name.
    pub fn declare(&mut self, item: &OptionItem, report: &mut Report) {
        let Some(info) = info(item, report) else { return };
        let setting = Setting { value: info.default.clone(), span: item.name.span, info };
        match self.all.iter().position(|s| s.info.name == setting.info.name) {
            Some(old) => self.all[old] = setting,
            None if self.all.len() == MAX_OPTIONS => {
                let message = format!("there are more than {MAX_OPTIONS} options");
                report.error("too-many", item.name.span, message, "leave out those that nobody needs");
            }
            None => self.all.push(setting),
        }
    }

    /// The value of a yes/no option.
    pub fn flag(&self, name: &Word, report: &mut Report) -> Option<bool> {
        let setting = self.get(&name.node)?;
        report.use_name(setting.span);
        match setting.value.as_str() {
            "yes" => Some(true),
            "no" => Some(false),
            _ => {
                report.push(
                    Diagnostic::error(
                        "option-type",
                        format!("option `{}` is not a yes/no option", name.node),
                        name.span,
                    )
                    .label(setting.span, "defined here")
                    .help(format!(
                        "it is {}; compare it, as in `{} {}`",
                        setting.info.values.describe(),
                        name.node,
                        match setting.value.parse::<i64>() {
                            Ok(_) => format!("= {}", setting.value),
                            Err(_) => format!("is {}", setting.value),
                        }
                    )),
                );
                None
            }
        }
    }

    /// Whether the option has this value.
    pub fn is(&self, name: &Word, value: &Word, report: &mut Report) -> Option<bool> {
        let setting = self.get(&name.node)?;
        report.use_name(setting.span);
        if !setting.info.values.offers(&value.node) {
            let mut d = Diagnostic::error(
                "option-value",
                format!("option `{}` cannot be `{}`", name.node, value.node),
                value.span,
            )
            .label(setting.span, format!("it is {}", setting.info.values.describe()));
            d = suggest(d, value, &setting.info.values);
            report.push(d);
            return None;
        }
        Some(setting.value == value.node)
    }

    /// The value of a number option; `None` (said) if it is none, or no option at all (unsaid).
    pub fn number(&self, name: &Word, report: &mut Report) -> Option<i64> {
        let setting = self.get(&name.node)?;
        report.use_name(setting.span);
        match setting.value.parse::<i64>() {
            Ok(n) => Some(n),
            Err(_) => {
                report.push(
                    Diagnostic::error("option-type", format!("option `{}` is not a number", name.node), name.span)
                        .label(setting.span, format!("it is {}", setting.info.values.describe()))
                        .help(format!("to ask for its value write `{} is {}`", name.node, setting.value)),
                );
                None
            }
        }
    }

    /// A condition that must be decided by options alone.
    pub fn decide(&self, cond: &Cond, report: &mut Report) -> Option<bool> {
        match &cond.kind {
            CondKind::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|c| self.decide(c, report)).collect();
                parts.into_iter().collect::<Option<Vec<_>>>().map(|p| p.contains(&true))
            }
            CondKind::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|c| self.decide(c, report)).collect();
                parts.into_iter().collect::<Option<Vec<_>>>().map(|p| !p.contains(&false))
            }
            CondKind::Not(inner) => self.decide(inner, report).map(|b| !b),
            CondKind::Set(set) => match bare_word(set) {
                Some(word) if self.get(&word.node).is_some() => self.flag(&word, report),
                _ => self.only_options(cond, report),
            },
            CondKind::Is { set, negated, what: IsWhat::Names(values) } => match (bare_word(set), values.as_slice()) {
                (Some(word), [_, ..]) if self.get(&word.node).is_some() => {
                    let hits: Vec<_> = values.iter().map(|v| self.is(&word, v, report)).collect();
                    hits.into_iter().collect::<Option<Vec<_>>>().map(|h| h.contains(&true) != *negated)
                }
                _ => self.only_options(cond, report),
            },
            CondKind::Compare { left, op, right } => {
                let (l, r) = (self.decide_number(left, report), self.decide_number(right, report));
                let (l, r) = (l?, r?);
                Some(match op {
                    Comparison::Equal => l == r,
                    Comparison::Less => l < r,
                    Comparison::AtMost => l <= r,
                    Comparison::Greater => l > r,
                    Comparison::AtLeast => l >= r,
                })
            }
            _ => self.only_options(cond, report),
        }
    }

    fn decide_number(&self, number: &Number, report: &mut Report) -> Option<i64> {
        match &number.kind {
            NumberKind::Literal(n) => Some(*n),
            NumberKind::Word(word, None) if self.get(&word.node).is_some() => self.number(word, report),
            NumberKind::Binary(a, op, b) => {
                let (a, b) = (self.decide_number(a, report), self.decide_number(b, report));
                let (a, b) = (a?, b?);
                Some(match op {
                    Operator::Plus => a.saturating_add(b),
                    Operator::Minus => a.saturating_sub(b),
                    Operator::Times => a.saturating_mul(b),
                })
            }
            _ => {
                self.complain(number.span, report);
                None
            }
        }
    }

    fn only_options(&self, cond: &Cond, report: &mut Report) -> Option<bool> {
        self.complain(cond.span, report);
        None
    }

    fn complain(&self, span: Span, report: &mut Report) {
        let names: Vec<String> = self.all.iter().map(|s| format!("`{}`", s.info.name)).collect();
        let d = Diagnostic::error("not-an-option", "whether a statement stands can depend on options only", span);
        let d = d.help("a condition on the position goes into the sentence itself, as in `draw when … and …`");
        report.push(if names.is_empty() {
            d.help("this game has no options; `option NAME = yes \"…\"` makes one")
        } else {
            d.help(format!("its options are {}", crate::base::words::all_of(&names)))
        });
    }

    /// Whether all guards hold; `None` if one is not about options (said).
    pub fn allow(&self, guards: &[Guard], report: &mut Report) -> Option<bool> {
        let all: Vec<_> = guards.iter().map(|g| self.decide(&g.cond, report).map(|b| b != g.negated)).collect();
        all.into_iter().collect::<Option<Vec<_>>>().map(|a| !a.contains(&false))
    }

    /// A count as a number; an unknown option is said.
    pub fn count(&self, count: &Count, report: &mut Report) -> Option<(i64, Span)> {
        match count {
            Count::Number(n) => Some((n.node, n.span)),
            Count::Option(word) => {
                if self.get(&word.node).is_none() {
                    let known: Vec<_> = self.all.iter().map(|s| (s.info.name.clone(), Some(s.span))).collect();
                    report.unknown("unknown-option", "option", word, &known);
                    return None;
                }
                self.number(word, report).map(|n| (n, word.span))
            }
        }
    }
}

/// Adds the nearest of the values offered, or all of them.
pub(crate) fn suggest(d: Diagnostic, value: &Word, choices: &Choices) -> Diagnostic {
    let list: Vec<String> = match choices {
        Choices::List(values) => values.clone(),
        Choices::YesNo => vec!["yes".to_owned(), "no".to_owned()],
        Choices::Range(..) => Vec::new(),
    };
    match nearest(&value.node, list.iter().map(String::as_str)) {
        Some(near) => d.help(format!("did you mean `{near}`?")).suggest(value.span, near),
        None => d.help(format!("it is {}", choices.describe())),
    }
}

/// The word, if the phrase is nothing but a word.
pub(crate) fn bare_word(phrase: &SetPhrase) -> Option<Word> {
    match (&phrase.count, phrase.adjectives.as_slice(), phrase.nouns.as_slice(), phrase.relations.as_slice()) {
        (None, [], [noun], []) => match &noun.node {
            Noun::Word(name) => Some(Word::new(name.clone(), noun.span)),
            _ => None,
        },
        _ => None,
    }
}

fn text_of(value: &Value) -> (String, Span) {
    match value {
        Value::Number(n) => (n.node.to_string(), n.span),
        Value::Word(w) => (w.node.clone(), w.span),
    }
}

/// What the statement declares.
pub(crate) fn info(item: &OptionItem, report: &mut Report) -> Option<OptionInfo> {
    let (default, at) = text_of(&item.default);
    let values = match &item.values {
        Values::Listed(values) => {
            if let Some(value) = values.get(MAX_OPTIONS) {
                let message = format!("an option may have at most {MAX_OPTIONS} values");
                report.error("too-many", text_of(value).1, message, "for numbers give a range, as in `(1..100)`");
                return None;
            }
            let mut list: Vec<String> = Vec::new();
            for value in values {
                let (text, span) = text_of(value);
                let first = values.iter().map(text_of).find(|(t, _)| *t == text).map_or(span, |(_, at)| at);
                if first != span {
                    report.push(
                        Diagnostic::error("option-value", format!("`{text}` is listed twice"), span)
                            .label(first, "first listed here")
                            .help("name each value once"),
                    );
                } else {
                    list.push(text);
                }
            }
            match list.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["yes", "no"] | ["no", "yes"] => Choices::YesNo,
                _ => Choices::List(list),
            }
        }
        Values::Range(low, high) => {
            if low.node > high.node {
                report.push(
                    Diagnostic::error("option-value", "this range is empty", low.span.to(high.span))
                        .help(format!("write the smaller number first: `({}..{})`", high.node, low.node))
                        .fix(low.span.to(high.span), format!("{}..{}", high.node, low.node)),
                );
                return None;
            }
            Choices::Range(low.node, high.node)
        }
        Values::Unsaid => match default.as_str() {
            "yes" | "no" => Choices::YesNo,
            d if d.parse::<i64>().is_ok() => Choices::Range(ANY_NUMBER.0, ANY_NUMBER.1),
            d => {
                let name = &item.name.node;
                let error = Diagnostic::error("option-value", format!("option `{name}` does not say its values"), at);
                let list = format!(
                    "list the words it can be, as in `option {name} = {d} ({d}, never)`; an option is `yes` or `no` without a list, and a number as in `{name} = 5 (1..9)`"
                );
                report.push(match foreign::find(["a value"], d) {
                    Some((help, cure)) => cure.add(error.help(help), at),
                    None => error.help(list),
                });
                return None;
            }
        },
    };
    if !values.offers(&default) {
        report.push(
            Diagnostic::error("option-value", format!("the default `{default}` is not among the values"), at).help(
                format!(
                    "option `{}` is {}; choose one of these, or add `{default}` to them",
                    item.name.node,
                    values.describe()
                ),
            ),
        );
        return None;
    }
    let text = item.text.as_ref().map(|t| t.node.clone()).unwrap_or_default();
    Some(OptionInfo { name: item.name.node.clone(), default, values, text })
}
