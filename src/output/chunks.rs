//! Prints a list that may have millions of rows, in chunks.
//!
//! Each chunk of a table has its own widths and header. `--jq` needs the complete JSON, and fails if it exceeds the limit of a reply.

use tulk_base::error::{Failure, Kind};
use tulk_base::json::{self, WithRaw};
use tulk_client::http::answer_size::AnswerSize;

use super::render;
use super::view::unknown_column;
use super::{Column, ListView, Output, OutputSettings, Row, View};
use crate::config::OutputFormat;

/// Rows that are laid out and written together.
const CHUNK_ROWS: usize = 10_000;
/// Number of bytes of a JSON array that are collected before they are written.
const CHUNK_BYTES: usize = 64 * 1024;

pub struct ListChunks<'a> {
    out: &'a Output,
    settings: OutputSettings,
    format: OutputFormat,
    is_first: bool,
    /// JSON that is not written yet.
    array: String,
    has_elements: bool,
    size: AnswerSize,
}

impl Output {
    pub fn list_in_chunks<T: Row>(&self, rows: impl IntoIterator<Item = T>) -> Result<(), Failure> {
        let mut chunks = self.start_chunks(T::COLUMNS)?;
        let mut rows = rows.into_iter().peekable();
        while chunks.is_first || rows.peek().is_some() {
            let chunk = rows.by_ref().take(CHUNK_ROWS).map(WithRaw::from_typed).collect::<Result<Vec<_>, _>>()?;
            chunks.add(&ListView::new(&chunk))?;
        }
        chunks.end()
    }

    /// Starts a list that arrives in chunks. Fails if `--columns` names a column that is not in `columns`.
    pub fn start_chunks(&self, columns: &[Column]) -> Result<ListChunks<'_>, Failure> {
        let settings = self.settings.clone();
        let (format, array, size) = (settings.format(), "[".to_owned(), AnswerSize::default());
        settings.check_columns(format)?;
        let is_unknown = |name: &&String| !columns.iter().any(|column| column.as_str() == name.as_str());
        if let Some(name) = settings.columns.iter().find(is_unknown) {
            return Err(unknown_column(name, columns.iter().map(Column::as_str)));
        }
        Ok(ListChunks { out: self, settings, format, is_first: true, array, has_elements: false, size })
    }
}

impl ListChunks<'_> {
    /// Returns how many rows a chunk should have. Only tables look better in large chunks.
    pub fn rows(&self) -> usize {
        if self.format == OutputFormat::Table { CHUNK_ROWS } else { 1 }
    }

    /// Prints a chunk. Its JSON is an array of its items.
    pub fn add(&mut self, chunk: &impl View) -> Result<(), Failure> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        if self.format == OutputFormat::Json {
            return chunk.items().into_iter().try_for_each(|item| self.add_element(item.get()));
        }
        let text = render::render(chunk, self.format, &self.settings)?;
        // Later chunks continue the output of the first.
        self.settings.header = false;
        match self.format {
            OutputFormat::Jsonl => self.out.stdout.json_lines(&text),
            // A blank line separates two objects.
            OutputFormat::Text if !is_first && !text.is_empty() => {
                self.out.stdout.write(["\n", &text].concat().as_bytes())
            }
            _ => self.out.stdout.write(text.as_bytes()),
        }
    }

    fn add_element(&mut self, element: &str) -> Result<(), Failure> {
        let separator = if std::mem::replace(&mut self.has_elements, true) { "," } else { "" };
        if self.out.is_filtered() {
            let too_large = |excess| {
                Failure::new(Kind::Refused, format!("--jq: the list {excess}"))
                    .hint("filter each line of --format jsonl instead")
            };
            self.size.add_page(element.as_bytes()).map_err(too_large)?;
            self.array.extend([separator, element]);
            return Ok(());
        }
        let element = json::indent(element, self.settings.stdout_is_terminal).replace('\n', "\n  ");
        self.array.extend([separator, "\n  ", &element]);
        if self.array.len() >= CHUNK_BYTES {
            self.out.stdout.write(std::mem::take(&mut self.array).as_bytes())?;
        }
        Ok(())
    }

    pub fn end(mut self) -> Result<(), Failure> {
        if self.format != OutputFormat::Json {
            return Ok(());
        }
        if self.out.is_filtered() {
            return self.out.stdout.json(self.array + "]");
        }
        self.array.push_str(if self.has_elements { "\n]\n" } else { "]\n" });
        self.out.stdout.write(self.array.as_bytes())
    }
}
