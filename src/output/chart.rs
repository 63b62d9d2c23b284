//! What a terminal shows as a picture instead of a table: gauges of limits, and bars over time.
//!
//! Commands hand over the numbers; `render` draws them. All other formats, and `--columns`, use the rows of the view.

/// A picture of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chart {
    /// How much of each limit is used.
    Gauges(GaugeChart),
    /// How much was used on each day.
    Days(DayChart),
}

/// Gauges, one below the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GaugeChart {
    /// One entry per limit.
    pub gauges: Vec<Gauge>,
    /// Start and end of the period, as times.
    pub period: Option<[String; 2]>,
    /// Whether the limits are goals: to reach one is good.
    pub has_goals: bool,
}

/// A used amount and its limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gauge {
    /// What is counted.
    pub label: String,
    /// The used amount.
    pub count: u64,
    /// The limit; `None` if there is none.
    pub limit: Option<u64>,
    /// Unit of both.
    pub unit: String,
    /// Something else to know, such as the part of one key.
    pub note: Option<String>,
}

/// Bars over time, one row per series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DayChart {
    /// Header of the names.
    pub header: &'static str,
    /// One series per key or tag.
    pub series: Vec<DaySeries>,
    /// First and last day, such as `2026-11-21`.
    pub period: [String; 2],
    /// Sum of all series, if there is more than one.
    pub total: Option<u64>,
    /// Unit of the amounts.
    pub unit: &'static str,
}

/// The amounts of one key or tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DaySeries {
    /// The key or the tag.
    pub name: String,
    /// Amounts by day; a day begins with its date in UTC. Days that are missing have no usage.
    pub days: Vec<(String, u64)>,
}

impl DaySeries {
    /// Returns the sum of all days.
    pub fn total(&self) -> u64 {
        self.days.iter().fold(0, |total, (_, amount)| total.saturating_add(*amount))
    }
}
