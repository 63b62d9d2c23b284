//! How a stream ended, which decides what happens to its files.

use tulk_base::error::Failure;

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamOutcome {
    /// Normally: files get their final names.
    Complete,
    /// By a failure or a signal: existing files stay, partial ones are kept beside them.
    Incomplete,
}

impl StreamOutcome {
    /// Returns the outcome for the result of a stream.
    pub fn from_result(result: &Result<(), Failure>) -> Self {
        if result.is_ok() { Self::Complete } else { Self::Incomplete }
    }
}
