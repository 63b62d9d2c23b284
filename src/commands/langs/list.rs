//! `tulk langs list`, `resources` and `v2`: list languages and resources.

use std::collections::BTreeSet;

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_client::api::langs::{
    LanguageFeature, LanguageV2, ListLanguages, ListLanguagesV2, ListResources, ResourceFeature, ServiceResource,
    SupportedLanguage,
};

use super::query::{self, LanguageCacheArgs, LanguageQueryArgs};
use crate::command::{CommandSpec, Run};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{Cell, Column, ColumnKind, EmptyNote, Row, StatusWord, Table, TableColumn, View};
use crate::reports::list_limit::ListLimitArgs;

/// List the languages of a resource with their features
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<SupportedLanguage>()
    .note("a table has a column per feature instead")
    .checks_before_sending())]
#[command(after_help = "tulk langs list\n\
                        tulk langs list --target --columns lang,name\n\
                        tulk langs list --resource voice --include beta")]
pub struct LanguageListArgs {
    #[command(flatten)]
    pub query: LanguageQueryArgs,
    /// List only source languages
    #[arg(long, conflicts_with = "target")]
    pub source: bool,
    /// List only target languages
    #[arg(long)]
    pub target: bool,
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

/// Width of the longest language names. They are cut only if no other column can be dropped.
const LONGEST_NAME: usize = 30;
/// Statuses that get a colour; `stable` has none.
const LANGUAGE_STATUSES: &[StatusWord] = &[StatusWord::working("beta"), StatusWord::working("early_access")];

impl Row for SupportedLanguage {
    const COLUMNS: &'static [Column] = &[
        Column::text("lang").header("CODE").rank(0),
        Column::name("name").minimum(LONGEST_NAME),
        Column::flag("usable_as_source").header("SOURCE").rank(1),
        Column::flag("usable_as_target").header("TARGET").rank(1),
        Column::status("status", LANGUAGE_STATUSES).usual("stable"),
        Column::text("features"),
    ];

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

#[derive(Serialize)]
#[serde(transparent)]
struct LanguageListView {
    languages: Vec<WithRaw<SupportedLanguage>>,
    #[serde(skip)]
    features: FeatureColumns,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FeatureColumns {
    /// As a list in one column.
    List,
    /// One column per feature.
    Each,
    /// Both, so `--columns` can name either.
    Both,
}

impl View for LanguageListView {
    fn table(&self) -> Table {
        let mut table = Table::from_rows(&self.languages);
        if self.features == FeatureColumns::List {
            return table;
        }
        if self.features == FeatureColumns::Each {
            table.columns.pop();
            table.rows.iter_mut().for_each(|row| _ = row.pop());
        }
        let names: BTreeSet<&String> = self.languages.iter().flat_map(|l| l.features.keys()).collect();
        table.columns.extend(names.iter().map(|name| TableColumn::dynamic(*name, ColumnKind::Flag, 2)));
        for (row, language) in table.rows.iter_mut().zip(&self.languages) {
            row.extend(names.iter().map(|name| Cell::from(feature_text(language.features.get(*name)))));
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.languages.iter().map(WithRaw::raw).collect()
    }
}

/// Returns `true` for a stable feature of the service, otherwise what limits it, such as `beta` or `external`.
fn feature_text(feature: Option<&LanguageFeature>) -> String {
    let Some(feature) = feature else { return String::new() };
    let status = feature.status.as_deref().unwrap_or("stable");
    match (status, feature.external == Some(true)) {
        ("stable", false) => "true".to_owned(),
        ("stable", true) => "external".to_owned(),
        (status, false) => status.to_owned(),
        (status, true) => format!("{status},external"),
    }
}

impl Run for LanguageListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let LanguageQueryArgs { resource, include, cache: cache_args } = self.query;
        let sent = query::send(ctx, &ListLanguages { resource, include }, cache_args).await;
        let is_resource = |failure: &Failure| failure.service.as_ref().is_some_and(|service| service.names("resource"));
        let languages = sent.map_err(|failure| match failure.kind {
            Kind::Refused if is_resource(&failure) => failure.hint("`tulk langs resources` lists the resources"),
            _ => failure,
        })?;
        let settings = ctx.out.settings();
        let features = match settings.format() {
            _ if !settings.columns.is_empty() => FeatureColumns::Both,
            OutputFormat::Table => FeatureColumns::Each,
            _ => FeatureColumns::List,
        };
        if !self.source && !self.target && features == FeatureColumns::List {
            return Ok(ctx.out.list(self.limit.first(&languages))?);
        }
        let mut languages = languages.into_typed();
        languages.retain(|l| (!self.source || l.usable_as_source) && (!self.target || l.usable_as_target));
        let is_empty = languages.is_empty();
        languages.truncate(self.limit.count());
        ctx.out.show(&LanguageListView { languages, features })?;
        if is_empty {
            ctx.out.print_empty_note(
                &EmptyNote::new("No languages match.").next("See the resources", "tulk langs resources"),
            );
        }
        Ok(())
    }
}

/// List resources, and whether source or target must support each feature
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<ServiceResource>())]
#[command(after_help = "tulk langs resources")]
pub struct LanguageResourcesArgs {
    #[command(flatten)]
    pub cache: LanguageCacheArgs,
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Row for ServiceResource {
    const COLUMNS: &'static [Column] = &[Column::name("name"), Column::text("features").rank(0)];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.name), Cell::list(self.features.iter().map(resource_feature_text))]
    }
}

/// Formats a feature with the languages that must support it, such as `glossary:source+target`.
fn resource_feature_text(feature: &ResourceFeature) -> String {
    let sides = match (feature.needs_source_support, feature.needs_target_support) {
        (true, true) => ":source+target",
        (true, false) => ":source",
        (false, true) => ":target",
        (false, false) => "",
    };
    format!("{}{sides}", feature.name)
}

impl Run for LanguageResourcesArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let resources = query::send(ctx, &ListResources {}, self.cache).await?;
        Ok(self.limit.list(ctx, &resources, &EmptyNote::new("No resources."))?)
    }
}

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
    #[command(flatten)]
    pub cache: LanguageCacheArgs,
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Row for LanguageV2 {
    const COLUMNS: &'static [Column] = &[
        Column::text("language").header("CODE").rank(0),
        Column::name("name").minimum(LONGEST_NAME),
        Column::flag("supports_formality").header("FORMALITY"),
    ];
}

impl Run for LanguageListV2Args {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.warn("this operation is deprecated; use `tulk langs list`");
        let role = if self.target { "target" } else { "source" };
        let languages = query::send(ctx, &ListLanguagesV2 { r#type: role }, self.cache).await?;
        Ok(self.limit.list(ctx, &languages, &EmptyNote::new("No languages."))?)
    }
}
