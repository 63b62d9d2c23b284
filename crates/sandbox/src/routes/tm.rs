//! `GET /v3/translation_memories`: the translation memories of `--memories` and of the state.
//!
//! Input: a page number. Output: memories without their segments. See docs/service.md, "Translation memories".

use axum::Router;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use super::fields::page_items;
use crate::app::App;
use crate::auth::Caller;
use crate::memories::MemoryTime;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

/// Returns the routes of this resource.
pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/v3/translation_memories", get(list))
}

#[derive(Serialize)]
struct MemoryPage {
    translation_memories: Vec<MemorySummary>,
    total_count: usize,
}

#[derive(Serialize)]
struct MemorySummary {
    translation_memory_id: String,
    name: String,
    source_language: String,
    target_languages: Vec<String>,
    segment_count: usize,
    creation_time: Option<MemoryTime>,
    updated_time: Option<MemoryTime>,
}

/// `GET /v3/translation_memories`: lists the memories, page by page. See docs/service.md, "Translation memories".
async fn list(_: Caller, app: App, uri: Uri) -> Result<Response, Refusal> {
    let page = QueryParams::parse(&uri)?.page()?;
    let memories = app.memories.all()?;
    let total_count = memories.len();
    let summaries = page_items(memories, page).map(|memory| MemorySummary {
        segment_count: memory.segments.len(),
        translation_memory_id: memory.translation_memory_id,
        name: memory.name,
        source_language: memory.source_language.to_ascii_lowercase(),
        target_languages: memory.target_languages.iter().map(|code| code.to_ascii_lowercase()).collect(),
        creation_time: memory.creation_time,
        updated_time: memory.updated_time,
    });
    Ok(reply::ok(&MemoryPage { translation_memories: summaries.collect(), total_count }))
}
