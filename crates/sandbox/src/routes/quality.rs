//! `/v1/quality-evaluations` evaluates documents; the withdrawn `/v1/quality-evaluation` evaluates pairs of source and target
//! segments as a polled job. Both report the problems that can be found without understanding the texts.
//!
//! The result is computed when the job is submitted. It is shown once the time of a document translation has passed; for a
//! document, the time of its evaluation is added. See docs/service.md, "Quality evaluation".

mod document;
mod numbers;
mod problems;

pub(super) use self::document::{SegmentTexts, check_pair, evaluate, start_for_document};

use axum::extract::Path;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::json_body::JsonBody;
use crate::app::App;
use crate::auth::Caller;
use crate::faults::DocumentFaults;
use crate::rate_limits::CallLimit;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::state::{StateTables, kind};
use crate::{clock, ids};

const SUBMIT_LIMIT: CallLimit = CallLimit { operation: "quality_submit", per_minute: 100 };
const POLL_LIMIT: CallLimit = CallLimit { operation: "quality_poll", per_minute: 1000 };
/// How long a job is kept after its end, in milliseconds.
const KEPT_MS: i64 = clock::DAY_MS;

pub(super) fn routes() -> Router<Sessions> {
    Router::new()
        .route("/v1/quality-evaluation", post(submit))
        .route("/v1/quality-evaluation/{job_id}", get(poll))
        .route("/v1/quality-evaluations/{job_id}", get(document::poll))
}

async fn submit(
    caller: Caller,
    app: App,
    faults: Option<Extension<DocumentFaults>>,
    body: Result<JsonBody<SubmitBody>, Response>,
) -> Result<Response, Response> {
    app.call_counter.count(SUBMIT_LIMIT, &caller.key).map_err(IntoResponse::into_response)?;
    let JsonBody(body) = body?;
    start_job(&app, &caller, body, faults.as_deref()).map_err(IntoResponse::into_response)
}

/// Stores the result of a new job. Not async, because it uses the state.
fn start_job(
    app: &App,
    caller: &Caller,
    body: SubmitBody,
    faults: Option<&DocumentFaults>,
) -> Result<Response, Refusal> {
    let segments = body.check()?;
    let fault = faults.and_then(|faults| app.faults.document_error(faults, ""));
    let id = ids::uuid();
    let result = if let Some(message) = fault {
        let error = json!({ "code": "evaluation_failed", "message": message });
        json!({ "job_id": id, "status": "error", "error": error })
    } else {
        problems::finished_job(&id, &segments)
    };
    app.state.in_transaction(|tables| {
        remove_old_jobs(tables, kind::QUALITY_JOB, app.options.document_times().1)?;
        tables.put(kind::QUALITY_JOB, &id, &caller.key, &result)
    })?;
    let poll_url = format!("/v1/quality-evaluation/{id}");
    Ok(retry_later(app.options.document_times().1, &json!({ "job_id": id, "poll_url": poll_url })))
}

async fn poll(caller: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    app.call_counter.count(POLL_LIMIT, &caller.key)?;
    if !ids::is_uuid(&id) {
        return Err(Refusal::bad_request("job_id must be a valid UUID."));
    }
    let id = id.to_ascii_lowercase();
    let job = app.state.with_tables(|tables| tables.get(kind::QUALITY_JOB, &id))?;
    let job = job.filter(|job| !is_old(job.created, app.options.document_times().1));
    let job = job.ok_or_else(|| Refusal::not_found("The quality evaluation job was not found."))?;
    let left = app.options.document_times().1.saturating_sub(clock::now_ms().saturating_sub(job.created));
    if left > 0 {
        return Ok(retry_later(left, &json!({ "job_id": id, "status": "processing" })));
    }
    Ok(reply::ok(&job.body))
}

/// Returns 202 with the number of seconds to wait before the next poll.
fn retry_later(ms: i64, body: &Value) -> Response {
    let seconds = ms.saturating_add(999) / 1000;
    let retry_after: [(HeaderName, String); 1] = [(header::RETRY_AFTER, seconds.max(1).to_string())];
    (retry_after, reply::json(StatusCode::ACCEPTED, body)).into_response()
}

/// Returns whether a job that took `duration` ended longer than [`KEPT_MS`] ago. Times are in milliseconds.
fn is_old(created: i64, duration: i64) -> bool {
    created.saturating_add(duration).saturating_add(KEPT_MS) < clock::now_ms()
}

fn remove_old_jobs(tables: &StateTables<'_>, kind: &str, duration: i64) -> rusqlite::Result<()> {
    let old = tables.list_ids(kind)?;
    for (id, _) in old.iter().filter(|(_, created)| is_old(*created, duration)) {
        tables.delete(kind, id)?;
    }
    Ok(())
}

const SEGMENTS_MAX: usize = 500;
const SEGMENT_CHARS_MAX: usize = 10_000;

/// Source languages, each with the target languages that can be evaluated.
const SUPPORTED_PAIRS: [(&str, &[&str]); 8] = [
    ("de", &["en-gb", "en-us"]),
    ("en", &["de", "es", "es-419", "fr", "it", "ja", "ko"]),
    ("es", &["en-gb", "en-us"]),
    ("fr", &["en-gb", "en-us"]),
    ("it", &["en-gb", "en-us"]),
    ("ja", &["en-gb", "en-us", "ko", "zh-hans", "zh-hant"]),
    ("ko", &["en-gb", "en-us", "ja"]),
    ("zh", &["ja"]),
];

/// Returns whether a language pair, in lower case, can be evaluated.
fn is_supported_pair(source: &str, target: &str) -> bool {
    SUPPORTED_PAIRS.iter().any(|(known, targets)| *known == source && targets.contains(&target))
}

#[derive(Deserialize)]
struct SubmitBody {
    metadata: Option<SubmitMetadata>,
    segments: Option<Vec<SegmentBody>>,
}

#[derive(Deserialize)]
struct SubmitMetadata {
    source_language: Option<String>,
    target_language: Option<String>,
}

#[derive(Deserialize)]
struct SegmentBody {
    source: Option<String>,
    target: Option<String>,
}

struct CheckedSegments {
    /// Base codes of source and target language, in lower case.
    languages: (String, String),
    pairs: Vec<(String, String)>,
}

impl SubmitBody {
    fn check(self) -> Result<CheckedSegments, Refusal> {
        let metadata = self.metadata.ok_or_else(|| missing("metadata"))?;
        let code = |value: Option<String>, name| {
            let code = value.filter(|code| !code.is_empty()).ok_or_else(|| missing(name))?;
            Ok::<_, Refusal>(code.to_ascii_lowercase())
        };
        let source = code(metadata.source_language, "metadata.source_language")?;
        let target = code(metadata.target_language, "metadata.target_language")?;
        let segments = self.segments.filter(|segments| !segments.is_empty()).ok_or_else(|| missing("segments"))?;
        if segments.len() > SEGMENTS_MAX {
            return Err(Refusal::bad_request(format!(
                "segments has {} items: the maximum is {SEGMENTS_MAX}.",
                segments.len()
            )));
        }
        if !is_supported_pair(&source, &target) {
            return Err(Refusal::bad_request(format!("The language pair {source} to {target} is not supported.")));
        }
        let base = target.split('-').next().unwrap_or_default().to_owned();
        let pairs: Result<_, _> = segments.into_iter().enumerate().map(|(at, segment)| segment.check(at)).collect();
        Ok(CheckedSegments { languages: (source, base), pairs: pairs? })
    }
}

impl SegmentBody {
    fn check(self, at: usize) -> Result<(String, String), Refusal> {
        let text = |value: Option<String>, name: &str| {
            let name = format!("segments[{at}].{name}");
            let text = value.ok_or_else(|| missing(&name))?;
            let count = text.chars().count();
            if count > SEGMENT_CHARS_MAX {
                let message = format!("{name} has {count} characters: the maximum is {SEGMENT_CHARS_MAX}.");
                return Err(Refusal::bad_request(message));
            }
            Ok(text)
        };
        Ok((text(self.source, "source")?, text(self.target, "target")?))
    }
}

fn missing(name: &str) -> Refusal {
    Refusal::bad_request(format!("{name} is required."))
}
