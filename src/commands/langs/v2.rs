//! `tulk langs v2`: the deprecated list of languages, for scripts that still use it.

use clap::Args;
use tulk_client::api::langs::{LanguageV2, ListLanguagesV2};

use super::{LanguageCacheArgs, cache};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

/// List languages with the deprecated v2 operation
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<LanguageV2>())]
#[command(after_help = "tulk langs v2 --target")]
pub struct LanguageListV2Args {
    /// List only source languages (default)
    #[arg(long, conflicts_with = "target")]
    pub source: bool,
    /// List only target languages
    #[arg(long)]
    pub target: bool,
    /// Whether cached replies are used.
    #[command(flatten)]
    pub cache: LanguageCacheArgs,
    /// How many rows to print.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Row for LanguageV2 {
    const COLUMNS: &'static [Column] = &[
        Column::text("language").header("CODE").rank(0),
        Column::name("name"),
        Column::flag("supports_formality").header("FORMALITY"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.language), Cell::from(&self.name), self.supports_formality.into()]
    }
}

impl Run for LanguageListV2Args {
    /// Lists source or target languages, and warns that the operation is deprecated.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.warn("this operation is deprecated; use `tulk langs list`");
        let role = if self.target { "target" } else { "source" };
        let languages = cache::send(ctx, &ListLanguagesV2 { r#type: role }, self.cache).await?;
        self.limit.list(ctx, &languages, &EmptyNote::new("No languages."))?;
        Ok(())
    }
}
