//! Random games, watched: which rules of a definition are ever used, and how its games go.
//!
//! A trial plays one game of a definition, with the variants and options chosen, twice. Once as the engine plays fastest, to see
//! how it ends. Once step by step, to see what is used: there the rules have a counter more for each block of effects, which
//! the block sets when it has something to do.

use crate::base::{Code, Diagnostic, Span};
use crate::check::{Compiled, Definition, Selection};
use crate::engine::{Deed, Game, Random, Unplayable};
use crate::ir::expr::{Cond, Num, Set, Who};
use crate::ir::piece::Generator;
use crate::ir::rule::{Change, Counter, Effect};
use crate::ir::turn::{Act, Verb};
use crate::ir::visit::Node;
use crate::ir::{self, Seat};
use std::collections::BTreeMap;

/// Positions in which a prohibition is asked for what it prevents, in one game.
const MAX_ASKED: usize = 40;
/// Turns that are listed to see whether one is prevented.
const MAX_TURNS: usize = 400;

/// Something of the rules that may be used in a game.
struct Thing {
    code: Code,
    span: Span,
    message: String,
    what: What,
}

enum What {
    /// A piece of the type stands on the board.
    Stands(u8),
    /// A piece of the type moves, or is dropped or turned.
    Acts(u8),
    Clause(u16),
    /// A piece of the type is promoted.
    Promotes(u8),
    /// A block has something to do: the counter that it sets.
    Block(u16),
    /// A prohibition prevents something: without it, the game is this one.
    Forbids(Box<Option<Game>>),
    Result(usize),
    Act(Act),
}

/// A definition, chosen and ready to be tried.
pub struct Trial {
    game: Game,
    /// The same rules, with counters; none if the engine has no room for them.
    watched: Option<Game>,
    things: Vec<Thing>,
}

/// How one game went.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The text of the rule that ended it; none if it was not over in time.
    pub reason: Option<String>,
    /// Who won, if somebody did.
    pub winner: Option<Seat>,
    /// Turns played.
    pub turns: u32,
    /// Choices made in the game that was watched, and what there was to choose from in all.
    pub choices: (u64, u64),
    /// Which of the things of the trial were used.
    used: Vec<bool>,
}

impl Trial {
    /// Prepares a game.
    ///
    /// # Errors
    /// The engine cannot play it.
    pub fn new(compiled: Compiled) -> Result<Trial, Unplayable> {
        let mut things = things(&compiled);
        let mut rules = compiled.game;
        let game = Game::new(rules.clone())?;
        for (i, thing) in things.iter_mut().filter(|t| matches!(t.what, What::Forbids(_))).enumerate() {
            let mut without = rules.clone();
            let forbid = without.forbids.remove(i);
            // What happened before is not part of a position's text.
            let past =
                Node::Cond(&forbid.cond).any(&mut |n| matches!(n, Node::Cond(Cond::Occurs { .. } | Cond::AllPass)));
            thing.what = What::Forbids(Box::new(if past { None } else { Game::new(without).ok() }));
        }
        count_blocks(&mut rules);
        Ok(Trial { game, watched: Game::new(rules).ok(), things })
    }

    /// The game that is tried.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plays a game of at most so many turns. The same seed gives the same game.
    pub fn play(&self, seed: u64, max_turns: u32) -> Played {
        let mut state = self.game.start();
        let playout = self.game.playout(&mut state, &mut Random::new(seed), max_turns);
        let outcome = self.game.outcome(&state);
        let mut played = Played { turns: playout.turns, used: vec![false; self.things.len()], ..Played::default() };
        if let Some(outcome) = outcome {
            played.winner = outcome.winner();
            played.reason = Some(outcome.reason);
        }
        match &self.watched {
            Some(watched) => self.watch(watched, seed, max_turns, &mut played),
            // Of what is not watched nothing can be said.
            None => played.used.fill(true),
        }
        let results = &self.game.rules().results;
        for (thing, used) in self.things.iter().zip(&mut played.used) {
            if let What::Result(i) = thing.what {
                *used |= played.reason.as_ref() == Some(&results[i].text);
            }
        }
        played
    }

    /// Plays step by step, and notes what is used.
    fn watch(&self, game: &Game, seed: u64, max_turns: u32, played: &mut Played) {
        let mut rng = Random::new(seed);
        let mut state = game.start();
        let mut asked = 0;
        let mut turns = 0;
        while turns < max_turns {
            let steps = game.steps(&state);
            if steps.is_empty() {
                break;
            }
            if !game.within_turn(&state) {
                turns += 1;
                self.look(game, &state, &mut asked, played);
            }
            let step = steps[rng.below(steps.len() as u32) as usize];
            if !matches!(step.deed, Deed::Roll { .. }) {
                played.choices.0 += 1;
                played.choices.1 += steps.len() as u64;
            }
            let deed = game.deed(&state, step);
            for (thing, used) in self.things.iter().zip(&mut played.used) {
                *used |= thing.used_by(game.rules(), &deed);
            }
            game.play(&mut state, step);
        }
        self.look(game, &state, &mut asked, played);
        if let Some(outcome) = game.outcome(&state) {
            let results = &game.rules().results;
            for (thing, used) in self.things.iter().zip(&mut played.used) {
                *used |= matches!(thing.what, What::Result(i) if results[i].text == outcome.reason);
            }
        }
    }

    /// Looks at a position at the start of a turn.
    fn look(&self, game: &Game, state: &crate::engine::State, asked: &mut usize, played: &mut Played) {
        let open = |used: &[bool], wanted: fn(&What) -> bool| {
            self.things.iter().zip(used).any(|(t, used)| !used && wanted(&t.what))
        };
        if open(&played.used, |w| matches!(w, What::Stands(_))) {
            let rules = game.rules();
            let mut there = vec![false; rules.types.len()];
            for cell in 0..rules.board.cells.len() {
                if let Some((_, kind)) = game.piece(state, cell as ir::Cell) {
                    there[rules.kinds[kind as usize].piece as usize] = true;
                }
            }
            for (thing, used) in self.things.iter().zip(&mut played.used) {
                *used |= matches!(thing.what, What::Stands(t) if there[t as usize]);
            }
        }
        for (thing, used) in self.things.iter().zip(&mut played.used).filter(|(_, used)| !**used) {
            if let What::Block(counter) = thing.what {
                *used = game.counter(state, counter as usize, 0) != 0;
            }
        }
        if *asked < MAX_ASKED && open(&played.used, |w| matches!(w, What::Forbids(_))) {
            *asked += 1;
            self.ask(game, state, played);
        }
    }

    /// Asks each prohibition whether there would be other turns without it.
    fn ask(&self, game: &Game, state: &crate::engine::State, played: &mut Played) {
        let text = self.plain_position(game, state);
        let several = game.rules().turn.states.len() > 2;
        let count = |game: &Game, state: &crate::engine::State| match several {
            true => game.turns_within(state, MAX_TURNS).map(|t| t.len()),
            false => Some(game.steps(state).len()),
        };
        let with = count(game, state);
        for (thing, used) in self.things.iter().zip(&mut played.used).filter(|(_, used)| !**used) {
            let What::Forbids(without) = &thing.what else { continue };
            // A prohibition that the engine cannot play without, or whose position cannot be written, is not judged.
            *used = match without.as_ref().as_ref().map(|other| (other, other.read_position(&text))) {
                Some((other, Ok(state))) => count(other, &state) != with,
                Some((_, Err(_))) | None => true,
            };
        }
    }

    /// The position as the rules without counters of ours write it.
    fn plain_position(&self, game: &Game, state: &crate::engine::State) -> String {
        let text = game.position(state);
        let words = text.split(' ').filter(|w| !w.starts_with(COUNTER));
        words.collect::<Vec<_>>().join(" ")
    }

    /// What none of these games used, by place; and what one did use, so that other trials of the definition cannot blame it.
    pub fn judge(&self, games: &[Played], verdicts: &mut Verdicts) {
        for (i, thing) in self.things.iter().enumerate() {
            let used = games.iter().any(|g| g.used[i]);
            let entry = verdicts.entry((thing.span, thing.code)).or_insert_with(|| Some(thing.message.clone()));
            if used {
                *entry = None;
            }
        }
    }
}

/// For each place and kind what is to be said of it; nothing if it was used.
pub type Verdicts = BTreeMap<(Span, Code), Option<String>>;

/// The findings of all games: what was never used. Of a piece that never came nothing else is said.
pub fn findings(verdicts: &Verdicts, definition: &Definition, games: usize) -> Vec<Diagnostic> {
    let own = definition.files().last().map(|f| f.name.span.file);
    let idle = |span: Span| verdicts.get(&(span, "never-seen")).is_some_and(Option::is_some);
    let told =
        verdicts.iter().filter(|((span, code), _)| Some(span.file) == own && !(*code == "never-acted" && idle(*span)));
    told.filter_map(|((span, code), message)| {
        let message = format!("{} in {games} random games", message.as_ref()?);
        let help = "play more games (`--play`), or see whether the rule says what it should";
        Some(Diagnostic::warning(code, message, *span).help(help))
    })
    .collect()
}

/// The choices that are tried of a definition: at most so many, and how many there are.
pub fn choices(definition: &Definition, most: usize) -> (Vec<Selection>, usize) {
    let mut all = definition.selections();
    all.retain(|choice| definition.compile(choice).is_ok());
    let number = all.len();
    all.truncate(most);
    (all, number)
}

/// Begins the name of a counter of ours; no name of a definition does.
const COUNTER: &str = "·";

/// What may be used in games of a definition, with the prohibitions not yet taken out.
fn things(compiled: &Compiled) -> Vec<Thing> {
    let (game, places) = (&compiled.game, &compiled.places);
    let mut out = Vec::new();
    let mut add = |code, span, message: String, what| out.push(Thing { code, span, message, what });
    for (t, ty) in game.types.iter().enumerate() {
        let (span, name) = (places.types[t], &ty.name);
        add("never-seen", span, format!("`{name}` was never on the board"), What::Stands(t as u8));
        if !ty.clauses.is_empty() {
            add("never-acted", span, format!("`{name}` never moved"), What::Acts(t as u8));
        }
        for c in &ty.clauses {
            add("never-used", places.clauses[*c as usize], "this line was never used".to_owned(), What::Clause(*c));
        }
        for span in &places.promotions[t] {
            add("never-used", *span, "nothing was promoted by this".to_owned(), What::Promotes(t as u8));
        }
    }
    let first = game.counters.len();
    let blocks = places.afters.iter().chain(&places.reactions);
    for (i, span) in blocks.enumerate() {
        add("never-used", *span, "this block never had anything to do".to_owned(), What::Block((first + i) as u16));
    }
    for span in &places.forbids {
        add("never-used", *span, "this never prevented anything".to_owned(), What::Forbids(Box::new(None)));
    }
    for (i, span) in places.results.iter().enumerate() {
        add("never-used", *span, "no game ended by this".to_owned(), What::Result(i));
    }
    for (span, act) in &places.acts {
        add("never-used", *span, "this act was never done".to_owned(), What::Act(act.clone()));
    }
    out
}

/// Gives each block of effects, and each reaction, a counter that it sets when it has something to do.
fn count_blocks(game: &mut ir::Game) {
    let first = game.counters.len();
    let afters = game.afters.iter_mut().map(|a| &mut a.body);
    for (i, body) in afters.chain(game.reactions.iter_mut().map(|r| &mut r.body)).enumerate() {
        let set =
            Effect::Count { counter: (first + i) as u16, who: Who::Me, change: Change::Set, value: Num::Const(1) };
        body.push(match Cond::Any(body.iter().map(acts).collect()) {
            Cond::Any(parts) if parts.contains(&Cond::Const(true)) => set,
            cond => Effect::When(cond, vec![set], Vec::new()),
        });
        game.counters.push(Counter { name: format!("{COUNTER}{i}"), start: 0, each: false });
    }
}

/// Whether an effect has something to do.
fn acts(effect: &Effect) -> Cond {
    match effect {
        Effect::Capture(set)
        | Effect::Remove(set)
        | Effect::Flip(set)
        | Effect::Roll(set)
        | Effect::Remap(set, _)
        | Effect::Become(set, _)
        | Effect::Displace { set, .. } => Cond::Some(Set::Intersect(vec![set.clone(), Set::Pieces])),
        Effect::Mark(set, _) | Effect::Unmark(set, _) => Cond::Some(set.clone()),
        Effect::Count { .. } | Effect::Hand { .. } | Effect::EndTurn => Cond::Const(true),
        Effect::When(cond, yes, no) => {
            let any = |list: &[Effect]| Cond::Any(list.iter().map(acts).collect());
            let otherwise = Cond::Not(Box::new(cond.clone()));
            Cond::Any(vec![Cond::All(vec![cond.clone(), any(yes)]), Cond::All(vec![otherwise, any(no)])])
        }
    }
}

impl Thing {
    /// Whether a deed uses it.
    fn used_by(&self, rules: &ir::Game, deed: &Deed) -> bool {
        let of = |kind: u8| rules.kinds[kind as usize].piece;
        match (&self.what, *deed) {
            (What::Acts(t), Deed::Move { kind, .. } | Deed::Drop { kind, .. }) => of(kind) == *t,
            (What::Acts(t), Deed::Rotate { remap, .. }) => {
                let table = &rules.remaps[remap as usize].table;
                table.iter().enumerate().any(|(k, to)| to.is_some() && of(k as u8) == *t)
            }
            (What::Clause(c), Deed::Move { clause, .. } | Deed::Drop { clause, .. }) => clause == *c,
            (What::Promotes(t), Deed::Move { kind, promote: Some(_), .. }) => of(kind) == *t,
            (
                What::Act(Act::Play { verb, types, .. }),
                Deed::Move { clause, kind, .. } | Deed::Drop { clause, kind, .. },
            ) => {
                let fits = types.as_ref().is_none_or(|list| list.contains(&of(kind)));
                fits && is(&rules.clauses[clause as usize], verb)
            }
            (What::Act(Act::Rotate { ways, .. }), Deed::Rotate { remap, .. }) => ways.iter().any(|(_, r)| *r == remap),
            (What::Act(Act::Choose { effect, .. }), Deed::Choose { effect: done, .. }) => *effect == done,
            (What::Act(Act::Pass), Deed::Pass) | (What::Act(Act::SwapSides), Deed::Swap) => true,
            _ => false,
        }
    }
}

/// Whether a line may be such an act; whether a step captures is not told from its line.
fn is(clause: &ir::piece::Clause, verb: &Verb) -> bool {
    let drops = matches!(clause.generator, Generator::Drop { .. });
    let borrowed = matches!(clause.generator, Generator::Imitate { .. });
    match verb {
        Verb::Move | Verb::Capture => !drops,
        Verb::Drop => drops,
        Verb::Step => borrowed || matches!(clause.generator, Generator::Step { .. }),
        Verb::Slide => borrowed || matches!(clause.generator, Generator::Slide { .. }),
        Verb::Leap => borrowed || matches!(clause.generator, Generator::Leap { .. } | Generator::LeapAnywhere),
        Verb::Jump => borrowed || matches!(clause.generator, Generator::Hop { captures: true, .. }),
        Verb::Hop => borrowed || matches!(clause.generator, Generator::Hop { captures: false, .. }),
        Verb::Castle => matches!(clause.generator, Generator::Castle { .. }),
        Verb::Label(label) => clause.label == *label,
        Verb::Rotate | Verb::Remove | Verb::Flip | Verb::Pass | Verb::Swap | Verb::Fill => false,
    }
}
