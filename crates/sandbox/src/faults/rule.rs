//! Parses and prints fault rules: `WHAT[:CHANCE]`, then conditions and details, each after a semicolon.
//!
//! Faults of voice streams are `WHAT[@MS]`. Parsing a printed rule returns the same rule, with times in whole milliseconds.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use axum::http::HeaderValue;
use tulk_base::value_error::ValueError;

use crate::clock;
use crate::duration::parse_duration;

/// Message of a failed request or document if its rule has none.
pub(super) const DEFAULT_MESSAGE: &str = "This fault was requested.";

#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// Answer with this status, without executing the request.
    Status(u16),
    /// Execute the request, then close the connection without an answer.
    Drop,
    /// Break the connection in the middle of the answer's body.
    Cut,
    /// Execute the request, then answer 200 with a body that is not JSON.
    Garbage,
    /// Leave out the last result.
    Short,
    Delay(Duration),
    Redirect(String),
    /// Accept a document, whose translation then fails with the status `error`.
    DocumentError,
    /// Neither execute the request nor answer it.
    Never,
    /// Send the body of the answer at this many bytes per second.
    Slow(NonZeroU64),
}

/// A fault and its conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultRule {
    /// How the request fails.
    pub fault: FaultKind,
    /// Probability, from 0 to 1.
    pub chance: f64,
    /// Number of times that each request fails before it passes. A retry counts as the same request.
    pub times: Option<u64>,
    /// Maximum number of failures over all requests.
    pub total: Option<u64>,
    /// Number of matching requests that pass first.
    pub after: u64,
    /// Path that the rule is limited to; `*` matches any text.
    pub path: Option<String>,
    /// File name that a document error is limited to; `*` matches any text.
    pub name: Option<String>,
    /// Message of the failed request or document.
    pub message: Option<String>,
    /// The `Retry-After` header of the answer.
    pub retry_after: Option<RetryAfter>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RetryAfter {
    Text(String),
    /// The date of the answer plus this time.
    DateIn(Duration),
}

const FAULT_FORMS: &str = "a status from 400 to 599, drop, cut, garbage, short, never, document-error, delay=TIME, slow:N/s or \
                     redirect=ADDRESS";

impl FromStr for FaultRule {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let wrong = |why: String| ValueError::new(text, format!("fault '{text}': {why}"));
        let mut parts = text.split(';').map(str::trim);
        let (fault, chance) = parse_kind(parts.next().unwrap_or_default())?;
        let mut rule = Self {
            fault,
            chance,
            times: None,
            total: None,
            after: 0,
            path: None,
            name: None,
            message: None,
            retry_after: None,
        };
        for part in parts {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| ValueError::new(text, format!("'{part}' in fault '{text}' has no value")))?;
            rule.set(name, value).map_err(wrong)?;
        }
        rule.check().map_err(wrong)?;
        Ok(rule)
    }
}

impl FaultRule {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse().map_err(|_| format!("{name} is not a whole number"));
        let text = || Some(value.to_owned());
        match name {
            "times" => self.times = Some(number()?),
            "total" => self.total = Some(number()?),
            "after" => self.after = number()?,
            "path" => self.path = text(),
            "name" => self.name = text(),
            "message" => self.message = text(),
            "retry-after" => {
                check_header(name, value)?;
                self.retry_after = Some(RetryAfter::Text(value.to_owned()));
            }
            "retry-after-date" => self.retry_after = Some(RetryAfter::DateIn(parse_duration(value)?)),
            _ => return Err(format!("unknown condition '{name}'")),
        }
        Ok(())
    }

    /// Refuses combinations that have no effect.
    fn check(&self) -> Result<(), String> {
        let has_status = matches!(self.fault, FaultKind::Status(_));
        let is_document = self.fault == FaultKind::DocumentError;
        if self.name.is_some() && !is_document {
            return Err("the condition name applies only to document-error".to_owned());
        }
        if self.message.is_some() && !has_status && !is_document {
            return Err("a message applies only to a status or document-error".to_owned());
        }
        if self.retry_after.is_some() && !has_status {
            return Err("retry-after applies only to a status".to_owned());
        }
        Ok(())
    }

    pub(super) fn is_for_path(&self, path: &str) -> bool {
        self.path.as_ref().is_none_or(|pattern| matches_pattern(pattern, path))
    }

    pub(super) fn is_for_file(&self, filename: &str) -> bool {
        self.name.as_ref().is_none_or(|pattern| matches_pattern(pattern, filename))
    }
}

/// Refuses a text that cannot be the value of a header.
fn check_header(name: &str, value: &str) -> Result<(), String> {
    HeaderValue::from_str(value).map(drop).map_err(|_| format!("{name} is not a valid header value"))
}

fn parse_kind(text: &str) -> Result<(FaultKind, f64), ValueError> {
    if let Some(address) = text.strip_prefix("redirect=") {
        check_header("redirect", address).map_err(|why| ValueError::new(text, format!("fault '{text}': {why}")))?;
        return Ok((FaultKind::Redirect(address.to_owned()), 1.0));
    }
    if let Some(rest) = text.strip_prefix("slow:") {
        let (rate, share) = rest.split_once(':').map_or((rest, None), |(rate, share)| (rate, Some(share)));
        let chance = share.map_or(Ok(1.0), |share| parse_chance(text, share))?;
        let rate = rate.strip_suffix("/s").and_then(|rate| rate.parse().ok());
        let what = || format!("the rate in fault '{text}' must be bytes per second: slow:1000/s");
        let rate = rate.ok_or_else(|| ValueError::new(text, what()))?;
        return Ok((FaultKind::Slow(rate), chance));
    }
    let (word, share) = text.rsplit_once(':').map_or((text, None), |(word, share)| (word, Some(share)));
    let chance = share.map_or(Ok(1.0), |share| parse_chance(text, share))?;
    let fault = match word {
        "drop" => FaultKind::Drop,
        "cut" => FaultKind::Cut,
        "garbage" => FaultKind::Garbage,
        "short" => FaultKind::Short,
        "document-error" => FaultKind::DocumentError,
        "never" => FaultKind::Never,
        _ => match (word.strip_prefix("delay="), word.parse()) {
            (Some(time), _) => FaultKind::Delay(parse_duration(time)?),
            (None, Ok(status @ 400..=599)) => FaultKind::Status(status),
            _ => return Err(ValueError::new(word, format!("unknown fault '{word}': must be {FAULT_FORMS}"))),
        },
    };
    Ok((fault, chance))
}

fn parse_chance(fault: &str, text: &str) -> Result<f64, ValueError> {
    let wrong = |what: String| ValueError::new(fault, what);
    let chance: f64 = text.parse().map_err(|_| wrong(format!("'{text}' in fault '{fault}' is not a number")))?;
    if (0.0..=1.0).contains(&chance) {
        Ok(chance)
    } else {
        Err(wrong(format!("the chance in fault '{fault}' must be between 0 and 1")))
    }
}

/// In a pattern, `*` matches any text. Takes the first match of each part, which is sufficient. There is no backtracking,
/// because patterns come from requests.
fn matches_pattern(pattern: &str, path: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == path };
    let (inner, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(middle) = path.strip_prefix(head).and_then(|path| path.strip_suffix(tail)) else { return false };
    inner.split('*').try_fold(middle, |left, part| Some(left.split_once(part)?.1)).is_some()
}

impl RetryAfter {
    /// Returns the value of the header in an answer that is sent now.
    pub fn header(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::DateIn(time) => clock::http_date(clock::now_ms().saturating_add_unsigned(whole_ms(*time))),
        }
    }
}

fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl fmt::Display for FaultRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.fault {
            FaultKind::Status(status) => write!(f, "{status}")?,
            FaultKind::Drop => f.write_str("drop")?,
            FaultKind::Cut => f.write_str("cut")?,
            FaultKind::Garbage => f.write_str("garbage")?,
            FaultKind::Short => f.write_str("short")?,
            FaultKind::DocumentError => f.write_str("document-error")?,
            FaultKind::Never => f.write_str("never")?,
            FaultKind::Slow(rate) => write!(f, "slow:{rate}/s")?,
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
        for (name, value) in [("path", &self.path), ("name", &self.name), ("message", &self.message)] {
            if let Some(value) = value {
                write!(f, ";{name}={value}")?;
            }
        }
        match &self.retry_after {
            None => Ok(()),
            Some(RetryAfter::Text(text)) => write!(f, ";retry-after={text}"),
            Some(RetryAfter::DateIn(time)) => write!(f, ";retry-after-date={}ms", whole_ms(*time)),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoiceFaultKind {
    /// Break the connection without a close frame.
    Drop,
    /// Close the connection without `end_of_stream`.
    Close,
    /// Send an `error` message.
    Error,
    /// Send two `error` messages.
    Errors,
    /// Send messages of unknown types.
    Unknown,
    /// Send the last translations slowly, after the end messages of the source and of earlier targets.
    Late,
    /// Send the last concluded segments again after a reconnection.
    Repeat,
}

const VOICE_FAULT_NAMES: [(&str, VoiceFaultKind); 7] = [
    ("drop", VoiceFaultKind::Drop),
    ("close", VoiceFaultKind::Close),
    ("error", VoiceFaultKind::Error),
    ("errors", VoiceFaultKind::Errors),
    ("unknown", VoiceFaultKind::Unknown),
    ("late", VoiceFaultKind::Late),
    ("repeat", VoiceFaultKind::Repeat),
];

/// A fault of a voice stream, and when it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceFault {
    /// How the stream fails.
    pub kind: VoiceFaultKind,
    /// Position in the audio in milliseconds. `None` means after the end of the client's audio, except for `unknown` (at
    /// every update) and `repeat` (after a reconnection).
    pub at_ms: Option<u64>,
}

impl FromStr for VoiceFault {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (word, at) = text.split_once('@').map_or((text, None), |(word, at)| (word, Some(at)));
        let kind = VOICE_FAULT_NAMES.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| {
            let names = VOICE_FAULT_NAMES.map(|(name, _)| name).join(", ");
            ValueError::new(word, format!("unknown voice fault '{word}': must be one of {names}"))
        })?;
        let ms = |at: &str| {
            let what = || format!("'{at}' in voice fault '{text}' is not a number of milliseconds");
            at.parse().map_err(|_| ValueError::new(text, what()))
        };
        Ok(Self { kind, at_ms: at.map(ms).transpose()? })
    }
}

impl fmt::Display for VoiceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = VOICE_FAULT_NAMES.iter().find(|(_, kind)| *kind == self.kind).map_or("", |(name, _)| *name);
        match self.at_ms {
            Some(ms) => write!(f, "{word}@{ms}"),
            None => f.write_str(word),
        }
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
            "document-error:0.2;name=bad*;message=The file is broken.",
            "never",
            "slow:1000/s",
            "slow:1/s:0.1;path=/v2/document/*/result",
            "503;message=Back soon;retry-after=Wed, 21 Oct 2026 07:28:00 GMT",
            "429;retry-after-date=2000ms",
            "delay=5000ms;path=/v2/document/*",
            "redirect=http://127.0.0.1:1/x?y=z",
            "garbage",
            "short",
        ] {
            assert_eq!(text.parse::<FaultRule>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn rejects_meaningless_rules() {
        for (text, part) in [
            ("", "unknown fault ''"),
            ("99", "unknown fault '99'"),
            ("200", "unknown fault '200'"),
            ("600", "unknown fault '600'"),
            ("explode", "unknown fault 'explode'"),
            ("429:2", "between 0 and 1"),
            ("429:x", "'x' in fault '429:x' is not a number"),
            ("429;times", "'times' in fault '429;times' has no value"),
            ("429;times=x", "fault '429;times=x': times is not a whole number"),
            ("429;foo=1", "unknown condition 'foo'"),
            ("delay=soon", "invalid duration 'soon'"),
            ("document", "unknown fault 'document': must be a status from 400 to 599, drop, cut"),
            ("slow", "unknown fault 'slow'"),
            ("slow:1000", "the rate in fault 'slow:1000' must be bytes per second: slow:1000/s"),
            ("slow:0/s", "the rate in fault 'slow:0/s' must be bytes per second"),
            ("slow:9/s:2", "between 0 and 1"),
            ("never;name=a", "the condition name applies only to document-error"),
            ("drop;message=a", "a message applies only to a status or document-error"),
            ("drop;retry-after=1", "retry-after applies only to a status"),
            ("429;retry-after=\u{7f}", "retry-after is not a valid header value"),
            ("429;retry-after-date=soon", "invalid duration 'soon'"),
            ("redirect=a\u{7f}", "redirect is not a valid header value"),
        ] {
            let error = text.parse::<FaultRule>().unwrap_err().what;
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn parses_the_voice_fault_it_prints() {
        for text in ["drop@500", "close", "errors@0", "late", "unknown", "repeat"] {
            assert_eq!(text.parse::<VoiceFault>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn rejects_unknown_names_and_times() {
        for (text, part) in
            [("", "unknown voice fault ''"), ("boom", "'boom'"), ("drop@", "not a number"), ("drop@x", "'x' in voice")]
        {
            let error = text.parse::<VoiceFault>().unwrap_err().what;
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn patterns_match_complete_paths() {
        assert!(matches_pattern("/v2/document", "/v2/document"));
        assert!(!matches_pattern("/v2/document", "/v2/document/1"));
        assert!(matches_pattern("/v2/document/*/result", "/v2/document/1/result"));
        assert!(!matches_pattern("/v2/document/*/result", "/v2/document/1"));
        assert!(matches_pattern("*", "/x"));
        assert!(!matches_pattern("/x*x", "/x"));
        assert!(matches_pattern("/*a*b*/c", "/xaab/b/c"));
        assert!(!matches_pattern("/*a*b*/c", "/xba/c"));
    }

    #[test]
    fn a_pattern_with_many_stars_does_not_backtrack() {
        assert!(!matches_pattern(&"*s".repeat(2000), &"s".repeat(1999)));
        assert!(matches_pattern(&"*s".repeat(2000), &"s".repeat(4000)));
    }
}
