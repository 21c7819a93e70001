//! Blocks: effects that read one board and write together, and the events that run them.

use super::apply::{Event, Under};
use super::bits::Bits;
use super::core::{Core, NEUTRAL};
use super::effects::{Course, E};
use super::eval::{At, Record};
use super::geometry::NONE;
use super::program::S;
use super::rules::{AfterAct, Reaction, Rules};
use crate::ir::expr::TurnSet;
use crate::ir::rule::{By, Change, HandItem, TallyEvent};
use smallvec::SmallVec;
use std::borrow::Cow;

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Reactions of pieces to a move: all that hold now, as one block each, read before any writes.
    pub fn react(&self, core: &mut Core<B, K, M>, under: &mut Under<B>) {
        if self.reactions.is_empty() {
            return;
        }
        let mover = under.at.attacker.owner;
        let mut due: SmallVec<[(usize, usize, u8); 4]> = SmallVec::new();
        let seen = self.as_read(core, under);
        for (i, reaction) in self.reactions.iter().enumerate() {
            let moved = B::bit(under.at.this as usize % B::WIDTH);
            let watching = self.watching(reaction, &seen, mover, under.at.here as usize);
            for cell in watching.minus(if under.at.this == NONE { B::EMPTY } else { moved }).cells() {
                // a piece that belongs to nobody sees with the eyes of the player on turn
                let owner = core.owner_at(cell);
                let viewer = if owner == NEUTRAL { core.side } else { owner };
                let at = At { viewer, this: cell as u16, ..under.at };
                if self.set(&reaction.to, &seen, &at).has(under.at.here as usize) {
                    due.push((i, cell, at.viewer));
                }
            }
        }
        if due.is_empty() {
            return;
        }
        let mut writes = Writes::default();
        for (i, cell, _) in &due {
            under.note(Event::Reacted(*i, *cell));
        }
        for (i, cell, viewer) in &due {
            let at = At { viewer: *viewer, this: *cell as u16, ..under.at };
            self.read(&seen, &self.reactions[*i].body, &at, &mut writes);
        }
        self.write(core, writes, under);
    }

    pub fn tell_captures(&self, core: &mut Core<B, K, M>, under: &mut Under<B>) {
        while under.told < under.victims.len() {
            let victim = under.victims[under.told];
            under.told += 1;
            if self.after_capture.is_empty() {
                continue;
            }
            under.at.victim = victim;
            let viewer = std::mem::replace(&mut under.at.viewer, under.at.mover);
            for (i, body) in self.after_capture.iter().enumerate() {
                if self.block(core, body, under) {
                    under.note(Event::AfterCapture(i));
                }
            }
            under.at.victim = Record::NONE;
            under.at.viewer = viewer;
        }
    }

    pub fn after_act(&self, core: &mut Core<B, K, M>, under: &mut Under<B>) {
        if self.after_act.is_empty() {
            return;
        }
        let viewer = std::mem::replace(&mut under.at.viewer, under.at.mover);
        for (i, AfterAct { verbs, body }) in self.after_act.iter().enumerate() {
            if verbs & under.acts != 0 {
                if self.block(core, body, under) {
                    under.note(Event::AfterAct(i));
                }
                self.tell_captures(core, under);
            }
        }
        under.at.viewer = viewer;
    }

    /// A block: everything is read, then everything is written. Returns whether that is anything.
    pub fn block(&self, core: &mut Core<B, K, M>, body: &[E<B>], under: &mut Under<B>) -> bool {
        if body.is_empty() {
            return false;
        }
        let mut writes = Writes::default();
        self.read(&self.as_read(core, under), body, &under.at, &mut writes);
        let some = writes.any();
        self.write(core, writes, under);
        some
    }

    /// The state as blocks read it: what happened in a step is not recorded before its end.
    fn as_read<'c>(&self, core: &'c Core<B, K, M>, under: &Under<B>) -> Cow<'c, Core<B, K, M>> {
        let Some(late) = &under.late else { return Cow::Borrowed(core) };
        let mut seen = *core;
        seen.unmoved = late.unmoved;
        for (index, set) in &late.turned {
            seen.sets[*index] = *set;
        }
        seen.slots[self.layout.all_tallies()].copy_from_slice(&late.tallies);
        Cow::Owned(seen)
    }

    fn read(&self, core: &Core<B, K, M>, body: &[E<B>], at: &At, writes: &mut Writes<B>) {
        let pieces = |set| self.set(set, core, at) & core.occupied();
        for effect in body {
            match effect {
                E::Capture(set) => writes.capture |= pieces(set),
                E::Remove(set) => writes.remove |= pieces(set),
                E::Flip(set) => writes.list.push(Write::Flip(pieces(set), at.viewer)),
                E::Roll(set) => writes.list.push(Write::Roll(pieces(set))),
                E::Remap(set, remap) => {
                    for cell in pieces(set).cells() {
                        let new = self.game.remaps[*remap as usize].table[core.kind_at(cell) as usize];
                        writes.list.extend(new.map(|kind| Write::Become(B::bit(cell), kind, true)));
                    }
                }
                E::Become(set, kind) => writes.list.push(Write::Become(pieces(set), *kind, false)),
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

    /// The direction in which the first cell of the goal lies that is on a line with a cell.
    fn toward(&self, cell: usize, goal: B) -> Option<u8> {
        goal.cells().find_map(|to| self.geo.way(cell, to))
    }

    fn write(&self, core: &mut Core<B, K, M>, writes: Writes<B>, under: &mut Under<B>) {
        let captured = match writes.capture.any() {
            true => writes.capture.minus(self.protected_by(&self.as_read(core, under), under.at.attacker, &under.at)),
            false => B::EMPTY,
        };
        let gone = captured | writes.remove & core.occupied();
        // pieces that stay on the board change hands and kinds where they stand
        let before = core.own;
        for write in &writes.list {
            match write {
                Write::Flip(set, viewer) => {
                    let mine = before[(*viewer & 1) as usize] & *set;
                    self.flip_to(core, mine.minus(gone), set.minus(mine | gone), *viewer);
                }
                Write::Roll(set) => {
                    let ladder = self.game.ladder.iter().fold(B::EMPTY, |s, k| s | core.sets[*k as usize]);
                    core.rolls |= set.minus(gone) & ladder;
                }
                _ => {}
            }
        }
        let kinds = writes.list.iter().filter_map(|w| match w {
            Write::Become(set, kind, rotated) => Some((set.minus(gone), *kind, *rotated)),
            _ => None,
        });
        self.recast(core, kinds);
        for cell in captured.cells() {
            self.capture(core, cell, under);
        }
        for cell in gone.minus(captured).cells() {
            self.take(core, cell);
            self.gone(core, cell);
            under.leaves(cell, core, &self.layout);
        }
        self.displace(core, &writes.bound, gone, under);
        for write in writes.list {
            match write {
                Write::Mark(set, mark, this) => {
                    let (first, _) = self.layout.layers[mark];
                    core.sets[first] |= set;
                    if set.any() {
                        let marker = under.moved.iter().find(|(from, _)| *from == this).map_or(this, |(_, to)| *to);
                        let stands = marker != NONE && !(this != NONE && gone.has(this as usize));
                        let slot = self.layout.marker(mark);
                        self.set_slot(core, slot, if stands { i32::from(marker) + 1 } else { 0 });
                    }
                }
                Write::Unmark(set, mark) => {
                    let (first, count) = self.layout.layers[mark];
                    for layer in &mut core.sets[first..first + count] {
                        *layer = layer.minus(set);
                    }
                    if core.sets[first..first + count].iter().all(|layer| layer.is_empty()) {
                        self.set_slot(core, self.layout.marker(mark), 0);
                    }
                }
                Write::Slot(slot, change, value) => self.change(core, slot, change, value),
                Write::EndTurn => core.complete = true,
                Write::Flip(..) | Write::Roll(_) | Write::Become(..) => {}
            }
        }
    }

    /// Pieces become other kinds where they stand; of several kinds for one piece the last counts.
    fn recast(&self, core: &mut Core<B, K, M>, kinds: impl Iterator<Item = (B, u8, bool)>) {
        let mut known: SmallVec<[(usize, u8); 8]> = SmallVec::new();
        for (set, kind, rotated) in kinds {
            for cell in set.cells() {
                let before = match known.iter().find(|(c, _)| *c == cell) {
                    Some((_, kind)) => *kind,
                    None => {
                        known.push((cell, core.kind_at(cell)));
                        core.kind_at(cell)
                    }
                };
                let (owner, bit, old) = (core.owner_at(cell), B::bit(cell), core.kind_at(cell));
                core.sets[old as usize] = core.sets[old as usize].minus(bit);
                core.sets[kind as usize] |= bit;
                self.note(core, owner, old, cell);
                self.note(core, owner, kind, cell);
                if rotated && kind != before {
                    self.turned(core, TurnSet::Rotated, bit);
                    self.tally(core, TallyEvent::Rotated, before, owner);
                }
            }
        }
    }

    /// Pieces go to the cells for which they are bound, of several for one piece to the last; two that are bound for one cell both stay.
    fn displace(&self, core: &mut Core<B, K, M>, bound: &[(u16, u16)], gone: B, under: &mut Under<B>) {
        under.moved.clear();
        if bound.is_empty() {
            return;
        }
        let later = |i: usize, from: u16| bound[i + 1..].iter().any(|(f, _)| *f == from);
        let bound: SmallVec<[(u16, u16); 8]> = bound
            .iter()
            .enumerate()
            .filter(|(i, (from, _))| !gone.has(*from as usize) && !later(*i, *from))
            .map(|(_, b)| *b)
            .collect();
        for (from, to) in &bound {
            if bound.iter().filter(|(_, t)| t == to).count() == 1 {
                let record = self.shift_piece(core, *from as usize, *to as usize);
                under.goes(*from as usize, *to as usize, core, &self.layout);
                self.turned(core, TurnSet::Shifted, B::bit(*to as usize));
                self.tally(core, TallyEvent::Shifted, record.kind, record.owner);
            }
        }
    }

    pub fn remap(&self, core: &mut Core<B, K, M>, cell: usize, remap: u16) {
        let kind = core.kind_at(cell);
        if let Some(new) = self.game.remaps[remap as usize].table[kind as usize] {
            let (owner, bit) = (core.owner_at(cell), B::bit(cell));
            core.sets[kind as usize] = core.sets[kind as usize].minus(bit);
            core.sets[new as usize] |= bit;
            core.altered = [true; 2];
            self.note(core, owner, kind, cell);
            self.note(core, owner, new, cell);
            if new != kind {
                self.turned(core, TurnSet::Rotated, bit);
                self.tally(core, TallyEvent::Rotated, kind, owner);
            }
        }
    }

    /// Pieces change hands: the viewer's go to the other player, all others to the viewer.
    pub fn flip(&self, core: &mut Core<B, K, M>, set: B, viewer: u8) {
        let mine = core.own[viewer as usize & 1] & set;
        self.flip_to(core, mine, set.minus(mine), viewer);
    }

    /// Pieces go to the other player, others to the viewer, as far as they are not theirs yet.
    fn flip_to(&self, core: &mut Core<B, K, M>, mine: B, others: B, viewer: u8) {
        let (me, you) = (viewer as usize & 1, 1 - (viewer as usize & 1));
        let (mine, others) = (mine.minus(core.own[you]), others.minus(core.own[me]));
        let set = mine | others;
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
        core.altered = [true; 2];
        core.own[you] = core.own[you].minus(others) | mine;
        core.own[NEUTRAL as usize] = core.own[NEUTRAL as usize].minus(others);
        self.turned(core, TurnSet::Flipped, set);
    }

    /// Pieces that may react to a move of a player that leads to a cell.
    #[inline]
    pub fn watching(&self, reaction: &Reaction<B>, core: &Core<B, K, M>, mover: u8, here: usize) -> B {
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

    fn change(&self, core: &mut Core<B, K, M>, slot: usize, change: Change, value: i32) {
        let old = core.slots[slot];
        let new = match change {
            Change::Add => old.saturating_add(value),
            Change::Subtract => old.saturating_sub(value),
            Change::Set => value,
        };
        self.set_slot(core, slot, new);
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

impl<B: Bits> Writes<B> {
    /// Whether something will be written.
    fn any(&self) -> bool {
        let writes = |w: &Write<B>| match w {
            Write::Flip(set, _) | Write::Roll(set) | Write::Become(set, ..) => set.any(),
            Write::Mark(set, ..) | Write::Unmark(set, _) => set.any(),
            Write::Slot(_, change, value) => *change == Change::Set || *value != 0,
            Write::EndTurn => true,
        };
        self.capture.any() || self.remove.any() || !self.bound.is_empty() || self.list.iter().any(writes)
    }
}

enum Write<B> {
    Flip(B, u8),
    Roll(B),
    /// A kind, and whether by rotation.
    Become(B, u8, bool),
    Mark(B, usize, u16),
    Unmark(B, usize),
    Slot(usize, Change, i32),
    EndTurn,
}
