//! `rulebook play`: a game at the prompt.

use super::cli::{Opponent, PlayArgs};
use super::loading::{self, Loaded};
use super::output::{Failure, Out, told};
use super::prompt::{self, Assistant, Line};
use crate::base::words;
use crate::engine::{Deed, Game};
use crate::ir::Seat;
use crate::search::{DEFAULT_NODES, derive};
use crate::session::draw::{self, Look};
use crate::session::{Command, Event, Match, Player, Saved, Waiting, describe};
use anstyle::{AnsiColor, Style};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{CompletionType, Config, Editor};
use std::io::IsTerminal;
use std::path::Path;

/// A match at a table: where its rules come from, and how it talks.
struct Table<'o> {
    out: &'o mut Out,
    loaded: Loaded,
    current: Match,
    nodes: u32,
    /// Whether somebody types; otherwise lines come from a file or a pipe and are echoed.
    typed: bool,
}

/// Plays until `quit` or the end of input.
pub fn run(out: &mut Out, args: &PlayArgs) -> Result<bool, Failure> {
    let (loaded, current) = match (&args.load, &args.game) {
        (Some(file), _) => open(out, file)?,
        (None, Some(game)) => begin(out, args, game)?,
        (None, None) => return Err(Failure::usage("say which game to play; `rulebook list` tells them")),
    };
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(true)
        .color_mode(if out.color { rustyline::ColorMode::Enabled } else { rustyline::ColorMode::Disabled })
        .build();
    let mut editor: Editor<Assistant, MemHistory> = Editor::with_history(config, MemHistory::new())
        .map_err(|e| Failure::usage(format!("no prompt is possible: {e}")))?;
    editor.set_helper(Some(Assistant::default()));
    let typed = std::io::stdin().is_terminal();
    let mut table = Table { out, loaded, current, nodes: args.nodes, typed };
    table.welcome()?;
    loop {
        table.run_machines()?;
        if let Some(assistant) = editor.helper_mut() {
            table.teach(assistant);
        }
        let prompt = table.prompt();
        table.out.flush()?;
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                table.out.line("`quit` leaves the game")?;
                continue;
            }
            Err(ReadlineError::Eof) => {
                table.out.line("")?;
                table.out.line("end of input, goodbye")?;
                return Ok(true);
            }
            Err(ReadlineError::Io(e)) if e.kind() == std::io::ErrorKind::InvalidData => {
                table.out.error("that is not text in UTF-8; type `help` for what can be typed\n");
                continue;
            }
            Err(ReadlineError::Io(e)) => return Err(e.into()),
            Err(e) => return Err(Failure::usage(format!("the prompt failed: {e}"))),
        };
        if !table.typed {
            table.out.line(format!("{prompt}{line}"))?;
        }
        if !table.obey(prompt::parse(&line))? {
            table.out.line("goodbye")?;
            return Ok(true);
        }
    }
}

fn begin(out: &mut Out, args: &PlayArgs, name: &str) -> Result<(Loaded, Match), Failure> {
    let loaded = loading::load(out, name, &args.set.set)?;
    let game = loaded.game(out)?;
    let me = match &args.side {
        None => 0,
        Some(side) => seat_of(&game, side)?,
    };
    let other = match args.against {
        Opponent::Human => Player::Human,
        Opponent::Random => Player::Random,
        Opponent::Computer => Player::Computer { nodes: args.nodes },
    };
    let players =
        (0..game.rules().seats.len()).map(|seat| if seat == me as usize { Player::Human } else { other }).collect();
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let current = match &args.position {
        None => Match::new(game, players, seed),
        Some(text) => {
            let state = loading::start(&game, Some(text))?;
            Match::from_position(game, players, seed, state)
        }
    };
    Ok((loaded, current))
}

/// Some number that is another one each time, short enough to be typed.
fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    derive(now.map_or(0, |now| now.as_nanos() as u64), 0) % 1_000_000
}

fn seat_of(game: &Game, name: &str) -> Result<Seat, Failure> {
    let seats = &game.rules().seats;
    let found = seats.iter().position(|s| s.name.eq_ignore_ascii_case(name) || s.letter.eq_ignore_ascii_case(name));
    found.map(|i| i as Seat).ok_or_else(|| {
        let names: Vec<&str> = seats.iter().map(|s| s.name.as_str()).collect();
        Failure::usage(format!("`{name}` is no player of this game"))
            .help(format!("it is played by {}", words::all_of(&names)))
    })
}

/// Opens a saved game.
fn open(out: &mut Out, file: &Path) -> Result<(Loaded, Match), Failure> {
    let shown = file.display();
    let text =
        crate::front::loading::read_text(file).map_err(|e| Failure::usage(format!("cannot read `{shown}`: {e}")))?;
    let saved = Saved::parse(&text).map_err(|e| Failure::wrong(format!("`{shown}`, {e}")))?;
    let mut name = saved.game.clone();
    for variant in &saved.variants {
        name.push('+');
        name.push_str(variant);
    }
    let loaded = loading::load(out, &name, &saved.options)?;
    let game = loaded.game(out)?;
    let current = saved.replay(game).map_err(|e| Failure::wrong(format!("`{shown}`, {e}")))?;
    Ok((loaded, current))
}

impl Table<'_> {
    fn welcome(&mut self) -> Result<(), Failure> {
        let title = self.out.paint(Style::new().bold(), &self.loaded.title());
        self.out.line(format!("{title}, seed {}", self.current.seed()))?;
        let seats = self.current.game().rules().seats.len();
        let who: Vec<String> = (0..seats as Seat)
            .map(|person| {
                let player = match self.current.player(person) {
                    Player::Human => "you".to_owned(),
                    Player::Computer { nodes } => format!("the computer ({nodes} nodes)"),
                    Player::Random => "a random player".to_owned(),
                };
                format!("{}: {player}", self.current.person_name(person))
            })
            .collect();
        self.out.line(who.join(", "))?;
        self.out.line("type a move, or `help`")?;
        // A machine that begins shows the board when it has played.
        match self.current.waiting() {
            Waiting::Machine(_) | Waiting::Chance => Ok(()),
            Waiting::Human(_) | Waiting::Nobody => self.board(),
        }
    }

    fn board(&mut self) -> Result<(), Failure> {
        let look = Look { color: self.out.color, marked: self.current.last_cells() };
        self.out.line("")?;
        self.out.print(draw::position(self.current.game(), self.current.state(), &look))?;
        self.out.line("")?;
        self.status()
    }

    fn status(&mut self) -> Result<(), Failure> {
        let line = match self.current.outcome() {
            Some(outcome) => format!("game over: {}", describe::result(self.current.game(), &outcome)),
            None => describe::status(self.current.game(), self.current.state(), &self.current.turn_so_far()),
        };
        self.out.line(line)?;
        Ok(())
    }

    fn prompt(&self) -> String {
        let game = self.current.game();
        match self.current.waiting() {
            Waiting::Nobody => "(over)> ".to_owned(),
            Waiting::Human(seat) | Waiting::Machine(seat) => format!("{}> ", describe::seat_name(game, seat)),
            Waiting::Chance => "> ".to_owned(),
        }
    }

    /// Tells the completion what may be typed now.
    fn teach(&self, assistant: &mut Assistant) {
        const TOO_MANY: usize = 2000;
        let (game, state) = (self.current.game(), self.current.state());
        assistant.moves.clear();
        assistant.cells.clear();
        if !self.typed || self.current.waiting() == Waiting::Nobody {
            return;
        }
        let steps = game.steps(state);
        assistant.moves = steps.iter().map(|step| game.step_text(*step)).collect();
        let cells = steps.iter().filter_map(|step| step.deed.source().or(step.deed.target()));
        assistant.cells = cells.map(|cell| game.rules().cell_name(cell).to_owned()).collect();
        // Whole turns are listed only where there are not too many.
        if steps.len() * steps.len() <= TOO_MANY {
            let turns = game.turns_within(state, TOO_MANY).unwrap_or_default();
            assistant.moves.extend(turns.iter().map(|turn| game.turn_text(turn)));
        }
        for list in [&mut assistant.moves, &mut assistant.cells] {
            list.sort();
            list.dedup();
        }
    }

    /// Lets chance and machines play until a human must decide or the game is over.
    fn run_machines(&mut self) -> Result<(), Failure> {
        while matches!(self.current.waiting(), Waiting::Machine(_) | Waiting::Chance) {
            self.out.flush()?;
            let events = self.current.submit(Command::Continue);
            let stuck = events.iter().any(|event| matches!(event, Event::Impossible(_)));
            self.tell(&events, true)?;
            if stuck {
                return Err(Failure::wrong("the game cannot go on: nothing can be decided"));
            }
        }
        Ok(())
    }

    /// Does what a line says. Gives whether the game goes on.
    fn obey(&mut self, line: Line) -> Result<bool, Failure> {
        match line {
            Line::Empty => {}
            Line::Quit => return Ok(false),
            Line::Help => self.help()?,
            Line::Moves(cell) => self.moves(cell.as_deref())?,
            Line::Undo => self.submit(Command::Undo)?,
            Line::Hint => {
                let nodes = self.nodes.max(DEFAULT_NODES);
                self.submit(Command::Hint { nodes })?;
            }
            Line::Save(file) => self.save(&file)?,
            Line::Load(file) => self.load(&file)?,
            Line::Position => {
                let text = self.current.game().position(self.current.state());
                self.out.line(text)?;
            }
            Line::Board => self.board()?,
            Line::Resign => self.submit(Command::Resign)?,
            Line::Lacking(what) => self.complain(what, None)?,
            Line::Move(text) => self.submit(Command::Play(text))?,
        }
        Ok(true)
    }

    fn submit(&mut self, command: Command) -> Result<(), Failure> {
        let events = self.current.submit(command);
        self.tell(&events, false)
    }

    /// Says something in the voice of errors, in the flow of the game.
    fn complain(&mut self, message: &str, help: Option<&str>) -> Result<(), Failure> {
        let text = told(self.out.color, message, help);
        Ok(self.out.print(text)?)
    }

    fn tell(&mut self, events: &[Event], machine: bool) -> Result<(), Failure> {
        let mut changed = false;
        for event in events {
            match event {
                Event::Stepped { .. } => changed = changed || !machine,
                Event::Chance { cell, kind, .. } => {
                    let game = self.current.game();
                    let line = format!(
                        "the die on {} turns up {}",
                        game.rules().cell_name(*cell),
                        describe::kind_name(game, *kind)
                    );
                    self.out.line(line)?;
                    changed = true;
                }
                Event::Turn { seat, text, .. } => {
                    let name = describe::seat_name(self.current.game(), *seat).to_owned();
                    let color = if self.out.color { draw::seat_style(Some(*seat)) } else { Style::new() };
                    let name = self.out.paint(color, &name);
                    self.out.line(format!("{name} plays {text}"))?;
                    changed = true;
                }
                Event::Over(_) => changed = true,
                Event::Refused { text, refusal } => {
                    let help = refusal.nearest.as_ref().map(|near| format!("did you mean `{near}`?"));
                    self.complain(&format!("`{text}` cannot be played: {}", refusal.reason), help.as_deref())?;
                }
                Event::TakenBack { text } => {
                    self.out.line(format!("taken back: {text}"))?;
                    changed = true;
                }
                Event::Hint { text, value } => {
                    let text = self.out.paint(Style::new().bold().fg_color(Some(AnsiColor::BrightGreen.into())), text);
                    self.out.line(format!("hint: {text} (chances {:.0} %)", value * 100.0))?;
                }
                Event::Impossible(why) => self.complain(why, None)?,
            }
        }
        // Between a machine's steps nobody needs a board.
        let busy = matches!(self.current.waiting(), Waiting::Machine(_) | Waiting::Chance);
        if changed && !busy {
            self.board()?;
            if events.iter().any(|event| matches!(event, Event::Over(_))) {
                self.out.line("`undo`, `save FILE` or `quit`?")?;
            }
        }
        Ok(())
    }

    fn help(&mut self) -> Result<(), Failure> {
        self.out.line(
            "a move is typed as `moves` lists it; the steps of a turn are joined by commas or typed one by one",
        )?;
        for (usage, what) in prompt::COMMANDS {
            self.out.line(format!("  {usage:<14} {what}"))?;
        }
        Ok(())
    }

    fn moves(&mut self, cell: Option<&str>) -> Result<(), Failure> {
        const SHOWN: usize = 300;
        let (game, state) = (self.current.game(), self.current.state());
        if self.current.waiting() == Waiting::Nobody {
            return self.complain("the game is over; `undo` takes the last move back", None);
        }
        let mut steps = game.steps(state);
        if let Some(name) = cell {
            let Some(cell) = game.rules().board.cell(name) else {
                return self.complain(&format!("`{name}` is no cell of this board"), None);
            };
            steps.retain(|step| match step.deed {
                Deed::Move { from, .. } => from == cell,
                _ => step.deed.source().or(step.deed.target()) == Some(cell),
            });
        }
        let texts: Vec<String> = steps.iter().map(|step| game.step_text(*step)).collect();
        if texts.is_empty() {
            self.out.line("none")?;
            return Ok(());
        }
        let mut text = texts.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(" ");
        if texts.len() > SHOWN {
            text.push_str(&format!(" and {} more", texts.len() - SHOWN));
        }
        self.out.line(text)?;
        Ok(())
    }

    fn save(&mut self, file: &str) -> Result<(), Failure> {
        let selection = &self.loaded.selection;
        let text = self.current.save(&self.loaded.name, &selection.variants, &selection.options);
        match std::fs::write(file, text) {
            Ok(()) => Ok(self.out.line(format!("saved as `{file}`"))?),
            Err(e) => self.complain(&format!("cannot write `{file}`: {e}"), None),
        }
    }

    fn load(&mut self, file: &str) -> Result<(), Failure> {
        match open(self.out, Path::new(file)) {
            Ok((loaded, current)) => {
                self.loaded = loaded;
                self.current = current;
                self.welcome()
            }
            Err(Failure::Told { message, help, .. }) => self.complain(&message, help.as_deref()),
            Err(Failure::Reported) => self.complain("the rules of that game have errors", None),
            Err(Failure::Io(e)) => Err(e.into()),
        }
    }
}
