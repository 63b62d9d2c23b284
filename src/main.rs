//! The `tulk` binary: arguments in, exit code out.

use std::process::ExitCode;

/// Allocator of the static program for Linux, because the allocator of musl is slow with several threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(tulk::cli::with_enough_stack(tulk::cli::main))
}
