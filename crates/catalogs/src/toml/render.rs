//! New members as TOML, and its strings and keys.
//!
//! Input: names and values, and the member that they stand beside. Output: lines of tables, or entries of inline values. A string is of
//! the same kind as the one that stood there, or of one that can hold the text.

use super::parse::TomlMember;
use crate::UnitKeyPart;
use crate::edit::line_start;
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

/// The four kinds of strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TomlQuotes {
    #[default]
    Basic,
    Literal,
    /// With three quotes. The flag says whether the text begins below them.
    MultiBasic(bool),
    MultiLiteral(bool),
}

impl TomlQuotes {
    /// Returns the kind of a value; `None` if it is no string.
    pub fn of(value: &str) -> Option<Self> {
        let below = |rest: &str| rest.starts_with('\n') || rest.starts_with("\r\n");
        if let Some(rest) = value.strip_prefix("\"\"\"") {
            return Some(Self::MultiBasic(below(rest)));
        }
        if let Some(rest) = value.strip_prefix("'''") {
            return Some(Self::MultiLiteral(below(rest)));
        }
        match value.as_bytes().first() {
            Some(b'"') => Some(Self::Basic),
            Some(b'\'') => Some(Self::Literal),
            _ => None,
        }
    }

    /// Returns the kind for a new string beside one of this kind.
    pub fn single_line(self) -> Self {
        match self {
            Self::Literal | Self::MultiLiteral(_) => Self::Literal,
            _ => Self::Basic,
        }
    }

    /// Writes a text.
    pub fn write(self, text: &str, newline: &str) -> String {
        let is_control = |c: char| c != '\t' && c.is_ascii_control();
        match self {
            Self::Literal if !text.contains(|c| c == '\'' || is_control(c)) => ["'", text, "'"].concat(),
            Self::MultiLiteral(below)
                if !text.contains("''") && !text.ends_with('\'') && !text.contains(|c| c != '\n' && is_control(c)) =>
            {
                let first = if below || text.starts_with('\n') { newline } else { "" };
                ["'''", first, &text.replace('\n', newline), "'''"].concat()
            }
            Self::MultiBasic(below) | Self::MultiLiteral(below) => {
                let first = if below || text.starts_with('\n') { newline } else { "" };
                ["\"\"\"", first, &escaped(text, Some(newline)), "\"\"\""].concat()
            }
            Self::Basic | Self::Literal => ["\"", &escaped(text, None), "\""].concat(),
        }
    }
}

/// Returns a text with escapes; with line ends as they are if they can be written.
fn escaped(text: &str, newline: Option<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str(newline.unwrap_or("\\n")),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' if newline.is_none() || matches!(chars.peek(), None | Some('"')) => out.push_str("\\\""),
            c if c.is_ascii_control() => {
                out.push_str("\\u00");
                let code = u32::from(c);
                out.extend([code >> 4, code & 15].into_iter().filter_map(|digit| char::from_digit(digit, 16)));
            }
            c => out.push(c),
        }
    }
    out
}

/// Writes a key, in quotes if it needs some.
fn write_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { TomlQuotes::Basic.write(name, "\n") }
}

/// Writes a key of several names.
pub(super) fn write_keys(names: &[String]) -> String {
    names.iter().map(|name| write_key(name)).collect::<Vec<_>>().join(".")
}
