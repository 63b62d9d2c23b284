//! Detects standard streams that are unusable: closed before the program started (`>&-` in a shell), or opened in the wrong direction
//! (`1< FILE`).
//!
//! Rust's runtime hides both: input would look empty, and results would be lost.

use tulk_streams::StreamFault;

use crate::error::Failure;

/// Fails if stdin is unusable.
pub fn check_stdin() -> Result<(), Failure> {
    let what = match tulk_streams::stdin_fault() {
        None => return Ok(()),
        Some(StreamFault::Closed) => "cannot read stdin: it is closed",
        Some(StreamFault::WrongDirection) => "cannot read stdin: it is not open for reading",
    };
    Err(Failure::usage(what).hint("redirect it: `< FILE`, or `< /dev/null` for an empty input"))
}

/// Fails if stdout is unusable.
pub fn check_stdout() -> Result<(), Failure> {
    let Some(why) = stdout_fault() else { return Ok(()) };
    Err(Failure::internal(format!("cannot write to stdout: {why}"))
        .hint("redirect it: `> FILE`, or `> /dev/null` if you do not need it"))
}

/// Returns the reason why stdout is unusable.
pub fn stdout_fault() -> Option<&'static str> {
    Some(match tulk_streams::stdout_fault()? {
        StreamFault::Closed => "it is closed",
        StreamFault::WrongDirection => "it is not open for writing",
    })
}
