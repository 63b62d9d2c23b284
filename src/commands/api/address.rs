//! What `tulk api` sends a request to: a path of the service, or with `--no-auth` a full address elsewhere.
//!
//! Uploads and downloads of jobs go to signed addresses on other machines, which must never see the key.

use reqwest::Url;
use tulk_base::error::Failure;
use tulk_base::secrets;
use tulk_client::Service;
use tulk_client::http::path::Path;

use crate::context::Context;

/// The target of a request.
pub struct ApiAddress {
    /// Scheme, host and port of a full address; `None` for a path of the service.
    origin: Option<String>,
    /// Path and query, as the user wrote them: a signature covers their spelling.
    pub path: Path,
}

impl ApiAddress {
    /// Parses a path or a full address. A full address needs `no_auth`. No message quotes it: its query may be a secret.
    pub fn parse(text: &str, no_auth: bool) -> Result<Self, Failure> {
        let bare = text.split(['?', '#']).next().unwrap_or_default();
        let Some((scheme, _)) = bare.split_once("://") else {
            return Ok(Self { origin: None, path: Path::parse(text)? });
        };
        secrets::register_address(text);
        if !no_auth {
            return Err(Failure::usage("expected a path, found a URL")
                .hint("write a path such as /v2/usage; a URL works with --no-auth only, which sends no key"));
        }
        let url = Url::parse(text)
            .ok()
            .filter(|url| {
                matches!(url.scheme(), "https" | "http") && url.host_str().is_some_and(|host| !host.is_empty())
            })
            .ok_or_else(|| {
                Failure::usage("invalid URL").hint("write a URL such as https://files.example/upload?...")
            })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Failure::usage("the URL contains a user name or password")
                .hint("pass them with -H 'Authorization: Basic ...'"));
        }
        let after_scheme = text.get(scheme.len() + "://".len()..).unwrap_or_default();
        let path = after_scheme.find(['/', '?', '#']).and_then(|at| after_scheme.get(at..)).unwrap_or("/");
        Ok(Self { origin: Some(url.origin().ascii_serialization()), path: Path::parse(path)? })
    }

    /// Returns whether this is a full address.
    pub fn is_full(&self) -> bool {
        self.origin.is_some()
    }

    /// Returns the server of a full address as a service. Plain HTTP works on this machine only.
    pub fn service(&self, ctx: &Context) -> Result<Option<Service>, Failure> {
        let Some(origin) = &self.origin else { return Ok(None) };
        Ok(Some(ctx.config()?.service_at(origin)?.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_address_keeps_the_spelling_of_its_path_and_query() {
        let address = ApiAddress::parse("HTTPS://Files.example:8443/a%2Fb?X-Sig=a%2bB+c", true).unwrap();
        assert_eq!(address.origin.as_deref(), Some("https://files.example:8443"));
        assert_eq!(address.path.as_str(), "/a%2Fb?X-Sig=a%2bB+c");
        let bare = ApiAddress::parse("https://files.example", true).unwrap();
        assert_eq!((bare.origin.as_deref(), bare.path.as_str()), (Some("https://files.example"), "/"));
        let query = ApiAddress::parse("https://files.example?x=http://y/z", true).unwrap();
        assert_eq!(query.path.as_str(), "/?x=http://y/z");
        assert!(!ApiAddress::parse("/v2/x?to=https://y", false).unwrap().is_full());
    }

    #[test]
    fn no_message_quotes_a_full_address() {
        for (text, no_auth) in [
            ("https://files.example/?sig=K-SECRET", false),
            ("ftp://files.example/?sig=K-SECRET", true),
            ("https://u:K-SECRET@files.example/", true),
            ("https:///?sig=K-SECRET", true),
            ("https://files.example/a/../b?sig=K-SECRET", true),
            ("https://files.example/#K-SECRET", true),
        ] {
            let failure = ApiAddress::parse(text, no_auth).err().unwrap_or_else(|| panic!("{text}"));
            assert!(!format!("{failure:?}").contains("K-SECRET"), "{failure:?}");
        }
    }
}
