//! `/v3/style_profiles`: glossaries, style rule lists and translation memories combined under one ID. Parts that no longer exist
//! are omitted. See docs/service.md, "Style profiles".

use std::collections::{BTreeMap, HashSet};

use axum::Router;
use axum::extract::Path;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fields::{missing, page_items};
use super::json_body::JsonBody;
use crate::app::App;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::state::kind;
use crate::{clock, ids};

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v3/style_profiles", get(list).post(create))
        .route("/v3/style_profiles/{style_profile_id}", get(show).patch(edit).delete(delete))
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct StoredProfile {
    style_profile_id: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    industry: Option<String>,
    pub(super) glossary_ids: Vec<String>,
    pub(super) style_rule_ids: Vec<String>,
    pub(super) translation_memory_ids: Vec<String>,
    pub(super) glossary_priority_order_enabled: bool,
    creation_time: String,
    updated_time: String,
}

#[derive(Default, Deserialize)]
pub(crate) struct ProfileBody {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) industry: Option<String>,
    pub(crate) glossary_ids: Option<Vec<String>>,
    pub(crate) style_rule_ids: Option<Vec<String>>,
    pub(crate) translation_memory_ids: Option<Vec<String>>,
    pub(crate) glossary_priority_order_enabled: Option<bool>,
}

/// Language of each existing part, by ID; empty for glossaries, which have several.
pub(crate) type PartLanguages = BTreeMap<String, String>;

#[derive(Default)]
pub(crate) struct KnownParts {
    pub(crate) glossaries: PartLanguages,
    pub(crate) styles: PartLanguages,
    pub(crate) memories: PartLanguages,
}

impl KnownParts {
    fn read(app: &App) -> Result<Self, Refusal> {
        let glossaries = app.state.with_tables(|tables| tables.list_ids(kind::GLOSSARY))?;
        let memories = app.memories.all()?.into_iter();
        Ok(Self {
            glossaries: glossaries.into_iter().map(|(id, _)| (id, String::new())).collect(),
            styles: app.state.list(kind::STYLE)?.into_iter().map(|o| (o.id, language(&o.body))).collect(),
            memories: memories
                .map(|memory| (memory.translation_memory_id.to_ascii_lowercase(), memory.source_language.clone()))
                .collect(),
        })
    }
}

fn language(body: &Value) -> String {
    body["language"].as_str().unwrap_or_default().to_owned()
}

impl StoredProfile {
    /// Omits parts that no longer exist.
    fn from_body(body: Value, parts: &KnownParts) -> Result<Self, Refusal> {
        let mut profile: Self = serde_json::from_value(body)
            .map_err(|error| Refusal::internal(format!("stored style profile: {error}")))?;
        profile.glossary_ids.retain(|id| parts.glossaries.contains_key(id));
        profile.style_rule_ids.retain(|id| parts.styles.contains_key(id));
        profile.translation_memory_ids.retain(|id| parts.memories.contains_key(id));
        Ok(profile)
    }

    fn set(&mut self, body: ProfileBody, parts: &KnownParts) -> Result<(), Refusal> {
        if let Some(name) = body.name {
            if name.trim().is_empty() {
                return Err(Refusal::bad_request("Parameter 'name' must not be empty."));
            }
            self.name = name;
        }
        for (field, text) in [(&mut self.description, body.description), (&mut self.industry, body.industry)] {
            if let Some(text) = text {
                *field = Some(text).filter(|text| !text.is_empty());
            }
        }
        for (field, ids, given, known) in [
            ("glossary_ids", &mut self.glossary_ids, body.glossary_ids, &parts.glossaries),
            ("style_rule_ids", &mut self.style_rule_ids, body.style_rule_ids, &parts.styles),
            ("translation_memory_ids", &mut self.translation_memory_ids, body.translation_memory_ids, &parts.memories),
        ] {
            if let Some(given) = given {
                *ids = check_parts(field, &given, known)?;
            }
        }
        if let Some(enabled) = body.glossary_priority_order_enabled {
            self.glossary_priority_order_enabled = enabled;
        }
        self.updated_time = clock::iso(clock::now_ms());
        Ok(())
    }
}

/// Returns the IDs in lower case, without duplicates. Refuses unknown parts, and two parts for the same language.
fn check_parts(field: &str, given: &[String], known: &PartLanguages) -> Result<Vec<String>, Refusal> {
    let refusal = |detail: String| Refusal::bad_request(format!("Check '{field}'")).detail(detail);
    let (mut ids, mut languages) = (Vec::new(), HashSet::new());
    for given in given {
        let id = given.to_ascii_lowercase();
        let Some(language) = known.get(&id) else { return Err(refusal(format!("{given} does not exist"))) };
        if ids.contains(&id) {
            continue;
        }
        if !language.is_empty() && !languages.insert(language.to_ascii_lowercase()) {
            return Err(refusal(format!("only one may have the language {language}")));
        }
        ids.push(id);
    }
    Ok(ids)
}

async fn list(_: Caller, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let parts = KnownParts::read(&app)?;
    let objects = app.state.list(kind::STYLE_PROFILE)?;
    let total_count = objects.len();
    let is_paged = query.iter().any(|(name, _)| matches!(name, "page" | "page_size"));
    let page = if is_paged { query.page()? } else { (0, total_count) };
    let profiles: Vec<_> =
        page_items(objects, page).map(|o| StoredProfile::from_body(o.body, &parts)).collect::<Result<_, _>>()?;
    Ok(reply::ok(&json!({ "style_profiles": profiles, "total_count": total_count })))
}

async fn create(caller: Caller, app: App, JsonBody(body): JsonBody<ProfileBody>) -> Result<Response, Refusal> {
    if body.name.is_none() {
        return Err(missing("name"));
    }
    let mut profile = StoredProfile { style_profile_id: ids::uuid(), ..StoredProfile::default() };
    profile.set(body, &KnownParts::read(&app)?)?;
    profile.creation_time.clone_from(&profile.updated_time);
    app.state.put(kind::STYLE_PROFILE, &profile.style_profile_id, &caller.key, &json!(profile))?;
    Ok(reply::created(&profile))
}

async fn show(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    Ok(reply::ok(&find(&app, &id)?))
}

/// Changes only the fields that are sent.
async fn edit(
    caller: Caller,
    app: App,
    Path(id): Path<String>,
    JsonBody(body): JsonBody<ProfileBody>,
) -> Result<Response, Refusal> {
    let parts = KnownParts::read(&app)?;
    let profile = app.state.in_transaction(|tables| {
        let object = tables.get(kind::STYLE_PROFILE, &id.to_ascii_lowercase())?.ok_or_else(|| unknown_profile(&id))?;
        let mut profile = StoredProfile::from_body(object.body, &parts)?;
        profile.set(body, &parts)?;
        tables.put(kind::STYLE_PROFILE, &object.id, &caller.key, &json!(profile))?;
        Ok::<_, Refusal>(profile)
    })?;
    Ok(reply::ok(&profile))
}

/// Deletes the profile but not its parts.
async fn delete(_: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    if app.state.delete(kind::STYLE_PROFILE, &id.to_ascii_lowercase())? {
        Ok(reply::no_content())
    } else {
        Err(unknown_profile(&id))
    }
}

/// Returns a profile with the parts that still exist. Refuses an unknown profile with 404.
pub(super) fn find(app: &App, id: &str) -> Result<StoredProfile, Refusal> {
    let body = app.state.get(kind::STYLE_PROFILE, &id.to_ascii_lowercase())?.ok_or_else(|| unknown_profile(id))?;
    StoredProfile::from_body(body, &KnownParts::read(app)?)
}

/// Returns the stored form of a profile in a seed file.
pub(crate) fn seeded_profile(id: String, body: ProfileBody, parts: &KnownParts) -> Result<Value, Refusal> {
    let mut profile = StoredProfile { style_profile_id: id, ..StoredProfile::default() };
    profile.set(body, parts)?;
    Ok(json!(profile))
}

fn unknown_profile(id: &str) -> Refusal {
    Refusal::not_found("Style profile not found.").detail(format!("style_profile_id {id}"))
}
