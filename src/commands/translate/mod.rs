//! `tulk translate`: text in by argument, file or pipe, its translation out.

mod args;
mod options;
mod outputs;
mod report;
mod run;

pub use args::TranslateArgs;
pub use run::run;
