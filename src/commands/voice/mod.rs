//! `tulk voice`: real-time transcription, translation and speech, and the spoken terms that help to recognise it.
//!
//! Input: audio and the options of a session. Output: transcripts, speech, or the session itself for another program.
//! The messages and the session are described in `api::voice`, the connection in `http::websocket`.

mod session;
mod session_flags;
mod stream;
mod terms;

use clap::{Args, Subcommand};
use tulk_client::api::voice::VoiceSession;

pub use self::terms::COLUMNS as TERMS_COLUMNS;

use crate::context::Context;
use crate::output::{Column, CommandColumns, CommandFormats, FINDINGS, LISTING, Row as _};

/// Transcribe and translate speech in real time
#[derive(Args, Debug)]
#[command(after_help = "tulk voice stream talk.wav --to de\n\
                        tulk voice terms list")]
pub struct VoiceArgs {
    /// The subcommand.
    #[command(subcommand)]
    pub command: VoiceCommand,
}

/// The subcommands of `voice`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum VoiceCommand {
    /// Transcribe or translate audio from a file or a pipe
    Stream(Box<stream::VoiceStreamArgs>),
    /// Request a session and print it, for use by another program
    Session(Box<session::VoiceSessionArgs>),
    /// Manage spoken terms: names and jargon for speech recognition
    Terms(terms::VoiceTermsArgs),
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[
    CommandFormats::new("voice stream", stream::FORMATS),
    CommandFormats::new("voice session", LISTING),
    CommandFormats::new("voice terms", LISTING),
    CommandFormats::new("voice terms lint", FINDINGS),
    CommandFormats::without_result("voice terms delete, delete-list"),
];

/// Fields of a segment, which is printed as JSONL.
const SEGMENT_COLUMNS: &[Column] =
    &[Column::text("language"), Column::text("text"), Column::number("start_time"), Column::number("end_time")];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("voice stream", SEGMENT_COLUMNS).note("jsonl only"),
    CommandColumns::new("voice session", VoiceSession::COLUMNS),
];

/// Runs the command.
pub async fn run(ctx: &Context, args: VoiceArgs) -> Result<(), anyhow::Error> {
    match args.command {
        VoiceCommand::Stream(args) => stream::run(ctx, *args).await,
        VoiceCommand::Session(args) => session::run(ctx, *args).await,
        VoiceCommand::Terms(args) => terms::run(ctx, args).await,
    }
}
