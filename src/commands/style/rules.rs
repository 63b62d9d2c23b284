//! `tulk style rules`: shows and sets the predefined rules of a style rule list, and lists the rules of the catalogue.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::value_error::ValueError;
use tulk_base::{shell, suggest};
use tulk_client::api::style::catalogue::{self, CatalogueRule};
use tulk_client::api::style::{ConfiguredRules, GetStyleRule, ReplaceConfiguredRules, StyleRule};

use super::file::{read_rules, refuse_unknown};
use super::lists;
use super::lists::{StyleNameArgs, read_list};
use crate::command::{CommandSpec, Run, command_group};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Cell, Column, EmptyNote, ListView, Row, Table, View};

command_group! {
    /// Show and set predefined rules
    #[command(after_help = "tulk style rules catalogue\n\
                            tulk style rules set Shop punctuation.serial_comma=use")]
    pub struct StyleRulesArgs;

    pub enum StyleRulesCommand {
        Show(StyleRulesShowArgs),
        Set(StyleRulesSetArgs),
        Catalogue(RuleCatalogueArgs),
    }
}

pub const COLUMNS: &[Column] =
    &[Column::text("category").rank(0), Column::text("rule").rank(0), Column::text("option").rank(0)];

/// Show the rules of a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS))]
#[command(after_help = "tulk style rules show Shop")]
pub struct StyleRulesShowArgs {
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleRulesShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        let view = StyleRulesView::new(&list)?;
        ctx.out.show(&view)?;
        if view.rows.is_empty() {
            let set = format!("tulk style rules set {} CATEGORY.RULE=OPTION", shell::quote(&args.style));
            ctx.out.print_empty_note(&EmptyNote::new("No rules yet.").next("Set one", &set));
        }
        Ok(())
    }
}

/// The JSON is the object that the service sent.
#[derive(Serialize)]
#[serde(transparent)]
pub struct StyleRulesView {
    json: Box<RawValue>,
    #[serde(skip)]
    rows: Vec<[String; 3]>,
    #[serde(skip)]
    items: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct ConfiguredRulesField<'a> {
    #[serde(borrow, default)]
    configured_rules: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct StyleRuleItem<'a> {
    category: &'a str,
    rule: &'a str,
    option: &'a str,
}

impl StyleRulesView {
    pub fn new(list: &WithRaw<StyleRule>) -> Result<Self, serde_json::Error> {
        let field: ConfiguredRulesField = serde_json::from_str(list.raw().get())?;
        let json = match field.configured_rules {
            Some(rules) => rules.to_owned(),
            None => to_raw_value(&serde_json::Map::new())?,
        };
        let rules = list.configured_rules.clone().unwrap_or_default();
        let mut view = Self { json, rows: Vec::new(), items: Vec::new() };
        for (category, rule, option) in lists::rule_options(&rules) {
            view.items.push(to_raw_value(&StyleRuleItem { category, rule, option: &option })?);
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

/// Change rules of a list, or replace them all
#[derive(Args, Debug)]
#[command(add = CommandSpec::change_list(COLUMNS).checks_before_sending())]
#[command(after_help = "tulk style rules set Shop punctuation.serial_comma=use\n\
                        tulk style rules set Shop numbers.decimal_separator=\n\
                        tulk style rules set Shop --file shop.toml")]
pub struct StyleRulesSetArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
    /// Rules to set; an empty option removes the rule
    #[arg(value_name = "CATEGORY.RULE=OPTION", value_parser = parse_assignment, add = ValueKind::StyleRules(true))]
    pub rules: Vec<RuleAssignment>,
    /// Replace all rules with the given ones
    #[arg(long)]
    pub replace: bool,
    /// Replace all rules with those of a TOML or JSON file
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["rules", "replace"])]
    pub file: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleAssignment {
    category: String,
    rule: String,
    /// `None` removes the rule.
    option: Option<String>,
}

fn parse_assignment(text: &str) -> Result<RuleAssignment, ValueError> {
    let what = || format!("`{text}` is not CATEGORY.RULE=OPTION, such as punctuation.serial_comma=use");
    let invalid = || ValueError::new(text, what());
    let (name, option) = text.split_once('=').ok_or_else(invalid)?;
    let (category, rule) = name.split_once('.').ok_or_else(invalid)?;
    if category.is_empty() || rule.is_empty() {
        return Err(invalid());
    }
    let option = Some(option.to_owned()).filter(|option| !option.is_empty());
    Ok(RuleAssignment { category: category.to_owned(), rule: rule.to_owned(), option })
}

impl Run for StyleRulesSetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        if self.rules.is_empty() && !self.replace && self.file.is_none() {
            let failure = Failure::usage("no rules given");
            return Err(failure.hint("add CATEGORY.RULE=OPTION or --file; --replace alone removes all rules").into());
        }
        let given = match &self.file {
            Some(path) => read_rules(ctx, path)?,
            None => assign(ConfiguredRules::new(), &self.rules).0,
        };
        refuse_unknown(ctx, &given, self.file.as_deref())?;
        let style_id = named::style(ctx, &self.style).await?;
        let client = ctx.client().await?;
        let rules = if self.replace || self.file.is_some() {
            given
        } else {
            let list = client.send(&GetStyleRule { style_id: style_id.clone() }).await?;
            let (rules, not_set) = assign(list.configured_rules.clone().unwrap_or_default(), &self.rules);
            for name in not_set {
                ctx.out.warn(&format!("cannot remove `{name}`: it is not set"));
            }
            rules
        };
        let list = client.send(&ReplaceConfiguredRules { style_id, rules }).await?;
        Ok(ctx.out.show(&StyleRulesView::new(&list)?)?)
    }
}

/// Returns the changed rules, and the names of rules that could not be removed because they are not set.
fn assign(mut rules: ConfiguredRules, changes: &[RuleAssignment]) -> (ConfiguredRules, Vec<String>) {
    let mut not_set = Vec::new();
    for RuleAssignment { category, rule, option } in changes {
        if let Some(option) = option {
            let inner = rules.entry(category.clone()).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                inner.insert(rule.clone(), Value::String(option.clone()));
            }
            continue;
        }
        let inner = rules.get_mut(category).and_then(Value::as_object_mut);
        let (removed, empty) = match inner {
            Some(inner) => (inner.remove(rule).is_some(), inner.is_empty()),
            None => (false, false),
        };
        if empty {
            rules.remove(category);
        }
        if !removed {
            not_set.push(format!("{category}.{rule}"));
        }
    }
    (rules, not_set)
}

/// List known rules and their options
///
/// The service may support more rules; rules that are not listed are sent only with --no-check.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<CatalogueRuleRow>())]
#[command(after_help = "tulk style rules catalogue\n\
                        tulk style rules catalogue punctuation")]
pub struct RuleCatalogueArgs {
    /// List only this category or rule
    #[arg(value_name = "CATEGORY[.RULE]", add = ValueKind::StyleRules(false))]
    pub name: Option<String>,
}

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
}

impl Run for RuleCatalogueArgs {
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
            listed.map(|known| WithRaw::from_typed(CatalogueRuleRow::from(known))).collect::<Result<Vec<_>, _>>()?;
        match name {
            Some(name) if rows.is_empty() => Err(unknown_name(name).into()),
            // A block shows the many options of one rule better than a table row.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn assigned(rules: &str, changes: &[&str]) -> (String, Vec<String>) {
        let changes: Vec<_> = changes.iter().map(|text| parse_assignment(text).unwrap()).collect();
        let (rules, not_set) = assign(serde_json::from_str(rules).unwrap(), &changes);
        (serde_json::to_string(&rules).unwrap(), not_set)
    }

    #[test]
    fn changes_the_given_rules_and_keeps_the_others() {
        let before = r#"{"new":{"x":"y"},"punctuation":{"dash":"use_hyphen","serial_comma":"use"}}"#;
        let (rules, not_set) =
            assigned(before, &["punctuation.serial_comma=do_not_use", "numbers.a=b=c", "punctuation.dash="]);
        assert_eq!(rules, r#"{"new":{"x":"y"},"numbers":{"a":"b=c"},"punctuation":{"serial_comma":"do_not_use"}}"#);
        assert_eq!(not_set, [""; 0]);
        let (rules, not_set) = assigned(before, &["new.x=", "new.z=", "punctuation.none="]);
        assert_eq!(rules, r#"{"punctuation":{"dash":"use_hyphen","serial_comma":"use"}}"#);
        assert_eq!(not_set, ["new.z", "punctuation.none"]);
    }

    #[test]
    fn refuses_invalid_assignments() {
        for text in ["", "a", "a=b", ".b=c", "a.=c", "a.b"] {
            assert!(parse_assignment(text).is_err(), "{text}");
        }
    }
}
