//! Move clauses, imitation, promotions and reactions.

use super::betza;
use super::cx::{Cx, Env, MAX_LEAPS, Place};
use super::fold;
use crate::base::{Diagnostic, Span, Spanned};
use crate::ir::board::DirId;
use crate::ir::expr::{Cond, Set};
use crate::ir::piece::{Clause, Facing, Generator, PieceType, Promotion, Source};
use crate::ir::place::ClausePlace;
use crate::ir::rule::{By, Effect, Reaction};
use crate::ir::{Cell, KindId, Seat, TypeId};
use crate::syntax::Word;
use crate::syntax::expr::{Noun, SetPhrase};
use crate::syntax::piece::{self as sp, ClauseKind, MoveClause, MovesAs, PromotionTarget};
use crate::syntax::rule as sr;

/// At most so many clauses in a game.
const MAX_CLAUSES: usize = 1000;

/// Everything that pieces say.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    pub clauses: Vec<Clause>,
    pub reactions: Vec<Reaction>,
}

impl Cx<'_> {
    /// Compiles the bodies of all pieces.
    pub fn bodies(&mut self, types: &mut [PieceType]) -> Bodies {
        let mut out = Bodies::default();
        self.places.promotions = vec![Vec::new(); types.len()];
        for t in 0..types.len() {
            self.written.promotions.push(Vec::new());
            let lines = self.lines(t as TypeId, &mut vec![t as TypeId]);
            for line in &lines {
                if out.clauses.len() > MAX_CLAUSES {
                    self.too_many_moves(line.span);
                    return out;
                }
                let moment = self.moment();
                let before = (out.clauses.len(), out.reactions.len(), types[t].promotions.len());
                self.written.piece = Some(t as TypeId);
                if self.line(t as TypeId, line, types, &mut out).is_none() {
                    self.lost(line.span);
                }
                self.written.piece = None;
                self.note_lines(line, (out.clauses.len(), out.reactions.len()), types[t].promotions.len());
                if before == (out.clauses.len(), out.reactions.len(), types[t].promotions.len()) {
                    self.forget(moment);
                }
            }
        }
        out
    }

    fn too_many_moves(&mut self, span: Span) {
        let message = format!("there are more than {MAX_CLAUSES} lines that move pieces");
        self.error("too-many", span, message, "use fewer moves");
    }

    /// Notes where the clauses and reactions made so far, and the promotions of the last type, are written.
    fn note_lines(&mut self, line: &sp::Clause, (clauses, reactions): (usize, usize), promotions: usize) {
        let written = &mut self.written;
        written.places.clauses.resize(clauses, line.span);
        written.places.reactions.resize(reactions, line.span);
        written.lines.resize_with(clauses, || line.clone());
        if let Some(last) = written.promotions.last_mut() {
            last.resize_with(promotions, || line.clone());
        }
    }

    /// The lines of a piece, with those that it borrows by name and by notation written out.
    fn lines(&mut self, t: TypeId, stack: &mut Vec<TypeId>) -> Vec<sp::Clause> {
        let own = self.pieces[t as usize].clauses.clone();
        let mut out = Vec::new();
        for clause in own {
            if out.len() > MAX_CLAUSES {
                self.too_many_moves(clause.span);
                break;
            }
            match &clause.kind {
                ClauseKind::Betza(word) => match betza::expand(&clause, word) {
                    Ok(expanded) => out.extend(expanded),
                    Err(d) => self.push(*d),
                },
                ClauseKind::MovesAs { what: MovesAs::Names(names), except } => {
                    if let Some(word) = except.first() {
                        self.error(
                            "except-here",
                            word.span,
                            "named pieces have no exceptions",
                            "leave the piece out of the names before",
                        );
                    }
                    for name in names {
                        self.borrowed(&clause, name, stack, &mut out);
                    }
                }
                ClauseKind::Move(_)
                | ClauseKind::MovesAs { .. }
                | ClauseKind::Promote { .. }
                | ClauseKind::After(_) => {
                    out.push(clause.clone());
                }
            }
        }
        out
    }

    fn borrowed(&mut self, clause: &sp::Clause, name: &Word, stack: &mut Vec<TypeId>, out: &mut Vec<sp::Clause>) {
        let Some(other) = self.piece(name) else { return };
        if stack.contains(&other) {
            self.push(
                Diagnostic::error("circular", format!("`{}` would move as itself", name.node), name.span)
                    .label(self.pieces[other as usize].name.span, "it is defined here, and borrows in turn")
                    .help("a piece can borrow only from pieces that do not borrow from it"),
            );
            return;
        }
        self.expansions += 1;
        if self.expansions > super::cx::MAX_EXPANSIONS {
            self.error(
                "too-large",
                name.span,
                "the pieces borrow too much from one another",
                "borrow from fewer pieces",
            );
            return;
        }
        stack.push(other);
        let before = self.report.said;
        let lent: Vec<sp::Clause> = self.lines(other, stack).into_iter().filter(|c| self.lends(c)).collect();
        stack.pop();
        if lent.is_empty() && self.report.said == before {
            self.push(
                Diagnostic::error("nothing-to-lend", format!("`{}` has no move to lend", name.node), name.span)
                    .label(self.pieces[other as usize].name.span, "it is defined here")
                    .help("only steps, slides, leaps, hops and jumps without `from`, `then` and marks are lent"),
            );
        }
        if out.len() + lent.len() > 1000 {
            self.error("too-many", name.span, "this piece has too many moves", "borrow from fewer pieces");
            return;
        }
        for mut line in lent {
            line.guards.extend(clause.guards.iter().cloned());
            line.then.extend(clause.then.iter().cloned());
            line.label = line.label.or_else(|| clause.label.clone());
            line.once = clause.once;
            out.push(line);
        }
    }

    /// Whether a line can be lent, as it is written.
    fn lends(&self, clause: &sp::Clause) -> bool {
        match &clause.kind {
            ClauseKind::Move(m) => {
                let plain = match &m.generator {
                    sp::Generator::Step { .. }
                    | sp::Generator::Slide { .. }
                    | sp::Generator::Leap { .. }
                    | sp::Generator::LeapTo { .. }
                    | sp::Generator::LeapAnywhere
                    | sp::Generator::Hop { .. } => true,
                    sp::Generator::Castle { .. } | sp::Generator::Drop { .. } => false,
                };
                plain
                    && m.from.is_none()
                    && clause.then.is_empty()
                    && clause.once.is_none()
                    && m.to.as_ref().is_none_or(|to| self.mark_in(to).is_none())
            }
            ClauseKind::MovesAs { .. } | ClauseKind::Promote { .. } | ClauseKind::After(_) | ClauseKind::Betza(_) => {
                false
            }
        }
    }

    /// The mark that a target names.
    fn mark_in(&self, to: &SetPhrase) -> Option<u16> {
        to.nouns.iter().find_map(|n| match &n.node {
            Noun::Word(w) => self.marks.iter().position(|m| m.name == *w).map(|m| m as u16),
            _ => None,
        })
    }

    /// Compiles a line; nothing if a fault was said.
    fn line(&mut self, t: TypeId, line: &sp::Clause, types: &mut [PieceType], out: &mut Bodies) -> Option<()> {
        let env = Env::new(Place::Guard);
        match &line.kind {
            ClauseKind::Move(m) => {
                let marker = m.to.as_ref().and_then(|to| self.mark_in(to));
                let drops = matches!(m.generator, sp::Generator::Drop { .. });
                let env = Env { marker, drops, ..env };
                let target = self.target(m, &env);
                let generator = self.generator(t, m, line.span, &env);
                let toward = self.facing(m.toward.as_ref(), &env);
                let away_from = self.facing(m.away_from.as_ref(), &env);
                let from = m.from.as_ref().map(|z| self.zone_of(z));
                let within = m.within.as_ref().map(|z| self.zone_of(z));
                let rest = self.rest(t, line, &env);
                let (Some(target), Some(generator), Some(toward), Some(away_from), Some(rest)) =
                    (target, generator, toward, away_from, rest)
                else {
                    return None;
                };
                let (from, within) = match (from, within) {
                    (Some(None), _) | (_, Some(None)) => return None,
                    (from, within) => (from.flatten(), within.flatten()),
                };
                let movable = match generator {
                    Generator::Step { .. }
                    | Generator::Slide { .. }
                    | Generator::Leap { .. }
                    | Generator::LeapAnywhere
                    | Generator::Hop { .. } => true,
                    Generator::Castle { .. } | Generator::Drop { .. } | Generator::Imitate { .. } => false,
                };
                let plain =
                    movable && from.is_none() && rest.then.is_empty() && rest.once.is_none() && marker.is_none();
                if let Some((clause, place)) = rest.finish(generator, target, plain) {
                    let clause = Clause { toward, away_from, from, within, ..clause };
                    self.push_clause(t, clause, place, types, out);
                }
            }
            ClauseKind::MovesAs { what, except } => {
                let except: Vec<_> = except.iter().map(|w| self.piece(w)).collect();
                let source = match what {
                    MovesAs::Names(_) => return Some(()),
                    MovesAs::LastMoved(who) => self.player(who, &env).map(Source::LastMoved),
                    MovesAs::Bearing { attacking, defending } => {
                        Some(Source::Bearing { attacking: *attacking, defending: *defending })
                    }
                };
                let rest = self.rest(t, line, &env);
                let (Some(source), Some(except), Some(rest)) =
                    (source, except.into_iter().collect::<Option<Vec<TypeId>>>(), rest)
                else {
                    return None;
                };
                let target = Set::Union(vec![Set::Empty, Set::Enemies]);
                if let Some((clause, place)) = rest.finish(Generator::Imitate { source, except }, target, false) {
                    self.push_clause(t, clause, place, types, out);
                }
            }
            ClauseKind::Promote { may, on, to } => self.promotion(t, line, *may, on, to, types)?,
            ClauseKind::After(after) => self.reaction(t, line, after, out)?,
            ClauseKind::Betza(_) => {}
        }
        Some(())
    }

    fn target(&mut self, m: &MoveClause, env: &Env) -> Option<Set> {
        match (&m.to, &m.generator) {
            (Some(to), sp::Generator::Castle { .. }) => {
                let error = Diagnostic::error("castle", "a castling has no target of its own", to.span);
                self.push(error.help("leave out `to …`").fix(self.texts.with_word(to.span, "to"), ""));
                None
            }
            (Some(to), _) => self.set(to, env),
            (None, sp::Generator::Drop { .. } | sp::Generator::Castle { .. }) => Some(Set::Empty),
            (
                None,
                sp::Generator::Step { .. }
                | sp::Generator::Slide { .. }
                | sp::Generator::Leap { .. }
                | sp::Generator::LeapTo { .. }
                | sp::Generator::LeapAnywhere,
            ) => Some(Set::Union(vec![Set::Empty, Set::Enemies])),
            (None, sp::Generator::Hop { captures, .. }) => {
                Some(if *captures { Set::Empty } else { Set::Union(vec![Set::Empty, Set::Enemies]) })
            }
        }
    }

    fn facing(&mut self, phrase: Option<&SetPhrase>, env: &Env) -> Option<Option<Facing>> {
        let Some(phrase) = phrase else { return Some(None) };
        if let [noun] = phrase.nouns.as_slice()
            && noun.node == Noun::Nothing
        {
            return Some(Some(Facing::Nothing));
        }
        self.set(phrase, env).map(|s| Some(Facing::Piece(s)))
    }

    fn generator(&mut self, t: TypeId, m: &MoveClause, span: Span, env: &Env) -> Option<Generator> {
        let far = i64::from(self.geo.files.max(self.geo.ranks));
        let args = env.at(Place::Generator);
        Some(match &m.generator {
            sp::Generator::Step { dirs, distance } => {
                let dirs = self.dirs(dirs, &args);
                let distance = match distance {
                    Some(n) => self.count(n, 1, far, "the length of a step")? as u16,
                    None => 1,
                };
                Generator::Step { dirs: dirs?, distance }
            }
            sp::Generator::Slide { dirs, limit, all_the_way } => {
                let dirs = self.dirs(dirs, &args);
                let limit = match limit {
                    Some(n) => Some(self.count(n, 1, 1000, "the length of a slide")? as u16),
                    None => None,
                };
                Generator::Slide { dirs: dirs?, limit, all_the_way: *all_the_way }
            }
            sp::Generator::Leap { offsets, lame, dirs } => self.leap(offsets, *lame, dirs.as_ref(), span, &args)?,
            sp::Generator::LeapTo { offsets, lame, range } => self.leap_to(offsets, *lame, *range, span)?,
            sp::Generator::LeapAnywhere => Generator::LeapAnywhere,
            sp::Generator::Hop { captures, dirs, far, over, beyond } => {
                let dirs = self.dirs(dirs, &args);
                let over = self.set(over, &args);
                Generator::Hop { dirs: dirs?, far: *far, over: over?, beyond: *beyond, captures: *captures }
            }
            sp::Generator::Castle { partner, steps } => {
                let partner = self.piece(partner)?;
                let steps = match steps {
                    Some(n) => self.count(n, 1, far, "the length of a castling")? as u16,
                    None => 2,
                };
                let dirs = self.geo.word("sideways")?;
                Generator::Castle { partner: self.kinds_of(partner), steps, dirs }
            }
            sp::Generator::Drop { any_way_up } => {
                let cube = self.pieces[t as usize].faces.is_some();
                if *any_way_up && !cube {
                    let name = self.pieces[t as usize].name.node.clone();
                    let error = Diagnostic::error("not-a-cube", format!("`{name}` has only one way up"), span);
                    let defined = self.pieces[t as usize].name.span;
                    self.push(error.label(defined, "it is no cube").help("leave out `any way up`"));
                    return None;
                }
                let kinds = if *any_way_up { self.kinds_of(t) } else { self.base_kind(t).into_iter().collect() };
                if let Some(neutral) = self.pieces[t as usize].traits.iter().find(|x| x.node == sp::Trait::Neutral) {
                    let name = &self.pieces[t as usize].name.node;
                    let message = format!("`{name}` belongs to nobody and cannot be dropped");
                    self.push(
                        Diagnostic::error("traits", message, span)
                            .label(neutral.span, "it is neutral")
                            .help("leave out `neutral`, or place it in the setup"),
                    );
                }
                Generator::Drop { kinds }
            }
        })
    }

    fn leap(
        &mut self,
        offsets: &[(Spanned<i64>, Spanned<i64>)],
        lame: bool,
        dirs: Option<&crate::syntax::expr::Dirs>,
        span: Span,
        env: &Env,
    ) -> Option<Generator> {
        let dirs = match dirs {
            Some(dirs) => Some(self.dirs(dirs, env)?),
            None => None,
        };
        self.leaps_here(span)?;
        let mut steps: Vec<(i32, i32)> = Vec::new();
        for (a, b) in offsets {
            let (x, y) = (a.node.saturating_abs(), b.node.saturating_abs());
            let at = a.span.to(b.span);
            let (x, y) = self.short(x, y, at)?;
            for (x, y) in [(x, y), (y, x)] {
                for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
                    if !steps.contains(&(x, y)) {
                        steps.push((x, y));
                    }
                }
            }
        }
        let mut paths = Vec::new();
        for seat in 0..self.geo.seats() as Seat {
            let kept: Vec<(i32, i32)> = match &dirs {
                Some(dirs) => {
                    let dirs = &dirs[seat as usize];
                    steps.iter().copied().filter(|s| dirs.iter().any(|d| self.goes(*s, *d))).collect()
                }
                None => steps.clone(),
            };
            if kept.is_empty() {
                self.error(
                    "leap",
                    span,
                    "no such leap goes in this direction",
                    "leave out the direction, or take one along a rank or file for unequal numbers",
                );
                return None;
            }
            let cells = self.geo.board.cells.len() as Cell;
            self.leaps += kept.len() * cells as usize;
            if self.leaps > MAX_LEAPS {
                self.error(
                    "too-large",
                    span,
                    "the leaps of this game are too many",
                    "use fewer leaps or a smaller board",
                );
                return None;
            }
            paths.push((0..cells).map(|c| self.leaps_from(c, &kept, lame)).collect::<Vec<_>>());
        }
        Some(Generator::Leap { paths })
    }

    /// Whether the board has leaps.
    fn leaps_here(&mut self, span: Span) -> Option<()> {
        if !self.geo.square() {
            self.off_board(
                "leap",
                span,
                "leaps by files and ranks need a board of squares",
                "on hexagons use `step`, `slide` or `hop` with directions",
            );
        }
        self.geo.square().then_some(())
    }

    /// An offset that goes somewhere and does not leave the board.
    fn short(&mut self, x: i64, y: i64, at: Span) -> Option<(i32, i32)> {
        let far = i64::from(self.geo.files.max(self.geo.ranks));
        let (width, height) = (x.saturating_abs(), y.saturating_abs());
        if (x, y) == (0, 0) {
            self.error("leap", at, "this leap goes nowhere", "give at least one number that is not 0");
            return None;
        }
        if width.max(height) >= far {
            self.off_board(
                "leap",
                at,
                format!("a leap of ({width},{height}) leaves the board"),
                format!("numbers from 0 to {} stay on it", far - 1),
            );
            return None;
        }
        Some((x as i32, y as i32))
    }

    /// Leaps by signed offsets, each repeated over empty cells.
    fn leap_to(&mut self, offsets: &[(i64, i64)], lame: bool, range: Option<i64>, span: Span) -> Option<Generator> {
        self.leaps_here(span)?;
        let steps: Vec<(i32, i32)> = offsets.iter().map(|&(x, y)| self.short(x, y, span)).collect::<Option<_>>()?;
        let forward = self.geo.word("forward")?;
        let cells = self.geo.board.cells.len() as Cell;
        let paths = (0..self.geo.seats()).map(|seat| {
            let up = forward[seat].first().map_or(1, |&d| self.geo.step(d).1);
            let steps: Vec<(i32, i32)> = steps.iter().map(|&(x, y)| (x * up, y * up)).collect();
            (0..cells).map(|c| self.rides_from(c, &steps, lame, range)).collect::<Vec<_>>()
        });
        Some(Generator::Leap { paths: paths.collect() })
    }

    fn rides_from(&self, c: Cell, steps: &[(i32, i32)], lame: bool, range: Option<i64>) -> Vec<(Cell, Vec<Cell>)> {
        let mut out: Vec<(Cell, Vec<Cell>)> = Vec::new();
        for &step in steps {
            let (mut at, mut path) = (c, Vec::new());
            let mut times = 0;
            while range.is_none_or(|n| times < n) {
                let Some((to, between)) = self.leaps_from(at, &[step], lame).pop() else { break };
                if to == c || path.contains(&to) {
                    break;
                }
                path.extend(between);
                if !out.iter().any(|(t, p)| *t == to && (p.is_empty() || *p == path)) {
                    out.push((to, path.clone()));
                }
                path.push(to);
                (at, times) = (to, times + 1);
            }
        }
        out
    }

    /// Whether the offset goes more in this direction than in others.
    fn goes(&self, (x, y): (i32, i32), dir: DirId) -> bool {
        let (dx, dy) = self.geo.step(dir);
        match (dx, dy) {
            (0, _) => y * dy > x.abs(),
            (_, 0) => x * dx > y.abs(),
            _ => x * dx > 0 && y * dy > 0,
        }
    }

    fn leaps_from(&self, c: Cell, steps: &[(i32, i32)], lame: bool) -> Vec<(Cell, Vec<Cell>)> {
        let mut out: Vec<(Cell, Vec<Cell>)> = Vec::new();
        for &(x, y) in steps {
            let Some(to) = self.geo.offset(c, x, y) else { continue };
            if to == c || out.iter().any(|(t, _)| *t == to) {
                continue;
            }
            let mut path = Vec::new();
            if lame {
                // Straight first, then diagonally.
                let (mut rest_x, mut rest_y) = (x, y);
                let mut at = (0, 0);
                loop {
                    let step_x = if rest_x.abs() >= rest_y.abs() { rest_x.signum() } else { 0 };
                    let step_y = if rest_y.abs() >= rest_x.abs() { rest_y.signum() } else { 0 };
                    at = (at.0 + step_x, at.1 + step_y);
                    (rest_x, rest_y) = (rest_x - step_x, rest_y - step_y);
                    if (rest_x, rest_y) == (0, 0) {
                        break;
                    }
                    path.extend(self.geo.offset(c, at.0, at.1));
                }
            }
            out.push((to, path));
        }
        out
    }

    /// What a line says besides its kind.
    fn rest(&mut self, t: TypeId, line: &sp::Clause, env: &Env) -> Option<Rest> {
        let guards = self.placed_guards(&line.guards, env);
        let then = self.effects(&line.then, &env.at(Place::Then));
        let name = self.pieces[t as usize].name.node.clone();
        let (guards, then) = (guards?, then?);
        let label = line.label.as_ref().map(|l| l.node.clone()).unwrap_or_default();
        let once = match line.once {
            Some(_) => {
                let base = match (&label.is_empty(), &line.kind) {
                    (false, _) => label.clone(),
                    (true, ClauseKind::Move(m)) => format!("{name}-{}", generator_word(&m.generator)),
                    (true, _) => format!("{name}-move"),
                };
                let mut unique = base.clone();
                let mut n = 1;
                while self.once.contains(&unique) {
                    n += 1;
                    unique = format!("{base}-{n}");
                }
                Some(self.once(&unique))
            }
            None => None,
        };
        let (guards, spans): (Vec<Cond>, Vec<Span>) = guards.into_iter().unzip();
        let part = |phrase: Option<Span>| phrase.map(|span| self.texts.place(span));
        let moves = match &line.kind {
            ClauseKind::Move(m) => Some(m),
            _ => None,
        };
        let place = ClausePlace {
            whole: self.texts.place(line.span),
            target: part(moves.and_then(|m| m.to.as_ref()).map(|s| s.span)),
            toward: part(moves.and_then(|m| m.toward.as_ref()).map(|s| s.span)),
            away_from: part(moves.and_then(|m| m.away_from.as_ref()).map(|s| s.span)),
            from: part(moves.and_then(|m| m.from.as_ref()).map(|s| s.span)),
            within: part(moves.and_then(|m| m.within.as_ref()).map(|s| s.span)),
            guards: spans.into_iter().map(|span| self.texts.place(span)).collect(),
        };
        Some(Rest { label, guards, then, once, place })
    }

    fn promotion(
        &mut self,
        t: TypeId,
        line: &sp::Clause,
        may: bool,
        on: &crate::syntax::board::Cells,
        to: &[PromotionTarget],
        types: &mut [PieceType],
    ) -> Option<()> {
        let env = Env::new(Place::Guard);
        let zone = self.zone_of(on);
        if let Some(span) = line.once {
            self.error(
                "once-here",
                span,
                "`once per game` belongs to one of the pieces of a promotion",
                "write it in brackets behind the piece, as in `Queen (once per game)`",
            );
        }
        let mut targets: Vec<(KindId, Option<u16>)> = Vec::new();
        for target in to {
            let Some(p) = self.piece(&target.name) else { continue };
            let same = |other: &&PromotionTarget| {
                other.name.node == target.name.node && other.once.is_some() == target.once.is_some()
            };
            if let Some(first) = to.iter().find(same).filter(|first| first.name.span != target.name.span) {
                let message = format!("`{}` is offered already", target.name.node);
                let warning = Diagnostic::warning("duplicate", message, target.name.span);
                self.push(warning.label(first.name.span, "first offered here").help("name each piece once"));
            }
            if p == t {
                self.push(
                    Diagnostic::error(
                        "promotion",
                        format!("`{}` is what the piece is already", target.name.node),
                        target.name.span,
                    )
                    .label(self.pieces[t as usize].name.span, "this is the piece that is promoted")
                    .help("to let it stay as it is write `may promote`"),
                );
                continue;
            }
            if self.pieces[p as usize].faces.is_some() {
                self.push(
                    Diagnostic::error(
                        "promotion",
                        format!("`{}` is a cube, and this does not say which way up", target.name.node),
                        target.name.span,
                    )
                    .label(self.pieces[p as usize].name.span, "the cube")
                    .help("promote to a flat piece"),
                );
                continue;
            }
            let kind = self.kinds.iter().position(|k| k.piece == p && k.original == t);
            let kind = kind.map(|k| k as KindId).or_else(|| self.base_kind(p));
            let once = target.once.map(|_| self.once(&target.name.node));
            if let Some(kind) = kind {
                targets.push((kind, once));
            }
        }
        let guards = self.guards(&line.guards, &env);
        let then = self.effects(&line.then, &env.at(Place::Then));
        let (zone, guards, then) = (zone?, guards?, then?);
        if guards.contains(&Cond::Const(false)) || targets.is_empty() {
            return Some(());
        }
        types[t as usize].promotions.push(Promotion { may, zone, to: targets, guards, then });
        let place = self.texts.place(line.span);
        self.places.promotions[t as usize].push(place);
        Some(())
    }

    fn reaction(&mut self, t: TypeId, line: &sp::Clause, after: &sr::After, out: &mut Bodies) -> Option<()> {
        let env = Env::new(Place::Reaction);
        let guards = self.guards(&line.guards, &env);
        let body = self.effects(&after.body, &env);
        let mut found = Vec::new();
        for event in &after.events {
            match &event.node {
                sr::Event::MovesTo { by, to } => {
                    let by = match by {
                        sr::By::Enemy => By::Enemy,
                        sr::By::Friend => By::Friend,
                        sr::By::Anyone => By::Anyone,
                    };
                    if let Some(to) = self.set(to, &env) {
                        found.push((by, to));
                    }
                }
                sr::Event::Act(act) => self.error(
                    "event",
                    event.span,
                    format!("in a piece there is no event `{act}`"),
                    "a piece reacts to others: `after enemy moves to … { … }`; for its own moves write `then …` behind the move, or `after` outside of pieces",
                ),
            }
        }
        let (guards, body) = (guards?, body?);
        let body = match fold::all(guards) {
            Cond::Const(true) => body,
            Cond::Const(false) => return Some(()),
            cond => vec![Effect::When(cond, body, Vec::new())],
        };
        if body.is_empty() {
            return Some(());
        }
        for (by, to) in found {
            out.reactions.push(Reaction { kinds: self.kinds_of(t), by, to, body: body.clone() });
            let place = self.texts.place(line.span);
            self.places.reactions.push(place);
        }
        Some(())
    }

    fn push_clause(
        &mut self,
        t: TypeId,
        clause: Clause,
        place: ClausePlace,
        types: &mut [PieceType],
        out: &mut Bodies,
    ) {
        types[t as usize].clauses.push(out.clauses.len() as u16);
        out.clauses.push(clause);
        self.places.clauses.push(place);
    }

    /// Says that there is too much of something.
    pub fn note_limit(&mut self, n: usize, max: usize, what: &str, span: Span) {
        if n > max {
            self.push(
                Diagnostic::error("too-many", format!("there are {n} {what}, and {max} are possible"), span)
                    .help("use fewer of them"),
            );
        }
    }
}

/// What a line says besides its kind.
struct Rest {
    label: String,
    guards: Vec<Cond>,
    then: Vec<Effect>,
    once: Option<u16>,
    place: ClausePlace,
}

impl Rest {
    /// The clause, unless its conditions never hold.
    fn finish(self, generator: Generator, target: Set, plain: bool) -> Option<(Clause, ClausePlace)> {
        if self.guards.contains(&Cond::Const(false)) {
            return None;
        }
        let clause = Clause {
            label: self.label,
            text: self.place.whole.text.clone(),
            generator,
            target,
            toward: None,
            away_from: None,
            from: None,
            within: None,
            guards: self.guards,
            then: self.then,
            once: self.once,
            plain,
        };
        Some((clause, self.place))
    }
}

fn generator_word(generator: &sp::Generator) -> &'static str {
    match generator {
        sp::Generator::Step { .. } => "step",
        sp::Generator::Slide { .. } => "slide",
        sp::Generator::Leap { .. } | sp::Generator::LeapTo { .. } | sp::Generator::LeapAnywhere => "leap",
        sp::Generator::Hop { captures: true, .. } => "jump",
        sp::Generator::Hop { captures: false, .. } => "hop",
        sp::Generator::Castle { .. } => "castle",
        sp::Generator::Drop { .. } => "drop",
    }
}
