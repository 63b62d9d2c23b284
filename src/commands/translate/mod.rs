//! `tulk translate`: text in by argument, file or pipe, its translation out.

mod args;
mod outputs;
mod report;
mod requests;
mod run;

pub use args::{TranslateArgs, profile_flags};
pub use run::run;

use crate::formats::Columns;
use crate::output::CommandColumns;

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] =
    &[CommandColumns::new("translate", Columns::NAMES).note("with several targets or --format tsv")];
