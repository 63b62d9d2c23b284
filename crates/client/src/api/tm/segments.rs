//! Segments of a translation memory. They are read page by page, because a memory may have millions.

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits::{SEGMENT_FILTER_CHARS, SEGMENT_PAGE_SIZE_MAX};
use tulk_base::numbers::counted;

use crate::Service;
use crate::http::endpoint::{Endpoint, KnownOperation, Paging};
use crate::http::request::Method;

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] =
    &[KnownOperation::streamed::<ListMemorySegments>(Paging::PageCursor { largest: SEGMENT_PAGE_SIZE_MAX })];

/// A source text and its translations.
#[derive(Deserialize, Clone, Debug)]
pub struct MemorySegment {
    /// Source text.
    pub source_text: String,
    /// Translations, one per language.
    pub targets: Vec<SegmentTarget>,
    /// Times of creation, change and use.
    #[serde(flatten)]
    pub times: SegmentTimes,
}

/// A translation of a segment.
#[derive(Deserialize, Clone, Debug)]
pub struct SegmentTarget {
    /// Language.
    pub target_language: String,
    /// Text.
    pub target_text: String,
    /// Times of creation, change and use.
    #[serde(flatten)]
    pub times: SegmentTimes,
}

/// Times of a segment or of one of its translations. The field names differ between versions of the service.
#[derive(Deserialize, Clone, Debug, Default)]
pub struct SegmentTimes {
    /// Time of the last use in a translation, if any.
    pub last_used_time: Option<String>,
    creation_time: Option<String>,
    created_time: Option<String>,
    created_at: Option<String>,
    updated_time: Option<String>,
    updated_at: Option<String>,
}

impl SegmentTimes {
    /// Returns the time of creation.
    pub fn created(&self) -> Option<&str> {
        [&self.creation_time, &self.created_time, &self.created_at].into_iter().find_map(Option::as_deref)
    }

    /// Returns the time of the last change.
    pub fn updated(&self) -> Option<&str> {
        self.updated_time.as_deref().or(self.updated_at.as_deref())
    }
}

/// A page of segments.
#[derive(Deserialize, Clone, Debug)]
pub struct MemorySegmentPage {
    /// Segments.
    pub segments: Vec<WithRaw<MemorySegment>>,
    /// Number of segments of the complete memory, even if a filter is set.
    pub segment_count: Option<u64>,
    /// Cursor of the next page. Unset on the last page.
    pub next_page_cursor: Option<String>,
}

/// Reads a page of the segments of a memory.
#[derive(Serialize, Clone, Debug)]
pub struct ListMemorySegments {
    /// ID of the memory.
    pub translation_memory_id: String,
    /// Segments per page.
    pub page_size: u32,
    /// Cursor of the page. Unset for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_cursor: Option<String>,
    /// Text that the source or a translation must contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_text: Option<String>,
    /// Whether the filter is case-sensitive.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub filter_case_sensitive: bool,
}

impl ListMemorySegments {
    /// Creates a request for the first page, with the maximum page size.
    pub fn all(translation_memory_id: &str, filter_text: Option<String>, filter_case_sensitive: bool) -> Self {
        Self {
            translation_memory_id: translation_memory_id.to_owned(),
            page_size: SEGMENT_PAGE_SIZE_MAX,
            page_cursor: None,
            filter_text,
            filter_case_sensitive,
        }
    }
}

impl Endpoint for ListMemorySegments {
    type Reply = WithRaw<MemorySegmentPage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/translation_memories/{translation_memory_id}/segments";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        let Some(text) = &self.filter_text else { return Ok(()) };
        let count = text.chars().count();
        if count >= SEGMENT_FILTER_CHARS {
            return Ok(());
        }
        let (has, least) = (counted(count, "character"), counted(SEGMENT_FILTER_CHARS, "character"));
        Err(Failure::usage(format!("the filter has {has}; it needs at least {least}"))
            .hint("write a longer --filter; --no-check sends it anyway"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_old_and_new_names_of_times() {
        let read = |text: &str| {
            let times: SegmentTimes = serde_json::from_str(text).unwrap();
            (times.created().map(str::to_owned), times.updated().map(str::to_owned))
        };
        let both = (Some("a".to_owned()), Some("b".to_owned()));
        for text in [
            r#"{"creation_time":"a","updated_time":"b"}"#,
            r#"{"created_at":"a","updated_at":"b"}"#,
            r#"{"created_time":"a","updated_time":"b"}"#,
            r#"{"creation_time":"a","created_at":"x","updated_at":"x","updated_time":"b"}"#,
            r#"{"creation_time":null,"created_at":"a","updated_at":"b"}"#,
        ] {
            assert_eq!(read(text), both, "{text}");
        }
        assert_eq!(read("{}"), (None, None));
    }
}
