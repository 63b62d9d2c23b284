//! Voice: requests that start a real-time session and reconnect to it. [`message`] has the messages of the stream, `http::websocket` the
//! connection, and [`terms`] the collections of spoken terms. See `docs/service.md`, "Voice".

pub mod content_type;
pub mod message;
mod message_fields;
pub mod terms;

use clap::ValueEnum;
use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits;
use tulk_base::secrets;

use super::language_code::LangCode;
use super::translate::{check_reporting_tag, put_reporting_tag};
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::request::{Method, Repeat};
use crate::{OpenValue, Service};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] =
    &[KnownOperation::new::<RequestVoiceSession>(), KnownOperation::new::<ReconnectVoiceSession>()];

/// Encoding of the messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum VoiceMessageFormat {
    /// JSON in text frames
    #[default]
    Json,
    /// MessagePack in binary frames
    Msgpack,
}

/// How the source language is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SourceLanguageMode {
    /// Use it as a hint, and detect other languages
    Auto,
    /// Expect only this language
    Fixed,
}

/// Formality of the translation. Unlike for texts, there are no `prefer_` values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum VoiceFormality {
    /// Default formality of the language
    Default,
    /// Formal
    Formal,
    /// Same as formal
    More,
    /// Informal
    Informal,
    /// Same as informal
    Less,
}

/// `POST /v3/voice/realtime`: requests a session.
#[derive(Serialize, Clone, Debug, Default)]
pub struct RequestVoiceSession {
    /// Content type of the audio.
    pub source_media_content_type: String,
    /// Encoding of the messages. JSON if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_format: Option<VoiceMessageFormat>,
    /// Language of the audio. Detected if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_language: Option<LangCode>,
    /// How the source language is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_language_mode: Option<SourceLanguageMode>,
    /// Languages to translate into. If empty, the audio is only transcribed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_languages: Vec<LangCode>,
    /// Target languages to speak.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub target_media_languages: Vec<LangCode>,
    /// Content type of the spoken audio.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_media_content_type: Option<String>,
    /// Voice of the spoken audio. Any name is accepted, since the service may add voices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_media_voice: Option<String>,
    /// ID of a collection of spoken terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spoken_terms_id: Option<String>,
    /// ID of a glossary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glossary_id: Option<String>,
    /// Formality of the translation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formality: Option<OpenValue<VoiceFormality>>,
    /// Reporting tag of the complete session. Sent as a header, and only to the public service.
    #[serde(skip)]
    pub reporting_tag: Option<String>,
}

impl RequestVoiceSession {
    /// Returns all target languages without duplicates: first the languages with text, then the languages that are only spoken.
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
    type Reply = WithRaw<VoiceSession>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/voice/realtime";
    // A session without a connection ends by itself and costs nothing.
    const REPEAT: Repeat = Repeat::Always;

    fn headers(&self, service: &Service, headers: &mut HeaderMap) -> Result<(), Failure> {
        let tag = self.reporting_tag.as_deref().filter(|_| service.is_public);
        tag.map_or(Ok(()), |tag| put_reporting_tag(tag, service, headers))
    }

    fn check(&self, service: &Service) -> Result<(), Failure> {
        if let Some(tag) = self.reporting_tag.as_deref().filter(|_| service.is_public) {
            check_reporting_tag(tag)?;
        }
        let targets = self.targets().len();
        if targets > limits::VOICE_TARGETS {
            return Err(Failure::usage(format!(
                "{targets} target languages including spoken ones; the limit is {}",
                limits::VOICE_TARGETS
            ))
            .hint("use a second session with the same audio for the other languages"));
        }
        let spoken = self.target_media_languages.len();
        if spoken > limits::VOICE_SPOKEN_TARGETS {
            return Err(Failure::usage(format!(
                "{spoken} spoken languages; the limit is {}",
                limits::VOICE_SPOKEN_TARGETS
            )));
        }
        if spoken == 0 && (self.target_media_content_type.is_some() || self.target_media_voice.is_some()) {
            return Err(
                Failure::usage("a voice or an audio content type needs a language to speak").hint("add --speak LANG")
            );
        }
        Ok(())
    }
}

/// `GET /v3/voice/realtime`: reconnects to a session. Never repeated, because each token works only once.
#[derive(Serialize, Clone, Debug)]
pub struct ReconnectVoiceSession {
    /// Latest token of the session.
    pub token: String,
}

impl Endpoint for ReconnectVoiceSession {
    type Reply = WithRaw<VoiceSession>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/voice/realtime";
    const REPEAT: Repeat = Repeat::Never;
}

/// Permission to connect to a session once.
#[derive(Serialize, Deserialize, Clone)]
pub struct VoiceSession {
    /// Address of the WebSocket.
    #[serde(deserialize_with = "secrets::address")]
    pub streaming_url: String,
    /// Secret that opens the connection once. It is also needed to reconnect.
    #[serde(deserialize_with = "secrets::text")]
    pub token: String,
    /// ID of the session.
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
            is_public: false,
        }
    }

    fn codes(all: &[&str]) -> Vec<LangCode> {
        all.iter().map(|code| code.parse().unwrap()).collect()
    }

    #[test]
    fn sends_only_the_given_options() {
        let request =
            RequestVoiceSession { source_media_content_type: "audio/ogg".into(), ..RequestVoiceSession::default() };
        assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"source_media_content_type":"audio/ogg"}"#);
    }

    #[test]
    fn sends_every_option_under_its_name() {
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
            formality: Some(OpenValue::Known(VoiceFormality::Informal)),
            reporting_tag: Some("a-tag".into()),
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
    fn refuses_a_6th_target_and_a_2nd_spoken_one() {
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
