//! Moves as groups: what operations and clauses list, all pieces of a kind at once where that can be.

use super::attack::Safety;
use super::bits::Bits;
use super::clause::{Clause, Facing, Gen, Promotion, Target};
use super::core::Core;
use super::eval::{At, History, Record};
use super::geometry::{NONE, Sliders};
use super::graph::StateKind;
use super::group::{Code, From, Group, Groups, What};
use super::ops::{Drop, How, Land, Op, Play};
use super::reach::Look;
use super::rules::Rules;
use super::step::{Deed, Step};
use super::verbs;
use crate::ir::turn::Chooser;
use smallvec::SmallVec;

/// What stays the same while the groups of an act are listed.
pub struct Frame<'a, B> {
    history: &'a History,
    seat: u8,
    occupied: B,
    /// See [`Rules::lands`].
    pub lands: [B; 3],
    /// Checks and pins, where they are asked for and decide.
    safety: Option<&'a Safety<B>>,
    /// Where they let pieces land, and which they hold on a line: everywhere and none without them.
    block: B,
    pinned: B,
    /// They are all there is to ask.
    sure: bool,
    /// How many groups there were before.
    first: usize,
}

impl<'a, B: Bits> Frame<'a, B> {
    fn at(&self) -> At<'a> {
        At::mover(self.seat, self.history)
    }

    /// The empty cells.
    fn empty(&self) -> B {
        self.lands[Land::Empty as usize]
    }

    /// Those that may be captured.
    fn enemies(&self) -> B {
        self.lands[Land::Enemy as usize]
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Emits the groups of a play act. With `safe`, moves that would leave the royal attacked are left out where that can be told without playing them.
    pub fn play_groups(
        &self,
        core: &Core<B, K, M>,
        play: usize,
        chooser: Chooser,
        next: u16,
        history: &History,
        safe: bool,
        out: &mut Groups<B>,
    ) {
        let (s, play) = (core.side as usize & 1, &self.plays[play]);
        let safety = match safe && self.facts.pins && self.kinds_of_state[next as usize] == StateKind::Ends {
            true => self.safety(core, core.side),
            false => None,
        };
        let frame = self.frame(core, history, safety.as_ref(), out);
        let mine = self.choosing(core, chooser);
        for op in &play.ops {
            let pieces = mine & core.sets[op.kind as usize] & op.from[s];
            if pieces.any() {
                self.op_groups(op, core, pieces, &frame, next, out);
            }
        }
        for drop in &play.drops {
            self.drop_groups(drop, core, &frame, next, out);
        }
    }

    /// What stays the same while more groups are listed.
    #[inline(always)]
    pub fn frame<'a>(
        &self,
        core: &Core<B, K, M>,
        history: &'a History,
        safety: Option<&'a Safety<B>>,
        out: &Groups<B>,
    ) -> Frame<'a, B> {
        let (occupied, lands) = (core.occupied(), self.lands(core, core.side));
        let (block, pinned) = safety.map_or((self.geo.all, B::EMPTY), |s| (s.block, s.pinned));
        let sure = safety.is_some_and(|s| s.decides);
        Frame { history, seat: core.side, occupied, lands, safety, block, pinned, sure, first: out.len() }
    }

    /// Where a player may land, by [`Land`]: the empty cells, enemies that may be captured, and both.
    #[inline(always)]
    pub fn lands(&self, core: &Core<B, K, M>, seat: u8) -> [B; 3] {
        let empty = self.geo.all.minus(core.occupied());
        let others = core.own[1 - (seat as usize & 1)];
        let enemies = match self.uncapturable.is_empty() {
            true => others,
            false => others.minus(self.kinds(core, &self.uncapturable)),
        };
        [empty, enemies, empty | enemies]
    }

    /// The pieces of the player to move that may make an act.
    #[inline(always)]
    pub fn choosing(&self, core: &Core<B, K, M>, chooser: Chooser) -> B {
        let mine = core.own[core.side as usize & 1];
        match chooser {
            Chooser::Any => mine,
            Chooser::Another => mine.minus(core.acted),
            Chooser::Same if core.last == NONE => B::EMPTY,
            Chooser::Same => mine & B::bit(core.last as usize),
        }
    }

    /// Emits the groups of an operation for these pieces.
    #[inline(always)]
    pub fn op_groups(
        &self,
        op: &Op<B>,
        core: &Core<B, K, M>,
        pieces: B,
        frame: &Frame<B>,
        next: u16,
        out: &mut Groups<B>,
    ) {
        let s = core.side as usize & 1;
        let code = op.code[s].leading(next);
        let Frame { block, pinned, sure, .. } = *frame;
        let simply = frame.safety.is_none();
        match &op.how {
            How::Step { delta, land, .. } if op.lone && (simply || op.tame) => {
                let land = frame.lands[*land as usize] & block;
                let mut targets = pieces.minus(pinned).shift(delta[s]) & land;
                if let Some(safety) = frame.safety {
                    for cell in (pieces & pinned).cells() {
                        targets |= B::bit(cell).shift(delta[s]) & land & self.geo.line(safety.royal, cell);
                    }
                }
                if targets.any() {
                    out.push(targets, self.fixing(op, s, code, targets).surely(sure));
                }
            }
            How::Take { delta, open } if op.lone => {
                let passed = (pieces & open[s]).shift(delta[s]) & frame.enemies() & open[s];
                let targets = passed.shift(delta[s]) & frame.empty();
                if targets.any() {
                    out.push(targets, self.fixing(op, s, code, targets));
                }
            }
            How::Reach { leaps, sliders, land: Some(land) } if op.lone && (simply || op.tame) => {
                let land = frame.lands[*land as usize] & block;
                for cell in pieces.cells() {
                    let mut targets = self.reaches(leaps, sliders, s, cell, frame.occupied) & land;
                    if pinned.has(cell)
                        && let Some(safety) = frame.safety
                    {
                        targets &= self.geo.line(safety.royal, cell);
                    }
                    if targets.any() {
                        let code = self.fixing(op, s, code.starting(cell), targets);
                        out.push(targets, code.surely(sure));
                    }
                }
            }
            _ if op.castles && (pieces & core.unmoved).is_empty() => {}
            _ if op.mark.is_some_and(|(first, n)| core.sets[first..first + n].iter().all(|m| m.is_empty())) => {}
            _ => self.run(op, core, pieces, frame, code, out),
        }
    }

    /// Whether a piece of the player has a move by an operation without conditions; if not, others may still give one.
    pub fn moves_freely(&self, play: &Play<B>, core: &Core<B, K, M>, seat: u8) -> bool {
        let s = seat as usize & 1;
        let (occupied, lands) = (core.occupied(), self.lands(core, seat));
        play.ops.iter().filter(|op| op.lone && !op.promotes).any(|op| {
            let pieces = core.own[s] & core.sets[op.kind as usize] & op.from[s];
            match &op.how {
                How::Step { delta, land, .. } => (pieces.shift(delta[s]) & lands[*land as usize]).any(),
                How::Reach { leaps, sliders, land: Some(land) } => {
                    pieces.cells().any(|c| (self.reaches(leaps, sliders, s, c, occupied) & lands[*land as usize]).any())
                }
                _ => false,
            }
        })
    }

    /// The conditions of a clause that concern the player.
    fn gate(&self, clause: &Clause<B>, core: &Core<B, K, M>, at: &At) -> bool {
        clause.once.is_none_or(|o| core.slots[self.layout.once(o, at.viewer)] == 0)
            && clause.guards.iter().all(|g| self.holds(g, core, at))
    }

    /// The code of a group, told whether any of its targets is one where the kind promotes.
    #[inline(always)]
    fn fixing(&self, op: &Op<B>, s: usize, code: Code, targets: B) -> Code {
        match op.promotes && (targets & self.promotes[op.kind as usize][s]).is_empty() {
            true => code.unpromoting(),
            false => code,
        }
    }

    /// Lists the moves of an operation.
    #[inline(never)]
    fn run(&self, op: &Op<B>, core: &Core<B, K, M>, pieces: B, frame: &Frame<B>, code: Code, out: &mut Groups<B>) {
        let clause = &self.clauses[op.clause as usize];
        if op.gated && !self.gate(clause, core, &frame.at()) {
            return;
        }
        let s = core.side as usize & 1;
        let mut emit = |targets: B, code: Code, sure: bool| {
            if targets.is_empty() {
                return;
            }
            let targets = match op.repeats {
                true => self.unseen(targets, code, &out[frame.first..]),
                false => targets,
            };
            if targets.any() {
                out.push(targets, self.fixing(op, s, code, targets).surely(sure));
            }
        };
        let accepted = match op.how {
            How::Each => self.geo.all,
            _ => self.landing(clause, core, op.kind, frame, op.plain, op.captures),
        };
        if accepted.is_empty() {
            return;
        }
        // what checks and pins allow, for moves that they decide
        let safety = frame.safety.filter(|_| clause.tame && !op.royal);
        let sure = safety.is_some_and(|s| s.decides);
        let (land, pinned) = safety.map_or((accepted, B::EMPTY), |x| (accepted & x.block, x.pinned));
        match &op.how {
            How::Step { delta, .. } => {
                let go = |pieces: B| pieces.shift(delta[s]) & land;
                let mut targets = go(pieces.minus(pinned));
                if let Some(safety) = safety {
                    for cell in (pieces & pinned).cells() {
                        targets |= go(B::bit(cell)) & self.geo.line(safety.royal, cell);
                    }
                }
                emit(targets, code, sure);
            }
            How::Shift { dir, steps } => {
                let open = match clause.within {
                    Some(within) => frame.empty() & within[s],
                    None => frame.empty(),
                };
                let d = dir[s];
                let go = |from: B| {
                    let mut moved = self.geo.shift(from, d);
                    for _ in 1..*steps {
                        moved = self.geo.shift(moved & open, d);
                    }
                    moved & land
                };
                let mut targets = go(pieces.minus(pinned));
                if let Some(safety) = safety {
                    for cell in (pieces & pinned).cells() {
                        targets |= go(B::bit(cell)) & self.geo.line(safety.royal, cell);
                    }
                }
                emit(targets, code, sure);
            }
            How::Jump { dir } => {
                let Gen::Hop { over, captures, .. } = &clause.gen_ else { return };
                let mut over = self.set(over, core, &frame.at());
                if *captures {
                    over = over.minus(self.protected(core, core.side, op.kind, NONE, frame.history));
                }
                if let Some(within) = clause.within {
                    over &= within[s];
                }
                let d = dir[s];
                let targets = self.geo.shift(self.geo.shift(pieces, d) & over, d) & accepted;
                emit(targets, code, false);
            }
            How::Take { delta, open } => {
                let enemies = frame.enemies();
                let passed = (pieces & open[s]).shift(delta[s]) & enemies & open[s];
                emit(passed.shift(delta[s]) & accepted, code, false);
            }
            How::Reach { leaps, sliders, .. } => {
                for cell in pieces.cells() {
                    let code = code.starting(cell);
                    let mut targets = self.reaches(leaps, sliders, s, cell, frame.occupied) & land;
                    if let Some(safety) = safety {
                        if pinned.has(cell) {
                            targets &= self.geo.line(safety.royal, cell);
                        }
                    } else if op.royal
                        && clause.tame
                        && let Some(safety) = frame.safety.filter(|s| s.decides)
                    {
                        targets = self.unattacked(core, safety, targets, frame.history);
                        emit(targets, code, true);
                        continue;
                    }
                    emit(targets, code, sure);
                }
            }
            How::Lines { clauses, sliders, dirs } => {
                let look = |facing: &Option<Facing<B>>| match facing {
                    None => Look::Any,
                    Some(Facing::Nothing) => Look::Nothing,
                    Some(Facing::Piece(set)) => Look::At(self.set(set, core, &frame.at()) & frame.occupied),
                };
                let looks: SmallVec<[(Look<B>, Look<B>); 4]> = clauses
                    .iter()
                    .map(|c| (look(&self.clauses[*c as usize].toward), look(&self.clauses[*c as usize].away)))
                    .collect();
                for cell in pieces.cells() {
                    let seen = self.geo.slides(&sliders[s], cell, frame.occupied) & frame.occupied;
                    let go = |reach, (toward, away): &_| {
                        reach | self.along(cell, toward, away, seen, dirs[s], frame.occupied)
                    };
                    emit(looks.iter().fold(B::EMPTY, go) & accepted, code.starting(cell), false);
                }
            }
            How::Each if self.facts.borrows_apart && matches!(clause.gen_, Gen::Imitate { .. }) => {
                for cell in pieces.cells() {
                    self.each_loan(clause, core, core.side, op.kind, cell, frame.history, &mut |line, targets| {
                        let verbs = line.verbs | if line.label { 0 } else { clause.verbs & verbs::LABELS };
                        let targets = match op.captures {
                            true => targets & self.capturing(line, core),
                            false if verbs & op.verb == 0 => B::EMPTY,
                            false => targets,
                        };
                        let what = What::Play { clause: line.number, kind: op.kind, from: From::Cell(cell as u16) };
                        emit(targets, Code::new(what, code.next()).promoting(code.promotes()), false);
                    });
                }
            }
            How::Each => {
                let pieces = match &clause.gen_ {
                    Gen::Castle { partner, steps, dirs } => {
                        let castles =
                            |d: &u8, cell| self.castle(core, core.side, cell, *d, *steps, partner, &frame.at());
                        let free = |cell: &usize| dirs[s].iter().any(|d| castles(d, *cell).is_some());
                        (pieces & core.unmoved).cells().filter(free).fold(B::EMPTY, |s, c| s | B::bit(c))
                    }
                    _ => pieces,
                };
                for cell in pieces.cells() {
                    let mut targets = self.targets(clause, core, core.side, op.kind, cell, frame.history);
                    if op.captures {
                        targets &= self.capturing(clause, core);
                    }
                    emit(targets, code.starting(cell), false);
                }
            }
        }
    }

    /// What the tables of an operation give for a piece on a cell.
    #[inline(always)]
    pub fn reaches(
        &self,
        leaps: &Option<[Vec<B>; 2]>,
        sliders: &Option<[Sliders<B>; 2]>,
        s: usize,
        cell: usize,
        occupied: B,
    ) -> B {
        let mut reach = match leaps {
            Some(leaps) => leaps[s][cell],
            None => B::EMPTY,
        };
        if let Some(sliders) = sliders {
            reach |= self.geo.slides(&sliders[s], cell, occupied);
        }
        reach
    }

    /// Cells an operation may land on.
    #[inline]
    fn landing(
        &self,
        clause: &Clause<B>,
        core: &Core<B, K, M>,
        kind: u8,
        frame: &Frame<B>,
        plain: bool,
        captures: bool,
    ) -> B {
        match (plain, &clause.target) {
            (true, Target::Empty) => return frame.empty(),
            (true, Target::Enemy) => return frame.enemies(),
            (true, Target::Default) => return frame.empty() | frame.enemies(),
            _ => {}
        }
        let capturable = |set: B| match self.barred[kind as usize].is_empty() {
            true => set,
            false => set.minus(self.kinds(core, &self.barred[kind as usize])),
        };
        let mut land = match &clause.target {
            Target::Empty => frame.empty(),
            Target::Enemy => capturable(frame.enemies()),
            Target::Default => frame.empty() | capturable(frame.enemies()),
            Target::Set(set) => capturable(self.set(set, core, &frame.at())),
            Target::Tried(_) => self.geo.all,
        };
        if let Some(within) = &clause.within {
            land &= within[core.side as usize & 1];
        }
        for set in &clause.lifted {
            land &= self.set(set, core, &frame.at());
        }
        if captures {
            land &= self.capturing(clause, core);
        }
        land
    }

    /// Targets on which the clause captures by landing, jumping or its own effect.
    pub fn capturing(&self, clause: &Clause<B>, core: &Core<B, K, M>) -> B {
        match clause.gen_ {
            Gen::Hop { captures: true, .. } => self.geo.all,
            _ if clause.then_captures => self.geo.all,
            _ => core.occupied(),
        }
    }

    /// Targets without the moves that earlier groups of the kind list.
    fn unseen(&self, mut targets: B, code: Code, earlier: &[Group<B>]) -> B {
        let What::Play { clause, kind, from } = code.what() else { return targets };
        let listed = &self.clauses[clause as usize];
        let same_label = |other: u16| {
            !listed.label && !self.clauses[other as usize].label
                || self.facts.borrows_apart
                    && self.game.clauses[clause as usize].label == self.game.clauses[other as usize].label
        };
        for group in earlier {
            let What::Play { clause, kind: same, from: start } = group.code.what() else { continue };
            if kind != same
                || !same_label(clause)
                || (listed.verbs ^ self.clauses[clause as usize].verbs) & self.told_apart != 0
            {
                continue;
            }
            match (from, start) {
                (a, b) if a == b => targets = targets.minus(group.targets),
                (From::Cell(a), From::Below(delta)) => {
                    let to = i32::from(a) + i32::from(delta);
                    if (0..self.geo.cells as i32).contains(&to) && group.targets.has(to as usize) {
                        targets = targets.minus(B::bit(to as usize));
                    }
                }
                (From::Cell(a), From::Back { dir, steps }) => {
                    if let Some(to) = self.steps_to(a as usize, dir, u16::from(steps), B::EMPTY)
                        && group.targets.has(to)
                    {
                        targets = targets.minus(B::bit(to));
                    }
                }
                _ => {}
            }
        }
        targets
    }

    pub fn drop_groups(&self, drop: &Drop, core: &Core<B, K, M>, frame: &Frame<B>, next: u16, out: &mut Groups<B>) {
        let clause = &self.clauses[drop.clause as usize];
        if self.layout.hand(core.side, drop.piece).is_some_and(|slot| core.slots[slot] <= 0)
            || !self.gate(clause, core, &frame.at())
        {
            return;
        }
        let Gen::Drop { kinds } = &clause.gen_ else { return };
        for kind in kinds {
            let mut accepted = self.landing(clause, core, *kind, frame, false, false);
            if !matches!(clause.target, Target::Empty) {
                let dropped = Record { kind: *kind, owner: core.side, cell: 0 };
                accepted = accepted.minus(self.protected_by(core, dropped, &frame.at()));
            }
            let mut targets = self.tried(clause, core, accepted, &frame.at());
            let safety = frame.safety.filter(|_| clause.tame);
            if let Some(safety) = safety {
                targets &= safety.block;
            }
            if !clause.label {
                for group in &out[frame.first..] {
                    if let What::Drop { kind: k, clause } = group.code.what()
                        && k == *kind
                        && !self.clauses[clause as usize].label
                    {
                        targets = targets.minus(group.targets);
                    }
                }
            }
            if targets.any() {
                let code = Code::new(What::Drop { clause: drop.clause, kind: *kind }, next);
                out.push(targets, code.surely(safety.is_some_and(|s| s.decides)));
            }
        }
    }

    /// What a piece becomes on a target: nothing to choose (`None`), or the choices, `None` among them standing for staying what it is.
    pub fn promotions(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: u16,
        to: u16,
        history: &History,
    ) -> Option<SmallVec<[Option<u8>; 8]>> {
        if !self.promotes[kind as usize][seat as usize & 1].has(to as usize) {
            return None;
        }
        let promotion = self.promotion(core, seat, kind, from, to, history)?;
        let mut choices: SmallVec<[Option<u8>; 8]> = promotion
            .to
            .iter()
            .filter(|(_, once)| once.is_none_or(|o| core.slots[self.layout.once(o, seat)] == 0))
            .map(|(k, _)| Some(*k))
            .collect();
        if promotion.may {
            choices.push(None);
        }
        Some(choices)
    }

    /// The promotion that applies to a move, read before the step.
    pub fn promotion(
        &self,
        core: &Core<B, K, M>,
        seat: u8,
        kind: u8,
        from: u16,
        to: u16,
        history: &History,
    ) -> Option<&Promotion<B>> {
        let at = At { viewer: seat, this: from, origin: from, here: to, ..At::mover(core.side, history) };
        self.promotions[self.type_of[kind as usize] as usize]
            .iter()
            .find(|p| p.zone[seat as usize & 1].has(to as usize) && p.guards.iter().all(|g| self.holds(g, core, &at)))
    }

    /// The cell where a move of a group to `to` starts.
    #[inline]
    pub fn origin(&self, from: From, to: usize) -> u16 {
        match from {
            From::Cell(cell) => cell,
            From::Below(delta) => (to as i32 - i32::from(delta)) as u16,
            From::Back { dir, steps } => {
                let next = &self.geo.dirs[self.geo.dirs[dir as usize].opposite].next;
                (0..steps).fold(to as u16, |c, _| next[c as usize])
            }
        }
    }

    /// The step of a group to a target, promotions aside.
    #[inline]
    pub fn step_to(&self, group: &Group<B>, to: usize) -> Step {
        let cell = to as u16;
        let deed = match group.code.what() {
            What::Play { clause, kind, from } => {
                Deed::Move { clause, kind, from: self.origin(from, to), to: cell, promote: None }
            }
            What::Drop { clause, kind } => Deed::Drop { clause, kind, to: cell },
            What::Rotate { remap, named } => Deed::Rotate { remap, cell, named },
            What::Choose(effect) => Deed::Choose { effect, cell },
            What::Fill(kind) => Deed::Fill { kind, cell },
            What::Pass => Deed::Pass,
            What::Swap => Deed::Swap,
        };
        Step { deed, next: group.code.next() }
    }

    /// Calls `f` with each step of a group until it returns false; returns whether all were walked.
    pub fn each_step(
        &self,
        group: &Group<B>,
        core: &Core<B, K, M>,
        history: &History,
        f: &mut dyn FnMut(Step) -> bool,
    ) -> bool {
        if group.code.cellless() {
            return f(self.step_to(group, 0));
        }
        for to in group.targets.cells() {
            let step = self.step_to(group, to);
            let choices = match step.deed {
                Deed::Move { kind, from, .. } if group.code.promotes() => {
                    self.promotions(core, core.side, kind, from, to as u16, history)
                }
                _ => None,
            };
            let go_on = match choices {
                None => f(step),
                Some(choices) => choices.into_iter().all(|promote| f(step.promoting(promote))),
            };
            if !go_on {
                return false;
            }
        }
        true
    }

    /// How many steps a group has.
    #[inline]
    pub fn size(&self, group: &Group<B>, core: &Core<B, K, M>, history: &History) -> u64 {
        match group.code.plain() {
            true => u64::from(group.targets.count()),
            false => self.size_with_choices(group, core, history),
        }
    }

    #[inline(never)]
    fn size_with_choices(&self, group: &Group<B>, core: &Core<B, K, M>, history: &History) -> u64 {
        match group.code.what() {
            _ if group.code.cellless() => 1,
            What::Play { kind, .. } if group.code.promotes() => {
                let zone = self.promotes[kind as usize][core.side as usize & 1] & group.targets;
                if zone.is_empty() {
                    return u64::from(group.targets.count());
                }
                let mut n = u64::from(group.targets.minus(zone).count());
                let within = Group { targets: zone, ..*group };
                self.each_step(&within, core, history, &mut |_| {
                    n += 1;
                    true
                });
                n
            }
            _ => u64::from(group.targets.count()),
        }
    }
}
