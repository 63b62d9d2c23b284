//! Reads a Markdown document as one record.

use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_base::limits;

use super::front_matter::FrontMatter;
use super::line_mask::is_mdx;
use super::{BlockKind, MarkdownOptions, blocks};
use crate::RecordReader;
use crate::input::source::{Source, TextPosition};
use crate::record::{EntryLabels, Record, Slot};

pub(super) struct MarkdownReader {
    keys: Vec<String>,
    labels: Arc<EntryLabels>,
    /// Number of entries so far, over all inputs.
    entries: u64,
}

impl MarkdownReader {
    pub(super) fn new(options: &MarkdownOptions) -> Self {
        let labels = EntryLabels { key: None, names: BlockKind::names() };
        Self { keys: options.front_matter.clone(), labels: Arc::new(labels), entries: 0 }
    }

    /// `base` is the start of the document in the record.
    fn slots(&self, text: &str, base: usize, name: &Arc<str>) -> Result<Vec<Slot>, Failure> {
        let Some(front) = FrontMatter::find(text) else { return Ok(blocks::slots(text, base, is_mdx(name, text))) };
        let mut slots = front.slots(text, base, &self.keys).map_err(|error| {
            let position = TextPosition::START.after(text.get(..error.at).unwrap_or_default().as_bytes());
            Failure::usage(error.what)
                .at(position.in_input(name))
                .hint("choose the keys to translate with --front-matter")
        })?;
        let body = text.get(front.end..).unwrap_or_default();
        slots.extend(blocks::slots(body, base + front.end, is_mdx(name, body)));
        Ok(slots)
    }
}

impl RecordReader for MarkdownReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        loop {
            let Some(document) = input.next_document()? else { return Ok(false) };
            into.bytes.extend_from_slice(document.mark);
            input.read_rest(limits::MARKDOWN_FILE, &mut into.bytes)?;
            let base = document.mark.len();
            let text = std::str::from_utf8(into.bytes.get(base..).unwrap_or_default());
            into.slots = self.slots(text.unwrap_or_default(), base, &document.name)?;
            into.entry = self.entries + 1;
            self.entries += into.slots.len() as u64;
            into.origin = TextPosition::START.in_input(&document.name);
            into.labels = Some(self.labels.clone());
            if !into.bytes.is_empty() || input.has_several_inputs() {
                return Ok(true);
            }
        }
    }
}
