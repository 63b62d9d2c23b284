//! The operations of the service with their retry rules, taken from docs/service.md and not from the program.

use std::collections::BTreeSet;

use super::source::rust_files;

/// Retry rule of an operation, and whether its answer needs content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// May be retried; the answer has content.
    Content,
    /// May be retried; only the status of the answer matters.
    Removal,
    /// Creates something: retried only if the service did not act on it. The answer has content.
    Creation,
    /// Result of a document, which the service returns once: retried after a status request.
    Result,
    /// Evaluation of a finished translation: may be retried; a failure is a warning.
    Report,
    /// Exchanges the single-use token of a voice session for a new one: never retried.
    Reconnection,
    /// WebSocket with a single-use token: never retried.
    Socket,
}

use Class::{Content, Creation, Reconnection, Removal, Report, Result, Socket};

/// Method, path template, class.
pub type Operation = (&'static str, &'static str, Class);

/// All operations. `SOCKET` is the method of the WebSocket.
pub const OPERATIONS: &[Operation] = &[
    ("POST", "/v2/translate", Content),
    ("POST", "/v2/write/rephrase", Content),
    ("POST", "/v2/write/correct", Content),
    ("POST", "/v2/document", Creation),
    ("POST", "/v2/document/{document_id}", Content),
    ("POST", "/v2/document/{document_id}/result", Result),
    ("GET", "/v1/quality-evaluations/{job_id}", Report),
    ("POST", "/v3/glossaries", Creation),
    ("GET", "/v3/glossaries", Content),
    ("GET", "/v3/glossaries/{glossary_id}", Content),
    ("GET", "/v3/glossaries/{glossary_id}/entries", Content),
    ("PUT", "/v3/glossaries/{glossary_id}/dictionaries", Content),
    ("PATCH", "/v3/glossaries/{glossary_id}", Content),
    ("DELETE", "/v3/glossaries/{glossary_id}", Removal),
    ("DELETE", "/v3/glossaries/{glossary_id}/dictionaries", Removal),
    ("POST", "/v2/glossaries", Creation),
    ("GET", "/v2/glossaries", Content),
    ("GET", "/v2/glossaries/{glossary_id}", Content),
    ("GET", "/v2/glossaries/{glossary_id}/entries", Content),
    ("DELETE", "/v2/glossaries/{glossary_id}", Removal),
    ("GET", "/v2/glossary-language-pairs", Content),
    ("GET", "/v3/style_rules", Content),
    ("POST", "/v3/style_rules", Creation),
    ("GET", "/v3/style_rules/{style_id}", Content),
    ("PATCH", "/v3/style_rules/{style_id}", Content),
    ("PUT", "/v3/style_rules/{style_id}/configured_rules", Content),
    ("DELETE", "/v3/style_rules/{style_id}", Removal),
    ("POST", "/v3/style_rules/{style_id}/custom_instructions", Creation),
    ("GET", "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}", Content),
    ("PUT", "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}", Content),
    ("DELETE", "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}", Removal),
    ("GET", "/v3/style_profiles", Content),
    ("POST", "/v3/style_profiles", Creation),
    ("GET", "/v3/style_profiles/{style_profile_id}", Content),
    ("PATCH", "/v3/style_profiles/{style_profile_id}", Content),
    ("DELETE", "/v3/style_profiles/{style_profile_id}", Removal),
    ("GET", "/v3/languages", Content),
    ("GET", "/v3/languages/resources", Content),
    ("GET", "/v2/languages", Content),
    ("POST", "/v3/detect/language", Content),
    ("GET", "/v3/translation_memories", Content),
    ("GET", "/v3/translation_memories/{translation_memory_id}", Content),
    ("DELETE", "/v3/translation_memories/{translation_memory_id}", Removal),
    ("GET", "/v3/translation_memories/{translation_memory_id}/segments", Content),
    ("POST", "/v3/translation_memories/import", Creation),
    ("POST", "/v3/translation_memories/{translation_memory_id}/export", Content),
    ("GET", "/v3/translation_memories/jobs/{job_id}", Content),
    ("GET", "/v2/usage", Content),
    ("GET", "/v2/admin/developer-keys", Content),
    ("POST", "/v2/admin/developer-keys", Creation),
    ("PUT", "/v2/admin/developer-keys/deactivate", Content),
    ("PUT", "/v2/admin/developer-keys/label", Content),
    ("PUT", "/v2/admin/developer-keys/limits", Content),
    ("GET", "/v2/admin/analytics", Content),
    ("GET", "/v2/admin/analytics/custom-tags", Content),
    ("GET", "/v2/admin/analytics/language-pairs", Content),
    ("POST", "/v3/voice/realtime", Content),
    ("GET", "/v3/voice/realtime", Reconnection),
    ("SOCKET", "/v3/voice/realtime/connect", Socket),
    ("POST", "/v3/spoken-terms", Creation),
    ("GET", "/v3/spoken-terms", Content),
    ("GET", "/v3/spoken-terms/{spoken_terms_id}", Content),
    ("PATCH", "/v3/spoken-terms/{spoken_terms_id}", Content),
    ("DELETE", "/v3/spoken-terms/{spoken_terms_id}", Removal),
    ("GET", "/v3/spoken-terms/{spoken_terms_id}/entries", Content),
    ("PUT", "/v3/spoken-terms/{spoken_terms_id}/term-lists", Content),
    ("DELETE", "/v3/spoken-terms/{spoken_terms_id}/term-lists", Removal),
];

/// A GET that opens a WebSocket has the method `SOCKET`.
pub fn operation(request: &str) -> Operation {
    let mut words = request.split([' ', '?']);
    let (mut method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if is_upgrade(request) {
        method = "SOCKET";
    }
    let found = OPERATIONS.iter().find(|(known, template, _)| *known == method && matches(template, path));
    *found.unwrap_or_else(|| panic!("list this operation in OPERATIONS: {method} {path}"))
}

pub fn is_upgrade(request: &str) -> bool {
    request.to_ascii_lowercase().contains("\r\nupgrade: websocket")
}

fn matches(template: &str, path: &str) -> bool {
    let (wanted, segments): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    wanted.len() == segments.len() && wanted.iter().zip(segments).all(|(want, is)| want.starts_with('{') || *want == is)
}

/// Returns the value of a constant in a source file: a literal, or another constant of the same file.
fn path_constant(text: &str, value: &str) -> String {
    if let Some(literal) = value.strip_prefix('"') {
        return literal.trim_end_matches('"').to_owned();
    }
    let definition = format!("const {value}: &str = \"");
    let at = text.find(&definition).unwrap_or_else(|| panic!("no constant {value}")) + definition.len();
    text[at..].split('"').next().unwrap().to_owned()
}

#[test]
fn every_operation_of_the_program_is_in_the_table() {
    let mut known = BTreeSet::new();
    for (_, text) in rust_files("crates/client/src/api") {
        let mut method = "";
        for line in text.lines().map(|line| line.trim().trim_end_matches(';')) {
            if let Some(name) = line.strip_prefix("const METHOD: Method = Method::") {
                method = name;
            } else if let Some(value) = line.strip_prefix("const PATH: &'static str = ") {
                known.insert(format!("{method} {}", path_constant(&text, value)));
            }
        }
    }
    // The pipeline builds the bodies of these operations, so they are not declared as endpoints.
    known.extend(["/v2/translate", "/v2/write/rephrase", "/v2/write/correct"].map(|path| format!("POST {path}")));
    known.insert("SOCKET /v3/voice/realtime/connect".to_owned());
    let table: BTreeSet<String> = OPERATIONS.iter().map(|(method, path, _)| format!("{method} {path}")).collect();
    assert_eq!(table, known, "OPERATIONS in tests/reliability/faults/operations.rs is not the list of the program");
}
