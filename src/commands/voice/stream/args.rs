//! The arguments of `voice stream`, and checks that need nothing else.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::files::check_stdin;
use tulk_client::api::language_names::LanguageUse;

use super::speech;
use crate::command::CommandSpec;
use crate::commands::voice::session::VoiceSessionFlags;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::Column;

/// Output formats.
const FORMATS: &[OutputFormat] =
    &[OutputFormat::Auto, OutputFormat::Jsonl, OutputFormat::Text, OutputFormat::Srt, OutputFormat::Vtt];

/// Fields of a segment, which is printed as JSONL.
const SEGMENT_COLUMNS: &[Column] =
    &[Column::text("language"), Column::text("text"), Column::number("start_time"), Column::number("end_time")];

/// Transcribe or translate audio from a file or a pipe
///
/// On a terminal, words appear while they are spoken. In a pipe, only final text is printed.
#[derive(Args, Debug)]
#[command(add = CommandSpec::result(FORMATS).columns(SEGMENT_COLUMNS).note("jsonl only").checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice stream talk.wav --to de\n\
                        tulk voice stream talk.wav --to de,fr --format srt -o 'talk.{lang}.srt'\n\
                        arecord -q -f S16_LE -r 16000 | tulk voice stream - --to de")]
pub struct VoiceStreamArgs {
    /// Audio file (- for stdin)
    #[arg(value_name = "FILE|-")]
    pub file: Option<PathBuf>,
    /// Options of the session.
    #[command(flatten)]
    pub flags: VoiceSessionFlags,
    /// Also print the source transcript
    #[arg(long)]
    pub transcript: bool,
    /// Bit rate of the audio in kbit/s, if the file does not contain it
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000), value_name = "N", help_heading = "Audio and connection")]
    pub bitrate: Option<u32>,
    /// Maximum number of reconnections
    #[arg(long, default_value_t = 3, value_name = "N", help_heading = "Audio and connection", hide_short_help = true)]
    pub reconnects: u32,
    /// File, or template of {dir} {stem} {lang} {ext}
    #[arg(short, long, value_name = "FILE|TEMPLATE")]
    pub output: Option<String>,
    /// Output file for the speech
    #[arg(long, requires = "speak", value_name = "FILE", help_heading = "Speech output")]
    pub audio_out: Option<PathBuf>,
    /// Replace existing output files
    #[arg(long)]
    pub force: bool,
}

impl VoiceStreamArgs {
    /// Returns the audio file; `None` for stdin.
    pub fn audio_file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Returns the `-o` template; `None` for stdout.
    pub fn output_template(&self) -> Option<&str> {
        self.output.as_deref().filter(|output| *output != "-")
    }

    /// Returns the file of the speech; `None` without speech and for stdout.
    pub fn speech_path(&self) -> Option<&Path> {
        self.audio_out.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Fails if the arguments contradict each other.
    pub fn check(&self, ctx: &Context) -> Result<(), Failure> {
        let reads_stdin = self.audio_file().is_none();
        if reads_stdin && ctx.args.key_file.as_deref() == Some(Path::new("-")) {
            return Err(Failure::usage("FILE and --key-file both read stdin").hint("use - only once"));
        }
        if reads_stdin {
            check_stdin()?;
        }
        if reads_stdin && std::io::stdin().is_terminal() {
            return Err(Failure::usage("no audio: stdin is a terminal")
                .hint("pass a file, or record: arecord -q -f S16_LE -r 16000 | tulk voice stream - --to de"));
        }
        if self.output_template().is_some() {
            ctx.out.settings().filter_conflicts_with("-o")?;
        }
        if !self.flags.speak.is_empty() && self.audio_out.is_none() {
            return Err(Failure::usage("--speak needs a file for the speech").hint("add --audio-out FILE"));
        }
        if self.audio_out.as_deref() == Some(Path::new("-")) && self.output_template().is_none() {
            return Err(
                Failure::usage("speech and text would both go to stdout").hint("write the text to a file with -o")
            );
        }
        Ok(())
    }

    /// Sets the content type of the speech by the extension of `--audio-out`, unless it was given.
    pub fn choose_speech_type(&mut self) {
        if self.flags.audio_content_type.is_none() {
            let by_extension = self.audio_out.as_deref().and_then(speech::content_type_of);
            self.flags.audio_content_type = by_extension.map(str::to_owned);
        }
    }
}
