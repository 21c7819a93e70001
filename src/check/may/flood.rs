//! Which kinds may stand where.

use super::cells::cells_of;
use super::{NOBODY, OWNERS, Possible};
use crate::check::clash::reach;
use crate::check::walk::{self, Node};
use crate::ir::piece::Generator;
use crate::ir::rule::Effect;
use crate::ir::{Cell, KindId, TypeId};

impl Possible<'_> {
    /// Finds which kinds may stand where.
    pub(super) fn flood(&mut self) {
        let game = self.game;
        let seats = game.seats.len();
        let mut todo: Vec<(usize, KindId, Cell)> = Vec::new();
        for (owner, kind, cell) in &game.setup.places {
            self.put(owner.map_or(seats, usize::from), *kind, *cell, &mut todo);
        }
        if let Some(fill) = &game.setup.fill {
            for (seat, cells) in fill.cells.iter().enumerate() {
                for (kind, cell) in fill.kinds.iter().flat_map(|k| cells.iter().map(move |c| (k, c))) {
                    self.put(seat, *kind, *cell, &mut todo);
                }
            }
        }
        for (t, ty) in game.types.iter().enumerate() {
            for clause in ty.clauses.iter().map(|c| &game.clauses[*c as usize]) {
                let Generator::Drop { kinds } = &clause.generator else { continue };
                if !self.held(t as TypeId) {
                    continue;
                }
                for seat in 0..seats {
                    let within = clause.within.map_or(self.all, |z| self.zone(z, seat));
                    for (kind, cell) in kinds.iter().flat_map(|k| cells_of(within).map(move |c| (k, c))) {
                        self.put(seat, *kind, cell, &mut todo);
                    }
                }
            }
        }
        let mut becomes: Vec<KindId> = Vec::new();
        let mut rolls = false;
        walk::game(game, &mut |node| match node {
            Node::Effect(Effect::Become(_, kind)) => becomes.push(*kind),
            Node::Effect(Effect::Roll(_)) => rolls = true,
            _ => {}
        });
        for kind in becomes {
            for cell in cells_of(self.all) {
                (0..seats).for_each(|seat| self.put(seat, kind, cell, &mut todo));
            }
        }
        let castles: Vec<KindId> = game
            .clauses
            .iter()
            .filter_map(|c| match &c.generator {
                Generator::Castle { partner, .. } => Some(partner.clone()),
                _ => None,
            })
            .flatten()
            .collect();
        while let Some((owner, kind, cell)) = todo.pop() {
            if self.spent() {
                // Anything may be anywhere.
                self.at.iter_mut().flatten().for_each(|cells| *cells = self.all);
                self.landing.iter_mut().flatten().for_each(|cells| *cells = self.all);
                self.present = [u128::MAX; OWNERS];
                return;
            }
            if self.shifts && self.at[owner][kind as usize] != self.all {
                cells_of(self.all).for_each(|c| self.put(owner, kind, c, &mut todo));
            }
            if self.flips && owner < seats {
                (0..seats).for_each(|s| self.put(s, kind, cell, &mut todo));
            }
            for to in game.remaps.iter().filter_map(|r| r.table[kind as usize]) {
                self.put(owner, to, cell, &mut todo);
            }
            if rolls && game.ladder.iter().any(|k| game.kinds[*k as usize].piece == game.kinds[kind as usize].piece) {
                game.ladder.iter().for_each(|k| self.put(owner, *k, cell, &mut todo));
            }
            if castles.contains(&kind) {
                // The partner of a castling lands on its own rank.
                let rank = |c: Cell| game.board.cells[c as usize].rank;
                let row = (0..game.board.cells.len() as Cell).filter(|c| rank(*c) == rank(cell));
                row.for_each(|c| self.put(owner, kind, c, &mut todo));
            }
            if owner < seats {
                self.go(owner, kind, cell, &mut todo);
            }
        }
    }

    pub(super) fn put(&mut self, owner: usize, kind: KindId, cell: Cell, todo: &mut Vec<(usize, KindId, Cell)>) {
        self.spend(1);
        let cells = &mut self.at[owner][kind as usize];
        if !cells.has(cell) {
            cells.insert(cell);
            self.present[if owner == self.game.seats.len() { NOBODY } else { owner }] |= 1 << kind;
            todo.push((owner, kind, cell));
        }
    }

    /// Moves a piece from a cell in every way that its lines give.
    pub(super) fn go(&mut self, owner: usize, kind: KindId, cell: Cell, todo: &mut Vec<(usize, KindId, Cell)>) {
        let game = self.game;
        let ty = game.type_of(kind);
        if self.landing[owner][kind as usize] == self.all {
            return;
        }
        let mut landed = Vec::new();
        for clause in ty.clauses.iter().filter(|c| !self.dead[**c as usize]).map(|c| &game.clauses[*c as usize]) {
            match &clause.generator {
                Generator::Imitate { .. } => landed.extend(cells_of(self.all)),
                _ => landed.extend(reach(game, clause, owner, cell)),
            }
        }
        self.spend(landed.len() as u64 + 8 * ty.clauses.len() as u64);
        for to in landed {
            self.landing[owner][kind as usize].insert(to);
            self.put(owner, kind, to, todo);
            for promotion in &ty.promotions {
                if game.zones[promotion.zone as usize].cells[owner].binary_search(&to).is_ok() {
                    promotion.to.iter().for_each(|(k, _)| self.put(owner, *k, to, todo));
                }
            }
        }
    }
}
