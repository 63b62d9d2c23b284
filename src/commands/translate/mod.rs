//! `tulk translate`: translates texts given as arguments, in files or on stdin.
//!
//! Input: the flags. Output: the translations, on stdout or in files. It has two stages, each entered once: `plan`
//! turns flags into checked values, and `run` sends the texts through the pipeline and reports the outcome.

mod args;
mod cache;
mod plan;
mod requests;
mod run;

pub use self::args::{TranslateArgs, profile_flags};
pub use self::cache::continue_without_cache;
pub use self::requests::add_own_tags;
use crate::command::Run;
use crate::context::Context;

impl Run for TranslateArgs {
    async fn run(mut self, ctx: &Context) -> Result<(), anyhow::Error> {
        let plan = plan::plan(ctx, &mut self).await?;
        Ok(run::run(ctx, plan).await?)
    }
}
