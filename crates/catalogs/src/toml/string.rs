//! Strings and keys of TOML.
//!
//! Input: a text, and the string that stood there. Output: a string of the same kind, or of one that can hold the text.

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
pub(super) fn write_key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { TomlQuotes::Basic.write(name, "\n") }
}

/// Writes a key of several names.
pub(super) fn write_keys(names: &[String]) -> String {
    names.iter().map(|name| write_key(name)).collect::<Vec<_>>().join(".")
}
