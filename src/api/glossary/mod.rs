//! Glossaries, `/v3/glossaries`: dictionaries of several language pairs under one name, and every operation on them.
//!
//! The older glossaries of one pair are in `v2.rs`; the rules of entries are checked where files are read.
//! Spec: "Glossaries", v3.

pub mod v2;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::language_code::LangCode;
use crate::config::Service;
use crate::error::{Failure, Kind};
use crate::http::endpoint::{Carry, Endpoint};
use crate::http::reply::Empty;
use crate::http::request::{Method, Repeat};
use crate::json::Kept;
use crate::limits;

/// The form of `entries` that is read, and usually sent.
pub const TSV: &str = "tsv";
/// The other form of `entries`.
pub const CSV: &str = "csv";

/// A glossary.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Glossary {
    /// Its id, a UUID.
    pub glossary_id: String,
    /// Its name.
    pub name: String,
    /// Its dictionaries, one a pair.
    #[serde(default)]
    pub dictionaries: Vec<DictionaryInfo>,
    /// When it was made.
    pub creation_time: Option<String>,
    /// Whether it can be used; missing means yes.
    pub ready: Option<bool>,
}

impl Glossary {
    /// Whether it can be used.
    pub fn is_ready(&self) -> bool {
        self.ready != Some(false)
    }

    /// Its dictionary of a pair.
    pub fn dictionary(&self, pair: &LanguagePair) -> Option<&DictionaryInfo> {
        self.dictionaries.iter().find(|dictionary| pair.matches(&dictionary.source_lang, &dictionary.target_lang))
    }
}

/// What a glossary says of one of its dictionaries.
#[skip_serializing_none]
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DictionaryInfo {
    /// Source language, in any case.
    pub source_lang: String,
    /// Target language, in any case.
    pub target_lang: String,
    /// How many entries it has.
    pub entry_count: Option<u64>,
}

/// The entries of one dictionary, as they travel.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DictionaryContent {
    /// Source language.
    pub source_lang: String,
    /// Target language.
    pub target_lang: String,
    /// The entries in the form named next.
    pub entries: String,
    /// `tsv` or `csv`.
    pub entries_format: String,
}

/// Source and target language of a dictionary, written `en:de`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LanguagePair {
    /// Source language.
    #[serde(rename = "source_lang")]
    pub source: LangCode,
    /// Target language.
    #[serde(rename = "target_lang")]
    pub target: LangCode,
}

impl LanguagePair {
    /// Whether these codes, in any case, are this pair.
    pub fn matches(&self, source: &str, target: &str) -> bool {
        self.source.bcp47().eq_ignore_ascii_case(source) && self.target.bcp47().eq_ignore_ascii_case(target)
    }

    /// The pair of two codes of the service.
    pub fn from_codes(source: &str, target: &str) -> Result<Self, Failure> {
        let code = |text: &str| text.parse().map_err(|why: String| Failure::new(Kind::Network, why));
        Ok(Self { source: code(source)?, target: code(target)? })
    }
}

impl std::str::FromStr for LanguagePair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (source, target) = text
            .split_once(':')
            .ok_or_else(|| format!("`{text}` is no language pair; write source:target, such as en:de"))?;
        let pair = Self { source: source.parse()?, target: target.parse()? };
        if pair.source == pair.target {
            return Err(format!("`{text}` has the same language twice"));
        }
        Ok(pair)
    }
}

impl std::fmt::Display for LanguagePair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.source, self.target)
    }
}

/// Makes a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct CreateGlossary {
    /// Its name.
    pub name: String,
    /// Its dictionaries, at least one.
    pub dictionaries: Vec<DictionaryContent>,
}

impl Endpoint for CreateGlossary {
    type Reply = Kept<Glossary>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/glossaries";
    const CARRY: Carry = Carry::Json;
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)
    }
}

/// Lists all glossaries; there are no pages.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct ListGlossaries {}

/// All glossaries.
#[derive(Deserialize, Debug)]
pub struct GlossaryList {
    /// The glossaries.
    pub glossaries: Vec<Kept<Glossary>>,
}

impl Endpoint for ListGlossaries {
    type Reply = Kept<GlossaryList>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/glossaries";
    const CARRY: Carry = Carry::Nothing;
}

/// Shows one glossary.
#[derive(Serialize, Clone, Debug)]
pub struct GetGlossary {
    /// Which one.
    #[serde(skip)]
    pub glossary_id: String,
}

impl Endpoint for GetGlossary {
    type Reply = Kept<Glossary>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}";
    const CARRY: Carry = Carry::Nothing;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.glossary_id]
    }
}

/// Reads the entries of one dictionary.
#[derive(Serialize, Clone, Debug)]
pub struct GetDictionaryEntries {
    /// Of which glossary.
    #[serde(skip)]
    pub glossary_id: String,
    /// Of which pair.
    #[serde(flatten)]
    pub pair: LanguagePair,
}

/// The entries of a dictionary as they are read: in a list of one, or bare.
#[derive(Deserialize, Debug)]
pub struct DictionaryEntries {
    /// The contents.
    #[serde(default)]
    pub dictionaries: Vec<Kept<DictionaryContent>>,
    /// The entries of a bare content.
    pub entries: Option<String>,
}

impl DictionaryEntries {
    /// The text of the entries of the pair that was asked for.
    pub fn text(&self, pair: &LanguagePair) -> Option<&str> {
        let fits = |content: &&Kept<DictionaryContent>| pair.matches(&content.source_lang, &content.target_lang);
        let found = self.dictionaries.iter().find(fits).map(|content| content.entries.as_str());
        found.or(self.entries.as_deref())
    }
}

impl Endpoint for GetDictionaryEntries {
    type Reply = Kept<DictionaryEntries>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}/entries";
    const CARRY: Carry = Carry::Query;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.glossary_id]
    }
}

/// Makes or replaces one dictionary.
#[derive(Serialize, Clone, Debug)]
pub struct PutDictionary {
    /// Of which glossary.
    #[serde(skip)]
    pub glossary_id: String,
    /// The whole dictionary.
    #[serde(flatten)]
    pub content: DictionaryContent,
}

impl Endpoint for PutDictionary {
    type Reply = Kept<DictionaryInfo>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}/dictionaries";
    const CARRY: Carry = Carry::Json;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.glossary_id]
    }
}

/// Renames a glossary, merges entries into one dictionary, or both.
#[skip_serializing_none]
#[derive(Serialize, Clone, Debug)]
pub struct EditGlossary {
    /// Which one.
    #[serde(skip)]
    pub glossary_id: String,
    /// Its new name.
    pub name: Option<String>,
    /// The entries to merge: one dictionary at most.
    pub dictionaries: Option<[DictionaryContent; 1]>,
}

impl Endpoint for EditGlossary {
    type Reply = Kept<Glossary>;
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}";
    const CARRY: Carry = Carry::Json;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.glossary_id]
    }

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.name.as_deref().map_or(Ok(()), check_name)
    }
}

/// Deletes a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteGlossary {
    /// Which one.
    #[serde(skip)]
    pub glossary_id: String,
}

impl Endpoint for DeleteGlossary {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}";
    const CARRY: Carry = Carry::Nothing;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.glossary_id]
    }
}

/// Deletes one dictionary of a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteDictionary {
    /// Of which glossary.
    #[serde(skip)]
    pub glossary_id: String,
    /// Of which pair.
    #[serde(flatten)]
    pub pair: LanguagePair,
}

impl Endpoint for DeleteDictionary {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}/dictionaries";
    const CARRY: Carry = Carry::Query;

    fn path_ids(&self) -> Vec<&str> {
        vec![&self.glossary_id]
    }
}

/// The rules of a glossary's name.
fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the glossary name is empty"));
    }
    if name.len() > limits::GLOSSARY_NAME_BYTES {
        return Err(Failure::usage(format!(
            "the glossary name has {} bytes, the limit is {}",
            name.len(),
            limits::GLOSSARY_NAME_BYTES
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_and_compared_without_case() {
        let pair: LanguagePair = "EN:de".parse().unwrap();
        assert_eq!(pair.to_string(), "en:de");
        assert!(pair.matches("En", "DE") && !pair.matches("de", "en"));
        for text in ["en", "en:", ":de", "en:de:fr", "en:EN"] {
            assert!(text.parse::<LanguagePair>().is_err(), "{text}");
        }
    }

    #[test]
    fn entries_are_read_in_a_list_and_bare() {
        let pair: LanguagePair = "en:de".parse().unwrap();
        for text in [
            r#"{"dictionaries":[{"source_lang":"EN","target_lang":"DE","entries":"a\tb","entries_format":"tsv"}]}"#,
            r#"{"source_lang":"en","target_lang":"de","entries":"a\tb","entries_format":"tsv"}"#,
        ] {
            let entries: Kept<DictionaryEntries> = Kept::parse(text.as_bytes()).unwrap();
            assert_eq!(entries.text(&pair), Some("a\tb"), "{text}");
        }
    }

    #[test]
    fn a_missing_ready_means_ready() {
        let read = |text: &str| serde_json::from_str::<Glossary>(text).unwrap().is_ready();
        assert!(read(r#"{"glossary_id":"g","name":"n"}"#));
        assert!(!read(r#"{"glossary_id":"g","name":"n","ready":false}"#));
    }

    #[test]
    fn names_have_1024_bytes_at_most() {
        assert!(check_name(&"ä".repeat(512)).is_ok());
        assert!(check_name(&"ä".repeat(513)).is_err());
        assert!(check_name(" ").is_err());
    }
}
