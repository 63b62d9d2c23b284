//! The panic hook: restores the terminal, prints one line that tells where to report the bug, and exits with code 70.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::machine;
use tulk_base::stop;

use super::error_text::error_object;
use super::stderr::write_directly;

static PRINTS_JSON: AtomicBool = AtomicBool::new(false);
static PANICKING: AtomicBool = AtomicBool::new(false);

/// Returns whether the process is about to exit after a panic, so that nothing may be drawn any more.
pub(super) fn is_panicking() -> bool {
    PANICKING.load(Ordering::SeqCst)
}

pub(super) fn use_json() {
    PRINTS_JSON.store(true, Ordering::SeqCst);
}

/// Installs a hook that ends the process with one line on stderr when any thread panics.
///
/// The panic message may quote the text to translate, so only its location is printed. With `RUST_BACKTRACE`, the
/// message and a backtrace follow, except with JSON.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(move |info| {
        PANICKING.store(true, Ordering::SeqCst);
        let json = PRINTS_JSON.load(Ordering::SeqCst);
        let location = info.location().map_or_else(|| "an unknown location".to_owned(), ToString::to_string);
        // Libraries panic if they cannot start a thread. That is a limit of the machine, not a bug.
        let failure = machine::thread_start_failure().unwrap_or_else(|| bug_failure(&location));
        let mut text = panic_text(failure, stop::drawn_rows(), json);
        if !json && std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            let _ = writeln!(text, "{info}\n{}", std::backtrace::Backtrace::force_capture());
        }
        let _ = write_directly(&text);
        stop::restore_after_panic();
        exit();
    }));
}

#[allow(clippy::exit)] // a panic aborts in release builds, which would lose the exit code
fn exit() -> ! {
    std::process::exit(i32::from(Kind::Internal.code()))
}

fn bug_failure(location: &str) -> Failure {
    let message = format!("tulk {} has a bug at {location}", env!("CARGO_PKG_VERSION"));
    let place = match env!("CARGO_PKG_REPOSITORY") {
        "" => "to the provider of tulk".to_owned(),
        repository => format!("at {repository}/issues"),
    };
    let hint = format!("please report this line, the command and what `tulk --version --verbose` prints {place}");
    Failure::internal(message).hint(hint)
}

/// Returns the output of the hook. Removes `rows` of progress first, without the locks of the code that draws them.
fn panic_text(failure: Failure, rows: usize, json: bool) -> String {
    let mut text = String::new();
    if rows > 0 {
        text.push_str(&stop::clear_rows(rows));
    }
    if json {
        let message = failure.what.clone();
        text.push_str(&error_object(&ErrorReport { failure, message }));
        text.push('\n');
    } else {
        let _ = writeln!(text, "error: {}; {}", failure.what, failure.hint.unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_the_location_in_one_line() {
        let text = panic_text(bug_failure("src/a.rs:1:2"), 0, false);
        assert!(text.starts_with("error: tulk ") && text.contains("src/a.rs:1:2; please report"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn removes_the_rows_of_progress_first() {
        assert!(panic_text(bug_failure("x"), 1, false).starts_with("\r\u{1b}[Jerror:"));
        assert!(panic_text(bug_failure("x"), 3, false).starts_with("\r\u{1b}[2A\u{1b}[Jerror:"));
    }

    /// The next test runs this one in a separate process.
    #[cfg(unix)]
    #[test]
    #[ignore = "panics, so it runs in a separate process"]
    fn panics_while_input_is_hidden() {
        install_panic_hook();
        let Some(_hidden) = tulk_base::stop::SavedTerminal::hide_input() else { return };
        panic!("at a prompt");
    }

    #[cfg(unix)]
    #[test]
    fn shows_typed_input_again_after_a_panic() {
        use std::os::fd::OwnedFd;

        use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
        use rustix::termios::{LocalModes, tcgetattr};
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&main).unwrap();
        unlockpt(&main).unwrap();
        let name = ptsname(&main, Vec::new()).unwrap();
        let open = || std::fs::File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let terminal = open();
        let is_shown = || tcgetattr(&terminal).unwrap().local_modes.contains(LocalModes::ECHO);
        assert!(is_shown());
        let test = concat!(module_path!(), "::panics_while_input_is_hidden");
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "--nocapture", test.split_once("::").unwrap().1])
            .env("RUST_BACKTRACE", "0")
            .stdin(OwnedFd::from(open()))
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(" has a bug at src/output/panic.rs:"), "{stderr}");
        assert_eq!(output.status.code(), Some(70));
        assert!(is_shown());
    }

    #[test]
    fn prints_an_object_with_json() {
        let value: serde_json::Value = serde_json::from_str(&panic_text(bug_failure("x"), 0, true)).unwrap();
        assert_eq!(value["error"]["kind"], "internal");
        assert!(value["error"]["hint"].is_string());
    }
}
