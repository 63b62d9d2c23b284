//! The output format of translated and improved texts, from `--format`, `--columns` and `--header`.

use std::io::{self, Write};

use tulk_base::error::Failure;
use tulk_formats::{InputFormat, ResultColumn, ResultColumns, ResultRow, ResultWriter, results};

use crate::config::OutputFormat;
use crate::context::Context;
use crate::inputs::structure::InputFormats;
use crate::output::{Cell, Column, OutputSettings, Table, table_text};

/// The columns of listed translations.
pub const TRANSLATION_COLUMNS: &[Column] = {
    let [target, text, source, billed, model] = ResultColumn::TRANSLATION;
    // The text is the result: a table shows it whole.
    &[
        Column::text(target.name()).rank(0),
        Column::id(text.name()),
        Column::text(source.name()),
        Column::count(billed.name()),
        Column::text(model.name()),
    ]
};

/// The columns of listed improvements.
pub const IMPROVEMENT_COLUMNS: &[Column] = {
    let [target, text, source] = ResultColumn::IMPROVEMENT;
    &[Column::text(target.name()).rank(0), Column::id(text.name()), Column::text(source.name())]
};

/// How results are written.
#[derive(Clone, Copy, Debug)]
pub struct ResultForm {
    /// The format: text, JSON, JSONL, TSV or a table.
    pub format: OutputFormat,
    /// Columns of TSV and tables.
    pub columns: ResultColumns,
    header: bool,
    list: &'static str,
    /// Whether JSON results name their input.
    inputs: bool,
    /// Whether the service chooses the language of results.
    detects_language: bool,
}

impl ResultForm {
    /// Translations in this format. Fails if `--columns` does not fit.
    pub fn translations(ctx: &Context, format: OutputFormat) -> Result<Self, Failure> {
        Self::new(ctx, format, "translations", &ResultColumn::TRANSLATION)
    }

    /// Improved texts in this format. Fails if `--columns` does not fit.
    pub fn improvements(ctx: &Context, format: OutputFormat) -> Result<Self, Failure> {
        Self::new(ctx, format, "improvements", &ResultColumn::IMPROVEMENT)
    }

    /// Findings in this format, which have columns of their own.
    pub fn findings(format: OutputFormat) -> Self {
        Self { format, ..Self::text() }
    }

    fn new(ctx: &Context, format: OutputFormat, list: &'static str, columns: &[ResultColumn]) -> Result<Self, Failure> {
        let settings = ctx.out.settings();
        settings.check_columns(format)?;
        let columns = ResultColumns::named(&settings.columns, columns)?;
        Ok(Self { format, columns, header: ctx.args.header, list, ..Self::text() })
    }

    /// Adds to JSON results the name of their input.
    #[must_use]
    pub fn with_inputs(self, inputs: bool) -> Self {
        Self { inputs, ..self }
    }

    /// Takes the language of results from the service, which chooses it.
    #[must_use]
    pub fn with_detected_language(self, detects_language: bool) -> Self {
        Self { detects_language, ..self }
    }

    /// Returns the same settings for text.
    pub fn as_text(self) -> Self {
        Self { format: OutputFormat::Text, ..self }
    }

    /// Text without any settings.
    pub fn text() -> Self {
        Self {
            format: OutputFormat::Text,
            columns: ResultColumns::default(),
            header: false,
            list: "translations",
            inputs: false,
            detects_language: false,
        }
    }

    /// Returns whether one output has the results of all targets.
    pub fn has_all_targets(&self, inputs: &InputFormats) -> bool {
        self.format != OutputFormat::Text || inputs.adds_results()
    }

    /// Returns whether the results of several runs can follow each other in one output.
    pub fn is_cut_anywhere(&self) -> bool {
        !matches!(self.format, OutputFormat::Json | OutputFormat::Table) && !self.header
    }

    /// Returns whether results are written with the service's objects. Only JSON and some columns need them.
    pub fn keeps_objects(&self) -> bool {
        match self.format {
            OutputFormat::Json | OutputFormat::Jsonl => true,
            OutputFormat::Tsv | OutputFormat::Table => self.detects_language || self.columns.need_objects(),
            _ => false,
        }
    }

    /// Returns the writer of an output with these targets. That of a table writes the rows that [`ResultForm::shown`] lays out.
    pub fn writer(&self, targets: &[String], input: &InputFormat) -> Box<dyn ResultWriter> {
        match self.format {
            OutputFormat::Json => results::json(self.list, targets, self.inputs),
            OutputFormat::Jsonl => results::jsonl(targets, self.inputs),
            OutputFormat::Tsv => results::rows(targets, input, self.header, self.columns),
            OutputFormat::Table => results::rows(targets, input, true, self.columns),
            _ => input.writer(targets),
        }
    }

    /// Returns a writer for stdout, which lays out the rows of a table.
    pub fn shown(&self, ctx: &Context, writer: Box<dyn ResultWriter>) -> Box<dyn ResultWriter> {
        if self.format != OutputFormat::Table {
            return writer;
        }
        let settings = ctx.out.settings().clone();
        Box::new(TableWriter { rows: writer, written: Vec::new(), settings })
    }
}

/// Writes results as a table, once all are there.
struct TableWriter {
    /// Writes the rows as TSV with a header.
    rows: Box<dyn ResultWriter>,
    written: Vec<u8>,
    settings: OutputSettings,
}

impl ResultWriter for TableWriter {
    fn write(&mut self, row: &ResultRow, _out: &mut dyn Write) -> io::Result<()> {
        self.rows.write(row, &mut self.written)
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.rows.finish(&mut self.written)?;
        let written = String::from_utf8_lossy(&self.written);
        let mut lines = written.lines();
        let column = |name: &str| TRANSLATION_COLUMNS.iter().find(|column| column.as_str() == name).copied();
        let columns: Vec<Column> = lines.next().unwrap_or_default().split('\t').filter_map(column).collect();
        let mut table = Table::new(&columns);
        lines.for_each(|line| table.push(line.split('\t').zip(&columns).map(cell).collect()));
        out.write_all(table_text(&table, &self.settings).as_bytes())
    }
}

/// Returns the cell of a TSV field.
fn cell((field, column): (&str, &Column)) -> Cell {
    if column.as_str() == ResultColumn::BilledCharacters.name() && !field.is_empty() {
        return Cell::number(field);
    }
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        text.push(match (c, if c == '\\' { chars.next() } else { None }) {
            (_, Some('t')) => '\t',
            (_, Some('n')) => '\n',
            (_, Some('r')) => '\r',
            (c, _) => c,
        });
    }
    text.into()
}
