//! `tulk style rules show`: the rules of a list, one a row.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::api::style::StyleRule;
use crate::commands::style::{get, shown};
use crate::context::Context;
use crate::error::Failure;
use crate::json::Kept;
use crate::output::{Cell, Table, View};

/// Show the rules of a list
#[derive(Args, Debug)]
pub struct ShowArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
}

/// The rules: their JSON is the service's object.
#[derive(Serialize)]
#[serde(transparent)]
struct Rules {
    whole: Box<RawValue>,
    #[serde(skip)]
    rows: Vec<[String; 3]>,
    #[serde(skip)]
    items: Vec<Box<RawValue>>,
}

/// Columns of the rules of a list.
pub const COLUMNS: &[&str] = &["category", "rule", "option"];

impl View for Rules {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS.iter().copied());
        self.rows.iter().for_each(|row| table.push(row.iter().map(Cell::from).collect()));
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}

/// Shows the rules.
pub async fn run(ctx: &Context, args: &ShowArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let list = get(ctx, &args.style).await?;
    print(ctx, &list)?;
    Ok(())
}

/// Prints the rules of a list that was read.
pub(super) fn print(ctx: &Context, list: &Kept<StyleRule>) -> Result<(), Failure> {
    #[derive(Deserialize)]
    struct Part<'a> {
        #[serde(borrow, default)]
        configured_rules: Option<&'a RawValue>,
    }
    #[derive(Serialize)]
    struct Item<'a> {
        category: &'a str,
        rule: &'a str,
        option: &'a str,
    }
    let fail = |e: serde_json::Error| Failure::internal(e.to_string());
    let part: Part = serde_json::from_str(list.raw().get()).map_err(fail)?;
    let whole = part.configured_rules.map_or_else(|| to_raw_value(&serde_json::Map::new()), |raw| Ok(raw.to_owned()));
    let rules = list.configured_rules.clone().unwrap_or_default();
    let flat = shown::flat(&rules);
    let items = flat.iter().map(|(category, rule, option)| to_raw_value(&Item { category, rule, option }));
    let items = items.collect::<Result<_, _>>().map_err(fail)?;
    let rows = flat.iter().map(|(c, r, o)| [(*c).to_owned(), (*r).to_owned(), o.clone()]).collect();
    ctx.out.show(&Rules { whole: whole.map_err(fail)?, rows, items })
}
