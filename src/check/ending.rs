//! Results and preferences.

use super::cx::{Cx, Env, Place};
use super::expr::Players;
use crate::base::Diagnostic;
use crate::ir::ending::{Result as Ending, Verdict};
use crate::ir::expr::{Cond, Num, Who};
use crate::syntax::ending::{self as se, Most};

impl Cx<'_> {
    /// A result; nothing if it never fires.
    pub fn result(&mut self, outcome: &se::Outcome) -> Option<Option<Ending>> {
        let mover = Env::new(Place::Result).seen_by(Some(Who::Mover));
        let each = Env::new(Place::Result);
        let (verdict, env) = match &outcome.verdict {
            se::Verdict::Wins(who) | se::Verdict::Loses(who) => {
                let wins = matches!(outcome.verdict, se::Verdict::Wins(_));
                match self.players(who, &mover)? {
                    Players::Any => (if wins { Verdict::AnyPlayerWins } else { Verdict::AnyPlayerLoses }, each),
                    Players::One(Who::Me | Who::Opponent) => {
                        self.push(
                            Diagnostic::error("result-subject", "a result has no `me`", who.span)
                                .help("say who it is: `mover`, `next`, `any player` or the name of a player")
                                .suggest(who.span, "mover"),
                        );
                        return None;
                    }
                    Players::One(who) => {
                        let env = each.seen_by(Some(who));
                        (if wins { Verdict::Wins(who) } else { Verdict::Loses(who) }, env)
                    }
                }
            }
            se::Verdict::Draw => (Verdict::Draw, mover),
            se::Verdict::Highest(n) => (Verdict::Highest(self.num(n, &each)?), mover),
            se::Verdict::Lowest(n) => (Verdict::Lowest(self.num(n, &each)?), mover),
        };
        let cond = self.cond(&outcome.cond, &env)?;
        if cond == Cond::Const(false) {
            if !mentions_option(&outcome.cond, self) {
                let doubt = Diagnostic::warning("never", "this result can never happen", outcome.cond.span)
                    .help("correct its condition, or remove it");
                self.written.doubts.judge("never", outcome.cond.span, Some(doubt));
            }
            return Some(None);
        }
        let text = self.texts.line(outcome.header.to(outcome.cond.span));
        Some(Some(Ending { text, verdict, at_once: outcome.at_once, cond }))
    }

    /// `prefer most …`; nothing if options switch it off.
    pub fn prefer(&mut self, prefer: &se::Prefer) -> Option<Option<Num>> {
        let allowed = self.settings.allow(&prefer.guards, &mut self.report);
        let env = Env::new(Place::Prefer);
        let moment = self.moment();
        let num = match &prefer.most {
            Most::Set(phrase) => self.size_of(phrase, &env),
            Most::Number(number) => self.num(number, &env),
        };
        if allowed? {
            return num.map(Some);
        }
        self.forget(moment);
        num.map(|_| None)
    }
}

/// Whether the words of a condition have an option among them.
fn mentions_option(cond: &crate::syntax::expr::Cond, cx: &Cx) -> bool {
    let text = cx.texts.slice(cond.span);
    super::texts::words(text).any(|w| cx.settings.get(w).is_some())
}
