//! What a client is built from: the service, the keys, the network settings, and who observes it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tulk_base::error::Failure;
use tulk_base::stop::Stop;

use crate::{ApiKey, Concurrency, KeyKind, Service};

/// Looks up a key when the first request needs it.
pub type KeyLookup = Box<dyn Fn(KeyKind) -> Result<ApiKey, Failure> + Send + Sync>;

/// Observer of client events.
pub trait ClientObserver: Send + Sync {
    /// Returns how much to log: 0 nothing, 1 a line per request, 2 headers and bodies too.
    fn verbosity(&self) -> u8;
    /// Receives a log line, with secrets redacted.
    fn log(&self, line: &str);
    /// Is called before a request that may change something or cost characters.
    fn changing(&self);
    /// Receives why a request is sent again, and after how many seconds. The request has ended when the returned value is dropped.
    fn retrying(&self, why: &str, seconds: u64) -> Box<dyn Send>;
    /// Receives a request that `--dry-run` does not send, as one JSON object.
    fn planned(&self, line: &str) -> Result<(), Failure>;
}

/// How to connect.
#[derive(Clone, Debug, Default)]
pub struct NetworkOptions {
    /// Longest time of one attempt, by the rule of [`TimeLimit`](super::request::TimeLimit). Zero: no limit.
    pub timeout: Duration,
    /// Proxy for all requests.
    pub proxy: Option<String>,
    /// What names the proxy: a flag or a setting.
    pub proxy_source: String,
    /// Whether to ignore all proxies.
    pub no_proxy: bool,
    /// File with certificates to trust in addition to the system's.
    pub ca_file: Option<PathBuf>,
}

/// Which versions of HTTP a connection may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpVersions {
    /// HTTP/2 if the server offers it, else HTTP/1.1.
    Any,
    /// HTTP/1.1 only, for WebSockets.
    Http1,
}

/// What a client is built from.
pub struct ClientOptions {
    /// Where requests go and how they are authenticated.
    pub service: Service,
    /// Looks up the keys.
    pub keys: KeyLookup,
    /// How to connect.
    pub network: NetworkOptions,
    /// Attempts after the first.
    pub retries: u32,
    /// Maximum total wait, if the user set one.
    pub max_wait: Option<Duration>,
    /// How many requests may be in flight.
    pub concurrency: Concurrency,
    /// Maximum number of requests per second.
    pub rate: Option<f64>,
    /// Whether limits and rules are checked before sending.
    pub check: bool,
    /// Whether requests that change something or cost something are printed instead of sent.
    pub dry_run: bool,
    /// Observer of what the client does.
    pub observer: Arc<dyn ClientObserver>,
    /// Raised by the first signal.
    pub stop: Stop,
}
