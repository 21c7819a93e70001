//! The turn graph made ready to run.

use super::bits::Bits;
use super::program::{C, Lowering, S};
use super::verbs::Verbs;
use crate::ir::expr::Cond;
use crate::ir::turn::{self, Act as IrAct, Choice};

/// A choice of the turn graph.
pub enum Ch<B> {
    End,
    Do(Act<B>, u16),
    Or(Vec<Ch<B>>),
    OrElse(Vec<Ch<B>>),
    Cases(Vec<(C<B>, Ch<B>)>),
    Again(Box<Ch<B>>, Box<Ch<B>>),
    Goto(u16),
}

/// An act of the turn graph.
pub enum Act<B> {
    /// One of [`super::rules::Rules::plays`].
    Play {
        play: usize,
        chooser: turn::Chooser,
    },
    Rotate {
        set: S<B>,
        chooser: turn::Chooser,
        ways: Vec<Way<B>>,
        named: bool,
    },
    Choose {
        effect: turn::Chosen,
        set: S<B>,
    },
    Pass,
    Swap,
}

/// A way to rotate.
pub struct Way<B> {
    /// Which pieces may go it, if not all.
    pub cond: Option<C<B>>,
    /// The table.
    pub remap: u16,
    /// The kinds for which the table has an entry.
    pub kinds: Vec<u8>,
    /// The other kinds.
    pub lacks: Vec<u8>,
}

/// What entering a state of the turn graph asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// The turn is complete.
    Ends,
    /// Something must be done.
    Acts,
    /// Either.
    Open,
}

/// Lowers a choice.
pub fn choice<B: Bits>(low: &Lowering, c: &Choice, play: &mut dyn FnMut(Verbs, Option<u128>) -> usize) -> Ch<B> {
    match c {
        Choice::End => Ch::End,
        Choice::Do(act, next) => Ch::Do(
            match act {
                turn::Act::Play { verb, types, chooser } => Act::Play {
                    play: play(low.verbs.bit(verb), types.as_ref().map(|t| t.iter().fold(0, |m, t| m | 1 << t))),
                    chooser: *chooser,
                },
                turn::Act::Rotate { set, chooser, ways, named } => Act::Rotate {
                    set: low.set(set),
                    chooser: *chooser,
                    ways: ways.iter().map(|(c, w)| way(low, c, *w)).collect(),
                    named: *named,
                },
                turn::Act::Choose { effect, set } => Act::Choose { effect: *effect, set: low.set(set) },
                turn::Act::Pass => Act::Pass,
                turn::Act::SwapSides => Act::Swap,
            },
            *next,
        ),
        Choice::Or(parts) => Ch::Or(parts.iter().map(|p| choice(low, p, play)).collect()),
        Choice::OrElse(parts) => Ch::OrElse(parts.iter().map(|p| choice(low, p, play)).collect()),
        Choice::Cases(cases) => Ch::Cases(cases.iter().map(|(c, x)| (low.cond(c), choice(low, x, play))).collect()),
        Choice::Again(a, b) => Ch::Again(Box::new(choice(low, a, play)), Box::new(choice(low, b, play))),
        Choice::Goto(q) => Ch::Goto(*q),
    }
}

/// What entering a state asks for.
pub fn state_kind(states: &[Choice], q: usize) -> StateKind {
    fn ends(c: &Choice, states: &[Choice], depth: usize) -> (bool, bool) {
        // whether it may end, whether it may act
        match c {
            Choice::End => (true, false),
            Choice::Do(..) => (false, true),
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().fold((false, false), |(e, a), p| {
                let (pe, pa) = ends(p, states, depth);
                (e | pe, a | pa)
            }),
            Choice::Cases(cases) => cases.iter().fold((false, false), |(e, a), (_, p)| {
                let (pe, pa) = ends(p, states, depth);
                (e | pe, a | pa)
            }),
            Choice::Again(a, b) => {
                let (x, y) = (ends(a, states, depth), ends(b, states, depth));
                (x.0 | y.0, x.1 | y.1)
            }
            Choice::Goto(q) if depth < 64 => ends(&states[*q as usize], states, depth + 1),
            Choice::Goto(_) => (true, true),
        }
    }
    match ends(&states[q], states, 0) {
        (true, false) => StateKind::Ends,
        (false, _) => StateKind::Acts,
        (true, true) => StateKind::Open,
    }
}

/// Whether every act leads straight to the end of the turn.
pub fn steps_end(c: &Choice, states: &[Choice]) -> bool {
    match c {
        Choice::End => true,
        Choice::Do(_, next) => state_kind(states, *next as usize) == StateKind::Ends,
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().all(|p| steps_end(p, states)),
        Choice::Cases(cases) => cases.iter().all(|(_, p)| steps_end(p, states)),
        Choice::Again(a, b) => steps_end(a, states) && steps_end(b, states),
        Choice::Goto(_) => true,
    }
}

fn way<B: Bits>(low: &Lowering, cond: &Cond, remap: u16) -> Way<B> {
    let table = &low.game.remaps[remap as usize].table;
    Way {
        cond: (*cond != Cond::Const(true)).then(|| low.cond(cond)),
        remap,
        kinds: (0..table.len() as u8).filter(|k| table[*k as usize].is_some()).collect(),
        lacks: (0..table.len() as u8).filter(|k| table[*k as usize].is_none()).collect(),
    }
}

/// For each state whether a turn that has come there can always be completed, forbids aside. Turns are bounded, so going round in a circle completes them too.
pub fn surely(states: &[Choice]) -> Vec<bool> {
    fn completes(choice: &Choice, sure: &[bool]) -> bool {
        match choice {
            Choice::End => true,
            Choice::Do(IrAct::Pass | IrAct::SwapSides, next) | Choice::Goto(next) => sure[*next as usize],
            Choice::Do(..) => false,
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| completes(p, sure)),
            Choice::Cases(cases) => {
                cases.iter().all(|(_, c)| completes(c, sure)) && cases.iter().any(|(c, _)| *c == Cond::Const(true))
            }
            Choice::Again(act, rest) => completes(rest, sure) && leads(act, sure),
        }
    }
    // whether each act in it leads to a state that completes
    fn leads(choice: &Choice, sure: &[bool]) -> bool {
        match choice {
            Choice::End => true,
            Choice::Do(_, next) => sure[*next as usize],
            Choice::Goto(next) => sure[*next as usize],
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().all(|p| leads(p, sure)),
            Choice::Cases(cases) => cases.iter().all(|(_, c)| leads(c, sure)),
            Choice::Again(a, b) => leads(a, sure) && leads(b, sure),
        }
    }
    let mut sure = vec![true; states.len()];
    loop {
        let next: Vec<bool> = states.iter().map(|c| completes(c, &sure)).collect();
        if next == sure {
            return sure;
        }
        sure = next;
    }
}
