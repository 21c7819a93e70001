//! Effects, events, prohibitions and memory.

use super::Word;
use super::expected::Place;
use super::expr::{self, Cond, Count, Dirs, Number, SetPhrase, Who};
use super::layout::{Block, Line};
use super::parser::{Node, Read, Reader, Rule};
use crate::base::{Span, Spanned};

/// A change of state.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// What changes.
    pub kind: EffectKind,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of effect.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectKind {
    /// `capture SET`.
    Capture(SetPhrase),
    /// `remove SET`.
    Remove(SetPhrase),
    /// `flip SET`.
    Flip(SetPhrase),
    /// `roll SET`.
    Roll(SetPhrase),
    /// `rotate SET up by 1`, `rotate SET down by 1`.
    Rotate { set: SetPhrase, up: bool, by: Count },
    /// `SET becomes Queen`.
    Becomes(SetPhrase, Word),
    /// `SET slides all the way toward X`, `SET steps away from X`, `SET slides 3 forward`.
    Displace { set: SetPhrase, distance: Distance, course: Course },
    /// `mark SET as NAME`.
    Mark(SetPhrase, Word),
    /// `unmark SET` (all marks), `unmark SET as NAME`.
    Unmark(SetPhrase, Option<Word>),
    /// `score += worth of victim`, `opponent's hand += Pawn`, `my hand += original of victim`.
    Assign { target: Target, op: AssignOp, value: Number },
    /// `end turn`.
    EndTurn,
    /// `when C { … } otherwise { … }`.
    When { cond: Cond, then: Vec<Effect>, otherwise: Vec<Effect> },
}

/// How far a displaced piece goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Distance {
    /// `steps`: one cell.
    One,
    /// `slides 3`.
    UpTo(Count),
    /// `slides all the way`.
    AllTheWay,
}

/// Where a displaced piece goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// `toward X`.
    Toward(SetPhrase),
    /// `away from X`.
    AwayFrom(SetPhrase),
    /// A direction, seen by the viewer.
    Dirs(Dirs),
}

/// What an assignment changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// `my hand`, `opponent's hand`.
    Hand(Who),
    /// `score`, `score of opponent`, a counter.
    Counter(Word, Option<Who>),
}

/// How an assignment changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignOp {
    /// `+=`.
    Add,
    /// `-=`.
    Subtract,
    /// `=`.
    Set,
}

/// `after move or drop { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct After {
    /// One or more events.
    pub events: Vec<Spanned<Event>>,
    /// What happens.
    pub body: Vec<Effect>,
    /// From `after` to before the brace.
    pub header: Span,
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// `move`, `drop`, `capture`, `rotate`, `turn` …: an act, or the end of a turn.
    Act(String),
    /// `enemy moves to SET`, `friend moves to SET`, `piece moves to SET` (in pieces).
    MovesTo { by: By, to: SetPhrase },
}

/// Whose piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// `enemy`.
    Enemy,
    /// `friend`.
    Friend,
    /// `piece`.
    Anyone,
}

/// `forbid ACT [TYPE] when C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Forbid {
    /// `capture`, `move`, `drop`, `turn`, `fill` ….
    pub act: Word,
    /// Only this piece.
    pub piece: Option<Word>,
    /// When.
    pub cond: Cond,
}

/// `remember NAME when C`.
#[derive(Clone, Debug, PartialEq)]
pub struct Remember {
    /// Its name.
    pub name: Word,
    /// When it becomes true, for ever.
    pub cond: Cond,
}

/// `counter NAME = N [each]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its name.
    pub name: Word,
    /// Its value at the start.
    pub start: Spanned<i64>,
    /// One per player.
    pub each: bool,
}

/// `mark NAME [for N turns]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its name.
    pub name: Word,
    /// How many further turns it can be read in; for ever if not said.
    pub turns: Option<Count>,
}

/// Reads a line of an effect block: an effect, `when C { … }`, or `otherwise { … }`, which belongs to the one before.
pub(super) fn effects(reader: &mut Reader, block: &Block) -> Vec<Effect> {
    let mut all: Vec<Effect> = Vec::new();
    for line in &block.lines {
        if reader.full() {
            break;
        }
        let read = effect_line(reader, line, &mut all);
        reader.keep(read);
    }
    all
}

fn effect_line(reader: &mut Reader, line: &Line, all: &mut Vec<Effect>) -> Read<()> {
    reader.no_quote(line)?;
    let node = reader.head(Rule::effect_line, line, Place::Effect)?.only()?;
    match node.rule() {
        Rule::when_head => {
            let cond = node.read(Rule::cond, expr::cond)?;
            let then = effects(reader, reader.block(line)?);
            let span = reader.span(&line.range());
            all.push(Effect { kind: EffectKind::When { cond, then, otherwise: Vec::new() }, span });
            reader.no_tail(line)
        }
        Rule::otherwise_head => {
            let effects = effects(reader, reader.block(line)?);
            match all.last_mut() {
                Some(Effect { kind: EffectKind::When { otherwise, .. }, span }) if otherwise.is_empty() => {
                    *otherwise = effects;
                    *span = span.to(reader.span(&line.range()));
                }
                _ => return Err(reader.lone_otherwise(line)),
            }
            reader.no_tail(line)
        }
        Rule::effect => {
            reader.no_block(line, "an effect")?;
            all.push(effect(node)?);
            Ok(())
        }
        _ => Err(node.strange()),
    }
}

/// Reads one effect.
pub(super) fn effect(n: Node) -> Read<Effect> {
    let kind = n.only()?;
    let set = || kind.read(Rule::set, expr::set);
    let kind = match kind.rule() {
        Rule::simple => match kind.first()?.rule() {
            Rule::k_capture => EffectKind::Capture(set()?),
            Rule::k_remove => EffectKind::Remove(set()?),
            Rule::k_flip => EffectKind::Flip(set()?),
            Rule::k_roll => EffectKind::Roll(set()?),
            _ => return Err(kind.strange()),
        },
        Rule::rotate => {
            EffectKind::Rotate { set: set()?, up: kind.has(Rule::k_up), by: kind.read(Rule::count, expr::count)? }
        }
        Rule::mark => EffectKind::Mark(set()?, kind.one(Rule::word)?.word()),
        Rule::unmark => EffectKind::Unmark(set()?, kind.opt(Rule::word).map(|n| n.word())),
        Rule::end_turn => EffectKind::EndTurn,
        Rule::assign => assign(&kind)?,
        Rule::acted => match kind.opt(Rule::becomes) {
            Some(becomes) => EffectKind::Becomes(set()?, becomes.one(Rule::name)?.word()),
            None => displaced(set()?, kind.one(Rule::displaced)?)?,
        },
        _ => return Err(kind.strange()),
    };
    Ok(Effect { kind, span: n.span() })
}

fn displaced(set: SetPhrase, n: Node) -> Read<EffectKind> {
    let distance = match n.opt(Rule::slid) {
        None => Distance::One,
        Some(slid) => match slid.opt(Rule::count) {
            Some(count) => Distance::UpTo(expr::count(count)?),
            None => Distance::AllTheWay,
        },
    };
    let course = match (n.opt(Rule::toward), n.opt(Rule::away_from)) {
        (Some(toward), _) => Course::Toward(toward.read(Rule::set, expr::set)?),
        (_, Some(away)) => Course::AwayFrom(away.read(Rule::set, expr::set)?),
        (None, None) => Course::Dirs(n.read(Rule::dirs, expr::dirs)?),
    };
    Ok(EffectKind::Displace { set, distance, course })
}

fn assign(n: &Node) -> Read<EffectKind> {
    let target = n.one(Rule::target)?;
    let target = match target.opt(Rule::hand_of) {
        Some(hand) => Target::Hand(expr::hand_of(hand)?),
        None => Target::Counter(target.one(Rule::word)?.word(), target.maybe(Rule::who, expr::who)?),
    };
    let op = n.one(Rule::assign_op)?.first()?;
    let op = match op.rule() {
        Rule::p_add => AssignOp::Add,
        Rule::p_subtract => AssignOp::Subtract,
        Rule::p_equals => AssignOp::Set,
        _ => return Err(op.strange()),
    };
    Ok(EffectKind::Assign { target, op, value: n.read(Rule::number, expr::number)? })
}

/// Reads `after EVENT or EVENT` and the block of its line.
pub(super) fn after(reader: &mut Reader, n: Node, line: &Line) -> Read<After> {
    let events = n.list(Rule::event, event)?;
    let body = effects(reader, reader.block(line)?);
    Ok(After { events, body, header: n.span() })
}

fn event(n: Node) -> Read<Spanned<Event>> {
    let kind = n.first()?;
    let event = match kind.rule() {
        Rule::arrival => {
            let by = match kind.first()?.rule() {
                Rule::k_enemy => By::Enemy,
                Rule::k_friend => By::Friend,
                Rule::k_piece => By::Anyone,
                _ => return Err(kind.strange()),
            };
            Event::MovesTo { by, to: kind.read(Rule::set, expr::set)? }
        }
        Rule::verb | Rule::k_turn => Event::Act(kind.text().to_owned()),
        _ => return Err(kind.strange()),
    };
    Ok(Spanned::new(event, n.span()))
}

/// Reads `forbid ACT [TYPE] when C`.
pub(super) fn forbid(n: Node) -> Read<Forbid> {
    Ok(Forbid {
        act: n.one(Rule::forbidden)?.word(),
        piece: n.opt(Rule::name).map(|n| n.word()),
        cond: n.read(Rule::cond, expr::cond)?,
    })
}

/// Reads `remember NAME when C`.
pub(super) fn remember(n: Node) -> Read<Remember> {
    Ok(Remember { name: n.one(Rule::new_word)?.word(), cond: n.read(Rule::cond, expr::cond)? })
}

/// Reads `counter NAME = N [each]`.
pub(super) fn counter(n: Node) -> Read<Counter> {
    let start = n.read(Rule::literal, |n| n.number())?;
    Ok(Counter { name: n.one(Rule::new_word)?.word(), start, each: n.has(Rule::k_each) })
}

/// Reads `mark NAME [for N turns]`.
pub(super) fn mark(n: Node) -> Read<Mark> {
    Ok(Mark { name: n.one(Rule::new_word)?.word(), turns: n.maybe(Rule::count, expr::count)? })
}
