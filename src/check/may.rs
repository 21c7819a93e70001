//! What can be, whatever the players do: an estimate from above of what sets, conditions and numbers come to.
//!
//! Everything errs to one side. That a set may have members, a condition hold or a number lie in a range says nothing; that it
//! may not is certain. So what is found to be impossible can be told without a false alarm.

mod cells;
mod conditions;
mod course;
mod few;
mod flood;
mod numbers;
mod scene;
mod sets;
mod turns;

pub(crate) use cells::Bits;
pub(crate) use conditions::{Truth, bound};
pub(crate) use course::Bar;
pub(crate) use scene::Scene;
pub(crate) use sets::May;

use super::walk::{self, Node};
use crate::ir::piece::Clause;
use crate::ir::rule::{Change, Effect, HandItem};
use crate::ir::turn::{Act, Chosen};
use crate::ir::{Game, TypeId};
use cells::longest;
use numbers::{ANY, MANY, Range};
use scene::ROLES;
use std::cell::Cell as Counter;

/// Steps that one estimate may take; then everything is taken to be possible.
const BUDGET: u64 = 1_000_000;
/// Owners: the most players that a game may have, and nobody.
const OWNERS: usize = 9;
const NOBODY: usize = OWNERS - 1;

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
    /// For each player and type how many there may be at most.
    most: Vec<Vec<i64>>,
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
    /// Whether effects and chosen captures take pieces off.
    takes: bool,
    becomes: bool,
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
        let (mut flips, mut shifts, mut rotates, mut takes, mut becomes) = (false, false, false, false, false);
        walk::game(game, &mut |node| match node {
            Node::Effect(Effect::Flip(_)) | Node::Act(Act::Choose { effect: Chosen::Flip, .. }) => flips = true,
            Node::Effect(Effect::Displace { .. }) => shifts = true,
            Node::Effect(Effect::Capture(_) | Effect::Remove(_)) => takes = true,
            Node::Act(Act::Choose { effect: Chosen::Capture, .. }) => takes = true,
            Node::Effect(Effect::Become(..)) => becomes = true,
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
            most: Vec::new(),
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
            takes,
            becomes,
            all,
            line: longest(game),
            left: Counter::new(BUDGET),
        };
        out.most = (0..seats).map(|seat| out.numbers(seat)).collect();
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
                    out.most[owner][kind.piece as usize] = MANY;
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
        (0..seats * seats).any(|n| f(Scene::new(n / seats, n % seats)))
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
}
