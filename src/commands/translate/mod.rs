//! `tulk translate`: text in by argument, file or pipe, its translation out.

mod args;
mod outputs;
mod report;
mod requests;
mod run;

pub use args::{TranslateArgs, profile_flags};
pub use run::run;
