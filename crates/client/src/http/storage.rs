//! Signed addresses, where files are uploaded to and downloaded from, usually on another server. Only the file, its media type and
//! `User-Agent` are sent there. The address is a secret until it expires, so only its host is shown.

use reqwest::Url;
use tulk_base::error::{Failure, Kind};
use tulk_base::secrets;

use super::answer::Answer;
use super::failures::reason_phrase;
use super::path::Path;
use super::request::{Method, Request, RequestBody, TimeLimit, Upload};
use crate::Service;
use crate::service::is_loopback;

/// A signed address. It has no `Debug` because it is a secret.
pub struct StorageAddress {
    /// The storage server. Requests to it need their own client.
    pub server: Service,
    path: Path,
}

impl StorageAddress {
    /// Parses an address from a reply of `service`. Plain HTTP is accepted only if both the service and the address are on this machine.
    pub fn parse(address: &str, service: &Service) -> Result<Self, Failure> {
        secrets::register_address(address);
        let refused = |why: &str| {
            Failure::new(Kind::Network, format!("unexpected response from the service: its storage address {why}"))
                .hint("check that the server address is correct (--server, `tulk auth status`)")
        };
        let url = Url::parse(address).map_err(|_| refused("is not a URL"))?;
        let origin = url.origin().ascii_serialization();
        let is_local = url.scheme() == "http" && is_loopback(&origin) && is_loopback(&service.base_url);
        if url.scheme() != "https" && !is_local {
            return Err(refused("does not use https"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("contains a user name"));
        }
        let rest = address.split_once("://").map_or("", |(_, rest)| rest);
        let path = rest.find(['/', '?']).and_then(|at| rest.get(at..)).unwrap_or("/");
        secrets::register(path);
        secrets::register(path.split('?').next().unwrap_or_default());
        let path = Path::parse(path).map_err(|_| refused("is not a URL"))?;
        // The embedded sandbox has a new port in each run, so a recorded address may be outdated.
        let base_url = if service.is_embedded() { service.base_url.clone() } else { origin };
        Ok(Self { server: Service { base_url, ..service.clone() }, path })
    }

    /// Returns the request that uploads a file.
    pub fn put(&self, media_type: &str, file: Upload) -> Request {
        Request { body: RequestBody::File(media_type.to_owned(), file), ..self.request(Method::PUT) }
    }

    /// Returns the request that downloads a file.
    pub fn get(&self) -> Request {
        self.request(Method::GET)
    }

    fn request(&self, method: Method) -> Request {
        let request = Request::new(method, self.path.clone());
        Request { key: None, time_limit: TimeLimit::Idle, is_signed: true, ..request }
    }

    /// Returns the failure for a refused request. The body is not quoted, because it may repeat the address.
    pub fn refused(&self, answer: &Answer) -> Failure {
        let (status, server) = (answer.status, self.server.shown_address());
        let kind = match status {
            429 | 500..=599 => Kind::Busy,
            400..=499 => Kind::Refused,
            _ => Kind::Network,
        };
        Failure::new(kind, format!("the storage at {server} returned {status} {}", reason_phrase(status)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(base_url: &str) -> Service {
        Service {
            name: "service".to_owned(),
            base_url: base_url.to_owned(),
            auth_scheme: "Service-Auth-Key".to_owned(),
            reporting_tag_header: "X-Tag".to_owned(),
            is_public: false,
        }
    }

    #[test]
    fn keeps_the_address_as_written_and_sends_no_key() {
        let address = "https://Store.example:8443/u%2F9f2c?X-Sig=a%2bB+storage-secret-1";
        let address = StorageAddress::parse(address, &service("https://api.example")).unwrap();
        assert_eq!(address.server.base_url, "https://store.example:8443");
        let request = address.get();
        assert_eq!(request.path.as_str(), "/u%2F9f2c?X-Sig=a%2bB+storage-secret-1");
        assert_eq!((request.key, request.headers.len(), &*request.shown_path()), (None, 0, "/…"));
        assert_eq!(secrets::redact("GET /u%2F9f2c?X-Sig=a%2bB+storage-secret-1"), "GET ***");
    }

    #[test]
    fn accepts_plain_http_only_on_this_machine() {
        let is_accepted =
            |address: &str, service_url: &str| StorageAddress::parse(address, &service(service_url)).is_ok();
        assert!(is_accepted("http://127.0.0.1:1/u", "http://127.0.0.1:2"));
        assert!(!is_accepted("http://127.0.0.1:1/u", "https://api.example"));
        assert!(!is_accepted("http://store.example/u", "http://127.0.0.1:2"));
        for address in ["store", "ftp://store.example/u", "https://u:p@store.example/u", "https://store.example/a/../u"]
        {
            let failure = StorageAddress::parse(address, &service("https://api.example")).err().unwrap();
            assert!(!failure.what.contains("store."), "{}", failure.what);
        }
    }
}
