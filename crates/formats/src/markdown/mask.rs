//! Masks parts that are not Markdown and must not change: shortcodes, expressions, JSX tags, bare URLs.
//!
//! They are masked before the document is parsed, so the parser finds no markup or line breaks in them. The masked text
//! has the length of the document, so positions are the same in both.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, BrokenLinkCallback, CowStr, Event, LinkType, OffsetIter, Options, Parser, Tag};

use super::entry::is_written_without_spaces;
use super::fixed_parts;
use super::line_mask::{self, LineMask};

const PARSER_OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_DEFINITION_LIST)
    .union(Options::ENABLE_WIKILINKS);

/// Replaces masked bytes.
const FILLER: u8 = b'x';

/// Replaces a dollar sign that does not delimit math.
const DOLLAR_FILLER: u8 = b'%';

#[derive(Debug)]
pub(super) struct MaskedText {
    text: String,
    /// Fixed parts inside blocks, in order and without overlaps.
    fixed: Vec<Range<usize>>,
}

impl MaskedText {
    /// `source` is a document without its front matter, or a block.
    pub(super) fn new(source: &str, is_mdx: bool) -> Self {
        let mut bytes = source.as_bytes().to_vec();
        let lines = line_mask::find_masks(source, is_mdx);
        for mask in &lines {
            apply_line_mask(&mut bytes, mask);
        }
        let text = masked_to_text(bytes, source);
        let spans = code_spans(&text);
        let mut bytes = text.into_bytes();
        for span in &spans {
            let code = bytes.get_mut(span.clone()).unwrap_or_default();
            code.iter_mut().filter(|byte| **byte == b'$').for_each(|byte| *byte = DOLLAR_FILLER);
        }
        let text = masked_to_text(bytes, source);
        // Mask nothing in parts that the parser does not interpret. Not all dollar signs delimit math.
        let (mut raw, mut dollars) = (Vec::new(), Vec::new());
        for (event, range) in Parser::new_ext(&text, PARSER_OPTIONS).into_offset_iter() {
            match event {
                Event::InlineMath(_) if !is_math(&text, &range, &spans) => dollars.extend([range.start, range.end - 1]),
                Event::Start(
                    Tag::CodeBlock(_)
                    | Tag::HtmlBlock
                    | Tag::Link { link_type: LinkType::Autolink | LinkType::Email, .. },
                )
                | Event::Code(_)
                | Event::InlineHtml(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::FootnoteReference(_) => raw.push(range),
                _ => {}
            }
        }
        let mut fixed = fixed_parts::find_fixed_parts(&text, &raw);
        let mut bytes = text.into_bytes();
        for at in dollars {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = DOLLAR_FILLER;
            }
        }
        for range in &fixed {
            if let Some(inner) = bytes.get_mut(range.start + 1..range.end.saturating_sub(1)) {
                inner.fill(FILLER);
            }
            // An opening parenthesis inside an address is now masked, so mask a closing one at the end of the address, too.
            if let Some(last @ b')') = bytes.get_mut(range.end.saturating_sub(1)) {
                *last = FILLER;
            }
            mask_partial_characters(&mut bytes, range);
        }
        // Lines masked as a thematic break are fixed too: if one is indented far enough, the parser adds it to the paragraph.
        fixed.extend(lines.into_iter().filter_map(|mask| match mask {
            LineMask::Code(range) | LineMask::Rule(range) => Some(range),
            _ => None,
        }));
        fixed.sort_by_key(|range| range.start);
        Self { text: masked_to_text(bytes, source), fixed }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn fixed_in(&self, range: &Range<usize>) -> &[Range<usize>] {
        let start = self.fixed.partition_point(|part| part.end <= range.start);
        let end = self.fixed.partition_point(|part| part.start < range.end);
        self.fixed.get(start..end).unwrap_or_default()
    }

    /// `labels` are those of links whose definitions are elsewhere.
    pub(super) fn events<'a>(&'a self, labels: &'a [String]) -> OffsetIter<'a, impl BrokenLinkCallback<'a>> {
        let find = move |link: BrokenLink<'a>| {
            let label = normalized_label(&link.reference);
            labels.contains(&label).then(|| (CowStr::from(label), CowStr::from("")))
        };
        Parser::new_with_broken_link_callback(&self.text, PARSER_OPTIONS, Some(find)).into_offset_iter()
    }
}

/// Returns whether a break that the parser found is a hard break in the source. Moved indentation looks like one.
pub(super) fn is_hard_break(source: &str, range: &Range<usize>) -> bool {
    let line_end = source.get(range.clone()).unwrap_or_default().split(['\r', '\n']).next();
    line_end.is_some_and(|end| end.starts_with('\\') || end.len() >= 2)
}

pub(super) fn normalized_label(label: &str) -> String {
    label
        .split(|c: char| c.is_whitespace() || c == '>')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// Converts masked bytes to text. Masks are ASCII and cover complete characters; if not, the source is used unmasked.
fn masked_to_text(bytes: Vec<u8>, source: &str) -> String {
    String::from_utf8(bytes).unwrap_or_else(|_| source.to_owned())
}

/// Masks the rest of a multi-byte character that is masked only in part, at either end of a range.
fn mask_partial_characters(bytes: &mut [u8], range: &Range<usize>) {
    for at in [range.start, range.end.saturating_sub(1)] {
        if let Some(byte) = bytes.get_mut(at)
            && !byte.is_ascii()
        {
            *byte = FILLER;
        }
    }
}

fn apply_line_mask(bytes: &mut [u8], mask: &LineMask) {
    let (range, start, fill) = match mask {
        // The range is too short for a thematic break. An empty heading also ends a paragraph.
        LineMask::Rule(range) if range.len() < 3 => (range, b"".as_slice(), b'#'),
        LineMask::Rule(range) => (range, b"".as_slice(), b'_'),
        LineMask::IndentedBlock(range) => (range, b"-   ".as_slice(), b'*'),
        LineMask::Code(range) | LineMask::TagName(range) => (range, b"".as_slice(), FILLER),
        LineMask::Indent(range) => return move_indent(bytes, range),
    };
    let Some(line) = bytes.get_mut(range.clone()) else { return };
    line.fill(fill);
    for (to, from) in line.iter_mut().zip(start) {
        *to = *from;
    }
}

/// Moves indentation to the end of the previous line, before its line ending.
fn move_indent(bytes: &mut [u8], indent: &Range<usize>) {
    let before = bytes.get(..indent.start).unwrap_or_default();
    let line_end: &[u8] = if before.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
    if !before.ends_with(line_end) {
        return;
    }
    if let Some(moved) = bytes.get_mut(indent.start - line_end.len()..indent.end) {
        moved.fill(b' ');
        let at = moved.len() - line_end.len();
        moved.iter_mut().skip(at).zip(line_end).for_each(|(to, from)| *to = *from);
    }
}

/// Returns the code spans of a text with dollar signs. A dollar sign inside a span cannot close math that starts before it.
fn code_spans(text: &str) -> Vec<Range<usize>> {
    if !text.contains('$') || !text.contains('`') {
        return Vec::new();
    }
    let events = Parser::new_ext(text, PARSER_OPTIONS.difference(Options::ENABLE_MATH)).into_offset_iter();
    events.filter_map(|(event, range)| matches!(event, Event::Code(_)).then_some(range)).collect()
}

/// Returns whether dollar signs delimit math. In `$5-$10` and `$a and ($b`, they do not.
fn is_math(text: &str, math: &Range<usize>, code_spans: &[Range<usize>]) -> bool {
    let inner = text.get(math.clone()).unwrap_or_default();
    let before = text.get(..math.start).and_then(|before| before.chars().next_back());
    let after = text.get(math.end..).and_then(|after| after.chars().next());
    let is_word = |c: char| c.is_alphanumeric() && !is_written_without_spaces(c);
    let next_code = code_spans.partition_point(|span| span.start < math.start);
    let has_code = code_spans.get(next_code).is_some_and(|span| span.end <= math.end);
    !before.is_some_and(is_word)
        && !after.is_some_and(|c| c.is_ascii_digit() || (is_word(c) && inner.contains(char::is_whitespace)))
        && (!has_code || inner.starts_with("$`"))
}
