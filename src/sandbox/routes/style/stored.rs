//! Style rule lists as they are kept and answered, and the limits of their fields. Spec: "Style rule lists", "Limits".

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::sandbox::clock;
use crate::sandbox::ids;
use crate::sandbox::languages;
use crate::sandbox::reply::Refusal;

const NAME_MAX: usize = 1024;
const LABEL_MAX: usize = 100;
const PROMPT_MAX: usize = 300;

/// Category to rule to option.
pub(super) type Rules = BTreeMap<String, BTreeMap<String, String>>;

/// The full view; also what is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct List {
    pub(super) style_id: String,
    pub(super) name: String,
    pub(super) creation_time: String,
    pub(super) updated_time: String,
    pub(super) language: String,
    pub(super) version: u64,
    pub(super) configured_rules: Rules,
    pub(super) custom_instructions: Vec<Instruction>,
}

/// The view of a list of lists.
#[derive(Serialize)]
pub(super) struct Short<'a> {
    style_id: &'a str,
    name: &'a str,
    creation_time: &'a str,
    updated_time: &'a str,
    language: &'a str,
    version: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Instruction {
    pub(super) id: String,
    label: String,
    prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_language: Option<String>,
}

/// An instruction as callers send it.
#[derive(Deserialize)]
pub(super) struct InstructionBody {
    label: Option<String>,
    prompt: Option<String>,
    source_language: Option<String>,
}

impl List {
    pub(super) fn new(name: String, language: String, rules: Rules, instructions: Vec<Instruction>) -> Self {
        let now = now();
        Self {
            style_id: ids::uuid(),
            name,
            creation_time: now.clone(),
            updated_time: now,
            language,
            version: 1,
            configured_rules: rules,
            custom_instructions: instructions,
        }
    }

    pub(super) fn short(&self) -> Short<'_> {
        Short {
            style_id: &self.style_id,
            name: &self.name,
            creation_time: &self.creation_time,
            updated_time: &self.updated_time,
            language: &self.language,
            version: self.version,
        }
    }

    pub(super) fn changed(&mut self) {
        self.version += 1;
        self.updated_time = now();
    }

    pub(super) fn stored(&self) -> Result<Value, Refusal> {
        serde_json::to_value(self).map_err(|error| Refusal::internal(format!("style rule list: {error}")))
    }
}

impl InstructionBody {
    /// Refuses what is missing, empty or too long; the id is made here.
    pub(super) fn check(self) -> Result<Instruction, Refusal> {
        let label = text("label", self.label, LABEL_MAX)?;
        let prompt = text("prompt", self.prompt, PROMPT_MAX)?;
        if let Some(code) = &self.source_language
            && languages::find(code).is_none()
        {
            return Err(Refusal::bad("Value for 'source_language' not supported."));
        }
        Ok(Instruction { id: ids::uuid(), label, prompt, source_language: self.source_language })
    }
}

/// A list as it was kept.
pub(super) fn read(body: Value) -> Result<List, Refusal> {
    serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored style rule list: {error}")))
}

/// Checks a name.
pub(super) fn name(name: Option<String>) -> Result<String, Refusal> {
    text("name", name, NAME_MAX)
}

/// Checks the language, and gives it in the data's own casing.
pub(super) fn language(code: Option<String>) -> Result<String, Refusal> {
    let code = code.ok_or_else(|| Refusal::bad("Parameter 'language' not specified."))?;
    languages::find(&code)
        .filter(|known| known.on("style_rules").is_some())
        .map(|known| known.lang.to_owned())
        .ok_or_else(|| {
            let known: Vec<_> = languages::all()
                .iter()
                .filter(|known| known.on("style_rules").is_some())
                .map(|known| known.lang)
                .collect();
            Refusal::bad(format!("Value for 'language' not supported. Supported: {}.", known.join(", ")))
        })
}

fn text(what: &str, value: Option<String>, limit: usize) -> Result<String, Refusal> {
    let value = value.ok_or_else(|| Refusal::bad(format!("Parameter '{what}' not specified.")))?;
    if value.trim().is_empty() {
        return Err(Refusal::bad(format!("Parameter '{what}' must not be empty.")));
    }
    if value.chars().count() > limit {
        return Err(
            Refusal::bad(format!("Parameter '{what}' exceeds the maximum of {limit} characters.")).code("out_of_range")
        );
    }
    Ok(value)
}

fn now() -> String {
    clock::iso(clock::now_ms())
}
