//! Runs the program on a stack that is large enough, whatever the caller's limit is.

use std::thread;

/// Size of a stack in bytes that is enough for every command; the usual limit of the main thread.
const ENOUGH: usize = 8 * 1024 * 1024;
/// Limit of the main thread in bytes below which the program gets another thread.
#[cfg(unix)]
const TOO_SMALL: u64 = 4 * 1024 * 1024;

/// Runs `main` on this thread, or on a thread with a larger stack if `ulimit -s` is low.
pub fn with_enough_stack(main: fn() -> u8) -> u8 {
    if !is_small() {
        return main();
    }
    match thread::Builder::new().name("main".to_owned()).stack_size(ENOUGH).spawn(main) {
        // A panic ends the process before it can be joined.
        Ok(running) => running.join().unwrap_or(tulk_base::error::Kind::Internal.code()),
        Err(_) => main(),
    }
}

#[cfg(unix)]
fn is_small() -> bool {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Stack).current.is_some_and(|limit| limit < TOO_SMALL)
}

#[cfg(not(unix))]
fn is_small() -> bool {
    false
}
