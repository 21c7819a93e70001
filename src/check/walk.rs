//! One walk over everything a game says.

use crate::ir::Game;
use crate::ir::ending::Verdict;
use crate::ir::expr::{Cond, Num, Set};
use crate::ir::piece::{Facing, Generator};
use crate::ir::rule::Effect;
use crate::ir::turn::{Act, Choice};
use crate::ir::visit;

/// What a walk meets.
pub(crate) enum Node<'a> {
    Set(&'a Set),
    Cond(&'a Cond),
    Num(&'a Num),
    Effect(&'a Effect),
    Act(&'a Act),
}

fn phrase(part: visit::Node, f: &mut dyn FnMut(Node)) {
    f(match part {
        visit::Node::Set(s) => Node::Set(s),
        visit::Node::Cond(c) => Node::Cond(c),
        visit::Node::Num(n) => Node::Num(n),
    });
    part.children(&mut |child| phrase(child, f));
}

fn set(s: &Set, f: &mut dyn FnMut(Node)) {
    phrase(visit::Node::Set(s), f);
}

/// Calls `f` on the condition and all its parts.
pub(crate) fn cond(c: &Cond, f: &mut dyn FnMut(Node)) {
    phrase(visit::Node::Cond(c), f);
}

/// Calls `f` on the number and all its parts.
pub(crate) fn num(n: &Num, f: &mut dyn FnMut(Node)) {
    phrase(visit::Node::Num(n), f);
}

/// Calls `f` on the effect and all its parts.
pub(crate) fn effect(e: &Effect, f: &mut dyn FnMut(Node)) {
    f(Node::Effect(e));
    if let Effect::When(c, a, b) = e {
        cond(c, f);
        a.iter().chain(b).for_each(|e| effect(e, f));
    } else {
        visit::effect_parts(e, &mut |part| phrase(part, f));
    }
}

fn choice(c: &Choice, f: &mut dyn FnMut(Node)) {
    match c {
        Choice::End | Choice::Goto(_) => {}
        Choice::Do(act, _) => {
            f(Node::Act(act));
            match act {
                Act::Rotate { set: s, ways, .. } => {
                    set(s, f);
                    ways.iter().for_each(|(c, _)| cond(c, f));
                }
                Act::Choose { set: s, .. } => set(s, f),
                Act::Play { .. } | Act::Pass | Act::SwapSides => {}
            }
        }
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().for_each(|p| choice(p, f)),
        Choice::Cases(cases) => cases.iter().for_each(|(c, then)| {
            cond(c, f);
            choice(then, f);
        }),
        Choice::Again(a, b) => {
            choice(a, f);
            choice(b, f);
        }
    }
}

/// Calls `f` on everything the game says but the targets of clauses.
pub(crate) fn game(g: &Game, f: &mut dyn FnMut(Node)) {
    for c in &g.clauses {
        match &c.generator {
            Generator::Hop { over, .. } => set(over, f),
            Generator::Step { .. }
            | Generator::Slide { .. }
            | Generator::Leap { .. }
            | Generator::LeapAnywhere
            | Generator::Castle { .. }
            | Generator::Drop { .. }
            | Generator::Imitate { .. } => {}
        }
        for facing in [&c.toward, &c.away_from].into_iter().flatten() {
            match facing {
                Facing::Piece(s) => set(s, f),
                Facing::Nothing => {}
            }
        }
        c.guards.iter().for_each(|g| cond(g, f));
        c.then.iter().for_each(|e| effect(e, f));
    }
    for p in g.types.iter().flat_map(|t| &t.promotions) {
        p.guards.iter().for_each(|g| cond(g, f));
        p.then.iter().for_each(|e| effect(e, f));
    }
    g.afters.iter().flat_map(|a| &a.body).for_each(|e| effect(e, f));
    for r in &g.reactions {
        set(&r.to, f);
        r.body.iter().for_each(|e| effect(e, f));
    }
    g.latches.iter().for_each(|l| cond(&l.cond, f));
    g.forbids.iter().for_each(|x| cond(&x.cond, f));
    g.quiets.iter().for_each(|q| cond(&q.broken, f));
    g.prefer.iter().for_each(|n| num(n, f));
    g.turn.states.iter().for_each(|s| choice(s, f));
    for r in &g.results {
        cond(&r.cond, f);
        match &r.verdict {
            Verdict::Highest(n) | Verdict::Lowest(n) => num(n, f),
            Verdict::Wins(_) | Verdict::Loses(_) | Verdict::AnyPlayerWins | Verdict::AnyPlayerLoses | Verdict::Draw => {
            }
        }
    }
}

/// Calls `f` on the targets of clauses.
pub(crate) fn targets(g: &Game, f: &mut dyn FnMut(Node)) {
    g.clauses.iter().for_each(|c| set(&c.target, f));
}
