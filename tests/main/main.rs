//! One binary for all tests; a module a subject.

mod check;
mod chess;
mod common;
mod conformance;
mod perft;
mod syntax;
mod tidy;
