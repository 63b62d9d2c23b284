//! `tulk style create`: creates a list by flags, or with the rules and instructions of a file.

use std::path::PathBuf;

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;

use super::file::{StyleListFile, warn_about_unknown};
use super::views::DETAILED_COLUMNS;
use super::views::SAME_AS_DETAILED;
use super::views::StyleListsView;
use super::with_language_hint;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::known_names;

/// Create a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::change_list(DETAILED_COLUMNS).note(SAME_AS_DETAILED).checks().languages(LanguageUse::Style))]
#[command(after_help = "tulk style create \"Shop texts\" --language en\n\
                        tulk style create \"Web texts\" --file shop.toml")]
pub struct StyleCreateArgs {
    /// Name of the list, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language of the list
    #[arg(short, long, value_name = "LANG", required_unless_present = "file")]
    pub language: Option<LangCode>,
    /// TOML file with rules and instructions (- for stdin)
    #[arg(long, value_name = "FILE|-")]
    pub file: Option<PathBuf>,
}

impl Run for StyleCreateArgs {
    /// Creates the list and shows it.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let file = self.file.as_deref().map(|path| StyleListFile::read(ctx, path)).transpose()?.unwrap_or_default();
        let language = match (self.language, file.language.clone()) {
            (Some(flag), Some(in_file)) if flag != in_file => {
                return Err(Failure::usage(format!("--language is {flag}, but the file has language {in_file}"))
                    .hint("remove one of the two")
                    .into());
            }
            (Some(language), _) | (None, Some(language)) => language,
            (None, None) => return Err(Failure::usage("the file has no language").hint("add --language LANG").into()),
        };
        if let Some(rules) = &file.configured_rules {
            warn_about_unknown(ctx, rules);
        }
        let request = file.into_create_request(self.name, language);
        let list = ctx.client().await?.send(&request).await.map_err(with_language_hint)?;
        known_names::keep(ctx, &list).await;
        ctx.out.show(&StyleListsView::one(&list))?;
        Ok(())
    }
}
