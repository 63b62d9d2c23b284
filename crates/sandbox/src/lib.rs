//! The embedded service: an HTTP server that answers every operation of the service without an account or a network.
//!
//! A [`Sandbox`] is opened with [`SandboxOptions`] and answers requests on a listener until it is shut down. What clients
//! create is stored in memory or in a state directory, which [`status`] describes and [`reset`] empties. The sandbox does
//! not really translate. Where docs/service.md leaves something open, it takes the strictest reading.
//!
//! Of the other crates, it uses only `tulk-base`, without its module `limits`. Field names and limits are written out
//! again here, so that tests notice if the client and the sandbox disagree.
//!
//! To add a resource, add a file in `routes/` and two lines in `routes/mod.rs`: `mod` and `merge`.

mod addresses;
mod app;
mod as_text;
mod auth;
mod body;
mod clock;
mod connection;
mod detect;
mod duration;
mod faults;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod glossaries;
mod ids;
mod languages;
mod markup;
mod memories;
mod middleware;
mod options;
mod phrases;
mod placeholders;
mod pseudo;
mod query;
mod quota;
mod rate_limits;
mod recent_requests;
mod reply;
mod request_log;
mod routes;
mod seed;
mod server;
mod sessions;
mod state;
mod state_dir;
mod strict;
mod tls;
mod tmx;
mod translator;
mod xml;

use std::future::Future;
use std::path::Path;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::IntoResponse;
use tokio::net::TcpListener;

pub use self::duration::Latency;
pub use self::options::Engine;
pub use faults::{FaultRule, VoiceFault};
pub use options::{SandboxOptions, ServiceRules};
pub use state_dir::{reset, status};
pub use tls::{ServerTls, outward_address};

use reply::Refusal;
use sessions::Sessions;

use tulk_base::error::Failure;

/// A sandbox that is ready to serve: its files are read and its state is open.
pub struct Sandbox(Sessions);

impl Sandbox {
    /// Opens the state and reads the files named in the options.
    pub fn open(options: SandboxOptions) -> Result<Self, Failure> {
        Sessions::open(options).map(Self)
    }

    /// Returns the new path of a damaged database, if one was set aside. The state is empty then.
    pub fn damaged_database_path(&self) -> Option<&Path> {
        self.0.damaged_database_path()
    }

    /// Serves until `shutdown` completes, then waits up to a second for open requests.
    ///
    /// Also works on a current-thread runtime.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        self.serve_with(listener, None, shutdown).await;
    }

    /// Like [`serve`](Self::serve), over TLS if `tls` is given.
    pub async fn serve_with(self, listener: TcpListener, tls: Option<ServerTls>, shutdown: impl Future<Output = ()>) {
        server::run(listener, tls, router(self.0), shutdown).await;
    }
}

fn router(sessions: Sessions) -> Router {
    routes::all()
        .fallback(|| async { Refusal::not_found("There is nothing at this address.").into_response() })
        .method_not_allowed_fallback(|| async {
            Refusal::new(405, "This method is not served at this address.").into_response()
        })
        // The middleware and the routes have their own limits.
        .layer(DefaultBodyLimit::disable())
        .layer(axum::middleware::from_fn_with_state(sessions.clone(), middleware::handle_request))
        .with_state(sessions)
}

#[cfg(test)]
mod tests;
