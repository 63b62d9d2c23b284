//! The process's streams and terminals, looked at once.

use std::io::{self, IsTerminal, Write};

use super::ask::Answers;
use super::color::ColorEnv;

/// The streams and what is known of them; tests make their own.
#[allow(clippy::struct_excessive_bools)] // each is one fact about one stream
pub struct Surroundings {
    /// Stdout.
    pub out: Box<dyn Write + Send>,
    /// Stderr.
    pub err: Box<dyn Write + Send>,
    /// Where answers to questions come from.
    pub answers: Answers,
    /// Whether stdin is a terminal.
    pub in_terminal: bool,
    /// Whether stdout is.
    pub out_terminal: bool,
    /// Whether stderr is.
    pub err_terminal: bool,
    /// What the environment says of colour.
    pub color: ColorEnv,
    /// Whether a build server runs this.
    pub ci: bool,
    /// Columns of the terminal that stdout is.
    pub width: Option<u16>,
}

impl Surroundings {
    /// Those of the process.
    pub fn of_process() -> Self {
        let out_terminal = io::stdout().is_terminal();
        let named = std::env::var("COLUMNS").ok().and_then(|w| w.parse().ok()).filter(|w| *w > 0);
        let measured = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
        Self {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            answers: Answers::Stdin,
            in_terminal: io::stdin().is_terminal(),
            out_terminal,
            err_terminal: io::stderr().is_terminal(),
            color: ColorEnv::read(),
            ci: std::env::var_os("CI").is_some_and(|v| !v.is_empty() && v != "false"),
            width: if out_terminal { named.or_else(measured) } else { None },
        }
    }
}
