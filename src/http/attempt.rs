//! One exchange over the wire: build the HTTP request, send, receive, and say how it ended.

use std::error::Error as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::multipart::{Form, Part};
use tokio::io::AsyncReadExt as _;
use tokio_util::io::ReaderStream;

use super::client::{Client, ClientOptions};
use super::request::{Answer, Request, RequestBody, Upload};
use super::retry::AttemptFailure;
use super::{failures, redact, tls};
use crate::config::ApiKey;
use crate::error::{Failure, Kind, io_message};

/// Bytes read from a file at a time: fewer, larger steps cost a fraction of the processor time.
const UPLOAD_STEP: usize = 256 * 1024;

/// How one attempt ended.
pub enum Attempt {
    /// An answer came whole.
    Answered(Answer),
    /// None did.
    Failed {
        /// How far it got.
        outcome: AttemptFailure,
        /// What to say.
        failure: Failure,
    },
}

/// What is done with the body of a successful answer.
pub trait BodySink {
    /// Learns status and headers of a successful answer before its first byte; an error ends the attempt for good.
    fn start(&self, _: u16, _: &HeaderMap) -> Result<(), Failure> {
        Ok(())
    }

    /// Whether another attempt would do; not once bytes are where they cannot be taken back.
    fn can_restart(&self) -> bool {
        true
    }

    /// Takes the next bytes, in order; an error ends the attempt for good.
    fn write(&self, bytes: &Bytes) -> Result<(), Failure>;
}

/// Builds the HTTP client. `http1` leaves out HTTP/2, which a WebSocket cannot use.
pub fn build(options: &ClientOptions, http1: bool) -> Result<reqwest::Client, Failure> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("tulk/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .tls_backend_preconfigured(tls::config(options.ca_file.as_deref(), http1)?)
        .pool_idle_timeout(Duration::from_secs(90));
    if http1 {
        builder = builder.http1_only();
    }
    if options.no_proxy || crate::config::is_loopback(&options.service.base_url) {
        builder = builder.no_proxy();
    } else if let Some(proxy) = &options.proxy {
        let proxy = reqwest::Proxy::all(proxy).map_err(|_| {
            Failure::usage("--proxy is no usable address").hint("write http://HOST:PORT or socks5h://HOST:PORT")
        })?;
        builder = builder.proxy(proxy.no_proxy(reqwest::NoProxy::from_env()));
    }
    builder.build().map_err(|e| Failure::usage(format!("the network settings are unusable: {}", cause(&e))))
}

/// Sends a request once.
pub async fn run(client: &Client, request: &Request, key: &ApiKey, sink: Option<&dyn BodySink>) -> Attempt {
    let clock = Arc::new(IdleTimer::new());
    let built = match assemble(client, request, key, &clock).await {
        Ok(built) => built,
        Err(failure) => return Attempt::Failed { outcome: AttemptFailure::Final, failure },
    };
    let exchange = exchange(client, built, &clock, sink);
    // The answer is looked at first: after this process stood still, one that is there must not count as late.
    tokio::select! {
        biased;
        attempt = exchange => attempt,
        () = clock.expired(client.options.timeout) => {
            let seconds = client.options.timeout.as_secs_f64();
            Attempt::Failed {
                outcome: AttemptFailure::Lost,
                failure: Failure::new(Kind::Network, format!("no answer from {} within {seconds} s", client.service().base_url))
                    .hint("raise --timeout, or look at the network"),
            }
        }
    }
}

async fn assemble(
    client: &Client,
    request: &Request,
    key: &ApiKey,
    clock: &Arc<IdleTimer>,
) -> Result<reqwest::RequestBuilder, Failure> {
    let mut url = format!("{}{}", client.service().base_url, request.path.as_str());
    if !request.query.is_empty() {
        url.push(if url.contains('?') { '&' } else { '?' });
        url.push_str(&super::endpoint::urlencoded(&request.query));
    }
    let mut authorization = HeaderValue::from_str(&format!("{} {}", client.service().auth_scheme, key.expose()))
        .map_err(|_| Failure::new(Kind::Key, "the key holds characters that no header can carry"))?;
    authorization.set_sensitive(true);
    let mut built = client
        .http
        .request(request.method.clone(), url)
        .headers(request.headers.clone())
        .header(AUTHORIZATION, authorization);
    built = match &request.body {
        RequestBody::Empty => built,
        RequestBody::Json(bytes) => typed(built, request, "application/json").body(bytes.clone()),
        RequestBody::Form(text) => typed(built, request, "application/x-www-form-urlencoded").body(text.clone()),
        RequestBody::Bytes(media_type, bytes) => typed(built, request, media_type).body(bytes.clone()),
        RequestBody::Multipart { fields, files } => {
            let mut form = Form::new();
            for (name, value) in fields {
                form = form.text(name.clone(), value.clone());
            }
            for file in files {
                form = form.part(file.field.clone(), part(file, clock).await?);
            }
            built.multipart(form)
        }
    };
    Ok(built)
}

/// Adds the body's type, unless the request names one itself.
fn typed(built: reqwest::RequestBuilder, request: &Request, media_type: &str) -> reqwest::RequestBuilder {
    if request.headers.contains_key(CONTENT_TYPE) { built } else { built.header(CONTENT_TYPE, media_type) }
}

async fn part(upload: &Upload, clock: &Arc<IdleTimer>) -> Result<Part, Failure> {
    let file = tokio::fs::File::open(&upload.path).await.map_err(|e| Failure::file("read", &upload.path, &e))?;
    let observer = upload.observer.clone();
    if let Some(observer) = &observer {
        let told = observer.progress(0).and_then(|()| if upload.bytes == 0 { observer.completing() } else { Ok(()) });
        told.map_err(|e| Failure::internal(format!("cannot note the state of an upload: {}", io_message(&e))))?;
    }
    let clock = Arc::clone(clock);
    let (mut moved, total) = (0, upload.bytes);
    // A file that grew meanwhile must not make the body longer than announced.
    let stream = ReaderStream::with_capacity(file.take(total), UPLOAD_STEP).map(move |step| {
        clock.touch();
        let bytes = step?;
        moved += bytes.len() as u64;
        if let Some(observer) = &observer {
            observer.progress(moved)?;
            if moved >= total {
                observer.completing()?;
            }
        }
        Ok::<_, std::io::Error>(bytes)
    });
    let body = reqwest::Body::wrap_stream(stream);
    let part = Part::stream_with_length(body, upload.bytes).file_name(upload.filename.clone());
    part.mime_str("application/octet-stream").map_err(|e| Failure::internal(e.to_string()))
}

async fn exchange(
    client: &Client,
    built: reqwest::RequestBuilder,
    clock: &IdleTimer,
    sink: Option<&dyn BodySink>,
) -> Attempt {
    let response = match built.send().await {
        Ok(response) => response,
        Err(error) => return failed(client, &error),
    };
    clock.touch();
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let sink = sink.filter(|_| (200..300).contains(&status));
    if let Some(Err(failure)) = sink.map(|sink| sink.start(status, &headers)) {
        return Attempt::Failed { outcome: AttemptFailure::Final, failure };
    }
    let mut body = BytesMut::new();
    let mut stream = response.bytes_stream();
    while let Some(step) = stream.next().await {
        match step {
            Ok(bytes) => {
                clock.touch();
                match sink.map(|sink| sink.write(&bytes)) {
                    None => body.extend_from_slice(&bytes),
                    Some(Ok(())) => {}
                    Some(Err(failure)) => return Attempt::Failed { outcome: AttemptFailure::Final, failure },
                }
            }
            Err(error) => {
                let failure = Failure::new(Kind::Network, format!("the answer was cut off: {}", cause(&error)))
                    .service(failures::received(status, &headers));
                return Attempt::Failed { outcome: AttemptFailure::Lost, failure };
            }
        }
    }
    Attempt::Answered(Answer::new(status, headers, body.freeze()))
}

fn failed(client: &Client, error: &reqwest::Error) -> Attempt {
    let base = &client.service().base_url;
    if error.is_builder() {
        let failure = Failure::usage(format!("the request cannot be built: {}", cause(error)));
        return Attempt::Failed { outcome: AttemptFailure::Final, failure };
    }
    let why = cause(error);
    if is_certificate(error) {
        let failure = Failure::new(Kind::Network, format!("the certificate of {base} is not trusted: {why}"))
            .hint("name the authority that signed it with --ca-file or SSL_CERT_FILE");
        return Attempt::Failed { outcome: AttemptFailure::Final, failure };
    }
    if error.is_connect() {
        let failure = Failure::new(Kind::Network, format!("cannot connect to {base}: {why}"))
            .hint("check the address (--server, `tulk auth status`), the network and the proxy");
        return Attempt::Failed { outcome: AttemptFailure::NotSent, failure };
    }
    let failure = Failure::new(Kind::Network, format!("the connection to {base} was lost: {why}"));
    Attempt::Failed { outcome: AttemptFailure::Lost, failure }
}

/// The innermost cause of an error, without the address (which may hold secrets).
pub fn cause(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut text = None;
    while let Some(inner) = cause {
        text = Some(match inner.downcast_ref::<std::io::Error>() {
            Some(io) => io_message(io),
            None => inner.to_string(),
        });
        cause = inner.source();
    }
    redact::address(&text.unwrap_or_else(|| "unknown cause".to_owned())).into_owned()
}

fn is_certificate(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if is_bad_certificate(inner) {
            return true;
        }
        cause = inner.source();
    }
    false
}

/// An I/O error's `source` skips the error it wraps, so that one is looked at itself.
fn is_bad_certificate(error: &(dyn std::error::Error + 'static)) -> bool {
    if let Some(inner) = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        return is_bad_certificate(inner);
    }
    matches!(error.downcast_ref::<rustls::Error>(), Some(rustls::Error::InvalidCertificate(_)))
}

/// When bytes last moved.
struct IdleTimer {
    began: Instant,
    last_ms: AtomicU64,
}

impl IdleTimer {
    fn new() -> Self {
        Self { began: Instant::now(), last_ms: AtomicU64::new(0) }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn touch(&self) {
        self.last_ms.store(self.now_ms(), Ordering::Relaxed);
    }

    /// Waits until nothing moved for `idle`; for ever when that is zero.
    async fn expired(&self, idle: Duration) {
        if idle.is_zero() {
            return std::future::pending().await;
        }
        let idle_ms = u64::try_from(idle.as_millis()).unwrap_or(u64::MAX);
        loop {
            let quiet = self.now_ms().saturating_sub(self.last_ms.load(Ordering::Relaxed));
            if quiet >= idle_ms {
                return;
            }
            tokio::time::sleep(Duration::from_millis(idle_ms - quiet)).await;
        }
    }
}
