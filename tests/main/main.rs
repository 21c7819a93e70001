//! One binary for all tests; a module a layer.

mod syntax;
mod twin;
mod twin_games;
