//! From the GAME of the command line to a game that can be played.

use super::cli::{GameArgs, PositionArgs};
use super::output::{Failure, Out};
use super::report;
use crate::base::{FileId, Severity, Sources, words};
use crate::check::{self, Definition, Library, Selection};
use crate::engine::{Game, State, Step};
use crate::games;
use crate::session::{play_line, split_line};
use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A definition that was read, and what was chosen of it.
pub struct Loaded {
    /// Its texts, for reports.
    pub sources: Sources,
    /// The definition.
    pub definition: Definition,
    /// Variants and options.
    pub selection: Selection,
    /// The name or path without variants, to find it again.
    pub name: String,
}

/// Where the games that a definition extends are looked for: beside it, then among the shipped ones.
struct Shelf {
    folder: Option<PathBuf>,
    /// Where was looked so far.
    asked: RefCell<Vec<PathBuf>>,
}

impl Shelf {
    fn new(folder: Option<PathBuf>) -> Shelf {
        Shelf { folder, asked: RefCell::default() }
    }
}

impl Library for Shelf {
    fn text(&self, name: &str) -> Option<String> {
        let beside = self.folder.as_ref().and_then(|folder| {
            let file = if name.ends_with(".game") { name.to_owned() } else { format!("{name}.game") };
            let path = folder.join(file);
            self.asked.borrow_mut().push(path.clone());
            read_text(&path).ok()
        });
        beside.or_else(|| games::text(name).map(str::to_owned))
    }

    fn names(&self) -> Vec<String> {
        games::names().map(str::to_owned).collect()
    }
}

/// A text and where it came from.
struct Found {
    /// As diagnostics print it.
    label: String,
    text: String,
    shelf: Shelf,
}

/// Splits `proteus+warhorses` into name and variants. A file of that whole name comes first.
fn split_variants(game: &str) -> (String, Vec<String>) {
    if Path::new(game).is_file() {
        return (game.to_owned(), Vec::new());
    }
    let mut parts = game.split('+');
    let name = parts.next().unwrap_or_default().to_owned();
    (name, parts.map(str::to_owned).collect())
}

/// The text of a file, which must not be larger than any sensible definition or saved game.
pub fn read_text(path: &Path) -> Result<String, String> {
    let most = crate::syntax::MAX_TEXT as u64;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("it is larger than {} MB", most >> 20));
    }
    utf8(bytes)
}

/// The text that bytes are; otherwise where they are none.
pub fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|b| **b == b'\n').count() + 1;
        format!("it is not a text in UTF-8: line {line} has a byte that is no character")
    })
}

/// Whether a name on the command line is a path, not a shipped game.
pub fn is_path(name: &str) -> bool {
    name.contains('/') || name.contains('\\') || name.ends_with(".game") || Path::new(name).is_file()
}

fn find(name: &str) -> Result<Found, Failure> {
    if is_path(name) {
        let text = read_text(Path::new(name)).map_err(|e| Failure::usage(format!("cannot read `{name}`: {e}")))?;
        let folder = Path::new(name).parent().map(Path::to_owned);
        return Ok(Found { label: name.to_owned(), text, shelf: Shelf::new(folder) });
    }
    match games::text(name) {
        Some(text) => Ok(Found { label: format!("{name}.game"), text: text.to_owned(), shelf: Shelf::new(None) }),
        None => {
            let help = match words::nearest(name, games::names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "`rulebook list` tells the shipped games; a path must contain `/` or end with `.game`".to_owned()
                }
            };
            Err(Failure::usage(format!("there is no game `{name}`")).help(help))
        }
    }
}

/// Reads and parses a definition. Its diagnostics are returned whether or not there is a definition.
pub fn read(name: &str) -> Result<(Sources, Option<Definition>, Vec<crate::base::Diagnostic>), Failure> {
    let found = find(name)?;
    let mut sources = Sources::new();
    let file: FileId = sources.add(found.label, found.text);
    let (definition, diagnostics) = check::load(&mut sources, file, &found.shelf);
    Ok((sources, definition, diagnostics))
}

/// The path that a name is, if it is none of a shipped game.
pub fn path(name: &str) -> Option<PathBuf> {
    is_path(name).then(|| PathBuf::from(name))
}

/// The files that a definition is made from: its own, and those it extends, also where they are looked for in vain.
pub fn read_for(name: &str) -> Vec<PathBuf> {
    let Ok(found) = find(name) else { return Vec::new() };
    let mut sources = Sources::new();
    let file = sources.add(found.label, found.text);
    let _ = check::load(&mut sources, file, &found.shelf);
    path(name).into_iter().chain(found.shelf.asked.into_inner()).collect()
}

/// Loads a game with its variants and options. Errors in the definition are reported at once.
pub fn load(out: &mut Out, game: &str, set: &[(String, String)]) -> Result<Loaded, Failure> {
    let (name, variants) = split_variants(game);
    let (sources, definition, diagnostics) = read(&name)?;
    let bad = diagnostics.iter().any(|d| d.severity == Severity::Error);
    let Some(definition) = definition.filter(|_| !bad) else {
        out.error(report::render(&diagnostics, &sources, out.color_err));
        return Err(Failure::Reported);
    };
    let selection = select(&definition, &variants, set)?;
    Ok(Loaded { sources, definition, selection, name })
}

fn select(definition: &Definition, variants: &[String], set: &[(String, String)]) -> Result<Selection, Failure> {
    let mut selection = Selection { variants: Vec::new(), options: Vec::new() };
    let known = definition.variants();
    for wanted in variants {
        let found = known.iter().find(|v| v.slug.eq_ignore_ascii_case(wanted) || v.name.eq_ignore_ascii_case(wanted));
        let Some(found) = found else {
            let slugs: Vec<&str> = known.iter().map(|v| v.slug.as_str()).collect();
            let help = choices(wanted, &slugs, "variant");
            return Err(Failure::usage(format!("{} has no variant `{wanted}`", definition.name())).help(help));
        };
        if !selection.variants.contains(&found.name) {
            selection.variants.push(found.name.clone());
        }
    }
    let options = definition.options();
    for (name, value) in set {
        let Some(option) = options.iter().find(|o| o.name == *name) else {
            if !selection.variants.is_empty() {
                // A variant may bring options of its own; the checker knows.
                selection.options.push((name.clone(), value.clone()));
                continue;
            }
            let names: Vec<&str> = options.iter().map(|o| o.name.as_str()).collect();
            let help = choices(name, &names, "option");
            return Err(Failure::usage(format!("{} has no option `{name}`", definition.name())).help(help));
        };
        if !option.values.offers(value) {
            return Err(Failure::usage(format!("the option `{name}` cannot be `{value}`"))
                .help(format!("it may be {}", option.values.describe())));
        }
        selection.options.retain(|(other, _)| other != name);
        selection.options.push((name.clone(), value.clone()));
    }
    Ok(selection)
}

fn choices(word: &str, known: &[&str], what: &str) -> String {
    match words::nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("it has no {what}s"),
        None => format!("its {what}s are {}", words::all_of(known)),
    }
}

impl Loaded {
    /// The rules with the selection. Errors are reported at once.
    pub fn compile(&self, out: &mut Out) -> Result<crate::ir::Game, Failure> {
        match self.definition.compile(&self.selection) {
            Ok(compiled) => Ok(compiled.game),
            Err(diagnostics) => {
                out.error(report::render(&diagnostics, &self.sources, out.color_err));
                Err(Failure::Reported)
            }
        }
    }

    /// The game, ready to be played.
    pub fn game(&self, out: &mut Out) -> Result<Game, Failure> {
        let rules = self.compile(out)?;
        Game::new(rules).map_err(|e| Failure::wrong(format!("{} cannot be played: {e}", self.name)))
    }

    /// The name of the game with its variants.
    pub fn title(&self) -> String {
        title(self.definition.name(), &self.selection)
    }
}

/// `Proteus with Warhorses and Polarity (quiet-limit = 50)`.
pub fn title(name: &str, selection: &Selection) -> String {
    let mut title = name.to_owned();
    if !selection.variants.is_empty() {
        title.push_str(&format!(" with {}", words::all_of(&selection.variants)));
    }
    if !selection.options.is_empty() {
        let options: Vec<String> = selection.options.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        title.push_str(&format!(" ({})", options.join(", ")));
    }
    title
}

/// A game and a position of it.
pub struct Placed {
    /// The definition.
    pub loaded: Loaded,
    /// The game.
    pub game: Game,
    /// The position.
    pub state: State,
    /// The steps of the turn that is under way.
    pub open: Vec<Step>,
}

/// Loads a game and goes to the position asked for.
pub fn place(out: &mut Out, args: &GameArgs, position: &PositionArgs) -> Result<Placed, Failure> {
    let loaded = load(out, &args.game, &args.set.set)?;
    let game = loaded.game(out)?;
    let mut state = start(&game, position.position.as_deref())?;
    let turns = split_line(&position.after.join(" "));
    let open = play_line(&game, &mut state, &turns).map_err(|stray| Failure::wrong(stray.to_string()))?;
    Ok(Placed { loaded, game, state, open })
}

/// The start of a game, or the position of a text.
pub fn start(game: &Game, position: Option<&str>) -> Result<State, Failure> {
    match position {
        None => Ok(game.start()),
        Some(text) => game.read_position(text).map_err(|e| {
            let pointer = format!("{}\n      {}^", text, " ".repeat(text.get(..e.at).map_or(0, |t| t.chars().count())));
            Failure::usage(format!("the position cannot be read: {}", e.message)).help(pointer)
        }),
    }
}
