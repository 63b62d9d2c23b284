//! `tulk langs`: which languages the service knows, for what, and with which features.

mod cached;
mod check;
mod list;
mod resources;
mod v2;

use clap::{Args, Subcommand};

use crate::api::langs::LanguageInclude;
use crate::context::Context;

/// Show supported languages and features
#[derive(Args, Debug)]
pub struct LangsArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to ask about languages.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List the languages of a resource with their features
    List(list::ListArgs),
    /// List the resources and what their features need
    Resources(resources::ResourcesArgs),
    /// Check languages and features: exit 0 for yes, 1 for no
    Check(check::CheckArgs),
    /// List languages by the deprecated v2 operation
    V2(v2::V2Args),
}

/// What the answer may come from and hold.
#[derive(Args, Clone, Debug)]
pub struct Asking {
    /// Capability: `translate_text`, `write`, `voice` and others
    #[arg(long, value_name = "R", default_value = "translate_text", value_parser = resource)]
    pub resource: String,
    /// Also show what is not stable or served by others
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub include: Vec<LanguageInclude>,
    /// Whether kept answers are passed over.
    #[command(flatten)]
    pub fresh: Fresh,
}

/// Whether kept answers are passed over.
#[derive(Args, Clone, Copy, Debug)]
pub struct Fresh {
    /// Ask the service even if its answer is known
    #[arg(long)]
    pub no_cache: bool,
}

/// Reads `-` as `_`, as in every value.
#[allow(clippy::unnecessary_wraps)] // the shape clap asks for
fn resource(text: &str) -> Result<String, String> {
    Ok(text.trim().to_ascii_lowercase().replace('-', "_"))
}

/// Runs the verb.
pub async fn run(ctx: &Context, args: LangsArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::List(args) => list::run(ctx, args).await,
        Verb::Resources(args) => resources::run(ctx, args).await,
        Verb::Check(args) => check::run(ctx, args).await,
        Verb::V2(args) => v2::run(ctx, args).await,
    }
}
