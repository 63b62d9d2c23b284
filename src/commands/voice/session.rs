//! `tulk voice session`: requests a session and prints it, with its token, for another program.

use std::path::PathBuf;

use clap::{Args, ValueEnum as _};
use tulk_base::error::Failure;
use tulk_client::api::assets::BrokenRule;
use tulk_client::api::glossary::Glossary;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::translate::Formality;
use tulk_client::api::voice::content_type::normalise;
use tulk_client::api::voice::terms::SpokenTerms;
use tulk_client::api::voice::{
    RequestVoiceSession, SourceLanguageMode, VoiceFormality, VoiceMessageFormat, VoiceSession,
};
use tulk_client::{Defaulted, OpenSet, OpenValue};
use tulk_formats::input::audio::{Audio, AudioOptions};

use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::config::NameList;
use crate::context::Context;
use crate::context::defaults::ProfileDefaults;
use crate::named::{self, names};
use crate::output::{Column, Row};

/// Known content types of audio, for completion.
const AUDIO_TYPES: &[&str] = &[
    "audio/flac",
    "audio/mpeg",
    "audio/ogg;codecs=flac",
    "audio/ogg;codecs=opus",
    "audio/pcm;encoding=alaw;rate=8000",
    "audio/pcm;encoding=s16le;rate=16000",
    "audio/pcm;encoding=s16le;rate=44100",
    "audio/pcm;encoding=s16le;rate=48000",
    "audio/pcm;encoding=s16le;rate=8000",
    "audio/pcm;encoding=ulaw;rate=8000",
    "audio/webm;codecs=opus",
    "audio/x-matroska;codecs=opus",
];
/// Known content types of speech, for completion.
const SPEECH_TYPES: &[&str] = &[
    "audio/flac",
    "audio/ogg;codecs=opus",
    "audio/opus",
    "audio/pcm;encoding=s16le;rate=24000",
    "audio/webm;codecs=opus",
    "audio/x-matroska;codecs=opus",
];

/// The options of a session.
#[derive(Args, Debug)]
pub struct VoiceSessionFlags {
    /// Target languages, up to 5; without any, only transcribe
    #[arg(short, long, alias = "target-languages", value_delimiter = ',', value_name = "LANG[,LANG]...")]
    #[arg(value_parser = Defaulted::parser(str::parse::<LangCode>))]
    pub to: Vec<Defaulted<LangCode>>,
    /// Source language [default: detected]
    #[arg(short, long, alias = "source-language", value_name = "LANG")]
    #[arg(value_parser = Defaulted::parser(str::parse::<LangCode>))]
    pub from: Option<Defaulted<LangCode>>,
    /// Whether --from is a hint or the only language
    #[arg(long, alias = "source-language-mode", value_enum, value_name = "MODE")]
    pub source_mode: Option<SourceLanguageMode>,
    /// Glossary name or ID; `none` ignores the default
    #[arg(long, alias = "glossary-id", value_name = "GLOSSARY", help_heading = "Translation")]
    #[arg(add = names::<Glossary>())]
    pub glossary: Option<NameList>,
    /// Collection of spoken terms, name or ID; see `tulk voice terms`
    #[arg(long, alias = "spoken-terms-id", value_name = "TERMS", help_heading = "Translation")]
    #[arg(add = names::<SpokenTerms>())]
    pub spoken_terms: Option<String>,
    /// Formality of the translation
    #[arg(long, value_parser = Defaulted::parser(OpenValue::<VoiceFormality>::parser()), add = OpenSet::DEFAULTED, value_name = "HOW", help_heading = "Translation")]
    pub formality: Option<Defaulted<OpenValue<VoiceFormality>>>,
    /// Content type of the audio; required for raw PCM
    #[arg(
        long,
        alias = "source-media-content-type",
        value_name = "TYPE",
        help_heading = "Audio and connection",
        long_help = "Content type of the audio; required for raw PCM. Known types: audio/flac, audio/mpeg, \
                     audio/ogg;codecs=flac, audio/ogg;codecs=opus, audio/webm;codecs=opus, \
                     audio/x-matroska;codecs=opus, audio/pcm;encoding=s16le;rate=16000 (also 8000, 44100, 48000), \
                     audio/pcm;encoding=alaw;rate=8000, audio/pcm;encoding=ulaw;rate=8000"
    )]
    #[arg(add = ValueKind::Words(AUDIO_TYPES))]
    pub content_type: Option<String>,
    /// Encoding of the messages
    #[arg(long, value_enum, value_name = "FORMAT", help_heading = "Audio and connection")]
    pub message_format: Option<VoiceMessageFormat>,
    /// Target language to speak
    #[arg(
        long,
        alias = "target-media-languages",
        value_delimiter = ',',
        value_name = "LANG[,LANG]...",
        help_heading = "Speech output"
    )]
    pub speak: Vec<LangCode>,
    /// Content type of the speech
    #[arg(
        long,
        alias = "target-media-content-type",
        value_name = "TYPE",
        help_heading = "Speech output",
        long_help = "Content type of the speech. Known types: audio/flac, audio/opus, audio/ogg;codecs=opus, \
                     audio/webm;codecs=opus, audio/x-matroska;codecs=opus, audio/pcm;encoding=s16le;rate=24000"
    )]
    #[arg(add = ValueKind::Words(SPEECH_TYPES))]
    pub audio_content_type: Option<String>,
    /// Voice of the speech: male, female, or match (like the speaker)
    #[arg(long, alias = "target-media-voice", value_name = "VOICE", help_heading = "Speech output")]
    #[arg(add = ValueKind::Words(&["male", "female", "match"]))]
    pub voice: Option<String>,
}

impl VoiceSessionFlags {
    pub fn given_content_type(&self) -> Option<String> {
        self.content_type.as_deref().map(normalise)
    }

    /// Uses the profile's defaults for missing options. Sends nothing.
    pub fn choose(&self, ctx: &Context, content_type: String) -> Result<ChosenSession, Failure> {
        let defaults = ProfileDefaults::new(ctx)?;
        let target_languages = defaults.or_list(&self.to, "target_lang")?;
        let source_language = defaults.or(self.from.clone(), "source_lang")?;
        let glossary = self.glossary_name(&defaults)?;
        let formality = match self.formality.clone() {
            Some(flag) => flag.value(),
            None => defaults.get::<String>("formality")?.and_then(default_formality),
        };
        let request = RequestVoiceSession {
            source_media_content_type: content_type,
            message_format: self.message_format,
            source_language,
            source_language_mode: self.source_mode,
            target_languages,
            target_media_languages: self.speak.clone(),
            target_media_content_type: self.audio_content_type.as_deref().map(normalise),
            target_media_voice: self.voice.clone(),
            spoken_terms_id: None,
            glossary_id: None,
            formality,
            reporting_tag: defaults.or(ctx.args.reporting_tag.clone(), "reporting_tag")?,
        };
        Ok(ChosenSession { request, glossary, spoken_terms: self.spoken_terms.clone() })
    }

    /// Returns the glossary of the flag, or else of the profile. Fails if there are several.
    fn glossary_name(&self, defaults: &ProfileDefaults) -> Result<Option<String>, Failure> {
        let mut names = defaults.or_list(&NameList::defaulted(&self.glossary), "glossary")?;
        if names.len() > 1 {
            let what = format!("{} glossaries; a voice session takes one", names.len());
            let hint = "choose one with --glossary, or none with --glossary none";
            return Err(defaults.refusal(BrokenRule::new(what, hint, &["glossary"]), |_| self.glossary.is_some()));
        }
        Ok(names.pop())
    }
}

/// Returns the formality of a profile. Ignores `prefer_more` and `prefer_less`, which voice sessions do not have.
fn default_formality(word: String) -> Option<OpenValue<VoiceFormality>> {
    match VoiceFormality::from_str(&word, true) {
        Ok(known) => Some(OpenValue::Known(known)),
        Err(_) => Formality::from_str(&word, true).is_err().then_some(OpenValue::Other(word)),
    }
}

/// Adds a hint to a refused session if a language, the spoken terms or the glossary may be the cause.
pub fn with_session_hint(failure: Failure, request: &RequestVoiceSession) -> Failure {
    let Some(service) = failure.service.as_deref() else { return failure };
    let has = (request.spoken_terms_id.is_some(), request.glossary_id.is_some());
    match (service.status, has) {
        (Some(400), _) => {
            let source = request.source_language.iter().map(|code| ("source_language", code, true));
            let roles = source.chain(request.target_languages.iter().map(|code| ("target_languages", code, false)));
            match LangCode::hint_when_refused(LanguageUse::Voice, service, roles) {
                Some(hint) => failure.hint(hint),
                None => failure,
            }
        }
        (Some(404), (true, false)) => failure.hint("`tulk voice terms list` lists the spoken terms"),
        (Some(404), (false, true)) => failure.hint("`tulk glossary list` lists the glossaries"),
        (Some(404), (true, true)) => {
            failure.hint("check --spoken-terms (`tulk voice terms list`) and --glossary (`tulk glossary list`)")
        }
        _ => failure,
    }
}

/// The glossary and the spoken terms are not looked up yet.
pub struct ChosenSession {
    pub request: RequestVoiceSession,
    glossary: Option<String>,
    spoken_terms: Option<String>,
}

impl ChosenSession {
    pub async fn resolve(self, ctx: &Context) -> Result<RequestVoiceSession, Failure> {
        let mut request = self.request;
        if let Some(name) = &self.glossary {
            request.glossary_id = Some(named::glossary(ctx, name).await?);
        }
        if let Some(name) = &self.spoken_terms {
            request.spoken_terms_id = Some(named::spoken_terms(ctx, name).await?);
        }
        Ok(request)
    }
}

/// Request a session and print it, for use by another program
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<VoiceSession>()
    .with_common_options(&["to", "from", "content-type", "spoken-terms", "speak"])
    .checks_before_sending()
    .tagged()
    .languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice session talk.wav --to de,fr --json\n\
                        tulk voice session --content-type 'audio/pcm;encoding=s16le;rate=16000' --to de")]
pub struct VoiceSessionArgs {
    /// Audio file to take the type from, instead of --content-type
    #[arg(value_name = "FILE", required_unless_present = "content_type")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub flags: VoiceSessionFlags,
}

impl Row for VoiceSession {
    const COLUMNS: &'static [Column] = &[
        Column::id("session_id").header("ID"),
        Column::text("streaming_url").header("URL").rank(0),
        Column::text("token").rank(0),
    ];
}

impl Run for VoiceSessionArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let given = self.flags.given_content_type();
        let content_type = match &self.file {
            Some(file) => {
                let options = AudioOptions { content_type: given, bitrate: None, check: !ctx.args.no_check };
                let audio = Audio::open(Some(file), &options).await?;
                let audio = audio.ok_or_else(|| Failure::usage(format!("{} is empty", file.display())))?;
                audio.content_type
            }
            None => given.unwrap_or_default(),
        };
        let session = self.flags.choose(ctx, content_type)?;
        ctx.check(&session.request)?;
        let request = session.resolve(ctx).await?;
        let session =
            ctx.client().await?.send(&request).await.map_err(|failure| with_session_hint(failure, &request))?;
        Ok(ctx.out.object(&session)?)
    }
}
