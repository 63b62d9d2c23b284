//! The structure of a document or a block, which translation must not change.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::mask::{self, MaskedText};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Construct {
    Paragraph,
    Heading(u8),
    Quote,
    CodeBlock,
    HtmlBlock,
    List,
    Item,
    Footnote,
    DefinitionList,
    Table,
    TableRow,
    TableCell,
    Rule,
    Emphasis,
    Strong,
    Strikethrough,
    Link,
    Image,
    Code,
    HtmlTag,
    Math,
    FootnoteReference,
    HardBreak,
    TaskMarker,
}

impl Construct {
    fn plural(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraphs",
            Self::Heading(_) => "headings",
            Self::Quote => "block quotes",
            Self::CodeBlock => "code blocks",
            Self::HtmlBlock => "HTML blocks",
            Self::List => "lists",
            Self::Item => "list items",
            Self::Footnote => "footnotes",
            Self::DefinitionList => "definition lists",
            Self::Table => "tables",
            Self::TableRow => "table rows",
            Self::TableCell => "table cells",
            Self::Rule => "thematic breaks",
            Self::Emphasis => "emphasized parts",
            Self::Strong => "strong parts",
            Self::Strikethrough => "struck parts",
            Self::Link => "links",
            Self::Image => "images",
            Self::Code => "code spans",
            Self::HtmlTag => "HTML tags",
            Self::Math => "formulas",
            Self::FootnoteReference => "footnote references",
            Self::HardBreak => "hard line breaks",
            Self::TaskMarker => "task list markers",
        }
    }

    fn of_block(tag: &Tag<'_>) -> Option<Self> {
        Some(match tag {
            Tag::Paragraph => Self::Paragraph,
            Tag::Heading { level, .. } => Self::Heading(*level as u8),
            Tag::BlockQuote(_) => Self::Quote,
            Tag::CodeBlock(_) => Self::CodeBlock,
            Tag::HtmlBlock => Self::HtmlBlock,
            Tag::List(_) => Self::List,
            Tag::Item => Self::Item,
            Tag::FootnoteDefinition(_) => Self::Footnote,
            Tag::DefinitionList | Tag::DefinitionListTitle | Tag::DefinitionListDefinition => Self::DefinitionList,
            Tag::Table(_) => Self::Table,
            Tag::TableHead | Tag::TableRow => Self::TableRow,
            Tag::TableCell => Self::TableCell,
            _ => return None,
        })
    }
}

/// The blocks of a text in order, and the number of occurrences of each inline construct.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DocumentStructure {
    blocks: Vec<Construct>,
    inline: BTreeMap<(Construct, String), usize>,
}

impl DocumentStructure {
    /// `source` is a document without its front matter, or a block. `labels` are those of links whose definitions are
    /// elsewhere.
    pub(super) fn of(source: &str, labels: &[String], is_mdx: bool) -> Self {
        let masked = MaskedText::new(source, is_mdx);
        let mut structure = Self::default();
        masked.events(labels).for_each(|(event, range)| structure.add(&event, source, range));
        structure
    }

    /// Returns whether it is one paragraph or, if allowed, one heading.
    pub(super) fn is_one_block(&self, may_be_heading: bool) -> bool {
        match self.blocks[..] {
            [Construct::Paragraph] => true,
            [Construct::Heading(_)] => may_be_heading,
            _ => false,
        }
    }

    fn add(&mut self, event: &Event<'_>, source: &str, range: Range<usize>) {
        let bytes = || source.get(range.clone()).unwrap_or_default().to_owned();
        let (construct, content) = match event {
            Event::Start(Tag::Emphasis) => (Construct::Emphasis, String::new()),
            Event::Start(Tag::Strong) => (Construct::Strong, String::new()),
            Event::Start(Tag::Strikethrough) => (Construct::Strikethrough, String::new()),
            Event::Start(Tag::Link { dest_url, .. }) => (Construct::Link, dest_url.to_string()),
            Event::Start(Tag::Image { dest_url, .. }) => (Construct::Image, dest_url.to_string()),
            Event::Start(tag) => {
                self.blocks.extend(Construct::of_block(tag));
                match tag {
                    Tag::CodeBlock(_) => (Construct::CodeBlock, bytes()),
                    Tag::HtmlBlock => (Construct::HtmlBlock, bytes()),
                    Tag::FootnoteDefinition(label) => (Construct::Footnote, label.to_string()),
                    _ => return,
                }
            }
            Event::Rule => return self.blocks.push(Construct::Rule),
            Event::TaskListMarker(_) => (Construct::TaskMarker, bytes()),
            Event::Code(_) => (Construct::Code, bytes()),
            Event::InlineHtml(_) => (Construct::HtmlTag, bytes()),
            Event::InlineMath(_) | Event::DisplayMath(_) => (Construct::Math, bytes()),
            Event::FootnoteReference(label) => (Construct::FootnoteReference, label.to_string()),
            Event::HardBreak if mask::is_hard_break(source, &range) => (Construct::HardBreak, String::new()),
            _ => return,
        };
        *self.inline.entry((construct, content)).or_default() += 1;
    }

    /// The error says what differs.
    pub(super) fn compare(&self, result: &Self) -> Result<(), String> {
        if self == result {
            return Ok(());
        }
        let (mut source_counts, mut result_counts) = (self.counts(), result.counts());
        let all: Vec<Construct> = source_counts.keys().chain(result_counts.keys()).copied().collect();
        for construct in all {
            let (before, after) =
                (*source_counts.entry(construct).or_default(), *result_counts.entry(construct).or_default());
            if before != after {
                return Err(format!("{}: {after} instead of {before}", construct.plural()));
            }
        }
        let changed = self.inline.keys().find(|key| self.inline.get(key) != result.inline.get(key));
        let what = changed.map_or("blocks", |(construct, _)| construct.plural());
        Err(format!("{what} differ from the source"))
    }

    fn counts(&self) -> BTreeMap<Construct, usize> {
        let mut counts = BTreeMap::new();
        for block in &self.blocks {
            *counts.entry(*block).or_default() += 1;
        }
        for ((construct, _), count) in &self.inline {
            if !matches!(construct, Construct::CodeBlock | Construct::HtmlBlock | Construct::Footnote) {
                *counts.entry(*construct).or_default() += count;
            }
        }
        counts
    }
}
