//! `tulk voice session`: requests a session and prints it, including its token, for another program.

use std::path::PathBuf;

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::voice::VoiceSession;
use tulk_formats::input::audio::{Audio, AudioOptions};

use super::session_flags::{VoiceSessionFlags, with_session_hint};
use crate::context::Context;
use crate::output::{Cell, Column, Row};

/// Request a session and print it, for use by another program
#[derive(Args, Debug)]
#[command(after_help = "tulk voice session talk.wav --to de,fr --json\n\
                        tulk voice session --content-type 'audio/pcm;encoding=s16le;rate=16000' --to de")]
pub struct VoiceSessionArgs {
    /// Audio file to take the type from, instead of --content-type
    #[arg(value_name = "FILE", required_unless_present = "content_type")]
    pub file: Option<PathBuf>,
    /// Options of the session.
    #[command(flatten)]
    pub flags: VoiceSessionFlags,
}

impl Row for VoiceSession {
    const COLUMNS: &'static [Column] = &[
        Column::id("session_id").header("ID"),
        Column::text("streaming_url").header("URL").rank(0),
        Column::text("token").rank(0),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.session_id.clone().unwrap_or_default()),
            Cell::from(self.streaming_url.clone()),
            Cell::from(self.token.clone()),
        ]
    }
}

/// Runs the command.
pub async fn run(ctx: &Context, args: VoiceSessionArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let given = args.flags.given_content_type();
    let content_type = match &args.file {
        Some(file) => {
            let options = AudioOptions { content_type: given, bitrate: None, check: !ctx.args.no_check };
            let audio = Audio::open(Some(file), &options).await?;
            let audio = audio.ok_or_else(|| Failure::usage(format!("{} is empty", file.display())))?;
            audio.content_type
        }
        None => given.unwrap_or_default(),
    };
    let request = args.flags.choose(ctx, content_type)?.resolve(ctx).await?;
    let session = ctx.client().await?.send(&request).await.map_err(|failure| with_session_hint(failure, &request))?;
    Ok(ctx.out.one(&session)?)
}
