//! What a player does in a turn.

use super::Word;
use super::expected::Place;
use super::expr::{self, Cond, Count, Dirs, SetPhrase};
use super::game::{self, Guard};
use super::layout::Line;
use super::parser::{Node, Read, Reader, Rule};
use crate::base::{Diagnostic, Span, Spanned};

/// `turn { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What is to be done.
    pub body: TurnBody,
    /// The statement.
    pub span: Span,
}

/// Cases or one expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TurnBody {
    /// `when C { … } … otherwise { … }`: the first case that holds.
    Cases(Vec<(Option<Cond>, Acts)>),
    /// One expression.
    Acts(Acts),
}

/// An expression over acts.
#[derive(Clone, Debug, PartialEq)]
pub struct Acts {
    /// What.
    pub kind: ActsKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expression over acts.
#[derive(Clone, Debug, PartialEq)]
pub enum ActsKind {
    /// `A or B`.
    Or(Vec<Acts>),
    /// `A or else B`: B only if A has no legal completion.
    OrElse(Vec<Acts>),
    /// `A then B`.
    Then(Vec<Acts>),
    /// `may A`.
    May(Box<Acts>),
    /// `A if C`, `A unless C`: read when A is about to be done.
    If(Box<Acts>, Vec<Guard>),
    /// `again`: the act before, with the same piece, as long as possible; `may again`: as often as wanted.
    Again,
    /// One act.
    Act(Act),
}

/// One act.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// `move`, `drop`, `capture`, `step`, `slide`, `leap`, `jump`, `hop`, `castle`, or the label of a clause; with a
    /// piece name or `another` or `with this`.
    Play { verb: Word, piece: Option<Word>, chooser: Option<Spanned<Chooser>> },
    /// `rotate another by 1`, `rotate one Pawn by 2`.
    Rotate { set: SetPhrase, by: Count },
    /// `spin clockwise`, `spin one Samurai clockwise`, `spin counterclockwise`.
    Spin { set: Option<SetPhrase>, clockwise: bool },
    /// `tip left`, `tip gaze`, `tip one Samurai left`.
    Tip { set: Option<SetPhrase>, dirs: Dirs },
    /// `remove one enemy`, `capture one SET`, `flip one SET`.
    Choose { verb: Word, set: SetPhrase },
    /// `pass`.
    Pass,
    /// `swap sides`.
    SwapSides,
}

/// Which own piece an act may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// `another`: one that did not act yet in this turn.
    Another,
    /// `with this`: the one of the step before.
    Same,
}

/// Reads the block of `turn { … }`: cases, or one phrase.
pub(super) fn turn(reader: &mut Reader, line: &Line) -> Read<Turn> {
    let block = reader.block(line)?;
    let span = reader.span(&line.range());
    let mut cases = Vec::new();
    let mut phrase: Option<Acts> = None;
    let mut broken = false;
    for line in &block.lines {
        if reader.full() {
            break;
        }
        let read = turn_line(reader, line);
        match reader.keep(read) {
            Some(TurnLine::Case(cond, acts)) => cases.push((cond, acts)),
            Some(TurnLine::Acts(acts)) if phrase.is_none() => phrase = Some(acts),
            Some(TurnLine::Acts(acts)) => reader.errors.push(second_phrase(acts.span)),
            None => broken = true,
        }
    }
    let body = match (phrase, cases.is_empty()) {
        (Some(acts), true) => TurnBody::Acts(acts),
        (None, false) => TurnBody::Cases(cases),
        (Some(acts), false) => {
            let error = Diagnostic::error("syntax", "acts without a condition stand beside cases", acts.span);
            return Err(Box::new(error.help("write `otherwise { … }` round them")));
        }
        // What is wrong has been said.
        (None, true) if broken => TurnBody::Cases(cases),
        (None, true) => {
            let error =
                Diagnostic::error("syntax", "this turn has no act", reader.span(&(block.open..block.close + 1)));
            return Err(Box::new(error.help("write what a player does, such as `turn { move }`")));
        }
    };
    Ok(Turn { body, span })
}

enum TurnLine {
    Case(Option<Cond>, Acts),
    Acts(Acts),
}

fn turn_line(reader: &mut Reader, line: &Line) -> Read<TurnLine> {
    reader.no_quote(line)?;
    let node = reader.head(Rule::acts_line, line, Place::Turn)?.only()?;
    let cond = match node.rule() {
        Rule::when_head => Some(node.read(Rule::cond, expr::cond)?),
        Rule::otherwise_head => None,
        _ => {
            reader.no_block(line, "an act")?;
            return Ok(TurnLine::Acts(acts(node)?));
        }
    };
    let block = reader.block(line)?;
    reader.no_tail(line)?;
    let mut inner = block.lines.iter();
    let Some(first) = inner.next() else {
        let span = reader.span(&(block.open..block.close + 1));
        let error = Diagnostic::error("syntax", "this case has no act", span);
        return Err(Box::new(error.help("write what a player does, such as `move` or `pass`")));
    };
    reader.no_quote(first)?;
    reader.no_block(first, "an act")?;
    let phrase = reader.head(Rule::acts_line, first, Place::Turn)?.only()?;
    if phrase.rule() != Rule::acts {
        let error = Diagnostic::error("syntax", "a case cannot hold cases", phrase.span());
        return Err(Box::new(error.help("join the conditions with `and`")));
    }
    match inner.next() {
        Some(second) => Err(Box::new(second_phrase(reader.span(&second.range())))),
        None => Ok(TurnLine::Case(cond, acts(phrase)?)),
    }
}

fn second_phrase(span: Span) -> Diagnostic {
    let error = Diagnostic::error("syntax", "the acts of a turn are one phrase, and here a second one begins", span);
    error.help("join them with `then`, `or` or `or else`")
}

/// Reads acts: `or else` binds loosest, then `or`, then `then`.
fn acts(n: Node) -> Read<Acts> {
    chain(n, Rule::ors, ActsKind::OrElse, |n| {
        chain(n, Rule::thens, ActsKind::Or, |n| chain(n, Rule::guarded, ActsKind::Then, guarded))
    })
}

fn chain(n: Node, rule: Rule, join: fn(Vec<Acts>) -> ActsKind, read: fn(Node) -> Read<Acts>) -> Read<Acts> {
    let mut parts = n.list(rule, read)?;
    if parts.len() == 1 {
        return parts.pop().ok_or_else(|| n.strange());
    }
    Ok(Acts { kind: join(parts), span: n.span() })
}

fn guarded(n: Node) -> Read<Acts> {
    let mut acts = n.read(Rule::act, |act| {
        let kind = act.only()?;
        let span = act.span();
        Ok(match kind.rule() {
            Rule::acts_group => return self::acts(kind.one(Rule::acts)?),
            Rule::again => Acts { kind: ActsKind::Again, span },
            _ => Acts { kind: ActsKind::Act(self::act(kind)?), span },
        })
    })?;
    if n.has(Rule::k_may) {
        acts = Acts { kind: ActsKind::May(Box::new(acts)), span: n.span() };
    }
    let guards = n.list(Rule::guard, game::guard)?;
    if !guards.is_empty() {
        acts = Acts { kind: ActsKind::If(Box::new(acts), guards), span: n.span() };
    }
    Ok(acts)
}

fn act(n: Node) -> Read<Act> {
    Ok(match n.rule() {
        Rule::pass => Act::Pass,
        Rule::swap_sides => Act::SwapSides,
        Rule::rotate_act => Act::Rotate { set: n.read(Rule::set, expr::set)?, by: n.read(Rule::count, expr::count)? },
        Rule::spin_act => Act::Spin { set: n.maybe(Rule::set, expr::set)?, clockwise: n.has(Rule::k_clockwise) },
        Rule::tip_act => {
            Act::Tip { set: n.maybe(Rule::tip_set, expr::set)?, dirs: n.read(Rule::tip_dirs, expr::dirs)? }
        }
        Rule::choose_act => {
            let set = n.only()?;
            Act::Choose { verb: n.first()?.word(), set: expr::set(set)? }
        }
        Rule::play_act => {
            let chooser = match (n.opt(Rule::k_another), n.opt(Rule::with_this)) {
                (Some(another), _) => Some(Spanned::new(Chooser::Another, another.span())),
                (_, Some(same)) => Some(Spanned::new(Chooser::Same, same.span())),
                (None, None) => None,
            };
            Act::Play { verb: n.one(Rule::play_verb)?.word(), piece: n.opt(Rule::name).map(|n| n.word()), chooser }
        }
        _ => return Err(n.strange()),
    })
}
