//! Asking after a document until it is done: how often, and what each answer means.
//!
//! Spec: "Documents", status.

use std::time::Duration;

use crate::api::doc::{CheckDocumentStatus, DocumentState, DocumentStatus, DocumentStatusReply};
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::limits;

/// How long to wait before question `asked + 1`: half of what the service expects, never less than the back-off.
///
/// Both lie within `limits::POLL_MIN..=POLL_MAX`; the estimate is unreliable, so it never decides alone.
pub fn pause(asked: u32, estimate: Option<Duration>) -> Duration {
    let back_off = limits::POLL_MIN.mul_f64(1.3f64.powi(i32::try_from(asked.min(30)).unwrap_or(30)));
    let wanted = estimate.map_or(back_off, |estimate| (estimate / 2).max(back_off));
    wanted.clamp(limits::POLL_MIN, limits::POLL_MAX)
}

/// What a status is called on a meter: the phase and the estimate.
pub fn note(status: &DocumentStatus) -> String {
    match (status.state(), status.estimate(), &status.seconds_remaining) {
        (DocumentState::Translating, Some(left), _) => format!("translating, about {} s left", left.as_secs()),
        (DocumentState::Translating, None, Some(_)) => "translating, time left unknown".to_owned(),
        _ => status.status.clone(),
    }
}

/// Asks once.
pub async fn ask(client: &Client, id: &str, key: &str) -> Result<DocumentStatusReply, Failure> {
    let question = CheckDocumentStatus { document_id: id.to_owned(), document_key: key.to_owned() };
    client.send(&question).await.map_err(|failure| match failure.kind {
        Kind::NotFound => Failure {
            what: format!("the service does not have document {id}: {}", failure.what),
            hint: Some("it was fetched or removed, or the id or its key is wrong".to_owned()),
            ..failure
        },
        _ => failure,
    })
}

/// The failure of a document that the service gave up.
pub fn gave_up(status: &DocumentStatus) -> Failure {
    Failure::new(Kind::Refused, format!("the service could not translate the document: {}", status.reason()))
        .hint(format!("document {}; nothing is billed for it, it can be uploaded again", status.document_id))
}

/// Asks until the document is done; `seen` is told each answer, `go_on` is the command that goes on later.
///
/// Fails with `Kind::Refused` when the service gives it up, with `Kind::Unfinished` when `--max-wait` ends first.
pub async fn until_done(
    client: &Client,
    id: &str,
    key: &str,
    go_on: &str,
    seen: impl Fn(&DocumentStatus),
) -> Result<DocumentStatusReply, Failure> {
    let with_hint = |failure: Failure| match failure.kind {
        Kind::Unfinished => failure.hint(format!("the document goes on being translated; `{go_on}` fetches it")),
        _ => failure,
    };
    let mut asked = 0;
    loop {
        let reply = ask(client, id, key).await.map_err(with_hint)?;
        seen(&reply.0);
        match reply.0.state() {
            DocumentState::Done => return Ok(reply),
            DocumentState::Error => return Err(gave_up(&reply.0)),
            DocumentState::Queued | DocumentState::Translating | DocumentState::Other(_) => {}
        }
        client.pause_for(pause(asked, reply.0.estimate()), None).await.map_err(with_hint)?;
        asked += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_by_the_estimate_within_bounds_and_backs_off() {
        let seconds = |n: u64| Some(Duration::from_secs(n));
        assert_eq!(pause(0, None), Duration::from_secs(1));
        assert_eq!(pause(0, seconds(0)), Duration::from_secs(1));
        assert_eq!(pause(0, seconds(10)), Duration::from_secs(5));
        assert_eq!(pause(0, seconds(86_400)), Duration::from_secs(30));
        assert!(pause(3, seconds(0)) > Duration::from_secs(2));
        assert_eq!(pause(100, None), Duration::from_secs(30));
    }

    #[test]
    fn an_absurd_estimate_is_shown_as_unknown() {
        let status = |seconds: &str| -> DocumentStatus {
            serde_json::from_str(&format!(r#"{{"document_id":"a","status":"translating"{seconds}}}"#)).unwrap()
        };
        assert_eq!(note(&status(r#","seconds_remaining":12"#)), "translating, about 12 s left");
        assert_eq!(note(&status(r#","seconds_remaining":2147483648"#)), "translating, time left unknown");
        assert_eq!(note(&status("")), "translating");
    }
}
