//! What a player does in a turn: from an expression over acts to a graph of choices.

use super::cube;
use super::cx::{Cx, Env, Place};
use super::fold;
use super::written::Before;
use crate::base::{Diagnostic, Span};
use crate::ir::TypeId;
use crate::ir::expr::{Cond, Role, Set, Who};
use crate::ir::piece::Generator;
use crate::ir::turn::{Act, Choice, Chooser, Chosen, Turn, Verb};
use crate::syntax::expr::{Adjective, DefineBody, Dir, Dirs, Noun, Relation, SetCount, SetPhrase};
use crate::syntax::piece::Side;
use crate::syntax::turn::{self as st, Acts, ActsKind, TurnBody};

mod wider;

/// The state in which the turn is complete, while the graph is made.
const END: u16 = u16::MAX;
/// So many alternatives are held against one another.
const MAX_COMPARED: usize = 30;
/// At most so many states.
const MAX_STATES: usize = 4000;

/// What the turn may use: known before it is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Means {
    /// Types of which a player can have two or more at once, by construction.
    pub several: Vec<bool>,
}

/// A graph in the making.
struct Graph {
    states: Vec<Choice>,
}

impl Graph {
    fn add(&mut self, choice: Choice) -> u16 {
        self.states.push(choice);
        (self.states.len() - 1) as u16
    }

    /// What a state offers.
    fn at(&self, to: u16) -> &Choice {
        if to == END { &Choice::End } else { &self.states[to as usize] }
    }

    fn go(to: u16) -> Choice {
        if to == END { Choice::End } else { Choice::Goto(to) }
    }
}

/// A choice that offers nothing.
fn never() -> Choice {
    Choice::Cases(Vec::new())
}

fn is_never(choice: &Choice) -> bool {
    matches!(choice, Choice::Cases(cases) if cases.is_empty())
}

/// The acts of which one is done first; none if the choice may be passed by.
fn surely(choice: &Choice) -> Option<Vec<Act>> {
    let all = |parts: Vec<Option<Vec<Act>>>| Some(parts.into_iter().collect::<Option<Vec<_>>>()?.concat());
    match choice {
        Choice::Do(act, _) => Some(vec![act.clone()]),
        Choice::Or(parts) | Choice::OrElse(parts) => all(parts.iter().map(surely).collect()),
        Choice::Cases(cases) => all(cases.iter().map(|(_, choice)| surely(choice)).collect()),
        Choice::End | Choice::Again(..) | Choice::Goto(_) => None,
    }
}

/// What never can be done is left out, and what is said twice is no more than said once.
fn one_of(all: Vec<Choice>, make: fn(Vec<Choice>) -> Choice) -> Choice {
    let mut parts: Vec<Choice> = Vec::new();
    for part in all {
        if !is_never(&part) && !parts.contains(&part) {
            parts.push(part);
        }
    }
    match parts.len() {
        0 => never(),
        1 => parts.remove(0),
        _ => make(parts),
    }
}

fn cases(cases: Vec<(Cond, Choice)>) -> Choice {
    let mut out = Vec::new();
    for (cond, choice) in cases {
        match cond {
            Cond::Const(false) => {}
            Cond::Const(true) => {
                if out.is_empty() {
                    return choice;
                }
                out.push((Cond::Const(true), choice));
                break;
            }
            cond => out.push((cond, choice)),
        }
    }
    Choice::Cases(out)
}

impl Cx<'_> {
    /// The turn of a game that has none: what its pieces can do.
    pub fn default_turn(&self, clauses: &[crate::ir::piece::Clause]) -> Turn {
        let drops = clauses.iter().any(|c| matches!(c.generator, Generator::Drop { .. }));
        let moves = clauses.iter().any(|c| !matches!(c.generator, Generator::Drop { .. }));
        let act = |verb| Choice::Do(Act::Play { verb, types: None, chooser: Chooser::Any }, 1);
        let mut parts = Vec::new();
        if moves {
            parts.push(act(Verb::Move));
        }
        if drops {
            parts.push(act(Verb::Drop));
        }
        Turn { states: vec![one_of(parts, Choice::Or), Choice::End] }
    }

    /// The turn of a statement.
    pub fn turn(&mut self, turn: &st::Turn, means: &Means) -> Option<Turn> {
        let mut graph = Graph { states: vec![Choice::End] };
        let env = Env::new(Place::Turn);
        let start = match &turn.body {
            TurnBody::Acts(acts) => self.acts(acts, END, &mut graph, means, &env),
            TurnBody::Cases(list) => {
                let mut out = Vec::new();
                let mut failed = false;
                for (cond, acts) in list {
                    let span = cond.as_ref().map(|c| c.span);
                    let cond = match cond {
                        Some(cond) => self.cond(cond, &env),
                        None => Some(Cond::Const(true)),
                    };
                    let moment = self.moment();
                    let acts = self.acts(acts, END, &mut graph, means, &env);
                    if cond == Some(Cond::Const(false)) {
                        self.forget(moment);
                    } else if let (Some(span), Some(cond)) = (span, &cond) {
                        self.written.cases.push((span, cond.clone()));
                    }
                    match (cond, acts) {
                        (Some(cond), Some(acts)) => {
                            let place = span.map(|span| self.texts.place(span));
                            self.places.cases.extend(place.map(|place| (cond.clone(), place)));
                            out.push((cond, acts));
                        }
                        _ => failed = true,
                    }
                }
                (!failed).then(|| cases(out))
            }
        };
        let start = start?;
        if is_never(&start) {
            self.error(
                "turn-empty",
                turn.span,
                "with these options nothing can ever be done in a turn",
                "give the turn an act without `if`",
            );
            return None;
        }
        graph.states[0] = start;
        Some(finish(graph))
    }

    fn acts(&mut self, acts: &Acts, then: u16, graph: &mut Graph, means: &Means, env: &Env) -> Option<Choice> {
        if graph.states.len() > MAX_STATES {
            self.error("too-large", acts.span, "this turn is too long", "use `again` for what repeats");
            return None;
        }
        Some(match &acts.kind {
            // What could not be read has been said.
            ActsKind::Or(parts) | ActsKind::OrElse(parts) | ActsKind::Then(parts) if parts.is_empty() => return None,
            ActsKind::Or(parts) => {
                let made = self.all_acts(parts, then, graph, means, env)?;
                self.alternatives(parts, &made, |a, b| wider::same(a, b, graph).then_some(Before::Same));
                one_of(made, Choice::Or)
            }
            ActsKind::OrElse(parts) => {
                let made = self.all_acts(parts, then, graph, means, env)?;
                self.alternatives(parts, &made, |a, b| match wider::free(a, graph) {
                    true => Some(Before::Free),
                    false => wider::wider(a, b, graph).map(|by_verb| Before::Wider { by_verb }),
                });
                one_of(made, Choice::OrElse)
            }
            ActsKind::Then(parts) => self.sequence(parts, then, graph, means, env)?,
            ActsKind::May(inner) => {
                if matches!(inner.kind, ActsKind::Again) {
                    self.lonely_again(acts.span);
                    return None;
                }
                let act = self.acts(inner, then, graph, means, env)?;
                one_of(vec![act, Graph::go(then)], Choice::Or)
            }
            ActsKind::If(inner, guards) => {
                let cond = self.guards(guards, env).map(fold::all);
                let moment = self.moment();
                let act = self.acts(inner, then, graph, means, env);
                let cond = cond?;
                if cond == Cond::Const(false) {
                    self.forget(moment);
                }
                cases(vec![(cond, act?)])
            }
            ActsKind::Again => {
                self.lonely_again(acts.span);
                return None;
            }
            ActsKind::Act(act) => {
                let act = self.act(act, acts.span, means, env)?;
                self.written.acts.push((acts.span, act.clone()));
                Choice::Do(act, then)
            }
        })
    }

    /// Notes of each alternative which one before leaves nothing to it.
    fn alternatives(&mut self, parts: &[Acts], made: &[Choice], test: impl Fn(&Choice, &Choice) -> Option<Before>) {
        for (j, later) in made.iter().enumerate().take(MAX_COMPARED).skip(1) {
            let earlier = made[..j].iter().zip(parts).filter(|_| !is_never(later));
            let first = earlier.rev().find_map(|(a, part)| test(a, later).map(|why| (part.span, why)));
            self.written.behind.push((parts[j].span, first));
        }
    }

    fn lonely_again(&mut self, span: Span) {
        let act = self.labels.first().map_or("move", String::as_str).to_owned();
        self.error(
            "again",
            span,
            "`again` does not say what is done again",
            format!("write it behind an act, as in `{act} then again`, which goes on as long as there is such a turn"),
        );
    }

    fn all_acts(
        &mut self,
        parts: &[Acts],
        then: u16,
        graph: &mut Graph,
        means: &Means,
        env: &Env,
    ) -> Option<Vec<Choice>> {
        let all: Vec<_> = parts.iter().map(|p| self.acts(p, then, graph, means, env)).collect();
        all.into_iter().collect()
    }

    /// `A then B then C`: the last first, so that each knows what comes after it.
    fn sequence(&mut self, parts: &[Acts], then: u16, graph: &mut Graph, means: &Means, env: &Env) -> Option<Choice> {
        let mut next = then;
        let mut choice = None;
        for (i, part) in parts.iter().enumerate().rev() {
            let (repeats, may) = match &part.kind {
                ActsKind::Again => (true, false),
                ActsKind::May(inner) => (matches!(inner.kind, ActsKind::Again), true),
                _ => (false, false),
            };
            let made = if repeats {
                let Some(before) = i.checked_sub(1).map(|b| &parts[b]) else {
                    self.lonely_again(part.span);
                    return None;
                };
                let state = graph.add(Choice::End);
                let act = same_piece(self.acts(before, state, graph, means, env)?);
                graph.states[state as usize] = if may {
                    one_of(vec![act, Graph::go(next)], Choice::Or)
                } else {
                    Choice::Again(Box::new(act), Box::new(Graph::go(next)))
                };
                Choice::Goto(state)
            } else if let ActsKind::If(inner, guards) = &part.kind {
                // In a sequence an act whose condition does not hold is left out.
                let cond = fold::all(self.guards(guards, env)?);
                let moment = self.moment();
                let act = self.acts(inner, next, graph, means, env)?;
                if cond == Cond::Const(false) {
                    self.forget(moment);
                }
                cases(vec![(cond, act), (Cond::Const(true), Graph::go(next))])
            } else {
                self.acts(part, next, graph, means, env)?
            };
            if let (Some(behind), Some(acts)) = (parts.get(i + 1), surely(&made)) {
                self.written.sequels.push((behind.span, acts));
            }
            if i == 0 {
                choice = Some(made);
            } else {
                next = match made {
                    Choice::Goto(state) => state,
                    made => graph.add(made),
                };
            }
        }
        choice
    }

    fn act(&mut self, act: &st::Act, span: Span, means: &Means, env: &Env) -> Option<Act> {
        Some(match act {
            st::Act::Play { verb, piece, chooser } => {
                let chooser = match chooser.as_ref().map(|c| c.node) {
                    Some(st::Chooser::Another) => Chooser::Another,
                    Some(st::Chooser::Same) => Chooser::Same,
                    None => Chooser::Any,
                };
                let types = match piece {
                    Some(piece) => Some(vec![self.piece(piece)?]),
                    None => None,
                };
                let found = self.verb(verb)?;
                match &found {
                    Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Swap | Verb::Fill => {
                        self.error(
                            "unknown-act",
                            verb.span,
                            format!("`{}` does not say of what", verb.node),
                            match found {
                                Verb::Rotate => {
                                    "write for example `rotate another by 1`, `spin clockwise` or `tip left`"
                                }
                                Verb::Swap => "write `swap sides`",
                                Verb::Fill => "filling belongs to `setup each player fills …`",
                                _ => "write for example `remove one enemy`",
                            },
                        );
                        return None;
                    }
                    Verb::Pass => Act::Pass,
                    Verb::Move
                    | Verb::Drop
                    | Verb::Capture
                    | Verb::Step
                    | Verb::Slide
                    | Verb::Leap
                    | Verb::Jump
                    | Verb::Hop
                    | Verb::Castle
                    | Verb::Label(_) => Act::Play { verb: found, types, chooser },
                }
            }
            st::Act::Rotate { set, by } => {
                self.needs_ladder(span, "rotate")?;
                let by = self.count(by, 1, (self.ladder.len() as i64 - 1).max(1), "the number of rungs");
                let (found, chooser) = self.chosen(set, env)?;
                let by = by? as usize;
                let ways = [true, false].map(|up| (Cond::Const(true), self.ladder_remap(up, by))).to_vec();
                let ladder = self.ladder.clone();
                let named = self.named(&ladder, means);
                Act::Rotate { set: found, chooser, ways, named }
            }
            st::Act::Spin { set, clockwise } => {
                let (found, chooser) = self.cubes(set.as_ref(), span, env)?;
                let turn = if *clockwise { cube::Turn::Spin } else { cube::Turn::Unspin };
                let ways = vec![(Cond::Const(true), self.cube_remap(turn))];
                Act::Rotate { set: found, chooser, ways, named: self.cubes_named(means) }
            }
            st::Act::Tip { set, dirs } => {
                let (found, chooser) = self.cubes(set.as_ref(), span, env)?;
                let mut ways: Vec<(Cond, u16)> = Vec::new();
                for (cond, side) in self.tips(dirs, env)? {
                    let remap = self.tip_remap(side);
                    match ways.iter_mut().find(|(_, r)| *r == remap) {
                        Some((old, _)) => *old = fold::any(vec![old.clone(), cond]),
                        None => ways.push((cond, remap)),
                    }
                }
                Act::Rotate { set: found, chooser, ways, named: self.cubes_named(means) }
            }
            st::Act::Choose { verb, set } => {
                let effect = match verb.node.as_str() {
                    "remove" => Chosen::Remove,
                    "capture" => Chosen::Capture,
                    "flip" => Chosen::Flip,
                    _ => {
                        self.error(
                            "unknown-act",
                            verb.span,
                            format!("`{}` cannot be done to a chosen piece", verb.node),
                            "write `remove one …`, `capture one …` or `flip one …`",
                        );
                        return None;
                    }
                };
                match &set.count {
                    Some(SetCount::One) => {}
                    _ => {
                        let text = self.texts.slice(set.span);
                        let one = match text.strip_suffix("enemies") {
                            Some(before) => format!("one {before}enemy"),
                            None => format!("one {}", text.trim_end_matches('s')),
                        };
                        let message = "an act on pieces chooses one at a time";
                        let mut error = Diagnostic::error("choice", message, set.span);
                        if set.count.is_none() {
                            error = error.suggest(set.span, one.as_str());
                        }
                        self.push(error.help(format!(
                            "write `{} {one}`; several acts can follow one another with `then`",
                            verb.node
                        )));
                        return None;
                    }
                }
                let found = self.members(set, env);
                self.only_pieces(set.span);
                Act::Choose { effect, set: found? }
            }
            st::Act::Pass => Act::Pass,
            st::Act::SwapSides => {
                if self.seats.len() != 2 {
                    let error = Diagnostic::error("swap", "only two players can swap sides", span);
                    let players = self.players_span();
                    self.push(error.label(players, "the players are named here").help("leave out `swap sides`"));
                    return None;
                }
                Act::SwapSides
            }
        })
    }

    /// The pieces of a choice, and which of them: own pieces if nothing else is said.
    fn chosen(&mut self, phrase: &SetPhrase, env: &Env) -> Option<(Set, Chooser)> {
        let mut chooser = match &phrase.count {
            Some(SetCount::Another) => Chooser::Another,
            Some(SetCount::One) | None => Chooser::Any,
            Some(_) => {
                self.error("choice", phrase.span, "an act chooses one piece at a time", "write `one` or `another`");
                return None;
            }
        };
        let set = self.members(phrase, env)?;
        if set == Set::Role(Role::This) {
            chooser = Chooser::Same;
        }
        let plain = phrase.nouns.iter().all(|n| matches!(n.node, Noun::Pieces | Noun::Name(_)))
            && !phrase.adjectives.iter().any(|a| matches!(a.node, Adjective::Enemy | Adjective::Opponents))
            && !phrase.relations.iter().any(|r| matches!(r.node, Relation::Of(_)));
        let set = if plain || set == Set::Role(Role::This) { fold::both(vec![Set::Of(Who::Me), set]) } else { set };
        Some((set, chooser))
    }

    fn cubes(&mut self, phrase: Option<&SetPhrase>, span: Span, env: &Env) -> Option<(Set, Chooser)> {
        if !self.pieces.iter().any(|p| p.faces.is_some()) {
            self.error(
                "not-a-cube",
                span,
                "there is no cube that could turn",
                "declare one with `cube NAME { … }`, as `rulebook explain E0315` shows; pieces on a ladder turn with `rotate`",
            );
            return None;
        }
        match phrase {
            Some(phrase) => self.chosen(phrase, env),
            None => {
                let kinds =
                    (0..self.kinds.len()).filter(|&k| self.kinds[k].orientation.is_some()).map(|k| k as u8).collect();
                Some((Set::Intersect(vec![Set::Of(Who::Me), Set::Kinds(kinds)]), Chooser::Any))
            }
        }
    }

    /// The sides to which a cube may be tipped, each with its condition.
    fn tips(&mut self, dirs: &Dirs, env: &Env) -> Option<Vec<(Cond, Side)>> {
        let mut out = Vec::new();
        for part in &dirs.parts {
            match part {
                Dir::Word(word) if self.defines.contains_key(&word.node) => {
                    let (define, mut inner) = self.enter(word, env)?;
                    inner.params.clear();
                    match &define.body {
                        DefineBody::Directions(dirs) => out.extend(self.tips(dirs, &inner)?),
                        DefineBody::Cond(cond) if super::expr::cond_word(cond).is_some() => {
                            let word = super::expr::cond_word(cond)?;
                            let dirs = Dirs { span: word.span, parts: vec![Dir::Word(word)] };
                            out.extend(self.tips(&dirs, &inner)?);
                        }
                        DefineBody::Cond(_) | DefineBody::Number(_) => {
                            self.push(
                                Diagnostic::error(
                                    "unknown-direction",
                                    format!("`{}` does not stand for directions", word.node),
                                    word.span,
                                )
                                .label(define.name.span, "defined here")
                                .help("write for example `define gaze = opposite samurai on my Samurai`"),
                            );
                            return None;
                        }
                    }
                }
                Dir::Word(word) => {
                    out.extend(self.sides_of(word)?.into_iter().map(|s| (Cond::Const(true), s)));
                }
                Dir::Shown { opposite, mark, on, .. } => {
                    self.cube_mark(mark)?;
                    let on = self.set(on, env)?;
                    for side in [Side::Front, Side::Left, Side::Right, Side::Back] {
                        let at = if *opposite { cube::opposite(side) } else { side };
                        let kinds = self.showing_at(&mark.node, &[at]);
                        if !kinds.is_empty() {
                            out.push((Cond::Within(on.clone(), Set::Kinds(kinds)), side));
                        }
                    }
                }
            }
        }
        Some(out)
    }

    fn cubes_named(&self, means: &Means) -> bool {
        let cubes: Vec<TypeId> =
            (0..self.pieces.len()).filter(|&t| self.pieces[t].faces.is_some()).map(|t| t as TypeId).collect();
        self.named(&cubes, means)
    }

    /// Whether a player can have two pieces of these types at once.
    fn named(&self, types: &[TypeId], means: &Means) -> bool {
        let several = |t: &TypeId| means.several.get(*t as usize).copied().unwrap_or(true);
        types.len() > 1 || types.iter().any(several)
    }
}

/// The acts of a choice, done with the same piece as the step before.
fn same_piece(choice: Choice) -> Choice {
    match choice {
        Choice::Do(Act::Play { verb, types, .. }, then) => {
            Choice::Do(Act::Play { verb, types, chooser: Chooser::Same }, then)
        }
        Choice::Do(Act::Rotate { set, ways, named, .. }, then) => {
            Choice::Do(Act::Rotate { set, chooser: Chooser::Same, ways, named }, then)
        }
        Choice::Do(act @ (Act::Choose { .. } | Act::Pass | Act::SwapSides), then) => Choice::Do(act, then),
        Choice::Or(parts) => Choice::Or(parts.into_iter().map(same_piece).collect()),
        Choice::OrElse(parts) => Choice::OrElse(parts.into_iter().map(same_piece).collect()),
        Choice::Cases(cases) => Choice::Cases(cases.into_iter().map(|(c, a)| (c, same_piece(a))).collect()),
        Choice::Again(a, rest) => Choice::Again(Box::new(same_piece(*a)), rest),
        Choice::End => Choice::End,
        Choice::Goto(state) => Choice::Goto(state),
    }
}

/// Gives the end a state, and drops states that nothing reaches.
fn finish(graph: Graph) -> Turn {
    let mut states = graph.states;
    states.push(Choice::End);
    let end = (states.len() - 1) as u16;
    let mut reached = vec![false; states.len()];
    let mut todo = vec![0];
    while let Some(s) = todo.pop() {
        if std::mem::replace(&mut reached[s as usize], true) {
            continue;
        }
        targets(&mut states[s as usize], &mut |to| {
            if *to == END {
                *to = end;
            }
            todo.push(*to);
        });
    }
    let mut number = vec![0; states.len()];
    let mut kept = Vec::new();
    for (s, state) in states.into_iter().enumerate() {
        if reached[s] {
            number[s] = kept.len() as u16;
            kept.push(state);
        }
    }
    for state in &mut kept {
        targets(state, &mut |to| *to = number[*to as usize]);
    }
    Turn { states: kept }
}

fn targets(choice: &mut Choice, f: &mut dyn FnMut(&mut u16)) {
    match choice {
        Choice::End => {}
        Choice::Do(_, to) | Choice::Goto(to) => f(to),
        Choice::Or(parts) | Choice::OrElse(parts) => parts.iter_mut().for_each(|p| targets(p, f)),
        Choice::Cases(cases) => cases.iter_mut().for_each(|(_, c)| targets(c, f)),
        Choice::Again(a, b) => {
            targets(a, f);
            targets(b, f);
        }
    }
}
