//! Spoken terms, `/v3/spoken-terms`: words that speech recognition should know, such as names and products. A collection has a name and
//! one term list per language. See `docs/service.md`, "Spoken terms".

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};

use crate::Service;
use crate::api::language_code::LangCode;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::reply::Empty;
use crate::http::request::{Method, Repeat};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<CreateSpokenTerms>(),
    KnownOperation::new::<ListSpokenTerms>(),
    KnownOperation::new::<GetSpokenTerms>(),
    KnownOperation::new::<EditSpokenTerms>(),
    KnownOperation::new::<DeleteSpokenTerms>(),
    KnownOperation::new::<GetSpokenTermsEntries>(),
    KnownOperation::new::<PutTermList>(),
    KnownOperation::new::<DeleteTermList>(),
];

const COLLECTIONS: &str = "/v3/spoken-terms";
const COLLECTION: &str = "/v3/spoken-terms/{spoken_terms_id}";
const TERM_LISTS: &str = "/v3/spoken-terms/{spoken_terms_id}/term-lists";

/// A collection of spoken terms, without its terms.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[allow(clippy::struct_field_names)] // named as in the JSON
pub struct SpokenTerms {
    /// ID, a UUID.
    pub spoken_terms_id: String,
    /// Name.
    #[serde(default)]
    pub name: String,
    /// Term lists, one per language.
    #[serde(default)]
    pub term_lists: Vec<TermListInfo>,
    /// Time of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
}

/// A term list without its terms.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TermListInfo {
    /// Language, in upper or lower case.
    pub lang: String,
    /// Number of terms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_count: Option<u64>,
}

/// A term list with its terms, as sent and received.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct TermListContent {
    /// Language, an ISO 639-1 code.
    pub lang: String,
    /// Terms, separated by line feeds. At most 300 characters in total.
    pub entries: String,
}

impl TermListContent {
    /// Fails unless the language is a code of two letters: a term list applies to all variants of a language.
    fn check(&self) -> Result<(), Failure> {
        check_term_language(&self.lang)
    }
}

/// Creates a collection.
#[derive(Serialize, Clone, Debug)]
pub struct CreateSpokenTerms {
    /// Name.
    pub name: String,
    /// Term lists, at least one.
    pub term_lists: Vec<TermListContent>,
}

impl Endpoint for CreateSpokenTerms {
    type Reply = WithRaw<SpokenTerms>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = COLLECTIONS;
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)?;
        self.term_lists.iter().try_for_each(TermListContent::check)
    }
}

/// Lists all collections in one reply.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct ListSpokenTerms {}

/// Reply with all collections.
#[derive(Deserialize, Debug)]
pub struct SpokenTermsReply {
    /// Collections.
    pub spoken_terms: Vec<WithRaw<SpokenTerms>>,
}

impl Endpoint for ListSpokenTerms {
    type Reply = WithRaw<SpokenTermsReply>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = COLLECTIONS;
}

/// Reads one collection without its terms.
#[derive(Serialize, Clone, Debug)]
pub struct GetSpokenTerms {
    /// ID of the collection.
    pub spoken_terms_id: String,
}

impl Endpoint for GetSpokenTerms {
    type Reply = WithRaw<SpokenTerms>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = COLLECTION;
}

/// Renames a collection, merges terms into its lists, or both.
#[derive(Serialize, Clone, Debug)]
pub struct EditSpokenTerms {
    /// ID of the collection.
    pub spoken_terms_id: String,
    /// New name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Terms to merge into the lists of these languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub term_lists: Option<Vec<TermListContent>>,
}

impl Endpoint for EditSpokenTerms {
    type Reply = WithRaw<SpokenTerms>;
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = COLLECTION;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.name.as_deref().map_or(Ok(()), check_name)?;
        self.term_lists.iter().flatten().try_for_each(TermListContent::check)
    }
}

/// Deletes a collection.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteSpokenTerms {
    /// ID of the collection.
    pub spoken_terms_id: String,
}

impl Endpoint for DeleteSpokenTerms {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = COLLECTION;
}

/// Reads the terms of one list.
#[derive(Serialize, Clone, Debug)]
pub struct GetSpokenTermsEntries {
    /// ID of the collection.
    pub spoken_terms_id: String,
    /// Language of the list.
    pub lang: LangCode,
}

impl Endpoint for GetSpokenTermsEntries {
    type Reply = WithRaw<TermListContent>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/spoken-terms/{spoken_terms_id}/entries";
    const ANSWER_BYTES: Option<usize> = Some(limits::TERMS_ANSWER_BYTES);
}

/// Creates or replaces one term list.
#[derive(Serialize, Clone, Debug)]
pub struct PutTermList {
    /// ID of the collection.
    pub spoken_terms_id: String,
    /// New list.
    #[serde(flatten)]
    pub content: TermListContent,
}

impl Endpoint for PutTermList {
    type Reply = WithRaw<TermListInfo>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = TERM_LISTS;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.content.check()
    }
}

/// Deletes one term list of a collection.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteTermList {
    /// ID of the collection.
    pub spoken_terms_id: String,
    /// Language of the list.
    pub lang: LangCode,
}

impl Endpoint for DeleteTermList {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = TERM_LISTS;
}

fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the name of the spoken terms is empty"));
    }
    let limit = limits::SPOKEN_TERMS_NAME_BYTES;
    if name.len() > limit {
        return Err(Failure::usage(format!(
            "the name of the spoken terms has {}; the limit is {}",
            counted(name.len(), "byte"),
            grouped(limit)
        )));
    }
    Ok(())
}

/// Fails unless the code has the form of ISO 639-1. The service decides which languages can have term lists.
pub fn check_term_language(code: &str) -> Result<(), Failure> {
    if code.len() == 2 && code.bytes().all(|b| b.is_ascii_alphabetic()) {
        return Ok(());
    }
    Err(Failure::usage(format!("`{code}` is not an ISO 639-1 code (two letters)"))
        .hint("a term list is for all variants of a language: write en for en-US, zh for zh-Hans"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_at_most_1024_bytes() {
        assert!(check_name(&"ä".repeat(512)).is_ok());
        let failure = check_name(&"ä".repeat(513)).unwrap_err();
        assert_eq!(failure.what, "the name of the spoken terms has 1,026 bytes; the limit is 1,024");
        assert!(check_name(" ").is_err());
    }

    #[test]
    fn a_language_has_two_letters() {
        assert!(check_term_language("en").is_ok() && check_term_language("DE").is_ok());
        for code in ["", "e", "eng", "en-US", "zh-Hans", "e1"] {
            assert!(check_term_language(code).is_err(), "{code}");
        }
    }
}
