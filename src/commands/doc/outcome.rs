//! How the work on one document ended.

use tulk_base::error::Failure;

use super::lifecycle::SharedRecord;
use super::rows::DocumentResultRow;

/// Outcome of one document.
pub enum DocumentOutcome {
    /// The row of the result.
    Done(DocumentResultRow),
    /// There is no result yet, but another run can finish the document.
    Unfinished {
        /// What is known so far.
        row: DocumentResultRow,
        /// Document ID, or the local name of a document that was not uploaded.
        id: String,
        /// Why this run did not finish it.
        failure: Failure,
    },
    /// The upload may have reached the service; the user decides.
    InDoubt(Failure),
    /// Why there is no result.
    Failed(Failure),
    /// The run ended before this document was started.
    NotStarted,
}

impl DocumentOutcome {
    /// Decides from the record what a failure means for a document.
    pub fn new(result: Result<DocumentResultRow, Failure>, shared: &SharedRecord) -> Self {
        match (result, shared.resumable()) {
            (Ok(row), _) => Self::Done(row),
            (Err(failure), None) if shared.is_in_doubt() => Self::InDoubt(failure),
            (Err(failure), None) => Self::Failed(failure),
            (Err(failure), Some(record)) => {
                let path = record.result_path.as_ref().map(|path| path.display().to_string());
                let row = DocumentResultRow::new(&record, path, "unfinished");
                let id = record.id().to_owned();
                Self::Unfinished { row, id, failure }
            }
        }
    }

    /// Returns the row to print: of a result, or of a document that the service is still translating.
    pub fn row(&self) -> Option<&DocumentResultRow> {
        match self {
            Self::Done(row) => Some(row),
            Self::Unfinished { row, .. } if row.document_id.is_some() => Some(row),
            Self::Unfinished { .. } | Self::InDoubt(_) | Self::Failed(_) | Self::NotStarted => None,
        }
    }

    /// Returns why there is no result.
    pub fn failure_mut(&mut self) -> Option<&mut Failure> {
        match self {
            Self::Unfinished { failure, .. } | Self::InDoubt(failure) | Self::Failed(failure) => Some(failure),
            Self::Done(_) | Self::NotStarted => None,
        }
    }

    /// Returns the word of the summary.
    pub fn status(&self) -> &str {
        match self {
            Self::Done(row) => &row.status,
            Self::Unfinished { row, .. } if row.document_id.is_some() => "unfinished",
            Self::Unfinished { failure, .. } | Self::Failed(failure) if failure.kind.is_stop() => "not uploaded",
            Self::Unfinished { .. } | Self::Failed(_) => "failed",
            Self::InDoubt(_) => "in doubt",
            Self::NotStarted => "not started",
        }
    }
}
