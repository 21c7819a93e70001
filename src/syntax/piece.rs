//! Pieces, their clauses, ladders and cubes.

use super::Word;
use super::board::{self, Cells};
use super::expected::Place;
use super::expr::{self, Count, Dirs, SetPhrase};
use super::game::{self, Guard};
use super::layout::{Block, Line};
use super::parser::{Node, Read, Reader, Rule};
use super::rule::{self, After, Effect};
use crate::base::{Diagnostic, Span, Spanned};

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
    /// Lines that start with `>` just before it: the rulebook's own words.
    pub quote: Vec<String>,
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
    /// Leaps that only `betza` can say: by signed offsets as the owner sees them, the first number to the right, the second
    /// forward. A leap may be repeated over empty cells, at most `range` times, or to the edge.
    LeapTo { offsets: Vec<(i64, i64)>, lame: bool, range: Option<i64> },
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

/// Reads `piece NAMES "R" TRAITS { CLAUSES }`.
pub(super) fn piece(reader: &mut Reader, n: Node, line: &Line) -> Read<Piece> {
    let mut traits = n.list(Rule::trait_word, trait_word)?;
    let mut clauses = Vec::new();
    if let Some(block) = &line.block {
        body(reader, block, &mut traits, &mut clauses, None);
    }
    let span = reader.span(&line.range());
    Ok(Piece { names: names(&n)?, glyph: glyph(&n), traits, clauses, span })
}

/// Reads `extend NAMES TRAITS { CLAUSES }`.
pub(super) fn extend(reader: &mut Reader, n: Node, line: &Line) -> Read<Extend> {
    let mut traits = n.list(Rule::trait_word, trait_word)?;
    let mut clauses = Vec::new();
    if traits.is_empty() || line.block.is_some() {
        body(reader, reader.block(line)?, &mut traits, &mut clauses, None);
    }
    Ok(Extend { names: names(&n)?, traits, clauses, span: reader.span(&line.range()) })
}

/// Reads `cube NAME "S" TRAITS { FACES and CLAUSES }`.
pub(super) fn cube(reader: &mut Reader, n: Node, line: &Line) -> Read<Cube> {
    let mut traits = n.list(Rule::trait_word, trait_word)?;
    let (mut faces, mut clauses) = (Vec::new(), Vec::new());
    body(reader, reader.block(line)?, &mut traits, &mut clauses, Some(&mut faces));
    let span = reader.span(&line.range());
    Ok(Cube { name: n.one(Rule::name)?.word(), glyph: glyph(&n), traits, faces, clauses, span })
}

fn names(n: &Node) -> Read<Vec<Word>> {
    Ok(n.one(Rule::names)?.words(Rule::name))
}

fn glyph(n: &Node) -> Option<Word> {
    n.opt(Rule::string).map(|n| n.word())
}

fn trait_word(n: Node) -> Read<Spanned<Trait>> {
    let kind = match n.first()?.rule() {
        Rule::k_royal => Trait::Royal,
        Rule::k_uncapturable => Trait::Uncapturable,
        Rule::k_neutral => Trait::Neutral,
        _ => Trait::Worth(n.read(Rule::integer, |n| n.number())?.node),
    };
    Ok(Spanned::new(kind, n.span()))
}

/// Reads the lines of a piece, or of a cube if there is a place for faces.
fn body(
    reader: &mut Reader,
    block: &Block,
    traits: &mut Vec<Spanned<Trait>>,
    clauses: &mut Vec<Clause>,
    mut faces: Option<&mut Vec<Face>>,
) {
    let (rule, place) = match faces {
        Some(_) => (Rule::cube_line, Place::Cube),
        None => (Rule::clause_line, Place::Piece),
    };
    for line in &block.lines {
        if reader.full() {
            break;
        }
        let read = reader.head(rule, line, place).and_then(|n| {
            if let (Some(face), Some(faces)) = (n.opt(Rule::face), faces.as_deref_mut()) {
                reader.no_block(line, "a face")?;
                faces.push(self::face(face, n.list(Rule::guard, game::guard)?, n.span())?);
            } else if let Some(words) = n.opt(Rule::traits) {
                reader.no_block(line, "a trait")?;
                traits.extend(words.list(Rule::trait_word, trait_word)?);
            } else {
                clauses.push(clause(reader, n, line)?);
            }
            Ok(())
        });
        reader.keep(read);
    }
}

fn clause(reader: &mut Reader, n: Node, line: &Line) -> Read<Clause> {
    let kind = n.phrases().find(|p| !matches!(p.rule(), Rule::clause_label | Rule::tail)).ok_or_else(|| n.strange())?;
    let kind = if kind.rule() == Rule::after_head {
        let after = rule::after(reader, kind, line)?;
        reader.no_tail(line)?;
        ClauseKind::After(after)
    } else {
        reader.no_block(line, "a line of a piece")?;
        match kind.rule() {
            Rule::move_clause => ClauseKind::Move(move_clause(kind)?),
            Rule::moves_as => moves_as(kind)?,
            Rule::promote => promote(kind)?,
            Rule::betza => ClauseKind::Betza(kind.one(Rule::string)?.word()),
            _ => return Err(kind.strange()),
        }
    };
    let mut clause = Clause {
        overrides: n.opt(Rule::k_override).map(|n| n.span()),
        label: n.maybe(Rule::clause_label, |n| Ok(n.one(Rule::new_word)?.word()))?,
        kind,
        guards: Vec::new(),
        then: Vec::new(),
        once: None,
        span: reader.span(&line.range()),
        quote: reader.quote(line),
    };
    for tail in n.all(Rule::tail) {
        let part = tail.only()?;
        match part.rule() {
            Rule::guard => clause.guards.push(game::guard(part)?),
            Rule::then => clause.then.extend(part.list(Rule::effect, rule::effect)?),
            Rule::once => clause.once = Some(part.span()),
            _ => return Err(part.strange()),
        }
    }
    Ok(clause)
}

fn moves_as(n: Node) -> Read<ClauseKind> {
    let mut lists = n.list(Rule::names, |n| Ok(n.words(Rule::name)))?.into_iter();
    let what = if let Some(last) = n.opt(Rule::last_moved) {
        MovesAs::LastMoved(last.read(Rule::who, expr::who)?)
    } else if let Some(borne) = n.opt(Rule::borne) {
        let (attacking, defending) = expr::bearing(borne.one(Rule::bearing)?);
        MovesAs::Bearing { attacking, defending }
    } else {
        MovesAs::Names(lists.next().ok_or_else(|| n.strange())?)
    };
    Ok(ClauseKind::MovesAs { what, except: lists.next().unwrap_or_default() })
}

fn promote(n: Node) -> Read<ClauseKind> {
    let to = n.list(Rule::promotion, |n| {
        Ok(PromotionTarget { name: n.one(Rule::name)?.word(), once: n.opt(Rule::once).map(|n| n.span()) })
    })?;
    Ok(ClauseKind::Promote { may: n.has(Rule::k_may), on: n.read(Rule::cells, board::cells)?, to })
}

fn move_clause(n: Node) -> Read<MoveClause> {
    let kind = n.only()?;
    let mut clause = MoveClause {
        generator: generator(&kind)?,
        to: kind.maybe(Rule::drop_set, expr::set)?,
        toward: None,
        away_from: None,
        from: None,
        within: kind.maybe(Rule::cells, board::cells)?,
    };
    for selector in n.list(Rule::selector, |n| n.only())? {
        let fresh = match selector.rule() {
            Rule::to => clause.to.replace(selector.read(Rule::set, expr::set)?).is_none(),
            Rule::toward => clause.toward.replace(selector.read(Rule::set, expr::set)?).is_none(),
            Rule::away_from => clause.away_from.replace(selector.read(Rule::set, expr::set)?).is_none(),
            Rule::from => clause.from.replace(selector.read(Rule::cells, board::cells)?).is_none(),
            Rule::within => clause.within.replace(selector.read(Rule::cells, board::cells)?).is_none(),
            _ => return Err(selector.strange()),
        };
        if !fresh {
            let word = selector.first()?.text();
            let message = format!("`{word}` stands twice in one move");
            let error = Diagnostic::error("syntax", message, selector.span());
            return Err(Box::new(error.help("join the two with a comma, or write two lines")));
        }
    }
    Ok(clause)
}

fn generator(n: &Node) -> Read<Generator> {
    let dirs = || n.read(Rule::dirs, expr::dirs);
    let count = || n.maybe(Rule::count, expr::count);
    Ok(match n.rule() {
        Rule::step => Generator::Step { dirs: dirs()?, distance: count()? },
        Rule::slide => Generator::Slide { dirs: dirs()?, limit: count()?, all_the_way: n.has(Rule::all_the_way) },
        Rule::leap if n.has(Rule::k_anywhere) => Generator::LeapAnywhere,
        Rule::leap => Generator::Leap {
            offsets: n.list(Rule::offset, |offset| {
                let numbers = offset.list(Rule::integer, |n| n.number())?;
                let [a, b] = numbers.as_slice() else {
                    return Err(offset.strange());
                };
                Ok((a.clone(), b.clone()))
            })?,
            lame: n.has(Rule::k_lame),
            dirs: n.maybe(Rule::dirs, expr::dirs)?,
        },
        Rule::hop => Generator::Hop {
            captures: n.has(Rule::k_jump),
            dirs: dirs()?,
            far: n.has(Rule::k_far),
            over: n.read(Rule::set, expr::set)?,
            beyond: n.has(Rule::k_beyond),
        },
        Rule::castle => Generator::Castle { partner: n.one(Rule::name)?.word(), steps: count()? },
        Rule::drop => Generator::Drop { any_way_up: n.has(Rule::any_way_up) },
        _ => return Err(n.strange()),
    })
}

/// Reads `ladder A < B 2 < …`.
pub(super) fn ladder(n: Node) -> Read<Ladder> {
    let rungs =
        n.list(Rule::rung, |rung| Ok((rung.one(Rule::name)?.word(), rung.maybe(Rule::integer, |n| n.number())?)))?;
    Ok(Ladder { rungs, span: n.span() })
}

fn face(n: Node, guards: Vec<Guard>, span: Span) -> Read<Face> {
    let marks = n.list(Rule::face_mark, |mark| Ok((mark.one(Rule::word)?.word(), mark.list(Rule::side, side)?)))?;
    Ok(Face { side: n.read(Rule::side, side)?, marks, guards, span })
}

fn side(n: Node) -> Read<Spanned<Side>> {
    let side = match n.first()?.rule() {
        Rule::k_top => Side::Top,
        Rule::k_front => Side::Front,
        Rule::k_right => Side::Right,
        Rule::k_back => Side::Back,
        Rule::k_left => Side::Left,
        Rule::k_bottom => Side::Bottom,
        _ => return Err(n.strange()),
    };
    Ok(Spanned::new(side, n.span()))
}
