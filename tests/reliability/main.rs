//! What docs/reliability.md promises, one module for each section of the page: faults of the network, kills, full disks, many
//! processes at once, edits by people, odd environments, other users.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)] // tests

#[path = "../common/mod.rs"]
mod common;

mod disk;
mod edits;
mod environment;
mod faults;
mod kills;
#[cfg(unix)]
mod other_users;
mod processes;
#[cfg(unix)]
mod stored_files;
