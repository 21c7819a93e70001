//! Results before which another always comes.

use super::phrase::implies;
use crate::base::Diagnostic;
use crate::check::cx::Cx;
use crate::check::walk::{self, Node};
use crate::ir::Game;
use crate::ir::ending::{Result as Ending, Verdict};
use crate::ir::expr::{Cond, Num, Set, Who};

/// Judges every result; so many at most are held against one another.
pub(super) fn judge(cx: &mut Cx, game: &Game) {
    let mut left = 20_000;
    for (j, later) in game.results.iter().enumerate().take(100) {
        let first = game.results[..j].iter().position(|earlier| before(earlier, later, &mut left));
        let places = &cx.written.places.results;
        let span = places[j];
        let doubt = first.map(|i| {
            Diagnostic::warning("shadowed", "this result never comes: another always comes before", span)
                .label(places[i], "whenever that one would, this holds too, and stands first")
                .help("put the line that asks for more before the other, or remove it")
        });
        cx.written.doubts.judge("shadowed", span, doubt);
        let equal = match &later.verdict {
            Verdict::Highest(n) | Verdict::Lowest(n) => !matters(game, |f| walk::num(n, f)),
            _ => false,
        };
        let doubt = equal.then(|| {
            let help = "say whose: `count of my pieces`, `score of me`, a counter with `each`; or name who wins";
            Diagnostic::warning(
                "equal-numbers",
                "this number is the same for all players, so nobody ever wins by it",
                span,
            )
            .help(help)
        });
        cx.written.doubts.judge("equal-numbers", span, doubt);
    }
}

/// Whether the first is tried whenever the second is, and holds whenever that does.
fn before(first: &Ending, second: &Ending, left: &mut u32) -> bool {
    let tried = first.at_once || !second.at_once;
    let viewers = (first.verdict.viewer(), second.verdict.viewer());
    let seen = viewers.0.is_none() || viewers.0 == viewers.1 || plain(&first.cond) && plain(&second.cond);
    tried && seen && implies(&second.cond, &first.cond, left)
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
