//! Lines of pieces that are there already, and pieces in a hand that never leave it.

use crate::base::{Diagnostic, Span};
use crate::check::cx::Cx;
use crate::check::may::Possible;
use crate::check::resolve::Merged;
use crate::check::walk::{self, Node};
use crate::ir::expr::Num;
use crate::ir::piece::{Clause, Generator};
use crate::ir::rule::{Change, Effect, HandItem};
use crate::ir::{Game, TypeId};
use crate::syntax::game::ItemKind;

/// Judges both.
pub(super) fn judge(cx: &mut Cx, may: &Possible, merged: &Merged) {
    repeated(cx, may.game);
    held(cx, may, merged);
}

/// Lines that say what another line of the piece says. What is borrowed may well be there already.
fn repeated(cx: &mut Cx, game: &Game) {
    for (t, ty) in game.types.iter().enumerate() {
        let own: Vec<Span> = cx.pieces[t].clauses.iter().map(|c| c.span).collect();
        let lines = ty.clauses.iter().map(|c| (cx.written.lines[*c as usize].span, &game.clauses[*c as usize]));
        let lines: Vec<(Span, &Clause)> = lines.filter(|(span, _)| own.contains(span)).collect();
        for (i, (span, line)) in lines.iter().enumerate() {
            let same = |other: &Clause| Clause { text: line.text.clone(), ..other.clone() } == **line;
            let first = lines[..i].iter().find(|(at, other)| at != span && line.once.is_none() && same(other));
            let doubt = first.map(|(first, _)| {
                Diagnostic::warning("duplicate", format!("`{}` has this line already", ty.name), *span)
                    .label(*first, "it stands here")
                    .help("remove one of the two")
            });
            cx.written.doubts.judge("duplicate", *span, doubt);
        }
    }
}

/// Pieces that begin in a hand, are never dropped, and for which nothing asks there.
fn held(cx: &mut Cx, may: &Possible, merged: &Merged) {
    let game = may.game;
    let mut asked = vec![false; game.types.len()];
    walk::game(game, &mut |node| match node {
        Node::Num(Num::Hand(_, types)) => types.iter().for_each(|t| asked[*t as usize] = true),
        Node::Effect(Effect::Hand { change: Change::Subtract | Change::Set, what, .. }) => match what {
            HandItem::Type(t) => asked[*t as usize] = true,
            HandItem::OriginalOf(_) => asked.fill(true),
        },
        _ => {}
    });
    let drops = |t: TypeId| {
        let mut lines = game.types[t as usize].clauses.iter().map(|c| &game.clauses[*c as usize].generator);
        lines.any(|g| matches!(g, Generator::Drop { .. }))
    };
    let hands = merged.stmts.iter().filter_map(|s| match &s.item.kind {
        ItemKind::Hand(hand) => Some(hand),
        _ => None,
    });
    for word in hands.flat_map(|hand| &hand.stock).map(|(_, word)| word) {
        let Some(t) = cx.piece_named(&word.node) else { continue };
        let fine = drops(t) || asked[t as usize] || !may.enters(t);
        let message = format!("`{}` can never leave the hand: no line lets it be dropped", word.node);
        let help = format!("let it be dropped, as in `extend {} {{ drop to empty }}`, or leave it out here", word.node);
        let doubt = Diagnostic::warning("never-enters", message, word.span).help(help);
        cx.written.doubts.judge("never-enters", word.span, (!fine).then_some(doubt));
    }
}
