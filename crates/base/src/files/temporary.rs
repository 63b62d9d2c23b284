//! Temporary files that become results, and those that killed processes left.
//!
//! Every temporary file is locked while its process lives, so an unlocked one can be removed.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use super::own::{is_at, open_existing};

const PREFIX: &str = ".tulk-";
const SUFFIX: &str = ".tmp";

/// Creates a temporary file in a directory, after what killed processes left there is removed.
///
/// The umask is applied to the mode.
pub fn create(dir: &Path, mode: u32) -> io::Result<NamedTempFile> {
    remove_abandoned(dir);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    loop {
        let file = builder.tempfile_in(dir)?;
        // Another process that is removing abandoned files may have locked and removed it before us.
        if file.as_file().lock().is_err() || is_at(file.as_file(), file.path()) {
            return Ok(file);
        }
    }
}

/// Removes the temporary files of killed processes from a directory, once per process.
pub fn remove_abandoned(dir: &Path) {
    static DONE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if !DONE.lock().unwrap_or_else(PoisonError::into_inner).insert(dir.to_path_buf()) {
        return;
    }
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            // Nobody waits for the removal: what cannot be removed now may be removed by a later run.
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let Ok(Some(file)) = open_existing(path) else { return Ok(()) };
    if is_abandoned(&file) && is_at(&file, path) { std::fs::remove_file(path) } else { Ok(()) }
}

/// Locks a file. Without locks nobody knows whether a process still writes the file.
fn is_abandoned(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_left_is_removed_and_what_is_written_stays() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in [".tulk-a.tmp", ".tulk-b.tmp", "c.tmp", ".tulk-d"] {
            std::fs::write(at(name), "x").unwrap();
        }
        let held = File::open(at(".tulk-b.tmp")).unwrap();
        held.lock().unwrap();
        let file = create(dir.path(), 0o600).unwrap();
        assert!(!at(".tulk-a.tmp").exists());
        for name in [".tulk-b.tmp", "c.tmp", ".tulk-d"] {
            assert!(at(name).exists(), "{name}");
        }
        assert!(!is_abandoned(&File::open(file.path()).unwrap()));
    }
}
