//! All tests of the package, in one binary.

mod cli;
mod search;
mod session;
