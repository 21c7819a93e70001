//! What pieces can do: every clause, direction and cell in turn; attacks; borrowed clauses.

use super::Twin;
use super::expr::{Env, Roles, View};
use super::state::{Piece, Record, State};
use crate::ir::board::DirId;
use crate::ir::expr::{Role, Set};
use crate::ir::piece::{Clause, Facing, Generator, Promotion, Source};
use crate::ir::rule::{Effect, Event, Forbidden};
use crate::ir::turn::Verb;
use crate::ir::visit::Node;
use crate::ir::{Cell, ClauseId, KindId, Seat, TypeId};
use std::collections::{BTreeMap, BTreeSet};

/// For each imitating piece (by cell) and each of its imitating clauses the types it borrows from.
pub(super) type Lent = BTreeMap<(Cell, ClauseId), BTreeSet<TypeId>>;

/// A clause that a piece may use now.
#[derive(Clone, Copy, Debug)]
struct Usable {
    clause: ClauseId,
    /// The imitating clause by which it is borrowed.
    via: Option<ClauseId>,
    /// The type whose clause it is.
    of: TypeId,
}

/// Where a clause leads, by geometry alone.
#[derive(Clone, Debug)]
struct Reach {
    here: Cell,
    dir: Option<DirId>,
    /// Pieces jumped over and captured.
    hurdles: Vec<Cell>,
    /// A castling's partner: where it stands and where it lands.
    partner: Option<(Cell, Cell)>,
}

/// A move or drop that may be made as far as can be read before it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub clause: ClauseId,
    pub via: Option<ClauseId>,
    /// The kind of a drop.
    pub drop: Option<KindId>,
    pub origin: Option<Cell>,
    pub here: Cell,
    pub dir: Option<DirId>,
    /// What it captures by landing and jumping, ascending.
    pub victims: Vec<Cell>,
    pub partner: Option<(Cell, Cell)>,
    /// As which types it moves.
    pub moved_as: BTreeSet<TypeId>,
    /// Acts whose names other lines give to the same move.
    pub also: Vec<Verb>,
}

impl Twin {
    /// The clause of this number.
    pub(super) fn clause(&self, c: ClauseId) -> &Clause {
        &self.game.clauses[c as usize]
    }

    /// A clause and the one that borrows it.
    fn both(&self, clause: ClauseId, via: Option<ClauseId>) -> Vec<&Clause> {
        [Some(clause), via].into_iter().flatten().map(|c| self.clause(c)).collect()
    }

    /// The type of a piece.
    fn type_id(&self, p: Piece) -> TypeId {
        self.game.kinds[p.kind as usize].piece
    }

    /// The label of a candidate: that of the clause, or of the clause that borrows it.
    pub(super) fn label(&self, cand: &Candidate) -> &str {
        let own = &self.clause(cand.clause).label;
        match cand.via {
            Some(via) if own.is_empty() => &self.clause(via).label,
            _ => own,
        }
    }

    /// All acts whose name a candidate bears.
    pub(super) fn verbs(&self, cand: &Candidate) -> Vec<Verb> {
        let mut verbs = Vec::new();
        match &self.clause(cand.clause).generator {
            Generator::Step { .. } => verbs.extend([Verb::Move, Verb::Step]),
            Generator::Slide { .. } => verbs.extend([Verb::Move, Verb::Slide]),
            Generator::Leap { .. } | Generator::LeapAnywhere => verbs.extend([Verb::Move, Verb::Leap]),
            Generator::Hop { captures: true, .. } => verbs.extend([Verb::Move, Verb::Jump]),
            Generator::Hop { captures: false, .. } => verbs.extend([Verb::Move, Verb::Hop]),
            Generator::Castle { .. } => verbs.extend([Verb::Move, Verb::Castle]),
            Generator::Imitate { .. } => verbs.push(Verb::Move),
            Generator::Drop { .. } => verbs.push(Verb::Drop),
        }
        let takes = self.clause(cand.clause).then.iter().any(|e| matches!(e, Effect::Capture(_)));
        if cand.drop.is_none() && (takes || !cand.victims.is_empty()) {
            verbs.push(Verb::Capture);
        }
        let label = self.label(cand);
        if !label.is_empty() {
            verbs.push(Verb::Label(label.to_owned()));
        }
        verbs.extend(cand.also.iter().cloned());
        verbs
    }

    /// The clauses, own and borrowed, of the piece on a cell; neither drops nor the imitating clauses themselves.
    fn usable(&self, s: &State, lent: &Lent, cell: Cell) -> Vec<Usable> {
        let mut out = Vec::new();
        let Some(piece) = s.at(cell) else { return out };
        let own = self.type_id(piece);
        for &clause in &self.game.types[own as usize].clauses {
            match &self.clause(clause).generator {
                Generator::Drop { .. } => {}
                Generator::Imitate { .. } => {
                    for &of in lent.get(&(cell, clause)).into_iter().flatten() {
                        for &borrowed in &self.game.types[of as usize].clauses {
                            if self.clause(borrowed).plain {
                                out.push(Usable { clause: borrowed, via: Some(clause), of });
                            }
                        }
                    }
                }
                Generator::Step { .. }
                | Generator::Slide { .. }
                | Generator::Leap { .. }
                | Generator::LeapAnywhere
                | Generator::Hop { .. }
                | Generator::Castle { .. } => out.push(Usable { clause, via: None, of: own }),
            }
        }
        out
    }

    /// Where a clause leads from a cell.
    fn reach(&self, env: Env, s: &State, owner: Seat, cell: Cell, clause: &Clause) -> Vec<Reach> {
        let simple = |here: Cell, dir: Option<DirId>| Reach { here, dir, hurdles: Vec::new(), partner: None };
        let empty = |c: &Cell| s.at(*c).is_none();
        let mut out = Vec::new();
        match &clause.generator {
            Generator::Step { dirs, distance } => {
                for &d in &dirs[owner as usize] {
                    let ray = self.ray(cell, d);
                    let Some(before) = usize::from(*distance).checked_sub(1) else {
                        continue;
                    };
                    if let Some(&here) = ray.get(before)
                        && ray[..before].iter().all(empty)
                    {
                        out.push(simple(here, Some(d)));
                    }
                }
            }
            Generator::Slide { dirs, limit, all_the_way } => {
                for &d in &dirs[owner as usize] {
                    let mut ray = self.ray(cell, d);
                    if let Some(limit) = limit {
                        ray.truncate(usize::from(*limit));
                    }
                    let free = ray.iter().take_while(|c| empty(c)).count();
                    if *all_the_way {
                        out.extend(ray[..free].last().map(|&here| simple(here, Some(d))));
                    } else {
                        out.extend(ray.iter().take(free + 1).map(|&here| simple(here, Some(d))));
                    }
                }
            }
            Generator::Leap { paths } => {
                for (here, path) in &paths[owner as usize][cell as usize] {
                    if path.iter().all(empty) {
                        out.push(simple(*here, self.way(cell, *here)));
                    }
                }
            }
            Generator::LeapAnywhere => {
                let others = (0..s.board.len() as Cell).filter(|c| *c != cell);
                out.extend(others.map(|here| simple(here, self.way(cell, here))));
            }
            Generator::Hop { dirs, far, over, beyond, captures } => {
                let roles = Roles { this: Some(cell), here: Some(cell), ..Roles::default() };
                let view = View { twin: self, s, env, viewer: owner, roles };
                for &d in &dirs[owner as usize] {
                    let ray = self.ray(cell, d);
                    let before = if *far { ray.iter().take_while(|c| empty(c)).count() } else { 0 };
                    let Some(&hurdle) = ray.get(before) else {
                        continue;
                    };
                    if s.at(hurdle).is_none() || !view.contains(over, hurdle) {
                        continue;
                    }
                    let behind = &ray[before + 1..];
                    let free = if *beyond { behind.iter().take_while(|c| empty(c)).count() } else { 0 };
                    for &here in behind.iter().take(free + 1) {
                        let hurdles = if *captures { vec![hurdle] } else { Vec::new() };
                        out.push(Reach { here, dir: Some(d), hurdles, partner: None });
                    }
                }
            }
            Generator::Castle { partner, steps, dirs } => {
                let steps = usize::from(*steps);
                if steps == 0 || !s.at(cell).is_some_and(|p| p.unmoved) {
                    return out;
                }
                for &d in &dirs[owner as usize] {
                    let ray = self.ray(cell, d);
                    let free = ray.iter().take_while(|c| empty(c)).count();
                    let Some(&from) = ray.get(free) else { continue };
                    let fits =
                        s.at(from).is_some_and(|p| p.owner == Some(owner) && p.unmoved && partner.contains(&p.kind));
                    if fits && free >= steps {
                        let to = if steps >= 2 { ray[steps - 2] } else { cell };
                        out.push(Reach {
                            here: ray[steps - 1],
                            dir: Some(d),
                            hurdles: Vec::new(),
                            partner: Some((from, to)),
                        });
                    }
                }
            }
            Generator::Drop { .. } | Generator::Imitate { .. } => {}
        }
        out
    }

    /// Whether `attacker` may capture what stands on `victim`, with the step's roles.
    pub(super) fn capturable(&self, env: Env, s: &State, roles: Roles, attacker: Option<Record>, victim: Cell) -> bool {
        let Some(piece) = s.at(victim) else {
            return false;
        };
        if self.game.type_of(piece.kind).uncapturable {
            return false;
        }
        let viewer = attacker.and_then(|a| a.piece.owner).unwrap_or(env.mover);
        let roles = Roles { attacker, victim: Some(Record { piece, cell: victim }), ..roles };
        let view = View { twin: self, s, env: Env { counted: false, ..env }, viewer, roles };
        !self.game.forbids.iter().any(|f| match &f.what {
            Forbidden::Capture => !(env.ahead && f.looks_ahead) && view.holds(&f.cond),
            Forbidden::Act(..) | Forbidden::Turn => false,
        })
    }

    /// Whether what is first on a ray is as asked.
    fn faces(&self, view: View, cell: Cell, dir: Option<DirId>, facing: &Facing) -> bool {
        let Some(dir) = dir else { return false };
        let first = self.ray(cell, dir).into_iter().find(|c| view.s.at(*c).is_some());
        match facing {
            Facing::Piece(set) => first.is_some_and(|c| view.contains(set, c)),
            Facing::Nothing => first.is_none(),
        }
    }

    /// Whether the way allows it: what lies on it and before and behind the piece, and what is jumped; `origin` is none for a drop.
    fn way_is_open(
        &self,
        env: Env,
        s: &State,
        owner: Seat,
        origin: Option<Cell>,
        clauses: &[&Clause],
        to: &Reach,
    ) -> bool {
        let roles = Roles { this: origin, here: Some(to.here), origin, dir: to.dir, ..Roles::default() };
        let view = View { twin: self, s, env, viewer: owner, roles };
        let leaps =
            clauses.first().is_some_and(|c| matches!(c.generator, Generator::Leap { .. } | Generator::LeapAnywhere));
        for c in clauses {
            if let Some(z) = c.within {
                let mut all = vec![to.here];
                all.extend(origin);
                if let (Some(from), Some(dir), false) = (origin, to.dir, leaps) {
                    all.extend(self.between(from, dir, to.here));
                }
                if !all.into_iter().all(|x| view.contains(&Set::Zone(z), x)) {
                    return false;
                }
            }
            if let Some(from) = origin {
                let back = to.dir.map(|d| self.game.board.dirs[d as usize].opposite);
                if c.toward.as_ref().is_some_and(|f| !self.faces(view, from, to.dir, f))
                    || c.away_from.as_ref().is_some_and(|f| !self.faces(view, from, back, f))
                {
                    return false;
                }
            }
        }
        let attacker = self.taker(s, owner, origin, clauses, to.here);
        to.hurdles.iter().all(|v| self.capturable(env, s, roles, attacker, *v))
    }

    /// The piece that would capture: the one that moves, or the one that is dropped.
    fn taker(&self, s: &State, owner: Seat, origin: Option<Cell>, clauses: &[&Clause], here: Cell) -> Option<Record> {
        let Some(cell) = origin else {
            let Generator::Drop { kinds } = &clauses.first()?.generator else { return None };
            let piece = Piece { kind: *kinds.first()?, owner: Some(owner), unmoved: false, id: u32::MAX };
            return Some(Record { piece, cell: here });
        };
        s.at(cell).map(|piece| Record { piece, cell })
    }

    /// Where the piece on a cell can go by a clause as far as the way decides. Of several ways to one cell the first counts.
    fn ways(&self, env: Env, s: &State, owner: Seat, cell: Cell, clauses: &[&Clause]) -> Vec<Reach> {
        let mut out: Vec<Reach> = Vec::new();
        for to in clauses.first().into_iter().flat_map(|c| self.reach(env, s, owner, cell, c)) {
            let known = out.iter().any(|o| o.here == to.here);
            if !known && self.way_is_open(env, s, owner, Some(cell), clauses, &to) {
                out.push(to);
            }
        }
        out
    }

    /// Whether everything else that is read before the step allows it, for a clause and the one that borrows it; `origin` is none for a drop.
    fn allowed(&self, env: Env, s: &State, owner: Seat, origin: Option<Cell>, clauses: &[&Clause], to: &Reach) -> bool {
        let roles = Roles { this: origin, here: Some(to.here), origin, dir: to.dir, ..Roles::default() };
        let view = View { twin: self, s, env, viewer: owner, roles };
        for c in clauses {
            if c.once.is_some_and(|o| s.once[o as usize][owner as usize]) {
                return false;
            }
            if let (Some(z), Some(from)) = (c.from, origin)
                && !view.contains(&Set::Zone(z), from)
            {
                return false;
            }
            if !c.guards.iter().all(|g| view.holds(g)) {
                return false;
            }
        }
        if !clauses.first().is_some_and(|c| view.contains(&c.target, to.here)) {
            return false;
        }
        let attacker = self.taker(s, owner, origin, clauses, to.here);
        self.struck(s, to).into_iter().all(|v| self.capturable(env, s, roles, attacker, v))
    }

    /// What a step captures by landing and jumping.
    fn struck(&self, s: &State, to: &Reach) -> Vec<Cell> {
        let mut all: BTreeSet<Cell> = to.hurdles.iter().copied().collect();
        if s.at(to.here).is_some() {
            all.insert(to.here);
        }
        all.into_iter().collect()
    }

    /// All moves of the piece on a cell that may be made as far as can be read before them.
    pub(super) fn moves_of(&self, env: Env, s: &State, cell: Cell) -> Vec<Candidate> {
        let mut out: Vec<Candidate> = Vec::new();
        let Some(owner) = s.at(cell).and_then(|p| p.owner) else {
            return out;
        };
        let lent = self.lent(env, s);
        for u in self.usable(s, &lent, cell) {
            let clauses = self.both(u.clause, u.via);
            for to in self.ways(env, s, owner, cell, &clauses) {
                if !self.allowed(env, s, owner, Some(cell), &clauses, &to) {
                    continue;
                }
                if to.partner.is_some() && !self.castle_is_safe(env, s, owner, cell, &to) {
                    continue;
                }
                let cand = Candidate {
                    clause: u.clause,
                    via: u.via,
                    drop: None,
                    origin: Some(cell),
                    here: to.here,
                    dir: to.dir,
                    victims: self.struck(s, &to),
                    partner: to.partner,
                    moved_as: BTreeSet::from([u.of]),
                    also: Vec::new(),
                };
                match out.iter_mut().find(|o| self.same_move(o, &cand)) {
                    Some(other) => {
                        other.also.extend(self.verbs(&cand));
                        other.moved_as.extend(cand.moved_as);
                    }
                    None => out.push(cand),
                }
            }
        }
        out
    }

    /// Whether two candidates of one piece are one move: the same target, victims and name, and nothing that one does alone.
    fn same_move(&self, a: &Candidate, b: &Candidate) -> bool {
        let same_effects = self.thens(a).iter().map(|t| t.as_slice()).eq(self.thens(b).iter().map(|t| t.as_slice()));
        let quiet = self.thens(a).iter().all(|t| t.is_empty()) && self.thens(b).iter().all(|t| t.is_empty());
        let once = |c: &Candidate| (self.clause(c.clause).once, c.via.and_then(|v| self.clause(v).once));
        a.here == b.here
            && a.victims == b.victims
            && a.partner == b.partner
            && self.label(a) == self.label(b)
            && !self.told_apart(a, b)
            && once(a) == once(b)
            && (quiet || (same_effects && a.dir == b.dir))
    }

    /// Whether some block or prohibition follows an act that is only one of two candidates.
    fn told_apart(&self, a: &Candidate, b: &Candidate) -> bool {
        let (a, b) = (self.verbs(a), self.verbs(b));
        let differ = |verb: &Verb| a.contains(verb) != b.contains(verb);
        let follows = self.game.afters.iter().flat_map(|a| &a.events);
        let forbids = self.game.forbids.iter();
        follows.into_iter().any(|e| matches!(e, Event::Act(verb) if differ(verb)))
            || forbids.into_iter().any(|f| matches!(&f.what, Forbidden::Act(verb, _) if differ(verb)))
    }

    /// The blocks that a candidate runs after landing.
    pub(super) fn thens(&self, cand: &Candidate) -> Vec<&Vec<Effect>> {
        let mut out = vec![&self.clause(cand.clause).then];
        out.extend(cand.via.map(|v| &self.clause(v).then));
        out
    }

    /// All drops of a player that may be made as far as can be read before them.
    pub(super) fn drops_of(&self, env: Env, s: &State, owner: Seat) -> Vec<Candidate> {
        let mut out = Vec::new();
        for (t, piece) in self.game.types.iter().enumerate() {
            let t = t as TypeId;
            if self.game.hand_types.contains(&t) && s.held(owner, t) == 0 {
                continue;
            }
            for &id in &piece.clauses {
                let clause = self.clause(id);
                let Generator::Drop { kinds } = &clause.generator else {
                    continue;
                };
                for here in 0..s.board.len() as Cell {
                    let to = Reach { here, dir: None, hurdles: Vec::new(), partner: None };
                    if !self.way_is_open(env, s, owner, None, &[clause], &to)
                        || !self.allowed(env, s, owner, None, &[clause], &to)
                    {
                        continue;
                    }
                    for &kind in kinds {
                        out.push(Candidate {
                            clause: id,
                            via: None,
                            drop: Some(kind),
                            origin: None,
                            here,
                            dir: None,
                            victims: self.struck(s, &to),
                            partner: None,
                            moved_as: BTreeSet::from([t]),
                            also: Vec::new(),
                        });
                    }
                }
            }
        }
        out
    }

    /// Whether the safety rule holds before a castling and after each single step of it, made as a king's move.
    fn castle_is_safe(&self, env: Env, s: &State, owner: Seat, cell: Cell, to: &Reach) -> bool {
        let (Some(king), Some(dir)) = (s.at(cell), to.dir) else {
            return false;
        };
        if !self.safe(env, s) {
            return false;
        }
        let mut path = self.between(cell, dir, to.here);
        path.push(to.here);
        path.into_iter().all(|c| {
            let mut there = s.clone();
            there.board[cell as usize] = None;
            there.board[c as usize] = Some(Piece { unmoved: false, ..king });
            self.record_move(&mut there, owner, self.type_id(king), BTreeSet::from([self.type_id(king)]));
            self.safe(env, &there)
        })
    }

    /// Whether no rule of royals' safety forbids the end of a turn here.
    fn safe(&self, env: Env, s: &State) -> bool {
        let env = Env { counted: false, ..env };
        let view = View { twin: self, s, env, viewer: env.mover, roles: Roles::default() };
        !self.game.forbids.iter().any(|f| match &f.what {
            Forbidden::Turn => f.text == "safety" && view.holds(&f.cond),
            Forbidden::Capture | Forbidden::Act(..) => false,
        })
    }

    /// The promotion that applies to a piece that would land on a cell, read before the step.
    pub(super) fn promotion(&self, env: Env, s: &State, cand: &Candidate) -> Option<&Promotion> {
        let origin = cand.origin?;
        let piece = s.at(origin)?;
        let viewer = piece.owner?;
        let roles = Roles {
            this: Some(origin),
            here: Some(cand.here),
            origin: Some(origin),
            dir: cand.dir,
            ..Roles::default()
        };
        let view = View { twin: self, s, env, viewer, roles };
        let promotions = &self.game.type_of(piece.kind).promotions;
        promotions
            .iter()
            .find(|p| view.contains(&Set::Zone(p.zone), cand.here) && p.guards.iter().all(|g| view.holds(g)))
    }

    /// What imitating pieces borrow now: the least fixed point, starting from nothing.
    pub(super) fn lent(&self, env: Env, s: &State) -> Lent {
        let mut lent = Lent::new();
        for c in 0..s.board.len() as Cell {
            let Some(piece) = s.at(c) else { continue };
            for &clause in &self.game.types[self.type_id(piece) as usize].clauses {
                if matches!(self.clause(clause).generator, Generator::Imitate { .. }) {
                    lent.insert((c, clause), BTreeSet::new());
                }
            }
        }
        if lent.is_empty() {
            return lent;
        }
        loop {
            let mut next = lent.clone();
            for (&(c, clause), types) in &mut next {
                types.extend(self.sources(env, s, &lent, c, clause));
            }
            if next == lent {
                return lent;
            }
            lent = next;
        }
    }

    /// The types that an imitating clause of the piece on a cell borrows from, with what others borrow given.
    fn sources(&self, env: Env, s: &State, lent: &Lent, cell: Cell, clause: ClauseId) -> BTreeSet<TypeId> {
        let mut out = BTreeSet::new();
        let Generator::Imitate { source, except } = &self.clause(clause).generator else {
            return out;
        };
        let Some(owner) = s.at(cell).and_then(|p| p.owner) else {
            return out;
        };
        match source {
            Source::LastMoved(who) => {
                let view = View { twin: self, s, env, viewer: owner, roles: Roles::default() };
                if let Some(last) = &s.last[view.who(*who) as usize]
                    && !except.contains(&last.piece)
                {
                    out.extend(last.moved_as.iter().copied());
                }
            }
            Source::Bearing { attacking, defending } => {
                let env = Env { attacks: env.attacks.max(1), ..env };
                for c in self.bearing(env, s, lent, cell, owner, (*attacking, *defending)) {
                    let Some(piece) = s.at(c) else { continue };
                    if !except.contains(&self.type_id(piece)) {
                        out.extend(self.types_now(env, s, lent, c, piece));
                    }
                }
            }
        }
        out.retain(|t| !except.contains(t));
        out
    }

    /// The types that a piece has: its own, unless it only imitates, and those it borrows from by clauses whose conditions about the piece hold.
    fn types_now(&self, env: Env, s: &State, lent: &Lent, cell: Cell, piece: Piece) -> BTreeSet<TypeId> {
        let own = self.type_id(piece);
        let mut out = BTreeSet::new();
        let (mut imitates, mut moves) = (false, false);
        for &clause in &self.game.types[own as usize].clauses {
            match self.clause(clause).generator {
                Generator::Imitate { .. } => {
                    imitates = true;
                    if self.applies(env, s, cell, piece, self.clause(clause)) {
                        out.extend(lent.get(&(cell, clause)).into_iter().flatten());
                    }
                }
                Generator::Drop { .. } => {}
                Generator::Step { .. }
                | Generator::Slide { .. }
                | Generator::Leap { .. }
                | Generator::LeapAnywhere
                | Generator::Hop { .. }
                | Generator::Castle { .. } => moves = true,
            }
        }
        if moves || !imitates {
            out.insert(own);
        }
        out
    }

    /// Whether the conditions of a clause that ask nothing about its target hold for the piece on a cell.
    fn applies(&self, env: Env, s: &State, cell: Cell, piece: Piece, clause: &Clause) -> bool {
        let Some(owner) = piece.owner else { return false };
        let roles = Roles { this: Some(cell), origin: Some(cell), ..Roles::default() };
        let view = View { twin: self, s, env, viewer: owner, roles };
        let zones = [clause.from, clause.within];
        clause.once.is_none_or(|o| !s.once[o as usize][owner as usize])
            && zones.into_iter().flatten().all(|z| view.contains(&Set::Zone(z), cell))
            && clause.guards.iter().all(|g| Node::Cond(g).reads(Role::Here) || view.holds(g))
    }

    /// The pieces that attack (enemies of the piece there) or defend (its friends) a cell; on an empty cell, of a piece of the viewer.
    pub(super) fn bearing(
        &self,
        env: Env,
        s: &State,
        lent: &Lent,
        at: Cell,
        viewer: Seat,
        (attacking, defending): (bool, bool),
    ) -> BTreeSet<Cell> {
        let there = s.at(at);
        let owner = match there {
            Some(p) => p.owner,
            None => Some(viewer),
        };
        (0..s.board.len() as Cell)
            .filter(|&from| {
                let Some(by) = s.at(from).and_then(|p| p.owner) else {
                    return false;
                };
                let enemy = owner != Some(by);
                from != at && if enemy { attacking } else { defending }
            })
            .filter(|&from| {
                let by = s.at(from).and_then(|p| p.owner);
                let enemy = owner != by;
                // A friend defends what it could capture if it were an enemy's.
                let seat = if enemy { owner } else { by.map(|b| self.game.next_seat(b)) };
                match there {
                    Some(_) if enemy => self.could_capture(env, s, lent, from, at),
                    Some(p) => {
                        let mut other = s.clone();
                        other.board[at as usize] = Some(Piece { owner: seat, ..p });
                        self.could_capture(env, &other, lent, from, at)
                    }
                    None => (0..self.game.kinds.len() as KindId).any(|kind| {
                        let mut other = s.clone();
                        other.put(at, kind, seat, false);
                        self.could_capture(env, &other, &self.lent(env, &other), from, at)
                    }),
                }
            })
            .collect()
    }

    /// Whether the piece on `from` could capture the piece on `at` by a clause: landing there or jumping it.
    fn could_capture(&self, env: Env, s: &State, lent: &Lent, from: Cell, at: Cell) -> bool {
        let Some(owner) = s.at(from).and_then(|p| p.owner) else {
            return false;
        };
        self.usable(s, lent, from).into_iter().any(|u| {
            let clause = self.clause(u.clause);
            let clauses = self.both(u.clause, u.via);
            if matches!(clause.generator, Generator::Castle { .. }) {
                return false;
            }
            self.ways(env, s, owner, from, &clauses)
                .into_iter()
                .any(|to| self.struck(s, &to).contains(&at) && self.allowed(env, s, owner, Some(from), &clauses, &to))
        })
    }
}
