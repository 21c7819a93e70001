//! Text to syntax tree. One file per family of the language, as in the grammar; the tree keeps the author's words and
//! places, and knows no meaning: names are not resolved, phrases are not typed.

#![allow(missing_docs, reason = "a variant's doc line is the source text it stands for; its fields are named in it")]

pub mod board;
pub mod ending;
pub mod expr;
pub mod game;
pub mod piece;
pub mod rule;
pub mod setup;
pub mod test;
pub mod turn;

use crate::base::Spanned;

/// A word of the author's (a piece, player, zone, option …) with its place.
pub type Word = Spanned<String>;
