//! Paths: links, identity, neighbours, directories.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::atomic::FileMode;
use crate::error::Failure;

/// Links followed before a path is taken for a loop; the limit of Linux.
const MAX_LINKS: usize = 40;

/// Returns whether a path exists and is neither a regular file nor a directory: a device, a FIFO, a socket.
pub fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Returns the path that a chain of symbolic links ends at, whether or not anything exists there.
///
/// Unlike `canonicalize` it works for a link whose target has not been created yet.
pub fn follow_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(to) = std::fs::read_link(&path) else { break };
        path = if to.is_absolute() { to } else { parent_dir(&path).join(to) };
    }
    path
}

/// Returns the directory of a path; `.` for a bare name.
pub fn parent_dir(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Appends a suffix to the file name: `a.txt` and `.part` give `a.txt.part`.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Creates a directory and its parents; `FileMode::Private` makes new ones accessible to the owner only.
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

/// Makes new names in a directory durable. File systems that cannot do it are ignored.
pub fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

/// What makes two paths the same file, however they are spelled.
///
/// An existing file is known by its device and inode (so hard links count as one), a missing one by the path where it
/// would be created.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileIdentity {
    /// Device and inode.
    Inode(u64, u64),
    /// The canonical path, as far as it exists.
    Path(PathBuf),
}

impl FileIdentity {
    /// Looks a path up, following links.
    pub fn of(path: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = path.metadata() {
            use std::os::unix::fs::MetadataExt as _;
            return Self::Inode(metadata.dev(), metadata.ino());
        }
        let target = follow_links(path);
        Self::Path(std::fs::canonicalize(&target).unwrap_or_else(|_| missing(&target)))
    }
}

/// The path of a file that does not exist: its nearest existing parent made canonical, the rest as it is.
fn missing(path: &Path) -> PathBuf {
    let parent = parent_dir(path);
    match path.file_name() {
        Some(name) if parent != path => {
            let dir = std::fs::canonicalize(parent).or_else(|_| std::path::absolute(parent));
            dir.unwrap_or_else(|_| parent.to_owned()).join(name)
        }
        _ => path.to_owned(),
    }
}

/// Returns whether two paths lead to the same file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    FileIdentity::of(one) == FileIdentity::of(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_is_recognised_however_it_is_spelled() {
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
