//! Which alternatives of a turn leave nothing to others.

use super::{END, Graph, is_never};
use crate::ir::expr::Cond;
use crate::ir::turn::{Act, Choice, Chooser, Verb};

/// So many states are followed, and so many choices compared; then nothing is known.
const MAX_DEPTH: usize = 20;
const MAX_STEPS: usize = 2_000;

/// Whether the choice can be done in any position: by passing, or by nothing at all.
pub(super) fn free(choice: &Choice, graph: &Graph) -> bool {
    always(choice, graph, 0)
}

fn always(choice: &Choice, graph: &Graph, depth: usize) -> bool {
    let there = |to: u16| to == END || depth < MAX_DEPTH && always(graph.at(to), graph, depth + 1);
    match choice {
        Choice::End => true,
        Choice::Goto(to) | Choice::Do(Act::Pass, to) => there(*to),
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| always(p, graph, depth)),
        Choice::Cases(cases) => {
            let whole = cases.last().is_some_and(|(cond, _)| *cond == Cond::Const(true));
            whole && cases.iter().all(|(_, c)| always(c, graph, depth))
        }
        Choice::Do(..) | Choice::Again(..) => false,
    }
}

/// Whether the first can be completed whenever the second can: nothing if that is not known, otherwise whether an act goes by another name.
pub(super) fn wider(a: &Choice, b: &Choice, graph: &Graph) -> Option<bool> {
    let mut compared = Compared { graph, names: Names::Any, left: MAX_STEPS, by_verb: false };
    compared.covers(a, b, 0).then_some(compared.by_verb)
}

/// Whether the first allows all that the second does, under the same names.
pub(super) fn same(a: &Choice, b: &Choice, graph: &Graph) -> bool {
    Compared { graph, names: Names::Same, left: MAX_STEPS, by_verb: false }.covers(a, b, 0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Any,
    Same,
}

struct Compared<'a> {
    graph: &'a Graph,
    names: Names,
    left: usize,
    by_verb: bool,
}

impl Compared<'_> {
    fn covers(&mut self, a: &Choice, b: &Choice, depth: usize) -> bool {
        if self.left == 0 || depth > MAX_DEPTH {
            return false;
        }
        self.left -= 1;
        if a == b {
            return !is_never(a);
        }
        let graph = self.graph;
        match (a, b) {
            (Choice::Goto(to), _) => self.covers(graph.at(*to), b, depth + 1),
            (_, Choice::Goto(to)) => self.covers(a, graph.at(*to), depth + 1),
            (Choice::Do(x, to), Choice::Do(y, then)) => {
                self.act(x, y) && (to == then || self.covers(graph.at(*to), graph.at(*then), depth + 1))
            }
            (_, Choice::Or(parts)) => parts.iter().all(|b| self.covers(a, b, depth)),
            (_, Choice::OrElse(parts)) if self.names == Names::Any => parts.iter().all(|b| self.covers(a, b, depth)),
            (_, Choice::Cases(cases)) => !cases.is_empty() && cases.iter().all(|(_, b)| self.covers(a, b, depth)),
            (Choice::Or(parts), _) => parts.iter().any(|a| self.covers(a, b, depth)),
            (Choice::OrElse(parts), _) if self.names == Names::Any => parts.iter().any(|a| self.covers(a, b, depth)),
            _ => false,
        }
    }

    fn act(&mut self, a: &Act, b: &Act) -> bool {
        let (Act::Play { verb, types, chooser }, Act::Play { verb: name, types: only, chooser: which }) = (a, b) else {
            return a == b;
        };
        let moves = |verb: &Verb| match verb {
            Verb::Step | Verb::Slide | Verb::Leap | Verb::Jump | Verb::Hop | Verb::Castle | Verb::Label(_) => true,
            Verb::Capture => true,
            Verb::Move | Verb::Drop | Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap => false,
            Verb::Fill => false,
        };
        let named = verb != name;
        self.by_verb |= named;
        let verbs = !named || self.names == Names::Any && *verb == Verb::Move && moves(name);
        let types = match (types, only) {
            (None, _) => true,
            (Some(all), Some(some)) => some.iter().all(|t| all.contains(t)),
            (Some(_), None) => false,
        };
        verbs && types && (*chooser == Chooser::Any || chooser == which)
    }
}
