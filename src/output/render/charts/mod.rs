//! Draws charts for a terminal: gauges, and bars over time.
//!
//! Input: the numbers of a chart and the layout of the terminal. Output: lines that fit its width. Without a UTF-8 locale, bars
//! consist of `#` and `-`, or of digits.

mod day_bars;
mod gauges;

use super::shorten;
use super::table::TableLayout;
use crate::output::color::TextStyle;
use crate::output::view::Chart;

/// Returns the chart as text; `None` if its numbers cannot be drawn and a table must be shown instead.
pub fn render(chart: &Chart, layout: &TableLayout) -> Option<String> {
    match chart {
        Chart::Gauges(chart) => Some(gauges::render(chart, layout)),
        Chart::Days(chart) => day_bars::render(chart, layout),
    }
}

fn width(layout: &TableLayout) -> usize {
    layout.width.map_or(usize::MAX, usize::from)
}

fn push_note(text: &mut String, note: &str, layout: &TableLayout) {
    for line in shorten::wrap(note, width(layout)) {
        text.push_str(&TextStyle::Dim.paint(line, layout.color));
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::render::values::ValueStyle;

    pub fn terminal(width: u16, utf8: bool) -> TableLayout {
        let values = ValueStyle { terminal: true, utf8, current_dir: None, home: None };
        TableLayout { values, width: Some(width), ..TableLayout::default() }
    }

    #[test]
    fn notes_are_wrapped_and_dim() {
        let mut text = String::new();
        push_note(&mut text, "one two", &TableLayout { color: true, ..terminal(5, true) });
        assert_eq!(text, "\u{1b}[2mone\u{1b}[0m\n\u{1b}[2mtwo\u{1b}[0m\n");
    }
}
