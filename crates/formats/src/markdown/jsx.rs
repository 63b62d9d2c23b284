//! Recognizes MDX lines of JSX tags and expressions, and the indentation of the Markdown between them.
//!
//! In CommonMark, such a line starts an HTML block, which ends at the next blank line, even inside code. In MDX it is a
//! block by itself: Markdown may follow directly, with any indentation.

use super::fixed_parts;

/// Maximum number of bytes to search for the end of an expression.
const EXPRESSION_BYTES: usize = 64 * 1024;
/// Elements whose content is not Markdown. CommonMark reads them up to their end tag, across blank lines.
const RAW_ELEMENTS: [&str; 4] = ["pre", "script", "style", "textarea"];

#[derive(Debug, Default)]
pub(super) struct OpenElements<'a> {
    elements: Vec<Element<'a>>,
    /// The raw element that contains the line, if any.
    raw: Option<&'static str>,
}

#[derive(Debug)]
struct Element<'a> {
    name: &'a str,
    /// Column of its tag, after removal of the outer indentation.
    column: usize,
    /// Indentation of the first line of its content; `None` before that line.
    indent: Option<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum JsxLine {
    /// Tags and expressions of this many bytes, which may span lines.
    Block(usize),
    /// A paragraph after a tag: start and length of the tag's name in bytes.
    Text(usize, usize),
    /// A line inside an element whose content is not Markdown.
    Raw,
}

impl<'a> OpenElements<'a> {
    /// Returns by how many columns to outdent a line that is indented by `indent`.
    pub(super) fn outdent(&mut self, indent: usize, content: &str) -> usize {
        let Some(innermost) = self.elements.last_mut().filter(|_| !content.is_empty()) else { return 0 };
        if innermost.indent.is_none() && !content.starts_with("</") {
            innermost.indent = Some(indent);
        }
        innermost.indent.unwrap_or(indent).min(indent).saturating_sub(innermost.column)
    }

    /// Processes the tags at the start of a line whose text starts at `column`. In a quote, where indentation does not
    /// count, `column` is `None`.
    pub(super) fn read_line(&mut self, text: &'a str, column: Option<usize>) -> Option<JsxLine> {
        let line = text.split('\n').next().unwrap_or_default();
        if let Some(name) = self.raw {
            self.raw = Some(name).filter(|_| !has_end_tag(line, name));
            return Some(JsxLine::Raw);
        }
        let Some((len, tags)) = tag_block(text) else {
            let name = text.strip_prefix('<').map(|rest| rest.trim_start_matches('/'))?;
            if let Some(raw) = RAW_ELEMENTS.into_iter().find(|raw| tag_name(name).eq_ignore_ascii_case(raw)) {
                self.raw = Some(raw).filter(|_| !has_end_tag(line, raw));
                return Some(JsxLine::Raw);
            }
            tag_len(text)?;
            return Some(JsxLine::Text(text.len() - name.len(), tag_name(name).len()));
        };
        if let [.., (name, TagKind::Open)] = tags[..]
            && let Some(raw) = RAW_ELEMENTS.into_iter().find(|raw| name.eq_ignore_ascii_case(raw))
        {
            self.raw = Some(raw);
            return Some(JsxLine::Raw);
        }
        for (name, kind) in tags {
            match kind {
                TagKind::Open => {
                    self.elements.extend(column.map(|column| Element { name, column, indent: None }));
                }
                TagKind::Close => {
                    if let Some(at) = self.elements.iter().rposition(|element| element.name == name) {
                        self.elements.truncate(at);
                    }
                }
                TagKind::Empty => {}
            }
        }
        Some(JsxLine::Block(len))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagKind {
    Open,
    Close,
    Empty,
}

pub(super) fn is_tag_block(text: &str) -> bool {
    tag_block(text).is_some()
}

/// Returns the length of the tags and expressions at the start of a text, and the tags. `None` if their lines contain
/// anything else.
fn tag_block(text: &str) -> Option<(usize, Vec<(&str, TagKind)>)> {
    let mut tags = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += match rest.as_bytes().first()? {
            b'<' => {
                let len = tag_len(rest)?;
                let tag = rest.get(1..len - 1)?;
                let kind = match () {
                    () if tag.starts_with('/') => TagKind::Close,
                    () if tag.ends_with('/') => TagKind::Empty,
                    () => TagKind::Open,
                };
                tags.push((tag_name(tag.trim_start_matches('/').trim_start()), kind));
                len
            }
            b'{' => expression_len(rest.as_bytes())?,
            _ => return None,
        };
        let after = text.get(at..)?.trim_start_matches([' ', '\t', '\r']);
        if after.is_empty() || after.starts_with('\n') {
            return Some((at, tags));
        }
        at = text.len() - after.len();
    }
}

fn tag_name(tag: &str) -> &str {
    let len = tag.find(|c: char| !(c.is_ascii_alphanumeric() || "._-:".contains(c))).unwrap_or(tag.len());
    tag.get(..len).unwrap_or_default()
}

fn has_end_tag(line: &str, name: &str) -> bool {
    line.match_indices("</").any(|(at, _)| tag_name(line.get(at + 2..).unwrap_or_default()).eq_ignore_ascii_case(name))
}

fn tag_len(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("</").or_else(|| text.strip_prefix('<'))?;
    let name = tag_name(inner);
    let after = inner.get(name.len()..)?;
    let is_tag = if name.is_empty() {
        after.starts_with('>')
    } else {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && (after.starts_with(['>', '{', ' ', '\t', '\r', '\n']) || after.starts_with("/>"))
    };
    is_tag.then(|| fixed_parts::tag_end(text.as_bytes(), expression_len))?.map(|(len, _)| len)
}

/// Returns the length of a JavaScript expression in braces. Ignores braces in strings and block comments.
fn expression_len(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote: Option<u8> = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at).filter(|_| at < EXPRESSION_BYTES) {
        match (quote, byte) {
            (Some(_), b'\\') => at += 1,
            (Some(open), _) if open == byte => quote = None,
            (Some(b'"' | b'\''), b'\n') => quote = None,
            // An apostrophe in the text of an element is not a quote.
            (None, b'\'') if at.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'/') if bytes.get(at + 1) == Some(&b'*') => {
                let rest = bytes.get(at..EXPRESSION_BYTES.min(bytes.len()))?;
                at += memchr::memmem::find(rest, b"*/")? + 1;
            }
            // Limit the depth: a text of many opening braces would take quadratic time.
            (None, b'{') if depth == fixed_parts::MAX_BRACE_DEPTH => return None,
            (None, b'{') => depth += 1,
            (None, b'}') if depth == 1 => return Some(at + 1),
            (None, b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    fixed_parts::braces_len(bytes)
}

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests {
    use super::*;

    fn block_of(text: &str) -> Option<&str> {
        tag_block(text).map(|(len, _)| &text[..len])
    }

    #[test]
    fn finds_lines_of_only_tags_and_expressions() {
        for line in ["<A>", "</A.B>", "<a-b c='>' {...d} />", "<><b></b>", "{/* it's */}", "<style>{`\n\na{}`}</style>"]
        {
            assert_eq!(block_of(&format!("{line} \r\nx")), Some(line));
        }
        for line in ["<A\n  b={[\n\n'}']}\n/>", "{a.map(b => (\n\n<i>Don't</i>))}"] {
            assert_eq!(block_of(&format!("{line}\n```")), Some(line));
        }
        for line in ["<A>x", "x <A>", "{a} b", "<!-- a -->", "<https://a.b>", "<a@b.c>", "< a", "<A", "{a"] {
            assert_eq!(block_of(line), None, "{line}");
        }
    }

    #[test]
    fn lines_in_an_element_are_moved_to_its_column() {
        let mut open = OpenElements::default();
        assert_eq!(open.outdent(2, "a"), 0);
        open.read_line("<A>", Some(3));
        assert_eq!(open.outdent(5, "<B c>"), 2);
        open.read_line("<B c>", Some(3));
        assert_eq!(open.outdent(9, "```"), 6);
        assert_eq!(open.outdent(4, "x"), 1);
        assert_eq!(open.outdent(11, "x"), 6);
        assert_eq!(open.read_line("</A>", Some(3)), Some(JsxLine::Block(4)));
        assert_eq!(open.outdent(9, "x"), 0);
    }

    #[test]
    fn raw_elements_extend_to_their_end_tag() {
        let mut open = OpenElements::default();
        let lines = ["<pre>", "<b>", "</pre>", "<b>", "<style>a", "</style>", "<p>b", "</div> c"];
        let (raw, text) = (JsxLine::Raw, JsxLine::Text);
        let expected =
            [JsxLine::Raw, JsxLine::Raw, JsxLine::Raw, JsxLine::Block(3), JsxLine::Raw, raw, text(1, 1), text(2, 3)];
        assert_eq!(lines.map(|line| open.read_line(line, Some(0))), expected.map(Some));
    }
}
