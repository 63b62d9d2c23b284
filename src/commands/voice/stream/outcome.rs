//! How a stream ended, which decides what happens to its files.

use crate::error::{Failure, Kind};

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamOutcome {
    /// Normally or by a signal: files are renamed to their final names.
    Complete,
    /// By a failure: existing files stay, partial ones are kept beside them.
    Failed,
}

impl StreamOutcome {
    /// Returns the outcome for the result of a stream.
    pub fn from_result(result: &Result<(), Failure>) -> Self {
        match result {
            Err(failure) if !failure.kind.is_stop() && failure.kind != Kind::PipeClosed => Self::Failed,
            _ => Self::Complete,
        }
    }
}
