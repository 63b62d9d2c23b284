//! Checks in tests that code takes linear time: four times as much of anything takes about four times as long.
//!
//! `TULK_GROWTH_MS` is the minimum time that the smaller input takes, in milliseconds of CPU time. A value above the default also finds
//! quadratic code that is hidden by fast searches.

use std::time::Duration;

/// Maximum ratio of the times for four times the input. Quadratic code takes 16 times as long.
const MAX_RATIO: f64 = 9.0;

/// How often a ratio that is too large is measured before the check fails.
const ATTEMPTS: usize = 4;

/// The smaller input is not enlarged beyond this. Code that handles so many parts in less than the minimum time is not quadratic.
const MAX_PARTS: usize = 1 << 15;

/// Makes an input with this number of parts.
pub type MakeInput = fn(usize) -> String;

/// CPU time of this thread.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Wall-clock time.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// Compares the times for an input with at least `parts` parts and for four times as many. Choose `parts` so large that a search through
/// all of them would take longer than the other work for one of them. Only the time in `work` is measured, on this thread.
pub fn is_linear<T>(what: &str, parts: usize, input: impl Fn(usize) -> T, work: impl Fn(&T)) -> Result<(), String> {
    let least = std::env::var("TULK_GROWTH_MS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    compare(what, parts, Duration::from_millis(least), input, work)
}

fn compare<T>(
    what: &str,
    mut parts: usize,
    least: Duration,
    input: impl Fn(usize) -> T,
    work: impl Fn(&T),
) -> Result<(), String> {
    let cost = |parts| {
        let input = input(parts);
        let start = thread_time();
        work(&input);
        thread_time().saturating_sub(start)
    };
    // The first run may take longer, for example because it compiles a regular expression.
    let mut small = cost(parts).min(cost(parts));
    while small < least {
        if parts >= MAX_PARTS {
            return Ok(());
        }
        parts *= 2;
        small = cost(parts).min(cost(parts));
    }
    let (mut large, mut problem) = (Duration::MAX, String::new());
    // Code may be quadratic up to a fixed size and linear above it, so the check fails only if the ratio is too large at two sizes.
    for _ in 0..2 {
        for attempt in 0..ATTEMPTS {
            if attempt > 0 {
                small = small.min(cost(parts));
            }
            large = large.min(cost(4 * parts));
            if large.as_secs_f64() < MAX_RATIO * small.as_secs_f64() {
                return Ok(());
            }
        }
        problem = format!("{what}: {parts} parts take {small:?}, {} take {large:?}", 4 * parts);
        (parts, small, large) = (4 * parts, large, Duration::MAX);
    }
    Err(problem)
}

/// Like [`is_linear`], for unit tests.
///
/// # Panics
/// If the work takes more than linear time.
#[track_caller]
pub fn assert_linear<T>(what: &str, parts: usize, input: impl Fn(usize) -> T, work: impl Fn(&T)) {
    let checked = is_linear(what, parts, input, work);
    assert!(checked.is_ok(), "{}", checked.err().unwrap_or_default());
}

#[test]
fn finds_quadratic_work() {
    let pairs = |text: &String| {
        let bytes = text.as_bytes();
        let equal = bytes.iter().map(|a| bytes.iter().map(|b| usize::from(a == b)).sum::<usize>()).sum::<usize>();
        assert_eq!(equal, bytes.len() * bytes.len());
    };
    // Only a short time, because quadratic work for 16 times the input takes 256 times as long.
    assert!(compare("pairs", 16, Duration::from_micros(200), |n| "x".repeat(n), pairs).is_err());
    assert_eq!(
        is_linear("bytes", 16, |n| "x".repeat(100 * n), |text| assert!(text.bytes().all(|b| b == b'x'))),
        Ok(())
    );
}
