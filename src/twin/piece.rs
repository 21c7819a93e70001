//! What pieces can do: every clause, direction and cell in turn; attacks; borrowed clauses.

use super::Twin;
use super::expr::{Env, Roles, View};
use super::state::{Piece, Record, State};
use crate::ir::board::DirId;
use crate::ir::expr::Set;
use crate::ir::piece::{Clause, Facing, Generator, Promotion, Source};
use crate::ir::rule::{Effect, Forbidden};
use crate::ir::turn::Verb;
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
        if takes || !cand.victims.is_empty() {
            verbs.push(Verb::Capture);
        }
        let label = self.label(cand);
        if !label.is_empty() {
            verbs.push(Verb::Label(label.to_owned()));
        }
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
                        out.push(simple(*here, None));
                    }
                }
            }
            Generator::LeapAnywhere => {
                out.extend((0..s.board.len() as Cell).filter(|c| *c != cell).map(|here| simple(here, None)));
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
                    if fits && free + 1 >= steps {
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

    /// Whether everything that is read before the step allows it, for a clause and the one that borrows it; `origin` is none for a drop.
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
            if let Some(z) = c.within {
                let mut all = vec![to.here];
                all.extend(origin);
                if let (Some(from), Some(dir)) = (origin, to.dir) {
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
            if !c.guards.iter().all(|g| view.holds(g)) {
                return false;
            }
        }
        let onto_partner = to.partner.is_some_and(|(from, _)| from == to.here);
        if !onto_partner && !clauses.first().is_some_and(|c| view.contains(&c.target, to.here)) {
            return false;
        }
        let attacker = origin.and_then(|c| s.at(c).map(|piece| Record { piece, cell: c }));
        self.struck(s, to).into_iter().all(|v| self.capturable(env, s, roles, attacker, v))
    }

    /// What a step captures by landing and jumping.
    fn struck(&self, s: &State, to: &Reach) -> Vec<Cell> {
        let mut all: BTreeSet<Cell> = to.hurdles.iter().copied().collect();
        let onto_partner = to.partner.is_some_and(|(from, _)| from == to.here);
        if s.at(to.here).is_some() && !onto_partner {
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
            let clause = self.clause(u.clause);
            let clauses = self.both(u.clause, u.via);
            for to in self.reach(env, s, owner, cell, clause) {
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
                };
                match out.iter_mut().find(|o| self.same_move(o, &cand)) {
                    Some(other) => other.moved_as.extend(cand.moved_as),
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
            && self.verbs(a) == self.verbs(b)
            && once(a) == once(b)
            && (quiet || (same_effects && a.dir == b.dir))
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
                    if !self.allowed(env, s, owner, None, &[clause], &to) {
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
                for c in self.bearing(env, s, lent, cell, owner, (*attacking, *defending)) {
                    let Some(piece) = s.at(c) else { continue };
                    if !except.contains(&self.type_id(piece)) {
                        out.extend(self.types_now(lent, c, piece));
                    }
                }
            }
        }
        out.retain(|t| !except.contains(t));
        out
    }

    /// The types that a piece has: its own, unless it only imitates, and those it borrows from.
    fn types_now(&self, lent: &Lent, cell: Cell, piece: Piece) -> BTreeSet<TypeId> {
        let own = self.type_id(piece);
        let mut out = BTreeSet::new();
        let (mut imitates, mut moves) = (false, false);
        for &clause in &self.game.types[own as usize].clauses {
            match self.clause(clause).generator {
                Generator::Imitate { .. } => {
                    imitates = true;
                    out.extend(lent.get(&(cell, clause)).into_iter().flatten());
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
                        self.could_capture(env, &other, lent, from, at)
                    }),
                }
            })
            .collect()
    }

    /// Whether the piece on `from` could capture the piece on `at` by a clause: landing there, jumping it, or by the clause's own effect.
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
            let then = clauses.iter().any(|c| has_capture(&c.then));
            self.reach(env, s, owner, from, clause).into_iter().any(|to| {
                let direct = self.struck(s, &to).contains(&at);
                (direct || then)
                    && self.allowed(env, s, owner, Some(from), &clauses, &to)
                    && (direct || self.then_captures(env, s, from, &clauses, &to, at))
            })
        })
    }

    /// Whether the effects of a clause, after landing, capture the piece on `at`.
    fn then_captures(&self, env: Env, s: &State, from: Cell, clauses: &[&Clause], to: &Reach, at: Cell) -> bool {
        let Some(piece) = s.at(from) else {
            return false;
        };
        let Some(owner) = piece.owner else {
            return false;
        };
        let mut after = s.clone();
        after.board[from as usize] = None;
        for v in self.struck(s, to) {
            after.board[v as usize] = None;
        }
        after.board[to.here as usize] = Some(piece);
        let roles =
            Roles { this: Some(to.here), here: Some(to.here), origin: Some(from), dir: to.dir, ..Roles::default() };
        let attacker = Some(Record { piece, cell: from });
        let view = View { twin: self, s: &after, env, viewer: owner, roles };
        clauses.iter().any(|c| effects_capture(view, &c.then, at)) && self.capturable(env, &after, roles, attacker, at)
    }
}

fn has_capture(effects: &[Effect]) -> bool {
    effects.iter().any(|e| match e {
        Effect::Capture(_) => true,
        Effect::When(_, a, b) => has_capture(a) || has_capture(b),
        Effect::Remove(_)
        | Effect::Flip(_)
        | Effect::Roll(_)
        | Effect::Remap(..)
        | Effect::Become(..)
        | Effect::Displace { .. }
        | Effect::Mark(..)
        | Effect::Unmark(..)
        | Effect::Count { .. }
        | Effect::Hand { .. }
        | Effect::EndTurn => false,
    })
}

fn effects_capture(view: View, effects: &[Effect], at: Cell) -> bool {
    effects.iter().any(|e| match e {
        Effect::Capture(set) => view.contains(set, at),
        Effect::When(cond, a, b) => effects_capture(view, if view.holds(cond) { a } else { b }, at),
        Effect::Remove(_)
        | Effect::Flip(_)
        | Effect::Roll(_)
        | Effect::Remap(..)
        | Effect::Become(..)
        | Effect::Displace { .. }
        | Effect::Mark(..)
        | Effect::Unmark(..)
        | Effect::Count { .. }
        | Effect::Hand { .. }
        | Effect::EndTurn => false,
    })
}
