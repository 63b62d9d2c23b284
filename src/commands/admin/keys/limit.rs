//! `tulk admin keys limit`: sets or removes limits of a key. Limits that are not given stay as they are.

use clap::{ArgGroup, Args};
use tulk_base::error::Failure;
use tulk_client::api::admin::{KeyLimit, SetDeveloperKeyLimits};

use super::lookup;
use crate::context::Context;

/// Set or remove the limits of a key
#[derive(Args, Debug)]
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

/// Sets the limits.
pub async fn run(ctx: &Context, args: &LimitKeyArgs) -> Result<(), Failure> {
    let key_id = lookup::key_id(ctx, &args.key).await?;
    let request = SetDeveloperKeyLimits {
        key_id,
        characters: args.characters,
        speech_to_text_milliseconds: args.speech_to_text_milliseconds,
    };
    let key = ctx.client().await?.send(&request).await?;
    ctx.out.one(&key)
}
