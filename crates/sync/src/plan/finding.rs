//! Findings of `--check`: units with a problem, and their locations.

use tulk_base::error::Origin;
use tulk_catalogs::UnitKey;

use super::OldUnit;
use crate::state::UnitState;

/// A unit that needs attention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its location in the target, or in the source if the target does not have it.
    pub at: Origin,
    /// Key of the unit.
    pub key: UnitKey,
    /// State of the unit.
    pub state: UnitState,
    /// Whether tulk may overwrite the target: it is missing, or it needs a new translation and is not a person's.
    pub can_overwrite: bool,
    /// The problem, as a message for the user.
    pub message: String,
}

/// `by_note` means that the note has changed and the source text has not.
pub fn message(state: UnitState, needs_review: bool, by_note: bool) -> &'static str {
    match state {
        UnitState::Extra => "the source has no such key",
        UnitState::Failed => {
            "the last translation was broken and not used; it is requested again when the source text or its note changes"
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

/// Message for a renamed unit whose target is still under its old key.
pub fn moved_message(old: &OldUnit) -> String {
    let file = old.path.as_ref().map(|path| format!(" in {}", path.display())).unwrap_or_default();
    format!("its translation is still at {}{file}; `tulk sync` moves it", old.key)
}
