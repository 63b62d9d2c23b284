//! Looks at arguments before clap parses them: switches whose value follows a space, the version, and output options for errors.

use std::ffi::{OsStr, OsString};

use clap::{Command, ValueEnum as _};
use tulk_base::error::Failure;
use tulk_client::NONE;

use crate::config::{ColorChoice, GlobalArgs};

pub fn not_utf8_failure() -> Failure {
    let args: Vec<String> = std::env::args_os()
        .filter(|arg| arg.to_str().is_none())
        .map(|arg| format!("`{}`", arg.as_encoded_bytes().escape_ascii()))
        .collect();
    Failure::usage(format!("invalid UTF-8 in an argument: {}", args.join(", ")))
        .hint("only file names may contain bytes that are not UTF-8")
}

/// Returns `Some(is_verbose)` if the arguments request only the version.
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

/// Returns the output options of a command line that cannot be parsed, so its error is printed in the requested format.
pub fn output_options(words: &[OsString]) -> GlobalArgs {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let mut words = words.iter().skip(1).map(text).take_while(|word| word != "--").peekable();
    let mut args = GlobalArgs::default();
    while let Some(word) = words.next() {
        let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        let value = value.or_else(|| words.peek().map(String::as_str)).unwrap_or_default();
        match name {
            "--json" => args.json = true,
            "--jq" => args.jq = Some(value.to_owned()),
            "--format" => args.json |= ["json", "jsonl"].contains(&value),
            "--no-color" => args.color = ColorChoice::Never,
            "--color" => args.color = ColorChoice::from_str(value, false).unwrap_or(args.color),
            _ => {}
        }
    }
    args
}

/// Joins a switch and its value: `--outline-detection false` becomes `--outline-detection=false`. Otherwise, clap would take the
/// value for a text to translate. `switches` adds the switches to a command.
pub fn join_switch_values(words: Vec<OsString>, switches: fn(Command) -> Command) -> Vec<OsString> {
    let is_value = |word: &OsStr| [OsStr::new("true"), OsStr::new("false"), OsStr::new(NONE)].contains(&word);
    if !words.iter().any(|word| is_value(word)) {
        return words;
    }
    let flags = switches(Command::new("switches"));
    let names: Vec<&str> =
        flags.get_arguments().filter(|arg| arg.is_require_equals_set()).filter_map(clap::Arg::get_long).collect();
    let is_switch = |word: &OsString| {
        word.to_str().and_then(|word| word.strip_prefix("--")).is_some_and(|word| names.contains(&word))
    };
    let mut joined: Vec<OsString> = Vec::with_capacity(words.len());
    let mut is_escaped = false;
    for word in words {
        match joined.last_mut() {
            Some(last) if !is_escaped && is_value(&word) && is_switch(last) => {
                last.push("=");
                last.push(word);
            }
            _ => {
                is_escaped |= word == "--";
                joined.push(word);
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    fn switches(command: Command) -> Command {
        command
            .arg(Arg::new("from").long("from"))
            .arg(Arg::new("outline_detection").long("outline-detection").num_args(0..=1).require_equals(true))
    }

    #[test]
    fn joins_a_switch_with_a_following_true_false_or_none() {
        for (line, expected) in [
            ("translate --outline-detection false hello", "translate --outline-detection=false hello"),
            ("translate --outline-detection none", "translate --outline-detection=none"),
            ("translate --outline-detection hello false", "translate --outline-detection hello false"),
            ("translate --outline-detection=true false", "translate --outline-detection=true false"),
            (
                "translate --from none -- --outline-detection false",
                "translate --from none -- --outline-detection false",
            ),
        ] {
            let words = line.split(' ').map(OsString::from).collect();
            assert_eq!(join_switch_values(words, switches).join(OsStr::new(" ")), expected);
        }
    }
}
