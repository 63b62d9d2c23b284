//! Style rule lists of a seed file, after the checks of new ones.

use serde::Deserialize as _;
use serde_json::{Value, json};

use super::stored::{self, InstructionBody, StoredInstruction, StoredRules, StoredStyle};
use super::{INSTRUCTIONS_MAX, too_many};
use crate::reply::Refusal;

/// A custom instruction of a seed file.
pub(crate) struct SeededInstruction {
    pub(crate) id: String,
    pub(crate) label: String,
    pub(crate) prompt: String,
    pub(crate) source_language: Option<String>,
}

impl SeededInstruction {
    /// Refuses what a request with this instruction would be refused for.
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

/// Returns the body of a style rule list as it is stored.
pub(in crate::routes) fn seeded(
    id: &str,
    name: &str,
    language: &str,
    rules: StoredRules,
    instructions: &[SeededInstruction],
) -> Result<Value, Refusal> {
    let name = stored::check_name(Some(name.to_owned()))?;
    let language = stored::check_language(Some(language.to_owned()))?;
    if instructions.len() > INSTRUCTIONS_MAX {
        return Err(too_many());
    }
    let instructions = instructions.iter().map(SeededInstruction::stored).collect::<Result<_, _>>()?;
    let style = StoredStyle { style_id: id.to_owned(), ..StoredStyle::new(name, language, rules, instructions) };
    style.body()
}
