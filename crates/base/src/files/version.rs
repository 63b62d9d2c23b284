//! Detects changes of a file from its metadata, without reading it.

use std::fs::Metadata;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Size, times and identity of a file at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change of the content, in nanoseconds since 1970.
    modified: i64,
    /// Time of the last change of content, name or permissions, in nanoseconds since 1970. Zero if the platform has none.
    changed: i64,
    /// Device and inode. Zeros if the platform has none.
    device: u64,
    inode: u64,
}

impl FileVersion {
    /// Returns the version of the file at a path. Links are followed.
    pub fn of(path: &Path) -> io::Result<Self> {
        path.metadata().map(|metadata| Self::new(&metadata))
    }

    #[cfg(unix)]
    fn new(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let nanos = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            bytes: metadata.len(),
            modified: nanos(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanos(metadata.ctime(), metadata.ctime_nsec()),
            device: metadata.dev(),
            inode: metadata.ino(),
        }
    }

    #[cfg(not(unix))]
    fn new(metadata: &Metadata) -> Self {
        let since_1970 = metadata.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = since_1970.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
        Self { bytes: metadata.len(), modified, changed: 0, device: 0, inode: 0 }
    }

    /// Returns whether both are the same file with the same modification time. Name and permissions may differ.
    ///
    /// On platforms without file identity, this is valid only for versions of the same path.
    pub fn is_unmodified(&self, other: &Self) -> bool {
        *self == Self { changed: self.changed, ..*other }
    }

    /// Returns whether the platform has file identities, which survive a rename.
    pub const fn has_identity(&self) -> bool {
        self.inode != 0
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn changing_the_content_changes_the_version() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, "One").unwrap();
        let before = FileVersion::of(&path).unwrap();
        assert_eq!(FileVersion::of(&path).unwrap(), before);
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        assert!(!FileVersion::of(&path).unwrap().is_unmodified(&before));
        fs::write(&path, "Three").unwrap();
        assert!(!FileVersion::of(&path).unwrap().is_unmodified(&before));
    }

    #[cfg(unix)]
    #[test]
    fn a_moved_file_keeps_its_identity_and_a_copy_does_not() {
        let dir = tempfile::tempdir().unwrap();
        let [one, two, copy] = ["one", "two", "copy"].map(|name| dir.path().join(name));
        fs::write(&one, "One").unwrap();
        let before = FileVersion::of(&one).unwrap();
        fs::rename(&one, &two).unwrap();
        let moved = FileVersion::of(&two).unwrap();
        assert!(moved.has_identity() && moved.is_unmodified(&before));
        fs::copy(&two, &copy).unwrap();
        assert!(!FileVersion::of(&copy).unwrap().is_unmodified(&before));
    }
}
