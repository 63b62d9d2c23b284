//! Sends one request once and receives its answer. Retries, waits and logs are the job of [`super::client`].

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::BytesMut;
use futures_util::StreamExt as _;
use futures_util::stream::poll_fn;
use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use reqwest::multipart::{Form, Part};
use tulk_base::error::{Failure, Kind, io_message};
use tulk_base::limits::ERROR_BODY_BYTES;

use super::answer::{Answer, BodySink};
use super::answer_size::AnswerSize;
use super::attempt_timer::AttemptTimer;
use super::describe::USER_AGENT;
use super::encoding::encode_pairs;
use super::file_blocks::file_blocks;
use super::host_lookup::HostLookup;
use super::options::{HttpVersions, NetworkOptions};
use super::proxy::{self, ProxyInUse};
use super::request::{Request, RequestBody, TimeLimit, Upload};
use super::retry::AttemptFailure;
use super::{failures, network_error, tls};
use crate::{ApiKey, Service};

/// How one attempt ended.
pub enum Attempt {
    /// A complete answer, of any status.
    Answered(Answer),
    Failed {
        /// How far the request got.
        outcome: AttemptFailure,
        failure: Failure,
    },
}

impl Attempt {
    /// Creates a failure that another attempt would repeat.
    pub fn fatal(failure: Failure) -> Self {
        Self::Failed { outcome: AttemptFailure::Permanent, failure }
    }
}

/// Connections to one service.
pub struct Transport {
    http: reqwest::Client,
    service: Service,
    network: NetworkOptions,
    /// Whether a request got an answer. If so, the host exists, and a failed lookup is retried.
    was_reached: AtomicBool,
}

impl Transport {
    /// Prepares connections. Sends nothing.
    pub fn new(service: Service, network: &NetworkOptions) -> Result<Self, Failure> {
        let http = connections(&service, network, HttpVersions::Any)?;
        Ok(Self { http, service, network: network.clone(), was_reached: AtomicBool::new(false) })
    }

    /// Sends a request once. The body of a successful answer goes to `sink` if there is one. Fails if the attempt exceeds the time-out, as
    /// defined by the request's [`TimeLimit`].
    pub async fn send(&self, request: &Request, key: Option<&ApiKey>, sink: Option<&dyn BodySink>) -> Attempt {
        let timer = Arc::new(AttemptTimer::new(request.time_limit));
        let has_answer = Cell::new(false);
        let built = match self.build(request, key, &timer).await {
            Ok(built) => built,
            Err(failure) => return Attempt::fatal(failure),
        };
        tokio::select! {
            biased;
            attempt = self.exchange(built, request.answer_limit(), &timer, sink, &has_answer) => attempt,
            () = timer.expired(self.network.timeout) => {
                // An answer that is read into memory is not a file transfer.
                let limit = if sink.is_some() { request.time_limit } else { TimeLimit::Whole };
                self.timed_out(limit, has_answer.get())
            }
        }
    }

    async fn build(
        &self,
        request: &Request,
        key: Option<&ApiKey>,
        timer: &Arc<AttemptTimer>,
    ) -> Result<reqwest::RequestBuilder, Failure> {
        let mut url = format!("{}{}", self.service.base_url, request.path.as_str());
        if !request.query.is_empty() {
            url.push(if url.contains('?') { '&' } else { '?' });
            url.push_str(&encode_pairs(&request.query));
        }
        let mut built = self.http.request(request.method.clone(), url).headers(request.headers.clone());
        if let Some(key) = key {
            built = built.header(AUTHORIZATION, self.authorization(key)?);
        }
        Ok(match &request.body {
            RequestBody::Empty => built,
            RequestBody::Json(bytes) => with_media_type(built, request, "application/json").body(bytes.clone()),
            RequestBody::Form(text) => {
                with_media_type(built, request, "application/x-www-form-urlencoded").body(text.clone())
            }
            RequestBody::Bytes(media_type, bytes) => with_media_type(built, request, media_type).body(bytes.clone()),
            RequestBody::File(media_type, file) => {
                let body = file_body(file, timer).await?;
                with_media_type(built, request, media_type).header(CONTENT_LENGTH, file.bytes).body(body)
            }
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

    fn authorization(&self, key: &ApiKey) -> Result<HeaderValue, Failure> {
        let mut value = HeaderValue::from_str(&format!("{} {}", self.service.auth_scheme, key.expose()))
            .map_err(|_| Failure::new(Kind::Key, "the API key contains characters that are not allowed in a header"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    async fn exchange(
        &self,
        built: reqwest::RequestBuilder,
        answer_limit: usize,
        timer: &AttemptTimer,
        sink: Option<&dyn BodySink>,
        has_answer: &Cell<bool>,
    ) -> Attempt {
        let response = match built.send().await {
            Ok(response) => response,
            Err(error) => {
                let proxy = self.proxy();
                let (outcome, failure) = network_error::failure(&error, self.service.shown_address(), proxy.as_ref());
                let is_temporary = network_error::is_unknown_host(&error) && self.was_reached.load(Ordering::Relaxed);
                let outcome = if is_temporary { AttemptFailure::NotSent } else { outcome };
                return Attempt::Failed { outcome, failure };
            }
        };
        self.was_reached.store(true, Ordering::Relaxed);
        timer.bytes_moved();
        has_answer.set(true);
        read_body(response, answer_limit, timer, sink).await
    }

    fn proxy(&self) -> Option<ProxyInUse> {
        ProxyInUse::find(&self.service, &self.network).ok().flatten()
    }

    fn timed_out(&self, limit: TimeLimit, has_answer: bool) -> Attempt {
        let seconds = self.network.timeout.as_secs_f64();
        let via = self.proxy().map(|proxy| format!(" through the {proxy}")).unwrap_or_default();
        let base_url = format!("{}{via}", self.service.shown_address());
        let what = match (limit, has_answer) {
            (_, false) => format!("no response from {base_url} within {seconds} s"),
            (TimeLimit::Whole, true) => format!("the response from {base_url} was not complete within {seconds} s"),
            (TimeLimit::Idle, true) => format!("{base_url} sent nothing more for {seconds} s"),
        };
        let failure = Failure::new(Kind::Network, what).hint("check the network, or raise --timeout");
        Attempt::Failed { outcome: AttemptFailure::Lost, failure }
    }
}

/// Builds a connection pool with the proxies and certificates from the options.
pub fn connections(
    service: &Service,
    network: &NetworkOptions,
    versions: HttpVersions,
) -> Result<reqwest::Client, Failure> {
    proxy::register_passwords(network);
    let mut builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .redirect(reqwest::redirect::Policy::none())
        .dns_resolver(HostLookup)
        .tls_backend_preconfigured(tls::config(network.ca_file.as_deref(), versions)?)
        .pool_idle_timeout(Duration::from_secs(90));
    if versions == HttpVersions::Http1 {
        builder = builder.http1_only();
    }
    builder = proxy::add_to(builder, service, network)?;
    builder.build().map_err(|e| Failure::usage(format!("invalid network settings: {}", network_error::cause(&e))))
}

/// Adds the media type of the body, unless the request has its own `Content-Type`.
fn with_media_type(built: reqwest::RequestBuilder, request: &Request, media_type: &str) -> reqwest::RequestBuilder {
    if request.headers.contains_key(CONTENT_TYPE) { built } else { built.header(CONTENT_TYPE, media_type) }
}

async fn file_part(upload: &Upload, timer: &Arc<AttemptTimer>) -> Result<Part, Failure> {
    let part = Part::stream_with_length(file_body(upload, timer).await?, upload.bytes);
    let part = part.file_name(upload.filename.clone());
    part.mime_str("application/octet-stream").map_err(|e| Failure::internal(e.to_string()))
}

/// Opens a file as a body that is read while it is sent.
async fn file_body(upload: &Upload, timer: &Arc<AttemptTimer>) -> Result<reqwest::Body, Failure> {
    let mut blocks = file_blocks(&upload.path, upload.bytes).await?;
    let observer = upload.observer.clone();
    if let Some(observer) = &observer {
        let recorded =
            observer.progress(0).and_then(|()| if upload.bytes == 0 { observer.completing() } else { Ok(()) });
        recorded.map_err(|e| Failure::internal(format!("cannot record the state of an upload: {}", io_message(&e))))?;
    }
    let timer = Arc::clone(timer);
    let (mut sent, total) = (0, upload.bytes);
    let stream = poll_fn(move |context| blocks.poll_recv(context)).map(move |block| {
        timer.bytes_moved();
        let bytes = block?;
        sent += bytes.len() as u64;
        if let Some(observer) = &observer {
            observer.progress(sent)?;
            if sent >= total {
                observer.completing()?;
            }
        }
        Ok::<_, io::Error>(bytes)
    });
    Ok(reqwest::Body::wrap_stream(stream))
}

/// Reads the body of an answer into memory, or passes it to `sink` if the answer is a success. A body in memory must arrive completely
/// within the time-out, and its decompressed bytes and its JSON are limited. The body of an error is truncated instead of refused.
pub async fn read_body(
    response: reqwest::Response,
    answer_limit: usize,
    timer: &AttemptTimer,
    sink: Option<&dyn BodySink>,
) -> Attempt {
    let mut answer = Answer::new(response.status().as_u16(), response.headers().clone(), bytes::Bytes::new());
    let sink = sink.filter(|_| answer.is_success());
    if let Some(Err(failure)) = sink.map(|sink| sink.start(answer.status, &answer.headers)) {
        return Attempt::fatal(failure);
    }
    let mut size = AnswerSize::of_bytes(answer_limit);
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
        if sink.is_some() {
            timer.bytes_moved();
        }
        match sink.map(|sink| sink.write(&chunk)) {
            Some(Ok(())) => {}
            Some(Err(failure)) => return Attempt::fatal(failure),
            None if answer.is_success() => match size.add(&chunk) {
                Ok(()) => body.extend_from_slice(&chunk),
                Err(excess) => return Attempt::fatal(failures::too_large(&answer, excess)),
            },
            None if body.len() + chunk.len() <= ERROR_BODY_BYTES => body.extend_from_slice(&chunk),
            None => {
                body.extend_from_slice(chunk.get(..ERROR_BODY_BYTES - body.len()).unwrap_or_default());
                break;
            }
        }
    }
    answer.body = body.freeze();
    Attempt::Answered(answer)
}
