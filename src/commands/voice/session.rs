//! `tulk voice session`: requests a session and prints it, including its token, for another program.

use std::path::PathBuf;

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::VoiceSession;
use tulk_formats::input::audio::{Audio, AudioOptions};

use super::session_flags::{VoiceSessionFlags, with_session_hint};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Column, Row};

/// Request a session and print it, for use by another program
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<VoiceSession>().checks().languages(LanguageUse::Voice))]
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

impl Run for VoiceSessionArgs {
    /// Runs the command.
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
        let request = self.flags.choose(ctx, content_type)?.resolve(ctx).await?;
        let session =
            ctx.client().await?.send(&request).await.map_err(|failure| with_session_hint(failure, &request))?;
        Ok(ctx.out.one(&session)?)
    }
}
