//! From an error of the HTTP library to a [`Failure`] and its [`AttemptFailure`].

use std::error::Error as _;

use rustls::InvalidMessage;
use tulk_base::error::{Failure, Kind, OUT_OF_FILES_HINT, io_message, is_out_of_files};

use super::proxy::ProxyInUse;
use super::retry::AttemptFailure;
use super::{certificate_fault, redact};

/// Returns the failure of a request that got no answer, and how far the request got. `proxy` is the one that it went through.
pub fn failure(error: &reqwest::Error, base_url: &str, proxy: Option<&ProxyInUse>) -> (AttemptFailure, Failure) {
    let why = cause(error);
    let via = proxy.map(|proxy| format!(" through the {proxy}")).unwrap_or_default();
    let network = |what: String| Failure::new(Kind::Network, what);
    if error.is_builder() {
        return (AttemptFailure::Final, Failure::usage(format!("invalid request: {why}")));
    }
    if let Some(failure) = tls_failure(error, base_url, proxy) {
        return (AttemptFailure::Final, failure);
    }
    if error.is_connect() && is_out_of_files_inside(error) {
        let failure = Failure::internal(format!("cannot connect to {base_url}: {why}"))
            .hint(format!("{OUT_OF_FILES_HINT}, or use a lower --concurrency"));
        return (AttemptFailure::NotSent, failure);
    }
    if let (true, Some(proxy)) = (error.is_connect(), proxy) {
        if causes(error).any(|inner| inner.to_string() == PROXY_WANTS_PASSWORD) {
            return (AttemptFailure::Final, proxy.wants_password());
        }
        let why = if why == PROXY_REFUSES { "the proxy refused to connect" } else { &why };
        let failure = network(format!("cannot connect to {base_url}{via}: {why}"))
            .hint("check the address of the proxy, the server address and the network; --no-proxy connects directly");
        return (AttemptFailure::NotSent, failure);
    }
    if error.is_connect() {
        let failure = network(format!("cannot connect to {base_url}: {why}"))
            .hint("check the server address (--server, `tulk auth status`), the network and the proxy");
        return (AttemptFailure::NotSent, failure);
    }
    let why = if why == NOT_HTTP { "the answer is not HTTP" } else { &why };
    (AttemptFailure::Lost, network(format!("the connection to {base_url}{via} was lost: {why}")))
}

/// What the library says if an answer does not begin as one of HTTP, such as that of a port that expects TLS.
const NOT_HTTP: &str = "invalid HTTP version parsed";

/// What the library says if a proxy answers 407 to a request for a tunnel.
const PROXY_WANTS_PASSWORD: &str = "tunnel error: proxy authorization required";

/// What the library says if a proxy answers anything else to it but success.
const PROXY_REFUSES: &str = "tunnel error: unsuccessful";

/// Returns the failure of an encrypted connection that cannot be made.
fn tls_failure(error: &reqwest::Error, base_url: &str, proxy: Option<&ProxyInUse>) -> Option<Failure> {
    let network = |what: String| Failure::new(Kind::Network, what);
    match tls_error(error)? {
        rustls::Error::InvalidCertificate(fault) => {
            let why = certificate_fault::words(fault);
            let via = proxy.map(|proxy| format!(", received through the {proxy},")).unwrap_or_default();
            let what = format!("the certificate of {base_url}{via} is not trusted: {why}");
            Some(network(what).hint(certificate_fault::hint(fault)))
        }
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            let via = proxy.map(|proxy| format!(" through the {proxy}")).unwrap_or_default();
            Some(
                network(format!("{base_url} does not answer with TLS{via}"))
                    .hint("check the port; the address of a server without TLS begins with http://"),
            )
        }
        // There are no root certificates.
        rustls::Error::Other(other) => other.0.downcast_ref::<Failure>().cloned(),
        _ => None,
    }
}

/// Returns the innermost cause of an error, without the address, which may contain secrets.
pub fn cause(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut text = None;
    while let Some(inner) = cause {
        text = Some(match inner.downcast_ref::<std::io::Error>() {
            Some(io) => io_message(io),
            None => inner.to_string(),
        });
        cause = inner.source();
    }
    redact::address(&text.unwrap_or_else(|| "unknown cause".to_owned())).into_owned()
}

/// Returns the errors inside an error, outermost first.
fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |&inner| inner.source())
}

fn is_out_of_files_inside(error: &reqwest::Error) -> bool {
    causes(error).any(|inner| inner.downcast_ref().is_some_and(is_out_of_files))
}

/// Returns the error of TLS inside an error.
fn tls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    causes(error).find_map(as_tls_error)
}

/// Looks into I/O errors: their `source` skips the error that they wrap.
fn as_tls_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(inner) = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        return as_tls_error(inner);
    }
    error.downcast_ref()
}
