//! `rulebook duel`.

use crate::base::words;
use crate::front::cli::DuelArgs;
use crate::front::json::Duel;
use crate::front::loading;
use crate::front::output::{Failure, Out};
use crate::search::duel::{Bout, Terms, bout};
use std::io::IsTerminal;
use std::time::Instant;

/// Lets the computer play against a random player.
pub fn run(out: &mut Out, args: &DuelArgs) -> Result<bool, Failure> {
    let loaded = loading::load(out, &args.game.game, &args.game.set.set)?;
    let game = loaded.game(out)?;
    let terms = Terms { nodes: args.nodes, seed: args.seed, max_turns: args.max_turns };
    let mut duel = Duel {
        game: loaded.title(),
        games: args.games,
        seed: args.seed,
        nodes: args.nodes,
        max_turns: args.max_turns,
        wins: 0,
        draws: 0,
        losses: 0,
        unfinished: 0,
        seconds: 0.0,
    };
    let began = Instant::now();
    let watched = std::io::stderr().is_terminal();
    for number in 0..args.games {
        match bout(&game, terms, number) {
            Bout::Win => duel.wins += 1,
            Bout::Draw => duel.draws += 1,
            Bout::Loss => duel.losses += 1,
            Bout::Unfinished => duel.unfinished += 1,
        }
        if watched {
            let end = if number + 1 == args.games { "\r\x1b[K" } else { "" };
            out.error(format!("\r\x1b[K{} of {}: {} won{end}", number + 1, args.games, duel.wins));
        }
    }
    duel.seconds = began.elapsed().as_secs_f64();
    if args.output.json() {
        out.json(&duel)?;
        return Ok(true);
    }
    out.line(format!(
        "{}: computer ({} nodes) against random, {}, seed {}",
        duel.game,
        args.nodes,
        words::count(args.games as usize, "game"),
        args.seed
    ))?;
    let mut line = format!("{} won, {} drawn, {} lost", duel.wins, duel.draws, duel.losses);
    if duel.unfinished > 0 {
        line.push_str(&format!(", {} not over after {} turns", duel.unfinished, args.max_turns));
    }
    out.line(line)?;
    out.error(format!("{:.1} s\n", duel.seconds));
    Ok(true)
}
