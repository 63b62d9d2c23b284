//! `tulk admin keys limit`: sets or removes limits of a key. Limits that are not given stay as they are.

use clap::{ArgGroup, Args};
use tulk_client::api::admin::DeveloperKey;
use tulk_client::api::admin::{KeyLimit, SetDeveloperKeyLimits};

use super::lookup;
use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Set or remove the limits of a key
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>())]
#[command(after_help = "tulk admin keys limit CI --characters 500000\n\
                        tulk admin keys limit CI --characters none")]
#[group(skip)]
#[command(group = ArgGroup::new("limits").required(true).multiple(true).args(["characters", "speech_to_text_milliseconds"]))]
pub struct LimitKeyArgs {
    /// Label of an active key, or ID of any key
    pub key: String,
    /// Characters per month; none removes the limit, 0 blocks
    #[arg(long, value_name = "N|none", allow_negative_numbers = true)]
    pub characters: Option<KeyLimit>,
    /// Milliseconds of speech per month; none removes the limit
    #[arg(long, alias = "speech_to_text_milliseconds", value_name = "N|none", allow_negative_numbers = true)]
    pub speech_to_text_milliseconds: Option<KeyLimit>,
}

impl Run for LimitKeyArgs {
    /// Sets the limits.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key_id = lookup::key_id(ctx, &self.key).await?;
        let request = SetDeveloperKeyLimits {
            key_id,
            characters: self.characters,
            speech_to_text_milliseconds: self.speech_to_text_milliseconds,
        };
        let key = ctx.client().await?.send(&request).await?;
        Ok(ctx.out.one(&key)?)
    }
}
