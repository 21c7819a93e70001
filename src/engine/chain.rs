//! Chains: playouts of games in which a turn is plain moves of one piece, and only positions and quiet turns are counted.
//!
//! The acts of a turn come one before another (`jump then again or else step`): the first that is possible is done, and perhaps again by the same piece while it can.
//! As in a [lane](super::lane), nothing is drawn but a target, and everything else is resolved when the rules are prepared.

use super::Random;
use super::bits::{Bits, mix};
use super::core::{Core, Over, UNBOUNDED};
use super::effects::E;
use super::geometry::NONE;
use super::graph::{Act, Ch, StateKind};
use super::group::{Code, From, Groups, What};
use super::lane::{Resolver, Test};
use super::ops::{How, Land};
use super::rules::Rules;
use super::turn::Tried;
use crate::ir::MAX_STEPS;
use crate::ir::expr::{Cond, Num, Op as Comparison};
use crate::ir::rule::{TallyEvent, Whose};
use crate::ir::turn::Chooser;

/// What a chain needs, resolved for each seat.
pub struct Chain<B> {
    /// The acts, the first possible of which is done.
    links: Vec<Link<B>>,
    /// What each kind becomes where it promotes, and whether that ends the turn.
    promotions: Vec<Option<(u8, bool)>>,
    /// What ends each quiet run.
    quiets: Vec<Broken>,
    /// Results by mover, in order, and whether one for a player who cannot move comes before it.
    tests: [Vec<(Test<B>, bool)>; 2],
}

/// An act, and that which the same piece goes on with.
struct Link<B> {
    act: [Vec<Road<B>>; 2],
    again: Option<[Vec<Road<B>>; 2]>,
}

/// An operation of an act, for one seat.
struct Road<B> {
    kind: u8,
    /// Where a piece must stand.
    from: B,
    way: Way,
    /// Of a jump, the cells from which a step leads to another.
    open: B,
    code: Code,
}

/// How targets are found.
#[derive(Clone, Copy)]
enum Way {
    /// All pieces, by a distance.
    Step { delta: i32, land: Land },
    /// All pieces over enemies, by twice a distance.
    Jump { delta: i32 },
    /// Piece by piece, by the tables of an operation of an act.
    Reach { play: usize, op: usize },
}

/// What ends a quiet run: captures of these kinds, moves of these, as bits.
#[derive(Clone, Copy, Default)]
struct Broken {
    captured: u128,
    moved: u128,
}

/// The number by which a group is known to jump, in place of the state after it.
const JUMPS: u16 = 1;

impl<B: Bits> Chain<B> {
    /// The chain of a game, if its rules allow one.
    pub fn new<const K: usize, const M: usize>(rules: &Rules<B, K, M>) -> Option<Chain<B>> {
        let game = &*rules.game;
        let calm = rules.undisturbed
            && rules.always_legal()
            && rules.at_once.is_empty()
            && rules.prefer.is_empty()
            && !rules.facts.doubles
            && rules.layout.all_turned().next().is_none()
            && game.setup.fill.is_none()
            && game.marks.is_empty()
            && game.latches.is_empty()
            && game.unmoved_kinds.is_empty()
            && !game.reads_last_moved;
        calm.then_some(())?;
        let links = links(rules)?;
        let promotions = (0..game.kinds.len()).map(|k| promotion(rules, k)).collect::<Option<_>>()?;
        let quiets = game.quiets.iter().map(|q| broken(rules, &q.broken)).collect::<Option<_>>()?;
        let resolver = Resolver { game, geo: &rules.geo, layout: &rules.layout };
        let tests = |mover| {
            let mut stuck = false;
            let mut list = Vec::new();
            for (rule, result) in rules.results.iter().enumerate() {
                match result.only_if_stuck {
                    true => stuck = true,
                    false => list.push((resolver.test(rule, mover)?, stuck)),
                }
            }
            Some(list)
        };
        Some(Chain { links, promotions, quiets, tests: [tests(0)?, tests(1)?] })
    }
}

fn links<B: Bits, const K: usize, const M: usize>(rules: &Rules<B, K, M>) -> Option<Vec<Link<B>>> {
    let ends = |q: u16| rules.kinds_of_state[q as usize] == StateKind::Ends;
    let roads = |play: usize| {
        let all = &rules.plays[play];
        all.drops.is_empty().then_some(())?;
        let of = |s: usize| (0..all.ops.len()).map(|op| road(rules, play, op, s)).collect::<Option<Vec<_>>>();
        Some([of(0)?, of(1)?])
    };
    let again = |q: u16| match &rules.turn[q as usize] {
        Ch::Again(act, rest) if matches!(**rest, Ch::End) => match &**act {
            Ch::Do(Act::Play { play, chooser: Chooser::Same }, next) if *next == q => roads(*play),
            _ => None,
        },
        _ => None,
    };
    let link = |choice: &Ch<B>| match choice {
        Ch::Do(Act::Play { play, chooser: Chooser::Any }, next) => {
            let again = if ends(*next) { None } else { Some(again(*next)?) };
            Some(Link { act: roads(*play)?, again })
        }
        _ => None,
    };
    match rules.turn.first()? {
        Ch::OrElse(parts) => parts.iter().map(link).collect(),
        choice => Some(vec![link(choice)?]),
    }
}

/// An operation that needs nothing but empty cells and enemies, and does nothing but move and capture.
fn road<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    play: usize,
    op: usize,
    s: usize,
) -> Option<Road<B>> {
    let (number, op) = (op, &rules.plays[play].ops[op]);
    let clause = &rules.clauses[op.clause as usize];
    let from = op.from[s];
    let code = op.code[s].unpromoting();
    let road = |way| Road { kind: op.kind, from, way, open: B::EMPTY, code };
    op.lone.then_some(())?;
    match &op.how {
        How::Step { delta, land, .. } if clause.simple => Some(road(Way::Step { delta: delta[s], land: *land })),
        How::Reach { land: Some(_), .. } if clause.simple => Some(road(Way::Reach { play, op: number })),
        How::Take { delta, open } if clause.then.is_empty() => Some(Road {
            from: from & open[s],
            open: open[s],
            code: code.leading(JUMPS),
            ..road(Way::Jump { delta: delta[s] })
        }),
        _ => None,
    }
}

/// What a kind becomes, if it promotes; none if that is not settled by where it lands.
#[allow(clippy::option_option, reason = "whether it is settled, and whether it promotes")]
fn promotion<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    kind: usize,
) -> Option<Option<(u8, bool)>> {
    match &rules.promotions[rules.type_of[kind] as usize][..] {
        [] => Some(None),
        [p] => match (&p.to[..], &p.then[..]) {
            ([(to, None)], then) if !p.may && p.guards.is_empty() && then.iter().all(|e| matches!(e, E::EndTurn)) => {
                Some(Some((*to, !then.is_empty())))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What ends a quiet run, if that is told by what moved and what was captured.
fn broken<B: Bits, const K: usize, const M: usize>(rules: &Rules<B, K, M>, cond: &Cond) -> Option<Broken> {
    match cond {
        Cond::Any(parts) => parts.iter().try_fold(Broken::default(), |all, part| {
            let part = broken(rules, part)?;
            Some(Broken { captured: all.captured | part.captured, moved: all.moved | part.moved })
        }),
        Cond::Compare(Num::Tally(tally, _), Comparison::Ge, Num::Const(1)) => {
            let tally = &rules.game.tallies[*tally as usize];
            let every = (0..rules.type_of.len() as u8).collect();
            let kinds = tally.kinds.as_ref().unwrap_or(&every).iter().fold(0, |set, k| set | 1 << k);
            match (tally.event, tally.whose) {
                (TallyEvent::Captured, Whose::Anyone) => Some(Broken { captured: kinds, moved: 0 }),
                (TallyEvent::Moved, Whose::Anyone) => Some(Broken { captured: 0, moved: kinds }),
                _ => None,
            }
        }
        _ => None,
    }
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Plays on at random along a chain, for at most so many turns; returns how many were played, and of how many steps. The game is over, or the
    /// player to move cannot, or the turns are up, or the chain does not lead on from here.
    pub fn playout_in_chain(
        &self,
        chain: &Chain<B>,
        core: &mut Core<B, K, M>,
        history: &mut Vec<(u64, u64)>,
        rng: &mut Random,
        max_turns: u32,
    ) -> (u32, u32) {
        let ready = core.turn > 0
            && core.q == 0
            && core.fresh
            && core.own[2].is_empty()
            && core.over == Over::No
            && core.turn < u32::MAX - max_turns.min(u32::MAX / 2);
        if !ready {
            return (0, 0);
        }
        let mut groups = Groups::new();
        let (mut turns, mut steps) = (0, 0);
        while turns < max_turns {
            let side = core.side;
            let s = side as usize & 1;
            groups.clear();
            let link = chain.links.iter().find(|link| {
                self.list_roads(&link.act[s], core, core.own[s], &mut groups);
                groups.plain_steps() > 0
            });
            let Some(link) = link else { break };
            let mut broken = Broken::default();
            let mut done = 0;
            loop {
                let (kind, to, ends) = self.one_of(&groups, chain, core, rng, &mut broken);
                done += 1;
                let Some(again) = link.again.as_ref().filter(|_| !ends && done < MAX_STEPS as u32) else { break };
                groups.clear();
                self.list_roads(&again[s], core, B::bit(to) & core.sets[kind as usize], &mut groups);
                if groups.plain_steps() == 0 {
                    break;
                }
            }
            turns += 1;
            steps += done;
            core.slots[self.layout.passes()] = 0;
            for (i, quiet) in chain.quiets.iter().enumerate() {
                let slot = self.layout.quiet(i);
                let ended = quiet.captured & broken.captured | quiet.moved & broken.moved != 0;
                core.slots[slot] = if ended { 0 } else { core.slots[slot].saturating_add(1) };
            }
            let back = broken.captured == 0 || !self.facts.removals_last;
            core.since = if back { (core.since + 1).min(UNBOUNDED) } else { 0 };
            core.turn += 1;
            core.side ^= 1;
            if self.facts.repeats {
                let key = core.board_hash ^ core.slot_hash ^ mix(u64::from(core.side) + 7);
                history.push((key, core.board_hash));
            }
            let held = chain.tests[s].iter().find(|(test, _)| self.test_holds(&test.when, core, 0, history));
            if let Some((test, after_stuck)) = held {
                core.over = match *after_stuck && !self.has_turn(core, history) {
                    true => {
                        self.finish_stuck(core, history, Tried::None);
                        break;
                    }
                    false => Over::Yes { rule: test.rule, winner: self.test_winner(test, core) },
                };
                break;
            }
        }
        core.acted = B::EMPTY;
        core.last = NONE;
        (turns, steps)
    }

    /// Lists the moves of an act for these pieces.
    #[inline(always)]
    fn list_roads(&self, roads: &[Road<B>], core: &Core<B, K, M>, pieces: B, groups: &mut Groups<B>) {
        let lands = self.lands(core, core.side);
        let [empty, enemies, _] = lands;
        for road in roads {
            let pieces = pieces & core.sets[road.kind as usize] & road.from;
            let targets = match road.way {
                Way::Step { delta, land } => pieces.shift(delta) & lands[land as usize],
                Way::Jump { delta } => (pieces.shift(delta) & enemies & road.open).shift(delta) & empty,
                Way::Reach { play, op } => {
                    let How::Reach { leaps, sliders, land: Some(land) } = &self.plays[play].ops[op].how else {
                        continue;
                    };
                    let s = core.side as usize & 1;
                    for cell in pieces.cells() {
                        let reached = self.reaches(leaps, sliders, s, cell, self.geo.all.minus(empty));
                        let targets = reached & lands[*land as usize];
                        if targets.any() {
                            groups.push(targets, road.code.starting(cell));
                        }
                    }
                    continue;
                }
            };
            if targets.any() {
                groups.push(targets, road.code);
            }
        }
    }

    /// Draws a move and makes it. Gives the kind that has come to a cell, the cell, and whether that ends the turn.
    #[inline(always)]
    fn one_of(
        &self,
        groups: &Groups<B>,
        chain: &Chain<B>,
        core: &mut Core<B, K, M>,
        rng: &mut Random,
        broken: &mut Broken,
    ) -> (u8, usize, bool) {
        let side = core.side;
        let s = side as usize & 1;
        let k = rng.below(groups.plain_steps());
        let mut before = 0;
        let mut found = &groups[0];
        for group in groups.iter() {
            found = group;
            if k < group.upto {
                break;
            }
            before = group.upto;
        }
        let to = found.targets.nth(k - before);
        let (mut kind, from) = match found.code.what() {
            What::Play { kind, from: From::Cell(cell), .. } => (kind, cell as usize),
            What::Play { kind, from, .. } => (kind, self.origin(from, to) as usize),
            _ => (0, to),
        };
        let victim = match found.code.next() {
            JUMPS => (from + to) / 2,
            _ => to,
        };
        if core.own[1 - s].has(victim) {
            let taken = core.kind_at(victim);
            core.own[1 - s] ^= B::bit(victim);
            core.sets[taken as usize] ^= B::bit(victim);
            self.note(core, 1 - side, taken, victim);
            broken.captured |= 1 << taken;
        }
        broken.moved |= 1 << kind;
        core.own[s] ^= B::bit(from) | B::bit(to);
        core.sets[kind as usize] ^= B::bit(from);
        self.note(core, side, kind, from);
        let mut ends = false;
        if let Some((new, last)) = chain.promotions[kind as usize]
            && self.promotes[kind as usize][s].has(to)
        {
            (kind, ends) = (new, last);
        }
        core.sets[kind as usize] ^= B::bit(to);
        self.note(core, side, kind, to);
        (kind, to, ends)
    }
}
