//! The HTTP server: accepts connections with or without TLS until it is shut down, and limits the time in which a
//! request must arrive.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tower_service::Service as _;

use super::addresses::{OwnAddress, PeerAddress, UsesTls};
use super::connection::{self, KillSwitch, ServerStream, SwitchedStream};
use super::tls::ServerTls;

/// Longest wait for a request on a connection, and for its headers.
const HEADERS_TIME_MAX: Duration = Duration::from_secs(60);
/// Longest wait for open requests after the shutdown signal.
const GRACE_PERIOD: Duration = Duration::from_secs(1);
/// Pause after `accept` has failed, because the process may have too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

pub(super) async fn run(
    listener: TcpListener,
    tls: Option<ServerTls>,
    router: Router,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    let (stop, stopped) = watch::channel(());
    let service = ConnectionService { router, acceptor: tls.map(|tls| tls.acceptor), stopped };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => drop(tokio::spawn(serve_connection(stream, PeerAddress(peer), service.clone()))),
            Err(error) if is_connection_error(&error) => {}
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
    drop((listener, service));
    stop.send_replace(());
    let _ = tokio::time::timeout(GRACE_PERIOD, stop.closed()).await;
}

#[derive(Clone)]
struct ConnectionService {
    router: Router,
    acceptor: Option<TlsAcceptor>,
    /// Receives the shutdown signal. The server waits until every connection has dropped its receiver.
    stopped: watch::Receiver<()>,
}

async fn serve_connection(stream: TcpStream, peer: PeerAddress, service: ConnectionService) {
    let ConnectionService { router, acceptor, mut stopped } = service;
    // Answers are small: waiting to fill a packet costs more than it saves. A failure only makes them slower.
    let _ = stream.set_nodelay(true);
    let own = stream.local_addr().ok().map(OwnAddress);
    let mut first_byte = [0];
    // hyper waits for the first byte without a time limit, to distinguish HTTP/1 and HTTP/2.
    tokio::select! {
        first = tokio::time::timeout(HEADERS_TIME_MAX, stream.peek(&mut first_byte)) => {
            if !matches!(first, Ok(Ok(1))) {
                return;
            }
        }
        _ = stopped.changed() => return,
    }
    let switch = KillSwitch::default();
    let stream = SwitchedStream { stream, switch: switch.clone() };
    let uses_tls = acceptor.is_some();
    let has_request = Arc::new(AtomicBool::new(false));
    let stream = match acceptor {
        None => ServerStream::Left(stream),
        Some(acceptor) => tokio::select! {
            accepted = connection::accept(&acceptor, first_byte[0], stream) => match accepted {
                Some(stream) => stream,
                None => return,
            },
            _ = stopped.changed() => return,
        },
    };
    let first_request = Arc::clone(&has_request);
    let service = service_fn(move |mut request: Request<Incoming>| {
        first_request.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(switch.clone());
        request.extensions_mut().insert(peer);
        if uses_tls {
            request.extensions_mut().insert(UsesTls);
        }
        if let Some(own) = own {
            request.extensions_mut().insert(own);
        }
        let answer = router.clone().call(request.map(Body::new));
        async move { answer.await.map_err(|error: Infallible| error) }
    });
    let mut server = auto::Builder::new(TokioExecutor::new());
    server.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS_TIME_MAX);
    let mut connection = pin!(server.serve_connection_with_upgrades(TokioIo::new(stream), service));
    // A failed connection affects only its client.
    let finished = tokio::select! {
        _ = &mut connection => true,
        _ = stopped.changed() => false,
        () = first_request_timeout(&has_request) => return,
    };
    if !finished {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// Completes if the first request of a connection does not arrive in time; otherwise never completes. hyper has no time
/// limit for the start of HTTP/2.
async fn first_request_timeout(has_request: &AtomicBool) {
    tokio::time::sleep(HEADERS_TIME_MAX).await;
    if has_request.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

/// Returns whether an error affects only one connection, so that the next one can be accepted immediately.
fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::ConnectionRefused | Kind::ConnectionAborted | Kind::ConnectionReset)
}
