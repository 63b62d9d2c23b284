//! Paths: links, identity, suffixes, directories.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::mode::FileMode;
use crate::error::Failure;

/// Maximum number of links to follow before a path counts as a loop; the same as in Linux.
const MAX_LINKS: usize = 40;

/// Returns whether a path exists and is neither a regular file nor a directory: a device, a FIFO, a socket.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Follows symbolic links to the end and returns the target, whether or not it exists.
///
/// Unlike `canonicalize`, this works for a link whose target has not been created yet.
pub fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = if to.is_absolute() { to } else { parent_dir(&path).join(to) };
    }
    path
}

/// Returns the directory of a path, or `.` for a bare name.
pub fn parent_dir(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Appends a suffix to the file name: `a.txt` and `.part` give `a.txt.part`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates a directory and its parents. With `FileMode::Private`, only the owner can access the new ones.
pub fn make_dirs(dir: &Path, mode: FileMode) -> Result<(), Failure> {
    if dir.is_dir() {
        return Ok(());
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
    builder.create(dir).map_err(|e| Failure::file("create directory", dir, &e))
}

/// Syncs a directory, so that new names survive a crash. Errors are ignored: not every file system supports it.
pub fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

/// The identity of a file, which is the same for all its paths.
///
/// An existing file is identified by device and inode, so hard links are the same file. A missing file is identified by
/// the path at which it would be created.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileIdentity {
    /// Device and inode.
    Inode(u64, u64),
    /// The path, canonical as far as it exists.
    Path(PathBuf),
}

impl FileIdentity {
    /// Returns the identity of the file at a path. Links are followed.
    pub fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = path.metadata() {
            use std::os::unix::fs::MetadataExt as _;
            return Self::Inode(metadata.dev(), metadata.ino());
        }
        let target = follow_links(path);
        Self::Path(std::fs::canonicalize(&target).unwrap_or_else(|_| canonical_missing(&target)))
    }
}

/// Returns the path of a missing file with its directory made canonical.
fn canonical_missing(path: &Path) -> PathBuf {
    let parent = parent_dir(path);
    match path.file_name() {
        Some(name) if parent != path => {
            let dir = std::fs::canonicalize(parent).or_else(|_| std::path::absolute(parent));
            dir.unwrap_or_else(|_| parent.to_owned()).join(name)
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same_file(one: &Path, other: &Path) -> bool {
        FileIdentity::of(one) == FileIdentity::of(other)
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
    fn a_suffix_is_appended_to_the_whole_name() {
        assert_eq!(with_suffix(Path::new("d/a.txt"), ".part"), Path::new("d/a.txt.part"));
        assert_eq!(parent_dir(Path::new("a.txt")), Path::new("."));
    }
}
