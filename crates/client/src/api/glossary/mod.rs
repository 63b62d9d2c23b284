//! Glossaries, `/v3/glossaries`: a name and one dictionary per language pair. Entries are checked where files are read. The older
//! glossaries, which have one language pair, are in `v2.rs`. See `docs/service.md`, "Glossaries".

pub mod v2;

use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::{StrictObject, WithRaw};
use tulk_base::limits;
use tulk_base::numbers::{counted, grouped};
use tulk_base::value_error::ValueError;

use super::language_code::LangCode;
use crate::Service;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::reply::Empty;
use crate::http::request::{Method, Repeat};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<CreateGlossary>(),
    KnownOperation::new::<ListGlossaries>(),
    KnownOperation::new::<GetGlossary>(),
    KnownOperation::new::<GetDictionaryEntries>(),
    KnownOperation::new::<PutDictionary>(),
    KnownOperation::new::<EditGlossary>(),
    KnownOperation::new::<DeleteGlossary>(),
    KnownOperation::new::<DeleteDictionary>(),
];

/// Value of `entries_format` for tab-separated entries. Replies always use it.
pub const TSV: &str = "tsv";
/// Value of `entries_format` for comma-separated entries.
pub const CSV: &str = "csv";

/// A glossary.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[allow(clippy::struct_field_names)] // named as in the JSON
pub struct Glossary {
    /// ID, a UUID.
    pub glossary_id: String,
    /// Name.
    pub name: String,
    /// Dictionaries, one per language pair.
    #[serde(default)]
    pub dictionaries: Vec<DictionaryInfo>,
    /// Time of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    /// Whether the glossary can be used. Unset means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
}

impl Glossary {
    /// Returns whether the glossary can be used.
    pub fn is_ready(&self) -> bool {
        self.ready != Some(false)
    }
}

/// A dictionary without its entries.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DictionaryInfo {
    /// Source language, in upper or lower case.
    pub source_lang: String,
    /// Target language, in upper or lower case.
    pub target_lang: String,
    /// Number of entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_count: Option<u64>,
}

/// A dictionary with its entries, as sent and received.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct DictionaryContent {
    /// Source language.
    pub source_lang: String,
    /// Target language.
    pub target_lang: String,
    /// Entries, in the format that `entries_format` names.
    pub entries: String,
    /// `tsv` or `csv`.
    pub entries_format: String,
}

/// Source and target language of a dictionary, written as `en:de`.
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
    /// Returns whether two codes are the languages of this pair. Ignores case.
    pub fn matches(&self, source: &str, target: &str) -> bool {
        self.source.bcp47().eq_ignore_ascii_case(source) && self.target.bcp47().eq_ignore_ascii_case(target)
    }

    /// Creates a pair from two codes that the service sent.
    pub fn from_codes(source: &str, target: &str) -> Result<Self, Failure> {
        let code = |text: &str| text.parse().map_err(|why: ValueError| Failure::new(Kind::Network, why));
        Ok(Self { source: code(source)?, target: code(target)? })
    }
}

impl std::str::FromStr for LanguagePair {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let (source, target) = text.split_once(':').ok_or_else(|| {
            ValueError::new(text, format!("invalid language pair `{text}`")).hint("write source:target, such as en:de")
        })?;
        let pair = Self { source: source.parse()?, target: target.parse()? };
        if pair.source == pair.target {
            let what = format!("the language pair `{text}` contains the same language twice");
            return Err(ValueError::new(text, what));
        }
        Ok(pair)
    }
}

impl std::fmt::Display for LanguagePair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.source, self.target)
    }
}

/// Creates a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct CreateGlossary {
    /// Name.
    pub name: String,
    /// Dictionaries, at least one.
    pub dictionaries: Vec<DictionaryContent>,
}

impl Endpoint for CreateGlossary {
    type Reply = WithRaw<Glossary>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/glossaries";
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)
    }
}

/// Lists all glossaries in one reply.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct ListGlossaries {}

/// Reply with all glossaries.
#[derive(Deserialize, Debug)]
pub struct GlossaryList {
    /// Glossaries.
    pub glossaries: Vec<WithRaw<Glossary>>,
}

impl Endpoint for ListGlossaries {
    type Reply = WithRaw<GlossaryList>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/glossaries";
}

/// Reads one glossary without its entries.
#[derive(Serialize, Clone, Debug)]
pub struct GetGlossary {
    /// ID of the glossary.
    pub glossary_id: String,
}

impl Endpoint for GetGlossary {
    type Reply = WithRaw<Glossary>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}";
}

/// Reads the entries of one dictionary.
#[derive(Serialize, Clone, Debug)]
pub struct GetDictionaryEntries {
    /// ID of the glossary.
    pub glossary_id: String,
    /// Language pair of the dictionary.
    #[serde(flatten)]
    pub pair: LanguagePair,
}

/// Reply with the entries of a dictionary: in a list of one dictionary, or directly.
#[derive(Deserialize, Debug)]
pub struct DictionaryEntries {
    /// List that contains the dictionary.
    #[serde(default)]
    pub dictionaries: Vec<StrictObject<DictionaryContent>>,
    /// Entries, if the reply itself is the dictionary.
    pub entries: Option<String>,
}

impl DictionaryEntries {
    /// Returns the entries of the requested pair.
    pub fn text(&self, pair: &LanguagePair) -> Option<&str> {
        let mut contents = self.dictionaries.iter().map(|StrictObject(content)| content);
        let found = contents.find(|content| pair.matches(&content.source_lang, &content.target_lang));
        found.map(|content| content.entries.as_str()).or(self.entries.as_deref())
    }
}

impl Endpoint for GetDictionaryEntries {
    type Reply = WithRaw<DictionaryEntries>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}/entries";
    const ANSWER_BYTES: Option<usize> = Some(limits::ENTRIES_ANSWER_BYTES);
}

/// Creates or replaces one dictionary.
#[derive(Serialize, Clone, Debug)]
pub struct PutDictionary {
    /// ID of the glossary.
    pub glossary_id: String,
    /// New dictionary.
    #[serde(flatten)]
    pub content: DictionaryContent,
}

impl Endpoint for PutDictionary {
    type Reply = WithRaw<DictionaryInfo>;
    const METHOD: Method = Method::PUT;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}/dictionaries";
}

/// Renames a glossary, merges entries into one dictionary, or both.
#[derive(Serialize, Clone, Debug)]
pub struct EditGlossary {
    /// ID of the glossary.
    pub glossary_id: String,
    /// New name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Entries to merge, for at most one dictionary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dictionaries: Option<[DictionaryContent; 1]>,
}

impl Endpoint for EditGlossary {
    type Reply = WithRaw<Glossary>;
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}";

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.name.as_deref().map_or(Ok(()), check_name)
    }
}

/// Deletes a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteGlossary {
    /// ID of the glossary.
    pub glossary_id: String,
}

impl Endpoint for DeleteGlossary {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}";
}

/// Deletes one dictionary of a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteDictionary {
    /// ID of the glossary.
    pub glossary_id: String,
    /// Language pair of the dictionary.
    #[serde(flatten)]
    pub pair: LanguagePair,
}

impl Endpoint for DeleteDictionary {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v3/glossaries/{glossary_id}/dictionaries";
}

fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the glossary name is empty"));
    }
    if name.len() > limits::GLOSSARY_NAME_BYTES {
        return Err(Failure::usage(format!(
            "the glossary name has {}; the limit is {}",
            counted(name.len(), "byte"),
            grouped(limits::GLOSSARY_NAME_BYTES)
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_ignore_case() {
        let pair: LanguagePair = "EN:de".parse().unwrap();
        assert_eq!(pair.to_string(), "en:de");
        assert!(pair.matches("En", "DE") && !pair.matches("de", "en"));
        for text in ["en", "en:", ":de", "en:de:fr", "en:EN"] {
            assert!(text.parse::<LanguagePair>().is_err(), "{text}");
        }
    }

    #[test]
    fn reads_entries_in_a_list_and_directly() {
        let pair: LanguagePair = "en:de".parse().unwrap();
        for text in [
            r#"{"dictionaries":[{"source_lang":"EN","target_lang":"DE","entries":"a\tb","entries_format":"tsv"}]}"#,
            r#"{"source_lang":"en","target_lang":"de","entries":"a\tb","entries_format":"tsv"}"#,
        ] {
            let entries: WithRaw<DictionaryEntries> = WithRaw::parse(text.as_bytes()).unwrap();
            assert_eq!(entries.text(&pair), Some("a\tb"), "{text}");
        }
    }

    #[test]
    fn a_glossary_is_ready_unless_ready_is_false() {
        let read = |text: &str| serde_json::from_str::<Glossary>(text).unwrap().is_ready();
        assert!(read(r#"{"glossary_id":"g","name":"n"}"#));
        assert!(!read(r#"{"glossary_id":"g","name":"n","ready":false}"#));
    }

    #[test]
    fn a_name_has_at_most_1024_bytes() {
        assert!(check_name(&"ä".repeat(512)).is_ok());
        assert!(check_name(&"ä".repeat(513)).is_err());
        assert!(check_name(" ").is_err());
    }
}
