//! Blocks of effects that undo their own work, and memory that nobody reads.

use super::phrase::{varies, varying};
use crate::base::{Diagnostic, Span};
use crate::check::cx::Cx;
use crate::check::may::Possible;
use crate::check::walk::{self, Node};
use crate::ir::Game;
use crate::ir::expr::{Cond, Num, Set};
use crate::ir::rule::{Change, Effect};
use crate::syntax::rule as sr;

/// Sentences of a block that are held against one another; behind them nobody looks.
const MAX_COMPARED: usize = 60;
/// So many pairs of effects of two sentences are compared.
const MAX_PAIRS: usize = 1_000;

/// An effect, and the conditions on which it is done.
type Asked<'a> = (Vec<(&'a Cond, bool)>, &'a Effect);

impl Cx<'_> {
    /// Judges the sentences of one block, each with the effects that it came to: of two that write the same thing one is lost.
    pub fn overwrites(&mut self, written: &[sr::Effect], made: &[Vec<Effect>]) {
        for (i, effects) in made.iter().enumerate().take(MAX_COMPARED) {
            let first = (0..i).find(|j| lost(&made[*j], effects));
            let doubt = first.map(|j| {
                let message = "this writes what another sentence of the block writes too, so one of them does nothing";
                Diagnostic::warning("two-writes", message, written[i].span)
                    .label(written[j].span, "it is written here")
                    .help(
                        "all of a block is read before anything is written; keep one of the two, or let `when` choose",
                    )
            });
            self.written.doubts.judge("two-writes", written[i].span, doubt);
        }
    }
}

/// Judges changes of counters that leave them as they are.
pub(super) fn idle(cx: &mut Cx, may: &Possible) {
    let names = varying(cx);
    for (span, effect) in std::mem::take(&mut cx.written.changes) {
        let Effect::Count { counter, change, value, .. } = &effect else { continue };
        let idle = may.changes_nothing(*counter, *change, value) && !varies(cx, span, &names);
        let doubt = idle.then(|| {
            let message = format!("this leaves `{}` as it is", may.game.counters[*counter as usize].name);
            Diagnostic::warning("no-effect", message, span).help("correct the number, or remove the line")
        });
        cx.written.doubts.judge("no-effect", span, doubt);
    }
}

/// Judges blocks that ask how often something happened in a turn of one step: the step is counted when its blocks are done.
pub(super) fn too_early(cx: &mut Cx, game: &Game) {
    let one_step = game.turn.one_step();
    for (i, after) in game.afters.iter().enumerate() {
        let mut asks = false;
        let mut tally = |node: Node| asks |= matches!(node, Node::Num(Num::Tally(..)));
        after.body.iter().for_each(|e| walk::effect(e, &mut tally));
        let span = cx.written.places.afters[i];
        let doubt = (asks && one_step).then(|| {
            let message = "this counts nothing: what a step does is counted when its blocks are done, and here a turn is one step";
            let help = "count where it happens, as in `after capture { score += 1 }`, which is done for each piece that is captured";
            Diagnostic::warning("not-yet", message, span).help(help)
        });
        cx.written.doubts.judge("not-yet", span, doubt);
    }
}

/// Whether of a sentence and a later one in the same block one does nothing.
fn lost(first: &[Effect], later: &[Effect]) -> bool {
    let mut left = MAX_PAIRS;
    let (mut earlier, mut after) = (Vec::new(), Vec::new());
    parts(first, &mut Vec::new(), &mut earlier);
    parts(later, &mut Vec::new(), &mut after);
    earlier.iter().any(|(asks, a)| {
        after.iter().any(|(also, b)| {
            if left == 0 {
                return false;
            }
            left -= 1;
            let whenever = |asks: &[(&Cond, bool)], other: &[(&Cond, bool)]| other.iter().all(|c| asks.contains(c));
            // The later write counts, but pieces that are gone do nothing else.
            let first = gone(a) && whenever(also, asks);
            let later = (!gone(a) || gone(b)) && whenever(asks, also);
            same_target(a, b) && (first || later)
        })
    })
}

/// The effects of a block, each with the conditions on which it is done.
fn parts<'a>(block: &'a [Effect], asks: &mut Vec<(&'a Cond, bool)>, out: &mut Vec<Asked<'a>>) {
    for effect in block {
        match effect {
            Effect::When(cond, then, otherwise) => {
                for (holds, block) in [(true, then), (false, otherwise)] {
                    asks.push((cond, holds));
                    parts(block, asks, out);
                    asks.pop();
                }
            }
            effect => out.push((asks.clone(), effect)),
        }
    }
}

/// Whether the effect takes pieces off.
fn gone(effect: &Effect) -> bool {
    matches!(effect, Effect::Capture(_) | Effect::Remove(_))
}

/// Whether two effects of a block write the same thing of the same cells, or the same number, so that only one of them counts.
fn same_target(a: &Effect, b: &Effect) -> bool {
    match (a, b) {
        (Effect::Count { counter: c, who: p, change: x, .. }, Effect::Count { counter: d, who: q, change: y, .. }) => {
            c == d && p == q && (*x == Change::Set || *y == Change::Set)
        }
        (Effect::Mark(s, m) | Effect::Unmark(s, m), Effect::Mark(t, n) | Effect::Unmark(t, n)) => m == n && s == t,
        _ => match (changed(a), changed(b)) {
            (Some((s, x)), Some((t, y))) => s == t && (x == y || x == Part::All || y == Part::All),
            _ => false,
        },
    }
}

/// What an effect writes of a piece.
#[derive(PartialEq, Eq)]
enum Part {
    Owner,
    Kind,
    Place,
    All,
}

/// The pieces that an effect changes, moves or takes off, and what it writes of them.
fn changed(effect: &Effect) -> Option<(&Set, Part)> {
    match effect {
        Effect::Capture(s) | Effect::Remove(s) => Some((s, Part::All)),
        Effect::Flip(s) => Some((s, Part::Owner)),
        Effect::Remap(s, _) | Effect::Become(s, _) => Some((s, Part::Kind)),
        Effect::Displace { set, .. } => Some((set, Part::Place)),
        Effect::Roll(_)
        | Effect::Mark(..)
        | Effect::Unmark(..)
        | Effect::Count { .. }
        | Effect::Hand { .. }
        | Effect::EndTurn
        | Effect::When(..) => None,
    }
}

/// Judges marks and counters that are only written or only read.
pub(super) fn memory(cx: &mut Cx, game: &Game) {
    let mut counters = vec![(false, false); game.counters.len()];
    let mut marks = vec![(false, false); game.marks.len()];
    let mut look = |node: Node| match node {
        Node::Effect(Effect::Count { counter, .. }) => counters[*counter as usize].0 = true,
        Node::Num(Num::Counter(counter, _)) => counters[*counter as usize].1 = true,
        Node::Effect(Effect::Mark(_, m)) => marks[*m as usize].0 = true,
        Node::Set(Set::Mark(m) | Set::Marker(m)) => marks[*m as usize].1 = true,
        _ => {}
    };
    walk::game(game, &mut look);
    walk::targets(game, &mut look);
    let spans: Vec<(Span, &str, &str, (bool, bool))> =
        std::iter::empty()
            .chain((0..counters.len()).filter_map(|i| {
                Some((*cx.counter_spans.get(i)?, "counter", game.counters[i].name.as_str(), counters[i]))
            }))
            .chain((0..marks.len()).map(|i| (cx.mark_spans[i], "mark", game.marks[i].name.as_str(), marks[i])))
            .collect();
    for (span, what, name, (set, read)) in spans {
        let (message, help) = match (set, read) {
            (false, false) => continue,
            (true, true) => {
                cx.written.doubts.judge("unused", span, None);
                continue;
            }
            (true, false) => ("is changed, and nothing depends on it", "use it in a condition, or remove it"),
            (false, true) if what == "mark" => ("is never set", "set it, as in `then mark here as NAME`, or remove it"),
            (false, true) => {
                ("never changes", "change it, as in `after capture { NAME += 1 }`, or write the number itself")
            }
        };
        let doubt = Diagnostic::warning("unused", format!("{what} `{name}` {message}"), span);
        cx.written.doubts.judge("unused", span, Some(doubt.help(help.replace("NAME", name))));
    }
}
