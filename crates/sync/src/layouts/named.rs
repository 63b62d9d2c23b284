//! Layouts of files given by the user.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tulk_base::suggest::one_line;

use super::lang_files::lang_of;
use super::tree::ProjectTree;
use super::{FoundLayout, FoundRule, OTHER_FILES, SOURCE_LANG};
use crate::project::{LangStyle, LangTag, PathPattern};

const LANG_PLACEHOLDER: &str = "{lang}";

/// Returns the layout of files given as patterns with `{lang}` or with the source language, such as
/// `locales/en/*.json`. Fails if a pattern has no language, if no file matches, or if no file is in the source language.
/// Bilingual files need no file in the source language.
pub fn layout_of_patterns(root: &Path, patterns: &[String], from: Option<&LangTag>) -> Result<FoundLayout, String> {
    let tree = ProjectTree::scan(root);
    let mut targets = Vec::new();
    let mut langs: BTreeMap<LangTag, String> = BTreeMap::new();
    let mut from = from.cloned();
    for pattern in patterns {
        let (target, source) = with_placeholder(pattern, from.as_ref())?;
        from = from.or(source);
        for written in written_langs(&tree, &target)? {
            if let Some(tag) = lang_of(&written) {
                langs.insert(tag, written);
            }
        }
        targets.push(target);
    }
    let shown = one_line(&patterns.join(", "));
    if langs.is_empty() {
        return Err(format!("no file matches {shown}"));
    }
    let source = from.or_else(|| langs.keys().find(|tag| tag.as_str() == SOURCE_LANG).cloned());
    let source = source.or_else(|| langs.keys().find(|tag| tag.base() == SOURCE_LANG).cloned());
    // Bilingual catalogues hold the source texts, so they need no source file.
    let needs_no_source = |target: &String| matches!(target.rsplit_once('.'), Some((_, "po" | "xlf" | "xliff")));
    let source = if targets.iter().all(needs_no_source) {
        source.or_else(|| LangTag::parse(SOURCE_LANG).ok())
    } else {
        source.or_else(|| langs.keys().next().cloned())
    };
    let Some(source) = source else { return Err(format!("no file matches {shown}")) };
    let written = match langs.get(&source) {
        Some(written) => written.clone(),
        None if targets.iter().all(needs_no_source) => source.to_string(),
        None => {
            let known: Vec<&str> = langs.keys().map(LangTag::as_str).collect();
            return Err(format!("{shown}: no file is in {source}, only in {}", known.join(", ")));
        }
    };
    let others: Vec<(&LangTag, &str)> =
        langs.iter().filter(|(tag, _)| **tag != source).map(|(tag, written)| (tag, written.as_str())).collect();
    let count_fitting =
        |style: LangStyle| others.iter().filter(|(tag, path)| style.path(tag.as_str()) == *path).count();
    let styles = LangStyle::ALL.into_iter().map(|(style, _)| style).rev();
    let lang_style = styles.max_by_key(|style| count_fitting(*style)).unwrap_or_default();
    let rule = |target: String| {
        let source = (!needs_no_source(&target)).then(|| target.replace(LANG_PLACEHOLDER, &written));
        FoundRule { source, target: Some(target), lang_style, ..FoundRule::default() }
    };
    let differs = |(tag, path): &&(&LangTag, &str)| lang_style.path(tag.as_str()) != *path;
    Ok(FoundLayout {
        name: OTHER_FILES,
        target_langs: others.iter().map(|(tag, _)| tag.to_string()).collect(),
        lang_paths: others.iter().filter(differs).map(|(tag, path)| (tag.to_string(), (*path).to_owned())).collect(),
        rules: targets.into_iter().map(rule).collect(),
        source_lang: Some(source.to_string()),
    })
}

/// Returns the pattern with `{lang}` in place of its language, and the language; `None` if the pattern already has `{lang}`.
fn with_placeholder(pattern: &str, from: Option<&LangTag>) -> Result<(String, Option<LangTag>), String> {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if pattern.contains(LANG_PLACEHOLDER) {
        return Ok((pattern.to_owned(), None));
    }
    let is_end = |c: Option<char>| c.is_none_or(|c| matches!(c, '/' | '.' | '_' | '-'));
    // The longest language wins: `pt_BR` in `app_pt_BR.json`.
    for start in 0..pattern.len() {
        for end in (start + 1..=pattern.len()).rev() {
            let (Some(before), Some(word), Some(after)) =
                (pattern.get(..start), pattern.get(start..end), pattern.get(end..))
            else {
                continue;
            };
            if !is_end(before.chars().next_back()) || !is_end(after.chars().next()) {
                continue;
            }
            // The file extension is not a language.
            if let Some(tag) = lang_of(word).filter(|tag| from.is_none_or(|from| from == tag) && !after.is_empty()) {
                return Ok(([before, LANG_PLACEHOLDER, after].concat(), Some(tag)));
            }
        }
    }
    Err(format!("{}: write {LANG_PLACEHOLDER} where the language is", one_line(pattern)))
}

fn written_langs(tree: &ProjectTree, target: &str) -> Result<BTreeSet<String>, String> {
    let at = target.split(LANG_PLACEHOLDER).next().unwrap_or_default();
    let number = PathPattern::parse(&[at, "x"].concat()).map_or(0, |before| before.wildcards().len());
    let any = PathPattern::parse(&target.replace(LANG_PLACEHOLDER, "*"))?;
    let written = tree.relative_paths_below("").filter_map(|path| any.captures(path)?.into_iter().nth(number));
    Ok(written.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bilingual_catalogues_need_no_source() {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        std::fs::write(dir.path().join("de.po"), "").unwrap();
        let found = layout_of_patterns(dir.path(), &["{lang}.po".to_owned()], None).unwrap();
        assert_eq!((found.source_lang.as_deref(), found.target_langs), (Some("en"), vec!["de".to_owned()]));
        assert_eq!(found.rules[0].source, None);
    }

    #[test]
    fn the_language_of_a_pattern_becomes_a_placeholder() {
        for (pattern, with_lang, lang) in [
            ("locales/en/*.json", "locales/{lang}/*.json", "en"),
            ("./src/app_pt_BR.arb", "src/app_{lang}.arb", "pt-BR"),
            ("i18n/de-AT.yml", "i18n/{lang}.yml", "de-AT"),
            ("res/strings.fr.resx", "res/strings.{lang}.resx", "fr"),
        ] {
            let (found, tag) = with_placeholder(pattern, None).unwrap();
            assert_eq!((found.as_str(), tag.unwrap().as_str()), (with_lang, lang), "{pattern}");
        }
        assert_eq!(with_placeholder("a/{lang}.json", None).unwrap(), ("a/{lang}.json".to_owned(), None));
        assert_eq!(
            with_placeholder("src/strings.json", None).unwrap_err(),
            "src/strings.json: write {lang} where the language is"
        );
    }
}
