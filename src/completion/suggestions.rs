//! The candidates for a word, and how each shell reads them.
//!
//! The first line says what follows: `values`, or `files` and `directories`, which every shell completes best itself.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::sync::Arc;

use clap::{Arg, ArgAction, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, complete};
use tulk_client::api::language_names::LanguageUse;
use unicode_width::UnicodeWidthStr as _;

use super::ValueKind;
use super::bash::BashLine;
use super::line::CommandLine;
use super::values::{self, DIRECTORIES, FILES, KnownData, LocalData};
use crate::command::CommandSpec;
use crate::help::{self, TOPICS};

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Suggestion {
    /// The whole word.
    word: String,
    help: String,
}

/// The candidates for the word to complete.
#[derive(Debug, Default)]
pub struct Suggestions {
    /// `values`, `files` or `directories`.
    kind: &'static str,
    found: Vec<Suggestion>,
    /// What the word begins with and a list need not repeat: `de,` or `--to=`.
    prefix: String,
}

impl Suggestions {
    /// Returns the answer that the shell shall complete a file.
    pub fn files() -> Self {
        Self { kind: FILES, ..Self::default() }
    }

    /// Finds the candidates. The tree must be built.
    pub fn find(tree: Command, line: CommandLine, local: LocalData) -> Option<Self> {
        let help_words = help_words(&tree, &line);
        let command = line.path.iter().try_fold(&tree, |command, name| command.find_subcommand(name))?;
        let (spec, columns) = (CommandSpec::of(command).cloned(), help::columns_of(command));
        let languages = spec.as_ref().map_or(LanguageUse::Text, CommandSpec::supported_languages);
        let known = Arc::new(KnownData { line, local, help_words, columns, spec });
        let line = &known.line;
        let mut tree = attach(tree, &line.path, &|arg| {
            let Some(kind) = ValueKind::of(&arg, languages) else { return arg };
            let known = Arc::clone(&known);
            arg.add(ArgValueCompleter::new(move |current: &OsStr| {
                current.to_str().map(|typed| values::candidates(&kind, &known, typed)).unwrap_or_default()
            }))
        });
        let words: Vec<OsString> = line.words.clone();
        let index = words.len() - 1;
        let typed = words.last()?.to_str()?.to_owned();
        let found = complete(&mut tree, words, index, None).ok()?;
        let mut found: Vec<_> = found.into_iter().filter(|found| is_offered(found, &tree, line, &typed)).collect();
        found.sort_by_key(|found| is_global(found, &tree));
        let shell_completes = |kind| found.iter().find(|one| one.get_id().is_some_and(|id| id == kind));
        for kind in [FILES, DIRECTORIES] {
            if let Some(path) = shell_completes(kind) {
                let prefix = line.prefix.clone() + path.get_value().to_str()?;
                return Some(Self { kind, found: Vec::new(), prefix });
            }
        }
        let suggestions: Vec<Suggestion> = found.iter().filter_map(|one| suggestion(one, line, &typed)).collect();
        let prefix = shared_prefix(&(line.prefix.clone() + &typed), &suggestions);
        Some(Self { kind: "values", found: suggestions, prefix })
    }

    /// Returns the lines for fish, PowerShell and Elvish: a word and its help, separated by a tab.
    pub fn to_lines(&self) -> String {
        let mut text = format!("{}\t{}\n", self.kind, if self.kind == "values" { "" } else { &self.prefix });
        for one in &self.found {
            let _ = writeln!(text, "{}\t{}", one.word, one.help);
        }
        text
    }

    /// Returns the lines for zsh: without the shared prefix, with a colon before the help, and with a tab in front if no blank
    /// shall follow the word.
    pub fn to_zsh(&self) -> String {
        let mut text = format!("{}\t{}\n", self.kind, self.prefix);
        for one in &self.found {
            let word = one.word.strip_prefix(self.prefix.as_str()).unwrap_or(&one.word);
            let word = word.replace('\\', "\\\\").replace(':', "\\:");
            let mark = if one.is_unfinished() { "\t" } else { "" };
            let _ = match one.help.as_str() {
                "" => writeln!(text, "{mark}{word}"),
                help => writeln!(text, "{mark}{word}:{}", help.replace('\\', "\\\\")),
            };
        }
        text
    }

    /// Returns the lines for bash: what replaces its part of the line. A list that is only shown has the help as well.
    pub fn to_bash(&self, line: &BashLine, is_list: bool, columns: usize) -> String {
        let is_unfinished = matches!(self.found.as_slice(), [one] if one.is_unfinished());
        let mut text = if is_unfinished { "joined" } else { self.kind }.to_owned();
        let words: Vec<_> = self.found.iter().map(|one| line.replacement(&one.word)).collect();
        let width = words.iter().map(|word| word.width()).max().unwrap_or_default();
        for (word, one) in words.iter().zip(&self.found) {
            text.push('\n');
            text.push_str(word);
            let room = columns.saturating_sub(width + 3);
            if is_list && words.len() > 1 && !one.help.is_empty() && room > 10 {
                text.extend(std::iter::repeat_n(' ', width - word.width() + 2));
                text.push_str(&shortened(&one.help, room));
            }
        }
        text
    }
}

impl Suggestion {
    /// Returns whether more has to be typed behind the word.
    fn is_unfinished(&self) -> bool {
        self.word.ends_with([':', '=', '.'])
    }
}

/// Attaches completers to the arguments of a command.
fn attach(tree: Command, path: &[String], change: &dyn Fn(Arg) -> Arg) -> Command {
    match path.split_first() {
        None => tree.mut_args(change),
        Some((first, rest)) => tree.mut_subcommand(first, |command| attach(command, rest, change)),
    }
}

/// Returns what may follow `tulk help` and the words after it.
fn help_words(tree: &Command, line: &CommandLine) -> Vec<(String, String)> {
    if line.path != ["help"] {
        return Vec::new();
    }
    let words = line.positionals.iter().filter_map(|word| word.to_str());
    let command = words.clone().try_fold(tree, |command, word| command.find_subcommand(word));
    let commands = command.into_iter().flat_map(Command::get_subcommands).filter(|command| !command.is_hide_set());
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut all: Vec<_> = commands.map(|command| (command.get_name().to_owned(), about(command))).collect();
    if words.count() == 0 {
        all.extend(TOPICS.iter().map(|topic| (topic.name.to_owned(), topic.summary.to_owned())));
    }
    all
}

/// Returns whether a candidate of the engine belongs where the word is.
fn is_offered(found: &CompletionCandidate, tree: &Command, line: &CommandLine, typed: &str) -> bool {
    let id = found.get_id().map_or("", String::as_str);
    if found.is_hide_set() {
        return false;
    }
    if id.starts_with("command::") {
        return !line.is_escaped && line.positionals.is_empty();
    }
    let Some(id) = id.strip_prefix("arg::") else { return true };
    let command = line.path.iter().try_fold(tree, |command, name| command.find_subcommand(name));
    let arg = command.and_then(|command| command.get_arguments().find(|arg| arg.get_id() == id));
    let is_repeatable = arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::Append | ArgAction::Count));
    !line.is_escaped && typed.starts_with('-') && (is_repeatable || !line.has(id))
}

/// Returns whether a candidate is an option of every command; these come last.
fn is_global(found: &CompletionCandidate, tree: &Command) -> bool {
    let id = found.get_id().and_then(|id| id.strip_prefix("arg::"));
    id.is_some_and(|id| tree.get_arguments().any(|arg| arg.get_id() == id && arg.is_global_set()))
}

fn suggestion(found: &CompletionCandidate, line: &CommandLine, typed: &str) -> Option<Suggestion> {
    // A command is offered under its name, not under an alias such as `t`.
    let name = found.get_id().and_then(|id| id.strip_prefix("command::")).filter(|name| name.starts_with(typed));
    let word = line.prefix.clone() + name.or_else(|| found.get_value().to_str())?;
    // A line of the answer is one candidate.
    if word.contains(['\n', '\r', '\t']) {
        return None;
    }
    let help = found.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.lines().next().unwrap_or_default().replace('\t', " ");
    Some(Suggestion { word, help })
}

/// Returns what the typed word and all candidates begin with, up to a separator.
fn shared_prefix(typed: &str, suggestions: &[Suggestion]) -> String {
    let end = typed.rfind([',', '=', ':']).map_or(0, |at| at + 1);
    let prefix = typed.get(..end).unwrap_or_default();
    if suggestions.iter().all(|one| one.word.starts_with(prefix)) { prefix.to_owned() } else { String::new() }
}

/// Returns a text in at most `width` columns.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + c.to_string().width() >= width {
            break;
        }
        short.push(c);
    }
    short.trim_end().to_owned() + "…"
}
