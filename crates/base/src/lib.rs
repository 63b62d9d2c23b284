//! Code that every other crate uses: failures and their exit codes, files, signals, secrets, limits, addresses in texts, JSON as
//! text, places in texts, references of XML.
//!
//! Nothing in here knows the service, the command line or the sandbox.

pub mod addresses;
pub mod error;
pub mod files;
pub mod json;
pub mod limits;
pub mod machine;
pub mod numbers;
pub mod places;
pub mod secrets;
pub mod shell;
pub mod stop;
pub mod suggest;
pub mod toml_file;
pub mod value_error;
pub mod xml;
