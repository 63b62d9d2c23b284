//! The routes of the sandbox, one file per resource.
//!
//! Each file exports `routes()`. Handlers take `Caller` or `Admin` first, so that a wrong key is reported before a
//! wrong parameter, and build their answers with `reply`. Checks that several resources share are in `fields`.

use axum::Router;

use super::sessions::Sessions;

mod admin;
pub(super) mod control;
mod detect;
mod doc;
mod fields;
mod file_addresses;
mod glossary;
mod glossary_v2;
mod json_body;
mod langs;
mod profile_parts;
mod quality;
pub(super) mod seeded;
mod style;
mod style_profiles;
mod tm;
mod translate;
mod usage;
pub(super) mod voice;
pub(super) mod voice_jobs;
mod write;

pub(super) use file_addresses::{session_of_file, without_token};

pub(super) fn all() -> Router<Sessions> {
    Router::new()
        .merge(admin::routes())
        .merge(control::routes())
        .merge(detect::routes())
        .merge(doc::routes())
        .merge(langs::routes())
        .merge(quality::routes())
        .merge(style::routes())
        .merge(style_profiles::routes())
        .merge(tm::routes())
        .merge(translate::routes())
        .merge(usage::routes())
        .merge(voice::routes())
        .merge(voice_jobs::routes())
        .merge(write::routes())
        .merge(glossary::routes())
        .merge(glossary_v2::routes())
}
