//! Keys of results: digests of everything that a result depends on.

use ring::digest::{Context, SHA256};

/// The first 16 bytes of a SHA-256 digest of a text and everything else that its result depends on.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultKey(pub [u8; 16]);

impl ResultKey {
    /// The first four bytes, by which a result is found.
    pub(super) fn head(self) -> i64 {
        let [a, b, c, d, ..] = self.0;
        i64::from(i32::from_be_bytes([a, b, c, d]))
    }

    /// The other bytes.
    pub(super) fn tail(&self) -> &[u8] {
        self.0.get(4..).unwrap_or_default()
    }
}

/// What the results of a run depend on besides the texts: the service, the operation, its options, the versions of glossaries.
#[derive(Clone)]
pub struct KeyScope(Context);

impl KeyScope {
    /// A scope of these parts. Their order counts, and `["ab"]` differs from `["a", "b"]`.
    pub fn new<'a>(parts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut digest = Context::new(&SHA256);
        for part in parts {
            add(&mut digest, part);
        }
        Self(digest)
    }

    /// Returns the key of a text as it is sent, with the entries before it that are sent as context.
    pub fn key(&self, context: &str, text: &str) -> ResultKey {
        let mut digest = self.0.clone();
        add(&mut digest, context);
        add(&mut digest, text);
        let mut key = [0; 16];
        for (to, from) in key.iter_mut().zip(digest.finish().as_ref()) {
            *to = *from;
        }
        ResultKey(key)
    }
}

/// Adds a part with its length before it.
fn add(digest: &mut Context, part: &str) {
    digest.update(&(part.len() as u64).to_le_bytes());
    digest.update(part.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts_and_so_do_their_bounds() {
        let scopes = [vec!["a", "b"], vec!["ab"], vec!["a"], vec!["b", "a"], vec!["a", "b", ""]];
        let mut keys: Vec<ResultKey> =
            scopes.iter().map(|parts| KeyScope::new(parts.iter().copied()).key("", "x")).collect();
        let scope = KeyScope::new(["a"]);
        keys.extend([scope.key("x", ""), scope.key("", ""), scope.key("x", "y"), scope.key("xy", "")]);
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn a_key_stays_the_same_between_versions() {
        let ResultKey(key) = KeyScope::new(["service", "options"]).key("before", "text");
        assert_eq!(data_encoding::HEXLOWER.encode(&key).len(), 32);
    }
}
