//! Exclusive locks between processes. The functions lock files that exist only to be locked; `regular.rs` locks others.

use std::fs::{File, OpenOptions, TryLockError};
use std::ops::Deref;
use std::path::Path;

use super::mode::{FileMode, private};
use super::path::{make_dirs, parent_dir};
use crate::error::{Failure, FileContext as _};
use crate::stop;

/// An open file with an exclusive lock, held until it is dropped.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// Takes over the lock of a file, which must not have a clone that needs it.
    pub(super) fn new(locked: File) -> Self {
        Self(locked)
    }
}

impl Deref for FileLock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for FileLock {
    /// Closing the file is not enough: while a child process is being started, it has a copy of the descriptor.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Waits for the lock on a file, or for a signal. Creates the file with mode 0600 if necessary.
///
/// Fails if another user could replace the file. The file is never removed. Otherwise, two processes could hold the lock on two files
/// with the same name.
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
        // As a child process has it until it runs its program.
        let copy = held.try_clone().unwrap();
        drop(held);
        assert!(try_lock(&path).unwrap().is_some());
        drop(copy);
    }
}
