//! The outcome of one document, and its row.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::numbers::counted;
use tulk_store::documents::{DocumentRecord, DocumentStage};

use super::evaluation::{EvaluatedSegments, EvaluationSummary};
use super::next_command;
use super::records::SharedRecord;
use crate::output::{Column, Row, StatusWord};

const RESULT_STATUSES: &[StatusWord] = &[
    StatusWord::done("done"),
    StatusWord::done("uploaded"),
    StatusWord::done("skipped"),
    StatusWord::working("unfinished"),
];

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DocumentResultRow {
    /// The source as the user wrote it; `-` for stdin.
    pub source: String,
    pub target_lang: String,
    pub path: Option<String>,
    pub document_id: Option<String>,
    pub billed_characters: Option<u64>,
    /// `done`, `uploaded`, `skipped` or `unfinished`.
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_evaluation_job_id: Option<String>,
    /// Score of the translation, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_score: Option<f64>,
    /// The evaluated segments as the service sent them, if the output format shows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_segments: Option<EvaluatedSegments>,
    #[serde(skip)]
    pub evaluation: Option<EvaluationSummary>,
}

impl Row for DocumentResultRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("source").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::path("path").header("RESULT").rank(0),
        Column::id("document_id").header("ID"),
        Column::count("billed_characters").header("CHARACTERS").rank(3),
        Column::status("status", RESULT_STATUSES).rank(0),
        Column::number("quality_score").header("SCORE").usual(""),
    ];
}

impl DocumentResultRow {
    pub fn new(record: &DocumentRecord, path: Option<String>, status: &str) -> Self {
        Self {
            source: record.display_name().to_owned(),
            target_lang: record.target_lang.clone(),
            path,
            document_id: record.document_id.clone(),
            billed_characters: record.billed_characters,
            status: status.to_owned(),
            quality_evaluation_job_id: record.evaluation_job_id.clone(),
            quality_score: record.quality_score,
            quality_segments: None,
            evaluation: None,
        }
    }

    /// Formats the row as `a.de.txt  32 characters`, for a line that already names source and target.
    pub fn in_words(&self) -> String {
        let path = self.path.as_deref().map(|path| next_command::relative_path(Path::new(path)).display().to_string());
        let characters = self.billed_characters.map(|count| counted(count, "character"));
        match self.status.as_str() {
            "done" => [path, characters, self.quality_score.map(|score| format!("score {score}"))]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("  "),
            "skipped" => format!("skipped, {} is newer", path.unwrap_or_default()),
            status => [status, self.document_id.as_deref().unwrap_or_default()].join("  "),
        }
    }
}

pub enum DocumentOutcome {
    Done(DocumentResultRow),
    /// Another run can finish the document.
    Unfinished {
        row: DocumentResultRow,
        /// Document ID, or the local name if the document is not uploaded.
        id: String,
        failure: Failure,
    },
    /// The upload may have reached the service; the user decides what to do.
    InDoubt(Failure),
    /// The document failed or is gone. Its record is settled once the failure has been printed.
    Lost {
        failure: Failure,
        shared: SharedRecord,
    },
    Failed(Failure),
    NotStarted,
}

impl DocumentOutcome {
    pub fn new(result: Result<DocumentResultRow, Failure>, shared: &SharedRecord) -> Self {
        match (result, shared.resumable()) {
            (Ok(row), _) => Self::Done(row),
            (Err(failure), None) if shared.is_in_doubt() => Self::InDoubt(failure),
            (Err(failure), None) if shared.get().is_unreported => Self::Lost { failure, shared: shared.clone() },
            (Err(failure), None) => Self::Failed(failure),
            (Err(failure), Some(record)) => {
                let path = record.result_path.as_ref().map(|path| path.display().to_string());
                // A `done` record is resumable only if its evaluation is missing.
                let status = if record.stage == DocumentStage::Done { "done" } else { "unfinished" };
                let row = DocumentResultRow::new(&record, path, status);
                let id = record.id().to_owned();
                Self::Unfinished { row, id, failure }
            }
        }
    }

    /// Returns the row to print, also for a document that the service is still translating.
    pub fn row(&self) -> Option<&DocumentResultRow> {
        match self {
            Self::Done(row) => Some(row),
            Self::Unfinished { row, .. } if row.document_id.is_some() => Some(row),
            Self::Unfinished { .. } | Self::InDoubt(_) | Self::Lost { .. } | Self::Failed(_) | Self::NotStarted => None,
        }
    }

    pub fn failure_mut(&mut self) -> Option<&mut Failure> {
        match self {
            Self::Unfinished { failure, .. }
            | Self::InDoubt(failure)
            | Self::Lost { failure, .. }
            | Self::Failed(failure) => Some(failure),
            Self::Done(_) | Self::NotStarted => None,
        }
    }

    pub fn status(&self) -> &str {
        match self {
            Self::Done(row) => &row.status,
            Self::Unfinished { row, .. } if row.document_id.is_some() => "unfinished",
            Self::Unfinished { failure, .. } | Self::Failed(failure) if failure.kind.is_stop() => "not uploaded",
            Self::Unfinished { .. } | Self::Lost { .. } | Self::Failed(_) => "failed",
            Self::InDoubt(_) => "in doubt",
            Self::NotStarted => "not started",
        }
    }
}
