//! Rulebook: write a board game's rules as text, check them, and play.
pub mod base;
pub mod check;
pub mod engine;
pub mod games;
pub mod ir;
pub mod syntax;
