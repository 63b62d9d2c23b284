//! Replaces files that somebody may be editing: only if a file still has the content that was read.
//!
//! Linux and macOS can exchange two files, so the old file still exists after the replacement. It is compared after the exchange, and
//! put back if it was edited. One case goes unnoticed: a program opened the old file before the exchange and writes to it after the
//! last comparison.

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::atomic::{AtomicFile, remove_abandoned};
use super::bounded::{SizeLimit, read_bounded};
use super::digest::{digest_of, sha256_hex};
use super::mode::{FileMode, inherit_mode};
use super::path::{follow_links, long_path, parent_dir, sync_dir, with_suffix};
use super::version::FileVersion;
use crate::error::{Failure, FileContext as _, Kind, Origin};

/// Content of a file when it was read, stored as a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadContent(Option<String>);

impl ReadContent {
    /// Content of a file that did not exist.
    pub const MISSING: Self = Self(None);

    /// Creates it from the bytes that were read; `None` if the file did not exist.
    pub fn of(bytes: Option<&[u8]>) -> Self {
        Self(bytes.map(sha256_hex))
    }

    /// Returns the content with this digest.
    pub fn with_digest(digest: String) -> Self {
        Self(Some(digest))
    }

    /// Returns whether a path has this content now. False for a link or a device.
    pub fn is_at(&self, path: &Path) -> io::Result<bool> {
        match path.symlink_metadata() {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(self.0.is_none()),
            Err(e) => return Err(e),
            Ok(metadata) if !metadata.is_file() => return Ok(false),
            Ok(_) => {}
        }
        match (&self.0, File::open(path)) {
            (None, _) => Ok(false),
            (Some(_), Err(e)) if e.kind() == ErrorKind::NotFound => Ok(false),
            (Some(digest), file) => Ok(digest_of(file?)? == *digest),
        }
    }
}

/// Replaces a file atomically if it still has the content `old`. Returns whether it did.
pub fn write_over(path: &Path, bytes: &[u8], mode: FileMode, old: &ReadContent) -> Result<bool, Failure> {
    let mut file = AtomicFile::create(path, mode)?;
    file.write_all(bytes).file_context("write", path)?;
    file.commit_over(old)
}

const ATTEMPTS: usize = 20;

/// Reads a file, replaces it with the result of `edit`, and starts again if somebody else edited it in between.
///
/// `edit` gets `None` if there is no file. It returns the new content, or `None` for no change, and a value for the caller. `name`
/// is the file's name in messages. Fails if the file is larger than `limit`.
pub fn edit_file<T>(
    path: &Path,
    name: &Path,
    limit: SizeLimit,
    mode: FileMode,
    mut edit: impl FnMut(Option<&[u8]>) -> Result<(Option<Vec<u8>>, T), Failure>,
) -> Result<T, Failure> {
    // A run that was killed after the exchange left the old file behind.
    remove_abandoned(parent_dir(&follow_links(path)));
    for _ in 0..ATTEMPTS {
        let old = match read_bounded(path, limit) {
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            read => Some(read.file_context("read", name)?),
        };
        let (new, value) = edit(old.as_deref())?;
        let Some(new) = new else { return Ok(value) };
        if write_over(path, &new, mode, &ReadContent::of(old.as_deref()))? {
            return Ok(value);
        }
    }
    let what = format!("{} was changed each time before it could be written", name.display());
    Err(Failure::new(Kind::Partly, what).hint("run the command again"))
}

/// Writes a file next to another one, under the first free name of `FILE.tulk-new`, `FILE.tulk-new.2` and so on. Returns its path.
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<PathBuf, Failure> {
    let mut file = AtomicFile::create(path, FileMode::Inherit)?;
    file.write_all(bytes).file_context("write", path)?;
    file.commit_beside()
}

/// Returns the failure for a file that was not replaced because it has changed. The result is at `beside`.
pub fn edited_failure(file: &Path, beside: &Path) -> Failure {
    let how = if file.symlink_metadata().is_ok() {
        "changed in the meantime and was kept"
    } else {
        "removed in the meantime"
    };
    beside_failure(file, how, beside)
}

/// Returns the failure for a file that was not replaced because it was created in the meantime. The result is at `beside`.
pub fn created_failure(file: &Path, beside: &Path) -> Failure {
    beside_failure(file, "created in the meantime and was kept", beside)
}

fn beside_failure(file: &Path, how: &str, beside: &Path) -> Failure {
    let what = format!("it was {how}; the result is in {}", beside.display());
    Failure::new(Kind::Partly, what).at(Origin::whole(&file.display().to_string()))
}

/// Renames `new` to `target` if `target` still has the content `old`. Otherwise, leaves both unchanged and returns false.
///
/// `new` must be synced. Unless `mode` is private, it gets the current mode of `target`. Syncs the directory before returning.
pub fn rename_over(new: &Path, target: &Path, old: &ReadContent, mode: FileMode) -> io::Result<bool> {
    if !old.is_at(target)? {
        return Ok(false);
    }
    if *old == ReadContent::MISSING {
        return rename_new(new, target);
    }
    let file = File::open(new)?;
    let permissions = |path: &Path| path.metadata().ok().map(|metadata| metadata.permissions());
    let taken = permissions(target);
    let inherit = |from: &Path| if mode == FileMode::Private { Ok(()) } else { inherit_mode(&file, from) };
    inherit(target)?;
    let own = FileVersion::of(new)?;
    match exchange(new, target) {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::NotFound && new.exists() => return Ok(false),
        Err(e) if e.kind() == ErrorKind::Unsupported => {
            rename(new, target, true)?;
            sync_dir(parent_dir(target));
            return Ok(true);
        }
        Err(e) => return Err(e),
    }
    // The lock keeps other processes from removing the temporary file.
    let held = File::open(new);
    let _ = held.as_ref().map(File::try_lock);
    let mut is_same = old.is_at(new);
    if matches!(is_same, Ok(true)) {
        // Compare again after the sync, which gives a program that has the file open some time to write.
        sync_dir(parent_dir(target));
        is_same = old.is_at(new);
    }
    if matches!(is_same, Ok(true)) {
        if permissions(new) != taken {
            // Somebody changed the mode just before the exchange.
            inherit(new)?;
        }
        std::fs::remove_file(new)?;
        return Ok(true);
    }
    exchange(new, target)?;
    if !FileVersion::of(new)?.is_unmodified(&own) {
        // The new file was edited after the exchange: this edit is the latest, so it stays.
        exchange(new, target)?;
    }
    // On an error, such as too few file descriptors, it is unknown whether the file was edited.
    is_same.map(|_| false)
}

/// Renames a file to a name that must be free. If the name is taken, leaves both files unchanged and returns false. Syncs the directory.
pub fn rename_new(new: &Path, target: &Path) -> io::Result<bool> {
    let is_free = rename(new, target, false)?;
    sync_dir(parent_dir(target));
    Ok(is_free)
}

/// Renames a file to the first free name of `FILE.tulk-new`, `FILE.tulk-new.2` and so on. Returns the new path.
pub fn rename_beside(new: &Path, file: &Path) -> io::Result<PathBuf> {
    for number in 1_u32.. {
        let suffix = if number == 1 { ".tulk-new".to_owned() } else { format!(".tulk-new.{number}") };
        let path = with_suffix(file, &suffix);
        if rename_new(new, &path)? {
            return Ok(path);
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Returns false if the new name is taken and `replaces` is false.
fn rename(new: &Path, path: &Path, replaces: bool) -> io::Result<bool> {
    let new = TempPath::try_from_path(long_path(new))?;
    let path = long_path(path);
    let renamed = if replaces { new.persist(path) } else { new.persist_noclobber(path) };
    let Err(failed) = renamed else { return Ok(true) };
    // Dropping it would remove the file.
    let _ = failed.path.keep();
    if failed.error.kind() == ErrorKind::AlreadyExists { Ok(false) } else { Err(failed.error) }
}

/// Exchanges the names of two files. Fails with `Unsupported` if the system, the file system or a sandbox prevents it.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    let unsupported = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::PERM];
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
        .map_err(|e| if unsupported.contains(&e) { ErrorKind::Unsupported.into() } else { e.into() })
}

/// Always fails, because this platform cannot exchange files.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::SETTINGS_FILE;

    fn dir_with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        dir
    }

    fn files(dir: &Path) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> = entries
            .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read_to_string(entry.path()).unwrap()))
            .collect();
        files.sort();
        files
    }

    fn content(text: &str) -> ReadContent {
        ReadContent::of(Some(text.as_bytes()))
    }

    fn pairs(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn only_the_content_that_was_read_is_replaced() {
        // current content, content that was read, whether the file is replaced
        let table = [
            (Some("old"), content("old"), true),
            (Some("edited"), content("old"), false),
            (Some("old and more"), content("old"), false),
            (None, content("old"), false),
            (None, ReadContent::MISSING, true),
            (Some("created"), ReadContent::MISSING, false),
            (Some(""), ReadContent::MISSING, false),
        ];
        for (now, read, is_replaced) in table {
            let dir = dir_with(&now.map(|now| ("a", now)).into_iter().collect::<Vec<_>>());
            let path = dir.path().join("a");
            assert_eq!(write_over(&path, b"new", FileMode::Inherit, &read).unwrap(), is_replaced, "{now:?}");
            let expected = if is_replaced { Some("new") } else { now };
            assert_eq!(files(dir.path()), pairs(&expected.map(|text| ("a", text)).into_iter().collect::<Vec<_>>()));
        }
    }

    #[test]
    fn content_that_does_not_replace_the_file_gets_a_free_name() {
        let dir = dir_with(&[("a", "edited"), ("part", "new")]);
        let at = |name: &str| dir.path().join(name);
        assert!(!rename_over(&at("part"), &at("a"), &content("old"), FileMode::Inherit).unwrap());
        assert_eq!(files(dir.path()), pairs(&[("a", "edited"), ("part", "new")]));
        assert_eq!(rename_beside(&at("part"), &at("a")).unwrap(), at("a.tulk-new"));
        assert_eq!(write_beside(&at("a"), b"newer").unwrap(), at("a.tulk-new.2"));
        assert_eq!(files(dir.path()), pairs(&[("a", "edited"), ("a.tulk-new", "new"), ("a.tulk-new.2", "newer")]));
    }

    #[test]
    fn an_edit_between_reading_and_writing_is_read_again() {
        let dir = dir_with(&[("a", "one")]);
        let path = dir.path().join("a");
        let mut reads = Vec::new();
        edit_file(&path, &path, SETTINGS_FILE, FileMode::Settings, |old| {
            let old = String::from_utf8(old.unwrap().to_vec()).unwrap();
            if reads.is_empty() {
                std::fs::write(&path, "two").unwrap();
            }
            reads.push(old.clone());
            Ok((Some(format!("{old}, new").into_bytes()), ()))
        })
        .unwrap();
        assert_eq!(reads, ["one", "two"]);
        assert_eq!(files(dir.path()), pairs(&[("a", "two, new")]));
        let mut count = 0;
        let failure = edit_file(&path, &path, SETTINGS_FILE, FileMode::Settings, |_| {
            count += 1;
            std::fs::write(&path, format!("edit {count}")).unwrap();
            Ok((Some(b"new".to_vec()), ()))
        });
        let failure = failure.unwrap_err();
        assert_eq!((failure.kind, count), (Kind::Partly, ATTEMPTS));
        assert!(failure.what.ends_with("a was changed each time before it could be written"), "{failure}");
        assert_eq!(files(dir.path()), pairs(&[("a", &format!("edit {ATTEMPTS}"))]));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_instead_of_the_file_counts_as_changed() {
        let dir = dir_with(&[("elsewhere", "old")]);
        let at = |name: &str| dir.path().join(name);
        std::os::unix::fs::symlink("elsewhere", at("a")).unwrap();
        assert!(!content("old").is_at(&at("a")).unwrap());
        std::fs::write(at("part"), "new").unwrap();
        assert!(!rename_over(&at("part"), &at("a"), &content("old"), FileMode::Inherit).unwrap());
        // `write_over` follows the link and replaces the file that it leads to.
        assert!(write_over(&at("a"), b"new", FileMode::Inherit, &content("old")).unwrap());
        assert_eq!(std::fs::read(at("elsewhere")).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn the_new_file_gets_the_mode_at_the_time_of_replacement() {
        use std::os::unix::fs::PermissionsExt as _;
        for (mode, expected) in [(FileMode::Inherit, 0o750), (FileMode::Private, 0o600)] {
            let dir = dir_with(&[("a", "old"), ("part", "new")]);
            let at = |name: &str| dir.path().join(name);
            let set = |name, mode| std::fs::set_permissions(at(name), std::fs::Permissions::from_mode(mode)).unwrap();
            set("part", 0o600);
            set("a", 0o750);
            assert!(rename_over(&at("part"), &at("a"), &content("old"), mode).unwrap());
            assert_eq!(at("a").metadata().unwrap().permissions().mode() & 0o7777, expected, "{mode:?}");
        }
    }

    #[cfg(any(target_os = "linux", target_os = "macos"))]
    #[test]
    fn no_edit_is_lost_whenever_it_happens() {
        let dir = dir_with(&[("one", ""), ("other", "")]);
        let at = |name: &str| dir.path().join(name);
        if let Err(why) = exchange(&at("one"), &at("other")) {
            let _ = writeln!(io::stderr(), "skipped: this file system cannot exchange files: {why}");
            return;
        }
        let mut unnoticed = 0;
        for round in 0..300 {
            std::fs::write(at("a"), "old").unwrap();
            std::fs::write(at("part"), "new").unwrap();
            let edit = || {
                std::thread::sleep(std::time::Duration::from_micros(round * 2));
                match round % 3 {
                    0 => std::fs::write(at("a"), "edited").unwrap(),
                    1 => {
                        std::fs::write(at("edit"), "edited").unwrap();
                        std::fs::rename(at("edit"), at("a")).unwrap();
                    }
                    _ => {
                        let mut file = File::options().append(true).open(at("a")).unwrap();
                        file.write_all(b", edited").unwrap();
                    }
                }
            };
            std::thread::scope(|scope| {
                scope.spawn(edit);
                rename_over(&at("part"), &at("a"), &content("old"), FileMode::Inherit).unwrap()
            });
            let text = std::fs::read_to_string(at("a")).unwrap();
            if round % 3 == 2 && text == "new" {
                // The edit wrote only after both comparisons, to a file that it had opened before.
                unnoticed += 1;
                continue;
            }
            assert!(text.ends_with("edited"), "{round}: {text}");
        }
        assert!(unnoticed <= 2, "{unnoticed} edits were lost");
    }
}
