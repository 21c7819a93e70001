//! Acts that nobody can do, and alternatives that are never reached.

use crate::base::Diagnostic;
use crate::check::cx::Cx;
use crate::check::may::{Possible, Scene};
use crate::ir::rule::{Event, Forbidden};
use crate::ir::turn::{Act, Choice, Verb};

/// Judges the acts of the turn, and those that others ask for.
pub(super) fn judge(cx: &mut Cx, may: &Possible) {
    let game = may.game;
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
