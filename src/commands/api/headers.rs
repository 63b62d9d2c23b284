//! `-H NAME:VALUE`. Messages name headers, never their values.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::error::Failure;

/// Headers that this program sets, and that would send a key past its rules or break the request.
const OWN: &[&str] = &[
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

/// Reads all headers, in order.
pub fn parse(given: &[String]) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (i, text) in given.iter().enumerate() {
        let number = i + 1;
        let Some((name, value)) = text.split_once(':') else {
            return Err(Failure::usage(format!("header {number} has no colon")).hint("write -H 'Name: value'"));
        };
        let name = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| Failure::usage(format!("the name of header {number} holds a character that no name has")))?;
        if OWN.contains(&name.as_str()) {
            return Err(Failure::usage(format!("-H: tulk sets the header {name} by itself")).hint(
                "the key comes from --key-file, TULK_API_KEY or `tulk auth login`; the rest follows from the request",
            ));
        }
        let value = HeaderValue::from_str(value.trim()).map_err(|_| {
            Failure::usage(format!("the value of header `{name}` holds a character that no header can carry"))
        })?;
        headers.append(name, value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_the_programs_own_and_never_says_a_value() {
        for text in ["Authorization: K-SECRET", "HOST: K-SECRET", "K-SECRET", "X y: K-SECRET", "x: K-SECRET\n"] {
            if let Err(failure) = parse(&[text.to_owned()]) {
                assert!(!failure.what.contains("K-SECRET"), "{}", failure.what);
            }
        }
        assert!(parse(&["Authorization: x".to_owned()]).is_err());
        let headers = parse(&["X-A:1".to_owned(), "x-a: 2".to_owned(), "X-B:".to_owned()]).unwrap();
        assert_eq!(headers.get_all("x-a").iter().count(), 2);
        assert_eq!(headers.get("x-b").unwrap(), "");
    }
}
