//! The process's streams, and the properties of the terminals behind them, which are read once at start.

use std::io::{self, IsTerminal, Write};

use tulk_base::files;
use tulk_base::stop::InterruptibleWriter;

use super::color;
use super::prompt::AnswerSource;

#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // each is one fact about one stream
pub struct Terminals {
    pub stdin: bool,
    pub stdout: bool,
    pub stderr: bool,
    /// Whether stdout has colour if no flag decides.
    pub stdout_color: bool,
    /// Whether stderr has colour if no flag decides.
    pub stderr_color: bool,
    /// Whether the terminal only supports plain text.
    pub dumb: bool,
    /// Whether the process runs on a build server (`CI`).
    pub ci: bool,
    /// Whether the locale is UTF-8, so that any character can be shown.
    pub utf8: bool,
    /// Width of stdout's terminal in columns.
    pub width: Option<u16>,
}

impl Terminals {
    pub fn detect() -> Self {
        #[cfg(windows)]
        let _ = anstyle_query::windows::enable_ansi_colors();
        let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let configured = std::env::var("COLUMNS").ok().and_then(|w| w.parse().ok()).filter(|w| *w > 0);
        let measured = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        Self {
            stdin: io::stdin().is_terminal(),
            stdout,
            stderr,
            stdout_color: color::is_supported(stdout),
            stderr_color: color::is_supported(stderr),
            dumb: !anstyle_query::term_supports_color(),
            ci: std::env::var_os("CI").is_some_and(|v| !v.is_empty() && v != "false"),
            utf8: is_utf8(),
            width: if stdout { configured.or_else(measured) } else { None },
        }
    }
}

/// Returns whether stdout is a file, whose reader cannot write to the terminal. Returns `false` if that is unknown.
pub fn stdout_is_file() -> bool {
    #[cfg(unix)]
    {
        use rustix::fs::{FileType, fstat};
        let file_type = fstat(io::stdout()).map(|stat| FileType::from_raw_mode(stat.st_mode));
        match file_type {
            Ok(FileType::RegularFile) => true,
            // For example, /dev/null.
            Ok(FileType::CharacterDevice) => !io::stdout().is_terminal(),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    false
}

/// Returns stdout. If it cannot be used, every write fails.
fn stdout() -> Box<dyn Write + Send> {
    match files::stdout_fault() {
        None => Box::new(InterruptibleWriter::new(io::stdout())),
        Some(why) => Box::new(UnusableStream(why)),
    }
}

/// A stream that was closed before the program started, or that is open in the wrong direction. The text says which.
struct UnusableStream(&'static str);

impl Write for UnusableStream {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        Err(io::Error::other(self.0))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The streams of a run. Tests use other streams.
pub struct Streams {
    pub stdout: Box<dyn Write + Send>,
    pub stderr: Box<dyn Write + Send>,
    pub answers: AnswerSource,
}

impl Streams {
    pub fn from_process() -> Self {
        Self {
            stdout: stdout(),
            stderr: Box::new(InterruptibleWriter::new(io::stderr())),
            answers: AnswerSource::Stdin,
        }
    }
}

/// Variables that select the character set. The first one that is set and not empty decides.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

pub fn is_utf8() -> bool {
    let value = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    uses_utf8(VARIABLES.iter().filter_map(|name| value(name)))
}

/// Decides from the values of the variables, in order of precedence. Windows and macOS use UTF-8 even if no variable is set.
fn uses_utf8(mut values: impl Iterator<Item = String>) -> bool {
    let unset = cfg!(any(windows, target_os = "macos"));
    values.find(|value| !value.is_empty()).map_or(unset, |value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_not_empty_decides() {
        let decide = |values: &[&str]| uses_utf8(values.iter().map(|value| (*value).to_owned()));
        assert!(decide(&["en_US.UTF-8"]));
        assert!(decide(&["", "de_DE.utf8", "C"]));
        assert!(!decide(&["C", "en_US.UTF-8"]));
        assert!(!decide(&["de_DE@euro"]));
        assert_eq!(decide(&[]), cfg!(any(windows, target_os = "macos")));
    }
}
