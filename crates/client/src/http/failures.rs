//! Turns answers into failures: the service refused the request, or its answer cannot be used.

use serde_json::Value;
use tulk_base::error::{Failure, Kind, ServiceError};
use tulk_base::limits;
use tulk_base::secrets;

use super::answer::Answer;
use super::answer_size::Excess;
use super::request::{Method, Request};
use super::{proxy, redact};

/// Reads the body of an error. Usually, this is a JSON object, whose field names may be in any case. Any other body is accepted, too.
fn service_error(answer: &Answer) -> ServiceError {
    let mut service = identify(answer);
    match serde_json::from_slice::<Value>(&answer.body) {
        Ok(Value::Object(object)) => {
            for (key, value) in object {
                let text = match value {
                    Value::String(text) => text,
                    Value::Null => continue,
                    Value::Object(inner) => {
                        let message = inner.iter().find(|(key, _)| key.eq_ignore_ascii_case("message"));
                        match message.and_then(|(_, text)| text.as_str()) {
                            Some(text) => text.to_owned(),
                            None => Value::Object(inner).to_string(),
                        }
                    }
                    other => other.to_string(),
                };
                let text = quotable(&text);
                match key.to_ascii_lowercase().as_str() {
                    "message" => service.message = Some(text),
                    "error" | "error_message" if service.message.is_none() => service.message = Some(text),
                    "detail" => service.detail = Some(text),
                    "code" => service.code = Some(text),
                    _ => {}
                }
            }
        }
        _ => service.message = plain_body(&answer.body),
    }
    let texts = service.message.iter().chain(&service.detail);
    service.quoted = texts.flat_map(|text| quoted_words(text)).map(str::to_owned).collect();
    service
}

/// Returns the single words in single or double quotes.
fn quoted_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |part: &&str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.split(['\'', '"']).skip(1).step_by(2).filter(is_word)
}

/// Returns status and trace ID. The support team of the service can look up the trace ID.
pub fn identify(answer: &Answer) -> ServiceError {
    let trace_id = answer.trace_id().map(quotable);
    ServiceError { status: Some(answer.status), trace_id, ..ServiceError::default() }
}

/// Returns the first line of a body that is plain text.
fn plain_body(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?.trim();
    let line = text.lines().next().unwrap_or_default();
    // Markup and broken JSON would not help a reader.
    (!line.is_empty() && !line.starts_with(['<', '{', '[', '"'])).then(|| quotable(line))
}

/// Prepares a text from the service for a message: removes secrets and truncates it to [`limits::QUOTED_CHARS`].
pub fn quotable(text: &str) -> String {
    // Truncating first could leave part of a secret that is no longer recognized.
    let text = secrets::redact(text);
    match text.char_indices().nth(limits::QUOTED_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// Returns whether 456 on this path means too many requests rather than an exhausted quota.
pub fn is_456_temporary(path: &str) -> bool {
    path.starts_with("/v3/glossaries")
}

/// Scopes that a key needs: prefix of the path, scope for reading, scope for changes. A key without scopes may do anything.
const SCOPES: &[(&str, &str, &str)] = &[
    ("/v2/translate", "translate:text", "translate:text"),
    ("/v2/document", "translate:document", "translate:document"),
    ("/v2/write/", "write:improve", "write:improve"),
    ("/v2/glossar", "glossaries:read", "glossaries:write"),
    ("/v3/glossaries", "glossaries:read", "glossaries:write"),
    ("/v3/style_rules", "style_rules:read", "style_rules:write"),
    ("/v3/style_profiles", "style_profiles:read", "style_profiles:write"),
    ("/v3/translation_memories", "translation_memories:read", "translation_memories:write"),
    ("/v2/languages", "languages:read", "languages:read"),
    ("/v3/languages", "languages:read", "languages:read"),
    ("/v2/usage", "usage:read", "usage:read"),
];

/// Returns the scope that the key of a refused request lacks: the scope for its path, if `detail` lists it as missing.
pub fn missing_scope(request: &Request, service: &ServiceError) -> Option<&'static str> {
    if service.status != Some(403) || request.key.is_none() {
        return None;
    }
    let detail = service.detail.as_deref()?;
    let path = request.path.without_query();
    let (_, read, write) = SCOPES.iter().find(|(start, ..)| path.starts_with(start))?;
    // Exporting a translation memory changes nothing.
    let reads = request.method == Method::GET || path.ends_with("/export");
    Some(if reads { read } else { write }).copied().filter(|scope| detail.contains(scope))
}

/// Path of the spoken term collections. 456 means that the plan allows no more of them.
const SPOKEN_TERMS: &str = "/v3/spoken-terms";
const STYLE_PROFILE: &str = "/v3/style_profiles/";

/// Path of the usage report by language pair. Some plans do not include it.
const PAIR_REPORT: &str = "/v2/admin/analytics/language-pairs";

/// Path for importing translation memories. 456 means that the plan allows no more of them.
const MEMORY_IMPORT: &str = "/v3/translation_memories/import";

/// Returns whether this is the path of a translation memory export, where 409 means that an export is running.
fn is_export(path: &str) -> bool {
    path.starts_with("/v3/translation_memories/") && path.ends_with("/export")
}

fn kind(status: u16, path: &str) -> Kind {
    match status {
        401 | 403 => Kind::Key,
        404 => Kind::NotFound,
        456 if is_456_temporary(path) => Kind::Busy,
        456 => Kind::Quota,
        409 if is_export(path) => Kind::Busy,
        429 | 500..=599 => Kind::Busy,
        400..=499 => Kind::Refused,
        // A redirect, or a status that no service sends for these requests.
        _ => Kind::Network,
    }
}

/// Returns the failure for an answer whose status is not 2xx. `key_source` says where the key came from.
pub fn refused(request: &Request, answer: &Answer, base_url: &str, key_source: Option<&str>) -> Failure {
    let mut service = service_error(answer);
    let path = request.path.as_str();
    if (300..400).contains(&answer.status) {
        let target = answer.headers.get("location").and_then(|v| v.to_str().ok()).unwrap_or("an unknown address");
        let target = quotable(&redact::addresses(target));
        // Requests to signed addresses have no key, and `--server` does not change where they go.
        let hint = if request.key.is_some() {
            "if you trust that address, set it with --server"
        } else {
            "if you trust that address, request it instead; --include shows it in the `location` header"
        };
        return Failure::new(
            Kind::Network,
            format!("the server redirects to {target}; tulk does not follow redirects"),
        )
        .hint(hint)
        .service(service);
    }
    if answer.status == proxy::PROXY_AUTHENTICATION_REQUIRED {
        return proxy::password_required("the proxy");
    }
    let what = match service.words() {
        Some(words) if (400..500).contains(&answer.status) => format!("the service refused the request: {words}"),
        Some(words) => format!("the service reported an error: {words}"),
        None if answer.status == 404 && !is_object_path(path) => {
            "the server returned 404 Not Found; it may not be the service".to_owned()
        }
        None => format!("the service returned {} {}", answer.status, reason_phrase(answer.status)),
    };
    if is_address_relevant(answer.status) {
        let address = quotable(&format!("{base_url}{}", request.path.without_query()));
        service.request = Some(format!("{} {address}", request.method));
    }
    let mut failure = Failure::new(kind(answer.status, path), what);
    failure.hint = match missing_scope(request, &service) {
        Some(scope) => Some(format!(
            "this needs a key with the scope `{scope}`, or one without scopes; the key{} has other scopes",
            key_source.map(|source| format!(" from {source}")).unwrap_or_default()
        )),
        None => hint(answer.status, request, base_url, key_source),
    };
    failure.service(service)
}

/// Returns whether to show the server's address: it may be the cause of the failure, and the service's message does not contain it.
fn is_address_relevant(status: u16) -> bool {
    matches!(status, 404 | 405 | 410 | 414 | 415 | 429) || !(200..500).contains(&status)
}

/// Returns whether a path contains the ID of a single object.
fn is_object_path(path: &str) -> bool {
    let path = path.trim_matches('/');
    let known_lists = ["v2/admin/", "v2/write/", "v3/languages/", "v3/voice/"];
    path.split('/').count() > 2 && !known_lists.iter().any(|list| path.starts_with(list))
}

fn is_bound_to_data_center(path: &str) -> bool {
    let objects = ["/v3/glossaries", "/v2/glossaries", "/v3/style_rules"];
    objects.iter().any(|objects| path.starts_with(objects))
}

fn hint(status: u16, request: &Request, base_url: &str, key_source: Option<&str>) -> Option<String> {
    let path = request.path.without_query();
    let from = key_source.map(|source| format!(" from {source}")).unwrap_or_default();
    let hint = match status {
        401 | 403 if request.key.is_none() => {
            "the request was sent without a key (--no-auth); a signed address expires after some time"
        }
        401 | 403 if path.starts_with("/v2/admin") => {
            let plan =
                if status == 403 && path == PAIR_REPORT { ", or the plan does not have this report" } else { "" };
            return Some(format!(
                "{base_url} rejected the key{from}{plan}; this requires an admin key: set TULK_ADMIN_KEY or run `tulk auth login --admin`"
            ));
        }
        401 | 403 => {
            let reason = if status != 403 {
                ""
            } else if path.starts_with(SPOKEN_TERMS) {
                ", or its plan has no spoken terms"
            } else if path.starts_with(STYLE_PROFILE) && request.method != Method::GET {
                ", or the style profile is shared with the account, which cannot change it"
            } else {
                ""
            };
            return Some(format!("{base_url} rejected the API key{from}{reason}; `tulk auth status` shows all keys"));
        }
        404 if is_object_path(path) && is_bound_to_data_center(path) => {
            "each data center has its own glossaries, style rules and translation memories: check --server"
        }
        404 if is_object_path(path) && path.starts_with(SPOKEN_TERMS) => {
            "`tulk voice terms list` lists all spoken terms and their languages"
        }
        404 if is_object_path(path) && path.starts_with("/v3/translation_memories") => {
            "`tulk tm list` lists all translation memories"
        }
        404 if path.starts_with(STYLE_PROFILE) => "`tulk style profile list` lists all style profiles",
        404 if path.starts_with("/v2/admin/developer-keys") => "`tulk admin keys list` lists all keys",
        404 if path.starts_with("/v2/admin/analytics") => {
            "regional servers have no reports; use the main server of the paid plan"
        }
        404 | 405 | 410 if !is_object_path(path) => {
            return Some(format!(
                "check the path and the server address {base_url} (--server, TULK_SERVER, `tulk config list`)"
            ));
        }
        414 => "the address is too long for the server: send fewer or shorter parameters",
        415 => {
            "the server does not accept this kind of body: check the server address (--server); for an api request, --form or -H selects another kind"
        }
        413 => "the request is too large for the service; send less at once",
        409 if is_export(path) => "an export of this translation memory is running: wait until it has ended",
        429 | 529 => "too many requests: wait, lower --concurrency, or set --rate",
        456 if is_456_temporary(path) => "too many glossary requests in a short time: wait and try again",
        456 if path == SPOKEN_TERMS => {
            "the plan allows no more collections of spoken terms: delete one (`tulk voice terms delete`), or add a term list to one (`tulk voice terms set`)"
        }
        456 if path == MEMORY_IMPORT => {
            "the plan allows no more translation memories: delete one (`tulk tm list`, `tulk tm delete`)"
        }
        456 => "the quota of this usage period is used up; `tulk usage` shows it",
        500..=599 => "the service has a problem; try again later",
        300..=499 => return None,
        _ => "no service sends this status: check the server address (--server, `tulk auth status`) and the proxy",
    };
    Some(hint.to_owned())
}

/// Returns the reason phrase of a status.
pub fn reason_phrase(status: u16) -> &'static str {
    match status {
        456 => "Quota Exceeded",
        529 => "Overloaded",
        _ => reqwest::StatusCode::from_u16(status).ok().and_then(|s| s.canonical_reason()).unwrap_or("Unknown"),
    }
}

/// Returns the failure for a successful answer whose content cannot be used.
pub fn unusable(answer: &Answer, why: &str) -> Failure {
    Failure::new(Kind::Network, format!("unexpected response from the service: {}", quotable(why)))
        .hint("check that the server address is correct (--server, `tulk auth status`)")
        .service(identify(answer))
}

/// Returns the failure for a successful answer that is too large to be held in memory.
pub fn too_large(answer: &Answer, excess: Excess) -> Failure {
    unusable(answer, &format!("it {excess}")).hint(
        "check the server address (--server, `tulk auth status`); `tulk api` with -o FILE takes a response of any size",
    )
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use reqwest::header::HeaderMap;

    use super::super::path::Path;
    use super::*;

    fn answer(status: u16, body: impl Into<Bytes>) -> Answer {
        let mut headers = HeaderMap::new();
        headers.insert("x-trace-id", "0123456789abcdef0123456789abcdef".parse().unwrap());
        Answer::new(status, headers, body.into())
    }

    #[test]
    fn reads_message_detail_and_code_in_any_case() {
        let service = service_error(&answer(400, r#"{"Message":"bad","detail":"entry 3","code":"x"}"#));
        assert_eq!(service.message.as_deref(), Some("bad"));
        assert_eq!(service.detail.as_deref(), Some("entry 3"));
        assert_eq!(service.code.as_deref(), Some("x"));
        assert_eq!(service.trace_id.as_deref(), Some("0123456789abcdef0123456789abcdef"));
    }

    #[test]
    fn an_empty_or_html_body_is_replaced_with_the_status() {
        let request = Request::new(Method::POST, Path::parse("/v2/translate").unwrap());
        for body in ["", "<html>oops</html>", r#"{"message":"#, "[1,"] {
            let failure = refused(&request, &answer(503, body), "http://x", None);
            assert_eq!(failure.what, "the service returned 503 Service Unavailable");
            assert_eq!(failure.service.unwrap().request.as_deref(), Some("POST http://x/v2/translate"));
        }
    }

    #[test]
    fn the_text_of_an_error_is_read_from_any_field_that_services_use() {
        let message = |body| service_error(&answer(400, body)).message;
        assert_eq!(message(r#"{"error":"no"}"#).as_deref(), Some("no"));
        assert_eq!(message(r#"{"error_message":"no"}"#).as_deref(), Some("no"));
        assert_eq!(message(r#"{"error":{"message":"no","code":1}}"#).as_deref(), Some("no"));
        assert_eq!(message(r#"{"Error":{"Message":"no"}}"#).as_deref(), Some("no"));
        assert_eq!(message(r#"{"error":{"code":1}}"#).as_deref(), Some(r#"{"code":1}"#));
        assert_eq!(message(r#"{"error":7,"detail":null}"#).as_deref(), Some("7"));
        for body in [r#"{"error":"second","message":"first"}"#, r#"{"Message":"first","error":"second"}"#] {
            assert_eq!(message(body).as_deref(), Some("first"));
        }
        assert_eq!(message(" bad gateway\nmore").as_deref(), Some("bad gateway"));
        assert_eq!(message("\"quoted\""), None);
    }

    #[test]
    fn an_answer_is_identified_by_its_status_and_trace_id() {
        let service = identify(&answer(418, ""));
        assert_eq!(service.status, Some(418));
        assert_eq!(service.trace_id.as_deref(), Some("0123456789abcdef0123456789abcdef"));
        let large = too_large(&answer(200, ""), Excess::Bytes(limits::ANSWER_BYTES));
        assert_eq!(large.what, "unexpected response from the service: it is larger than 16 MiB");
        assert_eq!((large.kind, large.service.unwrap().status), (Kind::Network, Some(200)));
    }

    #[test]
    fn unregistered_statuses_have_reason_phrases() {
        assert_eq!((reason_phrase(456), reason_phrase(529)), ("Quota Exceeded", "Overloaded"));
        assert_eq!((reason_phrase(404), reason_phrase(599)), ("Not Found", "Unknown"));
    }

    #[test]
    fn each_failure_says_what_to_do_next() {
        let table = [
            (401, "/v2/usage", "http://x rejected the API key from KEY; `tulk auth status`"),
            (403, "/v2/usage", "http://x rejected the API key from KEY; `tulk auth status`"),
            (403, "/v3/spoken-terms", "http://x rejected the API key from KEY, or its plan has no spoken terms;"),
            (401, "/v3/spoken-terms", "http://x rejected the API key from KEY; `tulk auth status`"),
            (401, "/v2/admin/developer-keys", "http://x rejected the key from KEY; this requires an admin key"),
            (404, "/v2/glossaries/G", "each data center has its own"),
            (404, "/v3/style_rules/S", "each data center has its own"),
            (404, "/v3/spoken-terms/T", "`tulk voice terms list`"),
            (404, "/v3/style_profiles/P", "`tulk style profile list`"),
            (404, "/v2/admin/developer-keys", "`tulk admin keys list`"),
            (
                403,
                "/v2/admin/analytics/language-pairs",
                "http://x rejected the key from KEY, or the plan does not have this report; this requires an admin key",
            ),
            (404, "/v2/admin/analytics", "regional servers have no reports"),
            (404, "/v2/usage", "check the path and the server address http://x"),
            (404, "/v3/translation_memories/M", "`tulk tm list` lists all"),
            (409, "/v3/translation_memories/M/export", "an export of this translation memory is running"),
            (456, "/v3/translation_memories/import", "the plan allows no more translation memories"),
            (405, "/v2/usage", "check the path and the server address http://x"),
            (410, "/v2/usage", "check the path and the server address http://x"),
            (414, "/v2/usage", "the address is too long"),
            (415, "/v2/usage", "the server does not accept this kind of body"),
            (413, "/v2/translate", "the request is too large"),
            (429, "/v2/translate", "too many requests"),
            (529, "/v2/translate", "too many requests"),
            (456, "/v3/glossaries/G", "too many glossary requests"),
            (456, "/v3/spoken-terms", "the plan allows no more collections"),
            (456, "/v3/spoken-terms/T", "the quota of this usage period"),
            (456, "/v2/translate", "the quota of this usage period"),
            (500, "/v2/translate", "the service has a problem"),
            (599, "/v2/translate", "the service has a problem"),
            (101, "/v2/translate", "no service sends this status"),
            (600, "/v2/translate", "no service sends this status"),
        ];
        for (status, path, start) in table {
            let request = Request::new(Method::GET, Path::parse(path).unwrap());
            let hint = hint(status, &request, "http://x", Some("KEY")).unwrap();
            assert!(hint.starts_with(start), "{status} {path}: {hint}");
        }
        for (status, path) in [(400, "/v2/translate"), (404, "/v2/document/D"), (410, "/v3/glossaries/G")] {
            let request = Request::new(Method::GET, Path::parse(path).unwrap());
            assert_eq!(hint(status, &request, "http://x", None), None, "{status} {path}");
        }
        for (method, shared) in [(Method::GET, false), (Method::PATCH, true), (Method::DELETE, true)] {
            let request = Request::new(method, Path::parse("/v3/style_profiles/P").unwrap());
            let hint = hint(403, &request, "http://x", None).unwrap();
            assert_eq!(hint.contains("the style profile is shared"), shared, "{hint}");
        }
        let without_key = Request { key: None, ..Request::new(Method::GET, Path::parse("/v2/usage").unwrap()) };
        assert!(hint(403, &without_key, "http://x", None).unwrap().starts_with("the request was sent without a key"));
    }

    #[test]
    fn the_hint_names_a_missing_scope() {
        for (method, path, scope) in [
            (Method::POST, "/v2/translate", "translate:text"),
            (Method::POST, "/v2/document/D/result", "translate:document"),
            (Method::POST, "/v2/write/rephrase", "write:improve"),
            (Method::GET, "/v2/glossary-language-pairs", "glossaries:read"),
            (Method::PATCH, "/v3/glossaries/G", "glossaries:write"),
            (Method::GET, "/v3/style_rules", "style_rules:read"),
            (Method::POST, "/v3/style_rules", "style_rules:write"),
            (Method::GET, "/v3/style_profiles/P", "style_profiles:read"),
            (Method::DELETE, "/v3/style_profiles/P", "style_profiles:write"),
            (Method::GET, "/v3/translation_memories/jobs/J", "translation_memories:read"),
            (Method::POST, "/v3/translation_memories/M/export", "translation_memories:read"),
            (Method::POST, "/v3/translation_memories/import", "translation_memories:write"),
            (Method::GET, "/v3/languages/resources", "languages:read"),
            (Method::GET, "/v2/usage", "usage:read"),
        ] {
            let request = Request::new(method, Path::parse(path).unwrap());
            let failure =
                |body: &str| refused(&request, &answer(403, body.to_owned()), "http://x", Some("KEY")).hint.unwrap();
            let detail = format!(r#"{{"message":"Forbidden","detail":"Missing scopes: a:read, {scope}"}}"#);
            let hint = failure(&detail);
            assert!(hint.starts_with(&format!("this needs a key with the scope `{scope}`")), "{hint}");
            for other in [r#"{"message":"Forbidden"}"#, r#"{"message":"Forbidden","detail":"It is shared."}"#] {
                assert!(failure(other).starts_with("http://x rejected the API key from KEY"));
            }
        }
        let request = Request::new(Method::POST, Path::parse("/v3/voice/realtime").unwrap());
        let failure = refused(&request, &answer(403, r#"{"message":"Forbidden","detail":"x"}"#), "http://x", None);
        assert!(failure.hint.unwrap().starts_with("http://x rejected the API key"));
    }

    #[test]
    fn shows_the_address_if_it_may_be_the_cause() {
        let refused = |path: &str, status| {
            let request = Request::new(Method::GET, Path::parse(path).unwrap());
            refused(&request, &answer(status, r#"{"message":"No."}"#), "http://x/prefix", None)
        };
        let failure = refused("/v2/usage?token=K1", 404);
        assert_eq!(failure.what, "the service refused the request: No");
        assert_eq!(failure.service.unwrap().request.as_deref(), Some("GET http://x/prefix/v2/usage"));
        assert!(failure.hint.unwrap().contains("server address http://x/prefix"));
        assert!(refused("/v3/glossaries", 404).hint.unwrap().contains("check the path"), "a list cannot be missing");
        assert!(refused("/v3/glossaries/G", 404).hint.unwrap().contains("each data center"));
        assert_eq!(refused("/v2/usage", 400).what, "the service refused the request: No");
        assert_eq!(refused("/v2/usage", 400).service.unwrap().request, None);
        assert_eq!(refused("/v2/usage", 500).what, "the service reported an error: No");
        for status in [405, 410, 414, 415, 429, 500, 503, 529, 101, 999] {
            let failure = refused("/v2/usage", status);
            let request = failure.service.unwrap().request;
            assert_eq!(request.as_deref(), Some("GET http://x/prefix/v2/usage"), "{status}");
            assert!(failure.hint.is_some(), "{status}");
        }
    }

    #[test]
    fn secrets_are_removed_before_a_text_is_truncated() {
        secrets::register("cut-secret-0123456789");
        let text = quotable(&format!("{}cut-secret-0123456789{}", "x".repeat(490), "y".repeat(1000)));
        assert_eq!(text, format!("{}***{}…", "x".repeat(490), "y".repeat(7)));
        assert_eq!(quotable("short"), "short");
    }

    #[test]
    fn each_status_has_a_failure_kind() {
        let table = [
            (400, Kind::Refused),
            (401, Kind::Key),
            (403, Kind::Key),
            (404, Kind::NotFound),
            (409, Kind::Refused),
            (413, Kind::Refused),
            (415, Kind::Refused),
            (429, Kind::Busy),
            (456, Kind::Quota),
            (500, Kind::Busy),
            (529, Kind::Busy),
            (302, Kind::Network),
            (101, Kind::Network),
            (600, Kind::Network),
            (999, Kind::Network),
        ];
        for (status, expected) in table {
            assert_eq!(kind(status, "/v2/translate"), expected, "{status}");
        }
        assert_eq!(kind(456, "/v3/glossaries/x"), Kind::Busy);
    }
}
