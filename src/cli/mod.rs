//! The command tree and the dispatch to commands.
//!
//! Input: arguments. Output: the exit code. The work is done by the `run` of each command in `commands`.

mod parse;
mod parse_error;
mod raw_args;
mod stack;
mod synonyms;

use std::ffi::OsString;

use clap::{CommandFactory, Parser};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::stop::Stop;

use self::parse_error::CommandLineError;
use self::raw_args::{join_switch_values, not_utf8_failure, output_options};
use crate::command::{CommandSpec, Run as _, commands};
use crate::config::{GlobalArgs, env};
use crate::context::{Context, Invocation};
use crate::output::{self, Output};
use crate::runs::report::repeated_command;
use crate::{commands, completion, version};

pub use self::stack::with_enough_stack;

/// The command line.
#[derive(Parser, Debug)]
#[command(
    name = "tulk",
    version,
    about = "Translate text, documents and speech with the DeepL API or a compatible server",
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
}

commands! {
    pub enum Command {
        #[command(visible_alias = "t")]
        Translate(Box<commands::translate::TranslateArgs>),
        Doc(commands::doc::DocArgs),
        Voice(commands::voice::VoiceArgs),
        #[command(visible_alias = "w")]
        Write(Box<commands::write::WriteArgs>),
        Style(Box<commands::style::StyleArgs>),
        Langs(Box<commands::langs::LangsArgs>),
        Usage(commands::usage::UsageArgs),
        Tm(commands::tm::TmArgs),
        Glossary(commands::glossary::GlossaryArgs),
        Sync(Box<commands::sync::SyncArgs>),
        Admin(commands::admin::AdminArgs),
        Api(Box<commands::api::ApiArgs>),
        Auth(commands::auth::AuthArgs),
        Config(commands::config::ConfigArgs),
        #[cfg(feature = "sandbox")]
        Sandbox(commands::sandbox::SandboxArgs),
        Cache(commands::cache::CacheArgs),
        Doctor(commands::doctor::DoctorArgs),
        Completions(commands::completions::CompletionsArgs),
        Man(commands::man::ManArgs),
        Help(commands::help::HelpArgs),
    }
}

/// Parses the arguments, runs the command, prints its failure, and returns the exit code.
pub fn main() -> u8 {
    output::install_panic_hook();
    tulk_base::stop::report_file_size_limit();
    let words: Vec<OsString> = std::env::args_os().collect();
    let profile_flags = commands::translate::profile_flags;
    let invocation = Invocation { words: words.clone(), tree: Cli::command, profile_flags };
    if env::get(env::COMPLETE).is_some() && completion::answer(&invocation) {
        return 0;
    }
    if let Some(is_verbose) = raw_args::asks_for_version(&words) {
        return print_version(is_verbose);
    }
    let words = join_switch_values(words, profile_flags);
    let (cli, spec) = match parse::parse(&words) {
        Ok(parsed) => parsed,
        Err(error) => return print_parse_error(error, &words),
    };
    let ctx = Context::new(cli.global, invocation);
    let result = ctx.finish(run(&ctx, cli.command, spec));
    let result = ctx.out.end_filter(result);
    let code = result.err().map_or(0, |error| report(&ctx, &error));
    match Stop::of_process().raised() {
        // The last response arrived after the signal. Its result was kept, but the run still counts as stopped.
        Some(kind) if code != kind.code() => report(&ctx, &Stop::failure(kind, None).into()),
        _ => code,
    }
}

fn run(ctx: &Context, command: Command, spec: Option<CommandSpec>) -> Result<(), anyhow::Error> {
    if let Some(spec) = spec {
        spec.check(ctx.out.settings())?;
    }
    if let Some(expression) = &ctx.args.jq {
        ctx.out.filter_results(expression)?;
    }
    ctx.block_on(command.run(ctx))
}

/// Prints a failure or the findings of a check, and returns the exit code.
fn report(ctx: &Context, error: &anyhow::Error) -> u8 {
    let mut report = ErrorReport::new(error);
    if report.failure.kind.is_stop() && report.failure.hint.is_none() && !report.message.is_empty() {
        explain_stop(ctx, &mut report);
    }
    match report.failure.kind {
        kind if kind.is_quiet() => {}
        Kind::No => ctx.out.finding(&report),
        _ => ctx.out.error(&report),
    }
    report.code()
}

/// Adds to the error of a stopped command whether anything was changed, and how to start again. Resumable commands already have a hint.
fn explain_stop(ctx: &Context, report: &mut ErrorReport) {
    if ctx.out.may_have_changed() {
        let hint = "the service may have received the last request: check before you run it again";
        report.failure.hint = Some(hint.to_owned());
    } else {
        report.message.push_str("; nothing was changed");
        report.failure.hint = repeated_command(ctx.words()).map(|command| format!("start again with `{command}`"));
    }
}

/// Prints the version as clap does, but without building the flags. With `--verbose`, adds how the program was built.
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

/// Prints help and version on stdout, and everything else as a usage error on stderr.
fn print_parse_error(error: clap::Error, words: &[OsString]) -> u8 {
    use clap::error::ErrorKind;
    // The message quotes arguments. Register the keys first, so that a key among the arguments is redacted.
    env::register_keys();
    let out = Output::new(&output_options(words));
    let (failure, usage) = match error.kind() {
        ErrorKind::DisplayVersion if out.settings().is_json() => {
            (Failure::usage("--version prints text only").hint("leave out --json, --jq and --format"), None)
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return print_help(&out, &error.render()),
        ErrorKind::InvalidUtf8 => (not_utf8_failure(), None),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand
            if !out.settings().messages_are_json =>
        {
            out.help_after_wrong_usage(&parse::help_without_command(error).render());
            return Kind::Usage.code();
        }
        _ => {
            let mut tree = Cli::command();
            tree.build();
            let CommandLineError { mut failure, usage } = CommandLineError::new(&error, &tree, words);
            if parse::has_text_that_is_not_utf8(&error, words) {
                failure.what = format!("{}; {}", failure.what, not_utf8_failure());
            }
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

    /// The doc comment of an `Args` struct becomes a help text, so it must be written for users.
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
        assert_eq!(crate::help::ungrouped(&tree), Vec::<String>::new());
    }

    /// Without a declaration, a command would accept every format.
    #[test]
    fn every_command_declares_what_it_prints_and_does() {
        fn check(command: &clap::Command, path: &str) {
            let is_group = command.has_subcommands();
            assert!(is_group || CommandSpec::of(command).is_some(), "{path} declares nothing");
            command.get_subcommands().for_each(|c| check(c, &format!("{path} {}", c.get_name())));
        }
        let mut tree = Cli::command();
        tree.build();
        check(&tree, "tulk");
    }

    #[test]
    fn every_value_has_a_completer_that_fits_its_name() {
        use crate::completion::{ValueKind as Kind, every_value};
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
                "GLOSSARY" | "STYLE" | "MEMORY" | "PROFILE" | "TERMS" => matches!(kind, Some(Kind::Names(_))),
                "RESOURCE" | "FEATURE" | "TYPE" => kind.as_ref().is_none_or(|kind| kind.is_listed_in(&help)),
                "TEXT" | "URL" | "N" | "DURATION" => kind.is_none(),
                path if ["FILE", "PATH", "DIR", "TEMPLATE"].iter().any(|word| path.contains(word)) => {
                    matches!(kind, Some(Kind::Files))
                }
                _ => true,
            };
            assert!(fits, "{name} {value}: {kind:?}");
        }
    }
}
