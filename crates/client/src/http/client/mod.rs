//! The HTTP client of a command. It looks up keys, sends operations and requests, and retries them by the rules of [`retry`].
//! It never prints; it reports to its [`ClientObserver`](super::options::ClientObserver).

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};
use tulk_base::stop::Stop;

use super::answer::{Answer, BodySink};
use super::endpoint::{Endpoint, Paged, Paging};
use super::options::ClientOptions;
use super::pages::{ListingBounds, SeenElements};
use super::reply::Reply;
use super::request::{Method, Repeat, Request};
use super::throttle::{SendOutcome, Throttle, TotalWait};
use super::transport::{Attempt, Transport};
use super::{describe, failures, redact, retry};
use crate::http::retry::AttemptFailure;
use crate::{ApiKey, KeyKind, Service};

/// Sends requests to one service.
pub struct Client {
    options: ClientOptions,
    transport: Transport,
    throttle: Throttle,
    account: OnceLock<ApiKey>,
    admin: OnceLock<ApiKey>,
    /// The refusal of kind `Key` or `Quota` after which the client starts no more requests.
    closed_by: OnceLock<Failure>,
}

impl Client {
    /// Creates a client. Sends nothing and looks up no key.
    pub fn new(options: ClientOptions) -> Result<Self, Failure> {
        let transport = Transport::new(options.service.clone(), &options.network)?;
        let throttle = Throttle::new(options.concurrency, options.rate);
        let (account, admin, closed_by) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Ok(Self { options, transport, throttle, account, admin, closed_by })
    }

    /// Returns the options that the client was built from.
    pub fn options(&self) -> &ClientOptions {
        &self.options
    }

    /// Returns the service that requests go to.
    pub fn service(&self) -> &Service {
        &self.options.service
    }

    /// Returns how many requests may be in flight now. The number adapts to the service.
    pub fn concurrency(&self) -> usize {
        self.throttle.concurrency()
    }

    /// Returns the maximum number of requests that can ever be in flight.
    pub fn max_concurrency(&self) -> usize {
        usize::from(self.options.concurrency.max())
    }

    /// Returns whether `--dry-run` prints requests instead of sending them.
    pub fn is_dry_run(&self) -> bool {
        self.options.dry_run
    }

    /// Returns the maximum total wait, if the user set one.
    pub fn max_wait(&self) -> Option<Duration> {
        self.options.max_wait
    }

    /// Returns the flag that the first signal raises.
    pub fn stop(&self) -> &Stop {
        &self.options.stop
    }

    /// Returns the key of a kind. Each kind is looked up once.
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

    /// Checks an operation, unless `--no-check` is given, and builds its request.
    pub fn prepare<E: Endpoint>(&self, endpoint: &E) -> Result<Request, Failure> {
        if self.options.check {
            endpoint.check(self.service())?;
        }
        endpoint.request(self.service())
    }

    /// Sends an operation and reads its reply. Under `--dry-run`, only GET requests are sent. Others are printed and answered with
    /// [`Reply::planned`]; if that is `None`, this fails with [`Kind::Planned`], which ends the command.
    pub async fn send<E: Endpoint>(&self, endpoint: &E) -> Result<E::Reply, Failure> {
        let request = self.prepare(endpoint)?;
        if self.options.dry_run && request.method != Method::GET {
            self.plan(&request)?;
            return E::Reply::planned().ok_or_else(|| Failure::new(Kind::Planned, "planned"));
        }
        E::Reply::read(&self.call(request).await?)
    }

    /// Requests the pages of a list until the last page, until there are `wanted` elements, or until `enough` returns true. `enough`
    /// receives each page and the number of elements so far. All pages together have the limits of one answer, or higher limits if
    /// `wanted` elements need them. Fails if they exceed these limits, or if a page repeats earlier ones, because the list would never end.
    pub async fn send_all<E: Paged>(
        &self,
        mut endpoint: E,
        wanted: Option<usize>,
        mut enough: impl FnMut(&E::Reply, usize) -> bool,
    ) -> Result<E::Reply, Failure> {
        let (mut seen, mut bounds) = (SeenElements::default(), ListingBounds::new(wanted));
        let (mut pages, mut count) = (Vec::new(), 0);
        loop {
            let answer = self.call(self.prepare(&endpoint)?).await?;
            bounds.add(&answer.body)?;
            let page = E::Reply::read(&answer)?;
            drop(answer);
            let has_more = endpoint.advance(&page);
            let identities = E::identities(&page);
            count += identities.len();
            if E::PAGING != Paging::UntilTotal {
                seen.add(identities, has_more)?;
            }
            let is_last = enough(&page, count) || !has_more || wanted.is_some_and(|wanted| count >= wanted);
            pages.push(page);
            if is_last {
                return E::join(pages);
            }
            bounds.next_page()?;
        }
    }

    /// Prints a request for `--dry-run`.
    pub fn plan(&self, request: &Request) -> Result<(), Failure> {
        self.check_headers(request, None)?;
        self.options.observer.planned(&describe::request_line(request, self.service()))
    }

    /// Fails if the headers are larger than the service accepts, unless `--no-check` is given.
    fn check_headers(&self, request: &Request, key: Option<&ApiKey>) -> Result<(), Failure> {
        let bytes = describe::header_bytes(request, self.service(), key);
        if !self.options.check || bytes <= limits::HEADER_BYTES {
            return Ok(());
        }
        let limit = limits::HEADER_BYTES;
        Err(Failure::usage(format!(
            "the headers of the request have {}; the limit is {}",
            counted(bytes, "byte"),
            grouped(limit)
        ))
        .hint("shorten the headers or the key; --no-check sends them anyway"))
    }

    /// Sends a request. Fails on any status but 2xx.
    pub async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let answer = self.exchange(&request).await?;
        if answer.is_success() { Ok(answer) } else { Err(self.refused(&request, &answer)) }
    }

    /// Sends a request and returns the last answer, whatever its status.
    pub async fn exchange(&self, request: &Request) -> Result<Answer, Failure> {
        self.send_with_retries(request, None).await
    }

    /// Sends a request and passes the body of a successful answer to `sink` in chunks. Returns the last answer, whatever its status,
    /// without the body that `sink` received. If the request may be repeated, `sink` must start over in [`BodySink::start`].
    pub async fn download(&self, request: &Request, sink: &dyn BodySink) -> Result<Answer, Failure> {
        self.send_with_retries(request, Some(sink)).await
    }

    /// Returns the failure for a refused request. If its kind is `Key` or `Quota`, the client sends no more requests.
    pub fn refused(&self, request: &Request, answer: &Answer) -> Failure {
        let failure = self.refusal(request, answer);
        if matches!(failure.kind, Kind::Key | Kind::Quota) {
            let _ = self.closed_by.set(failure.clone());
        }
        failure
    }

    /// Returns the failure for a refused request, and lets the client send other requests.
    pub fn refusal(&self, request: &Request, answer: &Answer) -> Failure {
        // The key was looked up when the request was sent, so this returns the stored key.
        let key = request.key.and_then(|kind| self.key(kind).ok());
        let address = self.service().shown_address();
        let mut failure = failures::refused(request, answer, address, key.map(ApiKey::source));
        let is_about_key = failure.service.as_deref().is_some_and(|s| failures::missing_scope(request, s).is_none());
        if let (true, 401 | 403, Some(KeyKind::Account), Some(hint)) =
            (is_about_key, answer.status, request.key, &mut failure.hint)
        {
            let scheme = &self.service().auth_scheme;
            let _ = write!(hint, "; the key was sent as `{scheme}`, which the profile's `service` setting selects");
        }
        failure
    }

    async fn send_with_retries(&self, request: &Request, sink: Option<&dyn BodySink>) -> Result<Answer, Failure> {
        let key = request.key.map(|kind| self.key(kind)).transpose()?.cloned();
        if request.method != Method::GET {
            self.options.observer.changing();
        }
        self.check_headers(request, key.as_ref())?;
        redact::register_secrets(request);
        let is_456_temporary = failures::is_456_temporary(request.path.as_str());
        let mut maybe_arrived = false;
        let mut own_wait = TotalWait::default();
        let mut number = 0;
        let mut _retry = None;
        loop {
            number += 1;
            let mut attempt = self.attempt(request, key.as_ref(), number, sink).await?;
            if let Attempt::Answered(answer) = &mut attempt {
                (answer.retries, answer.maybe_repeated) = (number - 1, maybe_arrived);
            }
            let (outcome, retry_after) = match attempt {
                Attempt::Answered(answer) if answer.status < 400 => return Ok(answer),
                Attempt::Answered(answer) if maybe_arrived && is_missing_delete(request, &answer) => {
                    return Ok(Answer { status: 204, body: bytes::Bytes::new(), ..answer });
                }
                Attempt::Answered(ref answer) => (AttemptFailure::Status(answer.status), retry::retry_after(answer)),
                Attempt::Failed { outcome, .. } => (outcome, None),
            };
            let is_last = number > self.options.retries || sink.is_some_and(|sink| !sink.can_restart());
            if is_last || !retry::may_repeat(outcome, request.repeat, is_456_temporary) {
                return give_up(attempt, request, number, self.service().shown_address());
            }
            maybe_arrived |= outcome.may_have_arrived();
            let wait = retry::backoff(number, retry_after, fastrand::f64());
            if let Err(limit) = self.throttle.reserve_retry(wait, self.options.max_wait, &mut own_wait) {
                return Err(self.give_up_waiting(&attempt, request, wait, limit));
            }
            _retry = Some(self.report_retry(&attempt, request, wait));
            self.sleep(wait).await?;
        }
    }

    /// Sends a request once, when the throttle allows it. Fails on a signal, and after an earlier refusal of kind `Key` or `Quota`.
    async fn attempt(
        &self,
        request: &Request,
        key: Option<&ApiKey>,
        number: u32,
        sink: Option<&dyn BodySink>,
    ) -> Result<Attempt, Failure> {
        let permit = tokio::select! {
            permit = self.throttle.start() => permit,
            kind = self.options.stop.wait() => return Err(Stop::failure(kind, None)),
        };
        if let Some(kind) = self.options.stop.raised() {
            return Err(Stop::failure(kind, None));
        }
        if let Some(failure) = self.closed_by.get() {
            return Err(failure.clone());
        }
        describe::log_sent(&*self.options.observer, request, self.service());
        let stopped = async {
            let kind = self.options.stop.wait().await;
            if !request.is_free() {
                tokio::time::sleep(limits::STOP_TIMEOUT).await;
            }
            kind
        };
        let attempt = tokio::select! {
            biased;
            attempt = self.transport.send(request, key, sink) => attempt,
            kind = stopped => return Err(Stop::failure(kind, None)),
        };
        let duration = permit.elapsed();
        permit.end(send_outcome(request, &attempt));
        describe::log_received(&*self.options.observer, request, &attempt, number, duration);
        if let Some(limits) = self.throttle.take_change() {
            describe::log_limits(&*self.options.observer, limits);
        }
        Ok(attempt)
    }

    fn give_up_waiting(&self, attempt: &Attempt, request: &Request, wait: Duration, limit: Duration) -> Failure {
        let mut failure = match attempt {
            Attempt::Answered(answer) => self.refused(request, answer),
            Attempt::Failed { failure, .. } => failure.clone(),
        };
        let (next, limit) = (ceil_seconds(wait), ceil_seconds(limit));
        failure.what =
            format!("{}; retrying in {next} s would exceed the maximum total wait of {limit} s", failure.what);
        failure.kind = Kind::Unfinished;
        failure.hint("run the command again later, or raise --max-wait")
    }

    /// Reports the wait before a retry. If the service answered, all requests pause.
    fn report_retry(&self, attempt: &Attempt, request: &Request, wait: Duration) -> Box<dyn Send> {
        let why = match attempt {
            Attempt::Answered(answer) => {
                self.throttle.pause(wait);
                format!("{} {}", answer.status, failures::reason_phrase(answer.status))
            }
            Attempt::Failed { failure, .. } => failure.what.clone(),
        };
        let path = request.shown_path();
        self.options.observer.retrying(&format!("{path}: {why}"), ceil_seconds(wait))
    }

    /// Waits for something other than a retry, such as the status of a document. Fails on a signal, and with `Kind::Unfinished` if the
    /// total wait would exceed `--max-wait`. Without `--max-wait`, `limit` applies.
    pub async fn pause_for(&self, wait: Duration, limit: Option<Duration>) -> Result<(), Failure> {
        if let Some(limit) = self.options.max_wait.or(limit)
            && !self.throttle.reserve_wait(wait, limit)
        {
            let what = format!("timed out after --max-wait ({} s)", ceil_seconds(limit));
            return Err(Failure::new(Kind::Unfinished, what));
        }
        self.sleep(wait).await
    }

    async fn sleep(&self, wait: Duration) -> Result<(), Failure> {
        tokio::select! {
            () = tokio::time::sleep(wait) => Ok(()),
            kind = self.options.stop.wait() => Err(Stop::failure(kind, None)),
        }
    }
}

/// A failed `Repeat::Never` request never counts as an overload: 503 for a document result, for example, means that it is not ready.
fn send_outcome(request: &Request, attempt: &Attempt) -> SendOutcome {
    let is_judged = request.repeat != Repeat::Never;
    let outcome = match attempt {
        Attempt::Answered(answer) => AttemptFailure::Status(answer.status),
        Attempt::Failed { outcome, .. } => *outcome,
    };
    match outcome {
        AttemptFailure::Status(429) => SendOutcome::Refused,
        AttemptFailure::Status(503 | 504 | 529) | AttemptFailure::NotSent | AttemptFailure::Lost if is_judged => {
            SendOutcome::Overloaded
        }
        AttemptFailure::Status(_) => SendOutcome::Answered,
        AttemptFailure::NotSent | AttemptFailure::Lost | AttemptFailure::Permanent => SendOutcome::Inconclusive,
    }
}

/// Returns whether a DELETE found nothing. This is a success if an earlier attempt may have deleted the object.
fn is_missing_delete(request: &Request, answer: &Answer) -> bool {
    request.method == Method::DELETE && answer.status == 404
}

fn ceil_seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}

fn give_up(attempt: Attempt, request: &Request, number: u32, address: &str) -> Result<Answer, Failure> {
    match attempt {
        Attempt::Answered(answer) => Ok(answer),
        Attempt::Failed { outcome, mut failure } => {
            if number > 1 {
                failure.what = format!("{} (after {number} attempts)", failure.what);
            }
            if outcome.may_have_arrived() && failure.hint.is_none() {
                let hint = match request.repeat {
                    Repeat::Always if address.starts_with("http://") => {
                        "check the network and the proxy, and try again; if the port expects https, begin the address with https://"
                    }
                    Repeat::Always => "check the network and the proxy, and try again",
                    _ => "the service may have received the request: check before you send it again",
                };
                failure.hint = Some(hint.to_owned());
            }
            Err(failure)
        }
    }
}

#[cfg(test)]
mod tests;
