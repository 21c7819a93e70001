//! The notation of chess-variant authors, as in `betza "fmWfcF"`, written out as ordinary move clauses.
//!
//! Ralph Betza's notation with those extensions of H. G. Muller's XBetza that have words in the language. What a string
//! means is stated in `docs/language/betza.md`.

use crate::base::{Diagnostic, Span, Spanned};
use crate::syntax::Word;
use crate::syntax::expr::{Cond, CondKind, Count, Dir, Dirs, IsWhat, Noun, SetPhrase};
use crate::syntax::game::Guard;
use crate::syntax::piece::{Clause, ClauseKind, Generator, MoveClause};

/// What can go wrong.
type Fault = Box<Diagnostic>;

/// The code of all findings in a string of the notation.
const CODE: &str = "betza";

/// So many atoms may stand in one string.
const MAX_ATOMS: usize = 100;

/// The longest range.
const MAX_RANGE: u32 = 1000;

/// A step, x to the owner's right and y forward.
type Step = (i64, i64);

/// Expands the string of a `betza` clause into move clauses; label, guards, effects and `once per game` of the clause are
/// copied to each. An error points at the character inside the string.
pub fn expand(clause: &Clause, text: &Word) -> Result<Vec<Clause>, Fault> {
    let parts = Reader::new(text, clause.span).parts()?;
    let mut out: Vec<Clause> = Vec::new();
    for part in parts {
        let (to, generator) = part.expand()?;
        let kind =
            ClauseKind::Move(MoveClause { generator, to, toward: None, away_from: None, from: None, within: None });
        let unmoved = part.initial.map(unmoved);
        let guards = unmoved.into_iter().chain(clause.guards.iter().cloned()).collect();
        out.push(Clause { kind, guards, ..clause.clone() });
    }
    Ok(out)
}

/// `if this is unmoved`.
fn unmoved(span: Span) -> Guard {
    let kind = CondKind::Is { set: phrase(vec![Noun::This], span), negated: false, what: IsWhat::Unmoved };
    Guard { negated: false, cond: Cond { kind, span }, span }
}

fn phrase(nouns: Vec<Noun>, span: Span) -> SetPhrase {
    let nouns = nouns.into_iter().map(|n| Spanned::new(n, span)).collect();
    SetPhrase { count: None, adjectives: Vec::new(), nouns, relations: Vec::new(), span }
}

fn fault(message: impl Into<String>, span: Span, help: impl Into<String>) -> Fault {
    Box::new(Diagnostic::error(CODE, message, span).help(help))
}

/// What an atom stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// So many cells along a rank or file.
    Straight(i64),
    /// So many cells along a diagonal.
    Diagonal(i64),
    /// One cell in any direction.
    King,
    /// A leap aside of all lines; the smaller number first.
    Oblique(i64, i64),
    /// A leap to any cell.
    Anywhere,
}

/// How often the step of an atom is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Range {
    Once,
    UpTo(u32),
    Unlimited,
}

/// The atom of a letter, and whether the letter itself says that it slides.
fn atom(letter: char) -> Option<(Shape, bool)> {
    Some(match letter {
        'W' => (Shape::Straight(1), false),
        'F' => (Shape::Diagonal(1), false),
        'K' => (Shape::King, false),
        'D' => (Shape::Straight(2), false),
        'A' => (Shape::Diagonal(2), false),
        'H' => (Shape::Straight(3), false),
        'G' => (Shape::Diagonal(3), false),
        'N' => (Shape::Oblique(1, 2), false),
        'C' | 'L' => (Shape::Oblique(1, 3), false),
        'Z' | 'J' => (Shape::Oblique(2, 3), false),
        'R' => (Shape::Straight(1), true),
        'B' => (Shape::Diagonal(1), true),
        'Q' => (Shape::King, true),
        'U' => (Shape::Anywhere, false),
        _ => return None,
    })
}

/// A modifier of direction: one letter, or two that belong together.
#[derive(Clone, Copy, Debug)]
struct Heading {
    first: char,
    second: char,
    span: Span,
}

/// A hopping modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hop {
    /// `j`.
    Adjacent,
    /// `p`.
    Beyond,
    /// `g`.
    Behind,
}

/// One atom with its modifiers.
#[derive(Debug)]
struct Part {
    letter: char,
    shape: Shape,
    range: Range,
    headings: Vec<Heading>,
    moves: bool,
    captures: bool,
    friends: bool,
    initial: Option<Span>,
    lame: Option<Span>,
    hop: Option<(Hop, char, Span)>,
    /// The digits, or the second of two letters.
    ranged: Option<Span>,
    /// The atom with all that belongs to it.
    span: Span,
}

/// Walks over the characters of a string.
struct Reader<'a> {
    text: &'a str,
    /// The place of the text.
    place: Span,
    /// The clause.
    line: Span,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a Word, line: Span) -> Reader<'a> {
        Reader { text: &text.node, place: text.span, line, at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// The place of the bytes `from..to` of the text.
    fn span(&self, from: usize, to: usize) -> Span {
        let at = |offset: usize| self.place.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
        Span { start: at(from), end: at(to), ..self.place }
    }

    fn take(&mut self) -> Option<(char, Span)> {
        let c = self.peek()?;
        let from = self.at;
        self.at += c.len_utf8();
        Some((c, self.span(from, self.at)))
    }

    fn parts(&mut self) -> Result<Vec<Part>, Fault> {
        let mut out = Vec::new();
        while self.peek().is_some() {
            let part = self.part()?;
            if out.len() == MAX_ATOMS {
                return Err(fault(
                    format!("there are more than {MAX_ATOMS} atoms in one string"),
                    part.span,
                    "write the rest in a second `betza` line",
                ));
            }
            out.push(part);
        }
        if out.is_empty() {
            let span = if self.place.start < self.place.end { self.place } else { self.line };
            return Err(fault(
                "there is no move in this string",
                span,
                "write atoms, as in `betza \"fmWfcF\"`, or leave the line out",
            ));
        }
        Ok(out)
    }

    /// Reads modifiers and an atom.
    fn part(&mut self) -> Result<Part, Fault> {
        let start = self.at;
        let mut headings: Vec<Heading> = Vec::new();
        let mut flags: Vec<(char, Span)> = Vec::new();
        let (letter, span) = loop {
            let Some((c, span)) = self.take() else {
                let span = self.span(start, self.at);
                let written = &self.text[start..self.at];
                return Err(fault(
                    format!("`{written}` modifies nothing"),
                    span,
                    "write an atom behind it, such as `W`, `F`, `N`, `R` or `B`",
                ));
            };
            match c {
                'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' => {
                    let second = self.peek().filter(|next| belongs(c, *next));
                    let span = match second {
                        Some(_) => self.take().map_or(span, |(_, s)| span.to(s)),
                        None => span,
                    };
                    headings.push(Heading { first: c, second: second.unwrap_or(c), span });
                }
                'm' | 'c' | 'd' | 'i' | 'n' | 'j' | 'p' | 'g' => {
                    if flags.iter().any(|(f, _)| *f == c) {
                        return Err(fault(format!("`{c}` stands twice before one atom"), span, "write it once"));
                    }
                    flags.push((c, span));
                }
                _ if atom(c).is_some() => break (c, span),
                _ => return Err(strange(c, span)),
            }
        };
        let (shape, slides) = atom(letter).unwrap_or((Shape::King, false));
        let flag = |wanted: char| flags.iter().find(|(f, _)| *f == wanted).map(|(_, span)| *span);
        let hop = [('j', Hop::Adjacent), ('p', Hop::Beyond), ('g', Hop::Behind)];
        let mut hops = flags.iter().filter_map(|(f, span)| {
            let kind = hop.iter().find(|(letter, _)| letter == f)?.1;
            Some((kind, *f, *span))
        });
        let hop = hops.next();
        if let (Some((_, one, _)), Some((_, other, span))) = (hop, hops.next()) {
            return Err(fault(
                format!("`{one}` and `{other}` do not go together"),
                span,
                "write the atom twice, once with each",
            ));
        }
        let (range, ranged) = self.range(letter, shape, slides)?;
        Ok(Part {
            letter,
            shape,
            range,
            headings,
            moves: flag('m').is_some(),
            captures: flag('c').is_some(),
            friends: flag('d').is_some(),
            initial: flag('i'),
            lame: flag('n'),
            hop,
            ranged,
            span: self.span(start, self.at).to(span),
        })
    }

    /// Reads what stands behind the letter of an atom: its digits, or the letter again.
    fn range(&mut self, letter: char, shape: Shape, slides: bool) -> Result<(Range, Option<Span>), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let span = self.span(start, self.at);
        if start < self.at {
            let digits = &self.text[start..self.at];
            if shape == Shape::Anywhere {
                return Err(fault(
                    format!("`{letter}` reaches every cell and takes no range"),
                    span,
                    format!("leave out `{digits}`"),
                ));
            }
            return match digits.parse::<u32>() {
                Ok(0) => Ok((Range::Unlimited, Some(span))),
                Ok(1) => Ok((Range::Once, Some(span))),
                Ok(n) if n <= MAX_RANGE => Ok((Range::UpTo(n), Some(span))),
                _ => Err(fault(
                    format!("`{digits}` is too far"),
                    span,
                    format!("ranges go up to {MAX_RANGE}; `0` is without limit"),
                )),
            };
        }
        if self.peek() == Some(letter) {
            let Some((_, span)) = self.take() else { return Ok((Range::Once, None)) };
            if slides || shape == Shape::Anywhere {
                let why = if slides { "slides already" } else { "reaches every cell already" };
                return Err(fault(format!("`{letter}` {why}"), span, format!("write `{letter}` once")));
            }
            return Ok((Range::Unlimited, Some(span)));
        }
        Ok((if slides { Range::Unlimited } else { Range::Once }, None))
    }
}

/// Whether two letters of direction are read together.
fn belongs(first: char, second: char) -> bool {
    let vertical = |c| matches!(c, 'f' | 'b' | 'v');
    let horizontal = |c| matches!(c, 'l' | 'r' | 's');
    match (first, second) {
        ('h', _) => matches!(second, 'l' | 'r'),
        (_, 'h') => true,
        _ if first == second => true,
        _ => vertical(first) && horizontal(second) || horizontal(first) && vertical(second),
    }
}

/// A character that cannot stand here.
fn strange(c: char, span: Span) -> Fault {
    let shown = format!("`{}`", if c.is_control() { '\u{fffd}' } else { c });
    let (message, help) = match c {
        'e' => (
            "en passant needs a mark, and the notation names none".to_owned(),
            "write it in words: `step forward-diagonal to passed then capture marker` with `mark passed for 1 turn` in the game",
        ),
        'O' => (
            "a castling needs a partner, and the notation names none".to_owned(),
            "write it in words: `castle with Rook`, or `castle with Rook 3 steps`",
        ),
        'a' | '[' | ']' | '-' | '?' | 't' | 'y' => (
            format!("{shown} joins several legs to one move, which this notation cannot say here"),
            "write the single moves, or a `turn` of several acts in words",
        ),
        'x' | 'u' => (
            format!("{shown} changes other pieces, which this notation cannot say here"),
            "write the move in words with its effects behind `then`",
        ),
        'o' => (
            "`o` joins the edges of the board, which is said of the board here".to_owned(),
            "write `wrap files` behind the size of the board",
        ),
        'z' | 'q' => (
            format!("crooked and circular riders (`{c}`) cannot be said here"),
            "write the moves of a single direction that are needed",
        ),
        'k' => (
            "`k` is said of the piece here".to_owned(),
            "write `royal` behind its name, or `to enemy King` behind a move in words",
        ),
        '(' | ')' => (
            format!("{shown} groups atoms, which is not possible here"),
            "write each atom with its own modifiers; a leap by numbers is `leap (1,4)` in words",
        ),
        '0'..='9' => (
            format!("the range {shown} belongs to no atom"),
            "write it right behind the capital, as in `W3`, with `0` for a range without limit",
        ),
        ' ' => ("blanks have no place in this notation".to_owned(), "leave them out"),
        'A'..='Z' => (
            format!("there is no atom {shown}"),
            "the atoms are W, F, D, N, A, H, C, Z, G and U, and K, R, B and Q; other leaps are `leap (1,4)` in words",
        ),
        _ => (
            format!("{shown} has no meaning in this notation"),
            "modifiers are f, b, l, r, v, s, h for directions and m, c, d, i, n, j, p, g; atoms are capitals",
        ),
    };
    fault(message, span, help)
}

impl Part {
    /// What the target must be, and the generator.
    fn expand(&self) -> Result<(Option<SetPhrase>, Generator), Fault> {
        let generator = match self.hop {
            Some((hop, letter, span)) => self.hop(hop, letter, span)?,
            None => self.walk()?,
        };
        Ok((self.to(), generator))
    }

    /// `to empty`, `to enemy`, `to friend`, or the default.
    fn to(&self) -> Option<SetPhrase> {
        let nouns = match (self.moves, self.captures, self.friends) {
            (false, false, false) | (true, true, false) => return None,
            (moves, captures, friends) => {
                let all = [(moves, Noun::Empty), (captures, Noun::Enemies), (friends, Noun::Friends)];
                all.into_iter().filter(|(said, _)| *said).map(|(_, noun)| noun).collect()
            }
        };
        Some(phrase(nouns, self.span))
    }

    /// Steps, slides, leaps and riders.
    fn walk(&self) -> Result<Generator, Fault> {
        match self.shape {
            Shape::Anywhere => {
                if let Some(heading) = self.headings.first() {
                    return Err(self.no_use(heading.span, "a direction"));
                }
                match self.lame {
                    Some(span) => Err(self.no_use(span, "`n`")),
                    None => Ok(Generator::LeapAnywhere),
                }
            }
            Shape::Straight(1) | Shape::Diagonal(1) | Shape::King => {
                if let Some(span) = self.lame {
                    return Err(fault(
                        format!("`n` changes nothing before `{}`, which never passes over a piece", self.letter),
                        span,
                        "leave out `n`",
                    ));
                }
                let dirs = self.dirs(&self.lines()?);
                Ok(match self.range {
                    Range::Once => Generator::Step { dirs, distance: None },
                    Range::UpTo(n) => Generator::Slide { dirs, limit: Some(self.count(n)), all_the_way: false },
                    Range::Unlimited => Generator::Slide { dirs, limit: None, all_the_way: false },
                })
            }
            Shape::Straight(n) | Shape::Diagonal(n) => {
                let lines = self.lines()?;
                match (self.range, self.lame) {
                    (Range::Once, Some(_)) => {
                        let distance = Some(self.count(u32::try_from(n).unwrap_or(1)));
                        Ok(Generator::Step { dirs: self.dirs(&lines), distance })
                    }
                    (Range::Once, None) => {
                        let offset = if matches!(self.shape, Shape::Straight(_)) { (0, n) } else { (n, n) };
                        let dirs = (lines.len() < 4).then(|| self.dirs(&lines));
                        Ok(self.leap(offset, dirs))
                    }
                    (_, None) => Ok(self.ride(lines.into_iter().map(|(x, y)| (x * n, y * n)).collect())),
                    (_, Some(span)) => Err(self.lame_rider(span)),
                }
            }
            Shape::Oblique(a, b) => {
                let steps = self.oblique(a, b)?;
                match (self.range, self.lame) {
                    (Range::Once, _) => Ok(match self.words(&steps) {
                        Some(dirs) => self.leap((a, b), dirs),
                        None => self.ride(steps),
                    }),
                    (_, None) => Ok(self.ride(steps)),
                    (_, Some(span)) => Err(self.lame_rider(span)),
                }
            }
        }
    }

    /// Moves over another piece.
    fn hop(&self, hop: Hop, letter: char, span: Span) -> Result<Generator, Fault> {
        if let Some(lame) = self.lame {
            return Err(fault(
                format!("`n` and `{letter}` do not go together"),
                lame,
                "a lame leap needs empty cells where a hop needs a piece; leave one of them out",
            ));
        }
        let slides = matches!(self.shape, Shape::Straight(1) | Shape::Diagonal(1) | Shape::King);
        let far = hop != Hop::Adjacent;
        match (far, self.shape, self.range) {
            (true, _, Range::Unlimited) if slides => {}
            (true, _, Range::UpTo(_)) if slides => {
                return Err(fault(
                    format!("a hop with `{letter}` takes no range"),
                    self.ranged.unwrap_or(span),
                    "leave out the number and write `R`, `B` or `Q`",
                ));
            }
            (true, ..) => {
                return Err(fault(
                    format!("`{letter}` needs a piece that slides, and `{}` does not", self.letter),
                    span,
                    format!("write `{letter}` before `R`, `B` or `Q`, or the move in words: `hop … over piece`"),
                ));
            }
            (false, Shape::Straight(2) | Shape::Diagonal(2), Range::Once) => {}
            (false, ..) => {
                return Err(fault(
                    format!("`j` before `{}` cannot be said here", self.letter),
                    span,
                    "it stands before `D` or `A`, which pass over one cell; write other hops in words: `hop … over piece`",
                ));
            }
        }
        let dirs = self.dirs(&self.lines()?);
        let over = phrase(vec![Noun::Pieces], self.span);
        Ok(Generator::Hop { captures: false, dirs, far, over, beyond: hop == Hop::Beyond })
    }

    fn no_use(&self, span: Span, what: &str) -> Fault {
        fault(
            format!("{what} changes nothing before `{}`, which reaches every cell", self.letter),
            span,
            "leave it out",
        )
    }

    fn lame_rider(&self, span: Span) -> Fault {
        fault(
            "a rider that is lame can be read in more than one way",
            span,
            "leave out `n`, or the range behind the atom",
        )
    }

    fn count(&self, n: u32) -> Count {
        Count::Number(Spanned::new(i64::from(n), self.ranged.unwrap_or(self.span)))
    }

    fn leap(&self, (a, b): Step, dirs: Option<Dirs>) -> Generator {
        let offset = (Spanned::new(a, self.span), Spanned::new(b, self.span));
        Generator::Leap { offsets: vec![offset], lame: self.lame.is_some(), dirs }
    }

    fn ride(&self, offsets: Vec<Step>) -> Generator {
        let range = match self.range {
            Range::Once => Some(1),
            Range::UpTo(n) => Some(i64::from(n)),
            Range::Unlimited => None,
        };
        Generator::LeapTo { offsets, lame: self.lame.is_some(), range }
    }

    /// The directions of an atom on lines, each as its step to the next cell.
    fn lines(&self) -> Result<Vec<Step>, Fault> {
        let straight = !matches!(self.shape, Shape::Diagonal(_));
        let diagonal = !matches!(self.shape, Shape::Straight(_));
        let all = LINES.into_iter().filter(|(x, y)| if x * y == 0 { straight } else { diagonal });
        if self.headings.is_empty() {
            return Ok(all.collect());
        }
        for h in &self.headings {
            if h.first == 'h' || h.second == 'h' {
                return Err(fault(
                    format!("`h` halves eight directions, and `{}` has not so many", self.letter),
                    h.span,
                    "`h` stands only before N, C and Z; write f, b, l or r alone",
                ));
            }
            if self.shape == Shape::King && h.first != h.second {
                return Err(fault(
                    format!("`{}{}` before `{}` can be read in more than one way", h.first, h.second, self.letter),
                    h.span,
                    "write the moves along ranks and files and the diagonals apart: W and F, or R and B",
                ));
            }
            if self.shape == Shape::King && h.span.end.saturating_sub(h.span.start) > 1 {
                return Err(fault(
                    format!("`{0}{0}` before `{1}` can be read in more than one way", h.first, self.letter),
                    h.span,
                    format!("write `{0}` once, or W and F apart", h.first),
                ));
            }
        }
        let goes = |&(x, y): &Step| {
            self.headings.iter().any(|h| {
                if x * y != 0 && h.first != h.second {
                    toward(h.first, x, y) && toward(h.second, x, y)
                } else {
                    toward(h.first, x, y) || toward(h.second, x, y)
                }
            })
        };
        Ok(all.filter(goes).collect())
    }

    /// The leaps of an atom aside of lines, in the order in which a leap in words has them.
    fn oblique(&self, a: i64, b: i64) -> Result<Vec<Step>, Fault> {
        let all = [(a, b), (-a, b), (a, -b), (-a, -b), (b, a), (-b, a), (b, -a), (-b, -a)];
        if self.headings.is_empty() {
            return Ok(all.to_vec());
        }
        for h in &self.headings {
            if h.first == 'h' && h.second == 'h' {
                return Err(fault(
                    "`h` is half of a direction, and there is none before it",
                    h.span,
                    "write `fh`, `bh`, `lh` or `rh`; `hr` and `hl` are the leaps that turn one way",
                ));
            }
        }
        Ok(all.into_iter().filter(|&(x, y)| self.headings.iter().any(|h| slants(h, x, y))).collect())
    }

    /// Directions, with as few words as there are.
    fn dirs(&self, lines: &[Step]) -> Dirs {
        let has = |word: &[Step]| word.iter().all(|s| lines.contains(s));
        let mut words: Vec<&str> = Vec::new();
        let mut said: Vec<Step> = Vec::new();
        for (word, steps) in WORDS {
            if has(steps) && !steps.iter().all(|s| said.contains(s)) {
                words.push(word);
                said.extend_from_slice(steps);
            }
        }
        self.phrase(&words)
    }

    fn phrase(&self, words: &[&str]) -> Dirs {
        let parts = words.iter().map(|w| Dir::Word(Spanned::new((*w).to_owned(), self.span))).collect();
        Dirs { parts, span: self.span }
    }

    /// The words that keep exactly these leaps: `Some(None)` if none are needed, `None` if there are no such words.
    fn words(&self, steps: &[Step]) -> Option<Option<Dirs>> {
        if steps.len() == 8 {
            return Some(None);
        }
        // A straight word keeps the two leaps that go farther its way than aside, a diagonal one both of its quarter.
        let keeps = |word: &[Step], (x, y): Step| {
            word.iter().any(|&(dx, dy)| {
                if dx * dy == 0 { dx * x + dy * y > x.abs().min(y.abs()) } else { dx * x > 0 && dy * y > 0 }
            })
        };
        let mut words: Vec<&str> = Vec::new();
        let mut left: Vec<Step> = steps.to_vec();
        // Quarters say more than pairs.
        let quarters = WORDS.iter().filter(|(_, dirs)| dirs.iter().all(|(x, y)| x * y != 0));
        for (word, dirs) in quarters.chain(WORDS.iter()) {
            let kept: Vec<Step> = OBLIQUE.into_iter().filter(|&s| keeps(dirs, s)).collect();
            let inside = kept.iter().all(|&k| steps.iter().any(|&s| alike(s, k)));
            if inside && left.iter().any(|&s| kept.iter().any(|&k| alike(s, k))) {
                words.push(*word);
                left.retain(|&s| !kept.iter().any(|&k| alike(s, k)));
            }
        }
        left.is_empty().then(|| Some(self.phrase(&words)))
    }
}

/// The steps to the eight cells around.
const LINES: [Step; 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The leaps of a knight.
const OBLIQUE: [Step; 8] = [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)];

/// Words for directions, those that say more first.
const WORDS: [(&str, &[Step]); 14] = [
    ("any", &LINES),
    ("orthogonal", &[(0, 1), (1, 0), (0, -1), (-1, 0)]),
    ("diagonal", &[(1, 1), (1, -1), (-1, -1), (-1, 1)]),
    ("forward", &[(0, 1)]),
    ("backward", &[(0, -1)]),
    ("sideways", &[(-1, 0), (1, 0)]),
    ("left", &[(-1, 0)]),
    ("right", &[(1, 0)]),
    ("forward-diagonal", &[(-1, 1), (1, 1)]),
    ("backward-diagonal", &[(-1, -1), (1, -1)]),
    ("forward-left", &[(-1, 1)]),
    ("forward-right", &[(1, 1)]),
    ("backward-left", &[(-1, -1)]),
    ("backward-right", &[(1, -1)]),
];

/// Whether two leaps go the same one of eight ways, whatever their lengths.
fn alike((x, y): Step, (u, v): Step) -> bool {
    x.signum() == u.signum() && y.signum() == v.signum() && (x.abs() > y.abs()) == (u.abs() > v.abs())
}

/// Whether a step goes the way of a letter.
fn toward(letter: char, x: i64, y: i64) -> bool {
    match letter {
        'f' => y > 0,
        'b' => y < 0,
        'l' => x < 0,
        'r' => x > 0,
        'v' => y != 0,
        's' => x != 0,
        _ => false,
    }
}

/// Whether a leap aside of lines goes the way of two letters: `ff` (or `f`) are the two leaps farthest forward, `fh` the
/// four on the forward half, `fr` the one forward that goes farther to the right, `rf` the one to the right that goes farther
/// forward, `hr` and `hl` the four that turn one way.
fn slants(h: &Heading, x: i64, y: i64) -> bool {
    let steep = y.abs() > x.abs();
    let main = |letter: char| toward(letter, x, y) && steep == matches!(letter, 'f' | 'b' | 'v');
    match (h.first, h.second) {
        ('h', 'r') => steep == (x * y > 0),
        ('h', 'l') => steep == (x * y < 0),
        (one, 'h') => toward(one, x, y),
        (one, other) if one == other => main(one),
        (one, other) => toward(one, x, y) && main(other),
    }
}
