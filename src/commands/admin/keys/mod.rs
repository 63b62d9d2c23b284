//! `tulk admin keys`: developer keys, each a row.

mod create;
mod deactivate;
mod limit;
mod list;
mod rename;
mod which;

use clap::{Args, Subcommand};

use crate::api::admin::DeveloperKey;
use crate::context::Context;
use crate::error::Failure;
use crate::output::{Cell, Row};

/// List, create, rename, limit and deactivate developer keys
#[derive(Args, Debug)]
pub struct KeysArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with developer keys.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// List all keys, active and deactivated
    List,
    /// Make a key and print it
    Create(create::CreateArgs),
    /// Change what a key is called
    Rename(rename::RenameArgs),
    /// Set or remove the limits of a key
    Limit(limit::LimitArgs),
    /// End a key, at once and for good
    Deactivate(deactivate::DeactivateArgs),
}

/// Runs the verb.
pub async fn run(ctx: &Context, args: KeysArgs) -> Result<(), Failure> {
    if !matches!(args.verb, Verb::List) {
        ctx.out.settings().check_row::<DeveloperKey>()?;
    }
    match args.verb {
        Verb::List => list::run(ctx).await,
        Verb::Create(args) => create::run(ctx, args).await,
        Verb::Rename(args) => rename::run(ctx, args).await,
        Verb::Limit(args) => limit::run(ctx, &args).await,
        Verb::Deactivate(args) => deactivate::run(ctx, &args).await,
    }
}

impl Row for DeveloperKey {
    const COLUMNS: &'static [&'static str] = &[
        "key_id",
        "label",
        "is_deactivated",
        "characters",
        "speech_to_text_milliseconds",
        "creation_time",
        "deactivated_time",
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
