//! Access to the control endpoints: allowed for programs and browsers on this machine, and for clients with an accepted
//! key.
//!
//! A web page of another origin must be kept out, although it can send requests to any address. Changes therefore need
//! a header that such a page cannot send, and its `Origin` is refused. The page can also make its own host name resolve
//! to this machine, so the `Host` must be loopback or the address that the client connected to. No CORS headers are ever
//! sent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderValue, Method};
use axum::response::Response;

use crate::addresses::{OwnAddress, PeerAddress};
use crate::auth::Identity;
use crate::reply::Refusal;
use crate::sessions::{SessionName, Sessions};

/// Header that requests must send to change something without a key.
const CHANGE_HEADER: &str = "x-tulk-sandbox";
/// Paths open to everyone, because they reveal nothing that the sandbox stores.
const OPEN_PATHS: [&str; 3] = ["/_sandbox", "/_sandbox/", "/_sandbox/health"];
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Returns whether a path belongs to the sandbox itself rather than to the service.
pub(crate) fn is_control_path(path: &str) -> bool {
    path.strip_prefix("/_sandbox").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Refuses control requests that may come from a web page of another origin, and requests from other machines without a
/// key.
pub(crate) fn check_access(parts: &Parts, sessions: &Sessions) -> Result<(), Refusal> {
    let is_read = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
    if is_read && OPEN_PATHS.contains(&parts.uri.path()) {
        return Ok(());
    }
    check_origin(parts)?;
    let is_local = is_local(&parts.extensions);
    if is_local && !named_hosts(parts).all(|host| is_own_host(host, &parts.extensions)) {
        return Err(Refusal::forbidden(
            "The Host of this request does not name this machine. Use 127.0.0.1 or localhost with the port.",
        ));
    }
    let has_header = parts.headers.get(CHANGE_HEADER).is_some_and(|value| value == "1");
    if is_local && (is_read || has_header) {
        return Ok(());
    }
    if is_local && !parts.headers.contains_key(AUTHORIZATION) {
        return Err(Refusal::forbidden("A change to the sandbox needs the header 'X-Tulk-Sandbox: 1'."));
    }
    let app = sessions.get(&SessionName::of_request(&parts.headers)?)?;
    Identity::read(parts, &app).0.map(drop)
}

/// Refuses a request sent by a web page of another origin. Programs send no `Origin`.
fn check_origin(parts: &Parts) -> Result<(), Refusal> {
    let is_own = |origin: &HeaderValue| {
        let origin = origin.to_str().ok();
        let origin = origin.and_then(|text| text.strip_prefix("http://").or_else(|| text.strip_prefix("https://")));
        origin.is_some_and(|origin| {
            named_hosts(parts).all(|host| host.is_some_and(|host| host.eq_ignore_ascii_case(origin)))
        })
    };
    if parts.headers.get_all(ORIGIN).iter().all(is_own) {
        return Ok(());
    }
    Err(Refusal::forbidden("Web pages of another origin cannot use the paths below /_sandbox/."))
}

/// Returns the hosts that a request names: in its `Host` header and, if present, in its URI. `None` means that the host is
/// unreadable, missing, or given by more than one header.
fn named_hosts(parts: &Parts) -> impl Iterator<Item = Option<&str>> {
    let headers = parts.headers.get_all(HOST).iter().map(|value| value.to_str().ok());
    let address = parts.uri.authority().map(|authority| Some(authority.as_str()));
    let count = parts.headers.get_all(HOST).iter().count();
    let is_unclear = count > 1 || (count == 0 && address.is_none());
    headers.chain(address).chain(is_unclear.then_some(None))
}

/// Returns whether the client runs on this machine.
fn is_local(extensions: &Extensions) -> bool {
    let Some(PeerAddress(peer)) = extensions.get() else { return false };
    let peer = peer.ip().to_canonical();
    peer.is_loopback() || own_address(extensions) == Some(peer)
}

/// Returns whether a host is loopback or the address that the client connected to. No other site can take these names.
fn is_own_host(host: Option<&str>, extensions: &Extensions) -> bool {
    let Some(name) = host.and_then(without_port) else { return false };
    if name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let address = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => name.parse::<Ipv6Addr>().map(IpAddr::V6),
        None => name.parse::<Ipv4Addr>().map(IpAddr::V4),
    };
    let address = address.map(|address| address.to_canonical());
    address.is_ok_and(|address| address.is_loopback() || own_address(extensions) == Some(address))
}

/// Returns `None` if anything but a valid port follows the host. `http::uri::Authority` is too lenient: it parses
/// `127.0.0.1:80.evil.example` as the host `127.0.0.1`.
fn without_port(host: &str) -> Option<&str> {
    let end = host.find(']').map_or_else(|| host.find(':').unwrap_or(host.len()), |at| at + 1);
    let (name, port) = host.split_at_checked(end)?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(name)
}

fn own_address(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get().map(|OwnAddress(address)| address.ip().to_canonical())
}

/// Adds the headers that keep other web pages from reading, embedding or caching an answer.
pub(crate) fn with_isolation_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (RESOURCE_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    response
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::http::Request;

    use super::*;
    use crate::SandboxOptions;

    const HERE: &str = "127.0.0.1:40000";
    const BRIDGE: &str = "172.17.0.1:40000";

    fn status(method: &str, peer: &str, headers: &[(&str, &str)]) -> u16 {
        status_of("/_sandbox/requests", method, peer, headers)
    }

    fn status_of(uri: &str, method: &str, peer: &str, headers: &[(&str, &str)]) -> u16 {
        let options = SandboxOptions { keys: vec!["key".to_owned()], ..SandboxOptions::default() };
        let sessions = Sessions::open(options).unwrap();
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        parts.extensions.insert(PeerAddress(peer.parse().unwrap()));
        parts.extensions.insert(OwnAddress(SocketAddr::from(([172, 17, 0, 2], 8080))));
        check_access(&parts, &sessions).map_or_else(|refusal| refusal.status, |()| 200)
    }

    #[test]
    fn accepts_local_reads_without_a_key_only_if_the_host_is_this_machine() {
        for host in [
            "127.0.0.1:8080",
            "127.9.9.9",
            "localhost",
            "LOCALHOST:1",
            "[::1]:8080",
            "172.17.0.2:8080",
            "[::ffff:127.0.0.1]",
        ] {
            for peer in [HERE, "[::1]:5", "[::ffff:127.0.0.1]:5", "172.17.0.2:5"] {
                assert_eq!(status("GET", peer, &[("Host", host)]), 200, "{host} {peer}");
            }
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evil.example:127",
            "192.168.0.7",
            "0.0.0.0",
            "user@localhost.example",
            "[::2]",
            "",
            "2130706433",
            "0x7f.1",
            "localhost:8080, evil.example",
            "a b",
            "127.0.0.1:8080.evil.example",
            "127.0.0.1:8080@evil.example",
            "evil.example@127.0.0.1",
            "evil.example:1@127.0.0.1:8080",
            "@127.0.0.1",
            "[::1]evil",
            "[::1]:8080evil",
            "[::1].evil.example",
            "[::1]]",
            "evil[::1]",
            "[127.0.0.1]",
            "::1",
            "127.0.0.1:",
            "127.0.0.1:+80",
            "127.0.0.1:65536",
            "127.0.0.1:80:80",
            "127.0.0.1.",
            "localhost.",
            "localhost:8080/evil",
            "localhost\t",
            "127.0.0.1 ",
            "http://127.0.0.1",
        ] {
            assert_eq!(status("GET", HERE, &[("Host", host)]), 403, "{host}");
            assert_eq!(status("GET", HERE, &[("Host", host), ("Authorization", "DeepL-Auth-Key key")]), 403, "{host}");
        }
        assert_eq!(status("GET", HERE, &[]), 403);
        for second in ["evil.example", "localhost", "127.0.0.1:8080"] {
            assert_eq!(status("GET", HERE, &[("Host", "localhost"), ("Host", second)]), 403, "{second}");
        }
    }

    #[test]
    fn the_host_in_the_address_of_a_request_is_checked_too() {
        let ask = |address: &str, headers: &[(&str, &str)]| {
            status_of(&format!("http://{address}/_sandbox/requests"), "GET", HERE, headers)
        };
        let local = [("Host", "localhost:8080")];
        assert_eq!((ask("127.0.0.1:8080", &local), ask("127.0.0.1:8080", &[])), (200, 200));
        for address in ["evil.example", "127.0.0.1:80.evil.example", "evil@127.0.0.1", "[::1]evil"] {
            // Hyper already refuses hosts that do not parse.
            if address.parse::<axum::http::uri::Authority>().is_ok() {
                assert_eq!((ask(address, &local), ask(address, &[])), (403, 403), "{address}");
            }
        }
        assert_eq!(ask("localhost:8080", &[("Host", "evil.example")]), 403);
    }

    #[test]
    fn other_machines_need_an_accepted_key() {
        for host in ["localhost:8080", "sandbox:8080", "172.17.0.2:8080"] {
            for method in ["GET", "POST"] {
                let ask = |headers: &[(&str, &str)]| status(method, BRIDGE, &[&[("Host", host)], headers].concat());
                assert_eq!(ask(&[("Authorization", "Service-Auth-Key key")]), 200, "{host}");
                assert_eq!(ask(&[("Authorization", "Service-Auth-Key other")]), 403, "{host}");
                assert_eq!(ask(&[("X-Tulk-Sandbox", "1")]), 403, "{host}");
                assert_eq!(ask(&[]), 403, "{host}");
            }
        }
    }

    #[test]
    fn a_change_needs_the_header_or_a_key() {
        let ask = |headers: &[(&str, &str)]| status("POST", HERE, &[&[("Host", "localhost:8080")], headers].concat());
        assert_eq!((ask(&[]), ask(&[("X-Tulk-Sandbox", "1")]), ask(&[("X-Tulk-Sandbox", "yes")])), (403, 200, 403));
        assert_eq!(ask(&[("Authorization", "Service-Auth-Key key")]), 200);
        assert_eq!(ask(&[("Authorization", "Service-Auth-Key other")]), 403);
        assert_eq!(ask(&[("Authorization", "Service-Auth-Key other"), ("X-Tulk-Sandbox", "1")]), 200);
    }

    #[test]
    fn pages_of_other_origins_are_refused() {
        for method in ["GET", "POST"] {
            let ask = |origin: &str| {
                let headers = [("Host", "localhost:8080"), ("X-Tulk-Sandbox", "1"), ("Origin", origin)];
                status(method, HERE, &headers)
            };
            assert_eq!((ask("http://localhost:8080"), ask("https://LOCALHOST:8080")), (200, 200));
            for origin in [
                "null",
                "http://localhost",
                "http://localhost:8081",
                "http://127.0.0.1:8080",
                "http://evil.example",
                "localhost:8080",
            ] {
                assert_eq!(ask(origin), 403, "{origin}");
            }
        }
    }
}
