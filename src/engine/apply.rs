//! Steps carried out: pieces put and taken, moves, drops, bookkeeping.

use super::bits::{Bits, mix};
use super::clause::Gen;
use super::core::{Core, NEUTRAL};
use super::eval::{At, History, Record};
use super::geometry::NONE;
use super::graph::StateKind;
use super::group::Groups;
use super::layout::Layout;
use super::rules::{ForbidAct, Rules};
use super::step::{Deed, Step};
use super::verbs::{self, Verbs};
use crate::ir::MAX_STEPS;
use crate::ir::expr::TurnSet;
use crate::ir::rule::TallyEvent;
use crate::ir::turn::Chosen;
use smallvec::SmallVec;
use std::cell::RefCell;

/// What a step led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// A forbid holds: the step was never possible.
    Impossible,
    /// The turn goes on.
    Continues,
    /// Chance must decide.
    Chance,
    /// The turn is complete; its end is still to be carried out.
    Complete,
}

/// What a step brings about, for explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A piece is captured.
    Captured(Record),
    /// The piece on a cell reacts, by a reaction.
    Reacted(usize, usize),
    /// An `after capture` block, by its number among these, changes something.
    AfterCapture(usize),
    /// Another block, by its number among these, does.
    AfterAct(usize),
    /// A prohibition of acts, by its number among these, holds.
    Forbidden(usize),
}

/// Where the events of a step are noted.
pub type Trace = RefCell<Vec<Event>>;

/// A step under way.
pub struct Under<'a, B> {
    /// Roles and viewer.
    pub at: At<'a>,
    /// What the act is, for events and forbids; with [`verbs::CAPTURE`] if it captured by landing, jumping or its own effect.
    pub acts: Verbs,
    /// Captured pieces in order.
    pub victims: SmallVec<[Record; 8]>,
    /// `after capture` has been run for so many.
    pub told: usize,
    /// Where to note what happens, if somebody asks.
    pub trace: Option<&'a Trace>,
    /// What blocks read of the turn's records, if some block reads them: those of the steps before.
    pub late: Option<Box<Late<B>>>,
    /// What the last block displaced: from where to where.
    pub moved: SmallVec<[(u16, u16); 4]>,
}

/// The turn's records as they were before a step; they follow the pieces.
pub struct Late<B> {
    /// Unmoved pieces.
    pub unmoved: B,
    /// What happened in the turn: index of the set, set.
    pub turned: SmallVec<[(usize, B); 5]>,
    /// The tallies.
    pub tallies: SmallVec<[i32; 8]>,
}

impl<B: Bits> Under<'_, B> {
    /// Notes an event.
    pub fn note(&self, event: Event) {
        if let Some(trace) = self.trace {
            trace.borrow_mut().push(event);
        }
    }

    /// A piece has gone from one cell to another: what is known of it goes with it.
    pub fn goes<const K: usize, const M: usize>(
        &mut self,
        from: usize,
        to: usize,
        core: &mut Core<B, K, M>,
        layout: &Layout,
    ) {
        let carry = |set: &mut B| {
            *set = if set.has(from) { set.minus(B::bit(from)) | B::bit(to) } else { set.minus(B::bit(to)) };
        };
        layout.all_turned().for_each(|index| carry(&mut core.sets[index]));
        carry(&mut core.acted);
        carry(&mut core.rolls);
        if let Some(late) = &mut self.late {
            carry(&mut late.unmoved);
            late.turned.iter_mut().for_each(|(_, set)| carry(set));
        }
        if usize::from(self.at.this) == from {
            self.at.this = to as u16;
            self.at.attacker.cell = to as u16;
        }
        self.moved.push((from as u16, to as u16));
    }

    /// A piece has left its cell for good.
    pub fn leaves<const K: usize, const M: usize>(&mut self, cell: usize, core: &mut Core<B, K, M>, layout: &Layout) {
        let bit = B::bit(cell);
        layout.all_turned().for_each(|index| core.sets[index] = core.sets[index].minus(bit));
        core.acted = core.acted.minus(bit);
        if let Some(late) = &mut self.late {
            late.unmoved = late.unmoved.minus(bit);
            late.turned.iter_mut().for_each(|(_, set)| *set = set.minus(bit));
        }
        if usize::from(self.at.this) == cell {
            self.at.this = NONE;
        }
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Puts a piece on an empty cell.
    #[inline]
    pub fn put(&self, core: &mut Core<B, K, M>, owner: u8, kind: u8, cell: usize) {
        let bit = B::bit(cell);
        core.own[owner as usize] |= bit;
        core.sets[kind as usize] |= bit;
        core.altered = [true; 2];
        self.note(core, owner, kind, cell);
    }

    /// Notes in the hash that a piece came to or left a cell, if a rule compares positions.
    #[inline(always)]
    pub fn note(&self, core: &mut Core<B, K, M>, owner: u8, kind: u8, cell: usize) {
        if self.facts.repeats {
            core.board_hash ^= self.key(owner, kind, cell);
        }
    }

    /// Takes the piece off a cell; the cell must not be empty.
    #[inline]
    pub fn take(&self, core: &mut Core<B, K, M>, cell: usize) -> Record {
        let bit = B::bit(cell);
        let (owner, kind) = (core.owner_at(cell), core.kind_at(cell));
        core.own[owner as usize] = core.own[owner as usize].minus(bit);
        core.sets[kind as usize] = core.sets[kind as usize].minus(bit);
        core.unmoved = core.unmoved.minus(bit);
        core.altered = [true; 2];
        self.note(core, owner, kind, cell);
        Record { kind, owner, cell: cell as u16 }
    }

    /// Writes a slot and keeps the hash.
    #[inline]
    pub fn set_slot(&self, core: &mut Core<B, K, M>, slot: usize, value: i32) {
        if core.slots[slot] == value {
            return;
        }
        if self.facts.repeats && slot < self.layout.unhashed {
            core.slot_hash ^= slot_key(slot, core.slots[slot]) ^ slot_key(slot, value);
        }
        core.slots[slot] = value;
    }

    /// Moves a piece to an empty cell; the piece that set a mark keeps being its marker.
    pub fn shift_piece(&self, core: &mut Core<B, K, M>, from: usize, to: usize) -> Record {
        let altered = core.altered;
        let record = self.take(core, from);
        self.put(core, record.owner, record.kind, to);
        core.altered = altered;
        self.follow_marker(core, from, to);
        record
    }

    fn follow_marker(&self, core: &mut Core<B, K, M>, from: usize, to: usize) {
        for mark in 0..self.layout.layers.len() {
            let slot = self.layout.marker(mark);
            if core.slots[slot] == from as i32 + 1 {
                self.set_slot(core, slot, to as i32 + 1);
            }
        }
    }

    /// The piece that stood on the cell has left the board.
    pub fn gone(&self, core: &mut Core<B, K, M>, cell: usize) {
        if self.facts.removals_last {
            core.no_way_back();
        }
        core.rolls = core.rolls.minus(B::bit(cell));
        for mark in 0..self.layout.layers.len() {
            let slot = self.layout.marker(mark);
            if core.slots[slot] == cell as i32 + 1 {
                self.set_slot(core, slot, 0);
            }
        }
    }

    pub fn tally(&self, core: &mut Core<B, K, M>, event: TallyEvent, kind: u8, owner: u8) {
        for tally in &self.tallied[event as usize] {
            if tally.kinds[kind as usize] {
                core.slots[self.layout.tally(tally.index, owner)] += 1;
            }
        }
    }

    /// Notes what happened to pieces in the turn, if a rule reads it.
    pub fn turned(&self, core: &mut Core<B, K, M>, what: TurnSet, set: B) {
        if let Some(index) = self.layout.turned(what) {
            core.sets[index] |= set;
        }
    }

    /// A piece is captured: it leaves, and waits for its `after capture` blocks.
    pub fn capture(&self, core: &mut Core<B, K, M>, cell: usize, under: &mut Under<B>) {
        let victim = self.take(core, cell);
        self.gone(core, cell);
        under.leaves(cell, core, &self.layout);
        self.tally(core, TallyEvent::Captured, victim.kind, victim.owner);
        under.victims.push(victim);
        under.note(Event::Captured(victim));
    }

    /// Carries out a step. On `Impossible` the state is spoilt.
    #[inline]
    pub fn apply(&self, core: &mut Core<B, K, M>, step: Step, history: &History) -> After {
        match step.deed {
            Deed::Move { clause, kind, from, to, promote: None }
                if self.clauses[clause as usize].simple && from != to && self.nothing_follows(core, from, to) =>
            {
                core.fresh = false;
                core.steps = core.steps.saturating_add(1);
                core.slots[self.layout.passes()] = 0;
                core.q = step.next;
                self.relocate(core, kind, from as usize, to as usize);
                self.settle(core, false, history)
            }
            Deed::Rotate { remap, cell, .. } if self.free_acts => {
                core.fresh = false;
                core.steps = core.steps.saturating_add(1);
                core.slots[self.layout.passes()] = 0;
                core.q = step.next;
                self.remap(core, cell as usize, remap);
                core.acted |= B::bit(cell as usize);
                core.last = cell;
                self.settle(core, false, history)
            }
            Deed::Drop { clause, kind, to } if self.undisturbed && self.clauses[clause as usize].simple => {
                core.fresh = false;
                core.steps = core.steps.saturating_add(1);
                core.slots[self.layout.passes()] = 0;
                core.q = step.next;
                self.enter(core, kind, to as usize);
                self.settle(core, false, history)
            }
            _ => self.carry_out(core, step, history, None),
        }
    }

    /// Whether nothing follows a move but that its piece lands, and captures what stands there: no block, no reaction.
    #[inline(always)]
    fn nothing_follows(&self, core: &Core<B, K, M>, from: u16, to: u16) -> bool {
        self.undisturbed
            || self.free_acts
                && (self.after_capture.is_empty() || !core.occupied().has(to as usize))
                && !self
                    .reactions
                    .iter()
                    .any(|r| self.watching(r, core, core.side, to as usize).minus(B::bit(from as usize)).any())
    }

    /// A move that takes a piece from cell to cell and captures what stands there, where nothing follows.
    #[inline]
    fn relocate(&self, core: &mut Core<B, K, M>, kind: u8, from: usize, to: usize) {
        let side = core.side;
        let (start, end) = (B::bit(from), B::bit(to));
        if self.calm_moves {
            if core.occupied().has(to) {
                self.take(core, to);
            }
            core.own[side as usize & 1] ^= start | end;
            core.sets[kind as usize] ^= start | end;
            core.acted = core.acted.minus(start) | end;
            core.last = to as u16;
            return;
        }
        let unmoved = core.unmoved;
        if core.occupied().has(to) {
            let victim = self.take(core, to);
            self.gone(core, to);
            self.tally(core, TallyEvent::Captured, victim.kind, victim.owner);
        }
        core.own[side as usize & 1] ^= start | end;
        core.sets[kind as usize] ^= start | end;
        self.note(core, side, kind, from);
        self.note(core, side, kind, to);
        self.follow_marker(core, from, to);
        if core.steps > 1 {
            for index in self.layout.all_turned() {
                let set = &mut core.sets[index];
                *set = if (*set & start).any() { set.minus(start) | end } else { set.minus(end) };
            }
        }
        core.acted = core.acted.minus(start) | end;
        core.last = to as u16;
        self.turned(core, TurnSet::Moved, end);
        self.tally(core, TallyEvent::Moved, kind, side);
        if self.game.reads_last_moved {
            let t = self.type_of[kind as usize];
            self.note_last(core, side, t, 1 << t);
        }
        if unmoved.any() {
            core.unmoved = core.unmoved.minus(start);
            if core.unmoved != unmoved {
                self.tidy_unmoved(core);
            }
        }
    }

    /// Any step, with all that follows it.
    pub fn carry_out(&self, core: &mut Core<B, K, M>, step: Step, history: &History, trace: Option<&Trace>) -> After {
        let side = core.side;
        let late = self.facts.late.then(|| {
            Box::new(Late {
                unmoved: core.unmoved,
                turned: self.layout.all_turned().map(|index| (index, core.sets[index])).collect(),
                tallies: core.slots[self.layout.all_tallies()].into(),
            })
        });
        let mut under = Under {
            at: At::mover(side, history),
            acts: 0,
            victims: SmallVec::new(),
            told: 0,
            trace,
            late,
            moved: SmallVec::new(),
        };
        let fresh = core.fresh;
        core.fresh = false;
        core.steps = core.steps.saturating_add(1);
        match step.deed {
            Deed::Roll { kind, cell } => return self.rolled(core, kind, cell as usize, history),
            Deed::Fill { kind, cell } => return self.fill(core, kind, cell as usize, &mut under),
            Deed::Done => {
                core.complete = true;
                return After::Complete;
            }
            Deed::Move { clause, from, to, promote, .. } => self.play(core, clause, from, to, promote, &mut under),
            Deed::Drop { clause, kind, to } => self.drop(core, clause, kind, to, &mut under),
            Deed::Rotate { remap, cell, .. } => {
                under.acts = verbs::ROTATE;
                (under.at.this, under.at.here) = (cell, cell);
                under.at.attacker = Record { kind: core.kind_at(cell as usize), owner: side, cell };
                self.remap(core, cell as usize, remap);
                self.after_act(core, &mut under);
            }
            Deed::Choose { effect, cell } => {
                let bit = cell as usize;
                under.at.here = cell;
                under.acts = match effect {
                    Chosen::Remove => verbs::REMOVE,
                    Chosen::Capture => verbs::CAPTURE,
                    Chosen::Flip => verbs::FLIP,
                };
                match effect {
                    Chosen::Remove => {
                        self.take(core, bit);
                        self.gone(core, bit);
                        under.leaves(bit, core, &self.layout);
                    }
                    Chosen::Capture => {
                        self.capture(core, bit, &mut under);
                        self.tell_captures(core, &mut under);
                    }
                    Chosen::Flip => self.flip(core, B::bit(bit), side),
                }
                self.after_act(core, &mut under);
            }
            Deed::Pass => {
                under.acts = verbs::PASS;
                self.after_act(core, &mut under);
            }
            Deed::Swap => {
                under.acts = verbs::SWAP;
                core.stays = true;
                let slot = self.layout.swapped();
                self.set_slot(core, slot, 1 - core.slots[slot]);
                self.after_act(core, &mut under);
            }
        }
        let passes = self.layout.passes();
        // a turn of several passes is one
        core.slots[passes] = match step.deed {
            Deed::Pass => core.slots[passes] + i32::from(fresh),
            _ => 0,
        };
        core.last = under.at.this;
        if core.last != NONE {
            core.acted |= B::bit(core.last as usize);
        }
        if self.facts.turn_roles {
            (core.here, core.origin, core.dir) = (under.at.here, under.at.origin, under.at.dir);
        }
        core.q = step.next;
        if self.act_forbidden(core, &under) {
            return After::Impossible;
        }
        if core.rolls.any() {
            core.committed = true;
            return After::Chance;
        }
        self.settle(core, false, history)
    }

    fn play(&self, core: &mut Core<B, K, M>, c: u16, from: u16, to: u16, promote: Option<u8>, under: &mut Under<B>) {
        let clause = &self.clauses[c as usize];
        let unmoved = core.unmoved;
        let (start, end) = (from as usize, to as usize);
        let (owner, kind) = (core.owner_at(start), core.kind_at(start));
        let history = under.at.history;
        let via = match self.facts.borrows_apart {
            true => self.borrower(core, owner, kind, c, start, end, history),
            false => None,
        };
        let promotion_then = match promote {
            Some(_) => self.promotion(core, owner, kind, from, to, history).map(|p| &p.then),
            None => None,
        };
        let moved_as = match self.game.reads_last_moved {
            true => self.moved_as(core, owner, kind, c, start, end, history),
            false => 0,
        };
        if !self.geo.straight {
            under.at.dir = self.heading(clause, core, owner, kind, start, end, history);
        }
        under.acts = clause.verbs & !verbs::CAPTURE;
        if let Some(via) = via.filter(|_| !clause.label) {
            under.acts |= via.verbs & verbs::LABELS;
        }
        under.at.viewer = owner;
        under.at.attacker = Record { kind, owner, cell: from };
        (under.at.this, under.at.origin, under.at.here) = (from, from, to);
        // the hurdle and the castling partner are found on the board before
        let hurdle = match &clause.gen_ {
            Gen::Hop { captures: true, .. } => self.hurdle(core, under.at.dir, start, end),
            _ => None,
        };
        let partner = match &clause.gen_ {
            Gen::Castle { dirs, steps, partner } => self.partner(core, dirs, *steps, partner, owner, start, end),
            _ => None,
        };
        // 3: leave, capture, land
        let mut victims: SmallVec<[usize; 2]> = hurdle.into_iter().collect();
        if core.occupied().has(end) && end != start {
            victims.push(end);
        }
        victims.sort_unstable();
        if !victims.is_empty() {
            under.acts |= verbs::CAPTURE;
        }
        for victim in victims {
            self.capture(core, victim, under);
        }
        self.shift_piece(core, start, end);
        under.goes(start, end, core, &self.layout);
        if let Some((rook, lands)) = partner {
            self.shift_piece(core, rook, lands);
            under.goes(rook, lands, core, &self.layout);
        }
        // 4
        let before = under.victims.len();
        // a line that is lent has no effects of its own
        self.block(core, via.map_or(&clause.then, |via| &via.then), under);
        if under.victims.len() > before {
            under.acts |= verbs::CAPTURE;
        }
        if let Some(once) = via.map_or(clause.once, |via| via.once) {
            self.set_slot(core, self.layout.once(once, owner), 1);
        }
        // 5
        self.react(core, under);
        // 6
        if let Some(new) = promote
            && core.own[owner as usize].has(end)
            && core.sets[kind as usize].has(end)
        {
            let unmoved = core.unmoved;
            self.take(core, end);
            self.put(core, owner, new, end);
            core.unmoved = unmoved;
            let once = self.promotions[self.type_of[kind as usize] as usize]
                .iter()
                .filter(|p| p.zone[owner as usize & 1].has(end))
                .find_map(|p| p.to.iter().find(|(k, _)| *k == new))
                .and_then(|(_, once)| *once);
            if let Some(once) = once {
                self.set_slot(core, self.layout.once(once, owner), 1);
            }
            if let Some(then) = promotion_then {
                self.block(core, then, under);
            }
        }
        // 7, 8
        self.tell_captures(core, under);
        self.after_act(core, under);
        // 9
        if under.at.this != NONE {
            self.turned(core, TurnSet::Moved, B::bit(under.at.this as usize));
        }
        self.tally(core, TallyEvent::Moved, kind, owner);
        if self.game.reads_last_moved {
            self.note_last(core, owner, self.type_of[kind as usize], moved_as);
        }
        if core.unmoved != unmoved {
            self.tidy_unmoved(core);
        }
    }

    fn hurdle(&self, core: &Core<B, K, M>, dir: u8, from: usize, to: usize) -> Option<usize> {
        let between = self.geo.between_by(dir, from, to) & core.occupied();
        (!between.is_empty()).then(|| between.first())
    }

    /// The castling partner and the cell where it lands: the last that the royal crosses.
    fn partner(
        &self,
        core: &Core<B, K, M>,
        dirs: &[Vec<u8>],
        steps: u16,
        partner: &[u8],
        owner: u8,
        from: usize,
        to: usize,
    ) -> Option<(usize, usize)> {
        let (d, rook) = dirs[owner as usize & 1].iter().find_map(|d| {
            let leads = self.geo.walk(from, *d).nth(usize::from(steps).wrapping_sub(1)) == Some(to);
            let rook = self.castling_partner(core, owner, from, *d, steps, partner);
            rook.filter(|_| leads).map(|rook| (*d, rook))
        })?;
        let lands = self.geo.dirs[self.geo.dirs[d as usize].opposite].next[to] as usize;
        Some((rook, lands))
    }

    fn drop(&self, core: &mut Core<B, K, M>, c: u16, kind: u8, to: u16, under: &mut Under<B>) {
        let side = core.side;
        if core.occupied().has(to as usize) {
            self.capture(core, to as usize, under);
        }
        let owner = self.enter(core, kind, to as usize);
        let clause = &self.clauses[c as usize];
        under.acts = clause.verbs & !verbs::CAPTURE;
        under.at.attacker = Record { kind, owner, cell: to };
        (under.at.this, under.at.here) = (to, to);
        self.block(core, &clause.then, under);
        if let Some(once) = clause.once {
            self.set_slot(core, self.layout.once(once, side), 1);
        }
        self.tell_captures(core, under);
        self.after_act(core, under);
    }

    /// A piece comes from the hand, if its type is held there, onto an empty cell; returns whose it is.
    #[inline]
    fn enter(&self, core: &mut Core<B, K, M>, kind: u8, cell: usize) -> u8 {
        let side = core.side;
        let t = self.type_of[kind as usize];
        if let Some(slot) = self.layout.hand(side, t) {
            self.set_slot(core, slot, core.slots[slot] - 1);
        }
        if self.facts.drops_last {
            core.no_way_back();
        }
        let owner = if self.neutral[t as usize] { NEUTRAL } else { side };
        self.put(core, owner, kind, cell);
        core.acted |= B::bit(cell);
        core.last = cell as u16;
        self.turned(core, TurnSet::Dropped, B::bit(cell));
        self.tally(core, TallyEvent::Dropped, kind, owner);
        owner
    }

    fn fill(&self, core: &mut Core<B, K, M>, kind: u8, cell: usize, under: &mut Under<B>) -> After {
        self.put(core, core.side, kind, cell);
        let slot = self.layout.fill();
        core.slots[slot] += 1;
        under.acts = verbs::FILL;
        (under.at.this, under.at.here) = (cell as u16, cell as u16);
        core.complete = true;
        if self.act_forbidden(core, under) { After::Impossible } else { After::Complete }
    }

    fn rolled(&self, core: &mut Core<B, K, M>, kind: u8, cell: usize, history: &History) -> After {
        let old = self.take(core, cell);
        self.put(core, old.owner, kind, cell);
        if kind != old.kind {
            self.turned(core, TurnSet::Rotated, B::bit(cell));
            self.tally(core, TallyEvent::Rotated, old.kind, old.owner);
        }
        core.rolls = core.rolls.minus(B::bit(cell));
        if core.rolls.any() {
            return After::Chance;
        }
        self.settle(core, true, history)
    }

    /// After a step and its draws: results at once, and whether the turn is complete. After a draw it is where nothing legal can follow.
    #[inline]
    fn settle(&self, core: &mut Core<B, K, M>, drawn: bool, history: &History) -> After {
        if !self.at_once.is_empty()
            && self.decided(core, core.side, history)
            && let Some(over) = self.ruling(core, true, core.side, history, true)
        {
            core.over = over;
            core.complete = true;
        }
        if core.complete || core.steps as usize >= MAX_STEPS {
            core.complete = true;
            return After::Complete;
        }
        match self.kinds_of_state[core.q as usize] {
            StateKind::Ends => {
                core.complete = true;
                return After::Complete;
            }
            StateKind::Acts if !drawn => {}
            StateKind::Acts | StateKind::Open => {
                let mut groups = Groups::new();
                let can_end = self.offers(core, history, drawn, &mut groups);
                let possible = match drawn {
                    true => groups.iter().any(|g| self.some_step_completes(g, core, history)),
                    false => groups.iter().any(|g| self.some_step_possible(g, core, history)),
                };
                core.complete = !possible && (can_end || drawn);
            }
        }
        if core.complete { After::Complete } else { After::Continues }
    }

    fn act_forbidden(&self, core: &Core<B, K, M>, under: &Under<B>) -> bool {
        let forbidden = self.forbid_acts.iter().position(|ForbidAct { verb, kinds, cond, looks_ahead }| {
            if core.ahead && *looks_ahead || verb & under.acts == 0 {
                return false;
            }
            let kind = core.piece(under.at.this as usize).map(|(_, k)| k).filter(|_| under.at.this != NONE);
            if kinds.as_ref().is_some_and(|list| kind.is_none_or(|k| !list.contains(&k))) {
                return false;
            }
            let at = At { viewer: under.at.mover, ..under.at };
            self.holds(cond, core, &at)
        });
        forbidden.inspect(|i| under.note(Event::Forbidden(*i))).is_some()
    }

    /// Drops unmoved flags that no castling can use any more.
    pub fn tidy_unmoved(&self, core: &mut Core<B, K, M>) {
        if core.unmoved.is_empty() || self.castlers.is_empty() || self.facts.reads_unmoved {
            return;
        }
        let mut useful = B::EMPTY;
        for (s, own) in core.own[..2].iter().enumerate() {
            for castler in &self.castlers {
                let rooks = self.kinds(core, &castler.partners) & core.unmoved & *own;
                for king in (core.sets[castler.kind as usize] & core.unmoved & *own).cells() {
                    let partners = castler.beyond[s][king] & rooks;
                    if partners.any() {
                        useful |= partners | B::bit(king);
                    }
                }
            }
        }
        core.unmoved &= useful;
    }
}

/// The hash key of a slot's value.
#[inline]
pub fn slot_key(slot: usize, value: i32) -> u64 {
    mix((slot as u64 + 1) << 32 | u64::from(value as u32))
}
