//! Converts the objects of a seed file to the stored form of the routes, after the checks that a request would pass.

use axum::http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::fields::missing;
use super::glossary::dictionary::ParsedDictionary;
use super::glossary::stored::{self, GlossaryOrigin, StoredGlossary};
use super::translate::read_reporting_tag;
use crate::reply::Refusal;
use crate::state::pair_name;

pub(crate) use super::glossary::dictionary::DictionaryBody;
pub(crate) use super::style::{SeededInstruction, seeded_style};
pub(crate) use super::style_profiles::{KnownParts, PartLanguages, ProfileBody, seeded_profile};

/// Returns the stored body of a glossary, and its texts as pairs of name and content.
pub(crate) fn glossary(
    name: &str,
    dictionaries: &[ParsedDictionary],
) -> Result<(Value, Vec<(String, String)>), Refusal> {
    stored::check_name(name)?;
    stored::check_pairs(dictionaries)?;
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

/// Checks a reporting tag and returns it in lower case.
pub(crate) fn reporting_tag(tag: &str) -> Result<String, Refusal> {
    let value = HeaderValue::from_str(tag)
        .map_err(|_| Refusal::bad_request("A reporting tag consists of ASCII characters."))?;
    let headers = HeaderMap::from_iter([(axum::http::HeaderName::from_static("x-service-reporting-tag"), value)]);
    read_reporting_tag(&headers)?.ok_or_else(|| missing("tag"))
}
