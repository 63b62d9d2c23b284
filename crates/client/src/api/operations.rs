//! The operations of the service by method and path, for requests that users write themselves (`tulk api`). Their properties are derived
//! from the `impl Endpoint` of each operation. Text translation and Write have none, because the pipeline builds their bodies.

use super::{admin, doc, glossary, langs, style, tm, translate, usage, voice, write};
use crate::http::endpoint::{KnownOperation, Paging};
use crate::http::request::{Method, Repeat, TimeLimit};

static OPERATIONS: &[&[KnownOperation]] = &[
    translate::OPERATIONS,
    write::OPERATIONS,
    doc::OPERATIONS,
    doc::evaluation::OPERATIONS,
    glossary::OPERATIONS,
    glossary::v2::OPERATIONS,
    style::OPERATIONS,
    style::profiles::OPERATIONS,
    langs::OPERATIONS,
    tm::OPERATIONS,
    tm::jobs::OPERATIONS,
    tm::segments::OPERATIONS,
    usage::OPERATIONS,
    admin::OPERATIONS,
    admin::reports::OPERATIONS,
    voice::OPERATIONS,
    voice::terms::OPERATIONS,
];

/// Returns whether a request may be sent again. An unknown request may, but only if the service did not act on it.
pub fn repeat(method: &Method, path: &str) -> Repeat {
    find(method, path).map_or(Repeat::UntilArrived, |operation| operation.repeat)
}

/// Returns the scope of the time-out of a request. For unknown requests, that is the complete attempt.
pub fn time_limit(method: &Method, path: &str) -> TimeLimit {
    find(method, path).map_or(TimeLimit::Whole, |operation| operation.time_limit)
}

/// Returns how the reply to a GET is divided into pages. `None` if it has no pages, or if the operation is unknown.
pub fn paging(path: &str) -> Option<Paging> {
    find(&Method::GET, path)?.paging
}

fn all() -> impl Iterator<Item = &'static KnownOperation> {
    OPERATIONS.iter().copied().flatten()
}

fn find(method: &Method, path: &str) -> Option<&'static KnownOperation> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    all().find(|operation| operation.method == *method && matches(operation.path, path))
}

/// A placeholder in a template matches one segment with any text.
fn matches(template: &str, path: &str) -> bool {
    let (mut wanted, mut segments) = (template.split('/'), path.split('/'));
    loop {
        match (wanted.next(), segments.next()) {
            (None, None) => return true,
            (Some(want), Some(segment)) if want.starts_with('{') && !segment.is_empty() => {}
            (Some(want), Some(segment)) if want == segment => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    fn sources(dir: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }

    fn implementations<'a>(text: &'a str, of: &str) -> Vec<&'a str> {
        text.lines().filter_map(|line| line.strip_prefix(of)?.strip_suffix(" {")).collect()
    }

    #[test]
    fn every_endpoint_is_listed_in_its_file() {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
        let (mut endpoints, mut paged, mut listed) = (0, 0, 0);
        for (path, text) in &files {
            let with_pages = implementations(text, "impl Paged for ");
            for name in implementations(text, "impl Endpoint for ") {
                let function = if with_pages.contains(&name) { "paged" } else { "new" };
                let element = format!("KnownOperation::{function}::<{name}>()");
                let is_listed = [&element, &format!("KnownOperation::streamed::<{name}>(")]
                    .into_iter()
                    .any(|element| text.contains(element.as_str()));
                assert!(is_listed, "add this to OPERATIONS in {}: {element}", path.display());
                endpoints += 1;
            }
            paged += with_pages.len();
            if !path.ends_with("api/operations.rs") {
                listed += text.matches(" KnownOperation::").count() + text.matches("[KnownOperation::").count();
            }
        }
        assert!(endpoints > 40 && paged == 5, "{endpoints} {paged}");
        assert_eq!(all().count(), listed, "add the OPERATIONS of each file to crates/client/src/api/operations.rs");
    }

    #[test]
    fn no_two_operations_have_the_same_method_and_path() {
        for (i, operation) in all().enumerate() {
            let found = find(&operation.method, operation.path).unwrap();
            assert!(std::ptr::eq(found, operation), "{i}: {operation:?} is hidden by {found:?}");
        }
    }

    #[test]
    fn known_operations_have_the_repeat_rule_of_their_endpoint() {
        for (method, path, rule) in [
            (Method::POST, "/v2/translate", Repeat::Always),
            (Method::POST, "/v2/write/rephrase", Repeat::Always),
            (Method::GET, "/v2/usage?x=1", Repeat::Always),
            (Method::POST, "/v2/document", Repeat::UntilArrived),
            (Method::POST, "/v2/document/D1", Repeat::Always),
            (Method::POST, "/v2/document/D1/result", Repeat::Never),
            (Method::POST, "/v2/glossaries", Repeat::UntilArrived),
            (Method::POST, "/v3/glossaries", Repeat::UntilArrived),
            (Method::PATCH, "/v3/glossaries/g", Repeat::Always),
            (Method::PUT, "/v3/glossaries/g/dictionaries", Repeat::Always),
            (Method::POST, "/v3/style_rules", Repeat::UntilArrived),
            (Method::DELETE, "/v3/style_rules/s", Repeat::Always),
            (Method::POST, "/v3/style_rules/s/custom_instructions", Repeat::UntilArrived),
            (Method::POST, "/v3/style_profiles", Repeat::UntilArrived),
            (Method::PATCH, "/v3/style_profiles/p", Repeat::Always),
            (Method::PUT, "/v2/admin/developer-keys/label", Repeat::Always),
            (Method::POST, "/v2/admin/developer-keys", Repeat::UntilArrived),
            // An unused session ends by itself, so a second request does no harm. Reconnecting uses up its token, so it is never repeated.
            (Method::POST, "/v3/voice/realtime", Repeat::Always),
            (Method::GET, "/v3/voice/realtime", Repeat::Never),
        ] {
            assert_eq!(repeat(&method, path), rule, "{method} {path}");
        }
    }

    #[test]
    fn only_document_transfers_are_limited_by_idle_time() {
        assert_eq!(time_limit(&Method::POST, "/v2/document"), TimeLimit::Idle);
        assert_eq!(time_limit(&Method::POST, "/v2/document/D1/result"), TimeLimit::Idle);
        for path in ["/v2/document/D1", "/v2/translate", "/v9/new"] {
            assert_eq!(time_limit(&Method::POST, path), TimeLimit::Whole, "{path}");
        }
    }

    #[test]
    fn unknown_operations_are_repeated_only_if_they_were_not_executed() {
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

    #[test]
    fn knows_which_operations_have_pages() {
        assert_eq!(paging("/v3/style_rules"), Some(Paging::Index { largest: 25 }));
        assert_eq!(paging("/v3/translation_memories?page=1"), Some(Paging::Index { largest: 25 }));
        assert_eq!(paging("/v3/translation_memories/m/segments"), Some(Paging::PageCursor { largest: 100 }));
        assert_eq!(paging("/v2/admin/analytics/custom-tags"), Some(Paging::Cursor));
        assert_eq!(paging("/v3/style_profiles"), Some(Paging::UntilTotal));
        assert_eq!(paging("/v3/glossaries"), None);
    }
}
