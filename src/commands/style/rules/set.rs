//! `tulk style rules set`: changes some rules and keeps the others, or replaces all. Either way it sends one PUT.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_client::api::style::StyleRule;
use tulk_client::api::style::{ConfiguredRules, GetStyleRule, ReplaceConfiguredRules};

use super::show::COLUMNS;
use super::show::StyleRulesView;
use crate::command::{CommandSpec, Run};
use crate::commands::style::file::{read_rules, warn_about_unknown};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::named;
use crate::named::names;

/// Change rules of a list, or replace them all
#[derive(Args, Debug)]
#[command(add = CommandSpec::change_list(COLUMNS).checks())]
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

/// A change of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleAssignment {
    category: String,
    rule: String,
    /// The new option; `None` removes the rule.
    option: Option<String>,
}

fn parse_assignment(text: &str) -> Result<RuleAssignment, String> {
    let invalid = || format!("`{text}` is not CATEGORY.RULE=OPTION, such as punctuation.serial_comma=use");
    let (name, option) = text.split_once('=').ok_or_else(invalid)?;
    let (category, rule) = name.split_once('.').ok_or_else(invalid)?;
    if category.is_empty() || rule.is_empty() {
        return Err(invalid());
    }
    let option = Some(option.to_owned()).filter(|option| !option.is_empty());
    Ok(RuleAssignment { category: category.to_owned(), rule: rule.to_owned(), option })
}

impl Run for StyleRulesSetArgs {
    /// Sends the rules and shows those of the list.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        if self.rules.is_empty() && !self.replace && self.file.is_none() {
            let failure = Failure::usage("no rules given");
            return Err(failure.hint("add CATEGORY.RULE=OPTION or --file; --replace alone removes all rules").into());
        }
        let given = match &self.file {
            Some(path) => read_rules(ctx, path)?,
            None => assign(ConfiguredRules::new(), &self.rules).0,
        };
        warn_about_unknown(ctx, &given);
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
        ctx.out.show(&StyleRulesView::new(&list)?)?;
        Ok(())
    }
}

/// Returns the changed rules, and the names of rules to remove that are not set.
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
