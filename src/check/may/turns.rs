//! Which acts there may be.

use super::Possible;
use crate::check::walk::{self, Node};
use crate::ir::piece::{Clause, Generator};
use crate::ir::rule::Effect;
use crate::ir::turn::{Act, Choice, Chosen, Verb};
use crate::ir::{Game, TypeId};

impl Possible<'_> {
    pub(super) fn can_capture(&self) -> bool {
        let mut found = false;
        walk::game(self.game, &mut |node| {
            found |= matches!(
                node,
                Node::Effect(Effect::Capture(_)) | Node::Act(Act::Choose { effect: Chosen::Capture, .. })
            );
        });
        found || self.game.clauses.iter().any(|c| self.captures_by(c))
    }

    /// Whether a step by the clause may capture.
    pub(super) fn captures_by(&self, clause: &Clause) -> bool {
        let effect = clause.then.iter().any(|e| any_effect(e, &|e| matches!(e, Effect::Capture(_))));
        match &clause.generator {
            Generator::Drop { .. } | Generator::Castle { .. } => effect,
            Generator::Imitate { .. } | Generator::Hop { captures: true, .. } => true,
            _ => effect || self.anybody(|scene| !self.nothing(&self.set(&clause.target, scene).occupied())),
        }
    }

    /// Whether a line gives steps of this act to pieces of these types.
    pub fn verb(&self, verb: &Verb, types: Option<&[TypeId]>) -> bool {
        let lines = || {
            let all = self.game.types.iter().enumerate();
            let all = all.filter(|(t, _)| types.is_none_or(|list| list.contains(&(*t as TypeId))));
            all.flat_map(|(_, ty)| &ty.clauses).map(|c| &self.game.clauses[*c as usize])
        };
        match verb {
            Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill => true,
            verb => lines().any(|clause| self.clause_is(clause, verb)),
        }
    }

    /// Whether steps of a line may be of this act.
    pub fn clause_is(&self, clause: &Clause, verb: &Verb) -> bool {
        let imitates = matches!(clause.generator, Generator::Imitate { .. });
        match verb {
            Verb::Move => !matches!(clause.generator, Generator::Drop { .. }),
            Verb::Drop => matches!(clause.generator, Generator::Drop { .. }),
            Verb::Capture => self.captures_by(clause),
            Verb::Step => imitates || matches!(clause.generator, Generator::Step { .. }),
            Verb::Slide => imitates || matches!(clause.generator, Generator::Slide { .. }),
            Verb::Leap => imitates || matches!(clause.generator, Generator::Leap { .. } | Generator::LeapAnywhere),
            Verb::Jump => imitates || matches!(clause.generator, Generator::Hop { captures: true, .. }),
            Verb::Hop => imitates || matches!(clause.generator, Generator::Hop { captures: false, .. }),
            Verb::Castle => matches!(clause.generator, Generator::Castle { .. }),
            Verb::Label(label) => imitates || clause.label == *label,
            Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill => false,
        }
    }

    /// Whether a step that a turn offers is of this act.
    pub fn acts(&self, verb: &Verb) -> bool {
        let fills = *verb == Verb::Fill && self.game.setup.fill.is_some();
        fills
            || any_act(self.game, &mut |act| match act {
                Act::Play { verb: offered, types, .. } => {
                    let all = self.game.types.iter().enumerate();
                    let all = all.filter(|(t, _)| types.as_ref().is_none_or(|list| list.contains(&(*t as TypeId))));
                    all.flat_map(|(_, ty)| &ty.clauses).any(|c| {
                        let clause = &self.game.clauses[*c as usize];
                        self.clause_is(clause, offered) && self.clause_is(clause, verb)
                    })
                }
                Act::Rotate { .. } => *verb == Verb::Rotate,
                Act::Choose { effect, .. } => match effect {
                    Chosen::Remove => *verb == Verb::Remove,
                    Chosen::Capture => *verb == Verb::Capture,
                    Chosen::Flip => *verb == Verb::Flip,
                },
                Act::Pass => *verb == Verb::Pass,
                Act::SwapSides => *verb == Verb::Swap,
            })
    }

    /// Whether a turn may offer a step by each of two lines of a type at once.
    pub fn offers_both(&self, t: TypeId, a: &Clause, b: &Clause) -> bool {
        let states = &self.game.turn.states;
        let mut known = vec![None; states.len()];
        (0..states.len()).any(|state| {
            self.offers(&Choice::Goto(state as u16), &mut known, &|act| match act {
                Act::Play { verb, types, .. } if types.as_ref().is_none_or(|list| list.contains(&t)) => {
                    usize::from(self.clause_is(a, verb)) | usize::from(self.clause_is(b, verb)) << 1
                }
                _ => 0,
            })[3]
        })
    }

    /// Which of two things a choice may offer at once: whether it can come to neither, the first, the second, both.
    fn offers(&self, choice: &Choice, known: &mut [Option<[bool; 4]>], of: &dyn Fn(&Act) -> usize) -> [bool; 4] {
        let just = |n: usize| std::array::from_fn(|i| i == n);
        let either = |a: [bool; 4], b: [bool; 4]| std::array::from_fn(|i| a[i] || b[i]);
        match choice {
            Choice::End => just(0),
            Choice::Do(act, _) => just(of(act)),
            Choice::Or(list) => list.iter().fold(just(0), |all, part| {
                let part = self.offers(part, known, of);
                std::array::from_fn(|i| (0..16).any(|n| ((n / 4) | (n % 4)) == i && all[n / 4] && part[n % 4]))
            }),
            Choice::OrElse(list) => list.iter().fold([false; 4], |all, part| either(all, self.offers(part, known, of))),
            Choice::Cases(cases) => {
                cases.iter().fold(just(0), |all, (_, part)| either(all, self.offers(part, known, of)))
            }
            Choice::Again(a, b) => either(self.offers(a, known, of), self.offers(b, known, of)),
            Choice::Goto(state) => {
                let state = *state as usize;
                if known[state].is_none() {
                    // A state that is reached from itself adds nothing to itself.
                    known[state] = Some(just(0));
                    known[state] = Some(self.offers(&self.game.turn.states[state], known, of));
                }
                known[state].unwrap_or(just(0))
            }
        }
    }

    /// Whether a turn may end before its acts are done: by an effect, by a result, or because of what was rolled.
    pub(super) fn ends_turns(&self) -> bool {
        let mut found = self.game.results.iter().any(|r| r.at_once);
        walk::game(self.game, &mut |node| found |= matches!(node, Node::Effect(Effect::EndTurn | Effect::Roll(_))));
        found
    }
}

pub(super) fn any_effect(effect: &Effect, f: &dyn Fn(&Effect) -> bool) -> bool {
    f(effect)
        || match effect {
            Effect::When(_, a, b) => a.iter().chain(b).any(|e| any_effect(e, f)),
            _ => false,
        }
}

pub(super) fn any_act(game: &Game, f: &mut dyn FnMut(&Act) -> bool) -> bool {
    pub(super) fn of(choice: &Choice, f: &mut dyn FnMut(&Act) -> bool) -> bool {
        match choice {
            Choice::End | Choice::Goto(_) => false,
            Choice::Do(act, _) => f(act),
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| of(p, f)),
            Choice::Cases(cases) => cases.iter().any(|(_, c)| of(c, f)),
            Choice::Again(a, b) => of(a, f) || of(b, f),
        }
    }
    game.turn.states.iter().any(|s| of(s, f))
}
