//! Acts that nobody can do, and alternatives that are never reached.

use crate::base::{Diagnostic, Span};
use crate::check::cx::Cx;
use crate::check::may::{Possible, Scene};
use crate::ir::TypeId;
use crate::ir::piece::{Clause, Generator};
use crate::ir::rule::{Effect, Event, Forbidden};
use crate::ir::turn::{Act, Choice, Chosen, Verb};

/// Judges the acts of the turn, and those that others ask for.
pub(super) fn judge(cx: &mut Cx, may: &Possible) {
    let game = may.game;
    let acts = std::mem::take(&mut cx.written.acts);
    for (span, act) in &acts {
        let span = *span;
        let some =
            |set| (0..game.seats.len()).any(|s| !may.nothing(&may.set(set, Scene { viewer: s, mover: s, this: None })));
        let message = match act {
            Act::Play { verb, types, .. } if !may.verb(verb, types.as_deref()) => Some(match types.as_deref() {
                Some([t]) => format!("no line of `{}` is such an act", game.types[*t as usize].name),
                _ => "no piece has a line that is such an act".to_owned(),
            }),
            Act::Rotate { set, .. } | Act::Choose { set, .. } if !some(set) => {
                Some("there is never such a piece".to_owned())
            }
            _ => None,
        };
        let doubt = message.map(|m| {
            let help = "give a piece such a line, correct the word, or remove the act";
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
    for (span, behind) in std::mem::take(&mut cx.written.behind) {
        let doubt = behind.filter(|_| !refused).map(|first| {
            Diagnostic::warning("unreachable", "this is never done", span)
                .label(first, "this can be done in any position")
                .help("`or else` is for when what stands before cannot be done; write `or`, or put the other one first")
        });
        cx.written.doubts.judge("unreachable", span, doubt);
    }
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

/// Whether a turn can be completed in some position.
pub(super) fn completes(may: &Possible) -> bool {
    let states = &may.game.turn.states;
    let mut done = vec![false; states.len()];
    loop {
        let now: Vec<bool> = states.iter().map(|s| ends(s, may, &done)).collect();
        if now == done {
            return done.first().copied().unwrap_or(false);
        }
        done = now;
    }
}

fn ends(choice: &Choice, may: &Possible, done: &[bool]) -> bool {
    match choice {
        Choice::End => true,
        Choice::Goto(to) => done[*to as usize],
        Choice::Do(act, to) => {
            let possible = match act {
                Act::Play { verb, types, .. } => may.verb(verb, types.as_deref()),
                Act::Rotate { .. } | Act::Choose { .. } | Act::Pass | Act::SwapSides => true,
            };
            // An effect may end the turn right after the act.
            possible && (done[*to as usize] || may.ends_turns())
        }
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter().any(|p| ends(p, may, done)),
        Choice::Cases(cases) => cases.iter().any(|(_, c)| ends(c, may, done)),
        Choice::Again(a, b) => ends(a, may, done) || ends(b, may, done),
    }
}
