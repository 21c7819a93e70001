//! A game's rules made ready to run on sets of one width.

use super::Unplayable;
use super::atlas::{self, Atlas};
use super::bits::{Bits, mix};
use super::chain::Chain;
use super::clause::{Clause, Gen, Promotion, clause, promotion};
use super::core::NEUTRAL;
use super::effects::{E, effects};
use super::facts::{self, Barred, Facts, captures_forbidden};
use super::geometry::Geometry;
use super::graph::{Ch, StateKind, choice, state_kind, surely};
use super::lane::Lane;
use super::layout::Layout;
use super::ops::{Compiler, Play};
use super::program::{C, DirSets, Lowering, N, S};
use super::threats::{Lending, Threats};
use super::verbs::{VerbSets, Verbs};
use crate::ir::ending::Verdict;
use crate::ir::expr::{Cond, Role, Set, Who};
use crate::ir::piece::{Generator, PieceType};
use crate::ir::rule::{self, Forbidden};
use crate::ir::visit::{Node, any_phrase};
use crate::ir::{Game, TypeId};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// The rules of a game on sets `B`, for at most `K` kinds and `M` slots.
pub struct Rules<B, const K: usize, const M: usize> {
    /// The rules as the checker made them.
    pub game: Arc<Game>,
    /// Tables.
    pub geo: Geometry<B>,
    /// Where numbers are kept.
    pub layout: Layout,
    /// Clauses, by number.
    pub clauses: Vec<Clause<B>>,
    /// Type of each kind.
    pub type_of: Vec<u8>,
    /// Worth of each kind.
    pub worth: Vec<i32>,
    /// Clauses that are no drops, per type.
    pub moves: Vec<Vec<u16>>,
    /// Drop clauses: type and clause.
    pub drops: Vec<(u8, u16)>,
    /// Promotions per type.
    pub promotions: Vec<Vec<Promotion<B>>>,
    /// Where any promotion of the kind may happen, per kind and seat.
    pub promotes: Vec<[B; 2]>,
    /// Play acts, compiled.
    pub plays: Vec<Play<B>>,
    /// Attacks by plain geometry, and the clauses that need a closer look.
    pub threats: Threats<B>,
    /// The moves that imitators borrow.
    pub lending: Lending<B>,
    /// Kinds of royal types.
    pub royals: Vec<u8>,
    /// Kinds that can never be captured.
    pub uncapturable: Vec<u8>,
    /// For each attacking kind the victim kinds it may not take: the uncapturable, and by each `forbid capture` that depends on kinds alone.
    pub barred: Vec<Vec<u8>>,
    /// The same the other way round: for each victim kind the attacking kinds that may not take it.
    pub barred_from: Vec<Vec<u8>>,
    /// The victim kinds that may not be taken where nothing is the attacker.
    pub barred_alone: Vec<u8>,
    /// The other `forbid capture`: condition, looks ahead.
    pub bar_pairs: Vec<(C<B>, bool)>,
    /// Forbidden acts.
    pub forbid_acts: Vec<ForbidAct<B>>,
    /// Forbidden ends of a turn: condition, looks ahead.
    pub forbid_turns: Vec<(C<B>, bool)>,
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
    /// Whether a turn that has come to a state of the graph can always be completed, forbids aside.
    pub surely: Vec<bool>,
    /// What each state of the graph needs at its beginning.
    pub kinds_of_state: Vec<StateKind>,
    /// Results.
    pub results: Vec<Ruling<B>>,
    /// When those may hold that need not wait until it is known whether the next player can move.
    pub watched: Vec<Watched<B>>,
    /// Random numbers for hashing, by owner, kind and cell.
    pub zobrist: Vec<u64>,
    /// What is counted in a turn, by event.
    pub tallied: [Vec<Tallied>; TALLY_EVENTS],
    /// Types that belong to nobody.
    pub neutral: Vec<bool>,
    /// A plain move or drop changes nothing but what stands on the cells: no rule counts or remembers it.
    pub calm_moves: bool,
    /// Nothing is counted, remembered or compared at the end of a turn.
    pub calm_ends: bool,
    /// The way to play at random without ado, if there is one.
    pub lane: Option<Lane<B>>,
    /// The same for turns of several acts, with positions and quiet turns counted.
    pub chain: Option<Chain<B>>,
    /// The map of a game of few positions, drawn when it is first asked for; none if there may be too many.
    pub atlas: Option<OnceLock<Option<Atlas<B, K, M>>>>,
    /// Nothing follows a move or a capture, and no act is forbidden.
    pub undisturbed: bool,
    /// No block follows an act, and none is forbidden; captures and reactions aside.
    pub free_acts: bool,
    /// The conditions of results that are tried at once, within a turn, each with the player who sees it (any, if none).
    pub at_once: Vec<Watched<B>>,
    /// Kinds with an unmoved flag.
    pub keeps_unmoved: Vec<bool>,
    /// Castlings by kind.
    pub castlers: Vec<Castler<B>>,
    /// Verbs that blocks and forbids tell apart.
    pub told_apart: Verbs,
    /// Types of which nothing is remembered as last moved.
    pub unlearnable: u128,
    /// The bits of verbs.
    pub verbs: VerbSets,
    /// What is known of the rules as a whole.
    pub facts: Facts,
    /// Every cell that the start gives to a kind: for telling unmoved pieces in positions.
    pub start_places: Vec<(Option<u8>, u8, u16)>,
}

/// Acts that may lead to no state in which a condition holds.
pub struct ForbidAct<B> {
    pub verb: Verbs,
    /// Only if the piece is of one of these kinds.
    pub kinds: Option<Vec<u8>>,
    pub cond: C<B>,
    pub looks_ahead: bool,
}

/// How many kinds of event a tally may count.
pub const TALLY_EVENTS: usize = 6;

/// A tally of an event.
pub struct Tallied {
    /// Its number.
    pub index: usize,
    /// By kind, whether it counts it.
    pub kinds: Vec<bool>,
}

/// A block and the acts it follows.
pub struct AfterAct<B> {
    pub verbs: Verbs,
    pub body: Box<[E<B>]>,
}

/// A reaction.
pub struct Reaction<B> {
    pub kinds: Vec<u8>,
    pub by: rule::By,
    pub to: S<B>,
    /// Where such a piece stands, as directions per owner seen from where the move leads; none if that cannot be told like this.
    pub back: Option<DirSets>,
    pub body: Box<[E<B>]>,
}

/// A castling of a kind.
pub struct Castler<B> {
    pub kind: u8,
    pub partners: Vec<u8>,
    /// By seat and cell, where a partner may stand: beyond the target.
    pub beyond: [Vec<B>; 2],
}

fn castlers<B: Bits>(geo: &Geometry<B>, game: &Game, clauses: &[Clause<B>]) -> Vec<Castler<B>> {
    let castlings = |k: u8| {
        let clauses = game.type_of(k).clauses.iter().map(|c| &clauses[*c as usize].gen_);
        clauses.filter_map(move |gen_| match gen_ {
            Gen::Castle { partner, steps, dirs } => {
                let far = |cell: usize, d: u8| geo.walk(cell, d).skip(*steps as usize);
                let beyond = [0, 1].map(|s: usize| {
                    let all = |cell: usize| dirs[s].iter().flat_map(move |d| far(cell, *d));
                    (0..geo.cells).map(|cell| all(cell).fold(B::EMPTY, |set, c| set | B::bit(c))).collect()
                });
                Some(Castler { kind: k, partners: partner.clone(), beyond })
            }
            _ => None,
        })
    };
    (0..game.kinds.len() as u8).flat_map(castlings).collect()
}

/// When a result may hold.
pub struct Watched<B> {
    /// What must hold together.
    pub parts: Vec<C<B>>,
    /// What besides must hold of the pieces on the board, wherever they stand.
    pub stock: Vec<C<B>>,
    /// Who sees it.
    pub viewer: Who,
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

impl<B: Bits, const K: usize, const M: usize> Rules<B, K, M> {
    /// Prepares the rules.
    pub fn new(game: Arc<Game>) -> Result<Self, Unplayable> {
        let layout = Layout::new(&game)?;
        let verbs = VerbSets::new(&game)?;
        let low = Lowering { game: &game, layout: &layout, verbs: &verbs };
        let geo = Geometry::new(&game.board);
        let type_of: Vec<u8> = game.kinds.iter().map(|k| k.piece).collect();
        let mut clauses: Vec<Clause<B>> =
            game.clauses.iter().enumerate().map(|(i, c)| clause(&low, i as u16, c)).collect();
        let is_drop = |c: &u16| matches!(clauses[*c as usize].gen_, Gen::Drop { .. });
        let moves: Vec<Vec<u16>> =
            game.types.iter().map(|t| t.clauses.iter().copied().filter(|c| !is_drop(c)).collect()).collect();
        let drops: Vec<(u8, u16)> = (0..game.types.len())
            .flat_map(|t| game.types[t].clauses.iter().copied().filter(is_drop).map(move |c| (t as u8, c)))
            .collect();
        let promotions: Vec<Vec<Promotion<B>>> =
            game.types.iter().map(|t| t.promotions.iter().map(|p| promotion(&low, p)).collect()).collect();
        let promotes: Vec<[B; 2]> = type_of
            .iter()
            .map(|t| [0, 1].map(|s| promotions[*t as usize].iter().fold(B::EMPTY, |a, p: &Promotion<B>| a | p.zone[s])))
            .collect();
        let kinds_where = |f: &dyn Fn(TypeId) -> bool| -> Vec<u8> {
            (0..type_of.len() as u8).filter(|k| f(type_of[*k as usize])).collect()
        };
        let Barred { kinds: mut barred, alone: mut barred_alone, pairs: bar_pairs } = captures_forbidden(&low, &game);
        let uncapturable = kinds_where(&|t| game.types[t as usize].uncapturable);
        for list in barred.iter_mut().chain([&mut barred_alone]) {
            list.extend(uncapturable.iter().filter(|k| !list.contains(k)).copied().collect::<Vec<_>>());
        }
        let kinds = 0..type_of.len() as u8;
        let barred_from =
            kinds.clone().map(|v| kinds.clone().filter(|a| barred[*a as usize].contains(&v)).collect()).collect();
        let threats = Threats::new(&geo, &game, &clauses);
        let lending = Lending::new(&geo, &game, &clauses);
        let after_act: Vec<AfterAct<B>> = game
            .afters
            .iter()
            .map(|a| {
                let bit = |e: &rule::Event| match e {
                    rule::Event::Act(verb) => verbs.bit(verb),
                    rule::Event::Capture => 0,
                };
                AfterAct { verbs: a.events.iter().fold(0, |m, e| m | bit(e)), body: effects(&low, &a.body) }
            })
            .filter(|a| a.verbs != 0)
            .collect();
        let forbid_acts: Vec<ForbidAct<B>> = game
            .forbids
            .iter()
            .filter_map(|f| match &f.what {
                Forbidden::Act(verb, kinds) => Some(ForbidAct {
                    verb: verbs.bit(verb),
                    kinds: kinds.clone(),
                    cond: low.cond(&f.cond),
                    looks_ahead: f.looks_ahead,
                }),
                Forbidden::Capture | Forbidden::Turn => None,
            })
            .collect();
        let told_apart =
            after_act.iter().map(|a| a.verbs).chain(forbid_acts.iter().map(|f| f.verb)).fold(0, |m, v| m | v);
        let free = forbid_acts.is_empty() && bar_pairs.is_empty() && geo.straight;
        let facts = Facts::new(&game, &threats.others, free, told_apart, &verbs);
        let facts = Facts {
            attacks_by_kind: !threats.others.is_empty() || !bar_pairs.is_empty() || !barred_alone.is_empty(),
            borrows_apart: facts.borrows_apart || facts.borrows && !geo.straight,
            ..facts
        };
        // what a piece that imitates too has moved as is more than its own type
        let imitates = |t: &&PieceType| {
            t.clauses.iter().any(|c| matches!(game.clauses[*c as usize].generator, Generator::Imitate { .. }))
        };
        // and what one borrows may have effects by which it is borrowed
        for clause in clauses.iter_mut().filter(|c| c.plain) {
            clause.simple &= !facts.borrows_apart;
        }
        for c in game.types.iter().filter(imitates).flat_map(|t| &t.clauses).filter(|_| game.reads_last_moved) {
            let clause = &mut clauses[*c as usize];
            clause.simple &= matches!(clause.gen_, Gen::Drop { .. });
        }
        let compiler = Compiler {
            apart: facts.borrows_apart,
            game: &game,
            geo: &geo,
            clauses: &clauses,
            moves: &moves,
            drops: &drops,
            told_apart,
            pairs: !bar_pairs.is_empty(),
            barred: &barred,
            uncapturable: uncapturable.len(),
            tables: Cell::new(0),
            layers: &layout.layers,
        };
        let mut plays: Vec<Play<B>> = Vec::new();
        let mut play = |verb: Verbs, types: Option<u128>| {
            plays.iter().position(|p| (p.verb, p.types) == (verb, types)).unwrap_or_else(|| {
                plays.push(compiler.play(verb, types));
                plays.len() - 1
            })
        };
        let turn: Vec<Ch<B>> = game.turn.states.iter().map(|c| choice(&low, c, &mut play)).collect();
        any_phrase(&game, &mut |n| {
            if let Node::Cond(Cond::Can(_, verb)) = n {
                play(verbs.bit(verb), None);
            }
            false
        });
        let kinds_of_state = (0..game.turn.states.len()).map(|q| state_kind(&game.turn.states, q)).collect();
        let turn_roles = facts.turn_roles;
        let calm_moves = game.tallies.is_empty()
            && layout.all_turned().next().is_none()
            && game.marks.is_empty()
            && !game.reads_last_moved
            && game.unmoved_kinds.is_empty()
            && !facts.repeats;
        let calm_ends = game.quiets.is_empty() && game.marks.is_empty() && game.latches.is_empty() && !facts.repeats;
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        let mut random = || {
            seed = u64::wrapping_add(seed, 0x9e37_79b9_7f4a_7c15);
            mix(seed)
        };
        let zobrist = (0..3 * type_of.len() * geo.cells).map(|_| random()).collect();
        let mut tallied = [const { Vec::new() }; TALLY_EVENTS];
        for (i, tally) in game.tallies.iter().enumerate() {
            let counts = |kind| tally.kinds.as_ref().is_none_or(|k| k.contains(&kind));
            let kinds = (0..type_of.len() as u8).map(counts).collect();
            tallied[tally.event as usize].push(Tallied { index: i, kinds });
        }
        // where moves depend on what a look-ahead finds, a player who can move may be stuck when it is asked
        let looks_within = facts.looks_within;
        let only_if_stuck = |cond: &Cond| !looks_within && facts::only_if_stuck(cond);
        let at_once = game.results.iter().filter(|r| r.at_once);
        let at_once = at_once.flat_map(|r| watched(&low, r)).collect();
        let results = game.results.iter().filter(|r| !only_if_stuck(&r.cond));
        let mut watched: Vec<Watched<B>> = results.flat_map(|r| watched(&low, r)).collect();
        for watched in watched.iter_mut().take(u16::BITS as usize) {
            let parts = std::mem::take(&mut watched.parts).into_iter();
            (watched.stock, watched.parts) = parts.partition(|part| part.by_stock(geo.all));
        }
        let mut rules = Rules {
            lane: None,
            chain: None,
            atlas: atlas::thinkable(&game).then(OnceLock::new),
            worth: type_of.iter().map(|t| game.types[*t as usize].worth).collect(),
            royals: kinds_where(&|t| game.types[t as usize].royal),
            castlers: castlers(&geo, &game, &clauses),
            keeps_unmoved: (0..type_of.len()).map(|k| game.unmoved_kinds.contains(&(k as u8))).collect(),
            forbid_turns: game
                .forbids
                .iter()
                .filter(|f| f.what == Forbidden::Turn)
                .map(|f| (low.cond(&f.cond), f.looks_ahead))
                .collect(),
            after_capture: game
                .afters
                .iter()
                .filter(|a| a.events.contains(&rule::Event::Capture))
                .map(|a| effects(&low, &a.body))
                .collect(),
            reactions: game
                .reactions
                .iter()
                .map(|r| Reaction {
                    kinds: r.kinds.clone(),
                    by: r.by,
                    to: low.set(&r.to),
                    back: match &r.to {
                        Set::Neighbours { of, dirs }
                            if **of == Set::Role(Role::This) && dirs.len() == 2 && geo.reversible() =>
                        {
                            Some(low.opposite(dirs))
                        }
                        _ => None,
                    },
                    body: effects(&low, &r.body),
                })
                .collect(),
            latches: game.latches.iter().map(|l| low.cond(&l.cond)).collect(),
            quiets: game.quiets.iter().map(|q| low.cond(&q.broken)).collect(),
            prefer: game.prefer.iter().map(|n| low.num(n)).collect(),
            watched,
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
            verbs,
            facts,
            zobrist,
            calm_moves,
            calm_ends,
            tallied,
            neutral: game.types.iter().map(|t| t.neutral).collect(),
            undisturbed: game.afters.is_empty() && game.reactions.is_empty() && forbid_acts.is_empty() && !turn_roles,
            free_acts: after_act.is_empty() && forbid_acts.is_empty() && !turn_roles,
            told_apart,
            unlearnable: game.unlearnable().iter().fold(0, |m, t| m | 1 << t),
            at_once,
            clauses,
            moves,
            drops,
            promotions,
            promotes,
            plays,
            threats,
            lending,
            uncapturable,
            barred,
            barred_from,
            barred_alone,
            bar_pairs,
            forbid_acts,
            after_act,
            turn,
            kinds_of_state,
            surely: surely(&game.turn.states),
            type_of,
            geo,
            layout,
            game,
        };
        rules.lane = Lane::new(&rules);
        rules.chain = if rules.lane.is_none() { Chain::new(&rules) } else { None };
        Ok(rules)
    }

    /// The hash key of a piece on a cell.
    #[inline]
    pub fn key(&self, owner: u8, kind: u8, cell: usize) -> u64 {
        self.zobrist[(owner as usize * self.type_of.len() + kind as usize) * self.geo.cells + cell]
    }

    /// The owner index of an owner.
    pub fn owner(owner: Option<u8>) -> u8 {
        owner.unwrap_or(NEUTRAL)
    }
}

/// What a result waits for, taken apart into conditions of which one suffices, each of parts that must hold together.
fn watched<B: Bits>(low: &Lowering, result: &crate::ir::ending::Result) -> Vec<Watched<B>> {
    fn apart<B>(cond: C<B>) -> Vec<Vec<C<B>>> {
        match cond {
            C::Any(parts) => parts.into_vec().into_iter().flat_map(apart).collect(),
            C::All(parts) => vec![parts.into_vec()],
            cond => vec![vec![cond]],
        }
    }
    let viewers = result.verdict.viewer().map_or(vec![Who::Mover, Who::Next], |who| vec![who]);
    let seen = |viewer| {
        apart(low.cond(&result.cond)).into_iter().map(move |parts| Watched { parts, stock: Vec::new(), viewer })
    };
    viewers.into_iter().flat_map(seen).collect()
}
