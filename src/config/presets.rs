//! Services by name: the presets, and those that the settings file defines under `[services]`.
//!
//! Input: a name. Output: a [`ServiceDefinition`] with addresses, authorization scheme and header, and a [`Service`]
//! once its address is chosen. Which service a command uses is decided in `service`.

use tulk_base::error::{Failure, Kind};
use tulk_base::suggest;
use tulk_client::Service;

use super::file::SettingsFile;
use super::schema::ENDPOINTS;

/// A service that is known without any settings.
struct Preset {
    name: &'static str,
    /// Endpoints and their base addresses. Empty if `--server` or settings have to provide it.
    endpoints: &'static [(&'static str, &'static str)],
    auth_scheme: &'static str,
    reporting_tag_header: &'static str,
    free_key_suffix: Option<&'static str>,
    latency_rule: bool,
}

/// The generic service.
const GENERIC: Preset = Preset {
    name: "service",
    endpoints: &[],
    auth_scheme: "Service-Auth-Key",
    reporting_tag_header: "X-Service-Reporting-Tag",
    free_key_suffix: None,
    latency_rule: true,
};

/// The public service.
const PUBLIC: Preset = Preset {
    name: PUBLIC_NAME,
    endpoints: &[
        ("paid", "https://api.deepl.com"),
        ("free", "https://api-free.deepl.com"),
        ("us", "https://api-us.deepl.com"),
        ("jp", "https://api-jp.deepl.com"),
    ],
    auth_scheme: "DeepL-Auth-Key",
    reporting_tag_header: "X-DeepL-Reporting-Tag",
    free_key_suffix: Some(":fx"),
    latency_rule: false,
};

const PRESETS: [&Preset; 2] = [&GENERIC, &PUBLIC];

/// The name of the public service's preset, which has key variables of its own.
pub const PUBLIC_NAME: &str = "deepl";

/// A service known by name, without a choice of address.
#[derive(Clone, Debug)]
pub struct ServiceDefinition {
    /// Its name in settings.
    pub name: String,
    /// Endpoints and their base addresses.
    pub endpoints: Vec<(String, String)>,
    /// First word of the `Authorization` header.
    auth_scheme: String,
    /// Header of the reporting tag.
    reporting_tag_header: String,
    /// Suffix of the keys of the free plan, which belong to the endpoint `free`.
    pub free_key_suffix: Option<&'static str>,
    /// Whether `latency_optimized` excludes features of the quality model.
    latency_rule: bool,
}

impl ServiceDefinition {
    /// Returns the definition of a name, or of the generic service. Settings override the preset of the same name.
    pub fn find(name: Option<&str>, file: &SettingsFile) -> Result<Self, Failure> {
        let name = name.unwrap_or(GENERIC.name);
        let preset = PRESETS.into_iter().find(|preset| preset.name == name);
        if preset.is_none() && own_services(file).all(|own| own != name) {
            return Err(unknown(name, file));
        }
        let base = preset.unwrap_or(&GENERIC);
        let setting = |key: &str| file.text(&["services", name, key]);
        let own = ENDPOINTS.iter().filter_map(|(endpoint, key)| Some((*endpoint, setting(key)?)));
        let mut endpoints: Vec<(String, String)> =
            own.map(|(endpoint, url)| (endpoint.to_owned(), url.to_owned())).collect();
        for (endpoint, url) in base.endpoints {
            if !endpoints.iter().any(|(own, _)| own == endpoint) {
                endpoints.push(((*endpoint).to_owned(), (*url).to_owned()));
            }
        }
        Ok(Self {
            name: name.to_owned(),
            endpoints,
            auth_scheme: setting("auth_scheme").unwrap_or(base.auth_scheme).to_owned(),
            reporting_tag_header: setting("reporting_tag_header").unwrap_or(base.reporting_tag_header).to_owned(),
            free_key_suffix: base.free_key_suffix,
            latency_rule: base.latency_rule,
        })
    }

    /// Returns the base address of an endpoint.
    pub fn address(&self, endpoint: &str) -> Result<&str, Failure> {
        if let Some((_, url)) = self.endpoints.iter().find(|(name, _)| name == endpoint) {
            return Ok(url);
        }
        let what = if self.endpoints.is_empty() { "address".to_owned() } else { format!("endpoint `{endpoint}`") };
        Err(Failure::new(Kind::Key, format!("service `{}` has no {what}", self.name))
            .hint("pass --server URL, or set base_url under [services]"))
    }

    /// Returns the service at an address.
    pub fn at(self, base_url: String) -> Service {
        Service {
            name: self.name,
            base_url,
            auth_scheme: self.auth_scheme,
            reporting_tag_header: self.reporting_tag_header,
            latency_rule: self.latency_rule,
        }
    }
}

/// The names under `[services]`.
fn own_services(file: &SettingsFile) -> impl Iterator<Item = &str> {
    file.entries.iter().filter_map(|entry| match entry.path.as_slice() {
        [group, name, ..] if group == "services" => Some(name.as_str()),
        _ => None,
    })
}

fn unknown(name: &str, file: &SettingsFile) -> Failure {
    let failure = Failure::usage(format!("unknown service `{name}`"));
    match suggest::closest(name, own_services(file).chain(PRESETS.iter().map(|preset| preset.name))) {
        Some(close) => failure.hint(format!("did you mean `{close}`?")),
        None => failure.hint("valid services: service, deepl, and those under [services]"),
    }
}
