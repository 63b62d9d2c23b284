//! Parses a command line with only the flags that it can use, which takes a fraction of the time of the whole tree.

use std::ffi::OsString;

use clap::{Args, FromArgMatches, Subcommand as _};

use super::{Cli, Command};
use crate::commands::translate::TranslateArgs;
use crate::config::{GlobalArgs, OutputFormat, env};

/// Parses with only the command that the arguments seem to name, which saves building the others.
///
/// Returns `None` unless this gives a command or the version. The whole tree is then used, also for help and errors.
pub fn parse_quickly(words: &[OsString]) -> Option<Result<Cli, clap::Error>> {
    if let Some(cli) = parse_translation(words) {
        return Some(Ok(cli));
    }
    let mut tree = GlobalArgs::augment_args(clap::Command::new("tulk")).version(env!("CARGO_PKG_VERSION"));
    let mut names = words.iter().skip(1).filter(|word| !word.as_encoded_bytes().starts_with(b"-")).peekable();
    if names.peek().is_some() {
        let every = Command::augment_subcommands(clap::Command::new("tulk"));
        if let Some(one) = names.find_map(|name| every.find_subcommand(name).cloned()) {
            tree = tree.subcommand(one).subcommand_required(true);
        }
    }
    let tree = tree.disable_help_flag(true).disable_help_subcommand(true);
    match env::without_empty(tree).try_get_matches_from(words) {
        Ok(matches) => from_matches(&matches).ok().map(Ok),
        Err(error) => (error.kind() == clap::error::ErrorKind::DisplayVersion).then_some(Err(error)),
    }
}

/// Parses `tulk translate ...` as one command that has the flags of both: the parser copies global flags and their values
/// for each level, which takes as long as the rest of its work.
fn parse_translation(words: &[OsString]) -> Option<Cli> {
    let (program, words) = words.split_first()?;
    let (name, words) = words.split_first()?;
    if name != "translate" && name != "t" {
        return None;
    }
    let tree = TranslateArgs::augment_args(GlobalArgs::augment_args(clap::Command::new("tulk")));
    let mut tree = tree.mut_args(|arg| env::arg_without_empty(arg.global(false))).disable_help_flag(true);
    let mut matches = tree.try_get_matches_from_mut(std::iter::once(program).chain(words)).ok()?;
    let is_variable = is_server_from_variable(&matches);
    let global = without_server(GlobalArgs::from_arg_matches_mut(&mut matches).ok()?, is_variable);
    let formatted = (global.format() != OutputFormat::Auto).then(|| "translate".to_owned());
    let args = TranslateArgs::from_arg_matches_mut(&mut matches).ok()?;
    // Freeing the thousand small blocks of a tree takes longer than all the rest after parsing; the process ends soon.
    std::mem::forget((tree, matches));
    Some(Cli { global, command: Command::Translate(Box::new(args)), formatted })
}

/// Returns the parsed command line. `TULK_SERVER` gives way to the sandbox; `--server` does not.
pub fn from_matches(matches: &clap::ArgMatches) -> Result<Cli, clap::Error> {
    let mut cli = Cli::from_arg_matches(matches)?;
    cli.global = without_server(cli.global, is_server_from_variable(matches));
    if cli.global.format() != OutputFormat::Auto {
        cli.formatted = Some(command_name(matches));
    }
    Ok(cli)
}

fn is_server_from_variable(matches: &clap::ArgMatches) -> bool {
    matches.value_source("server") == Some(clap::parser::ValueSource::EnvVariable)
}

/// Removes a server that the sandbox takes the place of.
pub fn without_server(mut global: GlobalArgs, is_variable: bool) -> GlobalArgs {
    if is_variable && global.is_sandbox() {
        global.server = None;
    }
    global
}

/// Returns the name of the command, such as `glossary list`.
fn command_name(matches: &clap::ArgMatches) -> String {
    let subcommands = std::iter::successors(matches.subcommand(), |(_, matches)| matches.subcommand());
    subcommands.map(|(name, _)| name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn a_translation_is_parsed_as_by_the_whole_tree() {
        for line in [
            "tulk translate --to de Hello",
            "tulk t Hello --to de --server http://x.example --sandbox -qvv",
            "tulk translate --to de,fr --json --lines -i a.txt -o {lang}.txt --timeout 5s",
            "tulk translate --to de --formality more --glossary g --header --format tsv -- --not-a-flag",
        ] {
            let whole = from_matches(&Cli::command().try_get_matches_from(words(line)).unwrap()).unwrap();
            let quick = parse_translation(&words(line)).unwrap();
            assert_eq!(format!("{quick:?}"), format!("{whole:?}"), "{line}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_tree() {
        for line in ["tulk", "tulk usage", "tulk --json translate --to de x", "tulk translate --help", "tulk t --bad"] {
            assert!(parse_translation(&words(line)).is_none(), "{line}");
        }
    }
}
