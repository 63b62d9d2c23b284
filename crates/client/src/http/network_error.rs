//! Turns errors of the HTTP library into a [`Failure`] and an [`AttemptFailure`], and explains in words why a certificate is not
//! trusted.

use std::error::Error as _;

use rustls::pki_types::UnixTime;
use rustls::{CertificateError, InvalidMessage};
use tulk_base::error::{Failure, Kind, OUT_OF_FILES_HINT, io_message, is_out_of_files};

use super::host_lookup::UnknownHost;
use super::proxy::ProxyInUse;
use super::redact;
use super::retry::AttemptFailure;

/// Returns the failure for a request without an answer, and how far the request got. `proxy` is the proxy that it went through.
pub fn failure(error: &reqwest::Error, base_url: &str, proxy: Option<&ProxyInUse>) -> (AttemptFailure, Failure) {
    let why = cause(error);
    let via = proxy.map(|proxy| format!(" through the {proxy}")).unwrap_or_default();
    let network = |what: String| Failure::new(Kind::Network, what);
    if error.is_builder() {
        return (AttemptFailure::Permanent, Failure::usage(format!("invalid request: {why}")));
    }
    if let Some(failure) = tls_failure(error, base_url, proxy) {
        return (AttemptFailure::Permanent, failure);
    }
    if error.is_connect() && is_out_of_files_inside(error) {
        let failure = Failure::internal(format!("cannot connect to {base_url}: {why}"))
            .hint(format!("{OUT_OF_FILES_HINT}, or use a lower --concurrency"));
        return (AttemptFailure::NotSent, failure);
    }
    let not_connected = if is_unknown_host(error) { AttemptFailure::Permanent } else { AttemptFailure::NotSent };
    if let (true, Some(proxy)) = (error.is_connect(), proxy) {
        if causes(error).any(|inner| inner.to_string() == PROXY_WANTS_PASSWORD) {
            return (AttemptFailure::Permanent, proxy.password_required());
        }
        let why = if why == PROXY_REFUSES { "the proxy refused to connect" } else { &why };
        let failure = network(format!("cannot connect to {base_url}{via}: {why}"))
            .hint("check the address of the proxy, the server address and the network; --no-proxy connects directly");
        return (not_connected, failure);
    }
    if error.is_connect() {
        let failure = network(format!("cannot connect to {base_url}: {why}"))
            .hint("check the server address (--server, `tulk auth status`), the network and the proxy");
        return (not_connected, failure);
    }
    let why = if why == NOT_HTTP { "the answer is not HTTP" } else { &why };
    (AttemptFailure::Lost, network(format!("the connection to {base_url}{via} was lost: {why}")))
}

/// Error text of the HTTP library for an answer that does not start like HTTP, for example from a port that expects TLS.
const NOT_HTTP: &str = "invalid HTTP version parsed";

/// Error text of the HTTP library if a proxy answers 407 to the request for a tunnel.
const PROXY_WANTS_PASSWORD: &str = "tunnel error: proxy authorization required";

/// Error text of the HTTP library if a proxy answers the request for a tunnel with any other error.
const PROXY_REFUSES: &str = "tunnel error: unsuccessful";

fn tls_failure(error: &reqwest::Error, base_url: &str, proxy: Option<&ProxyInUse>) -> Option<Failure> {
    let network = |what: String| Failure::new(Kind::Network, what);
    match tls_error(error)? {
        rustls::Error::InvalidCertificate(fault) => {
            let why = certificate_problem(fault);
            let via = proxy.map(|proxy| format!(", received through the {proxy},")).unwrap_or_default();
            let what = format!("the certificate of {base_url}{via} is not trusted: {why}");
            Some(network(what).hint(certificate_hint(fault)))
        }
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            let via = proxy.map(|proxy| format!(" through the {proxy}")).unwrap_or_default();
            Some(
                network(format!("{base_url} does not answer with TLS{via}"))
                    .hint("check the port; the address of a server without TLS begins with http://"),
            )
        }
        // The verifier found no root certificates.
        rustls::Error::Other(other) => other.0.downcast_ref::<Failure>().cloned(),
        _ => None,
    }
}

/// Returns the text of the innermost cause, without the address, which may contain secrets.
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

/// Returns the causes of an error, outermost first.
fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    std::iter::successors(error.source(), |&inner| inner.source())
}

/// Returns whether the server or the proxy is an unknown host. A temporary failure of the lookup does not count.
pub fn is_unknown_host(error: &reqwest::Error) -> bool {
    causes(error).any(<dyn std::error::Error>::is::<UnknownHost>)
}

fn is_out_of_files_inside(error: &reqwest::Error) -> bool {
    causes(error).any(|inner| inner.downcast_ref().is_some_and(is_out_of_files))
}

fn tls_error(error: &reqwest::Error) -> Option<&rustls::Error> {
    causes(error).find_map(as_tls_error)
}

/// Returns the TLS error. Also looks inside I/O errors, because their `source` skips the error that they contain.
fn as_tls_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(inner) = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        return as_tls_error(inner);
    }
    error.downcast_ref()
}

/// Describes what is wrong with a certificate, as the end of a sentence.
fn certificate_problem(fault: &CertificateError) -> String {
    use CertificateError as Fault;
    match fault {
        Fault::UnknownIssuer => "its issuer is unknown".to_owned(),
        Fault::Expired => "it has expired".to_owned(),
        Fault::ExpiredContext { not_after, .. } => format!("it expired on {}", day(*not_after)),
        Fault::NotValidYet => "it is not valid yet".to_owned(),
        Fault::NotValidYetContext { not_before, .. } => format!("it is not valid yet, only from {}", day(*not_before)),
        Fault::NotValidForName => "it is for another host".to_owned(),
        Fault::NotValidForNameContext { expected, presented } => {
            let names: Vec<&str> = presented.iter().map(|name| plain_name(name)).collect();
            let names = if names.is_empty() { "no host".to_owned() } else { names.join(", ") };
            format!("it is for {names}, not for {}", expected.to_str())
        }
        Fault::Revoked => "it was revoked".to_owned(),
        Fault::BadEncoding => "it is damaged".to_owned(),
        Fault::BadSignature => "its signature is wrong".to_owned(),
        Fault::InvalidPurpose | Fault::InvalidPurposeContext { .. } => "it is not meant for servers".to_owned(),
        _ if is_authority(fault) => "it belongs to an authority, not to a server".to_owned(),
        other => other.to_string(),
    }
}

fn certificate_hint(fault: &CertificateError) -> String {
    use CertificateError as Fault;
    match fault {
        Fault::Expired | Fault::ExpiredContext { .. } | Fault::NotValidYet | Fault::NotValidYetContext { .. } => {
            let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M");
            format!("check the clock of this machine, which says {now} UTC")
        }
        Fault::NotValidForName | Fault::NotValidForNameContext { .. } => {
            "check the host name in the address".to_owned()
        }
        _ if is_authority(fault) => "the server needs a certificate that the authority has issued for it".to_owned(),
        _ => "if you trust its authority, pass the authority's certificate with --ca-file or SSL_CERT_FILE".to_owned(),
    }
}

/// Returns whether the server presents the certificate of an authority as its own. The library has no variant for this error.
fn is_authority(fault: &CertificateError) -> bool {
    matches!(fault, CertificateError::Other(other) if other.to_string() == "CaUsedAsEndEntity")
}

/// Removes the library's notation from a name such as `DnsName("a.example")`.
fn plain_name(name: &str) -> &str {
    name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name).trim_matches('"')
}

fn day(time: UnixTime) -> String {
    let time = i64::try_from(time.as_secs()).ok().and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    time.map_or_else(|| "an unknown day".to_owned(), |time| time.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustls::pki_types::ServerName;

    use super::*;

    #[test]
    fn the_error_for_a_certificate_of_other_hosts_names_these_hosts() {
        let fault = |names: &[&str]| CertificateError::NotValidForNameContext {
            expected: ServerName::try_from("foo.example").unwrap(),
            presented: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let one = fault(&["DnsName(\"other.example\")"]);
        assert_eq!(certificate_problem(&one), "it is for other.example, not for foo.example");
        assert_eq!(certificate_hint(&one), "check the host name in the address");
        let two = fault(&["DnsName(\"a.example\")", "IpAddress(10.0.0.1)"]);
        assert_eq!(certificate_problem(&two), "it is for a.example, 10.0.0.1, not for foo.example");
        assert_eq!(certificate_problem(&fault(&[])), "it is for no host, not for foo.example");
    }

    #[test]
    fn the_error_for_an_expired_certificate_names_the_day() {
        let time = |seconds| UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let expired = CertificateError::ExpiredContext { time: time(2_000_000_000), not_after: time(1_000_000_000) };
        assert_eq!(certificate_problem(&expired), "it expired on 2001-09-09");
        assert!(certificate_hint(&expired).starts_with("check the clock of this machine, which says 20"));
        let early = CertificateError::NotValidYetContext { time: time(0), not_before: time(1_000_000_000) };
        assert_eq!(certificate_problem(&early), "it is not valid yet, only from 2001-09-09");
    }
}
