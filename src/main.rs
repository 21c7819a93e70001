//! The `rulebook` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    rulebook::front::run()
}
