//! What the arguments say before they are parsed: for errors of the parser, which must be printed as asked for.

use std::ffi::OsString;

use clap::ValueEnum as _;
use tulk_base::error::Failure;

use crate::config::ColorChoice;

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

/// Returns whether the unparsed arguments ask for JSON, so that a usage error is a JSON object as well.
pub fn is_json_requested() -> bool {
    let text = |arg: std::ffi::OsString| arg.to_string_lossy().into_owned();
    let mut args = std::env::args_os().skip(1).map(text).take_while(|a| a != "--").peekable();
    while let Some(arg) = args.next() {
        let value = match arg.as_str() {
            "--json" | "--jq" => return true,
            "--format" => args.peek().cloned().unwrap_or_default(),
            other if other.starts_with("--jq=") => return true,
            other => other.strip_prefix("--format=").unwrap_or_default().to_owned(),
        };
        if value == "json" || value == "jsonl" {
            return true;
        }
    }
    false
}

/// Returns the color that the unparsed arguments ask for, for help and usage errors. A wrong value counts as none.
pub fn requested_color() -> ColorChoice {
    let mut choice = ColorChoice::default();
    let mut args = std::env::args_os()
        .skip(1)
        .map(|arg| arg.to_string_lossy().into_owned())
        .take_while(|arg| arg != "--")
        .peekable();
    while let Some(arg) = args.next() {
        let value = match arg.as_str() {
            "--no-color" => "never",
            "--color" => args.peek().map_or("", String::as_str),
            other => other.strip_prefix("--color=").unwrap_or_default(),
        };
        choice = ColorChoice::from_str(value, false).unwrap_or(choice);
    }
    choice
}
