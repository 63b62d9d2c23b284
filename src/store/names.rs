//! Names of glossaries, style rule lists and other resources, as the service listed them last: for shell completion only.
//!
//! One private file per server and kind of resource, in the cache directory. Nothing else reads the names, so an outdated or
//! broken file does no harm. Several processes can share the files, since they are replaced atomically.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::cache::CacheSize;
use crate::error::Failure;
use crate::files::{FileMode, cache_dir, sha256_hex, write_atomic};

/// Maximum number of names of one kind. Completion stays fast, and nobody reads longer lists.
const MAX_NAMES: usize = 2000;
/// How long the names of a server that is not used any more are kept.
const KEEP: Duration = Duration::from_secs(90 * 86_400);

/// A resource with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownName {
    /// Its ID.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// The names of one kind of resource on one server.
#[derive(Debug, Serialize, Deserialize)]
struct NameFile {
    server: String,
    kind: String,
    names: Vec<KnownName>,
}

/// The files of all names, in one directory.
#[derive(Clone, Debug)]
pub struct NameCache {
    dir: PathBuf,
}

impl NameCache {
    /// Returns the user's names.
    pub fn open() -> Result<Self, Failure> {
        Ok(Self::at(&cache_dir()?.join("names")))
    }

    /// Returns the names in a directory, which is created at the first write.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Returns the directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Replaces the names of a kind of resource on a server. Nothing is written if they have not changed.
    pub fn replace(&self, server: &str, kind: &str, mut names: Vec<KnownName>) -> Result<(), Failure> {
        names.truncate(MAX_NAMES);
        let path = self.path(server, kind);
        if read(&path).is_some_and(|file| file.names == names) || (names.is_empty() && !path.exists()) {
            return Ok(());
        }
        let file = NameFile { server: server.to_owned(), kind: kind.to_owned(), names };
        let bytes = serde_json::to_vec(&file).map_err(|e| Failure::internal(e.to_string()))?;
        write_atomic(&path, &bytes, FileMode::Private)?;
        self.remove_unused();
        Ok(())
    }

    /// Changes the names of a kind of resource on a server: after a creation, a renaming or a deletion.
    pub fn change(&self, server: &str, kind: &str, edit: impl FnOnce(&mut Vec<KnownName>)) -> Result<(), Failure> {
        let mut names = read(&self.path(server, kind)).map(|file| file.names).unwrap_or_default();
        edit(&mut names);
        self.replace(server, kind, names)
    }

    /// Returns the names of a kind of resource on the servers that `is_wanted` accepts.
    pub fn names(&self, kind: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<KnownName> {
        let files = self.files().filter_map(|path| read(&path));
        files.filter(|file| file.kind == kind && is_wanted(&file.server)).flat_map(|file| file.names).collect()
    }

    /// Returns the size of the files.
    pub fn size(&self) -> CacheSize {
        let sizes = self.files().filter_map(|path| Some(path.metadata().ok()?.len()));
        sizes.fold(CacheSize::default(), |sum, bytes| CacheSize { entries: sum.entries + 1, bytes: sum.bytes + bytes })
    }

    /// Removes all names and returns the size that the files had.
    pub fn clear(&self) -> Result<CacheSize, Failure> {
        let size = self.size();
        for path in self.files() {
            match std::fs::remove_file(&path) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Failure::file("remove", &path, &e)),
                _ => {}
            }
        }
        Ok(size)
    }

    fn remove_unused(&self) {
        for path in self.files() {
            let age = path
                .metadata()
                .and_then(|m| m.modified())
                .ok()
                .and_then(|at| SystemTime::now().duration_since(at).ok());
            if age.is_some_and(|age| age > KEEP) {
                // Another process may have removed or replaced the file; either is harmless.
                let _ = std::fs::remove_file(path);
            }
        }
    }

    fn path(&self, server: &str, kind: &str) -> PathBuf {
        self.dir.join(sha256_hex(format!("{kind} {server}").as_bytes()) + ".json")
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "json"))
    }
}

fn read(path: &Path) -> Option<NameFile> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<KnownName> {
        list.iter().map(|name| KnownName { id: format!("id of {name}"), name: (*name).to_owned() }).collect()
    }

    #[test]
    fn keeps_the_names_of_each_server_and_kind() {
        let dir = tempfile::tempdir().unwrap();
        let cache = NameCache::at(&dir.path().join("new"));
        assert_eq!(cache.names("glossary", |_| true), []);
        cache.replace("https://one", "glossary", names(&["Tea", "Kitchen"])).unwrap();
        cache.replace("https://two", "glossary", names(&["Garden"])).unwrap();
        cache.replace("https://one", "style", names(&["House"])).unwrap();
        assert_eq!(cache.names("glossary", |server| server == "https://one"), names(&["Tea", "Kitchen"]));
        assert_eq!(cache.names("glossary", |_| true).len(), 3);
        assert_eq!(cache.names("style", |_| true), names(&["House"]));
        cache.replace("https://one", "glossary", Vec::new()).unwrap();
        assert_eq!(cache.names("glossary", |_| true), names(&["Garden"]));
    }

    #[test]
    fn the_files_are_private_and_can_be_cleared() {
        let dir = tempfile::tempdir().unwrap();
        let cache = NameCache::at(&dir.path().join("new"));
        cache.replace("sandbox", "style", Vec::new()).unwrap();
        assert!(!cache.dir().exists(), "an empty list of an unknown server is not written");
        cache.change("sandbox", "style", |list| list.extend(names(&["House"]))).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = cache.path("sandbox", "style").metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        cache.change("sandbox", "style", |list| list.retain(|one| one.name != "House")).unwrap();
        assert_eq!(cache.names("style", |_| true), []);
        assert_eq!(cache.clear().unwrap().entries, 1);
        assert_eq!(cache.size(), CacheSize::default());
    }

    #[test]
    fn a_broken_file_has_no_names() {
        let dir = tempfile::tempdir().unwrap();
        let cache = NameCache::at(dir.path());
        cache.replace("sandbox", "style", names(&["House"])).unwrap();
        std::fs::write(cache.path("sandbox", "style"), "{").unwrap();
        assert_eq!(cache.names("style", |_| true), []);
        cache.replace("sandbox", "style", names(&["House"])).unwrap();
        assert_eq!(cache.names("style", |_| true), names(&["House"]));
    }
}
