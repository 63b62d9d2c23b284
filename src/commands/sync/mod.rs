//! `tulk sync`: keeps the message catalogues of a project complete.
//!
//! Input: flags and the project around the current directory. Output: a plan, a list of findings, or the result of a
//! run. The crate `tulk-sync` defines the states and decides what to write; this module has flags, rows, messages and
//! exit codes.

mod accept;
mod check;
mod export;
mod import;
mod init;
mod requests;
mod result;
mod rows;
mod run;
mod select;
mod sent_codes;
mod status;

use clap::Args;

use self::check::FindingRow;
use self::rows::PlanRow;
pub use self::run::SyncRunArgs;
use crate::command::{CommandSpec, FINDINGS, Run, commands};
use crate::context::Context;
use crate::output::Row as _;

/// Translate the files of an app: JSON, YAML, PO, strings.xml, XLIFF
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<PlanRow>()
    .with_common_options(&["to", "file", "check"])
    .formats(FINDINGS)
    .columns_with("--check", FindingRow::COLUMNS)
    .asks_before_changes()
    .checks_before_sending())]
#[command(
    args_conflicts_with_subcommands = true,
    long_about = include_str!("help.txt"),
    after_help = "tulk sync --dry-run\ntulk sync\ntulk sync --check --format github"
)]
pub struct SyncArgs {
    /// Without a subcommand, the project is synchronized.
    #[command(subcommand)]
    pub command: Option<SyncCommand>,
    #[command(flatten)]
    pub run: SyncRunArgs,
}

commands! {
    pub enum SyncCommand {
        Init(init::SyncInitArgs),
        Status(status::SyncStatusArgs),
        Accept(accept::SyncAcceptArgs),
        Export(export::SyncExportArgs),
        Import(import::SyncImportArgs),
    }
}

impl Run for SyncArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        match self.command {
            Some(command) => command.run(ctx).await,
            None if self.run.check => check::run(ctx, &self.run),
            None => run::run(ctx, self.run).await,
        }
    }
}
