//! The service that requests go to: its name, address and headers.

use reqwest::Url;

/// Name of the embedded sandbox. Also shown and recorded in place of its address.
pub const SANDBOX_NAME: &str = "sandbox";

/// A service at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Name of the preset (`service`, `deepl`) or of the entry in `[services]`.
    pub name: String,
    /// Base address without a trailing `/`. A path prefix is kept.
    pub base_url: String,
    /// First word of the `Authorization` header.
    pub auth_scheme: String,
    /// Name of the header that contains the reporting tag.
    pub reporting_tag_header: String,
    /// Whether the rules of the public service apply. For the differences, see docs/service.md, "Presets".
    pub is_public: bool,
}

impl Service {
    /// Returns the address for messages and dry runs. The embedded sandbox is shown by name, since its port differs in every run.
    pub fn shown_address(&self) -> &str {
        if self.is_embedded() { SANDBOX_NAME } else { &self.base_url }
    }

    /// Returns whether this is the sandbox embedded in this process.
    pub fn is_embedded(&self) -> bool {
        self.name == SANDBOX_NAME
    }
}

/// Returns whether a URL points to this machine.
pub fn is_loopback(base: &str) -> bool {
    let Ok(url) = Url::parse(base) else { return false };
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => host.trim_matches(['[', ']']).parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_loopback_addresses() {
        for base in ["http://localhost:1", "http://127.9.0.1", "http://[::1]:5"] {
            assert!(is_loopback(base), "{base}");
        }
        for base in ["http://localhost.example", "http://10.0.0.1", "http://128.0.0.1", "x"] {
            assert!(!is_loopback(base), "{base}");
        }
    }
}
