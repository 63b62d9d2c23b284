//! Stored keys: `credentials.toml` with mode 0600. Each key is stored with the server it is for.

use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, value};
use tulk_base::error::{Failure, io_message};
use tulk_base::files::{self, FileMode, ReadContent};
use tulk_base::limits::SETTINGS_FILE;
use tulk_client::{ApiKey, KeyKind};

/// The credentials file.
#[derive(Debug)]
pub struct Credentials {
    path: PathBuf,
    document: DocumentMut,
    /// Content of the file when it was read, to detect edits before it is written.
    read: ReadContent,
}

/// A stored key and its server.
#[derive(Clone, Debug)]
pub struct StoredKey {
    /// The key.
    pub key: ApiKey,
    /// Base address that the key was stored for.
    pub server: String,
}

impl Credentials {
    /// Reads the file. A missing file counts as empty. Refuses a file that others can read, write or replace.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let (text, read) = match files::read_text_bounded(path, SETTINGS_FILE) {
            Ok(text) => {
                files::check_private(path)?;
                files::check_trusted_file(path)?;
                let read = ReadContent::of(Some(text.as_bytes()));
                (text, read)
            }
            Err(e) if files::is_missing(&e) => (String::new(), ReadContent::MISSING),
            Err(e) => {
                return Err(Failure::of_read(path, &e)
                    .unwrap_or_else(|| Failure::usage(format!("cannot read {}: {}", path.display(), io_message(&e)))));
            }
        };
        // Omit the parser's message: it quotes the line, which may contain the key.
        let document = text.parse::<DocumentMut>().map_err(|e| {
            let line = e.span().map_or(0, |s| text.get(..s.start).unwrap_or_default().matches('\n').count() + 1);
            Failure::usage(format!("{}:{line}: invalid TOML", path.display()))
                .hint("remove the file and run `tulk auth login` again")
        })?;
        Ok(Self { path: path.to_path_buf(), document, read })
    }

    /// Creates an empty set of keys, for a user whose home directory is missing or inaccessible.
    pub fn none() -> Self {
        Self { path: PathBuf::new(), document: DocumentMut::new(), read: ReadContent::MISSING }
    }

    /// Returns the stored key of a profile.
    pub fn get(&self, profile: &str, kind: KeyKind) -> Option<StoredKey> {
        let table = self.document.get("profiles")?.get(profile)?;
        let (key, server) = fields(kind);
        let text = table.get(key)?.as_str()?;
        let server = table.get(server).and_then(Item::as_str).unwrap_or_default().to_owned();
        Some(StoredKey { key: ApiKey::new(text, "credentials.toml").ok()?, server })
    }

    /// Returns the names of the profiles that have a key.
    pub fn profiles(&self) -> Vec<String> {
        let table = self.document.get("profiles").and_then(Item::as_table_like);
        table.map(|t| t.iter().map(|(name, _)| name.to_owned()).collect()).unwrap_or_default()
    }

    /// Stores a key for a server.
    pub fn set(&mut self, profile: &str, kind: KeyKind, stored: &StoredKey) {
        let (key, server) = fields(kind);
        let table = self.table(profile);
        table.insert(key, value(stored.key.expose()));
        table.insert(server, value(&stored.server));
    }

    /// Removes a key. Returns whether there was one.
    pub fn remove(&mut self, profile: &str, kind: KeyKind) -> bool {
        if self.get(profile, kind).is_none() {
            return false;
        }
        let (key, server) = fields(kind);
        let table = self.table(profile);
        table.remove(key);
        table.remove(server);
        if table.is_empty()
            && let Some(profiles) = self.document.get_mut("profiles").and_then(Item::as_table_like_mut)
        {
            profiles.remove(profile);
        }
        true
    }

    /// Replaces the file atomically, with mode 0600. Fails if it was edited since it was read.
    pub fn write(&self) -> Result<(), Failure> {
        let text = self.document.to_string();
        if files::write_over(&self.path, text.as_bytes(), FileMode::Private, &self.read)? {
            return Ok(());
        }
        let what = format!("{} was changed in the meantime and was kept", self.path.display());
        Err(Failure::usage(what).hint("run the command again"))
    }

    fn table(&mut self, profile: &str) -> &mut dyn toml_edit::TableLike {
        let profiles = self.document.entry("profiles").or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        if profiles.as_table_like().is_none() {
            *profiles = Item::Table(Table::new());
        }
        if profiles.get(profile).and_then(Item::as_table_like).is_none()
            && let Some(all) = profiles.as_table_like_mut()
        {
            all.insert(profile, Item::Table(Table::new()));
        }
        // Both tables were created above if they were missing.
        match profiles.get_mut(profile).and_then(Item::as_table_like_mut) {
            Some(table) => table,
            None => unreachable!("the table was just created"),
        }
    }
}

fn fields(kind: KeyKind) -> (&'static str, &'static str) {
    match kind {
        KeyKind::Account => ("key", "server"),
        KeyKind::Admin => ("admin_key", "admin_server"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_key_with_its_server() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let path = dir.path().join("credentials.toml");
        let mut file = Credentials::read(&path).unwrap();
        let stored = StoredKey { key: ApiKey::new("k-1", "x").unwrap(), server: "https://a.example".into() };
        file.set("work", KeyKind::Account, &stored);
        file.write().unwrap();
        let mut again = Credentials::read(&path).unwrap();
        assert_eq!(again.get("work", KeyKind::Account).unwrap().server, "https://a.example");
        assert!(again.get("work", KeyKind::Admin).is_none());
        assert!(again.remove("work", KeyKind::Account));
        assert!(again.profiles().is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn refuses_a_file_that_others_can_read() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let path = dir.path().join("credentials.toml");
        std::fs::write(&path, "").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Credentials::read(&path).unwrap_err().hint.unwrap().contains("chmod 600"));
    }

    #[test]
    fn an_invalid_file_is_not_quoted() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let path = dir.path().join("credentials.toml");
        files::write_atomic(&path, b"key = secret-thing", FileMode::Private).unwrap();
        assert!(!Credentials::read(&path).unwrap_err().to_string().contains("secret-thing"));
    }
}
