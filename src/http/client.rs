//! The one client: sends requests, repeats them by the rules of [`super::retry`], keeps the pace.
//!
//! It never prints: what it does is told to a [`ClientObserver`].

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use reqwest::Method;

use super::attempt::{self, Attempt};
use super::endpoint::{Endpoint, Paged};
use super::pace::Throttle;
use super::reply::Reply;
use super::request::{Answer, Repeat, Request};
use super::retry::{self, AttemptFailure};
use super::{failures, plan, redact};
use crate::config::KeyKind;
use crate::config::{ApiKey, Service};
use crate::error::{Failure, Kind};
use crate::limits;
use crate::stop::Stop;

/// Is told what the client does.
pub trait ClientObserver: Send + Sync {
    /// How much is asked for: 0 nothing, 1 a line per request, 2 headers and bodies.
    fn verbosity(&self) -> u8;
    /// A log line, secrets already struck.
    fn log(&self, line: &str);
    /// A wait before a repetition.
    fn waiting(&self, line: &str);
    /// A request that `--dry-run` holds back, as one JSON object.
    fn planned(&self, line: &str) -> Result<(), Failure>;
}

/// Finds a key when the first request needs it.
pub type KeyLookup = Box<dyn Fn(KeyKind) -> Result<ApiKey, Failure> + Send + Sync>;

/// What the client is built from.
pub struct ClientOptions {
    /// Where requests go and how they are signed.
    pub service: Service,
    /// Finds the keys.
    pub keys: KeyLookup,
    /// Time-out of one attempt; idle time for transfers. Zero: none.
    pub timeout: Duration,
    /// Attempts after the first.
    pub retries: u32,
    /// Bound of all waiting, if one was asked for.
    pub max_wait: Option<Duration>,
    /// Requests in flight.
    pub concurrency: usize,
    /// Requests a second.
    pub rate: Option<f64>,
    /// Proxy for everything.
    pub proxy: Option<String>,
    /// Use no proxy.
    pub no_proxy: bool,
    /// Certificates to trust besides the system's.
    pub ca_file: Option<PathBuf>,
    /// Whether limits and rules are checked before sending.
    pub check: bool,
    /// Hold back what changes or bills.
    pub dry_run: bool,
    /// Is told what happens.
    pub observer: Arc<dyn ClientObserver>,
    /// Raised by the first signal.
    pub stop: Stop,
}

/// Sends requests. One per command and server.
pub struct Client {
    pub(super) options: ClientOptions,
    pub(super) http: reqwest::Client,
    pub(super) pace: Throttle,
    account: OnceLock<ApiKey>,
    admin: OnceLock<ApiKey>,
    /// The 401, 403 or 456 after which no further request starts.
    closed: OnceLock<Failure>,
}

impl Client {
    /// Builds it; nothing is sent, no key is looked up.
    pub fn new(options: ClientOptions) -> Result<Self, Failure> {
        let http = attempt::build(&options, false)?;
        let pace = Throttle::new(options.concurrency, options.rate);
        Ok(Self { options, http, pace, account: OnceLock::new(), admin: OnceLock::new(), closed: OnceLock::new() })
    }

    /// The service it talks to.
    pub fn service(&self) -> &Service {
        &self.options.service
    }

    /// Requests in flight at most.
    pub fn concurrency(&self) -> usize {
        self.options.concurrency
    }

    /// Whether `--dry-run` holds back what changes or bills.
    pub fn is_dry_run(&self) -> bool {
        self.options.dry_run
    }

    /// The bound of all waiting that was asked for.
    pub fn max_wait(&self) -> Option<Duration> {
        self.options.max_wait
    }

    /// Raised by the first signal.
    pub fn stop(&self) -> &Stop {
        &self.options.stop
    }

    /// The key of a kind, looked up once.
    pub fn key(&self, kind: KeyKind) -> Result<&ApiKey, Failure> {
        let cell = match kind {
            KeyKind::Account => &self.account,
            KeyKind::Admin => &self.admin,
        };
        if let Some(key) = cell.get() {
            return Ok(key);
        }
        let key = (self.options.keys)(kind)?;
        Ok(cell.get_or_init(|| key))
    }

    /// The request of an operation, checked unless `--no-check`.
    pub fn prepare<E: Endpoint>(&self, endpoint: &E) -> Result<Request, Failure> {
        if self.options.check {
            endpoint.check(self.service())?;
        }
        endpoint.request(self.service())
    }

    /// Sends an operation and reads its reply.
    ///
    /// Under `--dry-run` everything but a GET is printed instead and answered by [`Reply::planned`]; a reply without
    /// one ends the command with [`Kind::Planned`].
    pub async fn send<E: Endpoint>(&self, endpoint: &E) -> Result<E::Reply, Failure> {
        let request = self.prepare(endpoint)?;
        if self.options.dry_run && request.method != Method::GET {
            self.plan(&request)?;
            return E::Reply::planned().ok_or_else(|| Failure::new(Kind::Planned, "planned"));
        }
        E::Reply::read(&self.call(request).await?)
    }

    /// Sends an operation page by page until the last, or until `enough` says so.
    pub async fn send_all<E: Paged>(
        &self,
        mut endpoint: E,
        enough: impl Fn(&E::Reply) -> bool,
    ) -> Result<E::Reply, Failure> {
        let mut all = self.send(&endpoint).await?;
        let mut more = endpoint.next(&all);
        while more && !enough(&all) {
            let page = self.send(&endpoint).await?;
            more = endpoint.next(&page);
            E::join(&mut all, page)?;
        }
        Ok(all)
    }

    /// Prints a request as `--dry-run` does.
    pub fn plan(&self, request: &Request) -> Result<(), Failure> {
        self.options.observer.planned(&plan::line(request, self.service()))
    }

    /// Sends a request; a status of 300 or above is a failure.
    pub async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let answer = self.exchange(&request).await?;
        if (200..300).contains(&answer.status) {
            return Ok(answer);
        }
        Err(self.refused(&request, &answer))
    }

    /// Sends a request with repetitions and gives the last answer, whatever its status.
    pub async fn exchange(&self, request: &Request) -> Result<Answer, Failure> {
        self.repeat(request, None).await
    }

    /// The failure of a failures; 401, 403 and 456 close the client.
    pub fn refused(&self, request: &Request, answer: &Answer) -> Failure {
        let failure = failures::refused(request, answer, &self.service().base_url);
        if matches!(failure.kind, Kind::Key | Kind::Quota) {
            let _ = self.closed.set(failure.clone());
        }
        failure
    }

    /// Repeats attempts of a request by the rules, until an answer that stands.
    pub(super) async fn repeat(
        &self,
        request: &Request,
        sink: Option<&dyn attempt::BodySink>,
    ) -> Result<Answer, Failure> {
        let key = self.key(request.key)?.clone();
        let calls_456 = failures::is_456_about_calls(request.path.as_str());
        let mut maybe_arrived = false;
        let mut number = 0;
        loop {
            number += 1;
            let attempt = match self.attempt(request, &key, number, sink).await? {
                Attempt::Answered(answer) => {
                    Attempt::Answered(Answer { retries: number - 1, maybe_repeated: maybe_arrived, ..answer })
                }
                failed @ Attempt::Failed { .. } => failed,
            };
            let (outcome, retry_after) = match attempt {
                Attempt::Answered(answer) if answer.status < 400 => return Ok(answer),
                // The object is gone, which is what a repeated DELETE wants.
                Attempt::Answered(answer)
                    if answer.status == 404 && request.method == Method::DELETE && maybe_arrived =>
                {
                    return Ok(Answer { status: 204, body: bytes::Bytes::new(), ..answer });
                }
                Attempt::Answered(ref answer) => (AttemptFailure::Status(answer.status), asked_wait(answer)),
                Attempt::Failed { outcome, .. } => (outcome, None),
            };
            let over = number > self.options.retries || sink.is_some_and(|sink| !sink.can_restart());
            if over || !retry::may_repeat(outcome, request.repeat, calls_456) {
                return give_up(attempt, request, number);
            }
            maybe_arrived |= outcome.may_have_arrived();
            self.wait(&attempt, request, retry::backoff(number, retry_after, fastrand::f64())).await?;
        }
    }

    /// One attempt: its place in flight, its moment, its log line.
    async fn attempt(
        &self,
        request: &Request,
        key: &ApiKey,
        number: u32,
        sink: Option<&dyn attempt::BodySink>,
    ) -> Result<Attempt, Failure> {
        let _slot = self.pace.slot().await;
        tokio::select! {
            () = self.pace.start() => {}
            kind = self.options.stop.wait() => return Err(Stop::failure(kind, None)),
        }
        if let Some(kind) = self.options.stop.raised() {
            return Err(Stop::failure(kind, None));
        }
        if let Some(closed) = self.closed.get() {
            return Err(closed.clone());
        }
        let began = std::time::Instant::now();
        self.log_sent(request);
        let stopped = async {
            let kind = self.options.stop.wait().await;
            tokio::time::sleep(limits::STOP_PATIENCE).await;
            kind
        };
        let attempt = tokio::select! {
            biased;
            attempt = attempt::run(self, request, key, sink) => attempt,
            kind = stopped => return Err(Stop::failure(kind, None)),
        };
        self.log_received(request, &attempt, number, began.elapsed());
        Ok(attempt)
    }

    /// Waits before a repetition; one 429 holds back all requests.
    async fn wait(&self, attempt: &Attempt, request: &Request, wait: Duration) -> Result<(), Failure> {
        let why = match attempt {
            Attempt::Answered(answer) => format!("{} {}", answer.status, failures::reason_phrase(answer.status)),
            Attempt::Failed { failure, .. } => failure.what.clone(),
        };
        let bound = self.options.max_wait.unwrap_or(limits::RETRY_WAIT);
        if !self.pace.book(wait, bound) {
            let mut failure = match attempt {
                Attempt::Answered(answer) => self.refused(request, answer),
                Attempt::Failed { failure, .. } => failure.clone(),
            };
            failure.what = format!(
                "{}: the next try is {} s away, past the bound of all waiting, {} s",
                failure.what,
                seconds(wait),
                seconds(bound)
            );
            failure.kind = Kind::Unfinished;
            failure.hint = Some("run the command again later, or raise --max-wait".to_owned());
            return Err(failure);
        }
        if !matches!(attempt, Attempt::Failed { .. }) {
            self.pace.pause(wait);
        }
        self.options.observer.waiting(&format!(
            "{}: {why}; trying again in {} s",
            redact::address(request.path.as_str()),
            seconds(wait)
        ));
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            kind = self.options.stop.wait() => Err(Stop::failure(kind, None)),
        }
    }

    /// Waits for something other than a repetition (polling, a glossary's `ready`), within `--max-wait` and `bound`.
    ///
    /// Fails with `Kind::Unfinished` when the bound ends first, and by signal when one comes.
    pub async fn pause_for(&self, wait: Duration, bound: Option<Duration>) -> Result<(), Failure> {
        if let Some(bound) = self.options.max_wait.or(bound)
            && !self.pace.book(wait, bound)
        {
            return Err(Failure::new(Kind::Unfinished, format!("--max-wait of {} s ended first", seconds(bound))));
        }
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            kind = self.options.stop.wait() => Err(Stop::failure(kind, None)),
        }
    }

    fn log_sent(&self, request: &Request) {
        let observer = &self.options.observer;
        if observer.verbosity() >= 2 {
            observer.log(&format!("> {}", plan::line(request, self.service())));
        }
    }

    fn log_received(&self, request: &Request, attempt: &Attempt, number: u32, took: Duration) {
        let observer = &self.options.observer;
        if observer.verbosity() == 0 {
            return;
        }
        let path = redact::address(request.path.as_str());
        let (status, trace) = match attempt {
            Attempt::Answered(answer) => (answer.status.to_string(), answer.trace_id().unwrap_or("-").to_owned()),
            Attempt::Failed { failure, .. } => (failure.what.clone(), "-".to_owned()),
        };
        let ms = took.as_millis();
        observer.log(&format!("{} {path} {status} {ms} ms attempt {number} trace {trace}", request.method));
        if observer.verbosity() >= 2
            && let Attempt::Answered(answer) = attempt
        {
            for (name, value) in &answer.headers {
                let value = if redact::is_secret_header(name.as_str()) {
                    redact::STRUCK
                } else {
                    value.to_str().unwrap_or("<bytes>")
                };
                observer.log(&format!("< {name}: {value}"));
            }
            observer.log(&format!("< {}", redact::answer(request, answer)));
        }
    }
}

/// Whole seconds, rounded up, for messages.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

fn asked_wait(answer: &Answer) -> Option<Duration> {
    if !matches!(answer.status, 429 | 503 | 529 | 456) {
        return None;
    }
    let value = answer.headers.get("retry-after")?.to_str().ok()?;
    retry::retry_after(value, SystemTime::now())
}

/// What a last attempt without success comes to.
fn give_up(attempt: Attempt, request: &Request, number: u32) -> Result<Answer, Failure> {
    match attempt {
        Attempt::Answered(answer) => Ok(answer),
        Attempt::Failed { outcome, mut failure } => {
            if number > 1 {
                failure.what = format!("{} (tried {number} times)", failure.what);
            }
            if request.repeat != Repeat::Always && outcome.may_have_arrived() && failure.hint.is_none() {
                failure.hint = Some("the request may have arrived: look before you repeat it".to_owned());
            }
            Err(failure)
        }
    }
}
