//! Sends one request once and receives its answer. Does not retry, wait or log: that is [`super::client`]'s job.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::BytesMut;
use futures_util::StreamExt as _;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::multipart::{Form, Part};
use tokio::io::AsyncReadExt as _;
use tokio_util::io::ReaderStream;

use super::answer::{Answer, BodySink};
use super::encoding::encode_pairs;
use super::options::{HttpVersions, NetworkOptions};
use super::request::{Request, RequestBody, Upload};
use super::retry::AttemptFailure;
use super::{failures, network_error, tls};
use crate::config::{ApiKey, Service};
use crate::error::{Failure, Kind, io_message};

/// Bytes read from a file at a time. Large reads take a fraction of the processor time of small ones.
const UPLOAD_CHUNK_BYTES: usize = 256 * 1024;

/// How one attempt ended.
pub enum Attempt {
    /// With a complete answer, of any status.
    Answered(Answer),
    /// Without one.
    Failed {
        /// How far the request got.
        outcome: AttemptFailure,
        /// What to report.
        failure: Failure,
    },
}

impl Attempt {
    /// An attempt that would fail the same way again.
    fn fatal(failure: Failure) -> Self {
        Self::Failed { outcome: AttemptFailure::Final, failure }
    }
}

/// The sending half of the client: connections to one service.
pub struct Transport {
    http: reqwest::Client,
    service: Service,
    timeout: Duration,
}

impl Transport {
    /// Prepares connections; nothing is sent yet.
    pub fn new(service: Service, network: &NetworkOptions) -> Result<Self, Failure> {
        let http = connections(&service, network, HttpVersions::Any)?;
        Ok(Self { http, service, timeout: network.timeout })
    }

    /// Sends a request once. The body of a successful answer goes to `sink` if there is one.
    ///
    /// Fails if no bytes move in either direction for the time-out.
    pub async fn send(&self, request: &Request, key: &ApiKey, sink: Option<&dyn BodySink>) -> Attempt {
        let timer = Arc::new(IdleTimer::new());
        let built = match self.build(request, key, &timer).await {
            Ok(built) => built,
            Err(failure) => return Attempt::fatal(failure),
        };
        // `biased`: an answer that arrived while this process was suspended must not count as late.
        tokio::select! {
            biased;
            attempt = self.exchange(built, &timer, sink) => attempt,
            () = timer.expired(self.timeout) => {
                let (base_url, seconds) = (&self.service.base_url, self.timeout.as_secs_f64());
                let failure = Failure::new(Kind::Network, format!("no response from {base_url} within {seconds} s"))
                    .hint("check the network, or raise --timeout");
                Attempt::Failed { outcome: AttemptFailure::Lost, failure }
            }
        }
    }

    async fn build(
        &self,
        request: &Request,
        key: &ApiKey,
        timer: &Arc<IdleTimer>,
    ) -> Result<reqwest::RequestBuilder, Failure> {
        let mut url = format!("{}{}", self.service.base_url, request.path.as_str());
        if !request.query.is_empty() {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(&encode_pairs(&request.query));
        }
        let mut authorization = HeaderValue::from_str(&format!("{} {}", self.service.auth_scheme, key.expose()))
            .map_err(|_| Failure::new(Kind::Key, "the API key contains characters that are not allowed in a header"))?;
        authorization.set_sensitive(true);
        let built = self
            .http
            .request(request.method.clone(), url)
            .headers(request.headers.clone())
            .header(AUTHORIZATION, authorization);
        Ok(match &request.body {
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
                    form = form.part(file.field.clone(), file_part(file, timer).await?);
                }
                built.multipart(form)
            }
        })
    }

    async fn exchange(
        &self,
        built: reqwest::RequestBuilder,
        timer: &IdleTimer,
        sink: Option<&dyn BodySink>,
    ) -> Attempt {
        let response = match built.send().await {
            Ok(response) => response,
            Err(error) => {
                let (outcome, failure) = network_error::failure(&error, &self.service.base_url);
                return Attempt::Failed { outcome, failure };
            }
        };
        timer.restart();
        let mut answer = Answer::new(response.status().as_u16(), response.headers().clone(), bytes::Bytes::new());
        let sink = sink.filter(|_| answer.is_success());
        if let Some(Err(failure)) = sink.map(|sink| sink.start(answer.status, &answer.headers)) {
            return Attempt::fatal(failure);
        }
        let mut body = BytesMut::new();
        let mut stream = response.bytes_stream();
        while let Some(chunk) = stream.next().await {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(error) => {
                    let what = format!("the response was cut off: {}", network_error::cause(&error));
                    let failure = Failure::new(Kind::Network, what).service(failures::identify(&answer));
                    return Attempt::Failed { outcome: AttemptFailure::Lost, failure };
                }
            };
            timer.restart();
            match sink.map(|sink| sink.write(&chunk)) {
                None => body.extend_from_slice(&chunk),
                Some(Ok(())) => {}
                Some(Err(failure)) => return Attempt::fatal(failure),
            }
        }
        answer.body = body.freeze();
        Attempt::Answered(answer)
    }
}

/// Builds a pool of connections with the proxies and certificates from the options.
pub fn connections(
    service: &Service,
    network: &NetworkOptions,
    versions: HttpVersions,
) -> Result<reqwest::Client, Failure> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("tulk/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .tls_backend_preconfigured(tls::config(network.ca_file.as_deref(), versions)?)
        .pool_idle_timeout(Duration::from_secs(90));
    if versions == HttpVersions::Http1 {
        builder = builder.http1_only();
    }
    if network.no_proxy || crate::config::is_loopback(&service.base_url) {
        builder = builder.no_proxy();
    } else if let Some(proxy) = &network.proxy {
        let proxy = reqwest::Proxy::all(proxy).map_err(|_| {
            Failure::usage("invalid address for --proxy").hint("write http://HOST:PORT or socks5h://HOST:PORT")
        })?;
        builder = builder.proxy(proxy.no_proxy(reqwest::NoProxy::from_env()));
    }
    builder.build().map_err(|e| Failure::usage(format!("invalid network settings: {}", network_error::cause(&e))))
}

/// Adds the media type of the body, unless the request names one itself.
fn typed(built: reqwest::RequestBuilder, request: &Request, media_type: &str) -> reqwest::RequestBuilder {
    if request.headers.contains_key(CONTENT_TYPE) { built } else { built.header(CONTENT_TYPE, media_type) }
}

/// Opens a file as one part of a multipart form.
async fn file_part(upload: &Upload, timer: &Arc<IdleTimer>) -> Result<Part, Failure> {
    let file = tokio::fs::File::open(&upload.path).await.map_err(|e| Failure::file("read", &upload.path, &e))?;
    let observer = upload.observer.clone();
    if let Some(observer) = &observer {
        let recorded =
            observer.progress(0).and_then(|()| if upload.bytes == 0 { observer.completing() } else { Ok(()) });
        recorded.map_err(|e| Failure::internal(format!("cannot record the state of an upload: {}", io_message(&e))))?;
    }
    let timer = Arc::clone(timer);
    let (mut sent, total) = (0, upload.bytes);
    // `take`: a file that has grown must not make the body longer than announced.
    let stream = ReaderStream::with_capacity(file.take(total), UPLOAD_CHUNK_BYTES).map(move |chunk| {
        timer.restart();
        let bytes = chunk?;
        sent += bytes.len() as u64;
        if let Some(observer) = &observer {
            observer.progress(sent)?;
            if sent >= total {
                observer.completing()?;
            }
        }
        Ok::<_, std::io::Error>(bytes)
    });
    let body = reqwest::Body::wrap_stream(stream);
    let part = Part::stream_with_length(body, upload.bytes).file_name(upload.filename.clone());
    part.mime_str("application/octet-stream").map_err(|e| Failure::internal(e.to_string()))
}

/// Measures how long no bytes have moved.
struct IdleTimer {
    created: Instant,
    last_ms: AtomicU64,
}

impl IdleTimer {
    fn new() -> Self {
        Self { created: Instant::now(), last_ms: AtomicU64::new(0) }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.created.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn restart(&self) {
        self.last_ms.store(self.now_ms(), Ordering::Relaxed);
    }

    /// Waits until nothing has moved for `limit`; forever if that is zero.
    async fn expired(&self, limit: Duration) {
        if limit.is_zero() {
            return std::future::pending().await;
        }
        let limit_ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        loop {
            let idle_ms = self.now_ms().saturating_sub(self.last_ms.load(Ordering::Relaxed));
            if idle_ms >= limit_ms {
                return;
            }
            tokio::time::sleep(Duration::from_millis(limit_ms - idle_ms)).await;
        }
    }
}
