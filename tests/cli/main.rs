//! One test binary for the commands, one module each.

#![allow(missing_docs)]

#[path = "../common/mod.rs"]
mod common;

mod exit_codes;
mod streams;
mod translate;
