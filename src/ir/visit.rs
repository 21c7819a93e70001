//! One walk over everything a phrase consists of.

use super::expr::{Cond, Num, Role, Set};
use super::rule::{Course, Effect};

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
