//! `tulk usage`: shows usage and limits of the current period, one row per counter.

use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::grouped;
use tulk_base::value_error::ValueError;
use tulk_client::api::usage::{GetUsage, Usage, UsageCounter};

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Chart, Column, Gauge, GaugeChart, Table, View};

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

/// Show usage and limits: characters, documents, quota
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COUNTER_COLUMNS))]
#[command(after_help = "tulk usage\n\
                        tulk usage --fail-above 90")]
pub struct UsageArgs {
    /// Exit 1 if a counter is above PERCENT of its limit
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub fail_above: Option<u64>,
}

/// Parses `80`, `80%` or `99.5%` into thousandths of a percent.
fn percent(text: &str) -> Result<u64, ValueError> {
    let invalid = || ValueError::new(text, format!("invalid percentage `{text}`")).hint("write 80, 80% or 99.5%");
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

#[derive(Serialize)]
#[serde(transparent)]
struct UsageView<'a> {
    usage: &'a WithRaw<Usage>,
    #[serde(skip)]
    counters: &'a [UsageCounter],
}

impl View for UsageView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(COUNTER_COLUMNS);
        for counter in self.counters {
            table.push(vec![
                Cell::from(&counter.name),
                counter.count.into(),
                counter.limit.into(),
                counter.per_mille().map(|n| Cell::number(format!("{}.{}", n / 10, n % 10))).unwrap_or_default(),
                Cell::from(&counter.unit),
                counter.key_count.into(),
                self.usage.start_time.as_ref().into(),
                self.usage.end_time.as_ref().into(),
            ]);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![self.usage.raw()]
    }

    fn chart(&self) -> Option<Chart> {
        Some(Chart::Gauges(gauge_chart(self.usage, self.counters)))
    }
}

impl Run for UsageArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let usage = ctx.client().await?.send(&GetUsage {}).await?;
        let counters = usage.counters();
        if counters.is_empty() {
            return Err(Failure::new(Kind::Network, "unexpected response from the service: it has no counters")
                .hint("check that the server address is correct (--server, `tulk auth status`)")
                .into());
        }
        ctx.out.show(&UsageView { usage: &usage, counters: &counters })?;
        match self.fail_above {
            Some(share) => check_limits(&counters, share).map_err(Into::into),
            None => Ok(()),
        }
    }
}

/// Fails if a counter exceeds a share of its limit; `share` is in thousandths of a percent.
fn check_limits(counters: &[UsageCounter], share: u64) -> Result<(), Failure> {
    let over: Vec<_> = counters
        .iter()
        .filter(|counter| counter.is_over(share))
        .map(|c| {
            let percent = c.per_mille().map(|n| format!("{}.{} % ", n / 10, n % 10)).unwrap_or_default();
            let (count, limit) = (grouped(c.count), grouped(c.limit.unwrap_or_default()));
            let unit = match c.unit.as_str() {
                "characters" | "documents" => String::new(),
                other => format!(" {}", short_unit(other)),
            };
            format!("{}: {percent}used ({count} of {limit}{unit})", label(&c.name))
        })
        .collect();
    if over.is_empty() {
        return Ok(());
    }
    Err(Failure::new(Kind::No, over.join("; ")))
}

/// Returns one gauge per counter, text counters first.
///
/// Products have no limit of their own: their characters count towards the account's limit, so their gauge shows that
/// limit. A product that also has a separate counter, such as speech to text, appears once.
pub fn gauge_chart(usage: &Usage, counters: &[UsageCounter]) -> GaugeChart {
    let gauge = |counter: &UsageCounter| {
        let is_product = counter.name.starts_with(PRODUCT);
        let shared = usage.character_limit.filter(|_| is_product && counter.unit == "characters");
        let shared = shared.filter(|shared| counters.iter().any(|c| c.limit == Some(*shared)));
        let other = counter.key_count.filter(|count| *count != counter.count);
        Gauge {
            label: label(&counter.name),
            count: counter.count,
            limit: counter.limit.or(shared),
            unit: short_unit(&counter.unit).to_owned(),
            note: other.map(|count| format!("{} by this key", grouped(count))),
        }
    };
    let period = usage.start_time.clone().zip(usage.end_time.clone());
    let (text, other): (Vec<_>, Vec<_>) = counters.iter().map(gauge).partition(|gauge| gauge.unit == "characters");
    let mut gauges = text;
    for gauge in other {
        match gauges.iter_mut().find(|known| known.label == gauge.label) {
            Some(known) if known.unit == gauge.unit => known.note = known.note.take().or(gauge.note),
            Some(_) => {}
            None => gauges.push(gauge),
        }
    }
    GaugeChart { gauges, period: period.map(<[String; 2]>::from), has_goals: false }
}

const PRODUCT: &str = "products.";

/// Returns a counter's display name, without its unit, which is printed after the amount.
fn label(name: &str) -> String {
    match name {
        "character" => "all text".to_owned(),
        "api_key_character" => "this key".to_owned(),
        "document" => "documents".to_owned(),
        "team_document" => "team documents".to_owned(),
        _ => {
            let name = name.strip_prefix(PRODUCT).unwrap_or(name);
            let name = name.strip_suffix("_minutes").or_else(|| name.strip_suffix("_milliseconds")).unwrap_or(name);
            spaced_words(name)
        }
    }
}

/// Converts `speech_to_text` and `speechToText` to `speech to text`.
fn spaced_words(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars() {
        match character {
            '_' => words.push(' '),
            _ if character.is_ascii_uppercase() => words.extend([' ', character.to_ascii_lowercase()]),
            _ => words.push(character),
        }
    }
    words.trim_start().to_owned()
}

fn short_unit(unit: &str) -> &str {
    match unit {
        "minutes" => "min",
        "milliseconds" => "ms",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tulk_base::json::WithRaw;

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
    fn products_are_measured_against_the_limit_that_they_share() {
        let json = br#"{"character_count":572345,"character_limit":1000000,"speech_to_text_minutes_count":42,
            "products":[{"product_type":"translate","character_count":512345,"api_key_character_count":5000},
                {"product_type":"speechToText","billing_unit":"minutes","account_unit_count":42}],
            "start_time":"2026-11-01T00:00:00Z","end_time":"2026-12-01T00:00:00Z"}"#;
        let usage = WithRaw::<Usage>::parse(json).unwrap();
        let chart = gauge_chart(&usage, &usage.counters());
        let rows: Vec<_> = chart
            .gauges
            .iter()
            .map(|g| (g.label.as_str(), g.count, g.limit, g.unit.as_str(), g.note.as_deref()))
            .collect();
        assert_eq!(
            rows,
            [
                ("all text", 572_345, Some(1_000_000), "characters", None),
                ("translate", 512_345, Some(1_000_000), "characters", Some("5,000 by this key")),
                ("speech to text", 42, None, "min", None),
            ]
        );
        assert_eq!(chart.period.unwrap()[1], "2026-12-01T00:00:00Z");
    }

    #[test]
    fn speech_to_text_is_shown_once() {
        let gauges = |json: &str| {
            let usage = WithRaw::<Usage>::parse(json.as_bytes()).unwrap();
            let chart = gauge_chart(&usage, &usage.counters());
            chart.gauges.into_iter().map(|g| (g.label, g.count, g.limit, g.unit, g.note)).collect::<Vec<_>>()
        };
        let milliseconds = r#""speech_to_text_milliseconds_count":2520000,"speech_to_text_milliseconds_limit":0,"products":[{
            "product_type":"speechToText","billing_unit":"minutes","account_unit_count":42,"api_key_unit_count":40}]"#;
        let row = |count, unit: &str, note: Option<&str>| {
            ("speech to text".to_owned(), count, None, unit.to_owned(), note.map(str::to_owned))
        };
        assert_eq!(gauges(&format!("{{{milliseconds}}}")), [row(2_520_000, "ms", None)]);
        let both = format!(r#"{{"speech_to_text_minutes_count":43,{milliseconds}}}"#);
        assert_eq!(gauges(&both), [row(43, "min", Some("40 by this key"))]);
    }

    #[test]
    fn an_account_without_a_limit_has_only_gauges_without_a_limit() {
        let json = br#"{"character_count":5,"character_limit":1000000000000,
            "products":[{"product_type":"write","character_count":5}]}"#;
        let usage = WithRaw::<Usage>::parse(json).unwrap();
        assert!(gauge_chart(&usage, &usage.counters()).gauges.iter().all(|gauge| gauge.limit.is_none()));
    }
}
