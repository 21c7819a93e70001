//! Acts that nobody can do, and alternatives that are never reached.

use super::phrase::{implies, varies, varying};
use crate::base::{Diagnostic, Span};
use crate::check::cx::Cx;
use crate::check::may::{Bar, Possible, Scene};
use crate::check::written::Before;
use crate::ir::TypeId;
use crate::ir::piece::{Clause, Generator};
use crate::ir::rule::{Effect, Event, Forbidden};
use crate::ir::turn::{Act, Chosen, Verb};

/// Judges the acts of the turn, and those that others ask for.
pub(super) fn judge(cx: &mut Cx, may: &Possible) {
    let game = may.game;
    let course = may.course(false);
    let acts = std::mem::take(&mut cx.written.acts);
    for (span, act) in &acts {
        let span = *span;
        let some = |set| (0..game.seats.len()).any(|s| !may.nothing(&may.set(set, Scene::new(s, s)).occupied()));
        let message = match act {
            Act::Play { verb, types, .. } if !may.verb(verb, types.as_deref()) => Some(match types.as_deref() {
                Some([t]) => format!("no line of `{}` is such an act", game.types[*t as usize].name),
                _ => "no piece has a line that is such an act".to_owned(),
            }),
            Act::Rotate { set, .. } | Act::Choose { set, .. } if !some(set) => {
                Some("there is never such a piece".to_owned())
            }
            _ if may.spent() || course.acts.contains(&act) => None,
            _ => course
                .barred
                .iter()
                .find(|(barred, _)| *barred == act)
                .and_then(|(_, bar)| why(*bar))
                .map(str::to_owned),
        };
        let doubt = message.map(|m| {
            let help = match act {
                Act::Play { verb, types, .. } if may.verb(verb, types.as_deref()) => "correct it, or remove the act",
                _ => "give a piece such a line, correct the word, or remove the act",
            };
            Diagnostic::warning("idle-act", m, span).help(help)
        });
        cx.written.doubts.judge("idle-act", span, doubt);
    }
    cx.written.places.acts = acts;
    for (span, event) in std::mem::take(&mut cx.written.events) {
        let happens = match &event {
            Event::Capture => may.captures,
            Event::Act(verb) => may.acts(verb),
        };
        let doubt = Diagnostic::warning("idle-act", "this act never happens in the game", span)
            .help("let the turn have it and a piece do it, correct the word, or remove the sentence");
        cx.written.doubts.judge("idle-act", span, (!happens).then_some(doubt));
    }
    sequels(cx, may);
    let refused = game.forbids.iter().any(|f| matches!(f.what, Forbidden::Turn | Forbidden::Act(Verb::Pass, _)));
    let by_name = game.forbids.iter().any(|f| matches!(f.what, Forbidden::Act(..)))
        || game.clauses.iter().any(|c| !c.label.is_empty() && matches!(c.generator, Generator::Drop { .. }));
    for (span, behind) in std::mem::take(&mut cx.written.behind) {
        let doubt = behind.and_then(|(first, why)| {
            let never = Diagnostic::warning("unreachable", "this is never done", span);
            match why {
                Before::Free if refused => None,
                Before::Free => Some(never.label(first, "this can be done in any position").help(
                    "`or else` is for when what stands before cannot be done; write `or`, or put the other one first",
                )),
                Before::Wider { by_verb: true } if by_name => None,
                Before::Wider { .. } => Some(never.label(first, "whenever that could be done, this can be done").help(
                    "`or else` is for when what stands before cannot be done; put what is narrower first, or remove it",
                )),
                Before::Same => {
                    let message = "this adds nothing to the turn";
                    let same = Diagnostic::warning("unreachable", message, span);
                    Some(same.label(first, "this allows it already").help("correct one of the two, or remove this"))
                }
            }
        });
        cx.written.doubts.judge("unreachable", span, doubt);
    }
    cases(cx);
}

/// Judges the acts behind others after which the turn is always over.
fn sequels(cx: &mut Cx, may: &Possible) {
    for (span, acts) in std::mem::take(&mut cx.written.sequels) {
        let ends: Option<Vec<Span>> = acts.iter().map(|act| ending(cx, may, act)).collect();
        let doubt = ends.and_then(|ends| ends.first().copied()).map(|end| {
            Diagnostic::warning("unreachable", "this is never done", span)
                .label(end, "this always ends the turn before")
                .help("remove it, or let `end turn` depend on something, as in `when CONDITION { end turn }`")
        });
        cx.written.doubts.judge("unreachable", span, doubt);
    }
}

/// Where it is said that the turn ends after an act, if it always does.
fn ending(cx: &Cx, may: &Possible, act: &Act) -> Option<Span> {
    let game = may.game;
    let ends = |body: &[Effect]| body.iter().any(|e| matches!(e, Effect::EndTurn));
    let after = |is: &dyn Fn(&Verb) -> bool| {
        let all = game.afters.iter().zip(&cx.written.places.afters);
        let mut ending = all.filter(|(after, _)| ends(&after.body));
        let event = |event: &Event| matches!(event, Event::Act(verb) if is(verb));
        ending.find(|(after, _)| after.events.iter().any(event)).map(|(_, span)| *span)
    };
    match act {
        Act::Play { verb, types, .. } => {
            let all = (0..game.types.len() as TypeId).filter(|t| types.as_ref().is_none_or(|list| list.contains(t)));
            let lines = all.flat_map(|t| &game.types[t as usize].clauses);
            let lines = lines.filter(|c| may.clause_is(&game.clauses[**c as usize], verb));
            let ends: Option<Vec<Span>> = lines
                .map(|c| {
                    let clause = &game.clauses[*c as usize];
                    let own = ends(&clause.then).then(|| cx.written.lines[*c as usize].span);
                    own.or_else(|| after(&|verb| surely(clause, verb)))
                })
                .collect();
            ends?.first().copied()
        }
        Act::Rotate { .. } => after(&|verb| *verb == Verb::Rotate),
        Act::Choose { effect, .. } => after(&|verb| match effect {
            Chosen::Remove => *verb == Verb::Remove,
            Chosen::Flip => *verb == Verb::Flip,
            Chosen::Capture => false,
        }),
        Act::Pass => after(&|verb| *verb == Verb::Pass),
        Act::SwapSides => None,
    }
}

/// Whether all steps of a line are of this act.
fn surely(clause: &Clause, verb: &Verb) -> bool {
    match (&clause.generator, verb) {
        (Generator::Drop { .. }, verb) => *verb == Verb::Drop,
        (_, Verb::Move)
        | (Generator::Step { .. }, Verb::Step)
        | (Generator::Slide { .. }, Verb::Slide)
        | (Generator::Leap { .. } | Generator::LeapAnywhere, Verb::Leap)
        | (Generator::Castle { .. }, Verb::Castle) => true,
        (Generator::Imitate { .. }, _) => false,
        (_, Verb::Label(label)) => clause.label == *label,
        _ => false,
    }
}

/// Why an act is never possible although pieces have lines for it.
fn why(bar: Bar) -> Option<&'static str> {
    match bar {
        Bar::NoStepBefore => Some("no step of the turn comes before this, so there is no piece to do it with"),
        Bar::NoOther => Some("the piece has acted already, and a player never has another one"),
        Bar::Nothing => None,
    }
}

/// Makes sure that a turn can be completed in some position, and the first one of the game too.
pub(super) fn completes(cx: &mut Cx, may: &Possible, span: Span) {
    let course = may.course(false);
    if !course.completed {
        let barred = |act: &Act| course.barred.iter().find(|(barred, _)| *barred == act).map(|(_, bar)| *bar);
        let first = cx.written.acts.iter().find_map(|(span, act)| Some((*span, barred(act)?)));
        let message = "this turn can never be completed: some act of it is one that no piece can do";
        let mut error = Diagnostic::error("turn-empty", message, span);
        if let Some((act, bar)) = first {
            error = error
                .label(act, why(bar).unwrap_or("there is no piece that can do this, or none to which it can be done"));
        }
        let error = error.help(match first {
            Some((_, Bar::NoStepBefore | Bar::NoOther)) => {
                "correct this act, or let the turn do without, as with `may`"
            }
            _ => "give a piece a line for each act, or let the turn do without, as with `may`",
        });
        cx.push(error);
    } else if may.game.setup.fill.is_none() && !may.course(true).completed {
        let message = "nothing can be done in the first turn, so no game ever begins";
        let help = "the number of the first turn is 1: add what is done then, as in `otherwise { move }`";
        let doubt = Diagnostic::warning("turn-empty", message, span).help(help);
        cx.written.doubts.judge("turn-empty", span, Some(doubt));
    } else {
        cx.written.doubts.judge("turn-empty", span, None);
    }
}

/// Judges the cases of a turn: one that asks for more than an earlier one is never reached.
fn cases(cx: &mut Cx) {
    let cases = std::mem::take(&mut cx.written.cases);
    let names = varying(cx);
    let mut left = 20_000;
    for (j, (span, cond)) in cases.iter().enumerate() {
        let first = cases[..j].iter().find(|(_, earlier)| implies(cond, earlier, &mut left));
        let doubt = first.filter(|(earlier, _)| !varies(cx, *span, &names) && !varies(cx, *earlier, &names)).map(
            |(earlier, _)| {
                Diagnostic::warning("unreachable", "this case is never reached", *span)
                    .label(*earlier, "whenever this holds, that one holds too, and stands first")
                    .help("put the case that asks for more before the other, or remove it")
            },
        );
        cx.written.doubts.judge("unreachable", *span, doubt);
    }
}
