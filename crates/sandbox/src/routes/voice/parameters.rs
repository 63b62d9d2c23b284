//! The parameters of a voice session: the request body, its checks, and the form that is stored. See docs/service.md, "Voice".

use serde::{Deserialize, Serialize};

use super::audio_meter::{AudioMeter, normalise_content_type};
use super::framing::MessageFraming;
use super::speech::SpeechEncoder;
use super::terms;
use crate::app::App;
use crate::languages;
use crate::reply::Refusal;
use crate::routes::fields::unsupported;

/// Maximum number of target languages, including the spoken one.
const TARGETS_MAX: usize = 5;
/// Content type of speech if the request gives none.
const DEFAULT_SPEECH_TYPE: &str = "audio/webm;codecs=opus";

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct StartSessionBody {
    source_media_content_type: Option<String>,
    message_format: Option<MessageFraming>,
    source_language: Option<String>,
    source_language_mode: Option<String>,
    target_languages: Option<Vec<String>>,
    target_media_languages: Option<Vec<String>>,
    target_media_content_type: Option<String>,
    target_media_voice: Option<String>,
    spoken_terms_id: Option<String>,
    glossary_id: Option<String>,
    formality: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionParameters {
    /// Normalised.
    pub content_type: String,
    pub framing: MessageFraming,
    pub source: String,
    /// Whether the request gives the source language.
    #[serde(default)]
    pub is_source_known: bool,
    /// Languages of transcripts, in canonical case.
    pub targets: Vec<String>,
    /// Language and content type of speech.
    pub spoken: Option<(String, String)>,
    pub glossary_id: Option<String>,
    /// Formality, as a value of text translation: `more` for `formal`, `less` for `informal`.
    #[serde(default)]
    pub formality: Option<String>,
    #[serde(default)]
    pub tag: Option<String>,
}

impl StartSessionBody {
    pub fn check(self, app: &App) -> Result<SessionParameters, Refusal> {
        let content_type = self.source_media_content_type.as_deref().map(normalise_content_type);
        let content_type =
            content_type.ok_or_else(|| Refusal::bad_request("Parameter 'source_media_content_type' is missing."))?;
        if AudioMeter::new(&content_type).is_none() {
            return Err(unsupported("source_media_content_type"));
        }
        if !matches!(self.source_language_mode.as_deref(), None | Some("auto" | "fixed")) {
            return Err(unsupported("source_language_mode"));
        }
        if !matches!(self.formality.as_deref(), None | Some("default" | "formal" | "more" | "informal" | "less")) {
            return Err(unsupported("formality"));
        }
        let source = match &self.source_language {
            None => "en".to_owned(),
            Some(code) => {
                languages::find_source("voice", code).ok_or_else(|| unsupported("source_language"))?.0.lang.to_owned()
            }
        };
        let (targets, spoken) = self.languages()?;
        let spoken = self.speech(spoken)?;
        if let Some(id) = &self.spoken_terms_id {
            terms::check_exists(app, id)?;
        }
        if let Some(id) = &self.glossary_id {
            for target in &targets {
                app.glossaries.dictionary(id, &source, target)?;
            }
        }
        let framing = self.message_format.unwrap_or_default();
        let formality = self.formality.map(|formality| match formality.as_str() {
            "formal" => "more".to_owned(),
            "informal" => "less".to_owned(),
            _ => formality,
        });
        let glossary_id = self.glossary_id;
        let is_source_known = self.source_language.is_some();
        let tag = None;
        Ok(SessionParameters {
            content_type,
            framing,
            source,
            is_source_known,
            targets,
            spoken,
            glossary_id,
            formality,
            tag,
        })
    }

    /// Returns the target languages, including the spoken one, and the spoken language.
    fn languages(&self) -> Result<(Vec<String>, Option<String>), Refusal> {
        let mut targets = target_codes(self.target_languages.as_deref(), "target_languages")?;
        let spoken = target_codes(self.target_media_languages.as_deref(), "target_media_languages")?;
        if spoken.len() > 1 {
            return Err(Refusal::bad_request("Too many entries in 'target_media_languages': the maximum is 1."));
        }
        let spoken = spoken.into_iter().next();
        if let Some(language) = &spoken {
            let speaks =
                languages::find_target("voice", language).is_some_and(|(_, s)| s.has_feature("translated_speech"));
            if !speaks {
                return Err(unsupported("target_media_languages"));
            }
            if !targets.contains(language) {
                targets.push(language.clone());
            }
        }
        if targets.len() > TARGETS_MAX {
            return Err(Refusal::bad_request(format!(
                "Too many entries in 'target_languages': the maximum is {TARGETS_MAX}."
            )));
        }
        Ok((targets, spoken))
    }

    fn speech(&self, language: Option<String>) -> Result<Option<(String, String)>, Refusal> {
        let Some(language) = language else {
            let given = [
                ("target_media_content_type", self.target_media_content_type.is_some()),
                ("target_media_voice", self.target_media_voice.is_some()),
            ];
            return match given.iter().find(|(_, given)| *given) {
                Some((name, _)) => Err(Refusal::bad_request(format!("'{name}' needs 'target_media_languages'."))),
                None => Ok(None),
            };
        };
        if !matches!(self.target_media_voice.as_deref(), None | Some("male" | "female" | "match")) {
            return Err(unsupported("target_media_voice"));
        }
        let content_type = self
            .target_media_content_type
            .as_deref()
            .map_or_else(|| DEFAULT_SPEECH_TYPE.to_owned(), normalise_content_type);
        if SpeechEncoder::new(&content_type).is_none() {
            return Err(unsupported("target_media_content_type"));
        }
        Ok(Some((language, content_type)))
    }
}

/// Returns target languages in canonical case, without duplicates.
fn target_codes(codes: Option<&[String]>, field: &str) -> Result<Vec<String>, Refusal> {
    let mut found = Vec::new();
    for code in codes.unwrap_or_default() {
        let (language, _) = languages::find_target("voice", code).ok_or_else(|| unsupported(field))?;
        if !found.iter().any(|known| known == language.lang) {
            found.push(language.lang.to_owned());
        }
    }
    Ok(found)
}
