//! Arguments before they are parsed: `none` in place of a profile's default, switches whose value follows a space, and
//! `--no-color`.
//!
//! Here these rules need no part in the type and the parser of each flag.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

use clap::{Arg, Command};

use super::schema::{SettingFlags, SettingSchema};

/// The value of a flag that drops the profile's default.
pub const NONE: &str = "none";

/// Arguments to parse.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PreparedArgs {
    /// The words, without the flags that were dropped.
    pub words: Vec<OsString>,
    /// Fields of the profile that do not apply, by the names of [`super::Config::defaults`].
    pub dropped: Vec<String>,
}

/// Which flags have defaults in a profile.
#[derive(Clone, Copy, Debug)]
pub struct DefaultedFlags<'a> {
    /// Adds the flags of `tulk translate` that a profile has defaults for.
    pub profile: fn(Command) -> Command,
    /// The commands for which the defaults of `translate` hold.
    pub commands: &'a [&'a str],
}

/// Prepares the words of a command line; `tree` builds its commands, if they are needed.
pub fn prepare(mut words: Vec<OsString>, flags: DefaultedFlags, tree: impl FnOnce() -> Command) -> PreparedArgs {
    replace_no_color(&mut words);
    let variables = super::args::DEFAULTED_VARIABLES
        .iter()
        .filter(|(_, variable)| std::env::var_os(variable).is_some_and(|value| value == NONE));
    let mut dropped: Vec<String> = variables.map(|(field, _)| (*field).to_owned()).collect();
    if !words.iter().any(|word| is_relevant(word)) {
        return PreparedArgs { words, dropped };
    }
    let mut tree = tree();
    tree.build();
    let schema = SettingSchema::new(SettingFlags { profile: flags.profile, sandbox: None });
    let mut words: VecDeque<OsString> = words.into();
    // The first word is the name of the program.
    let mut kept: Vec<OsString> = words.pop_front().into_iter().collect();
    let mut reader = WordReader { words, command: &tree, command_name: None };
    while let Some(flag) = reader.next(&mut kept) {
        let fields = if flag.value.as_deref() == Some(OsStr::new(NONE)) {
            let all = reader.command_name.as_deref().is_some_and(|name| flags.commands.contains(&name));
            schema.defaulted_fields(flag.arg.get_long().unwrap_or_default(), all)
        } else {
            Vec::new()
        };
        if fields.is_empty() {
            kept.extend(flag.words);
        } else {
            kept.extend(flag.switches);
            dropped.extend(fields);
        }
    }
    PreparedArgs { words: kept, dropped }
}

/// Replaces `--no-color` with `--color=never`. The words after `--` are values.
fn replace_no_color(words: &mut [OsString]) {
    for word in words.iter_mut().take_while(|word| *word != "--").filter(|word| *word == "--no-color") {
        *word = OsString::from("--color=never");
    }
}

/// Returns whether a word may be, or contain, a value that is prepared.
fn is_relevant(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.ends_with(NONE) || is_bool(word))
}

fn is_bool(word: &str) -> bool {
    word == "true" || word == "false"
}

/// A flag with its value.
struct FlagWords<'a> {
    arg: &'a Arg,
    value: Option<OsString>,
    /// Its words.
    words: Vec<OsString>,
    /// What remains of them without the flag, such as `-q` of `-qf none`.
    switches: Option<OsString>,
}

/// Reads words as the parser does: it follows the subcommands and knows which flags take a value.
struct WordReader<'a> {
    words: VecDeque<OsString>,
    command: &'a Command,
    /// The command of the program, such as `translate`, under its own name.
    command_name: Option<String>,
}

impl<'a> WordReader<'a> {
    /// Returns the next flag that takes a value. All words before it go to `kept`.
    fn next(&mut self, kept: &mut Vec<OsString>) -> Option<FlagWords<'a>> {
        while let Some(word) = self.words.pop_front() {
            let Some(text) = word.to_str() else {
                kept.push(word);
                continue;
            };
            if text == "--" {
                kept.push(word);
                kept.extend(self.words.drain(..));
                return None;
            }
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
                if let Some(arg) = self.find(|arg| is_long(arg, name)) {
                    let value = value.map(OsString::from);
                    return Some(self.with_value(arg, word.clone(), value, None));
                }
            } else if let Some((arg, before, value)) = self.short_flag(text) {
                let value = (!value.is_empty()).then(|| OsString::from(value.strip_prefix('=').unwrap_or(value)));
                let switches = (!before.is_empty()).then(|| OsString::from(format!("-{before}")));
                return Some(self.with_value(arg, word.clone(), value, switches));
            } else if let Some(command) = self.command.find_subcommand(text) {
                self.command = command;
                self.command_name.get_or_insert_with(|| command.get_name().to_owned());
            }
            kept.push(word);
        }
        None
    }

    fn find(&self, is_wanted: impl Fn(&Arg) -> bool) -> Option<&'a Arg> {
        self.command.get_arguments().find(|arg| is_wanted(arg) && arg.get_action().takes_values())
    }

    /// Returns the first flag with a value in `-qfVALUE`, the switches before it, and what follows it.
    fn short_flag<'w>(&self, word: &'w str) -> Option<(&'a Arg, &'w str, &'w str)> {
        let letters = word.strip_prefix('-')?;
        letters.char_indices().find_map(|(at, letter)| {
            let arg = self.find(|arg| arg.get_short() == Some(letter))?;
            Some((arg, letters.get(..at)?, letters.get(at + letter.len_utf8()..)?))
        })
    }

    /// Adds the following word if it is the flag's value. That of a switch has to be `true` or `false`.
    fn with_value(
        &mut self,
        arg: &'a Arg,
        word: OsString,
        value: Option<OsString>,
        switches: Option<OsString>,
    ) -> FlagWords<'a> {
        let next = self.words.front().and_then(|next| next.to_str());
        let is_value =
            |next: &str| if arg.is_require_equals_set() { is_bool(next) || next == NONE } else { next != "--" };
        if value.is_some() || !next.is_some_and(is_value) {
            return FlagWords { arg, value, words: vec![word], switches };
        }
        let Some(value) = self.words.pop_front() else { return FlagWords { arg, value, words: vec![word], switches } };
        let words = if arg.is_require_equals_set() {
            let joined = [word.as_os_str(), OsStr::new("="), &value].into_iter().collect();
            vec![joined]
        } else {
            vec![word, value.clone()]
        };
        FlagWords { arg, value: Some(value), words, switches }
    }
}

fn is_long(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use clap::{ArgAction, Args as _};

    use super::*;
    use crate::config::GlobalArgs;

    fn profile(command: Command) -> Command {
        command
            .arg(Arg::new("from").short('f').long("from").alias("source-lang"))
            .arg(Arg::new("formality").long("formality"))
            .arg(Arg::new("tags").long("ignore-tags").action(ArgAction::Append))
            .arg(
                Arg::new("outline_detection").long("outline-detection").hide(true).num_args(0..=1).require_equals(true),
            )
    }

    fn prepared(line: &str) -> (String, Vec<String>) {
        let tree = || {
            let translate = profile(Command::new("translate")).visible_alias("t").arg(Arg::new("text").num_args(..));
            let write = Command::new("write").arg(Arg::new("style").long("style")).arg(Arg::new("from").long("from"));
            GlobalArgs::augment_args(Command::new("tulk")).subcommands([translate, write])
        };
        let flags = DefaultedFlags { profile, commands: &["translate"] };
        let words = std::iter::once("none").chain(line.split_whitespace()).map(OsString::from).collect();
        let PreparedArgs { words, dropped } = prepare(words, flags, tree);
        (words[1..].join(OsStr::new(" ")).into_string().unwrap(), dropped)
    }

    #[test]
    fn none_drops_a_default_wherever_the_flag_stands() {
        for (line, words, dropped) in [
            ("translate --from none x", "translate x", "source_lang"),
            ("-p w t x --source-lang=none", "-p w t x", "source_lang"),
            (
                "translate -f none -qf none -fnone -f=none",
                "translate -q",
                "source_lang source_lang source_lang source_lang",
            ),
            ("--reporting-tag none translate --ignore-tags none", "translate", "reporting_tag tags"),
            ("--timeout none write --style none --from none", "write --style none --from none", "timeout"),
            ("translate --formality more --from en none", "translate --formality more --from en none", ""),
            ("-p none translate -- --from none", "-p none translate -- --from none", ""),
            ("-p translate write --from none", "-p translate write --from none", ""),
            ("--server none translate x", "--server none translate x", ""),
        ] {
            assert_eq!(
                prepared(line),
                (words.to_owned(), dropped.split_whitespace().map(str::to_owned).collect()),
                "{line}"
            );
        }
    }

    #[test]
    fn no_color_is_another_spelling_of_color_never() {
        assert_eq!(prepared("translate --no-color x -- --no-color").0, "translate --color=never x -- --no-color");
    }

    #[test]
    fn a_switch_takes_true_or_false_after_a_space() {
        for (line, words) in [
            ("translate --outline-detection false hello", "translate --outline-detection=false hello"),
            ("translate --outline-detection hello false", "translate --outline-detection hello false"),
            ("translate --outline-detection=true false", "translate --outline-detection=true false"),
        ] {
            assert_eq!(prepared(line).0, words);
        }
        assert_eq!(
            prepared("t --outline-detection none hi"),
            ("t hi".to_owned(), vec!["outline_detection".to_owned()])
        );
    }
}
