//! The loop of a stream: audio out at the pace that is allowed, messages in, losses made good, signals heard.
//!
//! Spec: "Voice", limits, order, reconnect; command line, "Asking, waiting, stopping".

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep_until;

use super::Ending;
use super::link::{Line, Link, News};
use super::tracks::Tracks;
use crate::api::voice::RequestVoiceSession;
use crate::api::voice::message::{VoiceMessage, VoiceStreamError};
use crate::context::Context;
use crate::error::{Failure, Kind, ServiceError};
use crate::http::client::Client;
use crate::input::audio::{Audio, Chunk};
use crate::limits;
use crate::output::{Output, ProgressTask};
use crate::stop::Stop;

/// The gap after a chunk, in percent of its duration: above the half that is asked for, since networks bunch packets.
const GAP_KNOWN: u32 = 62;
/// The same where the duration is an estimate.
const GAP_ESTIMATED: u32 = 100;
// Audio is sent more slowly than the service allows.
const _: () = assert!(GAP_KNOWN > 100 / limits::VOICE_SPEED_MAX && GAP_ESTIMATED >= GAP_KNOWN);
/// After so long without audio a pipe's silence is sent, where silence can be made.
const KEEP_ALIVE: Duration = limits::VOICE_IDLE.saturating_sub(Duration::from_secs(5));
/// The silence that is sent.
const SILENCE: Duration = Duration::from_millis(100);
/// How often a connection is asked for a sign of life.
const PING: Duration = Duration::from_secs(15);
/// How long the messages that are on their way are awaited when nothing can be sent any more.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What is left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Audio is to be sent.
    Sending,
    /// Its end is to be told.
    Ending,
    /// The end was told; the last messages are awaited.
    Draining,
}

/// A stream under way.
pub struct Drive<'a> {
    ctx: &'a Context,
    out: Arc<Output>,
    audio: Audio,
    want: Duration,
    tracks: Tracks,
    reconnects: u32,
    /// Reconnections that counted.
    used: u32,
    phase: Phase,
    /// Read and not sent.
    pending: Option<Chunk>,
    /// When the next chunk may go.
    due: Instant,
    /// When the last one went.
    last_sent: Instant,
    last_ping: Instant,
    /// Playing time that was sent.
    sent: Duration,
    stopping: Option<(Kind, Instant)>,
    /// How long a connection may say nothing; zero: for ever.
    patience: Duration,
    /// Sending failed: only what is on its way is read, until then.
    broken: Option<(Instant, String)>,
    meter: Option<ProgressTask>,
}

/// What to do after a step.
enum Next {
    GoOn,
    /// The connection is gone.
    Lost(String),
    /// The connection gets old.
    Change,
    Done,
}

/// What happened first.
enum Event {
    News(Result<News, Failure>),
    Audio(Result<Option<Chunk>, Failure>),
    Due,
    Silence,
    Tick,
    Stop(Kind),
    StopEnds,
    BrokenEnds,
}

impl<'a> Drive<'a> {
    /// A stream of `audio` in chunks of `want`.
    pub fn new(
        ctx: &'a Context,
        audio: Audio,
        want: Duration,
        tracks: Tracks,
        reconnects: u32,
    ) -> Result<Self, Failure> {
        let now = Instant::now();
        let meter = (!tracks.is_live()).then(|| ctx.out.progress("seconds of audio", None));
        Ok(Self {
            ctx,
            out: Arc::clone(&ctx.out),
            audio,
            want,
            tracks,
            reconnects,
            used: 0,
            phase: Phase::Sending,
            pending: None,
            due: now,
            last_sent: now,
            last_ping: now,
            sent: Duration::ZERO,
            stopping: None,
            patience: ctx.config()?.network().timeout.unwrap_or(limits::ATTEMPT_TIMEOUT),
            broken: None,
            meter,
        })
    }

    /// Streams to the end, and ends the files whatever happens.
    pub async fn run(mut self, client: &Client, request: &RequestVoiceSession) -> Result<(), Failure> {
        let result = self.stream(client, request).await;
        if let Some(meter) = &self.meter {
            meter.finish();
        }
        let ended = self.tracks.end(Ending::of(&result));
        result.and(ended)
    }

    async fn stream(&mut self, client: &Client, request: &RequestVoiceSession) -> Result<(), Failure> {
        let (mut line, mut open) = Line::open(client, self.ctx.args.insecure_http, request).await?;
        loop {
            match self.step(&mut open).await? {
                Next::GoOn => {}
                Next::Done => {
                    open.close().await;
                    break;
                }
                next @ (Next::Lost(_) | Next::Change) => {
                    let old = open.is_old();
                    drop(open);
                    let why = if let Next::Lost(why) = next { Some(why).filter(|_| !old) } else { None };
                    match self.recover(&mut line, why).await? {
                        Some(new) => open = new,
                        None => break,
                    }
                }
            }
        }
        self.stopping.map_or(Ok(()), |(kind, _)| Err(Stop::failure(kind, None)))
    }

    /// Waits for what happens first, and acts on it.
    async fn step(&mut self, link: &mut Link) -> Result<Next, Failure> {
        match self.event(link).await {
            Event::News(news) => return self.news(news?),
            Event::Audio(chunk) => match chunk? {
                Some(chunk) => self.pending = Some(chunk),
                None => self.phase = Phase::Ending,
            },
            Event::Due => self.send(link).await,
            Event::Silence => {
                self.pending = self.audio.silence(SILENCE);
                self.send(link).await;
            }
            Event::Tick => {}
            Event::Stop(kind) => {
                self.stopping = Some((kind, Instant::now() + limits::STOP_PATIENCE));
                self.pending = None;
                if self.phase == Phase::Sending {
                    self.phase = Phase::Ending;
                }
            }
            Event::StopEnds => return Ok(Next::Done),
            Event::BrokenEnds => {
                let why = self.broken.take().map(|(_, why)| why).unwrap_or_default();
                return Ok(Next::Lost(why));
            }
        }
        if self.phase == Phase::Ending && self.broken.is_none() {
            match link.end().await {
                Ok(()) => (self.phase, link.heard) = (Phase::Draining, Instant::now()),
                Err(failure) => self.broken = Some((Instant::now() + LAST_WORDS, failure.what)),
            }
        }
        if self.phase == Phase::Sending && self.broken.is_none() && link.is_due(self.tracks.is_quiet()) {
            return Ok(Next::Change);
        }
        Ok(self.look_after(link).await)
    }

    async fn event(&mut self, link: &mut Link) -> Event {
        let sends = self.phase == Phase::Sending && self.broken.is_none();
        let reads = sends && self.pending.is_none();
        let silence = self.last_sent + KEEP_ALIVE;
        let stop_ends = self.stopping.map_or(self.due, |(_, until)| until);
        let broken_ends = self.broken.as_ref().map_or(self.due, |(until, _)| *until);
        tokio::select! {
            biased;
            () = sleep_until(stop_ends.into()), if self.stopping.is_some() => Event::StopEnds,
            kind = self.ctx.stop.wait(), if self.stopping.is_none() => Event::Stop(kind),
            () = sleep_until(self.due.into()), if sends && self.pending.is_some() => Event::Due,
            news = link.news() => Event::News(news),
            chunk = self.audio.chunk(self.want), if reads => Event::Audio(chunk),
            () = sleep_until(silence.into()), if reads => Event::Silence,
            () = sleep_until(broken_ends.into()), if self.broken.is_some() => Event::BrokenEnds,
            () = tokio::time::sleep(Duration::from_secs(1)) => Event::Tick,
        }
    }

    /// Sends the chunk that waits; it goes on waiting if that fails.
    async fn send(&mut self, link: &mut Link) {
        let Some(chunk) = self.pending.take() else {
            // No silence can be made of this content type: the service may end the connection, which is then renewed.
            self.last_sent = Instant::now();
            return;
        };
        match link.chunk(&chunk.data).await {
            Ok(()) => {
                let percent = if self.audio.exact { GAP_KNOWN } else { GAP_ESTIMATED };
                self.last_sent = Instant::now();
                self.due = self.last_sent + chunk.duration * percent / 100;
                self.sent += chunk.duration;
                if let Some(meter) = &self.meter {
                    meter.set(self.sent.as_secs());
                }
            }
            Err(failure) => {
                self.broken = Some((Instant::now() + LAST_WORDS, failure.what));
                self.pending = Some(chunk);
            }
        }
    }

    /// Looks after a connection on which nothing comes.
    async fn look_after(&mut self, link: &mut Link) -> Next {
        let quiet = link.heard.elapsed();
        if !self.patience.is_zero() && quiet > self.patience + PING {
            return Next::Lost(format!("nothing came for {} s", quiet.as_secs()));
        }
        if quiet > PING && self.last_ping.elapsed() > PING && self.broken.is_none() {
            self.last_ping = Instant::now();
            if let Err(failure) = link.ping().await {
                self.broken = Some((Instant::now() + LAST_WORDS, failure.what));
            }
        }
        Next::GoOn
    }

    fn news(&mut self, news: News) -> Result<Next, Failure> {
        let message = match news {
            News::Message(message) => message,
            News::Alive => return Ok(Next::GoOn),
            News::Lost(why) => {
                self.broken = None;
                return Ok(Next::Lost(why));
            }
        };
        match message {
            VoiceMessage::SourceTranscript(update) => self.tracks.source(&update)?,
            VoiceMessage::TargetTranscript(update) => self.tracks.target(&update)?,
            VoiceMessage::TargetMedia(chunk) => self.tracks.speech(&chunk)?,
            VoiceMessage::EndOfSourceTranscript
            | VoiceMessage::EndOfTargetTranscript(_)
            | VoiceMessage::EndOfTargetMedia(_) => {}
            VoiceMessage::EndOfStream if self.phase == Phase::Draining => return Ok(Next::Done),
            VoiceMessage::EndOfStream => {
                return Err(Failure::new(
                    Kind::Network,
                    format!(
                        "the service ended the stream after {:.1} s, before the audio did",
                        self.sent.as_secs_f64()
                    ),
                ));
            }
            VoiceMessage::Error(error) => return Err(refusal(&error)),
            VoiceMessage::Unknown(name) => {
                if self.out.settings().verbosity() > 0 {
                    self.out.log(&format!("ignored a message of an unknown name: {name}"));
                }
            }
        }
        Ok(Next::GoOn)
    }

    /// Takes a stream up again; without a reason the change was to be, and does not count. `None` when stopped.
    async fn recover(&mut self, line: &mut Line<'_>, mut why: Option<String>) -> Result<Option<Link>, Failure> {
        self.tracks.lost()?;
        if self.stopping.is_some() {
            return Ok(None);
        }
        let mut wait = Duration::ZERO;
        loop {
            self.tell(why.as_deref());
            if let Some(why) = &why {
                if self.used >= self.reconnects {
                    return Err(Failure::new(Kind::Network, format!("the voice connection was lost: {why}"))
                        .hint(format!("it was taken up again {} times; --reconnects allows more", self.used)));
                }
                self.used += 1;
            }
            if !self.wait_for_work(wait).await? {
                return Ok(None);
            }
            match line.reopen().await {
                Ok(open) => return self.resume(open).await.map(Some),
                Err(failure) if matches!(failure.kind, Kind::Network | Kind::Busy) => why = Some(failure.what),
                Err(failure) => return Err(failure),
            }
            wait = (wait * 2).clamp(limits::BACKOFF_FIRST, limits::VOICE_IDLE);
        }
    }

    /// Tells the end once more on a new connection, if that was told on the lost one.
    async fn resume(&mut self, mut link: Link) -> Result<Link, Failure> {
        self.due = Instant::now();
        self.last_sent = self.due;
        if self.phase != Phase::Sending {
            match link.end().await {
                Ok(()) => self.phase = Phase::Draining,
                Err(failure) => self.broken = Some((Instant::now() + LAST_WORDS, failure.what)),
            }
        }
        Ok(link)
    }

    /// Says what was lost.
    fn tell(&self, why: Option<&str>) {
        let sent = self.sent.as_secs_f64();
        let until = Duration::from_millis(self.tracks.concluded_until()).as_secs_f64();
        let gap = if until + 0.05 < sent {
            format!("; {until:.1} s to {sent:.1} s of the audio were not concluded and may be missing")
        } else {
            String::new()
        };
        match why {
            None if gap.is_empty() => self.out.status("changing the voice connection, which is an hour old"),
            None => self.out.warn(&format!("changing the voice connection, which is an hour old{gap}")),
            Some(why) => {
                self.out.warn(&format!("the voice connection was lost after {sent:.1} s of audio: {why}{gap}"));
            }
        }
    }

    /// Waits, then until there is something to send: an idle pipe needs no connection. False when stopped.
    async fn wait_for_work(&mut self, wait: Duration) -> Result<bool, Failure> {
        let stop = self.ctx.stop.clone();
        let kind = tokio::select! {
            kind = stop.wait() => kind,
            done = async {
                tokio::time::sleep(wait).await;
                if self.phase == Phase::Sending && self.pending.is_none() {
                    match self.audio.chunk(self.want).await? {
                        Some(chunk) => self.pending = Some(chunk),
                        None => self.phase = Phase::Ending,
                    }
                }
                Ok::<_, Failure>(())
            } => {
                done?;
                return Ok(true);
            }
        };
        self.stopping = Some((kind, Instant::now()));
        Ok(false)
    }
}

/// The failure of an `error` message.
fn refusal(error: &VoiceStreamError) -> Failure {
    let kind = match error.error_code {
        401 | 403 => Kind::Key,
        456 => Kind::Quota,
        429 | 500..=599 => Kind::Busy,
        _ => Kind::Refused,
    };
    let words = if error.error_message.is_empty() { "no message" } else { &error.error_message };
    let at = if error.request_type.is_empty() { String::new() } else { format!(" for {}", error.request_type) };
    Failure::new(
        kind,
        format!("the service ended the stream: {words} (error {}, reason {}{at})", error.error_code, error.reason_code),
    )
    .service(ServiceError {
        status: u16::try_from(error.error_code).ok(),
        message: Some(error.error_message.clone()),
        code: Some(error.reason_code.to_string()),
        ..ServiceError::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_keeps_the_services_words_and_codes() {
        let error = VoiceStreamError {
            request_type: "source_media_chunk".into(),
            error_code: 400,
            reason_code: 4_000_403,
            error_message: "Audio format not supported".into(),
        };
        let failure = refusal(&error);
        assert_eq!(failure.kind, Kind::Refused);
        assert_eq!(
            failure.what,
            "the service ended the stream: Audio format not supported (error 400, reason 4000403 for source_media_chunk)"
        );
        assert_eq!(failure.service.unwrap().code.as_deref(), Some("4000403"));
        assert_eq!(refusal(&VoiceStreamError { error_code: 429, ..error }).kind, Kind::Busy);
    }
}
