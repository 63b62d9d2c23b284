//! Detects standard streams that cannot be used, because they were closed when the program was started, as with `>&-` in a shell, or
//! opened in the wrong direction, as with `1< FILE`. On systems other than Unix, all streams count as usable. Also tells whether the
//! program was started with `nohup`.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a closed stream, and it ignores errors of a stream that is open in the
//! wrong direction, so results would be lost without an error. This crate checks the streams before the runtime starts. That needs
//! unsafe code, which tulk forbids in most crates.

#![no_std]

/// Why a standard stream cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFault {
    /// It was closed.
    Closed,
    /// Stdin is open only for writing, or stdout only for reading.
    WrongDirection,
}

#[cfg(unix)]
mod at_start {
    use core::ffi::c_int;
    use core::sync::atomic::{AtomicU8, Ordering};

    use super::StreamFault;

    /// Bit set of closed streams, by descriptor.
    static CLOSED: AtomicU8 = AtomicU8::new(0);
    /// Bit set of streams that are open in the wrong direction, by descriptor.
    static WRONG_DIRECTION: AtomicU8 = AtomicU8::new(0);

    /// Each function in this link section is called once, before `main`.
    // SAFETY: the link section contains only pointers to functions, and `look` uses none of the arguments that it is called with.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        for descriptor in 0..3 {
            // SAFETY: this only reads the flags of a descriptor. It returns -1 if the descriptor is closed.
            let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFL) };
            let wrong = if descriptor == 0 { libc::O_WRONLY } else { libc::O_RDONLY };
            if flags == -1 {
                CLOSED.fetch_or(1 << descriptor, Ordering::Relaxed);
            } else if flags & libc::O_ACCMODE == wrong {
                WRONG_DIRECTION.fetch_or(1 << descriptor, Ordering::Relaxed);
            }
        }
    }

    pub fn fault(descriptor: c_int) -> Option<StreamFault> {
        let is_set = |bits: &AtomicU8| bits.load(Ordering::Relaxed) & (1 << descriptor) != 0;
        match () {
            () if is_set(&CLOSED) => Some(StreamFault::Closed),
            () if is_set(&WRONG_DIRECTION) => Some(StreamFault::WrongDirection),
            () => None,
        }
    }
}

/// Returns why stdin cannot be read; `None` if it can.
#[must_use]
pub fn stdin_fault() -> Option<StreamFault> {
    fault(0)
}

/// Returns why stdout cannot be written; `None` if it can.
#[must_use]
pub fn stdout_fault() -> Option<StreamFault> {
    fault(1)
}

/// Returns whether SIGHUP is ignored, as by `nohup`. Call it before a handler is installed.
#[cfg(unix)]
#[must_use]
pub fn ignores_hangup() -> bool {
    // SAFETY: without a new action, the function only writes the current one, which is a struct of integers.
    unsafe {
        let mut current: libc::sigaction = core::mem::zeroed();
        libc::sigaction(libc::SIGHUP, core::ptr::null(), &raw mut current) == 0 && current.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(unix)]
fn fault(descriptor: i32) -> Option<StreamFault> {
    at_start::fault(descriptor)
}

#[cfg(not(unix))]
fn fault(_descriptor: i32) -> Option<StreamFault> {
    None
}
