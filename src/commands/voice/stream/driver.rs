//! The event loop of a stream: sends audio at the allowed pace, and handles messages, connection losses and signals.
//!
//! Replaces the connection after a loss, or when it is nearly an hour old.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;
use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_base::stop::Stop;
use tulk_client::api::voice::RequestVoiceSession;
use tulk_client::api::voice::message::VoiceMessage;
use tulk_client::http::client::Client;
use tulk_formats::input::audio::{Audio, AudioChunk};

use super::connection::{Connection, ConnectionEvent, SessionConnector, stream_failure};
use super::output_files::StreamOutcome;
use super::transcripts::{Transcripts, shortened_name};
use crate::context::Context;
use crate::output::{Output, ProgressTask, ProgressUnit, TaskName};
use crate::runs::report::restart_hint;
use crate::runs::summary::RunSummary;

/// Wait after a chunk, in percent of its duration. Longer than required, because networks deliver packets in bursts.
const PAUSE_PERCENT: u32 = 62;
/// Wait after a chunk whose duration is only an estimate, in percent of the estimate.
const ESTIMATED_PAUSE_PERCENT: u32 = 100;
const _: () = assert!(PAUSE_PERCENT > 100 / limits::VOICE_SPEED_MAX && ESTIMATED_PAUSE_PERCENT >= PAUSE_PERCENT);
/// Time without audio after which silence is sent to keep the session open.
const SILENCE_AFTER: Duration = limits::VOICE_IDLE.saturating_sub(Duration::from_secs(5));
const SILENCE: Duration = Duration::from_millis(100);
/// Time without receiving anything after which a ping is sent.
const PING_AFTER: Duration = Duration::from_secs(15);
/// How long messages are still read from a connection on which sending has failed.
const READ_AFTER_FAILURE: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPhase {
    SendingAudio,
    SendingEnd,
    /// The end has been sent; the last messages are being received.
    Draining,
}

pub struct StreamDriver<'a> {
    ctx: &'a Context,
    out: Arc<Output>,
    audio: Audio,
    chunk_duration: Duration,
    transcripts: Transcripts,
    max_reconnects: u32,
    /// Reconnections so far, not counting planned replacements.
    reconnects: u32,
    phase: StreamPhase,
    /// A chunk that was read but not sent.
    pending: Option<AudioChunk>,
    next_send: Instant,
    last_sent: Instant,
    last_ping: Instant,
    /// Playing time of the sent audio.
    sent: Duration,
    /// The signal received, and until when messages are still read.
    stop_deadline: Option<(Kind, Instant)>,
    /// Maximum wait for the reply to a ping and, after the end of the audio, for a message; zero for no maximum.
    timeout: Duration,
    /// Until when messages are still read after sending failed, and why it failed.
    send_failure: Option<(Instant, String)>,
    progress: Option<ProgressTask>,
}

enum StepResult {
    Continue,
    Lost(String),
    Replace,
    Done,
}

enum StreamEvent {
    Received(Result<ConnectionEvent, Failure>),
    AudioRead(Result<Option<AudioChunk>, Failure>),
    SendDue,
    SilenceDue,
    Tick,
    Signal(Kind),
    StopTimeout,
    SendFailureTimeout,
}

impl<'a> StreamDriver<'a> {
    pub fn new(
        ctx: &'a Context,
        audio: Audio,
        chunk_duration: Duration,
        transcripts: Transcripts,
        max_reconnects: u32,
    ) -> Result<Self, Failure> {
        let now = Instant::now();
        let has_room = !transcripts.is_live() && ctx.out.has_room_for_progress(transcripts.streams_to_stdout());
        let progress = has_room.then(|| {
            let task = ctx.out.progress(TaskName::new("audio"));
            task.count("sent", ProgressUnit::Seconds, audio.total.map(|total| total.as_secs()));
            task
        });
        Ok(Self {
            ctx,
            out: Arc::clone(&ctx.out),
            audio,
            chunk_duration,
            transcripts,
            max_reconnects,
            reconnects: 0,
            phase: StreamPhase::SendingAudio,
            pending: None,
            next_send: now,
            last_sent: now,
            last_ping: now,
            sent: Duration::ZERO,
            stop_deadline: None,
            timeout: ctx.config()?.network().timeout.unwrap_or(limits::ATTEMPT_TIMEOUT),
            send_failure: None,
            progress,
        })
    }

    /// Streams until the end, and finishes the output files even after a failure.
    pub async fn run(mut self, client: &Client, request: &RequestVoiceSession) -> Result<(), Failure> {
        let started = Instant::now();
        let result = self.stream(client, request).await;
        let result = result.map_err(|failure| match failure.kind {
            kind if kind.is_stop() => failure.maybe_hint(restart_hint(self.ctx, false)),
            _ => failure,
        });
        if let Some(progress) = &self.progress {
            progress.finish();
        }
        let finished = self.transcripts.finish(StreamOutcome::from_result(&result));
        RunSummary { audio: self.sent, took: started.elapsed(), ..RunSummary::default() }.print(self.ctx);
        match (result, finished) {
            (Err(failure), Ok(parts)) if !parts.is_empty() => Err(with_part_files(failure, &parts, &self.out)),
            (result, finished) => result.and(finished.map(|_| ())),
        }
    }

    async fn stream(&mut self, client: &Client, request: &RequestVoiceSession) -> Result<(), Failure> {
        let insecure = self.ctx.args.insecure_http;
        let (mut connector, mut connection) = SessionConnector::open(client, insecure, request).await?;
        loop {
            let loss = match self.step(&mut connection).await? {
                StepResult::Continue => continue,
                StepResult::Done => {
                    connection.close().await;
                    break;
                }
                StepResult::Lost(reason) => Some(reason).filter(|_| !connection.is_expired()),
                StepResult::Replace => None,
            };
            drop(connection);
            match self.reconnect(&mut connector, loss).await? {
                Some(new) => connection = new,
                None => break,
            }
        }
        self.stop_deadline.map_or(Ok(()), |(kind, _)| Err(Stop::failure(kind, None)))
    }

    async fn step(&mut self, connection: &mut Connection) -> Result<StepResult, Failure> {
        match self.next_event(connection).await {
            StreamEvent::Received(event) => match self.handle(event?)? {
                StepResult::Continue => {}
                result => return Ok(result),
            },
            StreamEvent::AudioRead(chunk) => match chunk? {
                Some(chunk) => self.pending = Some(chunk),
                None => self.phase = StreamPhase::SendingEnd,
            },
            StreamEvent::SendDue => self.send_pending(connection).await,
            StreamEvent::SilenceDue => {
                self.pending = self.audio.silence(SILENCE);
                self.send_pending(connection).await;
            }
            StreamEvent::Tick => {}
            StreamEvent::Signal(kind) => {
                self.stop_deadline = Some((kind, Instant::now() + limits::STOP_TIMEOUT));
                self.pending = None;
                if self.phase == StreamPhase::SendingAudio {
                    self.phase = StreamPhase::SendingEnd;
                }
            }
            StreamEvent::StopTimeout => return Ok(StepResult::Done),
            StreamEvent::SendFailureTimeout => {
                let reason = self.send_failure.take().map(|(_, reason)| reason).unwrap_or_default();
                return Ok(StepResult::Lost(reason));
            }
        }
        if self.phase == StreamPhase::SendingEnd && self.send_failure.is_none() {
            self.send_end(connection).await;
        }
        let in_pause = self.transcripts.are_concluded();
        if self.phase == StreamPhase::SendingAudio
            && self.send_failure.is_none()
            && connection.needs_replacement(in_pause)
        {
            return Ok(StepResult::Replace);
        }
        self.check_silence(connection).await
    }

    async fn next_event(&mut self, connection: &mut Connection) -> StreamEvent {
        let sends = self.phase == StreamPhase::SendingAudio && self.send_failure.is_none();
        let reads = sends && self.pending.is_none();
        let silence_due = self.last_sent + SILENCE_AFTER;
        let stop_timeout = self.stop_deadline.map_or(self.next_send, |(_, until)| until);
        let failure_timeout = self.send_failure.as_ref().map_or(self.next_send, |(until, _)| *until);
        tokio::select! {
            biased;
            () = sleep_until(stop_timeout.into()), if self.stop_deadline.is_some() => StreamEvent::StopTimeout,
            kind = self.ctx.stop.wait(), if self.stop_deadline.is_none() => StreamEvent::Signal(kind),
            () = sleep_until(self.next_send.into()), if sends && self.pending.is_some() => StreamEvent::SendDue,
            () = sleep_until(failure_timeout.into()), if self.send_failure.is_some() => StreamEvent::SendFailureTimeout,
            chunk = self.audio.next_chunk(self.chunk_duration), if reads => StreamEvent::AudioRead(chunk),
            () = sleep_until(silence_due.into()), if reads => StreamEvent::SilenceDue,
            // This branch is after those for the audio, so that a service that sends without pause cannot delay the audio.
            event = connection.next_event() => StreamEvent::Received(event),
            () = tokio::time::sleep(Duration::from_secs(1)) => StreamEvent::Tick,
        }
    }

    /// Sends the pending chunk. If that fails, the chunk stays pending.
    async fn send_pending(&mut self, connection: &mut Connection) {
        let Some(chunk) = self.pending.take() else {
            // Silence cannot be sent in this content type. If the service closes the idle connection, it is reopened.
            self.last_sent = Instant::now();
            return;
        };
        match connection.send_chunk(&chunk.data).await {
            Ok(()) => {
                let percent = if self.audio.has_exact_times { PAUSE_PERCENT } else { ESTIMATED_PAUSE_PERCENT };
                self.last_sent = Instant::now();
                self.next_send = self.last_sent + chunk.duration * percent / 100;
                self.sent += chunk.duration;
                if let Some(progress) = &self.progress {
                    progress.set(self.sent.as_secs());
                }
            }
            Err(failure) => {
                self.set_send_failure(failure);
                self.pending = Some(chunk);
            }
        }
    }

    async fn send_end(&mut self, connection: &mut Connection) {
        match connection.send_end().await {
            Ok(()) => self.phase = StreamPhase::Draining,
            Err(failure) => self.set_send_failure(failure),
        }
    }

    fn set_send_failure(&mut self, failure: Failure) {
        self.send_failure = Some((Instant::now() + READ_AFTER_FAILURE, failure.what));
    }

    /// Pings the connection if nothing arrives, and treats it as lost after the timeout.
    ///
    /// After the end of the audio, only messages count: a service may answer pings and still never finish the stream.
    async fn check_silence(&mut self, connection: &mut Connection) -> Result<StepResult, Failure> {
        let has_timeout = !self.timeout.is_zero();
        if has_timeout && self.phase == StreamPhase::Draining && connection.last_message.elapsed() > self.timeout {
            let seconds = self.timeout.as_secs_f64();
            let what =
                format!("the service did not finish the stream: no message for {seconds} s after the end of the audio");
            return Err(Failure::new(Kind::Network, what).hint("raise --timeout to wait longer"));
        }
        let silent_for = connection.last_received.elapsed();
        if has_timeout && silent_for > self.timeout + PING_AFTER {
            return Ok(StepResult::Lost(format!("nothing was received for {} s", silent_for.as_secs())));
        }
        if silent_for > PING_AFTER && self.last_ping.elapsed() > PING_AFTER && self.send_failure.is_none() {
            self.last_ping = Instant::now();
            if let Err(failure) = connection.ping().await {
                self.set_send_failure(failure);
            }
        }
        Ok(StepResult::Continue)
    }

    fn handle(&mut self, event: ConnectionEvent) -> Result<StepResult, Failure> {
        let message = match event {
            ConnectionEvent::Message(message) => message,
            ConnectionEvent::KeepAlive => return Ok(StepResult::Continue),
            ConnectionEvent::Lost(reason) => {
                self.send_failure = None;
                return Ok(StepResult::Lost(reason));
            }
        };
        match message {
            VoiceMessage::SourceTranscript(update) => self.transcripts.update_source(&update)?,
            VoiceMessage::TargetTranscript(update) => self.transcripts.update_target(&update)?,
            VoiceMessage::TargetMedia(chunk) => self.transcripts.write_speech(&chunk)?,
            VoiceMessage::EndOfSourceTranscript
            | VoiceMessage::EndOfTargetTranscript(_)
            | VoiceMessage::EndOfTargetMedia(_) => {}
            VoiceMessage::EndOfStream if self.phase == StreamPhase::Draining => return Ok(StepResult::Done),
            VoiceMessage::EndOfStream => {
                let sent = self.sent.as_secs_f64();
                let what = format!("the service ended the stream after {sent:.1} s, before the end of the audio");
                return Err(Failure::new(Kind::Network, what));
            }
            VoiceMessage::Error(error) => return Err(stream_failure(&error)),
            VoiceMessage::Unknown(name) => {
                if self.out.settings().verbosity > 0 {
                    self.out.log(&format!("ignored a message of unknown type {}", shortened_name(&name)));
                }
            }
        }
        Ok(StepResult::Continue)
    }

    /// Returns `None` if a signal was received.
    ///
    /// `loss` is the reason for the loss; `None` is a planned replacement, which does not count towards `--reconnects`.
    async fn reconnect(
        &mut self,
        connector: &mut SessionConnector<'_>,
        mut loss: Option<String>,
    ) -> Result<Option<Connection>, Failure> {
        self.transcripts.reset_tentative()?;
        if self.stop_deadline.is_some() {
            return Ok(None);
        }
        let mut delay = Duration::ZERO;
        let mut refusal: Option<Failure> = None;
        loop {
            self.report_loss(loss.as_deref());
            if let Some(reason) = &loss {
                if self.reconnects >= self.max_reconnects {
                    let failure = refusal.unwrap_or_else(|| Failure::new(Kind::Network, reason.clone()));
                    let so_far = self.reconnects;
                    return Err(failure.hint(format!("reconnections so far: {so_far}; allow more with --reconnects")));
                }
                self.reconnects += 1;
            }
            if !self.wait_for_audio(delay).await? {
                return Ok(None);
            }
            match connector.reopen().await {
                Ok(connection) => return Ok(Some(self.continue_on(connection).await)),
                Err(failure) if matches!(failure.kind, Kind::Network | Kind::Busy) => {
                    loss = Some(failure.what.clone());
                    refusal = Some(failure);
                }
                Err(failure) => return Err(failure),
            }
            delay = (delay * 2).clamp(limits::BACKOFF_FIRST, limits::VOICE_IDLE);
        }
    }

    /// Starts using a new connection. If there is no more audio, sends the end of the audio, even if the old connection already got it.
    async fn continue_on(&mut self, mut connection: Connection) -> Connection {
        self.next_send = Instant::now();
        self.last_sent = self.next_send;
        if self.phase != StreamPhase::SendingAudio {
            self.send_end(&mut connection).await;
        }
        connection
    }

    fn report_loss(&self, loss: Option<&str>) {
        let sent = self.sent.as_secs_f64();
        let concluded = Duration::from_millis(self.transcripts.concluded_until()).min(self.sent).as_secs_f64();
        let gap = if concluded + 0.05 < sent {
            format!("; the transcript of {concluded:.1} s to {sent:.1} s was not final and may be missing")
        } else {
            String::new()
        };
        match loss {
            None if gap.is_empty() => self.out.status("replacing the voice connection, which is nearly an hour old"),
            None => self.out.warn(&format!("replacing the voice connection, which is nearly an hour old{gap}")),
            Some(reason) => {
                self.out.warn(&format!("the stream was interrupted after {sent:.1} s of audio: {reason}{gap}"));
            }
        }
    }

    /// Waits for `delay`, then until there is audio to send, because an idle pipe needs no connection. Returns false if a
    /// signal was received.
    async fn wait_for_audio(&mut self, delay: Duration) -> Result<bool, Failure> {
        let stop = self.ctx.stop.clone();
        let kind = tokio::select! {
            kind = stop.wait() => kind,
            read = async {
                tokio::time::sleep(delay).await;
                if self.phase == StreamPhase::SendingAudio && self.pending.is_none() {
                    match self.audio.next_chunk(self.chunk_duration).await? {
                        Some(chunk) => self.pending = Some(chunk),
                        None => self.phase = StreamPhase::SendingEnd,
                    }
                }
                Ok::<_, Failure>(())
            } => {
                read?;
                return Ok(true);
            }
        };
        self.stop_deadline = Some((kind, Instant::now()));
        Ok(false)
    }
}

fn with_part_files(failure: Failure, parts: &[PathBuf], out: &Output) -> Failure {
    let names: Vec<_> = parts.iter().map(|part| part.display().to_string()).collect();
    let so_far = format!("the output so far is in {}", names.join(" and "));
    if failure.kind.is_quiet() {
        out.status(&so_far);
        return failure;
    }
    if failure.kind.is_stop() {
        return Failure { what: format!("{}; {so_far}", failure.what), ..failure };
    }
    let hint = failure.hint.as_ref().map_or_else(|| so_far.clone(), |hint| format!("{hint}; {so_far}"));
    failure.hint(hint)
}
