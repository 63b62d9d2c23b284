//! The operations of the service by method and path, for requests that people write themselves: may it be repeated?
//!
//! Commands do not look here; their operations carry the rule. Spec: "Errors", retrying.

use crate::http::request::{Method, Repeat};
use crate::limits;

/// Operations that make an object, or something else that a second request would make again.
const MAKERS: &[&str] = &[
    "/v2/document",
    "/v2/glossaries",
    "/v3/glossaries",
    "/v3/style_rules",
    "/v3/style_rules/*/custom_instructions",
    "/v2/admin/developer-keys",
    "/v3/voice/realtime",
];

/// Operations that change nothing by a repetition, besides those that are read, put and deleted.
const HARMLESS: &[(Method, &str)] = &[
    (Method::POST, "/v2/translate"),
    (Method::POST, "/v2/write/rephrase"),
    (Method::POST, "/v2/write/correct"),
    (Method::POST, "/v2/document/*"),
    (Method::PATCH, "/v3/glossaries/*"),
    (Method::PATCH, "/v3/style_rules/*"),
];

/// What can be read, put or deleted.
const RESOURCES: &[&str] = &[
    "/v2/usage",
    "/v2/languages",
    "/v2/glossary-language-pairs",
    "/v2/glossaries",
    "/v2/glossaries/*",
    "/v2/glossaries/*/entries",
    "/v2/admin/developer-keys",
    "/v2/admin/developer-keys/*",
    "/v2/admin/analytics",
    "/v2/admin/analytics/custom-tags",
    "/v3/glossaries",
    "/v3/glossaries/*",
    "/v3/glossaries/*/entries",
    "/v3/glossaries/*/dictionaries",
    "/v3/languages",
    "/v3/languages/resources",
    "/v3/style_rules",
    "/v3/style_rules/*",
    "/v3/style_rules/*/configured_rules",
    "/v3/style_rules/*/custom_instructions/*",
    "/v3/translation_memories",
];

/// When a request may be repeated: as its operation may, or only before it arrived when the operation is not known.
pub fn repeat(method: &Method, path: &str) -> Repeat {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let any = |patterns: &[&str]| patterns.iter().any(|pattern| fits(pattern, path));
    // A second download may find the document gone.
    if method == Method::POST && fits("/v2/document/*/result", path) {
        return Repeat::Never;
    }
    if method == Method::POST && any(MAKERS) {
        return Repeat::UntilArrived;
    }
    let harmless = HARMLESS.iter().any(|(known, pattern)| known == method && fits(pattern, path));
    let plain = [Method::GET, Method::PUT, Method::DELETE].contains(method) && any(RESOURCES);
    if harmless || plain { Repeat::Always } else { Repeat::UntilArrived }
}

/// How an operation divides what it answers into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// Pages 0, 1, 2, ... of `page_size` elements, until one is shorter.
    Index {
        /// The largest `page_size`.
        largest: u32,
    },
    /// Each page names the next one in `next_page`; the last has none.
    Cursor,
}

/// How the answer of a GET comes in pages; `None` for what has none, or is not known.
pub fn paging(path: &str) -> Option<Paging> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    match path {
        "/v3/style_rules" | "/v3/translation_memories" => Some(Paging::Index { largest: limits::PAGE_SIZE_MAX }),
        "/v2/admin/analytics/custom-tags" => Some(Paging::Cursor),
        _ => None,
    }
}

/// Whether a path fits a pattern, where `*` is one part of any text.
fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut parts) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), parts.next()) {
            (None, None) => return true,
            (Some("*"), Some(part)) if !part.is_empty() => {}
            (Some(want), Some(part)) if want == part => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_operations_have_their_own_rule() {
        for (method, path, rule) in [
            (Method::POST, "/v2/translate", Repeat::Always),
            (Method::GET, "/v2/usage?x=1", Repeat::Always),
            (Method::POST, "/v2/document", Repeat::UntilArrived),
            (Method::POST, "/v2/document/D1", Repeat::Always),
            (Method::POST, "/v2/document/D1/result", Repeat::Never),
            (Method::POST, "/v3/glossaries", Repeat::UntilArrived),
            (Method::PATCH, "/v3/glossaries/g", Repeat::Always),
            (Method::PUT, "/v3/glossaries/g/dictionaries", Repeat::Always),
            (Method::DELETE, "/v3/style_rules/s", Repeat::Always),
            (Method::POST, "/v3/style_rules/s/custom_instructions", Repeat::UntilArrived),
            (Method::PUT, "/v2/admin/developer-keys/label", Repeat::Always),
            (Method::POST, "/v2/admin/developer-keys", Repeat::UntilArrived),
            // The token of a session is good for one reconnection.
            (Method::GET, "/v3/voice/realtime", Repeat::UntilArrived),
        ] {
            assert_eq!(repeat(&method, path), rule, "{method} {path}");
        }
    }

    #[test]
    fn what_is_not_known_is_repeated_before_it_arrived_only() {
        for (method, path) in [
            (Method::POST, "/v1/quality-evaluation"),
            (Method::GET, "/v1/quality-evaluation/j"),
            (Method::GET, "/v3/glossaries/"),
            (Method::GET, "/v2/translate"),
            (Method::PUT, "/v3/glossaries/g/dictionaries/x"),
        ] {
            assert_eq!(repeat(&method, path), Repeat::UntilArrived, "{method} {path}");
        }
    }
}
