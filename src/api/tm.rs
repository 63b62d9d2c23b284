//! Translation memories, `/v3/translation_memories`: listing is all the service offers. Spec: "Translation memories".

use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::http::endpoint::{Carry, Endpoint, Paged, Paging};
use crate::http::request::Method;
use crate::json::Kept;
use crate::limits;

/// A translation memory.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TranslationMemory {
    /// Its id.
    pub translation_memory_id: String,
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Language of its sources.
    #[serde(default)]
    pub source_language: String,
    /// Languages of its targets.
    #[serde(default)]
    pub target_languages: Vec<String>,
    /// How many segments it holds.
    #[serde(default)]
    pub segment_count: Option<u64>,
}

/// One page of memories.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TranslationMemoryPage {
    /// The memories.
    pub translation_memories: Vec<Kept<TranslationMemory>>,
    /// How many there are on all pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_count: Option<u64>,
}

/// Lists the memories, page by page.
#[derive(Serialize, Clone, Debug)]
pub struct ListTranslationMemories {
    /// Page, from 0.
    pub page: u32,
    /// Memories a page, at most 25.
    pub page_size: u32,
    /// Memories seen so far.
    #[serde(skip)]
    pub seen: u64,
}

impl ListTranslationMemories {
    /// From the first page, in the largest pages.
    pub fn all() -> Self {
        Self { page: 0, page_size: limits::PAGE_SIZE_MAX, seen: 0 }
    }
}

impl Endpoint for ListTranslationMemories {
    type Reply = Kept<TranslationMemoryPage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/translation_memories";
    const CARRY: Carry = Carry::Query;
}

impl Paged for ListTranslationMemories {
    const PAGING: Paging = Paging::Index { largest: limits::PAGE_SIZE_MAX };

    fn advance(&mut self, page: &Self::Reply) -> bool {
        let got = page.translation_memories.len();
        self.page += 1;
        self.seen += got as u64;
        got >= self.page_size as usize && page.total_count.is_none_or(|total| self.seen < total)
    }

    fn append(all: &mut Self::Reply, page: Self::Reply) -> Result<(), Failure> {
        let mut memories = all.translation_memories.clone();
        let total_count = page.total_count.or(all.total_count);
        memories.extend(page.into_typed().translation_memories);
        *all = Kept::made(TranslationMemoryPage { translation_memories: memories, total_count })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(count: usize, total_count: Option<u64>) -> Kept<TranslationMemoryPage> {
        let one = Kept::parse(br#"{"translation_memory_id":"m"}"#).unwrap();
        Kept::made(TranslationMemoryPage { translation_memories: vec![one; count], total_count }).unwrap()
    }

    #[test]
    fn ends_with_the_total_or_a_short_page() {
        assert!(ListTranslationMemories::all().advance(&page(25, None)));
        assert!(ListTranslationMemories::all().advance(&page(25, Some(26))));
        assert!(!ListTranslationMemories::all().advance(&page(25, Some(25))));
        assert!(!ListTranslationMemories::all().advance(&page(24, None)));
        assert!(!ListTranslationMemories::all().advance(&page(0, Some(26))));
    }
}
