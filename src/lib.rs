//! Rulebook: write a board game's rules as text, check them, and play.
//!
//! ```
//! use rulebook::{base::Sources, check, engine::Game, games};
//!
//! let mut sources = Sources::new();
//! let file = sources.add("chess.game", games::text("chess").unwrap());
//! let (definition, errors) = check::load(&mut sources, file, &games::Shipped);
//! assert!(errors.is_empty());
//! let rules = definition.unwrap().compile(&check::Selection::default()).unwrap().game;
//! let game = Game::new(rules).unwrap();
//! let mut state = game.start();
//! for step in game.read(&state, "e2e4").unwrap() {
//!     game.play(&mut state, step);
//! }
//! assert_eq!(game.position(&state), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(game.turns(&state).len(), 20);
//! ```
pub mod base;
pub mod check;
pub mod engine;
pub mod front;
pub mod games;
pub mod ir;
pub mod search;
pub mod session;
pub mod syntax;
pub mod testing;
pub mod twin;

/// A game from the text of its definition, without variants and with every option at its default; `extends` finds the shipped games.
///
/// ```
/// let game = rulebook::load("game \"Mine\" extends \"breakthrough\"\noverride board 8x8").unwrap();
/// assert_eq!(game.steps(&game.start()).len(), 22);
///
/// let errors = rulebook::load("game \"Mine\" extends \"braekthrough\"").err().unwrap();
/// assert!(errors[0].helps[0].contains("breakthrough"));
/// ```
///
/// # Errors
/// What is wrong with the definition, or the limit of the engine that it exceeds.
pub fn load(text: &str) -> Result<engine::Game, Vec<base::Diagnostic>> {
    let mut sources = base::Sources::new();
    let file = sources.add("game", text);
    let (definition, mut findings) = check::load(&mut sources, file, &games::Shipped);
    findings.retain(|d| d.severity == base::Severity::Error);
    let Some(definition) = definition.filter(|_| findings.is_empty()) else { return Err(findings) };
    let compiled = definition.compile(&check::Selection::default())?;
    engine::Game::new(compiled.game)
        .map_err(|e| vec![base::Diagnostic::error("unplayable", e.to_string(), base::Span::new(file, 0, 0))])
}
