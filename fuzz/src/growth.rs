//! Files of others do not take time that grows with the square of their size: four times as much of anything takes about four times
//! as long.
//!
//! `TULK_GROWTH_MS` sets how long the smaller input takes at least, in milliseconds of processor time. The default finds what is
//! quadratic in our own code; a larger one also finds what a fast search hides.

mod catalogs;
mod files;

use std::time::{Duration, Instant};

/// How much longer four times the input may take. What is quadratic takes 16 times as long.
const MAX_RATIO: f64 = 9.0;

/// How often a ratio that is too large is measured before it counts.
const ATTEMPTS: usize = 4;

/// Inputs are not larger than this many parts, whatever time they take.
const MAX_PARTS: usize = 1 << 15;

/// Something many times: a text for a number.
type Many = (&'static str, fn(usize) -> String);

/// The processor time of this thread. Where it is not known, the time of a clock.
fn thread_time() -> Duration {
    // Linux counts the time since the last tick when the thread yields.
    std::thread::yield_now();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    spent.unwrap_or_else(|| {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        START.elapsed()
    })
}

/// Returns how long the work with an input of `parts` parts takes.
fn cost<T>(input: &impl Fn(usize) -> T, work: &impl Fn(&T), parts: usize) -> Duration {
    let input = input(parts);
    let start = thread_time();
    work(&input);
    thread_time().saturating_sub(start)
}

/// Checks that the work with four times the input takes about four times as long.
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
    // Work with an upper bound may grow faster until it reaches the bound, so the ratio must be too large at two sizes.
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
    Err(format!("{what}: {parts} parts take {small:?}, four times as many more than {MAX_RATIO} times as long"))
}

/// Fails with all that is not linear.
pub(super) fn all_are_linear(checks: impl Iterator<Item = Result<(), String>>) {
    let failed: Vec<String> = checks.filter_map(Result::err).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn what_is_quadratic_is_found() {
    let pairs = |text: &String| {
        let bytes = text.as_bytes();
        let equal = bytes.iter().map(|a| bytes.iter().map(|b| usize::from(a == b)).sum::<usize>()).sum::<usize>();
        assert_eq!(equal, bytes.len() * bytes.len());
    };
    assert!(is_linear("pairs", |n| "x".repeat(n), pairs).is_err());
    assert_eq!(is_linear("bytes", |n| "x".repeat(100 * n), |text| assert!(text.bytes().all(|b| b == b'x'))), Ok(()));
}
