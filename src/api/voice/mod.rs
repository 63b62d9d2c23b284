//! Voice: the session that a real-time stream runs in, asked for and taken up again.
//!
//! Not the stream itself: its messages are in [`message`], its connection in `http::websocket`. Spec: "Voice".

pub mod content_type;
pub mod message;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::language_code::LangCode;
use crate::config::Service;
use crate::error::Failure;
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::request::{Method, Repeat};
use crate::json::Kept;
use crate::limits;

/// How the messages of the stream are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum VoiceMessageFormat {
    /// JSON in text frames
    #[default]
    Json,
    /// `MessagePack` in binary frames
    Msgpack,
}

/// What the source language means when it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SourceLanguageMode {
    /// A hint; another language is detected
    Auto,
    /// The only language spoken
    Fixed,
}

/// How formal the translation is; voice has no `prefer_` values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum VoiceFormality {
    /// The service's usual way
    Default,
    /// Formal
    Formal,
    /// The same as formal
    More,
    /// Informal
    Informal,
    /// The same as informal
    Less,
}

/// `POST /v3/voice/realtime`: asks for a session.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug, Default)]
pub struct RequestVoiceSession {
    /// What the audio is.
    pub source_media_content_type: String,
    /// How messages are written; JSON when unset.
    pub message_format: Option<VoiceMessageFormat>,
    /// The language spoken; detected when unset.
    pub source_language: Option<LangCode>,
    /// Whether that is a hint or binding.
    pub source_language_mode: Option<SourceLanguageMode>,
    /// Languages to translate into; none: transcription alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_languages: Vec<LangCode>,
    /// Languages to speak.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_media_languages: Vec<LangCode>,
    /// What the spoken audio shall be.
    pub target_media_content_type: Option<String>,
    /// Whose voice speaks; an open set.
    pub target_media_voice: Option<String>,
    /// A list of terms as they are spoken.
    pub spoken_terms_id: Option<String>,
    /// A glossary.
    pub glossary_id: Option<String>,
    /// How formal the translation is.
    pub formality: Option<VoiceFormality>,
}

impl RequestVoiceSession {
    /// The targets of the session, each once: those to write, then those only to speak.
    pub fn targets(&self) -> Vec<&LangCode> {
        let mut all: Vec<&LangCode> = Vec::new();
        for language in self.target_languages.iter().chain(&self.target_media_languages) {
            if !all.contains(&language) {
                all.push(language);
            }
        }
        all
    }
}

impl Endpoint for RequestVoiceSession {
    type Reply = Kept<VoiceSession>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/voice/realtime";
    const CARRY: Carry = Carry::Json;
    // A session that nobody connects to ends by itself and bills nothing.
    const REPEAT: Repeat = Repeat::Always;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        let targets = self.targets().len();
        if targets > limits::VOICE_TARGETS {
            return Err(Failure::usage(format!(
                "{targets} target languages, spoken ones included; a session has {} at most",
                limits::VOICE_TARGETS
            ))
            .hint("run a second session on the same audio for the other languages"));
        }
        let spoken = self.target_media_languages.len();
        if spoken > limits::VOICE_SPOKEN_TARGETS {
            return Err(Failure::usage(format!(
                "{spoken} spoken languages; a session has {} at most",
                limits::VOICE_SPOKEN_TARGETS
            )));
        }
        if spoken == 0 && (self.target_media_content_type.is_some() || self.target_media_voice.is_some()) {
            return Err(Failure::usage("a voice or an audio content type, but no language to speak")
                .hint("name it with --speak LANG"));
        }
        Ok(())
    }
}

/// `GET /v3/voice/realtime`: takes a session up again. Each token counts once, so it is never repeated by itself.
#[derive(Serialize, Clone, Debug)]
pub struct ReconnectVoiceSession {
    /// The latest token of the session.
    pub token: String,
}

impl Endpoint for ReconnectVoiceSession {
    type Reply = Kept<VoiceSession>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/voice/realtime";
    const CARRY: Carry = Carry::Query;
    const REPEAT: Repeat = Repeat::Never;
}

/// A session that can be connected to once.
#[derive(Deserialize, Clone)]
pub struct VoiceSession {
    /// Where to connect.
    pub streaming_url: String,
    /// The secret that opens the connection, once, and asks for the next session.
    pub token: String,
    /// The service's own name of the session.
    pub session_id: Option<String>,
}

impl std::fmt::Debug for VoiceSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VoiceSession").field("session_id", &self.session_id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service() -> Service {
        Service {
            name: "service".into(),
            base_url: "https://service.test".into(),
            auth_scheme: "Service-Auth-Key".into(),
            reporting_tag_header: "X-Service-Reporting-Tag".into(),
            latency_rule: true,
        }
    }

    fn codes(all: &[&str]) -> Vec<LangCode> {
        all.iter().map(|code| code.parse().unwrap()).collect()
    }

    #[test]
    fn sends_only_what_was_asked_for() {
        let request =
            RequestVoiceSession { source_media_content_type: "audio/ogg".into(), ..RequestVoiceSession::default() };
        assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"source_media_content_type":"audio/ogg"}"#);
    }

    #[test]
    fn sends_every_parameter_by_its_name() {
        let request = RequestVoiceSession {
            source_media_content_type: "audio/ogg".into(),
            message_format: Some(VoiceMessageFormat::Msgpack),
            source_language: Some("en".parse().unwrap()),
            source_language_mode: Some(SourceLanguageMode::Fixed),
            target_languages: codes(&["de", "zh-hant"]),
            target_media_languages: codes(&["de"]),
            target_media_content_type: Some("audio/flac".into()),
            target_media_voice: Some("female".into()),
            spoken_terms_id: Some("a".into()),
            glossary_id: Some("b".into()),
            formality: Some(VoiceFormality::Informal),
        };
        let expected = serde_json::json!({
            "source_media_content_type": "audio/ogg", "message_format": "msgpack", "source_language": "en",
            "source_language_mode": "fixed", "target_languages": ["de", "zh-Hant"], "target_media_languages": ["de"],
            "target_media_content_type": "audio/flac", "target_media_voice": "female", "spoken_terms_id": "a",
            "glossary_id": "b", "formality": "informal",
        });
        assert_eq!(serde_json::to_value(&request).unwrap(), expected);
    }

    #[test]
    fn refuses_a_sixth_target_and_a_second_spoken_one() {
        let five = codes(&["de", "fr", "es", "it", "nl"]);
        let mut request = RequestVoiceSession { target_languages: five, ..RequestVoiceSession::default() };
        assert!(request.check(&service()).is_ok());
        request.target_media_languages = codes(&["de"]);
        assert!(request.check(&service()).is_ok(), "a spoken target among the five counts once");
        request.target_media_languages = codes(&["pl"]);
        assert!(request.check(&service()).unwrap_err().what.starts_with("6 target languages"));
        request.target_languages.clear();
        request.target_media_languages = codes(&["pl", "de"]);
        assert!(request.check(&service()).is_err());
    }

    #[test]
    fn refuses_a_voice_without_a_language() {
        let request = RequestVoiceSession { target_media_voice: Some("male".into()), ..RequestVoiceSession::default() };
        assert!(request.check(&service()).is_err());
    }

    #[test]
    fn never_shows_a_token() {
        let session = VoiceSession { streaming_url: "wss://x?token=K".into(), token: "K1".into(), session_id: None };
        let shown = format!("{session:?}");
        assert!(!shown.contains('K'), "{shown}");
    }
}
