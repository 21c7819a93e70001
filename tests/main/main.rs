//! One binary for all tests; a module a layer.

mod betza;
mod check;
mod syntax;
