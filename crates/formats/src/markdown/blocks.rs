//! Finds the text blocks of a document: paragraphs, headings, table cells.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::BlockKind;
use super::entry::{self, BlockPart, PairForm, PartKind};
use super::mask::{self, MaskedText};
use crate::record::Slot;

/// HTML elements whose content is not prose.
const CODE_ELEMENTS: [&str; 8] = ["code", "kbd", "samp", "var", "tt", "pre", "script", "style"];

/// Returns the slots of `source`, a document without its front matter, which starts at `base` in the record.
pub(super) fn slots(source: &str, base: usize, is_mdx: bool) -> Vec<Slot> {
    let masked = MaskedText::new(source, is_mdx);
    let mut finder = BlockFinder {
        masked: &masked,
        source,
        base,
        parts: Vec::new(),
        kind: BlockKind::Paragraph,
        fixed_link: None,
        code_element: None,
        in_code: false,
        slots: Vec::new(),
    };
    for (event, range) in masked.events(&[]) {
        finder.add_event(event, range);
    }
    finder.end_block();
    finder.slots
}

struct BlockFinder<'a> {
    masked: &'a MaskedText,
    source: &'a str,
    base: usize,
    parts: Vec<BlockPart>,
    kind: BlockKind,
    /// End of a link that must not change.
    fixed_link: Option<usize>,
    /// Name of an open HTML element whose content must not change, and the index of its first part.
    code_element: Option<(&'static str, usize)>,
    in_code: bool,
    slots: Vec<Slot>,
}

impl BlockFinder<'_> {
    fn add_event(&mut self, event: Event<'_>, range: Range<usize>) {
        if let Some(end) = self.fixed_link {
            if range.start < end && !matches!(event, Event::End(TagEnd::Link)) {
                return;
            }
            self.fixed_link = None;
            if matches!(event, Event::End(TagEnd::Link)) {
                return;
            }
        }
        match event {
            Event::Text(_) if !self.in_code => self.push_part(PartKind::Text, range),
            Event::HardBreak if mask::is_hard_break(self.source, &range) => self.push_part(PartKind::HardBreak, range),
            Event::SoftBreak | Event::HardBreak => self.push_part(PartKind::SoftBreak, range),
            Event::InlineHtml(_) => self.push_inline_html(range),
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {
                self.push_part(PartKind::Fixed, range);
            }
            Event::Start(tag) => self.start_tag(&tag, range),
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image) => {
                self.push_part(PartKind::Close, range);
            }
            Event::End(tag) => {
                self.end_block();
                if matches!(tag, TagEnd::CodeBlock | TagEnd::HtmlBlock) {
                    self.in_code = false;
                }
                self.kind = BlockKind::Paragraph;
            }
            Event::Rule | Event::TaskListMarker(_) | Event::Html(_) => self.end_block(),
            Event::Text(_) => {}
        }
    }

    fn push_part(&mut self, kind: PartKind, range: Range<usize>) {
        self.parts.push(BlockPart { kind, range });
    }

    fn start_tag(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis => self.push_part(PartKind::Open(PairForm::Emphasis, 1), range),
            Tag::Strong => self.push_part(PartKind::Open(PairForm::Emphasis, 2), range),
            Tag::Strikethrough => {
                let is_double = self.source.get(range.clone()).is_some_and(|text| text.starts_with("~~"));
                self.push_part(PartKind::Open(PairForm::Emphasis, if is_double { 2 } else { 1 }), range);
            }
            Tag::Link { link_type, .. } => self.push_link(*link_type, 1, range),
            Tag::Image { link_type, .. } => self.push_link(*link_type, 2, range),
            _ => {
                self.end_block();
                match tag {
                    Tag::CodeBlock(_) | Tag::HtmlBlock => self.in_code = true,
                    Tag::Heading { .. } => self.kind = BlockKind::Heading,
                    Tag::TableCell => self.kind = BlockKind::TableCell,
                    _ => self.kind = BlockKind::Paragraph,
                }
            }
        }
    }

    fn push_link(&mut self, form: LinkType, len: usize, mut range: Range<usize>) {
        let text = self.source.get(range.start..).unwrap_or_default();
        match form {
            LinkType::Autolink | LinkType::Email | LinkType::WikiLink { has_pothole: false } => {
                self.fixed_link = Some(range.end);
                self.push_part(PartKind::Fixed, range);
            }
            LinkType::WikiLink { has_pothole: true } => {
                let target = memchr::memchr(b'|', text.as_bytes()).map_or(len + 1, |at| at + 1);
                self.push_part(PartKind::Open(PairForm::Link, target), range);
            }
            LinkType::Collapsed | LinkType::CollapsedUnknown => {
                let is_outside = self.source.get(range.end..).is_some_and(|after| after.starts_with("[]"));
                range.end += if is_outside { 2 } else { 0 };
                self.push_part(PartKind::Open(PairForm::LabelledLink, len), range);
            }
            LinkType::Shortcut | LinkType::ShortcutUnknown => {
                self.push_part(PartKind::Open(PairForm::LabelledLink, len), range);
            }
            LinkType::Inline | LinkType::Reference | LinkType::ReferenceUnknown => {
                self.push_part(PartKind::Open(PairForm::Link, len), range);
            }
        }
    }

    /// An element with code becomes one fixed part.
    fn push_inline_html(&mut self, range: Range<usize>) {
        let tag = self.source.get(range.clone()).unwrap_or_default();
        if let Some((name, start)) = self.code_element
            && has_tag_name(tag, "</", name)
        {
            self.code_element = None;
            let Some(first) = self.parts.get(start).map(|part| part.range.start) else { return };
            self.parts.truncate(start);
            return self.push_part(PartKind::Fixed, first..range.end);
        }
        if self.code_element.is_none() && !tag.ends_with("/>") {
            let name = CODE_ELEMENTS.into_iter().find(|name| has_tag_name(tag, "<", name));
            self.code_element = name.map(|name| (name, self.parts.len()));
        }
        self.push_part(PartKind::Fixed, range);
    }

    fn end_block(&mut self) {
        self.code_element = None;
        self.fixed_link = None;
        if self.parts.is_empty() {
            return;
        }
        if let Some(slot) = entry::block_slot(self.masked, self.source, self.base, &self.parts) {
            self.slots.push(Slot { name: self.kind.position(), ..slot });
        }
        self.parts.clear();
    }
}

/// Returns whether a tag has a name, ignoring case.
fn has_tag_name(tag: &str, open: &str, name: &str) -> bool {
    let rest = tag.strip_prefix(open).unwrap_or_default();
    let has_name = rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    has_name && rest.get(name.len()..).is_some_and(|after| after.starts_with(['>', ' ', '\t', '\n', '\r']))
}
