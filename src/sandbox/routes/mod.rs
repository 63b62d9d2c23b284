//! One file a resource, one line each below.
//!
//! A file exports `routes()`; its handlers take `Caller` or `Admin` first, and answer through `reply`.

use axum::Router;

use super::app::App;

mod admin;
mod doc;
mod glossary;
mod glossary_v2;
mod languages;
mod style;
mod tm;
mod translate;
mod usage;
mod voice;
mod write;

/// The routes of all resources.
pub(super) fn all() -> Router<App> {
    Router::new()
        .merge(admin::routes())
        .merge(doc::routes())
        .merge(languages::routes())
        .merge(style::routes())
        .merge(tm::routes())
        .merge(translate::routes())
        .merge(usage::routes())
        .merge(voice::routes())
        .merge(write::routes())
        .merge(glossary::routes())
        .merge(glossary_v2::routes())
}
