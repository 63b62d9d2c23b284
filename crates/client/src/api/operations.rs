//! The operations of the service by method and path, for requests that users write themselves (`tulk api`).
//!
//! Derived from the endpoints, so that each rule is written once. Commands do not need this list.

use super::admin::{
    CreateDeveloperKey, DeactivateDeveloperKey, GetKeyUsage, GetTagUsage, ListDeveloperKeys, RenameDeveloperKey,
    SetDeveloperKeyLimits,
};
use super::doc::{CheckDocumentStatus, DownloadDocument, UploadDocument};
use super::glossary::v2::{
    CreateGlossaryV2, DeleteGlossaryV2, GetGlossaryEntriesV2, GetGlossaryV2, ListGlossariesV2, ListSupportedPairs,
};
use super::glossary::{
    CreateGlossary, DeleteDictionary, DeleteGlossary, EditGlossary, GetDictionaryEntries, GetGlossary, ListGlossaries,
    PutDictionary,
};
use super::langs::{ListLanguages, ListLanguagesV2, ListResources};
use super::style::{
    CreateCustomInstruction, CreateStyleRule, DeleteCustomInstruction, DeleteStyleRule, GetCustomInstruction,
    GetStyleRule, ListStyleRules, RenameStyleRule, ReplaceConfiguredRules, ReplaceCustomInstruction,
};
use super::tm::ListTranslationMemories;
use super::translate;
use super::usage::GetUsage;
use super::voice::terms::{
    CreateSpokenTerms, DeleteSpokenTerms, DeleteTermList, EditSpokenTerms, GetSpokenTerms, GetSpokenTermsEntries,
    ListSpokenTerms, PutTermList,
};
use super::voice::{ReconnectVoiceSession, RequestVoiceSession};
use super::write::WriteOperation;
use crate::http::endpoint::{Endpoint, Paged, Paging};
use crate::http::request::{Method, Repeat, TimeLimit};

/// All operations, one line each.
static OPERATIONS: &[KnownOperation] = &[
    KnownOperation::batch(translate::PATH),
    KnownOperation::batch(WriteOperation::Rephrase.path()),
    KnownOperation::batch(WriteOperation::Correct.path()),
    KnownOperation::new::<UploadDocument>(),
    KnownOperation::new::<CheckDocumentStatus>(),
    KnownOperation::new::<DownloadDocument>(),
    KnownOperation::new::<CreateGlossary>(),
    KnownOperation::new::<ListGlossaries>(),
    KnownOperation::new::<GetGlossary>(),
    KnownOperation::new::<GetDictionaryEntries>(),
    KnownOperation::new::<PutDictionary>(),
    KnownOperation::new::<EditGlossary>(),
    KnownOperation::new::<DeleteGlossary>(),
    KnownOperation::new::<DeleteDictionary>(),
    KnownOperation::new::<CreateGlossaryV2>(),
    KnownOperation::new::<ListGlossariesV2>(),
    KnownOperation::new::<GetGlossaryV2>(),
    KnownOperation::new::<GetGlossaryEntriesV2>(),
    KnownOperation::new::<DeleteGlossaryV2>(),
    KnownOperation::new::<ListSupportedPairs>(),
    KnownOperation::paged::<ListStyleRules>(),
    KnownOperation::new::<CreateStyleRule>(),
    KnownOperation::new::<GetStyleRule>(),
    KnownOperation::new::<RenameStyleRule>(),
    KnownOperation::new::<ReplaceConfiguredRules>(),
    KnownOperation::new::<DeleteStyleRule>(),
    KnownOperation::new::<CreateCustomInstruction>(),
    KnownOperation::new::<GetCustomInstruction>(),
    KnownOperation::new::<ReplaceCustomInstruction>(),
    KnownOperation::new::<DeleteCustomInstruction>(),
    KnownOperation::new::<ListLanguages>(),
    KnownOperation::new::<ListResources>(),
    KnownOperation::new::<ListLanguagesV2>(),
    KnownOperation::paged::<ListTranslationMemories>(),
    KnownOperation::new::<GetUsage>(),
    KnownOperation::new::<ListDeveloperKeys>(),
    KnownOperation::new::<CreateDeveloperKey>(),
    KnownOperation::new::<DeactivateDeveloperKey>(),
    KnownOperation::new::<RenameDeveloperKey>(),
    KnownOperation::new::<SetDeveloperKeyLimits>(),
    KnownOperation::new::<GetKeyUsage>(),
    KnownOperation::paged::<GetTagUsage>(),
    KnownOperation::new::<RequestVoiceSession>(),
    KnownOperation::new::<ReconnectVoiceSession>(),
    KnownOperation::new::<CreateSpokenTerms>(),
    KnownOperation::new::<ListSpokenTerms>(),
    KnownOperation::new::<GetSpokenTerms>(),
    KnownOperation::new::<EditSpokenTerms>(),
    KnownOperation::new::<DeleteSpokenTerms>(),
    KnownOperation::new::<GetSpokenTermsEntries>(),
    KnownOperation::new::<PutTermList>(),
    KnownOperation::new::<DeleteTermList>(),
];

/// What `tulk api` has to know about an operation.
#[derive(Debug)]
struct KnownOperation {
    method: Method,
    path: &'static str,
    repeat: Repeat,
    paging: Option<Paging>,
    time_limit: TimeLimit,
}

impl KnownOperation {
    const fn new<E: Endpoint>() -> Self {
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging: None, time_limit: E::TIME_LIMIT }
    }

    const fn paged<E: Paged>() -> Self {
        let paging = Some(E::PAGING);
        Self { method: E::METHOD, path: E::PATH, repeat: E::REPEAT, paging, time_limit: E::TIME_LIMIT }
    }

    /// An operation whose bodies the pipeline builds. It stores nothing, so it may always be repeated.
    const fn batch(path: &'static str) -> Self {
        Self { method: Method::POST, path, repeat: Repeat::Always, paging: None, time_limit: TimeLimit::Whole }
    }
}

/// Returns whether a request may be sent again. An unknown one only if the service did not act on it.
pub fn repeat(method: &Method, path: &str) -> Repeat {
    find(method, path).map_or(Repeat::UntilArrived, |operation| operation.repeat)
}

/// Returns what the time-out of a request limits. Only documents are transfers.
pub fn time_limit(method: &Method, path: &str) -> TimeLimit {
    find(method, path).map_or(TimeLimit::Whole, |operation| operation.time_limit)
}

/// Returns how the reply to a GET is divided into pages; `None` if it is not, or if the operation is unknown.
pub fn paging(path: &str) -> Option<Paging> {
    find(&Method::GET, path)?.paging
}

fn find(method: &Method, path: &str) -> Option<&'static KnownOperation> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    OPERATIONS.iter().find(|operation| operation.method == *method && matches(operation.path, path))
}

/// Returns whether a path matches a template, in which a placeholder stands for one segment of any text.
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
    use std::path::Path;

    use super::*;

    /// Returns the type names in `impl TRAIT for TYPE` of a directory's source files.
    fn implementations(dir: &Path, of: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                implementations(&path, of, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let names = text.lines().filter_map(|line| line.strip_prefix(of)?.strip_suffix(" {"));
                found.extend(names.map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_endpoint_is_listed() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let list = std::fs::read_to_string(src.join("api/operations.rs")).unwrap();
        let (mut endpoints, mut paged) = (Vec::new(), Vec::new());
        implementations(&src, "impl Endpoint for ", &mut endpoints);
        implementations(&src, "impl Paged for ", &mut paged);
        assert!(endpoints.len() > 40 && paged.len() == 3, "{endpoints:?} {paged:?}");
        for name in endpoints {
            let function = if paged.contains(&name) { "paged" } else { "new" };
            let line = format!("    KnownOperation::{function}::<{name}>(),\n");
            assert!(list.contains(&line), "add this line to OPERATIONS in src/api/operations.rs:\n{line}");
        }
    }

    #[test]
    fn no_two_operations_have_the_same_method_and_path() {
        for (i, operation) in OPERATIONS.iter().enumerate() {
            let found = find(&operation.method, operation.path).unwrap();
            assert!(std::ptr::eq(found, operation), "{i}: {operation:?} is hidden by {found:?}");
        }
    }

    #[test]
    fn known_operations_follow_their_endpoint() {
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
            (Method::PUT, "/v2/admin/developer-keys/label", Repeat::Always),
            (Method::POST, "/v2/admin/developer-keys", Repeat::UntilArrived),
            // A session that nobody connects to ends by itself; the token for a reconnection works once.
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
        assert_eq!(paging("/v2/admin/analytics/custom-tags"), Some(Paging::Cursor));
        assert_eq!(paging("/v3/glossaries"), None);
    }
}
