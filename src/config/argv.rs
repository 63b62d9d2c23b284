//! Arguments before they are parsed: switches whose value follows a space.

use std::ffi::{OsStr, OsString};

use clap::Command;
use tulk_client::NONE;

/// Joins a switch and its value: `--outline-detection false` becomes `--outline-detection=false`. The parser would take the value for
/// a text. `switches` adds the flags to a command.
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
    use clap::Arg;

    use super::*;

    fn switches(command: Command) -> Command {
        command
            .arg(Arg::new("from").long("from"))
            .arg(Arg::new("outline_detection").long("outline-detection").num_args(0..=1).require_equals(true))
    }

    #[test]
    fn a_switch_takes_true_false_or_none_after_a_space() {
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
