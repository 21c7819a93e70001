//! Phrases: sets, conditions and numbers.

use super::Word;
use super::board::Cells;
use crate::base::{Span, Spanned};

/// `define NAME(p) = BODY`; what the body is (set, condition or number) is decided by its use.
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// Its name.
    pub name: Word,
    /// Names of players that the sentence passes in.
    pub params: Vec<Word>,
    /// What it stands for.
    pub body: DefineBody,
}

/// What a definition stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum DefineBody {
    /// `opposite samurai on my Samurai`, `sword on my Samurai`: directions.
    Directions(Dirs),
    /// A condition; a bare set or word is `Cond::Set`, retyped by use.
    Cond(Cond),
    /// A number.
    Number(Number),
}

/// Directions joined by `or`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dirs {
    /// The directions.
    pub parts: Vec<Dir>,
    /// The whole phrase.
    pub span: Span,
}

/// A direction word or value.
#[derive(Clone, Debug, PartialEq)]
pub enum Dir {
    /// `forward`, `any`, `diagonal`, `north`, or a definition of directions.
    Word(Word),
    /// `[opposite] MARK on SET`: where the upper faces of SET show the mark, seen by the owner.
    Shown { opposite: bool, mark: Word, on: Box<SetPhrase>, span: Span },
}

/// A player, or several in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Who {
    /// Which.
    pub kind: WhoKind,
    /// Where.
    pub span: Span,
}

/// Which player.
#[derive(Clone, Debug, PartialEq)]
pub enum WhoKind {
    /// `me`.
    Me,
    /// `opponent`.
    Opponent,
    /// `mover`.
    Mover,
    /// `next`.
    Next,
    /// `any player`.
    AnyPlayer,
    /// `White`, or a parameter of a definition.
    Name(String),
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Cond {
    /// What it asks.
    pub kind: CondKind,
    /// Where.
    pub span: Span,
}

/// The kinds of condition.
#[derive(Clone, Debug, PartialEq)]
pub enum CondKind {
    /// `A or B`.
    Or(Vec<Cond>),
    /// `A and B`.
    And(Vec<Cond>),
    /// `not A`.
    Not(Box<Cond>),
    /// `checkmate`.
    Checkmate,
    /// `stalemate`.
    Stalemate,
    /// `board is full`.
    BoardFull,
    /// `all pass`.
    AllPass,
    /// `[exactly] N in line [of SET] [through SET]`.
    Line { exactly: bool, count: Count, of: Option<SetPhrase>, through: Option<SetPhrase> },
    /// `position occurs N times`, `board occurs N times`.
    Occurs { board_only: bool, times: Count },
    /// `N turns pass without SET or SET`.
    Quiet { turns: Count, without: Vec<SetPhrase> },
    /// `WHO connects CELLS to CELLS [in DIRS direction]`.
    Connects { who: Who, from: Cells, to: Cells, dirs: Option<Dirs> },
    /// `WHO is in check`, `WHO am in check`.
    InCheck(Who),
    /// `WHO is stuck`.
    Stuck(Who),
    /// `WHO can ACT`, `WHO cannot ACT`.
    Can { who: Who, negated: bool, act: Word },
    /// `my hand is empty`, `opponent's hand is not empty`, `hand of P is empty`.
    HandEmpty { who: Who, negated: bool },
    /// `my hand has Jester`.
    HandHas { who: Who, piece: Word },
    /// `WHO has [COUNT] SET`.
    Has { who: Who, set: SetPhrase },
    /// `SET shows MARK DIRS`.
    Shows { set: SetPhrase, mark: Word, dirs: Dirs },
    /// `A < B` and so on.
    Compare { left: Number, op: Comparison, right: Number },
    /// `odd(N)`, `even(N)`.
    Odd { odd: bool, number: Number },
    /// `SET is [not] WHAT`.
    Is { set: SetPhrase, negated: bool, what: IsWhat },
    /// `NAME(args)`: a definition with parameters.
    Call { name: Word, args: Vec<Who> },
    /// A set that must not be empty; a bare word may be an option, a latch or a definition.
    Set(SetPhrase),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`.
    Equal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
}

/// What something may be said to be.
#[derive(Clone, Debug, PartialEq)]
pub enum IsWhat {
    /// `empty`.
    Empty,
    /// `attacked`.
    Attacked,
    /// `unmoved`.
    Unmoved,
    /// `surrounded`.
    Surrounded,
    /// `in CELLS`, `on CELLS`.
    In(Cells),
    /// `Queen`, `Queen, Rook`: piece names; or one value of an option (`ties is mover`).
    Names(Vec<Word>),
    /// `enemy`, `friend`.
    Enemy,
    /// `friend`.
    Friend,
}

/// A whole number, or an option that is one.
#[derive(Clone, Debug, PartialEq)]
pub enum Count {
    /// `3`.
    Number(Spanned<i64>),
    /// `quiet-limit`.
    Option(Word),
}

/// `[COUNT] ADJECTIVES NOUN, NOUN RELATIONS`.
#[derive(Clone, Debug, PartialEq)]
pub struct SetPhrase {
    /// `no`, `3`, `at least 3`, `at most 3`, `one`, `up to 3`.
    pub count: Option<SetCount>,
    /// `adjacent surrounded my captured …`, in order.
    pub adjectives: Vec<Spanned<Adjective>>,
    /// United; at least one (an adjective without noun has `Noun::Pieces`).
    pub nouns: Vec<Spanned<Noun>>,
    /// In order, each restricts what stands before it.
    pub relations: Vec<Spanned<Relation>>,
    /// The whole phrase.
    pub span: Span,
}

/// A count before a set.
#[derive(Clone, Debug, PartialEq)]
pub enum SetCount {
    /// `no`.
    No,
    /// `3`: exactly.
    Exactly(Count),
    /// `at least 3`.
    AtLeast(Count),
    /// `at most 3`.
    AtMost(Count),
    /// `one`: chosen by the mover (in turn acts).
    One,
    /// `another`: chosen, and did not act yet in this turn.
    Another,
    /// `up to 3`: chosen.
    UpTo(Count),
}

/// What restricts a noun from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjective {
    /// `nearest`: the first piece on each ray.
    Nearest,
    /// `adjacent`: one step from here in any direction.
    Adjacent,
    /// `my`.
    My,
    /// `opponent's`.
    Opponents,
    /// `surrounded`: in a group without an empty neighbour.
    Surrounded,
    /// `attacked`: by a player other than the owner.
    Attacked,
    /// `unmoved`.
    Unmoved,
    /// `captured`, in this turn.
    Captured,
    /// `moved`, by a move act in this turn.
    Moved,
    /// `dropped`, in this turn.
    Dropped,
    /// `shifted`: displaced by an effect in this turn.
    Shifted,
    /// `flipped`, in this turn.
    Flipped,
    /// `rotated`, in this turn.
    Rotated,
}

/// What a set is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Noun {
    /// `piece`, `pieces`.
    Pieces,
    /// `enemy`, `enemies`.
    Enemies,
    /// `friend`, `friends`.
    Friends,
    /// `empty`: empty cells.
    Empty,
    /// `nothing`: in `toward nothing`, `away from nothing`.
    Nothing,
    /// `this`.
    This,
    /// `here`.
    Here,
    /// `origin`.
    Origin,
    /// `attacker`.
    Attacker,
    /// `victim`.
    Victim,
    /// `crossed`.
    Crossed,
    /// `marker`.
    Marker,
    /// `behind this`.
    BehindThis,
    /// `Rook`.
    Name(String),
    /// `d4`.
    Cell(String),
    /// `rank 1..2`, `file a`, `(…)`: cells.
    Cells(Cells),
    /// A direction word as a set (the neighbours of here), a zone, a mark, an option, a latch or a definition.
    Word(String),
}

/// What restricts a noun from behind.
#[derive(Clone, Debug, PartialEq)]
pub enum Relation {
    /// `in DIRS direction`.
    InDirection(Dirs),
    /// `on CELLS`, `in CELLS`.
    In(Cells),
    /// `between A and B or C`.
    Between(Box<SetPhrase>, Vec<SetPhrase>),
    /// `attacking SET`, `attacking or defending SET`, `defending SET`.
    Attacking { attacking: bool, defending: bool, set: Box<SetPhrase> },
    /// `of P`.
    Of(Who),
    /// `except Pawn, King`.
    Except(Vec<Word>),
    /// `adjacent to SET`.
    AdjacentTo(Box<SetPhrase>),
}

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// What it is.
    pub kind: NumberKind,
    /// Where.
    pub span: Span,
}

/// The kinds of number.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberKind {
    /// `3`.
    Literal(i64),
    /// `worth of SET`.
    WorthOf(SetPhrase),
    /// `count of SET`.
    CountOf(SetPhrase),
    /// `turn number`.
    TurnNumber,
    /// `original of victim`: in `my hand += …`.
    OriginalOf(SetPhrase),
    /// `score`, `score of P`, an option, a counter, a definition, or a piece name in `my hand += Pawn`.
    Word(Word, Option<Who>),
    /// `A + B`, `A - B`, `A * B`.
    Binary(Box<Number>, Operator, Box<Number>),
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `*`.
    Times,
}
