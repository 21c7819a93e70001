//! How a turn may go, from its beginning to its end.

use super::{Possible, Scene};
use crate::ir::TypeId;
use crate::ir::turn::{Act, Choice, Chooser};
use std::collections::HashSet;

/// What has happened in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Before {
    /// Types of which a piece acted, as far as that is known: a bit each.
    acted: u128,
    /// Whether there was a step.
    step: bool,
}

/// Why an act cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bar {
    /// There is no such line, or no such piece.
    Nothing,
    /// It is done with the piece of the step before, and there is no step before.
    NoStepBefore,
    /// It is done with another piece than the one that acted, and there is never another one.
    NoOther,
}

/// Where a turn may lead.
#[derive(Default)]
pub(crate) struct Course<'a> {
    /// The acts that may be done.
    pub acts: Vec<&'a Act>,
    /// Acts that somewhere cannot be done.
    pub barred: Vec<(&'a Act, Bar)>,
    /// Whether it may be completed.
    pub completed: bool,
}

struct Walk<'a> {
    seat: usize,
    first: bool,
    ends_turns: bool,
    todo: Vec<(u16, Before)>,
    been: HashSet<(u16, Before)>,
    course: Course<'a>,
}

impl<'g> Possible<'g> {
    /// How turns may go; `first`: the first turn of the game.
    pub fn course(&self, first: bool) -> Course<'g> {
        let seats = if first { 1 } else { self.game.seats.len() };
        let mut out = Course::default();
        for seat in 0..seats {
            let todo = vec![(0, Before { acted: 0, step: false })];
            let (been, course) = (HashSet::new(), Course::default());
            let mut walk = Walk { seat, first, ends_turns: self.ends_turns(), todo, been, course };
            while let Some((state, before)) = walk.todo.pop().filter(|_| !self.spent()) {
                self.spend(4);
                if walk.been.insert((state, before)) {
                    self.choose(&self.game.turn.states[state as usize], before, &mut walk);
                }
            }
            out.acts.extend(walk.course.acts);
            out.barred.extend(walk.course.barred);
            out.completed |= walk.course.completed;
        }
        out.completed |= self.spent();
        out
    }

    fn choose(&self, choice: &'g Choice, before: Before, walk: &mut Walk<'g>) {
        match choice {
            Choice::End => walk.course.completed = true,
            Choice::Goto(to) => walk.todo.push((*to, before)),
            Choice::Do(act, to) => match self.act(act, before, walk.seat) {
                Ok(after) => {
                    walk.course.acts.push(act);
                    walk.course.completed |= walk.ends_turns;
                    walk.todo.push((*to, after));
                }
                Err(bar) => walk.course.barred.push((act, bar)),
            },
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().for_each(|p| self.choose(p, before, walk)),
            Choice::Cases(cases) => {
                let scene = Scene { first: walk.first, ..Scene::new(walk.seat, walk.seat) };
                for (cond, choice) in cases {
                    let truth = self.cond(cond, scene);
                    if truth.yes {
                        self.choose(choice, before, walk);
                    }
                    if !truth.no {
                        break;
                    }
                }
            }
            Choice::Again(a, b) => [a, b].into_iter().for_each(|c| self.choose(c, before, walk)),
        }
    }

    /// What has happened when the act is done, or why it cannot be done.
    fn act(&self, act: &Act, before: Before, seat: usize) -> Result<Before, Bar> {
        let mut acted = before.acted;
        match act {
            Act::Play { verb, types, chooser } => {
                if *chooser == Chooser::Same && !before.step {
                    return Err(Bar::NoStepBefore);
                }
                let able: Vec<TypeId> = (0..self.game.types.len() as TypeId)
                    .filter(|t| types.as_ref().is_none_or(|list| list.contains(t)) && self.verb(verb, Some(&[*t])))
                    .filter(|t| self.most[seat][*t as usize] > 0)
                    .collect();
                let used = |t: &TypeId| acted >> t & 1 != 0;
                if *chooser == Chooser::Another && able.iter().any(used) && self.at_most(seat, &able) <= 1 {
                    return Err(Bar::NoOther);
                }
                if able.is_empty() {
                    return Err(Bar::Nothing);
                }
                if let [only] = able.as_slice() {
                    acted |= 1 << only;
                }
            }
            Act::Rotate { chooser: Chooser::Same, .. } if !before.step => return Err(Bar::NoStepBefore),
            Act::Rotate { set, .. } | Act::Choose { set, .. } => {
                if self.nothing(&self.set(set, Scene::new(seat, seat)).occupied()) {
                    return Err(Bar::Nothing);
                }
            }
            Act::Pass | Act::SwapSides => {}
        }
        Ok(Before { acted, step: true })
    }
}
