//! The seed file: the glossaries, style rule lists, translation memories, style profiles, developer keys and usage of a
//! new session.
//!
//! Input: a TOML file, which is checked completely, by the rules of the routes, before the sandbox starts. Output:
//! objects and counts, which are written into a session at its first use and at each reset, in one transaction. A
//! session on disk records the digest of its seed, so a restart changes nothing unless the file has changed.

mod document;
mod objects;
mod usage;

use std::collections::BTreeMap;
use std::path::Path;

use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::clock;
use super::options::{FILE_LIMIT, SandboxOptions};
use super::state::{StateStore, StateTables};

use document::SeedDocument;
use objects::SeedReader;
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::read_text_bounded;
use usage::SeedUsage;

pub(super) struct Seed {
    /// Digest of the seed file and of the files that it names.
    digest: String,
    owner: String,
    objects: Vec<SeedObject>,
    usage: Vec<SeedUsage>,
}

struct SeedObject {
    kind: &'static str,
    id: String,
    /// Body; the values of the fields in `times` do not matter.
    body: Value,
    /// Names of fields that are set to the time of storing.
    times: &'static [&'static str],
    /// Names and contents of the object's texts.
    texts: Vec<(String, String)>,
}

impl Seed {
    /// Reads and checks a seed file and the files that it names.
    pub(super) fn open(path: &Path, options: &SandboxOptions) -> Result<Self, Failure> {
        let text = read_text_bounded(path, FILE_LIMIT).file_context("read", path)?;
        let mut digest = Sha256::new();
        digest.update(text.as_bytes());
        let document = SeedDocument::parse(path, &text)?;
        let mut reader = SeedReader::new(&document, options, digest);
        reader.read()?;
        let SeedReader { objects, usage, digest, .. } = reader;
        let owner = options.keys.first().cloned().unwrap_or_default();
        Ok(Self { digest: HEXLOWER.encode(&digest.finalize()), owner, objects, usage })
    }

    /// Writes the seed into a session, unless the session already has it. If the session has a different seed, objects and counts
    /// with the same IDs and names are replaced.
    pub(super) fn apply(&self, state: &StateStore) -> rusqlite::Result<()> {
        if state.with_tables(|tables| self.is_in(tables))? {
            return Ok(());
        }
        let now = clock::now_ms();
        state.in_transaction(|tables| {
            // Another process may have written it in the meantime.
            if self.is_in(tables)? {
                return Ok(());
            }
            self.objects.iter().try_for_each(|object| object.store(tables, &self.owner, now))?;
            for ((key, name), n) in self.counts(now)? {
                tables.set_count(&key, &name, n)?;
            }
            tables.set_seed_digest(&self.digest)
        })
    }

    fn is_in(&self, tables: &StateTables) -> rusqlite::Result<bool> {
        Ok(tables.seed_digest()?.as_ref() == Some(&self.digest))
    }

    /// Returns the counts by key and name.
    fn counts(&self, now: i64) -> rusqlite::Result<BTreeMap<(String, String), i64>> {
        let mut counts = BTreeMap::new();
        for usage in &self.usage {
            usage.charges(now).iter().try_for_each(|charge| {
                charge.for_each(|key, name, n| {
                    *counts.entry((key.to_owned(), name.to_owned())).or_default() += n;
                    Ok(())
                })
            })?;
        }
        Ok(counts)
    }
}

impl SeedObject {
    fn store(&self, tables: &StateTables, owner: &str, now: i64) -> rusqlite::Result<()> {
        let mut body = self.body.clone();
        for time in self.times {
            body[*time] = clock::iso(now).into();
        }
        // Also removes the object's old texts.
        tables.delete(self.kind, &self.id)?;
        tables.put(self.kind, &self.id, owner, &body)?;
        self.texts.iter().try_for_each(|(name, text)| tables.put_text(self.kind, &self.id, name, text))
    }
}
