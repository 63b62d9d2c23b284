//! Stored style rule lists, which are also returned as answers, and the checks of their fields in requests and seed files. See
//! docs/service.md, "Style rules" and "Limits".

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{INSTRUCTIONS_MAX, too_many_instructions};
use crate::app::App;
use crate::options::ServiceRules;
use crate::reply::Refusal;
use crate::routes::fields::{missing, unsupported};
use crate::state::kind;
use crate::{clock, ids, languages};

const NAME_CHARS_MAX: usize = 1024;
const LABEL_CHARS_MAX: usize = 100;
const PROMPT_CHARS_MAX: usize = 300;

/// Maps categories to rules, and rules to options.
pub(crate) type StoredRules = BTreeMap<String, BTreeMap<String, String>>;

/// A style rule list, as stored and returned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredStyle {
    #[serde(flatten)]
    pub(super) summary: StyleSummary,
    pub(super) configured_rules: StoredRules,
    pub(super) custom_instructions: Vec<StoredInstruction>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StyleSummary {
    pub(super) style_id: String,
    pub(super) name: String,
    creation_time: String,
    updated_time: String,
    language: String,
    version: u64,
}

/// A custom instruction, as stored and returned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct StoredInstruction {
    pub(super) id: String,
    label: String,
    prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_language: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct InstructionBody {
    label: Option<String>,
    prompt: Option<String>,
    source_language: Option<String>,
}

impl StoredStyle {
    pub(super) fn new(
        style_id: String,
        name: String,
        language: String,
        rules: StoredRules,
        instructions: Vec<StoredInstruction>,
    ) -> Self {
        let now = now();
        let creation_time = now.clone();
        let summary = StyleSummary { style_id, name, creation_time, updated_time: now, language, version: 1 };
        Self { summary, configured_rules: rules, custom_instructions: instructions }
    }

    pub(super) fn from_body(body: Value) -> Result<Self, Refusal> {
        serde_json::from_value(body).map_err(|error| Refusal::internal(format!("stored style rule list: {error}")))
    }

    pub(super) fn increment_version(&mut self) {
        self.summary.version += 1;
        self.summary.updated_time = now();
    }
}

impl InstructionBody {
    /// Refuses missing, empty and too long fields. Returns the instruction with a new ID.
    pub(super) fn check(self) -> Result<StoredInstruction, Refusal> {
        let label = check_text("label", self.label, LABEL_CHARS_MAX)?;
        let prompt = check_text("prompt", self.prompt, PROMPT_CHARS_MAX)?;
        if let Some(code) = &self.source_language
            && languages::find(code).is_none()
        {
            return Err(unsupported("source_language"));
        }
        Ok(StoredInstruction { id: ids::uuid(), label, prompt, source_language: self.source_language })
    }
}

/// Returns the rules of a style rule list, then the prompts of its instructions. Refuses an unknown list with 404, and a list
/// whose language does not fit `target` with 400.
pub(in crate::routes) fn applied_instructions(app: &App, id: &str, target: &str) -> Result<Vec<String>, Refusal> {
    let body = app.state.get(kind::STYLE, &id.to_ascii_lowercase())?.ok_or_else(|| unknown_style(id))?;
    let style = StoredStyle::from_body(body)?;
    // A list for a base language applies to all its variants; a list for a variant applies only to that variant.
    let language = style.summary.language.as_str();
    if !(language.eq_ignore_ascii_case(target) || language.eq_ignore_ascii_case(languages::base_code(target))) {
        return Err(Refusal::bad_request("The language of the style rule list does not match 'target_lang'.")
            .detail(format!("style rule list: {}, target_lang: {target}", style.summary.language)));
    }
    let rules = style
        .configured_rules
        .iter()
        .flat_map(|(category, rules)| rules.iter().map(move |(rule, option)| format!("{category}.{rule}={option}")));
    Ok(rules.chain(style.custom_instructions.iter().map(|instruction| instruction.prompt.clone())).collect())
}

pub(super) fn unknown_style(id: &str) -> Refusal {
    Refusal::not_found("Style rule list not found.").detail(format!("style_id {id}"))
}

pub(super) fn check_name(name: Option<String>) -> Result<String, Refusal> {
    check_text("name", name, NAME_CHARS_MAX)
}

/// Checks the language of a style rule list and returns it in canonical case.
pub(super) fn check_language(rules: ServiceRules, code: Option<String>) -> Result<String, Refusal> {
    let code = code.ok_or_else(|| missing("language"))?;
    languages::find(&code)
        .filter(|known| known.support_under(rules, "style_rules").is_some())
        .map(|known| known.lang.to_owned())
        .ok_or_else(|| {
            let known: Vec<_> = languages::all()
                .iter()
                .filter(|known| known.support_under(rules, "style_rules").is_some())
                .map(|known| known.lang)
                .collect();
            Refusal::bad_request(format!("Value for 'language' not supported. Supported: {}.", known.join(", ")))
        })
}

fn check_text(field: &str, value: Option<String>, max_chars: usize) -> Result<String, Refusal> {
    let value = value.ok_or_else(|| missing(field))?;
    if value.trim().is_empty() {
        return Err(Refusal::bad_request(format!("Parameter '{field}' must not be empty.")));
    }
    if value.chars().count() > max_chars {
        return Err(Refusal::bad_request(format!(
            "Parameter '{field}' exceeds the maximum of {max_chars} characters."
        ))
        .code("out_of_range"));
    }
    Ok(value)
}

fn now() -> String {
    clock::iso(clock::now_ms())
}

pub(crate) struct SeededInstruction {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) prompt: String,
    pub(crate) source_language: Option<String>,
}

impl SeededInstruction {
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        self.stored().map(drop)
    }

    fn stored(&self) -> Result<StoredInstruction, Refusal> {
        let fields = json!({"label": self.label, "prompt": self.prompt, "source_language": self.source_language});
        let body = InstructionBody::deserialize(fields).map_err(|error| Refusal::internal(error.to_string()))?;
        let mut instruction = body.check()?;
        instruction.id.clone_from(&self.id);
        Ok(instruction)
    }
}

/// Returns the stored form of a style rule list in a seed file.
pub(crate) fn seeded_style(
    service_rules: ServiceRules,
    id: &str,
    name: &str,
    language: &str,
    rules: &StoredRules,
    instructions: &[SeededInstruction],
) -> Result<Value, Refusal> {
    let name = check_name(Some(name.to_owned()))?;
    let language = check_language(service_rules, Some(language.to_owned()))?;
    if instructions.len() > INSTRUCTIONS_MAX {
        return Err(too_many_instructions());
    }
    let instructions = instructions.iter().map(SeededInstruction::stored).collect::<Result<_, _>>()?;
    Ok(json!(StoredStyle::new(id.to_owned(), name, language, rules.clone(), instructions)))
}
