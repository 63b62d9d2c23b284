//! Exclusive locks between processes, on files that exist only to be locked.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::mode::{FileMode, private};
use super::path::{make_dirs, parent_dir};
use crate::error::{Failure, FileContext as _};
use crate::stop;

/// An exclusive lock, held until it is dropped.
///
/// The file is never removed. Otherwise, two processes could hold the lock on two files with the same name.
#[derive(Debug)]
pub struct FileLock(#[allow(dead_code)] File); // keeps the lock

/// Waits for the lock on a file, or for a signal. Creates the file with mode 0600 if necessary.
///
/// Fails if another user could replace the file.
pub fn lock(path: &Path) -> Result<FileLock, Failure> {
    if let Some(lock) = try_lock(path)? {
        return Ok(lock);
    }
    let file = open(path)?;
    let locked = stop::interruptible(move || file.lock().map(|()| file))?;
    Ok(FileLock(locked.file_context("lock", path)?))
}

/// Takes the lock on a file, or returns `None` if another process holds it.
pub fn try_lock(path: &Path) -> Result<Option<FileLock>, Failure> {
    let file = open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(FileLock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(Failure::file("lock", path, &e)),
    }
}

fn open(path: &Path) -> Result<File, Failure> {
    make_dirs(parent_dir(path), FileMode::Private)?;
    super::check_trusted_file(path)?;
    let mut options = OpenOptions::new();
    private(options.read(true).write(true).create(true).truncate(false)).open(path).file_context("open", path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_holder_has_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        // The directory is created with mode 0700, whatever the umask.
        let path = dir.path().join("new/lock");
        let held = lock(&path).unwrap();
        assert!(try_lock(&path).unwrap().is_none());
        drop(held);
        assert!(try_lock(&path).unwrap().is_some());
    }
}
