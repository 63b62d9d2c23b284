//! Whether the directories of settings, state and caches can be written to.

use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, io_message};
use tulk_base::files;

use super::Check;
use crate::config::{GlobalArgs, settings_path};

/// Checks each directory. One that does not exist is created when it is needed.
pub(super) fn checks(args: &GlobalArgs) -> [Check; 3] {
    let cache = ["TULK_CACHE_DIR", "XDG_CACHE_HOME"];
    [
        settings(args),
        check("state directory", files::state_dir(), &["XDG_STATE_HOME"]),
        check("cache directory", files::cache_dir(), &cache),
    ]
}

/// Checks the directory of the settings file, in which the stored keys are, too.
fn settings(args: &GlobalArgs) -> Check {
    let name = "settings directory";
    if args.config.as_deref().is_some_and(files::is_special) {
        return Check::skipped(name, "--config is not a regular file");
    }
    let path = settings_path(args).and_then(|path| {
        let path = std::path::absolute(&path).map_err(|error| Failure::file("find", &path, &error))?;
        Ok(files::parent_dir(&path).to_path_buf())
    });
    check(name, path, if args.config.is_some() { &["--config (TULK_CONFIG)"] } else { &["XDG_CONFIG_HOME"] })
}

/// Checks a directory that one of `variables` can name; the first is the one to recommend.
fn check(name: &str, dir: Result<PathBuf, Failure>, variables: &[&str]) -> Check {
    let is_set =
        |variable: &&&str| variable.starts_with('-') || std::env::var_os(variable).is_some_and(|v| !v.is_empty());
    let hint = match (variables.iter().find(is_set), variables.first()) {
        (Some(variable), _) => format!("make the directory writable, or correct {variable}"),
        (None, Some(variable)) if !cfg!(windows) || !variable.starts_with("XDG_") => {
            format!("make the directory writable, or name another one with {variable}")
        }
        _ => "make the directory writable".to_owned(),
    };
    match dir.and_then(|dir| writable(&dir).map_err(|failure| failure.hint(hint))) {
        Ok(detail) => Check::ok(name, detail),
        Err(failure) => Check::failed(name, &failure),
    }
}

/// Writes a file without a name into a directory, or into the nearest one above it that exists.
fn writable(dir: &Path) -> Result<String, Failure> {
    let existing = dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir);
    let verb = if existing == dir { "write to" } else { "create" };
    let failure = |e| Failure::usage(format!("cannot {verb} {}: {}", dir.display(), io_message(&e)));
    let mut file = tempfile::tempfile_in(existing).map_err(failure)?;
    std::io::Write::write_all(&mut file, b"tulk").map_err(failure)?;
    let note = if existing == dir { "" } else { " (not created yet)" };
    Ok(format!("{}{note}", dir.display()))
}
