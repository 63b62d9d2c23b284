//! Custom instructions of a style rule list. Spec: "Style rule lists", operations on custom instructions.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_with::skip_serializing_none;

use super::within;
use crate::api::language_code::LangCode;
use crate::config::Service;
use crate::error::Failure;
use crate::http::answer::Answer;
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::failures::unusable;
use crate::http::reply::{Empty, Reply};
use crate::http::request::{Method, Repeat};
use crate::json::Kept;
use crate::limits;

/// A free-text instruction as the service holds it.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct CustomInstruction {
    /// Its id, made by the service.
    pub id: String,
    /// Short label, at most 100 characters.
    #[serde(default)]
    pub label: String,
    /// What to do, at most 300 characters.
    #[serde(default)]
    pub prompt: String,
    /// Language the prompt is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_language: Option<String>,
}

/// What a caller says about an instruction.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct InstructionText {
    /// Short label, at most 100 characters.
    pub label: String,
    /// What to do, at most 300 characters.
    pub prompt: String,
    /// Language the prompt is written in.
    pub source_language: Option<LangCode>,
}

impl InstructionText {
    /// Refuses empty or overlong labels and prompts.
    pub fn check(&self) -> Result<(), Failure> {
        self.check_label()?;
        self.check_prompt()
    }

    /// Refuses an empty or overlong label.
    pub fn check_label(&self) -> Result<(), Failure> {
        if self.label.trim().is_empty() {
            return Err(Failure::usage("the label of the custom instruction is empty").hint("give it a label"));
        }
        within("the label of the custom instruction", &self.label, limits::INSTRUCTION_LABEL_CHARS)
    }

    /// Refuses an empty or overlong prompt.
    pub fn check_prompt(&self) -> Result<(), Failure> {
        if self.prompt.trim().is_empty() {
            return Err(Failure::usage(format!("the prompt of the custom instruction `{}` is empty", self.label))
                .hint("say what the translation should do"));
        }
        let what = format!("the prompt of the custom instruction `{}`", self.label);
        within(&what, &self.prompt, limits::CUSTOM_INSTRUCTION_CHARS)
    }
}

/// Adds an instruction: `POST /v3/style_rules/{style_id}/custom_instructions`.
#[derive(Serialize, Clone, Debug)]
pub struct CreateCustomInstruction {
    /// The list.
    #[serde(skip)]
    pub style_id: String,
    /// The instruction.
    #[serde(flatten)]
    pub text: InstructionText,
}

/// The answer to [`CreateCustomInstruction`]: the whole list, or the new instruction alone.
#[derive(Debug)]
pub enum CreatedInstruction {
    /// The updated list.
    List(Kept<super::StyleRule>),
    /// The instruction.
    Alone(Kept<CustomInstruction>),
}

impl Reply for CreatedInstruction {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let fields: std::collections::BTreeMap<&str, &RawValue> =
            serde_json::from_slice(&answer.body).map_err(|e| unusable(answer, &e.to_string()))?;
        if fields.contains_key("style_id") {
            Kept::read(answer).map(Self::List)
        } else {
            Kept::read(answer).map(Self::Alone)
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
    /// The list.
    #[serde(skip)]
    pub style_id: String,
    /// The instruction.
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

/// Replaces an instruction; all fields are sent.
#[derive(Serialize, Clone, Debug)]
pub struct ReplaceCustomInstruction {
    /// The list.
    #[serde(skip)]
    pub style_id: String,
    /// The instruction.
    #[serde(skip)]
    pub instruction_id: String,
    /// What it becomes.
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

/// Removes an instruction.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteCustomInstruction {
    /// The list.
    #[serde(skip)]
    pub style_id: String,
    /// The instruction.
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
    fn takes_the_list_and_the_instruction_alone() {
        let list = r#"{"style_id":"s","name":"n","language":"en","version":2,"custom_instructions":[{"id":"i","label":"l","prompt":"p"}]}"#;
        assert!(
            matches!(CreatedInstruction::read(&answer(list)), Ok(CreatedInstruction::List(l)) if l.instructions().len() == 1)
        );
        assert!(matches!(
            CreatedInstruction::read(&answer(r#"{"id":"i","label":"l","prompt":"p"}"#)),
            Ok(CreatedInstruction::Alone(_))
        ));
        assert!(CreatedInstruction::read(&answer("[]")).is_err());
    }

    #[test]
    fn labels_of_100_and_prompts_of_300_characters() {
        let check = |label: usize, prompt: usize| {
            let text =
                InstructionText { label: "ä".repeat(label), prompt: "ö".repeat(prompt), source_language: None };
            text.check().map_err(|f| f.what)
        };
        assert_eq!(check(100, 300), Ok(()));
        assert!(check(101, 1).unwrap_err().contains("has 101 characters, the limit is 100"));
        assert!(check(1, 301).unwrap_err().contains("has 301 characters, the limit is 300"));
        assert!(check(0, 1).is_err());
        assert!(check(1, 0).is_err());
    }
}
