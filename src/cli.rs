//! The command tree, and the dispatch to the commands.
//!
//! Input: arguments. Output: the exit code. The work is done by `run(ctx, args)` of each command in `commands`.

mod plain_parse;
mod quick_parse;
mod raw_args;
mod stack;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::stop::Stop;

use self::plain_parse::parse_plainly;
use self::quick_parse::{from_matches, parse_quickly};
use self::raw_args::{is_json_requested, not_utf8, requested_color};
pub use self::stack::with_enough_stack;

use crate::commands;
use crate::config::{self, DefaultedFlags, GlobalArgs, PreparedArgs, env};
use crate::context::Context;
use crate::output::{self, Output};
use crate::parse_error::CommandLineError;
use crate::version;

/// The command line.
#[derive(Parser, Debug)]
#[command(
    name = "tulk",
    version,
    about = "Translate text, documents and speech from the command line",
    after_help = "tulk translate --to de \"Hello, world\"\ntulk doc translate report.docx --to de,fr\n\
                  tulk --sandbox translate --to de Hello    # no account needed",
    disable_help_subcommand = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// The global flags.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// The name of the command, such as `glossary list`, if an output format was requested.
    #[arg(skip)]
    pub formatted: Option<String>,
}

/// The commands. Each has a line here and one in the `match` of [`dispatch_other`].
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Command {
    #[command(visible_alias = "t")]
    /// Translate text, files or standard input
    Translate(Box<commands::translate::TranslateArgs>),
    /// Translate documents such as Word, PowerPoint, Excel and PDF files
    Doc(commands::doc::DocArgs),
    /// Transcribe and translate speech in real time
    Voice(commands::voice::VoiceArgs),
    #[command(visible_alias = "w")]
    /// Rephrase or correct text
    Write(Box<commands::write::WriteArgs>),
    /// Manage style rule lists
    Style(Box<commands::style::StyleArgs>),
    /// Show supported languages and features
    Langs(Box<commands::langs::LangsArgs>),
    /// Show usage and limits
    Usage(commands::usage::UsageArgs),
    /// Show translation memories
    Tm(commands::tm::TmArgs),
    /// Manage glossaries
    Glossary(commands::glossary::GlossaryArgs),
    /// Keep message catalogues complete
    Sync(Box<commands::sync::SyncArgs>),
    /// Manage developer keys and show usage reports
    Admin(commands::admin::AdminArgs),
    /// Send an authenticated request to any endpoint
    Api(Box<commands::api::ApiArgs>),
    /// Log in, log out and show keys
    Auth(commands::auth::AuthArgs),
    /// Show and change settings
    Config(commands::config::ConfigArgs),
    /// Run the sandbox, and show or reset its state
    #[cfg(feature = "sandbox")]
    Sandbox(commands::sandbox::SandboxArgs),
    /// Show or clear the local cache
    Cache(commands::cache::CacheArgs),
    /// Check settings, key, network, clock and directories
    Doctor(commands::doctor::DoctorArgs),
    /// Print a shell completion script
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual page, or write all pages to a directory
    Man(commands::man::ManArgs),
    /// Show help for a command or topic
    Help(commands::help::HelpArgs),
}

/// Runs a command.
fn dispatch(ctx: &Context, command: Command) -> Result<(), anyhow::Error> {
    match command {
        // A filter may compute for ever.
        Command::Translate(args) if ctx.args.jq.is_none() => ctx.block_on_brief(commands::translate::run(ctx, *args)),
        command => dispatch_other(ctx, command),
    }
}

/// Not a part of [`dispatch`], which would then take memory on the stack for all commands.
#[inline(never)]
fn dispatch_other(ctx: &Context, command: Command) -> Result<(), anyhow::Error> {
    match command {
        Command::Translate(args) => ctx.block_on(commands::translate::run(ctx, *args)),
        Command::Doc(args) => ctx.block_on(commands::doc::run(ctx, args)),
        Command::Voice(args) => ctx.block_on(commands::voice::run(ctx, args)),
        Command::Write(args) => ctx.block_on(commands::write::run(ctx, *args)),
        Command::Style(args) => ctx.block_on(commands::style::run(ctx, *args)),
        Command::Sync(args) => ctx.block_on(commands::sync::run(ctx, *args)),
        Command::Langs(args) => ctx.block_on(commands::langs::run(ctx, *args)),
        Command::Usage(args) => ctx.block_on(commands::usage::run(ctx, args)),
        Command::Tm(args) => ctx.block_on(commands::tm::run(ctx, args)),
        Command::Glossary(args) => ctx.block_on(commands::glossary::run(ctx, args)),
        Command::Admin(args) => ctx.block_on(commands::admin::run(ctx, args)),
        Command::Api(args) => ctx.block_on(commands::api::run(ctx, *args)),
        Command::Auth(args) => ctx.block_on(commands::auth::run(ctx, args)),
        Command::Config(args) => commands::config::run(ctx, args),
        #[cfg(feature = "sandbox")]
        Command::Sandbox(args) => ctx.block_on(commands::sandbox::run(ctx, args)),
        Command::Cache(args) => commands::cache::run(ctx, &args),
        Command::Doctor(_) => ctx.block_on(commands::doctor::run(ctx)),
        Command::Completions(args) => commands::completions::run(ctx, &args),
        Command::Man(args) => commands::man::run(ctx, &args, Cli::command()),
        Command::Help(args) => commands::help::run(ctx, &args, Cli::command()),
    }
}

/// Parses the arguments, runs the command, prints its failure, and returns the exit code.
pub fn main() -> u8 {
    output::install_panic_hook();
    let profile = commands::translate::profile_flags;
    if env::get(env::COMPLETE).is_some() && commands::completions::answer(Cli::command, profile) {
        return 0;
    }
    let flags = DefaultedFlags { profile, commands: &["translate", "doc", "voice"] };
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(is_verbose) = raw_args::asks_for_version(&words) {
        return print_version(is_verbose);
    }
    let PreparedArgs { words, dropped } = config::prepare(words, flags, Cli::command);
    let mut cli = match parse_plainly(&words).map_or_else(|| parse(&words), Ok) {
        Ok(cli) => cli,
        Err(error) => return print_parse_error(&error, &words),
    };
    cli.global.dropped = dropped;
    let ctx = Context::new(cli.global, profile);
    let result = match cli.formatted.map_or(Ok(()), |command| check_format(&ctx, &command)) {
        Ok(()) => dispatch(&ctx, cli.command),
        Err(failure) => Err(failure.into()),
    };
    let result = ctx.out.end_filter(ctx.finish(result));
    let code = result.err().map_or(0, |error| report(&ctx, &error));
    match Stop::of_process().raised() {
        // The last answer arrived after the signal, and was kept.
        Some(kind) if code != kind.code() => report(&ctx, &Stop::failure(kind, None).into()),
        _ => code,
    }
}

/// Parses the arguments. Not a part of [`main`], for the same reason as [`dispatch_other`].
#[inline(never)]
fn parse(words: &[OsString]) -> Result<Cli, clap::Error> {
    parse_quickly(words).unwrap_or_else(|| {
        let tree = commands::help::with_pages(env::without_empty(Cli::command()), words);
        let parsed = tree.try_get_matches_from(words).and_then(|matches| from_matches(&matches));
        parsed.map_err(|error| without_variables(error, words))
    })
}

/// Refuses an output format that the command does not have, and sets the filter of `--jq`.
fn check_format(ctx: &Context, command: &str) -> Result<(), Failure> {
    let Some(known) = commands::formats::of_command(command) else { return Ok(()) };
    let Some(expression) = &ctx.args.jq else { return ctx.out.settings().accept_formats(known.formats) };
    ctx.out.settings().accept_filter(&known)?;
    ctx.out.filter_results(expression)
}

/// Prints a failure, or what a check found, and returns its exit code.
fn report(ctx: &Context, error: &anyhow::Error) -> u8 {
    let report = ErrorReport::new(error);
    match report.failure.kind {
        kind if kind.is_quiet() => {}
        Kind::No => ctx.out.finding(&report),
        _ => ctx.out.error(&report),
    }
    report.code()
}

/// Returns a usage error as it is without the variables of flags: the parser shows each variable as a flag that was given.
fn without_variables(error: clap::Error, words: &[OsString]) -> clap::Error {
    use clap::error::ErrorKind;
    let is_help = ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) || error.kind() == is_help {
        return error;
    }
    match env::without_variables(Cli::command()).try_get_matches_from(words) {
        Err(plain) if plain.kind() == error.kind() => plain,
        _ => error,
    }
}

/// Prints the version as the parser does, without building the flags; with `--verbose`, how the program was built, too.
fn print_version(is_verbose: bool) -> u8 {
    let text = if is_verbose { version::details() } else { format!("tulk {}\n", version::VERSION) };
    print_help(&Output::new(&GlobalArgs::default()), &text.into())
}

fn print_help(out: &Output, text: &clap::builder::StyledStr) -> u8 {
    out.help(text).map_or_else(|failure| print_usage_error(out, &failure, None), |()| 0)
}

fn print_usage_error(out: &Output, failure: &Failure, usage: Option<&str>) -> u8 {
    out.usage_error(&ErrorReport::new(&failure.clone().into()), usage);
    failure.kind.code()
}

/// Prints help and version on stdout, and everything else as a usage error.
fn print_parse_error(error: &clap::Error, words: &[OsString]) -> u8 {
    use clap::error::ErrorKind;
    // A key may stand in the place of another argument, which the message quotes.
    env::register_keys();
    let out = Output::new(&GlobalArgs { json: is_json_requested(), color: requested_color(), ..GlobalArgs::default() });
    let (failure, usage) = match error.kind() {
        ErrorKind::DisplayVersion if out.settings().is_json() => {
            (Failure::usage("--version prints text only").hint("leave out --json, --jq and --format"), None)
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return print_help(&out, &error.render()),
        ErrorKind::InvalidUtf8 => (not_utf8(), None),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !out.settings().is_json() => {
            out.help_after_wrong_usage(&error.render());
            return Kind::Usage.code();
        }
        _ => {
            let mut tree = Cli::command();
            tree.build();
            let formats = commands::formats::of_words(&tree, words);
            let CommandLineError { failure, usage } = CommandLineError::new(error, &tree, words, formats);
            (failure, usage)
        }
    };
    print_usage_error(&out, &failure, usage.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_tree_is_valid() {
        let mut tree = Cli::command();
        tree.build();
        tree.debug_assert();
    }

    /// The doc comment of an `Args` struct is a help text, so it has to be written for users.
    #[test]
    fn every_command_and_flag_has_a_help_text() {
        fn check(command: &clap::Command, path: &str) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty() && !about.starts_with("Arguments of"), "{path}: the help text is {about:?}");
            assert!(!about.ends_with('.'), "{path}: {about:?} ends in a full stop");
            for arg in command.get_arguments().filter(|a| !a.is_hide_set()) {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty() && !help.ends_with('.'), "{path} {}: help is {help:?}", arg.get_id());
                assert!(help.chars().count() <= 72, "{path} {}: help is over 72 characters", arg.get_id());
            }
            command.get_subcommands().for_each(|c| check(c, &format!("{path} {}", c.get_name())));
        }
        let mut tree = Cli::command();
        tree.build();
        check(&tree, "tulk");
    }

    #[test]
    fn every_command_is_in_a_group_of_the_help() {
        let mut tree = Cli::command();
        tree.build();
        assert_eq!(commands::help::ungrouped(&tree), Vec::<String>::new());
    }

    /// A command that is renamed would get or lose global options in its help.
    #[test]
    fn the_help_knows_the_commands_that_use_global_options() {
        let mut tree = Cli::command();
        tree.build();
        for command in commands::help::listed_commands() {
            let found = command.split(' ').try_fold(&tree, |tree, name| tree.find_subcommand(name));
            assert!(found.is_some(), "there is no command `{command}`");
        }
    }

    /// Without a declaration, a command would accept every format.
    #[test]
    fn every_command_declares_its_output_formats() {
        fn check(command: &clap::Command, path: &str, names: &mut Vec<String>) {
            for subcommand in command.get_subcommands() {
                let name = format!("{path} {}", subcommand.get_name()).trim_start().to_owned();
                check(subcommand, &name, names);
                let is_group = subcommand.has_subcommands();
                assert!(is_group || commands::formats::of_command(&name).is_some(), "{name} declares no formats");
                names.push(name);
            }
        }
        let mut tree = Cli::command();
        tree.build();
        let mut names = Vec::new();
        check(&tree, "", &mut names);
        for declared in commands::formats::declared() {
            assert!(names.contains(&declared), "there is no command `{declared}`");
        }
    }

    #[test]
    fn every_value_has_a_completer_that_fits_its_name() {
        use commands::completions::{ValueKind as Kind, every_value};
        let mut tree = Cli::command();
        tree.build();
        assert!(every_value(&tree).len() > 200);
        for (name, value, help, kind) in every_value(&tree).into_iter().filter(|(name, ..)| name != "api path") {
            let fits = match value.as_str() {
                "DIR" => matches!(kind, Some(Kind::Directories)),
                "PAIR=FILE" => matches!(kind, Some(Kind::PairFile)),
                "LANG=FILE" => matches!(kind, Some(Kind::LanguageFile)),
                "[PAIR=]FILE" => matches!(kind, Some(Kind::OptionalPairFile)),
                "LANG" => matches!(kind, Some(Kind::Languages(..) | Kind::ProjectLanguages)),
                "PAIR" => matches!(kind, Some(Kind::Pair)),
                _ if name == "write rephrase style" => true,
                "GLOSSARY" | "STYLE" | "MEMORY" | "TERMS" => matches!(kind, Some(Kind::Names(_))),
                "RESOURCE" | "FEATURE" | "TYPE" => kind.as_ref().is_none_or(|kind| kind.is_in(&help)),
                "TEXT" | "URL" | "N" | "DURATION" => kind.is_none(),
                path if ["FILE", "PATH", "DIR", "TEMPLATE"].iter().any(|word| path.contains(word)) => {
                    matches!(kind, Some(Kind::Files))
                }
                _ => true,
            };
            assert!(fits, "{name} {value}: {kind:?}");
        }
    }

    /// The list of commands comes from [`Command`], the help of a command from its `Args` struct.
    #[test]
    fn the_list_of_commands_has_the_summaries_of_the_commands() {
        let about = |tree: &clap::Command| -> Vec<_> {
            tree.get_subcommands()
                .map(|c| format!("{}: {}", c.get_name(), c.get_about().cloned().unwrap_or_default()))
                .collect()
        };
        let mut tree = Cli::command();
        let listed = about(&tree);
        tree.build();
        assert_eq!(listed, about(&tree));
    }
}
