//! Durations in settings, and the latency of answers.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tulk_base::value_error::ValueError;

/// Parses a duration such as `50ms`, `1.5s`, `2m`, `1h` or a plain number of seconds.
pub fn parse_duration(text: &str) -> Result<Duration, ValueError> {
    let text = text.trim();
    let parsed = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    // A longer duration would be printed in milliseconds that could not be parsed again.
    let parsed = parsed.filter(|time| u64::try_from(time.as_nanos()).is_ok());
    let what = || format!("invalid duration '{text}': write 50ms, 2s, 1m, 1h or plain seconds");
    parsed.ok_or_else(|| ValueError::new(text, what()))
}

/// Latency of answers: `50ms`, or `10ms-100ms` for a random time in a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// Shortest time.
    pub min: Duration,
    /// Longest time; equal to `min` for a fixed latency.
    pub max: Duration,
}

impl From<Duration> for Latency {
    fn from(time: Duration) -> Self {
        Self { min: time, max: time }
    }
}

impl FromStr for Latency {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let Some((min, max)) = text.split_once('-') else { return Ok(parse_duration(text)?.into()) };
        let (min, max) = (parse_duration(min)?, parse_duration(max)?);
        if max < min {
            return Err(ValueError::new(text, format!("invalid range '{text}': the end is less than the start")));
        }
        Ok(Self { min, max })
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (min, max) = (self.min.as_millis(), self.max.as_millis());
        if min == max { write!(f, "{min}ms") } else { write!(f, "{min}ms-{max}ms") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_units_fractions_and_plain_seconds() {
        for (text, millis) in
            [("50ms", 50), ("1.5", 1500), ("1.5s", 1500), (" 2m ", 120_000), ("1h", 3_600_000), ("0", 0)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn rejects_text_that_is_not_a_duration() {
        for text in ["", "fast", "5 parsecs", "-1s", "-1", "1e400", "NaN", "ms", "18446744074", "600y"] {
            let error = parse_duration(text).unwrap_err().what;
            assert!(error.starts_with(&format!("invalid duration '{text}'")), "{error}");
        }
    }

    #[test]
    fn parses_and_prints_durations_and_ranges() {
        for (text, printed) in [("10ms-100ms", "10ms-100ms"), ("2s", "2000ms"), ("5ms-5ms", "5ms"), ("0-0.0005", "0ms")]
        {
            assert_eq!(text.parse::<Latency>().unwrap().to_string(), printed, "{text}");
        }
    }

    #[test]
    fn rejects_a_range_that_ends_before_it_starts() {
        let error = "100ms-10ms".parse::<Latency>().unwrap_err().what;
        assert_eq!(error, "invalid range '100ms-10ms': the end is less than the start");
    }
}
