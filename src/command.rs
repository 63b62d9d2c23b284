//! The parts of a command: arguments that implement [`Run`], and a [`CommandSpec`] that declares what it prints and does.
//!
//! The arguments of a command, its [`Run`] implementation and its [`CommandSpec`] are in one file, or for `translate` in two. Several short
//! commands may share a file. The enum of a group has a line for each of its commands. Dispatch, help, manual pages, completion,
//! `tulk help formats` and the checks of `--format`, `--columns` and `--jq` read the declaration from the command tree.

use clap::Command;
use clap::builder::CommandExt;
use tulk_base::error::Failure;
use tulk_base::files::check_stdout;
use tulk_client::api::language_names::LanguageUse;

use crate::config::OutputFormat::{self, Auto, Csv, Github, Json, Jsonl, Po, Table, Text, Tsv, Xliff, Xliff2};
use crate::context::Context;
use crate::output::{Column, OutputSettings, Row};

pub const LISTING: &[OutputFormat] = &[Auto, Table, Json, Jsonl, Tsv, Text];
/// Formats of translated and improved texts.
pub const RESULTS: &[OutputFormat] = &[Auto, Table, Json, Jsonl, Tsv, Text];
pub const RESULTS_IN_FILES: &[OutputFormat] = &[Auto, Json, Jsonl, Tsv, Text];
/// Formats of findings in files: rows, or annotations in a GitHub workflow.
pub const FINDINGS: &[OutputFormat] = &[Auto, Table, Json, Jsonl, Tsv, Text, Github];
/// Formats of improved texts, or with `--check` of findings.
pub const RESULTS_OR_FINDINGS: &[OutputFormat] = &[Auto, Table, Json, Jsonl, Tsv, Text, Github];
pub const TEXT_OR_JSON: &[OutputFormat] = &[Auto, Json, Jsonl, Text];
pub const TEXT_ONLY: &[OutputFormat] = &[Auto, Text];

/// Formats of files for translators.
pub const EXCHANGE: &[OutputFormat] = &[Auto, Xliff, Xliff2, Po, Csv];

pub trait Run {
    /// Runs the command. Results go to stdout, everything else to stderr.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error>;
}

impl<T: Run> Run for Box<T> {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        (*self).run(ctx).await
    }
}

/// Declares an enum of commands, one line each, and implements [`Run`] for it.
macro_rules! commands {
    ($(#[$attribute:meta])* pub enum $name:ident {
        $($(#[cfg($condition:meta)])? $(#[command($($option:tt)*)])? $variant:ident($args:ty),)+
    }) => {
        #[derive(clap::Subcommand, Debug)]
        $(#[$attribute])*
        #[allow(missing_docs)] // the help of each command is on its arguments
        #[command(defer = true)]
        pub enum $name {
            $($(#[cfg($condition)])? $(#[command($($option)*)])? $variant($args),)+
        }

        impl $crate::command::Run for $name {
            async fn run(self, ctx: &$crate::context::Context) -> Result<(), anyhow::Error> {
                match self {
                    // Boxed: otherwise the future of every command would be as large as the largest one.
                    $($(#[cfg($condition)])? Self::$variant(args) => Box::pin($crate::command::Run::run(args, ctx)).await,)+
                }
            }
        }
    };
}
pub(crate) use commands;

/// Declares a command that only has subcommands.
macro_rules! command_group {
    ($(#[$attribute:meta])* pub struct $args:ident;
     $(#[$enum_attribute:meta])* pub enum $name:ident { $($commands:tt)+ }) => {
        #[derive(clap::Args, Debug)]
        $(#[$attribute])*
        pub struct $args {
            #[command(subcommand)]
            pub command: $name,
        }

        $crate::command::commands! { $(#[$enum_attribute])* pub enum $name { $($commands)+ } }

        impl $crate::command::Run for $args {
            async fn run(self, ctx: &$crate::context::Context) -> Result<(), anyhow::Error> {
                $crate::command::Run::run(self.command, ctx).await
            }
        }
    };
}
pub(crate) use command_group;

#[derive(Clone, Copy, Debug)]
pub struct PrintedColumns {
    /// The flags for these columns, such as `--by key`; empty for the default columns.
    pub flags: &'static str,
    pub columns: &'static [Column],
    pub note: &'static str,
}

/// Declares what a command prints and does, with `#[command(add = CommandSpec::...)]`.
#[allow(clippy::struct_excessive_bools)] // each is independent of the others
#[derive(Clone, Debug)]
pub struct CommandSpec {
    formats: &'static [OutputFormat],
    columns: Vec<PrintedColumns>,
    has_result: bool,
    /// Whether all results are rows on stdout.
    prints_rows: bool,
    changes: bool,
    asks: bool,
    checks: bool,
    is_concurrent: bool,
    is_tagged: bool,
    common: &'static [&'static str],
    languages: LanguageUse,
}

impl CommandExt for CommandSpec {}

type IsUsed = fn(&CommandSpec) -> bool;

/// Global options that affect only some commands, by their field in `GlobalArgs`. The other global options apply to every command:
/// they are about the server, the terminal and how requests are sent.
const SHARED_OPTIONS: &[(&str, IsUsed)] = {
    const JSON: IsUsed = |spec| spec.has_result && spec.formats.contains(&Json);
    const COLUMNS: IsUsed = |spec| !spec.columns.is_empty() && spec.formats.contains(&Tsv);
    &[
        ("format", |spec| spec.has_result && spec.formats.len() > 2),
        ("json", JSON),
        ("jq", JSON),
        ("header", COLUMNS),
        ("columns", COLUMNS),
        ("dry_run", |spec| spec.changes),
        ("yes", |spec| spec.asks),
        ("no_check", |spec| spec.checks),
        ("concurrency", |spec| spec.is_concurrent),
        ("reporting_tag", |spec| spec.is_tagged),
    ]
};

impl CommandSpec {
    const fn new(formats: &'static [OutputFormat], has_result: bool, changes: bool) -> Self {
        Self {
            formats,
            columns: Vec::new(),
            has_result,
            prints_rows: false,
            changes,
            asks: false,
            checks: false,
            is_concurrent: false,
            is_tagged: false,
            common: &[],
            languages: LanguageUse::Text,
        }
    }

    /// Declares a command that changes nothing and prints objects as rows.
    pub fn read<T: Row>() -> Self {
        Self::rows(false, T::COLUMNS)
    }

    /// Declares a command that changes something, unless `--dry-run` is given, and prints objects as rows.
    pub fn change<T: Row>() -> Self {
        Self::rows(true, T::COLUMNS)
    }

    /// Like [`CommandSpec::read`], but with these columns instead of the columns of a row type.
    pub fn list(columns: &'static [Column]) -> Self {
        Self::rows(false, columns)
    }

    /// Like [`CommandSpec::change`], but with these columns instead of the columns of a row type.
    pub fn change_list(columns: &'static [Column]) -> Self {
        Self::rows(true, columns)
    }

    fn rows(changes: bool, columns: &'static [Column]) -> Self {
        Self { prints_rows: true, ..Self::new(LISTING, true, changes) }.columns(columns)
    }

    /// Declares a command that changes something and prints its result in these formats.
    pub fn prints_result_in(formats: &'static [OutputFormat]) -> Self {
        Self::new(formats, true, true)
    }

    /// Declares a command that changes something and prints no result. `--format` applies to its messages.
    pub fn no_result() -> Self {
        Self::new(TEXT_OR_JSON, false, true)
    }

    /// Declares a command that prints text for people or for a shell instead of results in rows.
    pub fn prints_text() -> Self {
        Self::new(TEXT_ONLY, false, false)
    }

    #[must_use]
    pub fn formats(self, formats: &'static [OutputFormat]) -> Self {
        Self { formats, ..self }
    }

    /// Adds the default columns.
    #[must_use]
    pub fn columns(self, columns: &'static [Column]) -> Self {
        self.columns_with("", columns)
    }

    #[must_use]
    pub fn columns_with(mut self, flags: &'static str, columns: &'static [Column]) -> Self {
        self.columns.push(PrintedColumns { flags, columns, note: "" });
        self
    }

    /// Adds a note to the columns that were added last.
    #[must_use]
    pub fn note(mut self, note: &'static str) -> Self {
        self.columns.iter_mut().last().into_iter().for_each(|last| last.note = note);
        self
    }

    /// Declares that the command changes nothing, so `--dry-run` does not affect it.
    #[must_use]
    pub fn changes_nothing(self) -> Self {
        Self { changes: false, ..self }
    }

    /// Declares that the command asks before it changes something, unless `--yes` is given.
    #[must_use]
    pub fn asks_before_changes(self) -> Self {
        Self { asks: true, ..self }
    }

    /// Declares that the command checks rules and limits, unless `--no-check` is given.
    #[must_use]
    pub fn checks_before_sending(self) -> Self {
        Self { checks: true, ..self }
    }

    #[must_use]
    pub fn concurrent(self) -> Self {
        Self { is_concurrent: true, ..self }
    }

    #[must_use]
    pub fn tagged(self) -> Self {
        Self { is_tagged: true, ..self }
    }

    /// Sets which languages of the service the command supports. The default is those for text translation.
    #[must_use]
    pub fn languages(self, languages: LanguageUse) -> Self {
        Self { languages, ..self }
    }

    /// Sets the only options that `-h` lists, by their long flags. By default, `-h` lists all.
    #[must_use]
    pub fn with_common_options(self, options: &'static [&'static str]) -> Self {
        Self { common: options, ..self }
    }

    /// Returns the declaration of a command. The tree must be built.
    pub fn of(command: &Command) -> Option<&Self> {
        command.get::<Self>()
    }

    pub fn accepted_formats(&self) -> &'static [OutputFormat] {
        self.formats
    }

    pub fn supported_languages(&self) -> LanguageUse {
        self.languages
    }

    pub fn printed_columns(&self) -> &[PrintedColumns] {
        &self.columns
    }

    /// Returns the long flags of the options that `-h` lists; empty means all.
    pub fn common_options(&self) -> &'static [&'static str] {
        self.common
    }

    /// Returns whether a shared option affects the command.
    pub fn uses(&self, option: &str) -> bool {
        SHARED_OPTIONS.iter().any(|(name, is_used)| *name == option && is_used(self))
    }

    /// Checks the output before the command does anything: refuses options that it does not support, and a stdout that cannot be written.
    pub fn check(&self, settings: &OutputSettings) -> Result<(), Failure> {
        if self.prints_rows {
            check_stdout()?;
        }
        if settings.filters {
            settings.accept_filter(if self.has_result { self.formats } else { &[] })?;
        } else {
            settings.accept_formats(self.formats)?;
        }
        if self.formats.contains(&Table) { settings.check_listing() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;
    use crate::config::GlobalArgs;

    #[test]
    fn the_shared_options_exist() {
        let command = GlobalArgs::augment_args(clap::Command::new("tulk"));
        for (name, _) in SHARED_OPTIONS {
            assert!(command.get_arguments().any(|arg| arg.get_id() == name), "{name} is no global option");
        }
    }
}
