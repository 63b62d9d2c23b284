//! `tulk langs v2`: the deprecated list, for scripts that still compare with it.

use clap::Args;

use super::{Fresh, cached};
use crate::api::langs::{LanguageV2, ListLanguagesV2};
use crate::context::Context;
use crate::output::{Cell, Row};

/// List languages by the deprecated v2 operation
#[derive(Args, Debug)]
pub struct V2Args {
    /// Source languages, as without a flag
    #[arg(long, conflicts_with = "target")]
    pub source: bool,
    /// Target languages
    #[arg(long)]
    pub target: bool,
    /// Whether kept answers are passed over.
    #[command(flatten)]
    pub fresh: Fresh,
}

impl Row for LanguageV2 {
    const COLUMNS: &'static [&'static str] = &["language", "name", "supports_formality"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.language), Cell::from(&self.name), self.supports_formality.into()]
    }
}

/// Lists the languages of one role, and says that this way has an end.
pub async fn run(ctx: &Context, args: V2Args) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    ctx.out.warn("the service calls this operation deprecated; `tulk langs list` has more");
    let role = if args.target { "target" } else { "source" };
    let languages = cached::ask(ctx, &ListLanguagesV2 { r#type: role }, args.fresh).await?;
    ctx.out.list(&languages)?;
    Ok(())
}
