//! The one client of a command: looks up keys, sends operations and requests, and retries them.
//!
//! Input: [`Endpoint`]s, bare [`Request`]s, or a request with a [`BodySink`] for its answer. Output: replies and
//! answers. The client never prints; it reports to its [`ClientObserver`](super::options::ClientObserver).

mod retries;

use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::limits;
use tulk_base::stop::Stop;

use super::answer::{Answer, BodySink};
use super::describe;
use super::endpoint::{Endpoint, Paged};
use super::failures;
use super::options::ClientOptions;
use super::pages::SeenElements;
use super::reply::Reply;
use super::request::{Method, Request};
use super::throttle::Throttle;
use super::transport::Transport;
use crate::{ApiKey, KeyKind, Service};

/// Sends requests to one service.
pub struct Client {
    options: ClientOptions,
    transport: Transport,
    throttle: Throttle,
    account: OnceLock<ApiKey>,
    admin: OnceLock<ApiKey>,
    /// The 401, 403 or 456 after which no further request starts.
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

    /// Returns what the client was built from.
    pub fn options(&self) -> &ClientOptions {
        &self.options
    }

    /// Returns the service that requests go to.
    pub fn service(&self) -> &Service {
        &self.options.service
    }

    /// Returns how many requests may be in flight now. It changes with what the service accepts.
    pub fn concurrency(&self) -> usize {
        self.throttle.concurrency()
    }

    /// Returns how many requests can ever be in flight.
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

    /// Returns the key of a kind, which is looked up once.
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

    /// Builds the request of an operation, after its checks unless `--no-check` is given.
    pub fn prepare<E: Endpoint>(&self, endpoint: &E) -> Result<Request, Failure> {
        if self.options.check {
            endpoint.check(self.service())?;
        }
        endpoint.request(self.service())
    }

    /// Sends an operation and reads its reply.
    ///
    /// Under `--dry-run`, everything but a GET is printed instead and replied to with [`Reply::planned`]. Without such a
    /// reply the command ends, with [`Kind::Planned`].
    pub async fn send<E: Endpoint>(&self, endpoint: &E) -> Result<E::Reply, Failure> {
        let request = self.prepare(endpoint)?;
        if self.options.dry_run && request.method != Method::GET {
            self.plan(&request)?;
            return E::Reply::planned().ok_or_else(|| Failure::new(Kind::Planned, "planned"));
        }
        E::Reply::read(&self.call(request).await?)
    }

    /// Sends an operation once for each page, until the last page or until `enough` returns true.
    ///
    /// Fails if a page repeats the ones before it, since such a list would never end.
    pub async fn send_all<E: Paged>(
        &self,
        mut endpoint: E,
        enough: impl Fn(&E::Reply) -> bool,
    ) -> Result<E::Reply, Failure> {
        let mut seen = SeenElements::default();
        let mut all = self.send(&endpoint).await?;
        let mut has_more = endpoint.advance(&all);
        seen.add(E::identities(&all), has_more)?;
        while has_more && !enough(&all) {
            let page = self.send(&endpoint).await?;
            has_more = endpoint.advance(&page);
            seen.add(E::identities(&page), has_more)?;
            E::append(&mut all, page)?;
        }
        Ok(all)
    }

    /// Prints a request, as `--dry-run` does.
    pub fn plan(&self, request: &Request) -> Result<(), Failure> {
        self.check_headers(request, None)?;
        self.options.observer.planned(&describe::request_line(request, self.service()))
    }

    /// Refuses headers that are larger than the service accepts, unless `--no-check` is given.
    fn check_headers(&self, request: &Request, key: Option<&ApiKey>) -> Result<(), Failure> {
        let bytes = describe::header_bytes(request, self.service(), key);
        if !self.options.check || bytes <= limits::HEADER_BYTES {
            return Ok(());
        }
        let limit = limits::HEADER_BYTES;
        Err(Failure::usage(format!("the headers of the request have {bytes} bytes; the limit is {limit}"))
            .hint("shorten the headers or the key; --no-check sends them anyway"))
    }

    /// Sends a request. Any status but 2xx is a failure.
    pub async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let answer = self.exchange(&request).await?;
        if answer.is_success() { Ok(answer) } else { Err(self.refused(&request, &answer)) }
    }

    /// Sends a request and returns the last answer, whatever its status.
    pub async fn exchange(&self, request: &Request) -> Result<Answer, Failure> {
        self.send_with_retries(request, None).await
    }

    /// Sends a request and passes the body of a successful answer to `sink`, piece by piece.
    ///
    /// Returns the last answer, whatever its status, without the body that `sink` received. If the request may be
    /// repeated, `sink` must start over in [`BodySink::start`].
    pub async fn download(&self, request: &Request, sink: &dyn BodySink) -> Result<Answer, Failure> {
        self.send_with_retries(request, Some(sink)).await
    }

    /// Returns the failure of a refused request. After 401, 403 and 456 the client sends no further request.
    pub fn refused(&self, request: &Request, answer: &Answer) -> Failure {
        let mut failure = failures::refused(request, answer, self.service().shown_address());
        if let (401 | 403, Some(KeyKind::Account), Some(hint)) = (answer.status, request.key, &mut failure.hint) {
            let scheme = &self.service().auth_scheme;
            let _ = write!(hint, "; the key was sent as `{scheme}`; the setting `service` of the profile chooses this");
        }
        if matches!(failure.kind, Kind::Key | Kind::Quota) {
            let _ = self.closed_by.set(failure.clone());
        }
        failure
    }
}

#[cfg(test)]
mod tests;
