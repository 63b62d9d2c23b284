//! New members as TOML.
//!
//! Input: names and values, and the member that they stand beside. Output: lines of tables, or entries of inline values.

use super::parse::TomlMember;
use super::string::{TomlQuotes, write_key, write_keys};
use crate::UnitKeyPart;
use crate::lines::line_start;
use crate::new_level::NewValue;

/// A member that is to be written.
pub(super) struct NewMember<'c> {
    /// Its names; empty for items of arrays.
    pub names: Vec<String>,
    pub value: NewValue<'c>,
}

/// How members are written beside another one.
pub(super) struct MemberStyle {
    pub indent: String,
    equals: String,
    quotes: TomlQuotes,
}

impl MemberStyle {
    /// Returns the style of a member.
    pub fn beside(text: &str, member: Option<&TomlMember>) -> Self {
        let mut style = Self { indent: String::new(), equals: " = ".to_owned(), quotes: TomlQuotes::Basic };
        let Some(member) = member else { return style };
        let value = text.get(member.value.clone()).unwrap_or_default();
        style.quotes = TomlQuotes::of(value).map_or(TomlQuotes::Basic, TomlQuotes::single_line);
        if text.get(member.key_end..member.value.start) == Some("=") {
            "=".clone_into(&mut style.equals);
        }
        let line = line_start(text, member.start);
        let blanks = text.get(line..member.start).unwrap_or_default();
        let indent = blanks.len() - blanks.trim_start_matches([' ', '\t']).len();
        blanks.get(..indent).unwrap_or_default().clone_into(&mut style.indent);
        style
    }

    /// Returns a member without its indentation.
    pub fn member(&self, member: &NewMember<'_>, newline: &str) -> String {
        let value = self.value(&member.value, newline);
        if member.names.is_empty() {
            return value;
        }
        [write_keys(&member.names).as_str(), &self.equals, &value].concat()
    }

    fn value(&self, value: &NewValue<'_>, newline: &str) -> String {
        match value {
            NewValue::Text(text) => self.quotes.write(text, newline),
            NewValue::Level(level) => {
                let entries = level.entries.iter().map(|entry| {
                    let value = self.value(&entry.value, newline);
                    match &entry.part {
                        UnitKeyPart::Name(name) => [&write_key(name), " = ", &value].concat(),
                        UnitKeyPart::Item(_) => value,
                    }
                });
                let entries = entries.collect::<Vec<_>>().join(", ");
                if level.is_list() { ["[", &entries, "]"].concat() } else { ["{ ", &entries, " }"].concat() }
            }
        }
    }
}

/// Returns the names of a path, without its items.
pub(super) fn names_of(parts: &[UnitKeyPart]) -> Vec<String> {
    let name = |part: &UnitKeyPart| match part {
        UnitKeyPart::Name(name) => Some(name.clone()),
        UnitKeyPart::Item(_) => None,
    };
    parts.iter().filter_map(name).collect()
}
