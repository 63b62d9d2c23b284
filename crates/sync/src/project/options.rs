//! The options of translations that a project file may set, and the settings that it must not have.
//!
//! Input: a setting. Output: its value, checked. A project file comes with a repository, perhaps somebody else's: it decides how
//! texts are translated, not where they are sent, with which key, and which files are read.

use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_base::limits::MEMORY_THRESHOLD_MAX;
use tulk_base::suggest::{closest, is_typo, one_line};

use super::toml_reader::TomlSetting;

/// Options by name. `glossary`, `custom_instruction` and `protect` are lists of texts as their flags take them.
pub type ProjectOptions = Map<String, Value>;

/// The options that can be set.
const OPTIONS: [&str; 10] = [
    "formality",
    "model_type",
    "glossary",
    "style",
    "custom_instruction",
    "translation_memory",
    "translation_memory_threshold",
    "preserve_formatting",
    "protect",
    "max_characters",
];

const FORMALITY: [&str; 5] = ["default", "more", "less", "prefer_more", "prefer_less"];
const MODEL_TYPES: [&str; 3] = ["latency_optimized", "quality_optimized", "prefer_quality_optimized"];

/// Words in the names of settings that a project file must not have, each with what it would decide.
const REFUSED: [(&[&str], &str); 4] = [
    (
        &[
            "server", "servers", "service", "services", "endpoint", "url", "host", "address", "sandbox", "proxy",
            "proxies", "ca", "tls",
        ],
        "where texts are sent",
    ),
    (&["profile", "profiles", "key", "auth", "token", "secret", "password", "command", "env"], "which key is used"),
    (&["file", "input", "output", "out", "dir", "config", "log", "trace"], "which other files are read or written"),
    (
        &[
            "param",
            "params",
            "header",
            "headers",
            "reporting",
            "timeout",
            "retries",
            "wait",
            "concurrency",
            "rate",
            "cache",
        ],
        "how requests are sent",
    ),
];

/// Adds a setting to options. Returns `false` if it is no option.
pub fn read_option(setting: &TomlSetting<'_>, options: &mut ProjectOptions) -> Result<bool, Failure> {
    let value = match setting.key {
        "formality" => Value::from(choice(setting, &FORMALITY)?),
        "model_type" => Value::from(choice(setting, &MODEL_TYPES)?),
        "style" | "translation_memory" => Value::from(filled(setting, setting.text()?)?),
        "glossary" | "custom_instruction" | "protect" => {
            let texts = setting.text_or_texts()?;
            Value::from(texts.into_iter().map(|text| filled(setting, text)).collect::<Result<Vec<_>, _>>()?)
        }
        "translation_memory_threshold" => Value::from(setting.number(0..=i64::from(MEMORY_THRESHOLD_MAX))?),
        "preserve_formatting" => Value::from(setting.flag()?),
        "max_characters" => Value::from(setting.number(1..=i64::MAX)?),
        _ => return Ok(false),
    };
    options.insert(setting.key.to_owned(), value);
    Ok(true)
}

fn filled<'a>(setting: &TomlSetting<'_>, text: &'a str) -> Result<&'a str, Failure> {
    if text.trim().is_empty() { Err(setting.wrong("the text is empty")) } else { Ok(text) }
}

/// Returns the text of a setting, which must be one of several words.
pub fn choice(setting: &TomlSetting<'_>, words: &[&'static str]) -> Result<&'static str, Failure> {
    let text = setting.text()?;
    if let Some(word) = words.iter().find(|word| **word == text) {
        return Ok(word);
    }
    let failure = setting.wrong(&format!("`{}` is not one of {}", one_line(text), words.join(", ")));
    Err(match closest(text, words.iter().copied()) {
        Some(word) => failure.hint(format!("did you mean `{word}`?")),
        None => failure,
    })
}

/// Returns the failure for a setting that is not `known`. `has_options` says whether options can stand beside it.
pub fn unknown_setting(setting: &TomlSetting<'_>, known: &[&'static str], has_options: bool) -> Failure {
    let key = setting.key.to_ascii_lowercase();
    let options = if has_options { OPTIONS.as_slice() } else { &[] };
    let valid: Vec<&str> = known.iter().chain(options).copied().collect();
    let refused = REFUSED.iter().find(|(words, _)| key.split(['_', '-']).any(|word| words.contains(&word)));
    if let Some((_, what)) = refused.filter(|_| !valid.iter().any(|name| is_typo(&key, name))) {
        return setting
            .wrong(&format!("a project file must not decide {what}"))
            .hint("set it on the command line, or in your own settings: `tulk config set`");
    }
    let failure = Failure::usage(format!("unknown setting `{}`", setting.path)).at(setting.origin());
    match closest(setting.key, valid.iter().copied()) {
        Some(name) => failure.hint(format!("did you mean `{name}`?")),
        None => failure.hint(format!("valid settings: {}", valid.join(", "))),
    }
}
