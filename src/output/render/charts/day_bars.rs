//! Draws amounts over time: one row per series, with a bar for each day, or for several days if the terminal is narrow.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use unicode_width::UnicodeWidthStr;

use super::{push_note, width};
use tulk_base::numbers::grouped;

use crate::output::color::TextStyle;
use crate::output::escape;
use crate::output::render::shorten;
use crate::output::render::table::{GAP, TableLayout};
use crate::output::render::values::timestamp;
use crate::output::view::{DayChart, DaySeries};

/// Bars from zero to the highest amount.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
/// Numbers of days per bar. Larger numbers are multiples of the last.
const DAYS_PER_BAR: [usize; 5] = [1, 2, 7, 14, 28];
/// Minimum width to which names are cut to make room for the bars.
const NAME_MINIMUM: usize = 20;

/// Returns the series with their bars, or `None` if the dates cannot be parsed.
pub fn render(chart: &DayChart, layout: &TableLayout) -> Option<String> {
    let [first, last] = [date(&chart.period[0])?, date(&chart.period[1])?];
    let days = usize::try_from(last.since(first).ok()?.get_days()).ok()? + 1;
    let names: Vec<String> = chart.series.iter().map(|series| escape::cell(&series.name, true).into_owned()).collect();
    let totals: Vec<String> = chart.series.iter().map(|series| grouped(series.total())).collect();
    let sum = chart.total.map(grouped);
    let total_width = totals.iter().chain(&sum).map(|text| text.width()).max()?.max("TOTAL".len());
    let longest = names.iter().map(|name| name.width()).max()?.max(chart.header.width()).max("total".len());
    let rest = width(layout).saturating_sub(total_width + 2 * GAP);
    let all_bars = rest.checked_sub(days).filter(|names| *names >= NAME_MINIMUM);
    let name_width = longest.min(all_bars.unwrap_or(rest / 2));
    let room = rest.saturating_sub(name_width).max(1);
    let step = days_per_bar(days, room);
    let bars: Vec<Vec<u64>> =
        chart.series.iter().map(|series| amounts(series, first, days, step)).collect::<Option<_>>()?;
    let highest = bars.iter().flatten().copied().max().unwrap_or_default();
    let mut text = String::new();
    let gap = " ".repeat(GAP);
    let mut push = |name: &str, total: &str, bars: &str, style: Option<TextStyle>| {
        let name = shorten::end(name, name_width, layout.values.ellipsis());
        let padding = " ".repeat(name_width - name.width());
        let line = format!("{name}{padding}{gap}{total:>total_width$}{gap}{bars}");
        let line = line.trim_end();
        text.push_str(&style.map_or_else(|| line.to_owned(), |style| style.paint(line, layout.color)));
        text.push('\n');
    };
    push(chart.header, "TOTAL", if step == 1 { "BY DAY" } else { "OVER TIME" }, Some(TextStyle::Dim));
    for ((name, total), amounts) in names.iter().zip(&totals).zip(&bars) {
        let bars: String = amounts.iter().map(|amount| bar(*amount, highest, layout.values.utf8)).collect();
        push(name, total, &bars, None);
    }
    if let Some(sum) = &sum {
        push("total", sum, "", None);
    }
    push_note(&mut text, &format!("{first} to {last}, {}", scale_note(step, highest, chart.unit)), layout);
    Some(text)
}

/// Returns the day of a time in UTC, or the day at the start of a text.
fn date(time: &str) -> Option<Date> {
    let day = || time.get(..10)?.parse().ok();
    timestamp(time).map(|time| TimeZone::UTC.to_datetime(time).date()).or_else(day)
}

/// Returns the number of days per bar with which all bars fit.
fn days_per_bar(days: usize, room: usize) -> usize {
    let needed = days.div_ceil(room);
    let [.., longest] = DAYS_PER_BAR;
    DAYS_PER_BAR.into_iter().find(|step| *step >= needed).unwrap_or_else(|| needed.div_ceil(longest) * longest)
}

fn amounts(series: &DaySeries, first: Date, days: usize, step: usize) -> Option<Vec<u64>> {
    let mut amounts = vec![0u64; days.div_ceil(step)];
    for (day, amount) in &series.days {
        let day = usize::try_from(date(day)?.since(first).ok()?.get_days()).ok()?;
        let sum = amounts.get_mut(day / step)?;
        *sum = sum.saturating_add(*amount);
    }
    Some(amounts)
}

/// Returns the bar of an amount. Only zero has the lowest bar, and only the highest amount has the highest bar.
fn bar(amount: u64, highest: u64, utf8: bool) -> char {
    let characters: &[char] = if utf8 { &BLOCKS } else { &DIGITS };
    let last = characters.len() - 1;
    let level = u128::from(amount) * last as u128 / u128::from(highest.max(1));
    let level = usize::try_from(level).unwrap_or(last).max(usize::from(amount > 0));
    characters.get(level).copied().unwrap_or(' ')
}

fn scale_note(step: usize, highest: u64, unit: &str) -> String {
    let days = if step == 1 { "one bar a day".to_owned() } else { format!("one bar for {step} days") };
    format!("{days}, the highest is {} {unit}", grouped(highest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::render::charts::tests::terminal;

    fn chart(last: &str) -> DayChart {
        let day = |day: &str, amount| (format!("{day}T00:00:00Z"), amount);
        let series = |name: &str, days: Vec<(String, u64)>| DaySeries { name: name.into(), days };
        DayChart {
            header: "TAG",
            series: vec![
                series("docs", vec![day("2026-11-01", 100), day("2026-11-02", 1), day("2026-11-04", 700)]),
                series("приложение", vec![day("2026-11-03", 350)]),
            ],
            period: ["2026-11-01".into(), last.into()],
            total: Some(1151),
            unit: "characters",
        }
    }

    #[test]
    fn each_day_has_a_bar_beside_the_total() {
        let expected = "\
TAG         TOTAL  BY DAY
docs          801  ▂▂▁█▁
приложение    350  ▁▁▄▁▁
total       1,151
2026-11-01 to 2026-11-05, one bar a day, the highest is 700 characters
";
        assert_eq!(render(&chart("2026-11-05"), &terminal(80, true)).as_deref(), Some(expected));
        let ascii = render(&chart("2026-11-05"), &terminal(80, false)).unwrap();
        assert!(ascii.contains("docs          801  11090\n"), "{ascii}");
    }

    #[test]
    fn a_long_period_has_bars_of_several_days() {
        let text = render(&chart("2027-10-31"), &terminal(100, true)).unwrap();
        assert!(text.contains("docs          801  █▁"), "{text}");
        assert!(text.contains("one bar for 7 days, the highest is 801 characters"), "{text}");
        for width in 40..=250 {
            let text = render(&chart("2027-11-01"), &terminal(width, true)).unwrap();
            assert!(text.lines().all(|line| line.width() <= usize::from(width)), "{width}: {text}");
        }
    }

    #[test]
    fn a_long_name_is_cut_before_the_bars() {
        let mut chart = chart("2026-11-30");
        chart.series[0].name = "a tag that is much longer than anybody expects a tag to be".into();
        let text = render(&chart, &terminal(60, true)).unwrap();
        assert!(text.contains("a tag that is much l…    801  ▂▂▁█▁"), "{text}");
        assert!(text.lines().all(|line| line.width() <= 60) && text.contains("one bar a day"), "{text}");
    }

    #[test]
    fn dates_that_cannot_be_read_make_no_chart() {
        assert_eq!(render(&chart("soon"), &terminal(80, true)), None);
        assert_eq!(render(&chart("2026-11-02"), &terminal(80, true)), None, "a day outside of the period");
    }

    #[test]
    fn days_per_bar_depend_on_the_room() {
        assert_eq!(
            [
                days_per_bar(30, 30),
                days_per_bar(30, 20),
                days_per_bar(366, 60),
                days_per_bar(366, 10),
                days_per_bar(366, 5)
            ],
            [1, 2, 7, 56, 84]
        );
    }
}
