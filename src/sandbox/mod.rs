//! The embedded service: an HTTP server that answers every operation of the service without an account or a network.
//!
//! [`serve`] takes a listener and [`SandboxOptions`] and answers requests until it is shut down; what clients store
//! goes to a state directory, which [`status`] describes and [`reset`] empties. It does not translate meaning, and it
//! uses nothing of `api`, `http` or `limits`: field names and numbers are repeated by hand, so that the sandbox can
//! disagree with the client. Where docs/service.md leaves something open, the sandbox takes the strictest reading.
//!
//! To add a resource, add a file in `routes/` and a line in `routes/mod.rs`.

mod app;
mod auth;
mod body;
mod caller;
mod clock;
mod detect;
mod duration;
mod engine;
mod faults;
mod glossaries;
mod ids;
mod kill_switch;
mod languages;
mod latency;
mod markup;
mod memories;
mod middleware;
mod options;
mod phrases;
mod placeholders;
mod pseudo;
mod query;
mod quota;
mod rate_limiter;
mod reply;
mod request_log;
mod routes;
mod state;
mod state_dir;
mod term_index;
mod texts;
mod translator;
mod xml;

use std::future::{Future, IntoFuture};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::IntoResponse;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

pub use engine::Engine;
pub use faults::{FaultRule, VoiceFault};
pub use latency::Latency;
pub use options::SandboxOptions;
pub use state_dir::{reset, status};

use app::App;
use kill_switch::{KillSwitch, SwitchedListener};
use reply::Refusal;

use crate::error::{Failure, io_message};

/// Longest wait for open requests after the shutdown signal.
const GRACE_PERIOD: Duration = Duration::from_secs(1);

/// Serves until `shutdown` completes, then waits for open requests for up to a second.
///
/// Works on a current-thread runtime too. Fails if the state cannot be opened or a file named in the options cannot be
/// read.
pub async fn serve(
    listener: TcpListener,
    options: SandboxOptions,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Failure> {
    let app = App::open(options)?;
    let service = router(app.clone()).into_make_service_with_connect_info::<KillSwitch>();
    let (notify, notified) = oneshot::channel();
    let signal = async move {
        shutdown.await;
        // The receiver is gone if the server has already ended.
        let _ = notify.send(());
    };
    let server = axum::serve(SwitchedListener(listener), service).with_graceful_shutdown(signal).into_future();
    let grace = async {
        if notified.await.is_ok() {
            tokio::time::sleep(GRACE_PERIOD).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    let result = tokio::select! { result = server => result, () = grace => Ok(()) };
    app.quota.flush().map_err(|error| state::database_failure(&error))?;
    result.map_err(|error| Failure::internal(io_message(&error)))
}

/// Builds the router: all routes, wrapped in the middleware.
fn router(app: App) -> Router {
    routes::all()
        .fallback(|| async { Refusal::not_found("There is nothing at this address.").into_response() })
        .method_not_allowed_fallback(|| async {
            Refusal::new(405, "This method is not served at this address.").into_response()
        })
        // The middleware and the routes have limits of their own.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(app.clone(), middleware::handle))
        .with_state(app)
}

#[cfg(test)]
mod tests;
