//! One file or directory per command: arguments, `run`, and the views of its replies.
//!
//! Input: parsed arguments and a `Context`. Output: results on stdout, or a failure. Code that several commands share
//! is in sibling directories, such as `assets` and `reports`.

pub mod admin;
pub mod api;
pub mod auth;
pub mod cache;
pub mod completions;
pub mod config;
pub mod doc;
pub mod doctor;
pub mod glossary;
pub mod help;
pub mod langs;
pub mod man;
#[cfg(feature = "sandbox")]
pub mod sandbox;
pub mod style;
pub mod sync;
pub mod tm;
pub mod translate;
pub mod usage;
pub mod voice;
pub mod write;
