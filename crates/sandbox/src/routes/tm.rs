//! `/v3/translation_memories`: the translation memories from `--memories` and from the stored state. They cannot be edited. See
//! docs/service.md, "Translation memories".

mod import_body;
mod jobs;
mod memory_files;
mod segments;
mod stored_memory_job;

use axum::Router;
use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::{get, post, put};
use serde::Serialize;

use super::fields::page_items;
use crate::app::App;
use crate::auth::Caller;
use crate::memories::{MemoryTime, StoredMemory};
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

/// Maximum number of memories or segments on a page. Larger page sizes are reduced to it.
const PAGE_SIZE_MAX: usize = 100;

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v3/translation_memories", get(list))
        .route("/v3/translation_memories/{translation_memory_id}", get(show).delete(delete))
        .route("/v3/translation_memories/{translation_memory_id}/segments", get(segments::list))
        .route("/v3/translation_memories/{translation_memory_id}/export", post(jobs::export))
        .route("/v3/translation_memories/import", post(jobs::import))
        .route("/v3/translation_memories/jobs/{job_id}", get(jobs::status))
        .route("/v3/translation_memories/files/{job}/{token}", put(memory_files::put_file).get(memory_files::get_file))
}

#[derive(Serialize)]
struct MemoryPage<'a> {
    translation_memories: Vec<MemoryReply<'a>>,
    total_count: usize,
}

#[derive(Serialize)]
struct MemoryReply<'a> {
    translation_memory_id: &'a str,
    name: &'a str,
    source_language: String,
    target_languages: Vec<String>,
    segment_count: usize,
    creation_time: Option<MemoryTime>,
    updated_time: Option<MemoryTime>,
}

impl<'a> MemoryReply<'a> {
    fn new(memory: &'a StoredMemory) -> Self {
        Self {
            translation_memory_id: &memory.translation_memory_id,
            name: &memory.name,
            source_language: memory.source_language.to_ascii_lowercase(),
            target_languages: memory.target_languages.iter().map(|code| code.to_ascii_lowercase()).collect(),
            segment_count: memory.segment_count,
            creation_time: memory.creation_time,
            updated_time: memory.updated_time,
        }
    }
}

async fn list(_: Caller, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let page = (query.number("page", 0)?, query.page_size(10, PAGE_SIZE_MAX)?);
    let memories = app.memories.all()?;
    let total_count = memories.len();
    let memories: Vec<_> = page_items(memories, page).collect();
    let translation_memories = memories.iter().map(|memory| MemoryReply::new(memory)).collect();
    Ok(reply::ok(&MemoryPage { translation_memories, total_count }))
}

async fn show(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    Ok(reply::ok(&MemoryReply::new(&*app.memories.find(&id)?)))
}

async fn delete(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    app.memories.delete(&id)?;
    Ok(reply::no_content())
}
