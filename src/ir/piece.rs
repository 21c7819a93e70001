//! Piece types, kinds, clauses and rotations.

use super::board::{Dirs, ZoneId};
use super::expr::{Cond, Set};
use super::rule::Effect;
use super::{Cell, ClauseId, KindId, Kinds, PerSeat, TypeId};
use serde::{Deserialize, Serialize};

/// A piece type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieceType {
    /// `Rook`.
    pub name: String,
    /// What diagrams and position texts write for each seat; unlike any other glyph of the game. One character, or more.
    pub glyphs: PerSeat<String>,
    /// How moves write it (`=Q`, `N@f3`): the glyph of seat 0 in capitals.
    pub letter: String,
    /// Its capture value.
    pub worth: i32,
    /// May not be left attacked (the `safety` forbid is made from this by the checker).
    pub royal: bool,
    /// Can never be captured.
    pub uncapturable: bool,
    /// Belongs to nobody.
    pub neutral: bool,
    /// Its clauses, in order.
    pub clauses: Vec<ClauseId>,
    /// Its promotions, in order; the first whose zone has the landing cell and whose guards hold applies.
    pub promotions: Vec<Promotion>,
    /// For a cube: the 24 orientations in the order of its kinds.
    pub orientations: Vec<Orientation>,
}

/// What stands on a cell, apart from its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kind {
    /// The type.
    pub piece: TypeId,
    /// For a cube, which orientation.
    pub orientation: Option<u8>,
    /// What it was before it was promoted; only games that read `original` have kinds in which it differs from `piece`.
    pub original: TypeId,
}

/// An orientation of a cube, seen by its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orientation {
    /// `top/front`: which faces of the reference orientation are up and to the front.
    pub name: String,
    /// Marks on the upper face with the places where they are: `front`, `right`, `back`, `left`.
    pub marks: Vec<(String, Vec<String>)>,
}

/// A promotion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promotion {
    /// `may promote`: the piece may also stay what it is.
    pub may: bool,
    /// Where a move act must land.
    pub zone: ZoneId,
    /// What it may become, each with the once-per-game entry that limits it. If all are used up and it may not stay, the move is no step.
    pub to: Vec<(KindId, Option<u16>)>,
    /// Read before the step.
    pub guards: Vec<Cond>,
    /// A block after the promotion.
    pub then: Vec<Effect>,
}

/// A move clause.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clause {
    /// Its label, or empty.
    pub label: String,
    /// The author's line, for explanations.
    pub text: String,
    /// Which cells it yields.
    pub generator: Generator,
    /// What the target cell must be (before the step). The default is an empty cell or an enemy's piece; a piece that stands there is captured.
    pub target: Set,
    /// `toward S`: the first piece on the ray from the origin in the step's direction.
    pub toward: Option<Facing>,
    /// `away from S`: the first piece on the ray in the opposite direction.
    pub away_from: Option<Facing>,
    /// `from CELLS`.
    pub from: Option<ZoneId>,
    /// `within CELLS`: origin, target and all cells between (for a drop, the target).
    pub within: Option<ZoneId>,
    /// Conditions, read before the step.
    pub guards: Vec<Cond>,
    /// A block after landing.
    pub then: Vec<Effect>,
    /// Once per game and player.
    pub once: Option<u16>,
    /// Whether an imitator may borrow it: step, slide, leap, jump or hop without `from`, `then`, mark target or `once`.
    pub plain: bool,
}

/// What is first on a ray.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Facing {
    /// A piece in this set.
    Piece(Set),
    /// No piece up to the edge.
    Nothing,
}

/// The targets of a leap from one cell, each with the cells that must be empty.
pub type Paths = Vec<(Cell, Vec<Cell>)>;

/// A generator of targets for a piece that stands on a cell. Directions are the owner's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Generator {
    /// The `distance`-th cell in each direction; the cells before it must be empty.
    Step {
        /// Directions.
        dirs: Dirs,
        /// At least 1.
        distance: u16,
    },
    /// Every cell in each direction up to and including the first occupied one, at most `limit` cells.
    Slide {
        /// Directions.
        dirs: Dirs,
        /// At most so far.
        limit: Option<u16>,
        /// Only the last empty cell before the first occupied one or the edge, at least one step.
        all_the_way: bool,
    },
    /// Fixed targets. `paths[seat][cell]`: each target with the cells that must be empty (for `lame` leaps).
    Leap {
        /// Per seat and cell.
        paths: PerSeat<Vec<Paths>>,
    },
    /// Every other cell.
    LeapAnywhere,
    /// In each direction: the first piece (adjacent, or `far`: after empty cells) must be in `over`; targets are the cell right behind it, or
    /// `beyond`: every cell behind it up to and including the next occupied one. `captures`: the hurdle is captured too.
    Hop {
        /// Directions.
        dirs: Dirs,
        /// Empty cells may lie before the hurdle.
        far: bool,
        /// What may be passed.
        over: Set,
        /// Any cell behind.
        beyond: bool,
        /// `jump`.
        captures: bool,
    },
    /// A castling: this piece, not moved yet, goes `steps` in one of `dirs` toward the first piece on that ray, which must be an own, not yet
    /// moved piece of `partner` beyond the target; that piece lands on the last cell crossed. All cells between are
    /// empty. If the game has a safety rule: it must hold before, and after each single step made as a king's move.
    Castle {
        /// The partner's kinds.
        partner: Kinds,
        /// How far.
        steps: u16,
        /// Directions.
        dirs: Dirs,
    },
    /// From the hand onto the target; one for each of `kinds` (a cube may be dropped in each of its orientations).
    Drop {
        /// As which kinds.
        kinds: Kinds,
    },
    /// Borrowed clauses, used as its own from its cell.
    Imitate {
        /// Whose.
        source: Source,
        /// Neither pieces of these types nor moves made as these types lend.
        except: Vec<TypeId>,
    },
}

/// From which types an imitator borrows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The types that player's last moved piece moved as: its own type, or the types it imitated that reach the target. None if the piece is excepted.
    LastMoved(super::expr::Who),
    /// The types of all pieces that attack or defend this piece's cell; of imitators among them, the types they have, if the clause's conditions that
    /// ask nothing about a target hold (read as while attacks are found). The least
    /// fixed point, starting from nothing.
    Bearing {
        /// Enemies.
        attacking: bool,
        /// Friends.
        defending: bool,
    },
}

/// A table from kinds to kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remap {
    /// `+`, `spin`: how moves write it.
    pub text: String,
    /// For each kind what it becomes; `None` where it cannot.
    pub table: Vec<Option<KindId>>,
}
