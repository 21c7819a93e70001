//! Results before which another always comes.

use super::phrase::{implies, varying};
use crate::base::Diagnostic;
use crate::check::cx::Cx;
use crate::check::may::Possible;
use crate::check::texts::words;
use crate::check::walk::{self, Node};
use crate::ir::Game;
use crate::ir::ending::{Result as Ending, Verdict};
use crate::ir::expr::{Cond, Num, Set, Who};

/// Judges every result; so many at most are held against one another.
pub(super) fn judge(cx: &mut Cx, may: &Possible) {
    let game = may.game;
    let varying = varying(cx);
    let mut left = 20_000;
    for (j, later) in game.results.iter().enumerate().take(100) {
        let first = before(&game.results[..j], later, &mut left);
        let places = &cx.written.places.results;
        let span = places[j];
        let doubt = (!first.is_empty()).then(|| {
            let shadowed =
                Diagnostic::warning("shadowed", "this result never comes: another always comes before", span);
            let labels: &[&str] = match first.len() {
                1 => &["whenever that one would, this holds too, and stands first"],
                _ => &["in check, this comes first", "without check, this comes first"],
            };
            let shadowed = first.iter().zip(labels).fold(shadowed, |d, (i, label)| d.label(places[*i], *label));
            shadowed.help("put the line that asks for more before the other, or remove it")
        });
        cx.written.doubts.judge("shadowed", span, doubt);
        let equal = match &later.verdict {
            Verdict::Highest(n) | Verdict::Lowest(n) if !matters(game, |f| walk::num(n, f)) => Some((
                "this number is the same for all players, so nobody ever wins by it",
                "say whose: `count of my pieces`, `score of me`, a counter with `each`; or name who wins",
            )),
            Verdict::Highest(n) | Verdict::Lowest(n)
                if may.constant(n) && !words(&later.text).any(|w| varying.iter().any(|n| n == w)) =>
            {
                Some((
                    "this number never changes, so nobody ever wins by it",
                    "let something change it, as in `after capture { score += 1 }`, or compare another number",
                ))
            }
            _ => None,
        };
        let doubt = equal.map(|(message, help)| Diagnostic::warning("equal-numbers", message, span).help(help));
        cx.written.doubts.judge("equal-numbers", span, doubt);
    }
}

/// The results of which one is tried and holds whenever the later one would: one, or two, or none.
fn before(earlier: &[Ending], later: &Ending, left: &mut u32) -> Vec<usize> {
    let tried = |first: &Ending| {
        let viewers = (first.verdict.viewer(), later.verdict.viewer());
        let seen = viewers.0.is_none() || viewers.0 == viewers.1 || plain(&first.cond) && plain(&later.cond);
        seen && (first.at_once || !later.at_once)
    };
    let mut holding = |cond: &Cond| earlier.iter().position(|first| tried(first) && implies(cond, &first.cond, left));
    if let Some(one) = holding(&later.cond) {
        return vec![one];
    }
    // Who is stuck is so in check or out of it.
    let stuck = holding(&Cond::Checkmate).zip(holding(&Cond::Stalemate));
    let both = stuck.filter(|_| implies(&later.cond, &Cond::Stuck(Who::Next), left));
    both.map_or(Vec::new(), |(a, b)| vec![a, b])
}

/// Whether it does not matter who looks.
fn plain(cond: &Cond) -> bool {
    let mut plain = true;
    walk::cond(cond, &mut |node| plain &= !looks(&node, &|_| true));
    plain
}

/// Whether it matters who looks at a phrase.
fn matters(game: &Game, phrase: impl Fn(&mut dyn FnMut(Node))) -> bool {
    let mut matters = false;
    phrase(&mut |node| matters |= looks(&node, &|counter| game.counters[counter as usize].each));
    matters
}

/// Whether a part of a phrase may be another for another who looks; `each` says whether a counter is one for each player.
fn looks(node: &Node, each: &dyn Fn(u16) -> bool) -> bool {
    let named = |who: &Who| matches!(who, Who::Mover | Who::Next | Who::Seat(_));
    let same = match node {
        Node::Set(set) => match set {
            Set::Empty | Set::Board | Set::Pieces | Set::Kinds(_) | Set::Cells(_) => true,
            Set::Union(_) | Set::Intersect(_) | Set::Minus(..) => true,
            Set::Of(who) => named(who),
            _ => false,
        },
        Node::Cond(cond) => match cond {
            Cond::InCheck(who) | Cond::Stuck(who) | Cond::Can(who, _) | Cond::Latch(_, who) => named(who),
            Cond::SeenBy(..) | Cond::AnyPlayer(_) | Cond::Connects { .. } => false,
            _ => true,
        },
        Node::Num(num) => match num {
            Num::Counter(counter, who) => named(who) || !each(*counter),
            Num::Hand(who, _) | Num::Tally(_, who) => named(who),
            Num::SeenBy(..) => false,
            _ => true,
        },
        Node::Effect(_) | Node::Act(_) => true,
    };
    !same
}
