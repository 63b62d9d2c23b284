//! The library behind the `tulk` command: the command line, settings, output, and one module for each command.
//!
//! A request is a value: a command builds one, one client sends it, one renderer shows the reply. Data flows one way, from arguments to
//! stdout. What does not concern the command line is in the crates below `crates`; docs/architecture.md has the map.
//!
//! | module | contains |
//! |---|---|
//! | `cli` | arguments in, exit code out: the command tree, the dispatch, errors of the command line |
//! | `command` | what a command is: arguments that can be run, and a declaration of what it prints and does |
//! | `commands` | the commands, a file or a directory for each |
//! | `inputs`, `outputs`, `runs` | texts and files that are read, where results go, and what runs of many texts have in common |
//! | `assets`, `named` | what a translation refers to; resources by name or ID |
//! | `reports` | what checks, plans and lists print |
//! | `help`, `completion` | the texts of `tulk help` and the manual; the candidates of a shell |
//! | `service_probe` | the free request that shows whether a key works |
//! | `context`, `config` | what every command receives; flags over variables over settings |
//! | `output` | stdout and stderr |

mod assets;
pub mod cli;
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

/// What `tulk-fuzz` tests with untrusted input.
#[cfg(feature = "fuzzing")]
pub mod untrusted {
    pub use crate::commands::translate::profile_flags;
    pub use crate::config::file::SettingsFile;
    pub use crate::config::schema::SettingSchema;
    pub use crate::config::{
        Credentials, NameList, SettingFlags, StoredKey, is_same, normalized, number_error, parse_duration, parse_rate,
    };
    pub use crate::context::SandboxFlags;
    pub use crate::output::{JqProgram, JqRunError, escape_terminal, jq_to_json};
}
