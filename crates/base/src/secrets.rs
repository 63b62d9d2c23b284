//! The secrets in use: keys, document keys, voice tokens, passwords of proxies. Their values never reach stderr.
//!
//! A value is registered where it comes into being: an API key when it is read, a document key or a voice token when the
//! service sends it, anything else when it is sent. `output` strikes all of them out of every line on stderr.

use std::borrow::Cow;
use std::sync::{PoisonError, RwLock};

use serde::{Deserialize as _, Deserializer};

/// What replaces a secret.
pub const STRUCK: &str = "***";
/// The default key of the sandbox. It is documented, so it is no secret, and `tulk sandbox` has to stay readable.
const PUBLIC_KEY: &str = "sandbox";
/// From this length on a value is struck wherever it occurs.
const LONG: usize = 8;
/// From this length on a value is struck where it is a whole word. A shorter one would strike ordinary text.
const SHORT: usize = 4;

/// The registered values, longest first, so that no value hides a part of a longer one.
static VALUES: RwLock<Vec<Box<str>>> = RwLock::new(Vec::new());

/// Registers the value of a secret.
///
/// A value of 8 or more characters is struck wherever it occurs, also inside a word. A value of 4 to 7 characters is
/// struck only where it is a whole word, because it may be a part of ordinary words. Shorter values are not struck, and
/// neither is the default key of the sandbox.
pub fn register(value: &str) {
    let value = value.trim();
    if value == PUBLIC_KEY || value.chars().count() < SHORT {
        return;
    }
    let mut values = VALUES.write().unwrap_or_else(PoisonError::into_inner);
    if values.iter().any(|known| &**known == value) {
        return;
    }
    let at = values.partition_point(|known| known.len() >= value.len());
    values.insert(at, value.into());
}

/// Registers an address that is a secret as a whole, and the long values of its query: a signature is never short.
pub fn register_address(address: &str) {
    register(address);
    let query = address.split_once('?').map(|(_, query)| query).unwrap_or_default();
    for (_, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| is_long(value)) {
        register(&value);
    }
}

fn is_long(value: &str) -> bool {
    value.chars().nth(LONG - 1).is_some()
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
        Some(password) => Cow::Owned(address.replacen(&format!(":{password}@"), &format!(":{STRUCK}@"), 1)),
        None => Cow::Borrowed(address),
    }
}

/// Returns the password of an address, as it is written there.
fn password(address: &str) -> Option<&str> {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (user_info, _) = authority.rsplit_once('@')?;
    Some(user_info.split_once(':')?.1)
}

/// Deserializes text that is a secret, and registers it. For `#[serde(deserialize_with)]`.
pub fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    register(&text);
    Ok(text)
}

/// Deserializes text that is a secret or missing, and registers it. For `#[serde(deserialize_with)]`.
pub fn optional_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    if let Some(text) = &text {
        register(text);
    }
    Ok(text)
}

/// Deserializes an address that is a secret, and registers it. For `#[serde(deserialize_with)]`.
pub fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    register_address(&text);
    Ok(text)
}

/// Returns a text in which every registered value is replaced by `***`: plain, escaped as in JSON, or percent-encoded.
pub fn strike(text: &str) -> Cow<'_, str> {
    // A panic while the list was being changed leaves it readable; the panic hook comes here too.
    let values = VALUES.read().unwrap_or_else(PoisonError::into_inner);
    if values.is_empty() { Cow::Borrowed(text) } else { strike_values(text, &values) }
}

/// As [`strike`], with the values to strike.
fn strike_values<'a>(text: &'a str, values: &[Box<str>]) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let (mut struck, mut kept, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        match values.iter().find_map(|value| match_at(bytes, at, value)) {
            Some(end) => {
                struck.push_str(text.get(kept..at).unwrap_or_default());
                struck.push_str(STRUCK);
                (kept, at) = (end, end);
            }
            None => at += 1,
        }
    }
    if kept == 0 && struck.is_empty() {
        return Cow::Borrowed(text);
    }
    struck.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(struck)
}

/// Returns where a value that starts at `start` ends.
fn match_at(text: &[u8], start: usize, value: &str) -> Option<usize> {
    let rest = text.get(start..)?;
    let length = if rest.starts_with(value.as_bytes()) { value.len() } else { encoded_len(rest, value.as_bytes())? };
    let end = start + length;
    let is_word_byte = |at: Option<&u8>| at.is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
    let is_part_of_word =
        || is_word_byte(start.checked_sub(1).and_then(|at| text.get(at))) || is_word_byte(text.get(end));
    (is_long(value) || !is_part_of_word()).then_some(end)
}

/// Returns the length of an encoded form of `value` at the start of `text`. Each byte may be encoded or not.
fn encoded_len(text: &[u8], value: &[u8]) -> Option<usize> {
    let mut length = 0;
    let mut is_escaped = false;
    for &byte in value {
        let rest = text.get(length..)?;
        let backslashes = rest.iter().take_while(|b| **b == b'\\').count();
        if byte == b'\\' {
            // JSON doubles it, and JSON inside of JSON once more: a run of any length counts as one.
            if backslashes == 0 && !is_escaped {
                length += percent_len(rest, byte)?;
            }
            is_escaped = true;
            length += backslashes;
            let after = rest.get(backslashes..)?;
            if backslashes > 0 && after.len() >= 5 && after.get(..5)?.eq_ignore_ascii_case(b"u005c") {
                length += 5;
            }
            continue;
        }
        is_escaped = false;
        let rest = rest.get(backslashes..)?;
        length += backslashes + byte_len(rest, byte, backslashes > 0)?;
    }
    Some(length)
}

/// Returns the length of one byte of a value: as it is, `%2F`, `%252F`, `+` for a space, or `u002f` after a backslash.
fn byte_len(text: &[u8], byte: u8, after_backslash: bool) -> Option<usize> {
    if let Some(length) = percent_len(text, byte) {
        return Some(length);
    }
    // First, because the letter `u` may be escaped too.
    let unicode = text.strip_prefix(b"u00").filter(|_| after_backslash);
    if unicode.and_then(hex_byte) == Some(byte) {
        return Some(5);
    }
    (text.first() == Some(&byte) || (byte == b' ' && text.first() == Some(&b'+'))).then_some(1)
}

/// Returns the length of a percent-encoded byte, encoded once or several times.
fn percent_len(text: &[u8], byte: u8) -> Option<usize> {
    let mut rest = text.strip_prefix(b"%")?;
    loop {
        if hex_byte(rest) == Some(byte) {
            return Some(text.len() - rest.len() + 2);
        }
        rest = rest.strip_prefix(b"25")?;
    }
}

fn hex_byte(text: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(text.get(..2)?).ok()?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn struck(text: &str, values: &[&str]) -> String {
        let values: Vec<Box<str>> = values.iter().map(|value| (*value).into()).collect();
        strike_values(text, &values).into_owned()
    }

    #[test]
    fn a_long_value_is_struck_anywhere() {
        assert_eq!(struck("key k-12345678 in xk-12345678x", &["k-12345678"]), "key *** in x***x");
        assert_eq!(struck("k-12345678k-12345678", &["k-12345678"]), "******");
        assert_eq!(struck("k-1234567, k-1234567", &["k-12345678"]), "k-1234567, k-1234567");
        assert_eq!(struck("grüße k-12345678 ä", &["k-12345678"]), "grüße *** ä");
    }

    #[test]
    fn a_short_value_is_struck_as_a_word_only() {
        assert_eq!(
            struck("work, working, rework, homework; key=work", &["work"]),
            "***, working, rework, homework; key=***"
        );
        assert_eq!(struck("äwork workä", &["work"]), "äwork workä");
    }

    #[test]
    fn encoded_values_are_struck() {
        let values = ["a+b/c==\"\\é"];
        for text in [
            "a+b/c==\"\\é",
            r#"a+b/c==\"\\é"#,
            r#"a+b\/c==\\\"\\\\é"#,
            "a%2Bb%2Fc%3D%3D%22%5C%C3%A9",
            "a%2bb%2fc%3d%3d%22%5c%c3%a9",
            "a%252Bb%252Fc%253D%253D%2522%255C%25C3%25A9",
            r"a+b/c\u003d\u003d\u0022\u005cé",
        ] {
            assert_eq!(struck(&format!("<{text}>"), &values), "<***>", "{text}");
        }
        // After a backslash, `u0075` is the letter `u`, and `u` alone may be one too.
        for text in [r"\u0072u\u006e-12345", r"r\u0075n-12345", r"r\un-12345"] {
            assert_eq!(struck(text, &["run-12345"]), "***", "{text}");
        }
    }

    #[test]
    fn the_longest_value_wins() {
        assert_eq!(struck("wss://h/?token=0123456789", &["wss://h/?token=0123456789", "0123456789"]), "***");
    }

    #[test]
    fn registers_what_is_secret_and_not_the_key_of_the_sandbox() {
        register("sandbox");
        register("abc");
        register(" registered-secret-1 \n");
        register_address("wss://h/c?token=registered%2Bsecret-2&x=y");
        register_password("http://user:registered%40secret-3@proxy:3128");
        register_password("socks5h://user:registered-secret-4@proxy");
        let text = "sandbox abc registered-secret-1 registered+secret-2 registered@secret-3 registered-secret-4 y";
        assert_eq!(strike(text), "sandbox abc *** *** *** *** y");
        assert_eq!(strike("see wss://h/c?token=registered%2Bsecret-2&x=y"), "see ***");
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
        assert_eq!(strike(&read.one), "***");
        assert_eq!(strike(&read.two.unwrap()), "***");
        assert!(serde_json::from_str::<WithSecrets>(r#"{"one":"deserialized-1"}"#).unwrap().two.is_none());
    }
}
