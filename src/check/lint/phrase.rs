//! Sets that are always empty, and conditions that never or always hold.

use crate::base::{Diagnostic, Span};
use crate::check::cx::{Cx, Place};
use crate::check::may::{Possible, Scene, Truth, bound};
use crate::check::texts::words;
use crate::check::walk::{self, Node};
use crate::check::written::{Asked, Phrase};
use crate::ir::expr::{Cond, Num, Who};
use crate::ir::rule::Forbidden;

const BESIDE: &str = "before the step the piece itself stands beside `here`, and is counted: ask for one more, or leave out the condition";

/// Judges every phrase that was noted.
pub(super) fn judge(cx: &mut Cx, may: &Possible) {
    if cx.written.overheard {
        return;
    }
    let varying = varying(cx);
    let asked = std::mem::take(&mut cx.written.asked);
    for phrase in &asked {
        let truth = truth(cx, may, phrase, &|scene| scene);
        let varies = (!truth.yes || !truth.no) && varies(cx, phrase.span, &varying);
        let never = (!truth.yes && !varies).then(|| {
            let message = match &phrase.what {
                Phrase::Pieces(_) => "no piece can ever be in this",
                Phrase::Set(_) => "nothing can ever be in this",
                Phrase::Cond(_) => "this can never hold",
            };
            let never = Diagnostic::warning("never", message, phrase.span);
            let royal = may.game.types.iter().any(|t| t.royal);
            match &phrase.what {
                Phrase::Cond(cond) if !royal && asks_of_check(cond) => {
                    never.help("no piece is royal: write `royal` behind the glyph of the one that must not be lost, or remove this")
                }
                _ if beside(cx, may, phrase) => never.help(BESIDE),
                _ => never.help("correct it, or remove what depends on it"),
            }
        });
        cx.written.doubts.judge("never", phrase.span, never);
        if matches!(phrase.what, Phrase::Cond(_)) {
            let banned = cx.written.forbids.iter().any(|f| f.cond == phrase.span);
            // Part of a prohibition may say once more what is so of all steps.
            let plain = |scene: Scene| Scene::new(scene.viewer, scene.mover);
            let said = !banned && matches!(phrase.place, Place::ForbidAct | Place::ForbidCapture);
            let always = !truth.no && (!said || !self::truth(cx, may, phrase, &plain).no);
            let always = (always && !varies).then(|| {
                let always = Diagnostic::warning("always", "this always holds", phrase.span);
                always.help(match phrase.place {
                    Place::Result => "so the game is over after the first turn; say what must have happened",
                    _ if banned => "so what it forbids is never allowed; say when it is forbidden, or remove the line",
                    _ if cx.written.cases.iter().any(|(span, _)| *span == phrase.span) => {
                        "so no case behind it is ever reached; correct it, or leave out `when`"
                    }
                    _ if beside(cx, may, phrase) => BESIDE,
                    _ => "correct it, or leave out the condition",
                })
            });
            cx.written.doubts.judge("always", phrase.span, always);
        }
    }
    cx.written.asked = asked;
}

/// Whether it asks for check or checkmate.
fn asks_of_check(cond: &Cond) -> bool {
    let mut asks = false;
    walk::cond(cond, &mut |node| asks |= matches!(node, Node::Cond(Cond::InCheck(_) | Cond::Checkmate)));
    asks
}

/// Whether the phrase comes to more than one thing but for the piece itself, which stands beside `here` before its step.
fn beside(cx: &Cx, may: &Possible, phrase: &Asked) -> bool {
    let open = truth(cx, may, phrase, &|scene| Scene { back: None, ..scene });
    phrase.place == Place::Guard && open.yes && open.no
}

/// What the phrase comes to, whoever looks and moves.
fn truth(cx: &Cx, may: &Possible, asked: &Asked, seen: &dyn Fn(Scene) -> Scene) -> Truth {
    let seats = may.game.seats.len();
    let next = |s: usize| (s + 1) % seats;
    let mut all = Truth { yes: false, no: false };
    for n in 0..seats * seats {
        let (viewer, mover) = (n / seats, n % seats);
        let fits = match asked.viewer {
            Some(Who::Mover) => viewer == mover,
            Some(Who::Next) => viewer == next(mover),
            Some(Who::Seat(s)) => viewer == s as usize,
            Some(Who::Me | Who::Opponent) | None => true,
        };
        if !fits {
            continue;
        }
        for scene in scenes(cx, may, asked, Scene::new(viewer, mover)).into_iter().map(seen) {
            all = all.or(match &asked.what {
                Phrase::Cond(cond) => may.cond(cond, scene),
                Phrase::Set(set) => Truth { yes: !may.nothing(&may.set(set, scene)), no: true },
                Phrase::Pieces(set) => Truth { yes: !may.nothing(&may.set(set, scene).occupied()), no: true },
            });
        }
        if all.yes && all.no {
            break;
        }
    }
    if may.spent() { Truth { yes: true, no: true } } else { all }
}

/// Where the phrase is read by this player: in which lines of a piece, after which act, before which captures.
fn scenes(cx: &Cx, may: &Possible, asked: &Asked, scene: Scene) -> Vec<Scene> {
    let within =
        |outer: Span| outer.file == asked.span.file && outer.start <= asked.span.start && asked.span.end <= outer.end;
    let forbid = || cx.written.forbids.iter().find(|f| within(f.cond));
    match (asked.place, asked.piece) {
        (Place::Guard, Some(t)) if may.owns(scene.viewer, t) => {
            let lines = cx.written.lines.iter().zip(&may.game.clauses).filter(|(line, _)| within(line.span));
            let lines: Vec<Scene> = lines.map(|(_, clause)| may.in_line(scene, t, Some(clause))).collect();
            if lines.is_empty() { vec![may.in_line(scene, t, None)] } else { lines }
        }
        (Place::ForbidAct, _) => vec![match forbid().map(|f| &f.what) {
            Some(Forbidden::Act(verb, kinds)) => may.after_act(scene, verb, kinds.as_deref()),
            _ => scene,
        }],
        (Place::ForbidCapture, _) => {
            vec![forbid().map_or(scene, |f| may.before_capture(scene, f.attackers.as_deref()))]
        }
        _ => vec![scene],
    }
}

/// The names that stand for something else with other options: the options, and the definitions that use them.
pub(super) fn varying(cx: &Cx) -> Vec<String> {
    let mut names: Vec<String> = cx.settings.all.iter().map(|s| s.info.name.clone()).collect();
    loop {
        let more: Vec<String> = cx
            .defines
            .values()
            .filter(|d| !names.contains(&d.name.node))
            .filter(|d| words(cx.texts.line_of(d.name.span)).any(|w| names.iter().any(|n| n == w)))
            .map(|d| d.name.node.clone())
            .collect();
        if more.is_empty() {
            return names;
        }
        names.extend(more);
    }
}

pub(super) fn varies(cx: &Cx, span: Span, names: &[String]) -> bool {
    words(cx.texts.slice(span)).any(|w| names.iter().any(|n| n == w))
}

/// Whether the second holds whenever the first does, both seen by the same player; if that is not found in so many steps, it is not known.
pub(super) fn implies(a: &Cond, b: &Cond, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match (a, b) {
        (Cond::Const(false), _) | (_, Cond::Const(true)) => true,
        (Cond::Any(parts), _) => parts.iter().all(|a| implies(a, b, left)),
        (_, Cond::All(parts)) => parts.iter().all(|b| implies(a, b, left)),
        (Cond::All(parts), _) => parts.iter().any(|a| implies(a, b, left)),
        (_, Cond::Any(parts)) => {
            let stuck = *a == Cond::Stuck(Who::Next);
            parts.iter().any(|b| implies(a, b, left))
                || stuck && [Cond::Checkmate, Cond::Stalemate].iter().all(|a| implies(a, b, left))
        }
        (
            Cond::Line { count: m, exactly: x, of: p, through: s },
            Cond::Line { count: n, exactly: y, of: q, through: t },
        ) => m >= n && (!y || x == y && m == n) && p == q && (t.is_none() || s == t),
        // Equal positions have equal boards.
        (Cond::Occurs { times: m, board_only: x }, Cond::Occurs { times: n, board_only: y }) => {
            m >= n && (x == y || *y)
        }
        (Cond::Checkmate | Cond::Stalemate, Cond::Stuck(Who::Next)) => true,
        (Cond::Checkmate, Cond::InCheck(Who::Next)) => true,
        (Cond::Quiet { quiet: p, turns: Num::Const(m) }, Cond::Quiet { quiet: q, turns: Num::Const(n) }) => {
            p == q && m >= n
        }
        (Cond::SeenBy(x, a), Cond::SeenBy(y, b)) => x == y && implies(a, b, left),
        _ => match (bound(a), bound(b)) {
            (Some((x, p)), Some((y, q))) => x == y && q.0 <= p.0 && p.1 <= q.1,
            _ => a == b,
        },
    }
}
