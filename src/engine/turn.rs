//! Turns: what is offered, what is legal, and the end of a turn.

use super::apply::{After, slot_key};
use super::bits::{Bits, mix};
use super::clause::Gen;
use super::core::{Core, Over, UNBOUNDED};
use super::eval::{At, History, Record};
use super::geometry::{NONE, NOWHERE};
use super::graph::{Act, Ch, StateKind, Way};
use super::group::{Code, Group, Groups, What};
use super::program::{C, S};
use super::rules::Rules;
use super::stack::deep;
use super::step::{Deed, Step};
use super::text;
use super::verbs::{self, Verbs};
use crate::ir::MAX_STEPS;
use crate::ir::expr::Who;
use crate::ir::turn::{Chooser, Chosen};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::HashSet;

/// Which results have been tried on a position where nobody can move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tried {
    /// None: it was set up.
    None,
    /// All but those that can hold only there: a turn has ended.
    Others,
}

/// How many steps are looked at to find the turns that `prefer` keeps.
const PREFERENCE_BUDGET: u32 = 4_000;

/// How many states within the turn are looked at to find out whether it can be completed after a step; a step for which that is not enough is
/// taken for one that cannot be completed.
const COMPLETION_BUDGET: u32 = 4_000;

thread_local! {
    /// What is left of [`COMPLETION_BUDGET`] while a turn is being completed.
    static COMPLETION: Cell<Option<u32>> = const { Cell::new(None) };
}

/// What the player to move adds to the key of a position.
#[inline]
pub fn side_key(side: u8) -> u64 {
    mix(u64::from(side) + 7)
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Lists what the player to move may do next, legality aside; returns whether the turn may end here.
    /// With `safe`, moves that would leave the royal attacked are left out where that can be told without playing them.
    pub fn offers(&self, core: &Core<B, K, M>, history: &History, safe: bool, groups: &mut Groups<B>) -> bool {
        let mut can_end = false;
        groups.clear();
        if let Ch::Do(Act::Play { play, chooser }, next) = &self.turn[core.q as usize]
            && core.turn > 0
        {
            self.play_groups(core, *play, *chooser, *next, history, safe, groups);
        } else if let Some((cell, kinds)) = self.filling(core) {
            for kind in kinds {
                groups.push(B::bit(cell), Code::new(What::Fill(kind), 0));
            }
        } else {
            self.choose(&self.turn[core.q as usize], core, history, safe, groups, &mut can_end);
            if core.steps as usize >= MAX_STEPS {
                groups.clear();
                can_end = true;
            }
        }
        can_end
    }

    /// While the setup is filled: the next cell, and the kinds that the budget allows there.
    fn filling(&self, core: &Core<B, K, M>) -> Option<(usize, SmallVec<[u8; 8]>)> {
        let fill = self.game.setup.fill.as_ref()?;
        let done = core.slots[self.layout.fill()] as usize;
        let mut index = done;
        for cells in &fill.cells {
            if let Some(cell) = cells.get(index) {
                let spent: i32 = cells[..index].iter().map(|c| self.worth[core.kind_at(*c as usize) as usize]).sum();
                let cheapest = fill.kinds.iter().map(|k| self.worth[*k as usize]).min().unwrap_or(0);
                let rest = (cells.len() - index - 1) as i32;
                let left = fill.budget - spent - rest * cheapest;
                let kinds = fill.kinds.iter().copied().filter(|k| self.worth[*k as usize] <= left).collect();
                return Some((*cell as usize, kinds));
            }
            index -= cells.len();
        }
        None
    }

    /// The player who places next, if the setup is still to be filled.
    pub(super) fn filler(&self, core: &Core<B, K, M>) -> Option<u8> {
        let fill = self.game.setup.fill.as_ref()?;
        let mut index = core.slots[self.layout.fill()] as usize;
        for (seat, cells) in fill.cells.iter().enumerate() {
            if index < cells.len() {
                return Some(seat as u8);
            }
            index -= cells.len();
        }
        None
    }

    /// Seen by the mover, with the roles of the step before.
    fn between_steps<'h>(&self, core: &Core<B, K, M>, history: &'h History) -> At<'h> {
        let at = At::mover(core.side, history);
        match self.facts.turn_roles {
            true => At { this: core.last, here: core.here, origin: core.origin, dir: core.dir, ..at },
            false => at,
        }
    }

    fn choose(
        &self,
        choice: &Ch<B>,
        core: &Core<B, K, M>,
        history: &History,
        safe: bool,
        out: &mut Groups<B>,
        can_end: &mut bool,
    ) {
        match choice {
            Ch::End => *can_end = true,
            Ch::Do(act, next) => self.act_groups(act, core, *next, history, safe, out),
            Ch::Or(parts) => parts.iter().for_each(|p| match p {
                Ch::Do(act, next) => self.act_groups(act, core, *next, history, safe, out),
                _ => self.choose(p, core, history, safe, out, can_end),
            }),
            Ch::OrElse(parts) => {
                for part in parts {
                    if let Ch::Do(Act::Play { play, chooser }, next) = part
                        && self.leads_on(*next)
                    {
                        // whatever is listed can be completed
                        let before = out.len();
                        self.play_groups(core, *play, *chooser, *next, history, safe, out);
                        if out[before..].iter().any(|g| self.size(g, core, history) > 0) {
                            return;
                        }
                        out.truncate(before);
                        continue;
                    }
                    let before = out.len();
                    let mut ends = false;
                    self.choose(part, core, history, safe, out, &mut ends);
                    let completes = ends && !self.turn_forbidden(core, history)
                        || out[before..].iter().any(|g| self.some_step_completes(g, core, history));
                    if completes {
                        *can_end |= ends;
                        return;
                    }
                    out.truncate(before);
                }
            }
            Ch::Cases(cases) => {
                let at = self.between_steps(core, history);
                if let Some((_, choice)) = cases.iter().find(|(c, _)| self.holds(c, core, &at)) {
                    self.choose(choice, core, history, safe, out, can_end);
                }
            }
            Ch::Again(act, rest) => {
                let before = out.len();
                self.choose(act, core, history, false, out, &mut false);
                if !out[before..].iter().any(|g| self.some_step_possible(g, core, history)) {
                    out.truncate(before);
                    self.choose(rest, core, history, safe, out, can_end);
                }
            }
            Ch::Goto(q) => self.choose(&self.turn[*q as usize], core, history, safe, out, can_end),
        }
    }

    fn act_groups(
        &self,
        act: &Act<B>,
        core: &Core<B, K, M>,
        next: u16,
        history: &History,
        safe: bool,
        out: &mut Groups<B>,
    ) {
        match act {
            Act::Play { play, chooser } => self.play_groups(core, *play, *chooser, next, history, safe, out),
            Act::Rotate { set, chooser, ways, named } => {
                let set = self.rotating(set, *chooser, core, history);
                for way in ways {
                    let mut targets = self.turning(way, set, core);
                    if let Some(cond) = &way.cond {
                        let at = self.between_steps(core, history);
                        let fits =
                            |cell: &usize| self.holds(cond, core, &At { this: *cell as u16, here: *cell as u16, ..at });
                        targets = targets.cells().filter(fits).fold(B::EMPTY, |s, c| s | B::bit(c));
                    }
                    if targets.any() {
                        out.push(targets, Code::new(What::Rotate { remap: way.remap, named: *named }, next));
                    }
                }
            }
            Act::Choose { effect, set } => {
                let at = self.between_steps(core, history);
                let targets = self.set(set, core, &at) & core.occupied();
                let targets = match effect {
                    Chosen::Capture => {
                        targets.minus(self.protected_by(core, Record::NONE, &At::mover(core.side, history)))
                    }
                    Chosen::Remove | Chosen::Flip => targets,
                };
                if targets.any() {
                    out.push(targets, Code::new(What::Choose(*effect), next));
                }
            }
            Act::Pass => out.push(B::EMPTY, Code::new(What::Pass, next)),
            Act::Swap => out.push(B::EMPTY, Code::new(What::Swap, next)),
        }
    }

    /// Whether some step of the group is possible: no forbid of its act holds after it.
    pub fn some_step_possible(&self, group: &Group<B>, core: &Core<B, K, M>, history: &History) -> bool {
        if self.forbid_acts.is_empty() {
            return self.size(group, core, history) > 0;
        }
        !self.each_step(group, core, history, &mut |step| {
            let mut after = *core;
            self.apply(&mut after, step, history) == After::Impossible
        })
    }

    /// Whether some step of the group leads to a legal turn.
    pub fn some_step_completes(&self, group: &Group<B>, core: &Core<B, K, M>, history: &History) -> bool {
        if group.code.sure() || self.leads_on(group.code.next()) {
            return self.size(group, core, history) > 0;
        }
        !self.each_step(group, core, history, &mut |step| self.after(core, step, history).is_none())
    }

    /// Whether no forbid about acts and turns exists.
    #[inline]
    pub fn always_legal(&self) -> bool {
        self.forbid_acts.is_empty() && self.forbid_turns.is_empty()
    }

    /// Whether every step that leads to this state of the graph can be completed to a legal turn.
    #[inline]
    pub fn leads_on(&self, q: u16) -> bool {
        self.always_legal() && self.surely[q as usize]
    }

    /// The state after a step, if the step can be completed to a legal turn. The end of a complete turn is still due.
    #[inline]
    pub fn after(&self, core: &Core<B, K, M>, step: Step, history: &History) -> Option<Core<B, K, M>> {
        let mut after = *core;
        self.advance(&mut after, step, false, history).then_some(after)
    }

    /// Carries out a step; whether it can be completed to a legal turn. If not, the state is spoilt. Of a step of a sure group that is not asked.
    #[inline]
    pub fn advance(&self, core: &mut Core<B, K, M>, step: Step, sure: bool, history: &History) -> bool {
        match self.apply(core, step, history) {
            After::Impossible => false,
            // what chance decides stands
            _ if matches!(step.deed, Deed::Roll { .. }) => true,
            After::Complete | After::Chance => sure || !self.turn_forbidden(core, history),
            After::Continues => sure || self.completes(core, history),
        }
    }

    /// Whether a turn under way can be completed legally.
    fn completes(&self, core: &Core<B, K, M>, history: &History) -> bool {
        if self.leads_on(core.q) {
            return true;
        }
        if self.always_legal()
            && core.turn > 0
            && let Some(known) = self.leads_somewhere(&self.turn[core.q as usize], core, history)
        {
            return known;
        }
        let outer = COMPLETION.get();
        let left = outer.unwrap_or(COMPLETION_BUDGET);
        if left == 0 {
            return false;
        }
        COMPLETION.set(Some(left - 1));
        let found = deep(|| self.has_turn(core, history));
        if outer.is_none() {
            COMPLETION.set(None);
        }
        found
    }

    /// Whether some step of a choice leads on to a complete turn, as far as that can be told without listing them; nothing may be forbidden.
    fn leads_somewhere(&self, choice: &Ch<B>, core: &Core<B, K, M>, history: &History) -> Option<bool> {
        match choice {
            Ch::End => Some(true),
            Ch::Do(Act::Rotate { set, chooser, ways, .. }, next) if self.surely[*next as usize] => {
                let set = self.rotating(set, *chooser, core, history);
                let free = |w: &&Way<B>| w.cond.is_none();
                let turns = ways.iter().filter(free).any(|w| self.turning(w, set, core).any());
                (turns || ways.iter().all(|w| free(&w))).then_some(turns)
            }
            Ch::Do(Act::Pass | Act::Swap, next) if self.surely[*next as usize] => Some(true),
            Ch::Or(parts) => {
                let mut found = Some(false);
                for part in parts {
                    match self.leads_somewhere(part, core, history) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => found = None,
                    }
                }
                found
            }
            _ => None,
        }
    }

    /// The pieces that may be rotated.
    fn rotating(&self, set: &S<B>, chooser: Chooser, core: &Core<B, K, M>, history: &History) -> B {
        let set = self.set(set, core, &self.between_steps(core, history)) & core.occupied();
        match chooser {
            Chooser::Any => set,
            Chooser::Another => set.minus(core.acted),
            Chooser::Same if core.last == NONE => B::EMPTY,
            Chooser::Same => set & B::bit(core.last as usize),
        }
    }

    /// Those of the pieces that a way of rotating has an entry for.
    #[inline]
    fn turning(&self, way: &Way<B>, set: B, core: &Core<B, K, M>) -> B {
        match way.lacks.len() < way.kinds.len() {
            true => set.minus(self.kinds(core, &way.lacks)),
            false => set & self.kinds(core, &way.kinds),
        }
    }

    /// Whether the turn may not end like this.
    pub fn turn_forbidden(&self, core: &Core<B, K, M>, history: &History) -> bool {
        self.forbid_turns.iter().any(|(cond, looks)| match cond {
            C::InCheck(Who::Me | Who::Mover) => self.in_check(core, core.side, history),
            _ => !(core.ahead && *looks) && self.holds(cond, core, &At::mover(core.side, history)),
        })
    }

    /// The legal steps, or the outcomes of chance, in order.
    pub fn steps(&self, core: &Core<B, K, M>, history: &History) -> Vec<Step> {
        let mut list = Vec::new();
        if core.over != Over::No {
            return list;
        }
        if core.rolls.any() {
            let cell = core.rolls.first() as u16;
            let roll = |kind: &u8| Step { deed: Deed::Roll { kind: *kind, cell }, next: core.q };
            return self.game.ladder.iter().map(roll).collect();
        }
        let mut groups = Groups::new();
        let can_end = self.offers(core, history, true, &mut groups);
        for group in groups.iter() {
            self.each_step(group, core, history, &mut |step| {
                if group.code.sure() || self.leads_on(group.code.next()) || self.after(core, step, history).is_some() {
                    list.push(step);
                }
                true
            });
        }
        if can_end && !core.fresh && !self.turn_forbidden(core, history) {
            list.push(Step { deed: Deed::Done, next: core.q });
        }
        if !self.prefer.is_empty() && !core.committed {
            self.keep_preferred(core, history, &mut list);
        }
        if self.facts.doubles {
            self.drop_doubles(&mut list);
        }
        list
    }

    /// Keeps of steps that are written alike and after which the turn goes on alike the first.
    fn drop_doubles(&self, list: &mut Vec<Step>) {
        let ends = |s: &Step| self.kinds_of_state[s.next as usize] == StateKind::Ends;
        let mut seen = HashSet::new();
        list.retain(|s| seen.insert((text::step(&self.game, *s), if ends(s) { u16::MAX } else { s.next })));
    }

    /// Keeps the steps that begin a turn with the most of what is preferred.
    fn keep_preferred(&self, core: &Core<B, K, M>, history: &History, list: &mut Vec<Step>) {
        let mut left = PREFERENCE_BUDGET;
        let best: Vec<Vec<i32>> = list.iter().map(|s| self.best_measure(core, *s, history, &mut left)).collect();
        if let Some(top) = best.iter().max().cloned() {
            let mut measures = best.into_iter();
            list.retain(|_| measures.next().as_ref() == Some(&top));
        }
    }

    /// The most that a turn with this step reaches; longer turns are not looked at once the budget of steps is used up.
    fn best_measure(&self, core: &Core<B, K, M>, step: Step, history: &History, left: &mut u32) -> Vec<i32> {
        let Some(after) = self.after(core, step, history) else { return Vec::new() };
        let at = At::mover(core.side, history);
        let now = || self.prefer.iter().map(|n| self.number(n, &after, &at)).collect();
        if after.complete || after.rolls.any() || *left == 0 {
            return now();
        }
        let mut groups = Groups::new();
        let can_end = self.offers(&after, history, true, &mut groups);
        let mut best = if can_end && !self.turn_forbidden(&after, history) { now() } else { Vec::new() };
        for group in groups.iter() {
            self.each_step(group, &after, history, &mut |next| {
                *left = left.saturating_sub(1);
                let more = deep(|| self.best_measure(&after, next, history, left));
                best = std::mem::take(&mut best).max(more);
                true
            });
        }
        best
    }

    /// Whether the player has a legal turn, or can complete the one under way.
    pub fn has_turn(&self, core: &Core<B, K, M>, history: &History) -> bool {
        let mut groups = Groups::new();
        let can_end = self.offers(core, history, true, &mut groups);
        can_end && !self.turn_forbidden(core, history)
            || groups.iter().any(|g| self.some_step_completes(g, core, history))
    }

    /// Whether a player, to move in this position, has no legal turn.
    pub fn is_stuck(&self, core: &Core<B, K, M>, seat: u8, at: &At) -> bool {
        !self.has_turn(&self.ahead(core, seat, at.mover), at.history)
    }

    /// The position at the start of a turn of `seat`, for looking ahead: within a turn of the other player that after it.
    fn ahead(&self, core: &Core<B, K, M>, seat: u8, mover: u8) -> Core<B, K, M> {
        let mut ahead = *core;
        self.clear_turn(&mut ahead);
        if !core.fresh && core.side == mover && seat != mover {
            ahead.turn = core.turn.saturating_add(1);
            self.age_marks(&mut ahead);
        }
        ahead.side = seat;
        ahead.ahead = true;
        ahead.over = Over::No;
        ahead
    }

    /// Whether some step of an act is possible at the start of a player's turn.
    pub fn can(&self, core: &Core<B, K, M>, seat: u8, verb: Verbs, at: &At) -> bool {
        let history = at.history;
        // where a turn always begins with the whole act, the pieces tell
        let play = self.plays.iter().position(|p| p.verb == verb && p.types.is_none());
        let play =
            play.filter(|_| verb & self.facts.always_offered != 0 && (core.fresh || self.layout.layers.is_empty()));
        if self.forbid_acts.is_empty() && play.is_some_and(|p| self.moves_freely(&self.plays[p], core, seat)) {
            return true;
        }
        let ahead = self.ahead(core, seat, at.mover);
        let mut groups = Groups::new();
        match play {
            Some(play) => {
                self.play_groups(&ahead, play, Chooser::Any, 0, history, false, &mut groups);
            }
            _ => self.list_offered(&self.turn[0], &ahead, history, 0, &mut groups),
        }
        groups.iter().any(|g| {
            let bears = self.bearing_name(g, verb, &ahead);
            (bears.code.cellless() || bears.targets.any()) && self.some_step_possible(&bears, &ahead, history)
        })
    }

    /// Lists what some alternative of a choice offers, whether or not the turn can then be completed.
    fn list_offered(&self, choice: &Ch<B>, core: &Core<B, K, M>, history: &History, depth: usize, out: &mut Groups<B>) {
        match choice {
            Ch::End => {}
            Ch::Do(act, next) => self.act_groups(act, core, *next, history, false, out),
            Ch::Or(parts) | Ch::OrElse(parts) => {
                parts.iter().for_each(|p| self.list_offered(p, core, history, depth, out))
            }
            Ch::Cases(cases) => {
                let at = self.between_steps(core, history);
                if let Some((_, choice)) = cases.iter().find(|(c, _)| self.holds(c, core, &at)) {
                    self.list_offered(choice, core, history, depth, out);
                }
            }
            Ch::Again(act, rest) => {
                let before = out.len();
                self.list_offered(act, core, history, depth, out);
                if !out[before..].iter().any(|g| self.some_step_possible(g, core, history)) {
                    out.truncate(before);
                    self.list_offered(rest, core, history, depth, out);
                }
            }
            Ch::Goto(q) if depth < self.turn.len() => {
                self.list_offered(&self.turn[*q as usize], core, history, depth + 1, out);
            }
            Ch::Goto(_) => {}
        }
    }

    /// The steps of a group that bear the name of an act.
    fn bearing_name(&self, group: &Group<B>, verb: Verbs, core: &Core<B, K, M>) -> Group<B> {
        let bears = match group.code.what() {
            What::Play { clause, kind, .. } => {
                let line = &self.clauses[clause as usize];
                if verb == verbs::CAPTURE {
                    return Group { targets: group.targets & self.capturing(line, core), ..*group };
                }
                let own = &self.moves[self.type_of[kind as usize] as usize];
                let imitates = |c: &&u16| matches!(self.clauses[**c as usize].gen_, Gen::Imitate { .. });
                let lent = !line.label && !own.contains(&clause);
                let via = own.iter().filter(imitates).fold(0, |m, c| m | self.clauses[*c as usize].verbs);
                (line.verbs | if lent { via & verbs::LABELS } else { 0 }) & verb != 0
            }
            What::Drop { clause, .. } => self.clauses[clause as usize].verbs & verb != 0,
            What::Rotate { .. } => verb == verbs::ROTATE,
            What::Choose(Chosen::Remove) => verb == verbs::REMOVE,
            What::Choose(Chosen::Capture) => verb == verbs::CAPTURE,
            What::Choose(Chosen::Flip) => verb == verbs::FLIP,
            What::Fill(_) => verb == verbs::FILL,
            What::Pass => verb == verbs::PASS,
            What::Swap => verb == verbs::SWAP,
        };
        match bears {
            true => *group,
            false => Group { targets: B::EMPTY, code: Code::new(What::Choose(Chosen::Remove), 0), upto: 0 },
        }
    }

    fn clear_turn(&self, core: &mut Core<B, K, M>) {
        core.acted = B::EMPTY;
        core.last = NONE;
        if self.facts.turn_roles {
            (core.here, core.origin, core.dir) = (NONE, NONE, NOWHERE);
        }
        core.q = 0;
        core.fresh = true;
        core.committed = false;
        core.complete = false;
        core.stays = false;
        core.steps = 0;
        core.rolls = B::EMPTY;
        for index in self.layout.all_turned() {
            core.sets[index] = B::EMPTY;
        }
        for slot in self.layout.all_tallies() {
            core.slots[slot] = 0;
        }
    }

    /// Carries out the end of a complete turn: bookkeeping, the next player, results. Results that can hold only when nobody can move are
    /// left to [`Rules::finish`].
    #[inline]
    pub fn end_turn(&self, core: &mut Core<B, K, M>, history: &mut Vec<(u64, u64)>) {
        let mover = core.side;
        if core.turn == 0 {
            return self.end_filling(core, history);
        }
        if self.calm_ends {
            core.turn = core.turn.saturating_add(1);
            core.side = if core.stays { mover } else { 1 - (mover & 1) };
        } else {
            self.keep_books(core, history);
        }
        // who swapped sits on the other seat now
        let mover = if core.stays { 1 - (mover & 1) } else { mover };
        if core.over == Over::No
            && self.ended_by_rule(core, mover, history)
            && let Some(over) = self.ruling(core, false, mover, history, false)
        {
            core.over = over;
        }
        self.clear_turn(core);
    }

    /// Carries out the end of a placing of the setup.
    fn end_filling(&self, core: &mut Core<B, K, M>, history: &mut Vec<(u64, u64)>) {
        self.clear_turn(core);
        match self.filler(core) {
            Some(seat) => core.side = seat,
            None => {
                core.side = 0;
                core.turn = 1;
                history.push((self.key_with_side(core, 0), core.board_hash));
            }
        }
    }

    /// What is counted, remembered and compared at the end of a turn, and the next player.
    #[inline(never)]
    fn keep_books(&self, core: &mut Core<B, K, M>, history: &mut Vec<(u64, u64)>) {
        let mover = core.side;
        for (i, quiet) in self.quiets.iter().enumerate() {
            let broken = self.holds(quiet, core, &At::mover(mover, history));
            let slot = self.layout.quiet(i);
            core.slots[slot] = if broken { 0 } else { core.slots[slot].saturating_add(1) };
        }
        let marked = !self.layout.layers.is_empty() && self.age_marks(core);
        core.since = if core.since == u16::MAX { 0 } else { (core.since + 1).min(UNBOUNDED) };
        core.turn = core.turn.saturating_add(1);
        core.side = if core.stays { mover } else { 1 - (mover & 1) };
        let mover = 1 - (core.side & 1);
        for (i, latch) in self.latches.iter().enumerate() {
            for seat in [mover, 1 - (mover & 1)] {
                let slot = self.layout.latch(i, seat);
                if core.slots[slot] == 0 && self.holds(latch, core, &At { viewer: seat, ..At::mover(mover, history) }) {
                    self.set_slot(core, slot, 1);
                }
            }
        }
        if marked {
            self.drop_useless_marks(core, history);
        }
        if self.facts.repeats {
            history.push((self.key_with_side(core, core.side), core.board_hash));
        }
    }

    /// Completes the results of a turn that has ended: if the player to move has no legal turn, the game is over. Returns whether it is.
    pub fn finish(&self, core: &mut Core<B, K, M>, history: &History) -> bool {
        if core.over == Over::No && core.turn > 0 && !self.has_turn(core, history) {
            self.finish_stuck(core, history, Tried::Others);
        }
        core.over != Over::No
    }

    /// The game is over because the player to move has no legal turn.
    pub fn finish_stuck(&self, core: &mut Core<B, K, M>, history: &History, tried: Tried) {
        let mover = 1 - (core.side & 1);
        let ruling = match tried {
            Tried::None => self.ruling(core, false, mover, history, true),
            Tried::Others => self.ruling_if_stuck(core, mover, history),
        };
        core.over = ruling.unwrap_or(Over::Yes { rule: u16::MAX, winner: None });
    }

    /// Marks grow older by a turn, and the oldest go; returns whether some are left.
    fn age_marks(&self, core: &mut Core<B, K, M>) -> bool {
        let mut left = false;
        for (mark, (first, count)) in self.layout.layers.iter().enumerate() {
            if *count > 1 {
                for layer in (*first + 1..first + count).rev() {
                    core.sets[layer] = core.sets[layer - 1];
                }
                core.sets[*first] = B::EMPTY;
            }
            let empty = core.sets[*first..first + count].iter().all(|m| m.is_empty());
            if empty {
                core.slots[self.layout.marker(mark)] = 0;
            }
            left |= !empty;
        }
        left
    }

    /// Marks that serve only as targets and that no legal turn uses are dropped.
    pub fn drop_useless_marks(&self, core: &mut Core<B, K, M>, history: &History) {
        for (mark, info) in self.game.marks.iter().enumerate() {
            let (first, count) = self.layout.layers[mark];
            let oldest = first + count - 1;
            if !info.only_targets || info.turns.is_none() || core.sets[oldest].is_empty() {
                continue;
            }
            let mut groups = Groups::new();
            let marked = core.sets[oldest];
            let ahead =
                self.marked_moves(core, mark as u16, marked, history).then(|| self.ahead(core, core.side, core.side));
            if let Some(ahead) = &ahead {
                self.offers(ahead, history, true, &mut groups);
            }
            let used = groups.iter().fold(B::EMPTY, |used, g| {
                let by_mark = match g.code.what() {
                    What::Play { clause, .. } | What::Drop { clause, .. } => {
                        self.clauses[clause as usize].mark == Some(mark as u16)
                    }
                    _ => false,
                };
                let completes = |to: &usize| {
                    let one = Group { targets: B::bit(*to), ..*g };
                    ahead.as_ref().is_some_and(|a| self.some_step_completes(&one, a, history))
                };
                let aimed = if by_mark { g.targets & marked } else { B::EMPTY };
                aimed.cells().filter(completes).fold(used, |used, to| used | B::bit(to))
            });
            core.sets[oldest] &= used;
            if core.sets[first..=oldest].iter().all(|m| m.is_empty()) {
                core.slots[self.layout.marker(mark)] = 0;
            }
        }
    }

    /// Whether some piece of the player to move (or a drop) may have a target by a clause that leads to this mark, legality and the turn aside. Only for clauses
    /// without conditions that is told exactly.
    fn marked_moves(&self, core: &Core<B, K, M>, mark: u16, marked: B, history: &History) -> bool {
        let (seat, s) = (core.side, core.side as usize & 1);
        let aimed = |c: &u16| self.clauses[*c as usize].mark == Some(mark);
        let by_move = (0..self.type_of.len() as u8).any(|kind| {
            let pieces = core.own[s] & core.sets[kind as usize];
            let moves = &self.moves[self.type_of[kind as usize] as usize];
            pieces.any()
                && moves.iter().filter(|c| aimed(c)).map(|c| &self.clauses[*c as usize]).any(|c| match &c.gen_ {
                    _ if !(c.guards.is_empty() && c.lifted.is_empty() && c.tried.is_empty()) => true,
                    Gen::Step { dirs, distance: 1 } => {
                        dirs[s].iter().any(|d| (self.geo.shift(pieces, *d) & marked).any())
                    }
                    _ => pieces.cells().any(|cell| self.targets(c, core, seat, kind, cell, history).any()),
                })
        });
        by_move || self.drops.iter().any(|(_, c)| aimed(c))
    }

    /// The key of the position, for repetition, with the given player to move.
    pub fn key_with_side(&self, core: &Core<B, K, M>, side: u8) -> u64 {
        let digest = |set: B| if set.is_empty() { 0 } else { set.digest() };
        let layers = core.sets[self.layout.marks()].iter().enumerate();
        let marks = layers.fold(0, |h, (i, layer)| h ^ digest(*layer).rotate_left(i as u32 * 5 + 1));
        let unmoved = digest(core.unmoved).rotate_left(33);
        let (board, slots) = match self.facts.repeats {
            true => (core.board_hash, core.slot_hash),
            false => self.hashes_afresh(core),
        };
        board ^ slots ^ marks ^ unmoved ^ side_key(side)
    }

    /// The hash of the state: that of the position, and within a turn of what has been done in it.
    pub fn hash(&self, core: &Core<B, K, M>) -> u64 {
        let key = self.key_with_side(core, core.side);
        if core.fresh {
            return key;
        }
        let turned = self.layout.all_turned().enumerate();
        let sets =
            turned.fold(core.acted.digest(), |h, (i, s)| h ^ core.sets[s].digest().rotate_left(9 * i as u32 + 4));
        key ^ mix(u64::from(core.q) << 20 | u64::from(core.last) << 1 | 1) ^ sets ^ core.rolls.digest().rotate_left(17)
    }

    /// Board and slot hashes, computed afresh.
    pub fn hashes_afresh(&self, core: &Core<B, K, M>) -> (u64, u64) {
        let mut board = 0;
        for owner in 0..3 {
            for kind in 0..self.type_of.len() {
                for cell in (core.own[owner] & core.sets[kind]).cells() {
                    board ^= self.key(owner as u8, kind as u8, cell);
                }
            }
        }
        let slots = (0..self.layout.unhashed).fold(0, |h, slot| h ^ slot_key(slot, core.slots[slot]));
        (board, slots)
    }
}
