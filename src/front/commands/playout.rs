//! `rulebook playout`.

use crate::base::words;
use crate::engine::Random;
use crate::front::cli::PlayoutArgs;
use crate::front::json::{Playouts, Spread, Tally};
use crate::front::loading;
use crate::front::output::{Failure, Out};
use crate::search::derive;
use crate::session::describe;
use std::time::Instant;

/// Plays random games and tells how they end.
pub fn run(out: &mut Out, args: &PlayoutArgs) -> Result<bool, Failure> {
    let loaded = loading::load(out, &args.game.game, &args.game.set.set)?;
    let game = loaded.game(out)?;
    let (mut turns, mut steps) = (Vec::new(), Vec::new());
    let mut results: Vec<Tally> = Vec::new();
    let mut unfinished = 0;
    let began = Instant::now();
    for number in 0..args.games {
        let mut rng = Random::new(derive(args.seed, u64::from(number)));
        let mut state = game.start();
        let playout = game.playout(&mut state, &mut rng, args.max_turns);
        turns.push(playout.turns);
        steps.push(playout.steps);
        match game.outcome(&state) {
            None => unfinished += 1,
            Some(outcome) => {
                let verdict = describe::verdict(&game, &outcome);
                match results.iter_mut().find(|t| t.verdict == verdict && t.reason == outcome.reason) {
                    Some(tally) => tally.count += 1,
                    None => results.push(Tally { verdict, reason: outcome.reason, count: 1 }),
                }
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    results.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| (&a.verdict, &a.reason).cmp(&(&b.verdict, &b.reason))));
    let speed = |counts: &[u32]| counts.iter().map(|n| f64::from(*n)).sum::<f64>() / seconds.max(1e-9);
    let answer = Playouts {
        game: loaded.title(),
        games: args.games,
        seed: args.seed,
        max_turns: args.max_turns,
        results,
        unfinished,
        turns_per_second: speed(&turns),
        steps_per_second: speed(&steps),
        turns: Spread::of(turns),
        steps: Spread::of(steps),
        seconds,
    };
    if args.output.json() {
        out.json(&answer)?;
        return Ok(true);
    }
    out.line(format!("{}: {}, seed {}", answer.game, words::count(args.games as usize, "random game"), args.seed))?;
    let share = |n: u32| f64::from(n) * 100.0 / f64::from(args.games);
    for tally in &answer.results {
        let reason = if tally.reason.is_empty() { String::new() } else { format!("  ({})", tally.reason) };
        out.line(format!("{:>7}  {:>5.1} %  {}{reason}", tally.count, share(tally.count), tally.verdict))?;
    }
    if unfinished > 0 {
        let line = format!("{unfinished:>7}  {:>5.1} %  not over after {} turns", share(unfinished), args.max_turns);
        out.line(line)?;
    }
    let spread = |name: &str, s: &Spread| {
        format!("{name} a game: {:.1} on average, {} to {}, median {}", s.mean, s.least, s.most, s.median)
    };
    out.line(spread("turns", &answer.turns))?;
    out.line(spread("steps", &answer.steps))?;
    out.error(format!(
        "{:.3} s, {:.0} turns a second, {:.0} games a second\n",
        seconds,
        answer.turns_per_second,
        f64::from(args.games) / seconds.max(1e-9)
    ));
    Ok(true)
}
