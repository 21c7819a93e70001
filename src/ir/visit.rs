//! One walk over everything a phrase consists of.

use super::Game;
use super::ending::Verdict;
use super::expr::{Cond, Num, Role, Set};
use super::piece::{Facing, Generator};
use super::rule::{Course, Effect, Forbidden};
use super::turn::{Act, Choice};

/// A part of a phrase.
#[derive(Clone, Copy)]
pub enum Node<'a> {
    /// A set.
    Set(&'a Set),
    /// A condition.
    Cond(&'a Cond),
    /// A number.
    Num(&'a Num),
}

impl<'a> Node<'a> {
    /// Calls `f` with each direct part.
    pub fn children(self, f: &mut dyn FnMut(Node<'a>)) {
        match self {
            Node::Set(set) => set_children(set, f),
            Node::Cond(cond) => cond_children(cond, f),
            Node::Num(num) => num_children(num, f),
        }
    }

    /// Whether `f` holds for this node or any part of it.
    pub fn any(self, f: &mut dyn FnMut(Node<'a>) -> bool) -> bool {
        if f(self) {
            return true;
        }
        let mut found = false;
        self.children(&mut |child| found = found || child.any(f));
        found
    }

    /// Whether a role is read outside of `Where`, which binds `here` itself.
    pub fn reads(self, role: Role) -> bool {
        self.any(&mut |n| match n {
            Node::Set(Set::Role(r)) => *r == role,
            Node::Set(Set::Crossed) => role == Role::Here || role == Role::Origin,
            Node::Set(Set::Marker(_)) => role == Role::Here,
            Node::Cond(Cond::RoleIs(r, _)) => *r == role,
            Node::Num(Num::WorthOf(r)) => *r == role,
            _ => false,
        })
    }
}

fn set_children<'a>(set: &'a Set, f: &mut dyn FnMut(Node<'a>)) {
    match set {
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
        Set::Neighbours { of, .. } | Set::Bearing { of, .. } => f(Node::Set(of)),
        Set::Attacked(of) | Set::Surrounded(of) | Set::SeenBy(_, of) => f(Node::Set(of)),
        Set::First { from, what, .. } => {
            f(Node::Set(from));
            f(Node::Set(what));
        }
        Set::Runs { what, from, to, .. } => {
            f(Node::Set(what));
            f(Node::Set(from));
            f(Node::Set(to));
        }
        Set::Union(parts) | Set::Intersect(parts) => parts.iter().for_each(|p| f(Node::Set(p))),
        Set::Minus(a, b) => {
            f(Node::Set(a));
            f(Node::Set(b));
        }
        Set::Where(a, c) => {
            f(Node::Set(a));
            f(Node::Cond(c));
        }
    }
}

fn cond_children<'a>(cond: &'a Cond, f: &mut dyn FnMut(Node<'a>)) {
    match cond {
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
        Cond::All(parts) | Cond::Any(parts) => parts.iter().for_each(|p| f(Node::Cond(p))),
        Cond::Not(c) | Cond::SeenBy(_, c) | Cond::AnyPlayer(c) => f(Node::Cond(c)),
        Cond::Some(s) => f(Node::Set(s)),
        Cond::Within(a, b) => {
            f(Node::Set(a));
            f(Node::Set(b));
        }
        Cond::Compare(a, _, b) => {
            f(Node::Num(a));
            f(Node::Num(b));
        }
        Cond::Odd(n) => f(Node::Num(n)),
        Cond::Line { of, through, .. } => {
            f(Node::Set(of));
            through.iter().for_each(|t| f(Node::Set(t)));
        }
        Cond::Connects { of, from, to, .. } => {
            f(Node::Set(of));
            f(Node::Set(from));
            f(Node::Set(to));
        }
        Cond::Quiet { turns, .. } => f(Node::Num(turns)),
    }
}

fn num_children<'a>(num: &'a Num, f: &mut dyn FnMut(Node<'a>)) {
    match num {
        Num::Const(_) | Num::WorthOf(_) | Num::Counter(..) | Num::Hand(..) | Num::Tally(..) | Num::TurnNumber => {}
        Num::Count(s) | Num::Worth(s) => f(Node::Set(s)),
        Num::Odd(n) | Num::SeenBy(_, n) => f(Node::Num(n)),
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) => {
            f(Node::Num(a));
            f(Node::Num(b));
        }
    }
}

/// Calls `f` with the sets, conditions and numbers of an effect, and those of effects within it.
pub fn effect_parts<'a>(effect: &'a Effect, f: &mut dyn FnMut(Node<'a>)) {
    match effect {
        Effect::Capture(s) | Effect::Remove(s) | Effect::Flip(s) | Effect::Roll(s) => f(Node::Set(s)),
        Effect::Remap(s, _) | Effect::Become(s, _) | Effect::Mark(s, _) | Effect::Unmark(s, _) => f(Node::Set(s)),
        Effect::Displace { set, course, .. } => {
            f(Node::Set(set));
            match course {
                Course::Toward(s) | Course::AwayFrom(s) => f(Node::Set(s)),
                Course::Dirs(_) => {}
            }
        }
        Effect::Count { value, .. } => f(Node::Num(value)),
        Effect::Hand { .. } | Effect::EndTurn => {}
        Effect::When(c, a, b) => {
            f(Node::Cond(c));
            a.iter().chain(b).for_each(|e| effect_parts(e, f));
        }
    }
}

/// Whether `f` holds for any set, condition or number in the rules of a game, parts of others included.
pub fn any_phrase(game: &Game, f: &mut dyn FnMut(Node) -> bool) -> bool {
    let mut found = false;
    phrases(game, &mut |node| found = found || node.any(f));
    found
}

/// Calls `f` with each set, condition and number that stands in a rule by itself.
pub fn phrases<'a>(game: &'a Game, f: &mut dyn FnMut(Node<'a>)) {
    step_phrases(game, f);
    game.forbids.iter().filter(|x| x.what != Forbidden::Capture).for_each(|x| f(Node::Cond(&x.cond)));
    game.latches.iter().for_each(|l| f(Node::Cond(&l.cond)));
    game.quiets.iter().for_each(|q| f(Node::Cond(&q.broken)));
    game.prefer.iter().for_each(|n| f(Node::Num(n)));
    for result in &game.results {
        f(Node::Cond(&result.cond));
        if let Verdict::Highest(n) | Verdict::Lowest(n) = &result.verdict {
            f(Node::Num(n));
        }
    }
    turn_phrases(game, f);
}

/// Calls `f` with those that are read while a step is found or carried out: of clauses, promotions, blocks and `forbid capture`.
pub fn step_phrases<'a>(game: &'a Game, f: &mut dyn FnMut(Node<'a>)) {
    for clause in &game.clauses {
        f(Node::Set(&clause.target));
        for facing in [&clause.toward, &clause.away_from].into_iter().flatten() {
            if let Facing::Piece(set) = facing {
                f(Node::Set(set));
            }
        }
        if let Generator::Hop { over, .. } = &clause.generator {
            f(Node::Set(over));
        }
        clause.guards.iter().for_each(|g| f(Node::Cond(g)));
    }
    for promotion in game.types.iter().flat_map(|t| &t.promotions) {
        promotion.guards.iter().for_each(|g| f(Node::Cond(g)));
    }
    effects(game, &mut |effect| effect_parts(effect, f));
    game.reactions.iter().for_each(|r| f(Node::Set(&r.to)));
    let captures = game.forbids.iter().filter(|x| x.what == Forbidden::Capture);
    captures.for_each(|x| f(Node::Cond(&x.cond)));
}

/// Calls `f` with the conditions and sets of a game's turn.
pub fn turn_phrases<'a>(game: &'a Game, f: &mut dyn FnMut(Node<'a>)) {
    game.turn.states.iter().for_each(|c| choice_parts(c, f));
}

/// Calls `f` with each effect of a game, not with those within it.
pub fn effects<'a>(game: &'a Game, f: &mut dyn FnMut(&'a Effect)) {
    let clauses = game.clauses.iter().map(|c| &c.then);
    let promotions = game.types.iter().flat_map(|t| &t.promotions).map(|p| &p.then);
    let afters = game.afters.iter().map(|a| &a.body);
    let reactions = game.reactions.iter().map(|r| &r.body);
    clauses.chain(promotions).chain(afters).chain(reactions).flatten().for_each(f);
}

fn choice_parts<'a>(choice: &'a Choice, f: &mut dyn FnMut(Node<'a>)) {
    match choice {
        Choice::End | Choice::Goto(_) => {}
        Choice::Do(Act::Rotate { set, ways, .. }, _) => {
            f(Node::Set(set));
            ways.iter().for_each(|(c, _)| f(Node::Cond(c)));
        }
        Choice::Do(Act::Choose { set, .. }, _) => f(Node::Set(set)),
        Choice::Do(Act::Play { .. } | Act::Pass | Act::SwapSides, _) => {}
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().for_each(|p| choice_parts(p, f)),
        Choice::Cases(cases) => cases.iter().for_each(|(c, x)| {
            f(Node::Cond(c));
            choice_parts(x, f);
        }),
        Choice::Again(a, b) => {
            choice_parts(a, f);
            choice_parts(b, f);
        }
    }
}
