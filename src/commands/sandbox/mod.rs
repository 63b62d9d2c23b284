//! `tulk sandbox`: run the embedded service, look at its state, forget it.

mod reset;
mod serve;
mod status;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::context::Context;
use crate::error::Failure;
use crate::files;
use crate::output::CommandColumns;

/// Run the embedded service, look at its state
#[derive(Args, Debug)]
pub struct SandboxArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with the sandbox.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Serve it on loopback until stopped; prints its address
    Serve(Box<serve::ServeArgs>),
    /// Show what it remembers
    Status,
    /// Forget everything it remembers
    Reset,
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("sandbox status", status::COLUMNS)];

/// Runs the verb.
pub async fn run(ctx: &Context, args: SandboxArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::Serve(args) => serve::run(ctx, *args).await,
        Verb::Status => status::run(ctx),
        Verb::Reset => reset::run(ctx),
    }
}

/// Where the sandbox keeps its state.
pub fn state_dir() -> Result<PathBuf, Failure> {
    Ok(files::state_dir()?.join("sandbox"))
}
