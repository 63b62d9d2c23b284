//! Writes the project file for detected layouts.

use std::collections::{BTreeMap, BTreeSet};

use tulk_catalogs::Dialect;

use super::super::project::{LangStyle, LangTag};
use super::{FoundLayout, FoundRule};

/// Returns the text of the project file, which is valid if there is at least one layout. If there are no translations,
/// the target language is an example.
pub fn render_config(layouts: &[FoundLayout]) -> String {
    let source = layouts.iter().find_map(|layout| layout.source_lang.as_deref()).unwrap_or("en");
    let targets: BTreeSet<&str> = layouts.iter().flat_map(|layout| &layout.target_langs).map(String::as_str).collect();
    let targets: Vec<&str> = targets.into_iter().filter(|lang| *lang != source).collect();
    let mut lines = vec![
        "# The message catalogues of this project; `tulk sync` translates what is missing or has changed.".to_owned(),
        String::new(),
        "[sync]".to_owned(),
        format!("source_lang = {}", toml_string(source)),
    ];
    if targets.is_empty() {
        lines.push("# No translations were found: list the languages that you want.".to_owned());
        lines.push(format!("target_langs = [{}]", toml_string(example_target(source))));
    } else {
        lines.push(format!("target_langs = {}", toml_list(&targets)));
    }
    let any_translated = layouts.iter().flat_map(|layout| &layout.rules).any(|rule| !rule.langs.is_empty());
    for layout in layouts {
        lines.extend([String::new(), format!("# {}", layout.name)]);
        let other = layout.source_lang.as_deref().filter(|other| base(other) != base(source));
        if let Some(other) = other {
            lines.push(format!("# These files are in {other}, not in {source}: they need a separate project."));
        }
        let (translated, others): (Vec<_>, Vec<_>) =
            layout.rules.iter().partition(|rule| other.is_none() && !(any_translated && rule.langs.is_empty()));
        for (number, rule) in translated.iter().enumerate() {
            lines.extend((number > 0).then(String::new));
            lines.extend(rule_lines(rule, source, &targets));
        }
        if other.is_none() && !others.is_empty() {
            lines.extend((!translated.is_empty()).then(String::new));
            lines.push("# These files have no translations yet: remove the leading `# ` to translate them.".to_owned());
        }
        for (number, rule) in others.iter().enumerate() {
            lines.extend((number > 0).then(|| "#".to_owned()));
            lines.extend(rule_lines(rule, source, &targets).iter().map(|line| format!("# {line}")));
        }
    }
    lines.extend(lang_tables(layouts, &targets));
    lines.push(String::new());
    lines.join("\n")
}

/// Lists languages only if they differ from those of the project.
fn rule_lines(rule: &FoundRule, source: &str, targets: &[&str]) -> Vec<String> {
    let dialect = rule.dialect.and_then(|dialect| Dialect::ALL.iter().find(|(known, _)| *known == dialect));
    let settings = [
        ("source", rule.source.as_deref()),
        ("target", rule.target.as_deref()),
        ("as", rule.format),
        ("dialect", dialect.map(|(_, name)| *name)),
        ("lang_style", (rule.lang_style != LangStyle::default()).then(|| rule.lang_style.name())),
    ];
    let settings =
        settings.iter().filter_map(|(name, value)| value.map(|value| format!("{name} = {}", toml_string(value))));
    let mut lines = vec!["[[sync.files]]".to_owned()];
    lines.extend(settings);
    let langs: Vec<&str> = rule.langs.keys().map(LangTag::as_str).filter(|lang| *lang != source).collect();
    if !langs.is_empty() && langs != targets {
        lines.push(format!("target_langs = {}", toml_list(&langs)));
    }
    lines
}

fn toml_list(langs: &[&str]) -> String {
    let quoted: Vec<String> = langs.iter().map(|lang| toml_string(lang)).collect();
    format!("[{}]", quoted.join(", "))
}

/// Returns the target language to propose if there are no translations.
pub fn example_target(source: &str) -> &'static str {
    if base(source) == "de" { "en" } else { "de" }
}

/// Returns the tables for languages with an unusual notation in paths. A table applies to all files, so it is commented
/// out if another layout writes the language differently.
fn lang_tables(layouts: &[FoundLayout], targets: &[&str]) -> Vec<String> {
    let mut spellings: BTreeMap<&str, BTreeSet<Option<&str>>> = BTreeMap::new();
    for layout in layouts {
        for lang in &layout.target_langs {
            let own = layout.lang_paths.iter().find(|(tag, _)| tag == lang).map(|(_, path)| path.as_str());
            spellings.entry(lang).or_default().insert(own);
        }
    }
    let mut lines = Vec::new();
    for (lang, spellings) in spellings.iter().filter(|(lang, _)| targets.contains(lang)) {
        let is_one = spellings.len() == 1;
        for path in spellings.iter().flatten() {
            let start = if is_one { "" } else { "# " };
            lines.extend([
                String::new(),
                format!("{start}[sync.langs.{lang}]"),
                format!("{start}path = {}", toml_string(path)),
            ]);
        }
    }
    lines
}

fn base(lang: &str) -> &str {
    lang.split('-').next().unwrap_or(lang)
}

fn toml_string(text: &str) -> String {
    toml::Value::from(text).to_string()
}
