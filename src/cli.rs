//! The whole command tree on one screen, and the dispatch.
//!
//! Nothing here does work: a command is `run(ctx, args)` in `commands`.

use clap::{Args as _, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands;
use crate::config::{GlobalArgs, env};
use crate::context::Context;
use crate::error::{ErrorReport, Failure, Kind};
use crate::output::{self, Output};

/// Translate text from the command line: arguments, files or a pipe go in, the translation comes out.
#[derive(Parser, Debug)]
#[command(
    name = "tulk",
    version,
    about = "Command line for a language service",
    after_help = "Try it without an account: tulk --sandbox translate --to de \"Hello, world\"\n\
                  More help: tulk help TOPIC (formats, exit-codes, environment, files, sandbox)",
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Cli {
    /// Flags of every command.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// Every command. One line here, one in the `match` of [`dispatch`].
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Command {
    #[command(visible_alias = "t")]
    /// Translate text: arguments, files or stdin
    Translate(Box<commands::translate::TranslateArgs>),
    /// Translate documents: docx, pptx, xlsx, pdf, html, txt, srt, images
    Doc(commands::doc::DocArgs),
    /// Transcribe and translate speech as it is spoken
    Voice(commands::voice::VoiceArgs),
    /// Improve texts: rephrase or correct them
    Write(Box<commands::write::WriteArgs>),
    /// Manage style rule lists
    Style(Box<commands::style::StyleArgs>),
    /// See which languages and features the service has
    Langs(Box<commands::langs::LangsArgs>),
    /// See what was used and what may be used
    Usage(commands::usage::UsageArgs),
    /// See translation memories
    Tm(commands::tm::TmArgs),
    /// Make, edit, check and compare glossaries
    Glossary(commands::glossary::GlossaryArgs),
    /// Manage developer keys, report what was used
    Admin(commands::admin::AdminArgs),
    /// Send any request, authenticated: what has no command yet
    Api(Box<commands::api::ApiArgs>),
    /// Log in and out, see which key is used
    Auth(commands::auth::AuthArgs),
    /// Show and change settings
    Config(commands::config::ConfigArgs),
    /// Run the embedded service, look at its state
    #[cfg(feature = "sandbox")]
    Sandbox(commands::sandbox::SandboxArgs),
    /// See and clear what is kept on disk
    Cache(commands::cache::CacheArgs),
    /// Print the completion script of a shell
    Completions(commands::completions::CompletionsArgs),
    /// Print the manual, or write its pages to a directory
    Man(commands::man::ManArgs),
    /// Help on a topic or a command
    Help(commands::help::HelpArgs),
}

/// Runs one command.
fn dispatch(ctx: &Context, command: Command) -> Result<(), anyhow::Error> {
    match command {
        Command::Translate(args) => ctx.block_on(commands::translate::run(ctx, *args)),
        Command::Doc(args) => ctx.block_on(commands::doc::run(ctx, args)),
        Command::Voice(args) => ctx.block_on(commands::voice::run(ctx, args)),
        Command::Write(args) => ctx.block_on(commands::write::run(ctx, *args)),
        Command::Style(args) => ctx.block_on(commands::style::run(ctx, *args)),
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
        Command::Completions(args) => commands::completions::run(ctx, &args, Cli::command()),
        Command::Man(args) => commands::man::run(ctx, &args, Cli::command()),
        Command::Help(args) => commands::help::run(ctx, &args, Cli::command()),
    }
}

/// Parses the arguments, runs the command, reports its failure, and gives the exit code.
pub fn main() -> u8 {
    output::install_panic_hook();
    if std::env::var_os("COMPLETE").is_some() {
        clap_complete::CompleteEnv::with_factory(Cli::command).complete();
    }
    let parsed = quick().unwrap_or_else(|| {
        env::without_empty(Cli::command()).try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches))
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let ctx = Context::new(cli.global, commands::translate::profile_flags);
    let result = dispatch(&ctx, cli.command);
    let result = ctx.finish(result);
    match result {
        Ok(()) => 0,
        Err(error) => {
            let report = ErrorReport::of(&error);
            if !report.failure.kind.is_quiet() {
                ctx.out.error(&report);
            }
            report.code()
        }
    }
}

/// Parses with the one command that the arguments seem to name, or none, which spares building all the others.
///
/// `None` whenever that gives neither a command nor the version: the whole tree then has the word, in its help and its
/// errors too.
fn quick() -> Option<Result<Cli, clap::Error>> {
    let mut tree = GlobalArgs::augment_args(clap::Command::new("tulk")).version(env!("CARGO_PKG_VERSION"));
    let every = Command::augment_subcommands(clap::Command::new("tulk"));
    if let Some(one) = std::env::args_os().skip(1).find_map(|arg| every.find_subcommand(&arg).cloned()) {
        tree = tree.subcommand(one).subcommand_required(true);
    }
    let tree = tree.disable_help_flag(true).disable_help_subcommand(true);
    match env::without_empty(tree).try_get_matches() {
        Ok(matches) => Cli::from_arg_matches(&matches).ok().map(Ok),
        Err(error) => (error.kind() == clap::error::ErrorKind::DisplayVersion).then_some(Err(error)),
    }
}

/// Shows what clap has to say: help and version on stdout, everything else as a usage error.
fn usage(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind;
    let wants_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if wants_help || !json_asked_for() {
        return match error.print() {
            Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Kind::Internal.code(),
            _ if wants_help => 0,
            _ => Kind::Usage.code(),
        };
    }
    let text = error.render().to_string();
    let what = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let args = GlobalArgs { json: true, ..GlobalArgs::default() };
    Output::new(&args).error(&ErrorReport::of(&Failure::usage(what).into()));
    Kind::Usage.code()
}

/// Whether the unparsed arguments ask for JSON, so that even a usage error is an object.
fn json_asked_for() -> bool {
    let mut args = std::env::args().skip(1).take_while(|a| a != "--").peekable();
    while let Some(arg) = args.next() {
        let value = match arg.as_str() {
            "--json" => return true,
            "--format" => args.peek().cloned().unwrap_or_default(),
            other => other.strip_prefix("--format=").unwrap_or_default().to_owned(),
        };
        if value == "json" || value == "jsonl" {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_sound() {
        let mut tree = Cli::command();
        tree.build();
        tree.debug_assert();
    }

    /// An `Args` struct's doc comment is what users read, so it must be written for them.
    #[test]
    fn everything_is_explained_to_users() {
        fn look(command: &clap::Command, path: &str) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty() && !about.starts_with("Arguments of"), "{path}: about is {about:?}");
            assert!(!about.ends_with('.'), "{path}: {about:?} ends in a full stop");
            for arg in command.get_arguments().filter(|a| !a.is_hide_set()) {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty() && !help.ends_with('.'), "{path} {}: help is {help:?}", arg.get_id());
                assert!(help.chars().count() <= 72, "{path} {}: help is over 72 characters", arg.get_id());
            }
            command.get_subcommands().for_each(|c| look(c, &format!("{path} {}", c.get_name())));
        }
        let mut tree = Cli::command();
        tree.build();
        look(&tree, "tulk");
    }
}
