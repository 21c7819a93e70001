//! Chains: playouts of games in which nearly all turns are plain moves of one piece, and only positions and quiet turns are counted.
//!
//! The acts of a turn come one before another (`jump then again or else step`): the first that is possible is done, and perhaps again by the same piece while it can.
//! As in a [lane](super::lane), nothing is drawn but a target, and what is counted is resolved when the rules are prepared. Moves that are not plain, as a castling or
//! one that leaves a mark, are drawn along with the others and go the main road. Where a royal must not be left attacked, a plain move is made, and taken back if it is.

use super::Random;
use super::bits::Bits;
use super::clause::Target;
use super::core::{Core, Over, UNBOUNDED};
use super::effects::E;
use super::geometry::NONE;
use super::graph::{Act, Ch, StateKind};
use super::group::{Code, From, Groups, What};
use super::ops::{How, Land};
use super::resolved::{Resolver, Test, When};
use super::rules::Rules;
use super::turn::{Tried, side_key};
use crate::ir::MAX_STEPS;
use crate::ir::expr::{Cond, Num, Op as Comparison};
use crate::ir::rule::{TallyEvent, Whose};
use crate::ir::turn::Chooser;
use std::ops::Range;

/// What a chain needs, resolved for each seat.
pub struct Chain<B> {
    /// The acts, the first possible of which is done.
    links: Vec<Link<B>>,
    /// What each kind becomes where it promotes.
    promotions: Vec<Becomes>,
    /// What ends each quiet run.
    quiets: Vec<Broken>,
    /// Results by mover, in order.
    tests: [Vec<Gated<B>>; 2],
    /// No royal may be left attacked.
    safety: bool,
    /// Attacks on one are a matter of geometry alone.
    geometry: bool,
    /// The sets of marked cells.
    marks: Range<usize>,
    /// All moves are single steps and jumps, plain and allowed, and a position is no more than what stands where.
    plain: bool,
}

/// A result.
struct Gated<B> {
    test: Test<B>,
    /// What must hold besides of the pieces on the board, wherever they stand.
    stock: Vec<When<B>>,
    /// A result for a player who cannot move comes before it.
    after_stuck: bool,
}

/// What a kind becomes where it promotes.
#[derive(Clone, Copy)]
enum Becomes {
    Nothing,
    /// A kind; and whether that ends the turn.
    Kind(u8, bool),
    /// That is chosen, or depends on the position.
    Open,
}

/// An act, and that which the same piece goes on with.
struct Link<B> {
    act: [Vec<Strand<B>>; 2],
    again: Option<[Vec<Strand<B>>; 2]>,
    /// Which of the acts it is, its other operations, and the state after them.
    play: usize,
    others: Vec<usize>,
    next: u16,
}

/// An operation of an act, for one seat.
struct Strand<B> {
    kind: u8,
    /// Where a piece must stand.
    from: B,
    way: Way,
    /// Of a way of several steps, the cells from which a step leads to another.
    open: B,
    /// Where it is not settled what becomes of the piece.
    unsettled: B,
    code: Code,
}

impl<B: Bits> Strand<B> {
    /// Its moves are made without the main road.
    fn settled(&self) -> bool {
        self.unsettled.is_empty() && !matches!(self.way, Way::Far { .. })
    }
}

/// How targets are found.
#[derive(Clone, Copy)]
enum Way {
    /// All pieces, by a distance.
    Step { delta: i32, land: Land },
    /// All pieces over enemies, by twice a distance.
    Jump { delta: i32 },
    /// All pieces, over empty cells by so many times a distance; the moves go the main road.
    Far { delta: i32, steps: u16, land: Land },
    /// Piece by piece, by the tables of an operation of an act.
    Reach { play: usize, op: usize },
}

/// What has happened in a turn, or ends a quiet run: captures of these kinds, moves of these, as bits.
#[derive(Clone, Copy, Default)]
struct Broken {
    captured: u128,
    moved: u128,
    /// A piece has become another.
    changed: bool,
}

/// The number by which a group is known to jump, in place of the state after it.
const JUMPS: u16 = 1;

/// Results, at most: one bit is kept of each.
const RIPE: usize = 32;

/// So many drawn moves may leave the royal attacked before the legal ones are listed.
const TRIES: u32 = 8;

impl<B: Bits> Chain<B> {
    /// The chain of a game, if its rules allow one.
    pub fn new<const K: usize, const M: usize>(rules: &Rules<B, K, M>) -> Option<Chain<B>> {
        let game = &*rules.game;
        let safety = rules.facts.pins && rules.forbid_turns.len() == 1;
        let calm = rules.undisturbed
            && (safety || rules.always_legal())
            && rules.at_once.is_empty()
            && rules.prefer.is_empty()
            && !rules.facts.doubles
            && rules.layout.all_turned().next().is_none()
            && game.setup.fill.is_none()
            && game.latches.is_empty()
            && !game.reads_last_moved;
        calm.then_some(())?;
        let promotions: Vec<Becomes> = (0..game.kinds.len()).map(|k| promotion(rules, k)).collect();
        let links = links(rules, &promotions)?;
        // which act comes first would hang on what is legal
        (!safety || links.len() == 1).then_some(())?;
        let quiets = game.quiets.iter().map(|q| broken(rules, &q.broken)).collect::<Option<_>>()?;
        let resolver = Resolver { game, geo: &rules.geo, layout: &rules.layout };
        let tests = |mover| {
            let mut after_stuck = false;
            let mut list = Vec::new();
            for (rule, result) in rules.results.iter().enumerate() {
                if result.only_if_stuck {
                    after_stuck = true;
                    continue;
                }
                let mut test = resolver.test(rule, mover)?;
                let mut stock = Vec::new();
                if let When::All(parts) = &mut test.when {
                    stock = parts.extract_if(.., |part| part.by_stock(rules.geo.all)).collect();
                }
                list.push(Gated { test, stock, after_stuck });
            }
            (list.len() <= RIPE).then_some(list)
        };
        let (tests, marks) = ([tests(0)?, tests(1)?], rules.layout.marks());
        let by_steps = |strand: &Strand<B>| strand.settled() && !matches!(strand.way, Way::Reach { .. });
        let settled = |link: &Link<B>| link.act.iter().chain(link.again.iter().flatten()).flatten().all(by_steps);
        let geometry = rules.threats.others.is_empty()
            && rules.bar_pairs.is_empty()
            && !rules.facts.asks_within
            && rules.royals.iter().all(|k| rules.barred_from[*k as usize].is_empty());
        let plain = !safety
            && marks.is_empty()
            && game.unmoved_kinds.is_empty()
            && links.iter().all(|link| link.others.is_empty() && settled(link));
        Some(Chain { links, promotions, quiets, tests, safety, geometry, marks, plain })
    }
}

fn links<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    promotions: &[Becomes],
) -> Option<Vec<Link<B>>> {
    let ends = |q: u16| rules.kinds_of_state[q as usize] == StateKind::Ends;
    let strands = |play: usize, next: u16| {
        let all = &rules.plays[play];
        let strand = |op: usize, s: usize| strand(rules, promotions, play, op, s, next);
        let both = |op: usize| strand(op, 0).is_some() && strand(op, 1).is_some();
        let of = |s: usize| {
            let whole = (0..all.ops.len()).filter(|op| both(*op));
            whole.filter_map(|op| strand(op, s)).collect::<Vec<_>>()
        };
        // no cell is marked as long as a chain goes on
        let others = (0..all.ops.len()).filter(|op| !both(*op) && all.ops[*op].mark.is_none());
        all.drops.is_empty().then(|| ([of(0), of(1)], others.collect::<Vec<_>>()))
    };
    let again = |q: u16| match &rules.turn[q as usize] {
        Ch::Again(act, rest) if matches!(**rest, Ch::End) => match &**act {
            Ch::Do(Act::Play { play, chooser: Chooser::Same }, next) if *next == q => strands(*play, q),
            _ => None,
        },
        _ => None,
    };
    let link = |choice: &Ch<B>| match choice {
        Ch::Do(Act::Play { play, chooser: Chooser::Any }, next) => {
            let (act, others) = strands(*play, *next)?;
            if ends(*next) {
                return Some(Link { act, again: None, play: *play, others, next: *next });
            }
            // turns that go on are made of plain moves only
            let (again, more) = again(*next)?;
            let settled = |act: &[Vec<Strand<B>>; 2]| act.iter().flatten().all(Strand::settled);
            let plain = others.is_empty() && more.is_empty() && settled(&act) && settled(&again);
            plain.then_some(Link { act, again: Some(again), play: *play, others, next: *next })
        }
        _ => None,
    };
    match rules.turn.first()? {
        Ch::OrElse(parts) => parts.iter().map(link).collect(),
        choice => Some(vec![link(choice)?]),
    }
}

/// An operation that needs nothing but empty cells and enemies, and does nothing but move and capture.
fn strand<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    promotions: &[Becomes],
    play: usize,
    op: usize,
    s: usize,
    next: u16,
) -> Option<Strand<B>> {
    let (number, op) = (op, &rules.plays[play].ops[op]);
    let clause = &rules.clauses[op.clause as usize];
    let unsettled = match promotions[op.kind as usize] {
        Becomes::Open => rules.promotes[op.kind as usize][s],
        Becomes::Nothing | Becomes::Kind(..) => B::EMPTY,
    };
    let strand = |way| Strand {
        kind: op.kind,
        from: op.from[s],
        way,
        open: B::EMPTY,
        unsettled,
        code: op.code[s].unpromoting(),
    };
    op.lone.then_some(())?;
    match &op.how {
        How::Step { delta, land, .. } if clause.simple => Some(strand(Way::Step { delta: delta[s], land: *land })),
        How::Reach { land: Some(_), .. } if clause.simple => Some(strand(Way::Reach { play, op: number })),
        How::Take { delta, open } if clause.then.is_empty() => Some(Strand {
            from: op.from[s] & open[s],
            open: open[s],
            code: op.code[s].unpromoting().leading(JUMPS),
            ..strand(Way::Jump { delta: delta[s] })
        }),
        How::Shift { dir, steps } if op.plain => {
            let (delta, open) = rules.geo.regular(dir[s])?;
            let land = match clause.target {
                Target::Empty => Land::Empty,
                Target::Enemy => Land::Enemy,
                Target::Default => Land::Either,
                Target::Set(_) | Target::Tried(_) => return None,
            };
            Some(Strand {
                from: op.from[s] & open,
                open,
                code: op.code[s].leading(next),
                ..strand(Way::Far { delta, steps: *steps, land })
            })
        }
        _ => None,
    }
}

/// What a kind becomes, as far as that is settled by where it lands.
fn promotion<B: Bits, const K: usize, const M: usize>(rules: &Rules<B, K, M>, kind: usize) -> Becomes {
    match &rules.promotions[rules.type_of[kind] as usize][..] {
        [] => Becomes::Nothing,
        [p] => match (&p.to[..], &p.then[..]) {
            ([(to, None)], then) if !p.may && p.guards.is_empty() && then.iter().all(|e| matches!(e, E::EndTurn)) => {
                Becomes::Kind(*to, !then.is_empty())
            }
            _ => Becomes::Open,
        },
        _ => Becomes::Open,
    }
}

/// What ends a quiet run, if that is told by what moved and what was captured.
fn broken<B: Bits, const K: usize, const M: usize>(rules: &Rules<B, K, M>, cond: &Cond) -> Option<Broken> {
    match cond {
        Cond::Any(parts) => parts.iter().try_fold(Broken::default(), |all, part| {
            let part = broken(rules, part)?;
            Some(Broken { captured: all.captured | part.captured, moved: all.moved | part.moved, ..all })
        }),
        Cond::Compare(Num::Tally(tally, _), Comparison::Ge, Num::Const(1)) => {
            let tally = &rules.game.tallies[*tally as usize];
            let every = (0..rules.type_of.len() as u8).collect();
            let kinds = tally.kinds.as_ref().unwrap_or(&every).iter().fold(0, |set, k| set | 1 << k);
            match (tally.event, tally.whose) {
                (TallyEvent::Captured, Whose::Anyone) => Some(Broken { captured: kinds, ..Broken::default() }),
                (TallyEvent::Moved, Whose::Anyone) => Some(Broken { moved: kinds, ..Broken::default() }),
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
        match (core.ready(max_turns), chain.plain) {
            (false, _) => (0, 0),
            (true, true) => self.link_by_link::<true>(chain, core, history, rng, max_turns),
            (true, false) => self.link_by_link::<false>(chain, core, history, rng, max_turns),
        }
    }

    /// The same where the chain leads on; with `PLAIN` as [`Chain::plain`] says.
    fn link_by_link<const PLAIN: bool>(
        &self,
        chain: &Chain<B>,
        core: &mut Core<B, K, M>,
        history: &mut Vec<(u64, u64)>,
        rng: &mut Random,
        max_turns: u32,
    ) -> (u32, u32) {
        let marked = |core: &Core<B, K, M>| !PLAIN && core.sets[chain.marks.clone()].iter().any(|m| m.any());
        let (mut stale, mut ripe) = ([true; 2], [0_u32; 2]);
        let (mut groups, mut rest) = (Groups::new(), Groups::new());
        let (mut turns, mut steps) = (0, 0);
        'turns: while turns < max_turns && !marked(core) {
            let s = core.side as usize & 1;
            groups.clear();
            rest.clear();
            let link = chain.links.iter().find(|link| {
                self.list_strands::<PLAIN>(&link.act[s], core, core.own[s], &mut groups, &mut rest);
                if !PLAIN {
                    self.list_others(link, core, history, &mut rest);
                }
                groups.plain_steps() > 0 || !PLAIN && !rest.is_empty()
            });
            let Some(link) = link else { break };
            let more = if PLAIN || rest.is_empty() { 0 } else { self.count_steps(&rest, core, history) };
            let (mut broken, mut done, mut tries) = (Broken::default(), 0, 0);
            loop {
                let k = rng.below(groups.plain_steps() + more);
                let moved = match k.checked_sub(groups.plain_steps()) {
                    None => self.go::<PLAIN>(&groups, k, chain, core, history, &mut broken),
                    Some(k) => {
                        let (step, before) = (self.nth_step(&rest, core, history, k), *core);
                        core.altered = [true; 2];
                        stale = [true; 2];
                        if self.advance(core, step, !chain.safety, history) {
                            self.end_turn(core, history);
                            (turns, steps) = (turns + 1, steps + 1);
                            match core.over {
                                Over::No => continue 'turns,
                                Over::Yes { .. } => break 'turns,
                            }
                        }
                        *core = before;
                        None
                    }
                };
                let Some((kind, to, ends)) = moved else {
                    tries += 1;
                    if tries == TRIES {
                        break 'turns;
                    }
                    continue;
                };
                done += 1;
                let Some(again) = link.again.as_ref().filter(|_| !ends && done < MAX_STEPS as u32) else { break };
                groups.clear();
                self.list_strands::<PLAIN>(
                    &again[s],
                    core,
                    B::bit(to) & core.sets[kind as usize],
                    &mut groups,
                    &mut rest,
                );
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
                let key = match PLAIN || core.unmoved.is_empty() && !marked(core) {
                    true => core.board_hash ^ core.slot_hash ^ side_key(core.side),
                    false => self.key_with_side(core, core.side),
                };
                history.push((key, core.board_hash));
            }
            if broken.captured != 0 || broken.changed {
                stale = [true; 2];
            }
            let anew = std::mem::replace(&mut stale[s], false);
            let held = chain.tests[s].iter().enumerate().find(|(i, Gated { test, stock, .. })| {
                if anew && !stock.is_empty() {
                    let holds = stock.iter().all(|part| self.test_holds(part, core, 0, history));
                    ripe[s] = ripe[s] & !(1 << i) | u32::from(holds) << i;
                }
                (stock.is_empty() || ripe[s] >> i & 1 != 0) && self.test_holds(&test.when, core, 0, history)
            });
            if let Some((_, Gated { test, after_stuck, .. })) = held {
                match *after_stuck && !self.has_turn(core, history) {
                    true => self.finish_stuck(core, history, Tried::None),
                    false => core.over = Over::Yes { rule: test.rule, winner: self.test_winner(test, core) },
                }
                break;
            }
        }
        core.acted = B::EMPTY;
        core.last = NONE;
        (turns, steps)
    }

    /// Lists the plain moves of an act for these pieces; in `rest` those that promote to what is not settled.
    #[inline(always)]
    fn list_strands<const PLAIN: bool>(
        &self,
        strands: &[Strand<B>],
        core: &Core<B, K, M>,
        pieces: B,
        groups: &mut Groups<B>,
        rest: &mut Groups<B>,
    ) {
        let lands = self.lands(core, core.side);
        let [empty, enemies, _] = lands;
        for strand in strands {
            let pieces = pieces & core.sets[strand.kind as usize] & strand.from;
            let targets = match strand.way {
                Way::Step { delta, land } => pieces.shift(delta) & lands[land as usize],
                Way::Jump { delta } => (pieces.shift(delta) & enemies & strand.open).shift(delta) & empty,
                Way::Far { .. } | Way::Reach { .. } if PLAIN => continue,
                Way::Far { delta, steps, land } => {
                    let next = (1..steps).fold(pieces, |at, _| at.shift(delta) & empty & strand.open);
                    let targets = next.shift(delta) & lands[land as usize];
                    if targets.any() {
                        let promotes = self.promotes[strand.kind as usize][core.side as usize & 1];
                        let plain = (targets & promotes).is_empty();
                        rest.push(targets, if plain { strand.code.unpromoting() } else { strand.code });
                    }
                    continue;
                }
                Way::Reach { play, op } => {
                    let How::Reach { leaps, sliders, land: Some(land) } = &self.plays[play].ops[op].how else {
                        continue;
                    };
                    let s = core.side as usize & 1;
                    let mut list = |cell: usize, reached: B| {
                        let targets = reached & lands[*land as usize];
                        list_strand::<B, PLAIN>(strand, targets, strand.code.starting(cell), groups, rest);
                    };
                    let occupied = self.geo.all.minus(empty);
                    match (leaps, sliders) {
                        (Some(leaps), None) => pieces.cells().for_each(|cell| list(cell, leaps[s][cell])),
                        (None, Some(sliders)) => {
                            pieces.cells().for_each(|cell| list(cell, self.geo.slides(&sliders[s], cell, occupied)));
                        }
                        _ => pieces.cells().for_each(|c| list(c, self.reaches(leaps, sliders, s, c, occupied))),
                    }
                    continue;
                }
            };
            list_strand::<B, PLAIN>(strand, targets, strand.code, groups, rest);
        }
    }

    /// Lists the other moves of an act.
    #[inline(always)]
    fn list_others(&self, link: &Link<B>, core: &Core<B, K, M>, history: &[(u64, u64)], rest: &mut Groups<B>) {
        if link.others.is_empty() {
            return;
        }
        let frame = self.frame(core, history, None, rest);
        for op in link.others.iter().map(|op| &self.plays[link.play].ops[*op]) {
            let s = core.side as usize & 1;
            let pieces = core.own[s] & core.sets[op.kind as usize] & op.from[s];
            if pieces.any() {
                self.op_groups(op, core, pieces, &frame, link.next, rest);
            }
        }
    }

    /// Makes a plain move. Gives the kind that has come to a cell, the cell, and whether that ends the turn; none if it would leave a royal attacked.
    #[inline(always)]
    fn go<const PLAIN: bool>(
        &self,
        groups: &Groups<B>,
        k: u32,
        chain: &Chain<B>,
        core: &mut Core<B, K, M>,
        history: &[(u64, u64)],
        broken: &mut Broken,
    ) -> Option<(u8, usize, bool)> {
        let side = core.side;
        let s = side as usize & 1;
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
        let (kind, from) = match found.code.what() {
            What::Play { kind, from: From::Cell(cell), .. } => (kind, cell as usize),
            What::Play { kind, from, .. } => (kind, self.origin(from, to) as usize),
            _ => (0, to),
        };
        let cell = match found.code.next() {
            JUMPS => (from + to) / 2,
            _ => to,
        };
        let victim = core.own[1 - s].has(cell).then(|| core.kind_at(cell));
        let (new, ends) = match chain.promotions[kind as usize] {
            Becomes::Kind(new, ends) if self.promotes[kind as usize][s].has(to) => (new, ends),
            _ => (kind, false),
        };
        let exchange = |core: &mut Core<B, K, M>| {
            if let Some(victim) = victim {
                core.own[1 - s] ^= B::bit(cell);
                core.sets[victim as usize] ^= B::bit(cell);
            }
            core.own[s] ^= B::bit(from) | B::bit(to);
            core.sets[kind as usize] ^= B::bit(from);
            core.sets[new as usize] ^= B::bit(to);
        };
        exchange(core);
        if !PLAIN && chain.safety {
            let royals = self.kinds(core, &self.royals) & core.own[s];
            let attacked = match chain.geometry {
                true => royals.cells().any(|royal| self.is_struck(core, royal, 1 - s)),
                false => self.in_check(core, side, history),
            };
            if attacked {
                exchange(core);
                return None;
            }
        }
        if let Some(victim) = victim {
            self.note(core, 1 - side, victim, cell);
            broken.captured |= 1 << victim;
        }
        self.note(core, side, kind, from);
        self.note(core, side, new, to);
        broken.moved |= 1 << kind;
        broken.changed |= new != kind;
        if !PLAIN && core.unmoved.any() {
            let unmoved = core.unmoved.minus(B::bit(from) | B::bit(cell));
            if unmoved != core.unmoved {
                core.unmoved = unmoved;
                self.tidy_unmoved(core);
            }
        }
        Some((new, to, ends))
    }
}

#[inline(always)]
fn list_strand<B: Bits, const PLAIN: bool>(
    strand: &Strand<B>,
    targets: B,
    code: Code,
    groups: &mut Groups<B>,
    rest: &mut Groups<B>,
) {
    let settled = if PLAIN { targets } else { targets.minus(strand.unsettled) };
    if settled.any() {
        groups.push_plain(settled, code);
    }
    let open = if PLAIN { B::EMPTY } else { targets & strand.unsettled };
    if open.any() {
        rest.push(open, code.promoting(true));
    }
}
