//! Signatures of file addresses: in the header, or in the query of a signed address.

use axum::http::{HeaderMap, Uri, header};

use crate::query::QueryParams;
use crate::reply::Refusal;

/// The schemes of the `Authorization` header. Case does not matter.
const SCHEMES: [&str; 2] = ["DeepL-Signature", "Service-Signature"];

/// Refuses a request without the signature of its file: 401 without one, 403 with another.
pub(super) fn check(headers: &HeaderMap, uri: &Uri, signature: &str) -> Result<(), Refusal> {
    let query = QueryParams::parse(uri)?;
    // An API key says nothing about a file.
    let given = of_header(headers).or_else(|| query.get("signature")).filter(|given| !given.is_empty());
    match given {
        Some(given) if given == signature => Ok(()),
        Some(_) => Err(Refusal::forbidden("The signature is not that of this file.")),
        None => Err(Refusal::new(
            401,
            "A signature is needed: send 'Authorization: Service-Signature <signature>' or 'DeepL-Signature <signature>'.",
        )),
    }
}

fn of_header(headers: &HeaderMap) -> Option<&str> {
    let (scheme, signature) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.trim().split_once(' ')?;
    SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)).then(|| signature.trim())
}
