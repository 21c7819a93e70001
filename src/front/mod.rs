//! The ways in: the command line and the prompt in a terminal. The only place that reads and writes.

mod cli;
mod commands;
mod json;
mod listing;
mod loading;
mod output;
mod play;
mod prompt;
pub mod report;
mod sarif;

pub use cli::run;
pub use report::render;
