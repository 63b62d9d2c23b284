//! Translation memories, `/v3/translation_memories`: list, read and delete them. Segments and jobs have their own files.
//! See `docs/service.md`, "Translation memories".

pub mod jobs;
pub mod segments;

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits;

use crate::http::endpoint::{Endpoint, KnownOperation, Paged, Paging};
use crate::http::reply::Empty;
use crate::http::request::Method;

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::paged::<ListTranslationMemories>(),
    KnownOperation::new::<GetTranslationMemory>(),
    KnownOperation::new::<DeleteTranslationMemory>(),
];

/// A translation memory.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[allow(clippy::struct_field_names)] // named as in the JSON
pub struct TranslationMemory {
    /// ID.
    pub translation_memory_id: String,
    /// Name; may be empty.
    #[serde(default)]
    pub name: String,
    /// Source language.
    #[serde(default)]
    pub source_language: String,
    /// Target languages.
    #[serde(default)]
    pub target_languages: Vec<String>,
    /// Number of segments.
    #[serde(default)]
    pub segment_count: Option<u64>,
    /// Time of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    /// Time of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_time: Option<String>,
}

/// A page of translation memories.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TranslationMemoryPage {
    /// Translation memories.
    pub translation_memories: Vec<WithRaw<TranslationMemory>>,
    /// Number of translation memories on all pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_count: Option<u64>,
}

/// Lists translation memories, page by page.
#[derive(Serialize, Clone, Debug)]
pub struct ListTranslationMemories {
    /// Page number, from 0.
    pub page: u32,
    /// Translation memories per page, at most 25.
    pub page_size: u32,
    /// Number of translation memories received so far.
    #[serde(skip)]
    pub received: u64,
}

impl ListTranslationMemories {
    /// Creates a request for the first page, with the maximum page size.
    pub fn all() -> Self {
        Self { page: 0, page_size: limits::PAGE_SIZE_MAX, received: 0 }
    }
}

impl Endpoint for ListTranslationMemories {
    type Reply = WithRaw<TranslationMemoryPage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/translation_memories";
}

impl Paged for ListTranslationMemories {
    const PAGING: Paging = Paging::Index { largest: limits::PAGE_SIZE_MAX };

    fn identities(page: &Self::Reply) -> Vec<&str> {
        page.translation_memories.iter().map(|memory| memory.translation_memory_id.as_str()).collect()
    }

    fn advance(&mut self, page: &Self::Reply) -> bool {
        let count = page.translation_memories.len();
        self.page += 1;
        self.received += count as u64;
        count >= self.page_size as usize && page.total_count.is_none_or(|total| self.received < total)
    }

    fn join(mut pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure> {
        if pages.len() == 1
            && let Some(only) = pages.pop()
        {
            return Ok(only);
        }
        let total_count = pages.iter().rev().find_map(|page| page.total_count);
        let translation_memories = pages.into_iter().flat_map(|page| page.into_typed().translation_memories).collect();
        WithRaw::from_typed(TranslationMemoryPage { translation_memories, total_count })
    }
}

/// Reads one translation memory without its segments.
#[derive(Serialize, Clone, Debug)]
pub struct GetTranslationMemory {
    /// ID of the memory.
    pub translation_memory_id: String,
}

impl Endpoint for GetTranslationMemory {
    type Reply = WithRaw<TranslationMemory>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/translation_memories/{translation_memory_id}";
}

/// Deletes a translation memory with all its segments.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteTranslationMemory {
    /// ID of the memory.
    pub translation_memory_id: String,
}

impl Endpoint for DeleteTranslationMemory {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/translation_memories/{translation_memory_id}";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(count: usize, total_count: Option<u64>) -> WithRaw<TranslationMemoryPage> {
        let one = WithRaw::parse(br#"{"translation_memory_id":"m"}"#).unwrap();
        WithRaw::from_typed(TranslationMemoryPage { translation_memories: vec![one; count], total_count }).unwrap()
    }

    #[test]
    fn stops_at_the_total_or_at_a_short_page() {
        assert!(ListTranslationMemories::all().advance(&page(25, None)));
        assert!(ListTranslationMemories::all().advance(&page(25, Some(26))));
        assert!(!ListTranslationMemories::all().advance(&page(25, Some(25))));
        assert!(!ListTranslationMemories::all().advance(&page(24, None)));
        assert!(!ListTranslationMemories::all().advance(&page(0, Some(26))));
    }
}
