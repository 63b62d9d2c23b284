//! Whether the directories of settings, state and caches can be written to.

use std::path::{Path, PathBuf};

use super::Check;
use crate::error::Failure;
use crate::files;

/// Checks each directory. One that does not exist is created when it is needed.
pub(super) fn checks() -> [Check; 3] {
    [
        check("settings directory", files::config_dir()),
        check("state directory", files::state_dir()),
        check("cache directory", files::cache_dir()),
    ]
}

fn check(name: &str, dir: Result<PathBuf, Failure>) -> Check {
    match dir.and_then(|dir| writable(&dir)) {
        Ok(detail) => Check::ok(name, detail),
        Err(failure) => Check::failed(name, &failure),
    }
}

/// Writes a file without a name into a directory, or into the nearest one above it that exists.
fn writable(dir: &Path) -> Result<String, Failure> {
    let existing = dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir);
    let mut file = tempfile::tempfile_in(existing).map_err(|e| Failure::file("write to", existing, &e))?;
    std::io::Write::write_all(&mut file, b"tulk").map_err(|e| Failure::file("write to", existing, &e))?;
    let note = if existing == dir { "" } else { " (not created yet)" };
    Ok(format!("{}{note}", dir.display()))
}
