//! A day in UTC, as reports are asked for: `YYYY-MM-DD`, `today`, or so many days ago.
//!
//! Not for moments: the service's own times are shown as they come. Spec: "Conventions" (UTC).

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};

/// A day of the Gregorian calendar, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i64);

impl Day {
    /// The day it is in UTC.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        Self(i64::try_from(seconds / 86_400).unwrap_or(0))
    }

    /// Reads a day; `today` and `-30d` count from `today`.
    pub fn read(text: &str, today: Self) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no day; write YYYY-MM-DD, today or -30d");
        if text.eq_ignore_ascii_case("today") {
            return Ok(today);
        }
        if let Some(ago) = text.strip_prefix('-').and_then(|t| t.strip_suffix('d')) {
            let day = ago.parse::<u32>().map(|ago| Self(today.0 - i64::from(ago))).map_err(|_| wrong())?;
            return if day.date().0 >= 1 { Ok(day) } else { Err(wrong()) };
        }
        Self::written(text).ok_or_else(wrong)
    }

    /// How many days there are from this one to `last`, both counted.
    pub fn days_to(self, last: Self) -> i64 {
        last.0 - self.0 + 1
    }

    fn written(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let mut part = |digits: usize| {
            let part = parts.next()?;
            (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<i64>().ok())?
        };
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        if parts.next().is_some() || year < 1 || !(1..=12).contains(&month) || day < 1 {
            return None;
        }
        let number = Self::of(year, month, day);
        // 30 February would be a day of March.
        (number.date() == (year, month, day)).then_some(number)
    }

    /// The number of a date. The year is taken to begin in March, so that the odd day is its last.
    fn of(year: i64, month: i64, day: i64) -> Self {
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
        Self(year * 365 + leaps + (month * 153 + 2) / 5 + day - 1 - 719_468)
    }

    /// Year, month and day.
    fn date(self) -> (i64, i64, i64) {
        let days = self.0 + 719_468;
        // 400 years have 146 097 days; the guess is a year too high at most.
        let mut year = days * 400 / 146_097;
        let first = |year: i64| Self::of(year, 3, 1).0 + 719_468;
        while first(year) > days {
            year -= 1;
        }
        while first(year + 1) <= days {
            year += 1;
        }
        let rest = days - first(year);
        let month = (rest * 5 + 2) / 153;
        let day = rest - (month * 153 + 2) / 5 + 1;
        if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::read(text, Self::today())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        Day::read(text, Day::written("2026-03-01").unwrap()).map(|day| day.to_string())
    }

    #[test]
    fn reads_dates_and_distances() {
        assert_eq!(Day::written("1970-01-01"), Some(Day(0)));
        assert_eq!(Day::written("2000-02-29"), Some(Day(11_016)));
        for (text, day) in
            [("2024-02-29", "2024-02-29"), ("today", "2026-03-01"), ("-1d", "2026-02-28"), ("-366d", "2025-02-28")]
        {
            assert_eq!(read(text), Ok(day.to_owned()), "{text}");
        }
    }

    #[test]
    fn every_day_of_eight_centuries_reads_as_it_is_written() {
        for number in -140_000..160_000 {
            let day = Day(number);
            assert_eq!(Day::written(&day.to_string()), Some(day));
        }
    }

    #[test]
    fn refuses_what_is_no_day() {
        for text in [
            "2026-02-29",
            "2026-13-01",
            "2026-1-1",
            "2026-01-01T00:00:00",
            "-d",
            "30d",
            "--1d",
            "0000-01-01",
            "-9999999d",
            "",
        ] {
            assert!(read(text).unwrap_err().contains("YYYY-MM-DD"), "{text}");
        }
    }

    #[test]
    fn counts_both_ends() {
        let day = |text| Day::written(text).unwrap();
        assert_eq!(day("2024-01-01").days_to(day("2024-12-31")), 366);
        assert_eq!(day("2024-01-02").days_to(day("2024-01-01")), 0);
    }
}
