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

mod api;
pub mod cli;
mod commands;
mod config;
mod context;
mod error;
mod files;
mod formats;
mod http;
mod input;
mod json;
mod limits;
mod output;
mod output_path;
mod pipeline;
#[cfg(feature = "sandbox")]
mod sandbox;
mod stop;
mod store;
mod suggest;
