//! Steps carried out: pieces put and taken, effects, events, bookkeeping.

use super::attack::bits;
use super::bits::{Bits, mix};
use super::clause::Gen;
use super::core::{Core, NEUTRAL};
use super::effects::{Course, E};
use super::eval::{At, History, Record};
use super::geometry::NONE;
use super::graph::StateKind;
use super::group::Groups;
use super::program::S;
use super::rules::{AfterAct, ForbidAct, Reaction, Rules};
use super::step::{Deed, Step};
use super::verbs::{self, Verbs};
use crate::ir::MAX_STEPS;
use crate::ir::expr::TurnSet;
use crate::ir::rule::{By, Change, HandItem, TallyEvent};
use crate::ir::turn::Chosen;
use smallvec::SmallVec;

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

/// A step under way.
struct Under<'a> {
    /// Roles and viewer.
    at: At<'a>,
    /// What the act is, for events and forbids; with [`verbs::CAPTURE`] if it captured by landing, jumping or its own effect.
    acts: Verbs,
    /// Captured pieces in order.
    victims: SmallVec<[Record; 8]>,
    /// `after capture` has been run for so many.
    told: usize,
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Puts a piece on an empty cell.
    #[inline]
    pub fn put(&self, core: &mut Core<B, K, M>, owner: u8, kind: u8, cell: usize) {
        let bit = B::bit(cell);
        core.own[owner as usize] |= bit;
        core.sets[kind as usize] |= bit;
        self.note(core, owner, kind, cell);
    }

    /// Notes in the hash that a piece came to or left a cell, if a rule compares positions.
    #[inline(always)]
    fn note(&self, core: &mut Core<B, K, M>, owner: u8, kind: u8, cell: usize) {
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

    fn change(&self, core: &mut Core<B, K, M>, slot: usize, change: Change, value: i32) {
        let old = core.slots[slot];
        let new = match change {
            Change::Add => old.saturating_add(value),
            Change::Subtract => old.saturating_sub(value),
            Change::Set => value,
        };
        self.set_slot(core, slot, new);
    }

    /// Moves a piece to an empty cell; the piece that set a mark keeps being its marker.
    fn shift_piece(&self, core: &mut Core<B, K, M>, from: usize, to: usize) -> Record {
        let record = self.take(core, from);
        self.put(core, record.owner, record.kind, to);
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
    fn gone(&self, core: &mut Core<B, K, M>, cell: usize) {
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

    fn tally(&self, core: &mut Core<B, K, M>, event: TallyEvent, kind: u8, owner: u8) {
        if owner == NEUTRAL {
            return;
        }
        for tally in &self.tallied[event as usize] {
            if tally.kinds[kind as usize] {
                core.slots[self.layout.tally(tally.index, owner)] += 1;
            }
        }
    }

    /// Notes what happened to pieces in the turn, if a rule reads it.
    fn turned(&self, core: &mut Core<B, K, M>, what: TurnSet, set: B) {
        if let Some(index) = self.layout.turned(what) {
            core.sets[index] |= set;
        }
    }

    /// A piece is captured: it leaves, and waits for its `after capture` blocks.
    fn capture(&self, core: &mut Core<B, K, M>, cell: usize, under: &mut Under) {
        let victim = self.take(core, cell);
        self.gone(core, cell);
        self.tally(core, TallyEvent::Captured, victim.kind, victim.owner);
        under.victims.push(victim);
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
                self.settle(core, history)
            }
            Deed::Rotate { remap, cell, .. } if self.free_acts => {
                core.fresh = false;
                core.steps = core.steps.saturating_add(1);
                core.slots[self.layout.passes()] = 0;
                core.q = step.next;
                self.remap(core, cell as usize, remap);
                core.acted |= B::bit(cell as usize);
                core.last = cell;
                self.settle(core, history)
            }
            Deed::Drop { clause, kind, to } if self.undisturbed && self.clauses[clause as usize].simple => {
                core.fresh = false;
                core.steps = core.steps.saturating_add(1);
                core.slots[self.layout.passes()] = 0;
                core.q = step.next;
                self.enter(core, kind, to as usize);
                self.settle(core, history)
            }
            _ => self.carry_out(core, step, history),
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

    /// Pieces that may react to a move of a player that leads to a cell.
    #[inline]
    fn watching(&self, reaction: &Reaction<B>, core: &Core<B, K, M>, mover: u8, here: usize) -> B {
        let pieces = self.kinds(core, &reaction.kinds).minus(B::bit(here));
        let pieces = match reaction.by {
            By::Enemy => pieces.minus(core.own[mover as usize] | core.own[NEUTRAL as usize]),
            By::Friend => pieces & core.own[mover as usize],
            By::Anyone => pieces,
        };
        match &reaction.back {
            Some(back) if pieces.any() => {
                let near = |seat: usize| core.own[seat] & self.geo.neighbours(B::bit(here), &back[seat]);
                pieces & (near(0) | near(1) | core.own[NEUTRAL as usize])
            }
            _ => pieces,
        }
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
    fn carry_out(&self, core: &mut Core<B, K, M>, step: Step, history: &History) -> After {
        let side = core.side;
        let mut under = Under { at: At::mover(side, history), acts: 0, victims: SmallVec::new(), told: 0 };
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
                self.land(&mut under, cell, cell);
                self.remap(core, cell as usize, remap);
                self.after_act(core, &mut under);
                core.acted |= B::bit(cell as usize);
                core.last = cell;
            }
            Deed::Choose { effect, cell } => {
                let bit = cell as usize;
                under.at.victim = core.piece(bit).map_or(Record::NONE, |(owner, kind)| Record { kind, owner, cell });
                under.at.here = cell;
                under.acts = match effect {
                    Chosen::Remove => verbs::REMOVE,
                    Chosen::Capture => 0,
                    Chosen::Flip => verbs::FLIP,
                };
                match effect {
                    Chosen::Remove => {
                        self.take(core, bit);
                        self.gone(core, bit);
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
        core.slots[passes] = if fresh && step.deed == Deed::Pass { core.slots[passes] + 1 } else { 0 };
        core.q = step.next;
        if self.act_forbidden(core, &under) {
            return After::Impossible;
        }
        if core.rolls.any() {
            core.committed = true;
            return After::Chance;
        }
        self.settle(core, history)
    }

    fn land(&self, under: &mut Under, from: u16, to: u16) {
        under.at.this = to;
        under.at.here = to;
        under.at.origin = from;
    }

    fn play(&self, core: &mut Core<B, K, M>, c: u16, from: u16, to: u16, promote: Option<u8>, under: &mut Under) {
        let clause = &self.clauses[c as usize];
        let unmoved = core.unmoved;
        let (start, end) = (from as usize, to as usize);
        let (owner, kind) = (core.owner_at(start), core.kind_at(start));
        let history = under.at.history;
        let promotion_then = match promote {
            Some(_) => self.promotion(core, owner, kind, from, to, history).map(|p| &p.then),
            None => None,
        };
        let moved_as = match self.game.reads_last_moved {
            true => self.moved_as(core, owner, kind, c, start, end, history),
            false => 0,
        };
        under.acts = clause.verbs & !verbs::CAPTURE;
        under.at.viewer = owner;
        under.at.attacker = Record { kind, owner, cell: from };
        self.land(under, from, to);
        // the hurdle and the castling partner are found on the board before
        let hurdle = match &clause.gen_ {
            Gen::Hop { captures: true, .. } => self.hurdle(core, start, end),
            Gen::Imitate { .. } => self.borrowed_hurdle(core, owner, kind, moved_as, start, end, history),
            _ => None,
        };
        let partner = match &clause.gen_ {
            Gen::Castle { dirs, .. } => self.partner(core, dirs, owner, start, end),
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
        core.acted = core.acted.minus(B::bit(start));
        if let Some((rook, lands)) = partner {
            self.shift_piece(core, rook, lands);
        }
        under.at.attacker.cell = to;
        // 4
        let before = under.victims.len();
        self.block(core, &clause.then, under);
        if under.victims.len() > before {
            under.acts |= verbs::CAPTURE;
        }
        if let Some(once) = clause.once {
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
        let bit = B::bit(end);
        core.acted |= bit;
        core.last = to;
        self.turned(core, TurnSet::Moved, bit);
        self.tally(core, TallyEvent::Moved, kind, owner);
        if self.game.reads_last_moved {
            self.note_last(core, owner, self.type_of[kind as usize], moved_as);
        }
        if core.unmoved != unmoved {
            self.tidy_unmoved(core);
        }
    }

    fn hurdle(&self, core: &Core<B, K, M>, from: usize, to: usize) -> Option<usize> {
        let between = self.geo.between(from, to) & core.occupied();
        (!between.is_empty()).then(|| between.first())
    }

    fn borrowed_hurdle(
        &self,
        core: &Core<B, K, M>,
        owner: u8,
        kind: u8,
        types: u128,
        from: usize,
        to: usize,
        history: &History,
    ) -> Option<usize> {
        let jumps = bits(types).flat_map(|t| &self.moves[t]).any(|c| {
            let clause = &self.clauses[*c as usize];
            clause.plain
                && matches!(clause.gen_, Gen::Hop { captures: true, .. })
                && self.targets(clause, core, owner, kind, from, history).has(to)
        });
        if jumps { self.hurdle(core, from, to) } else { None }
    }

    /// The castling partner and the cell where it lands: the last that the royal crosses.
    fn partner(
        &self,
        core: &Core<B, K, M>,
        dirs: &[Vec<u8>],
        owner: u8,
        from: usize,
        to: usize,
    ) -> Option<(usize, usize)> {
        let d = *dirs[owner as usize & 1].iter().find(|d| self.geo.dirs[**d as usize].rays[from].has(to))?;
        let rook = self.geo.first(from, d, core.occupied())?;
        let lands = self.geo.dirs[self.geo.dirs[d as usize].opposite].next[to] as usize;
        Some((rook, lands))
    }

    fn drop(&self, core: &mut Core<B, K, M>, c: u16, kind: u8, to: u16, under: &mut Under) {
        let side = core.side;
        let owner = self.enter(core, kind, to as usize);
        let clause = &self.clauses[c as usize];
        under.acts = clause.verbs & !verbs::CAPTURE;
        under.at.attacker = Record { kind, owner, cell: to };
        self.land(under, NONE, to);
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

    fn fill(&self, core: &mut Core<B, K, M>, kind: u8, cell: usize, under: &mut Under) -> After {
        self.put(core, core.side, kind, cell);
        let slot = self.layout.fill();
        core.slots[slot] += 1;
        under.acts = verbs::FILL;
        self.land(under, cell as u16, cell as u16);
        core.complete = true;
        if self.act_forbidden(core, under) { After::Impossible } else { After::Complete }
    }

    fn rolled(&self, core: &mut Core<B, K, M>, kind: u8, cell: usize, history: &History) -> After {
        let old = self.take(core, cell);
        self.put(core, old.owner, kind, cell);
        self.turned(core, TurnSet::Rotated, B::bit(cell));
        self.tally(core, TallyEvent::Rotated, kind, old.owner);
        core.rolls = core.rolls.minus(B::bit(cell));
        if core.rolls.any() {
            return After::Chance;
        }
        self.settle(core, history)
    }

    /// After a step and its draws: results at once, and whether the turn is complete.
    #[inline]
    fn settle(&self, core: &mut Core<B, K, M>, history: &History) -> After {
        if !self.at_once.is_empty()
            && self.decided(&self.at_once, core, true, core.side, history)
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
            StateKind::Acts if !core.committed => {}
            StateKind::Acts | StateKind::Open => {
                let mut groups = Groups::new();
                let can_end = self.offers(core, history, core.committed, &mut groups);
                let possible = match core.committed {
                    true => groups.iter().any(|g| self.some_step_completes(g, core, history)),
                    false => groups.iter().any(|g| self.some_step_possible(g, core, history)),
                };
                core.complete = !possible && (can_end || core.committed);
            }
        }
        if core.complete { After::Complete } else { After::Continues }
    }

    fn act_forbidden(&self, core: &Core<B, K, M>, under: &Under) -> bool {
        self.forbid_acts.iter().any(|ForbidAct { verb, kinds, cond, looks_ahead }| {
            if core.ahead && *looks_ahead || verb & under.acts == 0 {
                return false;
            }
            let kind = core.piece(under.at.this as usize).map(|(_, k)| k).filter(|_| under.at.this != NONE);
            if kinds.as_ref().is_some_and(|list| kind.is_none_or(|k| !list.contains(&k))) {
                return false;
            }
            let at = At { viewer: under.at.mover, ..under.at };
            self.holds(cond, core, &at)
        })
    }

    /// Reactions of pieces to a move: all that hold now, as one block each, read before any writes.
    fn react(&self, core: &mut Core<B, K, M>, under: &mut Under) {
        if self.reactions.is_empty() {
            return;
        }
        let mover = under.at.attacker.owner;
        let mut due: SmallVec<[(usize, usize, u8); 4]> = SmallVec::new();
        for (i, reaction) in self.reactions.iter().enumerate() {
            for cell in self.watching(reaction, core, mover, under.at.here as usize).cells() {
                // a piece that belongs to nobody sees with the eyes of the player on turn
                let owner = core.owner_at(cell);
                let viewer = if owner == NEUTRAL { core.side } else { owner };
                let at = At { viewer, this: cell as u16, ..under.at };
                if self.set(&reaction.to, core, &at).has(under.at.here as usize) {
                    due.push((i, cell, at.viewer));
                }
            }
        }
        if due.is_empty() {
            return;
        }
        due.sort_by_key(|(_, cell, _)| *cell);
        let mut writes = Writes::default();
        for (i, cell, viewer) in &due {
            let at = At { viewer: *viewer, this: *cell as u16, ..under.at };
            self.read(core, &self.reactions[*i].body, &at, &mut writes);
        }
        self.write(core, writes, under);
    }

    fn tell_captures(&self, core: &mut Core<B, K, M>, under: &mut Under) {
        while under.told < under.victims.len() {
            let victim = under.victims[under.told];
            under.told += 1;
            if self.after_capture.is_empty() {
                continue;
            }
            let saved = under.at;
            under.at.victim = victim;
            under.at.viewer = under.at.mover;
            for body in &self.after_capture {
                self.block(core, body, under);
            }
            under.at = saved;
        }
    }

    fn after_act(&self, core: &mut Core<B, K, M>, under: &mut Under) {
        if self.after_act.is_empty() {
            return;
        }
        let saved = under.at;
        under.at.viewer = under.at.mover;
        for AfterAct { verbs, body } in &self.after_act {
            if verbs & under.acts != 0 {
                self.block(core, body, under);
                under.at.viewer = under.at.mover;
            }
        }
        self.tell_captures(core, under);
        under.at = saved;
    }

    /// A block: everything is read, then everything is written.
    fn block(&self, core: &mut Core<B, K, M>, body: &[E<B>], under: &mut Under) {
        if body.is_empty() {
            return;
        }
        let mut writes = Writes::default();
        self.read(core, body, &under.at, &mut writes);
        self.write(core, writes, under);
    }

    fn read(&self, core: &Core<B, K, M>, body: &[E<B>], at: &At, writes: &mut Writes<B>) {
        for effect in body {
            match effect {
                E::Capture(set) => writes.capture |= self.set(set, core, at) & core.occupied(),
                E::Remove(set) => writes.remove |= self.set(set, core, at) & core.occupied(),
                E::Flip(set) => writes.list.push(Write::Flip(self.set(set, core, at) & core.occupied(), at.viewer)),
                E::Roll(set) => writes.list.push(Write::Roll(self.set(set, core, at) & core.occupied())),
                E::Remap(set, remap) => {
                    writes.list.push(Write::Remap(self.set(set, core, at) & core.occupied(), *remap))
                }
                E::Become(set, kind) => {
                    writes.list.push(Write::Become(self.set(set, core, at) & core.occupied(), *kind))
                }
                E::Displace { set, limit, course } => self.displacements(core, set, *limit, course, at, writes),
                E::Mark(set, mark) => writes.list.push(Write::Mark(self.set(set, core, at), *mark, at.this)),
                E::Unmark(set, mark) => writes.list.push(Write::Unmark(self.set(set, core, at), *mark)),
                E::Count { counter, each, who, change, value } => {
                    let seat = if *each { at.seat(*who) } else { 0 };
                    let value = self.number(value, core, at);
                    writes.list.push(Write::Slot(self.layout.counter(*counter, seat), *change, value));
                }
                E::Hand { who, change, what } => {
                    let t = match what {
                        HandItem::Type(t) => Some(*t),
                        HandItem::OriginalOf(role) => self.original(core, *role, at),
                    };
                    if let Some(slot) = t.and_then(|t| self.layout.hand(at.seat(*who), t)) {
                        writes.list.push(Write::Slot(slot, *change, 1));
                    }
                }
                E::EndTurn => writes.list.push(Write::EndTurn),
                E::When(cond, then, otherwise) => {
                    let body = if self.holds(cond, core, at) { then } else { otherwise };
                    self.read(core, body, at, writes);
                }
            }
        }
    }

    fn original(&self, core: &Core<B, K, M>, role: crate::ir::expr::Role, at: &At) -> Option<u8> {
        use crate::ir::expr::Role;
        let kind = match role {
            Role::Attacker if at.attacker.cell != NONE => at.attacker.kind,
            Role::Victim if at.victim.cell != NONE => at.victim.kind,
            Role::This | Role::Here if at.this != NONE => core.piece(at.this as usize)?.1,
            _ => return None,
        };
        Some(self.game.kinds[kind as usize].original)
    }

    fn displacements(
        &self,
        core: &Core<B, K, M>,
        set: &S<B>,
        limit: Option<u16>,
        course: &Course<B>,
        at: &At,
        writes: &mut Writes<B>,
    ) {
        let occupied = core.occupied();
        let set = self.set(set, core, at) & occupied;
        if set.is_empty() {
            return;
        }
        let goal = match course {
            Course::Toward(goal) | Course::AwayFrom(goal) => self.set(goal, core, at),
            Course::Dirs(_) => B::EMPTY,
        };
        for cell in set.cells() {
            let dir = match course {
                Course::Toward(_) => self.toward(cell, goal),
                Course::AwayFrom(_) => self.toward(cell, goal).map(|d| self.geo.dirs[d as usize].opposite as u8),
                Course::Dirs(dirs) => dirs[at.viewer as usize & 1].first().copied(),
            };
            let Some(dir) = dir else { continue };
            let to = match limit {
                Some(n) => self.geo.walk(cell, dir).take(n as usize).take_while(|c| !occupied.has(*c)).last(),
                None => self.geo.furthest(cell, dir, occupied),
            };
            if let Some(to) = to {
                writes.bound.push((cell as u16, to as u16));
            }
        }
    }

    /// The direction in which a cell of the goal lies.
    fn toward(&self, cell: usize, goal: B) -> Option<u8> {
        if goal.is_empty() {
            return None;
        }
        if goal.rest().is_empty() {
            return self.geo.way(cell, goal.first());
        }
        (0..self.geo.dirs.len()).find(|d| (self.geo.dirs[*d].rays[cell] & goal).any()).map(|d| d as u8)
    }

    fn write(&self, core: &mut Core<B, K, M>, writes: Writes<B>, under: &mut Under) {
        if writes.capture.any() {
            let attacker = under.at.attacker;
            let barred = match attacker.cell == NONE {
                true => self.kinds(core, &self.uncapturable),
                false => self.protected(core, attacker.owner, attacker.kind, attacker.cell, under.at.history),
            };
            for cell in writes.capture.minus(barred).cells() {
                self.capture(core, cell, under);
            }
        }
        for cell in (writes.remove & core.occupied()).cells() {
            self.take(core, cell);
            self.gone(core, cell);
        }
        // two that are bound for one cell both stay
        for (from, to) in &writes.bound {
            let alone = writes.bound.iter().filter(|(_, t)| t == to).count() == 1;
            if alone && core.occupied().has(*from as usize) && !core.occupied().has(*to as usize) {
                let record = self.shift_piece(core, *from as usize, *to as usize);
                self.turned(core, TurnSet::Shifted, B::bit(*to as usize));
                self.tally(core, TallyEvent::Shifted, record.kind, record.owner);
                for cell in [&mut under.at.this, &mut under.at.attacker.cell] {
                    if *cell == *from {
                        *cell = *to;
                    }
                }
            }
        }
        for write in writes.list {
            match write {
                Write::Flip(set, viewer) => self.flip(core, set & core.occupied(), viewer),
                Write::Roll(set) => {
                    let ladder = self.game.ladder.iter().fold(B::EMPTY, |s, k| s | core.sets[*k as usize]);
                    core.rolls |= set & ladder;
                }
                Write::Remap(set, remap) => {
                    for cell in (set & core.occupied()).cells() {
                        self.remap(core, cell, remap);
                    }
                }
                Write::Become(set, kind) => {
                    for cell in (set & core.occupied()).cells() {
                        let unmoved = core.unmoved;
                        let old = self.take(core, cell);
                        self.put(core, old.owner, kind, cell);
                        core.unmoved = unmoved;
                    }
                }
                Write::Mark(set, mark, this) => {
                    let (first, _) = self.layout.layers[mark];
                    core.sets[first] |= set;
                    if set.any() && this != NONE {
                        self.set_slot(core, self.layout.marker(mark), i32::from(this) + 1);
                    }
                }
                Write::Unmark(set, mark) => {
                    let (first, count) = self.layout.layers[mark];
                    for layer in &mut core.sets[first..first + count] {
                        *layer = layer.minus(set);
                    }
                }
                Write::Slot(slot, change, value) => self.change(core, slot, change, value),
                Write::EndTurn => core.complete = true,
            }
        }
    }

    fn remap(&self, core: &mut Core<B, K, M>, cell: usize, remap: u16) {
        let kind = core.kind_at(cell);
        if let Some(new) = self.game.remaps[remap as usize].table[kind as usize] {
            let (owner, bit) = (core.owner_at(cell), B::bit(cell));
            core.sets[kind as usize] = core.sets[kind as usize].minus(bit);
            core.sets[new as usize] |= bit;
            self.note(core, owner, kind, cell);
            self.note(core, owner, new, cell);
            self.turned(core, TurnSet::Rotated, bit);
            self.tally(core, TallyEvent::Rotated, new, owner);
        }
    }

    fn flip(&self, core: &mut Core<B, K, M>, set: B, viewer: u8) {
        let (me, you) = (viewer as usize & 1, 1 - (viewer as usize & 1));
        let mine = set & core.own[me];
        let others = set.minus(mine);
        if self.facts.repeats || !self.tallied[TallyEvent::Flipped as usize].is_empty() {
            for cell in set.cells() {
                let kind = core.kind_at(cell);
                let owner = if mine.has(cell) { you } else { me } as u8;
                self.note(core, core.owner_at(cell), kind, cell);
                self.note(core, owner, kind, cell);
                self.tally(core, TallyEvent::Flipped, kind, owner);
            }
        }
        core.own[me] = core.own[me].minus(mine) | others;
        core.own[you] = core.own[you].minus(others) | mine;
        core.own[NEUTRAL as usize] = core.own[NEUTRAL as usize].minus(others);
        self.turned(core, TurnSet::Flipped, set);
    }

    /// Drops unmoved flags that no castling can use any more.
    pub fn tidy_unmoved(&self, core: &mut Core<B, K, M>) {
        if core.unmoved.is_empty() || self.castlers.is_empty() {
            return;
        }
        let mut useful = B::EMPTY;
        for own in &core.own[..2] {
            for (king, partners) in &self.castlers {
                let kings = core.sets[*king as usize] & core.unmoved & *own;
                let rooks = partners.iter().fold(B::EMPTY, |s, k| s | core.sets[*k as usize]) & core.unmoved & *own;
                if kings.any() && rooks.any() {
                    useful |= kings | rooks;
                }
            }
        }
        // flags that other phrases read stay
        for kind in 0..self.type_of.len() {
            if self.keeps_unmoved[kind] && !self.castles(kind as u8) {
                useful |= core.sets[kind] & core.unmoved;
            }
        }
        core.unmoved &= useful;
    }

    fn castles(&self, kind: u8) -> bool {
        self.castlers.iter().any(|(k, partners)| *k == kind || partners.contains(&kind))
    }
}

/// What a block will write.
struct Writes<B> {
    capture: B,
    remove: B,
    bound: SmallVec<[(u16, u16); 8]>,
    list: SmallVec<[Write<B>; 4]>,
}

impl<B: Bits> Default for Writes<B> {
    fn default() -> Self {
        Writes { capture: B::EMPTY, remove: B::EMPTY, bound: SmallVec::new(), list: SmallVec::new() }
    }
}

enum Write<B> {
    Flip(B, u8),
    Roll(B),
    Remap(B, u16),
    Become(B, u8),
    Mark(B, usize, u16),
    Unmark(B, usize),
    Slot(usize, Change, i32),
    EndTurn,
}

/// The hash key of a slot's value.
#[inline]
pub fn slot_key(slot: usize, value: i32) -> u64 {
    mix((slot as u64 + 1) << 32 | u64::from(value as u32))
}
