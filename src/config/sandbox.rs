//! Settings of the embedded sandbox: the variables `TULK_SANDBOX_<NAME>` take precedence over `[sandbox]` in the settings file.

use serde_json::Value;
use tulk_base::error::Failure;
use tulk_base::suggest;

use super::env;
use super::file::SettingsFile;
use super::schema::SettingSchema;
use super::setting::{Setting, to_text};

#[derive(Clone, Debug, Default)]
pub struct SandboxSettings {
    /// Flags, without the dashes, and their values.
    values: Vec<(String, Value)>,
}

impl SandboxSettings {
    /// Reads the variables and the file. Fails if a variable has an invalid value or an unknown name.
    pub fn read(file: &SettingsFile, schema: &SettingSchema) -> Result<Self, Failure> {
        refuse_unknown_variables(schema)?;
        let mut values = Vec::new();
        for setting in schema.sandbox() {
            if let Some(value) = value_of(setting, file)? {
                values.push((setting.flag().to_owned(), value));
            }
        }
        Ok(Self { values })
    }

    pub fn list(&self, flag: &str) -> Vec<String> {
        match self.values.iter().find(|(name, _)| name == flag).map(|(_, value)| value) {
            Some(Value::Array(items)) => items.iter().map(to_text).collect(),
            Some(one) => vec![to_text(one)],
            None => Vec::new(),
        }
    }

    /// Returns the settings as arguments: `--engine=echo`, `--ephemeral`.
    pub fn to_args(&self) -> Vec<String> {
        let args = |(flag, value): &(String, Value)| match value {
            Value::Bool(true) => vec![format!("--{flag}")],
            Value::Bool(false) => Vec::new(),
            Value::Array(items) => items.iter().map(|item| format!("--{flag}={}", to_text(item))).collect(),
            one => vec![format!("--{flag}={}", to_text(one))],
        };
        self.values.iter().flat_map(args).collect()
    }
}

/// Refuses variables with the prefix of sandbox settings that name no setting.
fn refuse_unknown_variables(schema: &SettingSchema) -> Result<(), Failure> {
    for (variable, _) in std::env::vars_os().filter(|(_, value)| !value.is_empty()) {
        let Some(name) = variable.to_str().and_then(|variable| variable.strip_prefix(env::SANDBOX_PREFIX)) else {
            continue;
        };
        let known: Vec<String> = schema.sandbox().iter().map(|setting| setting.name().to_uppercase()).collect();
        if known.iter().any(|known| known == name) {
            continue;
        }
        let variable = |name: &str| format!("{}{name}", env::SANDBOX_PREFIX);
        let hint = if let Some(name) = suggest::closest(name, known.iter().map(String::as_str)) {
            format!("did you mean `{}`?", variable(name))
        } else {
            let known: Vec<_> = known.iter().map(|name| variable(name)).collect();
            format!("valid settings: {}", known.join(", "))
        };
        return Err(Failure::usage(format!("unknown setting `{}`", variable(name))).hint(hint));
    }
    Ok(())
}

fn variable_of(setting: &Setting) -> String {
    format!("{}{}", env::SANDBOX_PREFIX, setting.name().to_uppercase())
}

fn value_of(setting: &Setting, file: &SettingsFile) -> Result<Option<Value>, Failure> {
    let variable = variable_of(setting);
    let Some(text) = env::text(&variable) else {
        return Ok(file.get(&["sandbox", setting.name()]).map(|entry| entry.field_value.clone()));
    };
    let value = setting.parse_variable(&variable, &text).and_then(|value| setting.check(&value).map(|()| value));
    value.map(Some).map_err(|why| Failure::usage(format!("{variable}: {why}")))
}
