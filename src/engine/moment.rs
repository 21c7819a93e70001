//! One moment of a game with its past, on sets of one width; and the jobs that walk the game from there: perft and playouts.

use super::Random;
use super::bits::Bits;
use super::core::{Core, Over};
use super::eval::At;
use super::group::Groups;
use super::position::{round, turn_of};
use super::rules::Rules;
use super::stack::deep;
use super::step::{Deed, Step};
use super::text;
use super::turn::Tried;
use super::{Alteration, Arrangement, Playout};
use smallvec::SmallVec;
use std::collections::HashSet;

/// How many turns that are written as others are walked from one position.
const MAX_ALIKE: usize = 100_000;

/// Turns for whose positions a playout makes room at its beginning.
const ROOM: u32 = 512;

/// A state with the keys of the positions before it, and the steps of the turn under way.
pub struct Moment<B, const K: usize, const M: usize> {
    /// The state.
    pub core: Core<B, K, M>,
    /// Keys at the ends of turns, the start first, the present last.
    pub history: Vec<(u64, u64)>,
    /// Within a turn: the state at its beginning and the steps since.
    pub under_way: Option<Box<(Core<B, K, M>, Vec<Step>)>>,
}

/// What perft does with the last turn of each sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Counts it, where that can be done without playing it.
    Counted,
    /// Plays it.
    Played,
}

impl<B: Bits, const K: usize, const M: usize> Clone for Moment<B, K, M> {
    fn clone(&self) -> Self {
        Moment { core: self.core, history: self.history.clone(), under_way: self.under_way.clone() }
    }
    fn clone_from(&mut self, source: &Self) {
        self.core = source.core;
        self.history.clone_from(&source.history);
        self.under_way.clone_from(&source.under_way);
    }
}

impl<B: Bits, const K: usize, const M: usize> Moment<B, K, M> {
    /// The steps done in the turn under way.
    pub fn done(&self) -> &[Step] {
        self.under_way.as_ref().map_or(&[], |u| &u.1)
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// The start of a game.
    pub fn start(&self) -> Moment<B, K, M> {
        let places = self.game.setup.places.clone();
        self.arrange(&Arrangement { places, ..Arrangement::default() })
    }

    /// A state from parts, at the beginning of a turn. Results are not tried on it, except that a player who cannot move ends the game.
    pub fn arrange(&self, parts: &Arrangement) -> Moment<B, K, M> {
        let mut moment = self.arranged(parts);
        self.finish_set_up(&mut moment);
        moment
    }

    /// Completes a position that was set up: where nobody can move, results are tried as if a turn had ended.
    pub fn finish_set_up(&self, moment: &mut Moment<B, K, M>) {
        let (core, history) = (&mut moment.core, &moment.history);
        if core.turn > 0 && !self.has_turn(core, history) {
            self.finish_stuck(core, history, Tried::None);
        }
    }

    /// A state from parts, without asking whether the player to move can move.
    pub fn arranged(&self, parts: &Arrangement) -> Moment<B, K, M> {
        let mut core: Core<B, K, M> = Core::empty();
        for (owner, kind, cell) in &parts.places {
            if !core.occupied().has(*cell as usize) {
                self.put(&mut core, Self::owner(*owner), *kind, *cell as usize);
            }
        }
        core.unmoved = self.start_unmoved(&core);
        self.tidy_unmoved(&mut core);
        for (seat, stock) in self.game.setup.hands.iter().enumerate() {
            let stock = match parts.hands.get(seat) {
                Some(Some(said)) => said,
                _ => stock,
            };
            for (t, n) in stock {
                if let Some(slot) = self.layout.hand(seat as u8, *t) {
                    core.slots[slot] = core.slots[slot].saturating_add(i32::from(*n));
                }
            }
        }
        for (i, counter) in self.game.counters.iter().enumerate() {
            for seat in 0..self.game.seats.len() {
                core.slots[self.layout.counter(i, seat as u8)] = counter.start;
            }
        }
        if let Some(fill) = &self.game.setup.fill {
            // a board with nothing on the cells to be filled is at the beginning of the filling
            let total: i32 = fill.cells.iter().map(|c| c.len() as i32).sum();
            let begun = self.on_filled_cells(&core);
            core.slots[self.layout.fill()] = if begun { total } else { 0 };
            core.turn = u32::from(begun || total == 0);
        }
        core.side = parts.to_move.unwrap_or(0);
        let mut moment = Moment { core, history: Vec::new(), under_way: None };
        self.begin_history(&mut moment);
        moment
    }

    /// Whether something stands on the cells that the setup lets the players fill.
    pub fn on_filled_cells(&self, core: &Core<B, K, M>) -> bool {
        let mut cells = self.game.setup.fill.iter().flat_map(|fill| fill.cells.iter().flatten());
        cells.any(|c| core.occupied().has(*c as usize))
    }

    /// Makes a position the first that is known.
    fn begin_history(&self, moment: &mut Moment<B, K, M>) {
        let core = &mut moment.core;
        (core.board_hash, core.slot_hash) = self.hashes_afresh(core);
        moment.history.clear();
        if core.turn > 0 {
            moment.history.push((self.key_with_side(core, core.side), core.board_hash));
        }
    }

    /// Completes a position whose parts were changed: it is the first that is known, marks that serve nothing go, and a player who cannot move ends the game.
    pub fn finish_changed(&self, moment: &mut Moment<B, K, M>) {
        self.begin_history(moment);
        self.drop_useless_marks(&mut moment.core, &moment.history);
        self.begin_history(moment);
        self.finish_set_up(moment);
    }

    /// Changes parts of a position and leaves all others as they are. What was played of a turn under way is taken back, and earlier positions are forgotten.
    pub fn alter(&self, moment: &mut Moment<B, K, M>, changes: &[Alteration]) {
        if let Some(begun) = moment.under_way.take() {
            moment.core = begun.0;
        }
        let core = &mut moment.core;
        for change in changes {
            match change {
                Alteration::ToMove(seat) => {
                    let seats = self.game.seats.len();
                    core.side = *seat;
                    if core.turn > 0 {
                        core.turn = turn_of(round(core.turn, seats), *seat, seats);
                    }
                }
                Alteration::Hand(seat, stock) => {
                    for t in &self.game.hand_types {
                        if let Some(slot) = self.layout.hand(*seat, *t) {
                            let held = stock.iter().filter(|(held, _)| held == t).map(|(_, n)| i32::from(*n));
                            core.slots[slot] = held.sum();
                        }
                    }
                }
                Alteration::Counter(counter, seat, value) => core.slots[self.layout.counter(*counter, *seat)] = *value,
                Alteration::Latch(latch, seat, set) => core.slots[self.layout.latch(*latch, *seat)] = i32::from(*set),
                Alteration::LastMoved(seat, t) if self.game.reads_last_moved => {
                    core.slots[self.layout.last_piece(*seat)] = t.map_or(0, |t| i32::from(t) + 1);
                    core.slots[self.layout.last_as(*seat)] = t.map_or(0, |t| 1 << t);
                }
                Alteration::LastMoved(..) => {}
            }
        }
        core.over = Over::No;
        core.altered = [true; 2];
        self.finish_changed(moment);
    }

    /// Plays a legal step.
    pub fn play_step(&self, moment: &mut Moment<B, K, M>, step: Step) {
        let before = moment.core;
        let Some(after) = self.after(&before, step, &moment.history) else { return };
        moment.core = after;
        if after.ended() {
            self.end_turn(&mut moment.core, &mut moment.history);
            self.finish(&mut moment.core, &moment.history);
            moment.under_way = None;
        } else {
            moment.under_way.get_or_insert_with(|| Box::new((before, Vec::new()))).1.push(step);
        }
    }

    /// Calls `f` with the end (its bookkeeping still due) and the steps of each legal turn, or completion of the turn under way, until it
    /// returns false; returns whether all were walked.
    pub fn each_turn(
        &self,
        core: &Core<B, K, M>,
        history: &[(u64, u64)],
        path: &mut Vec<Step>,
        f: &mut dyn FnMut(&Core<B, K, M>, &[Step]) -> bool,
    ) -> bool {
        if !self.facts.doubles {
            return self.walk_turns(core, history, path, f);
        }
        // turns that are written alike are one
        let (mut seen, mut again) = (HashSet::new(), 0);
        self.walk_turns(core, history, path, &mut |end, path| {
            if seen.insert(text::turn(&self.game, path)) {
                return f(end, path);
            }
            again += 1;
            again < MAX_ALIKE
        })
    }

    fn walk_turns(
        &self,
        core: &Core<B, K, M>,
        history: &[(u64, u64)],
        path: &mut Vec<Step>,
        f: &mut dyn FnMut(&Core<B, K, M>, &[Step]) -> bool,
    ) -> bool {
        deep(|| self.walk_turns_here(core, history, path, f))
    }

    fn walk_turns_here(
        &self,
        core: &Core<B, K, M>,
        history: &[(u64, u64)],
        path: &mut Vec<Step>,
        f: &mut dyn FnMut(&Core<B, K, M>, &[Step]) -> bool,
    ) -> bool {
        for step in self.steps(core, history) {
            let Some(after) = self.after(core, step, history) else { continue };
            let counts = step.deed != Deed::Done;
            if counts {
                path.push(step);
            }
            let go_on = match after.ended() {
                true => f(&after, path),
                false => self.walk_turns(&after, history, path, f),
            };
            if counts {
                path.pop();
            }
            if !go_on {
                return false;
            }
        }
        true
    }

    /// The number of sequences of `depth` legal turns; none if more than `left` turns (which counts down) had to be played or counted for it.
    pub fn perft(
        &self,
        core: &Core<B, K, M>,
        history: &mut Vec<(u64, u64)>,
        depth: u32,
        left: &mut u64,
        leaves: Leaves,
    ) -> Option<u64> {
        if depth == 0 {
            *left = left.checked_sub(1)?;
            return Some(1);
        }
        *left = left.checked_sub(1)?;
        if core.over != Over::No {
            return Some(0);
        }
        if self.facts.one_step && !self.facts.rolls && self.prefer.is_empty() && !self.facts.doubles {
            return self.perft_fast(core, history, depth, left, leaves);
        }
        let mut sum = Some(0);
        let past = history.clone();
        let all = self.each_turn(core, &past, &mut Vec::new(), &mut |end, _| {
            let below = match depth {
                1 => left.checked_sub(1).map(|l| *left = l).map(|()| 1),
                _ => self.perft_after(&mut { *end }, history, depth - 1, left, leaves),
            };
            sum = sum.zip(below).map(|(a, b)| a + b);
            sum.is_some()
        });
        sum.filter(|_| all)
    }

    /// Turns that are one step: groups are counted where nothing can be illegal, and no step is listed.
    fn perft_fast(
        &self,
        core: &Core<B, K, M>,
        history: &mut Vec<(u64, u64)>,
        depth: u32,
        left: &mut u64,
        leaves: Leaves,
    ) -> Option<u64> {
        let mut groups = Groups::new();
        self.offers(core, history, true, &mut groups);
        let mut sum = 0;
        for group in groups.iter() {
            let sure = group.code.sure() || self.always_legal();
            if sure && depth == 1 && leaves == Leaves::Counted {
                let n = self.size(group, core, history);
                *left = left.checked_sub(n)?;
                sum += n;
                continue;
            }
            let mut steps: SmallVec<[Step; 8]> = SmallVec::new();
            if !group.code.plain() {
                self.each_step(group, core, history, &mut |step| {
                    steps.push(step);
                    true
                });
            }
            let mut below = |step: Step| {
                let mut after = *core;
                if !self.advance(&mut after, step, sure, history) {
                    return Some(());
                }
                sum += match (depth, after.ended()) {
                    (1, true) => {
                        *left = left.checked_sub(1)?;
                        1
                    }
                    (_, true) => self.perft_after(&mut after, history, depth - 1, left, leaves)?,
                    (_, false) => self.perft(&after, history, depth, left, leaves)?,
                };
                Some(())
            };
            if group.code.plain() {
                for to in group.targets.cells() {
                    below(self.step_to(group, to))?;
                }
                continue;
            }
            for step in steps {
                below(step)?;
            }
        }
        Some(sum)
    }

    fn perft_after(
        &self,
        end: &mut Core<B, K, M>,
        history: &mut Vec<(u64, u64)>,
        depth: u32,
        left: &mut u64,
        leaves: Leaves,
    ) -> Option<u64> {
        let kept = history.len();
        self.end_turn(end, history);
        let n = self.perft(end, history, depth, left, leaves);
        history.truncate(kept);
        n
    }

    /// The number of sequences of `depth` decisions.
    pub fn perft_steps(&self, core: &Core<B, K, M>, history: &mut Vec<(u64, u64)>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let steps = self.steps(core, history);
        if depth == 1 {
            return steps.len() as u64;
        }
        let mut sum = 0;
        for step in steps {
            let Some(mut after) = self.after(core, step, history) else { continue };
            let kept = history.len();
            if after.ended() {
                self.end_turn(&mut after, history);
            }
            sum += self.perft_steps(&after, history, depth - 1);
            history.truncate(kept);
        }
        sum
    }

    /// Plays on at random, each legal step equally likely.
    pub fn playout(&self, moment: &mut Moment<B, K, M>, rng: &mut Random, max_turns: u32) -> Playout {
        let (mut turns, mut steps) = (0, 0);
        if self.facts.repeats {
            moment.history.reserve(max_turns.min(ROOM) as usize);
        }
        if self.lane.is_none()
            && let Some(atlas) = self.atlas()
            && let Some((turns, steps)) = self.playout_by_atlas(atlas, moment, rng, max_turns)
        {
            moment.under_way = None;
            return Playout { over: moment.core.over != Over::No, turns, steps };
        }
        let (core, history) = (&mut moment.core, &mut moment.history);
        let mut groups = Groups::new();
        while core.over == Over::No && turns < max_turns {
            if let Some(lane) = &self.lane {
                let played = self.playout_in_lane(lane, core, rng, max_turns - turns);
                if played > 0 {
                    core.altered = [true; 2];
                    turns += played;
                    steps += played;
                    continue;
                }
            }
            if let Some(chain) = &self.chain {
                let (played, done) = self.playout_in_chain(chain, core, history, rng, max_turns - turns);
                if played > 0 {
                    core.altered = [true; 2];
                    turns += played;
                    steps += done;
                    continue;
                }
            }
            let Some(step) = self.random_step(core, history, rng, &mut groups) else {
                if core.fresh {
                    self.finish_stuck(core, history, Tried::Others);
                } else {
                    // cannot be: every step offered can be completed
                    core.over = Over::Yes { rule: u16::MAX, winner: None };
                }
                break;
            };
            if !matches!(step.deed, Deed::Roll { .. }) {
                steps += 1;
            }
            if core.ended() {
                turns += 1;
                self.end_turn(core, history);
            }
        }
        moment.under_way = None;
        Playout { over: core.over != Over::No, turns, steps }
    }

    /// Plays one of the legal steps (or outcomes of chance), each equally likely. Steps are drawn before they are tested; none if there is none.
    fn random_step(
        &self,
        core: &mut Core<B, K, M>,
        history: &[(u64, u64)],
        rng: &mut Random,
        groups: &mut Groups<B>,
    ) -> Option<Step> {
        if core.rolls.any() {
            let kind = self.game.ladder[rng.below(self.game.ladder.len() as u32) as usize];
            let step = Step { deed: Deed::Roll { kind, cell: core.rolls.first() as u16 }, next: core.q };
            return self.advance(core, step, false, history).then_some(step);
        }
        if !self.prefer.is_empty() || self.facts.doubles {
            let steps = self.steps(core, history);
            let step = *steps.get(rng.below(steps.len().max(1) as u32) as usize)?;
            return self.advance(core, step, false, history).then_some(step);
        }
        let mut total = self.count_offers(core, history, false, groups);
        for tried in 0..8 {
            if total == 0 {
                return None;
            }
            let step = self.nth_step(groups, core, history, rng.below(total));
            if self.leads_on(step.next) {
                self.advance(core, step, true, history);
                return Some(step);
            }
            let before = *core;
            if self.advance(core, step, false, history) {
                return Some(step);
            }
            *core = before;
            if tried == 1 && self.facts.pins {
                // it seems that few are legal: leave out what checks and pins forbid
                total = self.count_offers(core, history, true, groups);
            }
        }
        // few are legal: count them, and draw one of those
        let legal = |k: &u32| self.after(core, self.nth_step(groups, core, history, *k), history);
        let count = (0..total).filter(|k| legal(k).is_some()).count() as u32;
        let k = (0..total).filter(|k| legal(k).is_some()).nth(rng.below(count.max(1)) as usize)?;
        let step = self.nth_step(groups, core, history, k);
        self.advance(core, step, false, history).then_some(step)
    }

    /// Lists what may be done next, and counts the steps.
    #[inline]
    fn count_offers(&self, core: &Core<B, K, M>, history: &[(u64, u64)], safe: bool, groups: &mut Groups<B>) -> u32 {
        let can_end = self.offers(core, history, safe, groups);
        self.count_steps(groups, core, history) + u32::from(can_end && !core.fresh)
    }

    /// How many steps some groups have.
    #[inline(always)]
    pub(super) fn count_steps(&self, groups: &Groups<B>, core: &Core<B, K, M>, history: &[(u64, u64)]) -> u32 {
        if groups.all_plain() {
            return groups.plain_steps();
        }
        let chosen = groups.iter().filter(|g| !g.code.plain());
        groups.plain_steps() + chosen.map(|g| self.size(g, core, history) as u32).sum::<u32>()
    }

    /// The k-th step of the groups; beyond the last, the end of the turn.
    #[inline]
    pub(super) fn nth_step(
        &self,
        groups: &Groups<B>,
        core: &Core<B, K, M>,
        history: &[(u64, u64)],
        mut k: u32,
    ) -> Step {
        if groups.all_plain() {
            let mut before = 0;
            for group in groups.iter() {
                if k < group.upto {
                    return self.step_to(group, group.targets.nth(k - before));
                }
                before = group.upto;
            }
            return Step { deed: Deed::Done, next: core.q };
        }
        for group in groups.iter() {
            let size = self.size(group, core, history) as u32;
            if k >= size {
                k -= size;
                continue;
            }
            if group.code.plain() {
                return self.step_to(group, group.targets.nth(k));
            }
            let mut found = None;
            self.each_step(group, core, history, &mut |step| {
                found = Some(step);
                k = k.wrapping_sub(1);
                k != u32::MAX
            });
            if let Some(step) = found {
                return step;
            }
        }
        Step { deed: Deed::Done, next: core.q }
    }

    /// A condition, on a state at the beginning of a turn or within one.
    pub fn holds_now(&self, moment: &Moment<B, K, M>, cond: &crate::ir::expr::Cond, viewer: u8) -> bool {
        let low = super::program::Lowering { game: &self.game, layout: &self.layout, verbs: &self.verbs };
        let at = At { viewer, counted: true, ..At::mover(moment.core.side, &moment.history) };
        self.holds(&low.cond(cond), &moment.core, &at)
    }
}
