//! Base addresses of servers: parsing, normalization, comparison.
//!
//! Which address is used is decided in `service`.

use reqwest::Url;

use tulk_base::error::Failure;

/// Returns a base address without a trailing slash and version, and a note if a version was removed.
pub fn normalized(text: &str) -> Result<(String, Option<String>), Failure> {
    let text = text.trim();
    let wrong = |why: &str| {
        // It may contain a key or a password, even if it is not a valid address.
        let quoted = if text.contains(['@', '?', '#']) { String::new() } else { format!(" `{text}`") };
        Failure::usage(format!("invalid server address{quoted}: {why}"))
            .hint("write a URL such as https://translate.example/")
    };
    let mut url = Url::parse(text).map_err(|e| wrong(&e.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it must start with https:// or http://"));
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
    // A second one at the end would go when the address is read again.
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

/// Returns whether two addresses are the same server, however they are written.
pub fn is_same(one: &str, other: &str) -> bool {
    let base = |text| normalized(text).map(|(base, _)| base);
    matches!((base(one), base(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizing_removes_slash_and_version_and_keeps_prefixes() {
        let base = |text: &str| normalized(text).unwrap().0;
        assert_eq!(base("https://a.example/"), "https://a.example");
        assert_eq!(base("https://a.example/v2/"), "https://a.example");
        assert_eq!(base("https://a.example/proxy/v3"), "https://a.example/proxy");
        assert_eq!(base("http://127.0.0.1:80/x"), "http://127.0.0.1/x");
        assert_eq!(base(" HTTPS://A.Example:443 "), "https://a.example");
        assert!(normalized("https://a.example/v2").unwrap().1.unwrap().contains("/v2"));
        let twice = normalized("https://a.example/x/v2//v3/").unwrap();
        assert_eq!((twice.0.as_str(), twice.1.unwrap().contains("ignoring /v2//v3 at")), ("https://a.example/x", true));
        assert_eq!(normalized("https://a.example/xv2").unwrap(), ("https://a.example/xv2".into(), None));
    }

    #[test]
    fn a_host_named_like_a_version_is_kept() {
        assert_eq!(normalized("https://v2").unwrap(), ("https://v2".into(), None));
        assert_eq!(normalized("http://v3/v3/").unwrap().0, "http://v3");
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
            let failure = normalized(text).unwrap_err();
            assert!(!failure.what.contains("u:p") && !failure.what.contains("x=1"), "{}", failure.what);
        }
    }

    #[test]
    fn compares_servers_not_spellings() {
        assert!(is_same("https://a.example/v2", "https://A.example"));
        assert!(!is_same("https://a.example", "http://a.example"));
        assert!(!is_same("", ""));
    }
}
