//! Writes new keys and items as YAML.

use granit_parser::ScalarStyle;

use super::parse::{YamlEntry, YamlShape, YamlTree};
use super::scalar::write_scalar;
use super::span::indentation;
use crate::edit::newline_of;
use crate::new_level::{NewLevel, NewValue};
use crate::{CatalogError, UnitKeyPart};

/// YAML allows 1,024 characters for a key without `?`; the rest is room for quotes.
const MAX_KEY: usize = 1000;

#[derive(Clone, Debug)]
pub(super) struct FileStyle {
    pub newline: &'static str,
    /// Indentation of one level, in spaces.
    pub step: usize,
    /// Indentation of a list below its key, in spaces.
    pub list_step: usize,
    /// For texts that need quotes.
    pub quotes: ScalarStyle,
    /// For texts that need no quotes.
    pub values: ScalarStyle,
    pub keys: ScalarStyle,
    pub has_duplicates: bool,
}

impl FileStyle {
    pub fn of(text: &str, tree: &YamlTree<'_>) -> Self {
        let mut style = Self {
            newline: newline_of(text),
            step: 2,
            list_step: 2,
            quotes: ScalarStyle::DoubleQuoted,
            values: ScalarStyle::Plain,
            keys: ScalarStyle::Plain,
            has_duplicates: false,
        };
        let (mut plain, mut single, mut double) = (0, 0, 0);
        let (mut step, mut list_step) = (None, None);
        for node in &tree.nodes {
            for entry in &node.entries {
                style.has_duplicates |= entry.is_overridden;
                let Some(value) = tree.nodes.get(entry.value) else { continue };
                match value.shape {
                    YamlShape::Scalar(ScalarStyle::Plain) if super::text_of(value).is_some() => plain += 1,
                    YamlShape::Scalar(ScalarStyle::SingleQuoted) => single += 1,
                    YamlShape::Scalar(ScalarStyle::DoubleQuoted) => double += 1,
                    YamlShape::Map | YamlShape::List if node.shape == YamlShape::Map && !value.is_flow => {
                        let known = if value.shape == YamlShape::List { &mut list_step } else { &mut step };
                        if let (None, Some(first)) = (&known, value.entries.first()) {
                            let inner = indentation(text, first).len();
                            *known = inner.checked_sub(indentation(text, entry).len());
                        }
                    }
                    _ => {}
                }
            }
        }
        style.step = step.filter(|step| *step > 0).unwrap_or(style.step);
        style.list_step = list_step.unwrap_or(style.step);
        if single > double {
            style.quotes = ScalarStyle::SingleQuoted;
        }
        if single.max(double) > plain {
            style.values = style.quotes;
        }
        style
    }

    pub fn of_sibling(&self, text: &str, tree: &YamlTree<'_>, sibling: Option<&YamlEntry>) -> Self {
        let mut style = self.clone();
        style.keys = Self::key_style(text, sibling);
        let value = sibling.and_then(|sibling| tree.nodes.get(sibling.value));
        match value.map(|value| value.shape) {
            Some(YamlShape::Scalar(ScalarStyle::Plain))
                if value.is_some_and(|value| super::text_of(value).is_some()) =>
            {
                style.values = ScalarStyle::Plain;
            }
            Some(YamlShape::Scalar(quotes @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted))) => {
                style.values = quotes;
            }
            _ => {}
        }
        style
    }

    pub fn key_style(text: &str, entry: Option<&YamlEntry>) -> ScalarStyle {
        match entry.and_then(|entry| text.as_bytes().get(entry.key.clone())?.first()) {
            Some(b'"') => ScalarStyle::DoubleQuoted,
            Some(b'\'') => ScalarStyle::SingleQuoted,
            _ => ScalarStyle::Plain,
        }
    }

    /// Returns the quotes for a key of this style that needs quotes: `style` itself, unless it is plain.
    pub fn key_quotes(&self, style: ScalarStyle) -> ScalarStyle {
        if style == ScalarStyle::Plain { self.quotes } else { style }
    }

    fn key(&self, name: &str, in_flow: bool) -> Result<String, CatalogError> {
        let key = write_scalar(name, self.keys, self.key_quotes(self.keys), in_flow);
        if key.len() > MAX_KEY {
            return Err(CatalogError::new(0, "a key is too long for YAML, which allows 1,024 characters"));
        }
        Ok(key)
    }

    fn value(&self, text: &str, in_flow: bool) -> String {
        write_scalar(text, self.values, self.quotes, in_flow)
    }

    /// The recursion is bounded, because the caller limits the depth of keys.
    pub fn block_lines(&self, level: &NewLevel<'_>, indent: &str) -> Result<Vec<String>, CatalogError> {
        let mut lines = Vec::new();
        for entry in &level.entries {
            match (&entry.part, &entry.value) {
                (UnitKeyPart::Name(name), NewValue::Text(text)) => {
                    lines.push([indent, &self.key(name, false)?, ": ", &self.value(text, false)].concat());
                }
                (UnitKeyPart::Name(name), NewValue::Level(inner)) => {
                    lines.push([indent, &self.key(name, false)?, ":"].concat());
                    let step = if inner.is_list() { self.list_step } else { self.step };
                    lines.append(&mut self.block_lines(inner, &[indent, &" ".repeat(step)].concat())?);
                }
                (UnitKeyPart::Item(_), NewValue::Text(text)) => {
                    lines.push([indent, "- ", &self.value(text, false)].concat());
                }
                (UnitKeyPart::Item(_), NewValue::Level(inner)) => {
                    let mut inner = self.block_lines(inner, &[indent, "  "].concat())?;
                    if let Some(first) = inner.first_mut() {
                        *first = [indent, "- ", first.get(indent.len() + 2..).unwrap_or_default()].concat();
                    }
                    lines.append(&mut inner);
                }
            }
        }
        Ok(lines)
    }

    pub fn flow_entries(&self, level: &NewLevel<'_>, separator: &str) -> Result<String, CatalogError> {
        let mut out = Vec::new();
        for entry in &level.entries {
            let value = match &entry.value {
                NewValue::Text(text) => self.value(text, true),
                NewValue::Level(inner) => self.flow_level(inner)?,
            };
            out.push(match &entry.part {
                UnitKeyPart::Name(name) => [&self.key(name, true)?, ": ", &value].concat(),
                UnitKeyPart::Item(_) => value,
            });
        }
        Ok(out.join(separator))
    }

    pub fn flow_level(&self, level: &NewLevel<'_>) -> Result<String, CatalogError> {
        let (open, close) = if level.is_list() { ("[", "]") } else { ("{", "}") };
        Ok([open, &self.flow_entries(level, ", ")?, close].concat())
    }
}
