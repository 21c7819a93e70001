//! Phrases: sets, conditions and numbers.

use super::Word;
use super::board::{self, Cells};
use super::layout::MAX_DEPTH;
use super::parser::{Node, Read, Rule};
use crate::base::{Diagnostic, Span, Spanned};

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
    /// `enemy` before a piece name: `enemy General`.
    Enemy,
    /// `friend` before a piece name.
    Friend,
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
    /// `except Pawn, King`, `except corner`.
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
    /// `odd(N)`, `even(N)` compared with something: 1 if so, else 0.
    Odd { odd: bool, number: Box<Number> },
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

/// Reads `define NAME(p) = BODY`.
pub(super) fn define(n: Node) -> Read<Define> {
    let params = n.opt(Rule::params).map_or(Vec::new(), |p| p.words(Rule::new_word));
    let body = n.one(Rule::define_body)?.only()?;
    let body = match body.rule() {
        Rule::shown => {
            let span = body.span();
            DefineBody::Directions(Dirs { parts: vec![shown(body)?], span })
        }
        Rule::several_dirs => DefineBody::Directions(Dirs { parts: words_as_dirs(&body), span: body.span() }),
        Rule::cond => DefineBody::Cond(cond(body)?),
        Rule::number => DefineBody::Number(number(body)?),
        _ => return Err(body.strange()),
    };
    Ok(Define { name: n.one(Rule::new_word)?.word(), params, body })
}

fn words_as_dirs(n: &Node) -> Vec<Dir> {
    n.all(Rule::dir_word).map(|w| Dir::Word(w.word())).collect()
}

/// Reads directions joined by `or`.
pub(super) fn dirs(n: Node) -> Read<Dirs> {
    let dir = |dir: Node| {
        let kind = dir.only()?;
        match kind.rule() {
            Rule::shown => shown(kind),
            Rule::dir_word | Rule::word => Ok(Dir::Word(kind.word())),
            _ => Err(kind.strange()),
        }
    };
    Ok(Dirs { parts: n.phrases().map(dir).collect::<Read<_>>()?, span: n.span() })
}

fn shown(n: Node) -> Read<Dir> {
    let on = n.one(Rule::shown_set)?;
    let noun = on.one(Rule::shown_noun)?;
    let kind = noun.first()?;
    let kind = match kind.rule() {
        Rule::k_this => Noun::This,
        Rule::k_here => Noun::Here,
        Rule::k_attacker => Noun::Attacker,
        Rule::k_victim => Noun::Victim,
        Rule::name => Noun::Name(kind.text().to_owned()),
        _ => return Err(kind.strange()),
    };
    let relations = on.list(Rule::who, |p| {
        let span = p.span();
        Ok(Spanned::new(Relation::Of(who(p)?), span))
    })?;
    let set = SetPhrase {
        count: None,
        adjectives: on.list(Rule::adjective, adjective)?,
        nouns: vec![Spanned::new(kind, noun.span())],
        relations,
        span: on.span(),
    };
    let mark = n.one(Rule::word)?.word();
    Ok(Dir::Shown { opposite: n.has(Rule::k_opposite), mark, on: Box::new(set), span: n.span() })
}

/// Reads a player.
pub(super) fn who(n: Node) -> Read<Who> {
    let kind = n.first()?;
    let kind = match kind.rule() {
        Rule::k_me => WhoKind::Me,
        Rule::k_opponent => WhoKind::Opponent,
        Rule::k_mover => WhoKind::Mover,
        Rule::k_next => WhoKind::Next,
        Rule::any_player => WhoKind::AnyPlayer,
        Rule::name | Rule::word => WhoKind::Name(kind.text().to_owned()),
        _ => return Err(kind.strange()),
    };
    Ok(Who { kind, span: n.span() })
}

/// Reads a condition.
pub(super) fn cond(n: Node) -> Read<Cond> {
    let parts = n.list(Rule::conj, conj)?;
    Ok(joined(parts, CondKind::Or, n.span()))
}

/// Reads conditions joined by `and`.
pub(super) fn conj(n: Node) -> Read<Cond> {
    let parts = n.list(Rule::neg, |neg| {
        let span = neg.span();
        let inner = prim(neg.only()?)?;
        if neg.has(Rule::k_not) { Ok(Cond { kind: CondKind::Not(Box::new(inner)), span }) } else { Ok(inner) }
    })?;
    Ok(joined(parts, CondKind::And, n.span()))
}

fn joined(mut parts: Vec<Cond>, join: fn(Vec<Cond>) -> CondKind, span: Span) -> Cond {
    match (parts.pop(), parts.is_empty()) {
        (Some(one), true) => one,
        (last, _) => {
            parts.extend(last);
            Cond { kind: join(parts), span }
        }
    }
}

fn prim(n: Node) -> Read<Cond> {
    let kind = match n.rule() {
        Rule::cond_group => return n.read(Rule::cond, cond),
        Rule::compare => compare(&n)?,
        Rule::line => CondKind::Line {
            exactly: n.has(Rule::k_exactly),
            count: n.read(Rule::count, count)?,
            of: n.maybe(Rule::line_of, |of| of.read(Rule::set, set))?,
            through: n.maybe(Rule::line_through, |through| through.read(Rule::set, set))?,
        },
        Rule::occurs => CondKind::Occurs { board_only: n.has(Rule::k_board), times: n.read(Rule::count, count)? },
        Rule::quiet => CondKind::Quiet { turns: n.read(Rule::count, count)?, without: n.list(Rule::set, set)? },
        Rule::all_pass => CondKind::AllPass,
        Rule::checkmate => CondKind::Checkmate,
        Rule::stalemate => CondKind::Stalemate,
        Rule::board_full => CondKind::BoardFull,
        Rule::hand_cond => {
            let who = n.read(Rule::hand_of, hand_of)?;
            match n.opt(Rule::hand_has) {
                Some(has) => CondKind::HandHas { who, piece: has.one(Rule::name)?.word() },
                None => CondKind::HandEmpty { who, negated: n.one(Rule::hand_empty)?.has(Rule::k_not) },
            }
        }
        Rule::who_cond => who_cond(&n)?,
        Rule::parity => CondKind::Odd { odd: n.has(Rule::k_odd), number: n.read(Rule::number, number)? },
        Rule::call => CondKind::Call { name: n.one(Rule::word)?.word(), args: n.list(Rule::who, who)? },
        Rule::set_cond => set_cond(&n)?,
        _ => return Err(n.strange()),
    };
    Ok(Cond { kind, span: n.span() })
}

fn compare(n: &Node) -> Read<CondKind> {
    let mut numbers = n.list(Rule::number, number)?;
    let (Some(right), Some(left)) = (numbers.pop(), numbers.pop()) else {
        return Err(n.strange());
    };
    let op = n.one(Rule::comparison)?.first()?;
    let op = match op.rule() {
        Rule::p_equals => Comparison::Equal,
        Rule::p_less => Comparison::Less,
        Rule::p_at_most => Comparison::AtMost,
        Rule::p_greater => Comparison::Greater,
        Rule::p_at_least => Comparison::AtLeast,
        _ => return Err(op.strange()),
    };
    Ok(CondKind::Compare { left, op, right })
}

/// Reads whose hand: `my hand`, `opponent's hand`, `hand of P`.
pub(super) fn hand_of(n: Node) -> Read<Who> {
    let kind = match n.first()?.rule() {
        Rule::k_my => WhoKind::Me,
        Rule::k_opponents => WhoKind::Opponent,
        _ => return n.read(Rule::who, who),
    };
    Ok(Who { kind, span: n.span() })
}

fn who_cond(n: &Node) -> Read<CondKind> {
    let who = n.read(Rule::who, who)?;
    let said = n.phrases().nth(1).ok_or_else(|| n.strange())?;
    Ok(match said.rule() {
        Rule::connects => {
            let mut ends = said.list(Rule::cells, board::cells)?;
            let (Some(to), Some(from)) = (ends.pop(), ends.pop()) else {
                return Err(said.strange());
            };
            CondKind::Connects { who, from, to, dirs: said.maybe(Rule::dirs, dirs)? }
        }
        Rule::in_check => CondKind::InCheck(who),
        Rule::stuck => CondKind::Stuck(who),
        Rule::can => CondKind::Can { who, negated: said.has(Rule::k_cannot), act: said.one(Rule::verb)?.word() },
        Rule::has => CondKind::Has { who, set: said.read(Rule::set, set)? },
        _ => return Err(said.strange()),
    })
}

fn set_cond(n: &Node) -> Read<CondKind> {
    let set = n.read(Rule::set, set)?;
    let Some(said) = n.phrases().nth(1) else {
        return Ok(CondKind::Set(set));
    };
    Ok(match said.rule() {
        Rule::shows => CondKind::Shows { set, mark: said.one(Rule::word)?.word(), dirs: said.read(Rule::dirs, dirs)? },
        Rule::is => CondKind::Is { set, negated: said.has(Rule::k_not), what: said.read(Rule::what, what)? },
        _ => return Err(said.strange()),
    })
}

fn what(n: Node) -> Read<IsWhat> {
    let kind = n.first()?;
    Ok(match kind.rule() {
        Rule::k_empty => IsWhat::Empty,
        Rule::k_attacked => IsWhat::Attacked,
        Rule::k_unmoved => IsWhat::Unmoved,
        Rule::k_surrounded => IsWhat::Surrounded,
        Rule::k_enemy => IsWhat::Enemy,
        Rule::k_friend => IsWhat::Friend,
        Rule::what_in => IsWhat::In(kind.read(Rule::cells, board::cells)?),
        Rule::what_names => IsWhat::Names(kind.phrases().map(|n| n.word()).collect()),
        _ => return Err(kind.strange()),
    })
}

/// Reads a number or an option where a count stands.
pub(super) fn count(n: Node) -> Read<Count> {
    let kind = n.first()?;
    match kind.rule() {
        Rule::integer => Ok(Count::Number(kind.number()?)),
        Rule::word => Ok(Count::Option(kind.word())),
        _ => Err(kind.strange()),
    }
}

fn set_count(n: Node) -> Read<SetCount> {
    let kind = n.first()?;
    Ok(match kind.rule() {
        Rule::k_no => SetCount::No,
        Rule::k_one => SetCount::One,
        Rule::k_another => SetCount::Another,
        Rule::at_least => SetCount::AtLeast(kind.read(Rule::count, count)?),
        Rule::at_most => SetCount::AtMost(kind.read(Rule::count, count)?),
        Rule::up_to => SetCount::UpTo(kind.read(Rule::count, count)?),
        Rule::count_before => SetCount::Exactly(count(kind)?),
        _ => return Err(kind.strange()),
    })
}

/// Reads a set: also a plain one, a selector of a drop, and one that is chosen.
pub(super) fn set(n: Node) -> Read<SetPhrase> {
    let mut phrase =
        SetPhrase { count: None, adjectives: Vec::new(), nouns: Vec::new(), relations: Vec::new(), span: n.span() };
    let mut implied = n.span();
    for part in n.children() {
        let span = part.span();
        match part.rule() {
            Rule::set_count => phrase.count = Some(set_count(part)?),
            Rule::chosen => phrase.count = Some(set_count(part)?),
            Rule::k_one => phrase.count = Some(SetCount::One),
            Rule::up_to => phrase.count = Some(SetCount::UpTo(part.read(Rule::count, count)?)),
            Rule::integer => phrase.count = Some(SetCount::Exactly(Count::Number(part.number()?))),
            Rule::k_this => phrase.nouns.push(Spanned::new(Noun::This, span)),
            Rule::adjective => {
                implied = span;
                phrase.adjectives.push(adjective(part)?);
            }
            Rule::noun => phrase.nouns.push(Spanned::new(noun(part)?, span)),
            Rule::relation => phrase.relations.push(Spanned::new(relation(part.only()?)?, span)),
            Rule::rel_of | Rule::rel_except | Rule::rel_adjacent => {
                phrase.relations.push(Spanned::new(relation(part)?, span));
            }
            Rule::p_comma => {}
            _ => return Err(part.strange()),
        }
    }
    if phrase.nouns.is_empty() {
        phrase.nouns.push(Spanned::new(Noun::Pieces, implied));
    }
    Ok(phrase)
}

fn adjective(n: Node) -> Read<Spanned<Adjective>> {
    let adjective = match n.first()?.rule() {
        Rule::k_nearest => Adjective::Nearest,
        Rule::k_adjacent => Adjective::Adjacent,
        Rule::k_my => Adjective::My,
        Rule::k_opponents => Adjective::Opponents,
        Rule::k_enemy => Adjective::Enemy,
        Rule::k_friend => Adjective::Friend,
        Rule::k_surrounded => Adjective::Surrounded,
        Rule::k_attacked => Adjective::Attacked,
        Rule::k_unmoved => Adjective::Unmoved,
        Rule::k_captured => Adjective::Captured,
        Rule::k_moved => Adjective::Moved,
        Rule::k_dropped => Adjective::Dropped,
        Rule::k_shifted => Adjective::Shifted,
        Rule::k_flipped => Adjective::Flipped,
        Rule::k_rotated => Adjective::Rotated,
        _ => return Err(n.strange()),
    };
    Ok(Spanned::new(adjective, n.span()))
}

fn noun(n: Node) -> Read<Noun> {
    let kind = n.first()?;
    Ok(match kind.rule() {
        Rule::k_pieces | Rule::k_piece => Noun::Pieces,
        Rule::k_enemies | Rule::k_enemy => Noun::Enemies,
        Rule::k_friends | Rule::k_friend => Noun::Friends,
        Rule::k_empty => Noun::Empty,
        Rule::k_nothing => Noun::Nothing,
        Rule::k_this => Noun::This,
        Rule::k_here => Noun::Here,
        Rule::k_origin => Noun::Origin,
        Rule::k_attacker => Noun::Attacker,
        Rule::k_victim => Noun::Victim,
        Rule::k_crossed => Noun::Crossed,
        Rule::k_marker => Noun::Marker,
        Rule::behind_this => Noun::BehindThis,
        Rule::name => Noun::Name(kind.text().to_owned()),
        Rule::cell => Noun::Cell(kind.text().to_owned()),
        Rule::cells_noun => Noun::Cells(board::cells_noun(kind)?),
        Rule::noun_dir | Rule::word => Noun::Word(kind.text().to_owned()),
        _ => return Err(kind.strange()),
    })
}

fn relation(n: Node) -> Read<Relation> {
    Ok(match n.rule() {
        Rule::rel_direction => Relation::InDirection(n.read(Rule::dirs, dirs)?),
        Rule::rel_cells => Relation::In(n.read(Rule::cells, board::cells)?),
        Rule::rel_between => {
            let mut ends = n.list(Rule::plain_set, set)?;
            if ends.is_empty() {
                return Err(n.strange());
            }
            let from = ends.remove(0);
            Relation::Between(Box::new(from), ends)
        }
        Rule::rel_bearing => {
            let (attacking, defending) = bearing(n.one(Rule::bearing)?);
            Relation::Attacking { attacking, defending, set: Box::new(n.read(Rule::plain_set, set)?) }
        }
        Rule::rel_of => Relation::Of(n.read(Rule::who, who)?),
        Rule::rel_except => {
            let words = n.children().filter(|n| matches!(n.rule(), Rule::name | Rule::word));
            Relation::Except(words.map(|n| n.word()).collect())
        }
        Rule::rel_adjacent => Relation::AdjacentTo(Box::new(n.read(Rule::plain_set, set)?)),
        _ => return Err(n.strange()),
    })
}

/// Reads `attacking or defending` as (attacking, defending).
pub(super) fn bearing(n: Node) -> (bool, bool) {
    (n.has(Rule::k_attacking), n.has(Rule::k_defending))
}

/// Reads a number; `*` binds closer than `+` and `-`.
pub(super) fn number(n: Node) -> Read<Number> {
    let mut op = None;
    let mut sum: Option<Number> = None;
    if n.children().count() > 2 * MAX_DEPTH {
        let error = Diagnostic::error("too-deep", "this sum has too many parts", n.span());
        return Err(Box::new(error.help("name a part of it with `define`")));
    }
    for part in n.children() {
        match part.rule() {
            Rule::plus_minus => op = Some(if part.has(Rule::p_plus) { Operator::Plus } else { Operator::Minus }),
            Rule::product => sum = Some(combine(sum, op, product(part)?)),
            _ => return Err(part.strange()),
        }
    }
    sum.ok_or_else(|| n.strange())
}

fn product(n: Node) -> Read<Number> {
    if n.children().count() > 2 * MAX_DEPTH {
        let error = Diagnostic::error("too-deep", "this product has too many parts", n.span());
        return Err(Box::new(error.help("name a part of it with `define`")));
    }
    let mut product = None;
    for part in n.phrases() {
        product = Some(combine(product, Some(Operator::Times), factor(part)?));
    }
    product.ok_or_else(|| n.strange())
}

fn combine(left: Option<Number>, op: Option<Operator>, right: Number) -> Number {
    match (left, op) {
        (Some(left), Some(op)) => {
            let span = left.span.to(right.span);
            Number { kind: NumberKind::Binary(Box::new(left), op, Box::new(right)), span }
        }
        _ => right,
    }
}

fn factor(n: Node) -> Read<Number> {
    let kind = match n.rule() {
        Rule::literal => NumberKind::Literal(n.number()?.node),
        Rule::worth_of => NumberKind::WorthOf(n.read(Rule::set, set)?),
        Rule::count_of => NumberKind::CountOf(n.read(Rule::set, set)?),
        Rule::turn_number => NumberKind::TurnNumber,
        Rule::original_of => NumberKind::OriginalOf(n.read(Rule::set, set)?),
        Rule::parity => NumberKind::Odd { odd: n.has(Rule::k_odd), number: Box::new(n.read(Rule::number, number)?) },
        Rule::number_name => NumberKind::Word(n.only()?.word(), n.maybe(Rule::who, who)?),
        Rule::number_group => return n.read(Rule::number, number),
        _ => return Err(n.strange()),
    };
    Ok(Number { kind, span: n.span() })
}
