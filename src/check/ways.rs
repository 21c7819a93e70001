//! The ways in which a line leads from a cell to others, each with what must stand on the cells it passes.

use super::may::{May, Possible, Scene};
use crate::ir::board::DirId;
use crate::ir::expr::Set;
use crate::ir::piece::{Clause, Facing, Generator};
use crate::ir::{Cell, Game};

/// One way to a target.
pub(crate) struct Way {
    pub to: Cell,
    /// Cells, and what must be there; a cell may come more than once.
    needs: Vec<(Cell, Need)>,
}

/// What a line may ask of a cell: an index into [`Wants`].
type Need = usize;
const EMPTY: Need = 0;
const OCCUPIED: Need = 1;
const TARGET: Need = 2;
const OVER: Need = 3;
const TOWARD: Need = 4;
const AWAY: Need = 5;
const PARTNER: Need = 6;

/// What a line asks, by [`Need`].
pub(crate) struct Wants([May; 7]);

impl Wants {
    /// What the line asks if the piece belongs to the viewer.
    pub fn new(may: &Possible, clause: &Clause, scene: Scene) -> Wants {
        let set = |set: &Set| may.set(set, scene);
        let facing = |f: &Option<Facing>| match f {
            Some(Facing::Piece(s)) => set(s).occupied(),
            Some(Facing::Nothing) | None => set(&Set::Board),
        };
        let (over, partner) = match &clause.generator {
            Generator::Hop { over, captures: true, .. } => (may.capturable(set(over).occupied()), set(&Set::Board)),
            Generator::Hop { over, .. } => (set(over).occupied(), set(&Set::Board)),
            Generator::Castle { partner, .. } => (set(&Set::Board), set(&Set::Kinds(partner.clone()))),
            _ => (set(&Set::Board), set(&Set::Board)),
        };
        let target = may.capturable(set(&clause.target));
        let (toward, away) = (facing(&clause.toward), facing(&clause.away_from));
        Wants([set(&Set::Empty), set(&Set::Pieces), target, over, toward, away, partner])
    }
}

/// The cells from a cell in one direction, up to the edge or the cell itself.
pub(crate) fn ray(game: &Game, cell: Cell, dir: DirId) -> impl Iterator<Item = Cell> {
    let next = move |at: &Cell| game.board.next(*at, dir).filter(|c| *c != cell);
    std::iter::successors(next(&cell), next).take(game.board.cells.len())
}

/// All ways in which the line leads from the cell; none if it is a drop or borrowed.
pub(crate) fn ways(game: &Game, clause: &Clause, seat: usize, cell: Cell) -> Vec<Way> {
    let lies = |zone: Option<u16>, c: Cell| zone.is_none_or(|z| game.zones[z as usize].cells[seat].contains(&c));
    let mut out = Vec::new();
    if !lies(clause.from, cell) || !lies(clause.within, cell) {
        return out;
    }
    // Along a line every cell up to the target must lie within; of a leap the target, and what must be empty.
    let mut add = |dir: Option<DirId>, to: Cell, passed: &[Cell], needs: Vec<(Cell, Need)>| {
        if passed.iter().chain([&to]).all(|c| lies(clause.within, *c)) {
            let faced = faced(game, clause, cell, dir, to);
            let all = faced.into_iter().map(|more| [needs.clone(), more].concat());
            out.extend(all.filter(|needs| possible(needs)).map(|needs| Way { to, needs }));
        }
    };
    let empty = |cells: &[Cell]| cells.iter().map(|c| (*c, EMPTY)).collect::<Vec<_>>();
    let along = |dirs: &[Vec<DirId>], add: &mut dyn FnMut(DirId, &[Cell])| {
        dirs[seat].iter().for_each(|d| add(*d, &ray(game, cell, *d).collect::<Vec<_>>()));
    };
    match &clause.generator {
        Generator::Step { dirs, distance } => along(dirs, &mut |d, ray| {
            let n = *distance as usize - 1;
            if let Some(to) = ray.get(n) {
                add(Some(d), *to, &ray[..n], [empty(&ray[..n]), vec![(*to, TARGET)]].concat());
            }
        }),
        Generator::Slide { dirs, limit, all_the_way } => along(dirs, &mut |d, ray| {
            let limit = limit.map_or(ray.len(), |n| ray.len().min(n as usize));
            for n in 0..limit {
                let mut needs = empty(&ray[..n]);
                needs.push((ray[n], TARGET));
                if *all_the_way {
                    needs.push((ray[n], EMPTY));
                    needs.extend(ray.get(n + 1).filter(|_| n + 1 < limit).map(|next| (*next, OCCUPIED)));
                }
                add(Some(d), ray[n], &ray[..n], needs);
            }
        }),
        Generator::Hop { dirs, far, beyond, .. } => along(dirs, &mut |d, ray| {
            for hurdle in 0..if *far { ray.len() } else { ray.len().min(1) } {
                let last = if *beyond { ray.len() } else { ray.len().min(hurdle + 2) };
                for n in hurdle + 1..last {
                    let mut needs = empty(&ray[..hurdle]);
                    needs.push((ray[hurdle], OVER));
                    needs.extend(empty(&ray[hurdle + 1..n]));
                    needs.push((ray[n], TARGET));
                    add(Some(d), ray[n], &ray[..n], needs);
                }
            }
        }),
        Generator::Castle { dirs, steps, .. } => along(dirs, &mut |d, ray| {
            let n = *steps as usize - 1;
            for partner in n + 1..ray.len() {
                let needs = [empty(&ray[..partner]), vec![(ray[n], TARGET), (ray[partner], PARTNER)]].concat();
                add(Some(d), ray[n], &ray[..n], needs);
            }
        }),
        Generator::Leap { paths } => {
            for (to, passed) in &paths[seat][cell as usize] {
                add(None, *to, passed, [empty(passed), vec![(*to, TARGET)]].concat());
            }
        }
        Generator::LeapAnywhere => {
            for to in (0..game.board.cells.len() as Cell).filter(|c| *c != cell) {
                add(None, to, &[], vec![(to, TARGET)]);
            }
        }
        Generator::Drop { .. } | Generator::Imitate { .. } => {}
    }
    out
}

/// Whether no cell must be empty and have a piece.
fn possible(needs: &[(Cell, Need)]) -> bool {
    let piece = |need: Need| matches!(need, OCCUPIED | OVER | TOWARD | AWAY | PARTNER);
    let mut pieces = needs.iter().filter(|(_, need)| piece(*need));
    !pieces.any(|(cell, _)| needs.contains(&(*cell, EMPTY)))
}

/// What `toward` and `away from` ask, in each way in which they may hold.
fn faced(game: &Game, clause: &Clause, cell: Cell, dir: Option<DirId>, to: Cell) -> Vec<Vec<(Cell, Need)>> {
    if clause.toward.is_none() && clause.away_from.is_none() {
        return vec![Vec::new()];
    }
    let dirs: Vec<DirId> = match dir {
        Some(dir) => vec![dir],
        None => game.board.any.iter().copied().filter(|d| ray(game, cell, *d).any(|c| c == to)).collect(),
    };
    let first = |facing: &Option<Facing>, dir: DirId, need: Need| -> Vec<Vec<(Cell, Need)>> {
        let Some(facing) = facing else { return vec![Vec::new()] };
        let ray: Vec<Cell> = ray(game, cell, dir).collect();
        let empty = |n: usize| ray[..n].iter().map(|c| (*c, EMPTY)).collect::<Vec<_>>();
        match facing {
            Facing::Piece(_) => (0..ray.len()).map(|n| [empty(n), vec![(ray[n], need)]].concat()).collect(),
            Facing::Nothing => vec![empty(ray.len())],
        }
    };
    let mut out = Vec::new();
    for dir in dirs {
        let back = game.board.dirs[dir as usize].opposite;
        for ahead in first(&clause.toward, dir, TOWARD) {
            for behind in first(&clause.away_from, back, AWAY) {
                out.push([ahead.clone(), behind].concat());
            }
        }
    }
    out
}

/// Whether one position may have both ways.
pub(crate) fn together(may: &Possible, a: (&Way, &Wants), b: (&Way, &Wants)) -> bool {
    let all = |(way, wants): (&Way, &Wants)| way.needs.iter().map(|(c, need)| (*c, wants.0[*need])).collect::<Vec<_>>();
    let mut needs = [all(a), all(b)].concat();
    may.spend(needs.len() as u64);
    needs.sort_by_key(|(cell, _)| *cell);
    needs.chunk_by(|a, b| a.0 == b.0).all(|asked| {
        let (cell, first) = asked[0];
        may.fits(cell, &asked[1..].iter().fold(first, |all, (_, one)| all.and(*one)))
    })
}
