//! What can be, whatever the players do: an estimate from above of what sets, conditions and numbers come to.
//!
//! Everything errs to one side. That a set may have members, a condition hold or a number lie in a range says nothing; that it
//! may not is certain. So what is found to be impossible can be told without a false alarm.

use super::clash::reach;
use super::walk::{self, Node};
use crate::ir::expr::{Cond, Num, Op, Role, Set, TurnSet, Who};
use crate::ir::piece::{Clause, Facing, Generator};
use crate::ir::rule::{Change, Effect, HandItem, TallyEvent};
use crate::ir::turn::{Act, Choice, Chosen, Verb};
use crate::ir::{Cell, Game, KindId, TypeId};
use std::cell::Cell as Counter;

/// Steps that one estimate may take; then everything is taken to be possible.
const BUDGET: u64 = 1_000_000;
/// Words of a set of cells: enough for the largest board.
const WORDS: usize = 11;
/// Owners: the most players that a game may have, and nobody.
const OWNERS: usize = 9;
const NOBODY: usize = OWNERS - 1;

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits([u64; WORDS]);

impl Bits {
    const NONE: Bits = Bits([0; WORDS]);

    fn all(cells: usize) -> Bits {
        let mut out = Bits::NONE;
        (0..cells).for_each(|c| out.insert(c as Cell));
        out
    }

    fn of(cells: impl IntoIterator<Item = Cell>) -> Bits {
        let mut out = Bits::NONE;
        cells.into_iter().for_each(|c| out.insert(c));
        out
    }

    fn insert(&mut self, c: Cell) {
        self.0[c as usize / 64] |= 1 << (c % 64);
    }

    pub fn has(&self, c: Cell) -> bool {
        self.0[c as usize / 64] >> (c % 64) & 1 != 0
    }

    pub fn is_empty(&self) -> bool {
        *self == Bits::NONE
    }

    fn len(&self) -> i64 {
        self.0.iter().map(|w| i64::from(w.count_ones())).sum()
    }

    fn with(mut self, other: Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a = f(*a, b));
        self
    }

    pub fn and(self, other: Bits) -> Bits {
        self.with(other, |a, b| a & b)
    }

    pub fn or(self, other: Bits) -> Bits {
        self.with(other, |a, b| a | b)
    }
}

/// How well an estimate is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharp {
    /// The members are exactly the cells.
    Cells,
    /// The members are exactly the cells of the board with these contents.
    Contents,
    /// They are among them.
    No,
}

/// Cells that may be members, and what may be on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct May {
    pub cells: Bits,
    empty: bool,
    /// For each owner the kinds.
    kinds: [u128; OWNERS],
    sharp: Sharp,
}

/// Who looks, whose turn it is, and whose line it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scene {
    pub viewer: usize,
    pub mover: usize,
    /// The owner and type of `this`, where it surely stands on the board.
    pub this: Option<(usize, TypeId)>,
}

/// Whether a condition may hold, and whether it may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub yes: bool,
    pub no: bool,
}

impl Truth {
    const OPEN: Truth = Truth { yes: true, no: true };
    const NEVER: Truth = Truth { yes: false, no: true };

    fn not(self) -> Truth {
        Truth { yes: self.no, no: self.yes }
    }

    pub fn or(self, other: Truth) -> Truth {
        Truth { yes: self.yes || other.yes, no: self.no || other.no }
    }
}

/// A range of numbers.
type Range = (i64, i64);
const MANY: i64 = i32::MAX as i64;
const ANY: Range = (-MANY - 1, MANY);

/// What is told where it is declared, and so is taken to be anything wherever it is named.
pub(crate) struct Told<'a> {
    /// For each type whether it is told that it never enters.
    pub types: &'a [bool],
    /// The zones with names: that one has no cells is told.
    pub zones: &'a [u16],
    /// The first so many counters: that one never changes is told.
    pub counters: usize,
}

/// What is possible in a game.
pub(crate) struct Possible<'g> {
    pub game: &'g Game,
    has_hand: bool,
    /// For each owner the kinds that may stand on the board.
    present: [u128; OWNERS],
    /// For each owner and kind where it may stand, and where a move may bring it.
    at: Vec<Vec<Bits>>,
    landing: Vec<Vec<Bits>>,
    /// For each type whether it never enters.
    absent: Vec<bool>,
    /// For each clause whether there is never such a target.
    dead: Vec<bool>,
    /// For each type whether it may be in a hand.
    held: Vec<bool>,
    counters: Vec<Range>,
    /// Zones of which it is told that they have no cells.
    blank: Vec<bool>,
    pub captures: bool,
    flips: bool,
    shifts: bool,
    rotates: bool,
    all: Bits,
    line: i32,
    left: Counter<u64>,
}

impl<'g> Possible<'g> {
    /// Of what never comes about, that which is `told` is taken to be possible: it is said once, not wherever it is named.
    pub fn new(game: &'g Game, has_hand: bool, told: &Told) -> Possible<'g> {
        let (seats, kinds) = (game.seats.len(), game.kinds.len());
        let all = Bits::all(game.board.cells.len());
        let mut held = vec![false; game.types.len()];
        game.setup.hands.iter().flatten().for_each(|(t, _)| held[*t as usize] = true);
        let (mut flips, mut shifts, mut rotates) = (false, false, false);
        walk::game(game, &mut |node| match node {
            Node::Effect(Effect::Flip(_)) | Node::Act(Act::Choose { effect: Chosen::Flip, .. }) => flips = true,
            Node::Effect(Effect::Displace { .. }) => shifts = true,
            Node::Effect(Effect::Remap(..) | Effect::Roll(_)) | Node::Act(Act::Rotate { .. }) => rotates = true,
            Node::Effect(Effect::Hand { change: Change::Add, what, .. }) => match what {
                HandItem::Type(t) => held[*t as usize] = true,
                HandItem::OriginalOf(_) => game.hand_types.iter().for_each(|t| held[*t as usize] = true),
            },
            _ => {}
        });
        let mut out = Possible {
            game,
            has_hand,
            present: [0; OWNERS],
            at: vec![vec![Bits::NONE; kinds]; seats + 1],
            landing: vec![vec![Bits::NONE; kinds]; seats + 1],
            held,
            absent: Vec::new(),
            dead: vec![false; game.clauses.len()],
            counters: vec![ANY; game.counters.len()],
            blank: (0..game.zones.len())
                .map(|z| told.zones.contains(&(z as u16)) && game.zones[z].cells.iter().any(Vec::is_empty))
                .collect(),
            captures: true,
            flips,
            shifts,
            rotates,
            all,
            line: longest(game),
            left: Counter::new(BUDGET),
        };
        out.flood();
        out.dead = game.clauses.iter().map(|c| !out.aims(c)).collect();
        if out.dead.contains(&true) {
            // Where lines without a target do not lead.
            out.present = [0; OWNERS];
            out.at.iter_mut().chain(&mut out.landing).flatten().for_each(|cells| *cells = Bits::NONE);
            out.flood();
        }
        out.absent = (0..game.types.len() as TypeId).map(|t| !out.stands_somewhere(t)).collect();
        for (k, kind) in game.kinds.iter().enumerate() {
            if out.absent[kind.piece as usize] && told.types[kind.piece as usize] {
                for owner in 0..seats {
                    out.present[owner] |= 1 << k;
                    (out.at[owner][k], out.landing[owner][k]) = (all, all);
                }
            }
        }
        out.captures = out.can_capture();
        out.count(told.counters);
        out
    }

    /// Whether there may be a target such as the clause asks for.
    fn aims(&self, clause: &Clause) -> bool {
        self.anybody(|scene| !self.nothing(&self.set(&clause.target, scene)))
    }

    /// Whether something holds for some viewer, whoever moves.
    fn anybody(&self, mut f: impl FnMut(Scene) -> bool) -> bool {
        let seats = self.game.seats.len();
        (0..seats * seats).any(|n| f(Scene { viewer: n / seats, mover: n % seats, this: None }))
    }

    /// Whether the type may stand on the board.
    pub fn enters(&self, t: TypeId) -> bool {
        !self.absent[t as usize]
    }

    fn stands_somewhere(&self, t: TypeId) -> bool {
        self.game.kinds_of(t).any(|k| self.present.iter().any(|of| of >> k & 1 != 0))
    }

    /// Whether a player's piece of the type may stand on the board.
    pub fn owns(&self, seat: usize, t: TypeId) -> bool {
        self.game.kinds_of(t).any(|k| self.present[seat] >> k & 1 != 0)
    }

    /// Whether the type may be in a hand, if there are hands.
    pub fn held(&self, t: TypeId) -> bool {
        !self.has_hand || self.held[t as usize]
    }

    /// Where a player's pieces of the type may stand.
    pub fn stands(&self, seat: usize, t: TypeId) -> Bits {
        self.game.kinds_of(t).map(|k| self.at[seat][k as usize]).fold(Bits::NONE, Bits::or)
    }

    /// Where a move may bring a player's pieces of the type.
    pub fn lands(&self, seat: usize, t: TypeId) -> Bits {
        self.game.kinds_of(t).map(|k| self.landing[seat][k as usize]).fold(Bits::NONE, Bits::or)
    }

    /// Whether the zone is one of which it is told that it has no cells.
    pub fn blank(&self, zone: Option<u16>) -> bool {
        zone.is_some_and(|z| self.blank[z as usize])
    }

    /// The cells of a zone.
    pub fn zone(&self, zone: u16, seat: usize) -> Bits {
        if self.blank(Some(zone)) {
            return self.all;
        }
        Bits::of(self.game.zones[zone as usize].cells[seat].iter().copied())
    }

    /// Whether the estimate ran out of steps: then nothing is known.
    pub fn spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Takes steps from the budget.
    pub fn spend(&self, steps: u64) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    /// Finds which kinds may stand where.
    fn flood(&mut self) {
        let game = self.game;
        let seats = game.seats.len();
        let mut todo: Vec<(usize, KindId, Cell)> = Vec::new();
        for (owner, kind, cell) in &game.setup.places {
            self.put(owner.map_or(seats, usize::from), *kind, *cell, &mut todo);
        }
        if let Some(fill) = &game.setup.fill {
            for (seat, cells) in fill.cells.iter().enumerate() {
                for (kind, cell) in fill.kinds.iter().flat_map(|k| cells.iter().map(move |c| (k, c))) {
                    self.put(seat, *kind, *cell, &mut todo);
                }
            }
        }
        for (t, ty) in game.types.iter().enumerate() {
            for clause in ty.clauses.iter().map(|c| &game.clauses[*c as usize]) {
                let Generator::Drop { kinds } = &clause.generator else { continue };
                if !self.held(t as TypeId) {
                    continue;
                }
                for seat in 0..seats {
                    let within = clause.within.map_or(self.all, |z| self.zone(z, seat));
                    for (kind, cell) in kinds.iter().flat_map(|k| cells_of(within).map(move |c| (k, c))) {
                        self.put(seat, *kind, cell, &mut todo);
                    }
                }
            }
        }
        let mut becomes: Vec<KindId> = Vec::new();
        let mut rolls = false;
        walk::game(game, &mut |node| match node {
            Node::Effect(Effect::Become(_, kind)) => becomes.push(*kind),
            Node::Effect(Effect::Roll(_)) => rolls = true,
            _ => {}
        });
        for kind in becomes {
            for cell in cells_of(self.all) {
                (0..seats).for_each(|seat| self.put(seat, kind, cell, &mut todo));
            }
        }
        let castles: Vec<KindId> = game
            .clauses
            .iter()
            .filter_map(|c| match &c.generator {
                Generator::Castle { partner, .. } => Some(partner.clone()),
                _ => None,
            })
            .flatten()
            .collect();
        while let Some((owner, kind, cell)) = todo.pop() {
            if self.spent() {
                // Anything may be anywhere.
                self.at.iter_mut().flatten().for_each(|cells| *cells = self.all);
                self.landing.iter_mut().flatten().for_each(|cells| *cells = self.all);
                self.present = [u128::MAX; OWNERS];
                return;
            }
            if self.shifts && self.at[owner][kind as usize] != self.all {
                cells_of(self.all).for_each(|c| self.put(owner, kind, c, &mut todo));
            }
            if self.flips && owner < seats {
                (0..seats).for_each(|s| self.put(s, kind, cell, &mut todo));
            }
            for to in game.remaps.iter().filter_map(|r| r.table[kind as usize]) {
                self.put(owner, to, cell, &mut todo);
            }
            if rolls && game.ladder.iter().any(|k| game.kinds[*k as usize].piece == game.kinds[kind as usize].piece) {
                game.ladder.iter().for_each(|k| self.put(owner, *k, cell, &mut todo));
            }
            if castles.contains(&kind) {
                // The partner of a castling lands on its own rank.
                let rank = |c: Cell| game.board.cells[c as usize].rank;
                let row = (0..game.board.cells.len() as Cell).filter(|c| rank(*c) == rank(cell));
                row.for_each(|c| self.put(owner, kind, c, &mut todo));
            }
            if owner < seats {
                self.go(owner, kind, cell, &mut todo);
            }
        }
    }

    fn put(&mut self, owner: usize, kind: KindId, cell: Cell, todo: &mut Vec<(usize, KindId, Cell)>) {
        self.spend(1);
        let cells = &mut self.at[owner][kind as usize];
        if !cells.has(cell) {
            cells.insert(cell);
            self.present[if owner == self.game.seats.len() { NOBODY } else { owner }] |= 1 << kind;
            todo.push((owner, kind, cell));
        }
    }

    /// Moves a piece from a cell in every way that its lines give.
    fn go(&mut self, owner: usize, kind: KindId, cell: Cell, todo: &mut Vec<(usize, KindId, Cell)>) {
        let game = self.game;
        let ty = game.type_of(kind);
        if self.landing[owner][kind as usize] == self.all {
            return;
        }
        let mut landed = Vec::new();
        for clause in ty.clauses.iter().filter(|c| !self.dead[**c as usize]).map(|c| &game.clauses[*c as usize]) {
            match &clause.generator {
                Generator::Imitate { .. } => landed.extend(cells_of(self.all)),
                _ => landed.extend(reach(game, clause, owner, cell)),
            }
        }
        self.spend(landed.len() as u64 + 8 * ty.clauses.len() as u64);
        for to in landed {
            self.landing[owner][kind as usize].insert(to);
            self.put(owner, kind, to, todo);
            for promotion in &ty.promotions {
                if game.zones[promotion.zone as usize].cells[owner].binary_search(&to).is_ok() {
                    promotion.to.iter().for_each(|(k, _)| self.put(owner, *k, to, todo));
                }
            }
        }
    }

    fn can_capture(&self) -> bool {
        let mut found = false;
        walk::game(self.game, &mut |node| {
            found |= matches!(
                node,
                Node::Effect(Effect::Capture(_)) | Node::Act(Act::Choose { effect: Chosen::Capture, .. })
            );
        });
        found || self.game.clauses.iter().any(|c| self.captures_by(c))
    }

    /// Whether a step by the clause may capture.
    fn captures_by(&self, clause: &Clause) -> bool {
        let effect = clause.then.iter().any(|e| any_effect(e, &|e| matches!(e, Effect::Capture(_))));
        match &clause.generator {
            Generator::Drop { .. } | Generator::Castle { .. } => effect,
            Generator::Imitate { .. } | Generator::Hop { captures: true, .. } => true,
            _ => effect || self.anybody(|scene| !self.nothing(&self.set(&clause.target, scene).occupied())),
        }
    }

    /// The ranges of counters; of the first `told` it is told if they never change.
    fn count(&mut self, told: usize) {
        let game = self.game;
        let mut changed: Vec<bool> = (0..game.counters.len()).map(|c| c >= told).collect();
        let mut ranges: Vec<Range> = game.counters.iter().map(|c| (i64::from(c.start), i64::from(c.start))).collect();
        walk::game(game, &mut |node| {
            if let Node::Effect(Effect::Count { counter, change, value, .. }) = node {
                let seats = game.seats.len();
                changed[*counter as usize] = true;
                let ranges = &mut ranges[*counter as usize];
                for n in 0..seats * seats {
                    let (low, high) = self.num(value, Scene { viewer: n / seats, mover: n % seats, this: None });
                    let (low, high) = match change {
                        Change::Add => (if low < 0 { ANY.0 } else { 0 }, if high > 0 { ANY.1 } else { 0 }),
                        Change::Subtract => (if high > 0 { ANY.0 } else { 0 }, if low < 0 { ANY.1 } else { 0 }),
                        Change::Set => {
                            *ranges = (ranges.0.min(low), ranges.1.max(high));
                            continue;
                        }
                    };
                    *ranges = (ranges.0.saturating_add(low).max(ANY.0), ranges.1.saturating_add(high).min(ANY.1));
                }
            }
        });
        self.counters = ranges.into_iter().zip(changed).map(|(r, changed)| if changed { r } else { ANY }).collect();
    }

    fn top(&self) -> May {
        May { cells: self.all, empty: true, kinds: self.present, sharp: Sharp::No }
    }

    fn none(&self) -> May {
        May { cells: Bits::NONE, empty: false, kinds: [0; OWNERS], sharp: Sharp::No }
    }

    /// Whether the set surely has no members.
    pub fn nothing(&self, may: &May) -> bool {
        if self.spent() {
            return false;
        }
        if may.cells.is_empty() {
            return true;
        }
        if may.empty {
            return false;
        }
        let seats = self.game.seats.len();
        !(0..=seats).any(|owner| {
            let kinds = may.kinds[if owner == seats { NOBODY } else { owner }];
            (0..self.game.kinds.len()).any(|k| {
                self.spend(1);
                kinds >> k & 1 != 0 && !self.at[owner][k].and(may.cells).is_empty()
            })
        })
    }

    /// Whether a cell may be such a member.
    pub fn fits(&self, cell: Cell, may: &May) -> bool {
        let seats = self.game.seats.len();
        let stands = |owner: usize| {
            let kinds = may.kinds[if owner == seats { NOBODY } else { owner }];
            (0..self.game.kinds.len()).any(|k| kinds >> k & 1 != 0 && self.at[owner][k].has(cell))
        };
        may.cells.has(cell) && (may.empty || (0..=seats).any(stands))
    }

    /// Without the pieces that cannot be captured.
    pub fn capturable(&self, may: May) -> May {
        let all = 0..self.game.kinds.len() as KindId;
        let safe = all.filter(|k| self.game.type_of(*k).uncapturable).fold(0, |mask: u128, k| mask | 1 << k);
        May { kinds: may.kinds.map(|k| k & !safe), ..may }.less_sharp(Sharp::Contents)
    }

    /// The players that a word may mean.
    fn who(&self, who: Who, scene: Scene) -> usize {
        let after = |s: usize| (s + 1) % self.game.seats.len();
        match who {
            Who::Me => scene.viewer,
            Who::Opponent => after(scene.viewer),
            Who::Mover => scene.mover,
            Who::Next => after(scene.mover),
            Who::Seat(s) => s as usize,
        }
    }

    fn contents(&self, keep: impl Fn(usize) -> u128) -> May {
        let mut kinds = self.present;
        kinds.iter_mut().enumerate().for_each(|(owner, k)| *k &= keep(owner));
        May { cells: self.all, empty: false, kinds, sharp: Sharp::Contents }
    }

    fn zoned(&self, cells: Bits) -> May {
        May { cells, sharp: Sharp::Cells, ..self.top() }
    }

    /// What may be in a set.
    pub fn set(&self, set: &Set, scene: Scene) -> May {
        self.spend(4);
        if self.spent() {
            return self.top();
        }
        match set {
            Set::Empty => May { empty: true, ..self.contents(|_| 0) },
            Set::Board => May { sharp: Sharp::Cells, ..self.top() },
            Set::Pieces => self.contents(|_| u128::MAX),
            Set::Of(who) => {
                let seat = self.who(*who, scene);
                self.contents(|owner| if owner == seat { u128::MAX } else { 0 })
            }
            Set::Enemies => self.contents(|o| if o == scene.viewer || o == NOBODY { 0 } else { u128::MAX }),
            Set::Kinds(kinds) => {
                let mask = kinds.iter().fold(0, |mask: u128, k| mask | 1 << k);
                self.contents(|_| mask)
            }
            Set::Zone(z) if self.blank(Some(*z)) => self.top(),
            Set::Zone(z) => self.zoned(self.zone(*z, scene.viewer)),
            Set::Cells(cells) => self.zoned(Bits::of(cells.iter().copied())),
            Set::Role(Role::This) => match scene.this {
                Some((seat, t)) => {
                    let mask = self.game.kinds_of(t).fold(0, |mask: u128, k| mask | 1 << k);
                    let may = self.contents(|owner| if owner == seat { mask } else { 0 });
                    May { sharp: Sharp::No, ..may }
                }
                None => self.top(),
            },
            Set::Role(_) | Set::Crossed | Set::Mark(_) | Set::Marker(_) => self.top(),
            Set::Neighbours { of, dirs } => {
                let of = self.set(of, scene);
                if self.nothing(&of) {
                    return self.none();
                }
                let mut cells = Bits::NONE;
                for c in cells_of(of.cells) {
                    dirs[scene.viewer].iter().filter_map(|d| self.game.board.next(c, *d)).for_each(|c| cells.insert(c));
                }
                self.spend(64 + of.cells.len() as u64 * 4);
                May { cells, ..self.top() }
            }
            Set::Turned(what) => {
                let (drops, moves) = (self.acts(&Verb::Drop), self.acts(&Verb::Move));
                let happens = match what {
                    TurnSet::Moved => moves,
                    TurnSet::Dropped => drops,
                    TurnSet::Shifted => self.shifts,
                    TurnSet::Flipped => self.flips,
                    TurnSet::Rotated => self.rotates,
                };
                if happens { self.top() } else { self.none() }
            }
            Set::Unmoved => May { sharp: Sharp::No, ..self.contents(|_| u128::MAX) },
            Set::Attacked(of) | Set::Surrounded(of) => May { sharp: Sharp::No, ..self.set(of, scene) },
            Set::Bearing { of, .. } => match self.nothing(&self.set(of, scene)) {
                true => self.none(),
                false => May { sharp: Sharp::No, ..self.contents(|_| u128::MAX) },
            },
            Set::First { from, what, .. } => {
                let (from, what) = (self.set(from, scene), self.set(what, scene).occupied());
                if self.nothing(&from) || self.nothing(&what) { self.none() } else { what }
            }
            Set::Runs { what, from, to, exactly, .. } => {
                let (what, from, to) = (self.set(what, scene), self.set(from, scene), self.set(to, scene));
                let long = exactly.is_some_and(|n| n > self.line);
                let none = long || self.nothing(&what) || self.nothing(&from) || self.nothing(&to);
                if none { self.none() } else { May { sharp: Sharp::No, ..what } }
            }
            Set::Union(parts) => {
                let mut parts = parts.iter().map(|p| self.set(p, scene)).filter(|m| !self.nothing(m));
                let Some(first) = parts.next() else { return self.none() };
                parts.fold(first, |a, b| {
                    let mut kinds = a.kinds;
                    kinds.iter_mut().zip(b.kinds).for_each(|(a, b)| *a |= b);
                    let sharp = if a.sharp == b.sharp { a.sharp } else { Sharp::No };
                    May { cells: a.cells.or(b.cells), empty: a.empty || b.empty, kinds, sharp }
                })
            }
            Set::Intersect(parts) => parts.iter().map(|p| self.set(p, scene)).fold(self.zoned(self.all), May::and),
            Set::Minus(a, b) => {
                let (a, b) = (self.set(a, scene), self.set(b, scene));
                match b.sharp {
                    Sharp::Cells => May { cells: a.cells.with(b.cells, |a, b| a & !b), ..a },
                    Sharp::Contents => {
                        let mut kinds = a.kinds;
                        kinds.iter_mut().zip(b.kinds).for_each(|(a, b)| *a &= !b);
                        May { empty: a.empty && !b.empty, kinds, ..a }.less_sharp(Sharp::Contents)
                    }
                    Sharp::No => May { sharp: Sharp::No, ..a },
                }
            }
            Set::Where(of, cond) => {
                let of = self.set(of, scene);
                if self.cond(cond, scene).yes { May { sharp: Sharp::No, ..of } } else { self.none() }
            }
            Set::SeenBy(who, of) => self.set(of, Scene { viewer: self.who(*who, scene), ..scene }),
        }
    }

    /// Whether a condition may hold, and whether it may not.
    pub fn cond(&self, cond: &Cond, scene: Scene) -> Truth {
        self.spend(4);
        if self.spent() {
            return Truth::OPEN;
        }
        let may = |yes| if yes { Truth::OPEN } else { Truth::NEVER };
        let some = |s: &Set| !self.nothing(&self.set(s, scene));
        match cond {
            Cond::Const(b) => Truth { yes: *b, no: !*b },
            Cond::All(parts) => {
                let all = parts.iter().map(|p| self.cond(p, scene));
                let both =
                    all.fold(Truth { yes: true, no: false }, |a, b| Truth { yes: a.yes && b.yes, no: a.no || b.no });
                if both.yes && self.contradict(parts, scene) { Truth::NEVER } else { both }
            }
            Cond::Any(parts) => {
                let all = parts.iter().map(|p| self.cond(p, scene).not());
                let none =
                    all.fold(Truth { yes: true, no: false }, |a, b| Truth { yes: a.yes && b.yes, no: a.no || b.no });
                none.not()
            }
            Cond::Not(inner) => self.cond(inner, scene).not(),
            Cond::Some(set) => {
                let found = self.set(set, scene);
                let sure = found.sharp == Sharp::Cells && !found.cells.is_empty();
                Truth { yes: !self.nothing(&found), no: !sure }
            }
            Cond::Within(a, b) => may(!self.nothing(&self.set(a, scene).and(self.set(b, scene)))),
            Cond::RoleIs(_, kinds) => may(kinds.iter().any(|k| self.present.iter().any(|of| of >> k & 1 != 0))),
            Cond::Compare(a, op, b) => compare(self.num(a, scene), *op, self.num(b, scene)),
            Cond::Odd(n) => match self.num(n, scene) {
                (low, high) if low == high => Truth { yes: low % 2 != 0, no: low % 2 == 0 },
                _ => Truth::OPEN,
            },
            Cond::Line { count, of, through, .. } => {
                may(*count <= self.line && some(of) && through.as_ref().is_none_or(some))
            }
            Cond::Connects { of, from, to, .. } => may(some(of) && some(from) && some(to)),
            Cond::InCheck(_) | Cond::Checkmate => {
                may(self.game.types.iter().enumerate().any(|(t, ty)| ty.royal && self.stands_somewhere(t as TypeId)))
            }
            Cond::Can(_, verb) => may(self.verb(verb, None)),
            Cond::AllPass => may(self.acts(&Verb::Pass)),
            Cond::SeenBy(who, inner) => self.cond(inner, Scene { viewer: self.who(*who, scene), ..scene }),
            Cond::AnyPlayer(inner) => {
                let each = (0..self.game.seats.len()).map(|viewer| self.cond(inner, Scene { viewer, ..scene }));
                each.fold(Truth { yes: false, no: true }, |a, b| Truth { yes: a.yes || b.yes, no: a.no && b.no })
            }
            Cond::Latch(..) | Cond::Stuck(_) | Cond::Stalemate | Cond::Occurs { .. } | Cond::Quiet { .. } => {
                Truth::OPEN
            }
        }
    }

    /// Whether two of the parts can surely not hold together.
    fn contradict(&self, parts: &[Cond], scene: Scene) -> bool {
        let parts: Vec<(&Cond, Option<(Num, Range)>)> = parts.iter().take(32).map(|p| (p, bound(p))).collect();
        parts.iter().enumerate().any(|(i, (a, range))| {
            parts[i + 1..].iter().any(|(b, other)| {
                self.spend(8);
                let (a, b) = (*a, *b);
                let opposite = |a: &Cond, b: &Cond| matches!(a, Cond::Not(inner) if **inner == *b);
                let apart = match (range, other) {
                    (Some((x, p)), Some((y, q))) => x == y && (p.0.max(q.0) > p.1.min(q.1)),
                    _ => false,
                };
                let placed = match (a, b) {
                    (Cond::Within(x, p), Cond::Within(y, q)) if x == y => {
                        self.nothing(&self.set(p, scene).and(self.set(q, scene)))
                    }
                    (Cond::RoleIs(x, p), Cond::RoleIs(y, q)) if x == y => !p.iter().any(|k| q.contains(k)),
                    _ => false,
                };
                opposite(a, b) || opposite(b, a) || apart || placed
            })
        })
    }

    /// The range of a number.
    fn num(&self, num: &Num, scene: Scene) -> Range {
        self.spend(4);
        if self.spent() {
            return ANY;
        }
        let clip = |(low, high): Range| (low.max(ANY.0), high.min(ANY.1));
        let pair = |a: &Num, b: &Num| (self.num(a, scene), self.num(b, scene));
        match num {
            Num::Const(n) => (i64::from(*n), i64::from(*n)),
            Num::Count(set) => {
                let found = self.set(set, scene);
                let most = if self.nothing(&found) { 0 } else { found.cells.len() };
                (if found.sharp == Sharp::Cells { most } else { 0 }, most)
            }
            Num::Worth(set) => {
                let found = self.set(set, scene);
                let most = found.cells.len();
                let worths = (0..self.game.kinds.len() as KindId)
                    .filter(|k| found.kinds.iter().any(|of| of >> k & 1 != 0))
                    .map(|k| i64::from(self.game.type_of(k).worth));
                clip(worths.fold((0, 0), |(low, high), w| (low.min(w * most), high.max(w * most))))
            }
            Num::WorthOf(_) => {
                let worths = self.game.types.iter().map(|t| i64::from(t.worth));
                worths.fold((0, 0), |(low, high), w| (low.min(w), high.max(w)))
            }
            Num::Odd(_) => (0, 1),
            Num::Counter(counter, _) => self.counters[*counter as usize],
            Num::Hand(_, types) => (0, if types.iter().any(|t| self.held[*t as usize]) { MANY } else { 0 }),
            Num::Tally(tally, _) => {
                let tally = &self.game.tallies[*tally as usize];
                let there = |k: &KindId| self.present.iter().any(|of| of >> k & 1 != 0);
                let loses = |k: &KindId| there(k) && !self.game.type_of(*k).uncapturable;
                let happens = match tally.event {
                    TallyEvent::Captured => self.captures && tally.kinds.as_ref().is_none_or(|k| k.iter().any(loses)),
                    _ if tally.kinds.as_ref().is_some_and(|k| !k.iter().any(there)) => false,
                    TallyEvent::Moved => self.acts(&Verb::Move),
                    TallyEvent::Dropped => self.acts(&Verb::Drop),
                    TallyEvent::Shifted => self.shifts,
                    TallyEvent::Flipped => self.flips,
                    TallyEvent::Rotated => self.rotates,
                };
                (0, if happens { MANY } else { 0 })
            }
            Num::TurnNumber => (0, MANY),
            Num::Add(a, b) => {
                let (a, b) = pair(a, b);
                clip((a.0 + b.0, a.1 + b.1))
            }
            Num::Sub(a, b) => {
                let (a, b) = pair(a, b);
                clip((a.0 - b.1, a.1 - b.0))
            }
            Num::Mul(a, b) => {
                let (a, b) = pair(a, b);
                let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                clip((products.into_iter().min().unwrap_or(ANY.0), products.into_iter().max().unwrap_or(ANY.1)))
            }
            Num::SeenBy(who, inner) => self.num(inner, Scene { viewer: self.who(*who, scene), ..scene }),
        }
    }

    /// Whether a line gives steps of this act to pieces of these types.
    pub fn verb(&self, verb: &Verb, types: Option<&[TypeId]>) -> bool {
        let lines = || {
            let all = self.game.types.iter().enumerate();
            let all = all.filter(|(t, _)| types.is_none_or(|list| list.contains(&(*t as TypeId))));
            all.flat_map(|(_, ty)| &ty.clauses).map(|c| &self.game.clauses[*c as usize])
        };
        match verb {
            Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill => true,
            verb => lines().any(|clause| self.clause_is(clause, verb)),
        }
    }

    fn clause_is(&self, clause: &Clause, verb: &Verb) -> bool {
        let imitates = matches!(clause.generator, Generator::Imitate { .. });
        match verb {
            Verb::Move => !matches!(clause.generator, Generator::Drop { .. }),
            Verb::Drop => matches!(clause.generator, Generator::Drop { .. }),
            Verb::Capture => self.captures_by(clause),
            Verb::Step => imitates || matches!(clause.generator, Generator::Step { .. }),
            Verb::Slide => imitates || matches!(clause.generator, Generator::Slide { .. }),
            Verb::Leap => imitates || matches!(clause.generator, Generator::Leap { .. } | Generator::LeapAnywhere),
            Verb::Jump => imitates || matches!(clause.generator, Generator::Hop { captures: true, .. }),
            Verb::Hop => imitates || matches!(clause.generator, Generator::Hop { captures: false, .. }),
            Verb::Castle => matches!(clause.generator, Generator::Castle { .. }),
            Verb::Label(label) => clause.label == *label,
            Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill => false,
        }
    }

    /// Whether a step that a turn offers is of this act.
    pub fn acts(&self, verb: &Verb) -> bool {
        let fills = *verb == Verb::Fill && self.game.setup.fill.is_some();
        fills
            || any_act(self.game, &mut |act| match act {
                Act::Play { verb: offered, types, .. } => {
                    let all = self.game.types.iter().enumerate();
                    let all = all.filter(|(t, _)| types.as_ref().is_none_or(|list| list.contains(&(*t as TypeId))));
                    all.flat_map(|(_, ty)| &ty.clauses).any(|c| {
                        let clause = &self.game.clauses[*c as usize];
                        self.clause_is(clause, offered) && self.clause_is(clause, verb)
                    })
                }
                Act::Rotate { .. } => *verb == Verb::Rotate,
                Act::Choose { effect, .. } => match effect {
                    Chosen::Remove => *verb == Verb::Remove,
                    Chosen::Capture => *verb == Verb::Capture,
                    Chosen::Flip => *verb == Verb::Flip,
                },
                Act::Pass => *verb == Verb::Pass,
                Act::SwapSides => *verb == Verb::Swap,
            })
    }

    /// Whether a turn may offer a step by each of two lines of a type at once.
    pub fn offers_both(&self, t: TypeId, a: &Clause, b: &Clause) -> bool {
        let states = &self.game.turn.states;
        let mut known = vec![None; states.len()];
        (0..states.len()).any(|state| {
            self.offers(&Choice::Goto(state as u16), &mut known, &|act| match act {
                Act::Play { verb, types, .. } if types.as_ref().is_none_or(|list| list.contains(&t)) => {
                    usize::from(self.clause_is(a, verb)) | usize::from(self.clause_is(b, verb)) << 1
                }
                _ => 0,
            })[3]
        })
    }

    /// Which of two things a choice may offer at once: whether it can come to neither, the first, the second, both.
    fn offers(&self, choice: &Choice, known: &mut [Option<[bool; 4]>], of: &dyn Fn(&Act) -> usize) -> [bool; 4] {
        let just = |n: usize| std::array::from_fn(|i| i == n);
        let either = |a: [bool; 4], b: [bool; 4]| std::array::from_fn(|i| a[i] || b[i]);
        match choice {
            Choice::End => just(0),
            Choice::Do(act, _) => just(of(act)),
            Choice::Or(list) => list.iter().fold(just(0), |all, part| {
                let part = self.offers(part, known, of);
                std::array::from_fn(|i| (0..16).any(|n| ((n / 4) | (n % 4)) == i && all[n / 4] && part[n % 4]))
            }),
            Choice::OrElse(list) => list.iter().fold([false; 4], |all, part| either(all, self.offers(part, known, of))),
            Choice::Cases(cases) => {
                cases.iter().fold(just(0), |all, (_, part)| either(all, self.offers(part, known, of)))
            }
            Choice::Again(a, b) => either(self.offers(a, known, of), self.offers(b, known, of)),
            Choice::Goto(state) => {
                let state = *state as usize;
                if known[state].is_none() {
                    // A state that is reached from itself adds nothing to itself.
                    known[state] = Some(just(0));
                    known[state] = Some(self.offers(&self.game.turn.states[state], known, of));
                }
                known[state].unwrap_or(just(0))
            }
        }
    }

    /// Whether an effect may end a turn before its acts are done.
    pub fn ends_turns(&self) -> bool {
        let mut found = false;
        walk::game(self.game, &mut |node| found |= matches!(node, Node::Effect(Effect::EndTurn)));
        found
    }

    /// Whether the first piece on a ray may be what a line asks for.
    pub fn faces(&self, facing: Option<&Facing>, scene: Scene) -> bool {
        match facing {
            Some(Facing::Piece(set)) => !self.nothing(&self.set(set, scene).occupied()),
            Some(Facing::Nothing) | None => true,
        }
    }
}

impl May {
    /// Only the cells with pieces.
    pub fn occupied(self) -> May {
        May { empty: false, ..self }.less_sharp(Sharp::Contents)
    }

    /// Members of both.
    pub fn and(self, other: May) -> May {
        let mut kinds = self.kinds;
        kinds.iter_mut().zip(other.kinds).for_each(|(a, b)| *a &= b);
        let sharp = if self.sharp == other.sharp { self.sharp } else { Sharp::No };
        May { cells: self.cells.and(other.cells), empty: self.empty && other.empty, kinds, sharp }
    }

    fn less_sharp(self, most: Sharp) -> May {
        May { sharp: if self.sharp == most { most } else { Sharp::No }, ..self }
    }
}

/// What a comparison with a constant, or the question whether there is something, asks of a number.
pub(crate) fn bound(cond: &Cond) -> Option<(Num, Range)> {
    Some(match cond {
        Cond::Some(set) => (Num::Count(set.clone()), (1, MANY)),
        Cond::Compare(Num::Const(n), op, num) => {
            let n = i64::from(*n);
            let range = match op {
                Op::Eq => (n, n),
                Op::Lt => (n + 1, MANY),
                Op::Le => (n, MANY),
                Op::Gt => (ANY.0, n - 1),
                Op::Ge => (ANY.0, n),
            };
            (num.clone(), range)
        }
        Cond::Compare(num, op, Num::Const(n)) => {
            let n = i64::from(*n);
            let range = match op {
                Op::Eq => (n, n),
                Op::Lt => (ANY.0, n - 1),
                Op::Le => (ANY.0, n),
                Op::Gt => (n + 1, MANY),
                Op::Ge => (n, MANY),
            };
            (num.clone(), range)
        }
        Cond::Not(inner) => match (&**inner, bound(inner)?) {
            (_, (num, (low, high))) if high >= MANY => (num, (ANY.0, low - 1)),
            (_, (num, (low, high))) if low <= ANY.0 => (num, (high + 1, MANY)),
            _ => return None,
        },
        _ => return None,
    })
}

fn compare(a: Range, op: Op, b: Range) -> Truth {
    match op {
        Op::Lt => Truth { yes: a.0 < b.1, no: a.1 >= b.0 },
        Op::Le => Truth { yes: a.0 <= b.1, no: a.1 > b.0 },
        Op::Gt => Truth { yes: a.1 > b.0, no: a.0 <= b.1 },
        Op::Ge => Truth { yes: a.1 >= b.0, no: a.0 < b.1 },
        Op::Eq => Truth { yes: a.0 <= b.1 && b.0 <= a.1, no: a.0 != a.1 || b.0 != b.1 || a.0 != b.0 },
    }
}

fn cells_of(bits: Bits) -> impl Iterator<Item = Cell> {
    (0..(WORDS * 64) as Cell).filter(move |c| bits.has(*c))
}

/// The length of the longest line on the board.
fn longest(game: &Game) -> i32 {
    let cells = game.board.cells.len();
    let mut best = 1;
    for dir in &game.board.dirs {
        for first in 0..cells {
            // A line begins where nothing lies behind; a line without a beginning goes round.
            let begins = game.board.dirs[dir.opposite as usize].next[first].is_none();
            let mut long = 1;
            let mut at = first;
            while let (true, Some(next)) = (begins, dir.next[at]) {
                (at, long) = (next as usize, long + 1);
            }
            best = best.max(if begins { long } else { 1 });
        }
        if dir.next.iter().all(Option::is_some) {
            return i32::MAX;
        }
    }
    best
}

fn any_effect(effect: &Effect, f: &dyn Fn(&Effect) -> bool) -> bool {
    f(effect)
        || match effect {
            Effect::When(_, a, b) => a.iter().chain(b).any(|e| any_effect(e, f)),
            _ => false,
        }
}

fn any_act(game: &Game, f: &mut dyn FnMut(&Act) -> bool) -> bool {
    fn of(choice: &Choice, f: &mut dyn FnMut(&Act) -> bool) -> bool {
        match choice {
            Choice::End | Choice::Goto(_) => false,
            Choice::Do(act, _) => f(act),
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| of(p, f)),
            Choice::Cases(cases) => cases.iter().any(|(_, c)| of(c, f)),
            Choice::Again(a, b) => of(a, f) || of(b, f),
        }
    }
    game.turn.states.iter().any(|s| of(s, f))
}
