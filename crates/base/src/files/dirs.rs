//! The platform's directories for settings, caches and state.

use std::path::{Path, PathBuf};

use directories::BaseDirs;

use crate::error::{Failure, FileContext as _};

/// Returns the directory `tulk` in a directory of the user, or in the value of `variable` if there is no home directory.
///
/// On macOS, command-line programs use the directories of XDG: the value of `variable`, or `below_home`. Relative values of variables
/// are ignored.
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

/// Returns `dir` or, on Windows, where caches and state share it, a directory in it.
fn part(dir: PathBuf, name: &str) -> PathBuf {
    if cfg!(windows) { dir.join(name) } else { dir }
}

/// Directory of all caches, instead of the platform's.
const CACHE_DIR: &str = "TULK_CACHE_DIR";

/// Returns the directory of data that can be fetched again. A relative `TULK_CACHE_DIR` is below the current directory.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    if let Some(dir) = std::env::var_os(CACHE_DIR).filter(|dir| !dir.is_empty()) {
        let dir = PathBuf::from(dir);
        return std::path::absolute(&dir).file_context("find", &dir);
    }
    Ok(part(directory("XDG_CACHE_HOME", ".cache", BaseDirs::cache_dir)?, "cache"))
}

/// Returns the directory of state that must not be lost, such as document handles.
pub fn state_dir() -> Result<PathBuf, Failure> {
    let dir = directory("XDG_STATE_HOME", ".local/state", |base| base.state_dir().unwrap_or(base.data_local_dir()))?;
    Ok(part(dir, "state"))
}
