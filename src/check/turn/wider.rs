//! Which alternatives of a turn leave nothing to others.

use super::{Graph, is_never};
use crate::ir::expr::Cond;
use crate::ir::turn::{Act, Choice, Chooser, Verb};

/// So many choices of two alternatives are looked at; then nothing is known.
const MAX_STEPS: usize = 500;

/// Whether the choice can be done in any position: by passing, or by nothing at all.
pub(super) fn free(choice: &Choice, graph: &Graph) -> bool {
    always(choice, graph, &mut { MAX_STEPS })
}

fn always(choice: &Choice, graph: &Graph, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match choice {
        Choice::End => true,
        Choice::Goto(to) | Choice::Do(Act::Pass, to) => always(graph.at(*to), graph, left),
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| always(p, graph, left)),
        Choice::Cases(cases) => {
            let whole = cases.last().is_some_and(|(cond, _)| *cond == Cond::Const(true));
            whole && cases.iter().all(|(_, c)| always(c, graph, left))
        }
        Choice::Do(..) | Choice::Again(..) => false,
    }
}

/// Whether the first can be completed whenever the second can: nothing if that is not known, otherwise whether an act goes by another name.
pub(super) fn wider(a: &Choice, b: &Choice, graph: &Graph) -> Option<bool> {
    let mut compared = Compared { graph, names: Names::Any, left: MAX_STEPS, by_verb: false };
    compared.covers(a, b).then_some(compared.by_verb)
}

/// Whether the first allows all that the second does, under the same names.
pub(super) fn same(a: &Choice, b: &Choice, graph: &Graph) -> bool {
    Compared { graph, names: Names::Same, left: MAX_STEPS, by_verb: false }.covers(a, b)
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
    fn covers(&mut self, a: &Choice, b: &Choice) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        if a == b {
            return !is_never(a);
        }
        let graph = self.graph;
        match (a, b) {
            (Choice::Goto(to), _) => self.covers(graph.at(*to), b),
            (_, Choice::Goto(to)) => self.covers(a, graph.at(*to)),
            (Choice::Do(x, to), Choice::Do(y, then)) => {
                self.act(x, y) && (to == then || self.covers(graph.at(*to), graph.at(*then)))
            }
            (_, Choice::Or(parts)) => parts.iter().all(|b| self.covers(a, b)),
            (_, Choice::OrElse(parts)) if self.names == Names::Any => parts.iter().all(|b| self.covers(a, b)),
            (_, Choice::Cases(cases)) => !cases.is_empty() && cases.iter().all(|(_, b)| self.covers(a, b)),
            (Choice::Or(parts), _) => parts.iter().any(|a| self.covers(a, b)),
            (Choice::OrElse(parts), _) if self.names == Names::Any => parts.iter().any(|a| self.covers(a, b)),
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
