//! Services by name, and the base addresses of servers. `precedence` decides which service a command uses.

use reqwest::Url;
use tulk_base::error::{Failure, Kind};
use tulk_base::suggest;
use tulk_client::Service;

use super::file::SettingsFile;
use super::schema::ENDPOINTS;

/// A built-in service.
struct BuiltInService {
    name: &'static str,
    /// Endpoints and their base addresses. Empty if `--server` or settings must provide the address.
    endpoints: &'static [(&'static str, &'static str)],
    auth_scheme: &'static str,
    reporting_tag_header: &'static str,
    free_key_suffix: Option<&'static str>,
}

const GENERIC: BuiltInService = BuiltInService {
    name: "service",
    endpoints: &[],
    auth_scheme: "Service-Auth-Key",
    reporting_tag_header: "X-Service-Reporting-Tag",
    free_key_suffix: None,
};

const PUBLIC: BuiltInService = BuiltInService {
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
};

const BUILT_IN_SERVICES: [&BuiltInService; 2] = [&GENERIC, &PUBLIC];

/// Name of the public service's preset. This service has its own key variables.
pub const PUBLIC_NAME: &str = "deepl";

/// A named service before its address is chosen.
#[derive(Clone, Debug)]
pub struct ServiceDefinition {
    pub name: String,
    pub endpoints: Vec<(String, String)>,
    /// First word of the `Authorization` header.
    auth_scheme: String,
    reporting_tag_header: String,
    /// Suffix of keys of the free plan, which belong to the endpoint `free`.
    pub free_key_suffix: Option<&'static str>,
}

impl ServiceDefinition {
    /// Returns the definition of a service, by default of the generic one. Settings override the preset of the same name.
    pub fn find(name: Option<&str>, file: &SettingsFile) -> Result<Self, Failure> {
        let name = name.unwrap_or(GENERIC.name);
        let preset = BUILT_IN_SERVICES.into_iter().find(|preset| preset.name == name);
        if preset.is_none() && own_services(file).all(|own| own != name) {
            return Err(unknown_service(name, file));
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
        })
    }

    pub fn address(&self, endpoint: &str) -> Result<&str, Failure> {
        if let Some((_, url)) = self.endpoints.iter().find(|(name, _)| name == endpoint) {
            return Ok(url);
        }
        let what = if self.endpoints.is_empty() { "address".to_owned() } else { format!("endpoint `{endpoint}`") };
        Err(Failure::new(Kind::Key, format!("service `{}` has no {what}", self.name))
            .hint("pass --server URL, or set base_url under [services]"))
    }

    pub fn at(self, base_url: String) -> Service {
        Service {
            is_public: self.name == PUBLIC_NAME,
            name: self.name,
            base_url,
            auth_scheme: self.auth_scheme,
            reporting_tag_header: self.reporting_tag_header,
        }
    }
}

/// Returns the services that have at least one address: those under `[services]`, and presets.
pub fn with_endpoints(file: &SettingsFile) -> Result<Vec<ServiceDefinition>, Failure> {
    let mut names: Vec<&str> = Vec::new();
    for name in own_services(file).chain(BUILT_IN_SERVICES.iter().map(|preset| preset.name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let all = names.into_iter().map(|name| ServiceDefinition::find(Some(name), file));
    Ok(all.collect::<Result<Vec<_>, _>>()?.into_iter().filter(|service| !service.endpoints.is_empty()).collect())
}

/// Returns the names under `[services]`, with repetitions.
fn own_services(file: &SettingsFile) -> impl Iterator<Item = &str> {
    file.entries.iter().filter_map(|entry| match entry.path.as_slice() {
        [group, name, ..] if group == "services" => Some(name.as_str()),
        _ => None,
    })
}

fn unknown_service(name: &str, file: &SettingsFile) -> Failure {
    let failure = Failure::usage(format!("unknown service `{name}`"));
    match suggest::closest(name, own_services(file).chain(BUILT_IN_SERVICES.iter().map(|preset| preset.name))) {
        Some(close) => failure.hint(format!("did you mean `{close}`?")),
        None => failure.hint("valid services: service, deepl, and those under [services]"),
    }
}

/// Adds a hint with the complete address if an address without a scheme starts with a host name.
fn with_scheme_hint(text: &str, failure: Failure) -> Failure {
    let host = text.split([':', '/']).next().unwrap_or_default();
    let is_local = host == "localhost" || host == "127.0.0.1";
    if !(is_local || host.contains('.')) {
        return failure;
    }
    let address = format!("{}://{text}", if is_local { "http" } else { "https" });
    if normalized_address(&address).is_ok() { failure.hint(format!("write {address}")) } else { failure }
}

/// Returns a base address without its trailing slash and version, and a note if a version was removed.
pub fn normalized_address(text: &str) -> Result<(String, Option<String>), Failure> {
    let text = text.trim();
    let wrong = |why: &str| {
        // Do not quote an address that may contain a key or a password, even if it is invalid. An `@` may be written as `%40` or `＠`.
        let is_plain = |c: char| c.is_ascii() && !matches!(c, '@' | '?' | '#' | '%' | '\\');
        let quoted = if text.chars().all(is_plain) { format!(" `{text}`") } else { String::new() };
        Failure::usage(format!("invalid server address{quoted}: {why}"))
            .hint("write a URL such as https://translate.example/")
    };
    let scheme = "it must start with https:// or http://";
    if !text.contains("://") {
        return Err(with_scheme_hint(text, wrong(scheme)));
    }
    let mut url = Url::parse(text).map_err(|e| wrong(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(scheme));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(wrong("it has no host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it contains a user name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it contains a query or fragment"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    let mut prefix = path.as_str();
    // Remove all versions, so that normalizing the result again does not change it.
    while let Some(rest) = ["/v1", "/v2", "/v3"].iter().find_map(|version| prefix.strip_suffix(version)) {
        prefix = rest.trim_end_matches('/');
    }
    let note = path.strip_prefix(prefix).filter(|versions| !versions.is_empty());
    if note.is_some() {
        url.set_path(prefix);
    }
    let base = url.as_str().trim_end_matches('/').to_owned();
    let note = note.map(|versions| format!("ignoring {versions} at the end of the server address: using {base}"));
    Ok((base, note))
}

/// Returns whether two addresses name the same server after normalization.
pub fn is_same(one: &str, other: &str) -> bool {
    let base = |text| normalized_address(text).map(|(base, _)| base);
    matches!((base(one), base(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizing_removes_slash_and_version_and_keeps_prefixes() {
        let base = |text: &str| normalized_address(text).unwrap().0;
        assert_eq!(base("https://a.example/"), "https://a.example");
        assert_eq!(base("https://a.example/v2/"), "https://a.example");
        assert_eq!(base("https://a.example/proxy/v3"), "https://a.example/proxy");
        assert_eq!(base("http://127.0.0.1:80/x"), "http://127.0.0.1/x");
        assert_eq!(base(" HTTPS://A.Example:443 "), "https://a.example");
        assert!(normalized_address("https://a.example/v2").unwrap().1.unwrap().contains("/v2"));
        let twice = normalized_address("https://a.example/x/v2//v3/").unwrap();
        assert_eq!((twice.0.as_str(), twice.1.unwrap().contains("ignoring /v2//v3 at")), ("https://a.example/x", true));
        assert_eq!(normalized_address("https://a.example/xv2").unwrap(), ("https://a.example/xv2".into(), None));
    }

    #[test]
    fn a_host_named_like_a_version_is_kept() {
        assert_eq!(normalized_address("https://v2").unwrap(), ("https://v2".into(), None));
        assert_eq!(normalized_address("http://v3/v3/").unwrap().0, "http://v3");
    }

    #[test]
    fn refuses_invalid_addresses() {
        for text in [
            "",
            "a.example",
            "localhost:3000",
            "ftp://a",
            "https://u:p@a.example",
            "u:p@a.example",
            "https://u:p@",
            "https://a.example?x=1",
            "https://a.example#x",
            "https://",
        ] {
            let failure = normalized_address(text).unwrap_err();
            assert!(!failure.what.contains("u:p") && !failure.what.contains("x=1"), "{}", failure.what);
        }
    }

    #[test]
    fn is_same_compares_normalized_addresses() {
        assert!(is_same("https://a.example/v2", "https://A.example"));
        assert!(!is_same("https://a.example", "http://a.example"));
        assert!(!is_same("", ""));
    }
}
