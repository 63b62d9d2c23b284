//! The period of a report: `start_date` and `end_date` of the query, checked.

use crate::clock::{self, DAY_MS};
use crate::query::QueryParams;
use crate::reply::Refusal;
use crate::routes::fields::unsupported;

/// Maximum number of days in a report, first and last included.
const DAYS_MAX: i64 = 366;

/// The days from `first` to `last`, both included, as `YYYY-MM-DD`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReportPeriod {
    pub(super) first: String,
    pub(super) last: String,
    /// The first bound, as the report contains it.
    pub(super) start_date: String,
    /// The last bound, as the report contains it.
    pub(super) end_date: String,
}

impl ReportPeriod {
    /// Reads `start_date` and `end_date`; if `times` is true, they may include a time of day.
    pub(super) fn read(query: &QueryParams, times: bool) -> Result<Self, Refusal> {
        let read = |name: &str| {
            let text = query.get(name).ok_or_else(|| Refusal::bad(format!("'{name}' is required.")))?;
            parse_bound(text, times).ok_or_else(|| unsupported(name).detail("write YYYY-MM-DD"))
        };
        let (start, end) = (read("start_date")?, read("end_date")?);
        if end < start {
            return Err(Refusal::bad("'end_date' must not be before 'start_date'."));
        }
        let days = end.div_euclid(DAY_MS) - start.div_euclid(DAY_MS) + 1;
        if days > DAYS_MAX {
            return Err(Refusal::bad(format!("The range has {days} days, at most {DAYS_MAX} are possible.")));
        }
        Ok(Self {
            first: clock::day(start),
            last: clock::day(end),
            start_date: clock::iso_seconds(start),
            end_date: clock::iso_seconds(end),
        })
    }
}

/// Parses `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS` to milliseconds since 1970.
fn parse_bound(text: &str, times: bool) -> Option<i64> {
    let Some((day, time)) = text.split_once('T').filter(|_| times) else { return clock::parse_day(text) };
    let mut seconds = 0;
    let mut parts = time.split(':');
    for bound in [24, 60, 60] {
        let part = parts.next().filter(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit()))?;
        let part: i64 = part.parse().ok().filter(|part| *part < bound)?;
        seconds = seconds * 60 + part;
    }
    parts.next().is_none().then_some(clock::parse_day(day)? + seconds * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(start: &str, end: &str) -> Result<ReportPeriod, Refusal> {
        let uri = format!("/?start_date={start}&end_date={end}").parse().unwrap();
        ReportPeriod::read(&QueryParams::parse(&uri).unwrap(), true)
    }

    #[test]
    fn bounds_may_include_a_time() {
        let read = period("2026-04-01", "2026-04-02T03:04:05").unwrap();
        assert_eq!((read.first.as_str(), read.last.as_str()), ("2026-04-01", "2026-04-02"));
        assert_eq!(
            (read.start_date.as_str(), read.end_date.as_str()),
            ("2026-04-01T00:00:00Z", "2026-04-02T03:04:05Z")
        );
        for bad in ["2026-4-1", "2026-04-01T25:00:00", "2026-04-01T00:00", "2026-04-01T00:00:00Z", "today"] {
            assert_eq!(period(bad, "2026-04-02").unwrap_err().status, 400, "{bad}");
        }
        let uri = "/?start_date=2026-04-01T00:00:00&end_date=2026-04-02".parse().unwrap();
        assert!(ReportPeriod::read(&QueryParams::parse(&uri).unwrap(), false).is_err());
    }

    #[test]
    fn a_period_has_at_most_366_days_and_does_not_end_before_it_starts() {
        assert!(period("2024-01-01", "2024-12-31").is_ok());
        assert!(period("2024-01-01", "2025-01-01").is_err());
        assert!(period("2024-01-02", "2024-01-01").is_err());
    }
}
