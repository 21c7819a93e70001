//! Turns: every path through the turn graph, and the end of a turn.

use super::expr::{Env, Roles, View};
use super::piece::Candidate;
use super::rule::Stepped;
use super::state::{Happened, Now, Piece, State};
use super::{Position, Twin};
use crate::ir::ending::Outcome;
use crate::ir::piece::Generator;
use crate::ir::rule::{Forbidden, TallyEvent};
use crate::ir::turn::{Act, Choice, Chooser, Verb};
use crate::ir::{Cell, Seat};
use std::sync::Arc;

/// A whole legal turn, before its end is worked out.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub state: State,
    /// An at-once result.
    pub outcome: Option<Outcome>,
}

/// Which turns are wanted.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'a> {
    /// All of them.
    All,
    /// One suffices.
    Any,
    /// Those whose steps are written like this.
    Written(&'a [&'a str]),
}

impl Wanted<'_> {
    /// Whether no more turns are needed.
    fn is_enough(self, found: &[Done]) -> bool {
        !found.is_empty() && !matches!(self, Wanted::All)
    }

    /// Whether the steps done are the first of a wanted turn.
    fn begins(self, s: &State) -> bool {
        match self {
            Wanted::Written(steps) => s.now.steps.iter().eq(steps.iter().take(s.now.steps.len())),
            Wanted::All | Wanted::Any => true,
        }
    }

    /// Whether the steps done are all those of a wanted turn.
    fn ends(self, s: &State) -> bool {
        match self {
            Wanted::Written(steps) => s.now.steps.iter().eq(steps),
            Wanted::All | Wanted::Any => true,
        }
    }

    /// Whether the next step of a wanted turn may be written like this, promotion and label aside.
    fn may_be(self, s: &State, text: &str) -> bool {
        let plain = |text: &str| text.split([':', '=', '~']).next().unwrap_or_default().to_owned();
        match self {
            Wanted::Written(steps) => steps.get(s.now.steps.len()).is_some_and(|step| plain(step) == plain(text)),
            Wanted::All | Wanted::Any => true,
        }
    }
}

/// More steps than any sensible turn has; a longer path is given up.
const LONGEST: usize = crate::ir::MAX_STEPS;

impl Twin {
    /// The roles that conditions of a turn see: those of the step before.
    fn roles_now(&self, s: &State) -> Roles {
        Roles {
            this: s.now.actor.and_then(|id| s.find(id)),
            here: s.now.here,
            origin: s.now.origin,
            dir: s.now.dir,
            attacker: None,
            victim: None,
        }
    }

    fn view<'a>(&'a self, env: Env, s: &'a State) -> View<'a> {
        View { twin: self, s, env, viewer: env.mover, roles: self.roles_now(s) }
    }

    /// Whether the turn may not end here.
    fn turn_forbidden(&self, env: Env, s: &State) -> bool {
        let env = Env { counted: false, ..env };
        let view = self.view(env, s);
        self.game.forbids.iter().any(|f| match &f.what {
            Forbidden::Turn => !(f.looks_ahead && env.ahead) && view.holds(&f.cond),
            Forbidden::Capture | Forbidden::Act(..) => false,
        })
    }

    /// All legal turns of the player to move, without preferences.
    fn all_turns(&self, env: Env, s: &State, wanted: Wanted) -> Vec<Done> {
        match self.game.turn.states.first() {
            Some(choice) => self.completions(env, s, choice, wanted),
            None => Vec::new(),
        }
    }

    /// All legal completions of a turn from a choice.
    fn completions(&self, env: Env, s: &State, choice: &Choice, wanted: Wanted) -> Vec<Done> {
        match choice {
            Choice::End => {
                if !wanted.ends(s) || self.turn_forbidden(env, s) {
                    Vec::new()
                } else {
                    vec![Done { state: s.clone(), outcome: None }]
                }
            }
            Choice::Do(act, then) => {
                if s.now.steps.len() >= LONGEST {
                    return self.completions(env, s, &Choice::End, wanted);
                }
                let mut out = Vec::new();
                for step in self.steps(env, s, act, wanted) {
                    out.extend(self.go_on(env, step, *then, wanted));
                    if wanted.is_enough(&out) {
                        return out;
                    }
                }
                out
            }
            Choice::Or(all) => {
                let mut out = Vec::new();
                for c in all {
                    out.extend(self.completions(env, s, c, wanted));
                    if wanted.is_enough(&out) {
                        return out;
                    }
                }
                out
            }
            Choice::OrElse(all) => {
                for c in all {
                    let out = self.completions(env, s, c, wanted);
                    let other = matches!(wanted, Wanted::Written(_));
                    if !out.is_empty() || other && !self.completions(env, s, c, Wanted::Any).is_empty() {
                        return out;
                    }
                }
                Vec::new()
            }
            Choice::Cases(cases) => match cases.iter().find(|(cond, _)| self.view(env, s).holds(cond)) {
                Some((_, c)) => self.completions(env, s, c, wanted),
                None => Vec::new(),
            },
            Choice::Again(act, rest) => {
                let c = if self.offered(env, s, act).is_empty() { rest } else { act };
                self.completions(env, s, c, wanted)
            }
            Choice::Goto(n) => self.completions(env, s, &self.game.turn.states[*n as usize], wanted),
        }
    }

    /// What follows a step: chance, at-once results, the end of the turn or the next choice.
    fn go_on(&self, env: Env, step: Stepped, then: u16, wanted: Wanted) -> Vec<Done> {
        if step.rolls.is_empty() {
            return self.after_step(env, step.state, then, wanted, false);
        }
        // The turn so far is committed before the draw.
        if self.turn_forbidden(env, &step.state) {
            return Vec::new();
        }
        let mut before = step.state;
        if before.now.preference.is_none() {
            before.now.preference = Some(self.preference(&before));
        }
        let mut drawn = vec![before];
        for cell in step.rolls {
            let mut more = Vec::new();
            for s in drawn {
                for &kind in &self.game.ladder {
                    let mut s = s.clone();
                    if let Some(p) = &mut s.board[cell as usize] {
                        let before = *p;
                        p.kind = kind;
                        if before.kind != kind {
                            let event = TallyEvent::Rotated;
                            s.now.events.push(Happened {
                                event,
                                kind: before.kind,
                                owner: before.owner,
                                id: before.id,
                            });
                        }
                    }
                    if let Some(text) = s.now.steps.last_mut() {
                        text.push('~');
                        text.push_str(&self.game.type_of(kind).letter);
                    }
                    more.push(s);
                }
            }
            drawn = more;
        }
        let mut out = Vec::new();
        for s in drawn {
            out.extend(self.after_step(env, s, then, wanted, true));
            if wanted.is_enough(&out) {
                break;
            }
        }
        out
    }

    /// What follows when chance has spoken; after a draw the turn stands even where nothing can follow.
    fn after_step(&self, env: Env, s: State, then: u16, wanted: Wanted, committed: bool) -> Vec<Done> {
        if !wanted.begins(&s) {
            return Vec::new();
        }
        let outcome = self.at_once(env, &s);
        if outcome.is_some() || s.now.ended {
            if !wanted.ends(&s) || !committed && self.turn_forbidden(env, &s) {
                return Vec::new();
            }
            return vec![Done { state: s, outcome }];
        }
        let choice = &self.game.turn.states[then as usize];
        let rest = self.completions(env, &s, choice, wanted);
        let stands = || match wanted {
            Wanted::Written(_) => wanted.ends(&s) && self.completions(env, &s, choice, Wanted::Any).is_empty(),
            Wanted::All | Wanted::Any => true,
        };
        if rest.is_empty() && committed && stands() {
            return vec![Done { state: s, outcome: None }];
        }
        rest
    }

    /// The possible steps of an act.
    fn steps(&self, env: Env, s: &State, act: &Act, wanted: Wanted) -> Vec<Stepped> {
        let mover = env.mover;
        let may = |chooser: Chooser, cell: Cell| {
            let id = s.at(cell).map(|p| p.id);
            match chooser {
                Chooser::Any => true,
                Chooser::Another => id.is_some_and(|id| !s.now.acted.contains(&id)),
                Chooser::Same => id.is_some() && id == s.now.actor,
            }
        };
        let mut out = Vec::new();
        match act {
            Act::Play { verb, types, chooser } => {
                let mut all = Vec::new();
                for cell in 0..s.board.len() as Cell {
                    let Some(piece) = s.at(cell).filter(|p| p.owner == Some(mover)) else {
                        continue;
                    };
                    let t = self.game.kinds[piece.kind as usize].piece;
                    if may(*chooser, cell) && types.as_ref().is_none_or(|ts| ts.contains(&t)) {
                        all.extend(self.moves_of(env, s, cell));
                    }
                }
                if *chooser != Chooser::Same {
                    all.extend(self.drops_of(env, s, mover).into_iter().filter(|c| {
                        let t = c.drop.map(|k| self.game.kinds[k as usize].piece);
                        types.as_ref().is_none_or(|ts| t.is_some_and(|t| ts.contains(&t)))
                    }));
                }
                let written = |c: &Candidate| wanted.may_be(s, &self.move_text(c, None));
                for cand in all.into_iter().filter(|c| written(c) && self.verbs(c).contains(verb)) {
                    out.extend(self.make(env, s, &cand));
                }
            }
            Act::Rotate { set, chooser, ways, named } => {
                let view = self.view(env, s);
                for cell in view.members(set) {
                    let roles = Roles { this: Some(cell), here: Some(cell), ..view.roles };
                    let there = View { roles, ..view };
                    for (cond, remap) in ways {
                        if may(*chooser, cell) && there.holds(cond) {
                            out.extend(self.rotate(env, s, cell, *remap, *named));
                        }
                    }
                }
            }
            Act::Choose { effect, set } => {
                for cell in self.view(env, s).members(set) {
                    out.extend(self.choose(env, s, cell, *effect));
                }
            }
            Act::Pass => out.extend(self.idle(env, s, Verb::Pass)),
            Act::SwapSides => out.extend(self.idle(env, s, Verb::Swap)),
        }
        out
    }

    /// The steps that a choice offers, whether or not the turn can then be completed.
    fn offered(&self, env: Env, s: &State, choice: &Choice) -> Vec<Stepped> {
        match choice {
            Choice::End => Vec::new(),
            Choice::Do(act, _) => self.steps(env, s, act, Wanted::All),
            Choice::Or(all) | Choice::OrElse(all) => all.iter().flat_map(|c| self.offered(env, s, c)).collect(),
            Choice::Cases(cases) => match cases.iter().find(|(cond, _)| self.view(env, s).holds(cond)) {
                Some((_, c)) => self.offered(env, s, c),
                None => Vec::new(),
            },
            Choice::Again(act, rest) => {
                let first = self.offered(env, s, act);
                if first.is_empty() { self.offered(env, s, rest) } else { first }
            }
            Choice::Goto(n) => self.offered(env, s, &self.game.turn.states[*n as usize]),
        }
    }

    /// The state as it would be at the start of a player's turn; within the turn of another, after it.
    fn before_turn_of(&self, env: Env, s: &State, seat: Seat) -> State {
        let mut s = s.clone();
        if !s.now.steps.is_empty() && s.seat == env.mover && seat != env.mover {
            s.turn = s.turn.saturating_add(1);
            s.age_marks(&self.game);
        }
        s.seat = seat;
        s.now = Now::default();
        s
    }

    /// Whether the player, to move here, has no legal turn.
    pub(super) fn stuck(&self, env: Env, s: &State, seat: Seat) -> bool {
        let s = self.before_turn_of(env, s, seat);
        self.all_turns(Env { ahead: true, ..Env::turn(seat) }, &s, Wanted::Any).is_empty()
    }

    /// Whether some step of the act is possible at the start of the player's turn.
    pub(super) fn can(&self, env: Env, s: &State, seat: Seat, verb: &Verb) -> bool {
        let s = self.before_turn_of(env, s, seat);
        let ahead = Env { ahead: true, ..Env::turn(seat) };
        let first = self.game.turn.states.first();
        first.is_some_and(|c| self.offered(ahead, &s, c).iter().any(|step| step.verbs.contains(verb)))
    }

    /// Whether the player to move has no turn at all.
    pub(super) fn over(&self, s: &State) -> bool {
        if self.to_fill(s.filled).is_some() {
            return self.placings(s).is_empty();
        }
        self.all_turns(Env::turn(s.seat), s, Wanted::Any).is_empty()
    }

    /// The cell to be filled next and by whom, while the setup is filled.
    pub(super) fn to_fill(&self, filled: usize) -> Option<(Seat, usize, Cell)> {
        let fill = self.game.setup.fill.as_ref()?;
        let mut before = 0;
        for (seat, cells) in fill.cells.iter().enumerate() {
            if let Some(&cell) = filled.checked_sub(before).and_then(|i| cells.get(i)) {
                return Some((seat as Seat, filled - before, cell));
            }
            before += cells.len();
        }
        None
    }

    /// The placings that are possible while the setup is filled.
    fn placings(&self, s: &State) -> Vec<Done> {
        let mut out = Vec::new();
        let Some((seat, done, cell)) = self.to_fill(s.filled) else {
            return out;
        };
        let Some(fill) = &self.game.setup.fill else {
            return out;
        };
        let worth = |k: crate::ir::KindId| i64::from(self.game.type_of(k).worth);
        let cells = &fill.cells[seat as usize];
        let spent: i64 = cells[..done].iter().filter_map(|c| s.at(*c)).map(|p| worth(p.kind)).sum();
        let cheapest = fill.kinds.iter().map(|k| worth(*k)).min().unwrap_or(0);
        let rest = (cells.len() - done - 1) as i64;
        for &kind in &fill.kinds {
            if spent + worth(kind) + rest * cheapest <= i64::from(fill.budget) {
                let placed = self.place(Env::turn(seat), s, cell, kind);
                out.extend(placed.map(|p| Done { state: p.state, outcome: None }));
            }
        }
        out
    }

    /// What the preferences measure as the turn stands.
    fn preference(&self, s: &State) -> Vec<i32> {
        let view = self.view(Env { counted: false, ..Env::turn(s.seat) }, s);
        self.game.prefer.iter().map(|n| view.number(n)).collect()
    }

    /// The legal turns of a state at the start of a turn, by text, with preferences.
    pub(super) fn legal(&self, s: &State) -> Vec<(String, Done)> {
        let filling = self.to_fill(s.filled).is_some();
        let mut all = if filling { self.placings(s) } else { self.all_turns(Env::turn(s.seat), s, Wanted::All) };
        if !filling && !self.game.prefer.is_empty() {
            let value = |d: &Done| d.state.now.preference.clone().unwrap_or_else(|| self.preference(&d.state));
            let values: Vec<Vec<i32>> = all.iter().map(value).collect();
            let best = values.iter().max().cloned();
            all = all.into_iter().zip(values).filter(|(_, v)| Some(v) == best.as_ref()).map(|(d, _)| d).collect();
        }
        all.into_iter().map(|d| (d.state.now.steps.join(", "), d)).collect()
    }

    /// The first turn that is written like this, preferences aside.
    pub(super) fn written(&self, s: &State, text: &str) -> Option<Done> {
        let all = match self.to_fill(s.filled) {
            Some(_) => self.placings(s),
            None => {
                let steps: Vec<&str> = text.split(", ").collect();
                self.all_turns(Env::turn(s.seat), s, Wanted::Written(&steps))
            }
        };
        all.into_iter().find(|d| d.state.now.steps.join(", ") == text)
    }

    /// The end of a turn: the position after it, with its result.
    pub(super) fn end_turn(&self, done: Done) -> Position {
        let mut s = done.state;
        let mover = s.seat;
        if s.turn == 0 {
            return self.end_placing(s);
        }
        let view = View { env: Env { counted: false, ..Env::turn(mover) }, ..self.view(Env::turn(mover), &s) };
        let broken: Vec<bool> = self.game.quiets.iter().map(|q| view.holds(&q.broken)).collect();
        for (quiet, broken) in s.quiets.iter_mut().zip(broken) {
            *quiet = if broken { 0 } else { quiet.saturating_add(1) };
        }
        s.passes = if s.now.active { 0 } else { s.passes + 1 };
        s.turn = s.turn.saturating_add(1);
        s.age_marks(&self.game);
        // after a swap of sides the other person sits on the same seat, which moves again, and who swapped sits before it
        let swapped = s.now.steps.iter().any(|t| t == "swap");
        s.seat = if swapped { mover } else { self.game.next_seat(mover) };
        let mover = if swapped { self.before(mover) } else { mover };
        for (l, latch) in self.game.latches.iter().enumerate() {
            for viewer in 0..self.game.seats.len() as Seat {
                let env = Env { counted: false, ..Env::turn(mover) };
                let view = View { viewer, ..self.view(env, &s) };
                if !s.latches[l][viewer as usize] && view.holds(&latch.cond) {
                    s.latches[l][viewer as usize] = true;
                }
            }
        }
        self.forget_unmoved(&mut s);
        self.forget_marks(&mut s);
        self.count(&mut s);
        let result = done.outcome.or_else(|| self.result(Env::turn(mover), &s));
        s.settle();
        Position { state: s, result, begun: String::new(), set_up: false }
    }

    /// The end of a placing while the setup is filled.
    fn end_placing(&self, mut s: State) -> Position {
        s.settle();
        match self.to_fill(s.filled) {
            Some((seat, _, _)) => s.seat = seat,
            None => {
                s.seat = 0;
                s.turn = 1;
                self.forget_unmoved(&mut s);
                self.count(&mut s);
            }
        }
        Position { state: s, result: None, begun: String::new(), set_up: true }
    }

    /// Counts the position for repetition.
    pub(super) fn count(&self, s: &mut State) {
        let key = s.key(&self.game, s.seat, s.turn);
        let mut history = s.history.to_vec();
        history.push(key);
        s.history = Arc::new(history);
    }

    /// The castlings that are still possible as far as moved pieces go: the castling piece, its partner, whose, and whether toward the last file.
    pub(super) fn castlings(&self, s: &State) -> Vec<(Seat, Cell, Cell, bool)> {
        let mut out = Vec::new();
        for cell in 0..s.board.len() as Cell {
            let Some(piece) = s.at(cell).filter(|p| p.unmoved) else {
                continue;
            };
            let Some(owner) = piece.owner else { continue };
            for &clause in &self.game.type_of(piece.kind).clauses {
                let Generator::Castle { partner, steps, dirs } = &self.clause(clause).generator else {
                    continue;
                };
                for &d in &dirs[owner as usize] {
                    for c in self.ray(cell, d).into_iter().skip(usize::from(*steps)) {
                        let fits =
                            s.at(c).is_some_and(|p| p.unmoved && p.owner == Some(owner) && partner.contains(&p.kind));
                        if fits {
                            let at = |c: Cell| {
                                let info = &self.game.board.cells[c as usize];
                                (info.file, info.rank)
                            };
                            out.push((owner, cell, c, at(c) > at(cell)));
                        }
                    }
                }
            }
        }
        out
    }

    /// Forgets the unmoved flags that no castling can use any more.
    pub(super) fn forget_unmoved(&self, s: &mut State) {
        if self.reads_unmoved {
            return;
        }
        let used: Vec<Cell> = self.castlings(s).into_iter().flat_map(|(_, king, rook, _)| [king, rook]).collect();
        for (c, piece) in s.board.iter_mut().enumerate() {
            if let Some(piece) = piece {
                piece.unmoved &= used.contains(&(c as Cell));
            }
        }
    }

    /// Drops marks that only targets read, if no legal turn of the player to move needs them and they cannot be read later.
    pub(super) fn forget_marks(&self, s: &mut State) {
        for m in 0..self.game.marks.len() {
            if !self.game.marks[m].only_targets {
                continue;
            }
            let last_chance = |set: i32| self.game.marks[m].turns.is_some_and(|n| set + i32::from(n) <= s.turn);
            let cells: Vec<Cell> =
                s.marks[m].cells.iter().filter(|(_, set)| last_chance(**set)).map(|(c, _)| *c).collect();
            for cell in cells {
                let mut without = s.clone();
                without.marks[m].cells.remove(&cell);
                if self.turns_here(s) == self.turns_here(&without) {
                    *s = without;
                }
            }
            if s.marks[m].cells.is_empty() {
                s.marks[m].marker = None;
            }
        }
    }

    /// The legal turns of the player to move by text and the pieces they leave.
    fn turns_here(&self, s: &State) -> Vec<(String, Vec<Option<Piece>>)> {
        let s = self.before_turn_of(Env::turn(s.seat), s, s.seat);
        let mut all: Vec<_> = self.legal(&s).into_iter().map(|(t, d)| (t, d.state.board)).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }
}
