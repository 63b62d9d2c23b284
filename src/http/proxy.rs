//! Proxies: which one a connection uses, and whether its address is usable.

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::NoProxy;
use tokio_tungstenite::tungstenite::http::Uri;

use super::options::NetworkOptions;
use crate::config::{Service, is_loopback};
use crate::error::Failure;
use crate::secrets;

/// How the address of a proxy is written.
const PROXY_FORMS: &str = "write http://HOST:PORT or socks5h://HOST:PORT";

/// The proxy through which requests go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyInUse {
    /// Its address without the password.
    pub address: String,
    /// What names it: a flag, a setting or a variable.
    pub source: String,
}

impl ProxyInUse {
    /// Returns the proxy of the requests to a service. Fails if the address of a proxy is invalid.
    pub fn find(service: &Service, network: &NetworkOptions) -> Result<Option<Self>, Failure> {
        if network.no_proxy || is_loopback(&service.base_url) {
            return Ok(None);
        }
        let proxies = match &network.proxy {
            Some(proxy) => vec![(network.proxy_source.clone(), proxy.clone())],
            None => variables().collect(),
        };
        proxies.iter().try_for_each(|(source, proxy)| checked(source, proxy).map(drop))?;
        let matcher = match &network.proxy {
            Some(proxy) => Matcher::builder().all(proxy.as_str()).no(excluded_hosts()).build(),
            None => Matcher::from_system(),
        };
        let uri = service.base_url.parse::<Uri>().map_err(|e| Failure::internal(e.to_string()))?;
        let Some(used) = matcher.intercept(&uri).map(|used| used.uri().clone()) else { return Ok(None) };
        let is_used = |(_, proxy): &&(String, String)| {
            used.host().is_some_and(|host| proxy.to_ascii_lowercase().contains(&host.to_ascii_lowercase()))
        };
        let found = proxies.iter().find(is_used);
        Ok(Some(match found {
            Some((source, proxy)) => {
                Self { address: secrets::without_password(proxy).into_owned(), source: source.clone() }
            }
            None => Self { address: used.to_string(), source: "the system's settings".to_owned() },
        }))
    }
}

/// The hosts of `NO_PROXY`, to which there is a direct connection.
fn excluded_hosts() -> String {
    let value = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    value("NO_PROXY").or_else(|| value("no_proxy")).unwrap_or_default()
}

/// Adds the proxy of a connection that does not go to this machine.
pub(super) fn add_to(
    builder: reqwest::ClientBuilder,
    network: &NetworkOptions,
) -> Result<reqwest::ClientBuilder, Failure> {
    if let Some(proxy) = &network.proxy {
        return Ok(builder.proxy(checked(&network.proxy_source, proxy)?.no_proxy(NoProxy::from_env())));
    }
    for (name, proxy) in variables() {
        checked(&name, &proxy)?;
    }
    Ok(builder)
}

/// Registers the passwords of proxies as secrets: messages of the network name the proxy.
pub(super) fn register_passwords(network: &NetworkOptions) {
    network.proxy.iter().for_each(|proxy| secrets::register_password(proxy));
    variables().for_each(|(_, proxy)| secrets::register_password(&proxy));
}

/// The variables that name proxies, and their values. An empty one counts as not set.
fn variables() -> impl Iterator<Item = (String, String)> {
    let names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"].into_iter();
    let names = names.flat_map(|name| [name.to_owned(), name.to_ascii_lowercase()]);
    names.filter_map(|name| std::env::var(&name).ok().filter(|value| !value.is_empty()).map(|value| (name, value)))
}

/// Returns a proxy, or refuses one that would be ignored. Its address may contain a password and is not quoted.
fn checked(source: &str, proxy: &str) -> Result<reqwest::Proxy, Failure> {
    let known = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    match proxy.split_once("://") {
        Some((scheme, _)) if !known.contains(&scheme.to_ascii_lowercase().as_str()) => {
            Err(Failure::usage(format!("{source}: unknown proxy scheme `{scheme}`")).hint(PROXY_FORMS))
        }
        _ => reqwest::Proxy::all(proxy)
            .map_err(|_| Failure::usage(format!("invalid address for {source}")).hint(PROXY_FORMS)),
    }
}
