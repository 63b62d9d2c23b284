//! Which service a command talks to: `--server`, or else the profile's server or service.
//!
//! Input: flags and settings. Output: a [`Service`] with its address, and notes for the user.

use tulk_base::error::{Failure, Kind};
use tulk_client::Service;
use tulk_client::is_loopback;
use tulk_client::{ApiKey, KeyKind};

use super::address::normalized;
use super::presets::{PUBLIC_NAME, ServiceDefinition};
use super::{Config, ResolvedKey, env};

impl Config {
    /// Returns the service in use, and notes for the user. Fails with `Kind::Key` if none is set.
    pub fn service(&self) -> Result<(Service, Vec<String>), Failure> {
        let given = self.args.server.as_deref().or_else(|| self.setting("server"));
        if let Some(address) = given {
            let (base_url, notes) = self.checked_address(address)?;
            return Ok((self.definition(self.setting("service"))?.at(base_url), notes));
        }
        let from_variable = || env::DEEPL_KEYS.iter().any(|v| env::get(v).is_some()).then_some(PUBLIC_NAME);
        let Some(name) = self.setting("service").or_else(from_variable) else {
            return Err(Failure::new(Kind::Key, "no server is set")
                .hint("pass --server URL, set TULK_SERVER, run `tulk auth login`, or try --sandbox"));
        };
        self.service_named(name, self.setting("endpoint"), None)
    }

    /// Says what names the service in use: a flag, a variable, or a line of the settings file.
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
        Ok(self.definition(self.setting("service"))?.at(String::new()))
    }

    /// Returns the addresses that the service in use may have, without looking at a key. The key decides between several.
    pub fn possible_addresses(&self) -> Vec<String> {
        let base = |address: &str| normalized(address).ok().map(|(base, _)| base);
        if let Some(address) = self.args.server.as_deref().or_else(|| self.setting("server")) {
            return base(address).into_iter().collect();
        }
        let from_variable = || env::DEEPL_KEYS.iter().any(|v| env::get(v).is_some()).then_some(PUBLIC_NAME);
        let Some(name) = self.setting("service").or_else(from_variable) else { return Vec::new() };
        let Ok(definition) = self.definition(Some(name)) else { return Vec::new() };
        let endpoint = self.setting("endpoint");
        let wanted = definition.endpoints.iter().filter(|(name, _)| endpoint.is_none_or(|wanted| wanted == name));
        wanted.filter_map(|(_, address)| base(address)).collect()
    }

    /// Returns the generic service at an address, which is what `--server` alone means.
    pub fn service_at(&self, address: &str) -> Result<(Service, Vec<String>), Failure> {
        let (base_url, notes) = self.checked_address(address)?;
        Ok((self.definition(None)?.at(base_url), notes))
    }

    /// Returns the service of a name. Without an endpoint, the form of the key decides.
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

    /// Returns the key of a kind for the service in use. It is looked up once.
    pub fn key(&self, kind: KeyKind) -> Result<ResolvedKey, Failure> {
        if self.is_sandbox()? {
            return self.sandbox_key(kind);
        }
        let service = self.service()?.0;
        self.key_for(kind, &service.name, &[&service.base_url])
    }

    /// Returns the endpoint that a key belongs to. `None` stands for the key of the profile.
    fn endpoint_of_key(&self, definition: &ServiceDefinition, key: Option<&ApiKey>) -> &'static str {
        let addresses: Vec<&str> = definition.endpoints.iter().map(|(_, url)| url.as_str()).collect();
        let is_free = definition.free_key_suffix.is_some_and(|suffix| match key {
            Some(key) => key.expose().ends_with(suffix),
            // A missing key is reported when it is needed: `--dry-run` works without one.
            None => self
                .key_for(KeyKind::Account, &definition.name, &addresses)
                .is_ok_and(|key| key.secret.expose().ends_with(suffix)),
        });
        if is_free { "free" } else { "paid" }
    }

    fn definition(&self, name: Option<&str>) -> Result<ServiceDefinition, Failure> {
        ServiceDefinition::find(name, &self.file)
    }

    /// Normalizes an address. Plain HTTP to another machine needs `--insecure-http`.
    fn checked_address(&self, text: &str) -> Result<(String, Vec<String>), Failure> {
        let (base, note) = normalized(text)?;
        if base.starts_with("http://") && !is_loopback(&base) && !self.args.insecure_http {
            return Err(Failure::usage(format!("{base} uses plain HTTP: others could read the key and the texts"))
                .hint("use https, or pass --insecure-http to accept the risk"));
        }
        Ok((base, note.into_iter().collect()))
    }
}
