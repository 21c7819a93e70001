//! `rulebook check --play`: random games of every choice that a definition offers.

use crate::base::{Diagnostic, words};
use crate::check::{Definition, Selection};
use crate::engine::Game;
use crate::front::json::{Share, Spread, Tried, TriedResult};
use crate::front::output::{Failure, Out};
use crate::search::derive;
use crate::session::describe;
use crate::testing::trial::{self, Played, Trial, Verdicts};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many choices of a definition are tried at most.
const MAX_CHOICES: usize = 40;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Games of each choice.
    pub games: u32,
    /// The seed of all.
    pub seed: u64,
    /// Turns after which a game is broken off.
    pub max_turns: u32,
}

/// Plays, and gives what was found and how the games of each choice went.
pub fn run(out: &mut Out, file: &str, definition: &Definition, plan: Plan) -> (Vec<Diagnostic>, Vec<Tried>) {
    let (choices, all) = trial::choices(definition, MAX_CHOICES);
    if all > choices.len() {
        out.error(format!("{file}: {} of {all} choices are played\n", choices.len()));
    }
    let shows = std::io::stderr().is_terminal();
    let (mut verdicts, mut tried, mut endless) = (Verdicts::new(), Vec::new(), Vec::new());
    let mut games = 0;
    let mut at_once = None;
    for (number, choice) in choices.iter().enumerate() {
        if shows {
            out.error(format!("\r\x1b[K{file}: {} of {} choices", number + 1, choices.len()));
        }
        let Ok(compiled) = definition.compile(choice) else { continue };
        let Ok(trial) = Trial::new(compiled) else { continue };
        let seed = derive(plan.seed, number as u64);
        let played = play(&trial, seed, plan);
        games += played.len();
        trial.judge(&played, &mut verdicts);
        if let Some(game) = played.iter().position(|p| p.reason.is_none()) {
            let broken = played.iter().filter(|p| p.reason.is_none()).count();
            endless.push((broken, command(file, choice, derive(seed, game as u64), plan.max_turns)));
        }
        if played.iter().all(|p| p.turns <= 1 && p.reason.is_some()) {
            at_once = at_once.or_else(|| played.first().and_then(|p| p.reason.clone()));
        }
        tried.push(summary(trial.game(), choice, &played));
    }
    if shows {
        out.error("\r\x1b[K");
    }
    let mut findings = trial::findings(&verdicts, definition, games);
    if let (Some(own), false) = (definition.files().last(), endless.is_empty()) {
        let broken: usize = endless.iter().map(|(n, _)| n).sum();
        let message = format!(
            "{} of {} not over after {} turns",
            broken,
            if games == 1 { "1 random game was".to_owned() } else { format!("{games} random games were") },
            plan.max_turns
        );
        let mut finding = Diagnostic::warning("endless", message, own.name.span);
        for (_, command) in endless.iter().take(3) {
            finding = finding.note(format!("one of them is played by `{command}`"));
        }
        findings.push(
            finding.help("add a limit, as in `draw when position occurs 3 times` or `draw when turn number = 500`"),
        );
    }
    if let (Some(own), Some(reason)) = (definition.files().last(), at_once) {
        let message = format!("every random game was over after its first turn: {reason}");
        let help = "that holds from the start on; say what must have happened before, or begin with more on the board";
        findings.push(Diagnostic::warning("at-once", message, own.name.span).help(help));
    }
    findings.sort_by_key(|d| (d.span(), d.severity));
    (findings, tried)
}

/// The games of one choice in their order, on as many threads as there are processors.
fn play(trial: &Trial, seed: u64, plan: Plan) -> Vec<Played> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(plan.games as usize);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games as usize {
                return done;
            }
            // The seed that makes this game the first of `rulebook playout --seed`.
            let seed = derive(derive(seed, number as u64), 0);
            done.push((number, trial.play(seed, plan.max_turns)));
        }
    };
    let mut games: Vec<(usize, Played)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        // A thread that panics takes the program with it, as without threads.
        handles.into_iter().flat_map(|h| h.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    });
    games.sort_by_key(|(number, _)| *number);
    games.into_iter().map(|(_, game)| game).collect()
}

/// The command that plays a game again.
fn command(file: &str, choice: &Selection, seed: u64, max_turns: u32) -> String {
    let variants: String = choice
        .variants
        .iter()
        .map(|v| format!("+{}", v.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join("-")))
        .collect();
    let options: String = choice.options.iter().map(|(name, value)| format!(" --set {name}={value}")).collect();
    format!("rulebook playout {file}{variants}{options} --games 1 --seed {seed} --max-turns {max_turns}")
}

fn summary(game: &Game, choice: &Selection, played: &[Played]) -> Tried {
    let mut results: Vec<TriedResult> = Vec::new();
    for one in played {
        let Some(reason) = &one.reason else { continue };
        let winner = one.winner.map(|seat| describe::seat_name(game, seat).to_owned());
        match results.iter_mut().find(|r| r.winner == winner && r.reason == *reason) {
            Some(result) => result.count += 1,
            None => results.push(TriedResult { winner, reason: reason.clone(), count: 1 }),
        }
    }
    results.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (&a.winner, &a.reason).cmp(&(&b.winner, &b.reason))));
    let total = played.len() as u32;
    let wins = (0..game.rules().seats.len()).map(|seat| {
        let count = played.iter().filter(|p| p.winner == Some(seat as u8)).count() as u32;
        let (low, high) = interval(count, total);
        Share { player: game.rules().seats[seat].name.clone(), count, low, high }
    });
    let (choices, offered) = played.iter().fold((0, 0), |(n, all), p| (n + p.choices.0, all + p.choices.1));
    Tried {
        variants: choice.variants.clone(),
        options: choice.options.iter().cloned().collect(),
        games: total,
        unfinished: played.iter().filter(|p| p.reason.is_none()).count() as u32,
        wins: wins.collect(),
        results,
        turns: Spread::of(played.iter().map(|p| p.turns).collect()),
        branching: (choices > 0).then(|| offered as f64 / choices as f64),
    }
}

/// Between which shares the true one lies with a probability of 95 %, by Wilson's formula.
fn interval(count: u32, total: u32) -> (f64, f64) {
    let (n, z) = (f64::from(total), 1.959_964);
    let share = f64::from(count) / n;
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + z * z / n;
    (((middle - spread) / whole).max(0.0), ((middle + spread) / whole).min(1.0))
}

/// How the games went, to read.
pub fn tell(out: &mut Out, file: &str, tried: &[Tried]) -> Result<(), Failure> {
    for choice in tried {
        let chosen = choice.variants.iter().cloned().chain(choice.options.iter().map(|(n, v)| format!("{n} = {v}")));
        let chosen: Vec<String> = chosen.collect();
        let with = if chosen.is_empty() { String::new() } else { format!(" with {}", words::all_of(&chosen)) };
        out.line(format!("{file}{with}: {}", words::count(choice.games as usize, "random game")))?;
        let share = |n: u32| f64::from(n) * 100.0 / f64::from(choice.games);
        for result in &choice.results {
            let verdict = result.winner.as_ref().map_or("draw".to_owned(), |w| format!("{w} wins"));
            let reason = if result.reason.is_empty() { String::new() } else { format!("  ({})", result.reason) };
            out.line(format!("{:>7}  {:>5.1} %  {verdict}{reason}", result.count, share(result.count)))?;
        }
        if choice.unfinished > 0 {
            out.line(format!("{:>7}  {:>5.1} %  not over", choice.unfinished, share(choice.unfinished)))?;
        }
        let wins = choice.wins.iter().map(|w| {
            let (low, high) = (w.low * 100.0, w.high * 100.0);
            format!("{} {:.1} % ({low:.1} to {high:.1})", w.player, share(w.count))
        });
        out.line(format!("wins: {}", wins.collect::<Vec<_>>().join(", ")))?;
        let s = &choice.turns;
        let branching = choice.branching.map_or(String::new(), |b| format!("; {b:.1} steps to choose from"));
        out.line(format!("turns a game: {:.1} on average, {} to {}{branching}", s.mean, s.least, s.most))?;
        out.line("")?;
    }
    Ok(())
}
