//! Numbers.

use super::cx::{Cx, Env};
use super::expr::{cond_word, event_of};
use super::fold;
use crate::base::{Diagnostic, Span};
use crate::ir::expr::{Num, Role, Who};
use crate::syntax::Word;
use crate::syntax::expr::{DefineBody, Noun, Number, NumberKind, Operator, SetPhrase, Who as WhoPhrase};

impl Cx<'_> {
    /// A number.
    pub fn num(&mut self, number: &Number, env: &Env) -> Option<Num> {
        self.phrase(number.span)?;
        Some(match &number.kind {
            NumberKind::Literal(n) => {
                Num::Const(self.in_range(*n, number.span, i64::from(i32::MIN), i64::from(i32::MAX), "a number")?)
            }
            NumberKind::WorthOf(phrase) => match role_of(phrase) {
                Some(role) => {
                    self.set(phrase, env)?;
                    Num::WorthOf(role)
                }
                None => {
                    if let Some((_, None)) = phrase.adjectives.iter().find_map(|a| event_of(a.node)) {
                        self.error(
                            "captured",
                            phrase.span,
                            "the worth of captured pieces is not kept",
                            "count it when it happens: `after capture { score += worth of victim }`",
                        );
                        return None;
                    }
                    Num::Worth(self.set(phrase, env)?)
                }
            },
            NumberKind::CountOf(phrase) => self.size_of(phrase, env)?,
            NumberKind::TurnNumber => Num::TurnNumber,
            NumberKind::OriginalOf(phrase) => {
                self.error(
                    "wrong-type",
                    phrase.span,
                    "`original of` is a piece, and a number is expected",
                    "it can stand only behind `hand +=`, as in `my hand += original of victim`",
                );
                return None;
            }
            NumberKind::Word(word, who) => self.word_num(word, who.as_ref(), env)?,
            NumberKind::Odd { odd, number } => match self.num(number, env)? {
                Num::Const(n) => Num::Const(i32::from((n.rem_euclid(2) == 1) == *odd)),
                n if *odd => Num::Odd(Box::new(n)),
                n => fold::sub(Num::Const(1), Num::Odd(Box::new(n))),
            },
            NumberKind::Binary(a, op, b) => {
                let (a, b) = (self.num(a, env), self.num(b, env));
                let make = match op {
                    Operator::Plus => fold::add,
                    Operator::Minus => fold::sub,
                    Operator::Times => fold::mul,
                };
                make(a?, b?)
            }
        })
    }

    /// How many there are of a set, or of what happened in the turn.
    pub fn size_of(&mut self, phrase: &SetPhrase, env: &Env) -> Option<Num> {
        if let (Some((_, set)), None) = (phrase.adjectives.iter().find_map(|a| event_of(a.node)), &phrase.count) {
            let before = self.report.said;
            if let Some((tally, who)) = self.as_tally(phrase, None, env) {
                return Some(Num::Tally(self.tally(tally), who));
            }
            if self.report.said > before {
                return None;
            }
            if set.is_none() {
                self.error(
                    "captured",
                    phrase.span,
                    "captured pieces have left the board: they can be counted by owner and by kind only",
                    "write for example `count of captured pieces` or `count of my captured Rook`",
                );
                return None;
            }
        }
        Some(Num::Count(self.set(phrase, env)?))
    }

    fn word_num(&mut self, word: &Word, who: Option<&WhoPhrase>, env: &Env) -> Option<Num> {
        if self.settings.get(&word.node).is_some() {
            if let Some(who) = who {
                let message = format!("option `{}` is the same for every player", word.node);
                let error = Diagnostic::error("arguments", message, who.span).help("leave out the player");
                self.push(error.fix(self.texts.with_word(who.span, "of"), ""));
                return None;
            }
            let n = self.settings.number(word, &mut self.report)?;
            return self.in_range(n, word.span, i64::from(i32::MIN), i64::from(i32::MAX), "a number").map(Num::Const);
        }
        if let Some(counter) = self.counter(&word.node) {
            let each = self.counters[counter as usize].each;
            let who = match who {
                Some(who) if !each => {
                    self.one_for_all(word, counter, who.span);
                    return None;
                }
                Some(who) => self.player(who, env)?,
                None if each && env.absolute() => {
                    self.error(
                        "viewer",
                        word.span,
                        format!("`{}` is kept for each player, and nobody looks in a test", word.node),
                        format!("write `{} of PLAYER`", word.node),
                    );
                    return None;
                }
                None => Who::Me,
            };
            return Some(Num::Counter(counter, who));
        }
        if self.defines.contains_key(&word.node) {
            let (define, mut inner) = self.enter(word, env)?;
            if let Some(who) = who {
                self.error("arguments", who.span, "a definition takes players in brackets", "leave out `of`");
                return None;
            }
            if !self.no_params(&define.params, word) {
                return None;
            }
            inner.params.clear();
            return match &define.body {
                DefineBody::Number(number) => self.num(number, &inner),
                DefineBody::Cond(cond) => match cond_word(cond) {
                    Some(other) => self.word_num(&other, None, &inner),
                    None => self.not_a_number(word, define.name.span),
                },
                DefineBody::Directions(_) => self.not_a_number(word, define.name.span),
            };
        }
        if word.node.chars().next().is_some_and(char::is_uppercase) {
            self.push(
                Diagnostic::error(
                    "wrong-type",
                    format!("`{}` is a name, and a number is expected", word.node),
                    word.span,
                )
                .help(format!("write `count of {0}` or `worth of {0}`", word.node))
                .suggest(word.span, format!("count of {}", word.node)),
            );
            return None;
        }
        self.unknown_word(word, "a number");
        None
    }

    /// Says that a counter without `each` is asked of one player.
    pub fn one_for_all(&mut self, word: &Word, counter: u16, who: Span) {
        let message = format!("counter `{}` is one for all players", word.node);
        let mut d = Diagnostic::error("arguments", message, who);
        if let Some(defined) = self.counter_spans.get(counter as usize) {
            d = d.label(*defined, "defined here, without `each`");
        }
        self.push(
            d.help("leave out the player, or declare the counter with `each`")
                .suggest(self.texts.with_word(who, "of"), ""),
        );
    }

    fn not_a_number(&mut self, word: &Word, defined: Span) -> Option<Num> {
        self.push(
            Diagnostic::error("wrong-type", format!("`{}` is not a number", word.node), word.span)
                .label(defined, "defined here")
                .help(format!("to count it write `count of {}`", word.node))
                .suggest(word.span, format!("count of {}", word.node)),
        );
        None
    }
}

fn role_of(phrase: &SetPhrase) -> Option<Role> {
    match (&phrase.count, phrase.adjectives.as_slice(), phrase.nouns.as_slice(), phrase.relations.as_slice()) {
        (None, [], [noun], []) => match noun.node {
            Noun::Attacker => Some(Role::Attacker),
            Noun::Victim => Some(Role::Victim),
            _ => None,
        },
        _ => None,
    }
}
