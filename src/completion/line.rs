//! Reads an unfinished command line with the command tree: which command, which options, which word is completed.
//!
//! The completion engine does not know hidden aliases, and takes the value of a global option for a command of that name.
//! So options are rewritten here: one word per option with its value, under its visible name.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};

use clap::{Arg, ArgAction, Command};

/// An unfinished command line.
#[derive(Debug, Default)]
pub struct CommandLine {
    /// The words for the engine. The last one is the word to complete.
    pub words: Vec<OsString>,
    /// What the typed word has before the part that the engine completes: `--to=`.
    pub prefix: String,
    /// The names of the command: `glossary`, `create`.
    pub path: Vec<String>,
    /// Identifiers and values of the options before the word to complete. Switches have no value.
    pub options: Vec<(String, Option<OsString>)>,
    /// The positional arguments before it.
    pub positionals: Vec<OsString>,
    /// Whether `--` stands before it.
    pub is_escaped: bool,
}

impl CommandLine {
    /// Reads the words from the name of the program to the word to complete. The tree must be built.
    pub fn read(tree: &Command, words: Vec<OsString>) -> Self {
        let mut words: VecDeque<OsString> = words.into();
        let current = words.pop_back().unwrap_or_default();
        let program = words.pop_front().unwrap_or_default();
        let line = Self { words: vec![program], ..Self::default() };
        let mut reader = OptionReader { command: tree, words, line };
        while let Some(word) = reader.words.pop_front() {
            reader.read(word);
        }
        reader.read_current(current);
        reader.line
    }

    /// Returns the last value of an option.
    pub fn option(&self, id: &str) -> Option<&OsStr> {
        self.options.iter().rev().find(|(option, _)| option == id)?.1.as_deref()
    }

    /// Returns whether an option or a switch was given.
    pub fn has(&self, id: &str) -> bool {
        self.options.iter().any(|(option, _)| option == id)
    }
}

struct OptionReader<'a> {
    command: &'a Command,
    /// The words that are not read yet.
    words: VecDeque<OsString>,
    line: CommandLine,
}

impl<'a> OptionReader<'a> {
    fn read(&mut self, word: OsString) {
        let text = word.to_str().unwrap_or_default().to_owned();
        if self.line.is_escaped || text == "-" || !text.starts_with('-') {
            self.read_plain(word);
        } else if text == "--" {
            self.line.is_escaped = true;
            self.line.words.push(word);
        } else if let Some(long) = text.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            match self.find(|arg| is_long(arg, name)) {
                Some(arg) => self.read_option(arg, value.map(OsString::from)),
                None => self.line.words.push(word),
            }
        } else {
            self.read_short(&text);
        }
    }

    fn read_plain(&mut self, word: OsString) {
        let subcommand = match word.to_str() {
            Some(text) if !self.line.is_escaped && self.line.positionals.is_empty() => {
                self.command.find_subcommand(text)
            }
            _ => None,
        };
        match subcommand {
            Some(subcommand) => {
                self.command = subcommand;
                self.line.path.push(subcommand.get_name().to_owned());
            }
            None => self.line.positionals.push(word.clone()),
        }
        self.line.words.push(word);
    }

    /// Reads switches and at most one option with a value: `-qfde`.
    fn read_short(&mut self, text: &str) {
        let letters = text.trim_start_matches('-');
        for (at, letter) in letters.char_indices() {
            let Some(arg) = self.find(|arg| arg.get_short() == Some(letter)) else { continue };
            if !takes_value(arg) {
                self.read_option(arg, None);
                continue;
            }
            let value = letters.get(at + letter.len_utf8()..).filter(|value| !value.is_empty());
            let value = value.map(|value| OsString::from(value.strip_prefix('=').unwrap_or(value)));
            self.read_option(arg, value);
            return;
        }
    }

    /// Adds an option; its value is the next word unless it is known.
    fn read_option(&mut self, arg: &Arg, value: Option<OsString>) {
        let value = match value {
            None if takes_value(arg) && !arg.is_require_equals_set() => self.words.pop_front(),
            value => value,
        };
        let mut word = OsString::from(visible_name(arg));
        if let Some(value) = &value {
            if arg.get_long().is_some() {
                word.push("=");
            }
            word.push(value);
        }
        self.line.words.push(word);
        self.line.options.push((arg.get_id().to_string(), value));
    }

    /// Adds the word to complete. The value of `--to=VALUE` and `-tVALUE` is completed as if it stood alone.
    fn read_current(&mut self, word: OsString) {
        let text = word.to_str().unwrap_or_default().to_owned();
        let found = if self.line.is_escaped || !text.starts_with('-') { None } else { self.option_with_value(&text) };
        if let Some((arg, value)) = found {
            text.strip_suffix(value).unwrap_or_default().clone_into(&mut self.line.prefix);
            self.line.words.extend([OsString::from(visible_name(arg)), OsString::from(value)]);
        } else {
            // After `-` the long flags are offered.
            self.line.words.push(if text == "-" { "--".into() } else { word });
        }
    }

    fn option_with_value<'t>(&self, text: &'t str) -> Option<(&'a Arg, &'t str)> {
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = long.split_once('=')?;
            return Some((self.find(|arg| is_long(arg, name) && takes_value(arg))?, value));
        }
        let letters = text.strip_prefix('-')?;
        let (at, letter, arg) = letters.char_indices().find_map(|(at, letter)| {
            Some((at, letter, self.find(|arg| arg.get_short() == Some(letter) && takes_value(arg))?))
        })?;
        let value = letters.get(at + letter.len_utf8()..).filter(|value| !value.is_empty())?;
        Some((arg, value.strip_prefix('=').unwrap_or(value)))
    }

    fn find(&self, is_wanted: impl Fn(&Arg) -> bool) -> Option<&'a Arg> {
        self.command.get_arguments().find(|arg| is_wanted(arg))
    }
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

fn is_long(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
}

/// Returns the name of an option that the engine knows.
fn visible_name(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> CommandLine {
        let lang = || Arg::new("to").short('t').long("to").alias("target-lang").action(ArgAction::Append);
        let translate = Command::new("translate").visible_alias("t").arg(lang()).arg(Arg::new("text").num_args(1..));
        let glossary = Command::new("glossary").subcommand(Command::new("list"));
        let mut tree = Command::new("tulk")
            .arg(Arg::new("profile").short('p').long("profile").global(true))
            .arg(Arg::new("quiet").short('q').long("quiet").global(true).action(ArgAction::SetTrue))
            .arg(Arg::new("header").short('H').global(true))
            .subcommands([translate, glossary]);
        tree.build();
        CommandLine::read(&tree, line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn options_are_written_in_one_way() {
        for (line, words, prefix) in [
            ("tulk -p glossary tr", "tulk --profile=glossary tr", ""),
            ("tulk -pglossary tr", "tulk --profile=glossary tr", ""),
            ("tulk -qp=work t -", "tulk --quiet --profile=work t --", ""),
            ("tulk translate --target-lang d", "tulk translate --to d", ""),
            ("tulk translate --target-lang=d", "tulk translate --to d", "--target-lang="),
            ("tulk translate -qtde,f", "tulk translate --to de,f", "-qt"),
            ("tulk translate -t=d", "tulk translate --to d", "-t="),
            ("tulk -Ha:b ", "tulk -Ha:b ", ""),
            ("tulk translate -- --to=d", "tulk translate -- --to=d", ""),
            ("tulk translate --unknown --q", "tulk translate --unknown --q", ""),
        ] {
            let read = read(line);
            let written: Vec<_> = read.words.iter().map(|word| word.to_str().unwrap()).collect();
            assert_eq!((written.join(" ").as_str(), read.prefix.as_str()), (words, prefix), "{line}");
        }
    }

    #[test]
    fn commands_options_and_positionals_are_known() {
        let line = read("tulk -p work glossary list x -q y");
        assert_eq!(line.path, ["glossary", "list"]);
        assert_eq!(line.option("profile"), Some(OsStr::new("work")));
        assert!(line.has("quiet") && !line.has("to"));
        assert_eq!(line.positionals, ["x"]);
        assert!(read("tulk t -- x").is_escaped);
        assert_eq!(read("tulk t hello glossary x").path, ["translate"]);
    }
}
