//! One file per command: its arguments, `run`, and how its replies are shown.

pub mod auth;
pub mod completions;
pub mod config;
pub mod help;
pub mod man;
pub mod named;
#[cfg(feature = "sandbox")]
pub mod sandbox;
//pub mod translate;
//pub mod via;
