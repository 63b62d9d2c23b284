//! Durations in settings: `50ms`, `1.5s`, `2m`, `1h`, or a plain number of seconds.

use std::time::Duration;

/// Parses a duration.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let parsed = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    // A longer one could not be read in the milliseconds in which it is printed.
    let parsed = parsed.filter(|time| u64::try_from(time.as_nanos()).is_ok());
    parsed.ok_or_else(|| format!("invalid duration '{text}': write 50ms, 2s, 1m, 1h or plain seconds"))
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
            let error = parse_duration(text).unwrap_err();
            assert!(error.starts_with(&format!("invalid duration '{text}'")), "{error}");
        }
    }
}
