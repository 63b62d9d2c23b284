//! Tests what docs/reliability.md promises, one module per section: network faults, kills, full disks, concurrent processes, edits
//! during a run, unusual environments, other users.

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
