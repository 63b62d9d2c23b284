//! `tulk langs resources`: what the service offers, and which side each feature needs.

use clap::Args;

use super::{Fresh, cached};
use crate::api::langs::{LanguageResource, ListResources, ResourceFeature};
use crate::context::Context;
use crate::output::{Cell, Row};

/// List the resources and what their features need
#[derive(Args, Debug)]
pub struct ResourcesArgs {
    /// Whether kept answers are passed over.
    #[command(flatten)]
    pub fresh: Fresh,
}

impl Row for LanguageResource {
    const COLUMNS: &'static [&'static str] = &["name", "features"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.name), Cell::list(self.features.iter().map(sides))]
    }
}

/// A feature with the sides that must have it: `glossary:source+target`.
fn sides(feature: &ResourceFeature) -> String {
    let sides = match (feature.needs_source_support, feature.needs_target_support) {
        (true, true) => ":source+target",
        (true, false) => ":source",
        (false, true) => ":target",
        (false, false) => "",
    };
    format!("{}{sides}", feature.name)
}

/// Lists the resources.
pub async fn run(ctx: &Context, args: ResourcesArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let resources = cached::ask(ctx, &ListResources {}, args.fresh).await?;
    ctx.out.list(&resources)?;
    Ok(())
}
