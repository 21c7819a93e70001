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
pub mod twin;
