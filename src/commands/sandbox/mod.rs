//! `tulk sandbox`: serve the sandbox, show its state, reset it.
//!
//! `serve` prints an address and answers requests until it is stopped, `status` prints counts, `reset` removes the
//! state. The service itself is in `tulk_sandbox`; `--sandbox` runs it inside other commands, in `context`.

mod reset;
mod serve;
mod status;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING};

/// Run the sandbox, and show or reset its state
#[derive(Args, Debug)]
#[command(after_help = "tulk --sandbox translate --to de Hello\n\
                        tulk sandbox serve")]
pub struct SandboxArgs {
    /// What to do
    #[command(subcommand)]
    pub command: SandboxCommand,
}

/// The commands of `tulk sandbox`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum SandboxCommand {
    /// Serve the sandbox and print its address
    Serve(Box<serve::SandboxServeArgs>),
    /// Show the number of stored objects and counted characters
    #[command(after_help = "tulk sandbox status")]
    Status,
    /// Delete the state of the sandbox
    #[command(after_help = "tulk sandbox reset --yes")]
    Reset,
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] =
    &[CommandFormats::new("sandbox status", LISTING), CommandFormats::without_result("sandbox serve, reset")];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("sandbox status", status::COLUMNS)];

/// Runs the command.
pub async fn run(ctx: &Context, args: SandboxArgs) -> Result<(), anyhow::Error> {
    match args.command {
        SandboxCommand::Serve(args) => serve::run(ctx, *args).await,
        SandboxCommand::Status => status::run(ctx),
        SandboxCommand::Reset => reset::run(ctx),
    }
}
