//! Options of a client: the service, the keys, the network settings, and the observer of its events.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tulk_base::error::Failure;
use tulk_base::stop::Stop;

use crate::{ApiKey, Concurrency, KeyKind, Service};

/// Function that looks up a key. Called when the first request needs it.
pub type KeyLookup = Box<dyn Fn(KeyKind) -> Result<ApiKey, Failure> + Send + Sync>;

/// Receives the events of a client.
pub trait ClientObserver: Send + Sync {
    /// Returns the log level: 0 nothing, 1 a line per request, 2 also headers and bodies.
    fn verbosity(&self) -> u8;
    /// Receives a log line, with secrets redacted.
    fn log(&self, line: &str);
    /// Called before a request that may change something or cost characters.
    fn changing(&self);
    /// Receives why a request is sent again, and after how many seconds. The returned value is dropped at the next retry or when the
    /// request ends.
    fn retrying(&self, why: &str, seconds: u64) -> Box<dyn Send>;
    /// Receives a request that `--dry-run` does not send, as one JSON object.
    fn planned(&self, line: &str) -> Result<(), Failure>;
}

/// Network settings.
#[derive(Clone, Debug, Default)]
pub struct NetworkOptions {
    /// Time-out of one attempt, with the scope of [`TimeLimit`](super::request::TimeLimit). Zero: no limit.
    pub timeout: Duration,
    /// Proxy for all requests.
    pub proxy: Option<String>,
    /// The flag or setting that names the proxy, for messages.
    pub proxy_source: String,
    /// Whether to ignore all proxies.
    pub no_proxy: bool,
    /// File with certificates to trust in addition to the system's.
    pub ca_file: Option<PathBuf>,
}

/// HTTP versions that a connection may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpVersions {
    /// HTTP/2 if the server offers it, else HTTP/1.1.
    Any,
    /// HTTP/1.1 only, for WebSockets.
    Http1,
}

/// Options of a client.
pub struct ClientOptions {
    /// Where requests go and how they are authenticated.
    pub service: Service,
    /// Looks up the keys.
    pub keys: KeyLookup,
    /// Network settings.
    pub network: NetworkOptions,
    /// Maximum number of attempts after the first.
    pub retries: u32,
    /// Maximum total wait of all requests, if the user set one.
    pub max_wait: Option<Duration>,
    /// Maximum number of requests in flight.
    pub concurrency: Concurrency,
    /// Maximum number of requests per second.
    pub rate: Option<f64>,
    /// Whether limits and rules are checked before sending.
    pub check: bool,
    /// Whether requests are printed instead of sent. Operations with GET are still sent.
    pub dry_run: bool,
    /// Receives the events of the client.
    pub observer: Arc<dyn ClientObserver>,
    /// Raised by the first signal.
    pub stop: Stop,
}
