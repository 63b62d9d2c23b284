//! A day in UTC for usage reports: `YYYY-MM-DD`, `today`, or a number of days ago.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::{Span, Timestamp, tz};
use serde::{Serialize, Serializer};
use tulk_base::value_error::ValueError;

/// A day of the Gregorian calendar, from year 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(Date);

impl Day {
    /// Returns the current day in UTC.
    pub fn today() -> Self {
        Self(tz::Offset::UTC.to_datetime(Timestamp::now()).date())
    }

    /// Parses a day. The words `today` and `-30d` are relative to the day in the argument `today`.
    pub fn parse(text: &str, today: Self) -> Result<Self, ValueError> {
        let day = if text.eq_ignore_ascii_case("today") {
            Some(today.0)
        } else if let Some(days) = text.strip_prefix('-').and_then(|t| t.strip_suffix('d')) {
            days.parse::<u32>().ok().and_then(|days| today.0.checked_sub(Span::new().try_days(days).ok()?).ok())
        } else {
            Self::parse_date(text)
        };
        day.filter(|day| day.year() >= 1).map(Self).ok_or_else(|| {
            ValueError::new(text, format!("invalid day `{text}`")).hint("write YYYY-MM-DD, today or -30d")
        })
    }

    /// Returns the number of days from this day to `last`, including both.
    pub fn days_to(self, last: Self) -> i64 {
        i64::from(self.0.until(last.0).map_or(i32::MAX, |span| span.get_days())) + 1
    }

    /// Parses `YYYY-MM-DD`, the only date format that the service accepts.
    fn parse_date(text: &str) -> Option<Date> {
        let is_date = text.len() == 10
            && text.bytes().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { b == b'-' } else { b.is_ascii_digit() });
        if is_date { text.parse().ok() } else { None }
    }
}

impl FromStr for Day {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        Self::parse(text, Self::today())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, String> {
        Day::parse(text, Day(Date::constant(2026, 3, 1))).map(|day| day.to_string()).map_err(String::from)
    }

    #[test]
    fn parses_dates_and_numbers_of_days() {
        for (text, day) in [
            ("2024-02-29", "2024-02-29"),
            ("0001-01-01", "0001-01-01"),
            ("9999-12-31", "9999-12-31"),
            ("today", "2026-03-01"),
            ("Today", "2026-03-01"),
            ("-0d", "2026-03-01"),
            ("-1d", "2026-02-28"),
            ("-366d", "2025-02-28"),
        ] {
            assert_eq!(parse(text), Ok(day.to_owned()), "{text}");
        }
    }

    #[test]
    fn refuses_invalid_days() {
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "2026-01-01T00:00:00",
            "20260101",
            "+2026-01-0",
            "-d",
            "30d",
            "--1d",
            "0000-01-01",
            "-9999999d",
            "-4294967295d",
            "",
        ] {
            assert!(parse(text).unwrap_err().contains("YYYY-MM-DD"), "{text}");
        }
    }

    #[test]
    fn counts_both_ends_of_a_range() {
        let day = |text: &str| text.parse::<Day>().unwrap();
        assert_eq!(day("2024-01-01").days_to(day("2024-12-31")), 366);
        assert_eq!(day("2024-01-02").days_to(day("2024-01-01")), 0);
        assert_eq!(day("0001-01-01").days_to(day("9999-12-31")), 3_652_059);
    }
}
