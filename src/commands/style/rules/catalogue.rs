//! `tulk style rules catalogue`: the rules and options that were known when tulk was built. Sends no request.

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_base::suggest;
use tulk_client::api::style::catalogue::{self, CatalogueRule};

use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::output::{Cell, Column, ListView, Row};

/// List known rules and their options
///
/// The service may have more rules: rules that are not listed are sent with a warning.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CatalogueRuleRow>().offline())]
#[command(after_help = "tulk style rules catalogue\n\
                        tulk style rules catalogue punctuation")]
pub struct RuleCatalogueArgs {
    /// List only this category or rule
    #[arg(value_name = "CATEGORY[.RULE]", add = ValueKind::StyleRules(false))]
    pub name: Option<String>,
}

/// A rule of the catalogue, as a row.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct CatalogueRuleRow {
    category: String,
    rule: String,
    options: Vec<String>,
}

impl From<&CatalogueRule> for CatalogueRuleRow {
    fn from(rule: &CatalogueRule) -> Self {
        Self {
            category: rule.category.to_owned(),
            rule: rule.rule.to_owned(),
            options: rule.options.iter().map(|option| (*option).to_owned()).collect(),
        }
    }
}

impl Row for CatalogueRuleRow {
    const COLUMNS: &'static [Column] =
        &[Column::text("category").rank(0), Column::text("rule").rank(0), Column::text("options").rank(0)];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.category), Cell::from(&self.rule), Cell::list(&self.options)]
    }
}

impl Run for RuleCatalogueArgs {
    /// Lists all rules, or those of a category, or one.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let name = self.name.as_deref();
        let (category, rule) = match name.and_then(|name| name.split_once('.')) {
            Some((category, rule)) => (Some(category), Some(rule)),
            None => (name, None),
        };
        let is_listed = |known: &&CatalogueRule| {
            category.is_none_or(|category| category == known.category) && rule.is_none_or(|rule| rule == known.rule)
        };
        let listed = catalogue::rules().iter().filter(is_listed);
        let rows =
            listed.map(|known| Kept::from_typed(CatalogueRuleRow::from(known))).collect::<Result<Vec<_>, _>>()?;
        match name {
            Some(name) if rows.is_empty() => Err(unknown_name(name).into()),
            // The options of one rule are all that is asked for.
            _ if rule.is_some() => Ok(ctx.out.show(&ListView::new(&rows).in_blocks())?),
            _ => Ok(ctx.out.list(&rows)?),
        }
    }
}

fn unknown_name(name: &str) -> Failure {
    let names = |known: &CatalogueRule| [known.category.to_owned(), format!("{}.{}", known.category, known.rule)];
    let names: Vec<String> = catalogue::rules().iter().flat_map(names).collect();
    Failure::new(Kind::NotFound, format!("unknown category or rule `{name}`")).hint(suggest::hint(
        name,
        names.iter().map(String::as_str),
        "tulk style rules catalogue",
    ))
}
