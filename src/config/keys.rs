//! Where keys come from, and to which server each may be sent.
//!
//! Input: a kind of key and the addresses of a service. Output: the key with its source. The order is `--key-file`,
//! variables, the profile's command, the stored key. A stored key and a command belong to one server.

use std::sync::OnceLock;

use tulk_base::error::{Failure, Kind};
use tulk_base::files;
use tulk_base::limits;
use tulk_client::{ApiKey, KeyKind};

use super::address::is_same;
use super::key_source::{key_command, key_file};
use super::presets::{PUBLIC_NAME, ServiceDefinition};
use super::{Config, StoredKey, env};

/// A key and where it came from.
#[derive(Clone, Debug)]
pub struct ResolvedKey {
    /// The key.
    pub secret: ApiKey,
    /// Its source: a variable, `--key-file`, `key_command`, `credentials.toml`.
    pub source: String,
}

/// Keys that were looked up, so that stdin is read and a command is run only once. Failures are kept as well.
#[derive(Debug, Default)]
pub struct KeyCache {
    from_file: OnceLock<Result<ResolvedKey, Failure>>,
    account: OnceLock<Result<FoundKey, Failure>>,
    admin: OnceLock<Result<FoundKey, Failure>>,
}

/// Where a key was found, before it is known whether it may be sent to the server.
#[derive(Clone, Debug)]
enum FoundKey {
    /// Given for this run, or by the profile's command.
    Given(ResolvedKey),
    /// Stored for the server of this address.
    Stored(ResolvedKey, String),
    /// This setting has a command, but for another server.
    CommandElsewhere(&'static str),
    /// Nowhere.
    Missing,
}

impl Config {
    /// Returns the key that may be sent to one of `addresses`.
    pub(super) fn key_for(&self, kind: KeyKind, service: &str, addresses: &[&str]) -> Result<ResolvedKey, Failure> {
        let cell = if kind == KeyKind::Admin { &self.keys.admin } else { &self.keys.account };
        let found = cell.get_or_init(|| self.find_key(kind, service)).clone()?;
        let variable = variable_of(kind);
        let what = if kind == KeyKind::Admin { "admin key" } else { "key" };
        let to = addresses.first().copied().unwrap_or("the service");
        let failure = |what: String| Failure::new(Kind::Key, what);
        match found {
            FoundKey::Given(key) => Ok(key),
            FoundKey::Stored(key, server) if addresses.iter().any(|address| is_same(address, &server)) => Ok(key),
            FoundKey::Stored(_, server) => {
                Err(failure(format!("the stored {what} is for {server} and is not sent to {to}"))
                    .hint(format!("set {variable}, pass --key-file, or run `tulk auth login` again")))
            }
            FoundKey::CommandElsewhere(setting) => {
                Err(failure(format!("{setting} is for the profile's own server and is not run for {to}"))
                    .hint(format!("set {variable} or pass --key-file")))
            }
            FoundKey::Missing => {
                if let Some(hint) = self.hint_of_public_key(kind, service) {
                    return Err(failure(format!("no {what} is set for {to}")).hint(hint));
                }
                let login = if kind == KeyKind::Admin { "tulk auth login --admin" } else { "tulk auth login" };
                Err(failure(format!("no {what} is set for {to}"))
                    .hint(format!("set {variable}, pass --key-file, or run `{login}`")))
            }
        }
    }

    /// Returns what to do if a key of the public service is set, but the service in use is another one.
    fn hint_of_public_key(&self, kind: KeyKind, service: &str) -> Option<String> {
        let variable = env::DEEPL_KEYS.iter().find(|name| env::get(name).is_some())?;
        if kind == KeyKind::Admin || service == PUBLIC_NAME {
            return None;
        }
        let profile = &self.profile;
        Some(format!(
            "{variable} is for the preset `{PUBLIC_NAME}`, but the server is used with `{service}`: run \
             `tulk config set profiles.{profile}.service {PUBLIC_NAME}`, or set TULK_API_KEY"
        ))
    }

    /// Returns the key for the embedded sandbox, which accepts only keys of its own: a real key is never sent to it.
    pub(super) fn sandbox_key(&self, kind: KeyKind) -> Result<ResolvedKey, Failure> {
        if let Some(key) = self.key_from_file() {
            return key;
        }
        let settings = self.sandbox()?;
        let mut accepted = settings.list("key");
        if accepted.is_empty() {
            accepted.push("sandbox".to_owned());
        }
        let admin = settings.list("admin-key");
        if kind == KeyKind::Admin && !admin.is_empty() {
            accepted = admin;
        }
        let variable = variable_of(kind);
        let given = env::text(variable).filter(|key| accepted.contains(key) || is_developer_key(key));
        let source = if given.is_some() { variable } else { "sandbox" };
        let text = given.or_else(|| accepted.into_iter().next()).unwrap_or_default();
        Ok(ResolvedKey { secret: ApiKey::new(&text, source)?, source: source.to_owned() })
    }

    /// Returns whether an admin key is set for a server. `--key-file` replaces both kinds of key, so there is no admin key then.
    pub fn has_admin_source(&self, address: &str) -> bool {
        if self.args.key_file.is_some() || self.args.is_sandbox() {
            return self.args.key_file.is_none();
        }
        let is_here = |stored: StoredKey| is_same(&stored.server, address);
        env::get(env::ADMIN_KEY).is_some()
            || (self.setting("admin_key_command").is_some() && !self.is_other_server())
            || self.stored_keys().is_ok_and(|keys| keys.get(&self.profile, KeyKind::Admin).is_some_and(is_here))
    }

    /// Reads `--key-file`, once: it may be stdin or a pipe, and both kinds of key may ask for it.
    fn key_from_file(&self) -> Option<Result<ResolvedKey, Failure>> {
        let file = self.args.key_file.as_ref()?;
        Some(self.keys.from_file.get_or_init(|| key_file(file)).clone())
    }

    fn find_key(&self, kind: KeyKind, service: &str) -> Result<FoundKey, Failure> {
        if let Some(key) = self.key_from_file() {
            return key.map(FoundKey::Given);
        }
        let is_admin = kind == KeyKind::Admin;
        let others = if service == PUBLIC_NAME && !is_admin { &env::DEEPL_KEYS[..] } else { &[] };
        for variable in std::iter::once(&variable_of(kind)).chain(others) {
            if let Some(text) = env::text(variable) {
                let secret = ApiKey::new(&text, variable)?;
                return Ok(FoundKey::Given(ResolvedKey { secret, source: (*variable).to_owned() }));
            }
        }
        let setting = if is_admin { "admin_key_command" } else { "key_command" };
        let command = self.setting(setting);
        if let Some(command) = command.filter(|_| !self.is_other_server()) {
            files::check_not_writable_by_others(&self.file.path, setting)?;
            return key_command(command, setting, limits::KEY_COMMAND_TIMEOUT).map(FoundKey::Given);
        }
        let stored = self.stored_keys()?.get(&self.profile, kind);
        Ok(match (stored, command) {
            (Some(stored), _) => {
                let key = ResolvedKey { secret: stored.key, source: "credentials.toml".to_owned() };
                FoundKey::Stored(key, stored.server)
            }
            (None, Some(_)) => FoundKey::CommandElsewhere(setting),
            (None, None) => FoundKey::Missing,
        })
    }

    /// Returns whether `--server` is not the profile's own server, which its `key_command` belongs to.
    fn is_other_server(&self) -> bool {
        let Some(given) = self.args.server.as_deref() else { return false };
        match self.setting("server") {
            Some(own) => !is_same(own, given),
            None => !ServiceDefinition::find(self.setting("service"), &self.file)
                .is_ok_and(|service| service.endpoints.iter().any(|(_, own)| is_same(own, given))),
        }
    }
}

fn variable_of(kind: KeyKind) -> &'static str {
    match kind {
        KeyKind::Account => env::API_KEY,
        KeyKind::Admin => env::ADMIN_KEY,
    }
}

/// Returns whether a text is two GUIDs joined by a colon.
fn is_developer_key(text: &str) -> bool {
    text.len() == 73
        && text.as_bytes().get(36) == Some(&b':')
        && text.bytes().all(|b| b.is_ascii_hexdigit() || b"-:".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_developer_keys() {
        assert!(is_developer_key("11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000"));
        assert!(!is_developer_key("11111111-2222-4333-8444-555555555555:fx"));
    }
}
