//! The platform's directories for settings, caches and state.

use std::path::PathBuf;

use directories::ProjectDirs;

use crate::error::Failure;

fn project() -> Result<ProjectDirs, Failure> {
    ProjectDirs::from("", "", "tulk").ok_or_else(|| Failure::usage("cannot find the home directory").hint("set HOME"))
}

/// Returns the directory of settings and keys.
pub fn config_dir() -> Result<PathBuf, Failure> {
    Ok(project()?.config_dir().to_path_buf())
}

/// Returns the directory of data that can be fetched again.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    Ok(project()?.cache_dir().to_path_buf())
}

/// Returns the directory of state that must not be lost, such as document handles.
pub fn state_dir() -> Result<PathBuf, Failure> {
    let project = project()?;
    Ok(project.state_dir().unwrap_or_else(|| project.data_local_dir()).to_path_buf())
}
