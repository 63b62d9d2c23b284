//! The platform's directories for settings, caches and state.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::error::Failure;

/// Chooses a directory of the user, below which each program has its own: one of XDG, also on macOS, or one of Windows.
type UserDir = fn(&dyn BaseStrategy) -> PathBuf;

/// Returns the directory `tulk` below a directory of the user, or below the value of `variable` if there is no home directory.
///
/// Relative values of variables are ignored.
fn directory(variable: &str, user_dir: UserDir) -> Result<PathBuf, Failure> {
    let base = etcetera::choose_base_strategy().ok().map(|strategy| user_dir(&strategy));
    let named = || std::env::var_os(variable).map(PathBuf::from);
    let found = base.filter(|path| path.is_absolute()).or_else(|| named().filter(|path| path.is_absolute()));
    let missing = || Failure::usage("cannot find the home directory").hint(format!("set HOME or {variable}"));
    Ok(found.ok_or_else(missing)?.join("tulk"))
}

/// Returns the directory of settings and keys.
pub fn config_dir() -> Result<PathBuf, Failure> {
    directory("XDG_CONFIG_HOME", |base| base.config_dir())
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
        return std::path::absolute(&dir).map_err(|error| Failure::file("find", &dir, &error));
    }
    Ok(part(directory("XDG_CACHE_HOME", |base| base.cache_dir())?, "cache"))
}

/// Returns the directory of state that must not be lost, such as document handles.
pub fn state_dir() -> Result<PathBuf, Failure> {
    let local = |base: &dyn BaseStrategy| base.state_dir().unwrap_or_else(|| base.cache_dir());
    Ok(part(directory("XDG_STATE_HOME", local)?, "state"))
}
