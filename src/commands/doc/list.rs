//! `tulk doc list` and `forget`: list and remove the records on this machine, without sending anything.

use std::time::{Duration, SystemTime};

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_store::documents::{DocumentRecord, DocumentStage, DocumentStore, LockedRecord};

use super::records::{document_store, unknown_document};
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::config::parse_age;
use crate::context::Context;
use crate::output::{Column, EmptyNote, Row, StatusWord};
use crate::reports::list_limit::ListLimitArgs;

/// List the documents recorded on this machine, newest first
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DocumentListRow>())]
#[command(after_help = "tulk doc list\n\
                        tulk doc list --limit 10 --json")]
pub struct DocListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for DocListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let store = document_store()?;
        let mut listing = store.list()?;
        listing.records.reverse();
        for path in &listing.damaged {
            ctx.out.warn(&format!("{} is not a valid document record", path.display()));
        }
        let rows = self.limit.first(&listing.records).iter().map(|record| {
            let is_locked = record.stage.is_unfinished() && store.is_locked(&record.name);
            WithRaw::from_typed(DocumentListRow::new(record, is_locked))
        });
        ctx.out.list(&rows.collect::<Result<Vec<_>, Failure>>()?)?;
        if listing.records.is_empty() {
            let note = EmptyNote::new("No documents yet.");
            ctx.out.print_empty_note(&note.next("Translate one", "tulk doc translate FILE --to de"));
        }
        Ok(())
    }
}

const LOCAL_STATUSES: &[StatusWord] = &[
    StatusWord::working("uploading"),
    StatusWord::working("in_doubt"),
    StatusWord::working("uploaded"),
    StatusWord::working("downloading"),
    StatusWord::done("done"),
    StatusWord::failed("failed"),
    StatusWord::failed("gone"),
];

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DocumentListRow {
    /// Document ID, or the local name if there is none yet.
    pub document_id: String,
    pub source: String,
    pub target_lang: String,
    pub status: String,
    pub path: Option<String>,
    /// Address of the server, or `sandbox`.
    pub server: String,
    /// Start of the upload.
    pub created: String,
    pub billed_characters: Option<u64>,
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_score: Option<f64>,
}

impl DocumentListRow {
    /// `is_locked` tells whether a process is working on the document.
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
            quality_score: record.quality_score,
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
        Column::number("quality_score").header("SCORE").usual(""),
    ];
}

/// Formats seconds since 1970, such as `2026-03-04T05:06:07Z`. Empty if they are out of range.
fn timestamp(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
    jiff::Timestamp::from_second(seconds).map(|time| time.to_string()).unwrap_or_default()
}

/// Remove local records of documents; asks if one is unfinished
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk doc forget --finished --older-than 7d\n\
                        id=$(tulk doc upload report.docx --to de --columns document_id)\n\
                        tulk doc forget \"$id\" --yes")]
pub struct DocForgetArgs {
    /// Document IDs, or local IDs of documents that have none yet
    #[arg(value_name = "ID", required_unless_present = "finished", add = ValueKind::Documents(false))]
    pub ids: Vec<String>,
    /// Remove the records of all finished documents: done, failed or gone
    #[arg(long, conflicts_with = "ids")]
    pub finished: bool,
    /// With --finished, only those older than this, such as 12h or 30d
    #[arg(long, requires = "finished", conflicts_with = "ids", value_parser = parse_age, value_name = "DURATION")]
    pub older_than: Option<Duration>,
}

impl Run for DocForgetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let store = document_store()?;
        let records = self.records(&store)?;
        if records.is_empty() {
            let age =
                |age: Duration| format!("no finished document ended more than {} ago", humantime::format_duration(age));
            let none = self.older_than.map_or_else(|| "no finished documents to forget".to_owned(), age);
            ctx.out.status(&none);
        }
        if ctx.args.dry_run {
            for record in &records {
                ctx.out.status(&format!("would {}", removal(record)));
            }
            return Ok(());
        }
        let locked = records.iter().map(|record| store.open(&record.name)).collect::<Result<Vec<_>, Failure>>()?;
        for LockedRecord { record, .. } in &locked {
            if record.stage.is_unfinished() {
                ctx.out.confirm(&removal(record), ctx.args.yes)?;
            }
        }
        for mut locked in locked {
            locked.remove()?;
            ctx.out.status(&format!("removed the record of document {}", locked.record.id()));
        }
        Ok(())
    }
}

impl DocForgetArgs {
    fn records(&self, store: &DocumentStore) -> Result<Vec<DocumentRecord>, Failure> {
        let mut all = store.list()?.records;
        if self.finished {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            let before = now.saturating_sub(self.older_than.unwrap_or_default()).as_secs();
            // Records whose failure has not been printed yet are not settled, so they stay.
            all.retain(|record| record.is_settled() && (self.older_than.is_none() || record.updated < before));
            return Ok(all);
        }
        let mut named: Vec<DocumentRecord> = Vec::new();
        for id in &self.ids {
            // If several servers have used the ID, take the newest record.
            let newest = all.iter().rfind(|record| record.has_id(id)).ok_or_else(|| unknown_document(id, ""))?;
            if !named.iter().any(|record| record.name == newest.name) {
                named.push(newest.clone());
            }
        }
        Ok(named)
    }
}

fn removal(record: &DocumentRecord) -> String {
    let id = record.id();
    let loss = match record.stage {
        stage if !stage.is_unfinished() => return format!("remove the record of document {id}"),
        DocumentStage::Uploading | DocumentStage::Sent => "its upload may not have completed",
        _ => "without its key, the result can no longer be downloaded",
    };
    format!("remove the record of the unfinished document {id} ({}): {loss}", record.display_name())
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
