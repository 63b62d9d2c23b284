//! The usage as gauges, for a terminal: the products against the limit they share, and all other counters.

use tulk_client::api::usage::{Usage, UsageCounter};

use crate::output::{Gauge, GaugeChart, grouped};

/// Returns one gauge per counter, those of text first.
///
/// A product has no limit of its own: its characters count towards the limit of the account, so that is what its gauge shows.
/// A product that has a counter of its own, such as speech to text, is shown once.
pub fn chart(usage: &Usage, counters: &[UsageCounter]) -> GaugeChart {
    let gauge = |counter: &UsageCounter| {
        let is_product = counter.name.starts_with(PRODUCT);
        let shared = usage.character_limit.filter(|_| is_product && counter.unit == "characters");
        let shared = shared.filter(|shared| counters.iter().any(|c| c.limit == Some(*shared)));
        let other = counter.key_count.filter(|count| *count != counter.count);
        Gauge {
            label: label(&counter.name),
            count: counter.count,
            limit: counter.limit.or(shared),
            unit: unit(&counter.unit).to_owned(),
            note: other.map(|count| format!("{} by this key", grouped(count))),
        }
    };
    let period = usage.start_time.clone().zip(usage.end_time.clone());
    let (text, other): (Vec<_>, Vec<_>) = counters.iter().map(gauge).partition(|gauge| gauge.unit == "characters");
    let mut gauges = text;
    for gauge in other {
        match gauges.iter_mut().find(|known| known.label == gauge.label && known.count == gauge.count) {
            Some(known) => known.note = known.note.take().or(gauge.note),
            None => gauges.push(gauge),
        }
    }
    GaugeChart { gauges, period: period.map(<[String; 2]>::from), has_goals: false }
}

/// What the names of the counters of products begin with.
const PRODUCT: &str = "products.";

/// Returns the name of a counter for people. The unit stands behind the amount.
fn label(name: &str) -> String {
    match name {
        "character" => "all text".to_owned(),
        "api_key_character" => "this key".to_owned(),
        "document" => "documents".to_owned(),
        "team_document" => "team documents".to_owned(),
        _ => {
            let name = name.strip_prefix(PRODUCT).unwrap_or(name);
            let name = name.strip_suffix("_minutes").or_else(|| name.strip_suffix("_milliseconds")).unwrap_or(name);
            words(name)
        }
    }
}

/// Returns `speech_to_text` and `speechToText` as `speech to text`.
fn words(name: &str) -> String {
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

fn unit(unit: &str) -> &str {
    match unit {
        "minutes" => "min",
        "milliseconds" => "ms",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use tulk_base::json::Kept;

    use super::*;

    #[test]
    fn products_are_measured_against_the_limit_that_they_share() {
        let json = br#"{"character_count":572345,"character_limit":1000000,"speech_to_text_minutes_count":42,
            "products":[{"product_type":"translate","character_count":512345,"api_key_character_count":5000},
                {"product_type":"speechToText","billing_unit":"minutes","account_unit_count":42}],
            "start_time":"2026-11-01T00:00:00Z","end_time":"2026-12-01T00:00:00Z"}"#;
        let usage = Kept::<Usage>::parse(json).unwrap();
        let chart = chart(&usage, &usage.counters());
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
    fn an_account_without_a_limit_has_no_gauges() {
        let json = br#"{"character_count":5,"character_limit":1000000000000,
            "products":[{"product_type":"write","character_count":5}]}"#;
        let usage = Kept::<Usage>::parse(json).unwrap();
        assert!(chart(&usage, &usage.counters()).gauges.iter().all(|gauge| gauge.limit.is_none()));
    }
}
