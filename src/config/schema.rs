//! Which settings there are, of which type, and what a value of it may be.

use serde_json::Value;

use super::address::normalized;
use crate::error::Failure;
use crate::suggest::closest;

/// What a setting holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingType {
    /// Text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number from the first to the second.
    Int(i64, i64),
    /// A list of texts; one text stands for a list of one.
    List,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `30s`, `2m`, or seconds.
    Duration,
    /// `5/s`, or a number a second.
    Rate,
    /// A base address.
    Address,
    /// One word that can stand in a header, or name one.
    Token,
}

/// Keys of `[profiles.NAME]`.
pub const PROFILE: &[(&str, SettingType)] = &[
    ("service", SettingType::Text),
    ("endpoint", SettingType::Choice(&["paid", "free", "us", "jp"])),
    ("server", SettingType::Address),
    ("key_command", SettingType::Text),
    ("admin_key_command", SettingType::Text),
    ("target_lang", SettingType::Text),
    ("source_lang", SettingType::Text),
    ("formality", SettingType::Choice(&["default", "more", "less", "prefer_more", "prefer_less"])),
    ("model_type", SettingType::Choice(&["latency_optimized", "quality_optimized", "prefer_quality_optimized"])),
    ("split_sentences", SettingType::Choice(&["0", "1", "nonewlines"])),
    ("preserve_formatting", SettingType::Bool),
    ("glossary", SettingType::List),
    ("style", SettingType::Text),
    ("custom_instruction", SettingType::List),
    ("custom_instructions", SettingType::List),
    ("translation_memory", SettingType::Text),
    ("translation_memory_threshold", SettingType::Int(i64::MIN, i64::MAX)),
    ("show_billed_characters", SettingType::Bool),
    ("tag_handling", SettingType::Choice(&["xml", "html"])),
    ("tag_handling_version", SettingType::Text),
    ("no_outline_detection", SettingType::Bool),
    ("outline_detection", SettingType::Bool),
    ("non_splitting_tags", SettingType::List),
    ("splitting_tags", SettingType::List),
    ("ignore_tags", SettingType::List),
    ("context", SettingType::Text),
    ("reporting_tag", SettingType::Text),
    ("timeout", SettingType::Duration),
    ("retries", SettingType::Int(0, 1000)),
    ("max_wait", SettingType::Duration),
    ("concurrency", SettingType::Int(1, 256)),
    ("rate", SettingType::Rate),
    ("proxy", SettingType::Text),
    ("ca_file", SettingType::Text),
];

/// Keys of `[services.NAME]`.
pub const SERVICE: &[(&str, SettingType)] = &[
    ("base_url", SettingType::Address),
    ("base_url_free", SettingType::Address),
    ("base_url_us", SettingType::Address),
    ("base_url_jp", SettingType::Address),
    ("auth_scheme", SettingType::Token),
    ("reporting_tag_header", SettingType::Token),
];

/// Keys of `[sandbox]`.
pub const SANDBOX: &[(&str, SettingType)] = &[
    ("engine", SettingType::Choice(&["pseudo", "echo", "upper"])),
    ("phrases", SettingType::Text),
    ("memories", SettingType::Text),
    ("latency", SettingType::Text),
    ("fault", SettingType::List),
    ("seed", SettingType::Int(0, i64::MAX)),
    ("rate_limit", SettingType::Rate),
    ("character_limit", SettingType::Int(0, i64::MAX)),
    ("key", SettingType::List),
    ("admin_key", SettingType::List),
    ("ephemeral", SettingType::Bool),
    ("document_queue_time", SettingType::Duration),
    ("document_translate_time", SettingType::Duration),
    ("glossary_ready_delay", SettingType::Duration),
    ("record", SettingType::Text),
    ("voice_fault", SettingType::List),
];

/// Keys at the top, the tables among them.
pub const TOP: [&str; 4] = ["default_profile", "profiles", "services", "sandbox"];

/// The type of a key; an unknown key fails with a suggestion.
pub fn type_of(path: &[String]) -> Result<SettingType, Failure> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let (known, key): (&[(&str, SettingType)], &str) = match words.as_slice() {
        ["default_profile"] => return Ok(SettingType::Text),
        ["profiles", _, key] => (PROFILE, key),
        ["services", _, key] => (SERVICE, key),
        ["sandbox", key] => (SANDBOX, key),
        ["profiles" | "services" | "sandbox"] | ["profiles" | "services", _] => {
            return Err(Failure::usage(format!("`{}` is a table", path.join(".")))
                .hint("name a key in it, such as profiles.work.target_lang"));
        }
        [first, ..] => {
            return Err(unknown(&path.join("."), first, &TOP));
        }
        [] => return Err(Failure::usage("a key is empty")),
    };
    if let Some((_, found)) = known.iter().find(|(name, _)| *name == key) {
        return Ok(*found);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    Err(unknown(&path.join("."), key, &names))
}

fn unknown(path: &str, key: &str, known: &[&str]) -> Failure {
    let failure = Failure::usage(format!("unknown setting `{path}`"));
    match closest(key, known.iter().copied()) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint(format!("settings there are: {}", known.join(", "))),
    }
}

/// Checks a value against its type.
pub fn check_value(kind: SettingType, value: &Value) -> Result<(), String> {
    let fits = match kind {
        SettingType::Text => value.is_string(),
        SettingType::Bool => value.is_boolean(),
        SettingType::Int(least, most) => match value.as_i64() {
            Some(number) if !(least..=most).contains(&number) => {
                return Err(format!("{number} is not in the range from {least} to {most}"));
            }
            number => number.is_some(),
        },
        SettingType::List => {
            value.is_string() || value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
        }
        SettingType::Choice(words) => {
            let written = spelt(value);
            if !words.contains(&written.replace('-', "_").as_str()) {
                return Err(format!("`{written}` is none of {}", words.join(", ")));
            }
            true
        }
        SettingType::Duration => return super::parse_duration(&spelt(value)).map(|_| ()),
        SettingType::Rate => return super::parse_rate(&spelt(value)).map(|_| ()),
        SettingType::Address => match value.as_str() {
            Some(text) => return normalized(text).map(|_| ()).map_err(|f| f.what),
            None => false,
        },
        SettingType::Token => value.as_str().is_some_and(|text| !text.is_empty() && text.bytes().all(is_token_byte)),
    };
    if fits { Ok(()) } else { Err(format!("{} expected, not {value}", what(kind))) }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// A profile's setting under its one name and in its one form: lists as lists, words as on the wire.
pub fn settled(key: &str, value: &Value) -> (&'static str, Value) {
    let (name, kind) = PROFILE.iter().find(|(name, _)| *name == key).copied().unwrap_or(("", SettingType::Text));
    match (name, kind, value) {
        ("no_outline_detection", _, Value::Bool(no)) => ("outline_detection", Value::Bool(!no)),
        (_, SettingType::List, Value::String(one)) => (one_name(name), Value::from(vec![one.as_str()])),
        (_, SettingType::Choice(_), value) => (name, Value::from(spelt(value).replace('-', "_"))),
        _ => (one_name(name), value.clone()),
    }
}

/// A setting may be called like the flag or like the field; this is the field.
pub fn one_name(key: &str) -> &str {
    match key {
        "custom_instruction" => "custom_instructions",
        "no_outline_detection" => "outline_detection",
        other => other,
    }
}

/// A value as it would be written on the command line.
pub fn spelt(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What a type wants, for messages.
pub fn what(kind: SettingType) -> &'static str {
    match kind {
        SettingType::Text | SettingType::Choice(_) | SettingType::Address => "text in quotes",
        SettingType::Bool => "true or false",
        SettingType::Int(..) => "a whole number",
        SettingType::List => "a list of texts",
        SettingType::Token => "one word of letters, digits and hyphens",
        SettingType::Duration => "a duration such as \"30s\"",
        SettingType::Rate => "a rate such as \"5/s\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_have_one_name_and_one_form() {
        assert_eq!(settled("ignore_tags", &"x".into()), ("ignore_tags", serde_json::json!(["x"])));
        assert_eq!(settled("custom_instruction", &"x".into()), ("custom_instructions", serde_json::json!(["x"])));
        assert_eq!(settled("no_outline_detection", &true.into()), ("outline_detection", false.into()));
        assert_eq!(settled("formality", &"prefer-more".into()), ("formality", "prefer_more".into()));
        assert_eq!(settled("split_sentences", &0.into()), ("split_sentences", "0".into()));
        assert_eq!(settled("retries", &3.into()), ("retries", 3.into()));
    }
}
