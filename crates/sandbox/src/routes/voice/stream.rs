//! One connection of a voice session: receives audio, checks the limits of its chunks, bills it, sends updates, and applies the
//! requested faults. See docs/service.md, "Voice".

use std::time::{Duration, Instant};

use serde_json::json;

use super::client_socket::{ClientSocket, ClientStream, Disconnected, ReceivedFrame, StreamError};
use super::framing::{ClientMessage, FrameError};
use super::live_sessions::{self, StreamProgress};
use super::session_store::{self, OpenSession};
use super::updates::UpdateSender;
use crate::app::App;
use crate::faults::VoiceFaultKind;
use crate::quota::{BilledProduct, UNKNOWN_LANGUAGE};
use crate::reply::Refusal;

const CONNECTION_MAX: Duration = Duration::from_secs(3600);
/// Delay of messages sent late because of a fault.
const LATE_MESSAGE_DELAY: Duration = Duration::from_millis(400);
const MINUTE_US: u64 = 60_000_000;
const MINUTE_MS: u64 = 60_000;

enum ConnectionEnd {
    /// The socket is dropped without a close frame.
    Broken,
    /// A close frame with this code and reason is sent; the session can be resumed.
    Closed(u16, &'static str),
    /// The session is over, with or without success.
    SessionOver,
}

type Flow = std::ops::ControlFlow<ConnectionEnd>;

pub async fn run(app: App, session: OpenSession, socket: ClientStream) {
    let Ok(live) = live_sessions::connect(&session.session_id, &session.parameters) else { return };
    let closing = live.disconnect_signal.notified();
    let mut progress = live.progress.lock().await;
    let socket = ClientSocket::new(socket, session.parameters.framing);
    let updates = UpdateSender { app: &app, parameters: &session.parameters };
    let mut stream = VoiceStream { app: &app, session: &session, socket, updates, pacing: ChunkPacing::default() };
    let end = tokio::select! {
        end = stream.serve(&mut progress) => end.unwrap_or(ConnectionEnd::Broken),
        () = closing => ConnectionEnd::Closed(1000, "another connection took over"),
        () = tokio::time::sleep(CONNECTION_MAX) => ConnectionEnd::Closed(1000, "the connection is an hour old"),
    };
    drop(progress);
    match end {
        ConnectionEnd::Broken => {}
        ConnectionEnd::Closed(code, reason) => stream.socket.close(code, reason).await,
        ConnectionEnd::SessionOver => {
            live_sessions::remove(&session.session_id);
            session_store::close(&app, &session.session_id);
            stream.socket.close(1000, "").await;
        }
    }
}

struct VoiceStream<'a> {
    app: &'a App,
    session: &'a OpenSession,
    socket: ClientSocket,
    updates: UpdateSender<'a>,
    pacing: ChunkPacing,
}

impl VoiceStream<'_> {
    async fn serve(&mut self, progress: &mut StreamProgress) -> Result<ConnectionEnd, Disconnected> {
        progress.connections += 1;
        if progress.connections > 1 && self.is_fault_due(progress, VoiceFaultKind::Repeat, None) {
            for (name, body) in progress.last_concluded.clone() {
                self.socket.send(name, &body).await?;
            }
        }
        loop {
            let message = match self.socket.receive().await? {
                ReceivedFrame::Frame(Ok(message)) => message,
                ReceivedFrame::Frame(Err(FrameError::WrongKind)) => {
                    return Ok(ConnectionEnd::Closed(1003, "wrong kind of frame"));
                }
                ReceivedFrame::Frame(Err(FrameError::BadMessage { name, reason })) => {
                    return self.end_with_error(&name, &StreamError::bad_request(4_000_001, reason)).await;
                }
                ReceivedFrame::TimedOut => return Ok(ConnectionEnd::Closed(1000, "no data for 30 seconds")),
            };
            match message {
                ClientMessage::End => {
                    progress.has_ended = true;
                    return self.end_stream(progress).await;
                }
                ClientMessage::Chunk(_) if progress.has_ended => {
                    let error = StreamError::bad_request(4_000_002, "nothing may follow end_of_source_media");
                    return self.end_with_error("source_media_chunk", &error).await;
                }
                ClientMessage::Chunk(bytes) => {
                    if let Err(error) = self.accept_chunk(progress, &bytes) {
                        return self.end_with_error("source_media_chunk", &error).await;
                    }
                    if let Flow::Break(end) = self.send_updates(progress).await? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Checks a chunk, adds it to the playing time, and bills each started minute.
    fn accept_chunk(&mut self, progress: &mut StreamProgress, bytes: &[u8]) -> Result<(), StreamError> {
        if bytes.len() > CHUNK_BYTES_MAX {
            return Err(StreamError::bad_request(4_000_000, "chunk is too large"));
        }
        if !progress.meter.has_complete_frames(bytes) {
            return Err(StreamError::bad_request(4_000_003, "chunk is not a multiple of the frame size"));
        }
        let micros = progress
            .meter
            .add(bytes)
            .ok_or_else(|| StreamError::bad_request(4_000_403, "Audio format not supported"))?;
        if self.session.parameters.content_type.starts_with("audio/pcm") && micros > CHUNK_US_MAX {
            return Err(StreamError::bad_request(4_000_004, "chunk is longer than one second"));
        }
        if !self.pacing.accept(Instant::now(), micros) {
            let message = "Too many requests: chunks come faster than twice real time".to_owned();
            return Err(StreamError { error_code: 429, reason_code: 4_290_000, message });
        }
        progress.position_us += micros;
        while progress.billed_minutes * MINUTE_US < progress.position_us {
            self.bill_minute().map_err(|refusal| StreamError {
                error_code: refusal.status,
                reason_code: 4_560_000,
                message: refusal.message,
            })?;
            progress.billed_minutes += 1;
        }
        Ok(())
    }

    /// Bills a minute of speech, and a minute of speech to speech if the session has a spoken language.
    fn bill_minute(&self) -> Result<(), Refusal> {
        let (quota, caller, parameters) = (&self.app.quota, &self.session.caller, &self.session.parameters);
        let source = if parameters.is_source_known { parameters.source.as_str() } else { UNKNOWN_LANGUAGE };
        let bill = |product, targets: &[&str]| {
            quota.charge(caller, product, MINUTE_MS, parameters.tag.as_deref())?;
            quota.count_pairs(caller, product, targets.iter().map(|target| (source, *target, MINUTE_MS)))
        };
        let targets: Vec<&str> = parameters.targets.iter().map(String::as_str).collect();
        bill(BilledProduct::Speech, &targets)?;
        parameters.spoken.as_ref().map_or(Ok(()), |(target, _)| bill(BilledProduct::SpeechToSpeech, &[target.as_str()]))
    }

    /// Sends the updates after a chunk. A fault may end the connection.
    async fn send_updates(&mut self, progress: &mut StreamProgress) -> Result<Flow, Disconnected> {
        let now = Some(progress.position_us / 1000);
        if let Some(update) = progress.transcriber.advance(progress.position_us) {
            if self.is_fault_due(progress, VoiceFaultKind::Unknown, now) {
                let body = json!({ "sky": ["blue", { "clouds": null }] });
                self.socket.send("weather_report", &body).await?;
            }
            self.updates.send_all(&mut self.socket, progress, &update).await?;
        }
        self.apply_faults(progress, now).await
    }

    /// Sends the last updates, then the end messages in the order of the service.
    async fn end_stream(&mut self, progress: &mut StreamProgress) -> Result<ConnectionEnd, Disconnected> {
        if let Flow::Break(end) = self.apply_faults(progress, None).await? {
            return Ok(end);
        }
        let is_late = self.is_fault_due(progress, VoiceFaultKind::Late, None);
        let update = progress.transcriber.finish();
        let (updates, socket) = (&self.updates, &mut self.socket);
        let targets = &self.session.parameters.targets;
        updates.send_transcript(socket, progress, &update).await?;
        if is_late {
            socket.send("end_of_source_transcript", &json!({})).await?;
        }
        for target in targets {
            if is_late {
                tokio::time::sleep(LATE_MESSAGE_DELAY).await;
            }
            updates.send_translation(socket, progress, target, &update).await?;
            if is_late {
                socket.send("end_of_target_transcript", &json!({ "language": target })).await?;
            }
        }
        updates.send_speech(socket, progress, &update.concluded).await?;
        updates.finish_speech(socket, progress).await?;
        if !is_late {
            socket.send("end_of_source_transcript", &json!({})).await?;
            for target in targets {
                socket.send("end_of_target_transcript", &json!({ "language": target })).await?;
            }
        }
        if let Some((language, _)) = &self.session.parameters.spoken {
            socket.send("end_of_target_media", &json!({ "language": language })).await?;
        }
        socket.send("end_of_stream", &json!({})).await?;
        Ok(ConnectionEnd::SessionOver)
    }

    /// Ends the connection if a `drop`, `close`, `error` or `errors` fault is due. `now` is the playing time in
    /// milliseconds, `None` at the end.
    async fn apply_faults(&mut self, progress: &mut StreamProgress, now: Option<u64>) -> Result<Flow, Disconnected> {
        if self.is_fault_due(progress, VoiceFaultKind::Drop, now) {
            return Ok(Flow::Break(ConnectionEnd::Broken));
        }
        if self.is_fault_due(progress, VoiceFaultKind::Close, now) {
            return Ok(Flow::Break(ConnectionEnd::Closed(1011, "")));
        }
        let has_one = self.is_fault_due(progress, VoiceFaultKind::Error, now);
        if !has_one && !self.is_fault_due(progress, VoiceFaultKind::Errors, now) {
            return Ok(Flow::Continue(()));
        }
        let past = progress.past_faults.iter().filter_map(|&n| self.app.options.voice_faults.get(n));
        if past.into_iter().any(|fault| fault.kind == VoiceFaultKind::Errors) {
            let message = "The first of two faults.".to_owned();
            let error = StreamError { error_code: 500, reason_code: 5_000_001, message };
            self.socket.send_error("source_media_chunk", &error).await?;
        }
        let error = StreamError::bad_request(4_000_999, "This fault was requested.");
        self.end_with_error("source_media_chunk", &error).await.map(Flow::Break)
    }

    async fn end_with_error(&mut self, request_type: &str, error: &StreamError) -> Result<ConnectionEnd, Disconnected> {
        self.socket.send_error(request_type, error).await?;
        Ok(ConnectionEnd::SessionOver)
    }

    /// `now` is the playing time in milliseconds, `None` at the end. Each fault happens once, except unknown messages.
    fn is_fault_due(&self, progress: &mut StreamProgress, kind: VoiceFaultKind, now: Option<u64>) -> bool {
        let is_unknown = kind == VoiceFaultKind::Unknown;
        let due = self.app.options.voice_faults.iter().enumerate().find(|(n, fault)| {
            let is_time = match (fault.at_ms, now) {
                (None, None) => true,
                (None, Some(_)) => is_unknown,
                (Some(at), Some(now)) => now >= at,
                (Some(_), None) => false,
            };
            fault.kind == kind && is_time && !progress.past_faults.contains(n)
        });
        let Some((n, _)) = due else { return false };
        if !is_unknown {
            progress.past_faults.push(n);
        }
        true
    }
}

/// How far the audio may run ahead of the limit.
const PACING_TOLERANCE: Duration = Duration::from_secs(1);
const CHUNK_BYTES_MAX: usize = 100_000;
/// Longest duration that pacing counts for a chunk, in microseconds. PCM chunks must not be longer. Other chunks may be longer,
/// because they can contain a complete page.
const CHUNK_US_MAX: u64 = 1_000_000;

/// Limits how fast chunks may follow each other. The audio received in any period may be at most twice as long as the period,
/// plus a tolerance: networks deliver several chunks together, and containers have pages that play for a second.
#[derive(Default)]
pub struct ChunkPacing {
    /// Earliest time of the next chunk, without the tolerance.
    due: Option<Instant>,
}

impl ChunkPacing {
    /// Records a chunk of `micros` microseconds. Returns false if it came too early.
    pub fn accept(&mut self, now: Instant, micros: u64) -> bool {
        let due = self.due.unwrap_or(now);
        // A chunk with the index at the end of a file can add minutes of audio, although it was not sent too fast.
        self.due = Some(due.max(now) + Duration::from_micros(micros.min(CHUNK_US_MAX) / 2));
        now + PACING_TOLERANCE >= due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_at_most_twice_real_time() {
        let (start, mut pacing) = (Instant::now(), ChunkPacing::default());
        let at = |ms| start + Duration::from_millis(ms);
        assert!((0..100).all(|n| pacing.accept(at(n * 100), 200_000)), "exactly twice");
        let mut pacing = ChunkPacing::default();
        assert!(!(0..100).all(|n| pacing.accept(at(n * 80), 200_000)), "two and a half times");
        let mut pacing = ChunkPacing::default();
        assert!(!(0..20).all(|_| pacing.accept(at(0), 200_000)), "all at once");
        let mut pacing = ChunkPacing::default();
        assert!((0..100).all(|n| pacing.accept(at(n * 620), 1_000_000)), "a page at a time");
        let mut pacing = ChunkPacing::default();
        assert!((0..100).all(|n| pacing.accept(at(n * 124), if n % 5 == 4 { 1_000_000 } else { 0 })), "pages in parts");
        let mut pacing = ChunkPacing::default();
        assert!((0..100).all(|n| pacing.accept(at((n * 124).max(1000)), 200_000)), "held up by the network");
    }
}
