//! Checks of this machine: settings file, server, keys, and whether the directories are writable.

use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _, io_message};
use tulk_base::files;
use tulk_base::numbers::counted;
use tulk_client::{KeyKind, Service};

use super::Check;
use crate::config::{Config, GlobalArgs, ResolvedKey, settings_path};
use crate::context::Context;

pub struct KeyChecks {
    pub server: Check,
    pub keys: Vec<Check>,
}

pub fn settings_check(config: &Config) -> Check {
    if let Some(why) = config.unread_file() {
        let hint = "make the file readable, or choose another one with --config (TULK_CONFIG)";
        return Check::failed("settings", &Failure::usage(why).hint(hint));
    }
    let (path, profile) = (config.file.path.display().to_string(), &config.profile);
    let what = match config.file.entries.len() {
        _ if path.is_empty() => "no file".to_owned(),
        0 => format!("{path}: nothing is set"),
        count => format!("{path}: {}", counted(count, "setting")),
    };
    Check::ok("settings", format!("{what}; profile {profile}"))
}

/// Returns the service in use, or why it cannot be determined. Fails only if a signal arrived.
pub async fn service(ctx: &Context) -> Result<Result<Service, Failure>, Failure> {
    match ctx.service_to_check().await {
        Err(failure) if failure.kind.is_stop() => Err(failure),
        service => Ok(service),
    }
}

/// Returns the key of the service, or why there is none. Fails only if a signal arrived.
pub fn key(
    config: &Config,
    service: &Result<Service, Failure>,
) -> Result<Option<Result<ResolvedKey, Failure>>, Failure> {
    match service.as_ref().ok().map(|_| config.key(KeyKind::Account)) {
        Some(Err(failure)) if failure.kind.is_stop() => Err(failure),
        key => Ok(key),
    }
}

/// An admin key is optional, so it gets a row only if one is configured.
pub fn checks(
    config: &Config,
    service: &Result<Service, Failure>,
    key: Option<&Result<ResolvedKey, Failure>>,
) -> Result<KeyChecks, Failure> {
    let server = match service {
        Ok(service) if config.is_sandbox()? => Check::ok("server", service.shown_address()),
        Ok(service) => Check::ok("server", format!("{} from {}", service.base_url, config.service_source())),
        Err(failure) => Check::failed("server", failure),
    };
    let shown = |key: &ResolvedKey| format!("{} from {}", key.secret.masked(), key.source);
    let mut keys = vec![match key {
        None => Check::skipped("key", "no server is set"),
        Some(key) => Check::of("key", key.as_ref().map(shown).map_err(Clone::clone))?,
    }];
    if let Ok(service) = service
        && config.has_admin_source(&service.base_url)
    {
        keys.push(Check::of("admin key", config.key(KeyKind::Admin).as_ref().map(shown).map_err(Clone::clone))?);
    }
    Ok(KeyChecks { server, keys })
}

/// A missing directory is fine if it can be created.
pub fn directory_checks(args: &GlobalArgs) -> [Check; 3] {
    let cache = ["TULK_CACHE_DIR", "XDG_CACHE_HOME"];
    let state = files::state_dir().and_then(|dir| files::check_trusted_dir(&dir).map(|()| dir));
    [
        settings_directory(args),
        directory_check("state directory", state, &["XDG_STATE_HOME"]),
        directory_check("cache directory", files::cache_dir(), &cache),
    ]
}

/// Checks the directory that contains the settings file and the stored keys.
fn settings_directory(args: &GlobalArgs) -> Check {
    let name = "settings directory";
    if args.config.as_deref().is_some_and(files::is_special) {
        return Check::skipped(name, "--config is not a regular file");
    }
    let path = settings_path(args).and_then(|path| {
        let path = std::path::absolute(&path).file_context("find", &path)?;
        Ok(files::parent_dir(&path).to_path_buf())
    });
    directory_check(name, path, if args.config.is_some() { &["--config (TULK_CONFIG)"] } else { &["XDG_CONFIG_HOME"] })
}

/// Checks a directory. `variables` are the settings that can move it, with the recommended one first.
fn directory_check(name: &str, dir: Result<PathBuf, Failure>, variables: &[&str]) -> Check {
    let is_set =
        |variable: &&&str| variable.starts_with('-') || std::env::var_os(variable).is_some_and(|v| !v.is_empty());
    let hint = match (variables.iter().find(is_set), variables.first()) {
        (Some(variable), _) => format!("make the directory writable, or correct {variable}"),
        (None, Some(variable)) if !cfg!(windows) || !variable.starts_with("XDG_") => {
            format!("make the directory writable, or choose another one with {variable}")
        }
        _ => "make the directory writable".to_owned(),
    };
    match dir.and_then(|dir| test_writing(&dir).map_err(|failure| failure.hint(hint))) {
        Ok(detail) => Check::ok(name, detail),
        Err(failure) => Check::failed(name, &failure),
    }
}

/// Tests writing with an unnamed file in the directory, or in its nearest existing parent.
fn test_writing(dir: &Path) -> Result<String, Failure> {
    let existing = dir.ancestors().find(|dir| dir.exists()).unwrap_or(dir);
    let verb = if existing == dir { "write to" } else { "create" };
    let failure = |e| Failure::usage(format!("cannot {verb} {}: {}", dir.display(), io_message(&e)));
    let mut file = tempfile::tempfile_in(existing).map_err(failure)?;
    std::io::Write::write_all(&mut file, b"tulk").map_err(failure)?;
    let note = if existing == dir { "" } else { " (not created yet)" };
    Ok(format!("{}{note}", dir.display()))
}
