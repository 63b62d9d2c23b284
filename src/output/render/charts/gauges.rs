//! Draws used amounts and their limits as gauges, one per line.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::{push_note, width};
use tulk_base::numbers::grouped;

use crate::output::color::TextStyle;
use crate::output::escape;
use crate::output::render::shorten;
use crate::output::render::table::TableLayout;
use crate::output::view::{Cell, Gauge, GaugeChart};

/// Widest and narrowest gauge, in columns. With less room, the percentage is shown without a gauge.
const GAUGE_WIDTHS: [usize; 2] = [30, 8];
/// Spaces between the columns, and before the amount.
const GAPS: [usize; 2] = [2, 3];
const FULL_PERCENT: &str = "100.0 %";
const NOTE_PREFIX: &str = ", ";
/// Shares of the limit, in tenths of a percent, from which the gauge is yellow and red.
const WARNING_SHARES: [u64; 2] = [800, 950];

struct GaugeLine {
    label: String,
    share: Option<u64>,
    is_goal: bool,
    percent: String,
    count: String,
    rest: String,
    note: String,
}

impl GaugeLine {
    fn new(gauge: &Gauge, is_goal: bool) -> Self {
        let share = share(gauge);
        let unit = escape::cell(&gauge.unit, true).into_owned();
        let rest = match gauge.limit {
            Some(limit) => format!("of {} {unit}", grouped(limit)),
            None => format!("{unit}, no limit"),
        };
        let note =
            gauge.note.as_ref().map(|note| format!("{NOTE_PREFIX}{}", escape::cell(note, true))).unwrap_or_default();
        Self {
            label: escape::cell(&gauge.label, true).into_owned(),
            percent: share.map(|n| format!("{}.{} %", n / 10, n % 10)).unwrap_or_default(),
            count: grouped(gauge.count),
            share,
            is_goal,
            rest,
            note,
        }
    }
}

/// Returns the used share of a limit in tenths of a percent, rounded down.
fn share(gauge: &Gauge) -> Option<u64> {
    let limit = gauge.limit.filter(|limit| *limit > 0)?;
    u64::try_from(u128::from(gauge.count) * 1000 / u128::from(limit)).ok()
}

/// Returns the gauges, and the period below them.
pub fn render(chart: &GaugeChart, layout: &TableLayout) -> String {
    let lines: Vec<GaugeLine> = chart.gauges.iter().map(|gauge| GaugeLine::new(gauge, chart.has_goals)).collect();
    let widest = |part: fn(&GaugeLine) -> &str| lines.iter().map(|line| part(line).width()).max().unwrap_or_default();
    let label = widest(|line| &line.label);
    let count = widest(|line| &line.count);
    let percent = widest(|line| &line.percent);
    // Reserve room for 100 %, so that the gauges keep their width when the first goal is reached.
    let percent = if chart.has_goals && percent > 0 { percent.max(FULL_PERCENT.width()) } else { percent };
    let [gap, amount_gap] = GAPS;
    let fixed =
        label + gap + percent + if percent > 0 { amount_gap } else { 0 } + count + 1 + widest(|line| &line.rest);
    let [most, least] = GAUGE_WIDTHS;
    // The note about the remaining work is more important than a wide gauge.
    let notes = if chart.has_goals { widest(|line| &line.note) } else { 0 };
    let room_beside = |notes: usize| width(layout).saturating_sub(fixed + notes + gap).min(most);
    let room = Some(room_beside(notes)).filter(|room| *room >= least).unwrap_or_else(|| room_beside(0));
    let bar = if percent > 0 && room >= least { room } else { 0 };
    let fits = fixed + if bar > 0 { bar + gap } else { 0 } <= width(layout);
    let mut text = String::new();
    for line in &lines {
        if fits {
            push_line(&mut text, line, [label, bar, percent, count], layout);
        } else {
            push_two_lines(&mut text, line, layout);
        }
    }
    if let Some([start, end]) = &chart.period {
        let period = layout.values.period(&[Cell::from(start.as_str()), Cell::from(end.as_str())]);
        push_note(&mut text, &period, layout);
    }
    text
}

fn push_line(text: &mut String, line: &GaugeLine, [label, bar, percent, count]: [usize; 4], layout: &TableLayout) {
    let [gap, amount_gap] = GAPS;
    let start = text.len();
    let mut columns = label;
    text.push_str(&line.label);
    text.push_str(&" ".repeat(label - line.label.width()));
    if percent > 0 {
        let gauge = if bar == 0 { String::new() } else { painted_gauge(line, bar, layout) };
        let bar_gap = if bar == 0 { 0 } else { gap };
        let _ = write!(text, "{}{gauge}{}", " ".repeat(bar_gap), " ".repeat(gap));
        let _ = write!(text, "{:>percent$}{}", line.percent, " ".repeat(amount_gap));
        columns += bar_gap + bar + gap + percent + amount_gap;
    } else {
        text.push_str(&" ".repeat(gap));
        columns += gap;
    }
    let _ = write!(text, "{:>count$} {}", line.count, line.rest);
    columns += count + 1 + line.rest.width();
    let has_room = columns + line.note.width() <= width(layout);
    if has_room {
        text.push_str(&line.note);
    }
    text.truncate(start + text.get(start..).unwrap_or_default().trim_end().len());
    text.push('\n');
    if let Some(note) = line.note.strip_prefix(NOTE_PREFIX).filter(|_| line.is_goal && !has_room) {
        push_indented(text, note, layout);
    }
}

/// Adds a gauge for a narrow terminal: label and percentage, and the amount below.
fn push_two_lines(text: &mut String, line: &GaugeLine, layout: &TableLayout) {
    let gap = if line.percent.is_empty() { "" } else { "  " };
    let _ = writeln!(text, "{}{gap}{}", line.label, line.percent);
    push_indented(text, &format!("{} {}{}", line.count, line.rest, if line.is_goal { &line.note } else { "" }), layout);
}

fn push_indented(text: &mut String, long: &str, layout: &TableLayout) {
    for line in shorten::wrap(long, width(layout).saturating_sub(2)) {
        let _ = writeln!(text, "  {line}");
    }
}

fn painted_gauge(line: &GaugeLine, width: usize, layout: &TableLayout) -> String {
    let Some(share) = line.share else { return " ".repeat(width) };
    let gauge = gauge(share, width, layout.values.utf8);
    match WARNING_SHARES {
        _ if line.is_goal && share >= 1000 => TextStyle::Green.paint(&gauge, layout.color),
        _ if line.is_goal => gauge,
        [_, red] if share >= red => TextStyle::Red.paint(&gauge, layout.color),
        [yellow, _] if share >= yellow => TextStyle::Yellow.paint(&gauge, layout.color),
        _ => gauge,
    }
}

/// Returns a gauge of a share in tenths of a percent. It is empty only at zero, and full only at the limit.
fn gauge(share: u64, width: usize, utf8: bool) -> String {
    let share = usize::try_from(share.min(1000)).unwrap_or(1000);
    let filled = match share {
        0 => 0,
        1000 => width,
        _ => ((share * width + 500) / 1000).clamp(1, width - 1),
    };
    let [full, empty] = if utf8 { ["█", "░"] } else { ["#", "-"] };
    full.repeat(filled) + &empty.repeat(width - filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::render::charts::tests::terminal;

    fn gauge_of(label: &str, count: u64, limit: Option<u64>, unit: &str) -> Gauge {
        Gauge { label: label.into(), count, limit, unit: unit.into(), note: None }
    }

    fn chart() -> GaugeChart {
        GaugeChart {
            gauges: vec![
                gauge_of("translate", 512_345, Some(1_000_000), "characters"),
                gauge_of("write", 60_000, Some(1_000_000), "characters"),
                gauge_of("speech", 42, None, "min"),
            ],
            period: Some(["2026-11-01T00:00:00Z".into(), "2026-12-01T00:00:00Z".into()]),
            has_goals: false,
        }
    }

    #[test]
    fn gauges_are_between_label_and_amount() {
        let expected = "\
translate  ███████████████░░░░░░░░░░░░░░░  51.2 %   512,345 of 1,000,000 characters
write      ██░░░░░░░░░░░░░░░░░░░░░░░░░░░░   6.0 %    60,000 of 1,000,000 characters
speech                                                   42 min, no limit
2026-11-01 to 2026-12-01
";
        assert_eq!(render(&chart(), &terminal(100, true)), expected);
        let ascii = render(&chart(), &terminal(100, false));
        assert!(ascii.starts_with("translate  ###############---------------  51.2 %   512,345 of"), "{ascii}");
    }

    #[test]
    fn a_narrow_terminal_has_smaller_gauges_or_none() {
        let expected = "\
translate  ████░░░░  51.2 %   512,345 of 1,000,000 characters
write      █░░░░░░░   6.0 %    60,000 of 1,000,000 characters
speech                             42 min, no limit
2026-11-01 to 2026-12-01
";
        assert_eq!(render(&chart(), &terminal(61, true)), expected);
        let text = render(&chart(), &terminal(60, true));
        assert!(text.starts_with("translate  51.2 %   512,345 of 1,000,000 characters\n"), "{text}");
        let text = render(&chart(), &terminal(40, true));
        assert!(text.starts_with("translate  51.2 %\n  512,345 of 1,000,000 characters\nwrite"), "{text}");
        for width in 40..=250 {
            let text = render(&chart(), &terminal(width, true));
            assert!(text.lines().all(|line| line.width() <= usize::from(width)), "{text}");
        }
    }

    #[test]
    fn a_note_is_shown_where_it_fits() {
        let mut chart = chart();
        chart.gauges[0].note = Some("12 by this key".into());
        assert!(render(&chart, &terminal(100, true)).contains("characters, 12 by this key\n"));
        assert!(!render(&chart, &terminal(85, true)).contains("this key"));
    }

    #[test]
    fn without_a_limit_there_is_no_gauge() {
        let chart = GaugeChart { gauges: vec![gauge_of("speech", 42, None, "min")], ..GaugeChart::default() };
        assert_eq!(render(&chart, &terminal(80, true)), "speech  42 min, no limit\n");
    }

    #[test]
    fn a_gauge_is_full_only_at_the_limit_and_empty_only_at_zero() {
        assert_eq!(gauge(0, 20, true), "░".repeat(20));
        assert_eq!(gauge(1, 20, true), format!("█{}", "░".repeat(19)));
        assert_eq!(gauge(999, 20, true), format!("{}░", "█".repeat(19)));
        assert_eq!(gauge(500, 20, false), format!("{}{}", "#".repeat(10), "-".repeat(10)));
        assert_eq!(gauge(1000, 20, true), "█".repeat(20));
        assert_eq!(gauge(5000, 20, true), "█".repeat(20));
    }

    #[test]
    fn notes_about_goals_are_never_omitted() {
        let note = "148 stale, 1 review".to_owned();
        let gauge = Gauge { note: Some(note), ..gauge_of("f1.json de", 1, Some(150), "units") };
        let chart = GaugeChart { gauges: vec![gauge], period: None, has_goals: true };
        let bar = |width: usize| format!("#{}", "-".repeat(width - 1));
        let amount = "  0.6 %   1 of 150 units";
        let wide = format!("f1.json de  {}  {amount}, 148 stale, 1 review\n", bar(21));
        assert_eq!(render(&chart, &terminal(80, false)), wide);
        let narrow = format!("f1.json de  {}  {amount}\n  148 stale, 1 review\n", bar(12));
        assert_eq!(render(&chart, &terminal(50, false)), narrow);
        let two = "f1.json de  0.6 %\n  1 of 150 units, 148 stale, 1\n  review\n";
        assert_eq!(render(&chart, &terminal(32, false)), two);
    }
}
