//! The platform's directories for settings, caches and state.

use std::path::{Path, PathBuf};

use directories::BaseDirs;

use crate::error::{Failure, FileContext as _};

/// Returns the subdirectory `tulk` of the directory that `of_platform` returns. If the user has no home directory, uses the directory in
/// the environment variable `variable` instead.
///
/// On macOS, tulk follows XDG as other command-line programs do: it uses the value of `variable`, or else `below_home` in the home
/// directory. Relative values are ignored.
fn directory(variable: &str, below_home: &str, of_platform: fn(&BaseDirs) -> &Path) -> Result<PathBuf, Failure> {
    let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = BaseDirs::new().map(|base| match &named {
        Some(named) if cfg!(target_os = "macos") => named.clone(),
        None if cfg!(target_os = "macos") => base.home_dir().join(below_home),
        _ => of_platform(&base).to_owned(),
    });
    let found = base.filter(|path| path.is_absolute()).or(named);
    let missing = || Failure::usage("cannot find the home directory").hint(format!("set HOME or {variable}"));
    Ok(found.ok_or_else(missing)?.join("tulk"))
}

/// Returns the home directory of the user.
pub fn home_dir() -> Option<PathBuf> {
    BaseDirs::new().map(|base| base.home_dir().to_owned())
}

/// Returns the directory of settings and keys.
pub fn config_dir() -> Result<PathBuf, Failure> {
    directory("XDG_CONFIG_HOME", ".config", BaseDirs::config_dir)
}

/// Returns `dir`. On Windows, where caches and state share a directory, returns a subdirectory of it.
fn windows_subdirectory(dir: PathBuf, name: &str) -> PathBuf {
    if cfg!(windows) { dir.join(name) } else { dir }
}

const CACHE_DIR: &str = "TULK_CACHE_DIR";

/// Returns the directory for data that can be fetched again. A relative `TULK_CACHE_DIR` is relative to the current directory.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    if let Some(dir) = std::env::var_os(CACHE_DIR).filter(|dir| !dir.is_empty()) {
        let dir = PathBuf::from(dir);
        return std::path::absolute(&dir).file_context("find", &dir);
    }
    Ok(windows_subdirectory(directory("XDG_CACHE_HOME", ".cache", BaseDirs::cache_dir)?, "cache"))
}

/// Returns the directory for state that must not be lost, such as the records of documents.
pub fn state_dir() -> Result<PathBuf, Failure> {
    let dir = directory("XDG_STATE_HOME", ".local/state", |base| base.state_dir().unwrap_or(base.data_local_dir()))?;
    Ok(windows_subdirectory(dir, "state"))
}
