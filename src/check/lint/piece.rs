//! Pieces and lines of pieces that never come to anything.

use crate::base::{Diagnostic, Span};
use crate::check::clash::reach;
use crate::check::cx::Cx;
use crate::check::may::{Bits, Possible, Scene};
use crate::ir::board::Dirs;
use crate::ir::piece::{Clause, Generator, PieceType};
use crate::ir::{Cell, Game, TypeId};
use crate::syntax::piece::{self as sp, ClauseKind, MovesAs, Trait};

/// Judges every piece and every line.
pub(super) fn judge(cx: &mut Cx, may: &Possible) {
    let game = may.game;
    for (t, ty) in game.types.iter().enumerate() {
        enters(cx, may, t);
        untouchable(cx, ty, t);
        let lent = lends(cx, t);
        if !may.enters(t as TypeId) {
            continue;
        }
        for c in &ty.clauses {
            let clause = &game.clauses[*c as usize];
            let line = cx.written.lines[*c as usize].clone();
            let doubt = dead(may, clause, &line, t as TypeId, lent).filter(|_| !may.spent());
            let span = doubt.as_ref().map_or(line.span, |(span, _)| *span);
            // A line that is dead in one way stands for all: what it says of each part is said at the whole line too.
            cx.written.doubts.judge("dead-line", line.span, doubt.map(|(_, message)| told(message, span)));
        }
        for (p, promotion) in ty.promotions.iter().enumerate() {
            let line = cx.written.promotions[t][p].clone();
            let fits = may.spent()
                || (0..game.seats.len())
                    .any(|seat| !may.lands(seat, t as TypeId).and(may.zone(promotion.zone, seat)).is_empty());
            let span = match &line.kind {
                ClauseKind::Promote { on, .. } => on.span,
                _ => line.span,
            };
            let doubt =
                (!fits).then(|| told(format!("no move brings `{}` there, so it is never promoted", ty.name), span));
            cx.written.doubts.judge("dead-line", line.span, doubt);
        }
    }
}

fn told(message: String, span: Span) -> Diagnostic {
    Diagnostic::warning("dead-line", message, span).help("correct it, or remove the line")
}

/// Whether a piece comes onto the board at all; one that only lends its moves need not.
fn enters(cx: &mut Cx, may: &Possible, t: usize) {
    let name = cx.pieces[t].name.clone();
    let fine = may.spent() || may.enters(t as TypeId) || lends(cx, t);
    let message = format!("`{}` can never be on the board", name.node);
    let doubt = Diagnostic::warning("never-enters", message, name.span).help(
        "place it in `setup`, let it be dropped (`drop`, and `hand` if there are hands), or let a piece be promoted to it; or remove it",
    );
    cx.written.doubts.judge("never-enters", name.span, (!fine).then_some(doubt));
}

/// Whether another piece moves as this one by its name.
fn lends(cx: &Cx, t: usize) -> bool {
    let lines = cx.pieces.iter().flat_map(|p| &p.clauses);
    let names = lines.filter_map(|c| match &c.kind {
        ClauseKind::MovesAs { what: MovesAs::Names(names), .. } => Some(names),
        _ => None,
    });
    names.flatten().any(|n| n.node == cx.pieces[t].name.node)
}

/// A royal that cannot be captured is never attacked, so nothing protects it.
fn untouchable(cx: &mut Cx, ty: &PieceType, t: usize) {
    let place = |wanted: Trait| cx.pieces[t].traits.iter().find(|x| x.node == wanted).map(|x| x.span);
    let (Some(royal), Some(uncapturable)) = (place(Trait::Royal), place(Trait::Uncapturable)) else { return };
    let message = format!("`{}` is never attacked, because it cannot be captured", ty.name);
    let doubt = Diagnostic::warning("traits", message, royal)
        .label(uncapturable, "so it is never in check")
        .help("leave out `royal` or `uncapturable`");
    cx.written.doubts.judge("traits", royal, Some(doubt));
}

/// Why nobody can ever use a line, and where that is written; `lent` if other pieces move by it too.
fn dead(may: &Possible, clause: &Clause, line: &sp::Clause, t: TypeId, lent: bool) -> Option<(Span, String)> {
    let game = may.game;
    let name = &game.types[t as usize].name;
    let borrowed = matches!(clause.generator, Generator::Imitate { .. });
    if borrowed || may.spent() || may.blank(clause.from) || may.blank(clause.within) {
        return None;
    }
    let drops = matches!(clause.generator, Generator::Drop { .. });
    if drops && !may.held(t) {
        return Some((line.span, format!("`{name}` is never in a hand, so it is never dropped")));
    }
    let seats: Vec<usize> = (0..game.seats.len()).filter(|s| drops || may.owns(*s, t)).collect();
    if seats.is_empty() {
        let told = || (line.span, format!("`{name}` belongs to nobody, so nobody ever moves it"));
        return (game.types[t as usize].neutral && !lent).then(told);
    }
    let scenes = |seat: usize| {
        (0..game.seats.len()).map(move |mover| {
            let scene = Scene::new(seat, mover);
            if drops { scene } else { may.in_line(scene, t, Some(clause)) }
        })
    };
    let none = |f: &dyn Fn(Scene) -> bool| !seats.iter().any(|s| scenes(*s).any(f));
    let ClauseKind::Move(written) = &line.kind else { return None };
    if let Generator::Hop { over, .. } = &clause.generator
        && none(&|scene| !may.nothing(&may.set(over, scene).occupied()))
    {
        return Some((line.span, format!("there is never such a piece for `{name}` to pass over")));
    }
    let taken = match &clause.generator {
        Generator::Hop { over, captures: true, .. } => Some(over),
        Generator::Drop { .. } => None,
        _ => Some(&clause.target),
    };
    if let Some(taken) = taken
        && none(&|scene| !may.nothing(&may.capturable(may.set(taken, scene))))
        && !none(&|scene| !may.nothing(&may.set(taken, scene)))
    {
        return Some((line.span, "what this would capture is `uncapturable`".to_owned()));
    }
    if none(&|scene| may.faces(clause.toward.as_ref(), scene) && may.faces(clause.away_from.as_ref(), scene)) {
        return Some((line.span, "there is never such a piece on a line".to_owned()));
    }
    let targets = |seat: usize| {
        let all = scenes(seat).map(|scene| may.set(&clause.target, scene).cells);
        all.fold(None, |all: Option<Bits>, one| Some(all.map_or(one, |a| a.or(one))))
    };
    if drops {
        let fits = |seat: usize| {
            let within = clause.within.map(|z| may.zone(z, seat));
            targets(seat).is_some_and(|cells| !within.map_or(cells, |w| cells.and(w)).is_empty())
        };
        return (!seats.iter().any(|s| fits(*s)))
            .then(|| (line.span, format!("there is no cell on which `{name}` could be dropped")));
    }
    if let Some(zone) = clause.from
        && !seats.iter().any(|s| !may.stands(*s, t).and(may.zone(zone, *s)).is_empty())
    {
        let span = written.from.as_ref().map_or(line.span, |from| from.span);
        return Some((span, format!("`{name}` can never stand there")));
    }
    let cells = game.board.cells.len() as Cell;
    let goes = |seat: usize, from: &dyn Fn(Cell) -> bool, to: &dyn Fn(Cell) -> bool| {
        (0..cells).filter(|c| from(*c) && !may.spent()).any(|c| {
            let reached = reach(game, clause, seat, c);
            may.spend(8 + reached.len() as u64);
            reached.into_iter().any(to)
        })
    };
    if !seats.iter().any(|s| goes(*s, &|_| true, &|_| true)) {
        let message = match &clause.generator {
            Generator::Step { dirs, .. } if goes_round(game, dirs) => {
                "this goes all the way round the board, back to where it begins"
            }
            _ => "this leads off the board from every cell",
        };
        return Some((line.span, message.to_owned()));
    }
    let used = |seat: usize| {
        let (stands, targets) = (may.stands(seat, t), targets(seat));
        goes(seat, &|c| stands.has(c), &|c| targets.is_some_and(|t| t.has(c)))
    };
    (!seats.iter().any(|s| used(*s)))
        .then(|| (line.span, format!("`{name}` never stands where this line leads to such a target")))
}

/// Whether a piece comes back to its cell in all of the directions, from everywhere.
fn goes_round(game: &Game, dirs: &Dirs) -> bool {
    dirs.iter().flatten().all(|d| game.board.dirs[*d as usize].next.iter().all(Option::is_some))
}
