//! Parses the command line, first with a small command tree that has only the command named by the arguments.
//!
//! Building one command takes a fraction of the time of building all. If the small tree refuses the line, the full tree
//! parses it again. This happens for help and for errors.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args as _, CommandFactory as _, FromArgMatches as _, Subcommand as _};
use tulk_client::{NONE, OpenSet};

use super::parse_error::{command_path, long_with_one_hyphen};
use super::{Cli, Command};
use crate::command::CommandSpec;
use crate::config::{GlobalArgs, env};
use crate::help;

pub fn parse(words: &[OsString]) -> Result<(Cli, Option<CommandSpec>), clap::Error> {
    if let Ok(parsed) = parse_with(tree_of_one_command(words), words) {
        return Ok(parsed);
    }
    parse_with(help::with_pages(Cli::command(), words), words).map_err(|error| without_variables(error, words))
}

/// Returns a tree with only the first command that `words` name.
fn tree_of_one_command(words: &[OsString]) -> clap::Command {
    let every = Command::augment_subcommands(clap::Command::new("tulk"));
    let mut names = words.iter().skip(1).filter(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let tree = GlobalArgs::augment_args(clap::Command::new("tulk")).disable_help_flag(true);
    let tree = tree.disable_help_subcommand(true).subcommand_required(true);
    match names.find_map(|name| every.find_subcommand(name).cloned()) {
        Some(command) => tree.subcommand(command),
        None => tree,
    }
}

fn parse_with(tree: clap::Command, words: &[OsString]) -> Result<(Cli, Option<CommandSpec>), clap::Error> {
    let mut tree = env::without_empty(tree);
    let matches = tree.try_get_matches_from_mut(words)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    cli.global.prefer_sandbox(&matches);
    let (mut command, mut matches) = (&tree, &matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(subcommand) = command.find_subcommand(name) else { break };
        (command, matches) = (subcommand, below);
    }
    if let Some((name, _)) = long_with_one_hyphen(command, words) {
        let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(command);
        error.insert(ContextKind::InvalidArg, ContextValue::String(format!("-{name}")));
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.clone().render_usage()));
        return Err(error);
    }
    if !cli.global.no_check {
        refuse_unknown_words(command, matches)?;
    }
    Ok((cli, CommandSpec::of(command).cloned()))
}

/// Refuses the first value that is not in its list of known values. `--no-check` skips this, because the service may know more.
fn refuse_unknown_words(command: &clap::Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    for arg in command.get_arguments() {
        let Some(set) = arg.get::<OpenSet>() else { continue };
        let known = arg.get_possible_values();
        let is_known = |word: &str| {
            (set.has_default && word == NONE) || known.iter().any(|value| value.matches(word, arg.is_ignore_case_set()))
        };
        let given = matches.get_raw(arg.get_id().as_str()).into_iter().flatten();
        let words: Vec<_> = given
            .filter_map(|values| values.to_str())
            .flat_map(|values| values.split(arg.get_value_delimiter().unwrap_or('\0')))
            .collect();
        if let Some(word) = words.into_iter().find(|word| !is_known(word)) {
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
            error.insert(ContextKind::InvalidValue, ContextValue::String(word.to_owned()));
            let valid = known.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name().to_owned());
            error.insert(ContextKind::ValidValue, ContextValue::Strings(valid.collect()));
            return Err(error);
        }
    }
    Ok(())
}

/// Returns the error for the same command line without the environment variables of flags. With these variables, clap's usage
/// line lists each of them as a given flag, and clap shows no help if the command is missing.
fn without_variables(error: clap::Error, words: &[OsString]) -> clap::Error {
    let is_help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) || error.kind() == is_help {
        return error;
    }
    match help::with_pages(env::without_variables(Cli::command()), words).try_get_matches_from(words) {
        Err(plain) if plain.kind() == error.kind() || plain.kind() == is_help => plain,
        _ => error,
    }
}

/// Returns the help of `tulk` or of a group if no command was given. clap itself shows this help only if no options were given either.
pub fn help_without_command(error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::MissingSubcommand {
        return error;
    }
    let mut tree = Cli::command();
    tree.build();
    let words: Vec<OsString> = command_path(&error, &tree).split(' ').map(OsString::from).collect();
    let tree = help::with_pages(env::without_variables(Cli::command()), &words);
    tree.try_get_matches_from(&words).err().unwrap_or(error)
}

/// If an error is about an unknown argument, returns whether it or another text argument is not UTF-8. clap reports only the first error.
pub fn has_text_that_is_not_utf8(error: &clap::Error, words: &[OsString]) -> bool {
    let unknown = match error.kind() {
        ErrorKind::UnknownArgument => error.get(ContextKind::InvalidArg),
        ErrorKind::InvalidSubcommand => error.get(ContextKind::InvalidSubcommand),
        _ => None,
    };
    let Some(ContextValue::String(unknown)) = unknown else { return false };
    if words.iter().all(|word| word.to_str().is_some()) {
        return false;
    }
    let (unknown, known): (Vec<_>, Vec<_>) =
        words.iter().partition(|word| word.to_string_lossy().starts_with(unknown.as_str()));
    if unknown.iter().any(|word| word.to_str().is_none()) {
        return true;
    }
    Cli::command().try_get_matches_from(known).is_err_and(|error| error.kind() == ErrorKind::InvalidUtf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn tree_of_one_command_parses_like_the_full_tree() {
        for line in [
            "tulk translate --to de Hello",
            "tulk t Hello --to de --server http://x.example --sandbox -qvv",
            "tulk --json -p work glossary add g en:de a b",
            "tulk translate --to de --formality more --glossary g --header --format tsv -- --not-a-flag",
            "tulk usage",
        ] {
            let whole = parse_with(Cli::command(), &words(line)).unwrap();
            let one = parse_with(tree_of_one_command(&words(line)), &words(line)).unwrap();
            assert_eq!(format!("{one:?}"), format!("{whole:?}"), "{line}");
            assert!(one.1.is_some(), "{line}");
        }
    }

    #[test]
    fn tree_of_one_command_fails_for_help_and_wrong_command_lines() {
        for line in ["tulk", "tulk --help", "tulk translate --help", "tulk t --bad", "tulk glossary", "tulk bad"] {
            assert!(parse_with(tree_of_one_command(&words(line)), &words(line)).is_err(), "{line}");
        }
    }
}
