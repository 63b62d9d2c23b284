//! `GET /v3/translation_memories`: what `--memories` and the state hold. Spec: "Translation memories".

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;

use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::query::QueryParams;
use crate::sandbox::reply::{self, Refusal};

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/v3/translation_memories", get(list))
}

#[derive(Serialize)]
struct Page {
    translation_memories: Vec<Row>,
    total_count: usize,
}

#[derive(Serialize)]
struct Row {
    translation_memory_id: String,
    name: String,
    source_language: String,
    target_languages: Vec<String>,
    segment_count: usize,
}

async fn list(_: Caller, State(app): State<App>, uri: Uri) -> Result<Response, Refusal> {
    let (page, size) = QueryParams::parse(&uri)?.page()?;
    let memories = app.memories.all()?;
    let total_count = memories.len();
    let rows = memories.into_iter().skip(page.saturating_mul(size)).take(size).map(|memory| Row {
        segment_count: memory.segments.len(),
        translation_memory_id: memory.translation_memory_id,
        name: memory.name,
        source_language: memory.source_language.to_ascii_lowercase(),
        target_languages: memory.target_languages.iter().map(|code| code.to_ascii_lowercase()).collect(),
    });
    Ok(reply::ok(&Page { translation_memories: rows.collect(), total_count }))
}
