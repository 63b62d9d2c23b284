//! `tulk style rules set`: change some rules and keep the rest, or replace them all; one PUT either way.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};

use super::show;
use crate::api::style::{ConfiguredRules, GetStyleRule, ReplaceConfiguredRules};
use crate::commands::named;
use crate::commands::style::file::{read_rules, warn_unknown};
use crate::context::Context;
use crate::error::Failure;

/// Change rules of a list, or replace them all
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  tulk style rules set \"Shop texts\" punctuation.serial_comma=use numbers.decimal_separator="
)]
pub struct SetArgs {
    /// Style rule list, by ID or name
    #[arg(value_name = "STYLE")]
    pub style: String,
    /// Rules to set; without an option the rule is removed
    #[arg(value_name = "CATEGORY.RULE=OPTION", value_parser = assignment)]
    pub rules: Vec<Assignment>,
    /// Replace all rules by those given
    #[arg(long)]
    pub replace: bool,
    /// Replace all rules by those of a TOML or JSON file
    #[arg(long, value_name = "FILE|-", conflicts_with_all = ["rules", "replace"])]
    pub file: Option<PathBuf>,
}

/// One rule with its option, or without one to remove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    category: String,
    rule: String,
    option: Option<String>,
}

fn assignment(text: &str) -> Result<Assignment, String> {
    let wrong = || format!("`{text}` is not CATEGORY.RULE=OPTION, such as punctuation.serial_comma=use");
    let (name, option) = text.split_once('=').ok_or_else(wrong)?;
    let (category, rule) = name.split_once('.').ok_or_else(wrong)?;
    if category.is_empty() || rule.is_empty() {
        return Err(wrong());
    }
    let option = Some(option.to_owned()).filter(|option| !option.is_empty());
    Ok(Assignment { category: category.to_owned(), rule: rule.to_owned(), option })
}

/// Sends the rules and shows what the list has then.
pub async fn run(ctx: &Context, args: SetArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    if args.rules.is_empty() && !args.replace && args.file.is_none() {
        let failure = Failure::usage("there is no rule to set");
        return Err(failure.hint("give CATEGORY.RULE=OPTION or --file; --replace alone removes all rules").into());
    }
    let given = match &args.file {
        Some(path) => read_rules(ctx, path)?,
        None => merged(ConfiguredRules::new(), &args.rules).0,
    };
    warn_unknown(ctx, &given);
    let style_id = named::style(ctx, &args.style).await?;
    let client = ctx.client().await?;
    let rules = if args.replace || args.file.is_some() {
        given
    } else {
        let list = client.send(&GetStyleRule { style_id: style_id.clone() }).await?;
        let (rules, absent) = merged(list.configured_rules.clone().unwrap_or_default(), &args.rules);
        for name in absent {
            ctx.out.warn(&format!("`{name}` was not set"));
        }
        rules
    };
    let list = client.send(&ReplaceConfiguredRules { style_id, rules }).await?;
    show::print(ctx, &list)?;
    Ok(())
}

/// The rules with the changes, and the names that were to be removed and are not there.
fn merged(mut rules: ConfiguredRules, changes: &[Assignment]) -> (ConfiguredRules, Vec<String>) {
    let mut absent = Vec::new();
    for Assignment { category, rule, option } in changes {
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
            absent.push(format!("{category}.{rule}"));
        }
    }
    (rules, absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rules: &str, changes: &[&str]) -> (String, Vec<String>) {
        let changes: Vec<_> = changes.iter().map(|text| assignment(text).unwrap()).collect();
        let (rules, absent) = merged(serde_json::from_str(rules).unwrap(), &changes);
        (serde_json::to_string(&rules).unwrap(), absent)
    }

    #[test]
    fn changes_what_is_named_and_keeps_the_rest() {
        let before = r#"{"new":{"x":"y"},"punctuation":{"dash":"use_hyphen","serial_comma":"use"}}"#;
        let (rules, absent) =
            after(before, &["punctuation.serial_comma=do_not_use", "numbers.a=b=c", "punctuation.dash="]);
        assert_eq!(rules, r#"{"new":{"x":"y"},"numbers":{"a":"b=c"},"punctuation":{"serial_comma":"do_not_use"}}"#);
        assert_eq!(absent, [""; 0]);
        let (rules, absent) = after(before, &["new.x=", "new.z=", "punctuation.none="]);
        assert_eq!(rules, r#"{"punctuation":{"dash":"use_hyphen","serial_comma":"use"}}"#);
        assert_eq!(absent, ["new.z", "punctuation.none"]);
    }

    #[test]
    fn refuses_what_is_no_assignment() {
        for text in ["", "a", "a=b", ".b=c", "a.=c", "a.b"] {
            assert!(assignment(text).is_err(), "{text}");
        }
    }
}
