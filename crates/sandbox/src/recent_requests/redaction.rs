//! Removes keys from the requests that the sandbox shows.
//!
//! A long key is replaced wherever it appears. A short one, such as `test`, may also be an ordinary word: it is
//! replaced only where it is the complete value of a header, a parameter or a string. The default key is public and
//! stays.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::routes::without_token;

pub(super) const HIDDEN: &str = "***";
/// The key that a sandbox accepts by default.
const DEFAULT_KEY: &str = "sandbox";
/// Minimum length of a long key, in bytes.
const LONG_KEY_BYTES_MIN: usize = 16;
/// Parameters and fields whose values are secrets.
const SECRET_NAMES: [&str; 4] = ["auth_key", "key_id", "token", "signature"];
const SIGNATURE_PARAMETER: &str = "?signature=";

#[derive(Clone, Debug, Default)]
pub(crate) struct KnownKeys {
    short: Vec<String>,
    long: Vec<String>,
}

impl KnownKeys {
    pub(crate) fn new(keys: impl IntoIterator<Item = String>) -> Self {
        let mut known = Self::default();
        keys.into_iter().for_each(|key| known.add(&key));
        known
    }

    pub(super) fn add(&mut self, key: &str) {
        if key.is_empty() || key == DEFAULT_KEY {
            return;
        }
        if key.len() < LONG_KEY_BYTES_MIN {
            self.short.push(key.to_owned());
            return;
        }
        self.long.push(key.to_owned());
    }

    pub(super) fn hide_long_keys<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut hidden = Cow::Borrowed(text);
        for key in &self.long {
            if hidden.contains(key.as_str()) {
                hidden = hidden.replace(key.as_str(), HIDDEN).into();
            }
        }
        hidden
    }

    /// Replaces the token in the path of a memory file, and the keys in every other path.
    pub(super) fn hide_in_path<'a>(&self, path: &'a str) -> Cow<'a, str> {
        without_token(path).map_or_else(|| self.hide_keys(path), |start| format!("{start}{HIDDEN}").into())
    }

    /// Replaces a value that is a key, or the long keys in it.
    pub(super) fn hide_keys<'a>(&self, value: &'a str) -> Cow<'a, str> {
        if self.short.iter().any(|key| key == value) { HIDDEN.into() } else { self.hide_long_keys(value) }
    }

    /// Replaces the keys in the value of a header, where a scheme may precede the key.
    pub(super) fn hide_in_header<'a>(&self, value: &'a str) -> Cow<'a, str> {
        match value.trim().split_once(' ') {
            Some((scheme, key)) if self.short.iter().any(|short| short == key.trim()) => {
                format!("{scheme} {HIDDEN}").into()
            }
            _ => self.hide_keys(value),
        }
    }

    pub(super) fn hide_in_parameters(&self, text: &str) -> String {
        let pair = |pair: &str| {
            let Some((name, value)) = pair.split_once('=') else { return self.hide_keys(pair).into_owned() };
            let value = decode_parameter(value);
            let is_secret = is_secret_name(&decode_parameter(name)) || self.hide_keys(&value) != value;
            if is_secret { format!("{name}={HIDDEN}") } else { pair.to_owned() }
        };
        let pairs: Vec<String> = text.split('&').map(pair).collect();
        // A key may contain an unescaped `&`.
        self.hide_long_keys(&pairs.join("&")).into_owned()
    }

    /// Replaces the keys in the strings of a JSON value. Returns whether any were found.
    pub(super) fn hide_in_json(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => {
                if let Some((address, _)) = text.split_once(SIGNATURE_PARAMETER)
                    && address.starts_with("http")
                {
                    *text = format!("{address}{SIGNATURE_PARAMETER}{HIDDEN}");
                    return true;
                }
                if let Some(start) = without_token(text) {
                    *text = format!("{start}{HIDDEN}");
                    return true;
                }
                let hidden = self.hide_keys(text);
                let changed = hidden != text.as_str();
                *text = hidden.into_owned();
                changed
            }
            Value::Array(items) => {
                let changed = items.iter_mut().filter_map(|item| self.hide_in_json(item).then_some(()));
                changed.count() > 0
            }
            Value::Object(fields) => {
                let changed = fields.iter_mut().filter_map(|(name, field)| {
                    if is_secret_name(name) && field.is_string() {
                        *field = Value::from(HIDDEN);
                        return Some(());
                    }
                    self.hide_in_json(field).then_some(())
                });
                changed.count() > 0
            }
            _ => false,
        }
    }
}

fn is_secret_name(name: &str) -> bool {
    SECRET_NAMES.contains(&name)
}

fn decode_parameter(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}
