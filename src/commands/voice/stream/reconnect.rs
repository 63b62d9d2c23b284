//! Reconnections of a stream: after a loss, or to replace a connection that is nearly an hour old.

use std::time::{Duration, Instant};

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;

use super::connection::{Connection, SessionConnector};
use super::driver::{StreamDriver, StreamPhase};

impl StreamDriver<'_> {
    /// Opens a new connection of the session. Returns `None` if a signal was received.
    ///
    /// `loss` is why the old connection was lost; `None` is a planned replacement, which `--reconnects` does not count.
    pub(super) async fn reconnect(
        &mut self,
        connector: &mut SessionConnector<'_>,
        mut loss: Option<String>,
    ) -> Result<Option<Connection>, Failure> {
        self.transcripts.reset_tentative()?;
        if self.stopping.is_some() {
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

    /// Prepares for a new connection. If the end of the audio was sent on the old one, it is sent again.
    async fn continue_on(&mut self, mut connection: Connection) -> Connection {
        self.next_send = Instant::now();
        self.last_sent = self.next_send;
        if self.phase != StreamPhase::SendingAudio {
            self.send_end(&mut connection).await;
        }
        connection
    }

    /// Prints the reason of a loss, and which part of the audio may be missing from the transcripts.
    fn report_loss(&self, loss: Option<&str>) {
        let sent = self.sent.as_secs_f64();
        let concluded = Duration::from_millis(self.transcripts.concluded_until()).min(self.sent).as_secs_f64();
        let gap = if concluded + 0.05 < sent {
            format!("; the transcript of {concluded:.1} s to {sent:.1} s was not final and may be missing")
        } else {
            String::new()
        };
        match loss {
            None if gap.is_empty() => self.out.status("replacing the voice connection, which is an hour old"),
            None => self.out.warn(&format!("replacing the voice connection, which is an hour old{gap}")),
            Some(reason) => {
                self.out.warn(&format!("the stream was interrupted after {sent:.1} s of audio: {reason}{gap}"));
            }
        }
    }

    /// Waits for `delay`, then until there is audio to send, since an idle pipe needs no connection.
    ///
    /// Returns false if a signal was received.
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
        self.stopping = Some((kind, Instant::now()));
        Ok(false)
    }
}
