//! WebSocket connections to an address from the service, through the same proxies, certificates and time-outs as requests.
//! The address contains a secret, so no message and no log shows it. No API key is sent.

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
use tulk_base::error::{Failure, Kind, ServiceError};
use tulk_base::limits;

use super::answer::Answer;
use super::attempt_timer::AttemptTimer;
use super::client::Client;
use super::failures::{self, unusable};
use super::network_error::cause;
use super::options::HttpVersions;
use super::path::Path;
use super::request::{Method, Request, TimeLimit};
use super::transport;
use super::transport::{Attempt, connections};

/// Maximum size of a message, in bytes.
const MESSAGE_BYTES: usize = 16 * 1024 * 1024;

/// Opens WebSockets, on HTTP/1.1 connections that are not shared with requests.
pub struct WebSocketConnector<'a> {
    client: &'a Client,
    http: reqwest::Client,
    insecure: bool,
}

/// A message to or from the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebSocketMessage {
    /// A text message.
    Text(String),
    /// A binary message.
    Binary(Bytes),
}

/// The sending half of a WebSocket.
pub struct WebSocketSender {
    sink: SplitSink<WebSocketStream<Upgraded>, Message>,
    timeout: Duration,
}

/// The receiving half of a WebSocket.
pub struct WebSocketReceiver(SplitStream<WebSocketStream<Upgraded>>);

/// A message or event received on a WebSocket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebSocketEvent {
    /// A message.
    Message(WebSocketMessage),
    /// A ping or pong: the connection is alive.
    KeepAlive,
    /// The service closed the connection. Contains its code and reason.
    Closed(String),
}

impl<'a> WebSocketConnector<'a> {
    /// Creates a connector. `insecure` allows unencrypted connections to other machines.
    pub fn new(client: &'a Client, insecure: bool) -> Result<Self, Failure> {
        Ok(Self {
            client,
            http: connections(client.service(), &client.options().network, HttpVersions::Http1)?,
            insecure,
        })
    }

    /// Connects with a one-time token. Never retries: the first attempt may have used up the token.
    pub async fn connect(
        &self,
        streaming_url: &str,
        token: &str,
    ) -> Result<(WebSocketSender, WebSocketReceiver), Failure> {
        let url = stream_url(streaming_url, token, self.insecure)?;
        let timeout = self.client.options().network.timeout;
        let opening = self.open(url);
        let stream = if timeout.is_zero() {
            opening.await?
        } else {
            tokio::time::timeout(timeout, opening).await.map_err(|_| {
                Failure::new(Kind::Network, format!("no voice connection within {} s", timeout.as_secs_f64()))
                    .hint("check the network, or raise --timeout")
            })??
        };
        let (sink, receiver) = stream.split();
        Ok((WebSocketSender { sink, timeout }, WebSocketReceiver(receiver)))
    }

    async fn open(&self, url: Url) -> Result<WebSocketStream<Upgraded>, Failure> {
        let key = generate_key();
        let start = std::time::Instant::now();
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
        let observer = &self.client.options().observer;
        if observer.verbosity() > 0 {
            let ms = start.elapsed().as_millis();
            observer.log(&format!("GET <streaming_url> {status} {ms} ms"));
        }
        if status != 101 {
            return Err(self.refused(response).await);
        }
        let accept = response.headers().get(SEC_WEBSOCKET_ACCEPT).and_then(|v| v.to_str().ok()).map(str::trim);
        if accept != Some(derive_accept_key(key.as_bytes()).as_str()) {
            let service = ServiceError { status: Some(status), ..ServiceError::default() };
            return Err(Failure::new(
                Kind::Network,
                "cannot open the voice connection: the server sent an invalid handshake",
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

    /// Returns the failure for an answer that does not switch protocols.
    async fn refused(&self, response: Response) -> Failure {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let answer =
            match transport::read_body(response, limits::ERROR_BODY_BYTES, &AttemptTimer::new(TimeLimit::Whole), None)
                .await
            {
                Attempt::Answered(answer) => answer,
                Attempt::Failed { .. } => Answer::new(status, headers, Bytes::new()),
            };
        if (200..300).contains(&status) {
            return unusable(&answer, "expected a voice connection");
        }
        if (300..400).contains(&status) {
            // Do not show where the redirect leads: its address may contain the token.
            return Failure::new(
                Kind::Network,
                "the server redirects the voice connection; tulk does not follow redirects",
            )
            .service(ServiceError { status: Some(status), ..ServiceError::default() });
        }
        match Path::parse("/v3/voice/realtime/connect") {
            Ok(path) => failures::refused(&Request::new(Method::GET, path), &answer, "the voice server", None),
            Err(failure) => failure,
        }
    }
}

/// Returns the address to open: `wss` becomes `https`, and the token becomes a query parameter.
fn stream_url(streaming_url: &str, token: &str, insecure: bool) -> Result<Url, Failure> {
    let unusable = || Failure::new(Kind::Network, "the service sent an invalid address for the voice connection");
    let (scheme, rest) = streaming_url.split_once("://").ok_or_else(unusable)?;
    let scheme = match scheme.to_ascii_lowercase().as_str() {
        "wss" | "https" => "https",
        "ws" | "http" => "http",
        _ => return Err(unusable()),
    };
    let text = format!("{scheme}://{rest}");
    let mut url = Url::parse(&text).map_err(|_| unusable())?;
    if scheme == "http" && !insecure && !crate::is_loopback(&text) {
        return Err(Failure::new(Kind::Usage, "the voice connection would not be encrypted")
            .hint("others on the network could read audio and text; --insecure-http allows this"));
    }
    url.query_pairs_mut().append_pair("token", token);
    Ok(url)
}

impl WebSocketSender {
    /// Sends a message. Fails if the connection accepts no data before the time-out.
    pub async fn send(&mut self, message: WebSocketMessage) -> Result<(), Failure> {
        let message = match message {
            WebSocketMessage::Text(text) => Message::Text(text.into()),
            WebSocketMessage::Binary(bytes) => Message::Binary(bytes),
        };
        self.write_message(message).await
    }

    /// Sends a ping, which the service answers with a pong.
    pub async fn ping(&mut self) -> Result<(), Failure> {
        self.write_message(Message::Ping(Bytes::new())).await
    }

    /// Closes the connection. Waits only briefly for the service.
    pub async fn close(&mut self) {
        // An error means that the connection is already closed.
        let _ = tokio::time::timeout(limits::STOP_TIMEOUT, self.sink.close()).await;
    }

    async fn write_message(&mut self, message: Message) -> Result<(), Failure> {
        let sending = self.sink.send(message);
        let sent = if self.timeout.is_zero() {
            sending.await
        } else {
            let stuck = |_| connection_lost("it accepts no more data");
            tokio::time::timeout(self.timeout, sending).await.map_err(stuck)?
        };
        sent.map_err(|error| connection_lost(&describe(&error)))
    }
}

impl WebSocketReceiver {
    /// Waits for the next message or event. Fails with `Kind::Network` if the connection breaks.
    pub async fn next(&mut self) -> Result<WebSocketEvent, Failure> {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => {
                Ok(WebSocketEvent::Message(WebSocketMessage::Text(text.as_str().to_owned())))
            }
            Some(Ok(Message::Binary(bytes))) => Ok(WebSocketEvent::Message(WebSocketMessage::Binary(bytes))),
            Some(Ok(Message::Close(frame))) => Ok(WebSocketEvent::Closed(match frame {
                Some(frame) if frame.reason.is_empty() => format!("code {}", u16::from(frame.code)),
                Some(frame) => format!("code {}, {}", u16::from(frame.code), failures::quotable(&frame.reason)),
                None => "no code".to_owned(),
            })),
            Some(Ok(_)) => Ok(WebSocketEvent::KeepAlive),
            Some(Err(Error::ConnectionClosed | Error::AlreadyClosed)) | None => {
                Ok(WebSocketEvent::Closed("no code".to_owned()))
            }
            Some(Err(error)) => Err(connection_lost(&describe(&error))),
        }
    }
}

fn connection_lost(why: &str) -> Failure {
    Failure::new(Kind::Network, format!("the voice connection was lost: {why}"))
}

/// Describes an error without the address.
fn describe(error: &Error) -> String {
    match error {
        Error::Io(io) => tulk_base::error::io_message(io),
        Error::Protocol(protocol) => protocol.to_string(),
        Error::Capacity(capacity) => capacity.to_string(),
        Error::Utf8(_) => "received text that is not UTF-8".to_owned(),
        _ => "protocol error".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_the_token_to_the_address() {
        let url = stream_url("wss://voice.test/v3/voice/realtime/connect", "a+b/c==", false).unwrap();
        assert_eq!(url.as_str(), "https://voice.test/v3/voice/realtime/connect?token=a%2Bb%2Fc%3D%3D");
        let url = stream_url("wss://voice.test/connect?x=1", "t", false).unwrap();
        assert_eq!(url.as_str(), "https://voice.test/connect?x=1&token=t");
    }

    #[test]
    fn refuses_unencrypted_connections_to_other_machines() {
        assert!(stream_url("ws://127.0.0.1:9/c", "t", false).is_ok());
        assert!(stream_url("ws://voice.test/c", "t", true).is_ok());
        let failure = stream_url("ws://voice.test/c", "SECRET", false).unwrap_err();
        assert_eq!(failure.kind, Kind::Usage);
        assert!(!format!("{failure:?}").contains("SECRET"));
    }

    #[test]
    fn refuses_other_addresses_without_showing_them() {
        for bad in ["", "voice.test", "ftp://voice.test/SECRET", "wss://"] {
            let failure = stream_url(bad, "SECRET", false).unwrap_err();
            assert!(!format!("{failure:?}").contains("SECRET"), "{bad}");
        }
    }
}
