//! The output format of translated and improved texts, from `--format`, `--columns` and `--header`.

use tulk_base::error::Failure;
use tulk_formats::{InputFormat, ResultColumns, ResultWriter, results};

use crate::config::OutputFormat;
use crate::context::Context;
use crate::inputs::structure::InputFormats;
use crate::output::Column;

/// The columns of listed results.
pub const RESULT_COLUMNS: &[Column] = {
    let [target, text] = ResultColumns::NAMES;
    &[Column::text(target), Column::text(text)]
};

/// How results are written.
#[derive(Clone, Copy, Debug)]
pub struct ResultForm {
    /// The format: text, JSON, JSONL or TSV.
    pub format: OutputFormat,
    /// Columns of TSV.
    pub columns: ResultColumns,
    header: bool,
    list: &'static str,
    /// Whether JSON results name their input.
    inputs: bool,
    /// Whether the service chooses the language of results.
    detects_language: bool,
}

impl ResultForm {
    /// Results in this format. `list` is the name of the list in JSON. Fails if `--columns` does not fit.
    pub fn new(ctx: &Context, format: OutputFormat, list: &'static str) -> Result<Self, Failure> {
        ctx.out.settings().check_columns(format)?;
        Ok(Self {
            format,
            columns: ResultColumns::named(&ctx.out.settings().columns)?,
            header: ctx.args.header,
            list,
            inputs: false,
            detects_language: false,
        })
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
    #[cfg(test)]
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
        self.format != OutputFormat::Json && !self.header
    }

    /// Returns whether results are written with the service's objects. Only JSON and the language of results need them.
    pub fn keeps_objects(&self) -> bool {
        match self.format {
            OutputFormat::Json | OutputFormat::Jsonl => true,
            OutputFormat::Tsv => self.detects_language,
            _ => false,
        }
    }

    /// Returns the writer of an output with these targets.
    pub fn writer(&self, targets: &[String], input: &InputFormat) -> Box<dyn ResultWriter> {
        match self.format {
            OutputFormat::Json => results::json(self.list, targets, self.inputs),
            OutputFormat::Jsonl => results::jsonl(targets, self.inputs),
            OutputFormat::Tsv => results::rows(targets, input, self.header, self.columns),
            _ => input.writer(targets),
        }
    }
}
