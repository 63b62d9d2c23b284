//! The addresses of a connection: the client's, the sandbox's, and the address that the client sent its request to, for
//! URLs in answers.

use std::net::SocketAddr;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use super::reply::Refusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnAddress(pub SocketAddr);

#[derive(Clone, Copy, Debug)]
pub(super) struct UsesTls;

/// The scheme and host that a request was sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicAddress {
    host: String,
    uses_tls: bool,
}

impl PublicAddress {
    pub fn http_url(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.uses_tls { "https" } else { "http" }, self.host)
    }

    pub fn websocket_url(&self, path: &str) -> String {
        format!("{}://{}{path}", if self.uses_tls { "wss" } else { "ws" }, self.host)
    }
}

impl<S: Sync> FromRequestParts<S> for PublicAddress {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        // HTTP/2 has no Host header: the host is in the URI.
        let host = match parts.headers.get(header::HOST) {
            Some(host) => host.to_str().ok(),
            None => parts.uri.authority().map(axum::http::uri::Authority::as_str),
        };
        let host = host.ok_or_else(|| Refusal::bad_request("The Host header is missing."))?.to_owned();
        Ok(Self { host, uses_tls: parts.extensions.get::<UsesTls>().is_some() })
    }
}
