//! Documents as the sandbox stores them, and their state at a given time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::body::{BodyReader, FormSchema};
use crate::clock;
use crate::reply::Refusal;
use crate::state::kind;

/// A stored document.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredDocument {
    /// The key that the caller has to send with every request.
    pub(super) key: String,
    /// The file name of the result, for the content disposition.
    pub(super) filename: String,
    /// The media type of the result.
    pub(super) media_type: String,
    /// The name under which the bytes are stored.
    pub(super) file: String,
    /// The size of the result.
    pub(super) bytes: u64,
    pub(super) billed_characters: u64,
    /// Why the translation fails, shown when the time for the translation is over.
    pub(super) error: Option<String>,
}

/// The state of a document.
pub(super) enum StoredDocumentState {
    Queued,
    Translating { seconds_remaining: i64 },
    Done,
    Failed(String),
}

/// The body of requests about a document.
#[derive(Deserialize)]
struct DocumentKeyBody {
    document_key: String,
}

/// Returns the document with this ID and its state, if the key in the body is right.
pub(super) fn find(app: &App, id: &str, body: &BodyReader) -> Result<(StoredDocument, StoredDocumentState), Refusal> {
    let schema = FormSchema { lists: &[], booleans: &[], integers: &[] };
    let request: DocumentKeyBody = body.json_or_form(&schema)?;
    let unknown = || Refusal::not_found("Document not found.");
    let object = app.state.with(|store| store.get(kind::DOCUMENT, id))?.ok_or_else(unknown)?;
    let document: StoredDocument = serde_json::from_value(object.body)
        .map_err(|error| Refusal::internal(format!("stored document {id}: {error}")))?;
    if document.key != request.document_key {
        return Err(unknown());
    }
    let state = document.state(app, object.created);
    Ok((document, state))
}

impl StoredDocument {
    /// Returns the state of a document that was uploaded at `created`, in milliseconds since 1970.
    fn state(&self, app: &App, created: i64) -> StoredDocumentState {
        let age = clock::now_ms().saturating_sub(created);
        let ms = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let queued = ms(app.options.document_queue);
        let ready = queued.saturating_add(ms(app.options.document_translate));
        match &self.error {
            _ if age < queued => StoredDocumentState::Queued,
            _ if age < ready => StoredDocumentState::Translating { seconds_remaining: (ready - age + 999) / 1000 },
            Some(why) => StoredDocumentState::Failed(why.clone()),
            None => StoredDocumentState::Done,
        }
    }

    /// Returns the `Content-Disposition` of the result.
    pub(super) fn content_disposition(&self) -> String {
        let quoted: String = self.filename.chars().filter(|c| !c.is_control() && !"\"\\".contains(*c)).collect();
        format!("attachment; filename=\"{}\"", if quoted.is_ascii() { &quoted } else { "result" })
    }
}
