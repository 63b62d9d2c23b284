//! The platform's directories for settings, caches and state.

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use crate::error::Failure;

/// Returns a directory of the platform, or what its variable says if there is no home directory.
fn directory(variable: &str, platform: impl FnOnce(&ProjectDirs) -> &Path) -> Result<PathBuf, Failure> {
    if let Some(project) = ProjectDirs::from("", "", "tulk") {
        return Ok(platform(&project).to_path_buf());
    }
    let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let missing = || Failure::usage("cannot find the home directory").hint(format!("set HOME or {variable}"));
    Ok(named.ok_or_else(missing)?.join("tulk"))
}

/// Returns the directory of settings and keys.
pub fn config_dir() -> Result<PathBuf, Failure> {
    directory("XDG_CONFIG_HOME", ProjectDirs::config_dir)
}

/// Directory of all caches, instead of the platform's.
const CACHE_DIR: &str = "TULK_CACHE_DIR";

/// Returns the directory of data that can be fetched again. A relative `TULK_CACHE_DIR` is below the current directory.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    if let Some(dir) = std::env::var_os(CACHE_DIR).filter(|dir| !dir.is_empty()) {
        let dir = PathBuf::from(dir);
        return std::path::absolute(&dir).map_err(|error| Failure::file("find", &dir, &error));
    }
    directory("XDG_CACHE_HOME", ProjectDirs::cache_dir)
}

/// Returns the directory of state that must not be lost, such as document handles.
pub fn state_dir() -> Result<PathBuf, Failure> {
    directory("XDG_STATE_HOME", |project| project.state_dir().unwrap_or_else(|| project.data_local_dir()))
}
