//! The path of a request, relative to the server's base address.

use tulk_base::error::Failure;

use super::encoding::{decode_path, encode_segment};

/// A path that starts with `/`, with every segment percent-encoded. A path from `tulk api` may include a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    /// Replaces the placeholders of a template such as `/v3/glossaries/{glossary_id}`, in order. Fails on an ID that is empty, `.` or `..`,
    /// because the path would address another resource.
    pub fn fill(template: &str, ids: &[&str]) -> Result<Self, Failure> {
        let mut ids = ids.iter();
        let mut path = String::with_capacity(template.len() + 40);
        for segment in template.split('/').skip(1) {
            path.push('/');
            if !segment.starts_with('{') {
                path.push_str(segment);
                continue;
            }
            let id = ids.next().ok_or_else(|| Failure::internal(format!("no value for {segment} in {template}")))?;
            if matches!(*id, "" | "." | "..") {
                return Err(Failure::usage(format!("invalid ID `{id}`")));
            }
            path.push_str(&encode_segment(id));
        }
        Ok(Self(path))
    }

    /// Checks a path that the user typed (`tulk api`). The leading `/` is optional. Fails on a full URL, on whitespace and control
    /// characters, and on anything that a URL parser would rewrite: the request could then reach another operation with the wrong key.
    pub fn parse(path: &str) -> Result<Self, Failure> {
        let bare = path.split('?').next().unwrap_or_default();
        if bare.contains("://") || bare.starts_with("//") {
            return Err(Failure::usage("expected a path, found a URL")
                .hint("write a path such as /v2/usage; --server selects the server"));
        }
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        if path.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Failure::usage("the path contains a space or a control character").hint("write a space as %20"));
        }
        let decoded = decode_path(&path);
        if decoded.contains('\\') || path.contains('#') || decoded.split('/').any(|part| part == "." || part == "..") {
            return Err(Failure::usage("the path contains a `.` or `..` segment, a backslash or a `#`")
                .hint("write the path as the service documents it, and `#` as %23"));
        }
        Ok(Self(path))
    }

    /// Returns the path, with its query.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path without its query.
    pub fn without_query(&self) -> &str {
        self.0.split('?').next().unwrap_or_default()
    }

    /// Returns whether this is an admin operation, which requires the admin key. Compares the path as a lenient server would read it.
    pub fn is_admin(&self) -> bool {
        let decoded = decode_path(&self.0).to_ascii_lowercase();
        let mut parts = decoded.split('/').filter(|part| !part.is_empty());
        parts.next() == Some("v2") && parts.next() == Some("admin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_and_encodes_each_placeholder() {
        let path = Path::fill("/v3/style_rules/{style_id}/custom_instructions/{id}", &["a/b c?d", "e:f"]).unwrap();
        assert_eq!(path.as_str(), "/v3/style_rules/a%2Fb%20c%3Fd/custom_instructions/e:f");
        assert_eq!(Path::fill("/v2/usage", &[]).unwrap().as_str(), "/v2/usage");
        assert!(Path::fill("/v2/{id}", &[]).is_err());
    }

    #[test]
    fn refuses_ids_that_would_change_the_path() {
        for id in ["", ".", ".."] {
            assert!(Path::fill("/v3/glossaries/{glossary_id}", &[id]).is_err(), "{id:?}");
        }
    }

    #[test]
    fn recognises_admin_paths() {
        assert!(Path::parse("/v2/admin/developer-keys?x=1").unwrap().is_admin());
        assert!(!Path::parse("/v2/administrators").unwrap().is_admin());
        for path in ["/v2//admin/x", "/V2/Admin", "v2/%61dmin/developer-keys"] {
            assert!(Path::parse(path).unwrap().is_admin(), "{path}");
        }
    }

    #[test]
    fn refuses_what_a_url_parser_would_rewrite() {
        for path in ["/v3/../v2/admin", "/v2/%2e%2E/x", "/v2/./x", "/a\\b", "/v2/usage#x", "/a b"] {
            assert!(Path::parse(path).is_err(), "{path}");
        }
        assert_eq!(Path::parse("v2/x?back=http://a/../b").unwrap().as_str(), "/v2/x?back=http://a/../b");
    }

    #[test]
    fn refuses_a_full_address() {
        assert!(Path::parse("https://example.org/v2/usage").is_err());
    }
}
