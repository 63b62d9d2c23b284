//! `/v3/languages`, `/v3/languages/resources` and the deprecated `/v2/languages`. See docs/service.md, "Languages".

use axum::Router;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::fields::{missing, unsupported};
use crate::app::App;
use crate::auth::Caller;
use crate::languages::{self, LanguageSupport, RESOURCES, SandboxLanguage};
use crate::query::QueryParams;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v3/languages", get(list))
        .route("/v3/languages/resources", get(resources))
        .route("/v2/languages", get(list_v2))
}

#[derive(Serialize)]
struct LanguageEntry {
    lang: &'static str,
    name: &'static str,
    usable_as_source: bool,
    usable_as_target: bool,
    status: &'static str,
    features: Map<String, Value>,
}

#[derive(Clone, Copy, Default)]
struct IncludeOptions {
    beta: bool,
    external: bool,
}

async fn list(_: Caller, app: App, uri: Uri) -> Result<Response, Refusal> {
    let query = QueryParams::parse(&uri)?;
    let mut include = IncludeOptions::default();
    for (name, value) in query.iter() {
        match (name, value) {
            ("product", _) => return Err(Refusal::bad_request("Parameter 'product' is now called 'resource'.")),
            ("include", "beta") => include.beta = true,
            ("include", "external") => include.external = true,
            ("include", _) => return Err(unsupported("include")),
            // The service ignores unknown parameters here.
            _ => {}
        }
    }
    let name = query.get("resource").ok_or_else(|| missing("resource"))?;
    let resource = RESOURCES.iter().find(|resource| resource.name == name).ok_or_else(|| unsupported("resource"))?;
    let support = |language: &'static SandboxLanguage| language.support_under(app.options.rules, resource.name);
    let entries: Vec<LanguageEntry> =
        languages::all().iter().filter_map(|language| entry(language, support(language)?, include)).collect();
    Ok(reply::ok(&entries))
}

/// Returns `None` if `include` excludes the language.
fn entry(language: &SandboxLanguage, support: &LanguageSupport, include: IncludeOptions) -> Option<LanguageEntry> {
    if support.status != "stable" && !include.beta {
        return None;
    }
    let features = support
        .features
        .iter()
        .filter(|feature| (feature.status == "stable" || include.beta) && (!feature.external || include.external))
        .map(|feature| {
            let value = if feature.external {
                json!({"status": feature.status, "external": true})
            } else {
                json!({"status": feature.status})
            };
            (feature.name.to_owned(), value)
        })
        .collect();
    Some(LanguageEntry {
        lang: language.lang,
        name: language.name,
        usable_as_source: support.source,
        usable_as_target: support.target,
        status: support.status,
        features,
    })
}

async fn resources(_: Caller) -> Response {
    #[derive(Serialize)]
    struct FeatureEntry {
        name: &'static str,
        needs_source_support: bool,
        needs_target_support: bool,
    }
    #[derive(Serialize)]
    struct ResourceEntry {
        name: &'static str,
        features: Vec<FeatureEntry>,
    }
    let entries: Vec<ResourceEntry> = RESOURCES
        .iter()
        .map(|resource| {
            let features = resource.features.iter().map(|&(name, source, target)| FeatureEntry {
                name,
                needs_source_support: source,
                needs_target_support: target,
            });
            ResourceEntry { name: resource.name, features: features.collect() }
        })
        .collect();
    reply::ok(&entries)
}

async fn list_v2(_: Caller, uri: Uri) -> Result<Response, Refusal> {
    #[derive(Serialize)]
    struct LanguageEntryV2 {
        language: String,
        name: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        supports_formality: Option<bool>,
    }
    let query = QueryParams::parse(&uri)?;
    let targets = match query.get("type") {
        None | Some("source") => false,
        Some("target") => true,
        Some(_) => return Err(unsupported("type")),
    };
    let mut entries: Vec<LanguageEntryV2> = languages::all()
        .iter()
        .filter(|language| if targets { language.v2_target } else { language.v2_source })
        .map(|language| LanguageEntryV2 {
            language: language.v2_code(),
            name: name_v2(language, targets),
            supports_formality: targets
                .then(|| language.support_on("translate_text").is_some_and(|support| support.has_feature("formality"))),
        })
        .collect();
    entries.sort_by(|one, other| one.language.cmp(&other.language));
    Ok(reply::ok(&entries))
}

/// As a target, `ZH` is named like Simplified Chinese.
fn name_v2(language: &SandboxLanguage, targets: bool) -> &'static str {
    match language.lang {
        "zh" if targets => languages::find("zh-Hans").map_or(language.name, |simplified| simplified.name),
        _ => language.name,
    }
}
