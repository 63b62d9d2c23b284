//! Proxies: which one a connection uses, and whether its address is valid.

use std::fmt;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::NoProxy;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::http::Uri;
use tulk_base::error::{Failure, Kind, ServiceError, io_message};
use tulk_base::secrets;

use super::options::NetworkOptions;
use crate::{Service, is_loopback};

const PROXY_FORMS: &str = "write http://HOST:PORT or socks5h://HOST:PORT";

/// The proxy that requests go through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyInUse {
    /// Address, without the password.
    pub address: String,
    /// The flag, setting or variable that names the proxy.
    pub source: String,
    endpoint: (String, u16),
}

impl ProxyInUse {
    /// Returns the proxy for requests to a service. Fails if the address of any configured proxy is invalid, even of an unused one.
    pub fn find(service: &Service, network: &NetworkOptions) -> Result<Option<Self>, Failure> {
        if network.no_proxy {
            return Ok(None);
        }
        let proxies = configured_proxies(service, network);
        proxies.iter().try_for_each(|(source, proxy)| parse_proxy(source, proxy).map(drop))?;
        if is_direct(service, network) {
            return Ok(None);
        }
        let matcher = match &network.proxy {
            Some(proxy) => Matcher::builder().all(proxy.as_str()).no(excluded_hosts()).build(),
            None => Matcher::from_system(),
        };
        let uri = service.base_url.parse::<Uri>().map_err(|e| Failure::internal(e.to_string()))?;
        let Some(used) = matcher.intercept(&uri).map(|used| used.uri().clone()) else { return Ok(None) };
        let unused = if uri.scheme_str() == Some("http") { "HTTPS_PROXY" } else { "HTTP_PROXY" };
        let is_used = |(source, proxy): &&(String, String)| {
            let is_named = |host: &str| proxy.to_ascii_lowercase().contains(&host.to_ascii_lowercase());
            !source.eq_ignore_ascii_case(unused) && used.host().is_some_and(is_named)
        };
        let endpoint = endpoint(&used);
        Ok(Some(match proxies.iter().find(is_used) {
            Some((source, proxy)) => {
                Self { address: secrets::without_password(proxy).into_owned(), source: source.clone(), endpoint }
            }
            None => Self { address: used.to_string(), source: "the system's settings".to_owned(), endpoint },
        }))
    }

    /// Returns the reason why [`ProxyInUse::find`] found no proxy.
    pub fn no_proxy_reason(service: &Service, network: &NetworkOptions) -> String {
        let named = configured_proxies(service, network);
        if named.is_empty() {
            return "none".to_owned();
        }
        if network.no_proxy {
            return "none: --no-proxy".to_owned();
        }
        if is_direct(service, network) {
            return "none: the server is on this machine".to_owned();
        }
        let matcher = named.iter().fold(Matcher::builder(), |matcher, (source, proxy)| {
            match source.to_ascii_uppercase().as_str() {
                "HTTPS_PROXY" => matcher.https(proxy.as_str()),
                "HTTP_PROXY" => matcher.http(proxy.as_str()),
                _ => matcher.all(proxy.as_str()),
            }
        });
        let uri = service.base_url.parse::<Uri>().unwrap_or_default();
        match matcher.build().intercept(&uri) {
            Some(_) => format!("none: NO_PROXY excludes {}", uri.host().unwrap_or_default()),
            None => "none".to_owned(),
        }
    }

    /// Connects to the proxy without sending anything. Fails if that takes longer than `limit`. Zero: no limit.
    pub async fn check(&self, limit: Duration) -> Result<(), Failure> {
        let (host, port) = &self.endpoint;
        let limit = if limit.is_zero() { Duration::MAX } else { limit };
        let why = match tokio::time::timeout(limit, TcpStream::connect((host.as_str(), *port))).await {
            Ok(Ok(_)) => return Ok(()),
            Ok(Err(error)) => io_message(&error),
            Err(_) => format!("no answer within {} s", limit.as_secs_f64()),
        };
        Err(Failure::new(Kind::Network, format!("cannot connect to the {self}: {why}"))
            .hint(format!("check the address in {}; --no-proxy connects directly", self.source)))
    }

    pub(super) fn password_required(&self) -> Failure {
        password_required(&format!("the {self}"))
    }
}

impl fmt::Display for ProxyInUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "proxy {} ({})", self.address, self.source)
    }
}

/// The status with which a proxy requests a user name and a password.
pub const PROXY_AUTHENTICATION_REQUIRED: u16 = 407;

pub(super) fn password_required(proxy: &str) -> Failure {
    let service = ServiceError { status: Some(PROXY_AUTHENTICATION_REQUIRED), ..ServiceError::default() };
    Failure::new(Kind::Network, format!("{proxy} requires a user name and a password"))
        .hint("put the user name and password into the address of the proxy: http://USER:PASSWORD@HOST:PORT")
        .service(service)
}

/// Returns all configured proxies with their sources, whether used or not. Environment variables do not apply to the embedded sandbox.
fn configured_proxies(service: &Service, network: &NetworkOptions) -> Vec<(String, String)> {
    match &network.proxy {
        Some(proxy) => vec![(network.proxy_source.clone(), proxy.clone())],
        None if service.is_embedded() => Vec::new(),
        None => proxy_variables().collect(),
    }
}

/// Returns whether connections to a service bypass all proxies: connections to the embedded sandbox do, and connections to this machine
/// unless a flag or setting names the proxy.
fn is_direct(service: &Service, network: &NetworkOptions) -> bool {
    service.is_embedded() || (network.proxy.is_none() && is_loopback(&service.base_url))
}

fn endpoint(proxy: &Uri) -> (String, u16) {
    let usual = match proxy.scheme_str() {
        Some("http") | None => 80,
        Some("https") => 443,
        Some(_) => 1080,
    };
    let host = proxy.host().unwrap_or_default().trim_matches(['[', ']']);
    (host.to_owned(), proxy.port_u16().unwrap_or(usual))
}

/// Returns the hosts in `NO_PROXY`. Connections to them are direct.
fn excluded_hosts() -> String {
    let value = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    value("NO_PROXY").or_else(|| value("no_proxy")).unwrap_or_default()
}

/// Configures the proxy for connections to a service. Fails if the address of any configured proxy is invalid.
pub(super) fn add_to(
    builder: reqwest::ClientBuilder,
    service: &Service,
    network: &NetworkOptions,
) -> Result<reqwest::ClientBuilder, Failure> {
    if network.no_proxy {
        return Ok(builder.no_proxy());
    }
    let proxies = configured_proxies(service, network);
    let checked: Vec<_> = proxies.iter().map(|(source, proxy)| parse_proxy(source, proxy)).collect::<Result<_, _>>()?;
    if is_direct(service, network) {
        return Ok(builder.no_proxy());
    }
    // The HTTP library reads the environment variables itself.
    let named = checked.into_iter().filter(|_| network.proxy.is_some());
    Ok(named.fold(builder, |builder, proxy| builder.proxy(proxy.no_proxy(NoProxy::from_env()))))
}

/// Registers the passwords of proxies as secrets, because network errors contain the proxy's address.
pub(super) fn register_passwords(network: &NetworkOptions) {
    network.proxy.iter().for_each(|proxy| secrets::register_password(proxy));
    proxy_variables().for_each(|(_, proxy)| secrets::register_password(&proxy));
}

/// Returns the variables that name proxies, and their values. Empty variables count as unset.
fn proxy_variables() -> impl Iterator<Item = (String, String)> {
    let names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].into_iter();
    let names = names.flat_map(|name| [name.to_owned(), name.to_ascii_lowercase()]);
    names.filter_map(|name| std::env::var(&name).ok().filter(|value| !value.is_empty()).map(|value| (name, value)))
}

/// Parses the address of a proxy. Fails on an address that the library would ignore. The error does not quote it, since it may contain
/// a password.
fn parse_proxy(source: &str, proxy: &str) -> Result<reqwest::Proxy, Failure> {
    let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    match proxy.split_once("://") {
        Some((scheme, _)) if !known.contains(&scheme.to_ascii_lowercase().as_str()) => {
            Err(Failure::usage(format!("{source}: unknown proxy scheme `{scheme}`")).hint(PROXY_FORMS))
        }
        _ => reqwest::Proxy::all(proxy)
            .map_err(|_| Failure::usage(format!("invalid address for {source}")).hint(PROXY_FORMS)),
    }
}
