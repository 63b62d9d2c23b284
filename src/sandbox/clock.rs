//! The sandbox's calendar: moments as milliseconds since 1970 in UTC, their written forms, days and months.
//!
//! Not for waiting: nothing here sleeps. The arithmetic is the proleptic Gregorian calendar, without leap seconds.
//! Spec: "Conventions" (ISO 8601 in UTC), "Limits" (monthly usage periods).

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds in a day.
pub const DAY_MS: i64 = 86_400_000;

/// Milliseconds since 1970 in UTC; 0 on a machine whose clock is before that.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A moment as `2026-03-04T05:06:07.089Z`.
pub fn iso(ms: i64) -> String {
    let (year, month, day) = civil(ms.div_euclid(DAY_MS));
    let rest = ms.rem_euclid(DAY_MS);
    let (seconds, millis) = (rest / 1000, rest % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
}

/// A moment without fractions, as `2026-03-04T05:06:07Z`.
pub fn iso_seconds(ms: i64) -> String {
    let mut text = iso(ms);
    text.truncate(19);
    text.push('Z');
    text
}

/// The day of a moment, as `2026-03-04`; days in this form sort as they follow each other.
pub fn day(ms: i64) -> String {
    let mut text = iso(ms);
    text.truncate(10);
    text
}

/// The month of a moment, as `2026-03`: the name of the usage period.
pub fn month(ms: i64) -> String {
    let mut text = iso(ms);
    text.truncate(7);
    text
}

/// The first moment of the month that holds `ms`, and of the month after it.
pub fn month_bounds(ms: i64) -> (i64, i64) {
    let (year, month, _) = civil(ms.div_euclid(DAY_MS));
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    (days(year, month, 1) * DAY_MS, days(next_year, next_month, 1) * DAY_MS)
}

/// The first moment of a day written `YYYY-MM-DD`; `None` when there is no such day.
pub fn parse_day(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
    if parts.next().is_some() || !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
        return None;
    }
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let number = days(year, month, day);
    // A day that does not exist (30 February) comes back as another one.
    ((1..=12).contains(&month) && civil(number) == (year, month, day)).then_some(number * DAY_MS)
}

/// The number of days from 1970-01-01 to a date.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The date of a day number: year, month, day.
fn civil(number: i64) -> (i64, i64, i64) {
    let shifted = number + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_moments() {
        assert_eq!(iso(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(iso(1_772_600_767_089), "2026-03-04T05:06:07.089Z");
        assert_eq!(iso_seconds(1_772_600_767_089), "2026-03-04T05:06:07Z");
        assert_eq!(day(951_782_400_000), "2000-02-29");
    }

    #[test]
    fn bounds_a_month_across_the_year() {
        let (start, end) = month_bounds(parse_day("2025-12-31").unwrap());
        assert_eq!((day(start).as_str(), day(end).as_str()), ("2025-12-01", "2026-01-01"));
    }

    #[test]
    fn refuses_days_that_do_not_exist() {
        for text in ["2026-02-30", "2026-13-01", "2026-1-01", "20260101", "2026-01-01T00:00:00", ""] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }
}
