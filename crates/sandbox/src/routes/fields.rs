//! Checks of request fields that several routes share.

use axum::http::Uri;

use crate::ids;
use crate::languages::{self, LanguageSupport, SandboxLanguage};
use crate::options::ServiceRules;
use crate::reply::Refusal;

/// A language, and the features that it supports on one resource.
pub(super) type LanguageOnResource = (&'static SandboxLanguage, &'static LanguageSupport);

pub(super) fn missing(field: &str) -> Refusal {
    Refusal::bad_request(format!("Parameter '{field}' not specified."))
}

pub(super) fn unsupported(field: &str) -> Refusal {
    Refusal::bad_request(format!("Value for '{field}' not supported."))
}

/// Checks that a field is a UUID, else 400. Returns it in lower case.
pub(super) fn check_uuid(field: &str, id: &str) -> Result<String, Refusal> {
    if ids::is_uuid(id) {
        Ok(id.to_ascii_lowercase())
    } else {
        Err(Refusal::bad_request(format!("Value for '{field}' not supported: '{id}' is not a UUID.")))
    }
}

/// Refuses query parameters, for requests whose parameters belong in the body.
pub(super) fn refuse_query(uri: &Uri) -> Result<(), Refusal> {
    match uri.query() {
        None | Some("") => Ok(()),
        Some(_) => Err(Refusal::bad_request("Parameters in the query are not supported. Send them in the body.")),
    }
}

pub(super) fn target_lang(rules: ServiceRules, resource: &str, code: &str) -> Result<LanguageOnResource, Refusal> {
    let language = languages::find(code).ok_or_else(|| unsupported("target_lang"))?;
    let support = language.support_under(rules, resource).filter(|support| support.target);
    Ok((language, support.ok_or_else(|| unsupported("target_lang"))?))
}

/// A missing or empty code means automatic detection.
pub(super) fn source_lang(resource: &str, code: Option<&str>) -> Result<Option<&'static SandboxLanguage>, Refusal> {
    let Some(code) = code.filter(|code| !code.is_empty()) else { return Ok(None) };
    let (language, _) = languages::find_source(resource, code).ok_or_else(|| unsupported("source_lang"))?;
    Ok(Some(language))
}

/// Returns whether the value needs a target language with formality; `prefer_…` values do not.
pub(super) fn requires_formality(formality: Option<&str>) -> Result<bool, Refusal> {
    match formality {
        None | Some("default" | "prefer_more" | "prefer_less") => Ok(false),
        Some("more" | "less") => Ok(true),
        Some(_) => Err(unsupported("formality")),
    }
}

pub(super) fn check_formality_support(language: &SandboxLanguage, support: &LanguageSupport) -> Result<(), Refusal> {
    if support.has_feature("formality") {
        return Ok(());
    }
    Err(Refusal::bad_request("Target language does not support 'formality'.")
        .detail(format!("target_lang {}", language.lang)))
}

/// `page` is the page number, from 0, and the page size, as returned by `QueryParams::page`.
pub(super) fn page_items<T>(items: Vec<T>, page: (usize, usize)) -> impl Iterator<Item = T> {
    let (number, size) = page;
    items.into_iter().skip(number.saturating_mul(size)).take(size)
}
