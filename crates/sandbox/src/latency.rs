//! The time that every answer takes: a fixed duration or a range.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::duration::parse_duration;

/// How long answers take: `50ms`, or `10ms-100ms` for a random time in a range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Latency {
    /// Shortest time.
    pub min: Duration,
    /// Longest time; equal to `min` if the time is fixed.
    pub max: Duration,
}

impl From<Duration> for Latency {
    fn from(time: Duration) -> Self {
        Self { min: time, max: time }
    }
}

impl FromStr for Latency {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((min, max)) = text.split_once('-') else { return Ok(parse_duration(text)?.into()) };
        let (min, max) = (parse_duration(min)?, parse_duration(max)?);
        if max < min {
            return Err(format!("invalid range '{text}': the end is less than the start"));
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
    fn parses_and_prints_durations_and_ranges() {
        for (text, printed) in [("10ms-100ms", "10ms-100ms"), ("2s", "2000ms"), ("5ms-5ms", "5ms"), ("0-0.0005", "0ms")]
        {
            assert_eq!(text.parse::<Latency>().unwrap().to_string(), printed, "{text}");
        }
    }

    #[test]
    fn rejects_a_range_that_ends_before_it_starts() {
        let error = "100ms-10ms".parse::<Latency>().unwrap_err();
        assert_eq!(error, "invalid range '100ms-10ms': the end is less than the start");
    }
}
