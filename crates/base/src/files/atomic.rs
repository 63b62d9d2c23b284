//! Replaces files atomically: results, settings, records. `tulk_store::part` has the files that are written over several runs.
//!
//! A file is written under a temporary name and stays locked while its process is alive. An unlocked temporary file was left
//! behind by a killed process and can be removed. Files of `AtomicFile::create_part` have a name from the caller and no lock.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{NamedTempFile, TempPath};

use super::mode::{FileMode, create_new, inherit_mode};
use super::path::{check_name, is_special, link_target, long_path, make_dirs, open_special, parent_dir, sync_dir};
use super::regular::{is_at, open_existing};
use super::replace::{ReadContent, created_failure, rename_beside, rename_new, rename_over};
use crate::error::{Failure, FileContext as _};
use crate::stop::InterruptibleWriter;

/// A file that replaces another one when it is complete.
///
/// Dropping it without [`AtomicFile::commit`] leaves the old file unchanged. Symbolic links are followed. Devices and FIFOs are
/// written directly.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    sink: AtomicSink,
    mode: FileMode,
}

#[derive(Debug)]
enum AtomicSink {
    Temporary(NamedTempFile),
    Direct(InterruptibleWriter<File>),
}

impl AtomicFile {
    /// Creates a temporary file in the directory of the target. Missing parent directories are created.
    pub fn create(path: &Path, mode: FileMode) -> Result<Self, Failure> {
        let fail = |e: io::Error| Failure::file("write", path, &e);
        if is_special(path) {
            let file = open_special(path)?;
            let sink = AtomicSink::Direct(InterruptibleWriter::new(file));
            return Ok(Self { target: path.to_path_buf(), sink, mode });
        }
        if path.is_dir() {
            return Err(Failure::usage(format!("cannot write {}: it is a directory", path.display())));
        }
        let target = link_target(path)?;
        let dir = parent_dir(&target);
        make_dirs(dir, mode)?;
        check_name(&target)?;
        let file = create_temporary(dir, mode, &target).map_err(fail)?;
        Ok(Self { target, sink: AtomicSink::Temporary(file), mode })
    }

    /// Creates the file next to the target under the name `part`. If the process is killed, the file stays there. Fails if the name is
    /// taken.
    pub fn create_part(path: &Path, part: &Path, mode: FileMode) -> Result<Self, Failure> {
        if is_special(path) || path.is_dir() {
            return Self::create(path, mode);
        }
        let fail = |e: io::Error| Failure::file("write", part, &e);
        let target = link_target(path)?;
        make_dirs(parent_dir(&target), mode)?;
        check_name(&target)?;
        let file = create_new(part, mode, &target).map_err(fail)?;
        let temporary = NamedTempFile::from_parts(file, TempPath::try_from_path(long_path(part)).map_err(fail)?);
        Ok(Self { target, sink: AtomicSink::Temporary(temporary), mode })
    }

    /// Sets the mode, syncs the content, renames the file to the target and syncs the directory.
    pub fn commit(self) -> Result<(), Failure> {
        self.commit_with(|file, target| {
            file.persist(long_path(target)).map_err(|e| e.error)?;
            sync_dir(parent_dir(target));
            Ok(())
        })
        .map(|_| ())
    }

    /// Commits if the target still has the content `old`. Otherwise, leaves the target unchanged and returns false.
    pub fn commit_over(self, old: &ReadContent) -> Result<bool, Failure> {
        let mode = self.mode;
        let replaced = self.commit_with(|file, target| rename_over(file.path(), target, old, mode))?;
        // A device has no old content to compare.
        Ok(replaced.unwrap_or(true))
    }

    /// Commits if the target still does not exist. If another process has created it, keeps that file and saves the content next to it
    /// under a free name, which the failure contains.
    pub fn commit_new(self) -> Result<(), Failure> {
        let target = self.target.clone();
        let beside = self.commit_with(|file, target| {
            if rename_new(file.path(), target)? { Ok(None) } else { rename_beside(file.path(), target).map(Some) }
        })?;
        beside.flatten().map_or(Ok(()), |beside| Err(created_failure(&target, &beside)))
    }

    /// Commits to a free name next to the target, which stays unchanged. Returns the new path.
    pub fn commit_beside(self) -> Result<PathBuf, Failure> {
        let target = self.target.clone();
        let beside = self.commit_with(|file, target| rename_beside(file.path(), target))?;
        Ok(beside.unwrap_or(target))
    }

    /// Returns `None` if the target is written directly.
    fn commit_with<T>(self, rename: impl FnOnce(NamedTempFile, &Path) -> io::Result<T>) -> Result<Option<T>, Failure> {
        let fail = |e: io::Error| Failure::file("write", &self.target, &e);
        match self.sink {
            AtomicSink::Direct(mut file) => file.flush().map(|()| None).map_err(fail),
            AtomicSink::Temporary(file) => {
                if self.mode != FileMode::Private {
                    inherit_mode(file.as_file(), &self.target).map_err(fail)?;
                }
                file.as_file().sync_all().map_err(fail)?;
                rename(file, &self.target).map(Some).map_err(fail)
            }
        }
    }

    /// Keeps the incomplete content under another name on the same file system.
    pub fn keep_as(self, path: &Path) -> Result<(), Failure> {
        match self.sink {
            AtomicSink::Direct(_) => Ok(()),
            AtomicSink::Temporary(file) => {
                file.persist(long_path(path)).map(|_| ()).map_err(|e| Failure::file("write", path, &e.error))
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            AtomicSink::Direct(file) => file.write(bytes),
            AtomicSink::Temporary(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            AtomicSink::Direct(file) => file.flush(),
            AtomicSink::Temporary(file) => file.flush(),
        }
    }
}

/// Replaces a file atomically.
pub fn write_atomic(path: &Path, bytes: &[u8], mode: FileMode) -> Result<(), Failure> {
    let mut file = AtomicFile::create(path, mode)?;
    file.write_all(bytes).file_context("write", path)?;
    file.commit()
}

const TEMPORARY_PREFIX: &str = ".tulk-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Also removes the files that killed processes left in the directory.
fn create_temporary(dir: &Path, mode: FileMode, target: &Path) -> io::Result<NamedTempFile> {
    remove_abandoned(dir);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    let dir = long_path(dir);
    loop {
        // Unlike `tempfile_in`, this keeps the error code of the system.
        let file = builder.make_in(&dir, |path| create_new(path, mode, target))?;
        // Another process may have taken this file for an abandoned one, and removed it before we could lock it.
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
        if name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX) {
            // Best effort: a later run can remove it.
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let Ok(Some(file)) = open_existing(path) else { return Ok(()) };
    if is_abandoned(&file) && is_at(&file, path) { std::fs::remove_file(path) } else { Ok(()) }
}

/// Returns whether no process holds the lock of a file. Where locks are not supported, it counts as in use.
fn is_abandoned(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock | TryLockError::Error(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::with_suffix;

    #[test]
    fn writing_follows_links_and_creates_parents() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("a/b.txt");
        write_atomic(&target, b"one", FileMode::Inherit).unwrap();
        #[cfg(unix)]
        {
            let link = dir.path().join("link");
            std::os::unix::fs::symlink("a/b.txt", &link).unwrap();
            write_atomic(&link, b"two", FileMode::Inherit).unwrap();
            assert!(link.symlink_metadata().unwrap().is_symlink());
        }
        #[cfg(not(unix))]
        write_atomic(&target, b"two", FileMode::Inherit).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"two");
    }

    #[test]
    fn without_a_commit_the_old_file_is_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("x");
        std::fs::write(&target, "old").unwrap();
        let mut file = AtomicFile::create(&target, FileMode::Inherit).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read(&target).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_target_created_in_the_meantime_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (name, beside) in [("a", None), ("b", Some("b.tulk-new"))] {
            let mut file = AtomicFile::create(&at(name), FileMode::Inherit).unwrap();
            file.write_all(b"result").unwrap();
            if beside.is_some() {
                std::fs::write(at(name), "by hand").unwrap();
            }
            let failure = file.commit_new().err();
            assert_eq!(failure.is_some(), beside.is_some(), "{failure:?}");
            assert_eq!(std::fs::read(at(beside.unwrap_or(name))).unwrap(), b"result");
        }
        assert_eq!(std::fs::read(at("b")).unwrap(), b"by hand");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }

    #[test]
    fn a_part_becomes_the_target_or_is_kept_under_another_name() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let create = || AtomicFile::create_part(&at("x"), &at("x.part"), FileMode::Inherit);
        let mut file = create().unwrap();
        file.write_all(b"half").unwrap();
        assert!(create().unwrap_err().what.contains("x.part"), "the name is taken");
        file.keep_as(&at("kept")).unwrap();
        assert_eq!(std::fs::read(at("kept")).unwrap(), b"half");
        let mut file = create().unwrap();
        file.write_all(b"whole").unwrap();
        file.commit().unwrap();
        assert_eq!(std::fs::read(at("x")).unwrap(), b"whole");
        assert!(!at("x.part").exists());
    }

    #[test]
    fn a_directory_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let what = |file: Result<AtomicFile, Failure>| file.unwrap_err().what;
        let part = dir.path().join("x.part");
        let expected = format!("cannot write {}: it is a directory", dir.path().display());
        assert_eq!(what(AtomicFile::create(dir.path(), FileMode::Inherit)), expected);
        assert_eq!(what(AtomicFile::create_part(dir.path(), &part, FileMode::Inherit)), expected);
        assert!(!part.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_directly() {
        let dir = tempfile::tempdir().unwrap();
        let part = dir.path().join("null.part");
        let mut file = AtomicFile::create_part(Path::new("/dev/null"), &part, FileMode::Inherit).unwrap();
        file.write_all(b"text").unwrap();
        assert!(!part.exists());
        file.commit().unwrap();
        assert!(is_special(Path::new("/dev/null")));
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_inherited_or_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let mode = |p: &Path| p.metadata().unwrap().permissions().mode() & 0o777;
        let script = dir.path().join("run");
        std::fs::write(&script, "").unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o754)).unwrap();
        write_atomic(&script, b"x", FileMode::Inherit).unwrap();
        assert_eq!(mode(&script), 0o754);
        let secret = dir.path().join("s/secret");
        write_atomic(&secret, b"x", FileMode::Private).unwrap();
        assert_eq!((mode(&secret), mode(secret.parent().unwrap())), (0o600, 0o700));
        assert!(crate::files::check_private(&script).unwrap_err().what.contains("754"));
    }

    #[cfg(windows)]
    #[test]
    #[allow(clippy::print_stderr)] // it may be skipped
    fn private_files_are_for_this_user_alone() {
        let dir = tempfile::tempdir().unwrap();
        let secret = dir.path().join("s/secret");
        write_atomic(&secret, b"one", FileMode::Private).unwrap();
        write_atomic(&secret, b"two", FileMode::Private).unwrap();
        std::fs::write(dir.path().join("s/inherits"), "x").unwrap();
        for path in [secret.clone(), dir.path().join("s"), dir.path().join("s/inherits")] {
            let output = std::process::Command::new("icacls").arg(&path).output().unwrap();
            assert!(output.status.success());
            let list = String::from_utf8_lossy(&output.stdout);
            if list.is_empty() {
                eprintln!("skipped: Wine's icacls prints nothing");
                return;
            }
            assert_eq!((list.matches(":(").count(), list.matches("(F)").count()), (1, 1), "{list}");
        }
    }

    #[test]
    fn long_paths_are_written_and_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let long = dir.path().join("a".repeat(150)).join("b".repeat(150)).join("c".repeat(100));
        for mode in [FileMode::Private, FileMode::Inherit] {
            let target = long.join(format!("{mode:?}/x"));
            for content in ["one", "two"] {
                write_atomic(&target, content.as_bytes(), mode).unwrap();
                assert_eq!(std::fs::read(&target).unwrap(), content.as_bytes());
            }
            let old = ReadContent::of(Some(b"two"));
            let part = target.with_extension("part");
            let mut file = AtomicFile::create_part(&target, &part, mode).unwrap();
            file.write_all(b"three").unwrap();
            assert!(file.commit_over(&old).unwrap());
            assert_eq!(std::fs::read(&target).unwrap(), b"three");
            AtomicFile::create(&target, mode).unwrap().commit_new().unwrap_err();
            assert_eq!(std::fs::read(with_suffix(&target, ".tulk-new")).unwrap(), b"");
        }
    }

    #[test]
    fn files_of_killed_processes_are_removed_and_files_in_use_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in [".tulk-a.tmp", ".tulk-b.tmp", "c.tmp", ".tulk-d"] {
            std::fs::write(at(name), "x").unwrap();
        }
        let held = File::open(at(".tulk-b.tmp")).unwrap();
        held.lock().unwrap();
        let file = create_temporary(dir.path(), FileMode::Private, &at("x")).unwrap();
        assert!(!at(".tulk-a.tmp").exists());
        for name in [".tulk-b.tmp", "c.tmp", ".tulk-d"] {
            assert!(at(name).exists(), "{name}");
        }
        assert!(!is_abandoned(&File::open(file.path()).unwrap()));
    }
}
