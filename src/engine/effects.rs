//! Effects made ready to run.

use super::bits::Bits;
use super::program::{C, DirSets, Lowering, N, S};
use crate::ir::rule::{Change, Course as IrCourse, Effect, HandItem};

/// An effect.
#[derive(Clone, Debug)]
pub enum E<B> {
    Capture(S<B>),
    Remove(S<B>),
    Flip(S<B>),
    Roll(S<B>),
    Remap(S<B>, u16),
    Become(S<B>, u8),
    Displace { set: S<B>, limit: Option<u16>, course: Course<B> },
    Mark(S<B>, usize),
    Unmark(S<B>, usize),
    Count { counter: usize, each: bool, who: crate::ir::expr::Who, change: Change, value: N<B> },
    Hand { who: crate::ir::expr::Who, change: Change, what: HandItem },
    EndTurn,
    When(C<B>, Box<[E<B>]>, Box<[E<B>]>),
}

/// Where a displaced piece goes.
#[derive(Clone, Debug)]
pub enum Course<B> {
    Toward(S<B>),
    AwayFrom(S<B>),
    Dirs(DirSets),
}

/// Lowers a block.
pub fn effects<B: Bits>(low: &Lowering, list: &[Effect]) -> Box<[E<B>]> {
    list.iter()
        .map(|e| match e {
            Effect::Capture(s) => E::Capture(low.set(s)),
            Effect::Remove(s) => E::Remove(low.set(s)),
            Effect::Flip(s) => E::Flip(low.set(s)),
            Effect::Roll(s) => E::Roll(low.set(s)),
            Effect::Remap(s, r) => E::Remap(low.set(s), *r),
            Effect::Become(s, k) => E::Become(low.set(s), *k),
            Effect::Displace { set, limit, course } => E::Displace {
                set: low.set(set),
                limit: *limit,
                course: match course {
                    IrCourse::Toward(s) => Course::Toward(low.set(s)),
                    IrCourse::AwayFrom(s) => Course::AwayFrom(low.set(s)),
                    IrCourse::Dirs(d) => Course::Dirs(d.clone()),
                },
            },
            Effect::Mark(s, m) => E::Mark(low.set(s), *m as usize),
            Effect::Unmark(s, m) => E::Unmark(low.set(s), *m as usize),
            Effect::Count { counter, who, change, value } => E::Count {
                counter: *counter as usize,
                each: low.game.counters[*counter as usize].each,
                who: *who,
                change: *change,
                value: low.num(value),
            },
            Effect::Hand { who, change, what } => E::Hand { who: *who, change: *change, what: what.clone() },
            Effect::EndTurn => E::EndTurn,
            Effect::When(c, a, b) => E::When(low.cond(c), effects(low, a), effects(low, b)),
        })
        .collect()
}
