//! Settings: flags take precedence over variables, then comes the settings file, then built-in defaults.
//!
//! Input: [`GlobalArgs`] and the settings file. Output: [`Config`] with the service, its key and the defaults of flags.
//! Files are read when a setting is first used. This module sends nothing.

mod args;
mod credentials;
pub mod env;
pub mod file;
mod keys;
mod precedence;
mod sandbox;
pub mod schema;
mod service;
pub mod setting;
#[cfg(test)]
mod tests;
mod values;

pub use args::{ColorChoice, GlobalArgs, OutputFormat, ProgressChoice};
pub use credentials::{Credentials, StoredKey};
pub use keys::ResolvedKey;
pub use precedence::{Config, is_none, settings_path};
pub use sandbox::SandboxSettings;
pub use schema::{ENDPOINTS, SettingFlags};
pub use service::{ServiceDefinition, is_same, normalized_address, with_endpoints};
pub use values::{NameList, number_error, parse_age, parse_duration, parse_rate};
