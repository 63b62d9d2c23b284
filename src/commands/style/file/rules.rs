//! Rules without a list: TOML or JSON, at the top level or under `configured_rules`.

use std::path::Path;

use serde_json::Map;
use tulk_base::error::{Failure, Origin};
use tulk_client::api::style::{ConfiguredRules, catalogue};

use super::text::{read_text, toml_failure};
use crate::context::Context;

/// Reads rules from a file, `-` for stdin.
pub fn read_rules(ctx: &Context, path: &Path) -> Result<ConfiguredRules, Failure> {
    let (source, text) = read_text(ctx, path)?;
    parse_rules(&source, &text)
}

fn parse_rules(source: &str, text: &str) -> Result<ConfiguredRules, Failure> {
    let mut rules: ConfiguredRules = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|e| {
            let (line, column) = (e.line() as u64, e.column() as u64);
            Failure::usage(format!("invalid JSON: {e}")).at(Origin::at(source, line, column))
        })?
    } else {
        toml::from_str(text).map_err(|e| toml_failure(source, text, &e))?
    };
    if let Some(inner) = rules.remove("configured_rules") {
        // Only the rules of an exported list are used.
        rules = inner.as_object().cloned().unwrap_or_else(Map::new);
    }
    match catalogue::shape_error(&rules) {
        None => Ok(rules),
        Some(error) => Err(Failure::usage(error)
            .at(Origin::whole(source))
            .hint("write [CATEGORY] and lines of rule = \"option\", or the same as JSON")),
    }
}

/// Warns about rules and options that are not in the catalogue. The service may support them nevertheless.
pub fn warn_about_unknown(ctx: &Context, rules: &ConfiguredRules) {
    if !ctx.args.no_check {
        for warning in catalogue::unknown_names(rules) {
            ctx.out.warn(&warning);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rules_from_toml_and_json_at_the_top_level_or_nested() {
        let expected: ConfiguredRules = serde_json::from_str(r#"{"punctuation":{"serial_comma":"use"}}"#).unwrap();
        for text in [
            "[punctuation]\nserial_comma = \"use\"\n",
            "name = \"x\"\n[configured_rules.punctuation]\nserial_comma = \"use\"\n",
            r#"{"punctuation":{"serial_comma":"use"}}"#,
            r#"{"style_id":"s","configured_rules":{"punctuation":{"serial_comma":"use"}}}"#,
        ] {
            assert_eq!(parse_rules("f", text).unwrap(), expected, "{text}");
        }
        assert!(parse_rules("f", "[punctuation]\nserial_comma = 3\n").is_err());
        assert!(parse_rules("f", "punctuation = \"use\"\n").is_err());
    }
}
