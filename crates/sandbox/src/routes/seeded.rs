//! Objects of a seed file as the routes would store them, after the checks of the routes.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::fields::missing;
use super::glossary::dictionary::{DictionaryBody, ParsedDictionary};
use super::glossary::stored::{self, GlossaryOrigin, StoredGlossary};
use super::style::seeded_style;
use super::translate::read_reporting_tag;
use crate::reply::Refusal;
use crate::state::pair_name;
use crate::strict::check_rules;

pub(crate) use super::style::SeededInstruction;

/// A dictionary of a seed file.
pub(crate) struct SeededDictionary {
    pub(crate) source_lang: String,
    pub(crate) target_lang: String,
    pub(crate) entries: String,
    /// `tsv` or `csv`.
    pub(crate) entries_format: &'static str,
}

/// A dictionary that passed the checks.
pub(crate) struct CheckedDictionary(ParsedDictionary);

impl SeededDictionary {
    /// Checks the languages and the entries.
    pub(crate) fn check(self) -> Result<CheckedDictionary, Refusal> {
        let body = DictionaryBody {
            source_lang: self.source_lang,
            target_lang: self.target_lang,
            entries: self.entries,
            entries_format: self.entries_format.to_owned(),
        };
        body.check().map(CheckedDictionary)
    }
}

/// Returns the stored body of a glossary, and the names and contents of its texts.
pub(crate) fn glossary(
    name: &str,
    dictionaries: Vec<CheckedDictionary>,
) -> Result<(Value, Vec<(String, String)>), Refusal> {
    let dictionaries: Vec<ParsedDictionary> = dictionaries.into_iter().map(|checked| checked.0).collect();
    stored::check_name(name)?;
    stored::check_pairs(&dictionaries)?;
    let texts = dictionaries
        .iter()
        .map(|dictionary| Ok((pair_name(&dictionary.source_lang, &dictionary.target_lang), dictionary.tsv()?)))
        .collect::<Result<_, Refusal>>()?;
    let glossary = StoredGlossary {
        name: name.to_owned(),
        origin: GlossaryOrigin::V3,
        edited: false,
        dictionaries: dictionaries.iter().map(ParsedDictionary::summary).collect(),
    };
    Ok((json!(glossary), texts))
}

/// Returns the stored body of a style rule list. Its times are those of the check.
pub(crate) fn style(
    id: &str,
    name: &str,
    language: &str,
    rules: &BTreeMap<String, BTreeMap<String, String>>,
    instructions: &[SeededInstruction],
) -> Result<Value, Refusal> {
    seeded_style(id, name, language, rules.clone(), instructions)
}

/// Refuses style rules that the service is not known to have.
pub(crate) fn check_known_rules(rules: &BTreeMap<String, BTreeMap<String, String>>) -> Result<(), Refusal> {
    check_rules(rules)
}

/// Checks a reporting tag and returns it in lower case.
pub(crate) fn reporting_tag(tag: &str) -> Result<String, Refusal> {
    let value =
        HeaderValue::from_str(tag).map_err(|_| Refusal::bad("A reporting tag consists of ASCII characters."))?;
    let headers = HeaderMap::from_iter([(axum::http::HeaderName::from_static("x-service-reporting-tag"), value)]);
    read_reporting_tag(&headers)?.ok_or_else(|| missing("tag"))
}
