//! The name of every environment variable that is read, in one place.
//!
//! The ones of clap flags stand on the flags, spelt from here in the help; proxies and certificates are read by libraries.

use std::ffi::OsString;

/// Key of the account.
pub const API_KEY: &str = "TULK_API_KEY";
/// Admin key.
pub const ADMIN_KEY: &str = "TULK_ADMIN_KEY";
/// `1` uses the embedded sandbox.
pub const SANDBOX: &str = "TULK_SANDBOX";
/// Start of the sandbox's settings: `TULK_SANDBOX_ENGINE`.
pub const SANDBOX_PREFIX: &str = "TULK_SANDBOX_";
/// Keys that other tools of the public service read, in order.
pub const DEEPL_KEYS: [&str; 2] = ["DEEPL_AUTH_KEY", "DEEPL_API_KEY"];
/// Editors, in order.
pub const EDITORS: [&str; 2] = ["VISUAL", "EDITOR"];

/// The command tree without those variables of flags that are set but empty: like everywhere, they count as not set.
pub fn without_empty(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let is_empty = arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
        if is_empty { arg.env(clap::builder::Resettable::Reset) } else { arg }
    })
}

/// A variable that is set and not empty.
pub fn get(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|v| !v.is_empty())
}

/// A variable as text; what is not UTF-8 counts as not set.
pub fn text(name: &str) -> Option<String> {
    get(name)?.into_string().ok()
}

/// Whether a variable says yes: set to something other than `0`, `false`, `no` or `off`.
pub fn is_on(name: &str) -> bool {
    text(name).is_some_and(|v| !["0", "false", "no", "off"].contains(&v.to_ascii_lowercase().as_str()))
}
