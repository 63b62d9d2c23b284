//! One test binary for the commands, one module each.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

#[path = "../common/mod.rs"]
mod common;

mod auth;
mod config;
mod exit_codes;
mod glossary;
mod glossary_files;
mod network;
mod sandbox;
mod streams;
mod translate;
