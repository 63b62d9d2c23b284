//! Things that go wrong on purpose: by chance, by script, or because one request asks for it.
//!
//! A rule reads `WHAT[:CHANCE][;times=N][;total=N][;after=N][;path=PATTERN][;retry-after=VALUE]`, on the command line
//! and in the header `X-Tulk-Sandbox-FaultKind` alike. This file decides; `gate.rs` carries it out.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fastrand::Rng;
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::options::{Latency, parse_duration};

/// The path whose request makes a document.
const UPLOAD: &str = "/v2/document";

/// What goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// This status instead of an answer; the request is not carried out.
    Status(u16),
    /// The request is carried out, then the connection closes without an answer.
    Drop,
    /// The answer ends in the middle of its body.
    Cut,
    /// 200 with a body that is not JSON.
    Garbage,
    /// One result too few.
    Short,
    /// The answer takes longer.
    Delay(Duration),
    /// A redirect to another address.
    Redirect(String),
    /// An uploaded document ends with the status `error`.
    Document,
}

/// One fault with its conditions.
#[derive(Clone, Debug, PartialEq, SerializeDisplay, DeserializeFromStr)]
pub struct FaultRule {
    /// What goes wrong.
    pub fault: FaultKind,
    /// How likely, from 0 to 1.
    pub chance: f64,
    /// How often for requests with the same method, path and body, before they succeed.
    pub times: Option<u64>,
    /// How often in all.
    pub total: Option<u64>,
    /// How many matching requests pass first.
    pub after: u64,
    /// Only for this path; `*` stands for any text.
    pub path: Option<String>,
    /// The `Retry-After` header of the answer.
    pub retry_after: Option<String>,
}

impl FromStr for FaultRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(';').map(str::trim);
        let (fault, chance) = read_fault(parts.next().unwrap_or_default())?;
        let mut rule = Self { fault, chance, times: None, total: None, after: 0, path: None, retry_after: None };
        for part in parts {
            let (name, value) =
                part.split_once('=').ok_or_else(|| format!("'{part}' in fault '{text}' has no value"))?;
            let number = || value.parse().map_err(|_| format!("{name} in fault '{text}' is no whole number"));
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

fn read_fault(text: &str) -> Result<(FaultKind, f64), String> {
    if let Some(address) = text.strip_prefix("redirect=") {
        return Ok((FaultKind::Redirect(address.to_owned()), 1.0));
    }
    let (word, chance) = match text.rsplit_once(':') {
        None => (text, 1.0),
        Some((word, chance)) => {
            let number: f64 = chance.parse().map_err(|_| format!("'{chance}' in fault '{text}' is no number"))?;
            if !(0.0..=1.0).contains(&number) {
                return Err(format!("the chance in fault '{text}' must lie between 0 and 1"));
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
                    "unknown fault '{word}': a status from 400 to 599, drop, cut, garbage, short, document, \
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

/// What happens to one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultDecision {
    /// The faults, each with the `Retry-After` it asks for.
    pub faults: Vec<(FaultKind, Option<String>)>,
}

/// Decides about faults and latency; holds the dice and what happened so far.
pub struct FaultInjector {
    rules: Vec<FaultRule>,
    latency: Latency,
    state: Mutex<FaultHistory>,
}

struct FaultHistory {
    rng: Rng,
    /// Per rule: requests seen, faults made. A rule goes by its text, so a header's rule is remembered too.
    tally: HashMap<String, (u64, u64)>,
    /// FaultInjector made per rule and request.
    made: HashMap<u64, u64>,
}

impl FaultInjector {
    /// Takes the rules of the options.
    pub fn new(rules: Vec<FaultRule>, latency: Latency, seed: Option<u64>) -> Self {
        let rng = seed.map_or_else(Rng::new, Rng::with_seed);
        Self { rules, latency, state: Mutex::new(FaultHistory { rng, tally: HashMap::new(), made: HashMap::new() }) }
    }

    /// Whether a request without a header of its own can pass unlooked at.
    pub fn is_calm(&self) -> bool {
        self.rules.is_empty()
    }

    /// How long this answer takes.
    pub fn latency(&self) -> Duration {
        let Latency { least, most } = self.latency;
        let span = u64::try_from(most.saturating_sub(least).as_micros()).unwrap_or(u64::MAX);
        if span == 0 {
            return least;
        }
        let mut dice = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        least + Duration::from_micros(dice.rng.u64(0..=span))
    }

    /// Decides about one request. `own` are the rules of its header, `identity` names method, path and body.
    pub fn decide(&self, path: &str, identity: u64, own: &[FaultRule]) -> FaultDecision {
        let mut dice = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut verdict = FaultDecision::default();
        for rule in self.rules.iter().chain(own) {
            if rule.applies_to(path) && dice.strikes(rule, identity) {
                verdict.faults.push((rule.fault.clone(), rule.retry_after.clone()));
            }
        }
        verdict
    }
}

impl FaultRule {
    fn applies_to(&self, path: &str) -> bool {
        // Only an upload makes a document: elsewhere the rule would use up its chances.
        (self.fault != FaultKind::Document || path == UPLOAD) && self.path.as_ref().is_none_or(|it| matches(it, path))
    }
}

impl FaultHistory {
    /// Whether a rule strikes this time.
    fn strikes(&mut self, rule: &FaultRule, identity: u64) -> bool {
        if rule.after > 0 || rule.total.is_some() {
            let (seen, made) = self.tally.entry(rule.to_string()).or_default();
            *seen += 1;
            if *seen <= rule.after || rule.total.is_some_and(|total| *made >= total) {
                return false;
            }
        }
        if rule.chance < 1.0 && self.rng.f64() >= rule.chance {
            return false;
        }
        if let Some(times) = rule.times {
            let made = self.made.entry(identity_of(&(rule.to_string(), identity))).or_default();
            if *made >= times {
                return false;
            }
            *made += 1;
        }
        if let Some((_, made)) = self.tally.get_mut(&rule.to_string()) {
            *made += 1;
        }
        true
    }
}

/// A number for anything that can be hashed.
pub fn identity_of(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Whether a path fits a pattern in which `*` stands for any text.
fn matches(pattern: &str, path: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == path };
    let Some(rest) = path.strip_prefix(head) else { return false };
    (0..=rest.len()).filter_map(|at| rest.get(at..)).any(|rest| matches(tail, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> FaultRule {
        text.parse().unwrap()
    }

    #[test]
    fn rules_read_as_they_are_written() {
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
            assert_eq!(rule(text).to_string(), text);
        }
    }

    #[test]
    fn refuses_rules_that_mean_nothing() {
        for text in ["", "99", "200", "600", "429:2", "429:x", "explode", "429;times", "429;times=x", "429;foo=1"] {
            assert!(text.parse::<FaultRule>().is_err(), "{text}");
        }
    }

    #[test]
    fn times_counts_each_request_by_itself() {
        let faults = FaultInjector::new(vec![rule("429;times=2")], Latency::default(), None);
        let hits = |identity| !faults.decide("/v2/translate", identity, &[]).faults.is_empty();
        assert_eq!([hits(1), hits(1), hits(1), hits(2), hits(2), hits(2)], [true, true, false, true, true, false]);
    }

    #[test]
    fn a_script_waits_and_ends() {
        let faults =
            FaultInjector::new(vec![rule("503;after=1;total=2;path=/v2/document/*")], Latency::default(), None);
        let hits = |path| !faults.decide(path, 1, &[]).faults.is_empty();
        assert!(!hits("/v2/document"));
        let seen: Vec<bool> = (0..5).map(|_| hits("/v2/document/A/result")).collect();
        assert_eq!(seen, [false, true, true, false, false]);
    }

    #[test]
    fn a_header_can_be_a_script_too() {
        let faults = FaultInjector::new(Vec::new(), Latency::default(), None);
        let own = [rule("500;total=1"), rule("503;path=/x")];
        let hits = |path| faults.decide(path, 1, &own).faults.len();
        assert_eq!([hits("/x"), hits("/x"), hits("/y")], [2, 1, 0]);
    }

    #[test]
    fn documents_fail_at_their_upload() {
        let faults = FaultInjector::new(vec![rule("document;total=1")], Latency::default(), None);
        let hits = |path| faults.decide(path, 1, &[]).faults.len();
        assert_eq!([hits("/v2/usage"), hits("/v2/document"), hits("/v2/document")], [0, 1, 0]);
    }

    #[test]
    fn a_seed_repeats_the_dice() {
        let run = |seed| {
            let faults = FaultInjector::new(vec![rule("500:0.5")], "1ms-9ms".parse().unwrap(), Some(seed));
            (0..64).map(|n| (faults.latency(), faults.decide("/", n, &[]).faults.len())).collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
        let hits: usize = run(7).iter().map(|(_, n)| n).sum();
        assert!((16..48).contains(&hits), "{hits}");
    }

    #[test]
    fn patterns_are_whole_paths() {
        assert!(matches("/v2/document", "/v2/document"));
        assert!(!matches("/v2/document", "/v2/document/1"));
        assert!(matches("/v2/document/*/result", "/v2/document/1/result"));
        assert!(!matches("/v2/document/*/result", "/v2/document/1"));
        assert!(matches("*", "/x"));
    }
}
