//! `tulk langs`: the languages of the service, and the features of each.
//!
//! It takes a resource, such as text translation, and languages or features to check. It prints languages, resources, or
//! whether something is supported. Replies are cached for an hour.

mod cache;
mod check;
mod list;
mod resources;
mod v2;

use clap::{Args, Subcommand};
use tulk_client::api::langs::{LanguageInclude, LanguageV2, ServiceResource, SupportedLanguage};

use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, Row as _};

/// Show supported languages and features
#[derive(Args, Debug)]
#[command(after_help = "tulk langs list --target\n\
                        tulk langs check --from en --to de --feature glossary")]
pub struct LangsArgs {
    /// What to do
    #[command(subcommand)]
    pub command: LangsCommand,
}

/// What to do.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum LangsCommand {
    /// List the languages of a resource with their features
    List(list::LanguageListArgs),
    /// List resources and the language support their features require
    Resources(resources::LanguageResourcesArgs),
    /// Check languages and features: exit 0 if supported, else 1
    Check(check::LanguageCheckArgs),
    /// List languages with the deprecated v2 operation
    V2(v2::LanguageListV2Args),
}

/// Which languages to ask for.
#[derive(Args, Clone, Debug)]
pub struct LanguageQueryArgs {
    /// Resource: translate_text, write, voice and others
    #[arg(
        long,
        value_name = "RESOURCE",
        default_value = "translate_text",
        value_parser = resource,
        long_help = "Resource: translate_text, translate_document, voice, write, glossary, style_rules, \
                     translation_memory, or another of `tulk langs resources`"
    )]
    pub resource: String,
    /// Include beta or external languages and features
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub include: Vec<LanguageInclude>,
    /// Whether cached replies are used.
    #[command(flatten)]
    pub cache: LanguageCacheArgs,
}

/// Whether cached replies are used.
#[derive(Args, Clone, Copy, Debug)]
pub struct LanguageCacheArgs {
    /// Ignore cached responses
    #[arg(long)]
    pub no_cache: bool,
}

/// Parses a resource; `-` is accepted for `_`, as in every value.
#[allow(clippy::unnecessary_wraps)] // the signature that clap needs
fn resource(text: &str) -> Result<String, String> {
    Ok(text.trim().to_ascii_lowercase().replace('-', "_"))
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::new("langs", LISTING)];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("langs list", SupportedLanguage::COLUMNS).note("a table has a column per feature instead"),
    CommandColumns::new("langs resources", ServiceResource::COLUMNS),
    CommandColumns::new("langs check", check::LanguageCheckResult::COLUMNS),
    CommandColumns::new("langs v2", LanguageV2::COLUMNS),
];

/// Runs the command.
pub async fn run(ctx: &Context, args: LangsArgs) -> Result<(), anyhow::Error> {
    match args.command {
        LangsCommand::List(args) => list::run(ctx, args).await,
        LangsCommand::Resources(args) => resources::run(ctx, args).await,
        LangsCommand::Check(args) => check::run(ctx, args).await,
        LangsCommand::V2(args) => v2::run(ctx, args).await,
    }
}
