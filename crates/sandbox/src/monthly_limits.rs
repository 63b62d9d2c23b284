//! Limits of usage: those of the options, and those of one key.

use serde_json::Value;

/// Monthly limits that the options set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MonthlyLimits {
    /// Characters of all keys together.
    pub characters: Option<u64>,
    /// Uploaded documents of each key that has no limit of its own.
    pub documents: Option<u64>,
    /// Uploaded documents of all keys together.
    pub team_documents: Option<u64>,
}

/// Limits of one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyLimits {
    /// Characters.
    pub characters: Option<u64>,
    /// Milliseconds of speech.
    pub milliseconds: Option<u64>,
    /// Uploaded documents.
    pub documents: Option<u64>,
}

impl KeyLimits {
    /// Returns the limits of a stored developer key.
    pub(super) fn of_developer_key(body: &Value) -> Self {
        let limit = |name: &str| body.get("usage_limits").and_then(|limits| limits.get(name)?.as_u64());
        Self {
            characters: limit("characters"),
            milliseconds: limit("speech_to_text_milliseconds"),
            documents: limit("documents"),
        }
    }
}
