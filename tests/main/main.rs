//! One binary for all tests; a module a subject.

mod chess;
mod common;
mod conformance;
mod docs;
mod perft;
mod syntax;
mod tidy;
