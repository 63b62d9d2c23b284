//! `tulk langs list`: lists the languages of a resource.

use std::collections::BTreeSet;

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{LanguageQueryArgs, cache};
use crate::api::langs::{LanguageFeature, ListLanguages, SupportedLanguage};
use crate::commands::list_limit::ListLimitArgs;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::json::Kept;
use crate::output::{Cell, Row, Table, View};

/// List the languages of a resource with their features
#[derive(Args, Debug)]
#[command(after_help = "tulk langs list\n\
                        tulk langs list --target --columns lang,name\n\
                        tulk langs list --resource voice --include beta")]
pub struct LanguageListArgs {
    /// Which languages to ask for.
    #[command(flatten)]
    pub query: LanguageQueryArgs,
    /// List only source languages
    #[arg(long, conflicts_with = "target")]
    pub source: bool,
    /// List only target languages
    #[arg(long)]
    pub target: bool,
    /// How many languages to print.
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Row for SupportedLanguage {
    const COLUMNS: &'static [&'static str] =
        &["lang", "name", "usable_as_source", "usable_as_target", "status", "features"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.lang),
            Cell::from(&self.name),
            self.usable_as_source.into(),
            self.usable_as_target.into(),
            Cell::from(&self.status),
            Cell::list(self.features.keys()),
        ]
    }
}

/// The languages; as a table, with one column per feature.
#[derive(Serialize)]
#[serde(transparent)]
struct LanguageListView {
    languages: Vec<Kept<SupportedLanguage>>,
    #[serde(skip)]
    feature_columns: bool,
}

impl View for LanguageListView {
    fn table(&self) -> Table {
        if !self.feature_columns {
            return Table::from_rows(&self.languages);
        }
        let features: BTreeSet<&String> = self.languages.iter().flat_map(|l| l.features.keys()).collect();
        let mut columns = vec!["lang", "name", "source", "target", "status"];
        columns.extend(features.iter().map(|name| name.as_str()));
        let mut table = Table::new(columns);
        let yes = |value: bool| Cell::from(if value { "yes" } else { "" });
        for language in &self.languages {
            let mut row = vec![
                Cell::from(&language.lang),
                Cell::from(&language.name),
                yes(language.usable_as_source),
                yes(language.usable_as_target),
                Cell::from(&language.status),
            ];
            row.extend(features.iter().map(|name| Cell::from(feature_text(language.features.get(*name)))));
            table.push(row);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.languages.iter().map(Kept::raw).collect()
    }
}

/// Returns `yes` for a stable feature, else its status.
fn feature_text(feature: Option<&LanguageFeature>) -> String {
    let Some(feature) = feature else { return String::new() };
    let status = feature.status.as_deref().unwrap_or("stable");
    match (status, feature.external == Some(true)) {
        ("stable", false) => "yes".to_owned(),
        ("stable", true) => "external".to_owned(),
        (status, false) => status.to_owned(),
        (status, true) => format!("{status},external"),
    }
}

/// Lists the languages: all, or only source or target languages.
pub async fn run(ctx: &Context, args: LanguageListArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let LanguageQueryArgs { resource, include, cache: cache_args } = args.query;
    let languages = cache::send(ctx, &ListLanguages { resource, include }, cache_args).await?;
    let feature_columns = ctx.out.settings().format() == OutputFormat::Table && ctx.out.settings().columns().is_empty();
    if !args.source && !args.target && !feature_columns {
        ctx.out.list(args.limit.first(&languages))?;
        return Ok(());
    }
    let mut languages = languages.into_typed();
    languages.retain(|l| (!args.source || l.usable_as_source) && (!args.target || l.usable_as_target));
    languages.truncate(args.limit.count());
    ctx.out.show(&LanguageListView { languages, feature_columns })?;
    Ok(())
}
