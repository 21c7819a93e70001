//! Facts derived from the rules, which choose algorithms.

use super::bits::Bits;
use super::program::{C, Lowering};
use super::threats::Other;
use super::verbs::{self, VerbSets, Verbs};
use crate::ir::Game;
use crate::ir::expr::{Cond, Role, Set};
use crate::ir::piece::{Clause, Facing, Generator};
use crate::ir::rule::{Effect, Forbidden};
use crate::ir::turn::{Act, Choice, Chooser, Chosen, Verb};
use crate::ir::visit::{self, Node, any_phrase, effects};

/// What is known of a game's rules as a whole.
pub struct Facts {
    /// Every act completes the turn.
    pub one_step: bool,
    /// Chance plays a part: some effect rolls pieces.
    pub rolls: bool,
    /// Some clause's condition or target, or a `forbid capture`, asks about attacks.
    pub asks_within: bool,
    /// Some `forbid turn` is the safety of royals.
    pub safety: bool,
    /// Some rule asks whether a position occurred before.
    pub repeats: bool,
    /// The seats move in turn: nobody moves twice.
    pub alternates: bool,
    /// A capture or removal can never be made good: no earlier position comes back after it.
    pub removals_last: bool,
    /// A drop can never be made good.
    pub drops_last: bool,
    /// Whether the safety of the only royal can be told by checks and pins: nothing else is forbidden, and what follows a move neither takes nor moves pieces.
    pub pins: bool,
    /// Kinds that attack by more than plain geometry.
    pub subtle: Vec<u8>,
    /// Some phrase asks whether a piece is unmoved.
    pub reads_unmoved: bool,
    /// Some block reads what happened in the turn, or its clauses and prohibitions do: of a step under way it is not recorded yet.
    pub late: bool,
    /// A condition or a set of the turn asks about the step before.
    pub turn_roles: bool,
    /// Whether an empty cell is attacked depends on what kind of piece would stand there.
    pub attacks_by_kind: bool,
    /// Some condition of a clause, a block or the turn looks ahead.
    pub looks_within: bool,
    /// Some clause imitates.
    pub borrows: bool,
    /// Borrowed lines must be told apart: by labels, by sorts, or by what they jump over.
    pub borrows_apart: bool,
    /// Two steps, or two turns, may be written alike.
    pub doubles: bool,
    /// The acts that the beginning of a turn offers whatever the position is.
    pub always_offered: Verbs,
}

impl Facts {
    /// Derives the facts; `others` are the attacks that no table tells, `free` says that neither acts nor single captures are forbidden.
    pub fn new(game: &Game, others: &[Other], free: bool, told_apart: Verbs, verbs: &VerbSets) -> Facts {
        let adds_to_hands = some_effect(game, &|e| matches!(e, Effect::Hand { .. }));
        let mut only_tame = true;
        let after = |list: &[Effect]| list.iter().all(tame);
        only_tame &= game.afters.iter().all(|a| after(&a.body)) && game.reactions.is_empty();
        only_tame &= game.types.iter().flat_map(|t| &t.promotions).all(|p| after(&p.then));
        // a board comes back more easily than a whole position
        let by_board = any_phrase(game, &mut |n| matches!(n, Node::Cond(Cond::Occurs { board_only: true, .. })));
        let is_drop = |c: &crate::ir::piece::Clause| matches!(c.generator, Generator::Drop { .. });
        let dropped: Vec<u8> = game
            .types
            .iter()
            .enumerate()
            .filter(|(_, t)| t.clauses.iter().any(|c| is_drop(&game.clauses[*c as usize])))
            .map(|(t, _)| t as u8)
            .collect();
        let from_hand = dropped.iter().all(|t| game.hand_types.contains(t));
        let moves = game.clauses.iter().any(|c| !is_drop(c));
        let writes = adds_to_hands || some_effect(game, &|e| !tame(e));
        let acts_on_pieces = some_act(game, &|a| matches!(a, Act::Rotate { .. } | Act::Choose { .. }));
        let turn_forbids: Vec<_> = game.forbids.iter().filter(|f| f.what == Forbidden::Turn).collect();
        let only_enters = !moves && !writes && !acts_on_pieces;
        let asks_within = asks_within(game);
        // a second royal may come beside the first
        let royal = |k: &u8| game.type_of(*k).royal;
        let more_royals = game.types.iter().flat_map(|t| &t.promotions).any(|p| p.to.iter().any(|(k, _)| royal(k)))
            || dropped.iter().any(|t| game.types[*t as usize].royal);
        let borrows = game.clauses.iter().any(|c| matches!(c.generator, Generator::Imitate { .. }));
        let lent = || game.clauses.iter().filter(|c| c.plain);
        let mut named = told_apart;
        each_act(game, &mut |a| {
            if let Act::Play { verb, .. } = a {
                named |= verbs.bit(verb);
            }
        });
        any_phrase(game, &mut |n| {
            if let Node::Cond(Cond::Can(_, verb)) = n {
                named |= verbs.bit(verb);
            }
            false
        });
        let jumps = |c: &Clause| matches!(c.generator, Generator::Hop { captures: true, .. });
        Facts {
            reads_unmoved: any_phrase(game, &mut |n| matches!(n, Node::Set(Set::Unmoved))),
            late: late(game),
            turn_roles: turn_roles(game),
            attacks_by_kind: false,
            looks_within: looks_within(game),
            borrows,
            borrows_apart: borrows && (named & verbs::SORTS != 0 || lent().any(|c| !c.label.is_empty() || jumps(c))),
            doubles: doubles(game, told_apart),
            always_offered: always_offered(game, verbs),
            one_step: game.turn.states.iter().all(|c| super::graph::steps_end(c, &game.turn.states)),
            rolls: some_effect(game, &|e| matches!(e, Effect::Roll(_))),
            asks_within,
            safety: turn_forbids.iter().any(|f| f.text == "safety"),
            repeats: any_phrase(game, &mut |n| matches!(n, Node::Cond(Cond::Occurs { .. }))),
            alternates: !some_act(game, &|a| matches!(a, Act::SwapSides)),
            removals_last: !adds_to_hands && from_hand && (dropped.is_empty() || !by_board),
            drops_last: !adds_to_hands && from_hand && !by_board || only_enters,
            pins: free
                && only_tame
                && !more_royals
                && !asks_within
                && turn_forbids.len() == 1
                && turn_forbids[0].text == "safety"
                && game.prefer.is_empty(),
            subtle: others.iter().map(|o| o.kind).collect(),
        }
    }
}

/// Whether a phrase reads what happened in the turn.
fn reads_records(node: Node) -> bool {
    node.any(&mut |n| {
        matches!(n, Node::Set(Set::Turned(_) | Set::Unmoved) | Node::Num(crate::ir::expr::Num::Tally(..)))
    })
}

/// See [`Facts::late`].
fn late(game: &Game) -> bool {
    let mut read = false;
    visit::step_phrases(game, &mut |n| read |= reads_records(n));
    let blocks = game.clauses.iter().any(|c| !c.then.is_empty())
        || game.types.iter().flat_map(|t| &t.promotions).any(|p| !p.then.is_empty());
    read && (blocks || !game.afters.is_empty() || !game.reactions.is_empty())
}

/// See [`Facts::looks_within`].
fn looks_within(game: &Game) -> bool {
    let mut looks = false;
    let mut look = |node: Node| {
        looks |= node
            .any(&mut |n| matches!(n, Node::Cond(Cond::Can(..) | Cond::Stuck(_) | Cond::Checkmate | Cond::Stalemate)));
    };
    visit::step_phrases(game, &mut look);
    visit::turn_phrases(game, &mut look);
    looks
}

/// See [`Facts::turn_roles`].
fn turn_roles(game: &Game) -> bool {
    let mut asks = false;
    visit::turn_phrases(game, &mut |n| {
        asks |= [Role::This, Role::Here, Role::Origin].into_iter().any(|r| n.reads(r));
    });
    asks
}

/// See [`Facts::always_offered`].
fn always_offered(game: &Game, verbs: &VerbSets) -> Verbs {
    fn within(choice: &Choice, game: &Game, verbs: &VerbSets, depth: usize) -> Verbs {
        match choice {
            Choice::Do(Act::Play { verb, types: None, chooser: Chooser::Any }, _) => verbs.bit(verb),
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().fold(0, |m, p| m | within(p, game, verbs, depth)),
            Choice::Goto(q) if depth < 64 => within(&game.turn.states[*q as usize], game, verbs, depth + 1),
            _ => 0,
        }
    }
    // what is chosen may be captured too
    game.turn.states.first().map_or(0, |c| within(c, game, verbs, 0)) & !verbs::CAPTURE
}

/// See [`Facts::doubles`].
fn doubles(game: &Game, told_apart: Verbs) -> bool {
    let disjoint = |a: &Option<Vec<u8>>, b: &Option<Vec<u8>>| match (a, b) {
        (Some(a), Some(b)) => !a.iter().any(|t| b.contains(t)),
        _ => false,
    };
    let alike = |a: &Act, b: &Act| match (a, b) {
        (Act::Play { verb: v, types: t, .. }, Act::Play { verb: w, types: u, .. }) => {
            !disjoint(t, u)
                && match (v, w) {
                    (Verb::Label(a), Verb::Label(b)) => a == b,
                    (Verb::Label(_), _) | (_, Verb::Label(_)) => true,
                    _ => (*v == Verb::Drop) == (*w == Verb::Drop),
                }
        }
        (Act::Rotate { ways: v, .. }, Act::Rotate { ways: w, .. }) => {
            v.iter().any(|(_, r)| w.iter().any(|(_, s)| r == s))
        }
        (Act::Choose { effect: a, .. }, Act::Choose { effect: b, .. }) => (*a == Chosen::Flip) == (*b == Chosen::Flip),
        (Act::Pass, Act::Pass) | (Act::SwapSides, Act::SwapSides) => true,
        _ => false,
    };
    fn acts<'g>(choice: &'g Choice, states: &'g [Choice], depth: usize, out: &mut Vec<&'g Act>) {
        match choice {
            Choice::Do(act, _) => out.push(act),
            Choice::End => {}
            Choice::Or(parts) => parts.iter().for_each(|p| acts(p, states, depth, out)),
            Choice::OrElse(parts) => parts.iter().for_each(|p| acts(p, states, depth, out)),
            Choice::Cases(cases) => cases.iter().for_each(|(_, c)| acts(c, states, depth, out)),
            Choice::Again(a, b) => [a, b].into_iter().for_each(|c| acts(c, states, depth, out)),
            Choice::Goto(q) if depth < 64 => acts(&states[*q as usize], states, depth + 1, out),
            Choice::Goto(_) => {}
        }
    }
    fn ors<'g>(choice: &'g Choice, f: &mut dyn FnMut(&'g [Choice])) {
        match choice {
            Choice::Or(parts) => {
                f(parts);
                parts.iter().for_each(|p| ors(p, f));
            }
            Choice::OrElse(parts) => parts.iter().for_each(|p| ors(p, f)),
            Choice::Cases(cases) => cases.iter().for_each(|(_, c)| ors(c, f)),
            Choice::Again(a, b) => [a, b].into_iter().for_each(|c| ors(c, f)),
            Choice::End | Choice::Do(..) | Choice::Goto(_) => {}
        }
    }
    let mut found = false;
    for state in &game.turn.states {
        ors(state, &mut |parts| {
            let lists: Vec<Vec<&Act>> = parts
                .iter()
                .map(|p| {
                    let mut list = Vec::new();
                    acts(p, &game.turn.states, 0, &mut list);
                    list
                })
                .collect();
            for (i, list) in lists.iter().enumerate() {
                found |= lists[..i].iter().flatten().any(|a| list.iter().any(|b| alike(a, b)));
            }
        });
    }
    let sorts = |t: &crate::ir::piece::PieceType| {
        let own = t.clauses.iter().map(|c| &game.clauses[*c as usize]).filter(|c| c.label.is_empty());
        own.count() > 1
    };
    found || told_apart & verbs::SORTS != 0 && game.types.iter().any(sorts)
}

/// Whether an effect neither takes, moves nor changes pieces.
pub fn tame(effect: &Effect) -> bool {
    !has_effect(effect, &|e| {
        !matches!(
            e,
            Effect::Mark(..)
                | Effect::Unmark(..)
                | Effect::Count { .. }
                | Effect::Hand { .. }
                | Effect::EndTurn
                | Effect::When(..)
        )
    })
}

fn has_effect(effect: &Effect, f: &dyn Fn(&Effect) -> bool) -> bool {
    f(effect)
        || match effect {
            Effect::When(_, a, b) => a.iter().chain(b).any(|e| has_effect(e, f)),
            _ => false,
        }
}

/// Whether `f` holds for some effect of a game.
fn some_effect(game: &Game, f: &dyn Fn(&Effect) -> bool) -> bool {
    let mut found = false;
    effects(game, &mut |e| found |= has_effect(e, f));
    found
}

/// Whether `f` holds for some act of a turn.
fn some_act(game: &Game, f: &dyn Fn(&Act) -> bool) -> bool {
    let mut found = false;
    each_act(game, &mut |act| found |= f(act));
    found
}

/// Calls `f` with each act of a turn.
fn each_act(game: &Game, f: &mut dyn FnMut(&Act)) {
    fn within(choice: &Choice, f: &mut dyn FnMut(&Act)) {
        match choice {
            Choice::Do(act, _) => f(act),
            Choice::End | Choice::Goto(_) => {}
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().for_each(|p| within(p, f)),
            Choice::Cases(cases) => cases.iter().for_each(|(_, c)| within(c, f)),
            Choice::Again(a, b) => [a, b].into_iter().for_each(|c| within(c, f)),
        }
    }
    game.turn.states.iter().for_each(|c| within(c, f));
}

/// Which captures are forbidden.
pub struct Barred<B: Bits> {
    /// For each attacking kind the victim kinds, by the conditions that depend on kinds alone.
    pub kinds: Vec<Vec<u8>>,
    /// The victim kinds where nothing is the attacker.
    pub alone: Vec<u8>,
    /// The other conditions, and whether they look ahead.
    pub pairs: Vec<(C<B>, bool)>,
}

/// What `forbid capture` forbids.
pub fn captures_forbidden<B: Bits>(low: &Lowering, game: &Game) -> Barred<B> {
    let kinds = game.kinds.len() as u8;
    let mut barred = vec![Vec::new(); kinds as usize];
    let (mut alone, mut pairs) = (Vec::new(), Vec::new());
    for forbid in game.forbids.iter().filter(|f| f.what == Forbidden::Capture) {
        if kinds_decide(Node::Cond(&forbid.cond)) {
            for v in 0..kinds {
                for a in 0..kinds {
                    if decide(game, &forbid.cond, Some(a), v) && !barred[a as usize].contains(&v) {
                        barred[a as usize].push(v);
                    }
                }
                if decide(game, &forbid.cond, None, v) && !alone.contains(&v) {
                    alone.push(v);
                }
            }
        } else {
            pairs.push((low.cond(&forbid.cond), forbid.looks_ahead));
        }
    }
    Barred { kinds: barred, alone, pairs }
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

fn decide(game: &Game, cond: &Cond, a: Option<u8>, v: u8) -> bool {
    use crate::ir::expr::Num;
    fn value(game: &Game, n: &Num, a: Option<u8>, v: u8) -> i32 {
        match n {
            Num::Const(n) => *n,
            Num::WorthOf(Role::Attacker) => a.map_or(0, |a| game.type_of(a).worth),
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
        Cond::RoleIs(Role::Attacker, kinds) => a.is_some_and(|a| kinds.contains(&a)),
        Cond::RoleIs(_, kinds) => kinds.contains(&v),
        Cond::Compare(x, op, y) => {
            let (x, y) = (value(game, x, a, v), value(game, y, a, v));
            op.holds(x, y)
        }
        Cond::Odd(n) => value(game, n, a, v).rem_euclid(2) == 1,
        _ => false,
    }
}

/// Whether finding attacks can lead to a question about attacks.
pub fn asks_within(game: &Game) -> bool {
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
            Facing::Piece(set) => asks(Node::Set(set)),
            Facing::Nothing => false,
        });
        let over = match &c.generator {
            Generator::Hop { over, .. } => asks(Node::Set(over)),
            _ => false,
        };
        facing || over || asks(Node::Set(&c.target)) || c.guards.iter().any(|g| asks(Node::Cond(g)))
    }) || game.forbids.iter().any(|f| f.what == Forbidden::Capture && asks(Node::Cond(&f.cond)))
}

/// Whether a result can hold only when the next player has no legal turn.
///
/// Nor may it ask what happened in the turn, which is forgotten by then.
pub fn only_if_stuck(cond: &Cond) -> bool {
    use crate::ir::expr::Who;
    match cond {
        _ if reads_records(Node::Cond(cond)) => false,
        Cond::Checkmate | Cond::Stalemate | Cond::Stuck(Who::Next) => true,
        Cond::All(parts) => parts.iter().any(only_if_stuck),
        Cond::Any(parts) => !parts.is_empty() && parts.iter().all(only_if_stuck),
        _ => false,
    }
}
