//! What `--check` lists: a unit with its place and what is wrong with it.

use std::sync::Arc;

use tulk_base::error::Origin;
use tulk_catalogs::UnitKey;

use super::OldUnit;
use crate::load::LoadedCatalog;
use crate::state::UnitState;

/// A unit that has to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it is: in the target, else in the source.
    pub at: Origin,
    /// Its key.
    pub key: UnitKey,
    /// Its state.
    pub state: UnitState,
    /// Whether the target is not a person's, or not there.
    pub is_own: bool,
    /// What is wrong, in words.
    pub message: String,
}

/// Finds the places of bytes in a file that has many findings.
pub struct FindingPlaces<'a> {
    file: &'a LoadedCatalog,
    name: Arc<str>,
    /// Where each line begins.
    lines: std::cell::OnceCell<Vec<usize>>,
}

impl<'a> FindingPlaces<'a> {
    /// Looks nothing up yet.
    pub fn new(file: &'a LoadedCatalog) -> Self {
        Self { file, name: file.name.as_str().into(), lines: std::cell::OnceCell::new() }
    }

    /// Returns the line and column of a byte.
    pub fn origin(&self, at: usize) -> Origin {
        let text = &self.file.file.text;
        let lines = self.lines.get_or_init(|| {
            let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|end| end + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let line = lines.partition_point(|start| *start <= at).max(1);
        let start = lines.get(line - 1).copied().unwrap_or_default();
        let before = text.get(start..at).unwrap_or_default();
        Origin { source: self.name.clone(), line: line as u64, column: before.chars().count() as u64 + 1 }
    }
}

/// Returns what is wrong with a unit in a state, if nothing more is known. `by_note` says that only its note has changed.
pub fn message(state: UnitState, needs_review: bool, by_note: bool) -> &'static str {
    match state {
        UnitState::Extra => "the source has no such key",
        UnitState::Failed => {
            "its last result was broken and is not used; it is sent again when the source text or its note changes"
        }
        UnitState::Missing => "there is no translation",
        UnitState::Stale | UnitState::Review if needs_review => "the file marks the translation as unconfirmed",
        UnitState::Stale if by_note => "the note has changed since it was translated",
        UnitState::Stale => "the source text has changed since it was translated",
        UnitState::Review if by_note => "the note has changed since a person wrote the translation",
        UnitState::Review => "the source text has changed since a person wrote the translation",
        UnitState::Broken => "the translation is broken",
        UnitState::Same => "the translation equals the source text",
        UnitState::Edited | UnitState::Current => "the translation is up to date",
    }
}

/// Returns what is wrong with a unit that was renamed and whose target is still at its old place.
pub fn moved_message(old: &OldUnit) -> String {
    let file = old.path.as_ref().map(|path| format!(" in {}", path.display())).unwrap_or_default();
    format!("its translation is still at {}{file}; `tulk sync` moves it", old.key)
}
