//! One test binary for the commands, one module each.

#![allow(missing_docs)]

#[path = "../common/mod.rs"]
mod common;

mod auth;
mod config;
mod exit_codes;
mod network;
mod sandbox;
mod streams;
mod translate;
