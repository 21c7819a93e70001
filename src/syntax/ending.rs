//! Results and preferences.

use super::expr::{self, Cond, Number, SetPhrase, Who};
use super::game::{self, Guard};
use super::parser::{Node, Read, Rule};
use crate::base::Span;

/// `WHO wins when C`, `draw as soon as C`, `highest N wins when C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What happens.
    pub verdict: Verdict,
    /// `as soon as`: tried after each step too.
    pub at_once: bool,
    /// When.
    pub cond: Cond,
    /// From the first word to before `when`.
    pub header: Span,
}

/// What a result says.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// `WHO wins`.
    Wins(Who),
    /// `WHO loses`.
    Loses(Who),
    /// `draw`.
    Draw,
    /// `highest N wins`.
    Highest(Number),
    /// `lowest N wins`.
    Lowest(Number),
}

/// `prefer most SET|NUMBER [if C]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prefer {
    /// Of what.
    pub most: Most,
    /// Conditions over options.
    pub guards: Vec<Guard>,
}

/// What is counted.
#[derive(Clone, Debug, PartialEq)]
pub enum Most {
    /// The size of a set.
    Set(SetPhrase),
    /// A number.
    Number(Number),
}

/// Reads a result.
pub(super) fn outcome(n: Node) -> Read<Outcome> {
    let verdict_node = n.one(Rule::verdict)?;
    let header = verdict_node.span();
    let at_once = n.has(Rule::as_soon_as);
    Ok(Outcome { verdict: verdict(verdict_node)?, at_once, cond: n.read(Rule::cond, expr::cond)?, header })
}

fn verdict(n: Node) -> Read<Verdict> {
    let kind = n.only()?;
    Ok(match kind.rule() {
        Rule::draw => Verdict::Draw,
        Rule::highest => Verdict::Highest(kind.read(Rule::number, expr::number)?),
        Rule::lowest => Verdict::Lowest(kind.read(Rule::number, expr::number)?),
        Rule::wins => Verdict::Wins(kind.read(Rule::winner, expr::who)?),
        Rule::loses => Verdict::Loses(kind.read(Rule::winner, expr::who)?),
        _ => return Err(kind.strange()),
    })
}

/// Reads `prefer most …`.
pub(super) fn prefer(n: Node) -> Read<Prefer> {
    let most = n.one(Rule::most)?;
    let most = match most.opt(Rule::set) {
        Some(set) => Most::Set(expr::set(set)?),
        None => Most::Number(most.read(Rule::number, expr::number)?),
    };
    Ok(Prefer { most, guards: n.list(Rule::guard, game::guard)? })
}
