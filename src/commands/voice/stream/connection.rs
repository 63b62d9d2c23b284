//! The connection of a stream: opens it with a session, and reopens it with the latest token after a loss.

use std::time::{Duration, Instant};

use tulk_base::error::{Failure, Kind, ServiceError};
use tulk_base::limits;
use tulk_client::api::voice::message::{self, EncodedMessage, VoiceMessage, VoiceStreamError};
use tulk_client::api::voice::{ReconnectVoiceSession, RequestVoiceSession, VoiceMessageFormat, VoiceSession};
use tulk_client::http::client::Client;
use tulk_client::http::websocket::{
    WebSocketConnector, WebSocketEvent, WebSocketMessage, WebSocketReceiver, WebSocketSender,
};

use crate::commands::voice::session::with_session_hint;

/// Age from which a connection is replaced in a pause between sentences.
const REPLACE_IN_PAUSE: Duration = limits::VOICE_CONNECTION.saturating_sub(Duration::from_secs(300));
/// Age at which a connection is replaced even during speech.
const REPLACE_ALWAYS: Duration = limits::VOICE_CONNECTION.saturating_sub(Duration::from_secs(30));

pub enum ConnectionEvent {
    Message(VoiceMessage),
    /// A ping or pong, without content.
    KeepAlive,
    Lost(String),
}

pub struct Connection {
    sender: WebSocketSender,
    receiver: WebSocketReceiver,
    opened: Instant,
    pub last_received: Instant,
    /// Time of the last message of a known type, or of sending the end of the audio.
    pub last_message: Instant,
    format: VoiceMessageFormat,
}

pub struct SessionConnector<'a> {
    client: &'a Client,
    connector: WebSocketConnector<'a>,
    format: VoiceMessageFormat,
    token: String,
}

impl<'a> SessionConnector<'a> {
    pub async fn open(
        client: &'a Client,
        insecure: bool,
        request: &RequestVoiceSession,
    ) -> Result<(Self, Connection), Failure> {
        let session = client.send(request).await.map_err(|failure| with_session_hint(failure, request))?.into_typed();
        let connector = WebSocketConnector::new(client, insecure)?;
        let format = request.message_format.unwrap_or_default();
        let mut connector = Self { client, connector, format, token: String::new() };
        let connection = connector.connect(session).await?;
        Ok((connector, connection))
    }

    pub async fn reopen(&mut self) -> Result<Connection, Failure> {
        let session = self.client.send(&ReconnectVoiceSession { token: self.token.clone() }).await?.into_typed();
        self.connect(session).await
    }

    async fn connect(&mut self, session: VoiceSession) -> Result<Connection, Failure> {
        self.token = session.token;
        let (sender, receiver) = self.connector.connect(&session.streaming_url, &self.token).await?;
        let now = Instant::now();
        Ok(Connection { sender, receiver, opened: now, last_received: now, last_message: now, format: self.format })
    }
}

impl Connection {
    pub async fn send_chunk(&mut self, data: &[u8]) -> Result<(), Failure> {
        let encoded = message::encode_chunk(self.format, data).map_err(|e| Failure::internal(e.to_string()))?;
        self.sender.send(websocket_message(encoded)).await
    }

    pub async fn send_end(&mut self) -> Result<(), Failure> {
        let encoded = message::encode_end(self.format).map_err(|e| Failure::internal(e.to_string()))?;
        self.sender.send(websocket_message(encoded)).await?;
        self.last_message = Instant::now();
        self.last_received = self.last_message;
        Ok(())
    }

    pub async fn ping(&mut self) -> Result<(), Failure> {
        self.sender.ping().await
    }

    pub async fn close(mut self) {
        self.sender.close().await;
    }

    /// Waits for the next event. Fails only if a message cannot be decoded. Cancel safe.
    pub async fn next_event(&mut self) -> Result<ConnectionEvent, Failure> {
        let received = self.receiver.next().await;
        self.last_received = Instant::now();
        let decoded = match received {
            Ok(WebSocketEvent::Message(WebSocketMessage::Text(text))) => message::decode_text(&text),
            Ok(WebSocketEvent::Message(WebSocketMessage::Binary(bytes))) => message::decode_binary(&bytes),
            Ok(WebSocketEvent::KeepAlive) => return Ok(ConnectionEvent::KeepAlive),
            Ok(WebSocketEvent::Closed(reason)) => {
                return Ok(ConnectionEvent::Lost(format!("the service closed the voice connection ({reason})")));
            }
            Err(failure) => return Ok(ConnectionEvent::Lost(failure.what)),
        };
        let invalid = |e| Failure::new(Kind::Network, format!("cannot decode a message from the service: {e}"));
        let message = decoded.map_err(invalid)?;
        if !matches!(message, VoiceMessage::Unknown(_)) {
            self.last_message = self.last_received;
        }
        Ok(ConnectionEvent::Message(message))
    }

    pub fn needs_replacement(&self, in_pause: bool) -> bool {
        needs_replacement(self.opened.elapsed(), in_pause)
    }

    /// Returns whether the connection is so old that its end was expected and does not count as a loss.
    pub fn is_expired(&self) -> bool {
        self.opened.elapsed() >= REPLACE_ALWAYS
    }
}

fn needs_replacement(age: Duration, in_pause: bool) -> bool {
    age >= if in_pause { REPLACE_IN_PAUSE } else { REPLACE_ALWAYS }
}

fn websocket_message(encoded: EncodedMessage) -> WebSocketMessage {
    match encoded {
        EncodedMessage::Text(text) => WebSocketMessage::Text(text),
        EncodedMessage::Binary(bytes) => WebSocketMessage::Binary(bytes.into()),
    }
}

pub fn stream_failure(error: &VoiceStreamError) -> Failure {
    let kind = match error.error_code {
        401 | 403 => Kind::Key,
        456 => Kind::Quota,
        429 | 500..=599 => Kind::Busy,
        _ => Kind::Refused,
    };
    let message = if error.error_message.is_empty() { "no message" } else { &error.error_message };
    Failure::new(kind, format!("the service ended the stream: {}", message.trim_end_matches('.'))).service(
        ServiceError {
            status: u16::try_from(error.error_code).ok(),
            message: Some(error.error_message.clone()),
            code: Some(error.reason_code.to_string()),
            request: Some(error.request_type.clone()).filter(|request| !request.is_empty()),
            ..ServiceError::default()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_replaced_before_it_is_an_hour_old() {
        let minutes = |n: u64| Duration::from_secs(n * 60);
        assert!(!needs_replacement(minutes(54), true));
        assert!(needs_replacement(minutes(55), true));
        assert!(!needs_replacement(minutes(59), false));
        assert!(needs_replacement(Duration::from_secs(59 * 60 + 30), false));
    }

    #[test]
    fn an_error_keeps_the_message_and_the_codes_of_the_service() {
        let error = VoiceStreamError {
            request_type: "source_media_chunk".into(),
            error_code: 400,
            reason_code: 4_000_403,
            error_message: "Audio format not supported".into(),
        };
        let failure = stream_failure(&error);
        assert_eq!(failure.kind, Kind::Refused);
        assert_eq!(failure.what, "the service ended the stream: Audio format not supported");
        let service = failure.service.unwrap();
        assert_eq!(service.code.as_deref(), Some("4000403"));
        assert_eq!((service.status, service.request.as_deref()), (Some(400), Some("source_media_chunk")));
        assert_eq!(stream_failure(&VoiceStreamError { error_code: 429, ..error }).kind, Kind::Busy);
    }
}
