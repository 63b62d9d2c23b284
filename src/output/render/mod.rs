//! Renders a view as text in one of the output formats.
//!
//! It takes a [`View`] and the settings, and returns the whole text. Nothing here reads or writes a stream.

mod blocks;
mod charts;
mod columns;
mod fit;
pub(super) mod shorten;
mod shown_table;
mod table;
mod text;
mod tsv;
mod values;

use tulk_base::error::Failure;
use tulk_base::json;

pub use self::values::group_digits;

use super::escape;
use super::settings::{OutputSettings, unsupported_format};
use super::view::View;
use crate::config::OutputFormat;

use self::table::TableLayout;
use self::values::ValueStyle;

/// Returns `view` as text. Fails if the format or the columns do not fit it.
pub fn render(view: &impl View, format: OutputFormat, settings: &OutputSettings) -> Result<String, Failure> {
    settings.check_columns(format)?;
    let terminal = settings.stdout_is_terminal();
    let table = || columns::select(view.table(), settings.columns(), &view.items());
    Ok(match format {
        OutputFormat::Json => {
            let text = serde_json::to_string(view).map_err(|e| Failure::internal(e.to_string()))?;
            json::indent(&text, terminal) + "\n"
        }
        OutputFormat::Jsonl => view.items().iter().map(|item| json::compact(item.get(), terminal) + "\n").collect(),
        OutputFormat::Tsv => tsv::render(&table()?, settings.header(), terminal),
        OutputFormat::Table | OutputFormat::Auto => {
            let values = ValueStyle { terminal, utf8: settings.is_utf8(), current_dir: std::env::current_dir().ok() };
            let keep_all = !settings.columns().is_empty();
            let layout = TableLayout { values, width: settings.width(), color: settings.color_stdout(), keep_all };
            let chart = if terminal && !keep_all { view.chart() } else { None };
            match chart.and_then(|chart| charts::render(&chart, &layout)) {
                Some(text) => text,
                None => table::render(&table()?, &layout),
            }
        }
        OutputFormat::Text => match view.text() {
            Some(text) if terminal => escape::terminal(&text).into_owned(),
            Some(text) => text,
            None => text::render(&view.table(), terminal),
        },
        OutputFormat::Srt | OutputFormat::Vtt | OutputFormat::Github => return Err(unsupported_format(format)),
    })
}
