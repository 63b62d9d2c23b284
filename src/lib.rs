//! The library behind the `tulk` command: the command line, settings, output, and one module for each command.
//!
//! A request is a value: a command builds one, one client sends it, one renderer shows the reply. Data flows one way, from arguments to
//! stdout. In docs/architecture.md, "The program" describes the modules, and "Crates" describes the other crates.

mod assets;
pub mod cli;
mod collections;
mod command;
mod commands;
mod completion;
mod config;
mod context;
mod help;
mod inputs;
mod named;
mod output;
mod outputs;
mod reports;
mod runs;
mod service_probe;
mod version;

/// Code that `tulk-fuzz` tests with untrusted input.
#[cfg(feature = "fuzzing")]
pub mod untrusted {
    pub use crate::commands::translate::profile_flags;
    pub use crate::config::file::SettingsFile;
    pub use crate::config::schema::SettingSchema;
    pub use crate::config::{
        Credentials, NameList, SettingFlags, StoredKey, is_same, normalized_address, number_error, parse_duration,
        parse_rate,
    };
    pub use crate::context::SandboxFlags;
    pub use crate::output::{JqProgram, JqRunError, escape_terminal, jq_to_json};
}
