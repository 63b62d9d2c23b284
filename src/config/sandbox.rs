//! Settings of the embedded sandbox: `[sandbox]` under `TULK_SANDBOX_<NAME>`.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::env;
use super::file::SettingsFile;
use super::schema::{self, SANDBOX, SettingType};
use crate::error::Failure;

/// The settings, still as text where the sandbox has types of its own.
#[derive(Clone, Debug, Default)]
pub struct SandboxSettings {
    /// `pseudo`, `echo` or `upper`.
    pub engine: Option<String>,
    /// File of exact answers.
    pub phrases: Option<PathBuf>,
    /// File of translation memories.
    pub memories: Option<PathBuf>,
    /// Wait before each answer.
    pub latency: Option<String>,
    /// Faults and their shares.
    pub fault: Vec<String>,
    /// Makes faults and latency repeatable.
    pub seed: Option<u64>,
    /// Requests a second.
    pub rate_limit: Option<f64>,
    /// Characters a month.
    pub character_limit: Option<u64>,
    /// Accepted keys.
    pub key: Vec<String>,
    /// Keys for administration alone.
    pub admin_key: Vec<String>,
    /// Keep no state.
    pub ephemeral: bool,
    /// How long a document is queued.
    pub document_queue_time: Option<Duration>,
    /// How long a document is translated.
    pub document_translate_time: Option<Duration>,
    /// How long a new glossary is not ready.
    pub glossary_ready_delay: Option<Duration>,
    /// Faults of voice streams.
    pub voice_fault: Vec<String>,
    /// File that received requests are appended to.
    pub record: Option<PathBuf>,
}

impl SandboxSettings {
    /// Reads the variables over the file. Fails on a value of the wrong type, and on a variable that sets nothing.
    pub fn read(file: &SettingsFile) -> Result<Self, Failure> {
        refuse_unknown()?;
        let get = |name: &str| setting(file, name);
        let text = |name: &str| Ok::<_, Failure>(get(name)?.map(|v| schema::spelt(&v)));
        let number = |name: &str| Ok::<_, Failure>(get(name)?.and_then(|v| v.as_u64()));
        let time = |name: &str| Ok::<_, Failure>(text(name)?.and_then(|t| super::parse_duration(&t).ok()));
        let list = |name: &str| {
            Ok::<_, Failure>(match get(name)? {
                Some(Value::Array(items)) => items.iter().map(schema::spelt).collect(),
                Some(one) => vec![schema::spelt(&one)],
                None => Vec::new(),
            })
        };
        Ok(Self {
            engine: text("engine")?,
            phrases: text("phrases")?.map(PathBuf::from),
            memories: text("memories")?.map(PathBuf::from),
            latency: text("latency")?,
            fault: list("fault")?,
            seed: number("seed")?,
            rate_limit: text("rate_limit")?.and_then(|t| super::parse_rate(&t).ok()),
            character_limit: number("character_limit")?,
            key: list("key")?,
            admin_key: list("admin_key")?,
            ephemeral: get("ephemeral")?.and_then(|v| v.as_bool()).unwrap_or(false),
            document_queue_time: time("document_queue_time")?,
            document_translate_time: time("document_translate_time")?,
            glossary_ready_delay: time("glossary_ready_delay")?,
            voice_fault: list("voice_fault")?,
            record: text("record")?.map(PathBuf::from),
        })
    }
}

/// Refuses variables that look like settings and are none.
fn refuse_unknown() -> Result<(), Failure> {
    for (variable, _) in std::env::vars_os().filter(|(_, value)| !value.is_empty()) {
        let name = variable.to_str().and_then(|v| v.strip_prefix(env::SANDBOX_PREFIX)).map(str::to_lowercase);
        let Some(name) = name.filter(|name| SANDBOX.iter().all(|(known, _)| known != name)) else { continue };
        let known = || SANDBOX.iter().map(|(known, _)| *known);
        let spelt = |name: &str| format!("{}{}", env::SANDBOX_PREFIX, name.to_uppercase());
        let hint = match crate::suggest::closest(&name, known()) {
            Some(near) => format!("did you mean `{}`?", spelt(near)),
            None => format!("settings there are: {}", known().map(spelt).collect::<Vec<_>>().join(", ")),
        };
        return Err(Failure::usage(format!("unknown setting `{}`", spelt(&name))).hint(hint));
    }
    Ok(())
}

fn setting(file: &SettingsFile, name: &str) -> Result<Option<Value>, Failure> {
    let variable = format!("{}{}", env::SANDBOX_PREFIX, name.to_uppercase());
    let Some(text) = env::text(&variable) else { return Ok(file.get(&["sandbox", name]).map(|e| e.value.clone())) };
    let kind = SANDBOX.iter().find(|(n, _)| *n == name).map_or(SettingType::Text, |(_, kind)| *kind);
    let value = match kind {
        SettingType::Bool => Value::from(env::is_on(&variable)),
        SettingType::Int(..) => text.parse::<u64>().map_or_else(|_| Value::from(text.clone()), Value::from),
        SettingType::List => Value::Array(text.split(',').map(|t| Value::from(t.trim())).collect()),
        _ => Value::from(text.clone()),
    };
    schema::check_value(kind, &value).map_err(|why| Failure::usage(format!("{variable}: {why}")))?;
    Ok(Some(value))
}
