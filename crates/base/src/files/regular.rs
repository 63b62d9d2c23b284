//! Opens files that only tulk writes, next to results and in the state directory. Never follows, overwrites or waits for something that
//! another user planted there, and locks files so that only one process works on them.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use super::lock::FileLock;
use crate::error::{Failure, FileContext as _};

/// Opens a regular file that has only this name. Refuses links, files with a second name, FIFOs, devices and directories, and
/// files of other users in a sticky directory that anyone can write to.
pub fn open_regular_file(path: &Path, options: &mut OpenOptions) -> Result<File, Failure> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        // Opening a FIFO must not block.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    if path.symlink_metadata().is_ok_and(|m| !is_regular_with_one_name(&m)) {
        return Err(in_the_way_failure(path));
    }
    let file = options.open(path).file_context("open", path)?;
    // The path may lead to another file by now, so check the open file.
    let metadata = file.metadata().file_context("open", path)?;
    if !is_regular_with_one_name(&metadata) {
        return Err(in_the_way_failure(path));
    }
    super::shared::check_entry(path, &metadata)?;
    Ok(file)
}

/// Opens an existing file for reading, with the checks of [`open_regular_file`]; `None` if it is missing.
pub fn open_existing(path: &Path) -> Result<Option<File>, Failure> {
    match path.symlink_metadata() {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Failure::file("open", path, &e)),
        Ok(_) => match open_regular_file(path, OpenOptions::new().read(true)) {
            // Another process removed it in the meantime.
            Err(_) if path.symlink_metadata().is_err() => Ok(None),
            opened => opened.map(Some),
        },
    }
}

/// Opens a file for reading and appending, with the checks of [`open_regular_file`], and locks it; `None` if another process holds the
/// lock.
///
/// Creates the file with mode 0600. The holder of the lock may remove the file, unlike the files in `lock.rs`.
pub fn open_locked(path: &Path) -> Result<Option<FileLock>, Failure> {
    loop {
        let mut options = OpenOptions::new();
        let file = open_regular_file(path, super::private(options.read(true).append(true).create(true)))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some file systems do not support locks. Continue without one.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        // The previous holder may have removed the file, and another process may have created a new one.
        if is_at(&file, path) {
            return Ok(Some(FileLock::new(file)));
        }
    }
}

/// Returns whether another process has locked an open file. If this test takes the lock, it releases it again.
pub fn is_locked(file: &File) -> bool {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
        Ok(()) => {
            let _ = file.unlock();
            false
        }
    }
}

/// Returns whether a path still leads to an open file.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |m: std::fs::Metadata| (m.dev(), m.ino());
    let (here, there) = (file.metadata().map(identity), path.symlink_metadata().map(identity));
    matches!((here, there), (Ok(here), Ok(there)) if here == there)
}

/// Returns whether a path still leads to an open file.
#[cfg(not(unix))]
pub fn is_at(file: &File, path: &Path) -> bool {
    use same_file::Handle;
    let (here, there) = (file.try_clone().and_then(Handle::from_file), Handle::from_path(path));
    matches!((here, there), (Ok(here), Ok(there)) if here == there)
}

/// Makes a file readable and writable by its owner only, whoever created it.
pub fn make_private(file: &File, path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let private = std::fs::Permissions::from_mode(0o600);
        file.set_permissions(private).file_context("change the mode of", path)?;
    }
    #[cfg(not(unix))]
    let _ = (file, path);
    Ok(())
}

/// Returns whether a file is a regular file with no other name.
#[cfg(unix)]
pub fn is_regular_with_one_name(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // A file that was removed while it was being opened has no links.
    metadata.is_file() && metadata.nlink() <= 1
}

/// Returns whether a file is a regular file.
#[cfg(not(unix))]
pub fn is_regular_with_one_name(metadata: &std::fs::Metadata) -> bool {
    metadata.is_file()
}

/// Returns the failure for a file that has one of tulk's file names but was not written by tulk. The file is not changed.
pub fn in_the_way_failure(path: &Path) -> Failure {
    Failure::usage(format!("{} is in the way: tulk did not write it", path.display()))
        .hint("remove or rename it, or choose another output with -o")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn planted_files_are_refused_and_not_changed() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("victim"), "text").unwrap();
        symlink("victim", at("link")).unwrap();
        symlink("missing", at("dangling")).unwrap();
        std::fs::hard_link(at("victim"), at("second")).unwrap();
        std::fs::create_dir(at("dir")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
        for name in ["link", "dangling", "second", "dir", "fifo"] {
            let failure = open_locked(&at(name)).unwrap_err();
            assert!(failure.what.ends_with("is in the way: tulk did not write it"), "{name}: {failure}");
            assert!(open_existing(&at(name)).is_err(), "{name}");
        }
        assert_eq!(std::fs::read(at("victim")).unwrap(), b"text");
        assert!(!at("missing").exists());
    }

    #[test]
    fn only_one_process_locks_a_file_even_if_it_was_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let held = open_locked(&path).unwrap().unwrap();
        assert!(open_locked(&path).unwrap().is_none());
        assert!(is_locked(&open_existing(&path).unwrap().unwrap()));
        // The holder removes the file. A process that had opened it can lock it, but the path no longer leads to it.
        let waiting = open_existing(&path).unwrap().unwrap();
        std::fs::remove_file(&path).unwrap();
        drop(held);
        waiting.try_lock().unwrap();
        assert!(!is_at(&waiting, &path));
        let new = open_locked(&path).unwrap().unwrap();
        assert!(is_at(&new, &path));
    }
}
