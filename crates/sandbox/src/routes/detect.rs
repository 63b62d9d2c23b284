//! `/v3/detect/language`: detects the language of each text. See docs/service.md, "Language detection".

use axum::Router;
use axum::response::Response;
use axum::routing::post;
use serde::{Deserialize, Serialize};

use super::fields::missing;
use crate::app::App;
use crate::auth::Caller;
use crate::body::{BodyReader, FormSchema};
use crate::detect::{LanguageJudgment, judge};
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;

const TEXTS_MAX: usize = 50;

pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/v3/detect/language", post(detect))
}

#[derive(Deserialize)]
struct DetectBody {
    text: Option<Vec<String>>,
}

#[derive(Serialize)]
struct DetectAnswer {
    results: Vec<DetectionResult>,
}

#[derive(Serialize)]
struct DetectionResult {
    detection_status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    detected_language: Option<String>,
}

async fn detect(_: Caller, app: App, body: BodyReader) -> Result<Response, Refusal> {
    let schema = FormSchema { lists: &["text"], booleans: &[], integers: &[] };
    let body: DetectBody = body.json_or_form(&schema)?;
    let texts = body.text.filter(|texts| !texts.is_empty()).ok_or_else(|| missing("text"))?;
    if texts.len() > TEXTS_MAX {
        return Err(Refusal::bad_request(format!("Too many texts: the maximum is {TEXTS_MAX}.")));
    }
    let results = texts.iter().map(|text| detect_one(&app, text)).collect();
    Ok(reply::ok(&DetectAnswer { results }))
}

/// A phrase in the text determines its language.
fn detect_one(app: &App, text: &str) -> DetectionResult {
    let judgment = match app.phrases.source_language(text) {
        Some(code) => return DetectionResult::success(code.to_ascii_lowercase()),
        None => judge(text),
    };
    let detection_status = match judgment {
        LanguageJudgment::Detected(code) => return DetectionResult::success(code.to_owned()),
        LanguageJudgment::Unsure(_) => "insufficient_confidence",
        LanguageJudgment::Unsupported => "unsupported_language",
        LanguageJudgment::NoLanguage => "no_language_detected",
    };
    DetectionResult { detection_status, detected_language: None }
}

impl DetectionResult {
    const fn success(code: String) -> Self {
        Self { detection_status: "success", detected_language: Some(code) }
    }
}
