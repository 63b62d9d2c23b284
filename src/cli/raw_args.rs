//! What the arguments say before they are parsed: for errors of the parser, which must be printed as asked for.

use std::ffi::OsString;

use clap::ValueEnum as _;
use tulk_base::error::Failure;

use crate::config::{ColorChoice, GlobalArgs};

/// Returns the failure of an argument that has to be text and is not UTF-8.
pub fn not_utf8() -> Failure {
    let args: Vec<String> = std::env::args_os()
        .filter(|arg| arg.to_str().is_none())
        .map(|arg| format!("`{}`", arg.as_encoded_bytes().escape_ascii()))
        .collect();
    Failure::usage(format!("invalid UTF-8 in an argument: {}", args.join(", ")))
        .hint("only file names may contain other bytes")
}

/// Returns whether the only thing the arguments ask for is the version, and if so, whether with `--verbose`.
pub fn asks_for_version(words: &[OsString]) -> Option<bool> {
    let (mut is_version, mut is_verbose) = (false, false);
    for word in words.iter().skip(1) {
        match word.to_str()? {
            "--version" | "-V" => is_version = true,
            "--verbose" | "-v" | "-vv" => is_verbose = true,
            "-vV" | "-Vv" => (is_version, is_verbose) = (true, true),
            _ => return None,
        }
    }
    is_version.then_some(is_verbose)
}

/// Returns the output options of a command line that cannot be parsed, so that its error is printed as asked for.
pub fn output_options(words: &[OsString]) -> GlobalArgs {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let mut words = words.iter().skip(1).map(text).take_while(|word| word != "--").peekable();
    let mut args = GlobalArgs::default();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        let value = value.or_else(|| words.peek().map(String::as_str)).unwrap_or_default();
        match name {
            "--json" | "--jq" => args.json = true,
            "--format" => args.json |= ["json", "jsonl"].contains(&value),
            "--no-color" => args.color = ColorChoice::Never,
            // A wrong value is left out.
            "--color" => args.color = ColorChoice::from_str(value, false).unwrap_or(args.color),
            _ => {}
        }
    }
    args
}
