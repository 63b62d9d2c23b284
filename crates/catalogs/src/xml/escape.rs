//! Escaping for XML.

use super::CatalogError;

/// Returns whether XML can hold a character, as itself or as a reference.
pub fn is_xml_char(c: char) -> bool {
    is_space(c) || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
}

/// The error for a character that [`is_xml_char`] rejects. `at` is the position of the text.
pub fn invalid_char_error(c: char, at: usize) -> CatalogError {
    CatalogError::new(at, format!("the character U+{:04X} cannot be written in XML", u32::from(c)))
}

pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Appends text with line endings normalized to `\n`.
pub(super) fn push_with_line_feeds(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\r') {
        out.push_str(line);
        out.push('\n');
        rest = after.strip_prefix('\n').unwrap_or(after);
    }
    out.push_str(rest);
}

/// Escapes a text for use between tags; line feeds become `line_end`. Fails with the first character that XML does not
/// allow.
pub fn escape_text(text: &str, line_end: &str) -> Result<String, char> {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\r' => out.push_str("&#13;"),
            '\n' => out.push_str(line_end),
            c if is_xml_char(c) => out.push(c),
            c => return Err(c),
        }
    }
    Ok(out)
}

/// Escapes a text for a value in double quotes. Fails with the first character that XML does not allow.
pub fn escape_attribute(text: &str) -> Result<String, char> {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c if is_xml_char(c) => out.push(c),
            c => return Err(c),
        }
    }
    Ok(out)
}

/// Writes a CDATA section, or several where the text contains `]]>`; line feeds become `line_end`. Fails with the first
/// character that a CDATA section cannot hold.
pub fn escape_cdata(text: &str, line_end: &str) -> Result<String, char> {
    if let Some(c) = text.chars().find(|c| !is_xml_char(*c) || *c == '\r') {
        return Err(c);
    }
    let content = text.replace("]]>", "]]]]><![CDATA[>").replace('\n', line_end);
    Ok(["<![CDATA[", &content, "]]>"].concat())
}

/// Writes a comment. Spaces separate consecutive hyphens, which comments cannot hold. Lines after the first start with
/// `indent`.
pub fn escape_comment(text: &str, line_end: &str, indent: &str) -> String {
    let mut out = String::from("<!-- ");
    let mut last = ' ';
    for c in text.chars().filter(|c| is_xml_char(*c) && *c != '\r') {
        match c {
            '\n' => out.extend([line_end, indent, "     "]),
            '-' if last == '-' => out.push_str(" -"),
            c => out.push(c),
        }
        last = c;
    }
    out.push_str(" -->");
    out
}
