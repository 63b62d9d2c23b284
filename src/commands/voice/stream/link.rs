//! The connection of a stream: opened, lost, and taken up again with the latest token. Spec: "Voice", reconnect.

use std::time::{Duration, Instant};

use crate::api::voice::message::{self, EncodedMessage, VoiceMessage};
use crate::api::voice::{ReconnectVoiceSession, RequestVoiceSession, VoiceMessageFormat, VoiceSession};
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::http::websocket::{
    WebSocketConnector, WebSocketEvent, WebSocketMessage, WebSocketReceiver, WebSocketSender,
};
use crate::limits;

/// From this age on a connection is changed at a quiet moment.
const AGE_QUIET: Duration = limits::VOICE_CONNECTION.saturating_sub(Duration::from_secs(300));
/// From this age on it is changed, quiet or not.
const AGE_DUE: Duration = limits::VOICE_CONNECTION.saturating_sub(Duration::from_secs(30));

/// What came over the connection.
pub enum News {
    /// A message.
    Message(VoiceMessage),
    /// Nothing to act on.
    Alive,
    /// It is gone, and why.
    Lost(String),
}

/// An open connection.
pub struct Link {
    sender: WebSocketSender,
    receiver: WebSocketReceiver,
    opened: Instant,
    /// When something was received last.
    pub heard: Instant,
    format: VoiceMessageFormat,
}

/// Makes connections of one session.
pub struct Line<'a> {
    client: &'a Client,
    connector: WebSocketConnector<'a>,
    format: VoiceMessageFormat,
    token: String,
}

impl<'a> Line<'a> {
    /// Asks for a session and connects.
    pub async fn open(
        client: &'a Client,
        insecure: bool,
        request: &RequestVoiceSession,
    ) -> Result<(Self, Link), Failure> {
        let session = client.send(request).await?.into_typed();
        let connector = WebSocketConnector::new(client, insecure)?;
        let format = request.message_format.unwrap_or_default();
        let mut line = Self { client, connector, format, token: String::new() };
        let open = line.connect(session).await?;
        Ok((line, open))
    }

    /// Asks for the session again with the latest token, and connects.
    pub async fn reopen(&mut self) -> Result<Link, Failure> {
        let session = self.client.send(&ReconnectVoiceSession { token: self.token.clone() }).await?.into_typed();
        self.connect(session).await
    }

    async fn connect(&mut self, session: VoiceSession) -> Result<Link, Failure> {
        self.token = session.token;
        let (sender, receiver) = self.connector.connect(&session.streaming_url, &self.token).await?;
        let now = Instant::now();
        Ok(Link { sender, receiver, opened: now, heard: now, format: self.format })
    }
}

impl Link {
    /// Sends a chunk of audio.
    pub async fn chunk(&mut self, data: &[u8]) -> Result<(), Failure> {
        let encoded = message::encode_chunk(self.format, data).map_err(|e| Failure::internal(e.to_string()))?;
        self.sender.send(frame(encoded)).await
    }

    /// Says that the audio has ended.
    pub async fn end(&mut self) -> Result<(), Failure> {
        let encoded = message::encode_end(self.format).map_err(|e| Failure::internal(e.to_string()))?;
        self.sender.send(frame(encoded)).await
    }

    /// Asks for a sign of life.
    pub async fn ping(&mut self) -> Result<(), Failure> {
        self.sender.ping().await
    }

    /// Closes.
    pub async fn close(mut self) {
        self.sender.close().await;
    }

    /// Waits for news. Fails only on a message that cannot be read. May be dropped while it waits.
    pub async fn news(&mut self) -> Result<News, Failure> {
        let received = self.receiver.next().await;
        self.heard = Instant::now();
        let read = match received {
            Ok(WebSocketEvent::Message(WebSocketMessage::Text(text))) => message::decode_text(&text),
            Ok(WebSocketEvent::Message(WebSocketMessage::Binary(bytes))) => message::decode_binary(&bytes),
            Ok(WebSocketEvent::KeepAlive) => return Ok(News::Alive),
            Ok(WebSocketEvent::Closed(why)) => return Ok(News::Lost(format!("closed by the service ({why})"))),
            Err(failure) => return Ok(News::Lost(failure.what)),
        };
        let unusable = |e| Failure::new(Kind::Network, format!("a message of the service is unusable: {e}"));
        read.map(News::Message).map_err(unusable)
    }

    /// Whether it should be changed for a new one before the service ends it.
    pub fn is_due(&self, quiet: bool) -> bool {
        is_due(self.opened.elapsed(), quiet)
    }

    /// Whether its end was to be expected, so that it counts for no loss.
    pub fn is_old(&self) -> bool {
        self.opened.elapsed() >= AGE_DUE
    }
}

fn is_due(age: Duration, quiet: bool) -> bool {
    age >= if quiet { AGE_QUIET } else { AGE_DUE }
}

fn frame(encoded: EncodedMessage) -> WebSocketMessage {
    match encoded {
        EncodedMessage::Text(text) => WebSocketMessage::Text(text),
        EncodedMessage::Binary(bytes) => WebSocketMessage::Binary(bytes.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_changed_before_its_hour_ends() {
        let minutes = |n: u64| Duration::from_secs(n * 60);
        assert!(!is_due(minutes(54), true));
        assert!(is_due(minutes(55), true));
        assert!(!is_due(minutes(59), false));
        assert!(is_due(Duration::from_secs(59 * 60 + 30), false));
    }
}
