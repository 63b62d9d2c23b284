//! `tulk admin keys`: lists and changes developer keys.
//!
//! Input: labels, IDs and limits. Output: one row per key.

mod create;
mod deactivate;
mod limit;
mod list;
mod lookup;
mod rename;

use clap::{Args, Subcommand};
use tulk_base::error::Failure;
use tulk_client::api::admin::DeveloperKey;

use crate::commands::list_limit::ListLimitArgs;
use crate::context::Context;
use crate::output::{Cell, Column, Row};

/// List, create, rename, limit and deactivate developer keys
#[derive(Args, Debug)]
#[command(after_help = "tulk admin keys create nightly\n\
                        tulk admin keys limit nightly --characters 500000")]
pub struct AdminKeysArgs {
    /// What to do
    #[command(subcommand)]
    pub command: AdminKeysCommand,
}

/// What to do.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum AdminKeysCommand {
    /// List all keys, active and deactivated
    #[command(after_help = "tulk admin keys list")]
    List(ListLimitArgs),
    /// Create a key and print it
    Create(create::CreateKeyArgs),
    /// Change the label of a key
    Rename(rename::RenameKeyArgs),
    /// Set or remove the limits of a key
    Limit(limit::LimitKeyArgs),
    /// Deactivate a key immediately and permanently
    Deactivate(deactivate::DeactivateKeyArgs),
}

/// Runs the command.
pub async fn run(ctx: &Context, args: AdminKeysArgs) -> Result<(), Failure> {
    if !matches!(args.command, AdminKeysCommand::List(_)) {
        ctx.out.settings().check_row::<DeveloperKey>()?;
    }
    match args.command {
        AdminKeysCommand::List(limit) => list::run(ctx, limit).await,
        AdminKeysCommand::Create(args) => create::run(ctx, args).await,
        AdminKeysCommand::Rename(args) => rename::run(ctx, args).await,
        AdminKeysCommand::Limit(args) => limit::run(ctx, &args).await,
        AdminKeysCommand::Deactivate(args) => deactivate::run(ctx, &args).await,
    }
}

impl Row for DeveloperKey {
    const COLUMNS: &'static [Column] = &[
        Column::id("key_id").header("ID"),
        Column::name("label"),
        Column::flag("is_deactivated").header("DEACTIVATED").rank(1),
        Column::count("characters").header("CHARACTERS"),
        Column::count("speech_to_text_milliseconds").header("SPEECH MS").rank(4),
        Column::time("creation_time").header("CREATED"),
        Column::time("deactivated_time").header("DEACTIVATED AT").rank(4),
    ];

    fn cells(&self) -> Vec<Cell> {
        let limits = self.usage_limits.clone().unwrap_or_default();
        vec![
            Cell::from(self.key_id.as_str()),
            self.label.as_ref().into(),
            Cell::from(!self.is_active()),
            limits.characters.map(Cell::number).unwrap_or_default(),
            limits.speech_to_text_milliseconds.map(Cell::number).unwrap_or_default(),
            self.creation_time.as_ref().into(),
            self.deactivated_time.as_ref().into(),
        ]
    }
}
