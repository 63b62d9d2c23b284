//! Lines that are not Markdown: directives (`:::note`), admonitions (`!!! note`), shortcodes on a line of their own, and the
//! imports and exports of MDX.

use std::ops::Range;

use super::scan;

/// How far the end of an import or export is searched.
const STATEMENT_BYTES: usize = 64 * 1024;

/// How a line, or several, is shown to the parser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineMask {
    /// As a thematic break, which ends the paragraph before it.
    Rule(Range<usize>),
    /// As the marker of a list item, so that what is indented by four columns belongs to it.
    IndentedBlock(Range<usize>),
    /// As one word.
    Code(Range<usize>),
}

/// Returns the masks of a document, in order.
pub(super) fn masks(text: &str) -> Vec<LineMask> {
    let mut masks = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut after_blank = true;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let len = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        let line = rest.get(..len).unwrap_or_default();
        let mut end = at + len;
        let content = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let start = at + (line.len() - line.trim_start_matches([' ', '\t', '>']).len());
        let mut is_statement = false;
        if let Some((open, width)) = fence {
            let run = content.len() - content.trim_start_matches(char::from(open)).len();
            if run >= width && run == content.len() {
                fence = None;
            }
        } else if let Some(opened) = opens_fence(content) {
            fence = Some(opened);
        } else if after_blank && start == at && is_esm(content) {
            end = at + statement_len(rest);
            is_statement = true;
            let statement = text.get(at..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
            masks.push(LineMask::Code(at..at + statement.len()));
        } else {
            let range = start..start + content.len();
            // Four columns of indentation make code.
            let is_code = after_blank && line.starts_with("    ");
            masks.extend(line_mask(content, range).filter(|_| !is_code));
        }
        // Imports follow each other without blank lines.
        after_blank = content.is_empty() || is_statement;
        at = end;
    }
    masks
}

fn line_mask(content: &str, range: Range<usize>) -> Option<LineMask> {
    if content.starts_with(":::") {
        return Some(LineMask::Rule(range));
    }
    let word = content.split(' ').next().unwrap_or_default();
    let is_admonition = matches!(word, "!!!" | "???" | "???+") && content.len() > word.len();
    let is_tab = ["=== \"", "=== '", "===+ \"", "===! \""].iter().any(|start| content.starts_with(start));
    if is_admonition || is_tab {
        let long_enough = content.len() >= "-   ***".len();
        return Some(if long_enough { LineMask::IndentedBlock(range) } else { LineMask::Rule(range) });
    }
    is_shortcodes(content).then_some(LineMask::Rule(range))
}

/// Returns whether a line consists of shortcodes.
fn is_shortcodes(line: &str) -> bool {
    let mut rest = line;
    while ["{{", "{%", "{#"].iter().any(|open| rest.starts_with(open)) {
        let len = scan::braces_len(rest.as_bytes()).unwrap_or(rest.len() + 1);
        let Some(after) = rest.get(len..) else { return false };
        rest = after.trim_start();
    }
    rest.is_empty() && !line.is_empty()
}

/// Returns the character and the length of the fence that a line opens.
fn opens_fence(content: &str) -> Option<(u8, usize)> {
    let content = after_list_markers(content);
    let open = *content.as_bytes().first().filter(|c| matches!(c, b'`' | b'~'))?;
    let width = content.len() - content.trim_start_matches(char::from(open)).len();
    let info = content.get(width..).unwrap_or_default();
    (width >= 3 && !(open == b'`' && info.contains('`'))).then_some((open, width))
}

/// Returns a line without the markers of list items that it begins with.
fn after_list_markers(line: &str) -> &str {
    let mut rest = line;
    loop {
        let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let after = if number.len() < rest.len() {
            number.strip_prefix(['.', ')'])
        } else {
            rest.strip_prefix(['-', '*', '+'])
        };
        match after.filter(|after| after.starts_with([' ', '\t'])) {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

/// Returns whether a line begins an import or an export of MDX.
fn is_esm(line: &str) -> bool {
    if let Some(rest) = line.strip_prefix("import ") {
        let rest = rest.trim_start();
        return rest.starts_with(['{', '*', '"', '\''])
            || (rest.contains(" from ") && rest.contains(['"', '\'']))
            || rest.starts_with("type {");
    }
    let Some(rest) = line.strip_prefix("export ") else { return false };
    let rest = rest.trim_start();
    let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match word {
        "const" | "let" | "var" | "type" => rest.contains('='),
        "function" | "class" | "async" | "interface" | "enum" => rest.contains(['(', '{']),
        "default" => rest.contains(['(', '{', '=', ';', '<']),
        _ => rest.starts_with(['{', '*']),
    }
}

/// Returns the length of a statement with its line end: to the end of the line at which all brackets are closed.
fn statement_len(text: &str) -> usize {
    let mut depth = 0_i32;
    let mut quote: Option<u8> = None;
    let bytes = text.as_bytes();
    let mut at = 0;
    let first_line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    while let Some(&byte) = bytes.get(at).filter(|_| at < STATEMENT_BYTES) {
        match (quote, byte) {
            (Some(_), b'\\') => at += 1,
            (Some(open), _) if open == byte => quote = None,
            (None | Some(b'"' | b'\''), b'\n') => {
                quote = None;
                if depth <= 0 {
                    return at + 1;
                }
            }
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    if depth <= 0 && quote.is_none() && at >= bytes.len() { bytes.len() } else { first_line }
}

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests {
    use super::*;

    fn masked(text: &str) -> Vec<(char, &str)> {
        let part = |range: &Range<usize>| &text[range.clone()];
        masks(text)
            .iter()
            .map(|mask| match mask {
                LineMask::Rule(range) => ('r', part(range)),
                LineMask::IndentedBlock(range) => ('i', part(range)),
                LineMask::Code(range) => ('c', part(range)),
            })
            .collect()
    }

    #[test]
    fn directives_and_shortcodes_are_lines_of_their_own() {
        assert_eq!(masked("a\n:::note Title\nb\n> :::\n"), [('r', ":::note Title"), ('r', ":::")]);
        assert_eq!(masked("{{< tip >}}\r\ntext\r\n{% end %}"), [('r', "{{< tip >}}"), ('r', "{% end %}")]);
        assert_eq!(masked("!!! note \"T\"\n    text\n=== \"Tab\""), [('i', "!!! note \"T\""), ('i', "=== \"Tab\"")]);
        assert_eq!(masked("text\n===\n??? a\n"), [('r', "??? a")]);
    }

    #[test]
    fn nothing_in_a_fence_is_masked() {
        assert_eq!(masked("```\n:::note\n```\n~~~~ md\n:::\n~~~\n:::\n~~~~\n- ```\n  :::\n  ```\n:::"), [('r', ":::")]);
        assert_eq!(masked("x ```\n:::"), [('r', ":::")]);
        assert_eq!(masked("a\n\n    :::\n"), []);
    }

    #[test]
    fn imports_and_exports_are_code() {
        let text = "import A from './a'\nimport {B} from \"b\"\n\nexport const meta = {\n  title: 'x }',\n\n  y: [1],\n}\n\nimport the box from the shelf\n";
        assert_eq!(
            masked(text),
            [
                ('c', "import A from './a'"),
                ('c', "import {B} from \"b\""),
                ('c', "export const meta = {\n  title: 'x }',\n\n  y: [1],\n}")
            ]
        );
        assert_eq!(masked("text\nimport A from 'a'\n"), []);
        assert_eq!(masked("export default ({\n"), [('c', "export default ({")]);
    }
}
