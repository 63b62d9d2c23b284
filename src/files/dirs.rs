//! The platform's directories for settings, caches and state.

use std::path::PathBuf;

use directories::ProjectDirs;

use crate::error::Failure;

fn project() -> Result<ProjectDirs, Failure> {
    ProjectDirs::from("", "", "tulk").ok_or_else(|| {
        Failure::usage("cannot find the home directory").hint("set HOME, or name the settings file with --config")
    })
}

/// Directory of settings and keys.
pub fn config_dir() -> Result<PathBuf, Failure> {
    Ok(project()?.config_dir().to_path_buf())
}

/// Directory of data that can be fetched again.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    Ok(project()?.cache_dir().to_path_buf())
}

/// Directory of state that must not be lost: document handles, the sandbox.
pub fn state_dir() -> Result<PathBuf, Failure> {
    let project = project()?;
    Ok(project.state_dir().unwrap_or_else(|| project.data_local_dir()).to_path_buf())
}
