//! Documents as rows: results, statuses and local records. A document key is never part of a row.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tulk_client::api::doc::DocumentStatus;
use tulk_store::documents::{DocumentRecord, DocumentStage};

use super::next_command;
use crate::output::{Cell, Column, Row, StatusWord, grouped};

/// Statuses of results.
const RESULT_STATUSES: &[StatusWord] = &[
    StatusWord::done("done"),
    StatusWord::done("uploaded"),
    StatusWord::done("skipped"),
    StatusWord::working("unfinished"),
];
/// Statuses as the service reports them.
const SERVICE_STATUSES: &[StatusWord] = &[
    StatusWord::working("queued"),
    StatusWord::working("translating"),
    StatusWord::done("done"),
    StatusWord::failed("error"),
];
/// Statuses of local records.
const LOCAL_STATUSES: &[StatusWord] = &[
    StatusWord::working("uploading"),
    StatusWord::working("in_doubt"),
    // The service has the document and translates it.
    StatusWord::working("uploaded").shown("working"),
    StatusWord::working("downloading"),
    StatusWord::done("done"),
    StatusWord::failed("failed"),
    StatusWord::failed("gone"),
];

/// The result of one document.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct DocumentResultRow {
    /// The source as the user wrote it; `-` for stdin.
    pub source: String,
    /// Target language.
    pub target_lang: String,
    /// Path of the result.
    pub path: Option<String>,
    /// Document ID.
    pub document_id: Option<String>,
    /// Billed characters.
    pub billed_characters: Option<u64>,
    /// `done`, `uploaded`, `skipped` or `unfinished`.
    pub status: String,
}

impl Row for DocumentResultRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("source").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::path("path").header("RESULT").rank(0),
        Column::id("document_id").header("ID"),
        Column::count("billed_characters").header("CHARACTERS").rank(3),
        Column::status("status", RESULT_STATUSES).rank(0),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            self.source.as_str().into(),
            self.target_lang.as_str().into(),
            self.path.clone().into(),
            self.document_id.clone().into(),
            self.billed_characters.into(),
            self.status.as_str().into(),
        ]
    }
}

impl DocumentResultRow {
    /// Creates a row from a record.
    pub fn new(record: &DocumentRecord, path: Option<String>, status: &str) -> Self {
        Self {
            source: record.display_name().to_owned(),
            target_lang: record.target_lang.clone(),
            path,
            document_id: record.document_id.clone(),
            billed_characters: record.billed_characters,
            status: status.to_owned(),
        }
    }

    /// Returns the row in words, for a line that already names source and target: `a.de.txt  32 characters`.
    pub fn in_words(&self) -> String {
        let path = self.path.as_deref().map(|path| next_command::short(Path::new(path)).display().to_string());
        let characters = match self.billed_characters {
            Some(1) => Some("1 character".to_owned()),
            Some(count) => Some(format!("{} characters", grouped(count))),
            None => None,
        };
        match self.status.as_str() {
            "done" => [path, characters].into_iter().flatten().collect::<Vec<_>>().join("  "),
            "skipped" => format!("skipped, {} is newer", path.unwrap_or_default()),
            status => [status, self.document_id.as_deref().unwrap_or_default()].join("  "),
        }
    }
}

impl Row for DocumentStatus {
    const COLUMNS: &'static [Column] = &[
        Column::id("document_id").header("ID"),
        Column::status("status", SERVICE_STATUSES).rank(0),
        Column::number("seconds_remaining").header("SECONDS LEFT"),
        Column::count("billed_characters").header("CHARACTERS").rank(3),
        Column::text("message"),
    ];

    fn cells(&self) -> Vec<Cell> {
        let left = match (self.estimate(), &self.seconds_remaining) {
            (Some(left), _) => Cell::number(left.as_secs()),
            (None, Some(_)) => "unknown".into(),
            (None, None) => Cell::default(),
        };
        let reason = [&self.message, &self.error_message].into_iter().flatten().next();
        vec![
            self.document_id.as_str().into(),
            self.status.as_str().into(),
            left,
            self.billed_characters.into(),
            reason.cloned().into(),
        ]
    }
}

/// One local record.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DocumentListRow {
    /// Document ID, or the local name if there is none yet.
    pub document_id: String,
    /// The source as the user wrote it.
    pub source: String,
    /// Target language.
    pub target_lang: String,
    /// `uploading`, `in_doubt`, `uploaded`, `downloading`, `done`, `failed` or `gone`.
    pub status: String,
    /// Path of the result, once it exists.
    pub path: Option<String>,
    /// Address of the server, or `sandbox`.
    pub server: String,
    /// When the upload started.
    pub created: String,
    /// Billed characters.
    pub billed_characters: Option<u64>,
    /// Why the document failed.
    pub message: Option<String>,
}

impl DocumentListRow {
    /// Creates a row from a record. `is_locked`: whether a process is working on it.
    pub fn new(record: &DocumentRecord, is_locked: bool) -> Self {
        let status = match record.stage {
            // A process is still waiting for the response, so the upload is not in doubt yet.
            DocumentStage::Sent if is_locked => DocumentStage::Uploading,
            stage => stage,
        };
        Self {
            document_id: record.id().to_owned(),
            source: record.display_name().to_owned(),
            target_lang: record.target_lang.clone(),
            status: status.as_str().to_owned(),
            path: record.result_path.as_ref().map(|path| path.display().to_string()),
            server: record.server.clone(),
            created: timestamp(record.created),
            billed_characters: record.billed_characters,
            message: record.reason.clone(),
        }
    }
}

impl Row for DocumentListRow {
    const COLUMNS: &'static [Column] = &[
        Column::id("document_id").header("ID"),
        Column::path("source").rank(0),
        Column::text("target_lang").header("TO"),
        Column::status("status", LOCAL_STATUSES).rank(0),
        Column::path("path").header("RESULT"),
        Column::text("server").rank(5),
        Column::time("created").header("STARTED"),
        Column::count("billed_characters").header("CHARACTERS").rank(4),
        Column::text("message").rank(2),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            self.document_id.as_str().into(),
            self.source.as_str().into(),
            self.target_lang.as_str().into(),
            self.status.as_str().into(),
            self.path.clone().into(),
            self.server.as_str().into(),
            self.created.as_str().into(),
            self.billed_characters.into(),
            self.message.clone().into(),
        ]
    }
}

/// Formats seconds since 1970, such as `2026-03-04T05:06:07Z`. Empty if they are out of range.
fn timestamp(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(seconds).map(|time| time.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_timestamps() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_772_600_767), "2026-03-04T05:06:07Z");
    }
}
