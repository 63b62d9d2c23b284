//! A service at an address.

use reqwest::Url;

/// The name of the embedded sandbox, and its address where a server is shown or recorded.
pub const SANDBOX_NAME: &str = "sandbox";

/// A service at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// The name of the preset or service: `service`, `deepl`, or one under `[services]`.
    pub name: String,
    /// Base address without a trailing `/`. A path prefix is kept.
    pub base_url: String,
    /// First word of the `Authorization` header.
    pub auth_scheme: String,
    /// Header of the reporting tag.
    pub reporting_tag_header: String,
    /// Whether the rules of the public service apply. For the differences, see docs/service.md, "Presets".
    pub is_public: bool,
}

impl Service {
    /// Returns the address as messages and dry runs show it: the embedded sandbox has another port in every run.
    pub fn shown_address(&self) -> &str {
        if self.is_embedded() { SANDBOX_NAME } else { &self.base_url }
    }

    /// Returns whether it is the sandbox in this process.
    pub fn is_embedded(&self) -> bool {
        self.name == SANDBOX_NAME
    }
}

/// Returns whether an address is on this machine.
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
