//! Status requests for documents: polling intervals, and texts for each status.

use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_client::api::doc::{CheckDocumentStatus, DocumentState, DocumentStatus, DocumentStatusReply};
use tulk_client::http::client::Client;
use tulk_store::documents::{DocumentRecord, DocumentStage};

use super::next_command::NextCommands;
use super::records::finished_failure;
use crate::output::ProgressTask;

const COULD_NOT_TRANSLATE: &str = "the service could not translate the document: ";

/// Returns the pause before the next status request: half of the service's estimate, but at least the backoff.
///
/// The result is within `limits::POLL_MIN..=POLL_MAX`, because estimates are unreliable.
pub fn poll_interval(requests: u32, estimate: Option<Duration>) -> Duration {
    let back_off = limits::POLL_MIN.mul_f64(1.3f64.powi(i32::try_from(requests.min(30)).unwrap_or(30)));
    let wanted = estimate.map_or(back_off, |estimate| (estimate / 2).max(back_off));
    wanted.clamp(limits::POLL_MIN, limits::POLL_MAX)
}

/// Returns the remaining time, such as `about 12 s left`. Empty unless the service is translating and gives it.
fn time_left(status: &DocumentStatus) -> String {
    match (status.state(), status.estimate(), &status.seconds_remaining) {
        (DocumentState::Translating, Some(left), _) => format!("about {} s left", left.as_secs()),
        (DocumentState::Translating, None, Some(_)) => "time left unknown".to_owned(),
        _ => String::new(),
    }
}

/// Shows a status as the phase of a task. An estimate counts down until the next status.
pub fn show_status(task: &ProgressTask, status: &DocumentStatus) {
    match status.estimate() {
        Some(left) if status.state() == DocumentState::Translating => task.estimate(&status.status, left),
        _ => task.phase_with(&status.status, &time_left(status)),
    }
}

pub fn status_in_words(status: &DocumentStatus) -> String {
    match time_left(status) {
        left if left.is_empty() => status.status.clone(),
        left => format!("{}, {left}", status.status),
    }
}

pub async fn status(client: &Client, id: &str, key: &str) -> Result<DocumentStatusReply, Failure> {
    let request = CheckDocumentStatus { document_id: id.to_owned(), document_key: key.to_owned() };
    client.send(&request).await.map_err(|failure| match failure.kind {
        Kind::NotFound => not_found(id, failure),
        _ => failure,
    })
}

pub fn not_found(id: &str, failure: Failure) -> Failure {
    Failure {
        what: format!("the service does not have document {id}: {}", failure.cause()),
        hint: Some("it was already downloaded or removed, or the ID or key is wrong".to_owned()),
        ..failure
    }
}

/// Rebuilds the last status of a finished document from its record. `None` if the result was lost.
pub fn final_status(record: &DocumentRecord) -> Option<DocumentStatus> {
    let status = match record.stage {
        DocumentStage::Done => "done",
        DocumentStage::Failed => "error",
        _ => return None,
    };
    Some(DocumentStatus {
        document_id: record.id().to_owned(),
        status: status.to_owned(),
        seconds_remaining: None,
        billed_characters: record.billed_characters,
        message: record.reason.as_ref().map(|reason| reason.trim_start_matches(COULD_NOT_TRANSLATE).to_owned()),
        error_message: None,
        quality_score: record.quality_score,
        quality_segments: None,
    })
}

pub fn translation_failed(status: &DocumentStatus) -> Failure {
    Failure::new(Kind::Refused, format!("{COULD_NOT_TRANSLATE}{}", status.reason()))
        .hint(format!("document {} is not billed; it can be uploaded again", status.document_id))
}

/// Returns the failure of a document without a result: why it has none, and that it can be uploaded again.
pub fn no_result_failure(record: &DocumentRecord, next: &NextCommands<'_>) -> Failure {
    match final_status(record) {
        Some(status) if status.state() == DocumentState::Error => translation_failed(&status),
        _ => finished_failure(record).hint(next.upload_again_hint(record)),
    }
}

/// Calls `on_status` with each status.
///
/// Fails with `Kind::Refused` if the service cannot translate the document, and after `--max-wait` with
/// `Kind::Unfinished` and a hint with `continue_command`.
pub async fn wait_until_done(
    client: &Client,
    id: &str,
    key: &str,
    continue_command: &str,
    on_status: impl Fn(&DocumentStatus),
) -> Result<DocumentStatusReply, Failure> {
    let with_hint = |failure: Failure| match failure.kind {
        Kind::Unfinished => {
            failure.hint(format!("the service continues to translate it; continue with `{continue_command}`"))
        }
        _ => failure,
    };
    let mut requests = 0;
    loop {
        let reply = status(client, id, key).await.map_err(with_hint)?;
        on_status(&reply.0);
        match reply.0.state() {
            DocumentState::Done => return Ok(reply),
            DocumentState::Error => return Err(translation_failed(&reply.0)),
            DocumentState::Queued | DocumentState::Translating | DocumentState::Other(_) => {}
        }
        client.pause_for(poll_interval(requests, reply.0.estimate()), None).await.map_err(with_hint)?;
        requests += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_follow_the_estimate_within_bounds_and_back_off() {
        let seconds = |n: u64| Some(Duration::from_secs(n));
        assert_eq!(poll_interval(0, None), Duration::from_secs(1));
        assert_eq!(poll_interval(0, seconds(0)), Duration::from_secs(1));
        assert_eq!(poll_interval(0, seconds(10)), Duration::from_secs(5));
        assert_eq!(poll_interval(0, seconds(86_400)), Duration::from_secs(30));
        assert!(poll_interval(3, seconds(0)) > Duration::from_secs(2));
        assert_eq!(poll_interval(100, None), Duration::from_secs(30));
    }

    #[test]
    fn an_absurd_estimate_is_shown_as_unknown() {
        let status = |seconds: &str| -> DocumentStatus {
            serde_json::from_str(&format!(r#"{{"document_id":"a","status":"translating"{seconds}}}"#)).unwrap()
        };
        assert_eq!(status_in_words(&status(r#","seconds_remaining":12"#)), "translating, about 12 s left");
        assert_eq!(status_in_words(&status(r#","seconds_remaining":2147483648"#)), "translating, time left unknown");
        assert_eq!(status_in_words(&status("")), "translating");
    }
}
