//! One step with all its effects: blocks, events, bookkeeping and prohibitions.

use super::Twin;
use super::expr::{Env, Roles, View};
use super::piece::Candidate;
use super::state::{Happened, LastMoved, Piece, Record, State};
use crate::ir::board::DirId;
use crate::ir::piece::Promotion;
use crate::ir::rule::{By, Change, Course, Effect, Event, Forbidden, HandItem, TallyEvent};
use crate::ir::turn::{Chosen, Verb};
use crate::ir::{Cell, KindId, Seat, TypeId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A step that is possible: the state after it, before chance.
#[derive(Clone, Debug)]
pub(super) struct Stepped {
    pub state: State,
    /// The acts whose names it bears.
    pub verbs: Vec<Verb>,
    /// Cells of the pieces to be rolled.
    pub rolls: Vec<Cell>,
}

/// A change that a block asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Write {
    Gone { captured: bool },
    Owner(Seat),
    Kind { kind: KindId, rotated: bool },
    Go(Cell),
    Roll,
}

/// What a block asks for besides changes of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    Mark { mark: u16, cell: Cell, marker: Option<u32> },
    Unmark { mark: u16, cell: Cell },
    Count { counter: u16, seat: Seat, change: Change, value: i32 },
    Hand { seat: Seat, item: TypeId, change: Change },
    EndTurn,
}

/// A part of a block: the viewer, the roles, the effects.
type Part<'a> = (Seat, Roles, &'a [Effect]);

/// A step while it is carried out.
struct Step<'a> {
    twin: &'a Twin,
    env: Env,
    s: State,
    /// The piece that makes it, as it was before.
    attacker: Option<Record>,
    here: Option<Cell>,
    origin: Option<Cell>,
    dir: Option<DirId>,
    verbs: Vec<Verb>,
    victims: VecDeque<Record>,
    log: Vec<Happened>,
    rolls: BTreeSet<u32>,
}

impl Twin {
    /// Notes how a player's piece moved last.
    pub(super) fn record_move(&self, s: &mut State, seat: Seat, piece: TypeId, moved_as: BTreeSet<TypeId>) {
        s.last[seat as usize] = self.learnt(piece, moved_as);
    }

    /// What is remembered of a move: what some imitator may take from it.
    pub(super) fn learnt(&self, piece: TypeId, mut moved_as: BTreeSet<TypeId>) -> Option<LastMoved> {
        let unlearnable = self.game.unlearnable();
        moved_as.retain(|t| !unlearnable.contains(t));
        (!unlearnable.contains(&piece) && !moved_as.is_empty()).then_some(LastMoved { piece, moved_as })
    }

    /// Carries out a move or drop, with each promotion it may choose.
    pub(super) fn make(&self, env: Env, s: &State, cand: &Candidate) -> Vec<Stepped> {
        let Some(promotion) = self.promotion(env, s, cand) else {
            return self.make_one(env, s, cand, None).into_iter().collect();
        };
        let owner = cand.origin.and_then(|c| s.at(c)).and_then(|p| p.owner).unwrap_or(env.mover);
        let mut out = Vec::new();
        if promotion.may {
            out.extend(self.make_one(env, s, cand, None));
        }
        for &(kind, once) in &promotion.to {
            if once.is_none_or(|o| !s.once[o as usize][owner as usize]) {
                out.extend(self.make_one(env, s, cand, Some((promotion, kind, once))));
            }
        }
        out
    }

    fn make_one(
        &self,
        env: Env,
        s: &State,
        cand: &Candidate,
        promotion: Option<(&Promotion, KindId, Option<u16>)>,
    ) -> Option<Stepped> {
        let mut step = Step::new(self, env, s, cand.origin, Some(cand.here), self.verbs(cand));
        step.dir = cand.dir;
        // 3. Leaving, victims, landing.
        let owner;
        let piece_type;
        if let Some(kind) = cand.drop {
            owner = env.mover;
            piece_type = self.game.kinds[kind as usize].piece;
            if self.game.hand_types.contains(&piece_type) {
                step.s.hold(owner, piece_type, s.held(owner, piece_type).saturating_sub(1));
            }
            step.take(&cand.victims, true);
            let whose = if self.game.types[piece_type as usize].neutral { None } else { Some(owner) };
            let piece = step.s.put(cand.here, kind, whose, false);
            step.attacker = Some(Record { piece, cell: cand.here });
            step.note(TallyEvent::Dropped, piece);
        } else {
            let origin = cand.origin?;
            let piece = s.at(origin)?;
            owner = piece.owner?;
            piece_type = self.game.kinds[piece.kind as usize].piece;
            step.attacker = Some(Record { piece, cell: origin });
            step.s.board[origin as usize] = None;
            let partner = cand.partner.and_then(|(from, to)| step.s.board[from as usize].take().map(|p| (p, to)));
            step.take(&cand.victims, true);
            step.s.board[cand.here as usize] = Some(piece);
            if let Some((p, to)) = partner {
                step.s.board[to as usize] = Some(p);
            }
            step.note(TallyEvent::Moved, piece);
        }
        let partner = cand.partner.and_then(|(_, to)| step.s.at(to)).map(|p| p.id);
        for clause in [Some(cand.clause), cand.via].into_iter().flatten() {
            if let Some(o) = self.clause(clause).once {
                step.s.once[o as usize][owner as usize] = true;
            }
        }
        // 4. The clause's own effects.
        let roles = step.roles();
        let thens = self.thens(cand);
        step.block(&thens.iter().map(|t| (owner, roles, t.as_slice())).collect::<Vec<_>>());
        // 5. Reactions.
        if cand.drop.is_none() {
            step.react();
        }
        // 6. Promotion.
        if let Some((promotion, kind, once)) = promotion {
            if let Some(o) = once {
                step.s.once[o as usize][owner as usize] = true;
            }
            if let Some(c) = step.actor()
                && let Some(p) = &mut step.s.board[c as usize]
            {
                p.kind = kind;
            }
            let roles = step.roles();
            step.block(&[(owner, roles, promotion.then.as_slice())]);
        }
        step.events();
        // 9. Bookkeeping.
        if cand.drop.is_none() {
            self.record_move(&mut step.s, owner, piece_type, cand.moved_as.clone());
        }
        step.moved(partner);
        let text = self.move_text(cand, promotion.map(|(_, kind, _)| kind));
        step.finish(text)
    }

    /// A rotation of the piece on a cell.
    pub(super) fn rotate(&self, env: Env, s: &State, cell: Cell, remap: u16, named: bool) -> Option<Stepped> {
        let piece = s.at(cell)?;
        let table = &self.game.remaps[remap as usize];
        let kind = table.table[piece.kind as usize]?;
        let mut step = Step::new(self, env, s, None, Some(cell), vec![Verb::Rotate]);
        step.attacker = Some(Record { piece, cell });
        step.s.board[cell as usize] = Some(Piece { kind, ..piece });
        if kind != piece.kind {
            step.note(TallyEvent::Rotated, piece);
        }
        step.events();
        step.moved(None);
        let ladder = table.text.starts_with(['+', '-']);
        let text = match (named, ladder) {
            (false, _) => table.text.clone(),
            (true, true) => format!("{}{}", self.game.cell_name(cell), table.text),
            (true, false) => format!("{}:{}", self.game.cell_name(cell), table.text),
        };
        step.finish(text)
    }

    /// An effect on a chosen piece.
    pub(super) fn choose(&self, env: Env, s: &State, cell: Cell, effect: Chosen) -> Option<Stepped> {
        s.at(cell)?;
        let verb = match effect {
            Chosen::Remove => Verb::Remove,
            Chosen::Capture => Verb::Capture,
            Chosen::Flip => Verb::Flip,
        };
        let mut step = Step::new(self, env, s, None, Some(cell), vec![verb]);
        let name = self.game.cell_name(cell);
        let text = match effect {
            Chosen::Remove => {
                step.take(&[cell], false);
                format!("x{name}")
            }
            Chosen::Capture => {
                if !self.capturable(env, s, step.roles(), None, cell) {
                    return None;
                }
                step.take(&[cell], true);
                format!("x{name}")
            }
            Chosen::Flip => {
                let owner = self.flipped(s.at(cell).and_then(|p| p.owner), env.mover);
                step.set_owner(cell, owner);
                format!("~{name}")
            }
        };
        step.events();
        step.moved(None);
        step.finish(text)
    }

    /// A pass or a swap of sides.
    pub(super) fn idle(&self, env: Env, s: &State, verb: Verb) -> Option<Stepped> {
        let text = if verb == Verb::Swap { "swap" } else { "pass" };
        let mut step = Step::new(self, env, s, None, None, vec![verb.clone()]);
        if verb == Verb::Swap {
            step.s.swapped = !step.s.swapped;
        }
        step.events();
        step.moved(None);
        step.finish(text.to_owned())
    }

    /// Puts a piece on a cell of the setup.
    pub(super) fn place(&self, env: Env, s: &State, cell: Cell, kind: KindId) -> Option<Stepped> {
        let mut step = Step::new(self, env, s, None, Some(cell), vec![Verb::Fill]);
        let piece = step.s.put(cell, kind, Some(env.mover), self.tracked.contains(&kind));
        step.attacker = Some(Record { piece, cell });
        step.s.filled += 1;
        step.events();
        step.moved(None);
        let letter = &self.game.type_of(kind).letter;
        step.finish(format!("{}={letter}", self.game.cell_name(cell)))
    }

    /// Whose a flipped piece is.
    fn flipped(&self, owner: Option<Seat>, viewer: Seat) -> Seat {
        if owner == Some(viewer) { self.game.next_seat(viewer) } else { viewer }
    }
}

impl<'a> Step<'a> {
    fn new(
        twin: &'a Twin,
        env: Env,
        s: &State,
        origin: Option<Cell>,
        here: Option<Cell>,
        verbs: Vec<Verb>,
    ) -> Step<'a> {
        Step {
            twin,
            env: Env { counted: false, ..env },
            s: s.clone(),
            attacker: None,
            here,
            origin,
            dir: None,
            verbs,
            victims: VecDeque::new(),
            log: Vec::new(),
            rolls: BTreeSet::new(),
        }
    }

    /// Where the piece that makes the step stands now.
    fn actor(&self) -> Option<Cell> {
        self.attacker.and_then(|a| self.s.find(a.piece.id))
    }

    fn roles(&self) -> Roles {
        Roles { this: self.actor(), here: self.here, origin: self.origin, dir: self.dir, attacker: None, victim: None }
    }

    fn note(&mut self, event: TallyEvent, p: Piece) {
        self.log.push(Happened { event, kind: p.kind, owner: p.owner, id: p.id });
    }

    /// Takes pieces off, in order of cells; captured ones are queued.
    fn take(&mut self, cells: &[Cell], captured: bool) {
        for &cell in cells {
            if let Some(piece) = self.s.board[cell as usize].take()
                && captured
            {
                self.note(TallyEvent::Captured, piece);
                self.victims.push_back(Record { piece, cell });
            }
        }
    }

    fn set_owner(&mut self, cell: Cell, owner: Seat) {
        if let Some(p) = &mut self.s.board[cell as usize]
            && p.owner != Some(owner)
        {
            p.owner = Some(owner);
            let piece = *p;
            self.note(TallyEvent::Flipped, piece);
        }
    }

    /// Runs one block: everything is read before anything is written.
    fn block(&mut self, parts: &[Part]) {
        let mut pieces: BTreeMap<Cell, Vec<Write>> = BTreeMap::new();
        let mut others: Vec<Other> = Vec::new();
        for (viewer, roles, effects) in parts {
            let view = View { twin: self.twin, s: &self.s, env: self.env, viewer: *viewer, roles: *roles };
            self.collect(view, effects, &mut pieces, &mut others);
        }
        self.write_pieces(&pieces);
        self.write_others(&others);
    }

    fn collect(
        &self,
        view: View,
        effects: &[Effect],
        pieces: &mut BTreeMap<Cell, Vec<Write>>,
        others: &mut Vec<Other>,
    ) {
        let standing =
            |set| -> Vec<Cell> { view.members(set).into_iter().filter(|c| self.s.at(*c).is_some()).collect() };
        for effect in effects {
            let mut write = |c: Cell, w: Write| pieces.entry(c).or_default().push(w);
            match effect {
                Effect::Capture(set) => {
                    for c in standing(set) {
                        if self.twin.capturable(self.env, &self.s, self.roles(), self.attacker, c) {
                            write(c, Write::Gone { captured: true });
                        }
                    }
                }
                Effect::Remove(set) => {
                    for c in standing(set) {
                        write(c, Write::Gone { captured: false });
                    }
                }
                Effect::Flip(set) => {
                    for c in standing(set) {
                        let owner = self.s.at(c).and_then(|p| p.owner);
                        write(c, Write::Owner(self.twin.flipped(owner, view.viewer)));
                    }
                }
                Effect::Roll(set) => {
                    for c in standing(set) {
                        if self.s.at(c).is_some_and(|p| self.twin.game.ladder.contains(&p.kind)) {
                            write(c, Write::Roll);
                        }
                    }
                }
                Effect::Remap(set, table) => {
                    for c in standing(set) {
                        let table = &self.twin.game.remaps[*table as usize].table;
                        if let Some(kind) = self.s.at(c).and_then(|p| table[p.kind as usize]) {
                            write(c, Write::Kind { kind, rotated: true });
                        }
                    }
                }
                Effect::Become(set, kind) => {
                    for c in standing(set) {
                        write(c, Write::Kind { kind: *kind, rotated: false });
                    }
                }
                Effect::Displace { set, limit, course } => {
                    for c in standing(set) {
                        if let Some(to) = self.destination(view, c, *limit, course) {
                            write(c, Write::Go(to));
                        }
                    }
                }
                Effect::Mark(set, mark) => {
                    let marker = view.roles.this.and_then(|c| self.s.at(c)).map(|p| p.id);
                    others.extend(view.members(set).into_iter().map(|cell| Other::Mark { mark: *mark, cell, marker }));
                }
                Effect::Unmark(set, mark) => {
                    others.extend(view.members(set).into_iter().map(|cell| Other::Unmark { mark: *mark, cell }));
                }
                Effect::Count { counter, who, change, value } => {
                    let each = self.twin.game.counters[*counter as usize].each;
                    let seat = if each { view.who(*who) } else { 0 };
                    let value = view.number(value);
                    others.push(Other::Count { counter: *counter, seat, change: *change, value });
                }
                Effect::Hand { who, change, what } => {
                    let item = match what {
                        HandItem::OriginalOf(role) => view.original(*role),
                        HandItem::Type(t) => Some(*t),
                    };
                    let seat = view.who(*who);
                    let item = item.filter(|t| self.twin.game.hand_types.contains(t));
                    others.extend(item.map(|item| Other::Hand { seat, item, change: *change }));
                }
                Effect::EndTurn => others.push(Other::EndTurn),
                Effect::When(cond, then, otherwise) => {
                    let chosen = if view.holds(cond) { then } else { otherwise };
                    self.collect(view, chosen, pieces, others);
                }
            }
        }
    }

    /// Where a displaced piece would go, on the board as it is.
    fn destination(&self, view: View, c: Cell, limit: Option<u16>, course: &Course) -> Option<Cell> {
        let toward = |set| {
            let cells = view.members(set);
            let dirs = 0..self.twin.game.board.dirs.len() as DirId;
            cells.into_iter().find_map(|x| dirs.clone().find(|d| self.twin.ray(c, *d).contains(&x)))
        };
        let dir = match course {
            Course::Toward(set) => toward(set)?,
            Course::AwayFrom(set) => self.twin.game.board.dirs[toward(set)? as usize].opposite,
            Course::Dirs(dirs) => *dirs[view.viewer as usize].first()?,
        };
        let mut ray = self.twin.ray(c, dir);
        if let Some(limit) = limit {
            ray.truncate(usize::from(limit));
        }
        ray.into_iter().take_while(|x| self.s.at(*x).is_none()).last()
    }

    fn write_pieces(&mut self, pieces: &BTreeMap<Cell, Vec<Write>>) {
        let mut bound: BTreeMap<Cell, Vec<Cell>> = BTreeMap::new();
        let mut gone: BTreeSet<Cell> = BTreeSet::new();
        for (&c, writes) in pieces {
            let first = writes.iter().find(|w| **w != Write::Roll);
            let alike = |w: &Write| match (first, w) {
                (_, Write::Roll) => true,
                (Some(Write::Gone { .. }), Write::Gone { .. }) => true,
                (first, w) => first == Some(w),
            };
            if !writes.iter().all(alike) {
                self.twin.conflict(format!("two changes of {} in one block", self.twin.game.cell_name(c)));
            }
            if writes.iter().any(|w| matches!(w, Write::Gone { .. })) {
                gone.insert(c);
            } else if let Some(Write::Go(to)) = writes.iter().rev().find(|w| matches!(w, Write::Go(_))) {
                bound.entry(*to).or_default().push(c);
            }
        }
        // Pieces that stay on the board change hands and kinds where they stand.
        for (&c, writes) in pieces {
            let Some(before) = self.s.at(c) else { continue };
            if gone.contains(&c) {
                continue;
            }
            for w in writes {
                match *w {
                    Write::Owner(owner) => self.set_owner(c, owner),
                    Write::Kind { kind, rotated } => {
                        if let Some(p) = &mut self.s.board[c as usize] {
                            p.kind = kind;
                        }
                        if rotated && kind != before.kind {
                            self.note(TallyEvent::Rotated, before);
                        }
                    }
                    Write::Roll => {
                        self.rolls.insert(before.id);
                    }
                    Write::Gone { .. } | Write::Go(_) => {}
                }
            }
        }
        for &c in &gone {
            let captured = pieces[&c].contains(&Write::Gone { captured: true });
            self.take(&[c], captured);
        }
        // Two that are bound for one cell both stay.
        let mut moving = Vec::new();
        for (to, from) in bound {
            if let [from] = from[..]
                && let Some(piece) = self.s.board[from as usize].take()
            {
                moving.push((to, piece));
            }
        }
        for (to, piece) in moving {
            self.s.board[to as usize] = Some(piece);
            self.note(TallyEvent::Shifted, piece);
        }
    }

    fn write_others(&mut self, others: &[Other]) {
        for (i, other) in others.iter().enumerate() {
            let clash = others[..i].iter().any(|o| match (o, other) {
                (
                    Other::Count { counter: a, seat: s, change: x, value: v },
                    Other::Count { counter: b, seat: t, change: y, value: w },
                ) => a == b && s == t && (*x == Change::Set || *y == Change::Set) && (x, v) != (y, w),
                (Other::Mark { mark: a, cell: c, .. }, Other::Unmark { mark: b, cell: d })
                | (Other::Unmark { mark: a, cell: c }, Other::Mark { mark: b, cell: d, .. }) => a == b && c == d,
                (Other::Mark { mark: a, marker: x, .. }, Other::Mark { mark: b, marker: y, .. }) => a == b && x != y,
                (Other::Hand { seat: s, item: a, change: x }, Other::Hand { seat: t, item: b, change: y }) => {
                    s == t && a == b && (*x == Change::Set) != (*y == Change::Set)
                }
                _ => false,
            });
            if clash {
                self.twin.conflict("two writes to one counter, hand or mark in one block".to_owned());
            }
            match *other {
                Other::Mark { mark, cell, marker } => {
                    let forever = self.twin.game.marks[mark as usize].turns.is_none();
                    let turn = if forever { 0 } else { self.s.turn };
                    let m = &mut self.s.marks[mark as usize];
                    m.cells.insert(cell, turn);
                    m.marker = marker;
                }
                Other::Unmark { mark, cell } => {
                    let m = &mut self.s.marks[mark as usize];
                    m.cells.remove(&cell);
                    if m.cells.is_empty() {
                        m.marker = None;
                    }
                }
                Other::Count { counter, seat, change, value } => {
                    let n = &mut self.s.counters[counter as usize][seat as usize];
                    *n = match change {
                        Change::Add => n.saturating_add(value),
                        Change::Subtract => n.saturating_sub(value),
                        Change::Set => value,
                    };
                }
                Other::Hand { seat, item, change } => {
                    let n = self.s.held(seat, item);
                    let n = match change {
                        Change::Add => n.saturating_add(1),
                        Change::Subtract => n.saturating_sub(1),
                        Change::Set => 1,
                    };
                    self.s.hold(seat, item, n);
                }
                Other::EndTurn => self.s.now.ended = true,
            }
        }
    }

    /// 5. All reactions that hold, as one block.
    fn react(&mut self) {
        let Some(attacker) = self.attacker else {
            return;
        };
        let mut parts = Vec::new();
        for reaction in &self.twin.game.reactions {
            for c in 0..self.s.board.len() as Cell {
                let Some(piece) = self.s.at(c) else { continue };
                if piece.id == attacker.piece.id || !reaction.kinds.contains(&piece.kind) {
                    continue;
                }
                let friend = piece.owner == attacker.piece.owner;
                let whose = match reaction.by {
                    By::Enemy => !friend && piece.owner.is_some(),
                    By::Friend => friend,
                    By::Anyone => true,
                };
                let viewer = piece.owner.unwrap_or(self.env.mover);
                let roles = Roles { this: Some(c), ..self.roles() };
                let view = View { twin: self.twin, s: &self.s, env: self.env, viewer, roles };
                if whose && self.here.is_some_and(|here| view.contains(&reaction.to, here)) {
                    parts.push((viewer, roles, reaction.body.as_slice()));
                }
            }
        }
        self.block(&parts);
    }

    /// 7 and 8. The blocks that follow captures, then those that follow the act.
    fn events(&mut self) {
        let twin = self.twin;
        while let Some(victim) = self.victims.pop_front() {
            for after in twin.game.afters.iter().filter(|a| a.events.contains(&Event::Capture)) {
                let roles = Roles { attacker: self.attacker, victim: Some(victim), ..self.roles() };
                self.block(&[(self.env.mover, roles, after.body.as_slice())]);
            }
        }
        for after in &twin.game.afters {
            let follows = after.events.iter().any(|e| match e {
                Event::Act(verb) => self.verbs.contains(verb),
                Event::Capture => false,
            });
            if follows {
                let roles = self.roles();
                self.block(&[(self.env.mover, roles, after.body.as_slice())]);
                // A capture here is followed by its own blocks.
                while let Some(victim) = self.victims.pop_front() {
                    for after in twin.game.afters.iter().filter(|a| a.events.contains(&Event::Capture)) {
                        let roles = Roles { attacker: self.attacker, victim: Some(victim), ..self.roles() };
                        self.block(&[(self.env.mover, roles, after.body.as_slice())]);
                    }
                }
            }
        }
    }

    /// 9. Turn sets, tallies and unmoved flags; `partner` castled.
    fn moved(&mut self, partner: Option<u32>) {
        for piece in self.s.board.iter_mut().flatten() {
            let went =
                self.log.iter().any(|h| h.id == piece.id && matches!(h.event, TallyEvent::Moved | TallyEvent::Shifted));
            if went || Some(piece.id) == partner || !self.twin.tracked.contains(&piece.kind) {
                piece.unmoved = false;
            }
        }
        self.s.now.events.append(&mut self.log);
        if let Some(a) = self.attacker {
            self.s.now.acted.insert(a.piece.id);
        }
        self.s.now.actor = self.attacker.map(|a| a.piece.id);
        self.s.now.here = self.here;
        self.s.now.origin = self.origin;
        self.s.now.dir = self.dir;
        self.s.now.active |= !self.verbs.contains(&Verb::Pass);
    }

    /// 10. The prohibitions of the act.
    fn finish(mut self, text: String) -> Option<Stepped> {
        let roles = self.roles();
        let view = View { twin: self.twin, s: &self.s, env: self.env, viewer: self.env.mover, roles };
        let kind = self.actor().or(self.here).and_then(|c| self.s.at(c)).map(|p| p.kind);
        let forbidden = self.twin.game.forbids.iter().any(|f| match &f.what {
            Forbidden::Act(verb, kinds) => {
                self.verbs.contains(verb)
                    && kinds.as_ref().is_none_or(|ks| kind.is_some_and(|k| ks.contains(&k)))
                    && !(f.looks_ahead && self.env.ahead)
                    && view.holds(&f.cond)
            }
            Forbidden::Capture | Forbidden::Turn => false,
        });
        if forbidden {
            return None;
        }
        let rolls: BTreeSet<Cell> = self.rolls.iter().filter_map(|id| self.s.find(*id)).collect();
        self.s.now.steps.push(text);
        Some(Stepped { state: self.s, verbs: self.verbs, rolls: rolls.into_iter().collect() })
    }
}
