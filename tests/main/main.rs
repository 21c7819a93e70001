//! One binary for all tests; a module a subject.

mod betza;
mod check;
mod chess;
mod cli;
mod common;
mod conformance;
mod docs;
mod errors;
mod fixes;
mod format;
mod generated;
mod hostile;
mod memory;
mod perft;
mod search;
mod session;
mod slips;
mod syntax;
mod tidy;
mod twin;
mod twin_games;
mod twins;
mod variants;
mod why;
