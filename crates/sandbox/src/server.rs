//! The HTTP server: accepts connections, with or without TLS, until it is told to stop, and limits the time that a request
//! may take to arrive.

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

/// Longest time between the requests of a connection, and for the headers of a request.
const HEADERS_TIME_MAX: Duration = Duration::from_secs(60);
/// Longest wait for open requests after the shutdown signal.
const GRACE_PERIOD: Duration = Duration::from_secs(1);
/// Pause after a failure to accept a connection: the process may have too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves until `shutdown` completes, then waits for open requests for up to a second.
pub(super) async fn run(
    listener: TcpListener,
    tls: Option<ServerTls>,
    router: Router,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    // Each connection holds a receiver: it learns about the shutdown, and its end is known.
    let (stop, stopped) = watch::channel(());
    let service = ConnectionService { router, acceptor: tls.map(|tls| tls.acceptor), stopped };
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => drop(tokio::spawn(serve(stream, PeerAddress(peer), service.clone()))),
            Err(error) if is_of_connection(&error) => {}
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
    drop((listener, service));
    stop.send_replace(());
    // Requests that take longer are given up.
    let _ = tokio::time::timeout(GRACE_PERIOD, stop.closed()).await;
}

/// What every connection gets.
#[derive(Clone)]
struct ConnectionService {
    router: Router,
    /// Without one, connections do not use TLS.
    acceptor: Option<TlsAcceptor>,
    /// Changes when the server shuts down. The server waits until no connection holds it.
    stopped: watch::Receiver<()>,
}

/// Serves one connection.
async fn serve(stream: TcpStream, peer: PeerAddress, service: ConnectionService) {
    let ConnectionService { router, acceptor, mut stopped } = service;
    // Answers are small: waiting to fill a packet costs more than it saves. The connection works without it too.
    let _ = stream.set_nodelay(true);
    let own = stream.local_addr().ok().map(OwnAddress);
    let mut first_byte = [0];
    // Until the first byte, nothing else limits the time: it shows whether this is HTTP/1 or HTTP/2.
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
    // A failed connection concerns its client alone.
    let finished = tokio::select! {
        _ = &mut connection => true,
        _ = stopped.changed() => false,
        () = no_request(&has_request) => return,
    };
    if !finished {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// Waits until a connection has had no request for too long. Completes only if its first request is missing: the start of
/// HTTP/2, and the bytes that tell it from HTTP/1, have no limit of their own.
async fn no_request(has_request: &AtomicBool) {
    tokio::time::sleep(HEADERS_TIME_MAX).await;
    if has_request.load(Ordering::Relaxed) {
        std::future::pending::<()>().await;
    }
}

/// Returns whether a failure concerns one connection, so that the next can be accepted at once.
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::ConnectionRefused | Kind::ConnectionAborted | Kind::ConnectionReset)
}
