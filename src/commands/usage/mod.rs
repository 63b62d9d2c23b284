//! `tulk usage`: usage and limits of the current period.
//!
//! It requests the usage of the account and prints one row per counter. `--fail-above` turns the result into an exit
//! code for scripts.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::usage::{GetUsage, Usage, UsageCounter};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::output::{Cell, Column, CommandColumns, CommandFormats, LISTING, Table, View};

/// Columns of the counters.
const COUNTER_COLUMNS: &[Column] = &[
    Column::name("counter"),
    Column::count("count").header("USED").rank(0),
    Column::count("limit").rank(1),
    Column::number("percent").header("%").rank(1),
    Column::text("unit").rank(2),
    Column::count("api_key_count").header("THIS KEY").rank(4),
    Column::time("start_time").header("FROM").period(),
    Column::time("end_time").header("TO").period(),
];
/// Columns of the table on a terminal, which shows the period below.
const BAR_COLUMNS: &[Column] = &[
    Column::name("counter"),
    Column::count("count").header("USED").rank(0),
    Column::count("limit").rank(1),
    Column::number("percent").header("%").rank(1),
    Column::text("unit").rank(2),
    Column::count("api_key_count").header("THIS KEY").rank(4),
    Column::text("gauge").header("").rank(3),
];

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::new("usage", LISTING)];

/// Columns of this command.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("usage", COUNTER_COLUMNS)];

/// Width of a bar in characters.
const BAR_WIDTH: u64 = 20;

/// Show usage and limits
#[derive(Args, Debug)]
#[command(after_help = "tulk usage\n\
                        tulk usage --fail-above 90")]
pub struct UsageArgs {
    /// Exit 1 if a counter is above PERCENT of its limit
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_above: Option<u64>,
}

/// Parses `80`, `80%` or `99.5%` into thousandths of a percent.
fn percent(text: &str) -> Result<u64, String> {
    let invalid = || format!("invalid percentage `{text}`; write 80, 80% or 99.5%");
    let number = text.trim().trim_end_matches('%').trim_end();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || fraction.len() > 3 {
        return Err(invalid());
    }
    let fraction: u64 = format!("{fraction:0<3}").parse().map_err(|_| invalid())?;
    let whole: u64 = whole.parse().map_err(|_| invalid())?;
    whole.checked_mul(1000).and_then(|n| n.checked_add(fraction)).ok_or_else(invalid)
}

/// The usage, with one row per counter.
#[derive(Serialize)]
#[serde(transparent)]
struct UsageView<'a> {
    usage: &'a Kept<Usage>,
    #[serde(skip)]
    counters: &'a [UsageCounter],
    #[serde(skip)]
    as_bars: bool,
}

impl View for UsageView<'_> {
    fn table(&self) -> Table {
        let columns = if self.as_bars { BAR_COLUMNS } else { COUNTER_COLUMNS };
        let mut table = Table::new(columns);
        for counter in self.counters {
            let mut row = vec![
                Cell::from(&counter.name),
                counter.count.into(),
                counter.limit.into(),
                counter.per_mille().map(|n| Cell::number(format!("{}.{}", n / 10, n % 10))).unwrap_or_default(),
                Cell::from(&counter.unit),
                counter.key_count.into(),
            ];
            if self.as_bars {
                row.push(counter.per_mille().map(bar).into());
            } else {
                row.extend([self.usage.start_time.as_ref().into(), self.usage.end_time.as_ref().into()]);
            }
            table.push(row);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![self.usage.raw()]
    }
}

/// Returns a bar of the used share. It is empty only at zero, and full only at the limit.
fn bar(per_mille: u64) -> String {
    let filled = (per_mille.min(1000) * BAR_WIDTH / 1000).max(u64::from(per_mille > 0));
    (0..BAR_WIDTH).map(|i| if i < filled { '█' } else { '░' }).collect()
}

/// Prints the usage. With `--fail-above`, fails with `Kind::No` if a counter is above that share of its limit.
pub async fn run(ctx: &Context, args: UsageArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let usage = ctx.client().await?.send(&GetUsage {}).await?;
    let counters = usage.counters();
    if counters.is_empty() {
        return Err(Failure::new(Kind::Network, "unexpected response from the service: it has no counters")
            .hint("check that the server address is correct (--server, `tulk auth status`)")
            .into());
    }
    let as_bars = ctx.out.settings().format() == OutputFormat::Table
        && ctx.out.settings().stdout_is_terminal()
        && ctx.out.settings().columns().is_empty();
    ctx.out.show(&UsageView { usage: &usage, counters: &counters, as_bars })?;
    if as_bars && let (Some(start), Some(end)) = (&usage.start_time, &usage.end_time) {
        ctx.out.status(&format!("period: {start} to {end}"));
    }
    match args.fail_above {
        Some(share) => check_limits(&counters, share).map_err(Into::into),
        None => Ok(()),
    }
}

/// Fails if a counter is above a share of its limit, in thousandths of a percent.
fn check_limits(counters: &[UsageCounter], share: u64) -> Result<(), Failure> {
    let over: Vec<_> = counters
        .iter()
        .filter(|counter| counter.is_over(share))
        .map(|c| format!("{} is at {} of {} {}", c.name, c.count, c.limit.unwrap_or_default(), c.unit))
        .collect();
    if over.is_empty() {
        return Ok(());
    }
    let share = format!("{}.{:03}", share / 1000, share % 1000);
    let share = share.trim_end_matches('0').trim_end_matches('.').to_owned();
    Err(Failure::new(Kind::No, format!("usage is above {share}%: {}", over.join("; "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_percentages() {
        for (text, thousandths) in [("80", 80_000), ("80%", 80_000), ("99.5%", 99_500), ("0", 0), ("120", 120_000)] {
            assert_eq!(percent(text), Ok(thousandths), "{text}");
        }
        for text in ["", "%", "-1", "a", "1.2345", "1,5", ".", "99999999999999999999"] {
            assert!(percent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_counter_has_a_bar_if_it_has_a_limit_other_than_0() {
        let json = br#"{"speech_to_speech_minutes_count":15,"speech_to_speech_minutes_limit":10,
            "document_count":3,"document_limit":4,"team_document_count":1,"team_document_limit":0,
            "products":[{"product_type":"speechToSpeech","account_unit_count":15}]}"#;
        let usage = Kept::<Usage>::parse(json).unwrap();
        let table = UsageView { usage: &usage, counters: &usage.counters(), as_bars: true }.table();
        let cell = |row: &Vec<Cell>, column: usize| row.get(column).map(|cell| cell.text().to_owned());
        let rows: Vec<_> =
            table.rows.iter().map(|row| [cell(row, 0), cell(row, 3), cell(row, 6)].map(Option::unwrap)).collect();
        let (full, part) = ("█".repeat(20), format!("{}{}", "█".repeat(15), "░".repeat(5)));
        assert_eq!(
            rows,
            [
                ["speech_to_speech_minutes", "150.0", full.as_str()],
                ["document", "75.0", part.as_str()],
                ["team_document", "", ""],
                ["products.speechToSpeech", "", ""],
            ]
        );
    }

    #[test]
    fn a_bar_is_full_only_at_the_limit() {
        assert_eq!(bar(0), "░".repeat(20));
        assert_eq!(bar(1), format!("█{}", "░".repeat(19)));
        assert_eq!(bar(999), format!("{}░", "█".repeat(19)));
        assert_eq!(bar(500), format!("{}{}", "█".repeat(10), "░".repeat(10)));
        assert_eq!(bar(1000), "█".repeat(20));
        assert_eq!(bar(5000), "█".repeat(20));
    }
}
