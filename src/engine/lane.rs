//! Lanes: playouts of games in which a turn is one plain step and nothing is remembered.
//!
//! Where the rules allow it, and from the turn on from which they do, a random game is played without what other games need: no state of the turn, no steps to
//! choose one from, no legality, no books. All that depends on the player is resolved when the rules are prepared ([`super::resolved`]), and
//! where pieces only enter, the board is [filled](super::fill).
//! Tests hold each turn of a playout against the turns that the way round lists.

use super::Random;
use super::bits::Bits;
use super::core::{Core, Over};
use super::eval::At;
use super::fill::{Fill, fill};
use super::geometry::Fan;
use super::graph::StateKind;
use super::group::{Code, From, Groups, What};
use super::ops::How;
use super::resolved::{Cells, Resolver, Stock, Test, Whose};
use super::rules::Rules;
use crate::ir::expr::{Cond, Num, Op, Role, Set};
use crate::ir::piece::Generator;
use crate::ir::rule::Effect;
use crate::ir::turn::{Act, Choice, Chooser};

/// What a lane needs, resolved for each seat.
pub struct Lane<B> {
    /// From this turn on.
    from_turn: u32,
    /// The act, one of [`Rules::plays`].
    play: usize,
    /// Who cannot act passes.
    passes: bool,
    /// What may be dropped.
    entries: Vec<Entry<B>>,
    /// Results by mover, in order.
    tests: [Vec<Test<B>>; 2],
    /// Pieces only enter, all of one kind; results are full boards, connections, and lines of so many.
    fills: Option<Fill<B>>,
}

/// A drop.
pub(super) struct Entry<B> {
    /// What.
    pub kind: u8,
    /// Where, per seat, besides being empty.
    pub on: [Vec<Cells<B>>; 2],
    /// What it turns over, per seat: runs from the cell in these directions.
    pub flips: [Vec<Run<B>>; 2],
}

/// Cells between a piece and another.
pub(super) struct Run<B> {
    what: Stock<B>,
    to: Stock<B>,
    fan: Fan<B>,
}

impl<B: Bits> Lane<B> {
    /// The lane of a game, if its rules allow one.
    pub fn new<const K: usize, const M: usize>(rules: &Rules<B, K, M>) -> Option<Lane<B>> {
        let game = &*rules.game;
        let calm = rules.calm_moves
            && rules.calm_ends
            && rules.undisturbed
            && rules.always_legal()
            && rules.at_once.is_empty()
            && rules.prefer.is_empty()
            && game.setup.fill.is_none();
        calm.then_some(())?;
        let resolver = Resolver { game, geo: &rules.geo, layout: &rules.layout };
        let (from_turn, act, next, passes) = only_act(&game.turn.states[0])?;
        let Act::Play { chooser: Chooser::Any, verb, types } = act else { return None };
        let types = types.as_ref().map(|t| t.iter().fold(0_u128, |m, t| m | 1 << t));
        let play = rules.plays.iter().position(|p| p.verb == rules.verbs.bit(verb) && p.types == types)?;
        let plays = &rules.plays[play];
        let plain = plays.ops.iter().all(|op| {
            let listed = matches!(op.how, How::Step { .. } | How::Reach { land: Some(_), .. });
            op.lone && listed && !op.promotes && rules.clauses[op.clause as usize].simple
        });
        (plain && rules.kinds_of_state[next as usize] == StateKind::Ends).then_some(())?;
        let entries = plays.drops.iter().map(|d| entry(rules, &resolver, d.clause)).collect::<Option<Vec<_>>>()?;
        let distinct = (1..entries.len()).all(|i| entries[..i].iter().all(|e| e.kind != entries[i].kind));
        distinct.then_some(())?;
        // results for a player who cannot move come last, and are left to the way round
        let stuck = rules.results.iter().position(|r| r.only_if_stuck).unwrap_or(rules.results.len());
        rules.results[stuck..].iter().all(|r| r.only_if_stuck).then_some(())?;
        let tests = |mover| (0..stuck).map(|rule| resolver.test(rule, mover)).collect::<Option<Vec<_>>>();
        let tests = [tests(0)?, tests(1)?];
        let fills = match &entries[..] {
            [entry] if plays.ops.is_empty() && !passes => fill(rules, entry, &tests),
            _ => None,
        };
        Some(Lane { from_turn, play, passes, entries, tests, fills })
    }
}

/// The turn from which on a choice offers only one act, that act, and whether who cannot do it passes.
fn only_act(choice: &Choice) -> Option<(u32, &Act, u16, bool)> {
    match choice {
        Choice::Do(act, next) => Some((0, act, *next, false)),
        Choice::OrElse(parts) => match &parts[..] {
            [first, Choice::Do(Act::Pass, _)] => {
                let (turn, act, next, _) = only_act(first)?;
                Some((turn, act, next, true))
            }
            _ => None,
        },
        Choice::Or(parts) => {
            let (mut turn, mut found) = (0, None);
            for part in parts {
                match over_after(part) {
                    Some(n) => turn = turn.max(n + 1),
                    None if found.is_none() => found = Some(only_act(part)?),
                    None => return None,
                }
            }
            let (t, act, next, passes) = found?;
            Some((turn.max(t), act, next, passes))
        }
        _ => None,
    }
}

/// The turn after which a choice offers nothing any more.
fn over_after(choice: &Choice) -> Option<u32> {
    fn last(cond: &Cond) -> Option<u32> {
        match cond {
            Cond::Compare(Num::TurnNumber, Op::Eq | Op::Le, Num::Const(n)) => u32::try_from(*n).ok(),
            Cond::All(parts) => parts.iter().find_map(last),
            _ => None,
        }
    }
    match choice {
        Choice::Cases(cases) => cases.iter().map(|(c, _)| last(c)).try_fold(0, |t, n| Some(t.max(n?))),
        _ => None,
    }
}

fn entry<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    resolver: &Resolver<B>,
    clause: u16,
) -> Option<Entry<B>> {
    let (clause, ready) = (&rules.game.clauses[clause as usize], &rules.clauses[clause as usize]);
    let Generator::Drop { kinds } = &clause.generator else { return None };
    let [kind] = kinds[..] else { return None };
    let t = rules.type_of[kind as usize];
    let free = rules.layout.hand(0, t).is_none()
        && !rules.neutral[t as usize]
        && clause.target == Set::Empty
        && clause.within.is_none()
        && clause.from.is_none()
        && clause.once.is_none()
        && !ready.label;
    free.then_some(())?;
    let seen = |seat| At::mover(seat, &[]);
    let on = |seat| clause.guards.iter().map(|g| resolver.lifted(g, seen(seat))).collect::<Option<Vec<_>>>();
    let flips = |seat: u8| {
        let run = |e: &Effect| match e {
            Effect::Flip(Set::Runs { what, from, to, dirs, exactly: None })
                if matches!(**from, Set::Role(Role::Here | Role::This)) =>
            {
                Some(Run {
                    what: resolver.stock(what, seen(seat)).filter(|s| s.whose == Whose::Seat(1 - (seat & 1)))?,
                    to: resolver.stock(to, seen(seat))?,
                    fan: rules.geo.fan(dirs.get(seat as usize)?)?,
                })
            }
            _ => None,
        };
        clause.then.iter().map(run).collect::<Option<Vec<_>>>()
    };
    Some(Entry { kind, on: [on(0)?, on(1)?], flips: [flips(0)?, flips(1)?] })
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Plays on at random while the lane goes, for at most so many turns; returns how many were played. The game is over, or cannot go on, or the turns are up,
    /// or the lane does not lead on from here.
    pub fn playout_in_lane(&self, lane: &Lane<B>, core: &mut Core<B, K, M>, rng: &mut Random, max_turns: u32) -> u32 {
        if core.turn < lane.from_turn || !core.ready(max_turns) {
            return 0;
        }
        let turns = match &lane.fills {
            Some(fill) if !self.already_decided(lane, core) => {
                self.fill_up(&lane.entries[0], fill, core, rng, max_turns)
            }
            _ => self.run_lane(lane, core, rng, max_turns),
        };
        core.acted = B::EMPTY;
        core.last = super::geometry::NONE;
        turns
    }

    /// Whether a result holds already, for either player as mover.
    fn already_decided(&self, lane: &Lane<B>, core: &Core<B, K, M>) -> bool {
        let begun = (core.own[0] | core.own[1]).any();
        begun && (0..2).any(|mover| lane.tests[mover].iter().any(|t| self.test_holds(&t.when, core, 0, &[])))
    }

    fn run_lane(&self, lane: &Lane<B>, core: &mut Core<B, K, M>, rng: &mut Random, max_turns: u32) -> u32 {
        let plays = &self.plays[lane.play];
        let mut groups = Groups::new();
        // a drop of one kind needs no groups
        let single = lane.entries.first().filter(|_| plays.ops.is_empty() && lane.entries.len() == 1);
        let mut only = B::EMPTY;
        let mut passes = core.slots[self.layout.passes()];
        let mut turns = 0;
        while turns < max_turns {
            let s = core.side as usize & 1;
            let (own, enemies) = (core.own[s], core.own[1 - s]);
            let occupied = own | enemies;
            let empty = self.geo.all.minus(occupied);
            let capturable = match self.uncapturable.is_empty() {
                true => enemies,
                false => enemies.minus(self.kinds(core, &self.uncapturable)),
            };
            let lands = [empty, capturable, empty | capturable];
            groups.clear();
            for op in &plays.ops {
                let pieces = own & core.sets[op.kind as usize] & op.from[s];
                match &op.how {
                    How::Step { delta, land, .. } => {
                        let targets = pieces.shift(delta[s]) & lands[*land as usize];
                        if targets.any() {
                            groups.push(targets, op.code[s]);
                        }
                    }
                    How::Reach { leaps, sliders, land: Some(land) } => {
                        for cell in pieces.cells() {
                            let targets = self.reaches(leaps, sliders, s, cell, occupied) & lands[*land as usize];
                            if targets.any() {
                                groups.push(targets, op.code[s].starting(cell));
                            }
                        }
                    }
                    _ => {}
                }
            }
            let targets = |entry: &Entry<B>, core: &Core<B, K, M>| {
                entry.on[s].iter().fold(empty, |set, on| set & self.entered(on, core))
            };
            let total = match single {
                Some(entry) => {
                    only = targets(entry, core);
                    only.count()
                }
                None => {
                    for (i, entry) in lane.entries.iter().enumerate() {
                        let targets = targets(entry, core);
                        if targets.any() {
                            groups.push(targets, Code::new(What::Drop { clause: i as u16, kind: entry.kind }, 0));
                        }
                    }
                    groups.plain_steps()
                }
            };
            if total == 0 {
                if !lane.passes {
                    break;
                }
                // drawn from one, as on the way round
                rng.below(1);
                passes += 1;
            } else if let Some(entry) = single {
                self.place(entry, core, s, only.nth(rng.below(total)));
                passes = 0;
            } else {
                let mut k = rng.below(total);
                for group in groups.iter() {
                    let n = group.targets.count();
                    if k >= n {
                        k -= n;
                        continue;
                    }
                    let to = group.targets.nth(k);
                    match group.code.what() {
                        What::Play { kind, from, .. } => {
                            let from = match from {
                                From::Cell(cell) => cell,
                                _ => self.origin(from, to),
                            };
                            let (start, end) = (B::bit(from as usize), B::bit(to));
                            if (enemies & end).any() {
                                let victim = core.kind_at(to);
                                core.own[1 - s] ^= end;
                                core.sets[victim as usize] ^= end;
                            }
                            core.own[s] ^= start | end;
                            core.sets[kind as usize] ^= start | end;
                        }
                        What::Drop { clause, .. } => self.place(&lane.entries[clause as usize], core, s, to),
                        _ => {}
                    }
                    break;
                }
                passes = 0;
            }
            turns += 1;
            core.turn += 1;
            core.side ^= 1;
            for test in &lane.tests[s] {
                if self.test_holds(&test.when, core, passes, &[]) {
                    core.over = Over::Yes { rule: test.rule, winner: self.test_winner(test, core) };
                    core.slots[self.layout.passes()] = passes;
                    return turns;
                }
            }
        }
        core.slots[self.layout.passes()] = passes;
        turns
    }

    /// Drops a piece, and turns over what its entry says.
    #[inline(always)]
    fn place(&self, entry: &Entry<B>, core: &mut Core<B, K, M>, s: usize, to: usize) {
        core.own[s] |= B::bit(to);
        core.sets[entry.kind as usize] |= B::bit(to);
        for run in &entry.flips[s] {
            let (what, stop) = (self.stocked(&run.what, core), self.stocked(&run.to, core));
            let flipped = run.fan.runs(to, what, stop);
            core.own[s] |= flipped;
            core.own[1 - s] = core.own[1 - s].minus(flipped);
        }
    }
}
