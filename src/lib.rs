//! The library of `tulk`, a command line for a language service.
//!
//! ```text
//! main → cli → commands ─┬→ context → http, output, store → config
//!                        ├→ api → http::{endpoint, request, reply}
//!                        ├→ pipeline → formats → input; pipeline → http::{request, reply}, store
//!                        └→ sandbox
//! everyone → error, limits, suggest
//! ```
//!
//! A module uses what is to its right, never the reverse. A request is a value: a command builds one, one client sends
//! it, one renderer shows the reply.

pub mod api;
pub mod cli;
pub mod commands;
pub mod config;
pub mod context;
pub mod error;
pub mod files;
pub mod formats;
pub mod http;
pub mod input;
pub mod json;
pub mod limits;
pub mod output;
pub mod output_path;
pub mod pipeline;
#[cfg(feature = "sandbox")]
pub mod sandbox;
pub mod stop;
pub mod store;
pub mod suggest;
