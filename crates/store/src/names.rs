//! Names of glossaries, style rule lists and other resources from the last listing, in one private file per server and kind. Used
//! only for shell completion, so an outdated or broken file is harmless.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;

use super::cache_dir::CacheDir;

/// Maximum number of names per server and kind, so that completion stays fast. Nobody reads longer lists.
const MAX_NAMES: usize = 2000;
/// How long names are kept after their last change.
const MAX_AGE: Duration = Duration::from_secs(90 * 86_400);

/// A resource with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownName {
    /// ID of the resource.
    pub id: String,
    /// Name of the resource.
    pub name: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct NameFile {
    server: String,
    kind: String,
    names: Vec<KnownName>,
}

/// The name files of the user.
#[derive(Clone, Debug)]
pub struct NameCache {
    dir: CacheDir,
}

impl NameCache {
    /// Opens the user's names.
    pub fn open() -> Result<Self, Failure> {
        Ok(Self { dir: CacheDir::of_user("names")? })
    }

    /// Returns the directory.
    pub fn dir(&self) -> &CacheDir {
        &self.dir
    }

    /// Replaces the names of a kind of resource on a server. Writes nothing if they are unchanged.
    pub fn replace(&self, server: &str, kind: &str, mut names: Vec<KnownName>) -> Result<(), Failure> {
        names.truncate(MAX_NAMES);
        let path = self.dir.file(&key(server, kind));
        if self.read(&path).is_some_and(|file| file.names == names) || (names.is_empty() && !path.exists()) {
            return Ok(());
        }
        let file = NameFile { server: server.to_owned(), kind: kind.to_owned(), names };
        let bytes = serde_json::to_vec(&file)?;
        self.dir.write(&key(server, kind), &bytes, MAX_AGE, SystemTime::now())
    }

    /// Changes the names of a kind of resource on a server after one was created, renamed or deleted.
    pub fn change(&self, server: &str, kind: &str, edit: impl FnOnce(&mut Vec<KnownName>)) -> Result<(), Failure> {
        let mut names = self.read(&self.dir.file(&key(server, kind))).map(|file| file.names).unwrap_or_default();
        edit(&mut names);
        self.replace(server, kind, names)
    }

    /// Returns the names of a kind of resource on the servers that `is_wanted` accepts.
    pub fn names(&self, kind: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<KnownName> {
        let files = self.dir.files().filter_map(|path| self.read(&path));
        files.filter(|file| file.kind == kind && is_wanted(&file.server)).flat_map(|file| file.names).collect()
    }

    fn read(&self, path: &Path) -> Option<NameFile> {
        serde_json::from_slice(&self.dir.read(path)?).ok()
    }
}

fn key(server: &str, kind: &str) -> String {
    format!("{kind} {server}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_dir::CacheSize;

    fn names(list: &[&str]) -> Vec<KnownName> {
        list.iter().map(|name| KnownName { id: format!("id of {name}"), name: (*name).to_owned() }).collect()
    }

    #[test]
    fn keeps_the_names_of_each_server_and_kind() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let cache = NameCache { dir: CacheDir::at(&dir.path().join("new")) };
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
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let cache = NameCache { dir: CacheDir::at(&dir.path().join("new")) };
        cache.replace("sandbox", "style", Vec::new()).unwrap();
        assert!(!cache.dir.path().exists(), "an empty list of an unknown server is not written");
        cache.change("sandbox", "style", |list| list.extend(names(&["House"]))).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = cache.dir.file(&key("sandbox", "style")).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        cache.change("sandbox", "style", |list| list.retain(|one| one.name != "House")).unwrap();
        assert_eq!(cache.names("style", |_| true), []);
        assert_eq!(cache.dir.clear(None).unwrap().entries, 1);
        assert_eq!(cache.dir.size(None), CacheSize::default());
    }

    #[test]
    fn a_broken_file_has_no_names() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let cache = NameCache { dir: CacheDir::at(dir.path()) };
        cache.replace("sandbox", "style", names(&["House"])).unwrap();
        std::fs::write(cache.dir.file(&key("sandbox", "style")), "{").unwrap();
        assert_eq!(cache.names("style", |_| true), []);
        cache.replace("sandbox", "style", names(&["House"])).unwrap();
        assert_eq!(cache.names("style", |_| true), names(&["House"]));
    }
}
