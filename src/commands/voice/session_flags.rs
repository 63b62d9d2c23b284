//! The options of a session, shared by `voice stream` and `voice session`.

use clap::{Args, ValueEnum as _};

use crate::api::language_code::LangCode;
use crate::api::voice::content_type::normalise;
use crate::api::voice::{RequestVoiceSession, SourceLanguageMode, VoiceFormality, VoiceMessageFormat};
use crate::commands::defaults::{NONE, ProfileDefaults};
use crate::commands::named;
use crate::context::Context;
use crate::error::Failure;

/// The options of a session.
#[derive(Args, Debug)]
pub struct VoiceSessionFlags {
    /// Target languages, up to 5; without any, only transcribe
    #[arg(short, long, alias = "target-languages", value_delimiter = ',', value_name = "LANG")]
    pub to: Vec<LangCode>,
    /// Source language [default: detected]
    #[arg(short, long, alias = "source-language", value_name = "LANG")]
    pub from: Option<LangCode>,
    /// How to use --from
    #[arg(long, alias = "source-language-mode", value_enum, value_name = "MODE")]
    pub source_mode: Option<SourceLanguageMode>,
    /// Glossary name or ID; `none` ignores the default
    #[arg(long, alias = "glossary-id", value_name = "GLOSSARY")]
    pub glossary: Option<String>,
    /// ID of a list of spoken terms
    #[arg(long, alias = "spoken-terms-id", value_name = "ID")]
    pub spoken_terms: Option<String>,
    /// Formality of the translation
    #[arg(long, value_enum, value_name = "HOW")]
    pub formality: Option<VoiceFormality>,
    /// Content type of the audio; required for raw PCM
    #[arg(long, alias = "source-media-content-type", value_name = "TYPE")]
    pub content_type: Option<String>,
    /// Encoding of the messages
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub message_format: Option<VoiceMessageFormat>,
    /// Target language to speak
    #[arg(long, alias = "target-media-languages", value_delimiter = ',', value_name = "LANG")]
    pub speak: Vec<LangCode>,
    /// Content type of the speech
    #[arg(long, alias = "target-media-content-type", value_name = "TYPE")]
    pub audio_content_type: Option<String>,
    /// Voice of the speech: male or female
    #[arg(long, alias = "target-media-voice", value_name = "VOICE")]
    pub voice: Option<String>,
}

impl VoiceSessionFlags {
    /// Returns `--content-type`, normalised.
    pub fn given_content_type(&self) -> Option<String> {
        self.content_type.as_deref().map(normalise)
    }

    /// Returns the request, with the profile's defaults for options that were not given. Looks up the glossary's name.
    pub async fn request(&self, ctx: &Context, content_type: String) -> Result<RequestVoiceSession, Failure> {
        let defaults = ProfileDefaults::new(ctx)?;
        let mut target_languages = self.to.clone();
        if target_languages.is_empty() {
            let default = defaults.get::<String>("target_lang")?.unwrap_or_default();
            let codes = default.split(',').filter(|code| !code.is_empty()).map(str::parse);
            target_languages = codes.collect::<Result<_, _>>().map_err(Failure::usage)?;
        }
        target_languages.retain(|code| code.bcp47() != NONE);
        let source_language = defaults.or(self.from.clone(), "source_lang")?.filter(|code| code.bcp47() != NONE);
        let glossary_id = match self.glossary_name(&defaults)? {
            Some(name) => Some(named::glossary(ctx, &name).await?),
            None => None,
        };
        // `prefer_more` and `prefer_less` of a profile do not exist here.
        let default_formality = defaults.get::<String>("formality")?;
        let default_formality = default_formality.and_then(|value| VoiceFormality::from_str(&value, true).ok());
        Ok(RequestVoiceSession {
            source_media_content_type: content_type,
            message_format: self.message_format,
            source_language,
            source_language_mode: self.source_mode,
            target_languages,
            target_media_languages: self.speak.clone(),
            target_media_content_type: self.audio_content_type.as_deref().map(normalise),
            target_media_voice: self.voice.clone(),
            spoken_terms_id: self.spoken_terms.clone(),
            glossary_id,
            formality: self.formality.or(default_formality),
        })
    }

    /// Returns the glossary of the flag, or else of the profile. A profile's list of several does not apply to voice.
    fn glossary_name(&self, defaults: &ProfileDefaults) -> Result<Option<String>, Failure> {
        let name = match &self.glossary {
            Some(name) => Some(name.clone()),
            None => defaults.get::<serde_json::Value>("glossary")?.and_then(|value| value.as_str().map(str::to_owned)),
        };
        Ok(name.filter(|name| name != NONE))
    }
}
