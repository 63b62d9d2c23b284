//! From the name or ID of a translation memory to its ID.

use crate::api::tm::ListTranslationMemories;
use crate::commands::style::named::{is_uuid, pick};
use crate::context::Context;
use crate::error::Failure;

/// The ID of a memory. What has the form of an ID is used as it is; a name is looked for on all pages.
pub async fn memory(ctx: &Context, text: &str) -> Result<String, Failure> {
    if is_uuid(text) {
        return Ok(text.to_owned());
    }
    let memories = ctx.client().await?.all(ListTranslationMemories::all(), |_| false).await?;
    let named: Vec<_> =
        memories.translation_memories.iter().map(|m| (m.translation_memory_id.as_str(), m.name.as_str())).collect();
    pick("translation memory", "tulk tm list", text, &named)
}
