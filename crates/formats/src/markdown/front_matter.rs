//! Front matter: YAML between `---` lines or TOML between `+++` lines, at the start of a document.

use std::ops::Range;

use super::{BlockKind, yaml};
use crate::record::Slot;

/// The front matter of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FrontMatter {
    is_toml: bool,
    /// Its bytes between the lines that enclose it.
    content: Range<usize>,
    /// Where the document continues.
    pub(super) end: usize,
}

/// A value that cannot be translated.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ValueError {
    /// Where it is in the document.
    pub(super) at: usize,
    /// What is wrong.
    pub(super) what: String,
}

impl FrontMatter {
    /// Finds the front matter of a document.
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
                let is_front = is_toml || yaml::looks_like_mapping(text.get(content.clone())?);
                return is_front.then(|| Self { is_toml, content, end: at + line.len() });
            }
            at += line.len();
        }
        None
    }

    /// Returns the slots of the values of `keys`, in a document that begins at `base` in the record.
    pub(super) fn slots(&self, text: &str, base: usize, keys: &[String]) -> Result<Vec<Slot>, ValueError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let content = text.get(self.content.clone()).unwrap_or_default();
        let values = if self.is_toml { toml_values(content, keys) } else { yaml::values(content, keys) };
        let start = self.content.start;
        let values = values.map_err(|error| ValueError { at: error.at + start, ..error })?;
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

/// A value of the front matter.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FrontMatterValue {
    /// How it is written.
    pub(super) kind: BlockKind,
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// Its text.
    pub(super) text: String,
}

/// Returns the strings of some keys, in the order of the file.
fn toml_values(content: &str, keys: &[String]) -> Result<Vec<FrontMatterValue>, ValueError> {
    let document = toml_edit::Document::parse(content).map_err(|error| {
        let what = format!("the front matter is not valid TOML: {}", error.message());
        ValueError { at: error.span().map_or(0, |span| span.start), what }
    })?;
    let mut values = Vec::new();
    for key in keys {
        let mut path = key.split('.');
        let Some(mut item) = path.next().and_then(|key| document.get(key)) else { continue };
        let Some(found) = path.try_fold(item, |item, key| item.get(key)) else { continue };
        item = found;
        let Some(range) = item.span() else { continue };
        match item.as_str() {
            Some(text) => values.push(FrontMatterValue { kind: BlockKind::Toml, range, text: text.to_owned() }),
            None if item.is_table_like() || item.is_array() || item.is_array_of_tables() => {
                return Err(not_text(key, range.start));
            }
            None => {}
        }
    }
    values.sort_by_key(|value| value.range.start);
    values.dedup_by_key(|value| value.range.start);
    Ok(values)
}

/// Returns the error for a value that is a list or a table.
pub(super) fn not_text(key: &str, at: usize) -> ValueError {
    ValueError { at, what: format!("the value of `{key}` in the front matter is not a text") }
}

/// Writes a value as it is written in the source: with the same quotes, if possible.
pub(super) fn render(kind: BlockKind, source: &str, text: &str) -> String {
    match kind {
        BlockKind::Toml => toml_edit::Value::from(text).to_string(),
        kind => yaml::render(kind, source, text),
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
    fn it_is_at_the_start_and_has_an_end() {
        assert_eq!(found("---\na: b\n---\ntext"), Some(("a: b\n", "text")));
        assert_eq!(found("---\r\na: b\r\n...\r\n"), Some(("a: b\r\n", "")));
        assert_eq!(found("+++\na = 1\n+++"), Some(("a = 1\n", "")));
        assert_eq!(found("---\n---\nx"), Some(("", "x")));
        for text in ["", "---\na: b\n", "\n---\na: b\n---\n", "---\n\nJust a text.\n\n---\n", "----\na: b\n---\n"] {
            assert_eq!(found(text), None, "{text:?}");
        }
    }

    fn toml(content: &str, keys: &[&str]) -> Result<Vec<(String, String)>, ValueError> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let values = toml_values(content, &keys)?;
        Ok(values.into_iter().map(|v| (content[v.range].to_owned(), v.text)).collect())
    }

    #[test]
    fn toml_strings_are_found_by_their_path() {
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
        assert_eq!(render(BlockKind::Toml, "'a'", "B"), "\"B\"");
        assert_eq!(
            toml(&format!("a = {}", render(BlockKind::Toml, "", "x\"y\\'\nz")), &["a"]).unwrap()[0].1,
            "x\"y\\'\nz"
        );
    }
}
