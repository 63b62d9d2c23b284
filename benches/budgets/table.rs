//! The table of figures, with their budgets and verdicts.

use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Plain,
    Markdown,
}

#[derive(Clone)]
pub struct Figure {
    what: String,
    value: f64,
    unit: &'static str,
    budget: Option<f64>,
}

impl Figure {
    /// A ratio of two measurements.
    pub fn ratio(what: impl Into<String>, value: f64) -> Self {
        Self::amount(what, value, "")
    }

    pub fn amount(what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { what: what.into(), value, unit, budget: None }
    }

    pub fn at_most(self, budget: f64) -> Self {
        Self { budget: Some(budget), ..self }
    }

    fn cells(&self, subject: &str) -> [String; 5] {
        let budget = self.budget.map_or_else(String::new, |budget| format!("≤ {}", with_unit(budget, self.unit)));
        let verdict = self.budget.map_or("", |budget| if self.value <= budget { "ok" } else { "over" });
        [subject.to_owned(), self.what.clone(), with_unit(self.value, self.unit), budget, verdict.to_owned()]
    }
}

const COUNTS: [&str; 2] = ["lines", "texts"];

/// Three significant digits or two decimals, and the unit.
fn with_unit(value: f64, unit: &str) -> String {
    let number = match value.abs() {
        size if size >= 1_000.0 => thousands(value),
        _ if COUNTS.contains(&unit) => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    format!("{number} {unit}").trim_end().to_owned()
}

/// Rounds to three significant digits and separates thousands by commas.
pub fn thousands(value: f64) -> String {
    let step = 10_f64.powf(value.abs().log10().floor() - 2.0);
    let digits = format!("{:.0}", (value / step).round() * step);
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Renders figures with the names of their subjects. The plain layout also counts figures over budget.
pub fn render(figures: &[(&str, Figure)], layout: Layout) -> String {
    let mut rows = vec![["subject", "figure", "measured", "budget", "verdict"].map(str::to_owned)];
    rows.extend(figures.iter().map(|(subject, figure)| figure.cells(subject)));
    let mut text = match layout {
        Layout::Plain => plain(&rows),
        Layout::Markdown => markdown(&rows),
    };
    if layout == Layout::Plain {
        let budgets = figures.iter().filter(|(_, figure)| figure.budget.is_some()).count();
        let over = rows.iter().filter(|row| row.iter().any(|cell| cell == "over")).count();
        let _ = writeln!(text, "\n{budgets} budgets, {over} over");
    }
    text
}

/// Prints subjects as headings, so that lines fit into 100 columns.
fn plain(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let (whats, values, budgets) = (width(1), width(2), width(3));
    let (mut text, mut last) = (String::new(), "subject");
    for row in rows {
        let [subject, what, value, budget, verdict] = row.each_ref().map(String::as_str);
        if subject != last {
            let _ = writeln!(text, "{subject}");
            last = subject;
        }
        let line = format!("  {what:<whats$}  {value:>values$}  {budget:>budgets$}  {verdict}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn markdown(rows: &[[String; 5]]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(text, "| {} |", row.join(" | "));
        if number == 0 {
            text.push_str("|---|---|--:|--:|---|\n");
        }
    }
    text
}
