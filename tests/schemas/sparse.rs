//! A service that sends only required fields. Its reports of January 2026 also have fields that the sandbox does not send.

use super::common::scripted::{ScriptedServer, answer};

/// Answers by the prefix of the first line of the request.
const ANSWERS: &[(&str, &str)] = &[
    ("POST /v2/translate ", r#"{"translations": [{"text": "Hallo"}]}"#),
    ("POST /v2/write/rephrase ", r#"{"improvements": [{"text": "Hallo"}]}"#),
    ("GET /v3/glossaries", r#"{"glossaries": [{"glossary_id": "1", "name": "K", "dictionaries": []}]}"#),
    (
        "GET /v2/glossaries ",
        r#"{"glossaries": [{"glossary_id": "1", "name": "K", "source_lang": "en", "target_lang": "de"}]}"#,
    ),
    ("GET /v3/style_rules", r#"{"style_rules": [{"style_id": "1", "name": "S", "language": "de", "version": 1}]}"#),
    (
        "GET /v3/style_profiles",
        r#"{"style_profiles": [{"style_profile_id": "1", "name": "P", "glossary_ids": [], "style_rule_ids": [],
            "translation_memory_ids": [], "glossary_priority_order_enabled": false}]}"#,
    ),
    (
        "GET /v3/translation_memories/1/segments",
        r#"{"segments": [{"source_segment_id": "s", "source_text": "a",
            "targets": [{"target_segment_id": "t", "target_language": "de", "target_text": "b"}]}]}"#,
    ),
    (
        "GET /v3/translation_memories/jobs/2",
        r#"{"job_id": "2", "operation": "export", "parameters": {"translation_memory_id": "1"},
            "results": [{"status": "processing"}]}"#,
    ),
    (
        "GET /v3/translation_memories",
        r#"{"translation_memories":
            [{"translation_memory_id": "1", "name": "M", "source_language": "en", "target_languages": ["de"]}]}"#,
    ),
    (
        "GET /v2/usage ",
        r#"{"document_count": 1, "document_limit": 2, "team_document_count": 3, "team_document_limit": 4}"#,
    ),
    ("POST /v2/document/DOCUMENT ", r#"{"document_id": "DOCUMENT", "status": "translating", "seconds_remaining": 20}"#),
    ("POST /v3/voice/realtime ", r#"{"streaming_url": "wss://voice.example/connect", "token": "T"}"#),
    ("GET /v3/spoken-terms", r#"{"spoken_terms": [{"spoken_terms_id": "1", "name": "T"}]}"#),
    (
        "GET /v2/admin/developer-keys ",
        r#"[{"key_id": "1:2", "label": "ci", "creation_time": "2026-01-01T00:00:00Z", "is_deactivated": false}]"#,
    ),
    (
        "GET /v2/admin/analytics/custom-tags?end_date=2026-01-",
        r#"{"custom_tag_usage_report": {"aggregate_by": "period", "start_date": "2026-01-01T00:00:00Z", "end_date": "2026-01-02T00:00:00Z",
            "next_page": null, "usage": [{"custom_tag": "t", "breakdown": {"total_characters": 1,
            "text_translation_characters": 1, "text_improvement_characters": 0, "speech_to_text_minutes": 2.5,
            "speech_to_speech_minutes": 1.5}}, {"custom_tag": "u", "breakdown": {"total_characters": 1,
            "text_translation_characters": 1, "text_improvement_characters": 0}}]}}"#,
    ),
    (
        "GET /v2/admin/analytics?",
        r#"{"usage_report": {"start_date": "2026-01-01T00:00:00Z", "end_date": "2026-01-02T00:00:00Z", "total_usage": {
            "total_characters": 1, "text_translation_characters": 1, "document_translation_characters": 0,
            "text_improvement_characters": 0, "speech_to_text_minutes": 2.5, "speech_to_speech_minutes": 1.5}}}"#,
    ),
    (
        "GET /v2/admin/analytics/language-pairs",
        r#"{"language_pair_usage_report": {"language_pair_usages": [{"source_language": "en", "target_language": "de",
            "usage": {"total_characters": 1, "text_translation_characters": 1, "document_translation_characters": 0,
            "text_improvement_characters": 0}}]}}"#,
    ),
    ("GET /v2/admin/analytics/custom-tags", r#"{"custom_tag_usage_report": {"usage": []}}"#),
];

pub fn server() -> ScriptedServer {
    ScriptedServer::start(|request| {
        let found = ANSWERS.iter().find(|(start, _)| request.starts_with(start));
        match found {
            Some((_, body)) => answer(200, &["content-type: application/json"], body),
            None => answer(404, &[], ""),
        }
    })
}
