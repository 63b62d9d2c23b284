//! Dates and times of the sandbox: milliseconds since 1970 in UTC, the formats of answers, days and months.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

pub const DAY_MS: i64 = 86_400_000;

/// Returns 0 if the clock is before 1970.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Formats a time as `2026-03-04T05:06:07.089Z`, as in all answers except reports.
pub fn iso(ms: i64) -> String {
    format!("{:.3}", timestamp(ms))
}

/// Formats the start or end of a report, without fractions: `2026-03-04T05:06:07Z`.
pub fn iso_seconds(ms: i64) -> String {
    timestamp(ms.div_euclid(1000) * 1000).to_string()
}

/// Formats a time for an HTTP header: `Wed, 04 Mar 2026 05:06:07 GMT`.
pub fn http_date(ms: i64) -> String {
    timestamp(ms).strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// Formats the day of a time as `2026-03-04`, which sorts by date.
pub fn day(ms: i64) -> String {
    date(ms).to_string()
}

/// Formats the month of a time as `2026-03`, the name of a usage period.
pub fn month(ms: i64) -> String {
    date(ms).strftime("%Y-%m").to_string()
}

/// Returns the start of the month that contains a time, and the start of the next month.
pub fn month_bounds(ms: i64) -> (i64, i64) {
    let first = date(ms).first_of_month();
    (start_of(first), start_of(first.saturating_add(1.month())))
}

/// Returns the start of a day in the format `YYYY-MM-DD`; `None` if there is no such day.
pub fn parse_day(text: &str) -> Option<i64> {
    let date: Date = text.parse().ok()?;
    // The parser also accepts other ISO 8601 formats.
    (date.to_string() == text).then(|| start_of(date))
}

/// Parses a time in UTC or with an offset, such as `2026-03-04T05:06:07.089Z`.
pub fn parse_time(text: &str) -> Option<i64> {
    text.parse().ok().map(Timestamp::as_millisecond)
}

pub fn modified_ms(file: &Path) -> Option<i64> {
    let modified = fs::metadata(file).and_then(|metadata| metadata.modified()).ok()?;
    Timestamp::try_from(modified).ok().map(Timestamp::as_millisecond)
}

/// Times outside the calendar's range become its first or last moment.
fn timestamp(ms: i64) -> Timestamp {
    let limit = if ms < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_millisecond(ms).unwrap_or(limit)
}

fn date(ms: i64) -> Date {
    timestamp(ms).to_zoned(TimeZone::UTC).date()
}

fn start_of(date: Date) -> i64 {
    date.to_zoned(TimeZone::UTC).map_or(0, |start| start.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_times_days_and_months() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(1_772_600_767_089), "2026-03-04T05:06:07.089Z");
        assert_eq!(iso_seconds(1_772_600_767_089), "2026-03-04T05:06:07Z");
        assert_eq!(http_date(1_772_600_767_089), "Wed, 04 Mar 2026 05:06:07 GMT");
        assert_eq!(day(951_782_400_000), "2000-02-29");
        assert_eq!(month(951_782_400_000), "2000-02");
    }

    #[test]
    fn the_last_millisecond_belongs_to_its_day() {
        let midnight = parse_day("2026-03-01").unwrap();
        for _ in 0..2 {
            assert_eq!((day(midnight - 1).as_str(), month(midnight - 1).as_str()), ("2026-02-28", "2026-02"));
            assert_eq!((day(midnight).as_str(), month(midnight).as_str()), ("2026-03-01", "2026-03"));
            assert_eq!(day(-1), "1969-12-31");
        }
    }

    #[test]
    fn december_ends_where_the_next_year_begins() {
        let (start, end) = month_bounds(parse_day("2025-12-31").unwrap());
        assert_eq!(
            (iso_seconds(start).as_str(), iso_seconds(end).as_str()),
            ("2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z")
        );
    }

    #[test]
    fn parses_times_of_any_offset() {
        for text in ["2026-03-04T05:06:07.089Z", "2026-03-04T05:06:07.089999Z", "2026-03-04T06:36:07.089+01:30"] {
            assert_eq!(parse_time(text), Some(1_772_600_767_089), "{text}");
        }
        assert_eq!(parse_time("2026-03-04T05:06:07Z"), Some(1_772_600_767_000));
        for text in ["", "2026-03-04", "2026-03-04T05:06:07", "2026-02-30T05:06:07Z", "1772600767089", "yesterday"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }

    #[test]
    fn parses_only_days_that_exist() {
        assert_eq!(parse_day("2000-02-29"), Some(951_782_400_000));
        for text in ["2026-02-30", "2026-13-01", "2026-1-01", "20260101", "2026-01-01T00:00:00", ""] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
