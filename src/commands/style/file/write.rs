//! A list of the service as the text of a TOML file.

use serde::Serialize;
use tulk_base::error::{Failure, Kind};

use tulk_client::api::style::{ConfiguredRules, StyleRule};

/// The content of the file, in the order of its fields.
#[derive(Serialize)]
pub struct StyleListToml<'a> {
    style_id: &'a str,
    name: &'a str,
    language: &'a str,
    configured_rules: &'a ConfiguredRules,
    custom_instructions: Vec<InstructionToml<'a>>,
}

/// An instruction in the file.
#[derive(Serialize)]
struct InstructionToml<'a> {
    id: &'a str,
    label: &'a str,
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_language: Option<&'a str>,
}

impl<'a> StyleListToml<'a> {
    /// Creates the file of a list, which must include its rules.
    pub fn new(list: &'a StyleRule) -> Result<Self, Failure> {
        let rules = list.configured_rules.as_ref();
        let configured_rules = rules.ok_or_else(|| {
            Failure::new(Kind::Network, "unexpected response from the service: the list comes without its rules")
                .hint("check that the server address is correct (--server, `tulk auth status`)")
        })?;
        let custom_instructions = list
            .instructions()
            .iter()
            .map(|i| InstructionToml {
                id: &i.id,
                label: &i.label,
                prompt: &i.prompt,
                source_language: i.source_language.as_deref(),
            })
            .collect();
        let (style_id, name, language) = (&*list.style_id, &*list.name, &*list.language);
        Ok(Self { style_id, name, language, configured_rules, custom_instructions })
    }

    /// Returns the text of the file.
    pub fn to_text(&self) -> Result<String, Failure> {
        toml::to_string_pretty(self).map_err(|e| Failure::internal(format!("cannot write the list as TOML: {e}")))
    }
}
