//! What `--check` lists: a unit with its place and what is wrong with it.

use tulk_base::error::Origin;
use tulk_catalogs::UnitKey;

use super::OldUnit;
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
