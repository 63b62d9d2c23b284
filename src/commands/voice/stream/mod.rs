//! `tulk voice stream`: audio in, text and speech out, while it is spoken. Spec: "Voice"; command line, voice.

mod drive;
mod form;
mod link;
mod live;
mod places;
mod spoken;
mod tracks;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::SessionFlags;
use crate::api::voice::RequestVoiceSession;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::input::audio::{Asked, Audio};
use crate::stop::Stop;
use places::Places;
use spoken::Spoken;
use tracks::Tracks;

/// Chunks of a file.
const CHUNK_FILE: Duration = Duration::from_millis(200);
/// Chunks of a pipe, which may be live: half the delay.
const CHUNK_PIPE: Duration = Duration::from_millis(100);

/// Send audio from a file or a pipe, print what was said
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  tulk voice stream talk.ogg --to de\n  \
                  tulk voice stream talk.wav --to de,fr --format srt -o 'talk.{lang}.srt'\n  \
                  arecord -q -f S16_LE -r 16000 | tulk voice stream - --to de\n  \
                  tulk voice stream talk.mp3 --to de --speak de --audio-out talk.de.ogg")]
pub struct StreamArgs {
    /// Audio, - for stdin
    #[arg(value_name = "FILE|-")]
    pub file: Option<PathBuf>,
    /// Parameters of the session.
    #[command(flatten)]
    pub flags: SessionFlags,
    /// Print what was said as well, not the translations alone
    #[arg(long)]
    pub transcript: bool,
    /// Bit rate of a container without readable times, in kbit/s
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000), value_name = "N")]
    pub bitrate: Option<u32>,
    /// How often a lost connection is taken up again
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub reconnects: u32,
    /// File to write, or a template of {dir} {stem} {lang} {ext}
    #[arg(short, long, value_name = "FILE|TEMPLATE")]
    pub output: Option<String>,
    /// File for the spoken language
    #[arg(long, requires = "speak", value_name = "FILE")]
    pub audio_out: Option<PathBuf>,
}

impl StreamArgs {
    /// The input; `None` is stdin.
    fn input(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| *path != Path::new("-"))
    }
}

/// Streams.
pub async fn run(ctx: &Context, mut args: StreamArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().refuse_formats(&[OutputFormat::Table, OutputFormat::Json, OutputFormat::Tsv])?;
    check(ctx, &args)?;
    spoken::choose_type(&mut args);
    let asked = Asked { content_type: args.flags.given_type(), bitrate: args.bitrate, check: !ctx.args.no_check };
    let opening = Audio::open(args.input(), &asked);
    let opened = tokio::select! {
        opened = opening => opened?,
        kind = ctx.stop.wait() => return Err(Stop::failure(kind, None).into()),
    };
    let Some(audio) = opened else { return Ok(()) };
    let request = args.flags.request(ctx, audio.content_type.clone()).await?;
    let client = ctx.client().await?;
    client.prepare(&request)?;
    let shown = Shown::of(&args, &request);
    let places = Places::plan(ctx, &args, &shown)?;
    if ctx.args.dry_run {
        client.send(&request).await?;
        return Ok(());
    }
    audio.notes.iter().for_each(|note| ctx.out.status(note));
    let places = places.open()?;
    let spoken = args.audio_out.as_deref().map(|path| Spoken::open(path, &request, &ctx.out)).transpose()?;
    let tracks = Tracks::new(shown, places, spoken, std::sync::Arc::clone(&ctx.out));
    let chunk = if audio.live { CHUNK_PIPE } else { CHUNK_FILE };
    let drive = drive::Drive::new(ctx, audio, chunk, tracks, args.reconnects)?;
    Ok(drive.run(client, &request).await?)
}

/// What the command line alone decides.
fn check(ctx: &Context, args: &StreamArgs) -> Result<(), Failure> {
    let is_stdin = args.input().is_none();
    let takes_key = ctx.args.key_file.as_deref() == Some(Path::new("-"));
    if is_stdin && takes_key {
        return Err(Failure::usage("both --key-file - and the audio would read stdin"));
    }
    if is_stdin && std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        return Err(Failure::usage("no audio: stdin is a terminal")
            .hint("name a file, or record: arecord -q -f S16_LE -r 16000 | tulk voice stream - --to de"));
    }
    if !args.flags.speak.is_empty() && args.audio_out.is_none() {
        return Err(Failure::usage("--speak, but no file for the speech").hint("name one with --audio-out FILE"));
    }
    if args.audio_out.as_deref() == Some(Path::new("-")) && args.output.is_none() {
        return Err(
            Failure::usage("both the speech and the text would go to stdout").hint("name a file for the text with -o")
        );
    }
    Ok(())
}

/// The transcripts that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What was said, and its language if that was given.
    #[allow(clippy::option_option)] // shown or not; if so, in a known language or not
    pub source: Option<Option<String>>,
    /// Translations, by language.
    pub targets: Vec<String>,
}

impl Shown {
    fn of(args: &StreamArgs, request: &RequestVoiceSession) -> Self {
        let targets: Vec<String> = request.targets().iter().map(|code| code.bcp47().to_owned()).collect();
        let source = (args.transcript || targets.is_empty())
            .then(|| request.source_language.as_ref().map(|code| code.bcp47().to_owned()));
        Self { source, targets }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.targets.len() + usize::from(self.source.is_some())
    }
}

/// How a run ended, for what is done with the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should, or by a signal: files get their names.
    Whole,
    /// By a failure: old files stay, what came in is kept beside them.
    Broken,
}

impl Ending {
    fn of(result: &Result<(), Failure>) -> Self {
        match result {
            Err(failure) if !failure.kind.is_stop() && failure.kind != Kind::PipeClosed => Self::Broken,
            _ => Self::Whole,
        }
    }
}
