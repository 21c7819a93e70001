//! The commands that ask one question and print the answer. Each gives whether the answer is good.

pub mod check;
pub mod duel;
pub mod explain;
pub mod fmt;
pub mod ir;
pub mod list;
pub mod moves;
pub mod perft;
pub mod playout;
pub mod show;
pub mod test;
pub mod trials;
pub mod watch;
pub mod why;
