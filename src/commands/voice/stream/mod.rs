//! `tulk voice stream`: sends audio at the pace of speech and writes transcripts and speech while they arrive.
//!
//! Input: audio from a file or a pipe and the options of a session. Output: transcripts on stdout, on a terminal or in
//! files, and a file with speech. The request and the outputs are checked before any audio is sent.

mod args;
mod connection;
mod driver;
mod formatter;
mod live;
mod outcome;
mod output_files;
mod reconnect;
mod selection;
mod speech;
mod stream_error;
mod subtitles;
mod transcript_output;
mod transcripts;

use std::sync::Arc;
use std::time::Duration;

use tulk_base::stop::Stop;
use tulk_formats::input::audio::{Audio, AudioOptions};

pub use self::args::VoiceStreamArgs;

use self::driver::StreamDriver;
use self::selection::TranscriptSelection;
use self::speech::SpeechFile;
use self::transcript_output::OutputPlan;
use self::transcripts::Transcripts;
use crate::command::Run;
use crate::context::Context;

/// Length of the chunks of a file.
const FILE_CHUNK: Duration = Duration::from_millis(200);
/// Length of the chunks of a pipe: shorter, for less delay in case it is live.
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
        let Some(audio) = opened else { return Ok(()) };
        let session = self.flags.choose(ctx, audio.content_type.clone())?;
        let client = ctx.client().await?;
        client.prepare(&session.request)?;
        let selection = TranscriptSelection::new(self.transcript, &session.request);
        let plan = OutputPlan::new(ctx, &self, &selection)?;
        let request = session.resolve(ctx).await?;
        if ctx.args.dry_run {
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
