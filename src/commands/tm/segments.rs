//! `tulk tm segments`: prints the segments of a memory page by page.
//!
//! A memory may have millions of segments, so only one page is held in memory or, for a table, about 10,000 segments.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::json::WithRaw;
use tulk_client::api::tm::segments::{ListMemorySegments, MemorySegment};
use tulk_client::http::pages::SeenCursors;

use super::memory::TmNameArgs;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named;
use crate::output::{Cell, Column, EmptyNote, ProgressUnit, Table, View};

pub const SEGMENT_COLUMNS: &[Column] = &[
    Column::text("source_text").header("SOURCE").rank(0).minimum(44),
    Column::text("target_language").header("TO"),
    Column::text("target_text").header("TARGET").rank(0).minimum(44),
    Column::time("last_used_time").header("LAST USED"),
    Column::time("creation_time").header("CREATED").rank(5),
    Column::time("updated_time").header("UPDATED").rank(4),
];

/// Print the segments of a translation memory
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(SEGMENT_COLUMNS).note("one row per source and target").checks_before_sending())]
#[command(after_help = "tulk tm segments Manuals\n\
                        tulk tm segments Manuals --filter valve --limit 20")]
pub struct TmSegmentsArgs {
    #[command(flatten)]
    pub name: TmNameArgs,
    /// Only segments that contain this text, at least 2 characters
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Distinguish upper and lower case in --filter
    #[arg(long, requires = "filter")]
    pub case_sensitive: bool,
    /// Stop after N segments
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
}

impl Run for TmSegmentsArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (text, mut left) = (self.name.memory, self.limit.unwrap_or(usize::MAX));
        let mut request = ListMemorySegments::all(&text, self.filter, self.case_sensitive);
        ctx.check(&request)?;
        let mut pieces = ctx.out.start_chunks(SEGMENT_COLUMNS)?;
        let (mut held, mut seen) = (Vec::new(), SeenCursors::default());
        let (mut count, mut is_last) = (0, left == 0);
        if !is_last {
            request.translation_memory_id = named::memory(ctx, &text).await?;
        }
        let is_shown = pieces.rows() > 1 || ctx.out.has_room_for_progress(true);
        let task = (is_shown && !is_last).then(|| ctx.out.progress((&*text).into()));
        while !is_last {
            let page = ctx.client().await?.send(&request).await?.into_typed();
            if let Some(task) = task.as_ref().filter(|_| count == 0) {
                let all = page.segment_count.filter(|_| request.filter_text.is_none());
                let wanted = self.limit.map(|limit| limit as u64);
                task.count("reading", ProgressUnit::Items, all.min(wanted).or(all).or(wanted));
            }
            let received = page.segments.len().min(left);
            (count, left) = (count + received, left - received);
            held.extend(page.segments.into_iter().take(received));
            request.page_cursor = page.next_page_cursor.filter(|cursor| !cursor.is_empty() && left > 0);
            match &request.page_cursor {
                Some(cursor) => seen.add(cursor)?,
                None => is_last = true,
            }
            if let Some(task) = &task {
                task.set(count as u64);
            }
            if !held.is_empty() && held.len() >= pieces.rows() {
                pieces.add(&SegmentsView(&held))?;
                held.clear();
            }
        }
        drop(task);
        if count == 0 || !held.is_empty() {
            pieces.add(&SegmentsView(&held))?;
        }
        pieces.end()?;
        if count == 0 && self.limit != Some(0) {
            ctx.out.print_empty_note(&match &request.filter_text {
                Some(filter) => EmptyNote::from_text(format!("No segments with `{filter}`.")),
                None => EmptyNote::new("No segments in this memory."),
            });
        }
        Ok(())
    }
}

/// Segments, with one row per source and target.
#[derive(Serialize)]
#[serde(transparent)]
struct SegmentsView<'a>(&'a [WithRaw<MemorySegment>]);

impl View for SegmentsView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(SEGMENT_COLUMNS);
        for segment in self.0 {
            for target in &segment.targets {
                let (own, whole) = (&target.times, &segment.times);
                table.push(vec![
                    Cell::from(&segment.source_text),
                    Cell::from(&target.target_language),
                    Cell::from(&target.target_text),
                    Cell::from(own.last_used_time.as_ref().or(whole.last_used_time.as_ref())),
                    Cell::from(own.created().or(whole.created())),
                    Cell::from(own.updated().or(whole.updated())),
                ]);
            }
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.0.iter().map(WithRaw::raw).collect()
    }
}
