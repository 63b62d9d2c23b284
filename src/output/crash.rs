//! The end by a bug: the terminal as it was, one line that says where to report it, exit 70.
//!
//! Failures that are not bugs go through [`super::Output::error`]. Spec: command line, "Exit codes".

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

use super::screen::error_object;
use crate::error::{ErrorReport, Failure, Kind};

static BARS: AtomicIsize = AtomicIsize::new(0);
static JSON: AtomicBool = AtomicBool::new(false);
static ENDING: AtomicBool = AtomicBool::new(false);

/// Counts the bars on the terminal: the hook has to take them off without their locks.
pub(super) fn bars_changed(by: isize) {
    BARS.fetch_add(by, Ordering::SeqCst);
}

/// Whether the process is on its way out, so nothing may be drawn any more.
pub(super) fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// Makes the hook write JSON.
pub(super) fn speak_json() {
    JSON.store(true, Ordering::SeqCst);
}

/// Ends the process with one line on stderr when any thread panics.
///
/// The panic's own message may quote what was being translated, so only its place is shown; with `RUST_BACKTRACE` set
/// the usual message follows, except under JSON.
pub fn panic_hook() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        ENDING.store(true, Ordering::SeqCst);
        let json = JSON.load(Ordering::SeqCst);
        let place = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        let text = last_words(&place, BARS.load(Ordering::SeqCst), json);
        let _ = std::io::stderr().write_all(text.as_bytes());
        if !json && std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            usual(info);
        }
        end();
    }));
}

#[allow(clippy::exit)] // a panic aborts in release builds, which would lose the exit code
fn end() -> ! {
    std::process::exit(i32::from(Kind::Internal.code()))
}

fn last_words(place: &str, bars: isize, json: bool) -> String {
    let message = format!("tulk {} has a bug at {place}", env!("CARGO_PKG_VERSION"));
    let hint = match env!("CARGO_PKG_REPOSITORY") {
        "" => "please report this line and the command to the people you have tulk from".to_owned(),
        repository => format!("please report this line and the command at {repository}/issues"),
    };
    let mut text = String::new();
    if bars > 0 {
        // To the first bar's line, then everything below goes; the cursor is shown again.
        text.push('\r');
        if bars > 1 {
            let _ = write!(text, "\u{1b}[{}A", bars - 1);
        }
        text.push_str("\u{1b}[J\u{1b}[?25h");
    }
    if json {
        let failure = Failure::internal(message.clone()).hint(hint);
        text.push_str(&error_object(&ErrorReport { failure, message }));
        text.push('\n');
    } else {
        let _ = writeln!(text, "error: {message}; {hint}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_where_the_bug_is_in_one_line() {
        let text = last_words("src/a.rs:1:2", 0, false);
        assert!(text.starts_with("error: tulk ") && text.contains("src/a.rs:1:2; please report"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn takes_the_bars_off_first() {
        assert!(last_words("x", 1, false).starts_with("\r\u{1b}[J\u{1b}[?25herror:"));
        assert!(last_words("x", 3, false).starts_with("\r\u{1b}[2A\u{1b}[J"));
    }

    #[test]
    fn is_an_object_under_json() {
        let value: serde_json::Value = serde_json::from_str(&last_words("x", 0, true)).unwrap();
        assert_eq!(value["error"]["kind"], "internal");
        assert!(value["error"]["hint"].is_string());
    }
}
