//! Sends requests as raw bytes and reads the answers.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;

use super::server::TestServer;

/// Time after which a connection counts as stuck.
const STUCK: Duration = Duration::from_secs(20);
/// How long to wait for an answer to an incomplete request.
const ANSWER_TIME: Duration = Duration::from_millis(300);

#[derive(Debug)]
pub struct RawAnswer {
    /// The first status; 0 if there is none.
    pub status: u16,
    /// Everything after the headers of the first answer.
    pub body: String,
}

impl RawAnswer {
    fn new(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, body: body.to_owned() }
    }

    pub fn message(&self) -> Option<String> {
        let body: Value = serde_json::from_str(&self.body).ok()?;
        body["message"].as_str().map(str::to_owned)
    }
}

/// When to shut down the sending half of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfClose {
    /// Immediately. The server may then abandon the request.
    AtOnce,
    /// When an answer starts, or has not started for a while.
    WhenAnswered,
}

/// Sends bytes, shuts down the sending half, and reads until the server closes the connection. Fails if it stays open.
pub async fn exchange(server: &TestServer, bytes: &[u8], half_close: HalfClose) -> Result<RawAnswer, String> {
    let all = async {
        let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).await?;
        let (mut reader, mut writer) = stream.split();
        let answered = Notify::new();
        let send = async {
            // The server may stop reading.
            let _ = writer.write_all(bytes).await;
            if half_close == HalfClose::WhenAnswered {
                let _ = tokio::time::timeout(ANSWER_TIME, answered.notified()).await;
            }
            let _ = writer.shutdown().await;
        };
        let mut answer = Vec::new();
        let receive = async {
            // A connection reset also ends the answer.
            while reader.read_buf(&mut answer).await.is_ok_and(|n| n > 0) {
                answered.notify_one();
            }
            answered.notify_one();
        };
        tokio::join!(send, receive);
        Ok::<_, std::io::Error>(answer)
    };
    match tokio::time::timeout(STUCK, all).await {
        Ok(answer) => answer.map(|answer| RawAnswer::new(&answer)).map_err(|error| error.to_string()),
        Err(_) => Err("the connection is stuck".to_owned()),
    }
}

pub async fn assert_alive(server: &TestServer) {
    let request = b"GET /v2/usage HTTP/1.1\r\nHost: a\r\nAuthorization: Service-Auth-Key sandbox\r\n\r\n";
    let answer = exchange(server, request, HalfClose::WhenAnswered).await.unwrap();
    assert!(answer.status == 200 && answer.body.contains("character_count"), "{answer:?}");
}
