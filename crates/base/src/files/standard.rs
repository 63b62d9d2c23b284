//! Standard streams that cannot be used: closed before the program was started, as with `>&-` in a shell, or open in the wrong
//! direction, as with `1< FILE`.
//!
//! The runtime hides both: reading would look like an empty input, and results would be lost.

use tulk_streams::StreamFault;

use crate::error::Failure;

/// Fails if stdin cannot be read.
pub fn check_stdin() -> Result<(), Failure> {
    let what = match tulk_streams::stdin_fault() {
        None => return Ok(()),
        Some(StreamFault::Closed) => "cannot read stdin: it is closed",
        Some(StreamFault::WrongDirection) => "cannot read stdin: it is not open for reading",
    };
    Err(Failure::usage(what).hint("redirect it: `< FILE`, or `< /dev/null` for an empty input"))
}

/// Fails if stdout cannot be written.
pub fn check_stdout() -> Result<(), Failure> {
    let Some(why) = stdout_fault() else { return Ok(()) };
    Err(Failure::internal(format!("cannot write to stdout: {why}"))
        .hint("redirect it: `> FILE`, or `> /dev/null` if nobody needs it"))
}

/// Returns why stdout cannot be written.
pub fn stdout_fault() -> Option<&'static str> {
    Some(match tulk_streams::stdout_fault()? {
        StreamFault::Closed => "it is closed",
        StreamFault::WrongDirection => "it is not open for writing",
    })
}
