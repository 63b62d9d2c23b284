//! The output format of translated and improved texts, from `--format`, `--columns` and `--header`.

use std::io::{self, Write};

use tulk_base::error::Failure;
use tulk_formats::{InputFormat, ResultColumn, ResultColumns, ResultRow, ResultWriter, results};

use crate::config::OutputFormat;
use crate::context::Context;
use crate::inputs::structure::InputFormats;
use crate::output::{Cell, Column, OutputSettings, Table, table_text};

pub const TRANSLATION_COLUMNS: &[Column] = {
    let [target, text, source, billed, model] = ResultColumn::TRANSLATION;
    // The text is the result, so a table never cuts it.
    &[
        Column::text(target.name()).rank(0),
        Column::id(text.name()),
        Column::text(source.name()),
        Column::count(billed.name()),
        Column::text(model.name()),
    ]
};

pub const IMPROVEMENT_COLUMNS: &[Column] = {
    let [target, text, source] = ResultColumn::IMPROVEMENT;
    &[Column::text(target.name()).rank(0), Column::id(text.name()), Column::text(source.name())]
};

#[derive(Clone, Copy, Debug)]
pub struct ResultForm {
    pub format: OutputFormat,
    /// Columns of TSV and tables.
    pub columns: ResultColumns,
    header: bool,
    list: &'static str,
    /// Whether JSON results contain the name of their input.
    inputs: bool,
    /// Whether the service chooses the language of results.
    detects_language: bool,
}

impl ResultForm {
    /// Returns the form of translations. Fails if `--columns` does not fit the format.
    pub fn translations(ctx: &Context, format: OutputFormat) -> Result<Self, Failure> {
        Self::new(ctx, format, "translations", &ResultColumn::TRANSLATION)
    }

    /// Returns the form of improved texts. Fails if `--columns` does not fit the format.
    pub fn improvements(ctx: &Context, format: OutputFormat) -> Result<Self, Failure> {
        Self::new(ctx, format, "improvements", &ResultColumn::IMPROVEMENT)
    }

    /// Returns the form of findings, which have their own columns.
    pub fn findings(format: OutputFormat) -> Self {
        Self { format, ..Self::text() }
    }

    fn new(ctx: &Context, format: OutputFormat, list: &'static str, columns: &[ResultColumn]) -> Result<Self, Failure> {
        let settings = ctx.out.settings();
        settings.check_columns(format)?;
        let columns = ResultColumns::named(&settings.columns, columns)?;
        Ok(Self { format, columns, header: ctx.args.header, list, ..Self::text() })
    }

    #[must_use]
    pub fn with_inputs(self, inputs: bool) -> Self {
        Self { inputs, ..self }
    }

    #[must_use]
    pub fn with_detected_language(self, detects_language: bool) -> Self {
        Self { detects_language, ..self }
    }

    pub fn as_text(self) -> Self {
        Self { format: OutputFormat::Text, ..self }
    }

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

    /// Returns whether one output contains the results of all targets.
    pub fn has_all_targets(&self, inputs: &InputFormats) -> bool {
        self.format != OutputFormat::Text || inputs.adds_results()
    }

    /// Returns whether the results of several runs can be concatenated in one output.
    pub fn can_be_concatenated(&self) -> bool {
        !matches!(self.format, OutputFormat::Json | OutputFormat::Table) && !self.header
    }

    /// Returns whether the writers need the service's objects. Only JSON and some columns do.
    pub fn needs_objects(&self) -> bool {
        match self.format {
            OutputFormat::Json | OutputFormat::Jsonl => true,
            OutputFormat::Tsv | OutputFormat::Table => self.detects_language || self.columns.need_objects(),
            _ => false,
        }
    }

    /// Returns the writer of an output with these targets. For a table, it writes the rows that [`ResultForm::for_display`] lays out.
    pub fn writer(&self, targets: &[String], input: &InputFormat) -> Box<dyn ResultWriter> {
        match self.format {
            OutputFormat::Json => results::json(self.list, targets, self.inputs),
            OutputFormat::Jsonl => results::jsonl(targets, self.inputs),
            OutputFormat::Tsv => results::rows(targets, input, self.header, self.columns),
            OutputFormat::Table => results::rows(targets, input, true, self.columns),
            _ => input.writer(targets),
        }
    }

    /// Returns the writer for stdout, which lays out the rows of a table. Other formats are unchanged.
    pub fn for_display(&self, ctx: &Context, writer: Box<dyn ResultWriter>) -> Box<dyn ResultWriter> {
        if self.format != OutputFormat::Table {
            return writer;
        }
        let settings = ctx.out.settings().clone();
        Box::new(TableWriter { rows: writer, written: Vec::new(), settings })
    }
}

/// Writes results as a table when all of them have arrived.
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
