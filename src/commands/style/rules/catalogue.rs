//! `tulk style rules catalogue`: the rules and options that were known when this was built. Asks nobody.

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::api::style::catalogue;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::output::{Cell, Row};
use crate::suggest;

/// List the rules and options that tulk knows
#[derive(Args, Debug)]
#[command(after_help = "The service may know more: what is not listed is sent with a warning.")]
pub struct CatalogueArgs {
    /// Only this category, or this rule
    #[arg(value_name = "CATEGORY[.RULE]")]
    pub name: Option<String>,
}

/// A rule as it is listed.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Known {
    category: String,
    rule: String,
    options: Vec<String>,
}

impl Row for Known {
    const COLUMNS: &'static [&'static str] = &["category", "rule", "options"];

    fn cells(&self) -> Vec<Cell> {
        vec![Cell::from(&self.category), Cell::from(&self.rule), Cell::list(&self.options)]
    }
}

/// Lists the rules, all or those named.
pub fn run(ctx: &Context, args: &CatalogueArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let name = args.name.as_deref();
    let (category, rule) = match name.and_then(|name| name.split_once('.')) {
        Some((category, rule)) => (Some(category), Some(rule)),
        None => (name, None),
    };
    let rules = catalogue::rules()
        .iter()
        .filter(|known| category.is_none_or(|c| c == known.category) && rule.is_none_or(|r| r == known.rule))
        .map(|known| {
            Kept::made(Known {
                category: known.category.to_owned(),
                rule: known.rule.to_owned(),
                options: known.options.iter().map(|option| (*option).to_owned()).collect(),
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(name) = name.filter(|_| rules.is_empty()) {
        let whole = |known: &catalogue::CatalogueRule| {
            [known.category.to_owned(), format!("{}.{}", known.category, known.rule)]
        };
        let names: Vec<String> = catalogue::rules().iter().flat_map(whole).collect();
        let failure = Failure::new(Kind::NotFound, format!("tulk knows no category or rule `{name}`"));
        return Err(failure
            .hint(suggest::hint(name, names.iter().map(String::as_str), "tulk style rules catalogue"))
            .into());
    }
    ctx.out.list(&rules)?;
    Ok(())
}
