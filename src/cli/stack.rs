//! Runs the program on a stack that is large enough, whatever the caller's limit is.

use std::thread;

/// Stack size that is enough for every command; the usual limit of the main thread.
const STACK_BYTES: usize = 8 * 1024 * 1024;
/// If the stack of the main thread is smaller, `main` runs on another thread.
#[cfg(unix)]
const MIN_STACK_BYTES: u64 = 4 * 1024 * 1024;

/// Runs `main` on this thread, or on a thread with a larger stack if `ulimit -s` is low.
pub fn with_enough_stack(main: fn() -> u8) -> u8 {
    if !is_small() {
        return main();
    }
    match thread::Builder::new().name("main".to_owned()).stack_size(STACK_BYTES).spawn(main) {
        // `join` does not fail: a panic ends the process first.
        Ok(running) => running.join().unwrap_or(tulk_base::error::Kind::Internal.code()),
        Err(_) => main(),
    }
}

#[cfg(unix)]
fn is_small() -> bool {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Stack).current.is_some_and(|limit| limit < MIN_STACK_BYTES)
}

#[cfg(not(unix))]
fn is_small() -> bool {
    false
}
