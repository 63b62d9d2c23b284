//! `tulk sync`: keeps the message catalogues of a project complete, and its subcommands.
//!
//! Input: flags and the project around the current directory. Output: a plan, a list of findings, or the result of a run. What the
//! states mean and what is written is decided in `sync`; here are flags, rows, messages and exit codes.

mod accept;
mod check;
mod init;
mod requests;
mod result;
mod rows;
mod run;
mod select;
mod status;

use clap::{Args, Subcommand};

use self::rows::{FindingRow, PlanRow, StatusRow};
pub use self::run::SyncRunArgs;
use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, FINDINGS, LISTING, Row as _};

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[
    CommandFormats::new("sync", FINDINGS),
    CommandFormats::without_result("sync init"),
    CommandFormats::new("sync status", LISTING),
    CommandFormats::new("sync accept", LISTING),
];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[
    CommandColumns::new("sync", PlanRow::COLUMNS),
    CommandColumns::new("sync --check", FindingRow::COLUMNS),
    CommandColumns::new("sync status", StatusRow::COLUMNS),
    CommandColumns::new("sync accept", PlanRow::COLUMNS),
];

/// Keep message catalogues complete
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    long_about = include_str!("help.txt"),
    after_help = "tulk sync --dry-run\ntulk sync\ntulk sync --check --format github"
)]
pub struct SyncArgs {
    /// The subcommand; without one, the project is synchronized.
    #[command(subcommand)]
    pub command: Option<SyncCommand>,
    /// The flags of a run.
    #[command(flatten)]
    pub run: SyncRunArgs,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum SyncCommand {
    /// Write tulk.toml for the catalogues of this project
    Init(init::SyncInitArgs),
    /// Show how complete each file is in each language
    Status(status::SyncStatusArgs),
    /// Record translations as they are
    Accept(accept::SyncAcceptArgs),
}

/// Runs the command.
pub async fn run(ctx: &Context, args: SyncArgs) -> Result<(), anyhow::Error> {
    match args.command {
        Some(SyncCommand::Init(args)) => init::run(ctx, &args),
        Some(SyncCommand::Status(args)) => status::run(ctx, &args),
        Some(SyncCommand::Accept(args)) => accept::run(ctx, &args),
        None if args.run.check => check::run(ctx, &args.run),
        None => run::run(ctx, args.run).await,
    }
}
