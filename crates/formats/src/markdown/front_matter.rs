//! Front matter: YAML between `---` lines or TOML between `+++` lines, at the start of a document.

use std::ops::Range;

use tulk_catalogs::{CatalogError, yaml_values, yaml_with_text};

use super::BlockKind;
use crate::record::Slot;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FrontMatter {
    is_toml: bool,
    content: Range<usize>,
    /// Start of the rest of the document.
    pub(super) end: usize,
}

impl FrontMatter {
    pub(super) fn find(text: &str) -> Option<Self> {
        let mut lines = text.split_inclusive('\n');
        let first = lines.next()?;
        let is_toml = match first.trim_end() {
            "---" => false,
            "+++" => true,
            _ => return None,
        };
        let mut at = first.len();
        for line in lines {
            let ends = match line.trim_end() {
                "---" | "..." => !is_toml,
                "+++" => is_toml,
                _ => false,
            };
            if ends {
                let content = first.len()..at;
                let is_front = is_toml || looks_like_mapping(text.get(content.clone())?);
                return is_front.then(|| Self { is_toml, content, end: at + line.len() });
            }
            at += line.len();
        }
        None
    }

    /// The document starts at `base` in the record.
    pub(super) fn slots(&self, text: &str, base: usize, keys: &[String]) -> Result<Vec<Slot>, CatalogError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let content = text.get(self.content.clone()).unwrap_or_default();
        let values = if self.is_toml { toml_values(content, keys) } else { values_of_yaml(content, keys) };
        let start = self.content.start;
        let values = values.map_err(|error| CatalogError { at: error.at + start, ..error })?;
        let slot = |value: FrontMatterValue| {
            let at = |offset: usize| u32::try_from(base + start + offset).ok();
            let span = at(value.range.start)?..at(value.range.end)?;
            let text = Some(value.text).filter(|text| text.contains(char::is_alphabetic))?;
            Some(Slot {
                text_start: span.start,
                span,
                text: Some(text),
                name: value.kind.position(),
                ..Slot::default()
            })
        };
        Ok(values.into_iter().filter_map(slot).collect())
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrontMatterValue {
    /// [`BlockKind::Yaml`] or [`BlockKind::Toml`].
    pub(super) kind: BlockKind,
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// Returns whether YAML front matter looks like a mapping.
fn looks_like_mapping(content: &str) -> bool {
    let is_key = |line: &str| {
        (line.contains(": ") || line.contains(":\t") || line.trim_end().ends_with(':'))
            && !line.starts_with(|c: char| "-#[{&*!|>%@`: \t".contains(c))
    };
    content.trim().is_empty() || content.starts_with('#') || content.lines().any(is_key)
}

/// Returns the values of `keys` that are texts, in the order of the file.
fn values_of_yaml(content: &str, keys: &[String]) -> Result<Vec<FrontMatterValue>, CatalogError> {
    let found = yaml_values(content)
        .map_err(|error| CatalogError::new(error.at, error.what.replacen("the file", "the front matter", 1)))?;
    let mut values = Vec::new();
    for value in found.into_iter().filter(|value| keys.contains(&value.path)) {
        if !value.is_scalar {
            return Err(not_text_error(&value.path, value.range.start));
        }
        let text = value.text.map(|text| text.trim_end_matches('\n').to_owned());
        values.extend(text.map(|text| FrontMatterValue { kind: BlockKind::Yaml, range: value.range, text }));
    }
    Ok(values)
}

/// Returns the values of `keys` that are strings, in the order of the file.
fn toml_values(content: &str, keys: &[String]) -> Result<Vec<FrontMatterValue>, CatalogError> {
    let document = toml_edit::Document::parse(content).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        CatalogError::new(at, format!("the front matter is not valid TOML: {}", error.message()))
    })?;
    let mut values = Vec::new();
    for key in keys {
        let Some(item) = key.split('.').try_fold(document.as_item(), |item, key| item.get(key)) else { continue };
        let Some(range) = item.span() else { continue };
        match item.as_str() {
            Some(text) => values.push(FrontMatterValue { kind: BlockKind::Toml, range, text: text.to_owned() }),
            None if item.is_table_like() || item.is_array() || item.is_array_of_tables() => {
                return Err(not_text_error(key, range.start));
            }
            None => {}
        }
    }
    values.sort_by_key(|value| value.range.start);
    values.dedup_by_key(|value| value.range.start);
    Ok(values)
}

fn not_text_error(key: &str, at: usize) -> CatalogError {
    CatalogError::new(at, format!("the value of `{key}` in the front matter is not a text"))
}

/// Writes a value: YAML in the notation of its source, with the same quotes if possible; TOML with the quotes it needs.
pub(super) fn render(kind: BlockKind, source: &str, text: &str) -> Option<String> {
    match kind {
        BlockKind::Toml => Some(toml_edit::Value::from(text).to_string()),
        _ => yaml_with_text(source, text),
    }
}

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(&str, &str)> {
        FrontMatter::find(text).map(|front| (&text[front.content], &text[front.end..]))
    }

    #[test]
    fn front_matter_is_at_the_start_and_has_an_end() {
        assert_eq!(found("---\na: b\n---\ntext"), Some(("a: b\n", "text")));
        assert_eq!(found("---\r\na: b\r\n...\r\n"), Some(("a: b\r\n", "")));
        assert_eq!(found("+++\na = 1\n+++"), Some(("a = 1\n", "")));
        assert_eq!(found("---\n---\nx"), Some(("", "x")));
        for text in ["", "---\na: b\n", "\n---\na: b\n---\n", "---\n\nJust a text.\n\n---\n", "----\na: b\n---\n"] {
            assert_eq!(found(text), None, "{text:?}");
        }
    }

    fn toml(content: &str, keys: &[&str]) -> Result<Vec<(String, String)>, CatalogError> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let values = toml_values(content, &keys)?;
        Ok(values.into_iter().map(|v| (content[v.range].to_owned(), v.text)).collect())
    }

    #[test]
    fn finds_toml_strings_by_path() {
        let content = "title = \"A \\\"b\\\"\"\ndraft = true\n[params]\ntext = 'c'\n";
        let expected = [("\"A \\\"b\\\"\"".to_owned(), "A \"b\"".to_owned()), ("'c'".to_owned(), "c".to_owned())];
        assert_eq!(toml(content, &["params.text", "title", "draft", "none"]).unwrap(), expected);
        assert_eq!(
            toml(content, &["params"]).unwrap_err().what,
            "the value of `params` in the front matter is not a text"
        );
        assert_eq!(toml("a =\n", &["a"]).unwrap_err().at, 3);
    }

    #[test]
    fn toml_strings_are_quoted_as_needed() {
        assert_eq!(render(BlockKind::Toml, "'a'", "B").unwrap(), "\"B\"");
        assert_eq!(
            toml(&format!("a = {}", render(BlockKind::Toml, "", "x\"y\\'\nz").unwrap()), &["a"]).unwrap()[0].1,
            "x\"y\\'\nz"
        );
    }

    fn yaml(content: &str, keys: &[&str]) -> Result<Vec<(String, String)>, CatalogError> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let values = values_of_yaml(content, &keys)?;
        Ok(values.into_iter().map(|value| (content[value.range].to_owned(), value.text)).collect())
    }

    fn value(content: &str) -> (String, String) {
        yaml(content, &["a"]).unwrap().pop().unwrap_or_default()
    }

    #[test]
    fn reads_scalars_of_every_style() {
        for (content, source, text) in [
            ("a: one two # note\n", "one two", "one two"),
            ("a: one\n  two\nb: c\n", "one\n  two", "one two"),
            ("'a': 'it''s'\r\n", "'it''s'", "it's"),
            ("a: \"x \\\"y\\\" \\u00e9\"\n", "\"x \\\"y\\\" \\u00e9\"", "x \"y\" é"),
            ("a: |\n  one\n   two\n\n  three\nb: c\n", "|\n  one\n   two\n\n  three", "one\n two\n\nthree"),
            ("a: >-\n  one\n  two\n\n  three\n", ">-\n  one\n  two\n\n  three", "one two\nthree"),
            ("b:\n  a: no\na: yes or no\n", "yes or no", "yes or no"),
            ("a: true\n", "", ""),
            ("a: 2026-01-01\n", "", ""),
            ("a:\nb: c\n", "", ""),
        ] {
            assert_eq!(value(content), (source.to_owned(), text.to_owned()), "{content:?}");
        }
    }

    #[test]
    fn nested_keys_have_a_path_and_lists_are_refused() {
        let content = "p:\n  q:\n    a: one\n  r: two\nlist:\n  - a: three\n";
        assert_eq!(yaml(content, &["p.q.a", "p.r", "a"]).unwrap().len(), 2);
        for (content, at) in [("a: [b]\n", 3), ("a:\n  - b\n", 5), ("a:\n- b\n", 5), ("b: &x c\na: *x\n", 11)] {
            assert_eq!(yaml(content, &["a"]).unwrap_err().at, at, "{content:?}");
        }
        let error = yaml("a: \"b\n", &["a"]).unwrap_err();
        assert!(error.what.starts_with("the front matter is not valid YAML: "), "{error:?}");
    }

    #[test]
    fn values_survive_a_round_trip() {
        for text in [
            "plain",
            "it's: a \"test\" # x",
            "- a",
            "true",
            "12",
            "a\\b",
            "[x]",
            "é 漢",
            "ends:",
            "#",
            "'q'",
            "a\tb",
            "a\n\nb",
        ] {
            for source in ["a", "'a'", "\"a\"", "|\n  a", ">-\n  a\n  b", "a\n  b"] {
                let written = format!("a: {}\n", render(BlockKind::Yaml, source, text).unwrap());
                assert_eq!(value(&written).1, text, "{written}");
            }
        }
        let rendered = |source, text| render(BlockKind::Yaml, source, text).unwrap();
        assert_eq!(rendered("|\n    a\n    b", "one\n\ntwo"), "|\n    one\n\n    two");
        assert_eq!(rendered(">\n  a\n  b", "one\ntwo"), ">\n  one\n\n  two");
    }
}
