//! Play acts compiled: which operations list the moves of each kind.
//!
//! Steps and near jumps go for all pieces of a kind at once, one operation per direction. Unconditional leaps and slides of a kind are one table look-up and one
//! sweep per piece. What depends on more than that is asked clause by clause for each piece.

use super::bits::Bits;
use super::clause::{Clause, Facing, Gen, Target};
use super::geometry::{Geometry, NONE, Sliders};
use super::group::{Code, From, What};
use super::program::S;
use super::verbs::{self, Verbs};
use crate::ir::expr::{Role, Set};
use crate::ir::visit::Node;
use crate::ir::{Game, piece};
use std::cell::Cell;

/// What the tables of all acts may take, in bytes; for moves beyond that the clauses are asked.
const MAX_TABLES: usize = 64 << 20;

/// The operations of one act.
pub struct Play<B> {
    /// The act.
    pub verb: Verbs,
    /// Only pieces of these types, as bits.
    pub types: Option<u128>,
    /// Moves, kind by kind.
    pub ops: Vec<Op<B>>,
    /// Drops.
    pub drops: Vec<Drop>,
}

/// An operation: moves of one kind.
pub struct Op<B> {
    /// The kind.
    pub kind: u8,
    /// The clause; of several that are one operation, the first.
    pub clause: u16,
    /// How.
    pub how: How<B>,
    /// What its groups are, per seat, where they start aside.
    pub code: [Code; 2],
    /// Where a piece must stand, per seat.
    pub from: [B; 2],
    /// The clause has conditions that concern the player, not the piece.
    pub gated: bool,
    /// Where it may land is a matter of empty cells and enemies alone.
    pub plain: bool,
    /// The act.
    pub verb: Verbs,
    /// Only captures.
    pub captures: bool,
    /// An earlier operation of the kind may list the same moves.
    pub repeats: bool,
    /// Neither that, nor does it have conditions of any kind.
    pub lone: bool,
    /// Checks and pins decide whether its moves leave the royal safe.
    pub tame: bool,
    /// The kind promotes somewhere.
    pub promotes: bool,
    /// The kind is royal.
    pub royal: bool,
    /// It castles: only pieces that have not moved.
    pub castles: bool,
    /// It leads only to these sets of marked cells: first and number.
    pub mark: Option<(usize, usize)>,
}

/// How an operation finds targets.
pub enum How<B> {
    /// All pieces, one step by a distance (per seat), where empty cells and enemies alone decide: onto [`Land`].
    Step { dir: [u8; 2], delta: [i32; 2], land: Land },
    /// All pieces, so many steps in a direction (per seat).
    Shift { dir: [u8; 2], steps: u16 },
    /// All pieces, over a neighbour in a direction (per seat).
    Jump { dir: [u8; 2] },
    /// The same over a capturable enemy onto an empty cell, on a board without bends: the distance of a step, and the cells from which it leads to another.
    Take { delta: [i32; 2], open: [B; 2] },
    /// Each piece by tables: its leaps, and where it slides; onto [`Land`], where empty cells and enemies alone decide.
    Reach { leaps: Option<[Vec<B>; 2]>, sliders: Option<[Sliders<B>; 2]>, land: Option<Land> },
    /// Each piece as far as it can go in some directions (per seat, as bits), by clauses that look at what stands first ahead or behind. What
    /// a piece sees both ways, the sliders tell.
    Lines { clauses: Vec<u16>, sliders: [Sliders<B>; 2], dirs: [u64; 2] },
    /// Each piece by the clause itself.
    Each,
}

/// Cells to land on, as an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Land {
    /// Empty cells.
    Empty,
    /// Enemies.
    Enemy,
    /// Either.
    Either,
}

/// A drop clause of a type.
pub struct Drop {
    /// The type.
    pub piece: u8,
    /// The clause.
    pub clause: u16,
}

/// What compiling needs.
pub struct Compiler<'a, B> {
    pub game: &'a Game,
    pub geo: &'a Geometry<B>,
    pub clauses: &'a [Clause<B>],
    pub moves: &'a [Vec<u16>],
    pub drops: &'a [(u8, u16)],
    /// Verbs that blocks and forbids tell apart.
    pub told_apart: Verbs,
    /// Some `forbid capture` depends on more than kinds.
    pub pairs: bool,
    /// By attacking kind, the kinds it may not take.
    pub barred: &'a [Vec<u8>],
    /// Sets of marked cells, per mark: first and number.
    pub layers: &'a [(usize, usize)],
    /// How many kinds no piece may take.
    pub uncapturable: usize,
    /// Bytes of all tables so far.
    pub tables: Cell<usize>,
    /// Each line that an imitator borrows is an operation of its own.
    pub apart: bool,
}

/// Whether operations lead no farther than to neighbours.
fn near<B>(hows: &[How<B>]) -> bool {
    hows.iter().all(|how| matches!(how, How::Shift { steps: 1, .. }))
}

impl<B: Bits> Compiler<'_, B> {
    /// Compiles an act.
    pub fn play(&self, verb: Verbs, types: Option<u128>) -> Play<B> {
        let mut ops = Vec::new();
        for kind in 0..self.game.kinds.len() as u8 {
            let t = self.game.kinds[kind as usize].piece as usize;
            if verb != verbs::DROP && types.is_none_or(|m| m >> t & 1 != 0) {
                self.kind(verb, kind, t, &mut ops);
            }
        }
        let drops = self
            .drops
            .iter()
            .filter(|(t, c)| types.is_none_or(|m| m >> t & 1 != 0) && self.clauses[*c as usize].verbs & verb != 0)
            .map(|(t, c)| Drop { piece: *t, clause: *c })
            .collect();
        Play { verb, types, ops, drops }
    }

    fn kind(&self, verb: Verbs, kind: u8, t: usize, ops: &mut Vec<Op<B>>) {
        let first = ops.len();
        // clauses that operations have taken in, besides the first
        let mut taken: Vec<(usize, u16)> = Vec::new();
        let whole = !self.game.types[t].royal
            && self.moves[t].iter().all(|c| self.goes_whole(*c).is_some_and(|hows| self.geo.straight || near(&hows)));
        let lends = |c: u16| {
            self.apart && matches!(self.clauses[c as usize].gen_, Gen::Imitate { .. }) && verb & verbs::TURN_ACTS == 0
        };
        let wanted = |c: &u16| self.clauses[*c as usize].verbs & verb != 0 || lends(*c);
        for c in self.moves[t].iter().filter(|c| wanted(c)) {
            let clause = &self.clauses[*c as usize];
            let all = [self.geo.all; 2];
            let mut from = clause.from.unwrap_or(all);
            if let Some(within) = clause.within {
                from = [0, 1].map(|s| from[s] & within[s]);
            }
            let op = |how| Op {
                kind,
                clause: *c,
                how,
                code: [Code::new(What::Pass, 0); 2],
                from,
                gated: !self.asks_of_piece(*c) && (!clause.guards.is_empty() || clause.once.is_some()),
                plain: self.barred[kind as usize].len() == self.uncapturable
                    && clause.within.is_none()
                    && clause.lifted.is_empty()
                    && verb != verbs::CAPTURE,
                verb,
                captures: verb == verbs::CAPTURE,
                repeats: false,
                lone: false,
                tame: clause.tame && !self.game.types[t].royal,
                promotes: !self.game.types[t].promotions.is_empty(),
                royal: self.game.types[t].royal,
                castles: matches!(clause.gen_, Gen::Castle { .. }),
                mark: clause.mark.map(|m| self.layers[m as usize]),
            };
            if let Some(lines) = self.lines(*c) {
                if !ops[first..].iter_mut().any(|earlier| self.merge(earlier, *c, &lines)) {
                    ops.push(op(self.affordable(lines)));
                }
                continue;
            }
            if !self.fixed(*c) || clause.toward.is_some() || clause.away.is_some() {
                ops.push(op(How::Each));
                continue;
            }
            match self.goes_whole(*c) {
                Some(hows) if whole => ops.extend(hows.into_iter().map(op)),
                _ => match reach_tables(self.geo, &self.clauses[*c as usize]) {
                    Some((leaps, sliders)) => {
                        let how = How::Reach { leaps, sliders, land: None };
                        match (first..ops.len()).find(|i| self.merge(&mut ops[*i], *c, &how)) {
                            Some(i) => taken.push((i, *c)),
                            None => ops.push(op(self.affordable(how))),
                        }
                    }
                    None => ops.push(op(How::Each)),
                },
            }
        }
        for i in first..ops.len() {
            ops[i].repeats = (first..i).any(|j| self.may_coincide(&ops[j], &ops[i])) || lends(ops[i].clause);
            let by_piece = |how: &How<B>| matches!(how, How::Each | How::Reach { .. } | How::Lines { .. });
            if ops[i].repeats
                && !matches!(ops[i].how, How::Lines { .. })
                && ops[first..i].iter().any(|o| by_piece(&o.how))
            {
                ops[i].how = How::Each;
                for (_, clause) in taken.iter().filter(|(into, _)| *into == i) {
                    let tame = self.clauses[*clause as usize].tame && !ops[i].royal;
                    let apart = Op { clause: *clause, how: How::Each, tame, repeats: true, ..ops[i] };
                    ops.push(apart);
                }
            }
        }
        for op in &mut ops[first..] {
            let land = self.land(op);
            op.lone = land.is_some() && !op.repeats && !op.gated;
            if let How::Reach { land: l, .. } = &mut op.how {
                *l = land;
            }
            if let Some((step, leaving)) = land.and_then(|land| self.step(op, land)) {
                op.how = step;
                op.from = [0, 1].map(|s| op.from[s] & leaving[s]);
            }
            if let Some(take) = land.and_then(|land| self.take(op, land)) {
                op.how = take;
            }
            let promotes = op.promotes;
            op.code = [0, 1].map(|s| {
                let from = match op.how {
                    How::Step { dir, .. } => self.back(dir[s], 1),
                    How::Shift { dir, steps } => self.back(dir[s], steps),
                    How::Jump { dir } => self.back(dir[s], 2),
                    How::Take { delta, .. } => From::Below(2 * delta[s] as i16),
                    How::Reach { .. } | How::Lines { .. } | How::Each => From::Cell(0),
                };
                Code::new(What::Play { clause: op.clause, kind, from }, 0).promoting(promotes)
            });
        }
    }

    /// The operation with its tables, or without them if there are too many already.
    fn affordable(&self, how: How<B>) -> How<B> {
        let sliders = |s: &[Sliders<B>; 2]| s.iter().map(Sliders::sets).sum::<usize>();
        let sets = match &how {
            How::Reach { leaps, sliders: s, .. } => {
                leaps.as_ref().map_or(0, |_| 2 * self.geo.cells) + s.as_ref().map_or(0, sliders)
            }
            How::Lines { sliders: s, .. } => sliders(s),
            How::Step { .. } | How::Shift { .. } | How::Jump { .. } | How::Take { .. } | How::Each => 0,
        };
        let bytes = self.tables.get() + sets * size_of::<B>();
        if bytes > MAX_TABLES {
            return How::Each;
        }
        self.tables.set(bytes);
        how
    }

    /// Whether the conditions of a clause ask something of the piece that moves.
    fn asks_of_piece(&self, c: u16) -> bool {
        self.game.clauses[c as usize].guards.iter().any(|g| by_piece(Node::Cond(g)))
    }

    /// Whether what the clause accepts is the same for all pieces and targets.
    fn fixed(&self, c: u16) -> bool {
        let (clause, rule) = (&self.clauses[c as usize], &self.game.clauses[c as usize]);
        clause.tried.is_empty()
            && !self.pairs
            && !matches!(clause.target, Target::Tried(_))
            && !by_piece(Node::Set(&rule.target))
            && !self.asks_of_piece(c)
            && match &rule.generator {
                piece::Generator::Hop { over, .. } => !by_piece(Node::Set(over)) && !Node::Set(over).reads(Role::Here),
                _ => true,
            }
            && [&rule.toward, &rule.away_from].into_iter().flatten().all(|facing| match facing {
                piece::Facing::Piece(set) => !by_piece(Node::Set(set)) && !Node::Set(set).reads(Role::Here),
                piece::Facing::Nothing => true,
            })
    }

    /// A clause that goes as far as it can, where what stands first ahead or behind is a matter of sets that are the same for all pieces.
    fn lines(&self, c: u16) -> Option<How<B>> {
        let clause = &self.clauses[c as usize];
        let Gen::Slide { dirs, limit: None, all_the_way: true } = &clause.gen_ else { return None };
        let looks = [&clause.toward, &clause.away].into_iter().any(|f| matches!(f, Some(Facing::Piece(_))));
        if !looks || clause.within.is_some() || !self.fixed(c) || self.geo.dirs.len() > 64 || !self.geo.reversible() {
            return None;
        }
        let both = |s: usize| -> Vec<u8> {
            let back = dirs[s].iter().map(|d| self.geo.dirs[*d as usize].opposite as u8);
            let mut both: Vec<u8> = dirs[s].iter().copied().chain(back).collect();
            both.sort_unstable();
            both.dedup();
            both
        };
        Some(How::Lines {
            clauses: vec![c],
            sliders: [0, 1].map(|s| self.geo.sliders(&both(s))),
            dirs: [0, 1].map(|s| dirs[s].iter().fold(0, |m, d| m | 1 << d)),
        })
    }

    /// The directions of a clause that can be made for all pieces at once.
    fn goes_whole(&self, c: u16) -> Option<Vec<How<B>>> {
        let pairs = |dirs: &[Vec<u8>]| {
            let (a, b) = (dirs.first()?, dirs.get(1)?);
            (a.len() == b.len()).then(|| a.iter().zip(b).map(|(a, b)| [*a, *b]).collect::<Vec<_>>())
        };
        match &self.clauses[c as usize].gen_ {
            Gen::Step { dirs, distance } if *distance <= 255 => {
                Some(pairs(dirs)?.into_iter().map(|dir| How::Shift { dir, steps: *distance }).collect())
            }
            Gen::Hop { dirs, far: false, beyond: false, .. } => {
                Some(pairs(dirs)?.into_iter().map(|dir| How::Jump { dir }).collect())
            }
            _ => None,
        }
    }

    /// The way back of so many steps.
    fn back(&self, dir: u8, steps: u16) -> From {
        let far = self.geo.regular(dir).and_then(|(delta, _)| i16::try_from(delta * i32::from(steps)).ok());
        far.map_or(From::Back { dir, steps: steps as u8 }, From::Below)
    }

    /// Where an operation lands, if empty cells and enemies alone decide.
    fn land(&self, op: &Op<B>) -> Option<Land> {
        match self.clauses[op.clause as usize].target {
            _ if !op.plain => None,
            Target::Empty => Some(Land::Empty),
            Target::Enemy => Some(Land::Enemy),
            Target::Default => Some(Land::Either),
            Target::Set(_) | Target::Tried(_) => None,
        }
    }

    /// A single step on a board without bends, and the cells from which it leads to another.
    fn step(&self, op: &Op<B>, land: Land) -> Option<(How<B>, [B; 2])> {
        let How::Shift { dir, steps: 1 } = op.how else { return None };
        let (white, black) = (self.geo.regular(dir[0])?, self.geo.regular(dir[1])?);
        Some((How::Step { dir, delta: [white.0, black.0], land }, [white.1, black.1]))
    }

    /// A jump over an enemy onto an empty cell, on a board without bends.
    fn take(&self, op: &Op<B>, land: Land) -> Option<How<B>> {
        let How::Jump { dir } = op.how else { return None };
        let over_enemy =
            matches!(&self.clauses[op.clause as usize].gen_, Gen::Hop { over: S::Enemies, captures: true, .. });
        let (white, black) = (self.geo.regular(dir[0])?, self.geo.regular(dir[1])?);
        let plain = over_enemy && matches!(land, Land::Empty) && white.0.abs() < 1 << 14;
        plain.then_some(How::Take { delta: [white.0, black.0], open: [white.1, black.1] })
    }

    /// Takes a clause into an operation that lists moves with the same outcome.
    fn merge(&self, earlier: &mut Op<B>, c: u16, how: &How<B>) -> bool {
        let (a, b) = (&self.clauses[earlier.clause as usize], &self.clauses[c as usize]);
        if let (How::Lines { clauses, dirs: d, .. }, How::Lines { dirs: e, .. }) = (&mut earlier.how, how) {
            let (x, y) = (&self.game.clauses[earlier.clause as usize], &self.game.clauses[c as usize]);
            let alike = a.simple && b.simple && !a.label && !b.label && (a.verbs ^ b.verbs) & self.told_apart == 0;
            let same = d == e && x.target == y.target && x.guards == y.guards && x.from == y.from;
            if alike && same {
                clauses.push(c);
            }
            return alike && same;
        }
        let plain = |x: &Clause<B>| {
            x.simple && !x.label && matches!(x.target, Target::Default) && x.guards.is_empty() && x.lifted.is_empty()
        };
        if !plain(a) || !plain(b) || a.from.is_some() || b.from.is_some() || (a.verbs ^ b.verbs) & self.told_apart != 0
        {
            return false;
        }
        match (&mut earlier.how, how) {
            (How::Reach { leaps: Some(a), .. }, How::Reach { leaps: Some(b), sliders: None, .. }) => {
                for (a, b) in a.iter_mut().zip(b) {
                    a.iter_mut().zip(b).for_each(|(a, b)| *a |= *b);
                }
                true
            }
            (How::Reach { leaps: leaps @ None, .. }, How::Reach { leaps: Some(b), sliders: None, .. }) => {
                *leaps = Some(b.clone());
                true
            }
            (How::Reach { sliders: sliders @ None, .. }, How::Reach { leaps: None, sliders: Some(_), .. }) => {
                *sliders = reach_tables(self.geo, &self.clauses[c as usize]).and_then(|(_, s)| s);
                true
            }
            _ => false,
        }
    }

    /// Whether two operations of a kind may list the same move of the same piece.
    fn may_coincide(&self, a: &Op<B>, b: &Op<B>) -> bool {
        let (x, y) = (&self.clauses[a.clause as usize], &self.clauses[b.clause as usize]);
        if (x.label || y.label) && !self.apart {
            return false;
        }
        let apart = matches!((&x.target, &y.target), (Target::Empty, Target::Enemy) | (Target::Enemy, Target::Empty));
        let way = |how: &How<B>| match how {
            How::Step { dir, .. } => Some((*dir, 1)),
            How::Shift { dir, steps } => Some((*dir, *steps)),
            How::Jump { dir } => Some((*dir, 2)),
            How::Take { .. } | How::Reach { .. } | How::Lines { .. } | How::Each => None,
        };
        match (way(&a.how), way(&b.how)) {
            _ if apart => false,
            (Some((d, n)), Some((e, m))) => n > 1 && m > 1 && n != m || n == m && (0..2).any(|s| d[s] == e[s]),
            _ => true,
        }
    }
}

/// Whether a phrase reads which piece moves, or where it stands.
fn by_piece(node: Node) -> bool {
    node.any(&mut |n| matches!(n, Node::Set(Set::Crossed | Set::Marker(_))))
        || [Role::This, Role::Origin, Role::Attacker, Role::Victim].into_iter().any(|r| node.reads(r))
}

/// The tables of a clause that is one look-up: leaps and slides, whatever its conditions are; it must not be bound to stay within some cells.
#[allow(clippy::type_complexity, reason = "the two parts of `How::Reach`")]
pub fn reach_tables<B: Bits>(
    geo: &Geometry<B>,
    clause: &Clause<B>,
) -> Option<(Option<[Vec<B>; 2]>, Option<[Sliders<B>; 2]>)> {
    if clause.within.is_some() {
        return None;
    }
    match &clause.gen_ {
        Gen::Leap { table, lame: None } => Some((Some(table.clone()), None)),
        Gen::Step { dirs, distance: 1 } => {
            let next = |d: u8, c: usize| geo.dirs[d as usize].next[c];
            let table = [0, 1].map(|s| {
                let to = |c: usize| dirs[s].iter().map(move |d| next(*d, c)).filter(|to| *to != NONE);
                (0..geo.cells).map(|c| to(c).fold(B::EMPTY, |set, to| set | B::bit(to as usize))).collect()
            });
            Some((Some(table), None))
        }
        Gen::Slide { dirs, limit: None, all_the_way: false } => {
            Some((None, Some([0, 1].map(|s| geo.sliders(&dirs[s])))))
        }
        _ => None,
    }
}
