//! The WebSocket connection to the client of a voice stream: decodes received messages and encodes sent ones.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde_json::{Value, json};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use super::framing::{AudioData, ClientMessage, FrameError, MessageFraming};

/// Maximum time between two messages from the client.
const IDLE_MAX: Duration = Duration::from_secs(30);

pub type ClientStream = WebSocketStream<TokioIo<Upgraded>>;

pub struct ClientSocket {
    socket: ClientStream,
    framing: MessageFraming,
}

/// The client closed the connection, or the connection broke.
#[derive(Debug)]
pub struct Disconnected;

pub enum ReceivedFrame {
    /// A decoded message, or the reason why the frame is invalid.
    Frame(Result<ClientMessage, FrameError>),
    /// The client sent nothing for [`IDLE_MAX`].
    TimedOut,
}

pub struct StreamError {
    /// Status, like an HTTP status code.
    pub error_code: u16,
    pub reason_code: u32,
    pub message: String,
}

impl StreamError {
    pub fn bad_request(reason_code: u32, message: impl Into<String>) -> Self {
        Self { error_code: 400, reason_code, message: message.into() }
    }
}

impl ClientSocket {
    pub fn new(socket: ClientStream, framing: MessageFraming) -> Self {
        Self { socket, framing }
    }

    /// Skips pings and pongs.
    pub async fn receive(&mut self) -> Result<ReceivedFrame, Disconnected> {
        loop {
            let Ok(message) = tokio::time::timeout(IDLE_MAX, self.socket.next()).await else {
                return Ok(ReceivedFrame::TimedOut);
            };
            match message {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                None | Some(Ok(Message::Close(_)) | Err(_)) => return Err(Disconnected),
                Some(Ok(message)) => return Ok(ReceivedFrame::Frame(self.framing.decode(&message))),
            }
        }
    }

    pub async fn send(&mut self, name: &str, body: impl Serialize) -> Result<(), Disconnected> {
        let message = self.framing.encode(name, body).ok_or(Disconnected)?;
        self.socket.send(message).await.map_err(|_| Disconnected)
    }

    /// Sends a `target_media_chunk`: the fields of `body`, and `data` encoded as the framing requires.
    pub async fn send_audio(&mut self, body: Value, data: Vec<Vec<u8>>) -> Result<(), Disconnected> {
        let data = data.into_iter().map(|bytes| self.framing.encode_audio(bytes)).collect();
        self.send("target_media_chunk", MediaMessage { body, data }).await
    }

    pub async fn send_error(&mut self, request_type: &str, error: &StreamError) -> Result<(), Disconnected> {
        let body = json!({
            "request_type": request_type,
            "error_code": error.error_code,
            "reason_code": error.reason_code,
            "error_message": error.message,
        });
        self.send("error", &body).await
    }

    pub async fn close(&mut self, code: u16, reason: &'static str) {
        // An error means that the client has already disconnected.
        drop(self.socket.send(Message::Close(Some(CloseFrame { code: code.into(), reason: reason.into() }))).await);
    }
}

#[derive(Serialize)]
struct MediaMessage {
    #[serde(flatten)]
    body: Value,
    data: Vec<AudioData>,
}
