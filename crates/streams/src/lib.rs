//! Which of stdin, stdout and stderr were closed when the program was started, as with `>&-` in a shell.
//!
//! Rust's runtime opens `/dev/null` in place of a closed stream before `main`, so that no file gets its number. From then on nobody
//! can tell it from a stream that was redirected to `/dev/null`, and results would be lost without an error. So this crate looks
//! before the runtime does. It is a crate of its own because that counts as unsafe code, which tulk forbids itself. On systems
//! other than Unix no stream counts as closed.

#![no_std]

#[cfg(unix)]
mod at_start {
    use core::ffi::c_int;
    use core::sync::atomic::{AtomicU8, Ordering};

    /// A bit for each closed stream.
    static CLOSED: AtomicU8 = AtomicU8::new(0);

    /// The system calls the functions of this section once, before `main`.
    // SAFETY: the section has pointers to functions that expect nothing of their arguments.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        for descriptor in 0..3 {
            // SAFETY: the flags of a descriptor are only read. A closed one is an error.
            if unsafe { libc::fcntl(descriptor, libc::F_GETFD) } == -1 {
                CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
            }
        }
    }

    pub fn was_closed(descriptor: c_int) -> bool {
        CLOSED.load(Ordering::Relaxed) & (1 << descriptor) != 0
    }
}

/// Returns whether stdin was closed when the program was started.
#[must_use]
pub fn stdin_was_closed() -> bool {
    was_closed(0)
}

/// Returns whether stdout was closed when the program was started.
#[must_use]
pub fn stdout_was_closed() -> bool {
    was_closed(1)
}

#[cfg(unix)]
fn was_closed(descriptor: i32) -> bool {
    at_start::was_closed(descriptor)
}

#[cfg(not(unix))]
fn was_closed(_descriptor: i32) -> bool {
    false
}
