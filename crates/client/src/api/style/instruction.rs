//! Operations on the custom instructions of a style rule list.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_base::limits;

use super::check_length;
use crate::Service;
use crate::api::language_code::LangCode;
use crate::http::answer::Answer;
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::failures::unusable;
use crate::http::reply::{Empty, Reply};
use crate::http::request::{Method, Repeat};

/// A custom instruction of the service.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct CustomInstruction {
    /// ID, chosen by the service.
    pub id: String,
    /// Label, at most 100 characters.
    #[serde(default)]
    pub label: String,
    /// Instruction, at most 300 characters.
    #[serde(default)]
    pub prompt: String,
    /// Language of the instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_language: Option<String>,
}

/// The content of a custom instruction.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct InstructionText {
    /// Label, at most 100 characters.
    pub label: String,
    /// Instruction, at most 300 characters.
    pub prompt: String,
    /// Language of the instruction.
    pub source_language: Option<LangCode>,
}

impl InstructionText {
    /// Refuses empty and too long labels and prompts.
    pub fn check(&self) -> Result<(), Failure> {
        self.check_label()?;
        self.check_prompt()
    }

    /// Refuses an empty or too long label.
    pub fn check_label(&self) -> Result<(), Failure> {
        if self.label.trim().is_empty() {
            return Err(Failure::usage("the label of the custom instruction is empty").hint("add a label"));
        }
        check_length("the label of the custom instruction", &self.label, limits::INSTRUCTION_LABEL_CHARS)
    }

    /// Refuses an empty or too long prompt.
    pub fn check_prompt(&self) -> Result<(), Failure> {
        if self.prompt.trim().is_empty() {
            return Err(Failure::usage(format!("the prompt of the custom instruction `{}` is empty", self.label))
                .hint("describe what the translation should do"));
        }
        let what = format!("the prompt of the custom instruction `{}`", self.label);
        check_length(&what, &self.prompt, limits::CUSTOM_INSTRUCTION_CHARS)
    }
}

/// Adds an instruction: `POST /v3/style_rules/{style_id}/custom_instructions`.
#[derive(Serialize, Clone, Debug)]
pub struct CreateCustomInstruction {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
    /// Label, prompt and language.
    #[serde(flatten)]
    pub text: InstructionText,
}

/// The reply to [`CreateCustomInstruction`]: the whole list, or only the new instruction.
#[derive(Debug)]
pub enum CreatedInstruction {
    /// Updated list.
    List(Kept<super::StyleRule>),
    /// New instruction.
    Instruction(Kept<CustomInstruction>),
}

impl Reply for CreatedInstruction {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let fields: std::collections::BTreeMap<&str, &RawValue> =
            serde_json::from_slice(&answer.body).map_err(|e| unusable(answer, &e.to_string()))?;
        if fields.contains_key("style_id") {
            Kept::read(answer).map(Self::List)
        } else {
            Kept::read(answer).map(Self::Instruction)
        }
    }
}

impl Endpoint for CreateCustomInstruction {
    type Reply = CreatedInstruction;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions";
    const CARRY: Carry = Carry::Json;
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id]
    }

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.text.check()
    }
}

/// Reads an instruction.
#[derive(Serialize, Clone, Debug)]
pub struct GetCustomInstruction {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
    /// ID of the instruction.
    #[serde(skip)]
    pub instruction_id: String,
}

impl Endpoint for GetCustomInstruction {
    type Reply = Kept<CustomInstruction>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";
    const CARRY: Carry = Carry::Nothing;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id, &self.instruction_id]
    }
}

/// Replaces an instruction. All fields are sent.
#[derive(Serialize, Clone, Debug)]
pub struct ReplaceCustomInstruction {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
    /// ID of the instruction.
    #[serde(skip)]
    pub instruction_id: String,
    /// New content.
    #[serde(flatten)]
    pub text: InstructionText,
}

impl Endpoint for ReplaceCustomInstruction {
    type Reply = Kept<CustomInstruction>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";
    const CARRY: Carry = Carry::Json;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id, &self.instruction_id]
    }

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.text.check()
    }
}

/// Deletes an instruction.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteCustomInstruction {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
    /// ID of the instruction.
    #[serde(skip)]
    pub instruction_id: String,
}

impl Endpoint for DeleteCustomInstruction {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";
    const CARRY: Carry = Carry::Nothing;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id, &self.instruction_id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &'static str) -> Answer {
        Answer::new(201, reqwest::header::HeaderMap::new(), body.into())
    }

    #[test]
    fn accepts_a_list_or_an_instruction_as_the_reply() {
        let list = r#"{"style_id":"s","name":"n","language":"en","version":2,"custom_instructions":[{"id":"i","label":"l","prompt":"p"}]}"#;
        assert!(
            matches!(CreatedInstruction::read(&answer(list)), Ok(CreatedInstruction::List(l)) if l.instructions().len() == 1)
        );
        assert!(matches!(
            CreatedInstruction::read(&answer(r#"{"id":"i","label":"l","prompt":"p"}"#)),
            Ok(CreatedInstruction::Instruction(_))
        ));
        assert!(CreatedInstruction::read(&answer("[]")).is_err());
    }

    #[test]
    fn allows_labels_of_100_and_prompts_of_300_characters() {
        let check = |label: usize, prompt: usize| {
            let text =
                InstructionText { label: "ä".repeat(label), prompt: "ö".repeat(prompt), source_language: None };
            text.check().map_err(|f| f.what)
        };
        assert_eq!(check(100, 300), Ok(()));
        assert!(check(101, 1).unwrap_err().contains("has 101 characters; the limit is 100"));
        assert!(check(1, 301).unwrap_err().contains("has 301 characters; the limit is 300"));
        assert!(check(0, 1).is_err());
        assert!(check(1, 0).is_err());
    }
}
