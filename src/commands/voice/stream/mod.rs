//! `tulk voice stream`: sends audio at the allowed pace, and writes transcripts and speech as they arrive.
//!
//! Input: audio from a file or a pipe, and the options of a session. Output: transcripts on stdout, on a terminal or in
//! files, and a file with speech. The request and the outputs are checked before any audio is sent.

mod connection;
mod driver;
mod formatter;
mod live;
mod output_files;
mod speech;
mod transcript_output;
mod transcripts;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::files::{check_stdin, check_stdout};
use tulk_base::stop::Stop;
use tulk_client::api::language_names::LanguageUse;
use tulk_formats::input::audio::{Audio, AudioOptions};

use self::driver::StreamDriver;
use self::speech::SpeechFile;
use self::transcript_output::TranscriptOutput;
use self::transcripts::{TranscriptSelection, Transcripts};
use super::session::VoiceSessionFlags;
use crate::command::{CommandSpec, Run};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Column, check_no_terminal};
use crate::runs::summary::RunSummary;

const FORMATS: &[OutputFormat] =
    &[OutputFormat::Auto, OutputFormat::Jsonl, OutputFormat::Text, OutputFormat::Srt, OutputFormat::Vtt];

/// Fields of a segment in JSONL.
const SEGMENT_COLUMNS: &[Column] =
    &[Column::text("language"), Column::text("text"), Column::number("start_time"), Column::number("end_time")];

/// Transcribe or translate audio from a file or a pipe
///
/// On a terminal, words appear while they are spoken. In a pipe, only final text is printed.
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_result_in(FORMATS)
    .columns(SEGMENT_COLUMNS)
    .note("jsonl only")
    .with_common_options(&["to", "from", "output", "transcript", "spoken-terms", "content-type"])
    .checks_before_sending()
    .tagged()
    .languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice stream talk.wav --to de\n\
                        tulk voice stream talk.wav --to de,fr --format srt -o 'talk.{lang}.srt'\n\
                        arecord -q -f S16_LE -r 16000 | tulk voice stream - --to de")]
pub struct VoiceStreamArgs {
    /// Audio file (- for stdin)
    #[arg(value_name = "FILE|-")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub flags: VoiceSessionFlags,
    /// Also print the source transcript
    #[arg(long)]
    pub transcript: bool,
    /// Bit rate of the audio in kbit/s, if the file does not contain it
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000), value_name = "N", help_heading = "Audio and connection")]
    pub bitrate: Option<u32>,
    /// Maximum number of reconnections
    #[arg(long, default_value_t = 3, value_name = "N", help_heading = "Audio and connection")]
    pub reconnects: u32,
    /// File, or template with {dir} {stem} {lang} {ext}
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

    /// Returns the speech file; `None` for stdout or if there is no speech.
    pub fn speech_path(&self) -> Option<&Path> {
        self.audio_out.as_deref().filter(|path| *path != Path::new("-"))
    }

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
        if self.output_template().is_none() || self.audio_out.as_deref() == Some(Path::new("-")) {
            check_stdout()?;
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
        if self.audio_out.as_deref() == Some(Path::new("-")) && !self.force {
            check_no_terminal("speech", &ctx.out)?;
        }
        Ok(())
    }

    /// Takes the type of the speech from the extension of `--audio-out`, unless `--audio-content-type` was given.
    pub fn choose_speech_type(&mut self) {
        if self.flags.audio_content_type.is_none() {
            let by_extension = self.audio_out.as_deref().and_then(speech::content_type_of);
            self.flags.audio_content_type = by_extension.map(str::to_owned);
        }
    }
}

const FILE_CHUNK: Duration = Duration::from_millis(200);
/// Shorter than for a file, for less delay if the audio is live.
const PIPE_CHUNK: Duration = Duration::from_millis(100);

impl Run for VoiceStreamArgs {
    async fn run(mut self, ctx: &Context) -> Result<(), anyhow::Error> {
        self.check(ctx)?;
        self.choose_speech_type();
        let options = AudioOptions {
            content_type: self.flags.given_content_type(),
            bitrate: self.bitrate,
            check: !ctx.args.no_check,
        };
        let opened = tokio::select! {
            opened = Audio::open(self.audio_file(), &options) => opened?,
            kind = ctx.stop.wait() => return Err(Stop::failure(kind, None).into()),
        };
        let name = self.audio_file().map_or_else(|| "stdin".to_owned(), |path| path.display().to_string());
        let empty = |what: &str| {
            if ctx.args.no_check {
                return Ok(());
            }
            Err(Failure::usage(format!("{name} {what}")).hint("--no-check accepts it"))
        };
        let Some(audio) = opened else { return Ok(empty("is empty")?) };
        if audio.total == Some(Duration::ZERO) {
            empty("has no audio")?;
        }
        let session = self.flags.choose(ctx, audio.content_type.clone())?;
        ctx.check(&session.request)?;
        let client = ctx.client().await?;
        let selection = TranscriptSelection::new(self.transcript, &session.request);
        let plan = TranscriptOutput::plan(ctx, &self, &selection)?;
        let request = session.resolve(ctx).await?;
        if ctx.args.dry_run {
            if let Some(audio) = audio.total.filter(|_| ctx.out.settings().stderr_is_terminal) {
                RunSummary { audio, ..RunSummary::default() }.print_planned(ctx).await;
            }
            client.send(&request).await?;
            return Ok(());
        }
        audio.notices.iter().for_each(|notice| ctx.out.status(notice));
        let speech = self.audio_out.as_deref().map(|path| SpeechFile::open(path, plan.files(), &request, &ctx.out));
        let speech = speech.transpose()?;
        let output = plan.open()?;
        let transcripts = Transcripts::new(selection, output, speech, Arc::clone(&ctx.out));
        let chunk = if audio.is_pipe { PIPE_CHUNK } else { FILE_CHUNK };
        let driver = StreamDriver::new(ctx, audio, chunk, transcripts, self.reconnects)?;
        Ok(driver.run(client, &request).await?)
    }
}
