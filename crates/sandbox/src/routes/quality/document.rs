//! `/v1/quality-evaluations/{job_id}`: the evaluation of a document, requested with its upload. See docs/service.md, "Quality
//! evaluation".

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use axum::extract::Path;
use axum::response::Response;
use serde_json::{Value, json};

use super::problems::{self, CodePoints};
use super::{POLL_LIMIT, SEGMENT_CHARS_MAX, is_old, is_supported_pair, remove_old_jobs, retry_later};
use crate::app::App;
use crate::auth::Caller;
use crate::glossaries::TermIndex;
use crate::reply::{self, Refusal};
use crate::state::kind;
use crate::{clock, ids};

/// A source text and its translation.
pub(in crate::routes) type SegmentTexts = (String, String);

pub(super) async fn poll(caller: Caller, app: App, Path(id): Path<String>) -> Result<Response, Refusal> {
    app.call_counter.count(POLL_LIMIT, &caller.key)?;
    if id.len() != 32 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Refusal::bad_request("job_id must have 32 hexadecimal digits."));
    }
    let id = id.to_ascii_uppercase();
    let job = app.state.with_tables(|tables| tables.get(kind::DOCUMENT_EVALUATION, &id))?;
    let job = job.filter(|job| job.owner == caller.key && !is_old(job.created, evaluation_end_ms(&app)));
    let job = job.ok_or_else(|| Refusal::not_found("The quality evaluation job was not found."))?;
    let left = evaluation_end_ms(&app).saturating_sub(clock::now_ms().saturating_sub(job.created));
    if left > 0 {
        return Ok(retry_later(left, &json!({ "job_id": id, "status": "processing" })));
    }
    Ok(reply::ok(&job.body))
}

/// Returns the time from the upload to the end of the evaluation, which begins when the document is translated and takes as long as
/// the translation.
fn evaluation_end_ms(app: &App) -> i64 {
    let (queued, translated) = app.options.document_times();
    translated.saturating_add(translated.saturating_sub(queued))
}

/// Stores the evaluation of a document: its segments, or why it could not be translated. Returns the ID of the job.
pub(in crate::routes) fn start_for_document(
    app: &App,
    caller: &Caller,
    segments: Result<Vec<Value>, &String>,
) -> Result<String, Refusal> {
    let id = ids::upper_hex::<16>();
    let result = match segments {
        Ok(segments) => json!({ "job_id": id, "status": "done", "segments": segments }),
        Err(why) => {
            json!({ "job_id": id, "status": "error", "error": { "code": "evaluation_failed", "message": why } })
        }
    };
    app.state.in_transaction(|tables| {
        remove_old_jobs(tables, kind::DOCUMENT_EVALUATION, evaluation_end_ms(app))?;
        tables.put(kind::DOCUMENT_EVALUATION, &id, &caller.key, &result)
    })?;
    Ok(id)
}

/// Refuses a language pair that cannot be evaluated.
pub(in crate::routes) fn check_pair(source: &str, target: &str) -> Result<(), Refusal> {
    if is_supported_pair(&base_code(source), &target.to_ascii_lowercase()) {
        return Ok(());
    }
    Err(Refusal::bad_request(format!(
        "Quality evaluation is not available for the language pair {source} to {target}."
    )))
}

fn base_code(code: &str) -> String {
    code.split('-').next().unwrap_or_default().to_ascii_lowercase()
}

/// Evaluates the texts of a document. If the sandbox cannot read them, the result is one segment without texts.
pub(in crate::routes) fn evaluate(
    texts: &[SegmentTexts],
    languages: (&str, &str),
    dictionaries: &[Arc<TermIndex>],
) -> Vec<Value> {
    if texts.is_empty() {
        return vec![json!({ "segment_index": 0, "segment_score": 100, "errors": [] })];
    }
    let (from, to) = (base_code(languages.0), base_code(languages.1));
    let segment = |(at, (source, target)): (usize, &SegmentTexts)| {
        if source.chars().count() + target.chars().count() > SEGMENT_CHARS_MAX {
            let error = json!({
                "type": "InternalTQEError", "sub_type": "SegmentTooLarge", "severity": "Minor",
                "explanation": "The segment is too large.", "source_spans": [], "target_spans": [],
            });
            let (score, errors) = (0, [error]);
            return json!({
                "segment_index": at, "segment_score": score, "source": source, "target": target, "errors": errors,
            });
        }
        let errors = problems::find_problems(source, target, (&from, &to));
        let mut segment = json!({
            "segment_index": at, "segment_score": problems::segment_score(&errors),
            "source": source, "target": target, "errors": errors,
        });
        let terms = applied_terms(source, target, dictionaries);
        if !terms.is_empty() {
            segment["applied_glossary_term_pairs"] = terms.into();
        }
        segment
    };
    texts.iter().enumerate().map(segment).collect()
}

/// Returns the glossary terms of a source whose translations occur in the target, with the ranges there.
fn applied_terms(source: &str, target: &str, dictionaries: &[Arc<TermIndex>]) -> Vec<Value> {
    let mut found: BTreeMap<(&str, &str), Vec<Range<usize>>> = BTreeMap::new();
    let mut previous = None;
    for (at, c) in source.char_indices() {
        let rest = source.get(at..).unwrap_or_default();
        let is_start = !previous.is_some_and(char::is_alphanumeric);
        previous = Some(c);
        let Some((len, translated)) = dictionaries.iter().filter(|_| is_start).find_map(|terms| terms.find(rest))
        else {
            continue;
        };
        let ranges_in_target = target.match_indices(translated).map(|(at, text)| at..at + text.len());
        found.insert((rest.get(..len).unwrap_or_default(), translated), ranges_in_target.collect());
    }
    let points = CodePoints::of(target);
    let applied = found.iter().filter(|(_, ranges_in_target)| !ranges_in_target.is_empty());
    let pair = |((source, target), ranges_in_target): (&(&str, &str), &Vec<Range<usize>>)| {
        let ranges: Vec<_> = ranges_in_target.iter().map(|range| points.span(range)).collect();
        json!({ "source_term": source, "target_term": target, "ranges": ranges })
    };
    applied.map(pair).collect()
}
