//! Lines of one piece that lead to the same cell and do different things there: a move would not say which is meant.

use super::cx::Cx;
use super::fold;
use super::may::{Possible, Scene};
use super::ways::{self, Wants, ray};
use crate::base::{Diagnostic, Severity, Span};
use crate::ir::expr::{Cond, Role, Set};
use crate::ir::piece::{Clause, Generator};
use crate::ir::{Cell, Game, TypeId};
use std::collections::BTreeSet;

/// Finds pairs of lines without labels that differ in what they do, and that in some position lead from one cell to one cell.
pub(crate) fn clashes(cx: &mut Cx, may: &Possible) {
    let game = may.game;
    for (t, ty) in game.types.iter().enumerate() {
        for (i, a) in ty.clauses.iter().enumerate() {
            for b in &ty.clauses[i + 1..] {
                let (a, b) = (&game.clauses[*a as usize], &game.clauses[*b as usize]);
                if cx.report.full() || may.spent() {
                    return;
                }
                if a.label == b.label
                    && !same_effect(a, b)
                    && may_agree(a, b)
                    && meet(may, t as TypeId, a, b)
                    && !may.spent()
                {
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

/// Whether nothing is known of conditions that would keep the lines apart: those of one are among those of the other, and none
/// shuts out the other's targets.
fn may_agree(a: &Clause, b: &Clause) -> bool {
    let shuts = |line: &Clause, set: &Set| line.guards.iter().any(|g| shut_out(g) == Some(set));
    if shuts(a, &b.target) || shuts(b, &a.target) {
        return false;
    }
    let among = |few: &Clause, many: &Clause| few.guards.iter().all(|g| many.guards.contains(g));
    among(a, b) || among(b, a)
}

/// The cells that a condition of a line keeps it from, as `unless here in SET` does.
pub(crate) fn shut_out(guard: &Cond) -> Option<&Set> {
    let Cond::Not(inner) = guard else { return None };
    let Cond::Some(Set::Intersect(both)) = &**inner else { return None };
    match both.as_slice() {
        [Set::Role(Role::Here), cells] => Some(cells),
        _ => None,
    }
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

/// Whether in some position a turn may offer a move by each of them from one cell to one cell.
fn meet(may: &Possible, t: TypeId, a: &Clause, b: &Clause) -> bool {
    let game = may.game;
    may.offers_both(t, a, b)
        && (0..game.seats.len()).any(|seat| {
            let scene = may.in_line(Scene::new(seat, seat), t, None);
            let guards = fold::all(a.guards.iter().chain(&b.guards).cloned().collect());
            let wants = |clause: &Clause| Wants::new(may, &on_empty_marks(clause), scene);
            let (first, second) = (wants(a), wants(b));
            let stands = may.stands(seat, t);
            may.cond(&guards, scene).yes
                && (0..game.board.cells.len() as Cell).filter(|c| stands.has(*c) && !may.spent()).any(|cell| {
                    let (a, b) = (ways::ways(game, a, seat, cell), ways::ways(game, b, seat, cell));
                    may.spend((a.len() + b.len() + a.len() * b.len() / 64) as u64);
                    a.iter().any(|a| {
                        let mut same = b.iter().filter(|b| b.to == a.to);
                        same.any(|b| ways::together(may, (a, &first), (b, &second)))
                    })
                })
        })
}

/// The line where only empty cells bear marks: whether others do is seldom meant, and not known.
fn on_empty_marks(clause: &Clause) -> Clause {
    fn marks(set: &Set) -> Set {
        match set {
            Set::Mark(_) => Set::Intersect(vec![set.clone(), Set::Empty]),
            Set::Union(parts) => Set::Union(parts.iter().map(marks).collect()),
            Set::Intersect(parts) => Set::Intersect(parts.iter().map(marks).collect()),
            other => other.clone(),
        }
    }
    Clause { target: marks(&clause.target), ..clause.clone() }
}

/// Where the line may lead from a cell, on a board without other pieces in the way; nowhere if it is a drop or borrowed.
pub(crate) fn reach(game: &Game, clause: &Clause, seat: usize, cell: Cell) -> BTreeSet<Cell> {
    let lies = |zone: Option<u16>, c: Cell| zone.is_none_or(|z| game.zones[z as usize].cells[seat].contains(&c));
    if !lies(clause.from, cell) || !lies(clause.within, cell) {
        return BTreeSet::new();
    }
    let along = |dirs: &Vec<Vec<u8>>, skip: usize, take: usize| -> BTreeSet<Cell> {
        dirs[seat].iter().flat_map(|d| ray(game, cell, *d).skip(skip).take(take)).collect()
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
