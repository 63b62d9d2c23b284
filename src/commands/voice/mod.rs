//! `tulk voice`: real-time speech to text, translation and speech. Spec: "Voice"; command line, voice.

mod session;
mod stream;

use clap::{Args, Subcommand};

use crate::api::language_code::LangCode;
use crate::api::voice::content_type::normalise;
use crate::api::voice::{RequestVoiceSession, SourceLanguageMode, VoiceFormality, VoiceMessageFormat, VoiceSession};
use crate::commands::named;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{CommandColumns, Row as _};

/// Transcribe and translate speech in real time
#[derive(Args, Debug)]
pub struct VoiceArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with voice.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Send audio from a file or a pipe, print what was said
    Stream(Box<stream::StreamArgs>),
    /// Ask for a session and print it, for another program's stream
    Session(Box<session::SessionArgs>),
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("voice stream", &["language", "text", "start_time", "end_time"]).note("jsonl only"),
    CommandColumns::new("voice session", VoiceSession::COLUMNS),
];

/// Runs the verb.
pub async fn run(ctx: &Context, args: VoiceArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::Stream(args) => stream::run(ctx, *args).await,
        Verb::Session(args) => session::run(ctx, *args).await,
    }
}

/// The parameters of a session.
#[derive(Args, Debug)]
pub struct SessionFlags {
    /// Languages to translate into, up to five; none: transcribe only
    #[arg(short, long, alias = "target-languages", value_delimiter = ',', value_name = "LANG")]
    pub to: Vec<LangCode>,
    /// Language spoken; detected when left out
    #[arg(short, long, alias = "source-language", value_name = "LANG")]
    pub from: Option<LangCode>,
    /// Whether --from is a hint or binding
    #[arg(long, alias = "source-language-mode", value_enum, value_name = "MODE")]
    pub source_mode: Option<SourceLanguageMode>,
    /// Glossary, by ID or name
    #[arg(long, alias = "glossary-id", value_name = "G")]
    pub glossary: Option<String>,
    /// List of spoken terms, by ID
    #[arg(long, alias = "spoken-terms-id", value_name = "ID")]
    pub spoken_terms: Option<String>,
    /// How formal the translation is
    #[arg(long, value_enum, value_name = "F")]
    pub formality: Option<VoiceFormality>,
    /// What the audio is; needed for raw PCM
    #[arg(long, alias = "source-media-content-type", value_name = "T")]
    pub content_type: Option<String>,
    /// How messages travel
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub message_format: Option<VoiceMessageFormat>,
    /// Language to speak
    #[arg(long, alias = "target-media-languages", value_delimiter = ',', value_name = "LANG")]
    pub speak: Vec<LangCode>,
    /// What the spoken audio shall be
    #[arg(long, alias = "target-media-content-type", value_name = "T")]
    pub audio_content_type: Option<String>,
    /// Voice that speaks: male or female
    #[arg(long, alias = "target-media-voice", value_name = "VOICE")]
    pub voice: Option<String>,
}

impl SessionFlags {
    /// The content type given, as it is compared.
    fn given_type(&self) -> Option<String> {
        self.content_type.as_deref().map(normalise)
    }

    /// The request, with the profile's defaults where nothing was said; a glossary's name is looked up.
    async fn request(&self, ctx: &Context, content_type: String) -> Result<RequestVoiceSession, Failure> {
        let default =
            |key: &str| ctx.config().map(|c| c.defaults().get(key).and_then(|v| v.as_str()).map(str::to_owned));
        let is_none = |code: &&LangCode| code.bcp47() != "none";
        let to = match default("target_lang")?.filter(|_| self.to.is_empty()) {
            Some(codes) => {
                codes.split(',').map(str::parse).collect::<Result<Vec<LangCode>, _>>().map_err(Failure::usage)?
            }
            None => self.to.iter().filter(is_none).cloned().collect(),
        };
        let from = match default("source_lang")?.filter(|_| self.from.is_none()) {
            Some(code) => Some(code.parse().map_err(Failure::usage)?),
            None => self.from.as_ref().filter(is_none).cloned(),
        };
        let glossary = match self.glossary.clone().or(default("glossary")?).filter(|name| name != "none") {
            Some(name) => Some(named::glossary(ctx, &name).await?),
            None => None,
        };
        // The profile's `prefer_more` and `prefer_less` mean nothing here.
        let usual = default("formality")?.and_then(|text| clap::ValueEnum::from_str(&text, true).ok());
        Ok(RequestVoiceSession {
            source_media_content_type: content_type,
            message_format: self.message_format,
            source_language: from,
            source_language_mode: self.source_mode,
            target_languages: to,
            target_media_languages: self.speak.clone(),
            target_media_content_type: self.audio_content_type.as_deref().map(normalise),
            target_media_voice: self.voice.clone(),
            spoken_terms_id: self.spoken_terms.clone(),
            glossary_id: glossary,
            formality: self.formality.or(usual),
        })
    }
}
