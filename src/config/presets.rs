//! Services that are known by name, as data: hosts, authorization scheme, header of the reporting tag.

/// What depends on the service.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name in settings.
    pub name: &'static str,
    /// Endpoints and their base addresses; empty where `--server` or settings give it.
    pub endpoints: &'static [(&'static str, &'static str)],
    /// First word of the `Authorization` header.
    pub auth_scheme: &'static str,
    /// Header of the reporting tag.
    pub reporting_tag_header: &'static str,
    /// End of the keys of the free plan, which go to the endpoint `free`.
    pub free_key_suffix: Option<&'static str>,
    /// Whether `latency_optimized` excludes features of the quality model.
    pub latency_rule: bool,
}

/// The generic service.
pub const SERVICE: Preset = Preset {
    name: "service",
    endpoints: &[],
    auth_scheme: "Service-Auth-Key",
    reporting_tag_header: "X-Service-Reporting-Tag",
    free_key_suffix: None,
    latency_rule: true,
};

/// The public service.
pub const DEEPL: Preset = Preset {
    name: "deepl",
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

/// All presets.
pub const PRESETS: [&Preset; 2] = [&SERVICE, &DEEPL];

/// The preset of a name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.into_iter().find(|p| p.name == name)
}
