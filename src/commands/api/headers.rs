//! `-H NAME:VALUE`: reads the headers of a request. Messages never contain a value, which may be secret.

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use tulk_base::error::Failure;

/// Headers that tulk sets itself. Others would bypass the rules for keys or break the request.
const RESERVED: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "upgrade",
    "te",
    "trailer",
];

/// Parses all headers, in order. With `no_auth` the user may set the header that would carry the key.
pub fn parse(given: &[String], no_auth: bool) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (i, text) in given.iter().enumerate() {
        let number = i + 1;
        let Some((name, value)) = text.split_once(':') else {
            return Err(Failure::usage(format!("-H header {number} has no colon")).hint("write -H 'Name: value'"));
        };
        let name = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| Failure::usage(format!("the name of -H header {number} contains an invalid character")))?;
        if RESERVED.contains(&name.as_str()) && !(no_auth && name == AUTHORIZATION) {
            return Err(Failure::usage(format!("-H cannot set the header {name}"))
                .hint("tulk sets it; the API key comes from --key-file, TULK_API_KEY or `tulk auth login`"));
        }
        let value = HeaderValue::from_str(value.trim())
            .map_err(|_| Failure::usage(format!("the value of the header {name} contains an invalid character")))?;
        headers.append(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_reserved_headers_and_never_shows_a_value() {
        for text in ["Authorization: K-SECRET", "HOST: K-SECRET", "K-SECRET", "X y: K-SECRET", "x: K-SECRET\n"] {
            if let Err(failure) = parse(&[text.to_owned()], false) {
                assert!(!failure.what.contains("K-SECRET"), "{}", failure.what);
            }
        }
        assert!(parse(&["Authorization: x".to_owned()], false).is_err());
        assert!(parse(&["Authorization: x".to_owned()], true).is_ok());
        assert!(parse(&["Host: x".to_owned()], true).is_err());
        let headers = parse(&["X-A:1".to_owned(), "x-a: 2".to_owned(), "X-B:".to_owned()], false).unwrap();
        assert_eq!(headers.get_all("x-a").iter().count(), 2);
        assert_eq!(headers.get("x-b").unwrap(), "");
    }
}
