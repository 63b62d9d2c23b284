//! The project file for layouts that were found.

use std::collections::{BTreeMap, BTreeSet};

use tulk_catalogs::Dialect;

use super::super::project::LangStyle;
use super::FoundLayout;

/// Returns the text of a project file for at least one layout. It can be read as it is: without translations, it names a language
/// as an example.
pub fn render_config(layouts: &[FoundLayout]) -> String {
    let source = layouts.iter().find_map(|layout| layout.source_lang.as_deref()).unwrap_or("en");
    let targets: BTreeSet<&str> = layouts.iter().flat_map(|layout| &layout.target_langs).map(String::as_str).collect();
    let targets: Vec<&str> = targets.into_iter().filter(|lang| *lang != source).collect();
    let mut lines = vec![
        "# The message catalogues of this project; `tulk sync` translates what is missing or has changed.".to_owned(),
        String::new(),
        "[sync]".to_owned(),
        format!("source_lang = {}", quoted(source)),
    ];
    if targets.is_empty() {
        lines.push("# No translations were found: put the languages here that you want.".to_owned());
        lines.push(format!("target_langs = [{}]", quoted(example_target(source))));
    } else {
        let list: Vec<String> = targets.iter().map(|lang| quoted(lang)).collect();
        lines.push(format!("target_langs = [{}]", list.join(", ")));
    }
    for layout in layouts {
        lines.extend([String::new(), format!("# {}", layout.name)]);
        if let Some(other) = layout.source_lang.as_deref().filter(|other| base(other) != base(source)) {
            lines.push(format!("# Its files are in {other}, not in {source}: they need a project of their own."));
        }
        for (number, rule) in layout.rules.iter().enumerate() {
            if number > 0 {
                lines.push(String::new());
            }
            lines.push("[[sync.files]]".to_owned());
            let dialect = rule.dialect.and_then(|dialect| Dialect::ALL.iter().find(|(known, _)| *known == dialect));
            let settings = [
                ("source", rule.source.as_deref()),
                ("target", rule.target.as_deref()),
                ("as", rule.format),
                ("dialect", dialect.map(|(_, name)| *name)),
                ("lang_style", (rule.lang_style != LangStyle::default()).then(|| rule.lang_style.name())),
            ];
            lines.extend(
                settings.iter().filter_map(|(name, value)| value.map(|value| format!("{name} = {}", quoted(value)))),
            );
        }
    }
    lines.extend(lang_tables(layouts, &targets));
    lines.push(String::new());
    lines.join("\n")
}

/// Returns the target language that is proposed if there are no translations.
pub fn example_target(source: &str) -> &'static str {
    if base(source) == "de" { "en" } else { "de" }
}

/// Returns the tables of languages that are written in paths in a way of their own. A table holds for all files, so that it is a
/// comment where another layout writes the language otherwise.
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
                format!("{start}path = {}", quoted(path)),
            ]);
        }
    }
    lines
}

/// Returns a language without its region.
fn base(lang: &str) -> &str {
    lang.split('-').next().unwrap_or(lang)
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
