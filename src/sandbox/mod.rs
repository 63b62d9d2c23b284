//! The embedded service: every operation of the reference, answered without an account and without a network.
//!
//! For trying the tool, for scripts and CI, and for our own tests. It does not translate meaning. It knows nothing of
//! the crate's `api`, `http` or `limits`: field names and numbers are repeated here by hand, so that it can disagree
//! with the client. A resource is one file in `routes/` and one line in `routes/mod.rs`.
//! Spec: the whole reference; where it leaves something open, the strictest reading.

pub mod auth;
pub mod body;
pub mod clock;
pub mod detect;
pub mod faults;
pub mod ids;
mod kill_switch;
pub mod languages;
pub mod markup;
pub mod middleware;
pub mod options;
pub mod phrases;
pub mod placeholders;
pub mod pseudo;
pub mod quota;
pub mod reply;
mod request_log;
mod routes;
pub mod state;
pub mod terms;

use std::future::{Future, IntoFuture};
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::IntoResponse;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use faults::FaultRule;
pub use options::{Engine, Latency, SandboxOptions};
pub use routes::voice::VoiceFault;
pub use state::SandboxStatus;

use faults::FaultInjector;
use middleware::RateLimiter;
use phrases::Phrases;
use quota::Quota;
use reply::Refusal;
use request_log::RequestLog;
use state::StateStore;
use terms::Terms;

/// How long open requests may take after the shutdown was asked for.
const GRACE: Duration = Duration::from_secs(1);

/// One sandbox: what every handler is handed. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

/// The parts of a sandbox.
pub struct AppParts {
    /// How it behaves.
    pub options: SandboxOptions,
    /// What it remembers.
    pub state: StateStore,
    /// Glossaries and memories, ready for use.
    pub terms: Terms,
    /// Exact answers to exact texts.
    pub phrases: Phrases,
    quota: Quota,
    faults: FaultInjector,
    rate: Option<RateLimiter>,
    request_log: Option<RequestLog>,
}

impl Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}

impl App {
    /// Opens the state and reads the files the options name.
    pub fn open(options: SandboxOptions) -> io::Result<Self> {
        if options.rate_limit.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the rate limit must be greater than 0"));
        }
        let dir = options.state_dir.as_deref().filter(|_| !options.ephemeral);
        Ok(Self(Arc::new(AppParts {
            state: StateStore::open(dir)?,
            terms: Terms::open(options.memories.as_deref())?,
            phrases: options.phrases.as_deref().map(Phrases::open).transpose()?.unwrap_or_default(),
            quota: Quota::default(),
            faults: FaultInjector::new(options.faults.clone(), options.latency, options.seed),
            rate: options.rate_limit.map(RateLimiter::new),
            request_log: options.record.as_deref().map(RequestLog::open).transpose()?,
            options,
        })))
    }

    fn downgrade(&self) -> WeakApp {
        WeakApp(Arc::downgrade(&self.0))
    }
}

/// A sandbox that may have ended.
struct WeakApp(Weak<AppParts>);

impl WeakApp {
    fn upgrade(&self) -> Option<App> {
        self.0.upgrade().map(App)
    }
}

impl Drop for AppParts {
    fn drop(&mut self) {
        // A process that ends without a shutdown still writes what it counted; nobody is left to hear of a failure.
        let _ = self.quota.flush(&self.state);
    }
}

/// Serves until `shutdown`, then until open requests are answered, a second at most.
///
/// Runs on the caller's runtime, a current-thread one too. Fails when the state cannot be opened or a file that the
/// options name cannot be read.
pub async fn serve(
    listener: TcpListener,
    options: SandboxOptions,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let app = App::open(options)?;
    let service = router(app.clone()).into_make_service_with_connect_info::<kill_switch::KillSwitch>();
    let (told, asked) = oneshot::channel();
    let stop = async move {
        shutdown.await;
        // Nobody listens when the server has ended by itself.
        let _ = told.send(());
    };
    let server =
        axum::serve(kill_switch::SwitchedListener(listener), service).with_graceful_shutdown(stop).into_future();
    let patience = async {
        if asked.await.is_ok() {
            tokio::time::sleep(GRACE).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    let result = tokio::select! { result = server => result, () = patience => Ok(()) };
    app.quota.flush(&app.state).map_err(io::Error::other)?;
    result
}

/// All routes, behind the gate.
pub fn router(app: App) -> Router {
    routes::all()
        .fallback(|| async { Refusal::not_found("There is nothing at this address.").into_response() })
        .method_not_allowed_fallback(|| async {
            Refusal::new(405, "This method is not served at this address.").into_response()
        })
        // The gate and the routes have limits of their own.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(app.clone(), middleware::gate))
        .with_state(app)
}

/// What a state directory holds. Makes nothing.
pub fn status(dir: &Path) -> io::Result<SandboxStatus> {
    state::status(dir)
}

/// Empties a state directory: objects, counts and document bytes.
pub fn reset(dir: &Path) -> io::Result<()> {
    state::reset(dir)
}

#[cfg(test)]
mod tests;
