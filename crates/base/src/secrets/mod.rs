//! Keeps secrets out of stderr: keys, document keys, voice tokens, proxy passwords.
//!
//! A value is registered as soon as it exists: an API key when it is read, a document key or voice token when the service sends it,
//! anything else before it is sent. `output` replaces registered values in every line on stderr.

use std::borrow::Cow;
use std::sync::{PoisonError, RwLock};

use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD};
use serde::{Deserialize as _, Deserializer};

mod readings;
mod redact;

/// Replacement of a secret.
pub const REDACTED: &str = "***";
/// Default key of the sandbox. It is documented, so it is not a secret. Output with the word `sandbox` must stay readable.
const PUBLIC_KEY: &str = "sandbox";
/// Minimum length of a value that is replaced wherever it occurs.
const MIN_LONG_CHARS: usize = 8;
/// Minimum length of a value that is replaced where it is a complete word. A shorter one would replace ordinary text.
const MIN_SECRET_CHARS: usize = 4;

/// Registered values, longest first, so that a value cannot hide part of a longer one.
static VALUES: RwLock<Vec<Box<str>>> = RwLock::new(Vec::new());

/// Registers a secret. Ignores values with fewer than 4 characters and the default key of the sandbox.
///
/// A value of 4 to 7 characters may be part of an ordinary word, so it is replaced only where it is a complete word.
pub fn register(value: &str) {
    let value = value.trim();
    if value == PUBLIC_KEY || value.chars().count() < MIN_SECRET_CHARS {
        return;
    }
    add(value);
    if is_long(value) {
        for form in base64(value) {
            add(&form);
        }
    }
}

/// Returns the base64 forms of a value: three alignments in two alphabets. Leaves out the characters that depend on the bytes around it.
fn base64(value: &str) -> Vec<String> {
    let forms = (0..3).flat_map(|before: usize| {
        let bytes = [vec![0; before], value.as_bytes().to_vec()].concat();
        // The first and last characters depend on the bytes around the value.
        let (first, end) = ([0, 2, 3].get(before).copied().unwrap_or_default(), bytes.len() * 8 / 6);
        [BASE64_NOPAD, BASE64URL_NOPAD]
            .map(|alphabet| alphabet.encode(&bytes).get(first..end).unwrap_or_default().to_owned())
    });
    forms.collect()
}

fn add(value: &str) {
    let mut values = VALUES.write().unwrap_or_else(PoisonError::into_inner);
    if values.iter().any(|known| &**known == value) {
        return;
    }
    let at = values.partition_point(|known| known.len() >= value.len());
    values.insert(at, value.into());
}

/// Registers an address that is itself a secret, and the long values in its query. Signatures are always long.
pub fn register_address(address: &str) {
    register(address);
    let query = address.split_once('?').map(|(_, query)| query).unwrap_or_default();
    for (_, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| is_long(value)) {
        register(&value);
    }
}

fn is_long(value: &str) -> bool {
    value.chars().nth(MIN_LONG_CHARS - 1).is_some()
}

/// Registers the password of an address such as `http://user:password@proxy:8080`.
pub fn register_password(address: &str) {
    if let Some(password) = password(address) {
        register(password);
        register(&percent_encoding::percent_decode_str(password).decode_utf8_lossy());
    }
}

/// Returns an address with `***` for its password.
pub fn without_password(address: &str) -> Cow<'_, str> {
    match password(address).filter(|password| !password.is_empty()) {
        Some(password) => Cow::Owned(address.replacen(&format!(":{password}@"), &format!(":{REDACTED}@"), 1)),
        None => Cow::Borrowed(address),
    }
}

/// Returns the password of an address, exactly as written there.
fn password(address: &str) -> Option<&str> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user_info, _) = authority.rsplit_once('@')?;
    Some(user_info.split_once(':')?.1)
}

/// Deserializes secret text and registers it. For `#[serde(deserialize_with)]`.
pub fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    register(&text);
    Ok(text)
}

/// Deserializes optional secret text and registers it. For `#[serde(deserialize_with)]`.
pub fn optional_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    if let Some(text) = &text {
        register(text);
    }
    Ok(text)
}

/// Deserializes a secret address and registers it. For `#[serde(deserialize_with)]`.
pub fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    register_address(&text);
    Ok(text)
}

/// Replaces every registered value in a text by `***`, even if it is escaped.
///
/// Each character of a value may be escaped for JSON, addresses, HTML or quoted-printable text, in any nesting. The base64
/// form of a long value is replaced, too.
pub fn redact(text: &str) -> Cow<'_, str> {
    // The panic hook calls this too. A list that was poisoned while it changed is still readable.
    let values = VALUES.read().unwrap_or_else(PoisonError::into_inner);
    if values.is_empty() { Cow::Borrowed(text) } else { redact::redact_values(text, &values) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_secrets_but_not_the_key_of_the_sandbox() {
        register("sandbox");
        register("abc");
        register(" registered-secret-1 \n");
        register_address("wss://h/c?token=registered%2Bsecret-2&x=y");
        register_password("http://user:registered%40secret-3@proxy:3128");
        register_password("socks5h://user:registered-secret-4@proxy");
        let text = "sandbox abc registered-secret-1 registered+secret-2 registered@secret-3 registered-secret-4 y";
        assert_eq!(redact(text), "sandbox abc *** *** *** *** y");
        assert_eq!(redact("see wss://h/c?token=registered%2Bsecret-2&x=y"), "see ***");
    }

    #[test]
    fn redacts_the_base64_form_of_a_long_value() {
        register("registered/secret-6?>");
        for around in [("", ""), ("u", ":"), ("us", ":x"), ("user:", "")] {
            let (before, after) = around;
            let text = format!("{before}registered/secret-6?>{after}");
            for encoded in [BASE64_NOPAD.encode(text.as_bytes()), BASE64URL_NOPAD.encode(text.as_bytes())] {
                let redacted = redact(&encoded);
                assert!(redacted.contains(REDACTED) && redacted.len() < 16, "{text}: {redacted}");
            }
        }
    }

    #[test]
    fn a_deserialized_secret_is_registered() {
        #[derive(serde::Deserialize)]
        struct WithSecrets {
            #[serde(deserialize_with = "text")]
            one: String,
            #[serde(default, deserialize_with = "optional_text")]
            two: Option<String>,
        }
        let read: WithSecrets = serde_json::from_str(r#"{"one":"deserialized-1","two":"deserialized-2"}"#).unwrap();
        assert_eq!(redact(&read.one), "***");
        assert_eq!(redact(&read.two.unwrap()), "***");
        assert!(serde_json::from_str::<WithSecrets>(r#"{"one":"deserialized-1"}"#).unwrap().two.is_none());
    }
}
