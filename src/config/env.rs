//! Names of the environment variables for keys, the sandbox, GitHub Actions, completion and editors.
//!
//! Variables of flags are defined on the flags. Variables of terminals are read in `output` and by `voice stream`, those of directories in
//! `tulk_base`, and those of proxies and certificates in `tulk_client` and its libraries.

use std::ffi::OsString;

use tulk_base::secrets;

pub const API_KEY: &str = "TULK_API_KEY";
pub const ADMIN_KEY: &str = "TULK_ADMIN_KEY";
pub const SANDBOX: &str = "TULK_SANDBOX";
/// Set in workflows of GitHub Actions, which read commands from the output.
pub const GITHUB_ACTIONS: &str = "GITHUB_ACTIONS";
/// Directory of the repository in a workflow of GitHub Actions.
pub const GITHUB_WORKSPACE: &str = "GITHUB_WORKSPACE";
/// Prefix of the sandbox's settings, such as `TULK_SANDBOX_ENGINE`.
pub const SANDBOX_PREFIX: &str = "TULK_SANDBOX_";
/// Keys of the public service that other tools read too, in order of precedence.
pub const DEEPL_KEYS: [&str; 2] = ["DEEPL_AUTH_KEY", "DEEPL_API_KEY"];
/// Set by the completion scripts: the name of the shell.
pub const COMPLETE: &str = "TULK_COMPLETE";
pub const EDITORS: [&str; 2] = ["VISUAL", "EDITOR"];

/// Ignores variables of flags that are set but empty.
pub fn without_empty(command: clap::Command) -> clap::Command {
    let is_empty = |arg: &clap::Arg| arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    command.mut_args(|arg| if is_empty(&arg) { arg.env(clap::builder::Resettable::Reset) } else { arg })
}

/// Removes the variables of all flags, so that only the command line counts.
pub fn without_variables(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| arg.env(clap::builder::Resettable::Reset))
}

/// Returns a variable if it is set and not empty.
pub fn get(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|v| !v.is_empty())
}

/// Registers the keys in the environment as secrets, for messages that are printed before a key is looked up.
pub fn register_keys() {
    let names = [API_KEY, ADMIN_KEY].into_iter().chain(DEEPL_KEYS);
    names.filter_map(text).for_each(|key| secrets::register(&key));
}

/// Returns a variable as text. Invalid UTF-8 counts as not set.
pub fn text(name: &str) -> Option<String> {
    get(name)?.into_string().ok()
}

/// Returns whether a variable is set to something other than `0`, `false`, `no` or `off`.
pub fn is_on(name: &str) -> bool {
    text(name).is_some_and(|v| !["0", "false", "no", "off"].contains(&v.to_ascii_lowercase().as_str()))
}
