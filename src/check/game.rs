//! From merged statements to a game.

use super::board;
use super::cx::{Cx, Env, MAX_EXPANSIONS, MAX_PHRASES, PieceDecl, Place, ZoneDecl};
use super::expr::event_of;
use super::geometry::{self, Geometry};
use super::lint;
use super::option::Settings;
use super::report::Report;
use super::resolve::{Merged, Safety, Stmt, place};
use super::rule::{self, any_effect};
use super::texts::Texts;
use super::turn::Means;
use super::walk::{self, Node};
use super::written::{self, Doubts, Written};
use crate::base::{Diagnostic, Severity, Span, Spanned};
use crate::ir;
use crate::ir::MAX_MARK_TURNS;
use crate::ir::expr::Set;
use crate::ir::piece::{Generator, PieceType, Source};
use crate::ir::place::Places;
use crate::ir::rule::{Counter, Effect, HandItem, Latch, Mark};
use crate::ir::{Game, KindId, SeatInfo, TypeId};
use crate::syntax::Word;
use crate::syntax::expr::DefineBody;
use crate::syntax::game::ItemKind;
use crate::syntax::piece::{Clause, ClauseKind, Trait};
use crate::syntax::rule as sr;
use std::collections::HashMap;

/// At most so many of each.
const MAX_SEATS: usize = 8;
const MAX_TABLE: usize = 64;
const MAX_ROWS: usize = 2000;

/// What a game is besides its statements.
pub(crate) struct Head<'a> {
    pub name: &'a Word,
    pub variants: &'a [String],
}

/// A compiled game and what is needed to compile more phrases for it.
pub(crate) struct Made<'a> {
    pub game: Option<Game>,
    pub places: written::Places,
    pub doubts: Doubts,
    pub cx: Option<Cx<'a>>,
    pub report: Report,
}

/// Compiles.
pub(crate) fn compile<'a>(
    merged: &Merged,
    settings: &'a Settings,
    texts: &'a Texts,
    head: &Head,
    report: Report,
) -> Made<'a> {
    let mut report = report;
    let found = |wanted: fn(&ItemKind) -> bool| merged.stmts.iter().find(|s| wanted(&s.item.kind));
    let seats = match found(|k| matches!(k, ItemKind::Players(_))).map(|s| &s.item.kind) {
        Some(ItemKind::Players(names)) => players(names, &mut report),
        _ => {
            report.error(
                "no-players",
                head.name.span,
                "this game does not say who plays",
                "add a line such as `players White, Black`",
            );
            Vec::new()
        }
    };
    let symmetry = match found(|k| matches!(k, ItemKind::Symmetry(_))) {
        Some(Stmt { item, .. }) => match &item.kind {
            ItemKind::Symmetry(s) => Some((*s, item.span)),
            _ => None,
        },
        None => None,
    };
    let geo = match found(|k| matches!(k, ItemKind::Board(_))).map(|s| &s.item.kind) {
        Some(ItemKind::Board(b)) => board::geometry(b, symmetry.as_ref(), &seats, &mut report),
        _ => {
            report.error("no-board", head.name.span, "this game has no board", "add a line such as `board 8x8`");
            None
        }
    };
    let (false, Some(geo)) = (seats.is_empty(), geo) else {
        return Made { game: None, places: written::Places::default(), doubts: Doubts::default(), cx: None, report };
    };
    let board = found(|k| matches!(k, ItemKind::Board(_))).map_or(head.name.span, |s| place(&s.item));
    let mut cx = new_cx(geo, board, seats, settings, texts, report);
    let game = all(&mut cx, merged, head);
    let failed = cx.report.failed();
    let report = std::mem::take(&mut cx.report);
    let written = std::mem::take(&mut cx.written);
    let game = (!failed).then_some(game);
    Made { game, places: written.places, doubts: written.doubts, cx: Some(cx), report }
}

fn new_cx<'a>(
    geo: Geometry,
    board: Span,
    seats: Vec<Word>,
    settings: &'a Settings,
    texts: &'a Texts,
    report: Report,
) -> Cx<'a> {
    Cx {
        texts,
        settings,
        report,
        seats,
        board,
        geo,
        pieces: Vec::new(),
        kinds: Vec::new(),
        orientations: Vec::new(),
        ladder: Vec::new(),
        zone_decls: Vec::new(),
        defines: Default::default(),
        mark_spans: Vec::new(),
        places: Places::default(),
        latch_names: Vec::new(),
        counter_spans: Vec::new(),
        labels: Vec::new(),
        has_hand: false,
        hand_types: Vec::new(),
        expansions: 0,
        phrases: 0,
        written: Written::default(),
        leaps: 0,
        zones: Vec::new(),
        remaps: Vec::new(),
        tallies: Vec::new(),
        quiets: Vec::new(),
        counters: Vec::new(),
        marks: Vec::new(),
        once: Vec::new(),
    }
}

fn players(names: &[Word], report: &mut Report) -> Vec<Word> {
    let mut seats: Vec<Word> = Vec::new();
    for name in names {
        match seats.iter().find(|s| s.node == name.node) {
            Some(first) => report.push(
                Diagnostic::error("duplicate", format!("two players are called `{}`", name.node), name.span)
                    .label(first.span, "first named here")
                    .help("give each player a name of its own"),
            ),
            None => seats.push(name.clone()),
        }
    }
    if seats.len() > MAX_SEATS {
        let message = format!("there are {} players, and {MAX_SEATS} are possible", seats.len());
        report.error("too-many", seats[MAX_SEATS].span, message, "use fewer players");
        seats.truncate(MAX_SEATS);
    }
    seats
}

fn seat_infos(seats: &[Word]) -> Vec<SeatInfo> {
    let first = |w: &Word| w.node.chars().next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    seats
        .iter()
        .map(|s| {
            let letter = first(s);
            let alone = seats.iter().filter(|o| first(o) == letter).count() == 1;
            SeatInfo { name: s.node.clone(), letter: if alone { letter } else { s.node.to_lowercase() } }
        })
        .collect()
}

/// Everything, in the order in which the parts need one another.
fn all(cx: &mut Cx, merged: &Merged, head: &Head) -> Game {
    declare(cx, merged);
    let effects = scan(merged);
    let promoted = if effects.reads_original { promoted_kinds(cx) } else { Vec::new() };
    cx.make_kinds(&promoted);
    let mut worths = Vec::new();
    let mut hand = None;
    let mut setup = None;
    for stmt in &merged.stmts {
        match &stmt.item.kind {
            ItemKind::Ladder(ladder) => worths = cx.read_ladder(ladder),
            ItemKind::Hand(h) => hand = Some(h),
            ItemKind::Setup(s) => setup = Some((s, stmt.item.span)),
            _ => {}
        }
    }
    for i in 0..cx.zone_decls.len() {
        let used = cx.report.used.clone();
        cx.declared_zone(i);
        // To look at a zone is not to use it; what it uses is used.
        let own = cx.zone_decls[i].decl.name.span;
        if !used.contains(&own) {
            cx.report.used.remove(&own);
        }
    }
    let mut types = cx.make_types(&worths);
    cx.has_hand = hand.is_some();
    cx.hand_types = hand_types(cx, &types, hand, &effects);
    let (setup_stmt, setup_span) = setup.map_or((None, head.name.span), |(s, at)| (Some(s), at));
    let start = cx.setup(setup_stmt, hand, &types, setup_span);

    check_defines(cx);
    let latches = latches(cx, merged);
    let bodies = cx.bodies(&mut types);
    let mut game = Game {
        version: ir::VERSION,
        name: head.name.node.clone(),
        variants: head.variants.to_vec(),
        options: cx.settings.all.iter().map(|s| (s.info.name.clone(), s.value.clone())).collect(),
        seats: seat_infos(&cx.seats),
        board: cx.geo.board.clone(),
        zones: Vec::new(),
        types,
        kinds: cx.kinds.clone(),
        clauses: bodies.clauses,
        remaps: Vec::new(),
        ladder: cx.ladder.iter().filter_map(|t| cx.base_kind(*t)).collect(),
        counters: Vec::new(),
        latches,
        marks: Vec::new(),
        once: Vec::new(),
        tallies: Vec::new(),
        quiets: Vec::new(),
        hand_types: cx.hand_types.clone(),
        unmoved_kinds: Vec::new(),
        reads_last_moved: false,
        afters: Vec::new(),
        reactions: bodies.reactions,
        forbids: Vec::new(),
        turn: ir::turn::Turn { states: vec![ir::turn::Choice::End] },
        prefer: Vec::new(),
        setup: start,
        results: Vec::new(),
        places: Places::default(),
    };
    let royal = game.types.iter().any(|t| t.royal);
    if royal && merged.safety == Safety::Built {
        game.forbids.push(rule::safety());
        let royal = |t: &Spanned<Trait>| t.node == Trait::Royal;
        let word = cx.pieces.iter().flat_map(|p| &p.traits).find(|t| royal(t)).map(|t| cx.texts.place(t.span));
        cx.places.forbids.extend(word);
        let royal = game.types.iter().position(|t| t.royal).map_or(head.name.span, |t| cx.pieces[t].name.span);
        cx.written.places.forbids.push(royal);
    }
    rules(cx, merged, &mut game);
    let means = Means { several: several(cx, &game, hand.is_some()) };
    let turn = merged.stmts.iter().find_map(|s| match &s.item.kind {
        ItemKind::Turn(t) => Some(t),
        _ => None,
    });
    match turn {
        Some(turn) => match cx.turn(turn, &means) {
            Some(made) => {
                game.turn = made;
                cx.places.turn = Some(cx.texts.place(turn.span));
            }
            None => cx.lost(turn.span),
        },
        None => game.turn = cx.default_turn(&game.clauses),
    }
    finish(cx, &mut game);
    lint::lint(cx, merged, head, &game);
    game
}

/// Declares every name.
fn declare(cx: &mut Cx, merged: &Merged) {
    let mut names: HashMap<String, (Span, &'static str)> = HashMap::new();
    names.extend(cx.seats.iter().map(|s| (s.node.clone(), (s.span, "a player"))));
    names.extend(cx.settings.all.iter().map(|s| (s.info.name.clone(), (s.span, "an option"))));
    let mut fresh = |cx: &mut Cx, word: &Word, what: &'static str| {
        if let Some((first, old)) = names.get(&word.node) {
            cx.push(rule::twice(old, word, *first));
            return;
        }
        if board::BUILTIN_ZONES.contains(&word.node.as_str())
            || geometry::direction_words().any(|w| w == word.node)
            || rule::VERBS.iter().any(|(v, _)| *v == word.node)
        {
            cx.error(
                "reserved-word",
                word.span,
                format!("`{}` is a word of the language and cannot be a name of your own", word.node),
                "choose another name",
            );
        }
        names.insert(word.node.clone(), (word.span, what));
    };
    for stmt in &merged.stmts {
        match &stmt.item.kind {
            ItemKind::Piece(p) => {
                for name in &p.names {
                    fresh(cx, name, "a piece");
                    cx.pieces.push(PieceDecl {
                        name: name.clone(),
                        glyph: p.glyph.clone(),
                        traits: p.traits.clone(),
                        clauses: p.clauses.clone(),
                        faces: None,
                    });
                }
            }
            ItemKind::Cube(c) => {
                fresh(cx, &c.name, "a piece");
                cx.pieces.push(PieceDecl {
                    name: c.name.clone(),
                    glyph: c.glyph.clone(),
                    traits: c.traits.clone(),
                    clauses: c.clauses.clone(),
                    faces: Some(c.faces.clone()),
                });
            }
            ItemKind::Zone(z) => {
                fresh(cx, &z.name, "a zone");
                cx.zone_decls.push(ZoneDecl { decl: z.clone(), id: None, busy: false });
            }
            ItemKind::Define(d) => {
                fresh(cx, &d.name, "a definition");
                cx.defines.insert(d.name.node.clone(), d.clone());
            }
            ItemKind::Mark(m) => {
                fresh(cx, &m.name, "a mark");
                let turns = m.turns.as_ref().map(|n| cx.count(n, 0, 1000, "a number of turns").unwrap_or(1) as u16);
                cx.marks.push(Mark { name: m.name.node.clone(), turns, only_targets: false });
                let in_all: usize = cx.marks.iter().map(|m| m.turns.map_or(1, |t| t as usize + 1)).sum();
                if in_all > MAX_MARK_TURNS {
                    cx.error(
                        "too-many-marks",
                        m.name.span,
                        format!("with this mark, marks last {in_all} turns in all (each its own turn and those after); {MAX_MARK_TURNS} are possible"),
                        "let them last for fewer turns, or for ever: `mark NAME`",
                    );
                }
                cx.mark_spans.push(m.name.span);
                let place = cx.texts.place(stmt.item.span);
                cx.places.marks.push(place);
            }
            ItemKind::Remember(r) => {
                fresh(cx, &r.name, "something remembered");
                cx.latch_names.push(r.name.clone());
            }
            ItemKind::Counter(c) => {
                fresh(cx, &c.name, "a counter");
                let start =
                    cx.in_range(c.start.node, c.start.span, i64::from(i32::MIN), i64::from(i32::MAX), "a counter");
                cx.counters.push(Counter { name: c.name.node.clone(), start: start.unwrap_or(0), each: c.each });
                cx.counter_spans.push(c.name.span);
            }
            _ => {}
        }
    }
    let spans: Vec<(usize, &str, Option<Span>)> = vec![
        (cx.counters.len(), "counters", cx.counter_spans.get(MAX_TABLE).copied()),
        (cx.marks.len(), "marks", cx.mark_spans.get(MAX_TABLE).copied()),
        (cx.latch_names.len(), "things remembered", cx.latch_names.get(MAX_TABLE).map(|l| l.span)),
        (cx.zone_decls.len(), "zones", cx.zone_decls.get(MAX_ROWS).map(|z| z.decl.name.span)),
    ];
    for (n, what, span) in spans {
        if let Some(span) = span {
            cx.note_limit(n, if what == "zones" { MAX_ROWS } else { MAX_TABLE }, what, span);
        }
    }
    if cx.pieces.len() > super::piece::MAX_KINDS {
        let (n, span) = (cx.pieces.len(), cx.pieces[super::piece::MAX_KINDS].name.span);
        cx.note_limit(n, super::piece::MAX_KINDS, "pieces", span);
        cx.pieces.truncate(super::piece::MAX_KINDS);
    }
    for piece in 0..cx.pieces.len() {
        for clause in cx.pieces[piece].clauses.clone() {
            let Some(label) = clause.label else { continue };
            if rule::VERBS.iter().any(|(v, _)| *v == label.node) {
                let message = format!("`{}` is a word of the language and cannot be a label", label.node);
                cx.error("reserved-word", label.span, message, "choose another label");
            } else if !cx.labels.contains(&label.node) {
                cx.labels.push(label.node.clone());
            }
        }
    }
}

/// What effects do, wherever they stand, as written.
#[derive(Default)]
struct Scan {
    reads_original: bool,
    to_hand: Vec<Word>,
}

fn bodies_of(merged: &Merged) -> Vec<&[sr::Effect]> {
    let mut out: Vec<&[sr::Effect]> = Vec::new();
    fn of_clauses<'m>(clauses: &'m [Clause], out: &mut Vec<&'m [sr::Effect]>) {
        for c in clauses {
            out.push(&c.then);
            if let ClauseKind::After(a) = &c.kind {
                out.push(&a.body);
            }
        }
    }
    for stmt in &merged.stmts {
        match &stmt.item.kind {
            ItemKind::After(a) => out.push(&a.body),
            ItemKind::Piece(p) => of_clauses(&p.clauses, &mut out),
            ItemKind::Cube(c) => of_clauses(&c.clauses, &mut out),
            _ => {}
        }
    }
    out
}

fn scan(merged: &Merged) -> Scan {
    use crate::syntax::expr::NumberKind;
    let mut out = Scan::default();
    for body in bodies_of(merged) {
        any_effect(body, &mut |e| {
            if let sr::EffectKind::Assign { target: sr::Target::Hand(_), value, .. } = e {
                match &value.kind {
                    NumberKind::OriginalOf(_) => out.reads_original = true,
                    NumberKind::Word(w, _) => out.to_hand.push(w.clone()),
                    _ => {}
                }
            }
            false
        });
    }
    out
}

/// The pairs of a promotion: what a piece becomes, and what it was.
fn promoted_kinds(cx: &Cx) -> Vec<(TypeId, TypeId)> {
    let mut out = Vec::new();
    for (t, piece) in cx.pieces.iter().enumerate() {
        for clause in &piece.clauses {
            if let ClauseKind::Promote { to, .. } = &clause.kind {
                for target in to {
                    if let Some(p) = cx.piece_named(&target.name.node)
                        && p as usize != t
                        && cx.pieces[p as usize].faces.is_none()
                        && !out.contains(&(p, t as TypeId))
                    {
                        out.push((p, t as TypeId));
                    }
                }
            }
        }
    }
    out
}

fn hand_types(cx: &Cx, types: &[PieceType], hand: Option<&crate::syntax::setup::Hand>, scan: &Scan) -> Vec<TypeId> {
    let Some(hand) = hand else { return Vec::new() };
    let named = |w: &Word| cx.piece_named(&w.node);
    (0..types.len() as TypeId)
        .filter(|&t| {
            let decl = &cx.pieces[t as usize];
            let drops = decl.clauses.iter().any(|c| match &c.kind {
                ClauseKind::Move(m) => matches!(m.generator, crate::syntax::piece::Generator::Drop { .. }),
                _ => false,
            });
            let fixed = |x: &Trait| matches!(x, Trait::Royal | Trait::Uncapturable | Trait::Neutral);
            let captured = scan.reads_original && !decl.traits.iter().any(|x| fixed(&x.node));
            drops
                || captured
                || hand.stock.iter().any(|(_, w)| named(w) == Some(t))
                || scan.to_hand.iter().any(|w| named(w) == Some(t))
        })
        .collect()
}

/// Definitions that nothing uses are read too, so that their faults are found; what that needs is forgotten.
fn check_defines(cx: &mut Cx) {
    let mut defines: Vec<_> = cx.defines.values().cloned().collect();
    defines.sort_by_key(|d| d.name.span);
    for define in defines {
        let moment = cx.moment();
        let before = std::mem::take(&mut cx.report);
        cx.written.deaf = true;
        let mut env = Env::new(Place::After);
        env.params = define.params.iter().map(|p| (p.node.clone(), Some(ir::expr::Who::Me))).collect();
        env.stack.push(define.name.node.clone());
        match &define.body {
            DefineBody::Directions(dirs) => {
                if dirs.parts.iter().all(|p| matches!(p, crate::syntax::expr::Dir::Word(_))) {
                    cx.dirs(dirs, &env);
                }
            }
            DefineBody::Cond(cond) => {
                let counted = match &cond.kind {
                    crate::syntax::expr::CondKind::Set(p) => p.adjectives.iter().any(|a| event_of(a.node).is_some()),
                    _ => false,
                };
                if super::expr::cond_word(cond).is_none() && !counted {
                    cx.cond(cond, &env);
                }
            }
            DefineBody::Number(n) => {
                cx.num(n, &env);
            }
        }
        let found = std::mem::replace(&mut cx.report, before);
        cx.written.deaf = false;
        // Only faults that do not depend on where the definition is used.
        let fixed = |d: &Diagnostic| d.code.starts_with("unknown") || matches!(d.code, "circular" | "off-board");
        found.findings.into_iter().filter(fixed).for_each(|d| cx.report.push(d));
        cx.report.used.extend(found.used.into_iter().filter(|span| *span != define.name.span));
        cx.forget(moment);
        if cx.expansions > MAX_EXPANSIONS || cx.phrases > MAX_PHRASES {
            cx.error(
                "too-large",
                define.name.span,
                "the definitions expand to more than can be handled",
                "each definition is replaced by its text; let fewer of them use one another twice",
            );
            break;
        }
        if cx.report.full() {
            break;
        }
    }
    // What unused definitions need does not count.
    (cx.expansions, cx.phrases) = (0, 0);
}

fn latches(cx: &mut Cx, merged: &Merged) -> Vec<Latch> {
    let mut out = Vec::new();
    for stmt in &merged.stmts {
        if let ItemKind::Remember(r) = &stmt.item.kind {
            let cond = cx.cond(&r.cond, &Env::new(Place::Remember));
            if cond.is_none() {
                cx.lost(r.name.span);
            }
            out.push(Latch { name: r.name.node.clone(), cond: cond.unwrap_or(ir::expr::Cond::Const(false)) });
        }
    }
    out
}

/// What a statement compiles to, if anything; that nothing is lost silently is made sure of.
fn found<T>(cx: &mut Cx, stmt: &Stmt, make: impl FnOnce(&mut Cx) -> Option<Option<T>>) -> Option<T> {
    let made = make(cx);
    if made.is_none() {
        cx.lost(place(&stmt.item));
    }
    made.flatten()
}

fn rules(cx: &mut Cx, merged: &Merged, game: &mut Game) {
    for stmt in &merged.stmts {
        let moment = cx.moment();
        let kept = match &stmt.item.kind {
            ItemKind::After(after) => match found(cx, stmt, |cx| cx.after(after)) {
                Some(after) => {
                    game.afters.push(after);
                    cx.written.places.afters.push(place(&stmt.item));
                    let place = cx.texts.place(stmt.item.span);
                    cx.places.afters.push(place);
                    true
                }
                None => false,
            },
            ItemKind::Forbid(forbid) => match found(cx, stmt, |cx| cx.forbid(&stmt.item, forbid)) {
                Some(made) => {
                    game.forbids.push(made);
                    let place = cx.texts.place(stmt.item.span);
                    cx.places.forbids.push(place);
                    cx.written.places.forbids.push(forbid.act.span);
                    true
                }
                None => false,
            },
            ItemKind::Outcome(outcome) => match found(cx, stmt, |cx| cx.result(outcome)) {
                Some(result) => {
                    game.results.push(result);
                    let place = cx.texts.place(stmt.item.span);
                    cx.places.results.push(place);
                    cx.written.places.results.push(outcome.cond.span);
                    true
                }
                None => false,
            },
            ItemKind::Prefer(prefer) => match found(cx, stmt, |cx| cx.prefer(prefer)) {
                Some(num) => {
                    game.prefer.push(num);
                    let place = cx.texts.place(stmt.item.span);
                    cx.places.prefer.push(place);
                    true
                }
                None => false,
            },
            _ => true,
        };
        if !kept {
            cx.forget(moment);
        }
    }
    let limits = [
        (game.clauses.len(), "moves"),
        (game.results.len(), "results"),
        (game.afters.len(), "`after` blocks"),
        (game.forbids.len(), "prohibitions"),
        (cx.tallies.len(), "things counted in a turn"),
        (cx.zones.len(), "sets of cells"),
    ];
    let span = merged.stmts.last().map_or_else(Span::default, |s| place(&s.item));
    for (n, what) in limits {
        cx.note_limit(n, if what.starts_with("things") { MAX_TABLE } else { MAX_ROWS }, what, span);
    }
}

/// For each type whether a player can have two or more of it (or of others of its sort) at once.
fn several(cx: &Cx, game: &Game, has_hand: bool) -> Vec<bool> {
    let mut grows = false;
    let mut look = |node: Node| {
        if let Node::Effect(e) = node {
            grows |= matches!(
                e,
                Effect::Flip(_)
                    | Effect::Become(..)
                    | Effect::Hand { what: HandItem::OriginalOf(_) | HandItem::Type(_), .. }
            );
        }
    };
    walk::game(game, &mut look);
    let promotes = game.types.iter().any(|t| !t.promotions.is_empty());
    (0..game.types.len())
        .map(|t| {
            let per_seat = |seat: usize| {
                let placed = game.setup.places.iter().filter(|(owner, kind, _)| {
                    owner.map(usize::from) == Some(seat) && cx.kinds[*kind as usize].piece as usize == t
                });
                let held =
                    game.setup.hands[seat].iter().filter(|(h, _)| *h as usize == t).map(|(_, n)| usize::from(*n));
                placed.count() + held.sum::<usize>()
            };
            let dropped = !has_hand
                && game.types[t]
                    .clauses
                    .iter()
                    .any(|c| matches!(game.clauses[*c as usize].generator, Generator::Drop { .. }));
            grows || promotes || dropped || game.setup.fill.is_some() || (0..game.seats.len()).any(|s| per_seat(s) > 1)
        })
        .collect()
}

/// Moves the tables into the game, and finds out what the engine must keep.
fn finish(cx: &mut Cx, game: &mut Game) {
    game.zones = std::mem::take(&mut cx.zones);
    game.remaps = std::mem::take(&mut cx.remaps);
    game.counters = std::mem::take(&mut cx.counters);
    game.tallies = std::mem::take(&mut cx.tallies);
    game.quiets = std::mem::take(&mut cx.quiets);
    game.once = std::mem::take(&mut cx.once);
    game.marks = std::mem::take(&mut cx.marks);
    game.places = std::mem::take(&mut cx.places);
    let mut unmoved = false;
    let mut read = vec![false; game.marks.len()];
    walk::game(game, &mut |node| match node {
        Node::Set(Set::Unmoved) => unmoved = true,
        Node::Set(Set::Mark(m)) => read[*m as usize] = true,
        _ => {}
    });
    let mut aimed = vec![false; game.marks.len()];
    walk::targets(game, &mut |node| match node {
        Node::Set(Set::Unmoved) => unmoved = true,
        Node::Set(Set::Mark(m)) => aimed[*m as usize] = true,
        _ => {}
    });
    for (m, mark) in game.marks.iter_mut().enumerate() {
        mark.only_targets = aimed[m] && !read[m] && game.turn.one_step();
    }
    let mut kinds: Vec<KindId> = if unmoved { (0..game.kinds.len() as KindId).collect() } else { Vec::new() };
    for (t, ty) in game.types.iter().enumerate() {
        for c in &ty.clauses {
            match &game.clauses[*c as usize].generator {
                Generator::Castle { partner, .. } => {
                    kinds.extend(partner);
                    kinds.extend(
                        (0..game.kinds.len()).filter(|&k| game.kinds[k].piece as usize == t).map(|k| k as KindId),
                    );
                }
                Generator::Imitate { source: Source::LastMoved(_), .. } => game.reads_last_moved = true,
                Generator::Imitate { source: Source::Bearing { .. }, .. }
                | Generator::Step { .. }
                | Generator::Slide { .. }
                | Generator::Leap { .. }
                | Generator::LeapAnywhere
                | Generator::Hop { .. }
                | Generator::Drop { .. } => {}
            }
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    game.unmoved_kinds = kinds;
}

/// The tables of a finished game, to compile further phrases against.
pub(crate) fn lend(cx: &mut Cx, game: &Game) {
    cx.zones.clone_from(&game.zones);
    cx.remaps.clone_from(&game.remaps);
    cx.counters.clone_from(&game.counters);
    cx.tallies.clone_from(&game.tallies);
    cx.quiets.clone_from(&game.quiets);
    cx.once.clone_from(&game.once);
    cx.marks.clone_from(&game.marks);
}

/// Whether there are only warnings.
pub(crate) fn only_warnings(findings: &[Diagnostic]) -> bool {
    findings.iter().all(|d| d.severity != Severity::Error)
}
