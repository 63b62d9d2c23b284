//! `tulk usage`: counts and limits of the current period, and a check for scripts.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::api::usage::{GetUsage, Usage, UsageCounter};
use crate::config::OutputFormat;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::output::{Cell, Table, View};

/// Characters of a full gauge.
const GAUGE: u64 = 20;

/// Show usage and limits
#[derive(Args, Debug)]
pub struct UsageArgs {
    /// Exit 1 when a limited counter is over PERCENT of its limit
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_above: Option<u64>,
}

/// Reads `80`, `80%` or `99.5%` into thousandths of a percent.
fn percent(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is no percentage; write 80, 80% or 99.5%");
    let number = text.trim().trim_end_matches('%').trim_end();
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(part) || part.len() > 3 {
        return Err(wrong());
    }
    let part: u64 = format!("{part:0<3}").parse().map_err(|_| wrong())?;
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    whole.checked_mul(1000).and_then(|n| n.checked_add(part)).ok_or_else(wrong)
}

/// The usage, a row for each counter.
#[derive(Serialize)]
#[serde(transparent)]
struct Shown<'a> {
    usage: &'a Kept<Usage>,
    #[serde(skip)]
    counters: &'a [UsageCounter],
    #[serde(skip)]
    on_terminal: bool,
}

impl View for Shown<'_> {
    fn table(&self) -> Table {
        let mut columns = vec!["counter", "count", "limit", "percent", "unit", "api_key_count"];
        columns.extend(if self.on_terminal { &["gauge"][..] } else { &["start_time", "end_time"] });
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
            if self.on_terminal {
                row.push(counter.per_mille().map(gauge).into());
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

/// A bar of the share that is used: never empty when something is, never full before the limit.
fn gauge(per_mille: u64) -> String {
    let full = (per_mille.min(1000) * GAUGE / 1000).max(u64::from(per_mille > 0));
    (0..GAUGE).map(|i| if i < full { '█' } else { '░' }).collect()
}

/// Shows the usage; with `--fail-above` fails with `Kind::No` when a limited counter is over.
pub async fn run(ctx: &Context, args: UsageArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let usage = ctx.client().await?.send(&GetUsage {}).await?;
    let counters = usage.counters();
    let on_terminal = ctx.out.settings().format() == OutputFormat::Table
        && ctx.out.settings().stdout_is_terminal()
        && ctx.out.settings().columns().is_empty();
    ctx.out.show(&Shown { usage: &usage, counters: &counters, on_terminal })?;
    if on_terminal && let (Some(start), Some(end)) = (&usage.start_time, &usage.end_time) {
        ctx.out.status(&format!("period: {start} to {end}"));
    }
    match args.fail_above {
        Some(share) => check(&counters, share).map_err(Into::into),
        None => Ok(()),
    }
}

/// Fails when a limited counter is over a share, in thousandths of a percent.
fn check(counters: &[UsageCounter], share: u64) -> Result<(), Failure> {
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
    Err(Failure::new(Kind::No, format!("over {share} percent: {}", over.join("; "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_percentages() {
        for (text, thousandths) in [("80", 80_000), ("80%", 80_000), ("99.5%", 99_500), ("0", 0), ("120", 120_000)] {
            assert_eq!(percent(text), Ok(thousandths), "{text}");
        }
        for text in ["", "%", "-1", "a", "1.2345", "1,5", ".", "99999999999999999999"] {
            assert!(percent(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_gauge_is_full_at_the_limit_alone() {
        assert_eq!(gauge(0), "░".repeat(20));
        assert_eq!(gauge(1), format!("█{}", "░".repeat(19)));
        assert_eq!(gauge(999), format!("{}░", "█".repeat(19)));
        assert_eq!(gauge(500), format!("{}{}", "█".repeat(10), "░".repeat(10)));
        assert_eq!(gauge(1000), "█".repeat(20));
        assert_eq!(gauge(5000), "█".repeat(20));
    }
}
