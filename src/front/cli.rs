//! The command line: its words, and which command does what.

use super::commands;
use super::output::{Failure, Out, color_of};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a board game's rules as text, check them, and play.
#[derive(Parser)]
#[command(name = "rulebook", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
}

const EXIT_CODES: &str = "GAME is the path of a definition or the name of a shipped game (`rulebook list`), with `+variant` \
any number of times, as in proteus+warhorses+polarity.\n\nExit codes: 0 all is well; 1 the answer is no (errors in a definition, a \
failing test, an illegal move); 2 the question could not be asked (a mistake on the command line, a file that cannot be read)";

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// If the output is a terminal and NO_COLOR is not set
    Auto,
    /// In any case
    Always,
    /// Not at all
    Never,
}

#[derive(Subcommand)]
enum Command {
    /// List the shipped games with their variants and options
    List(ListArgs),
    /// Play a game in the terminal
    Play(PlayArgs),
    /// Check definitions without playing them
    Check(CheckArgs),
    /// Lay definitions out in the canonical way
    Fmt(FmtArgs),
    /// Explain an error or a warning, with a wrong and a right example
    Explain(ExplainArgs),
    /// Run the tests inside definitions
    Test(TestArgs),
    /// Show a position
    Show(ShowArgs),
    /// List the legal moves of a position
    Moves(MovesArgs),
    /// Tell which rule allows a move, or which refuses it
    Why(WhyArgs),
    /// Count the sequences of legal turns of a length
    Perft(PerftArgs),
    /// Play random games and tell how they end
    Playout(PlayoutArgs),
    /// Let the computer play against a random player
    Duel(DuelArgs),
    /// Print what a definition means to the engine
    Ir(IrArgs),
    /// Print the script that completes this command line in a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// A game and what is chosen of it.
#[derive(Args, Clone, Debug)]
pub struct GameArgs {
    /// A shipped name or a path, with +variant any number of times
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub set: SetArgs,
}

/// Options of a game.
#[derive(Args, Clone, Debug, Default)]
pub struct SetArgs {
    /// Set an option of the game; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE", value_parser = parse_setting)]
    pub set: Vec<(String, String)>,
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        Some(_) | None => Err("write it as option=value".to_owned()),
    }
}

/// A position of a game.
#[derive(Args, Clone, Debug)]
pub struct PositionArgs {
    /// Start from this position instead of the game's start
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
    /// Play these turns first: separated by blanks, the steps of a turn joined by commas
    #[arg(long, value_name = "MOVES")]
    pub after: Vec<String>,
}

/// What a command prints.
#[derive(Args, Clone, Debug)]
pub struct Output {
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// To read
    Text,
    /// To go on with in a program
    Json,
}

impl Output {
    /// Whether JSON is asked for.
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }
}

/// `list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    pub output: Output,
}

/// `play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// A shipped name or a path, with +variant any number of times
    #[arg(value_name = "GAME", required_unless_present = "load")]
    pub game: Option<String>,
    #[command(flatten)]
    pub set: SetArgs,
    /// The player you are; the first if not said
    #[arg(long = "as", value_name = "PLAYER")]
    pub side: Option<String>,
    /// Who plays against you
    #[arg(long, value_enum, default_value_t = Opponent::Computer)]
    pub against: Opponent,
    /// The seed of everything random; the same seed and moves give the same game
    #[arg(long)]
    pub seed: Option<u64>,
    /// How much the computer thinks about each step
    #[arg(long, default_value_t = crate::search::DEFAULT_NODES, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    /// Start from this position
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "set", "side", "against", "position", "seed"])]
    pub load: Option<PathBuf>,
}

/// Who plays against the person at the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Opponent {
    /// You type the moves of all players
    Human,
    /// Any legal move
    Random,
    /// A tree search
    Computer,
}

/// `check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Definitions: paths or shipped names
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    /// Count warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// First make every correction that is certain, in the files named
    #[arg(long)]
    pub fix: bool,
    /// Go on, and check again whenever a file is saved
    #[arg(long, conflicts_with = "fix")]
    pub watch: bool,
    /// Also play so many random games of every choice that a definition without errors offers, and tell what they never use
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub play: Option<u32>,
    /// The seed of these games
    #[arg(long, default_value_t = 1, requires = "play")]
    pub seed: u64,
    /// Break such a game off after so many turns
    #[arg(long, default_value_t = 2000, requires = "play", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_turns: u32,
}

/// `fmt`.
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Definitions, or folders of them; `-` for standard input and output
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Change nothing, show what would change, and fail if there is any
    #[arg(long)]
    pub check: bool,
}

/// How `check` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// To read, with the lines they speak of
    Text,
    /// One JSON object a line for each finding
    Json,
    /// A SARIF 2.1.0 log, for tools that show the findings of many programs
    Sarif,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The number or the name of a kind of finding, such as E0103 or unknown-name; without it all are listed
    #[arg(value_name = "CODE")]
    pub code: Option<String>,
}

/// `test`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Definitions: paths or shipped games, with +variant any number of times
    #[arg(value_name = "FILE|GAME", required = true)]
    pub games: Vec<String>,
    #[command(flatten)]
    pub set: SetArgs,
    /// Run only tests whose name has this in it
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    #[command(flatten)]
    pub output: Output,
}

/// `show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub position: PositionArgs,
    #[command(flatten)]
    pub output: Output,
}

/// `moves`.
#[derive(Args, Debug)]
pub struct MovesArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Only turns whose first step starts from this cell, or enters there
    #[arg(long, value_name = "CELL")]
    pub from: Option<String>,
    /// List the next steps instead of whole turns
    #[arg(long)]
    pub steps: bool,
    #[command(flatten)]
    pub output: Output,
}

/// `why`.
#[derive(Args, Debug)]
pub struct WhyArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// The turn, or its next steps, as `moves` writes them
    #[arg(value_name = "MOVE")]
    pub turn: String,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `perft`.
#[derive(Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How many turns
    #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
    pub depth: u32,
    #[command(flatten)]
    pub position: PositionArgs,
    /// Tell the count behind each first turn
    #[arg(long)]
    pub divide: bool,
    /// Count decisions (steps and outcomes of chance) instead of whole turns
    #[arg(long)]
    pub steps: bool,
    #[command(flatten)]
    pub output: Output,
}

/// `playout`.
#[derive(Args, Debug)]
pub struct PlayoutArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How many games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// The seed; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Break a game off after so many turns
    #[arg(long, default_value_t = 2000)]
    pub max_turns: u32,
    #[command(flatten)]
    pub output: Output,
}

/// `duel`.
#[derive(Args, Debug)]
pub struct DuelArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// How many games; the computer starts on the seats in turn
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// The seed; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How much the computer thinks about each step
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    /// Break a game off after so many turns
    #[arg(long, default_value_t = 1000)]
    pub max_turns: u32,
    #[command(flatten)]
    pub output: Output,
}

/// `ir`.
#[derive(Args, Debug)]
pub struct IrArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub output: Output,
}

/// Reads the command line, does what it says, and gives the exit code.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(e.exit_code().clamp(0, 2) as u8);
        }
    };
    let mut out = Out::new(color_of(cli.color, &std::io::stdout()), color_of(cli.color, &std::io::stderr()));
    let result = match &cli.command {
        Command::List(args) => commands::list::run(&mut out, args),
        Command::Play(args) => super::play::run(&mut out, args),
        Command::Check(args) if args.watch => commands::watch::run(&mut out, args),
        Command::Check(args) => commands::check::run(&mut out, args),
        Command::Fmt(args) => commands::fmt::run(&mut out, args),
        Command::Explain(args) => commands::explain::run(&mut out, args),
        Command::Test(args) => commands::test::run(&mut out, args),
        Command::Show(args) => commands::show::run(&mut out, args),
        Command::Moves(args) => commands::moves::run(&mut out, args),
        Command::Why(args) => commands::why::run(&mut out, args),
        Command::Perft(args) => commands::perft::run(&mut out, args),
        Command::Playout(args) => commands::playout::run(&mut out, args),
        Command::Duel(args) => commands::duel::run(&mut out, args),
        Command::Ir(args) => commands::ir::run(&mut out, args),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "rulebook", &mut script);
            out.raw(&script).map(|()| true).map_err(Failure::from)
        }
    };
    let result = result.and_then(|good| out.flush().map(|()| good).map_err(Failure::from));
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(failure) => failure.report(&mut out),
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
