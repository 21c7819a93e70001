//! Clauses and promotions made ready to run.

use super::bits::Bits;
use super::effects::{E, effects};
use super::facts::tame;
use super::program::{C, DirSets, Lowering, S, per_seat, reads_here};
use super::verbs::Verbs;
use crate::ir::expr::Set;
use crate::ir::piece::{self, Facing as IrFacing, Generator, Source};
use crate::ir::rule::Effect;
use crate::ir::visit::Node;

/// Targets of a lame leap from one cell, each with the cells that must be empty.
pub type LamePaths<B> = Vec<(u16, B)>;

/// A clause.
pub struct Clause<B> {
    /// Its number.
    pub number: u16,
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
    /// Nothing but its target decides where it applies.
    pub open: bool,
    /// An imitator may borrow it.
    pub plain: bool,
    /// It bears a label: moves by it are told apart from others.
    pub label: bool,
    /// The verbs it answers to; [`super::verbs::CAPTURE`] if it can capture.
    pub verbs: Verbs,
    /// Its effects neither take, move nor change pieces, and it moves and captures on the target alone.
    pub tame: bool,
    /// Its steps only take a piece from one cell to another and capture what stands there.
    pub simple: bool,
    /// The mark that its targets bear.
    pub mark: Option<u16>,
}

impl<B> Clause<B> {
    /// Whether some condition asks about the target.
    pub fn asks_of_target(&self) -> bool {
        !self.lifted.is_empty() || !self.tried.is_empty()
    }
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

/// Lowers a clause.
pub fn clause<B: Bits>(low: &Lowering, number: u16, c: &piece::Clause) -> Clause<B> {
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
    let then_captures = c.then.iter().any(|e| matches!(e, Effect::Capture(_)));
    let open = guards.is_empty() && c.from.is_none() && c.within.is_none() && c.once.is_none();
    let drops = matches!(gen_, Gen::Drop { .. });
    let lands = !matches!(gen_, Gen::Castle { .. } | Gen::Imitate { .. } | Gen::Hop { captures: true, .. });
    let mut clause = Clause {
        number,
        verbs: 0,
        tame: lands && c.then.iter().all(tame),
        simple: lands && c.then.is_empty() && c.once.is_none() && !(drops && c.target != Set::Empty),
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
        open,
        plain: c.plain,
        label: !c.label.is_empty(),
        mark: match &c.target {
            Set::Mark(m) => Some(*m),
            _ => None,
        },
    };
    let captures = !drops && (clause.then_captures || can_capture(&clause));
    clause.verbs = low.verbs.of_clause(&clause.gen_, captures, &c.label);
    clause
}

/// Lowers a promotion.
pub fn promotion<B: Bits>(low: &Lowering, p: &piece::Promotion) -> Promotion<B> {
    Promotion {
        zone: per_seat(&low.game.zones[p.zone as usize].cells),
        may: p.may,
        to: p.to.clone(),
        guards: p.guards.iter().map(|g| low.cond(g)).collect(),
        then: effects(low, &p.then),
    }
}

/// Whether a clause can take a piece by landing or jumping.
pub fn can_capture<B>(clause: &Clause<B>) -> bool {
    match &clause.gen_ {
        Gen::Drop { .. } | Gen::Castle { .. } => false,
        Gen::Hop { captures: true, .. } | Gen::Imitate { .. } => true,
        Gen::Slide { all_the_way: true, .. } => false,
        _ => !matches!(clause.target, Target::Empty),
    }
}
