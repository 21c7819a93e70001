//! One walk over everything a game says.

use crate::ir::Game;
use crate::ir::ending::Verdict;
use crate::ir::expr::{Cond, Num, Set};
use crate::ir::piece::{Facing, Generator};
use crate::ir::rule::{Course, Effect};
use crate::ir::turn::{Act, Choice};

/// What a walk meets.
pub(crate) enum Node<'a> {
    Set(&'a Set),
    Cond(&'a Cond),
    Num(&'a Num),
    Effect(&'a Effect),
    Act(&'a Act),
}

/// Calls `f` on the set and all its parts.
pub(crate) fn set(s: &Set, f: &mut dyn FnMut(Node)) {
    f(Node::Set(s));
    match s {
        Set::Empty
        | Set::Board
        | Set::Pieces
        | Set::Of(_)
        | Set::Enemies
        | Set::Kinds(_)
        | Set::Zone(_)
        | Set::Cells(_)
        | Set::Role(_)
        | Set::Crossed
        | Set::Mark(_)
        | Set::Marker(_)
        | Set::Turned(_)
        | Set::Unmoved => {}
        Set::Neighbours { of, dirs: _ } | Set::Bearing { of, .. } | Set::Attacked(of) | Set::Surrounded(of) => {
            set(of, f)
        }
        Set::SeenBy(_, of) => set(of, f),
        Set::First { from, what, dirs: _ } => {
            set(from, f);
            set(what, f);
        }
        Set::Runs { what, from, to, dirs: _, exactly: _ } => {
            set(what, f);
            set(from, f);
            set(to, f);
        }
        Set::Union(parts) | Set::Intersect(parts) => parts.iter().for_each(|p| set(p, f)),
        Set::Minus(a, b) => {
            set(a, f);
            set(b, f);
        }
        Set::Where(of, c) => {
            set(of, f);
            cond(c, f);
        }
    }
}

/// Calls `f` on the condition and all its parts.
pub(crate) fn cond(c: &Cond, f: &mut dyn FnMut(Node)) {
    f(Node::Cond(c));
    match c {
        Cond::Const(_)
        | Cond::RoleIs(..)
        | Cond::InCheck(_)
        | Cond::Stuck(_)
        | Cond::Checkmate
        | Cond::Stalemate
        | Cond::Can(..)
        | Cond::Occurs { .. }
        | Cond::AllPass
        | Cond::Latch(..) => {}
        Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|p| cond(p, f)),
        Cond::Not(inner) | Cond::SeenBy(_, inner) | Cond::AnyPlayer(inner) => cond(inner, f),
        Cond::Some(s) => set(s, f),
        Cond::Within(a, b) => {
            set(a, f);
            set(b, f);
        }
        Cond::Compare(a, _, b) => {
            num(a, f);
            num(b, f);
        }
        Cond::Odd(n) => num(n, f),
        Cond::Line { of, through, count: _, exactly: _ } => {
            set(of, f);
            through.iter().for_each(|t| set(t, f));
        }
        Cond::Connects { of, from, to, dirs: _ } => {
            set(of, f);
            set(from, f);
            set(to, f);
        }
        Cond::Quiet { quiet: _, turns } => num(turns, f),
    }
}

/// Calls `f` on the number and all its parts.
pub(crate) fn num(n: &Num, f: &mut dyn FnMut(Node)) {
    f(Node::Num(n));
    match n {
        Num::Const(_) | Num::WorthOf(_) | Num::Counter(..) | Num::Hand(..) | Num::Tally(..) | Num::TurnNumber => {}
        Num::Count(s) | Num::Worth(s) => set(s, f),
        Num::Odd(inner) | Num::SeenBy(_, inner) => num(inner, f),
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) => {
            num(a, f);
            num(b, f);
        }
    }
}

/// Calls `f` on the effect and all its parts.
pub(crate) fn effect(e: &Effect, f: &mut dyn FnMut(Node)) {
    f(Node::Effect(e));
    match e {
        Effect::Capture(s)
        | Effect::Remove(s)
        | Effect::Flip(s)
        | Effect::Roll(s)
        | Effect::Remap(s, _)
        | Effect::Become(s, _)
        | Effect::Mark(s, _)
        | Effect::Unmark(s, _) => set(s, f),
        Effect::Displace { set: s, limit: _, course } => {
            set(s, f);
            match course {
                Course::Toward(s) | Course::AwayFrom(s) => set(s, f),
                Course::Dirs(_) => {}
            }
        }
        Effect::Count { value, .. } => num(value, f),
        Effect::Hand { .. } | Effect::EndTurn => {}
        Effect::When(c, a, b) => {
            cond(c, f);
            a.iter().chain(b).for_each(|e| effect(e, f));
        }
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
