//! Code that the other crates share: failures and exit codes, files, signals, secrets, limits, addresses in texts, JSON as text,
//! positions in texts, XML references.
//!
//! Nothing here depends on the service, the command line or the sandbox.

pub mod addresses;
pub mod error;
pub mod files;
pub mod json;
pub mod limits;
pub mod machine;
pub mod numbers;
pub mod positions;
pub mod secrets;
pub mod shell;
pub mod stop;
pub mod suggest;
pub mod toml_file;
pub mod value_error;
pub mod xml;
