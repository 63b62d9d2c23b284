//! Checks of the settings file, the server and the keys.

use tulk_base::error::Failure;
use tulk_client::{KeyKind, Service};

use super::Check;
use crate::config::{Config, ResolvedKey};
use crate::context::Context;

/// The rows about the server and its keys.
pub(super) struct KeyChecks {
    pub(super) server: Check,
    pub(super) keys: Vec<Check>,
}

/// Says which file has the settings, how many there are, and which profile is in use.
pub(super) fn found(config: &Config) -> Check {
    if let Some(why) = config.unread_file() {
        let hint = "make the file readable, or choose another one with --config (TULK_CONFIG)";
        return Check::failed("settings", &Failure::usage(why).hint(hint));
    }
    let (path, profile) = (config.file.path.display().to_string(), &config.profile);
    let what = match config.file.entries.len() {
        _ if path.is_empty() => "no file".to_owned(),
        0 => format!("{path}: nothing is set"),
        1 => format!("{path}: 1 setting"),
        count => format!("{path}: {count} settings"),
    };
    Check::ok("settings", format!("{what}; profile {profile}"))
}

/// Returns the service in use, or why there is none. Fails only if a signal came.
pub(super) async fn service(ctx: &Context) -> Result<Result<Service, Failure>, Failure> {
    match ctx.service_to_check().await {
        Err(failure) if failure.kind.is_stop() => Err(failure),
        service => Ok(service),
    }
}

/// Returns the key of the service, or why there is none. Fails only if a signal came.
pub(super) fn key(
    config: &Config,
    service: &Result<Service, Failure>,
) -> Result<Option<Result<ResolvedKey, Failure>>, Failure> {
    match service.as_ref().ok().map(|_| config.key(KeyKind::Account)) {
        Some(Err(failure)) if failure.kind.is_stop() => Err(failure),
        key => Ok(key),
    }
}

/// Checks the server and the keys. An admin key is not needed, so it has a row only if one is set.
pub(super) fn checks(
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
