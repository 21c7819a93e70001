//! Whether a game surely comes to an end.

use crate::check::clash;
use crate::check::walk::{self, Node};
use crate::ir::Game;
use crate::ir::expr::{Cond, Num, Role, Set};
use crate::ir::piece::{Clause, Generator};
use crate::ir::rule::{Change, Effect, Event};
use crate::ir::turn::{Act, Chosen, Verb};

/// Whether a result, a ban on positions that come back, or the way the pieces move, ends every game.
pub(super) fn bounded(game: &Game) -> bool {
    let mut limit = false;
    for result in &game.results {
        walk::cond(&result.cond, &mut |node| match node {
            Node::Cond(Cond::Occurs { .. } | Cond::Quiet { .. } | Cond::AllPass) | Node::Num(Num::TurnNumber) => {
                limit = true
            }
            Node::Num(Num::Counter(counter, _)) => limit |= runs(game, *counter),
            _ => {}
        });
    }
    for forbid in &game.forbids {
        walk::cond(&forbid.cond, &mut |node| limit |= matches!(node, Node::Cond(Cond::Occurs { .. })));
    }
    if limit || (0..game.marks.len() as u16).any(|mark| burns(game, mark)) {
        return true;
    }
    let drops = game.clauses.iter().any(|c| matches!(c.generator, Generator::Drop { .. }));
    // Where nothing is dropped, pieces only get fewer.
    let (mut undone, mut changes, mut passes) = (false, false, false);
    walk::game(game, &mut |node| match node {
        Node::Effect(Effect::Displace { .. } | Effect::Hand { .. }) => undone = true,
        Node::Effect(Effect::Remove(_) | Effect::Capture(_)) => undone |= drops,
        Node::Effect(Effect::Flip(_) | Effect::Become(..) | Effect::Remap(..) | Effect::Roll(_)) => changes = true,
        Node::Act(Act::Choose { effect: Chosen::Remove | Chosen::Capture, .. }) => undone |= drops,
        Node::Act(Act::Rotate { .. } | Act::Choose { .. }) => undone = true,
        Node::Act(Act::Pass | Act::SwapSides) => passes = true,
        _ => {}
    });
    if undone {
        return false;
    }
    let ends = |types: &mut dyn Iterator<Item = usize>, seats: &[usize]| {
        types.flat_map(|t| &game.types[t].clauses).all(|c| {
            let clause = &game.clauses[*c as usize];
            !drops && captures(clause) || seats.iter().all(|seat| progresses(game, clause, *seat))
        })
    };
    let all: Vec<usize> = (0..game.seats.len()).collect();
    if ends(&mut (0..game.types.len()), &all) {
        return true;
    }
    // It is enough if one player, who must move and whose pieces stay what they are, comes to an end.
    let promotes = game.types.iter().any(|ty| !ty.promotions.is_empty());
    let steady = !(changes || passes || promotes || drops || game.setup.fill.is_some());
    steady
        && all.iter().any(|seat| {
            let own = game.setup.places.iter().filter(|(owner, ..)| owner.map(usize::from) == Some(*seat));
            ends(&mut own.map(|(_, kind, _)| usize::from(game.kinds[*kind as usize].piece)), &[*seat])
        })
}

/// What is done after every move.
fn after_moves(game: &Game) -> impl Iterator<Item = &Effect> {
    game.afters.iter().filter(|a| a.events.contains(&Event::Act(Verb::Move))).flat_map(|a| &a.body)
}

/// Whether a counter is a clock: every move counts it on, and nothing counts it back.
fn runs(game: &Game, counter: u16) -> bool {
    let mut changes = Vec::new();
    walk::game(game, &mut |node| {
        if let Node::Effect(Effect::Count { counter: of, change, value, .. }) = node
            && *of == counter
        {
            changes.push((*change, matches!(value, Num::Const(1..))));
        }
    });
    let one_way = [Change::Add, Change::Subtract].iter().any(|way| changes.iter().all(|c| *c == (*way, true)));
    let counted = |e: &Effect| matches!(e, Effect::Count { counter: of, .. } if *of == counter);
    one_way && after_moves(game).any(counted)
}

/// Whether every move marks a cell for ever onto which no piece can move any more.
fn burns(game: &Game, mark: u16) -> bool {
    fn shuts(set: &Set, mark: u16) -> bool {
        match set {
            Set::Minus(_, out) => **out == Set::Mark(mark),
            Set::Intersect(parts) => parts.iter().any(|part| shuts(part, mark)),
            _ => false,
        }
    }
    let unless = |guard: &Cond| clash::shut_out(guard) == Some(&Set::Mark(mark));
    let mut lasts = game.marks[mark as usize].turns.is_none();
    walk::game(game, &mut |node| match node {
        Node::Effect(Effect::Unmark(_, of)) => lasts &= *of != mark,
        Node::Act(act) => lasts &= matches!(act, Act::Play { .. }),
        _ => {}
    });
    let marks = |e: &Effect| *e == Effect::Mark(Set::Role(Role::Origin), mark);
    lasts
        && after_moves(game).any(marks)
        && game.clauses.iter().all(|c| {
            let moves = !matches!(c.generator, Generator::Drop { .. } | Generator::Castle { .. });
            moves && (shuts(&c.target, mark) || c.guards.iter().any(unless))
        })
}

/// Whether every move by the line captures.
fn captures(clause: &Clause) -> bool {
    fn pieces(set: &Set) -> bool {
        match set {
            Set::Enemies | Set::Of(_) | Set::Pieces | Set::Kinds(_) => true,
            Set::Intersect(parts) => parts.iter().any(pieces),
            Set::Union(parts) => parts.iter().all(pieces),
            Set::Minus(of, _) => pieces(of),
            _ => false,
        }
    }
    match &clause.generator {
        Generator::Hop { captures: true, .. } => true,
        Generator::Drop { .. } | Generator::Castle { .. } | Generator::Imitate { .. } => false,
        _ => pieces(&clause.target),
    }
}

/// Whether the player's move fills a cell or goes toward the far rank, so that it cannot be repeated for ever.
fn progresses(game: &Game, clause: &Clause, seat: usize) -> bool {
    let rank = |cell: u16| {
        let seen = game.board.turned[seat][cell as usize];
        i32::from(game.board.cells[seen as usize].rank)
    };
    let forward = |from: u16, to: u16| {
        let up = rank(to) - rank(from);
        // Without symmetry the second player still looks the other way.
        let same = game.board.turned[seat].iter().enumerate().all(|(i, c)| i == *c as usize);
        if seat == 1 && same && game.seats.len() == 2 { up < 0 } else { up > 0 }
    };
    let dirs_forward = |dirs: &Vec<Vec<u8>>| {
        dirs[seat].iter().all(|d| {
            let next = &game.board.dirs[*d as usize].next;
            next.iter().enumerate().all(|(c, to)| to.is_none_or(|to| forward(c as u16, to)))
        })
    };
    match &clause.generator {
        Generator::Drop { .. } => true,
        Generator::Step { dirs, .. } | Generator::Slide { dirs, .. } | Generator::Hop { dirs, .. } => {
            dirs_forward(dirs)
        }
        Generator::Leap { paths } => {
            paths[seat].iter().enumerate().all(|(c, to)| to.iter().all(|(to, _)| forward(c as u16, *to)))
        }
        Generator::LeapAnywhere | Generator::Castle { .. } | Generator::Imitate { .. } => false,
    }
}
