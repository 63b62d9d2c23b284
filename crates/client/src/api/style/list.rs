//! Operations on style rule lists as a whole.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use serde_with::skip_serializing_none;
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_base::limits;

use super::{CustomInstruction, InstructionText, check_count, check_name};
use crate::Service;
use crate::api::language_code::LangCode;
use crate::http::endpoint::{Carry, Endpoint, Paged, Paging};
use crate::http::reply::Empty;
use crate::http::request::{Method, Repeat};

/// Options by category and rule, as JSON: unknown rules stay when the list is written back.
pub type ConfiguredRules = Map<String, Value>;

/// A style rule list. The short form has neither rules nor instructions.
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
    pub custom_instructions: Option<Vec<Kept<CustomInstruction>>>,
}

impl StyleRule {
    /// Returns the custom instructions; none in the short form.
    pub fn instructions(&self) -> &[Kept<CustomInstruction>] {
        self.custom_instructions.as_deref().unwrap_or_default()
    }
}

/// A page of style rule lists.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StyleRulePage {
    /// Style rule lists.
    pub style_rules: Vec<Kept<StyleRule>>,
}

/// Lists style rule lists, page by page.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug)]
pub struct ListStyleRules {
    /// Whether to include rules and instructions.
    pub detailed: Option<bool>,
    /// Page number, from 0.
    pub page: u32,
    /// Style rule lists per page, at most 25.
    pub page_size: u32,
}

impl ListStyleRules {
    /// Creates a request for the first page, of the largest size.
    pub fn all(detailed: bool) -> Self {
        Self { detailed: detailed.then_some(true), page: 0, page_size: limits::PAGE_SIZE_MAX }
    }
}

impl Endpoint for ListStyleRules {
    type Reply = Kept<StyleRulePage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/style_rules";
    const CARRY: Carry = Carry::Query;
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

    fn append(all: &mut Self::Reply, page: Self::Reply) -> Result<(), Failure> {
        let mut lists = all.style_rules.clone();
        lists.extend(page.into_typed().style_rules);
        *all = Kept::from_typed(StyleRulePage { style_rules: lists })?;
        Ok(())
    }
}

/// Creates a style rule list.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug)]
pub struct CreateStyleRule {
    /// Name.
    pub name: String,
    /// Language.
    pub language: LangCode,
    /// Rules.
    pub configured_rules: Option<ConfiguredRules>,
    /// Custom instructions.
    pub custom_instructions: Option<Vec<InstructionText>>,
}

impl Endpoint for CreateStyleRule {
    type Reply = Kept<StyleRule>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/style_rules";
    const CARRY: Carry = Carry::Json;
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
    #[serde(skip)]
    pub style_id: String,
}

impl Endpoint for GetStyleRule {
    type Reply = Kept<StyleRule>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/style_rules/{style_id}";
    const CARRY: Carry = Carry::Nothing;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id]
    }
}

/// Renames a style rule list.
#[derive(Serialize, Clone, Debug)]
pub struct RenameStyleRule {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
    /// New name.
    pub name: String,
}

impl Endpoint for RenameStyleRule {
    type Reply = Kept<StyleRule>;
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = "/v3/style_rules/{style_id}";
    const CARRY: Carry = Carry::Json;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id]
    }

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)
    }
}

/// Replaces all configured rules, without changing the instructions.
#[derive(Serialize, Clone, Debug)]
pub struct ReplaceConfiguredRules {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
    /// New rules: the whole body of the request.
    #[serde(flatten)]
    pub rules: ConfiguredRules,
}

impl Endpoint for ReplaceConfiguredRules {
    type Reply = Kept<StyleRule>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v3/style_rules/{style_id}/configured_rules";
    const CARRY: Carry = Carry::Json;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id]
    }
}

/// Deletes a style rule list permanently.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteStyleRule {
    /// ID of the list.
    #[serde(skip)]
    pub style_id: String,
}

impl Endpoint for DeleteStyleRule {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/style_rules/{style_id}";
    const CARRY: Carry = Carry::Nothing;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.style_id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_page_is_followed_by_another() {
        let list = |count: usize| {
            let one = Kept::parse(br#"{"style_id":"s","new_field":1}"#).unwrap();
            Kept::from_typed(StyleRulePage { style_rules: vec![one; count] }).unwrap()
        };
        let mut request = ListStyleRules::all(false);
        assert!(request.advance(&list(25)));
        assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"page":1,"page_size":25}"#);
        assert!(!request.advance(&list(24)));
        let mut all = list(1);
        ListStyleRules::append(&mut all, list(1)).unwrap();
        assert_eq!(all.raw().get().matches("new_field").count(), 2);
    }

    #[test]
    fn the_body_consists_of_the_rules() {
        let rules = serde_json::from_str(r#"{"punctuation":{"serial_comma":"use"}}"#).unwrap();
        let body = serde_json::to_string(&ReplaceConfiguredRules { style_id: "s".into(), rules }).unwrap();
        assert_eq!(body, r#"{"punctuation":{"serial_comma":"use"}}"#);
        let empty = ReplaceConfiguredRules { style_id: "s".into(), rules: Map::new() };
        assert_eq!(serde_json::to_string(&empty).unwrap(), "{}");
    }
}
