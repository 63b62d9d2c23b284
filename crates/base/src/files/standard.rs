//! Standard streams that were closed before the program was started, as with `>&-` in a shell.
//!
//! The runtime has opened `/dev/null` in their place: reading it would look like an empty input, and results would be lost.

use crate::error::Failure;

/// Fails if stdin was closed.
pub fn check_stdin() -> Result<(), Failure> {
    if tulk_streams::stdin_was_closed() {
        let hint = "redirect it: `< FILE`, or `< /dev/null` for an empty input";
        return Err(Failure::usage("cannot read stdin: it is closed").hint(hint));
    }
    Ok(())
}

/// Fails if stdout was closed.
pub fn check_stdout() -> Result<(), Failure> {
    if tulk_streams::stdout_was_closed() {
        let hint = "redirect it: `> FILE`, or `> /dev/null` if nobody needs it";
        return Err(Failure::internal("cannot write to stdout: it is closed").hint(hint));
    }
    Ok(())
}
