//! `tulk langs`: the languages of the service, and the features of each.
//!
//! It takes a resource, such as text translation, and languages or features to check. It prints languages, resources, or
//! whether something is supported. Replies are cached for an hour.

mod cache;
mod check;
mod list;
mod resources;
mod v2;

use clap::Args;
use tulk_client::api::langs::LanguageInclude;

use crate::command::command_group;

command_group! {
    /// Show supported languages and features
    #[command(after_help = "tulk langs list --target\n\
                            tulk langs check --from en --to de --feature glossary")]
    pub struct LangsArgs;

    /// What to do.
    pub enum LangsCommand {
        List(list::LanguageListArgs),
        Resources(resources::LanguageResourcesArgs),
        Check(check::LanguageCheckArgs),
        V2(v2::LanguageListV2Args),
    }
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
