//! The tables of a state as one session sees them: objects, their large texts, and counts.
//!
//! Each connection prepares a statement only once. Large texts are stored separately, so that listing objects does not
//! read them. A text is identified by the kind and ID of its object and a name, and is deleted with its object.

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::StoredObject;
use crate::clock;

pub struct StateTables<'a> {
    pub(crate) connection: &'a Connection,
    /// Empty without a session name.
    pub(crate) session: &'a str,
}

impl StateTables<'_> {
    pub fn get(&self, kind: &str, id: &str) -> rusqlite::Result<Option<StoredObject>> {
        self.connection
            .prepare_cached(
                "SELECT id, owner, body, created FROM objects WHERE session = ?1 AND kind = ?2 AND id = ?3",
            )?
            .query_row(params![self.session, kind, id], read_object)
            .optional()
    }

    /// Returns a random number that changes with every write of the object, so that caches can detect stale entries.
    pub fn stamp(&self, kind: &str, id: &str) -> rusqlite::Result<Option<i64>> {
        self.connection
            .prepare_cached("SELECT stamp FROM objects WHERE session = ?1 AND kind = ?2 AND id = ?3")?
            .query_row(params![self.session, kind, id], |row| row.get(0))
            .optional()
    }

    /// Creates an object or replaces its body. An existing object keeps its owner and time of creation.
    pub fn put(&self, kind: &str, id: &str, owner: &str, body: &Value) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO objects (session, kind, id, owner, body, created, stamp) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                 ON CONFLICT (session, kind, id) DO UPDATE SET body = excluded.body, stamp = excluded.stamp",
            )?
            .execute(params![self.session, kind, id, owner, body.to_string(), clock::now_ms(), fastrand::i64(..)])?;
        Ok(())
    }

    /// Returns all objects of a kind, oldest first.
    pub fn list(&self, kind: &str) -> rusqlite::Result<Vec<StoredObject>> {
        self.connection
            .prepare_cached(
                "SELECT id, owner, body, created FROM objects WHERE session = ?1 AND kind = ?2 ORDER BY created, rowid",
            )?
            .query_map([self.session, kind], read_object)?
            .collect()
    }

    /// Returns the IDs and times of creation of all objects of a kind, without reading their bodies.
    pub fn list_ids(&self, kind: &str) -> rusqlite::Result<Vec<(String, i64)>> {
        self.connection
            .prepare_cached("SELECT id, created FROM objects WHERE session = ?1 AND kind = ?2")?
            .query_map([self.session, kind], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    pub fn take(&self, kind: &str, id: &str) -> rusqlite::Result<Option<Value>> {
        self.connection
            .prepare_cached(
                "DELETE FROM objects WHERE session = ?1 AND kind = ?2 AND id = ?3 RETURNING id, owner, body, created",
            )?
            .query_row(params![self.session, kind, id], read_object)
            .optional()
            .map(|object| object.map(|object| object.body))
    }

    /// Removes an object. Returns whether it existed.
    pub fn delete(&self, kind: &str, id: &str) -> rusqlite::Result<bool> {
        let removed = self
            .connection
            .prepare_cached("DELETE FROM objects WHERE session = ?1 AND kind = ?2 AND id = ?3")?
            .execute(params![self.session, kind, id])?;
        Ok(removed > 0)
    }

    pub fn count(&self, kind: &str) -> rusqlite::Result<i64> {
        self.connection
            .prepare_cached("SELECT COUNT(*) FROM objects WHERE session = ?1 AND kind = ?2")?
            .query_row([self.session, kind], |row| row.get(0))
    }

    pub fn count_objects(&self) -> rusqlite::Result<Vec<(String, i64)>> {
        self.connection
            .prepare_cached("SELECT kind, COUNT(*) FROM objects WHERE session = ?1 GROUP BY kind")?
            .query_map([self.session], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// A new count starts at 0.
    pub fn add_count(&self, key: &str, name: &str, n: i64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO counts (session, key, name, n) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (session, key, name) DO UPDATE SET n = n + excluded.n",
            )?
            .execute(params![self.session, key, name, n])?;
        Ok(())
    }

    pub fn set_count(&self, key: &str, name: &str, n: i64) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO counts (session, key, name, n) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![self.session, key, name, n])?;
        Ok(())
    }

    pub fn clear_counts(&self, key: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("DELETE FROM counts WHERE session = ?1 AND key = ?2")?
            .execute([self.session, key])?;
        Ok(())
    }

    /// Empty or `None` without a seed.
    pub fn seed_digest(&self) -> rusqlite::Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT seed FROM sessions WHERE name = ?1")?
            .query_row([self.session], |row| row.get(0))
            .optional()
    }

    pub fn set_seed_digest(&self, digest: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO sessions (name, used, seed) VALUES (?1, ?2, ?3)
                 ON CONFLICT (name) DO UPDATE SET seed = excluded.seed",
            )?
            .execute(params![self.session, clock::now_ms(), digest])?;
        Ok(())
    }

    /// Returns the counts of a key, ordered by name.
    pub fn counts(&self, key: &str) -> rusqlite::Result<Vec<(String, i64)>> {
        self.connection
            .prepare_cached("SELECT name, n FROM counts WHERE session = ?1 AND key = ?2 ORDER BY name")?
            .query_map([self.session, key], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    pub fn put_text(&self, kind: &str, id: &str, name: &str, text: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO texts (session, kind, id, name, text) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![self.session, kind, id, name, text])?;
        Ok(())
    }

    pub fn text(&self, kind: &str, id: &str, name: &str) -> rusqlite::Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT text FROM texts WHERE session = ?1 AND kind = ?2 AND id = ?3 AND name = ?4")?
            .query_row(params![self.session, kind, id, name], |row| row.get(0))
            .optional()
    }

    pub fn delete_text(&self, kind: &str, id: &str, name: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("DELETE FROM texts WHERE session = ?1 AND kind = ?2 AND id = ?3 AND name = ?4")?
            .execute([self.session, kind, id, name])?;
        Ok(())
    }
}

fn read_object(row: &rusqlite::Row) -> rusqlite::Result<StoredObject> {
    let body: String = row.get(2)?;
    let body = serde_json::from_str(&body)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(2, rusqlite::types::Type::Text, error.into()))?;
    Ok(StoredObject { id: row.get(0)?, owner: row.get(1)?, body, created: row.get(3)? })
}

/// Returns the name of the text that contains the entries of a dictionary, as TSV.
pub fn pair_name(source: &str, target: &str) -> String {
    format!("{source}-{target}").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::state::{StateStore, kind};
    use crate::state_dir;

    #[test]
    fn texts_are_deleted_with_their_object() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let state = StateStore::open(Some(dir.path())).unwrap();
        let put = |id: &str| {
            state.put(kind::GLOSSARY, id, "k", &json!({})).unwrap();
            state.with_tables(|tables| tables.put_text(kind::GLOSSARY, id, "en-de", "a\tb")).unwrap();
        };
        let text = |id: &str| state.with_tables(|tables| tables.text(kind::GLOSSARY, id, "en-de")).unwrap();
        put("a");
        put("b");
        assert!(state.delete(kind::GLOSSARY, "a").unwrap());
        assert_eq!((text("a"), text("b")), (None, Some("a\tb".to_owned())));
        assert!(state.take(kind::GLOSSARY, "b").unwrap().is_some());
        assert_eq!(text("b"), None);
        put("c");
        state_dir::reset(dir.path()).unwrap();
        assert_eq!(text("c"), None);
    }
}
