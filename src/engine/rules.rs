//! A game's rules made ready to run on sets of one width.

use super::Unplayable;
use super::bits::{Bits, mix};
use super::core::{MARK_LAYERS, NEUTRAL};
use super::geometry::Geometry;
use super::layout::Layout;
use super::program::{C, DirSets, Lowering, N, S, per_seat, reads_here};
use crate::ir::ending::Verdict;
use crate::ir::expr::{Cond, Role, Set};
use crate::ir::piece::{self, Facing as IrFacing, Generator, Source};
use crate::ir::rule::{self, Change, Course as IrCourse, Effect, Forbidden, HandItem};
use crate::ir::turn::{self, Choice, Verb};
use crate::ir::visit::Node;
use crate::ir::{Game, TypeId};
use std::sync::Arc;

/// The rules of a game on sets `B`, for at most `K` kinds and `M` slots.
pub struct Rules<B, const K: usize, const M: usize> {
    /// The rules as the checker made them.
    pub game: Arc<Game>,
    /// Tables.
    pub geo: Geometry<B>,
    /// Where numbers are kept.
    pub layout: Layout,
    /// Mark layers: first and number, per mark.
    pub layers: Vec<(usize, usize)>,
    /// Clauses, by number.
    pub clauses: Vec<Clause<B>>,
    /// Type of each kind.
    pub type_of: Vec<u8>,
    /// Worth of each kind.
    pub worth: Vec<i32>,
    /// Clauses that are no drops, per type.
    pub moves: Vec<Vec<u16>>,
    /// Whether the type's moves can be made for all its pieces at once, per type.
    pub whole: Vec<bool>,
    /// Drop clauses: type and clause.
    pub drops: Vec<(u8, u16)>,
    /// Promotions per type.
    pub promotions: Vec<Vec<Promotion<B>>>,
    /// Where any promotion of the type may happen, per type and seat.
    pub promotes: Vec<[B; 2]>,
    /// Attacks by plain geometry, and the clauses that need a closer look, per kind.
    pub attacks: Vec<Attacks<B>>,
    /// Kinds of royal types.
    pub royals: Vec<u8>,
    /// Kinds that can never be captured.
    pub uncapturable: Vec<u8>,
    /// `forbid capture`: for each attacking kind the victim kinds it may not take; only for forbids that depend on kinds alone.
    pub barred: Vec<Vec<u8>>,
    /// The other `forbid capture` conditions.
    pub bar_pairs: Vec<C<B>>,
    /// Forbidden acts.
    pub forbid_acts: Vec<ForbidAct<B>>,
    /// Forbidden ends of a turn: condition, looks ahead.
    pub forbid_turns: Vec<(C<B>, bool)>,
    /// Some `forbid turn` is the safety of royals.
    pub safety: bool,
    /// `after capture` blocks.
    pub after_capture: Vec<Box<[E<B>]>>,
    /// Other blocks with the acts they follow.
    pub after_act: Vec<AfterAct<B>>,
    /// Reactions.
    pub reactions: Vec<Reaction<B>>,
    /// Latches.
    pub latches: Vec<C<B>>,
    /// What ends a quiet run.
    pub quiets: Vec<C<B>>,
    /// Preferences.
    pub prefer: Vec<N<B>>,
    /// The turn graph.
    pub turn: Vec<Ch<B>>,
    /// What each state of the graph needs at its beginning.
    pub kinds_of_state: Vec<StateKind>,
    /// Results.
    pub results: Vec<Ruling<B>>,
    /// Random numbers for hashing: `[owner * K + kind][cell]`.
    pub zobrist: Vec<Vec<u64>>,
    /// Kinds with an unmoved flag.
    pub keeps_unmoved: Vec<bool>,
    /// Castling kinds: castler kind and partner kinds.
    pub castlers: Vec<(u8, Vec<u8>)>,
    /// Every act completes the turn.
    pub whole_turn_is_step: bool,
    /// Some clause's condition or target, or a `forbid capture`, asks about attacks.
    pub asks_within: bool,
    /// Every cell that the start gives to a kind: for telling unmoved pieces in positions.
    pub start_places: Vec<(Option<u8>, u8, u16)>,
}

/// Acts that may lead to no state in which a condition holds.
pub struct ForbidAct<B> {
    pub verb: Verb,
    /// Only if the piece is of one of these kinds.
    pub kinds: Option<Vec<u8>>,
    pub cond: C<B>,
    pub looks_ahead: bool,
}

/// A block and the acts it follows.
pub struct AfterAct<B> {
    pub verbs: Vec<Verb>,
    pub body: Box<[E<B>]>,
}

/// Targets of a lame leap from one cell, each with the cells that must be empty.
pub type LamePaths<B> = Vec<(u16, B)>;

/// A clause.
pub struct Clause<B> {
    pub gen_: Gen<B>,
    pub target: Target<B>,
    pub toward: Option<Facing<B>>,
    pub away: Option<Facing<B>>,
    pub from: Option<[B; 2]>,
    pub within: Option<[B; 2]>,
    /// Conditions without the target.
    pub guards: Vec<C<B>>,
    /// Cells for which the conditions about the target hold.
    pub lifted: Vec<S<B>>,
    /// Conditions that must be tried for each target.
    pub tried: Vec<C<B>>,
    pub then: Box<[E<B>]>,
    /// Some effect of `then` captures.
    pub then_captures: bool,
    /// Slot base of a once-per-game entry.
    pub once: Option<u16>,
    pub plain: bool,
    pub label: bool,
    /// The mark that its targets bear.
    pub mark: Option<u16>,
}

/// A generator.
pub enum Gen<B> {
    Step {
        dirs: DirSets,
        distance: u16,
    },
    Slide {
        dirs: DirSets,
        limit: Option<u16>,
        all_the_way: bool,
    },
    /// Targets per seat and cell; lame leaps have cells that must be empty.
    Leap {
        table: [Vec<B>; 2],
        lame: Option<[Vec<LamePaths<B>>; 2]>,
    },
    Anywhere,
    Hop {
        dirs: DirSets,
        far: bool,
        over: S<B>,
        beyond: bool,
        captures: bool,
    },
    Castle {
        partner: Vec<u8>,
        steps: u16,
        dirs: DirSets,
    },
    Drop {
        kinds: Vec<u8>,
    },
    Imitate {
        source: Source,
        except: u128,
    },
}

/// What a target must be.
pub enum Target<B> {
    /// Empty or a capturable enemy.
    Default,
    Empty,
    Enemy,
    /// A set that is the same for all targets.
    Set(S<B>),
    /// A set that depends on the target.
    Tried(S<B>),
}

/// What is first on a ray.
pub enum Facing<B> {
    Piece(S<B>),
    Nothing,
}

/// A promotion.
pub struct Promotion<B> {
    pub zone: [B; 2],
    pub may: bool,
    pub to: Vec<(u8, Option<u16>)>,
    pub guards: Vec<C<B>>,
    pub then: Box<[E<B>]>,
}

/// How pieces of a kind attack a cell.
pub struct Attacks<B> {
    /// Cells from which an unconditional one-cell reach attacks a cell, per seat and cell.
    pub leaps: [Vec<B>; 2],
    pub has_leaps: bool,
    /// Directions in which it slides without condition, per seat, as bits; what comes back from the attacked cell is the opposite.
    pub slides: [u64; 2],
    /// Clauses to be tried piece by piece.
    pub others: Vec<u16>,
}

/// A reaction.
pub struct Reaction<B> {
    pub kinds: Vec<u8>,
    pub by: rule::By,
    pub to: S<B>,
    pub body: Box<[E<B>]>,
}

/// A result rule.
pub struct Ruling<B> {
    pub verdict: Verdict,
    pub number: Option<N<B>>,
    pub at_once: bool,
    pub cond: C<B>,
    /// It can hold only if the next player has no legal turn.
    pub only_if_stuck: bool,
}

/// An effect.
#[derive(Clone, Debug)]
pub enum E<B> {
    Capture(S<B>),
    Remove(S<B>),
    Flip(S<B>),
    Roll(S<B>),
    Remap(S<B>, u16),
    Become(S<B>, u8),
    Displace { set: S<B>, limit: Option<u16>, course: Course<B> },
    Mark(S<B>, usize),
    Unmark(S<B>, usize),
    Count { counter: usize, each: bool, who: crate::ir::expr::Who, change: Change, value: N<B> },
    Hand { who: crate::ir::expr::Who, change: Change, what: HandItem },
    EndTurn,
    When(C<B>, Box<[E<B>]>, Box<[E<B>]>),
}

/// Where a displaced piece goes.
#[derive(Clone, Debug)]
pub enum Course<B> {
    Toward(S<B>),
    AwayFrom(S<B>),
    Dirs(DirSets),
}

/// A choice of the turn graph.
pub enum Ch<B> {
    End,
    Do(Act<B>, u16),
    Or(Vec<Ch<B>>),
    OrElse(Vec<Ch<B>>),
    Cases(Vec<(C<B>, Ch<B>)>),
    Again(Box<Ch<B>>, Box<Ch<B>>),
    Goto(u16),
}

/// An act of the turn graph.
pub enum Act<B> {
    Play { verb: Verb, types: Option<u128>, chooser: turn::Chooser },
    Rotate { set: S<B>, chooser: turn::Chooser, ways: Vec<(C<B>, u16)>, named: bool },
    Choose { effect: turn::Chosen, set: S<B> },
    Pass,
    Swap,
}

/// What entering a state of the turn graph asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// The turn is complete.
    Ends,
    /// Something must be done.
    Acts,
    /// Either.
    Open,
}

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Prepares the rules.
    pub fn new(game: Arc<Game>) -> Result<Self, Unplayable> {
        let layout = Layout::new(&game)?;
        let mut layers = Vec::new();
        let mut layer = 0;
        for mark in &game.marks {
            let n = mark.turns.map_or(1, |t| t as usize + 1);
            layers.push((layer, n));
            layer += n;
        }
        if layer > MARK_LAYERS {
            return Err(Unplayable(format!(
                "marks that last so long are too many: at most {MARK_LAYERS} turns in all"
            )));
        }
        let low = Lowering { game: &game, layout: &layout, layers: &layers };
        let geo = Geometry::new(&game.board);
        let type_of: Vec<u8> = game.kinds.iter().map(|k| k.piece).collect();
        let clauses: Vec<Clause<B>> = game.clauses.iter().map(|c| clause(&low, c)).collect();
        let is_drop = |c: &u16| matches!(clauses[*c as usize].gen_, Gen::Drop { .. });
        let moves: Vec<Vec<u16>> =
            game.types.iter().map(|t| t.clauses.iter().copied().filter(|c| !is_drop(c)).collect()).collect();
        let drops = (0..game.types.len())
            .flat_map(|t| game.types[t].clauses.iter().copied().filter(is_drop).map(move |c| (t as u8, c)))
            .collect();
        let promotions: Vec<Vec<Promotion<B>>> =
            game.types.iter().map(|t| t.promotions.iter().map(|p| promotion(&low, p)).collect()).collect();
        let promotes = promotions
            .iter()
            .map(|p| [0, 1].map(|s| p.iter().fold(B::EMPTY, |a, p: &Promotion<B>| a | p.zone[s])))
            .collect();
        let kinds_where = |f: &dyn Fn(TypeId) -> bool| -> Vec<u8> {
            (0..type_of.len() as u8).filter(|k| f(type_of[*k as usize])).collect()
        };
        let (barred, bar_pairs) = captures_forbidden(&low, &game);
        let attacks = (0..type_of.len()).map(|k| attacks(&geo, &game, &clauses, type_of[k])).collect();
        let whole = moves.iter().map(|m| at_once(m, &clauses)).collect();
        let kinds_of_state = (0..game.turn.states.len()).map(|q| state_kind(&game.turn.states, q)).collect();
        let single = game.turn.states.iter().all(|c| steps_end(c, &game.turn.states));
        let asks_within = asks_within(&game);
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        let mut random = || {
            seed = u64::wrapping_add(seed, 0x9e37_79b9_7f4a_7c15);
            mix(seed)
        };
        let zobrist = (0..3 * K).map(|_| (0..geo.cells).map(|_| random()).collect()).collect();
        let rules = Rules {
            worth: type_of.iter().map(|t| game.types[*t as usize].worth).collect(),
            royals: kinds_where(&|t| game.types[t as usize].royal),
            uncapturable: kinds_where(&|t| game.types[t as usize].uncapturable),
            castlers: castlers(&game),
            keeps_unmoved: (0..type_of.len()).map(|k| game.unmoved_kinds.contains(&(k as u8))).collect(),
            forbid_acts: game
                .forbids
                .iter()
                .filter_map(|f| match &f.what {
                    Forbidden::Act(verb, kinds) => Some(ForbidAct {
                        verb: verb.clone(),
                        kinds: kinds.clone(),
                        cond: low.cond(&f.cond),
                        looks_ahead: f.looks_ahead,
                    }),
                    Forbidden::Capture | Forbidden::Turn => None,
                })
                .collect(),
            forbid_turns: game
                .forbids
                .iter()
                .filter(|f| f.what == Forbidden::Turn)
                .map(|f| (low.cond(&f.cond), f.looks_ahead))
                .collect(),
            safety: game.forbids.iter().any(|f| f.what == Forbidden::Turn && f.text == "safety"),
            after_capture: game
                .afters
                .iter()
                .filter(|a| a.events.contains(&rule::Event::Capture))
                .map(|a| effects(&low, &a.body))
                .collect(),
            after_act: game
                .afters
                .iter()
                .filter_map(|a| {
                    let verbs: Vec<Verb> = a
                        .events
                        .iter()
                        .filter_map(|e| match e {
                            rule::Event::Act(verb) => Some(verb.clone()),
                            rule::Event::Capture => None,
                        })
                        .collect();
                    (!verbs.is_empty()).then(|| AfterAct { verbs, body: effects(&low, &a.body) })
                })
                .collect(),
            reactions: game
                .reactions
                .iter()
                .map(|r| Reaction {
                    kinds: r.kinds.clone(),
                    by: r.by,
                    to: low.set(&r.to),
                    body: effects(&low, &r.body),
                })
                .collect(),
            latches: game.latches.iter().map(|l| low.cond(&l.cond)).collect(),
            quiets: game.quiets.iter().map(|q| low.cond(&q.broken)).collect(),
            prefer: game.prefer.iter().map(|n| low.num(n)).collect(),
            turn: game.turn.states.iter().map(|c| choice(&low, c)).collect(),
            results: game
                .results
                .iter()
                .map(|r| Ruling {
                    number: match &r.verdict {
                        Verdict::Highest(n) | Verdict::Lowest(n) => Some(low.num(n)),
                        _ => None,
                    },
                    verdict: r.verdict.clone(),
                    at_once: r.at_once,
                    cond: low.cond(&r.cond),
                    only_if_stuck: only_if_stuck(&r.cond),
                })
                .collect(),
            start_places: game.setup.places.clone(),
            whole_turn_is_step: single,
            asks_within,
            zobrist,
            clauses,
            moves,
            whole,
            drops,
            promotions,
            promotes,
            attacks,
            barred,
            bar_pairs,
            kinds_of_state,
            type_of,
            layers,
            geo,
            layout,
            game,
        };
        Ok(rules)
    }

    /// The hash key of a piece on a cell.
    #[inline]
    pub fn key(&self, owner: u8, kind: u8, cell: usize) -> u64 {
        self.zobrist[owner as usize * K + kind as usize][cell]
    }

    /// The owner index of an owner.
    pub fn owner(owner: Option<u8>) -> u8 {
        owner.unwrap_or(NEUTRAL)
    }
}

fn clause<B: Bits>(low: &Lowering, c: &piece::Clause) -> Clause<B> {
    let board = &low.game.board;
    let gen_ = match &c.generator {
        Generator::Step { dirs, distance } => Gen::Step { dirs: dirs.clone(), distance: (*distance).max(1) },
        Generator::Slide { dirs, limit, all_the_way } => {
            Gen::Slide { dirs: dirs.clone(), limit: *limit, all_the_way: *all_the_way }
        }
        Generator::Leap { paths } => {
            let path = |s: usize, c: usize| paths.get(s).map_or(&[][..], |p| &p[c][..]);
            let table = [0, 1].map(|s| {
                (0..board.cells.len())
                    .map(|c| path(s, c).iter().fold(B::EMPTY, |set, (to, _)| set | B::bit(*to as usize)))
                    .collect()
            });
            let lame = paths.iter().flatten().flatten().any(|(_, via)| !via.is_empty());
            let lame = lame.then(|| {
                [0, 1].map(|s| {
                    (0..board.cells.len())
                        .map(|c| path(s, c).iter().map(|(to, via)| (*to, super::program::cells(via))).collect())
                        .collect()
                })
            });
            Gen::Leap { table, lame }
        }
        Generator::LeapAnywhere => Gen::Anywhere,
        Generator::Hop { dirs, far, over, beyond, captures } => {
            Gen::Hop { dirs: dirs.clone(), far: *far, over: low.set(over), beyond: *beyond, captures: *captures }
        }
        Generator::Castle { partner, steps, dirs } => {
            Gen::Castle { partner: partner.clone(), steps: *steps, dirs: dirs.clone() }
        }
        Generator::Drop { kinds } => Gen::Drop { kinds: kinds.clone() },
        Generator::Imitate { source, except } => {
            Gen::Imitate { source: *source, except: except.iter().fold(0, |m, t| m | 1 << t) }
        }
    };
    let default = [Set::Union(vec![Set::Empty, Set::Enemies]), Set::Union(vec![Set::Enemies, Set::Empty])];
    let target = match &c.target {
        Set::Empty => Target::Empty,
        Set::Enemies => Target::Enemy,
        set if default.contains(set) => Target::Default,
        set if reads_here(Node::Set(set)) => Target::Tried(low.set(set)),
        set => Target::Set(low.set(set)),
    };
    let facing = |f: &Option<IrFacing>| {
        f.as_ref().map(|f| match f {
            IrFacing::Piece(set) => Facing::Piece(low.set(set)),
            IrFacing::Nothing => Facing::Nothing,
        })
    };
    let (mut guards, mut lifted, mut tried) = (Vec::new(), Vec::new(), Vec::new());
    for guard in &c.guards {
        if !reads_here(Node::Cond(guard)) {
            guards.push(low.cond(guard));
        } else if let Some(set) = low.lift(guard) {
            lifted.push(set);
        } else {
            tried.push(low.cond(guard));
        }
    }
    let mut then_captures = false;
    for effect in &c.then {
        then_captures |= matches!(effect, Effect::Capture(_));
    }
    Clause {
        gen_,
        target,
        toward: facing(&c.toward),
        away: facing(&c.away_from),
        from: c.from.map(|z| per_seat(&low.game.zones[z as usize].cells)),
        within: c.within.map(|z| per_seat(&low.game.zones[z as usize].cells)),
        guards,
        lifted,
        tried,
        then: effects(low, &c.then),
        then_captures,
        once: c.once,
        plain: c.plain,
        label: !c.label.is_empty(),
        mark: match &c.target {
            Set::Mark(m) => Some(*m),
            _ => None,
        },
    }
}

fn promotion<B: Bits>(low: &Lowering, p: &piece::Promotion) -> Promotion<B> {
    Promotion {
        zone: per_seat(&low.game.zones[p.zone as usize].cells),
        may: p.may,
        to: p.to.clone(),
        guards: p.guards.iter().map(|g| low.cond(g)).collect(),
        then: effects(low, &p.then),
    }
}

fn effects<B: Bits>(low: &Lowering, list: &[Effect]) -> Box<[E<B>]> {
    list.iter()
        .map(|e| match e {
            Effect::Capture(s) => E::Capture(low.set(s)),
            Effect::Remove(s) => E::Remove(low.set(s)),
            Effect::Flip(s) => E::Flip(low.set(s)),
            Effect::Roll(s) => E::Roll(low.set(s)),
            Effect::Remap(s, r) => E::Remap(low.set(s), *r),
            Effect::Become(s, k) => E::Become(low.set(s), *k),
            Effect::Displace { set, limit, course } => E::Displace {
                set: low.set(set),
                limit: *limit,
                course: match course {
                    IrCourse::Toward(s) => Course::Toward(low.set(s)),
                    IrCourse::AwayFrom(s) => Course::AwayFrom(low.set(s)),
                    IrCourse::Dirs(d) => Course::Dirs(d.clone()),
                },
            },
            Effect::Mark(s, m) => E::Mark(low.set(s), *m as usize),
            Effect::Unmark(s, m) => E::Unmark(low.set(s), *m as usize),
            Effect::Count { counter, who, change, value } => E::Count {
                counter: *counter as usize,
                each: low.game.counters[*counter as usize].each,
                who: *who,
                change: *change,
                value: low.num(value),
            },
            Effect::Hand { who, change, what } => E::Hand { who: *who, change: *change, what: what.clone() },
            Effect::EndTurn => E::EndTurn,
            Effect::When(c, a, b) => E::When(low.cond(c), effects(low, a), effects(low, b)),
        })
        .collect()
}

fn choice<B: Bits>(low: &Lowering, c: &Choice) -> Ch<B> {
    match c {
        Choice::End => Ch::End,
        Choice::Do(act, next) => Ch::Do(
            match act {
                turn::Act::Play { verb, types, chooser } => Act::Play {
                    verb: verb.clone(),
                    types: types.as_ref().map(|t| t.iter().fold(0, |m, t| m | 1 << t)),
                    chooser: *chooser,
                },
                turn::Act::Rotate { set, chooser, ways, named } => Act::Rotate {
                    set: low.set(set),
                    chooser: *chooser,
                    ways: ways.iter().map(|(c, w)| (low.cond(c), *w)).collect(),
                    named: *named,
                },
                turn::Act::Choose { effect, set } => Act::Choose { effect: *effect, set: low.set(set) },
                turn::Act::Pass => Act::Pass,
                turn::Act::SwapSides => Act::Swap,
            },
            *next,
        ),
        Choice::Or(parts) => Ch::Or(parts.iter().map(|p| choice(low, p)).collect()),
        Choice::OrElse(parts) => Ch::OrElse(parts.iter().map(|p| choice(low, p)).collect()),
        Choice::Cases(cases) => Ch::Cases(cases.iter().map(|(c, x)| (low.cond(c), choice(low, x))).collect()),
        Choice::Again(a, b) => Ch::Again(Box::new(choice(low, a)), Box::new(choice(low, b))),
        Choice::Goto(q) => Ch::Goto(*q),
    }
}

/// `forbid capture` conditions that depend on kinds alone as a table; the others as conditions on pairs.
fn captures_forbidden<B: Bits>(low: &Lowering, game: &Game) -> (Vec<Vec<u8>>, Vec<C<B>>) {
    let kinds = game.kinds.len() as u8;
    let mut barred = vec![Vec::new(); kinds as usize];
    let mut pairs = Vec::new();
    for forbid in game.forbids.iter().filter(|f| f.what == Forbidden::Capture) {
        if kinds_decide(Node::Cond(&forbid.cond)) {
            for a in 0..kinds {
                for v in 0..kinds {
                    if decide(game, &forbid.cond, a, v) && !barred[a as usize].contains(&v) {
                        barred[a as usize].push(v);
                    }
                }
            }
        } else {
            pairs.push(low.cond(&forbid.cond));
        }
    }
    (barred, pairs)
}

/// Whether a condition depends on the kinds of attacker and victim only.
fn kinds_decide(node: Node) -> bool {
    use crate::ir::expr::Num;
    !node.any(&mut |n| match n {
        Node::Set(_) => true,
        Node::Cond(c) => !matches!(
            c,
            Cond::Const(_)
                | Cond::All(_)
                | Cond::Any(_)
                | Cond::Not(_)
                | Cond::RoleIs(Role::Attacker | Role::Victim, _)
                | Cond::Compare(..)
                | Cond::Odd(_)
        ),
        Node::Num(n) => !matches!(
            n,
            Num::Const(_)
                | Num::WorthOf(Role::Attacker | Role::Victim)
                | Num::Odd(_)
                | Num::Add(..)
                | Num::Sub(..)
                | Num::Mul(..)
        ),
    })
}

fn decide(game: &Game, cond: &Cond, a: u8, v: u8) -> bool {
    use crate::ir::expr::{Num, Op};
    fn value(game: &Game, n: &Num, a: u8, v: u8) -> i32 {
        match n {
            Num::Const(n) => *n,
            Num::WorthOf(Role::Attacker) => game.type_of(a).worth,
            Num::WorthOf(Role::Victim) => game.type_of(v).worth,
            Num::Odd(n) => value(game, n, a, v).rem_euclid(2),
            Num::Add(x, y) => value(game, x, a, v).saturating_add(value(game, y, a, v)),
            Num::Sub(x, y) => value(game, x, a, v).saturating_sub(value(game, y, a, v)),
            Num::Mul(x, y) => value(game, x, a, v).saturating_mul(value(game, y, a, v)),
            _ => 0,
        }
    }
    match cond {
        Cond::Const(b) => *b,
        Cond::All(parts) => parts.iter().all(|p| decide(game, p, a, v)),
        Cond::Any(parts) => parts.iter().any(|p| decide(game, p, a, v)),
        Cond::Not(c) => !decide(game, c, a, v),
        Cond::RoleIs(Role::Attacker, kinds) => kinds.contains(&a),
        Cond::RoleIs(_, kinds) => kinds.contains(&v),
        Cond::Compare(x, op, y) => {
            let (x, y) = (value(game, x, a, v), value(game, y, a, v));
            match op {
                Op::Eq => x == y,
                Op::Lt => x < y,
                Op::Le => x <= y,
                Op::Gt => x > y,
                Op::Ge => x >= y,
            }
        }
        Cond::Odd(n) => value(game, n, a, v).rem_euclid(2) == 1,
        _ => false,
    }
}

/// A type's moves can be made for all its pieces at once if they are steps that cannot coincide with one another except cell by cell.
fn at_once<B: Bits>(moves: &[u16], clauses: &[Clause<B>]) -> bool {
    let mut distances = Vec::new();
    let simple = moves.iter().all(|c| match &clauses[*c as usize].gen_ {
        Gen::Step { distance, .. } => {
            distances.push(*distance);
            true
        }
        Gen::Hop { far, beyond, .. } => {
            distances.push(2);
            !far && !beyond
        }
        _ => false,
    });
    let hops = moves.iter().any(|c| matches!(clauses[*c as usize].gen_, Gen::Hop { .. }));
    simple
        && !moves.is_empty()
        && !(hops
            && moves.iter().any(|c| matches!(clauses[*c as usize].gen_, Gen::Step { distance, .. } if distance > 1)))
}

fn attacks<B: Bits>(geo: &Geometry<B>, game: &Game, clauses: &[Clause<B>], t: u8) -> Attacks<B> {
    let mut a = Attacks {
        leaps: [vec![B::EMPTY; geo.cells], vec![B::EMPTY; geo.cells]],
        has_leaps: false,
        slides: [0; 2],
        others: Vec::new(),
    };
    for c in &game.types[t as usize].clauses {
        let clause = &clauses[*c as usize];
        if !can_capture(clause) {
            continue;
        }
        let simple = matches!(clause.target, Target::Default | Target::Enemy)
            && clause.from.is_none()
            && clause.within.is_none()
            && clause.toward.is_none()
            && clause.away.is_none()
            && clause.guards.is_empty()
            && clause.lifted.is_empty()
            && clause.tried.is_empty()
            && clause.once.is_none();
        match &clause.gen_ {
            Gen::Step { dirs, distance: 1 } if simple => {
                a.has_leaps = true;
                for s in 0..2 {
                    for d in dirs.get(s).into_iter().flatten() {
                        for c in 0..geo.cells {
                            let to = geo.dirs[*d as usize].next[c];
                            if to != super::geometry::NONE {
                                a.leaps[s][to as usize] |= B::bit(c);
                            }
                        }
                    }
                }
            }
            Gen::Leap { table, lame: None } if simple => {
                a.has_leaps = true;
                for (leaps, targets) in a.leaps.iter_mut().zip(table) {
                    for (c, targets) in targets.iter().enumerate() {
                        for to in targets.cells() {
                            leaps[to] |= B::bit(c);
                        }
                    }
                }
            }
            Gen::Slide { dirs, limit: None, all_the_way: false } if simple => {
                for s in 0..2 {
                    for d in dirs.get(s).into_iter().flatten() {
                        a.slides[s] |= 1 << d;
                    }
                }
            }
            _ => a.others.push(*c),
        }
    }
    a
}

/// Whether a clause can take a piece by landing or jumping.
pub fn can_capture<B>(clause: &Clause<B>) -> bool {
    match &clause.gen_ {
        Gen::Drop { .. } | Gen::Castle { .. } => false,
        Gen::Hop { captures: true, .. } | Gen::Imitate { .. } => true,
        Gen::Slide { all_the_way: true, .. } => false,
        _ => !matches!(clause.target, Target::Empty) && clause.mark.is_none(),
    }
}

/// Whether finding attacks can lead to a question about attacks.
fn asks_within(game: &Game) -> bool {
    let asks = |node: Node| {
        node.any(&mut |n| {
            matches!(
                n,
                Node::Set(Set::Attacked(_) | Set::Bearing { .. })
                    | Node::Cond(Cond::InCheck(_) | Cond::Checkmate | Cond::Stalemate | Cond::Stuck(_) | Cond::Can(..))
            )
        })
    };
    game.clauses.iter().any(|c| {
        let facing = [&c.toward, &c.away_from].into_iter().flatten().any(|f| match f {
            IrFacing::Piece(set) => asks(Node::Set(set)),
            IrFacing::Nothing => false,
        });
        let over = match &c.generator {
            Generator::Hop { over, .. } => asks(Node::Set(over)),
            _ => false,
        };
        facing || over || asks(Node::Set(&c.target)) || c.guards.iter().any(|g| asks(Node::Cond(g)))
    }) || game.forbids.iter().any(|f| f.what == Forbidden::Capture && asks(Node::Cond(&f.cond)))
}

fn castlers(game: &Game) -> Vec<(u8, Vec<u8>)> {
    let mut list = Vec::new();
    for k in 0..game.kinds.len() as u8 {
        for c in &game.type_of(k).clauses {
            if let Generator::Castle { partner, .. } = &game.clauses[*c as usize].generator {
                list.push((k, partner.clone()));
            }
        }
    }
    list
}

fn state_kind(states: &[Choice], q: usize) -> StateKind {
    fn ends(c: &Choice, states: &[Choice], depth: usize) -> (bool, bool) {
        // whether it may end, whether it may act
        match c {
            Choice::End => (true, false),
            Choice::Do(..) => (false, true),
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().fold((false, false), |(e, a), p| {
                let (pe, pa) = ends(p, states, depth);
                (e | pe, a | pa)
            }),
            Choice::Cases(cases) => cases.iter().fold((false, false), |(e, a), (_, p)| {
                let (pe, pa) = ends(p, states, depth);
                (e | pe, a | pa)
            }),
            Choice::Again(a, b) => {
                let (x, y) = (ends(a, states, depth), ends(b, states, depth));
                (x.0 | y.0, x.1 | y.1)
            }
            Choice::Goto(q) if depth < 64 => ends(&states[*q as usize], states, depth + 1),
            Choice::Goto(_) => (true, true),
        }
    }
    match ends(&states[q], states, 0) {
        (true, false) => StateKind::Ends,
        (false, _) => StateKind::Acts,
        (true, true) => StateKind::Open,
    }
}

/// Whether every act leads straight to the end of the turn.
fn steps_end(c: &Choice, states: &[Choice]) -> bool {
    match c {
        Choice::End => true,
        Choice::Do(_, next) => state_kind(states, *next as usize) == StateKind::Ends,
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().all(|p| steps_end(p, states)),
        Choice::Cases(cases) => cases.iter().all(|(_, p)| steps_end(p, states)),
        Choice::Again(a, b) => steps_end(a, states) && steps_end(b, states),
        Choice::Goto(_) => true,
    }
}

/// Whether a result can hold only when the next player has no legal turn.
fn only_if_stuck(cond: &Cond) -> bool {
    use crate::ir::expr::Who;
    match cond {
        Cond::Checkmate | Cond::Stalemate | Cond::Stuck(Who::Next) => true,
        Cond::All(parts) => parts.iter().any(only_if_stuck),
        Cond::Any(parts) => !parts.is_empty() && parts.iter().all(only_if_stuck),
        _ => false,
    }
}
