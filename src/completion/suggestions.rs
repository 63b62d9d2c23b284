//! Finds the candidates for a word, and formats them for each shell.
//!
//! The first line of the output starts with `values`, `files` or `directories`; after a tab, it may have a prefix. For paths, the shell
//! then finds the candidates itself.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::sync::Arc;

use clap::{Arg, Command, FromArgMatches as _};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, complete};
use tulk_client::api::language_names::LanguageUse;

use super::ValueKind;
use super::values::{self, DIRECTORIES, FILES, KnownData};
use crate::command::CommandSpec;
use crate::config::{GlobalArgs, env};
use crate::context::{Context, Invocation};
use crate::help::{self, TOPICS};

#[derive(Debug)]
pub struct Suggestions {
    /// `values`, `files` or `directories`.
    kind: &'static str,
    /// The candidates as whole words, each with its help.
    found: Vec<(String, String)>,
    /// Start of the word that all candidates share, such as `de,` or `--to=`. The shell may omit it when it lists the candidates.
    prefix: String,
}

impl Suggestions {
    pub fn find(mut words: Vec<OsString>, invocation: &Invocation) -> Option<Self> {
        let index = words.len().checked_sub(1)?;
        // After `-`, offer the long flags.
        words.iter_mut().last().filter(|word| *word == "-").into_iter().for_each(|word| word.push("-"));
        let typed = words.last()?.to_str()?.to_owned();
        let mut tree = (invocation.tree)();
        tree.build();
        let mut tree = with_completers(tree, words.get_mut(..index)?, &typed, invocation)?;
        let mut found = complete(&mut tree, words, index, None).ok()?;
        let is_flag = |one: &CompletionCandidate| one.get_id().is_some_and(|id| id.starts_with("arg::"));
        found.retain(|one| typed.starts_with('-') || !is_flag(one));
        found.sort_by_key(|one| is_global(one, &tree));
        for kind in [FILES, DIRECTORIES] {
            if let Some(path) = found.iter().find(|one| one.get_id().is_some_and(|id| id == kind)) {
                return Some(Self { kind, found: Vec::new(), prefix: path.get_value().to_str()?.to_owned() });
            }
        }
        let found: Vec<_> = found.iter().filter_map(|one| suggestion(one, &typed)).collect();
        let end = typed.rfind([',', '=', ':']).map_or(0, |at| at + 1);
        let shared = typed.get(..end).filter(|prefix| found.iter().all(|(word, _)| word.starts_with(prefix)));
        Some(Self { kind: "values", prefix: shared.unwrap_or_default().to_owned(), found })
    }

    /// Returns one line per candidate: the word without `kept`, a tab and its help. `kept` is the prefix that the shell keeps.
    pub fn to_lines(&self, kept: &str) -> String {
        let prefix = if self.kind == "values" { "" } else { &self.prefix };
        let mut text = format!("{}\t{prefix}\n", self.kind);
        for (word, help) in &self.found {
            let _ = writeln!(text, "{}\t{help}", word.strip_prefix(kept).unwrap_or(word));
        }
        text
    }

    /// Returns the lines for zsh: without the shared prefix, and with a colon before the help. A leading tab means that no space
    /// follows the word.
    pub fn to_zsh(&self) -> String {
        let mut text = format!("{}\t{}\n", self.kind, self.prefix);
        for (word, help) in &self.found {
            let no_space = if word.ends_with([':', '=', '.']) { "\t" } else { "" };
            let word =
                word.strip_prefix(self.prefix.as_str()).unwrap_or(word).replace('\\', "\\\\").replace(':', "\\:");
            let colon = if help.is_empty() { "" } else { ":" };
            let _ = writeln!(text, "{no_space}{word}{colon}{}", help.replace('\\', "\\\\"));
        }
        text
    }
}

/// Attaches completers to the arguments, with data for the command that `earlier` selects. Also replaces hidden aliases of options in
/// `earlier`, because the completion engine does not support them.
fn with_completers(tree: Command, earlier: &mut [OsString], typed: &str, invocation: &Invocation) -> Option<Command> {
    let parser = env::without_empty((invocation.tree)().ignore_errors(true));
    let matches = parser.try_get_matches_from(&*earlier).ok()?;
    // The last option may have no value yet.
    let mut args = GlobalArgs::from_arg_matches(&matches).unwrap_or_default();
    args.prefer_sandbox(&matches);
    let (mut command, mut below) = (&tree, &matches);
    while let Some((name, next)) = below.subcommand() {
        (command, below) = (command.find_subcommand(name)?, next);
    }
    for word in earlier {
        let is_alias = |arg: &&Arg| {
            let name = word.to_str().and_then(|word| word.strip_prefix("--"));
            name.is_some_and(|name| arg.get_aliases().is_some_and(|aliases| aliases.contains(&name)))
        };
        if let Some(long) = command.get_arguments().find(is_alias).and_then(Arg::get_long) {
            *word = format!("--{long}").into();
        }
    }
    let help_words = below.try_get_many::<String>("words").ok().flatten();
    let spec = CommandSpec::of(command).cloned();
    let languages = spec.as_ref().map_or(LanguageUse::Text, CommandSpec::supported_languages);
    let known = Arc::new(KnownData {
        typed: typed.to_owned(),
        ctx: Context::new(args, invocation.clone()),
        help_words: words_for_help(&tree, &help_words.into_iter().flatten().collect::<Vec<_>>()),
        columns: help::columns_of(command),
        spec,
    });
    Some(map_all_args(tree, &|arg| {
        let Some(kind) = ValueKind::of(&arg, languages) else { return arg };
        let known = Arc::clone(&known);
        arg.add(ArgValueCompleter::new(move |current: &OsStr| {
            current.to_str().map(|typed| values::candidates(&kind, &known, typed)).unwrap_or_default()
        }))
    }))
}

fn map_all_args(command: Command, change: &dyn Fn(Arg) -> Arg) -> Command {
    command.mut_args(change).mut_subcommands(|subcommand| map_all_args(subcommand, change))
}

/// Global options are listed last.
fn is_global(found: &CompletionCandidate, tree: &Command) -> bool {
    let id = found.get_id().and_then(|id| id.strip_prefix("arg::"));
    id.is_some_and(|id| tree.get_arguments().any(|arg| arg.get_id() == id && arg.is_global_set()))
}

/// Returns the words that may follow `tulk help` and `words`.
fn words_for_help(tree: &Command, words: &[&String]) -> Vec<(String, String)> {
    let command = words.iter().try_fold(tree, |command, word| command.find_subcommand(word));
    let commands = command.into_iter().flat_map(Command::get_subcommands).filter(|command| !command.is_hide_set());
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut all: Vec<_> = commands.map(|command| (command.get_name().to_owned(), about(command))).collect();
    if words.is_empty() {
        all.extend(TOPICS.iter().map(|topic| (topic.name.to_owned(), topic.summary.to_owned())));
    }
    all
}

/// Returns the word of a candidate and the first line of its help. A command is offered by its name, not by an alias such as `t`.
fn suggestion(found: &CompletionCandidate, typed: &str) -> Option<(String, String)> {
    let name = found.get_id().and_then(|id| id.strip_prefix("command::")).filter(|name| name.starts_with(typed));
    let word = name.or_else(|| found.get_value().to_str())?;
    let help = found.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.lines().next().unwrap_or_default().replace('\t', " ");
    (!word.contains(['\n', '\r', '\t'])).then(|| (word.to_owned(), help))
}
