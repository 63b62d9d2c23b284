//! The `tulk` binary: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tulk::cli::with_enough_stack(tulk::cli::main))
}
