//! Blocks of Markdown documents (`--as markdown`): each paragraph, heading and table cell is an entry; all other bytes
//! are copied.
//!
//! Input: a document, which becomes one record. The parser locates the blocks; inline markup becomes tokens of the
//! entries. Output: the document with its blocks replaced, each escaped and wrapped so that it has the structure of its
//! source. The structure is checked for every result and for the complete document.

mod blocks;
mod document;
mod entry;
mod fixed_parts;
mod front_matter;
mod jsx;
mod line_mask;
mod mask;
mod render;
mod segments;
mod shortcode;
mod structure;

#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests;

use std::io::{self, Write};

use tulk_base::error::{Failure, Kind, Origin};

use self::document::MarkdownReader;
use self::front_matter::FrontMatter;
use self::line_mask::is_mdx;
use self::render::SourceBlock;
use self::structure::DocumentStructure;
use super::{EntryLimit, FileFormat, InputFormat, Record, RecordReader, ResultRow, ResultWriter, Slot, TextFormat};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkdownOptions {
    pub front_matter: Vec<String>,
}

pub const MARKDOWN: FileFormat = FileFormat {
    name: "markdown",
    help: "Markdown",
    extensions: &["md", "markdown", "mdx"],
    keeps: "its code and links",
    new: |options| InputFormat::new(MarkdownOptions { front_matter: options.front_matter.clone() }),
};

impl TextFormat for MarkdownOptions {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(MarkdownReader::new(self))
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(MarkdownWriter)
    }

    fn has_tokens(&self) -> bool {
        true
    }

    fn check_result(&self, record: &Record, slot: usize, text: &str) -> Result<(), String> {
        render(record, slot, text).map(drop)
    }
}

/// Kind of a text block. Its index in [`Self::ALL`] is stored in [`Slot::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// A paragraph, or the text of a list item.
    Paragraph,
    Heading,
    TableCell,
    /// A YAML value of the front matter.
    Yaml,
    Toml,
}

impl BlockKind {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Paragraph, "paragraph"),
        (Self::Heading, "heading"),
        (Self::TableCell, "table cell"),
        (Self::Yaml, "YAML value"),
        (Self::Toml, "TOML string"),
    ];

    fn names() -> Vec<String> {
        Self::ALL.iter().map(|(_, name)| (*name).to_owned()).collect()
    }

    fn position(self) -> u16 {
        Self::ALL.iter().zip(0..).find(|((kind, _), _)| *kind == self).map_or(0, |(_, position)| position)
    }

    fn of(slot: &Slot) -> Self {
        Self::ALL.get(usize::from(slot.name)).map_or(Self::Paragraph, |(kind, _)| *kind)
    }
}

/// The error says why the result is unusable.
fn render(record: &Record, slot: usize, result: &str) -> Result<String, String> {
    let text = record.text(slot).unwrap_or_default();
    let Some(slot) = record.slots.get(slot) else { return Err("there is no such entry".to_owned()) };
    let source =
        record.bytes.get(slot.byte_range()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
    if result == text {
        return Ok(source.to_owned());
    }
    if result.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let kind = BlockKind::of(slot);
    if matches!(kind, BlockKind::Yaml | BlockKind::Toml) {
        return front_matter::render(kind, source, result).ok_or_else(|| "it cannot be written as YAML".to_owned());
    }
    let block = SourceBlock { kind, source, text, tokens: &slot.tokens };
    block.render(result).map_err(|problem| format!("it changes the Markdown: {problem}"))
}

struct MarkdownWriter;

impl ResultWriter for MarkdownWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let record = &row.record;
        let mut document = Vec::with_capacity(record.bytes.len() + record.bytes.len() / 4);
        let mut done = 0;
        for (number, slot) in record.slots.iter().enumerate() {
            let Some(text) = row.result(0, number).and_then(|result| result.text.as_deref()) else { continue };
            let written = render(record, number, text).map_err(|problem| {
                let what = format!("the result of the text cannot be used: {problem}");
                io::Error::other(Failure::new(Kind::Refused, what).at(record.slot_origin(number)))
            })?;
            let bytes = slot.byte_range();
            document.extend_from_slice(record.bytes.get(done..bytes.start).unwrap_or_default());
            document.extend_from_slice(written.as_bytes());
            done = bytes.end;
        }
        document.extend_from_slice(record.bytes.get(done..).unwrap_or_default());
        if document != record.bytes {
            check_document(record, &document)?;
        }
        out.write_all(&document)
    }
}

/// Fails if a translated document differs in structure from its source.
fn check_document(record: &Record, result: &[u8]) -> io::Result<()> {
    let [source, result] = [&record.bytes, result].map(|bytes| {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        text.get(FrontMatter::find(text).map_or(0, |front| front.end)..).unwrap_or_default()
    });
    let is_mdx = is_mdx(&record.origin.source, source);
    let [expected, structure] = [source, result].map(|text| DocumentStructure::of(text, &[], is_mdx));
    expected.compare(&structure).map_err(|problem| {
        let what = format!("the translation would change the structure of the document: {problem}");
        let hint = "nothing was written; run the command again, or list the results with --json";
        io::Error::other(Failure::new(Kind::Refused, what).at(Origin::whole(&record.origin.source)).hint(hint))
    })
}
