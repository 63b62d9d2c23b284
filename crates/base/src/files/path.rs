//! Paths: symbolic links, identity of files, directories, and names next to other files.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::digest::sha256_hex;
use super::mode::FileMode;
use crate::error::{Failure, FileContext as _, LINK_LOOP_HINT};
use crate::stop;

/// Maximum number of links to follow, as in Linux. A path with more counts as a loop.
pub(super) const MAX_LINKS: usize = 40;

/// Returns whether an existing path must be written in place: a device, a FIFO, a socket, or an open file of a process, such as
/// `/dev/stdout`.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_dir() && (!m.is_file() || descriptor(path).is_some()))
}

/// Opens a file for which [`is_special`] is true. Never truncates it, because other processes may be writing to it.
pub fn open_special(path: &Path) -> Result<File, Failure> {
    super::check_shared(path)?;
    #[cfg(unix)]
    if descriptor(path).is_some_and(|file| file == Path::new("/proc/self/fd/1") || file == Path::new("/dev/fd/1")) {
        use std::os::fd::AsFd as _;
        if let Some(why) = super::standard::stdout_fault() {
            return Err(Failure::file("write", path, &std::io::Error::other(why)));
        }
        // Only the same descriptor shares its position with earlier and later writers.
        return std::io::stdout().as_fd().try_clone_to_owned().map(File::from).file_context("write", path);
    }
    stop::open_file(OpenOptions::new().append(true), path).file_context("write", path)
}

/// Returns the path of a file descriptor that `path` is or links to, if any.
fn descriptor(path: &Path) -> Option<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        if target.starts_with("/proc") || target.starts_with("/dev/fd") {
            return Some(target);
        }
        target = parent_dir(&target).join(std::fs::read_link(&target).ok()?);
    }
    None
}

/// Returns whether an error means that a path does not exist. A file where a directory is expected counts too.
pub fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

/// Follows symbolic links to the end and returns the target, which need not exist.
///
/// Unlike `canonicalize`, this works for a link whose target has not been created yet. Fails for a loop of links and for a path that
/// [`super::check_shared`] refuses.
pub fn link_target(path: &Path) -> Result<PathBuf, Failure> {
    super::check_shared(path)?;
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(to) = std::fs::read_link(&target) else { return Ok(target) };
        target = parent_dir(&target).join(to);
    }
    Err(Failure::usage(format!("{} is a loop of symbolic links", path.display())).hint(LINK_LOOP_HINT))
}

/// Follows symbolic links like [`link_target`]. Returns the path itself if that fails.
pub fn follow_links(path: &Path) -> PathBuf {
    link_target(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Returns the directory of a path, or `.` for a bare name.
pub fn parent_dir(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a directory and its parents. With `FileMode::Private`, only the owner can access the new ones.
pub fn make_dirs(dir: &Path, mode: FileMode) -> Result<(), Failure> {
    super::check_shared(dir)?;
    if dir.is_dir() {
        return Ok(());
    }
    #[cfg(windows)]
    if mode == FileMode::Private {
        return create_private_dirs(dir).file_context("create directory", dir);
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if mode == FileMode::Private {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder.create(dir).file_context("create directory", dir)
}

/// Returns a path for code that passes it to Windows unchanged, unlike the standard library. If it is long, its directory becomes verbatim
/// (`\\?\C:\...`), because Windows refuses other paths of 260 characters or more. The directory must exist. Except on Windows, returns the
/// path unchanged.
pub fn long_path(path: &Path) -> PathBuf {
    /// Leaves room for the name of a temporary file, or for a suffix.
    const SHORT_BYTES_MAX: usize = 200;
    let is_long = || std::path::absolute(path).is_ok_and(|path| path.as_os_str().len() > SHORT_BYTES_MAX);
    if !cfg!(windows) || !is_long() {
        return path.to_owned();
    }
    match path.file_name() {
        Some(name) => parent_dir(path).canonicalize().map_or_else(|_| path.to_owned(), |dir| dir.join(name)),
        None => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    }
}

#[cfg(windows)]
fn create_private_dirs(dir: &Path) -> std::io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    create_private_dirs(parent_dir(dir))?;
    match tulk_acl::create_dir(&long_path(dir)) {
        // Another process created it in the meantime.
        Err(_) if dir.is_dir() => Ok(()),
        created => created,
    }
}

/// Fails if a file could not be created at a path. Its directory may be missing. Creates nothing.
pub fn check_creatable(path: &Path) -> Result<(), Failure> {
    let missing = |dir: &&Path| !dir.as_os_str().is_empty() && dir.symlink_metadata().is_err();
    let dir = parent_dir(path).ancestors().find(|dir| !missing(dir)).filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or(Path::new("."));
    if !dir.is_dir() {
        return Err(Failure::usage(format!("cannot write {}: {} is not a directory", path.display(), dir.display())));
    }
    #[cfg(unix)]
    rustix::fs::access(dir, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)
        .map_err(|e| Failure::file("write", path, &e.into()))?;
    check_name(&dir.join(path.file_name().unwrap_or_default()))
}

/// Fails if no file can have this path, for example because a name is too long.
pub fn check_name(path: &Path) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Err(e) if e.kind() != ErrorKind::NotFound => Err(Failure::file("write", path, &e)),
        _ => Ok(()),
    }
}

/// Syncs a directory so that new names survive a crash. Ignores errors, because not every file system supports it.
pub fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

/// Identity of a file, equal for all its paths.
///
/// An existing file is identified by device and inode, so hard links are the same file. A missing file is identified by
/// the path at which it would be created.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileIdentity {
    /// Device and inode.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Path, canonical as far as it exists.
    Path(PathBuf),
}

impl FileIdentity {
    /// Returns the identity of the file at a path. Links are followed.
    pub fn new(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = path.metadata() {
            use std::os::unix::fs::MetadataExt as _;
            return Self::Inode(metadata.dev(), metadata.ino());
        }
        Self::Path(canonical(path))
    }
}

/// Returns the canonical absolute path of a file that may be missing: no links, no `.` and no `..`.
pub fn canonical(path: &Path) -> PathBuf {
    let target = follow_links(path);
    if let Ok(canonical) = std::fs::canonicalize(&target) {
        return canonical;
    }
    let parent = parent_dir(&target);
    match target.components().next_back() {
        Some(Component::Normal(name)) if parent != target => canonical(parent).join(name),
        // `..` after a missing directory means its parent.
        Some(Component::ParentDir) => canonical(parent).parent().map_or_else(|| target.clone(), Path::to_path_buf),
        _ => std::path::absolute(&target).unwrap_or(target),
    }
}

/// Length of `.tulk-new.4294967295`, the longest suffix. A long name is cut to leave room for it, whatever suffix is appended. So all
/// names that are made from one file name start alike.
const RESERVED_SUFFIX_BYTES: usize = 20;
/// Digits of the digest that replaces the cut part of a name.
const DIGEST_DIGITS: usize = 16;
/// Maximum length of a name if the file system does not report it.
const DEFAULT_MAX_NAME_BYTES: usize = 255;

/// Appends a suffix to the file name: `a.txt` and `.part` give `a.txt.part`.
///
/// A name that becomes too long is cut and gets a digest of the complete name, so the result is always the same.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let max = max_name_bytes(parent_dir(path));
    if name.len() + RESERVED_SUFFIX_BYTES <= max {
        let mut whole = path.as_os_str().to_owned();
        whole.push(suffix);
        return whole.into();
    }
    let mut digest = sha256_hex(name.as_encoded_bytes());
    digest.truncate(DIGEST_DIGITS);
    let name = name.to_string_lossy();
    let kept = max.saturating_sub(RESERVED_SUFFIX_BYTES + DIGEST_DIGITS + 1);
    let kept = (0..=kept).rev().find_map(|end| name.get(..end)).unwrap_or_default();
    path.with_file_name(format!("{kept}.{digest}{suffix}"))
}

/// Returns the maximum length of a name in a directory, which may be missing.
fn max_name_bytes(dir: &Path) -> usize {
    #[cfg(unix)]
    {
        let existing = dir.ancestors().find(|dir| dir.is_dir()).unwrap_or(Path::new("."));
        if let Ok(limits) = rustix::fs::statvfs(existing) {
            return usize::try_from(limits.f_namemax).unwrap_or(DEFAULT_MAX_NAME_BYTES).min(DEFAULT_MAX_NAME_BYTES);
        }
    }
    let _ = dir;
    DEFAULT_MAX_NAME_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_file(one: &Path, other: &Path) -> bool {
        FileIdentity::new(one) == FileIdentity::new(other)
    }

    #[test]
    fn different_paths_of_a_file_are_the_same_file() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("a"), "").unwrap();
        assert!(same_file(&at("a"), &at("./a")));
        assert!(!same_file(&at("a"), &at("b")));
        assert!(same_file(&at("new"), &at("./new")), "neither exists");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("new", at("link")).unwrap();
            assert!(same_file(&at("link"), &at("new")), "a link to a file that does not exist yet");
            std::fs::hard_link(at("a"), at("hard")).unwrap();
            assert!(same_file(&at("a"), &at("hard")));
        }
    }

    #[test]
    fn a_missing_path_has_one_canonical_form() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for other in ["new/./a", "new/sub/../a", "./new/a", "other/../new/a"] {
            assert!(same_file(&at("new/a"), &at(other)), "{other}");
        }
        assert!(!same_file(&at("new/a"), &at("new/b/a")));
        assert_eq!(parent_dir(Path::new("a.txt")), Path::new("."));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_a_missing_file_and_a_loop_is_refused() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        symlink("two", at("one")).unwrap();
        symlink("missing/file", at("two")).unwrap();
        assert_eq!(link_target(&at("one")).unwrap(), at("missing/file"));
        symlink("b", at("a")).unwrap();
        symlink("a", at("b")).unwrap();
        assert!(link_target(&at("a")).unwrap_err().what.ends_with("is a loop of symbolic links"));
        assert_eq!(follow_links(&at("a")), at("a"));
    }

    #[test]
    fn a_suffix_is_appended_to_the_complete_name() {
        assert_eq!(with_suffix(Path::new("d/a.txt"), ".part"), Path::new("d/a.txt.part"));
        assert_eq!(with_suffix(Path::new("a"), ".part.state"), Path::new("a.part.state"));
    }

    #[test]
    fn a_long_name_is_shortened_and_stays_unique() {
        let dir = tempfile::tempdir().unwrap();
        for length in 240..=255 {
            let names = ["x".repeat(length), format!("{}y", "x".repeat(length - 1)), "é".repeat(length / 2)];
            let mut parts = std::collections::HashSet::new();
            for name in &names {
                let path = dir.path().join(name);
                for suffix in [".part", ".part.state"] {
                    let part = with_suffix(&path, suffix);
                    assert_eq!(part, with_suffix(&path, suffix));
                    std::fs::write(&part, "x").unwrap();
                    assert!(parts.insert(part));
                }
            }
        }
    }
}
