//! Large texts of stored objects, kept apart so that listing the objects does not read them.
//!
//! A text has the kind and ID of its object, and a name. It goes away with its object. Directories of version 0.1.0
//! keep the entries of glossaries in the objects; `layout` moves them here.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{StateTables, kind};

impl StateTables<'_> {
    /// Creates or replaces a text of an object.
    pub fn put_text(&self, kind: &str, id: &str, name: &str, text: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO texts (session, kind, id, name, text) VALUES (?1, ?2, ?3, ?4, ?5)")?
            .execute(params![self.session, kind, id, name, text])?;
        Ok(())
    }

    /// Returns a text of an object.
    pub fn text(&self, kind: &str, id: &str, name: &str) -> rusqlite::Result<Option<String>> {
        self.connection
            .prepare_cached("SELECT text FROM texts WHERE session = ?1 AND kind = ?2 AND id = ?3 AND name = ?4")?
            .query_row(params![self.session, kind, id, name], |row| row.get(0))
            .optional()
    }

    /// Removes a text of an object, if it exists.
    pub fn delete_text(&self, kind: &str, id: &str, name: &str) -> rusqlite::Result<()> {
        self.connection
            .prepare_cached("DELETE FROM texts WHERE session = ?1 AND kind = ?2 AND id = ?3 AND name = ?4")?
            .execute([self.session, kind, id, name])?;
        Ok(())
    }
}

/// Moves the entries of all glossaries to texts.
pub(super) fn move_entries_of_glossaries(connection: &Connection) -> rusqlite::Result<()> {
    let tables = StateTables { connection, session: "" };
    tables.list(kind::GLOSSARY)?.iter().try_for_each(|glossary| move_entries(&tables, &glossary.id))
}

/// Moves the entries of one glossary to texts and leaves their number in the object.
fn move_entries(tables: &StateTables, id: &str) -> rusqlite::Result<()> {
    /// A dictionary with its entries, as version 0.1.0 stored it.
    #[derive(Deserialize)]
    struct DictionaryWithEntries {
        source_lang: String,
        target_lang: String,
        entries: Vec<(String, String)>,
    }
    let Some(mut object) = tables.get(kind::GLOSSARY, id)? else { return Ok(()) };
    for dictionary in object.body["dictionaries"].as_array_mut().into_iter().flatten() {
        // Leaves what it cannot read: the routes report it.
        let Ok(old) = DictionaryWithEntries::deserialize(&*dictionary) else { continue };
        let lines: Vec<String> = old.entries.iter().map(|(source, target)| format!("{source}\t{target}")).collect();
        tables.put_text(kind::GLOSSARY, id, &pair_name(&old.source_lang, &old.target_lang), &lines.join("\n"))?;
        *dictionary = json!({
            "source_lang": old.source_lang, "target_lang": old.target_lang, "entry_count": old.entries.len(),
        });
    }
    tables.put(kind::GLOSSARY, id, &object.owner, &Value::take(&mut object.body))
}

/// Returns the name of the text with the entries of a dictionary, as TSV.
pub fn pair_name(source: &str, target: &str) -> String {
    format!("{source}-{target}").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{DATABASE, StateStore};
    use crate::state_dir;

    #[test]
    fn texts_go_away_with_their_object() {
        let dir = tempfile::tempdir().unwrap();
        let state = StateStore::open(Some(dir.path())).unwrap();
        let put = |id: &str| {
            state.put(kind::GLOSSARY, id, "k", &json!({})).unwrap();
            state.with(|tables| tables.put_text(kind::GLOSSARY, id, "en-de", "a\tb")).unwrap();
        };
        let text = |id: &str| state.with(|tables| tables.text(kind::GLOSSARY, id, "en-de")).unwrap();
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

    #[test]
    fn a_directory_of_version_0_1_0_keeps_its_glossaries() {
        let dir = tempfile::tempdir().unwrap();
        let old = Connection::open(dir.path().join(DATABASE)).unwrap();
        old.execute_batch(
            r#"CREATE TABLE objects (
                kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, body TEXT NOT NULL,
                created INTEGER NOT NULL, stamp INTEGER NOT NULL, PRIMARY KEY (kind, id));
            INSERT INTO objects VALUES ('glossary', 'g', 'k', '{"name":"Tea","origin":"v3","edited":false,"dictionaries":[
                {"source_lang":"en","target_lang":"de","entries":[["kettle","Kessel"],["tea","Tee"]]},
                {"source_lang":"en","target_lang":"fr","entries":[["tea","thé"]]}]}', 7, 8);
            INSERT INTO objects VALUES ('style', 's', 'k', '{"name":"x"}', 9, 10);"#,
        )
        .unwrap();
        for _ in 0..2 {
            let state = StateStore::open(Some(dir.path())).unwrap();
            let glossary = state.with(|tables| tables.get(kind::GLOSSARY, "g")).unwrap().unwrap();
            assert_eq!((glossary.created, glossary.owner.as_str()), (7, "k"));
            assert_eq!(
                glossary.body,
                json!({"name": "Tea", "origin": "v3", "edited": false, "dictionaries": [
                    {"source_lang": "en", "target_lang": "de", "entry_count": 2},
                    {"source_lang": "en", "target_lang": "fr", "entry_count": 1}]})
            );
            let text = |pair: &str| state.with(|tables| tables.text(kind::GLOSSARY, "g", pair)).unwrap();
            assert_eq!(text("en-de").as_deref(), Some("kettle\tKessel\ntea\tTee"));
            assert_eq!(text("en-fr").as_deref(), Some("tea\tthé"));
            assert_eq!(state.get(kind::STYLE, "s").unwrap(), Some(json!({"name": "x"})));
        }
    }
}
