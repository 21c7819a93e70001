//! Warnings: what can be played, but is probably not what its author means.

mod bounds;
mod ending;
mod idle;
mod phrase;
mod piece;
mod rule;
mod turn;

use super::clash;
use super::cx::Cx;
use super::game::Head;
use super::may::{Possible, Told};
use super::resolve::{Merged, place};
use super::walk::{self, Node};
use crate::base::{Diagnostic, Span, words};
use crate::ir::Game;
use crate::ir::rule::Effect;
use crate::ir::turn::Act;
use crate::syntax::game::ItemKind;

/// Warns of a game without errors; of one with errors, parts are missing.
pub(crate) fn lint(cx: &mut Cx, merged: &Merged, head: &Head, game: &Game) {
    if cx.report.failed() {
        return;
    }
    judge(cx, merged, head, game);
    empty_zones(cx, game);
    immovable(cx, game);
    unplayable(cx, game);
    if merged.stmts.iter().all(|s| !matches!(s.item.kind, ItemKind::Outcome(_))) {
        cx.push(
            Diagnostic::warning("no-result", "this game never ends", head.name.span)
                .help("say who wins and when, as in `mover wins when 4 in line`"),
        );
    } else if !game.results.is_empty() && !bounds::bounded(game) {
        cx.push(
            Diagnostic::warning(
                "unbounded",
                "nothing in the results keeps this game from going on for ever",
                head.name.span,
            )
            .help("add a limit, as in `draw when position occurs 3 times` or `draw when turn number = 500`"),
        );
    }
}

/// Notes what may be wrong; only what is so whatever is chosen will be told.
fn judge(cx: &mut Cx, merged: &Merged, head: &Head, game: &Game) {
    cx.written.places.types = cx.pieces.iter().map(|p| p.name.span).collect();
    let promotions = cx.written.promotions.iter();
    cx.written.places.promotions = promotions.map(|lines| lines.iter().map(|l| l.span).collect()).collect();
    let own: Vec<bool> = cx.pieces.iter().map(|p| p.name.span.file == head.name.span.file).collect();
    let zones: Vec<u16> = cx.zone_decls.iter().filter_map(|z| z.id).collect();
    let told = Told { types: &own, zones: &zones, counters: cx.counter_spans.len() };
    let may = Possible::new(game, cx.has_hand, &told);
    let written = merged.stmts.iter().find(|s| matches!(s.item.kind, ItemKind::Turn(_)));
    if let Some(stmt) = written {
        turn::completes(cx, &may, place(&stmt.item));
    }
    piece::judge(cx, &may);
    idle::judge(cx, &may, merged);
    phrase::judge(cx, &may);
    rule::memory(cx, game);
    turn::judge(cx, &may);
    ending::judge(cx, &may);
    rule::idle(cx, &may);
    rule::too_early(cx, game);
    clash::clashes(cx, &may);
}

/// Games that can be described and checked, but not played yet.
fn unplayable(cx: &mut Cx, game: &Game) {
    let players = game.seats.len();
    if players != 2 {
        let message = format!(
            "a game for {} can be checked, but only games for two can be played",
            words::count(players, "player")
        );
        cx.push(Diagnostic::warning("players", message, cx.players_span()).help("to play it, name two players"));
    }
}

fn empty_zones(cx: &mut Cx, game: &Game) {
    for i in 0..cx.zone_decls.len() {
        let Some(id) = cx.zone_decls[i].id else { continue };
        let Some(zone) = game.zones.get(id as usize) else { continue };
        let empty: Vec<usize> = (0..zone.cells.len()).filter(|&s| zone.cells[s].is_empty()).collect();
        let name = cx.zone_decls[i].decl.name.clone();
        let message = match empty.as_slice() {
            [] => continue,
            all if all.len() == zone.cells.len() => format!("zone `{}` has no cells", name.node),
            some => {
                let who: Vec<String> = some.iter().map(|&s| cx.seats[s].node.clone()).collect();
                format!("zone `{}` has no cells for {}", name.node, crate::base::words::all_of(&who))
            }
        };
        cx.push(
            Diagnostic::warning("zone-empty", message, name.span)
                .help("`in` keeps what lies in both sets; to unite sets write a comma"),
        );
    }
}

/// Pieces that can never do anything and are nothing else either.
fn immovable(cx: &mut Cx, game: &Game) {
    let mut becomes = vec![false; game.kinds.len()];
    let mut rotates = false;
    walk::game(game, &mut |node| match node {
        Node::Effect(Effect::Become(_, kind)) => becomes[*kind as usize] = true,
        Node::Effect(Effect::Remap(..) | Effect::Roll(_)) | Node::Act(Act::Rotate { .. }) => rotates = true,
        _ => {}
    });
    for (t, ty) in game.types.iter().enumerate() {
        let turns = rotates && (cx.ladder.contains(&(t as u8)) || !ty.orientations.is_empty());
        // A piece whose lines options switched off has lines.
        let silent = ty.clauses.is_empty() && cx.pieces[t].clauses.is_empty();
        let reacts = game.reactions.iter().any(|r| r.kinds.iter().any(|k| game.kinds[*k as usize].piece as usize == t));
        if silent && !turns && !ty.neutral && !reacts {
            cx.push(
                Diagnostic::warning("never-moves", format!("`{}` can never move", ty.name), cx.pieces[t].name.span)
                    .help("give it a move, as in `step any`, or a `drop`"),
            );
        }
    }
}

/// The names that a definition declares and that should be used: what they are, the name, and where.
pub(crate) fn declared(merged: &Merged) -> Vec<(&'static str, String, Span)> {
    let mut out = Vec::new();
    for stmt in &merged.stmts {
        let (what, name) = match &stmt.item.kind {
            ItemKind::Zone(z) => ("zone", &z.name),
            ItemKind::Define(d) => ("definition", &d.name),
            ItemKind::Mark(m) => ("mark", &m.name),
            ItemKind::Remember(r) => ("remembered", &r.name),
            ItemKind::Counter(c) => ("counter", &c.name),
            ItemKind::Option(o) => ("option", &o.name),
            _ => continue,
        };
        out.push((what, name.node.clone(), place(&stmt.item)));
    }
    out
}
