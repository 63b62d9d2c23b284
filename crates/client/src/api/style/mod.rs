//! Style rule lists, `/v3/style_rules`: predefined rules and custom instructions. Requests accept unknown rules; commands check rules
//! with [`catalogue`]. See `docs/service.md`, "Style rules".

pub mod catalogue;
pub mod profiles;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};

use crate::Service;
use crate::api::language_code::LangCode;
use crate::http::answer::Answer;
use crate::http::endpoint::{Endpoint, KnownOperation, Paged, Paging};
use crate::http::failures::unusable;
use crate::http::reply::{Empty, Reply};
use crate::http::request::{Method, Repeat};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::paged::<ListStyleRules>(),
    KnownOperation::new::<CreateStyleRule>(),
    KnownOperation::new::<GetStyleRule>(),
    KnownOperation::new::<RenameStyleRule>(),
    KnownOperation::new::<ReplaceConfiguredRules>(),
    KnownOperation::new::<DeleteStyleRule>(),
    KnownOperation::new::<CreateCustomInstruction>(),
    KnownOperation::new::<GetCustomInstruction>(),
    KnownOperation::new::<ReplaceCustomInstruction>(),
    KnownOperation::new::<DeleteCustomInstruction>(),
];

/// Options by category and rule, as JSON. Unknown rules are kept when a list is written back.
pub type ConfiguredRules = Map<String, Value>;

/// A style rule list. Its short form has no rules and no instructions.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StyleRule {
    /// ID.
    pub style_id: String,
    /// Name, at most 1024 characters.
    #[serde(default)]
    pub name: String,
    /// Language.
    #[serde(default)]
    pub language: String,
    /// Version, increased by each change.
    #[serde(default)]
    pub version: Option<u64>,
    /// Time of creation.
    #[serde(default)]
    pub creation_time: Option<String>,
    /// Time of the last change.
    #[serde(default)]
    pub updated_time: Option<String>,
    /// Predefined rules with their options.
    #[serde(default)]
    pub configured_rules: Option<ConfiguredRules>,
    /// Custom instructions.
    #[serde(default)]
    pub custom_instructions: Option<Vec<WithRaw<CustomInstruction>>>,
}

impl StyleRule {
    /// Returns the custom instructions. Empty for the short form.
    pub fn instructions(&self) -> &[WithRaw<CustomInstruction>] {
        self.custom_instructions.as_deref().unwrap_or_default()
    }
}

/// A page of style rule lists.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StyleRulePage {
    /// Style rule lists.
    pub style_rules: Vec<WithRaw<StyleRule>>,
}

/// Lists style rule lists, page by page.
#[derive(Serialize, Clone, Debug)]
pub struct ListStyleRules {
    /// Whether to include rules and instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detailed: Option<bool>,
    /// Page number, from 0.
    pub page: u32,
    /// Style rule lists per page, at most 25.
    pub page_size: u32,
}

impl ListStyleRules {
    /// Creates a request for the first page, with the maximum page size.
    pub fn all(detailed: bool) -> Self {
        Self { detailed: detailed.then_some(true), page: 0, page_size: limits::PAGE_SIZE_MAX }
    }
}

impl Endpoint for ListStyleRules {
    type Reply = WithRaw<StyleRulePage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/style_rules";
}

impl Paged for ListStyleRules {
    const PAGING: Paging = Paging::Index { largest: limits::PAGE_SIZE_MAX };

    fn identities(page: &Self::Reply) -> Vec<&str> {
        page.style_rules.iter().map(|list| list.style_id.as_str()).collect()
    }

    fn advance(&mut self, page: &Self::Reply) -> bool {
        self.page += 1;
        page.style_rules.len() >= self.page_size as usize
    }

    fn join(mut pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure> {
        if pages.len() == 1
            && let Some(only) = pages.pop()
        {
            return Ok(only);
        }
        let style_rules = pages.into_iter().flat_map(|page| page.into_typed().style_rules).collect();
        WithRaw::from_typed(StyleRulePage { style_rules })
    }
}

/// Creates a style rule list.
#[derive(Serialize, Clone, Debug)]
pub struct CreateStyleRule {
    /// Name.
    pub name: String,
    /// Language.
    pub language: LangCode,
    /// Rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configured_rules: Option<ConfiguredRules>,
    /// Custom instructions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_instructions: Option<Vec<InstructionText>>,
}

impl Endpoint for CreateStyleRule {
    type Reply = WithRaw<StyleRule>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/style_rules";
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)?;
        let instructions = self.custom_instructions.as_deref().unwrap_or_default();
        check_count(instructions.len())?;
        instructions.iter().try_for_each(InstructionText::check)
    }
}

/// Reads a style rule list with its rules and instructions.
#[derive(Serialize, Clone, Debug)]
pub struct GetStyleRule {
    /// ID of the list.
    pub style_id: String,
}

impl Endpoint for GetStyleRule {
    type Reply = WithRaw<StyleRule>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/style_rules/{style_id}";
}

/// Renames a style rule list.
#[derive(Serialize, Clone, Debug)]
pub struct RenameStyleRule {
    /// ID of the list.
    pub style_id: String,
    /// New name.
    pub name: String,
}

impl Endpoint for RenameStyleRule {
    type Reply = WithRaw<StyleRule>;
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = "/v3/style_rules/{style_id}";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)
    }
}

/// Replaces all configured rules. The instructions do not change.
#[derive(Serialize, Clone, Debug)]
pub struct ReplaceConfiguredRules {
    /// New rules. They are the complete body of the request.
    #[serde(flatten)]
    pub rules: ConfiguredRules,
    /// ID of the list. Must be the last field, or a rule named `style_id` would replace it.
    pub style_id: String,
}

impl Endpoint for ReplaceConfiguredRules {
    type Reply = WithRaw<StyleRule>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v3/style_rules/{style_id}/configured_rules";
}

/// Deletes a style rule list permanently.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteStyleRule {
    /// ID of the list.
    pub style_id: String,
}

impl Endpoint for DeleteStyleRule {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/style_rules/{style_id}";
}

/// A custom instruction, as the service returns it.
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
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct InstructionText {
    /// Label, at most 100 characters.
    pub label: String,
    /// Instruction, at most 300 characters.
    pub prompt: String,
    /// Language of the instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_language: Option<LangCode>,
}

impl InstructionText {
    /// Fails if the label or the prompt is empty or too long.
    pub fn check(&self) -> Result<(), Failure> {
        self.check_label()?;
        self.check_prompt()
    }

    /// Fails if the label is empty or too long.
    pub fn check_label(&self) -> Result<(), Failure> {
        if self.label.trim().is_empty() {
            return Err(Failure::usage("the label of the custom instruction is empty").hint("add a label"));
        }
        check_length("the label of the custom instruction", &self.label, limits::INSTRUCTION_LABEL_CHARS)
    }

    /// Fails if the prompt is empty or too long.
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
    pub style_id: String,
    /// Label, prompt and language.
    #[serde(flatten)]
    pub text: InstructionText,
}

/// Reply to [`CreateCustomInstruction`]. The service returns either the updated list or only the new instruction.
#[derive(Debug)]
pub enum CreatedInstruction {
    /// Updated list.
    List(WithRaw<StyleRule>),
    /// New instruction.
    Instruction(WithRaw<CustomInstruction>),
}

impl Reply for CreatedInstruction {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let fields: std::collections::BTreeMap<&str, &RawValue> =
            serde_json::from_slice(&answer.body).map_err(|e| unusable(answer, &e.to_string()))?;
        if fields.contains_key("style_id") {
            WithRaw::read(answer).map(Self::List)
        } else {
            WithRaw::read(answer).map(Self::Instruction)
        }
    }
}

impl Endpoint for CreateCustomInstruction {
    type Reply = CreatedInstruction;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions";
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.text.check()
    }
}

/// Reads an instruction.
#[derive(Serialize, Clone, Debug)]
pub struct GetCustomInstruction {
    /// ID of the list.
    pub style_id: String,
    /// ID of the instruction.
    pub instruction_id: String,
}

impl Endpoint for GetCustomInstruction {
    type Reply = WithRaw<CustomInstruction>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";
}

/// Replaces an instruction. All fields are sent.
#[derive(Serialize, Clone, Debug)]
pub struct ReplaceCustomInstruction {
    /// ID of the list.
    pub style_id: String,
    /// ID of the instruction.
    pub instruction_id: String,
    /// New content.
    #[serde(flatten)]
    pub text: InstructionText,
}

impl Endpoint for ReplaceCustomInstruction {
    type Reply = WithRaw<CustomInstruction>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.text.check()
    }
}

/// Deletes an instruction.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteCustomInstruction {
    /// ID of the list.
    pub style_id: String,
    /// ID of the instruction.
    pub instruction_id: String,
}

impl Endpoint for DeleteCustomInstruction {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/style_rules/{style_id}/custom_instructions/{instruction_id}";
}

/// Fails if the name of a style rule list is empty or too long.
pub fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the name of the style rule list is empty").hint("add a name"));
    }
    check_length("the name of the style rule list", name, limits::STYLE_NAME_CHARS)
}

/// Fails if there are too many custom instructions for one list.
pub fn check_count(count: usize) -> Result<(), Failure> {
    let limit = limits::STYLE_INSTRUCTIONS;
    if count <= limit {
        return Ok(());
    }
    Err(Failure::usage(format!("{count} custom instructions; the limit of a style rule list is {limit}"))
        .hint("combine or remove some instructions, or create a second list"))
}

fn check_length(what: &str, text: &str, limit: usize) -> Result<(), Failure> {
    let count = text.chars().count();
    if count <= limit {
        return Ok(());
    }
    Err(Failure::usage(format!("{what} has {}; the limit is {}", counted(count, "character"), grouped(limit)))
        .hint("shorten it, or add --no-check to let the service decide"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::request::RequestBody;

    #[test]
    fn requests_another_page_after_a_full_one() {
        let list = |count: usize| {
            let one = WithRaw::parse(br#"{"style_id":"s","new_field":1}"#).unwrap();
            WithRaw::from_typed(StyleRulePage { style_rules: vec![one; count] }).unwrap()
        };
        let mut request = ListStyleRules::all(false);
        assert!(request.advance(&list(25)));
        assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"page":1,"page_size":25}"#);
        assert!(!request.advance(&list(24)));
        let all = ListStyleRules::join(vec![list(1), list(1)]).unwrap();
        assert_eq!(all.raw().get().matches("new_field").count(), 2);
    }

    #[test]
    fn the_body_consists_of_the_rules() {
        let service = Service {
            name: "service".to_owned(),
            base_url: "https://service.example".to_owned(),
            auth_scheme: "Key".to_owned(),
            reporting_tag_header: "X-Tag".to_owned(),
            is_public: true,
        };
        for (rules, body) in [
            (r#"{"punctuation":{"serial_comma":"use"}}"#, r#"{"punctuation":{"serial_comma":"use"}}"#),
            ("{}", "{}"),
            (r#"{"style_id":{"a":"b"},"z":{},"a":{}}"#, r#"{"a":{},"z":{}}"#),
        ] {
            let request = ReplaceConfiguredRules { rules: serde_json::from_str(rules).unwrap(), style_id: "s".into() };
            let request = request.request(&service).unwrap();
            assert_eq!(request.path.as_str(), "/v3/style_rules/s/configured_rules");
            let RequestBody::Json(sent) = request.body else { panic!("not JSON") };
            assert_eq!(sent, body);
        }
    }

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
