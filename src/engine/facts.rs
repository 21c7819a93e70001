//! Facts derived from the rules, which choose algorithms.

use super::bits::Bits;
use super::program::{C, Lowering};
use super::threats::Other;
use crate::ir::Game;
use crate::ir::expr::{Cond, Role, Set};
use crate::ir::piece::{Facing, Generator};
use crate::ir::rule::{Effect, Forbidden};
use crate::ir::turn::{Act, Choice};
use crate::ir::visit::{Node, any_phrase, effects};

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
}

impl Facts {
    /// Derives the facts; `others` are the attacks that no table tells, `free` says that neither acts nor single captures are forbidden.
    pub fn new(game: &Game, others: &[Other], free: bool) -> Facts {
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
        Facts {
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
                && !asks_within
                && turn_forbids.len() == 1
                && turn_forbids[0].text == "safety"
                && game.prefer.is_empty(),
            subtle: others.iter().map(|o| o.kind).collect(),
        }
    }
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
    fn within(choice: &Choice, f: &dyn Fn(&Act) -> bool) -> bool {
        match choice {
            Choice::Do(act, _) => f(act),
            Choice::End | Choice::Goto(_) => false,
            Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| within(p, f)),
            Choice::Cases(cases) => cases.iter().any(|(_, c)| within(c, f)),
            Choice::Again(a, b) => within(a, f) || within(b, f),
        }
    }
    game.turn.states.iter().any(|c| within(c, f))
}

/// `forbid capture` conditions that depend on kinds alone as a table; the others as conditions on pairs.
pub fn captures_forbidden<B: Bits>(low: &Lowering, game: &Game) -> (Vec<Vec<u8>>, Vec<C<B>>) {
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

pub fn castlers(game: &Game) -> Vec<(u8, Vec<u8>)> {
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

/// Whether a result can hold only when the next player has no legal turn.
pub fn only_if_stuck(cond: &Cond) -> bool {
    use crate::ir::expr::Who;
    match cond {
        Cond::Checkmate | Cond::Stalemate | Cond::Stuck(Who::Next) => true,
        Cond::All(parts) => parts.iter().any(only_if_stuck),
        Cond::Any(parts) => !parts.is_empty() && parts.iter().all(only_if_stuck),
        _ => false,
    }
}
