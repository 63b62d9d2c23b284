//! Files that only their owner can read.

use std::fs::OpenOptions;
use std::path::Path;

use crate::error::{Failure, io_message};

/// Sets the mode of new files to 0600, so that others cannot read them at any time.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Refuses a file that the group or others can read. The hint is the `chmod` command to run.
#[cfg(unix)]
pub fn check_private(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt as _;
    let metadata =
        path.metadata().map_err(|e| Failure::usage(format!("cannot read {}: {}", path.display(), io_message(&e))))?;
    let mode = metadata.permissions().mode() & 0o777;
    let others = mode & 0o077;
    if others == 0 {
        return Ok(());
    }
    Err(Failure::usage(format!("{} can be read by others (mode {mode:o})", path.display()))
        .hint(format!("run: chmod 600 {}", path.display())))
}

/// Accepts every file: this platform has no modes.
#[cfg(not(unix))]
pub fn check_private(_: &Path) -> Result<(), Failure> {
    Ok(())
}
