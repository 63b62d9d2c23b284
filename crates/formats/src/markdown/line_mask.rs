//! Finds lines that are not Markdown: directives (`:::note`), admonitions (`!!! note`), shortcode lines, shortcodes
//! with code, and the imports, exports and components of MDX.

use std::ops::Range;

use super::jsx::{self, JsxLine, OpenElements};
use super::shortcode::{self, ShortcodeFinder};

/// Maximum number of bytes to search for the end of an import or export.
const STATEMENT_BYTES: usize = 64 * 1024;

/// How to mask a line or several lines for the parser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineMask {
    /// As a thematic break, which ends the paragraph before it.
    Rule(Range<usize>),
    /// As a list item marker, so that lines indented by four columns belong to it.
    IndentedBlock(Range<usize>),
    /// As one word.
    Code(Range<usize>),
    /// As a tag name that does not start an HTML block.
    TagName(Range<usize>),
    /// By moving the indentation to the end of the previous line.
    Indent(Range<usize>),
}

/// Returns whether a document is MDX: by its file extension, or because it has imports or exports.
pub(super) fn is_mdx(name: &str, text: &str) -> bool {
    let is_statement = |mask: &LineMask| {
        let LineMask::Code(range) = mask else { return false };
        text.get(range.clone()).is_some_and(|code| code.starts_with("import ") || code.starts_with("export "))
    };
    let is_named = name.get(name.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case(".mdx"));
    let may_have = || ["import ", "export "].iter().any(|word| text.contains(word));
    is_named || (may_have() && find_masks(text, false).iter().any(is_statement))
}

pub(super) fn find_masks(text: &str, is_mdx: bool) -> Vec<LineMask> {
    let mut masks = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut elements = OpenElements::default();
    let mut shortcodes = ShortcodeFinder::default();
    let mut after_blank = true;
    let mut after_backslash = false;
    // Columns by which the open fence was moved.
    let mut fence_outdent = 0;
    // Column of the text in the previous line; `None` after a blank line.
    let mut text_column: Option<usize> = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let len = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        let line = rest.get(..len).unwrap_or_default();
        let line_end = |at: usize| {
            let rest = text.as_bytes().get(at..).unwrap_or_default();
            at + memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)
        };
        let mut end = at + len;
        let content = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let start = at + (line.len() - line.trim_start_matches([' ', '\t', '>']).len());
        let mut is_statement = false;
        let indent = line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default();
        let inner = start + (content.len() - after_list_markers(content).len());
        let is_block = || opened_fence(content).is_some() || text.get(inner..).is_some_and(jsx::is_tag_block);
        // A line indented at least four columns more than the text of the previous line would continue its paragraph.
        let paragraph = text_column.filter(|column| width_in_columns(indent) >= column + 4);
        let wanted = match (fence, paragraph) {
            _ if !is_mdx => 0,
            (None, Some(column)) if is_block() => width_in_columns(indent) - column,
            // Moved indentation would come between the backslash of a hard break and its line ending.
            (None, _) if after_backslash => 0,
            (None, _) => elements.outdent(width_in_columns(indent), content),
            (Some(_), _) => elements.outdent(width_in_columns(indent), content).max(fence_outdent),
        };
        let (outdent, removed) = indent_up_to(indent, wanted);
        let is_in_quote = text.get(at..start).is_some_and(|before| before.contains('>'));
        let before = text.get(at..inner).unwrap_or_default();
        let column = (!is_in_quote).then(|| width_in_columns(before).saturating_sub(removed));
        if outdent > 0 {
            masks.push(LineMask::Indent(at..at + outdent));
        }
        if let Some((open, width)) = fence {
            let run = content.len() - content.trim_start_matches(char::from(open)).len();
            if run >= width && run == content.len() {
                fence = None;
            }
        } else if let Some(opened) = opened_fence(content) {
            fence = Some(opened);
            fence_outdent = removed;
        } else if after_blank && start == at && is_import_or_export(content) {
            end = at + statement_len(rest);
            is_statement = true;
            let statement = text.get(at..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
            masks.push(LineMask::Code(at..at + statement.len()));
        } else if let Some(line) =
            text.get(inner..).filter(|_| is_mdx).and_then(|text| elements.read_line(text, column))
        {
            match line {
                JsxLine::Block(len) => {
                    masks.push(LineMask::Rule(inner..inner + len));
                    end = line_end(inner + len);
                }
                JsxLine::Text(before, len) => masks.push(LineMask::TagName(inner + before..inner + before + len)),
                JsxLine::Raw => {}
            }
        } else if let Some(code) = shortcodes.find_code(text, at, end) {
            end = line_end(code.end);
            let is_alone = code.start == start && text.get(code.end..end).is_some_and(|after| after.trim().is_empty());
            masks.push(if is_alone { LineMask::Rule(code) } else { LineMask::Code(code) });
        } else if after_blank && line.starts_with("    ") && outdent == 0 {
            // Four columns of indentation make a code block.
        } else if let Some(len) = text.get(start..).and_then(shortcode::shortcode_lines_len) {
            masks.push(LineMask::Rule(start..start + len));
            end = line_end(start + len);
        } else {
            masks.extend(directive_mask(content, start..start + content.len()));
        }
        // Imports may follow each other without blank lines.
        after_blank = content.is_empty() || is_statement;
        after_backslash = content.ends_with('\\');
        text_column = column.filter(|_| !after_blank);
        at = end;
    }
    masks
}

/// Returns the width of the start of a line, with tabs expanded.
fn width_in_columns(text: &str) -> usize {
    text.chars().fold(0, column_after)
}

fn column_after(column: usize, c: char) -> usize {
    if c == '\t' { (column / 4 + 1) * 4 } else { column + 1 }
}

/// Returns the length and the width of the indentation up to `wanted` columns.
fn indent_up_to(indent: &str, wanted: usize) -> (usize, usize) {
    let mut width = 0;
    for (at, c) in indent.char_indices() {
        let next = column_after(width, c);
        if next > wanted {
            return (at, width);
        }
        width = next;
    }
    (indent.len(), width)
}

fn directive_mask(content: &str, range: Range<usize>) -> Option<LineMask> {
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
    None
}

/// Returns the character and the length of the fence that a line opens.
fn opened_fence(content: &str) -> Option<(u8, usize)> {
    let content = after_list_markers(content);
    let open = *content.as_bytes().first().filter(|c| matches!(c, b'`' | b'~'))?;
    let width = content.len() - content.trim_start_matches(char::from(open)).len();
    let info = content.get(width..).unwrap_or_default();
    (width >= 3 && !(open == b'`' && info.contains('`'))).then_some((open, width))
}

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

fn is_import_or_export(line: &str) -> bool {
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

/// Returns the length of a statement with its line ending. It ends at the end of the line where all brackets are
/// closed.
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
        masked_as(text, false)
    }

    fn masked_as(text: &str, is_mdx: bool) -> Vec<(char, &str)> {
        let part = |range: &Range<usize>| &text[range.clone()];
        find_masks(text, is_mdx)
            .iter()
            .map(|mask| match mask {
                LineMask::Rule(range) => ('r', part(range)),
                LineMask::IndentedBlock(range) => ('i', part(range)),
                LineMask::Code(range) => ('c', part(range)),
                LineMask::TagName(range) => ('t', part(range)),
                LineMask::Indent(range) => ('<', part(range)),
            })
            .collect()
    }

    #[test]
    fn masks_lines_of_directives_and_shortcodes() {
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
