//! `GET /v3/languages`, `/v3/languages/resources` and the deprecated `/v2/languages`. Spec: "Languages"; C27 to C32.

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::languages::{self, LanguageSupport, RESOURCES, SandboxLanguage};
use crate::sandbox::query::QueryParams;
use crate::sandbox::reply::{self, Refusal};

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/v3/languages", get(list))
        .route("/v3/languages/resources", get(resources))
        .route("/v2/languages", get(list_v2))
}

#[derive(Serialize)]
struct Row {
    lang: &'static str,
    name: &'static str,
    usable_as_source: bool,
    usable_as_target: bool,
    status: &'static str,
    features: Map<String, Value>,
}

/// What the caller wants to see besides what is stable.
#[derive(Clone, Copy, Default)]
struct Include {
    beta: bool,
    external: bool,
}

async fn list(_: Caller, State(_): State<App>, uri: Uri) -> Result<Response, Refusal> {
    let pairs = QueryParams::parse(&uri)?;
    let mut include = Include::default();
    for (name, value) in pairs.iter() {
        match (name, value) {
            ("product", _) => return Err(Refusal::bad("Parameter 'product' is now called 'resource'.")),
            ("include", "beta") => include.beta = true,
            ("include", "external") => include.external = true,
            ("include", _) => return Err(Refusal::bad("Value for 'include' not supported.")),
            // Parameters that nobody knows are passed over, here as elsewhere.
            _ => {}
        }
    }
    let wanted = pairs.get("resource").ok_or_else(|| Refusal::bad("Parameter 'resource' not specified."))?;
    let resource = RESOURCES
        .iter()
        .find(|resource| resource.name == wanted)
        .ok_or_else(|| Refusal::bad("Value for 'resource' not supported."))?;
    let rows: Vec<Row> =
        languages::all().iter().filter_map(|language| row(language, language.on(resource.name)?, include)).collect();
    Ok(reply::ok(&rows))
}

fn row(language: &SandboxLanguage, support: &LanguageSupport, include: Include) -> Option<Row> {
    if support.status != "stable" && !include.beta {
        return None;
    }
    let features = support
        .features
        .iter()
        .filter(|feature| (feature.status == "stable" || include.beta) && (!feature.external || include.external))
        .map(|feature| {
            let entry = if feature.external {
                json!({"status": feature.status, "external": true})
            } else {
                json!({"status": feature.status})
            };
            (feature.name.to_owned(), entry)
        })
        .collect();
    Some(Row {
        lang: language.lang,
        name: language.name,
        usable_as_source: support.source,
        usable_as_target: support.target,
        status: support.status,
        features,
    })
}

async fn resources(_: Caller, State(_): State<App>) -> Response {
    #[derive(Serialize)]
    struct Feature {
        name: &'static str,
        needs_source_support: bool,
        needs_target_support: bool,
    }
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        features: Vec<Feature>,
    }
    let entries: Vec<Entry> = RESOURCES
        .iter()
        .map(|resource| {
            let features = resource.features.iter().map(|&(name, source, target)| Feature {
                name,
                needs_source_support: source,
                needs_target_support: target,
            });
            Entry { name: resource.name, features: features.collect() }
        })
        .collect();
    reply::ok(&entries)
}

async fn list_v2(_: Caller, State(_): State<App>, uri: Uri) -> Result<Response, Refusal> {
    #[derive(Serialize)]
    struct Row {
        language: String,
        name: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        supports_formality: Option<bool>,
    }
    let pairs = QueryParams::parse(&uri)?;
    let targets = match pairs.get("type") {
        None | Some("source") => false,
        Some("target") => true,
        Some(_) => return Err(Refusal::bad("Value for 'type' not supported.")),
    };
    let mut rows: Vec<Row> = languages::all()
        .iter()
        .filter(|language| if targets { language.v2_target } else { language.v2_source })
        .map(|language| Row {
            language: language.upper(),
            name: name_v2(language, targets),
            supports_formality: targets
                .then(|| language.on("translate_text").is_some_and(|support| support.has("formality"))),
        })
        .collect();
    rows.sort_by(|one, other| one.language.cmp(&other.language));
    Ok(reply::ok(&rows))
}

/// As a target, `ZH` goes by the name of the script it is written in.
fn name_v2(language: &SandboxLanguage, targets: bool) -> &'static str {
    match language.lang {
        "zh" if targets => languages::find("zh-Hans").map_or(language.name, |simplified| simplified.name),
        _ => language.name,
    }
}
