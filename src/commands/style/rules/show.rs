//! `tulk style rules show`: the rules of a list, one per row.

use clap::Args;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_base::shell;
use tulk_client::api::style::StyleRule;

use crate::command::{CommandSpec, Run};
use crate::commands::style::{StyleNameArgs, read_list, views};
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Table, View};

/// The columns of the rules of a list.
pub const COLUMNS: &[Column] =
    &[Column::text("category").rank(0), Column::text("rule").rank(0), Column::text("option").rank(0)];

/// Show the rules of a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS))]
#[command(after_help = "tulk style rules show Shop")]
pub struct StyleRulesShowArgs {
    /// The style rule list.
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleRulesShowArgs {
    /// Shows the rules of a list.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        let view = StyleRulesView::new(&list)?;
        ctx.out.show(&view)?;
        if view.rows.is_empty() {
            let set = format!("tulk style rules set {} CATEGORY.RULE=OPTION", shell::quote(&args.style));
            ctx.out.empty(&EmptyNote::new("No rules yet.").next("Set one", &set));
        }
        Ok(())
    }
}

/// The rules of a list. Their JSON is the object of the service.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct StyleRulesView {
    json: Box<RawValue>,
    #[serde(skip)]
    rows: Vec<[String; 3]>,
    #[serde(skip)]
    items: Vec<Box<RawValue>>,
}

/// The field of a list that has the rules.
#[derive(Deserialize)]
struct ConfiguredRulesField<'a> {
    #[serde(borrow, default)]
    configured_rules: Option<&'a RawValue>,
}

/// One rule as a line of JSON.
#[derive(Serialize)]
struct StyleRuleItem<'a> {
    category: &'a str,
    rule: &'a str,
    option: &'a str,
}

impl StyleRulesView {
    /// Creates the view of the rules of a list.
    pub(super) fn new(list: &Kept<StyleRule>) -> Result<Self, Failure> {
        let fail = |e: serde_json::Error| Failure::internal(e.to_string());
        let field: ConfiguredRulesField = serde_json::from_str(list.raw().get()).map_err(fail)?;
        let json = match field.configured_rules {
            Some(rules) => rules.to_owned(),
            None => to_raw_value(&serde_json::Map::new()).map_err(fail)?,
        };
        let rules = list.configured_rules.clone().unwrap_or_default();
        let mut view = Self { json, rows: Vec::new(), items: Vec::new() };
        for (category, rule, option) in views::rule_options(&rules) {
            view.items.push(to_raw_value(&StyleRuleItem { category, rule, option: &option }).map_err(fail)?);
            view.rows.push([category.to_owned(), rule.to_owned(), option]);
        }
        Ok(view)
    }
}

impl View for StyleRulesView {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS);
        self.rows.iter().for_each(|row| table.push(row.iter().map(Cell::from).collect()));
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}
