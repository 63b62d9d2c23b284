//! Decides which faults apply to a request, and counts requests and failures.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::rule::{DEFAULT_MESSAGE, FaultKind, FaultRule};
use crate::duration::Latency;

/// How long to remember a failed request. After that, the same request counts as new.
const REPETITION_MAX: Duration = Duration::from_secs(600);
/// Number of remembered requests above which old ones are removed.
const REQUESTS_MAX: usize = 1024;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultDecision {
    pub faults: Vec<FaultRule>,
    /// The input for [`FaultInjector::document_error`], if any rule makes documents fail.
    pub documents: Option<DocumentFaults>,
}

impl FaultDecision {
    pub fn has_fault(&self, kind: &FaultKind) -> bool {
        self.faults.iter().any(|rule| rule.fault == *kind)
    }
}

/// Input for deciding whether an uploaded document fails, once its file name is known.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentFaults {
    path: String,
    request: u64,
    /// Document rules from the headers of the request.
    header_rules: Vec<FaultRule>,
}

pub struct FaultInjector {
    rules: Vec<FaultRule>,
    latency: Latency,
    seed: Option<u64>,
    history: Mutex<FaultHistory>,
}

struct FaultHistory {
    rng: Rng,
    /// Requests and failures per rule. The key is the rule's text, which also identifies rules in headers.
    by_rule: HashMap<String, RuleCounts>,
    /// Failures per rule and request, until the request passes.
    by_request: HashMap<u64, RepeatedRequest>,
}

/// A request that failed and may be repeated.
struct RepeatedRequest {
    failures: u64,
    last: Instant,
}

#[derive(Default)]
struct RuleCounts {
    requests: u64,
    failures: u64,
}

impl FaultInjector {
    /// The same `seed` gives the same random decisions.
    pub fn new(rules: Vec<FaultRule>, latency: Latency, seed: Option<u64>) -> Self {
        Self { rules, latency, seed, history: Mutex::new(FaultHistory::new(seed)) }
    }

    /// Forgets all requests and restarts the random numbers.
    pub fn reset(&self) {
        *self.history() = FaultHistory::new(self.seed);
    }

    /// Returns whether there are no rules: then only a header can cause a fault.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub fn latency(&self) -> Duration {
        let Latency { min, max } = self.latency;
        let range = u64::try_from(max.saturating_sub(min).as_micros()).unwrap_or(u64::MAX);
        if range == 0 {
            return min;
        }
        min + Duration::from_micros(self.history().rng.u64(0..=range))
    }

    /// `header_rules` come from the headers of the request. `request` is a hash that is the same for its retries.
    pub fn decide(&self, path: &str, request: u64, header_rules: &[FaultRule]) -> FaultDecision {
        let mut history = self.history();
        let mut decision = FaultDecision::default();
        let (of_document, of_request): (Vec<_>, Vec<_>) =
            header_rules.iter().partition(|rule| rule.fault == FaultKind::DocumentError);
        for rule in self.rules.iter().chain(of_request) {
            let is_of_request = rule.fault != FaultKind::DocumentError;
            if is_of_request && rule.is_for_path(path) && history.should_fail(rule, request) {
                decision.faults.push(rule.clone());
            }
        }
        if !of_document.is_empty() || self.rules.iter().any(|rule| rule.fault == FaultKind::DocumentError) {
            let header_rules = of_document.into_iter().cloned().collect();
            decision.documents = Some(DocumentFaults { path: path.to_owned(), request, header_rules });
        }
        decision
    }

    /// Returns the error message if an uploaded document fails. Call it after all other checks of the upload: refused uploads must
    /// not use up the `total` of a rule.
    pub fn document_error(&self, documents: &DocumentFaults, filename: &str) -> Option<String> {
        let mut history = self.history();
        let mut rules = self.rules.iter().chain(&documents.header_rules).filter(|rule| {
            rule.fault == FaultKind::DocumentError && rule.is_for_path(&documents.path) && rule.is_for_file(filename)
        });
        let rule = rules.find(|rule| history.should_fail(rule, documents.request))?;
        Some(rule.message.clone().unwrap_or_else(|| DEFAULT_MESSAGE.to_owned()))
    }

    fn history(&self) -> MutexGuard<'_, FaultHistory> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FaultHistory {
    fn new(seed: Option<u64>) -> Self {
        let rng = seed.map_or_else(Rng::new, Rng::with_seed);
        Self { rng, by_rule: HashMap::new(), by_request: HashMap::new() }
    }

    /// Returns whether a rule makes this request fail, and counts the failure.
    fn should_fail(&mut self, rule: &FaultRule, request: u64) -> bool {
        if rule.after > 0 || rule.total.is_some() {
            let counts = self.by_rule.entry(rule.to_string()).or_default();
            counts.requests += 1;
            if counts.requests <= rule.after || rule.total.is_some_and(|total| counts.failures >= total) {
                return false;
            }
        }
        if rule.chance < 1.0 && self.rng.f64() >= rule.chance {
            return false;
        }
        if let Some(times) = rule.times
            && self.has_passed(hash_of(&(rule.to_string(), request)), times)
        {
            return false;
        }
        if let Some(counts) = self.by_rule.get_mut(&rule.to_string()) {
            counts.failures += 1;
        }
        true
    }

    /// Returns true if a request passes now because it has already failed `times` times. Otherwise counts another failure and
    /// returns false. After the request has passed, the next equal request counts as new.
    fn has_passed(&mut self, request: u64, times: u64) -> bool {
        let now = Instant::now();
        let is_recent = |repeated: &RepeatedRequest| now.duration_since(repeated.last) < REPETITION_MAX;
        if self.by_request.len() >= REQUESTS_MAX {
            self.by_request.retain(|_, repeated| is_recent(repeated));
        }
        let failures = self.by_request.remove(&request).filter(is_recent).map_or(0, |repeated| repeated.failures);
        if failures >= times {
            return true;
        }
        self.by_request.insert(request, RepeatedRequest { failures: failures + 1, last: now });
        false
    }
}

pub fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn injector(rules: &[&str]) -> FaultInjector {
        FaultInjector::new(rules.iter().map(|rule| rule.parse().unwrap()).collect(), Latency::default(), None)
    }

    fn failures(injector: &FaultInjector, path: &str, request: u64) -> usize {
        injector.decide(path, request, &[]).faults.len()
    }

    #[test]
    fn each_request_fails_the_given_number_of_times() {
        let injector = injector(&["429;times=2"]);
        let counts = [1, 1, 1, 2, 2, 2].map(|request| failures(&injector, "/v2/translate", request));
        assert_eq!(counts, [1, 1, 0, 1, 1, 0]);
        let again = [1, 2, 1, 1].map(|request| failures(&injector, "/v2/translate", request));
        assert_eq!(again, [1, 1, 1, 0], "a request that passed is a new one");
        failures(&injector, "/v2/translate", 3);
        injector.reset();
        assert_eq!([3, 3, 3].map(|request| failures(&injector, "/v2/translate", request)), [1, 1, 0]);
    }

    #[test]
    fn requests_to_other_paths_do_not_count_for_after_and_total() {
        let injector = injector(&["503;after=1;total=2;path=/v2/document/*"]);
        assert_eq!(failures(&injector, "/v2/document", 1), 0);
        let counts = [(); 5].map(|()| failures(&injector, "/v2/document/A/result", 1));
        assert_eq!(counts, [0, 1, 1, 0, 0]);
    }

    #[test]
    fn total_and_path_also_apply_to_rules_in_headers() {
        let injector = injector(&[]);
        let rules = ["500;total=1", "503;path=/x"].map(|rule| rule.parse().unwrap());
        let counts = ["/x", "/x", "/y"].map(|path| injector.decide(path, 1, &rules).faults.len());
        assert_eq!(counts, [2, 1, 0]);
    }

    #[test]
    fn document_errors_depend_on_the_file_name() {
        let injector = injector(&["document-error;total=1;name=bad*", "document-error;name=*.srt;message=No text."]);
        let rule = ["document-error;name=own.txt".parse().unwrap()];
        let decision = injector.decide("/v2/document", 1, &rule);
        assert_eq!(decision.faults, []);
        let errors = ["good.txt", "a bad.txt", "bad.txt", "bad.txt", "a.srt", "own.txt"]
            .map(|name| injector.document_error(decision.documents.as_ref().unwrap(), name));
        let requested = || Some("This fault was requested.".to_owned());
        assert_eq!(errors, [None, None, requested(), None, Some("No text.".to_owned()), requested()]);
    }

    #[test]
    fn the_same_seed_makes_the_same_decisions() {
        let run = |seed| {
            let rules = vec!["500:0.5".parse().unwrap()];
            let injector = FaultInjector::new(rules, "1ms-9ms".parse().unwrap(), Some(seed));
            (0..64).map(|n| (injector.latency(), failures(&injector, "/", n))).collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
        let failed: usize = run(7).iter().map(|(_, n)| n).sum();
        assert!((16..48).contains(&failed), "{failed}");
        assert!(run(7).iter().all(|(latency, _)| (1..=9).contains(&latency.as_millis())));
    }
}
