//! Lines of one piece that lead to the same cell and do different things there: a move would not say which is meant.

use super::cx::Cx;
use crate::base::{Diagnostic, Severity, Span};
use crate::ir::expr::{Set, Who};
use crate::ir::piece::{Clause, Generator};
use crate::ir::{Cell, Game};
use std::collections::BTreeSet;

/// Finds pairs of lines without labels that differ in what they do, and of which some cell has a common target.
pub(crate) fn clashes(cx: &mut Cx, game: &Game) {
    for (t, ty) in game.types.iter().enumerate() {
        for (i, a) in ty.clauses.iter().enumerate() {
            for b in &ty.clauses[i + 1..] {
                let (a, b) = (&game.clauses[*a as usize], &game.clauses[*b as usize]);
                if cx.report.full() {
                    return;
                }
                if a.label == b.label && !same_effect(a, b) && accepts_alike(a, b) && meet(game, a, b) {
                    report(cx, t, a, b);
                }
            }
        }
    }
}

fn report(cx: &mut Cx, t: usize, a: &Clause, b: &Clause) {
    let at = |cx: &Cx, text: &str| -> Span {
        let written = cx.pieces[t].clauses.iter().map(|c| c.span).find(|s| cx.texts.line(*s) == text);
        written.unwrap_or(cx.pieces[t].name.span)
    };
    let (first, second) = (at(cx, &a.text), at(cx, &b.text));
    let name = cx.pieces[t].name.node.clone();
    let message = format!("two lines of `{name}` can lead to the same cell and do different things there");
    let mut d = Diagnostic::error("clash", message, second)
        .here("a move says only where the piece goes, so this would never be chosen")
        .label(first, "this line comes first")
        .help("give one of them a label, as in `swoop: leap (1,2)`, which its moves then show; or narrow their targets, as in `to empty` and `to enemy`");
    if !a.guards.is_empty() || !b.guards.is_empty() {
        // the conditions may exclude one another
        d.severity = Severity::Warning;
    }
    cx.push(d);
}

fn same_effect(a: &Clause, b: &Clause) -> bool {
    let captures = |c: &Clause| matches!(c.generator, Generator::Hop { captures: true, .. });
    let castles = |c: &Clause| matches!(c.generator, Generator::Castle { .. });
    let moves = |c: &Clause| !matches!(c.generator, Generator::Drop { .. } | Generator::Imitate { .. });
    if !moves(a) || !moves(b) {
        return true;
    }
    a.then == b.then && a.once == b.once && captures(a) == captures(b) && castles(a) == castles(b)
}

/// Whether one cell can be a target of both: what may be there, empty, an enemy's piece, a friend's.
fn accepts_alike(a: &Clause, b: &Clause) -> bool {
    let (a, b) = (what(&a.target), what(&b.target));
    (0..3).any(|i| a[i] && b[i])
}

fn what(set: &Set) -> [bool; 3] {
    match set {
        Set::Empty | Set::Mark(_) => [true, false, false],
        Set::Enemies | Set::Of(Who::Opponent) => [false, true, false],
        Set::Of(Who::Me) => [false, false, true],
        Set::Pieces | Set::Kinds(_) => [false, true, true],
        Set::Union(parts) => parts.iter().map(what).fold([false; 3], |x, y| [x[0] | y[0], x[1] | y[1], x[2] | y[2]]),
        Set::Intersect(parts) => parts.iter().map(what).fold([true; 3], |x, y| [x[0] & y[0], x[1] & y[1], x[2] & y[2]]),
        Set::Minus(of, _) => what(of),
        _ => [true; 3],
    }
}

/// Whether from some cell both lead to the same cell, on a board without other pieces in the way.
fn meet(game: &Game, a: &Clause, b: &Clause) -> bool {
    (0..game.seats.len()).any(|seat| {
        (0..game.board.cells.len() as Cell).any(|cell| {
            let first = reach(game, a, seat, cell);
            !first.is_empty() && !first.is_disjoint(&reach(game, b, seat, cell))
        })
    })
}

/// Where the line may lead from a cell, on a board without other pieces in the way; nowhere if it is a drop or borrowed.
pub(crate) fn reach(game: &Game, clause: &Clause, seat: usize, cell: Cell) -> BTreeSet<Cell> {
    let lies = |zone: Option<u16>, c: Cell| zone.is_none_or(|z| game.zones[z as usize].cells[seat].contains(&c));
    if !lies(clause.from, cell) || !lies(clause.within, cell) {
        return BTreeSet::new();
    }
    let ray = |d: u8| {
        let mut at = Some(cell);
        let next = move || {
            at = at.and_then(|c| game.board.next(c, d)).filter(|c| *c != cell);
            at
        };
        std::iter::from_fn(next).take(game.board.cells.len())
    };
    let along = |dirs: &Vec<Vec<u8>>, skip: usize, take: usize| -> BTreeSet<Cell> {
        dirs[seat].iter().flat_map(|d| ray(*d).skip(skip).take(take)).collect()
    };
    let all = usize::MAX;
    let mut reached = match &clause.generator {
        Generator::Step { dirs, distance } => along(dirs, (*distance as usize).saturating_sub(1), 1),
        Generator::Slide { dirs, limit, .. } => along(dirs, 0, limit.map_or(all, |n| n as usize)),
        Generator::Leap { paths } => paths[seat][cell as usize].iter().map(|(to, _)| *to).collect(),
        Generator::LeapAnywhere => (0..game.board.cells.len() as Cell).filter(|c| *c != cell).collect(),
        Generator::Hop { dirs, far, beyond, .. } => along(dirs, 1, if *far || *beyond { all } else { 1 }),
        Generator::Castle { dirs, steps, .. } => along(dirs, (*steps as usize).saturating_sub(1), 1),
        Generator::Drop { .. } | Generator::Imitate { .. } => BTreeSet::new(),
    };
    reached.retain(|c| lies(clause.within, *c));
    reached
}
