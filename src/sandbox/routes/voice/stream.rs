//! One connection of a voice session: takes audio in, sends transcripts and speech out, keeps the limits.
//!
//! Spec: "Voice", order of messages, limits, errors.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};

use super::live::{self, Progress};
use super::pace::{CHUNK_BYTES, CHUNK_US, Pace};
use super::script::Spoken;
use super::session::{self, Open};
use super::wire::{Fault, Heard};
use crate::sandbox::app::App;
use crate::sandbox::faults::VoiceFaultKind;
use crate::sandbox::quota::BilledProduct;
use crate::sandbox::translator::Translator;

/// How long a client may say nothing.
const IDLE: Duration = Duration::from_secs(30);
/// How long a connection lives.
const LIFE: Duration = Duration::from_secs(3600);
/// How slow late messages are.
const LATE: Duration = Duration::from_millis(400);

/// How a connection ends.
enum End {
    /// The socket goes away without a word.
    Broken,
    /// With a close frame: code and reason.
    Closed(u16, &'static str),
    /// The session is over, whichever way.
    Over,
}

/// Serves a connection until it ends.
pub async fn run(app: App, open: Open, socket: WebSocket) {
    let Ok(live) = live::enter(&open.session_id, &open.config) else { return };
    let kicked = live.kick.notified();
    let mut progress = live.progress.lock().await;
    let mut stream = Stream { app: &app, open: &open, socket, pace: Pace::default() };
    let end = tokio::select! {
        end = stream.serve(&mut progress) => end.unwrap_or(End::Broken),
        () = kicked => End::Closed(1000, "another connection took over"),
        () = tokio::time::sleep(LIFE) => End::Closed(1000, "the connection is an hour old"),
    };
    drop(progress);
    let close = |code, reason: &'static str| Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    // A client that is gone hears nothing; that is all right.
    match end {
        End::Broken => {}
        End::Closed(code, reason) => drop(stream.socket.send(close(code, reason)).await),
        End::Over => {
            live::leave(&open.session_id);
            session::close(&app, &open.session_id);
            drop(stream.socket.send(close(1000, "")).await);
        }
    }
}

struct Stream<'a> {
    app: &'a App,
    open: &'a Open,
    socket: WebSocket,
    pace: Pace,
}

/// Why a chunk is not taken: code, reason, words.
struct Refused(u16, u32, String);

impl Stream<'_> {
    /// Takes messages until the end; `None` when the client is gone.
    async fn serve(&mut self, progress: &mut Progress) -> Option<End> {
        progress.connections += 1;
        if progress.connections > 1 && self.fault(progress, VoiceFaultKind::Repeat, u64::MAX) {
            for (name, body) in progress.last.clone() {
                self.send(name, &body).await?;
            }
        }
        loop {
            let Ok(message) = tokio::time::timeout(IDLE, self.socket.recv()).await else {
                return Some(End::Closed(1000, "no data for 30 seconds"));
            };
            let message = match message? {
                Ok(Message::Ping(_) | Message::Pong(_)) => continue,
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(message) => message,
            };
            match self.open.config.framing.read(&message) {
                Err(Fault::WrongFrame) => return Some(End::Closed(1003, "wrong kind of frame")),
                Err(Fault::Bad(name, what)) => return self.error(&name, Refused(400, 4_000_001, what)).await,
                Ok(Heard::End) => {
                    progress.ended = true;
                    return self.end(progress).await;
                }
                Ok(Heard::Chunk(_)) if progress.ended => {
                    let what = "nothing may follow end_of_source_media".to_owned();
                    return self.error("source_media_chunk", Refused(400, 4_000_002, what)).await;
                }
                Ok(Heard::Chunk(bytes)) => {
                    if let Err(refused) = self.take(progress, &bytes) {
                        return self.error("source_media_chunk", refused).await;
                    }
                    if let Some(end) = self.updates(progress).await? {
                        return Some(end);
                    }
                }
            }
        }
    }

    /// Checks a chunk and adds it to what was heard.
    fn take(&mut self, progress: &mut Progress, bytes: &[u8]) -> Result<(), Refused> {
        let bad = |reason, what: &str| Refused(400, reason, what.to_owned());
        if bytes.len() > CHUNK_BYTES {
            return Err(bad(4_000_000, "chunk is too large"));
        }
        if !progress.measure.is_whole(bytes) {
            return Err(bad(4_000_003, "chunk is no multiple of the frame size"));
        }
        let micros = progress.measure.add(bytes).ok_or_else(|| bad(4_000_403, "Audio format not supported"))?;
        if self.open.config.content_type.starts_with("audio/pcm") && micros > CHUNK_US {
            return Err(bad(4_000_004, "chunk is longer than one second"));
        }
        if !self.pace.take(Instant::now(), micros) {
            return Err(Refused(
                429,
                4_290_000,
                "Too many requests: chunks come faster than twice real time".to_owned(),
            ));
        }
        progress.position_us += micros;
        while progress.minutes * 60_000_000 < progress.position_us {
            self.app
                .quota
                .charge(&self.open.caller, BilledProduct::Speech, 60_000, None)
                .map_err(|refusal| Refused(refusal.status, 4_560_000, refusal.message().to_owned()))?;
            progress.minutes += 1;
        }
        Ok(())
    }

    /// Sends what is new after a chunk; `Some` when a fault ends the connection.
    async fn updates(&mut self, progress: &mut Progress) -> Option<Option<End>> {
        let ms = progress.position_us / 1000;
        let (concluded, news) = progress.script.hear(progress.position_us);
        if news {
            if self.fault(progress, VoiceFaultKind::Unknown, ms) {
                self.send("weather_report", &json!({ "sky": ["blue", { "clouds": null }] })).await?;
            }
            let tentative: Vec<Spoken> = progress.script.current().into_iter().collect();
            self.source(progress, &concluded, &tentative).await?;
            for target in &self.open.config.targets {
                self.target(progress, target, &concluded, &tentative).await?;
            }
            self.speak(progress, &concluded).await?;
        }
        if self.fault(progress, VoiceFaultKind::Drop, ms) {
            return Some(Some(End::Broken));
        }
        if self.fault(progress, VoiceFaultKind::Close, ms) {
            return Some(Some(End::Closed(1011, "")));
        }
        if self.fault(progress, VoiceFaultKind::Error, ms) || self.fault(progress, VoiceFaultKind::Errors, ms) {
            return Some(self.fail(progress).await);
        }
        Some(None)
    }

    /// The errors that were asked for.
    async fn fail(&mut self, progress: &Progress) -> Option<End> {
        let twice = progress.faulted.iter().filter_map(|&n| self.app.options.voice_faults.get(n));
        if twice.clone().any(|fault| fault.kind == VoiceFaultKind::Errors) {
            self.send_error("source_media_chunk", &Refused(500, 5_000_001, "The first of two faults.".to_owned()))
                .await?;
        }
        self.error("source_media_chunk", Refused(400, 4_000_999, "This fault was asked for.".to_owned())).await
    }

    /// The last updates, then the end messages in their order.
    async fn end(&mut self, progress: &mut Progress) -> Option<End> {
        for (what, end) in [(VoiceFaultKind::Drop, End::Broken), (VoiceFaultKind::Close, End::Closed(1011, ""))] {
            if self.fault(progress, what, u64::MAX) {
                return Some(end);
            }
        }
        if self.fault(progress, VoiceFaultKind::Error, u64::MAX)
            || self.fault(progress, VoiceFaultKind::Errors, u64::MAX)
        {
            return self.fail(progress).await;
        }
        let late = self.fault(progress, VoiceFaultKind::Late, u64::MAX);
        let last: Vec<Spoken> = progress.script.end().into_iter().collect();
        self.source(progress, &last, &[]).await?;
        if late {
            self.send("end_of_source_transcript", &json!({})).await?;
        }
        for target in &self.open.config.targets {
            if late {
                tokio::time::sleep(LATE).await;
            }
            self.target(progress, target, &last, &[]).await?;
            if late {
                self.send("end_of_target_transcript", &json!({ "language": target })).await?;
            }
        }
        self.speak(progress, &last).await?;
        self.finish_speech(progress).await?;
        if !late {
            self.send("end_of_source_transcript", &json!({})).await?;
            for target in &self.open.config.targets {
                self.send("end_of_target_transcript", &json!({ "language": target })).await?;
            }
        }
        if let Some((language, _)) = &self.open.config.spoken {
            self.send("end_of_target_media", &json!({ "language": language })).await?;
        }
        self.send("end_of_stream", &json!({})).await?;
        Some(End::Over)
    }

    async fn source(&mut self, progress: &mut Progress, concluded: &[Spoken], tentative: &[Spoken]) -> Option<()> {
        let language = &self.open.config.source;
        let segment = |s: &Spoken| json!({ "language": language, "text": led(&s.text, s.follows), "start_time": s.time.start, "end_time": s.time.end });
        let body = json!({
            "concluded": concluded.iter().map(segment).collect::<Vec<_>>(),
            "tentative": tentative.iter().map(segment).collect::<Vec<_>>(),
        });
        if !concluded.is_empty() {
            progress.last = vec![("source_transcript_update", without_tentative(&body))];
        }
        self.send("source_transcript_update", &body).await
    }

    async fn target(
        &mut self,
        progress: &mut Progress,
        target: &str,
        concluded: &[Spoken],
        tentative: &[Spoken],
    ) -> Option<()> {
        let segment = |s: &Spoken| {
            let text = led(&self.translate(&s.text, target), s.follows);
            json!({ "text": text, "start_time": s.time.start, "end_time": s.time.end })
        };
        let body = json!({
            "language": target,
            "concluded": concluded.iter().map(segment).collect::<Vec<_>>(),
            "tentative": tentative.iter().map(segment).collect::<Vec<_>>(),
        });
        if !concluded.is_empty() {
            progress.last.push(("target_transcript_update", without_tentative(&body)));
        }
        self.send("target_transcript_update", &body).await
    }

    /// Speaks concluded segments: one message each, as long as the segment.
    async fn speak(&mut self, progress: &mut Progress, concluded: &[Spoken]) -> Option<()> {
        let config = &self.open.config;
        let (Some(sound), Some((language, content_type))) = (&mut progress.sound, &config.spoken) else {
            return Some(());
        };
        for spoken in concluded {
            let text = led(&self.translate(&spoken.text, language), spoken.follows);
            let mut speech = sound.speak(spoken.time.end - spoken.time.start);
            let headers = speech.headers.len();
            let first = !std::mem::replace(&mut sound.started, true);
            speech.headers.append(&mut speech.data);
            let mut body = json!({ "language": language, "duration": speech.ms, "text": text });
            if let (true, Some(fields)) = (first, body.as_object_mut()) {
                fields.insert("content_type".to_owned(), json!(content_type));
                fields.insert("headers".to_owned(), if headers == 0 { Value::Null } else { json!(headers) });
            }
            let data = speech.headers;
            let message = config.framing.write("target_media_chunk", Media { body, data, framing: config.framing });
            self.socket.send(message?).await.ok()?;
        }
        Some(())
    }

    /// What closes a container, with no text of its own.
    async fn finish_speech(&mut self, progress: &mut Progress) -> Option<()> {
        let config = &self.open.config;
        let (Some(sound), Some((language, _))) = (&mut progress.sound, &config.spoken) else { return Some(()) };
        let data = sound.finish();
        if !data.is_empty() {
            let body = json!({ "language": language, "duration": 0, "text": null });
            let message = config.framing.write("target_media_chunk", Media { body, data, framing: config.framing });
            self.socket.send(message?).await.ok()?;
        }
        Some(())
    }

    fn translate(&self, text: &str, target: &str) -> String {
        let config = &self.open.config;
        if let Some(found) = self.app.phrases.find(text, Some(&config.source), target) {
            return found.text.to_owned();
        }
        let terms = config.glossary_id.as_ref();
        let terms = terms.and_then(|id| self.app.glossaries.dictionary(id, &config.source, target).ok());
        Translator::new(self.app.options.engine, target).terms(terms.as_deref()).translate(text)
    }

    async fn send(&mut self, name: &'static str, body: &Value) -> Option<()> {
        let message = self.open.config.framing.write(name, body)?;
        self.socket.send(message).await.ok()
    }

    async fn send_error(&mut self, request_type: &str, refused: &Refused) -> Option<()> {
        let body = json!({
            "request_type": request_type, "error_code": refused.0, "reason_code": refused.1, "error_message": refused.2,
        });
        self.send("error", &body).await
    }

    async fn error(&mut self, request_type: &str, refused: Refused) -> Option<End> {
        self.send_error(request_type, &refused).await?;
        Some(End::Over)
    }

    /// Whether a fault is due at a playing time; `u64::MAX` is the end. Each happens once.
    fn fault(&self, progress: &mut Progress, what: VoiceFaultKind, ms: u64) -> bool {
        let due = self.app.options.voice_faults.iter().enumerate().find(|(n, fault)| {
            let time =
                fault.at_ms.map_or(ms == u64::MAX || what == VoiceFaultKind::Unknown, |at| ms >= at && ms != u64::MAX);
            fault.kind == what && time && !progress.faulted.contains(n)
        });
        let Some((n, _)) = due else { return false };
        if what != VoiceFaultKind::Unknown {
            progress.faulted.push(n);
        }
        true
    }
}

/// A media message: its fields, and its data as the framing carries bytes.
struct Media {
    body: Value,
    data: Vec<Vec<u8>>,
    framing: super::wire::Framing,
}

impl serde::Serialize for Media {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let fields = self.body.as_object().into_iter().flatten();
        let mut map = serializer.serialize_map(Some(fields.clone().count() + 1))?;
        for (name, value) in fields {
            map.serialize_entry(name, value)?;
        }
        let data: Vec<_> = self.data.iter().map(|bytes| self.framing.data(bytes.clone())).collect();
        map.serialize_entry("data", &data)?;
        map.end()
    }
}

/// A text with the blank that parts it from the one before.
fn led(text: &str, follows: bool) -> String {
    if follows { format!(" {text}") } else { text.to_owned() }
}

fn without_tentative(body: &Value) -> Value {
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.insert("tentative".to_owned(), json!([]));
    }
    body
}
