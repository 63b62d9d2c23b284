//! From an error of the HTTP library to a [`Failure`] and its [`AttemptFailure`].

use std::error::Error as _;

use rustls::{CertificateError, InvalidMessage};

use super::redact;
use super::retry::AttemptFailure;
use crate::error::{Failure, Kind, OUT_OF_FILES_HINT, io_message, is_out_of_files};

/// Returns the failure of a request that got no answer, and how far the request got.
pub fn failure(error: &reqwest::Error, base_url: &str) -> (AttemptFailure, Failure) {
    let why = cause(error);
    if error.is_builder() {
        return (AttemptFailure::Final, Failure::usage(format!("invalid request: {why}")));
    }
    match tls_error(error) {
        Some(rustls::Error::InvalidCertificate(fault)) => {
            let failure = Failure::new(Kind::Network, format!("the certificate of {base_url} is not trusted: {why}"))
                .hint(certificate_hint(fault));
            return (AttemptFailure::Final, failure);
        }
        Some(rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType)) => {
            let failure = Failure::new(Kind::Network, format!("{base_url} does not answer with TLS"))
                .hint("check the port; the address of a server without TLS begins with http://");
            return (AttemptFailure::Final, failure);
        }
        _ => {}
    }
    if error.is_connect() && is_out_of_files_inside(error) {
        let failure = Failure::internal(format!("cannot connect to {base_url}: {why}"))
            .hint(format!("{OUT_OF_FILES_HINT}, or use a lower --concurrency"));
        return (AttemptFailure::NotSent, failure);
    }
    if error.is_connect() {
        let failure = Failure::new(Kind::Network, format!("cannot connect to {base_url}: {why}"))
            .hint("check the server address (--server, `tulk auth status`), the network and the proxy");
        return (AttemptFailure::NotSent, failure);
    }
    (AttemptFailure::Lost, Failure::new(Kind::Network, format!("the connection to {base_url} was lost: {why}")))
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

/// Returns what to do about a certificate that is not accepted.
fn certificate_hint(fault: &CertificateError) -> String {
    use CertificateError::{Expired, ExpiredContext, NotValidYet, NotValidYetContext};
    if matches!(fault, Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. }) {
        let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M");
        return format!("check the clock of this machine, which says {now} UTC");
    }
    "if you trust its authority, pass the authority's certificate with --ca-file or SSL_CERT_FILE".to_owned()
}
