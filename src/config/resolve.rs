//! From flags, environment and files to what holds for this run: profile, service, key, network settings.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Map, Value};

use super::address::{is_loopback, is_same, normalized};
use super::command::{key_command, key_file};
use super::file::SettingsFile;
use super::key::KeyKind;
use super::presets::{self, Preset};
use super::{ApiKey, Credentials, GlobalArgs, ResolvedKey, SandboxSettings, Service, env, schema};
use crate::error::{Failure, Kind, Origin};
use crate::files;
use crate::limits;
use crate::suggest;

/// The profile in use when nothing names another.
const DEFAULT_PROFILE: &str = "default";

/// What the settings come to.
#[derive(Debug)]
pub struct Config {
    args: GlobalArgs,
    /// The settings file.
    pub file: SettingsFile,
    /// The profile in use.
    pub profile: String,
    defaults: Map<String, Value>,
    from_file: OnceLock<Result<ResolvedKey, Failure>>,
    account: OnceLock<Result<KeyLookup, Failure>>,
    admin: OnceLock<Result<KeyLookup, Failure>>,
}

/// Settings of the network: flags over the profile.
#[derive(Clone, Debug, Default)]
pub struct NetworkSettings {
    /// Time-out of one attempt.
    pub timeout: Option<Duration>,
    /// Attempts after the first.
    pub retries: Option<u32>,
    /// Bound of all waiting.
    pub max_wait: Option<Duration>,
    /// Requests in flight.
    pub concurrency: Option<u16>,
    /// Requests a second.
    pub rate: Option<f64>,
    /// Proxy for everything.
    pub proxy: Option<String>,
    /// Certificates to trust besides the system's.
    pub ca_file: Option<PathBuf>,
}

impl Config {
    /// Reads the settings file and picks the profile. Keys are not touched.
    ///
    /// Fails when `--config` names a file that is not there, or a profile is named that nobody made.
    pub fn load(args: &GlobalArgs) -> Result<Self, Failure> {
        let config = Self::open_existing(args)?;
        let default = config.file.get(&["default_profile"]);
        let is_named = args.profile.is_some() || default.is_some();
        if !is_named || config.profile == DEFAULT_PROFILE || config.file.profiles.contains(&config.profile) {
            return Ok(config);
        }
        let stored = Credentials::read(&config.credentials_path())?.profiles();
        if stored.contains(&config.profile) {
            return Ok(config);
        }
        let near = suggest::closest(&config.profile, config.file.profiles.iter().chain(&stored).map(String::as_str));
        let mut failure = Failure::usage(format!("there is no profile `{}`", config.profile));
        if let (None, Some(entry)) = (&args.profile, default) {
            failure = failure.at(entry.origin.clone());
        }
        Err(match near {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure.hint("`tulk auth login -p NAME` makes one; `tulk config list` shows what is set"),
        })
    }

    /// As [`Config::load`], for commands that may make the profile or the file.
    pub fn open(args: &GlobalArgs) -> Result<Self, Failure> {
        Self::read(args, false)
    }

    /// As [`Config::open`], but a settings file that is named must be there.
    pub fn open_existing(args: &GlobalArgs) -> Result<Self, Failure> {
        Self::read(args, args.config.is_some())
    }

    fn read(args: &GlobalArgs, must_exist: bool) -> Result<Self, Failure> {
        let path = match &args.config {
            Some(path) => path.clone(),
            None => files::config_dir()?.join("config.toml"),
        };
        let file = SettingsFile::read(&path, must_exist)?;
        let profile = args.profile.clone().or_else(|| file.text(&["default_profile"]).map(str::to_owned));
        let profile = profile.unwrap_or_else(|| DEFAULT_PROFILE.to_owned());
        let mut config = Self {
            args: args.clone(),
            file,
            profile,
            defaults: Map::new(),
            from_file: OnceLock::new(),
            account: OnceLock::new(),
            admin: OnceLock::new(),
        };
        config.defaults = config.profiles_defaults()?;
        Ok(config)
    }

    /// The profile's settings, each under its one name and in its one form.
    fn profiles_defaults(&self) -> Result<Map<String, Value>, Failure> {
        let mut defaults = Map::new();
        for entry in &self.file.entries {
            let [group, profile, key] = entry.path.as_slice() else { continue };
            if group != "profiles" || *profile != self.profile {
                continue;
            }
            let (name, value) = schema::settled(key, &entry.value);
            if defaults.insert(name.to_owned(), value).is_some() {
                return Err(Failure::usage(format!("{key}: `{name}` is set twice, under two names"))
                    .at(entry.origin.clone())
                    .hint("keep one of the two"));
            }
        }
        Ok(defaults)
    }

    /// The same settings seen from another profile, without `--server`: for `auth status`.
    pub fn for_profile(&self, profile: &str) -> Result<Self, Failure> {
        let args = GlobalArgs { profile: Some(profile.to_owned()), server: None, ..self.args.clone() };
        Self::open(&args)
    }

    /// Where keys are stored.
    pub fn credentials_path(&self) -> PathBuf {
        files::parent_dir(&self.file.path).join("credentials.toml")
    }

    /// A setting of the profile in use.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.file.text(&["profiles", &self.profile, key])
    }

    /// The profile's settings by key: the defaults of translate among them.
    pub fn defaults(&self) -> &Map<String, Value> {
        &self.defaults
    }

    /// Where a default stands.
    pub fn default_origin(&self, key: &str) -> Option<&Origin> {
        let of_profile = |path: &[String]| matches!(path, [g, p, k] if g == "profiles" && *p == self.profile && schema::one_name(k) == key);
        self.file.entries.iter().find(|e| of_profile(&e.path)).map(|e| &e.origin)
    }

    /// Settings of the embedded sandbox.
    pub fn sandbox(&self) -> Result<SandboxSettings, Failure> {
        SandboxSettings::read(&self.file)
    }

    /// Whether the embedded sandbox is asked for; together with a server that is refused.
    pub fn is_sandbox(&self) -> Result<bool, Failure> {
        let asked = self.args.sandbox || env::is_on(env::SANDBOX);
        if asked && self.args.server.is_some() {
            return Err(Failure::usage("--sandbox and --server exclude each other")
                .hint("TULK_SANDBOX and TULK_SERVER count as given too"));
        }
        Ok(asked)
    }

    /// Settings of the network: flags over the profile.
    pub fn network(&self) -> NetworkSettings {
        let args = &self.args;
        let time = |key: &str| self.defaults.get(key).and_then(|v| super::parse_duration(&schema::spelt(v)).ok());
        let number = |key: &str| self.defaults.get(key).and_then(Value::as_u64);
        NetworkSettings {
            timeout: args.timeout.or_else(|| time("timeout")),
            retries: args.retries.or_else(|| number("retries").and_then(|n| u32::try_from(n).ok())),
            max_wait: args.max_wait.or_else(|| time("max_wait")),
            concurrency: args.concurrency.or_else(|| number("concurrency").and_then(|n| u16::try_from(n).ok())),
            rate: args
                .rate
                .or_else(|| self.defaults.get("rate").and_then(|v| super::parse_rate(&schema::spelt(v)).ok())),
            proxy: args.proxy.clone().or_else(|| self.setting("proxy").map(str::to_owned)),
            ca_file: args.ca_file.clone().or_else(|| self.setting("ca_file").map(PathBuf::from)),
        }
    }

    /// The service to talk to, and notes for the user.
    ///
    /// Fails with `Kind::Key` when none is set.
    pub fn service(&self) -> Result<(Service, Vec<String>), Failure> {
        let given = self.args.server.as_deref().or_else(|| self.setting("server"));
        if let Some(address) = given {
            let (base_url, notes) = self.address(address)?;
            return Ok((self.named(self.setting("service"))?.at(base_url), notes));
        }
        let from_env = || env::DEEPL_KEYS.iter().any(|v| env::get(v).is_some()).then_some("deepl");
        let Some(name) = self.setting("service").or_else(from_env) else {
            return Err(Failure::new(Kind::Key, "no server is set")
                .hint("give --server URL or TULK_SERVER, run `tulk auth login`, or try --sandbox"));
        };
        self.service_named(name, self.setting("endpoint"), None)
    }

    /// The generic service at an address: what `--server` alone means.
    pub fn service_at(&self, address: &str) -> Result<(Service, Vec<String>), Failure> {
        let (base_url, notes) = self.address(address)?;
        Ok((self.named(None)?.at(base_url), notes))
    }

    /// A service by its name; without an endpoint the one that the key's form tells.
    pub fn service_named(
        &self,
        name: &str,
        endpoint: Option<&str>,
        key: Option<&ApiKey>,
    ) -> Result<(Service, Vec<String>), Failure> {
        let known = self.named(Some(name))?;
        let endpoint = endpoint.map_or_else(|| self.endpoint(&known, key), str::to_owned);
        let Some(address) = known.endpoints.iter().find(|(e, _)| *e == endpoint).map(|(_, url)| url.clone()) else {
            let what = if known.endpoints.is_empty() {
                format!("service `{name}` has no address")
            } else {
                format!("service `{name}` has no endpoint `{endpoint}`")
            };
            return Err(Failure::new(Kind::Key, what).hint("give --server URL, or set base_url under [services]"));
        };
        let (base_url, notes) = self.address(&address)?;
        Ok((known.at(base_url), notes))
    }

    /// The endpoint that the key's form tells.
    fn endpoint(&self, known: &ServiceDefinition, key: Option<&ApiKey>) -> String {
        let addresses: Vec<&str> = known.endpoints.iter().map(|(_, url)| url.as_str()).collect();
        let is_free = known.free_key_suffix.is_some_and(|suffix| match key {
            Some(key) => key.expose().ends_with(suffix),
            // A key that fails to come is told when it is needed; `--dry-run` does without.
            None => self
                .key_for(KeyKind::Account, known.name == presets::DEEPL.name, &addresses)
                .is_ok_and(|k| k.secret.expose().ends_with(suffix)),
        });
        if is_free { "free" } else { "paid" }.to_owned()
    }

    fn named(&self, name: Option<&str>) -> Result<ServiceDefinition, Failure> {
        let name = name.unwrap_or(presets::SERVICE.name);
        let get = |key: &str| self.file.text(&["services", name, key]);
        let is_service = self
            .file
            .entries
            .iter()
            .any(|e| e.path.first().is_some_and(|p| p == "services") && e.path.get(1).is_some_and(|p| p == name));
        let preset = presets::find(name);
        if preset.is_none() && !is_service {
            let own = self
                .file
                .entries
                .iter()
                .filter(|e| e.path.first().is_some_and(|p| p == "services"))
                .filter_map(|e| e.path.get(1));
            let near = suggest::closest(name, own.map(String::as_str).chain(presets::PRESETS.iter().map(|p| p.name)));
            let failure = Failure::usage(format!("there is no service `{name}`"));
            return Err(match near {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint("services are `service`, `deepl`, and those under [services]"),
            });
        }
        let base: &Preset = preset.unwrap_or(&presets::SERVICE);
        let own = [("paid", "base_url"), ("free", "base_url_free"), ("us", "base_url_us"), ("jp", "base_url_jp")];
        let mut endpoints: Vec<(String, String)> =
            own.iter().filter_map(|(e, key)| get(key).map(|url| ((*e).to_owned(), url.to_owned()))).collect();
        for (endpoint, url) in base.endpoints {
            if !endpoints.iter().any(|(e, _)| e == endpoint) {
                endpoints.push(((*endpoint).to_owned(), (*url).to_owned()));
            }
        }
        Ok(ServiceDefinition {
            name: name.to_owned(),
            endpoints,
            auth_scheme: get("auth_scheme").unwrap_or(base.auth_scheme).to_owned(),
            reporting_tag_header: get("reporting_tag_header").unwrap_or(base.reporting_tag_header).to_owned(),
            free_key_suffix: base.free_key_suffix,
            latency_rule: base.latency_rule,
        })
    }

    fn address(&self, text: &str) -> Result<(String, Vec<String>), Failure> {
        let (base, note) = normalized(text)?;
        let host_is_local = is_loopback(&base);
        if base.starts_with("http://") && !host_is_local && !self.args.insecure_http {
            return Err(Failure::usage(format!(
                "{base} is plain http: the key and the texts could be read on the way"
            ))
            .hint("use https, or add --insecure-http if you accept that"));
        }
        Ok((base, note.into_iter().collect()))
    }

    /// The key of a kind for the service in use, looked up once.
    pub fn key(&self, kind: KeyKind) -> Result<ResolvedKey, Failure> {
        if self.is_sandbox()? {
            return self.sandbox_key(kind);
        }
        let service = self.service()?.0;
        self.key_for(kind, service.name == presets::DEEPL.name, &[&service.base_url])
    }

    /// The embedded sandbox takes its own key: a real one in the environment is not for it.
    fn sandbox_key(&self, kind: KeyKind) -> Result<ResolvedKey, Failure> {
        if let Some(key) = self.key_from_file() {
            return key;
        }
        let set = self.sandbox()?;
        let variable = if kind == KeyKind::Admin { env::ADMIN_KEY } else { env::API_KEY };
        let mut own: Vec<String> = if set.key.is_empty() { vec!["sandbox".to_owned()] } else { set.key };
        if kind == KeyKind::Admin && !set.admin_key.is_empty() {
            own = set.admin_key;
        }
        let given = env::text(variable).filter(|k| own.contains(k) || is_developer_key(k));
        let source = if given.is_some() { variable } else { "sandbox" };
        let text = given.or_else(|| own.into_iter().next()).unwrap_or_default();
        Ok(ResolvedKey { secret: ApiKey::new(&text, source)?, source: source.to_owned() })
    }

    /// `--key-file`, read once: it may be stdin or a pipe, and both kinds of key may ask for it.
    fn key_from_file(&self) -> Option<Result<ResolvedKey, Failure>> {
        let file = self.args.key_file.as_ref()?;
        Some(self.from_file.get_or_init(|| key_file(file)).clone())
    }

    /// The key that may go to one of `addresses`. What was found is kept, a failure too: a command may ask the user.
    fn key_for(&self, kind: KeyKind, is_deepl: bool, addresses: &[&str]) -> Result<ResolvedKey, Failure> {
        let cell = if kind == KeyKind::Admin { &self.admin } else { &self.account };
        let found = cell.get_or_init(|| self.find_key(kind, is_deepl)).clone()?;
        let own = if kind == KeyKind::Admin { env::ADMIN_KEY } else { env::API_KEY };
        let what = if kind == KeyKind::Admin { "admin key" } else { "key" };
        let to = addresses.first().copied().unwrap_or("the service");
        match found {
            KeyLookup::Key(key) => Ok(key),
            KeyLookup::Stored(key, server) if addresses.iter().any(|address| is_same(address, &server)) => Ok(key),
            KeyLookup::Stored(_, server) => {
                Err(Failure::new(Kind::Key, format!("the stored {what} is for {server}, and goes nowhere else"))
                    .hint(format!("for {to} set {own} or give --key-file, or run `tulk auth login` again")))
            }
            KeyLookup::CommandElsewhere(setting) => {
                Err(Failure::new(Kind::Key, format!("{setting} is for the profile's own server, and {to} is not it"))
                    .hint(format!("set {own} or give --key-file")))
            }
            KeyLookup::Nothing => {
                let login = if kind == KeyKind::Admin { "tulk auth login --admin" } else { "tulk auth login" };
                Err(Failure::new(Kind::Key, format!("no {what} is set for {to}"))
                    .hint(format!("set {own}, give --key-file, or run `{login}`")))
            }
        }
    }

    fn find_key(&self, kind: KeyKind, is_deepl: bool) -> Result<KeyLookup, Failure> {
        if let Some(key) = self.key_from_file() {
            return key.map(KeyLookup::Key);
        }
        let admin = kind == KeyKind::Admin;
        let own = if admin { env::ADMIN_KEY } else { env::API_KEY };
        let others = if is_deepl && !admin { &env::DEEPL_KEYS[..] } else { &[] };
        for variable in std::iter::once(&own).chain(others) {
            if let Some(text) = env::text(variable) {
                return Ok(KeyLookup::Key(ResolvedKey {
                    secret: ApiKey::new(&text, variable)?,
                    source: (*variable).to_owned(),
                }));
            }
        }
        let setting = if admin { "admin_key_command" } else { "key_command" };
        let command = self.setting(setting);
        if let Some(command) = command.filter(|_| !self.is_elsewhere()) {
            return key_command(command, setting, limits::KEY_COMMAND_PATIENCE).map(KeyLookup::Key);
        }
        let stored = Credentials::read(&self.credentials_path())?.get(&self.profile, kind);
        Ok(match (stored, command) {
            (Some(stored), _) => KeyLookup::Stored(
                ResolvedKey { secret: stored.key, source: "credentials.toml".to_owned() },
                stored.server,
            ),
            (None, Some(_)) => KeyLookup::CommandElsewhere(setting),
            (None, None) => KeyLookup::Nothing,
        })
    }

    /// Whether `--server` leads away from the profile's own server, where its `key_command` belongs.
    fn is_elsewhere(&self) -> bool {
        let Some(given) = self.args.server.as_deref() else { return false };
        match self.setting("server") {
            Some(own) => !is_same(own, given),
            None => !self
                .named(self.setting("service"))
                .is_ok_and(|known| known.endpoints.iter().any(|(_, own)| is_same(own, given))),
        }
    }
}

/// Where a key was found, before it is known whether it may go to the server.
#[derive(Clone, Debug)]
enum KeyLookup {
    /// Given for this run, or by the profile's command.
    Key(ResolvedKey),
    /// Stored, for that server and no other.
    Stored(ResolvedKey, String),
    /// This setting would give one, but for another server.
    CommandElsewhere(&'static str),
    /// Nowhere.
    Nothing,
}

/// A service known by name, not yet at an address.
struct ServiceDefinition {
    name: String,
    endpoints: Vec<(String, String)>,
    auth_scheme: String,
    reporting_tag_header: String,
    free_key_suffix: Option<&'static str>,
    latency_rule: bool,
}

impl ServiceDefinition {
    fn at(self, base_url: String) -> Service {
        Service {
            name: self.name,
            base_url,
            auth_scheme: self.auth_scheme,
            reporting_tag_header: self.reporting_tag_header,
            latency_rule: self.latency_rule,
        }
    }
}

/// Two GUIDs joined by a colon.
fn is_developer_key(text: &str) -> bool {
    text.len() == 73
        && text.as_bytes().get(36) == Some(&b':')
        && text.bytes().all(|b| b.is_ascii_hexdigit() || b"-:".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_developer_keys() {
        assert!(is_developer_key("11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000"));
        assert!(!is_developer_key("11111111-2222-4333-8444-555555555555:fx"));
    }
}
