//! Values that flags and settings share: durations, rates and lists of names, parsed from text.

use std::convert::Infallible;
use std::str::FromStr;
use std::time::Duration;

use tulk_base::value_error::ValueError;
use tulk_client::{Defaulted, NONE};

/// Parses a duration: `30s`, `2m`, `1h`, `200ms`, or plain seconds. Fractions are allowed.
pub fn parse_duration(text: &str) -> Result<Duration, ValueError> {
    let seconds = || text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    humantime::parse_duration(text).ok().or_else(seconds).ok_or_else(|| {
        ValueError::new(text, format!("invalid duration `{text}`")).hint("write 30s, 2m, 1h, 200ms or plain seconds")
    })
}

/// Parses the age of things to remove. The hint names only units that make sense for an age.
pub fn parse_age(text: &str) -> Result<Duration, ValueError> {
    parse_duration(text).map_err(|error| error.hint("write 12h, 30d or plain seconds"))
}

const DAY_SECONDS: f64 = 86_400.0;

/// Parses a rate into requests per second: `5/s`, `90/m`, or a plain number per second.
pub fn parse_rate(text: &str) -> Result<f64, ValueError> {
    let (number, seconds) = match text.split_once('/') {
        Some((number, unit)) => (number, humantime::parse_duration(&format!("1{unit}")).ok().map(|d| d.as_secs_f64())),
        None => (text, Some(1.0)),
    };
    let rate = number.parse().ok().zip(seconds).map(|(number, seconds): (f64, f64)| number / seconds);
    let rate = rate.filter(|rate| rate.is_finite() && *rate > 0.0).ok_or_else(|| {
        ValueError::new(text, format!("invalid rate `{text}`")).hint("write a rate such as 5/s or 90/m")
    })?;
    // A tolerance of one minute, so that rounding does not refuse 1/d.
    if rate * (DAY_SECONDS + 60.0) < 1.0 {
        let error = ValueError::new(text, format!("the rate `{text}` is too low"));
        return Err(error.hint("the limit is 1/d, one request a day"));
    }
    Ok(rate)
}

/// Names separated by commas; `\,` is a comma within a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameList(pub Vec<String>);

impl FromStr for NameList {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let mut names = vec![String::new()];
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, names.last_mut()) {
                (',', _) => names.push(String::new()),
                ('\\', Some(name)) if chars.peek() == Some(&',') => name.extend(chars.next()),
                (c, Some(name)) => name.push(c),
                (_, None) => {}
            }
        }
        Ok(Self(names.iter().map(|name| name.trim().to_owned()).collect()))
    }
}

impl NameList {
    /// Returns the names of several lists. `none` drops the profile's default.
    pub fn defaulted<'a>(lists: impl IntoIterator<Item = &'a Self>) -> Vec<Defaulted<String>> {
        let names = lists.into_iter().flat_map(|list| list.0.iter());
        names.map(|name| if name == NONE { Defaulted::Dropped } else { Defaulted::Set(name.clone()) }).collect()
    }
}

/// Returns a plain message that quotes the value, if `cause` is an error about a number; otherwise `None`. `cause` is the text of
/// clap's error.
pub fn number_error(value: &str, cause: &str) -> Option<String> {
    let is_no_number =
        ["invalid digit", "cannot parse integer", "invalid float"].iter().any(|start| cause.starts_with(start));
    if is_no_number {
        return Some(format!("`{value}` is not a whole number"));
    }
    let range = cause.split_once(" is not in ").and_then(|(_, range)| range.split_once(".."));
    let end = |end: &str| end.trim_start_matches('=').parse::<u64>().ok();
    match range.map(|(start, to)| (start.parse::<u64>().ok(), end(to))) {
        Some((Some(start), Some(end))) if end < u64::from(u32::MAX) => {
            Some(format!("`{value}` is not between {start} and {end}"))
        }
        Some((Some(_), Some(_))) if !value.starts_with('-') => Some(format!("`{value}` is too large")),
        Some((Some(start), _)) => Some(format!("`{value}` is less than {start}")),
        _ if cause.starts_with("number too") => Some(format!("`{value}` is not in the supported range")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_after_a_backslash_belongs_to_the_name() {
        let names = |text: &str| text.parse::<NameList>().unwrap().0;
        assert_eq!(names("a,b"), ["a", "b"]);
        assert_eq!(names("Pots\\, pans, tea"), ["Pots, pans", "tea"]);
        assert_eq!(names("C:\\x\\,"), ["C:\\x,"]);
        assert_eq!(names(""), [""]);
    }

    #[test]
    fn parses_durations() {
        for (text, ms) in
            [("30s", 30_000), ("2m", 120_000), ("1.5", 1500), ("200ms", 200), ("1h", 3_600_000), ("1m 30s", 90_000)]
        {
            assert_eq!(parse_duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "s", "-1", "soon", "5x", "inf", "NaN"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parses_rates() {
        for (text, rate) in [("5/s", 5.0), ("5", 5.0), ("90/m", 1.5), ("36/h", 0.01)] {
            assert_eq!(parse_rate(text), Ok(rate), "{text}");
        }
        assert!(parse_rate("1/d").is_ok());
        for text in ["0", "-1/s", "5/x", "5/", "x", "inf", "1e-30/s", "0.5/d", "1e-320"] {
            assert!(parse_rate(text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_of_numbers_are_plain_english() {
        let number_error = |value: &str, cause: &str| number_error(value, cause).unwrap();
        let error = |value: &str| {
            let number = clap::Arg::new("n").long("n").value_parser(clap::value_parser!(u16).range(1..=64));
            let parsed =
                clap::Command::new("x").arg(number).try_get_matches_from(["x".to_owned(), format!("--n={value}")]);
            let cause = std::error::Error::source(&parsed.unwrap_err()).map(ToString::to_string);
            number_error(value, &cause.unwrap())
        };
        assert_eq!(error("many"), "`many` is not a whole number");
        assert_eq!(error("1.5"), "`1.5` is not a whole number");
        assert_eq!(error("0"), "`0` is not between 1 and 64");
        assert_eq!(number_error("0", "0 is not in 1.."), "`0` is less than 1");
        assert_eq!(number_error("-1", "-1 is not in 0..=4294967295"), "`-1` is less than 0");
        assert_eq!(number_error("99999999999", "99999999999 is not in 0..=4294967295"), "`99999999999` is too large");
        let huge = u64::MAX.to_string() + "0";
        assert_eq!(error(&huge), format!("`{huge}` is not in the supported range"));
        assert_eq!(super::number_error("x", "invalid day `x`"), None);
    }
}
