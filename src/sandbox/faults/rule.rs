//! Fault rules as text: `WHAT[:CHANCE][;times=N][;total=N][;after=N][;path=PATTERN][;retry-after=VALUE]`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde_with::{DeserializeFromStr, SerializeDisplay};

use crate::sandbox::duration::parse_duration;

/// How a request fails.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// Answer with this status; the request is not executed.
    Status(u16),
    /// Execute the request, then close the connection without an answer.
    Drop,
    /// Break the connection in the middle of the answer's body.
    Cut,
    /// Answer 200 with a body that is not JSON.
    Garbage,
    /// Leave out the last result.
    Short,
    /// Answer later.
    Delay(Duration),
    /// Redirect to this address.
    Redirect(String),
    /// Accept a document that then ends with the status `error`.
    Document,
}

/// A fault and the conditions under which it happens.
#[derive(Clone, Debug, PartialEq, SerializeDisplay, DeserializeFromStr)]
pub struct FaultRule {
    /// Kind of fault.
    pub fault: FaultKind,
    /// Probability, from 0 to 1.
    pub chance: f64,
    /// Number of failures of each request, as its client repeats it, before it passes.
    pub times: Option<u64>,
    /// Maximum number of failures of all requests.
    pub total: Option<u64>,
    /// Number of matching requests that pass first.
    pub after: u64,
    /// Path that the rule is limited to; `*` matches any text.
    pub path: Option<String>,
    /// Value of the `Retry-After` header of the answer.
    pub retry_after: Option<String>,
}

impl FromStr for FaultRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(';').map(str::trim);
        let (fault, chance) = parse_kind(parts.next().unwrap_or_default())?;
        let mut rule = Self { fault, chance, times: None, total: None, after: 0, path: None, retry_after: None };
        for part in parts {
            let (name, value) =
                part.split_once('=').ok_or_else(|| format!("'{part}' in fault '{text}' has no value"))?;
            let number = || value.parse().map_err(|_| format!("{name} in fault '{text}' is not a whole number"));
            match name {
                "times" => rule.times = Some(number()?),
                "total" => rule.total = Some(number()?),
                "after" => rule.after = number()?,
                "path" => rule.path = Some(value.to_owned()),
                "retry-after" => rule.retry_after = Some(value.to_owned()),
                _ => return Err(format!("unknown condition '{name}' in fault '{text}'")),
            }
        }
        Ok(rule)
    }
}

fn parse_kind(text: &str) -> Result<(FaultKind, f64), String> {
    if let Some(address) = text.strip_prefix("redirect=") {
        return Ok((FaultKind::Redirect(address.to_owned()), 1.0));
    }
    let (word, chance) = match text.rsplit_once(':') {
        None => (text, 1.0),
        Some((word, chance)) => {
            let number: f64 = chance.parse().map_err(|_| format!("'{chance}' in fault '{text}' is not a number"))?;
            if !(0.0..=1.0).contains(&number) {
                return Err(format!("the chance in fault '{text}' must be between 0 and 1"));
            }
            (word, number)
        }
    };
    let fault = match word {
        "drop" => FaultKind::Drop,
        "cut" => FaultKind::Cut,
        "garbage" => FaultKind::Garbage,
        "short" => FaultKind::Short,
        "document" => FaultKind::Document,
        _ => match (word.strip_prefix("delay="), word.parse()) {
            (Some(time), _) => FaultKind::Delay(parse_duration(time)?),
            (None, Ok(status @ 400..=599)) => FaultKind::Status(status),
            _ => {
                return Err(format!(
                    "unknown fault '{word}': must be a status from 400 to 599, drop, cut, garbage, short, document, \
                     delay=TIME or redirect=ADDRESS"
                ));
            }
        },
    };
    Ok((fault, chance))
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.fault {
            FaultKind::Status(status) => write!(f, "{status}")?,
            FaultKind::Drop => f.write_str("drop")?,
            FaultKind::Cut => f.write_str("cut")?,
            FaultKind::Garbage => f.write_str("garbage")?,
            FaultKind::Short => f.write_str("short")?,
            FaultKind::Document => f.write_str("document")?,
            FaultKind::Delay(time) => write!(f, "delay={}ms", time.as_millis())?,
            FaultKind::Redirect(address) => write!(f, "redirect={address}")?,
        }
        if self.chance < 1.0 {
            write!(f, ":{}", self.chance)?;
        }
        let numbers = [("times", self.times), ("total", self.total), ("after", Some(self.after).filter(|&n| n > 0))];
        for (name, value) in numbers {
            if let Some(value) = value {
                write!(f, ";{name}={value}")?;
            }
        }
        for (name, value) in [("path", &self.path), ("retry-after", &self.retry_after)] {
            if let Some(value) = value {
                write!(f, ";{name}={value}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_text_it_prints() {
        for text in [
            "429;times=3;retry-after=2",
            "503:0.05",
            "drop:0.01",
            "cut;total=1;after=4",
            "document:0.2",
            "delay=5000ms;path=/v2/document/*",
            "redirect=http://127.0.0.1:1/x?y=z",
            "garbage",
            "short",
        ] {
            assert_eq!(text.parse::<FaultRule>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn rejects_rules_without_a_meaning() {
        for (text, part) in [
            ("", "unknown fault ''"),
            ("99", "unknown fault '99'"),
            ("200", "unknown fault '200'"),
            ("600", "unknown fault '600'"),
            ("explode", "unknown fault 'explode'"),
            ("429:2", "between 0 and 1"),
            ("429:x", "'x' in fault '429:x' is not a number"),
            ("429;times", "'times' in fault '429;times' has no value"),
            ("429;times=x", "times in fault '429;times=x' is not a whole number"),
            ("429;foo=1", "unknown condition 'foo'"),
            ("delay=soon", "invalid duration 'soon'"),
        ] {
            let error = text.parse::<FaultRule>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
