//! `GET /v3/translation_memories/{translation_memory_id}/segments`: pages of a memory's segments, with an optional filter.
//!
//! A cursor is a segment index with a hash of the memory, its last change and the filter, so it is valid only for these.

use std::collections::HashMap;

use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::PAGE_SIZE_MAX;
use crate::app::App;
use crate::auth::Caller;
use crate::body::parse_boolean;
use crate::memories::{MemorySegment, MemoryTime, StoredMemory, segment_id, target_id};
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::routes::fields::unsupported;

const FILTER_CHARS_MIN: usize = 2;
const CURSOR_HASH_BYTES: usize = 8;

#[derive(Serialize)]
struct SegmentPage<'a> {
    segments: Vec<SegmentReply<'a>>,
    segment_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_page_cursor: Option<String>,
}

#[derive(Serialize)]
struct SegmentReply<'a> {
    source_segment_id: String,
    source_text: &'a str,
    targets: Vec<TargetReply<'a>>,
    #[serde(flatten)]
    times: SegmentTimes,
}

#[derive(Serialize)]
struct TargetReply<'a> {
    target_segment_id: String,
    target_language: String,
    target_text: &'a str,
    #[serde(flatten)]
    times: SegmentTimes,
}

/// Times of a segment. Creation and last change are those of its memory.
#[derive(Serialize)]
#[allow(clippy::struct_field_names)] // named as in the JSON
struct SegmentTimes {
    creation_time: Option<MemoryTime>,
    updated_time: Option<MemoryTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used_time: Option<MemoryTime>,
}

pub(super) async fn list(_: Caller, app: App, Path(id): Path<String>, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let size = query.page_size(50, PAGE_SIZE_MAX)?;
    let filter = SegmentFilter::read(&query)?;
    let memory = app.memories.find(&id)?;
    let start = query.get("page_cursor").map(|cursor| filter.segment_index(cursor, &memory)).transpose()?;
    let uses = app.memories.last_uses(&memory)?;
    let mut found = memory.segments.iter().enumerate().skip(start.unwrap_or(0)).filter(|(_, s)| filter.matches(s));
    let segments = found.by_ref().take(size).map(|(at, segment)| segment_reply(&memory, at, segment, &uses)).collect();
    let next_page_cursor = found.next().map(|(at, _)| filter.cursor(at, &memory));
    Ok(reply::ok(&SegmentPage { segments, segment_count: memory.segment_count, next_page_cursor }))
}

fn segment_reply<'a>(
    memory: &StoredMemory,
    at: usize,
    segment: &'a MemorySegment,
    uses: &HashMap<String, i64>,
) -> SegmentReply<'a> {
    let (creation_time, updated_time) = (memory.creation_time, memory.updated_time);
    let times = |last_used_time| SegmentTimes { creation_time, updated_time, last_used_time };
    let targets: Vec<TargetReply> = segment
        .targets
        .iter()
        .map(|target| {
            let target_segment_id = target_id(at, &target.lang);
            let last_use = uses.get(&target_segment_id).map(|ms| MemoryTime { ms: *ms });
            TargetReply {
                target_segment_id,
                target_language: target.lang.to_ascii_lowercase(),
                target_text: &target.text,
                times: times(last_use),
            }
        })
        .collect();
    let last_use = targets.iter().filter_map(|target| target.times.last_used_time).max();
    SegmentReply { source_segment_id: segment_id(at), source_text: &segment.source, targets, times: times(last_use) }
}

struct SegmentFilter {
    /// Text to find in the source or a target; in lower case unless `case_sensitive`.
    text: Option<String>,
    case_sensitive: bool,
}

impl SegmentFilter {
    fn read(query: &QueryParams) -> Result<Self, Refusal> {
        let case_sensitive = query.get("filter_case_sensitive");
        let case_sensitive = case_sensitive.map_or(Ok(false), |value| parse_boolean("filter_case_sensitive", value))?;
        let text = query.get("filter_text");
        if text.is_some_and(|text| text.chars().count() < FILTER_CHARS_MIN) {
            return Err(unsupported("filter_text").detail(format!("at least {FILTER_CHARS_MIN} characters are needed")));
        }
        let text = text.map(|text| if case_sensitive { text.to_owned() } else { text.to_lowercase() });
        Ok(Self { text, case_sensitive })
    }

    fn matches(&self, segment: &MemorySegment) -> bool {
        let Some(wanted) = &self.text else { return true };
        let has = |text: &str| {
            if self.case_sensitive { text.contains(wanted) } else { text.to_lowercase().contains(wanted) }
        };
        has(&segment.source) || segment.targets.iter().any(|target| has(&target.text))
    }

    fn cursor(&self, at: usize, memory: &StoredMemory) -> String {
        let index_bytes = (at as u64).to_be_bytes();
        let content = (&memory.translation_memory_id, memory.updated_time, memory.segment_count);
        let identity = format!("{content:?} {:?} {}", self.text, self.case_sensitive);
        let hash = Sha256::new().chain_update(index_bytes).chain_update(identity).finalize();
        BASE64URL_NOPAD
            .encode(&index_bytes.into_iter().chain(hash.into_iter().take(CURSOR_HASH_BYTES)).collect::<Vec<_>>())
    }

    /// Returns the segment index of a cursor. Refuses a cursor of another memory, version or filter.
    fn segment_index(&self, cursor: &str, memory: &StoredMemory) -> Result<usize, Refusal> {
        let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok();
        let index = bytes.and_then(|bytes| Some(u64::from_be_bytes(*bytes.first_chunk()?)));
        let index = index.and_then(|index| usize::try_from(index).ok());
        let valid = index.filter(|index| self.cursor(*index, memory) == cursor);
        valid.ok_or_else(|| unsupported("page_cursor").detail("a cursor belongs to its memory and filter"))
    }
}
