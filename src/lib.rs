//! The library of `tulk`, a command line for a language service.
//!
//! A request is a value: a command builds one, one client sends it, one renderer shows the reply. Data flows one way:
//! a module uses what stands below it, never the reverse. `tests/layers.rs` reads this table and checks it:
//!
//! ```text
//! main        → cli
//! fuzzing     → parts commands context api sync pipeline formats catalogs inline http input output config store output_path sandbox
//! parts       → pipeline formats input store
//! cli         → parse_error commands context output config
//! commands    → context api sync pipeline formats catalogs inline input http output config store output_path sandbox
//! context     → http output config sandbox
//! api         → http config
//! sync        → pipeline formats catalogs inline http input store output_path config
//! pipeline    → formats inline input http store
//! formats     → catalogs inline input
//! catalogs    → inline
//! http        → config
//! output      → config
//! parse_error → config
//! input       →
//! inline      →
//! config      →
//! store       →
//! output_path →
//! everyone    → stop files json secrets suggest shell limits error version
//! sandbox     → files json stop suggest error
//! files       → stop shell error
//! shell       → json
//! json        → error
//! stop        → error
//! ```
//!
//! The sandbox knows neither `api` nor `http` nor `limits`, so that the two sides of the protocol can disagree.

// Linked for its C functions.
use tulk_elementary as _;

pub mod cli;
mod commands;
mod config;
mod context;
#[cfg(any(test, fuzzing))]
#[doc(hidden)]
pub mod fuzzing;
mod output;
mod parse_error;
#[doc(hidden)]
pub mod parts;
mod version;
