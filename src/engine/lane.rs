//! Lanes: playouts of games in which a turn is one plain step and nothing is remembered.
//!
//! Where the rules allow it, and from the turn on from which they do, a random game is played without what other games need: no state of the turn, no steps to
//! choose one from, no legality, no books. All that depends on the player is resolved when the rules are prepared. Where pieces only enter, lines are kept in
//! words of one bit for each cell, connections in the set of stones that are connected with one side, and the empty cells, if any of them will do, in a list.
//! Tests hold each turn of a playout against the turns that the way round lists.

use super::Random;
use super::bits::Bits;
use super::core::{Core, Over};
use super::eval::{At, History};
use super::geometry::{Fan, Geometry};
use super::graph::StateKind;
use super::group::{Code, From, Groups, What};
use super::layout::Layout;
use super::ops::How;
use super::program::{cells, per_seat};
use super::rules::Rules;
use crate::ir::ending::Verdict;
use crate::ir::expr::{Cond, Num, Op, Role, Set, Who};
use crate::ir::piece::Generator;
use crate::ir::rule::Effect;
use crate::ir::turn::{Act, Choice, Chooser};
use crate::ir::{Game, Seat};

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
struct Entry<B> {
    kind: u8,
    /// Where, per seat, besides being empty.
    on: [Vec<Cells<B>>; 2],
    /// What it turns over, per seat: runs from the cell in these directions.
    flips: [Vec<Run<B>>; 2],
}

/// Cells between a piece and another.
struct Run<B> {
    what: Stock<B>,
    to: Stock<B>,
    fan: Fan<B>,
}

/// Cells told by what stands on them.
#[derive(Clone)]
pub(super) struct Stock<B> {
    whose: Whose,
    /// Any, if none is said.
    kinds: Vec<u8>,
    on: B,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Seat(u8),
    Anyone,
    Nobody,
}

/// A set of cells.
enum Cells<B> {
    Stock(Stock<B>),
    Shift(Box<Cells<B>>, Vec<u8>),
    /// Cells that are not one step in a direction from such a cell.
    Unless(Stock<B>, u8),
    Not(Box<Cells<B>>),
    All(Vec<Cells<B>>),
    /// Cells from which a run of the first begins that the second follows.
    Starts(Stock<B>, Stock<B>, Fan<B>),
}

/// A result for one mover.
pub(super) struct Test<B> {
    /// Its number.
    pub rule: u16,
    /// When it holds.
    pub when: When<B>,
    winner: Winner,
}

impl<B: Bits> When<B> {
    /// Whether it asks only how many pieces of which kinds there are, wherever they stand.
    pub fn by_stock(&self, all: B) -> bool {
        match self {
            When::Some(stock) | When::None(stock) | When::Count { of: stock, .. } => {
                stock.on == all && stock.whose != Whose::Nobody
            }
            When::All(parts) => parts.iter().all(|part| part.by_stock(all)),
            _ => false,
        }
    }
}

/// When a result holds.
pub(super) enum When<B> {
    Some(Stock<B>),
    None(Stock<B>),
    Count {
        of: Stock<B>,
        op: Op,
        n: i32,
    },
    Line {
        of: Stock<B>,
        count: usize,
        exactly: bool,
    },
    Connects {
        of: Stock<B>,
        from: B,
        to: B,
        dirs: Vec<u8>,
    },
    AllPass,
    /// So many turns since a slot was last set to 0.
    Quiet {
        slot: usize,
        turns: i32,
    },
    Occurs {
        times: i32,
        board_only: bool,
    },
    All(Vec<When<B>>),
}

#[derive(Clone, Copy)]
enum Winner {
    Seat(Option<Seat>),
    /// Who has most, or least, pieces.
    Most(bool),
}

/// Lines as words, and results that need nothing else.
struct Fill<B> {
    /// Results by mover.
    tests: [Vec<FillTest<B>>; 2],
    /// By cell, for each line through it the word and the bit.
    places: Vec<(u16, u8)>,
    /// Lines through a cell.
    lines: usize,
    /// Any empty cell will do: all cells, as a list to begin with.
    anywhere: Option<Vec<u16>>,
}

struct FillTest<B> {
    rule: u16,
    winner: Option<Seat>,
    when: FillWhen<B>,
}

enum FillWhen<B> {
    Line {
        count: usize,
        exactly: bool,
    },
    /// Its number among those of the seat, the sides, the directions, and by cell its neighbours.
    Connects {
        number: usize,
        from: B,
        to: B,
        dirs: Vec<u8>,
        beside: Vec<B>,
    },
    Full,
}

/// Connections for each seat that can be followed at once.
const CONNECTIONS: usize = 2;

/// Makes the parts of a lane.
pub(super) struct Resolver<'a, B> {
    pub game: &'a Game,
    pub geo: &'a Geometry<B>,
    pub layout: &'a Layout,
}

impl<B: Bits> Resolver<'_, B> {
    fn stock(&self, set: &Set, seen: At) -> Option<Stock<B>> {
        let of = |whose| Some(Stock { whose, kinds: Vec::new(), on: self.geo.all });
        match set {
            Set::Of(who) => of(Whose::Seat(seen.seat(*who))),
            Set::Enemies => of(Whose::Seat(1 - (seen.viewer & 1))),
            Set::Pieces => of(Whose::Anyone),
            Set::Empty => of(Whose::Nobody),
            Set::Kinds(kinds) if !kinds.is_empty() => {
                Some(Stock { whose: Whose::Anyone, kinds: kinds.clone(), on: self.geo.all })
            }
            Set::Minus(set, except) if **set == Set::Pieces => match &**except {
                Set::Kinds(except) => {
                    let kinds: Vec<u8> = (0..self.game.kinds.len() as u8).filter(|k| !except.contains(k)).collect();
                    (!kinds.is_empty()).then_some(Stock { whose: Whose::Anyone, kinds, on: self.geo.all })
                }
                _ => None,
            },
            Set::SeenBy(who, set) => self.stock(set, At { viewer: seen.seat(*who), ..seen }),
            Set::Intersect(parts) => {
                let mut all = Stock { whose: Whose::Anyone, kinds: Vec::new(), on: self.geo.all };
                let mut owned = false;
                for part in parts {
                    match part {
                        Set::Kinds(kinds) if all.kinds.is_empty() && !kinds.is_empty() => all.kinds = kinds.clone(),
                        Set::Zone(z) => {
                            all.on &= per_seat::<B>(&self.game.zones[*z as usize].cells)[seen.viewer as usize & 1]
                        }
                        Set::Cells(c) => all.on &= cells::<B>(c),
                        Set::Board => {}
                        _ => {
                            let part = self.stock(part, seen)?;
                            if owned && part.whose != Whose::Anyone || !part.kinds.is_empty() && !all.kinds.is_empty() {
                                return None;
                            }
                            owned |= part.whose != Whose::Anyone;
                            if part.whose != Whose::Anyone {
                                all.whose = part.whose;
                            }
                            if !part.kinds.is_empty() {
                                all.kinds = part.kinds;
                            }
                            all.on &= part.on;
                        }
                    }
                }
                // cells that are merely somewhere are no pieces
                (owned || !all.kinds.is_empty()).then_some(all)
            }
            _ => None,
        }
    }

    /// A condition about `here` as the set of cells where it holds.
    fn lifted(&self, cond: &Cond, seen: At) -> Option<Cells<B>> {
        let here = |set: &Set| *set == Set::Role(Role::Here);
        let dirs_of = |dirs: &Vec<Vec<u8>>| dirs.get(seen.viewer as usize).cloned();
        let back = |dirs: &[u8]| dirs.iter().map(|d| self.geo.dirs[*d as usize].opposite as u8).collect::<Vec<_>>();
        match cond {
            Cond::Not(c) => Some(match self.lifted(c, seen)? {
                Cells::Shift(of, dirs) => match (*of, &dirs[..]) {
                    (Cells::Stock(stock), [dir]) => Cells::Unless(stock, *dir),
                    (of, _) => Cells::Not(Box::new(Cells::Shift(Box::new(of), dirs))),
                },
                cells => Cells::Not(Box::new(cells)),
            }),
            Cond::All(parts) => Some(Cells::All(parts.iter().map(|p| self.lifted(p, seen)).collect::<Option<_>>()?)),
            Cond::Within(Set::Neighbours { of, dirs }, set) if here(of) => {
                let dirs = dirs_of(dirs)?;
                let shifted = Cells::Shift(Box::new(Cells::Stock(self.stock(set, seen)?)), back(&dirs));
                (dirs.len() == 1).then_some(shifted)
            }
            Cond::Some(Set::Runs { what, from, to, dirs, exactly: None }) if here(from) => {
                Some(Cells::Starts(self.stock(what, seen)?, self.stock(to, seen)?, self.geo.fan(&dirs_of(dirs)?)?))
            }
            Cond::Some(Set::Intersect(parts)) => match &parts[..] {
                [Set::Neighbours { of, dirs }, set] | [set, Set::Neighbours { of, dirs }] if here(of) => {
                    let stock = Cells::Stock(self.stock(set, seen)?);
                    Some(Cells::Shift(Box::new(stock), back(&dirs_of(dirs)?)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn when(&self, cond: &Cond, seen: At) -> Option<When<B>> {
        match cond {
            Cond::SeenBy(who, c) => self.when(c, At { viewer: seen.seat(*who), ..seen }),
            Cond::All(parts) => Some(When::All(parts.iter().map(|p| self.when(p, seen)).collect::<Option<_>>()?)),
            Cond::Some(set) => Some(When::Some(self.stock(set, seen)?)),
            Cond::Not(c) => match &**c {
                Cond::Some(set) => Some(When::None(self.stock(set, seen)?)),
                _ => None,
            },
            Cond::Compare(Num::Count(set), op, Num::Const(n)) => {
                Some(When::Count { of: self.stock(set, seen)?, op: *op, n: *n })
            }
            Cond::Line { count, exactly, of, through: None } => {
                Some(When::Line { of: self.stock(of, seen)?, count: (*count).max(1) as usize, exactly: *exactly })
            }
            Cond::Connects { of, from, to, dirs } => {
                let place = |set: &Set| match set {
                    Set::Zone(z) => Some(per_seat::<B>(&self.game.zones[*z as usize].cells)[seen.viewer as usize & 1]),
                    Set::Cells(c) => Some(cells::<B>(c)),
                    _ => None,
                };
                let dirs = dirs.get(seen.viewer as usize)?.clone();
                Some(When::Connects { of: self.stock(of, seen)?, from: place(from)?, to: place(to)?, dirs })
            }
            Cond::AllPass => Some(When::AllPass),
            Cond::Quiet { quiet, turns: Num::Const(turns) } => {
                Some(When::Quiet { slot: self.layout.quiet(*quiet as usize), turns: *turns })
            }
            Cond::Occurs { times, board_only } => Some(When::Occurs { times: *times, board_only: *board_only }),
            _ => None,
        }
    }

    /// A result, if it can be tried without ado.
    pub fn test(&self, rule: usize, mover: u8) -> Option<Test<B>> {
        let result = &self.game.results[rule];
        let seen = |viewer| At { viewer, ..At::mover(mover, &[]) };
        let named = |who: Who| seen(mover).seat(who);
        let (viewer, winner) = match &result.verdict {
            Verdict::Wins(who) => (named(*who), Winner::Seat(Some(named(*who)))),
            Verdict::Loses(who) => (named(*who), Winner::Seat(Some(1 - (named(*who) & 1)))),
            Verdict::Draw => (mover, Winner::Seat(None)),
            Verdict::Highest(n) | Verdict::Lowest(n) => match n {
                Num::Count(set) if *set == Set::Of(Who::Me) => {
                    (mover, Winner::Most(matches!(result.verdict, Verdict::Highest(_))))
                }
                _ => return None,
            },
            Verdict::AnyPlayerWins | Verdict::AnyPlayerLoses => return None,
        };
        (!result.at_once).then_some(())?;
        Some(Test { rule: rule as u16, when: self.when(&result.cond, seen(viewer))?, winner })
    }

    /// The turn from which on a choice offers only one act, that act, and whether who cannot do it passes.
    fn only_act<'c>(&self, choice: &'c Choice) -> Option<(u32, &'c Act, u16, bool)> {
        match choice {
            Choice::Do(act, next) => Some((0, act, *next, false)),
            Choice::OrElse(parts) => match &parts[..] {
                [first, Choice::Do(Act::Pass, _)] => {
                    let (turn, act, next, _) = self.only_act(first)?;
                    Some((turn, act, next, true))
                }
                _ => None,
            },
            Choice::Or(parts) => {
                let (mut turn, mut found) = (0, None);
                for part in parts {
                    match self.over_after(part) {
                        Some(n) => turn = turn.max(n + 1),
                        None if found.is_none() => found = Some(self.only_act(part)?),
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
    fn over_after(&self, choice: &Choice) -> Option<u32> {
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
        let (from_turn, act, next, passes) = resolver.only_act(&game.turn.states[0])?;
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

/// What words and connections need, if the results allow them.
fn fill<B: Bits, const K: usize, const M: usize>(
    rules: &Rules<B, K, M>,
    entry: &Entry<B>,
    tests: &[Vec<Test<B>>; 2],
) -> Option<Fill<B>> {
    let geo = &rules.geo;
    let enters = entry.flips.iter().all(|f| f.is_empty());
    (enters && rules.game.kinds.len() == 1 && geo.straight).then_some(())?;
    let tests = [fill_tests(geo, &tests[0], 0)?, fill_tests(geo, &tests[1], 1)?];
    // one word for each line of each direction
    let mut words = 0;
    let mut places = vec![(0, 0); geo.cells * geo.lines.len()];
    for (i, d) in geo.lines.iter().enumerate() {
        let back = &geo.dirs[geo.dirs[*d].opposite];
        for start in (0..geo.cells).filter(|c| back.rays[*c].is_empty()) {
            let line = std::iter::once(start).chain(geo.walk(start, *d as u8));
            for (bit, cell) in line.enumerate() {
                (bit < 32).then_some(())?;
                places[cell * geo.lines.len() + i] = (words, bit as u8);
            }
            words += 1;
        }
    }
    (usize::from(words) <= B::LINES.0).then_some(())?;
    let anywhere = entry.on.iter().all(|on| on.is_empty()).then(|| (0..geo.cells as u16).collect());
    Some(Fill { tests, places, lines: geo.lines.len(), anywhere })
}

fn fill_tests<B: Bits>(geo: &Geometry<B>, tests: &[Test<B>], mover: u8) -> Option<Vec<FillTest<B>>> {
    let all_of = |s: &Stock<B>, whose: Whose| s.whose == whose && s.on == geo.all;
    let mut connections = 0;
    let mut list = Vec::new();
    for test in tests {
        let Winner::Seat(winner) = test.winner else { return None };
        let when = match &test.when {
            When::Line { of, count, exactly } if all_of(of, Whose::Seat(mover)) => {
                FillWhen::Line { count: *count, exactly: *exactly }
            }
            When::Connects { of, from, to, dirs } if all_of(of, Whose::Seat(mover)) && connections < CONNECTIONS => {
                connections += 1;
                let beside = (0..geo.cells).map(|c| geo.neighbours(B::bit(c), dirs)).collect();
                FillWhen::Connects { number: connections - 1, from: *from, to: *to, dirs: dirs.clone(), beside }
            }
            // the other player's connections were asked for when that player moved
            When::Connects { of, .. } if all_of(of, Whose::Seat(1 - mover)) => continue,
            When::None(stock) if all_of(stock, Whose::Nobody) => FillWhen::Full,
            _ => return None,
        };
        list.push(FillTest { rule: test.rule, winner, when });
    }
    Some(list)
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Plays on at random while the lane goes, for at most so many turns; returns how many were played. The game is over, or cannot go on, or the turns are up,
    /// or the lane does not lead on from here.
    pub fn playout_in_lane(&self, lane: &Lane<B>, core: &mut Core<B, K, M>, rng: &mut Random, max_turns: u32) -> u32 {
        if core.turn < lane.from_turn || !core.ready(max_turns) {
            return 0;
        }
        let turns = match &lane.fills {
            Some(fill) if !self.already_decided(lane, core) => self.fill_up(lane, fill, core, rng, max_turns),
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

    #[inline(always)]
    fn stocked(&self, stock: &Stock<B>, core: &Core<B, K, M>) -> B {
        let set = match stock.whose {
            Whose::Seat(s) => core.own[s as usize & 1],
            Whose::Anyone => core.own[0] | core.own[1],
            Whose::Nobody => self.geo.all.minus(core.own[0] | core.own[1]),
        };
        let set = set & stock.on;
        if stock.kinds.is_empty() { set } else { set & self.kinds(core, &stock.kinds) }
    }

    /// A set of cells, of which the commonest kinds are found in place.
    #[inline(always)]
    fn entered(&self, cells: &Cells<B>, core: &Core<B, K, M>) -> B {
        match cells {
            Cells::Starts(what, to, fan) => fan.starts(self.stocked(what, core), self.stocked(to, core)),
            Cells::Unless(stock, dir) => self.geo.all.minus(self.geo.shift(self.stocked(stock, core), *dir)),
            _ => self.lane_cells(cells, core),
        }
    }

    fn lane_cells(&self, cells: &Cells<B>, core: &Core<B, K, M>) -> B {
        match cells {
            Cells::Starts(..) | Cells::Unless(..) => self.entered(cells, core),
            Cells::Stock(stock) => self.stocked(stock, core),
            Cells::Shift(of, dirs) => self.geo.neighbours(self.lane_cells(of, core), dirs),
            Cells::Not(of) => self.geo.all.minus(self.lane_cells(of, core)),
            Cells::All(parts) => parts.iter().fold(self.geo.all, |s, p| s & self.lane_cells(p, core)),
        }
    }

    /// Who wins by a result that holds; none if it is a draw.
    #[inline]
    pub(super) fn test_winner(&self, test: &Test<B>, core: &Core<B, K, M>) -> Option<Seat> {
        match test.winner {
            Winner::Seat(winner) => winner,
            Winner::Most(highest) => {
                let (a, b) = (core.own[0].count(), core.own[1].count());
                (a != b).then_some(u8::from((a < b) == highest))
            }
        }
    }

    /// Whether a result holds at the end of a turn.
    #[inline]
    pub(super) fn test_holds(&self, when: &When<B>, core: &Core<B, K, M>, passes: i32, history: &History) -> bool {
        match when {
            When::Some(stock) => self.stocked(stock, core).any(),
            When::None(stock) => self.stocked(stock, core).is_empty(),
            When::Count { of, op, n } => op.holds(self.stocked(of, core).count() as i32, *n),
            When::Line { of, count, exactly } => {
                self.geo.has_row(self.stocked(of, core), *count, *exactly, self.geo.all)
            }
            When::Connects { of, from, to, dirs } => self.geo.joins(self.stocked(of, core), *from, *to, dirs),
            When::AllPass => passes >= 2,
            When::Quiet { slot, turns } => core.slots[*slot] >= *turns,
            When::Occurs { times, board_only } => {
                let at = At { counted: true, ..At::mover(1 - (core.side & 1), history) };
                self.occurs(*times, *board_only, core, &at)
            }
            When::All(parts) => parts.iter().all(|w| self.test_holds(w, core, passes, history)),
        }
    }

    /// Pieces of one kind enter one after another.
    fn fill_up(
        &self,
        lane: &Lane<B>,
        fill: &Fill<B>,
        core: &mut Core<B, K, M>,
        rng: &mut Random,
        max_turns: u32,
    ) -> u32 {
        let entry = &lane.entries[0];
        let kind = entry.kind as usize;
        let mut list = B::LIST;
        let empties = list.as_mut();
        let mut free = self.geo.cells;
        let mut lines = [B::LINES.1; 2];
        let mut joined = [[B::EMPTY; CONNECTIONS]; 2];
        let occupied = core.own[0] | core.own[1];
        if occupied.any() {
            free = 0;
            for cell in self.geo.all.minus(occupied).cells() {
                empties[free] = cell as u16;
                free += 1;
            }
            for s in 0..2 {
                for cell in core.own[s].cells() {
                    for (word, bit) in &fill.places[cell * fill.lines..(cell + 1) * fill.lines] {
                        lines[s].as_mut()[*word as usize] |= 1 << bit;
                    }
                }
                for test in &fill.tests[s] {
                    if let FillWhen::Connects { number, from, dirs, .. } = &test.when {
                        joined[s][*number] = self.geo.flood(*from & core.own[s], core.own[s], dirs);
                    }
                }
            }
        } else if let Some(cells) = &fill.anywhere {
            empties[..free].copy_from_slice(cells);
        }
        let mut side = core.side as usize & 1;
        let mut turns = 0;
        while turns < max_turns && free > 0 && core.over == Over::No {
            let cell = if fill.anywhere.is_some() {
                let k = rng.below(free as u32) as usize;
                let cell = empties[k] as usize;
                empties[k] = empties[free - 1];
                cell
            } else {
                let empty = self.geo.all.minus(core.sets[kind]);
                let targets = entry.on[side].iter().fold(empty, |set, on| set & self.entered(on, core));
                match targets.count() {
                    0 => break,
                    n => targets.nth(rng.below(n)),
                }
            };
            free -= 1;
            turns += 1;
            let bit = B::bit(cell);
            core.own[side] |= bit;
            core.sets[kind] |= bit;
            for test in &fill.tests[side] {
                let holds = match &test.when {
                    FillWhen::Line { count, exactly } => {
                        let words = lines[side].as_mut();
                        let mut made = false;
                        for (word, bit) in &fill.places[cell * fill.lines..(cell + 1) * fill.lines] {
                            let word = &mut words[*word as usize];
                            *word |= 1 << bit;
                            made |= in_row(*word, *count, *exactly);
                        }
                        made
                    }
                    FillWhen::Connects { number, from, to, dirs, beside } => {
                        let joined = &mut joined[side][*number];
                        ((beside[cell] & *joined) | (bit & *from)).any() && {
                            // each stone is connected but once
                            let more = self.geo.flood(bit, core.own[side].minus(*joined), dirs);
                            *joined |= more;
                            (more & *to).any()
                        }
                    }
                    FillWhen::Full => free == 0,
                };
                if holds {
                    core.over = Over::Yes { rule: test.rule, winner: test.winner };
                    break;
                }
            }
            side ^= 1;
        }
        core.side = side as u8;
        core.turn += turns;
        core.slots[self.layout.passes()] = 0;
        turns
    }
}

/// Whether so many bits (or just so many) stand in a row.
#[inline]
fn in_row(word: u32, count: usize, exactly: bool) -> bool {
    let (mut starts, mut n) = (word, 1);
    while n < count {
        let more = n.min(count - n);
        starts &= starts >> more;
        n += more;
    }
    match exactly {
        false => starts != 0,
        true => starts & !(starts & word >> count) & !(word << 1) != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::in_row;

    #[test]
    fn rows_in_words() {
        let check = |word: u32, count: usize, at_least: bool, exactly: bool| {
            assert_eq!(
                (in_row(word, count, false), in_row(word, count, true)),
                (at_least, exactly),
                "{word:#b} {count}"
            );
        };
        check(0b1_1111, 5, true, true);
        check(0b11_1111, 5, true, false);
        check(0b11_1111_0000_0001_1111, 5, true, true);
        check(0b1_1011, 5, false, false);
        check(0b1111 << 28, 4, true, true);
        check(0b0110, 2, true, true);
        check(0b1, 1, true, true);
    }
}
