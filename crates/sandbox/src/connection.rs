//! Server connections with and without TLS, which a handler can cut off without an answer.
//!
//! A handler cannot close its own connection. Instead, each connection has a [`KillSwitch`], which every request gets
//! as an extension: once it is used, all writes fail and the server drops the connection. The switch is below TLS, so
//! it works the same with and without it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

const TLS_HANDSHAKE_BYTE: u8 = 0x16;
const HANDSHAKE_TIME_MAX: Duration = Duration::from_secs(30);
/// How long to read a request without TLS after answering it.
const DISCARD_TIME_MAX: Duration = Duration::from_secs(1);
/// Answer to a request without TLS.
const PLAIN_HTTP_ANSWER: &str = r#"{"message":"This address is served over https only."}"#;

pub(super) type ServerStream = Either<SwitchedStream, Box<TlsStream<SwitchedStream>>>;

/// Returns `None` if the handshake fails. A client that does not use TLS gets an error in plain HTTP.
pub(super) async fn accept(acceptor: &TlsAcceptor, first_byte: u8, mut stream: SwitchedStream) -> Option<ServerStream> {
    if first_byte == TLS_HANDSHAKE_BYTE {
        let accepted = timeout(HANDSHAKE_TIME_MAX, acceptor.accept(stream)).await.ok()?.ok()?;
        return Some(Either::Right(Box::new(accepted)));
    }
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{PLAIN_HTTP_ANSWER}",
        PLAIN_HTTP_ANSWER.len()
    );
    stream.write_all(answer.as_bytes()).await.ok()?;
    stream.shutdown().await.ok()?;
    // Closing a connection with unread bytes may discard the answer before the client sees it.
    let mut bytes = [0; 4096];
    let _ = timeout(DISCARD_TIME_MAX, async { while stream.read(&mut bytes).await.is_ok_and(|n| n > 0) {} }).await;
    None
}

#[derive(Clone, Debug, Default)]
pub(super) struct KillSwitch(Arc<AtomicBool>);

impl KillSwitch {
    /// Makes every write fail from now on.
    pub(super) fn cut(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> io::Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

/// A connection that fails all writes once its [`KillSwitch`] is used.
pub(super) struct SwitchedStream {
    pub(super) stream: TcpStream,
    pub(super) switch: KillSwitch,
}

impl AsyncRead for SwitchedStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for SwitchedStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.switch.check()?;
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.switch.check()?;
        Pin::new(&mut self.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
