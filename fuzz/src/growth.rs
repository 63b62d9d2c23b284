//! Untrusted files take linear time: four times as much of anything takes about four times as long.
//!
//! `TULK_GROWTH_MS` is the minimum time that the smaller input takes, in milliseconds of CPU time. The default finds quadratic code in
//! tulk itself; a larger value also finds quadratic code that is hidden by fast searches.

mod catalogs;
mod files;

use std::time::{Duration, Instant};

/// Maximum ratio of the times for four times the input. Quadratic code takes 16 times as long.
const MAX_RATIO: f64 = 9.0;

/// How often a ratio that is too large is measured before the check fails.
const ATTEMPTS: usize = 4;

/// Maximum number of parts of the smaller input, even if it takes less than the minimum time.
const MAX_PARTS: usize = 1 << 15;

/// A description, and a function that returns either a file with `n` parts or the `n`-th key.
type RepeatedPart = (&'static str, fn(usize) -> String);

/// CPU time of this thread, or wall-clock time where that is not available.
fn thread_time() -> Duration {
    // Linux includes the time since the last tick only when the thread yields.
    std::thread::yield_now();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    spent.unwrap_or_else(|| {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        START.elapsed()
    })
}

fn cost<T>(input: &impl Fn(usize) -> T, work: &impl Fn(&T), parts: usize) -> Duration {
    let input = input(parts);
    let start = thread_time();
    work(&input);
    thread_time().saturating_sub(start)
}

pub(super) fn is_linear<T>(what: &str, input: impl Fn(usize) -> T, work: impl Fn(&T)) -> Result<(), String> {
    let least = std::env::var("TULK_GROWTH_MS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let least = Duration::from_millis(least);
    let mut parts = 16;
    let mut small = cost(&input, &work, parts);
    while small < least {
        if parts == MAX_PARTS {
            return Ok(());
        }
        parts *= 2;
        small = cost(&input, &work, parts);
    }
    let mut large = Duration::MAX;
    // Code may be quadratic up to a fixed size and linear above it, so the check fails only if the ratio is too large at two sizes.
    for _ in 0..2 {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                small = small.min(cost(&input, &work, parts));
            }
            large = large.min(cost(&input, &work, 4 * parts));
            if large.as_secs_f64() < MAX_RATIO * small.as_secs_f64() {
                return Ok(());
            }
        }
        (parts, small, large) = (4 * parts, large, Duration::MAX);
    }
    Err(format!("{what}: {parts} parts take {small:?}, four times as many take more than {MAX_RATIO} times as long"))
}

pub(super) fn all_are_linear(checks: impl Iterator<Item = Result<(), String>>) {
    let failed: Vec<String> = checks.filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn finds_quadratic_work() {
    let pairs = |text: &String| {
        let bytes = text.as_bytes();
        let equal = bytes.iter().map(|a| bytes.iter().map(|b| usize::from(a == b)).sum::<usize>()).sum::<usize>();
        assert_eq!(equal, bytes.len() * bytes.len());
    };
    assert!(is_linear("pairs", |n| "x".repeat(n), pairs).is_err());
    assert_eq!(is_linear("bytes", |n| "x".repeat(100 * n), |text| assert!(text.bytes().all(|b| b == b'x'))), Ok(()));
}
