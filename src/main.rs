//! The `tulk` binary: arguments in, exit code out.

use std::process::ExitCode;

/// The allocator of the static program for Linux, where that of the C library is slow with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(tulk::cli::with_enough_stack(tulk::cli::main))
}
