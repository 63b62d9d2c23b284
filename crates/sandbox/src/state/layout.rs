//! The layout of the database: its tables, and how older databases become like it.
//!
//! Version 0 has entries of glossaries in their objects, 1 has them in texts, 2 has sessions. The caller holds the lock of
//! the directory.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::texts;

/// Version of the layout.
const LAYOUT: i64 = 2;

/// All tables. `session` is empty for requests without a session.
const TABLES: &str = "
    CREATE TABLE objects (
        session TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, owner TEXT NOT NULL, body TEXT NOT NULL,
        created INTEGER NOT NULL, stamp INTEGER NOT NULL,
        PRIMARY KEY (session, kind, id));
    CREATE TABLE texts (
        session TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (session, kind, id, name));
    CREATE TABLE counts (
        session TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL,
        PRIMARY KEY (session, key, name)) WITHOUT ROWID;
    CREATE TABLE sessions (name TEXT PRIMARY KEY, used INTEGER NOT NULL, seed TEXT NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER texts_of_removed_objects AFTER DELETE ON objects BEGIN
        DELETE FROM texts WHERE session = old.session AND kind = old.kind AND id = old.id;
    END;
";

/// Renames the tables of layouts 0 and 1, of which some may not exist.
const SET_ASIDE: &str = "
    CREATE TABLE IF NOT EXISTS texts (kind TEXT, id TEXT, name TEXT, text TEXT);
    CREATE TABLE IF NOT EXISTS counts (key TEXT, name TEXT, n INTEGER);
    DROP TRIGGER IF EXISTS texts_of_removed_objects;
    ALTER TABLE objects RENAME TO old_objects;
    ALTER TABLE texts RENAME TO old_texts;
    ALTER TABLE counts RENAME TO old_counts;
";

/// Copies the rows of the renamed tables.
const COPY: &str = "
    INSERT INTO objects SELECT '', kind, id, owner, body, created, stamp FROM old_objects ORDER BY rowid;
    INSERT INTO texts SELECT '', kind, id, name, text FROM old_texts;
    INSERT INTO counts SELECT '', key, name, n FROM old_counts;
    DROP TABLE old_objects;
    DROP TABLE old_texts;
    DROP TABLE old_counts;
";

/// Creates the tables of a new database, or brings an older one to this layout.
pub(super) fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    let version = |connection: &Connection| connection.pragma_query_value(None, "user_version", |row| row.get(0));
    let found: i64 = version(connection)?;
    if found >= LAYOUT {
        return Ok(());
    }
    let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
    if transaction.table_exists(None, "objects")? {
        transaction.execute_batch(SET_ASIDE)?;
        transaction.execute_batch(TABLES)?;
        transaction.execute_batch(COPY)?;
        if found < 1 {
            texts::move_entries_of_glossaries(&transaction)?;
        }
    } else {
        transaction.execute_batch(TABLES)?;
    }
    transaction.pragma_update(None, "user_version", LAYOUT)?;
    transaction.commit()
}
