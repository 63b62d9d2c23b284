//! File modes: private, or inherited from the replaced file.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::error::Failure;

/// Mode of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMode {
    /// The mode of the replaced file, or else 0666 minus the umask.
    Inherit,
    /// The mode of the replaced file, or else 0644 minus the umask. Settings can run a command, so nobody else may write them.
    Settings,
    /// Only the owner can read it: 0600. On Windows, an access control list for this user alone.
    Private,
}

/// Sets the mode of new files to 0600 at creation, so that others can never read them. On Windows, does nothing: a new file inherits the
/// access control list of its directory, which [`super::make_dirs`] makes private.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Creates a temporary directory that only the owner can enter, whatever the umask.
pub fn temporary_dir(prefix: &str) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.prefix(prefix).tempdir()
}

/// Returns the failure for a temporary file or directory that cannot be created.
pub fn temporary_failure(error: &io::Error) -> Failure {
    let variable = if cfg!(windows) { "TMP" } else { "TMPDIR" };
    Failure::file("write to the directory", &std::env::temp_dir(), error)
        .hint(format!("set {variable} to a directory that you can write to"))
}

/// Refuses a file that the group or others can access in any way. The hint is the `chmod` command to run.
#[cfg(unix)]
pub fn check_private(path: &Path) -> Result<(), Failure> {
    use crate::error::io_message;
    use std::os::unix::fs::PermissionsExt as _;
    let metadata =
        path.metadata().map_err(|e| Failure::usage(format!("cannot read {}: {}", path.display(), io_message(&e))))?;
    let mode = metadata.permissions().mode() & 0o777;
    let others = mode & 0o077;
    if others == 0 {
        return Ok(());
    }
    Err(Failure::usage(format!("{} can be read by others (mode {mode:o})", path.display()))
        .hint(format!("run: chmod 600 {}", crate::shell::quote_file(&path.display().to_string()))))
}

/// Accepts every file, because this platform has no modes. On Windows, tulk sets access control lists, but does not check them.
#[cfg(not(unix))]
pub fn check_private(_: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Creates a file that becomes `target` later, and opens it for reading and writing. Others may read it only if they may also read the
/// final file. Fails if the path exists.
pub fn create_new(path: &Path, mode: FileMode, target: &Path) -> io::Result<File> {
    #[cfg(windows)]
    if mode == FileMode::Private {
        return tulk_acl::create_file(&super::long_path(path));
    }
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        let mode = match mode {
            FileMode::Inherit if !target.exists() => 0o666,
            FileMode::Settings if !target.exists() => 0o644,
            _ => 0o600,
        };
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    }
    #[cfg(not(unix))]
    let _ = (mode, target);
    options.read(true).write(true).create_new(true).open(path)
}

/// Gives a new file the mode of the file that it replaces.
#[cfg(unix)]
pub fn inherit_mode(file: &File, target: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    match target.metadata() {
        Ok(old) => file.set_permissions(std::fs::Permissions::from_mode(old.permissions().mode() & 0o7777)),
        Err(_) => Ok(()),
    }
}

/// Does nothing, because this platform has no modes.
#[cfg(not(unix))]
pub fn inherit_mode(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}
