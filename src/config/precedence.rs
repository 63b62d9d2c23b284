//! The settings of a run: flags take precedence over variables, and variables over the profile in the settings file.
//!
//! clap reads the variables of flags, so a flag here may come from a variable. Built-in defaults are added where a value is used.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};
use tulk_base::error::{Failure, Kind, Origin};
use tulk_base::{files, suggest};
use tulk_client::{ApiKey, Concurrency, Defaulted, KeyKind, NONE, Service, is_loopback};

use super::file::{SettingEntry, SettingsFile};
use super::keys::{KeySources, has_admin_source};
use super::schema::{DEFAULT_PROFILE, SettingFlags, SettingSchema};
use super::service::{PUBLIC_NAME, ServiceDefinition, normalized_address};
use super::setting::to_text;
use super::{Credentials, GlobalArgs, ResolvedKey, SandboxSettings, env, parse_duration, parse_rate};

const FALLBACK_PROFILE: &str = "default";

/// End of the warning that the settings file could not be read.
const WITHOUT_SETTINGS: &str = "; continuing without settings";

#[derive(Debug)]
pub struct Config {
    pub(super) args: GlobalArgs,
    flags: SettingFlags,
    pub file: SettingsFile,
    pub profile: String,
    defaults: Map<String, Value>,
    pub(super) keys: KeySources,
    /// Set if the settings file cannot be reached. This user then has neither settings nor stored keys.
    no_files: Option<NoSettingsReason>,
}

/// Reason why a user has no settings file and no stored keys. This is common in containers and on cluster nodes.
#[derive(Clone, Debug)]
enum NoSettingsReason {
    Homeless,
    /// The home directory belongs to another user: `HOME` is kept when a process changes its user. Contains the warning.
    Inaccessible(String),
}

/// Network settings: flags over the profile. `None` means the built-in default.
#[derive(Clone, Debug, Default)]
pub struct NetworkSettings {
    /// Timeout of one attempt.
    pub timeout: Option<Duration>,
    /// Attempts after the first.
    pub retries: Option<u32>,
    pub max_wait: Option<Duration>,
    pub concurrency: Option<Concurrency>,
    /// Maximum number of requests per second.
    pub rate: Option<f64>,
    pub proxy: Option<String>,
    /// Source of the proxy, for messages: the flag, or the profile's setting.
    pub proxy_source: String,
    pub ca_file: Option<PathBuf>,
}

/// Returns the path of the settings file, whether or not it exists.
pub fn settings_path(args: &GlobalArgs) -> Result<PathBuf, Failure> {
    match &args.config {
        Some(path) => Ok(path.clone()),
        None => Ok(files::config_dir()?.join("config.toml")),
    }
}

impl Config {
    /// Reads the settings file and selects the profile. Keys are not read.
    ///
    /// Fails if `--config` names a missing file, or if the profile is neither in the file nor among the stored keys.
    /// If there is neither `--config` nor access to a home directory, there are no settings, and `--profile` is a failure.
    pub fn load(args: &GlobalArgs, flags: SettingFlags) -> Result<Self, Failure> {
        let config =
            Self::open_existing(args, flags).or_else(|failure| match NoSettingsReason::find(args, &failure) {
                Some(why) => Ok(Self { no_files: Some(why), ..Self::new(args, flags, SettingsFile::default())? }),
                None => Err(failure),
            })?;
        let default = config.file.get(&[DEFAULT_PROFILE]);
        let is_named = args.profile.is_some() || default.is_some();
        if !is_named || config.profile == FALLBACK_PROFILE || config.file.profiles.contains(&config.profile) {
            return Ok(config);
        }
        let stored = config.stored_keys()?.profiles();
        if stored.contains(&config.profile) {
            return Ok(config);
        }
        let mut failure = Failure::usage(format!("unknown profile `{}`", config.profile));
        if let (None, Some(entry)) = (&args.profile, default) {
            failure = failure.at(entry.origin.clone());
        }
        let known = config.file.profiles.iter().chain(&stored).map(String::as_str);
        Err(match suggest::closest(&config.profile, known) {
            Some(name) => failure.hint(format!("did you mean `{name}`?")),
            None => failure.hint("create it with `tulk auth login`; `tulk config list` shows what is set"),
        })
    }

    /// Like [`Config::load`], for commands that may create the profile or the file.
    pub fn open(args: &GlobalArgs, flags: SettingFlags) -> Result<Self, Failure> {
        Self::read(args, flags, false)
    }

    /// Like [`Config::open`], but a file that `--config` names must exist.
    pub fn open_existing(args: &GlobalArgs, flags: SettingFlags) -> Result<Self, Failure> {
        Self::read(args, flags, args.config.is_some())
    }

    fn read(args: &GlobalArgs, flags: SettingFlags, must_exist: bool) -> Result<Self, Failure> {
        Self::new(args, flags, SettingsFile::read(&settings_path(args)?, must_exist, &SettingSchema::new(flags))?)
    }

    fn new(args: &GlobalArgs, flags: SettingFlags, file: SettingsFile) -> Result<Self, Failure> {
        let profile = args.profile.as_deref().or_else(|| file.text(&[DEFAULT_PROFILE])).unwrap_or(FALLBACK_PROFILE);
        let profile = profile.to_owned();
        let mut defaults = defaults_of(&profile, &file)?;
        defaults.retain(|_, value| !is_none(value));
        Ok(Self { args: args.clone(), flags, file, profile, defaults, keys: KeySources::default(), no_files: None })
    }

    /// Returns a warning if the settings file could not be read.
    pub fn warning(&self) -> Option<&str> {
        match &self.no_files {
            Some(NoSettingsReason::Inaccessible(warning)) => Some(warning),
            _ => None,
        }
    }

    /// Returns why the settings file could not be read; `None` if it was read, or if there is no home directory.
    pub fn unread_file(&self) -> Option<&str> {
        self.warning()?.strip_suffix(WITHOUT_SETTINGS)
    }

    /// Returns the configuration with another profile and without `--server`, for `auth status`.
    pub fn for_profile(&self, profile: &str) -> Result<Self, Failure> {
        let args = GlobalArgs { profile: Some(profile.to_owned()), server: None, ..self.args.clone() };
        match &self.no_files {
            Some(why) => Ok(Self { no_files: Some(why.clone()), ..Self::new(&args, self.flags, self.file.clone())? }),
            None => Self::open(&args, self.flags),
        }
    }

    pub fn credentials_path(&self) -> Result<PathBuf, Failure> {
        Ok(files::parent_dir(&settings_path(&self.args)?).join("credentials.toml"))
    }

    pub fn stored_keys(&self) -> Result<Credentials, Failure> {
        if self.no_files.is_some() { Ok(Credentials::none()) } else { Credentials::read(&self.credentials_path()?) }
    }

    /// Returns a text setting of the profile in use.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.file.text(&["profiles", &self.profile, key])
    }

    /// Returns the profile's settings by field name. They include the defaults of `translate`.
    pub fn defaults(&self) -> &Map<String, Value> {
        &self.defaults
    }

    /// Fails if a default is an unknown word, unless `--no-check` is given.
    pub fn check_default(&self, field: &str) -> Result<(), Failure> {
        let entry = self.file.of_profile(&self.profile).find(|entry| entry.field == field);
        entry.filter(|_| !self.args.no_check).map_or(Ok(()), SettingEntry::check_known)
    }

    pub fn default_origin(&self, field: &str) -> Option<&Origin> {
        self.file.of_profile(&self.profile).find(|entry| entry.field == field).map(|entry| &entry.origin)
    }

    pub fn sandbox(&self) -> Result<SandboxSettings, Failure> {
        SandboxSettings::read(&self.file, &SettingSchema::new(self.flags))
    }

    /// Returns whether the embedded sandbox is requested. Fails if `--server` is given too; `TULK_SERVER` is ignored instead.
    pub fn is_sandbox(&self) -> Result<bool, Failure> {
        let is_sandbox = self.args.is_sandbox();
        if is_sandbox && self.args.server.is_some() {
            return Err(Failure::usage("--sandbox cannot be used with --server")
                .hint("use one of the two; TULK_SANDBOX counts as --sandbox"));
        }
        Ok(is_sandbox)
    }

    pub fn network(&self) -> NetworkSettings {
        let args = &self.args;
        let text = |key: &str| self.defaults.get(key).map(to_text);
        let duration = |key: &str| text(key).and_then(|text| parse_duration(&text).ok());
        let number = |key: &str| self.defaults.get(key).and_then(Value::as_u64);
        NetworkSettings {
            timeout: flag_or(args.timeout, || duration("timeout")),
            retries: flag_or(args.retries, || number("retries").and_then(|n| u32::try_from(n).ok())),
            max_wait: flag_or(args.max_wait, || duration("max_wait")),
            concurrency: flag_or(args.concurrency, || text("concurrency").and_then(|text| text.parse().ok())),
            rate: flag_or(args.rate, || text("rate").and_then(|text| parse_rate(&text).ok())),
            proxy: flag_or(args.proxy.clone(), || text("proxy")),
            proxy_source: match args.proxy {
                Some(_) => "--proxy".to_owned(),
                None => format!("profiles.{}.proxy", self.profile),
            },
            ca_file: flag_or(args.ca_file.clone(), || text("ca_file").map(PathBuf::from)),
        }
    }

    /// Returns the service in use, and notes for the user. Fails with `Kind::Key` if no server is set.
    pub fn service(&self) -> Result<(Service, Vec<String>), Failure> {
        let given = self.args.server.as_deref().or_else(|| self.setting("server"));
        if let Some(address) = given {
            let (base_url, notes) = self.checked_address(address)?;
            return Ok((self.definition(self.service_name())?.at(base_url), notes));
        }
        let Some(name) = self.service_name() else {
            return Err(Failure::new(Kind::Key, "no server is set")
                .hint("run `tulk auth login`, set TULK_SERVER, or try --sandbox"));
        };
        self.service_named(name, self.setting("endpoint"), None)
    }

    /// Returns the name of the service in use; `None` if only its address is known. If neither is set, a key variable of the public
    /// service selects that service.
    fn service_name(&self) -> Option<&str> {
        let has_address = self.args.server.is_some() || self.setting("server").is_some();
        let from_variable = || env::DEEPL_KEYS.iter().any(|v| env::get(v).is_some()).then_some(PUBLIC_NAME);
        self.setting("service").or_else(|| if has_address { None } else { from_variable() })
    }

    /// Returns whether the rules of the public service apply. With the embedded sandbox, its own setting takes precedence.
    pub fn has_public_rules(&self) -> Result<bool, Failure> {
        let of_sandbox = if self.is_sandbox()? { self.sandbox()?.list("service").pop() } else { None };
        Ok(of_sandbox.as_deref().or_else(|| self.service_name()) == Some(PUBLIC_NAME))
    }

    /// Returns what selected the service in use: a flag, a variable, or a line of the settings file.
    pub fn service_source(&self) -> String {
        if let Some(server) = &self.args.server {
            let is_variable = env::text("TULK_SERVER").as_ref() == Some(server);
            return if is_variable { "TULK_SERVER" } else { "--server" }.to_owned();
        }
        let line = |field: &str| self.default_origin(field).map(|origin| format!("{}:{}", origin.source, origin.line));
        let variable = || env::DEEPL_KEYS.iter().find(|name| env::get(name).is_some()).map(|name| (*name).to_owned());
        line("server").or_else(|| line("service")).or_else(variable).unwrap_or_default()
    }

    /// Returns the service in use without its address, for requests that are only planned.
    pub fn service_without_address(&self) -> Result<Service, Failure> {
        let mut service = self.definition(self.service_name())?.at(String::new());
        service.is_public = self.has_public_rules()?;
        Ok(service)
    }

    /// Returns the addresses that the service in use may have, without reading a key. If there are several, the key decides.
    pub fn possible_addresses(&self) -> Vec<String> {
        let base = |address: &str| normalized_address(address).ok().map(|(base, _)| base);
        if let Some(address) = self.args.server.as_deref().or_else(|| self.setting("server")) {
            return base(address).into_iter().collect();
        }
        let Some(name) = self.service_name() else { return Vec::new() };
        let Ok(definition) = self.definition(Some(name)) else { return Vec::new() };
        let endpoint = self.setting("endpoint");
        let wanted = definition.endpoints.iter().filter(|(name, _)| endpoint.is_none_or(|wanted| wanted == name));
        wanted.filter_map(|(_, address)| base(address)).collect()
    }

    /// Returns the generic service at an address, as `--server` alone selects it.
    pub fn service_at(&self, address: &str) -> Result<(Service, Vec<String>), Failure> {
        let (base_url, notes) = self.checked_address(address)?;
        Ok((self.definition(None)?.at(base_url), notes))
    }

    /// Returns the service with this name. Without an endpoint, the form of the key decides.
    pub fn service_named(
        &self,
        name: &str,
        endpoint: Option<&str>,
        key: Option<&ApiKey>,
    ) -> Result<(Service, Vec<String>), Failure> {
        let definition = self.definition(Some(name))?;
        let endpoint = endpoint.unwrap_or_else(|| self.endpoint_of_key(&definition, key));
        let (base_url, notes) = self.checked_address(definition.address(endpoint)?)?;
        Ok((definition.at(base_url), notes))
    }

    /// Returns a key for the service in use. Each kind is looked up once.
    pub fn key(&self, kind: KeyKind) -> Result<ResolvedKey, Failure> {
        if self.is_sandbox()? {
            return self.keys.sandbox_key(self, kind);
        }
        let service = self.service()?.0;
        self.keys.find(self, kind, &service.name, &[&service.base_url])
    }

    /// Returns the endpoint that a key belongs to. If `key` is `None`, uses the key of the profile.
    fn endpoint_of_key(&self, definition: &ServiceDefinition, key: Option<&ApiKey>) -> &'static str {
        let addresses: Vec<&str> = definition.endpoints.iter().map(|(_, url)| url.as_str()).collect();
        let is_free = definition.free_key_suffix.is_some_and(|suffix| match key {
            Some(key) => key.expose().ends_with(suffix),
            // A missing key is reported only when it is needed: `--dry-run` works without one.
            None => self
                .keys
                .find(self, KeyKind::Account, &definition.name, &addresses)
                .is_ok_and(|key| key.secret.expose().ends_with(suffix)),
        });
        if is_free { "free" } else { "paid" }
    }

    /// Returns whether the address or the key shows that the account has the free plan.
    pub fn is_free_plan(&self) -> bool {
        let Ok((service, _)) = self.service() else { return false };
        let Ok(definition) = self.definition(Some(&service.name)) else { return false };
        let ends_with = |suffix| self.key(KeyKind::Account).is_ok_and(|key| key.secret.expose().ends_with(suffix));
        definition.address("free").is_ok_and(|free| free == service.base_url)
            || definition.free_key_suffix.is_some_and(ends_with)
    }

    fn definition(&self, name: Option<&str>) -> Result<ServiceDefinition, Failure> {
        ServiceDefinition::find(name, &self.file)
    }

    /// Normalizes an address. Refuses plain HTTP to another machine without `--insecure-http`.
    fn checked_address(&self, text: &str) -> Result<(String, Vec<String>), Failure> {
        let (base, note) = normalized_address(text)?;
        if base.starts_with("http://") && !is_loopback(&base) && !self.args.insecure_http {
            return Err(Failure::usage(format!("{base} uses plain HTTP: others could read the key and the texts"))
                .hint("use https, or pass --insecure-http to accept the risk"));
        }
        Ok((base, note.into_iter().collect()))
    }

    pub fn has_admin_source(&self, address: &str) -> bool {
        has_admin_source(self, address)
    }
}

impl NoSettingsReason {
    /// Returns why there are no settings, after reading them failed; `None` if the failure must be reported.
    fn find(args: &GlobalArgs, failure: &Failure) -> Option<Self> {
        if args.config.is_some() || args.profile.is_some() {
            return None;
        }
        let Ok(path) = settings_path(args) else { return Some(Self::Homeless) };
        // A file that is visible but cannot be read is a mistake of the user, so report it.
        let error = std::fs::metadata(path).err()?;
        let is_inaccessible = error.kind() == std::io::ErrorKind::PermissionDenied;
        is_inaccessible.then(|| Self::Inaccessible(format!("{}{WITHOUT_SETTINGS}", failure.what)))
    }
}

/// Returns the value of a flag, or the default if the flag is not given. The flag value `none` drops the default.
fn flag_or<T>(flag: Option<Defaulted<T>>, default: impl FnOnce() -> Option<T>) -> Option<T> {
    flag.map_or_else(default, Defaulted::value)
}

/// Returns whether a value is `none`, or a list of only `none`: it means no default.
pub fn is_none(value: &Value) -> bool {
    value == NONE || value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(|item| item == NONE))
}

/// Returns a profile's settings by field name. Refuses a field that is set under two names.
fn defaults_of(profile: &str, file: &SettingsFile) -> Result<Map<String, Value>, Failure> {
    let mut defaults = Map::new();
    for entry in file.of_profile(profile) {
        if defaults.insert(entry.field.clone(), entry.field_value.clone()).is_some() {
            let key = entry.path.last().map_or("", String::as_str);
            return Err(Failure::usage(format!("{key}: `{}` is set twice, under two names", entry.field))
                .at(entry.origin.clone())
                .hint("keep one of the two"));
        }
    }
    Ok(defaults)
}
