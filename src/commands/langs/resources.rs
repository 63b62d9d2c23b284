//! `tulk langs resources`: lists the resources of the service, and which languages must support each feature.

use clap::Args;
use tulk_client::api::langs::{ListResources, ResourceFeature, ServiceResource};

use super::{LanguageCacheArgs, cache};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

/// List resources and the language support their features require
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<ServiceResource>())]
#[command(after_help = "tulk langs resources")]
pub struct LanguageResourcesArgs {
    /// Whether cached replies are used.
    #[command(flatten)]
    pub cache: LanguageCacheArgs,
    /// How many rows to print.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Row for ServiceResource {
    const COLUMNS: &'static [Column] = &[Column::name("name"), Column::text("features").rank(0)];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.name), Cell::list(self.features.iter().map(feature_text))]
    }
}

/// Returns a feature with the languages that must support it: `glossary:source+target`.
fn feature_text(feature: &ResourceFeature) -> String {
    let sides = match (feature.needs_source_support, feature.needs_target_support) {
        (true, true) => ":source+target",
        (true, false) => ":source",
        (false, true) => ":target",
        (false, false) => "",
    };
    format!("{}{sides}", feature.name)
}

impl Run for LanguageResourcesArgs {
    /// Lists the resources.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let resources = cache::send(ctx, &ListResources {}, self.cache).await?;
        self.limit.list(ctx, &resources, &EmptyNote::new("No resources."))?;
        Ok(())
    }
}
