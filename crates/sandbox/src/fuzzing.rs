//! Runs the sandbox without a socket, on one thread, for property tests and fuzzing.
//!
//! Functions panic if an invariant does not hold.

#![allow(clippy::missing_panics_doc)] // a panic is the result of a test

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, Uri};
use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;
use tower_service::Service as _;
use tulk_base::error::Failure;

use super::addresses::{OwnAddress, PeerAddress};
use super::duration::Latency;
use super::faults::{FaultRule, VoiceFault};
use super::options::{Engine, SandboxOptions};
use super::routes::voice::audio_meter::AudioMeter;
use super::routes::voice::framing::{ClientMessage, MessageFraming};
use super::seed::Seed;
use super::sessions::{SessionName, Sessions};

const SEPARATOR: &str = "\n%%%\n";
/// Maximum size of an answer to a small request, in bytes.
const ANSWER_MAX: usize = 64 * 1024 * 1024;

/// A sandbox without a socket, whose answers take no time.
pub struct InProcessSandbox {
    runtime: tokio::runtime::Runtime,
    sessions: Sessions,
    router: Router,
    /// Whether requests may have changed more than the usage since the last reset.
    is_changed: bool,
    _dir: TempDir,
}

/// An answer of an [`InProcessSandbox`].
#[derive(Debug)]
pub struct InProcessAnswer {
    /// HTTP status.
    pub status: u16,
    is_json: bool,
    /// Complete body.
    pub body: Vec<u8>,
}

impl InProcessAnswer {
    /// Returns the body as JSON, or `null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Checks that an error is JSON with a message and not a 5xx, and that a JSON answer parses. Returns the JSON.
    fn check(&self, what: &str) -> Value {
        let (json, shown) = (self.json(), String::from_utf8_lossy(&self.body));
        assert!(self.status < 500, "{what}: {} {shown}", self.status);
        let message = json.get("message").and_then(Value::as_str);
        let has_message = self.is_json && message.is_some_and(|text| !text.trim().is_empty());
        assert!(self.status < 400 || has_message, "{what}: {} {shown}", self.status);
        assert!(!self.is_json || self.body.is_empty() || !json.is_null(), "{what}: no JSON: {shown}");
        json
    }
}

/// Opens a sandbox whose answers take no time. Fails if the seed is invalid.
pub fn open(engine: Engine, seed: &str) -> Result<InProcessSandbox, Failure> {
    let fail = |e: std::io::Error| Failure::internal(e.to_string());
    let dir = tulk_base::files::temporary_dir(".tmp").map_err(fail)?;
    let seed_file = dir.path().join("seed.toml");
    std::fs::write(&seed_file, seed).map_err(fail)?;
    let sessions = Sessions::open(SandboxOptions {
        engine,
        seed_file: Some(seed_file),
        ephemeral: true,
        document_queue: Duration::ZERO,
        document_translate: Duration::ZERO,
        ..SandboxOptions::default()
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(fail)?;
    let router = super::router(sessions.clone());
    Ok(InProcessSandbox { runtime, sessions, router, is_changed: false, _dir: dir })
}

impl InProcessSandbox {
    /// Forgets the recent requests, and resets the sandbox to the seed if requests may have changed more than its usage.
    pub fn reset(&mut self) {
        self.sessions.recent.forget(None);
        if std::mem::take(&mut self.is_changed) {
            assert!(self.sessions.reset_all().is_ok(), "cannot reset the sandbox");
        }
    }

    /// Sends the requests of an input one after the other and checks each answer. A request can refer to strings in
    /// earlier answers by field name: `@document_id@`.
    pub fn send_requests(&mut self, input: &[u8]) {
        self.is_changed = true;
        let (mut known, mut is_faulty) = (Map::new(), false);
        for text in split_at_separator(input, SEPARATOR.as_bytes()) {
            let Some(request) = read_request(&insert_known_values(text, &known)) else { continue };
            // A header causes faults for one request; a PATCH of the options causes them for all later ones.
            is_faulty |= request.headers().contains_key("x-tulk-sandbox-fault") || request.method() == Method::PATCH;
            let what = format!("{} {}", request.method(), request.uri());
            let Some(answer) = self.send(request) else {
                assert!(is_faulty, "{what}: no whole answer");
                continue;
            };
            let json = if is_faulty { answer.json() } else { answer.check(&what) };
            collect_strings(&json, &mut known);
        }
    }

    /// Sends a request. Returns `None` if a fault cuts off the answer.
    pub fn send(&mut self, mut request: Request<Body>) -> Option<InProcessAnswer> {
        request.extensions_mut().insert(PeerAddress(([127, 0, 0, 1], 40_000).into()));
        request.extensions_mut().insert(OwnAddress(([127, 0, 0, 1], 80).into()));
        let (status, is_json, body) = self.runtime.block_on(async {
            let Ok(response) = self.router.call(request).await;
            let (parts, body) = response.into_parts();
            let is_json = parts.headers.get("content-type").is_some_and(|value| value == "application/json");
            (parts.status.as_u16(), is_json, axum::body::to_bytes(body, ANSWER_MAX).await)
        });
        Some(InProcessAnswer { status, is_json, body: body.ok()?.to_vec() })
    }

    /// Uploads a document. Returns its status and the result, which is empty if the translation failed. Returns `None`
    /// if the upload is refused.
    pub fn translate_document(&mut self, name: &str, content: &[u8]) -> Option<(Value, Vec<u8>)> {
        const BOUNDARY: &str = "boundary-0123456789-0123456789";
        self.is_changed = true;
        if memchr::memmem::find(content, BOUNDARY.as_bytes()).is_some() {
            return None;
        }
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nde\r\n--{BOUNDARY}\r\n\
             Content-Disposition: form-data; name=\"source_lang\"\r\n\r\nen\r\n--{BOUNDARY}\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
        );
        let body = [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat();
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let handle = self.post("/v2/document", &media_type, body)?;
        if handle.status != 200 {
            return None;
        }
        let handle = handle.json();
        let path = format!("/v2/document/{}", handle.get("document_id")?.as_str()?);
        let state = self.post(&path, "application/json", handle.to_string().into_bytes())?;
        let result = self.post(&format!("{path}/result"), "application/json", handle.to_string().into_bytes())?;
        let is_done = state.json().get("status").is_some_and(|status| status == "done");
        assert_eq!((state.status, result.status == 200), (200, is_done), "{name}: {} {}", state.json(), result.status);
        Some((state.json(), if is_done { result.body } else { Vec::new() }))
    }

    /// Translates a text from English to German. Returns `None` if the request is refused.
    pub fn translate(&mut self, text: &str, fields: &Value) -> Option<String> {
        let mut body = serde_json::json!({"text": [text], "target_lang": "de", "source_lang": "en"});
        body.as_object_mut()?.extend(fields.as_object()?.clone());
        let answer = self.post("/v2/translate", "application/json", body.to_string().into_bytes())?;
        answer.json().pointer("/translations/0/text").and_then(Value::as_str).map(str::to_owned)
    }

    fn post(&mut self, path: &str, media_type: &str, body: Vec<u8>) -> Option<InProcessAnswer> {
        let request = Request::post(path).header("host", "127.0.0.1").header("content-type", media_type);
        let request = request.header("authorization", "Service-Auth-Key sandbox");
        self.send(request.body(Body::from(body)).ok()?).inspect(|answer| drop(answer.check(path)))
    }
}

fn split_at_separator<'a>(bytes: &'a [u8], separator: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let all = rest.take()?;
        let Some(at) = memchr::memmem::find(all, separator) else { return Some(all) };
        rest = all.get(at + separator.len()..);
        all.get(..at)
    })
}

/// Replaces the first `@name@` of each known name with the string of that name.
fn insert_known_values(text: &[u8], known: &Map<String, Value>) -> Vec<u8> {
    let mut filled = text.to_vec();
    for (name, value) in known {
        let placeholder = format!("@{name}@");
        if let (Some(value), Some(at)) = (value.as_str(), memchr::memmem::find(&filled, placeholder.as_bytes())) {
            filled.splice(at..at + placeholder.len(), value.bytes());
        }
    }
    filled
}

/// Collects the strings of an answer by field name; later ones replace earlier ones.
fn collect_strings(value: &Value, known: &mut Map<String, Value>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                match value {
                    Value::String(text) => {
                        // Keep only the path of a URL, so that a later request can use it.
                        let path = text.strip_prefix("http://127.0.0.1").unwrap_or(text);
                        known.insert(name.clone(), path.into());
                    }
                    _ => collect_strings(value, known),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_strings(item, known)),
        _ => {}
    }
}

/// Parses a request: a line with the method and URI, headers, an empty line, and the body.
fn read_request(text: &[u8]) -> Option<Request<Body>> {
    let (head, body) = match memchr::memmem::find(text, b"\n\n") {
        Some(at) => (text.get(..at)?, text.get(at + 2..)?),
        None => (text, &[][..]),
    };
    let mut lines = head.split(|byte| *byte == b'\n');
    let first = lines.next()?;
    let (method, address) = first.split_at_checked(memchr::memchr(b' ', first)?)?;
    let mut request = Request::new(Body::from(body.to_vec()));
    *request.method_mut() = Method::from_bytes(method).ok()?;
    *request.uri_mut() = Uri::try_from(address.trim_ascii()).ok()?;
    let headers = request.headers_mut();
    headers.insert("host", HeaderValue::from_static("127.0.0.1"));
    headers.insert("authorization", HeaderValue::from_static("Service-Auth-Key sandbox"));
    for line in lines {
        let (name, value) = line.split_at_checked(memchr::memchr(b':', line)?)?;
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        headers.insert(HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value).ok()?);
    }
    // Skip requests that are meant to take time.
    let lower = text.to_ascii_lowercase();
    let is_slow = |word: &&str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    let can_wait = lower.starts_with(b"patch /_sandbox") || headers.contains_key("x-tulk-sandbox-fault");
    (!can_wait || !["never", "delay", "slow", "latency", "%", "\\u"].iter().any(is_slow)).then_some(request)
}

/// A WebSocket frame.
#[derive(Clone, Copy, Debug)]
pub enum VoiceFrame<'a> {
    /// A text frame, read as JSON.
    Text(&'a str),
    /// A binary frame, read as MessagePack.
    Binary(&'a [u8]),
}

/// Returns the audio that the sandbox reads from a frame. Fails if the frame is not a chunk of audio.
pub fn received_audio(frame: VoiceFrame<'_>) -> Result<Vec<u8>, String> {
    let (framing, message) = match frame {
        VoiceFrame::Text(text) => (MessageFraming::Json, Message::Text(text.into())),
        VoiceFrame::Binary(bytes) => (MessageFraming::Msgpack, Message::Binary(bytes.to_vec().into())),
    };
    match framing.decode(&message) {
        Ok(ClientMessage::Chunk(audio)) => Ok(audio),
        other => Err(format!("{other:?}")),
    }
}

/// Decodes bytes as a text frame and as a binary frame, each as JSON and as MessagePack.
pub fn decode_frames(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    for message in [Message::Text(text.into()), Message::Binary(bytes.to_vec().into())] {
        for framing in [MessageFraming::Json, MessageFraming::Msgpack] {
            if let Ok(ClientMessage::Chunk(audio)) = framing.decode(&message) {
                assert!(audio.len() <= bytes.len() * 3, "more audio than bytes");
            }
        }
    }
}

/// Measures audio in chunks of `step` bytes. Returns its playing time in microseconds, or `None` if it does not match
/// the content type.
pub fn measure_audio(content_type: &str, audio: &[u8], step: usize) -> Option<u64> {
    let mut meter = AudioMeter::new(content_type)?;
    let mut time = 0;
    for chunk in audio.chunks(step.max(1)) {
        let _ = meter.has_complete_frames(chunk);
        time += meter.add(chunk)?;
    }
    Some(time)
}

/// Returns the playing time of an audio file in microseconds, or `None` if it does not match the content type.
pub fn file_playing_time(path: &Path, content_type: &str) -> Option<u64> {
    super::routes::voice_jobs::audio_file::playing_time(path, content_type).ok().flatten()
}

/// Parses a text as each kind of option, and checks that the printed form of an accepted value can be parsed again, and
/// is then printed the same.
pub fn check_options(text: &str) {
    fn check<T: std::str::FromStr + std::fmt::Display>(text: &str) {
        let Ok(value) = text.parse::<T>().map(|value| value.to_string()) else { return };
        let again = value.parse::<T>().ok().map(|value| value.to_string());
        assert_eq!(again.as_ref(), Some(&value), "{text:?}");
    }
    check::<FaultRule>(text);
    check::<VoiceFault>(text);
    check::<Latency>(text);
    check::<Engine>(text);
    if let Ok(name) = SessionName::new(text) {
        assert!(SessionName::of_token(&name.add_to_token("0A1B".to_owned())) == name, "{text:?}");
    }
}

/// Reads and checks a seed file.
pub fn read_seed(path: &Path) -> Result<(), Failure> {
    Seed::open(path, &SandboxOptions::default()).map(drop)
}

/// Parses a file of phrases and looks up a text in it.
pub fn read_phrases(text: &str) -> Result<(), Failure> {
    let phrases = super::phrases::Phrases::parse(text, "phrases.tsv")?;
    phrases.scope(Some("en"), "de").find(text);
    phrases.source_language(text);
    Ok(())
}

/// Returns whether a text is a well-formed XML document.
pub fn is_xml(text: &str) -> bool {
    super::xml::document_error(text).is_none()
}

/// Detects the language of a text, and checks that the sandbox supports it.
pub fn detect_language(text: &str) -> &'static str {
    let code = super::detect::detect(text);
    assert!(super::languages::find(code).is_some(), "{code}");
    code
}
