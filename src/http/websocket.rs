//! A WebSocket to an address that the service gave: opened through the same proxies, roots and time-outs as requests.
//!
//! The address holds a secret: it stands in no message and no log. No key is sent. Spec: "Voice", WebSocket.

use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use reqwest::{Response, Upgraded, Url};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::attempt::{self, cause};
use super::client::Client;
use super::failures::{self, unusable};
use super::request::{Answer, Method, Path, Request};
use crate::error::{Failure, Kind, ServiceError};
use crate::limits;

/// Bytes of one message that is taken in.
const MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// Opens WebSockets; one per command, since it keeps a client that speaks HTTP/1.1 alone.
pub struct WebSocketConnector<'a> {
    client: &'a Client,
    http: reqwest::Client,
    insecure: bool,
}

/// A message as the protocol carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebSocketMessage {
    /// Text.
    Text(String),
    /// Bytes.
    Binary(Bytes),
}

/// The end of a socket that sends.
pub struct WebSocketSender {
    sink: SplitSink<WebSocketStream<Upgraded>, Message>,
    timeout: Duration,
}

/// The end of a socket that receives.
pub struct WebSocketReceiver(SplitStream<WebSocketStream<Upgraded>>);

/// What was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebSocketEvent {
    /// A message.
    Message(WebSocketMessage),
    /// A sign of life without content.
    KeepAlive,
    /// The other side closed, with a code and its words if it gave any.
    Closed(String),
}

impl<'a> WebSocketConnector<'a> {
    /// Prepares connections. `insecure` allows plain `ws` to other machines.
    pub fn new(client: &'a Client, insecure: bool) -> Result<Self, Failure> {
        Ok(Self { client, http: attempt::build(&client.options, true)?, insecure })
    }

    /// Connects with a one-time token. It is not tried twice: the token may be used up.
    pub async fn connect(
        &self,
        streaming_url: &str,
        token: &str,
    ) -> Result<(WebSocketSender, WebSocketReceiver), Failure> {
        let url = address(streaming_url, token, self.insecure)?;
        let timeout = self.client.options.timeout;
        let opening = self.open(url);
        let stream = if timeout.is_zero() {
            opening.await?
        } else {
            tokio::time::timeout(timeout, opening).await.map_err(|_| {
                Failure::new(Kind::Network, format!("no voice connection within {} s", timeout.as_secs_f64()))
                    .hint("raise --timeout, or look at the network")
            })??
        };
        let (sink, receiver) = stream.split();
        Ok((WebSocketSender { sink, timeout }, WebSocketReceiver(receiver)))
    }

    async fn open(&self, url: Url) -> Result<WebSocketStream<Upgraded>, Failure> {
        let key = generate_key();
        let began = std::time::Instant::now();
        let response = self
            .http
            .get(url)
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, &key)
            .send()
            .await
            .map_err(|e| Failure::new(Kind::Network, format!("cannot open the voice connection: {}", cause(&e))))?;
        let status = response.status().as_u16();
        if self.client.options.observer.verbosity() > 0 {
            let ms = began.elapsed().as_millis();
            self.client.options.observer.log(&format!("GET <streaming_url> {status} {ms} ms"));
        }
        if status != 101 {
            return Err(self.refused(response).await);
        }
        let accept = response.headers().get(SEC_WEBSOCKET_ACCEPT).and_then(|v| v.to_str().ok()).map(str::trim);
        if accept != Some(derive_accept_key(key.as_bytes()).as_str()) {
            let service = ServiceError { status: Some(status), ..ServiceError::default() };
            return Err(Failure::new(
                Kind::Network,
                "the voice connection is unusable: its handshake has no right answer",
            )
            .service(service));
        }
        let upgraded = response
            .upgrade()
            .await
            .map_err(|e| Failure::new(Kind::Network, format!("the voice connection was lost: {}", cause(&e))))?;
        let config =
            WebSocketConfig::default().max_message_size(Some(MESSAGE_BYTES)).max_frame_size(Some(MESSAGE_BYTES));
        Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await)
    }

    /// The failure of a connection that was answered with something else than a switch of protocols.
    async fn refused(&self, response: Response) -> Failure {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await.unwrap_or_default();
        let answer = Answer::new(status, headers, body);
        if status < 300 {
            return unusable(&answer, "it is no voice connection");
        }
        if status < 400 {
            // The target may hold the token.
            return Failure::new(
                Kind::Network,
                "the voice connection was answered with a redirect, which is not followed",
            )
            .service(ServiceError { status: Some(status), ..ServiceError::default() });
        }
        match Path::raw("/v3/voice/realtime/connect") {
            Ok(path) => failures::refused(&Request::new(Method::GET, path), &answer, "the voice address"),
            Err(failure) => failure,
        }
    }
}

/// The address to open: `wss` as `https`, the token added as a parameter.
fn address(streaming_url: &str, token: &str, insecure: bool) -> Result<Url, Failure> {
    let unusable = || Failure::new(Kind::Network, "the service's voice address is unusable");
    let (scheme, rest) = streaming_url.split_once("://").ok_or_else(unusable)?;
    let scheme = match scheme.to_ascii_lowercase().as_str() {
        "wss" | "https" => "https",
        "ws" | "http" => "http",
        _ => return Err(unusable()),
    };
    let text = format!("{scheme}://{rest}");
    let mut url = Url::parse(&text).map_err(|_| unusable())?;
    if scheme == "http" && !insecure && !crate::config::is_loopback(&text) {
        return Err(Failure::new(Kind::Usage, "the service's voice address is not encrypted")
            .hint("audio and text would be readable on the way; --insecure-http allows it"));
    }
    url.query_pairs_mut().append_pair("token", token);
    Ok(url)
}

impl WebSocketSender {
    /// Sends a message; a connection that takes none for the time-out counts as lost.
    pub async fn send(&mut self, frame: WebSocketMessage) -> Result<(), Failure> {
        let message = match frame {
            WebSocketMessage::Text(text) => Message::Text(text.into()),
            WebSocketMessage::Binary(bytes) => Message::Binary(bytes),
        };
        self.put(message).await
    }

    /// Asks the other side for a sign of life.
    pub async fn ping(&mut self) -> Result<(), Failure> {
        self.put(Message::Ping(Bytes::new())).await
    }

    /// Closes, without waiting long for the other side.
    pub async fn close(&mut self) {
        // A connection that is gone is closed as well.
        let _ = tokio::time::timeout(limits::STOP_PATIENCE, self.sink.close()).await;
    }

    async fn put(&mut self, message: Message) -> Result<(), Failure> {
        let sending = self.sink.send(message);
        let sent = if self.timeout.is_zero() {
            sending.await
        } else {
            let stuck = |_| lost("it takes no more data");
            tokio::time::timeout(self.timeout, sending).await.map_err(stuck)?
        };
        sent.map_err(|error| lost(&words(&error)))
    }
}

impl WebSocketReceiver {
    /// Waits for the next message. A connection that breaks is a failure of kind `Network`.
    pub async fn next(&mut self) -> Result<WebSocketEvent, Failure> {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => {
                Ok(WebSocketEvent::Message(WebSocketMessage::Text(text.as_str().to_owned())))
            }
            Some(Ok(Message::Binary(bytes))) => Ok(WebSocketEvent::Message(WebSocketMessage::Binary(bytes))),
            Some(Ok(Message::Close(frame))) => Ok(WebSocketEvent::Closed(match frame {
                Some(frame) if frame.reason.is_empty() => format!("code {}", u16::from(frame.code)),
                Some(frame) => format!("code {}, {}", u16::from(frame.code), frame.reason),
                None => "no code".to_owned(),
            })),
            Some(Ok(_)) => Ok(WebSocketEvent::KeepAlive),
            Some(Err(Error::ConnectionClosed | Error::AlreadyClosed)) | None => {
                Ok(WebSocketEvent::Closed("no code".to_owned()))
            }
            Some(Err(error)) => Err(lost(&words(&error))),
        }
    }
}

fn lost(why: &str) -> Failure {
    Failure::new(Kind::Network, format!("the voice connection was lost: {why}"))
}

/// An error in words that hold no address.
fn words(error: &Error) -> String {
    match error {
        Error::Io(io) => crate::error::io_message(io),
        Error::Protocol(protocol) => protocol.to_string(),
        Error::Capacity(capacity) => capacity.to_string(),
        Error::Utf8(_) => "a text message is not UTF-8".to_owned(),
        _ => "the protocol was broken".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puts_the_token_into_the_address() {
        let url = address("wss://voice.test/v3/voice/realtime/connect", "a+b/c==", false).unwrap();
        assert_eq!(url.as_str(), "https://voice.test/v3/voice/realtime/connect?token=a%2Bb%2Fc%3D%3D");
        let url = address("wss://voice.test/connect?x=1", "t", false).unwrap();
        assert_eq!(url.as_str(), "https://voice.test/connect?x=1&token=t");
    }

    #[test]
    fn plain_connections_stay_on_this_machine() {
        assert!(address("ws://127.0.0.1:9/c", "t", false).is_ok());
        assert!(address("ws://voice.test/c", "t", true).is_ok());
        let failure = address("ws://voice.test/c", "SECRET", false).unwrap_err();
        assert_eq!(failure.kind, Kind::Usage);
        assert!(!format!("{failure:?}").contains("SECRET"));
    }

    #[test]
    fn refuses_other_addresses_without_quoting_them() {
        for bad in ["", "voice.test", "ftp://voice.test/SECRET", "wss://"] {
            let failure = address(bad, "SECRET", false).unwrap_err();
            assert!(!format!("{failure:?}").contains("SECRET"), "{bad}");
        }
    }
}
