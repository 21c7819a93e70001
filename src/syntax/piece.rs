//! Pieces, their clauses, ladders and cubes.

use super::Word;
use super::board::Cells;
use super::expr::{Count, Dirs, SetPhrase};
use super::game::Guard;
use super::rule::{After, Effect};
use crate::base::{Span, Spanned};

/// `piece Rook, Bishop "R" worth 5 royal { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// One name, or several that share a body.
    pub names: Vec<Word>,
    /// `"R"` (small letter for the second player) or `"O/X"` (one glyph per player).
    pub glyph: Option<Word>,
    /// Traits in the header or in the body.
    pub traits: Vec<Spanned<Trait>>,
    /// The body.
    pub clauses: Vec<Clause>,
    /// The statement.
    pub span: Span,
}

/// `extend Pawn, Rook royal { … }`: adds to inherited pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Extend {
    /// The pieces.
    pub names: Vec<Word>,
    /// Traits to add.
    pub traits: Vec<Spanned<Trait>>,
    /// Clauses to add.
    pub clauses: Vec<Clause>,
    /// The statement.
    pub span: Span,
}

/// A trait of a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Trait {
    /// `royal`.
    Royal,
    /// `uncapturable`.
    Uncapturable,
    /// `neutral`.
    Neutral,
    /// `worth 5`.
    Worth(i64),
}

/// One line of a piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// `override …`.
    pub overrides: Option<Span>,
    /// `label: …`.
    pub label: Option<Word>,
    /// What it says.
    pub kind: ClauseKind,
    /// `if C`, `unless C`, in order.
    pub guards: Vec<Guard>,
    /// `then E and E`.
    pub then: Vec<Effect>,
    /// `once per game`.
    pub once: Option<Span>,
    /// The whole line.
    pub span: Span,
}

/// The kinds of line in a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// A move clause.
    Move(MoveClause),
    /// `moves as …`.
    MovesAs { what: MovesAs, except: Vec<Word> },
    /// `promote on CELLS to Queen, Hero (once per game)`.
    Promote { may: bool, on: Cells, to: Vec<PromotionTarget> },
    /// `after enemy moves to SET { … }`: a reaction of this piece.
    After(After),
    /// `betza "fmWfcF"`.
    Betza(Word),
}

/// Where imitated moves come from.
#[derive(Clone, Debug, PartialEq)]
pub enum MovesAs {
    /// `moves as Queen, Knight`.
    Names(Vec<Word>),
    /// `moves as piece last moved by opponent`.
    LastMoved(super::expr::Who),
    /// `moves as pieces attacking or defending this`.
    Bearing { attacking: bool, defending: bool },
}

/// One piece a promotion may give.
#[derive(Clone, Debug, PartialEq)]
pub struct PromotionTarget {
    /// Its name.
    pub name: Word,
    /// `(once per game)`.
    pub once: Option<Span>,
}

/// `GENERATOR [to S] [toward S] [away from S] [from CELLS] [within CELLS]`.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveClause {
    /// Which cells it yields.
    pub generator: Generator,
    /// `to S`, `to passed`.
    pub to: Option<SetPhrase>,
    /// `toward S`.
    pub toward: Option<SetPhrase>,
    /// `away from S`.
    pub away_from: Option<SetPhrase>,
    /// `from CELLS`.
    pub from: Option<Cells>,
    /// `within CELLS`: origin, target and all cells between lie there. For `drop … in CELLS`, where it may land.
    pub within: Option<Cells>,
}

/// A generator.
#[derive(Clone, Debug, PartialEq)]
pub enum Generator {
    /// `step D [n]`.
    Step { dirs: Dirs, distance: Option<Count> },
    /// `slide D [up to n] [all the way]`.
    Slide { dirs: Dirs, limit: Option<Count>, all_the_way: bool },
    /// `leap (1,2), (2,2) [lame] [D]`: D keeps only the offsets that go more in these directions than in others.
    Leap { offsets: Vec<(Spanned<i64>, Spanned<i64>)>, lame: bool, dirs: Option<Dirs> },
    /// `leap anywhere`.
    LeapAnywhere,
    /// `jump D [far] over S [beyond]`: captures the hurdle; `hop …`: does not.
    Hop { captures: bool, dirs: Dirs, far: bool, over: SetPhrase, beyond: bool },
    /// `castle with Rook [n steps]`.
    Castle { partner: Word, steps: Option<Count> },
    /// `drop [any way up]`.
    Drop { any_way_up: bool },
}

/// `ladder Pyramid < Pawn 2 < …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// From low to high: piece and worth.
    pub rungs: Vec<(Word, Option<Spanned<i64>>)>,
    /// The statement.
    pub span: Span,
}

/// `cube Samurai "S" { top = …; drop … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cube {
    /// Its name.
    pub name: Word,
    /// Its glyph.
    pub glyph: Option<Word>,
    /// Traits.
    pub traits: Vec<Spanned<Trait>>,
    /// The faces of the reference orientation.
    pub faces: Vec<Face>,
    /// Clauses as in a piece.
    pub clauses: Vec<Clause>,
    /// The statement.
    pub span: Span,
}

/// `front = samurai left, sword right`.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Which face.
    pub side: Spanned<Side>,
    /// Marks, each at edges shared with the named faces.
    pub marks: Vec<(Word, Vec<Spanned<Side>>)>,
    /// `if single-sword`: over options.
    pub guards: Vec<Guard>,
    /// The line.
    pub span: Span,
}

/// A face of a cube, seen by its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Up.
    Top,
    /// Toward the opponent.
    Front,
    /// The owner's right.
    Right,
    /// Toward the owner.
    Back,
    /// The owner's left.
    Left,
    /// Down.
    Bottom,
}
