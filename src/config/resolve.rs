//! From flags, environment and files to what holds for this run: profile, service, key, network settings.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Map, Value};

use super::file::{self, File};
use super::presets::{self, Preset};
use super::{ApiKey, Credentials, GlobalArgs, Key, SandboxSettings, Service, env};
use crate::error::{Failure, Kind, Origin};
use crate::http::request::KeyKind;
use crate::store;

/// The profile in use when nothing names another.
const DEFAULT_PROFILE: &str = "default";

/// What the settings come to.
#[derive(Debug)]
pub struct Config {
    args: GlobalArgs,
    /// The settings file.
    pub file: File,
    /// The profile in use.
    pub profile: String,
    defaults: Map<String, Value>,
    account: OnceLock<Key>,
    admin: OnceLock<Key>,
}

/// Settings of the network: flags over the profile.
#[derive(Clone, Debug, Default)]
pub struct Network {
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
    pub fn load(args: &GlobalArgs) -> Result<Self, Failure> {
        let config = Self::open(args)?;
        let named = args.profile.is_some() || config.file.get(&["default_profile"]).is_some();
        if named && !config.file.profiles.contains(&config.profile) && !config.has_stored_key() {
            let near = file::nearest(&config.profile, config.file.profiles.iter().map(String::as_str));
            let failure = Failure::usage(format!("there is no profile `{}`", config.profile));
            return Err(match near {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint("`tulk auth login -p NAME` makes one; `tulk config list` shows what is set"),
            });
        }
        Ok(config)
    }

    /// As [`Config::load`], for commands that may make the profile or the file.
    pub fn open(args: &GlobalArgs) -> Result<Self, Failure> {
        let path = match &args.config {
            Some(path) => path.clone(),
            None => store::config_dir()?.join("config.toml"),
        };
        let file = File::read(&path, false)?;
        let profile = args.profile.clone().or_else(|| file.text(&["default_profile"]).map(str::to_owned));
        let profile = profile.unwrap_or_else(|| DEFAULT_PROFILE.to_owned());
        let mut config = Self {
            args: args.clone(),
            file,
            profile,
            defaults: Map::new(),
            account: OnceLock::new(),
            admin: OnceLock::new(),
        };
        config.defaults = config
            .file
            .entries
            .iter()
            .filter(|e| {
                e.path.len() == 3
                    && e.path.first().is_some_and(|p| p == "profiles")
                    && e.path.get(1) == Some(&config.profile)
            })
            .filter_map(|e| e.path.last().map(|key| (key.clone(), e.value.clone())))
            .collect();
        Ok(config)
    }

    /// The same settings seen from another profile, without `--server`: for `auth status`.
    pub fn for_profile(&self, profile: &str) -> Result<Self, Failure> {
        let args = GlobalArgs { profile: Some(profile.to_owned()), server: None, ..self.args.clone() };
        Self::open(&args)
    }

    /// Where keys are stored.
    pub fn credentials_path(&self) -> PathBuf {
        store::parent(&self.file.path).join("credentials.toml")
    }

    fn has_stored_key(&self) -> bool {
        Credentials::read(&self.credentials_path()).is_ok_and(|c| c.profiles().contains(&self.profile))
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
        self.file.get(&["profiles", &self.profile, key]).map(|e| &e.origin)
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
    pub fn network(&self) -> Result<Network, Failure> {
        let args = &self.args;
        let time = |key: &str| self.defaults.get(key).and_then(|v| super::duration(&file::spelt(v)).ok());
        let number = |key: &str| self.defaults.get(key).and_then(Value::as_u64);
        let small = |key: &str, most: u64| match number(key) {
            Some(n) if n > most => Err(self.wrong(key, &format!("{n} is above {most}"))),
            n => Ok(n),
        };
        Ok(Network {
            timeout: args.timeout.or_else(|| time("timeout")),
            retries: args.retries.or(small("retries", 1000)?.and_then(|n| u32::try_from(n).ok())),
            max_wait: args.max_wait.or_else(|| time("max_wait")),
            concurrency: args.concurrency.or(small("concurrency", 256)?.and_then(|n| u16::try_from(n.max(1)).ok())),
            rate: args.rate.or_else(|| self.defaults.get("rate").and_then(|v| super::rate(&file::spelt(v)).ok())),
            proxy: args.proxy.clone().or_else(|| self.setting("proxy").map(str::to_owned)),
            ca_file: args.ca_file.clone().or_else(|| self.setting("ca_file").map(PathBuf::from)),
        })
    }

    fn wrong(&self, key: &str, why: &str) -> Failure {
        let failure = Failure::usage(format!("{key}: {why}"));
        match self.default_origin(key) {
            Some(at) => failure.at(at.clone()),
            None => failure,
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
    fn endpoint(&self, known: &Known, key: Option<&ApiKey>) -> String {
        let is_free = known.free_key_suffix.is_some_and(|suffix| match key {
            Some(key) => key.expose().ends_with(suffix),
            None => self
                .key_for(KeyKind::Account, known.name == presets::DEEPL.name, None)
                .is_ok_and(|k| k.secret.expose().ends_with(suffix)),
        });
        if is_free { "free" } else { "paid" }.to_owned()
    }

    fn named(&self, name: Option<&str>) -> Result<Known, Failure> {
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
            let near = file::nearest(name, own.map(String::as_str).chain(presets::PRESETS.iter().map(|p| p.name)));
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
        Ok(Known {
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
        let host_is_local = crate::http::attempt::is_loopback(&base);
        if base.starts_with("http://") && !host_is_local && !self.args.insecure_http {
            return Err(Failure::usage(format!(
                "{base} is plain http: the key and the texts could be read on the way"
            ))
            .hint("use https, or add --insecure-http if you accept that"));
        }
        Ok((base, note.into_iter().collect()))
    }

    /// The key of a kind for the service in use, looked up once.
    pub fn key(&self, kind: KeyKind) -> Result<Key, Failure> {
        if self.is_sandbox()? {
            return self.sandbox_key(kind);
        }
        let service = self.service()?.0;
        self.key_for(kind, service.name == presets::DEEPL.name, Some(&service.base_url))
    }

    /// The embedded sandbox takes its own key: a real one in the environment is not for it.
    fn sandbox_key(&self, kind: KeyKind) -> Result<Key, Failure> {
        if let Some(file) = &self.args.key_file {
            return key_file(file);
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
        Ok(Key { secret: ApiKey::new(&text, source)?, source: source.to_owned() })
    }

    fn key_for(&self, kind: KeyKind, is_deepl: bool, base: Option<&str>) -> Result<Key, Failure> {
        let cell = if kind == KeyKind::Admin { &self.admin } else { &self.account };
        if let Some(key) = cell.get() {
            return Ok(key.clone());
        }
        let key = self.find_key(kind, is_deepl, base)?;
        Ok(cell.get_or_init(|| key).clone())
    }

    fn find_key(&self, kind: KeyKind, is_deepl: bool, base: Option<&str>) -> Result<Key, Failure> {
        if let Some(file) = &self.args.key_file {
            return key_file(file);
        }
        let admin = kind == KeyKind::Admin;
        let own = if admin { env::ADMIN_KEY } else { env::API_KEY };
        let others = if is_deepl && !admin { &env::DEEPL_KEYS[..] } else { &[] };
        for variable in std::iter::once(&own).chain(others) {
            if let Some(text) = env::text(variable) {
                return Ok(Key { secret: ApiKey::new(&text, variable)?, source: (*variable).to_owned() });
            }
        }
        let elsewhere = self.is_elsewhere();
        let setting = if admin { "admin_key_command" } else { "key_command" };
        if let Some(command) = self.setting(setting).filter(|_| !elsewhere) {
            return key_command(command, setting);
        }
        let stored = Credentials::read(&self.credentials_path())?.get(&self.profile, kind);
        if let Some(stored) = stored
            && !elsewhere_stored(&stored.server, base)
        {
            return Ok(Key { secret: stored.key, source: "credentials.toml".to_owned() });
        }
        let (what, login) = if admin { ("admin key", "tulk auth login --admin") } else { ("key", "tulk auth login") };
        let failure = Failure::new(Kind::Key, format!("no {what} is set for {}", base.unwrap_or("the service")));
        Err(failure.hint(format!(
            "set {own}, give --key-file, or run `{login}`; a stored key or key_command is used only for its own server"
        )))
    }

    /// Whether `--server` leads away from the profile's own server, where its `key_command` belongs.
    fn is_elsewhere(&self) -> bool {
        let Some(given) = self.args.server.as_deref().and_then(|s| normalized(s).ok()) else { return false };
        let args = GlobalArgs { server: None, ..self.args.clone() };
        let own = Self {
            args,
            file: self.file.clone(),
            profile: self.profile.clone(),
            defaults: Map::new(),
            account: OnceLock::new(),
            admin: OnceLock::new(),
        };
        let own = match self.setting("server") {
            Some(server) => normalized(server).ok().map(|(base, _)| base),
            None => own
                .named(self.setting("service"))
                .ok()
                .and_then(|k| k.endpoints.iter().find(|(_, url)| *url == given.0).map(|(_, u)| u.clone())),
        };
        own.as_deref() != Some(given.0.as_str())
    }
}

/// A service known by name, not yet at an address.
struct Known {
    name: String,
    endpoints: Vec<(String, String)>,
    auth_scheme: String,
    reporting_tag_header: String,
    free_key_suffix: Option<&'static str>,
    latency_rule: bool,
}

impl Known {
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

fn elsewhere_stored(stored: &str, base: Option<&str>) -> bool {
    base.is_some_and(|base| normalized(stored).map_or(stored != base, |(s, _)| s != base))
}

/// Two GUIDs joined by a colon.
fn is_developer_key(text: &str) -> bool {
    text.len() == 73
        && text.as_bytes().get(36) == Some(&b':')
        && text.bytes().all(|b| b.is_ascii_hexdigit() || b"-:".contains(&b))
}

fn key_file(file: &Path) -> Result<Key, Failure> {
    let source = format!("--key-file {}", file.display());
    let text = if file == Path::new("-") {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map_err(|e| Failure::file("read", file, &e))?;
        line
    } else {
        std::fs::read_to_string(file).map_err(|e| Failure::file("read", file, &e))?
    };
    let line = text.lines().next().unwrap_or_default();
    Ok(Key { secret: ApiKey::new(line, &source)?, source })
}

/// Runs a command of the settings and takes the first line it prints.
fn key_command(command: &str, setting: &str) -> Result<Key, Failure> {
    let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    shell.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(command);
    let output = shell
        .stdin(std::process::Stdio::inherit())
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|e| Failure::new(Kind::Key, format!("{setting} cannot be run: {}", crate::error::plain(&e))))?;
    if !output.status.success() {
        return Err(
            Failure::new(Kind::Key, format!("{setting} failed ({})", output.status)).hint("run it by hand to see why")
        );
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(Key { secret: ApiKey::new(text.lines().next().unwrap_or_default(), setting)?, source: setting.to_owned() })
}

/// A base address without trailing slash and version, and a note if a version was dropped.
pub fn normalized(text: &str) -> Result<(String, Option<String>), Failure> {
    let text = text.trim();
    let wrong = |why: &str| {
        Failure::usage(format!("`{}` is no server address: {why}", without_userinfo(text)))
            .hint("write it like https://translate.example/")
    };
    let url = reqwest::Url::parse(text).map_err(|e| wrong(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it must start with https:// or http://"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("it has no host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it holds a user name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it holds a query or fragment"));
    }
    let base = url.as_str().trim_end_matches('/');
    for version in ["/v1", "/v2", "/v3"] {
        if let Some(shorter) = base.strip_suffix(version) {
            let shorter = shorter.trim_end_matches('/').to_owned();
            let note =
                format!("the server address ends in {version}; {shorter} is used, versions are added by request");
            return Ok((shorter, Some(note)));
        }
    }
    Ok((base.to_owned(), None))
}

fn without_userinfo(text: &str) -> String {
    match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://***@{host}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_slash_and_version_and_keep_prefixes() {
        let base = |text: &str| normalized(text).unwrap().0;
        assert_eq!(base("https://a.example/"), "https://a.example");
        assert_eq!(base("https://a.example/v2/"), "https://a.example");
        assert_eq!(base("https://a.example/proxy/v3"), "https://a.example/proxy");
        assert_eq!(base("http://127.0.0.1:80/x"), "http://127.0.0.1/x");
        assert!(normalized("https://a.example/v2").unwrap().1.unwrap().contains("/v2"));
    }

    #[test]
    fn refuses_addresses_that_are_none() {
        for text in ["", "a.example", "ftp://a", "https://u:p@a.example", "https://a.example?x=1", "https://"] {
            let failure = normalized(text).unwrap_err();
            assert!(!failure.what.contains("u:p"), "{}", failure.what);
        }
    }

    #[test]
    fn knows_developer_keys() {
        assert!(is_developer_key("11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000"));
        assert!(!is_developer_key("11111111-2222-4333-8444-555555555555:fx"));
    }
}
