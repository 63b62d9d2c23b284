//! Which settings there are, of which type, and what a value of it may be.

use serde_json::Value;

use super::address::normalized;
use crate::error::Failure;
use crate::suggest::closest;

/// What a setting holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
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
pub const PROFILE: &[(&str, Type)] = &[
    ("service", Type::Text),
    ("endpoint", Type::Choice(&["paid", "free", "us", "jp"])),
    ("server", Type::Address),
    ("key_command", Type::Text),
    ("admin_key_command", Type::Text),
    ("target_lang", Type::Text),
    ("source_lang", Type::Text),
    ("formality", Type::Choice(&["default", "more", "less", "prefer_more", "prefer_less"])),
    ("model_type", Type::Choice(&["latency_optimized", "quality_optimized", "prefer_quality_optimized"])),
    ("split_sentences", Type::Choice(&["0", "1", "nonewlines"])),
    ("preserve_formatting", Type::Bool),
    ("glossary", Type::List),
    ("style", Type::Text),
    ("custom_instruction", Type::List),
    ("custom_instructions", Type::List),
    ("translation_memory", Type::Text),
    ("translation_memory_threshold", Type::Int(i64::MIN, i64::MAX)),
    ("show_billed_characters", Type::Bool),
    ("tag_handling", Type::Choice(&["xml", "html"])),
    ("tag_handling_version", Type::Text),
    ("no_outline_detection", Type::Bool),
    ("outline_detection", Type::Bool),
    ("non_splitting_tags", Type::List),
    ("splitting_tags", Type::List),
    ("ignore_tags", Type::List),
    ("context", Type::Text),
    ("reporting_tag", Type::Text),
    ("timeout", Type::Duration),
    ("retries", Type::Int(0, 1000)),
    ("max_wait", Type::Duration),
    ("concurrency", Type::Int(1, 256)),
    ("rate", Type::Rate),
    ("proxy", Type::Text),
    ("ca_file", Type::Text),
];

/// Keys of `[services.NAME]`.
pub const SERVICE: &[(&str, Type)] = &[
    ("base_url", Type::Address),
    ("base_url_free", Type::Address),
    ("base_url_us", Type::Address),
    ("base_url_jp", Type::Address),
    ("auth_scheme", Type::Token),
    ("reporting_tag_header", Type::Token),
];

/// Keys of `[sandbox]`.
pub const SANDBOX: &[(&str, Type)] = &[
    ("engine", Type::Choice(&["pseudo", "echo", "upper"])),
    ("phrases", Type::Text),
    ("memories", Type::Text),
    ("latency", Type::Text),
    ("fault", Type::List),
    ("seed", Type::Int(0, i64::MAX)),
    ("rate_limit", Type::Rate),
    ("character_limit", Type::Int(0, i64::MAX)),
    ("key", Type::List),
    ("admin_key", Type::List),
    ("ephemeral", Type::Bool),
    ("document_queue_time", Type::Duration),
    ("document_translate_time", Type::Duration),
    ("glossary_ready_delay", Type::Duration),
    ("record", Type::Text),
    ("voice_fault", Type::List),
];

/// Keys at the top, the tables among them.
pub const TOP: [&str; 4] = ["default_profile", "profiles", "services", "sandbox"];

/// The type of a key; an unknown key fails with a suggestion.
pub fn type_of(path: &[String]) -> Result<Type, Failure> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let (known, key): (&[(&str, Type)], &str) = match words.as_slice() {
        ["default_profile"] => return Ok(Type::Text),
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
pub fn check_value(kind: Type, value: &Value) -> Result<(), String> {
    let fits = match kind {
        Type::Text => value.is_string(),
        Type::Bool => value.is_boolean(),
        Type::Int(least, most) => match value.as_i64() {
            Some(number) if !(least..=most).contains(&number) => {
                return Err(format!("{number} is not in the range from {least} to {most}"));
            }
            number => number.is_some(),
        },
        Type::List => value.is_string() || value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        Type::Choice(words) => {
            let written = spelt(value);
            if !words.contains(&written.replace('-', "_").as_str()) {
                return Err(format!("`{written}` is none of {}", words.join(", ")));
            }
            true
        }
        Type::Duration => return super::duration(&spelt(value)).map(|_| ()),
        Type::Rate => return super::rate(&spelt(value)).map(|_| ()),
        Type::Address => match value.as_str() {
            Some(text) => return normalized(text).map(|_| ()).map_err(|f| f.what),
            None => false,
        },
        Type::Token => value.as_str().is_some_and(|text| !text.is_empty() && text.bytes().all(is_token_byte)),
    };
    if fits { Ok(()) } else { Err(format!("{} expected, not {value}", what(kind))) }
}

fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// A profile's setting under its one name and in its one form: lists as lists, words as on the wire.
pub fn settled(key: &str, value: &Value) -> (&'static str, Value) {
    let (name, kind) = PROFILE.iter().find(|(name, _)| *name == key).copied().unwrap_or(("", Type::Text));
    match (name, kind, value) {
        ("no_outline_detection", _, Value::Bool(no)) => ("outline_detection", Value::Bool(!no)),
        (_, Type::List, Value::String(one)) => (one_name(name), Value::from(vec![one.as_str()])),
        (_, Type::Choice(_), value) => (name, Value::from(spelt(value).replace('-', "_"))),
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
pub fn what(kind: Type) -> &'static str {
    match kind {
        Type::Text | Type::Choice(_) | Type::Address => "text in quotes",
        Type::Bool => "true or false",
        Type::Int(..) => "a whole number",
        Type::List => "a list of texts",
        Type::Token => "one word of letters, digits and hyphens",
        Type::Duration => "a duration such as \"30s\"",
        Type::Rate => "a rate such as \"5/s\"",
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
