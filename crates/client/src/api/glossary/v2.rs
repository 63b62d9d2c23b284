//! The older glossaries, `/v2/glossaries`. Each has one language pair and cannot be edited.

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;

use super::{DictionaryContent, check_name};
use crate::Service;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::reply::{Empty, Text};
use crate::http::request::{Method, Repeat};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<CreateGlossaryV2>(),
    KnownOperation::new::<ListGlossariesV2>(),
    KnownOperation::new::<GetGlossaryV2>(),
    KnownOperation::new::<GetGlossaryEntriesV2>(),
    KnownOperation::new::<DeleteGlossaryV2>(),
    KnownOperation::new::<ListSupportedPairs>(),
];

/// A glossary of one language pair.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct GlossaryV2 {
    /// ID, a UUID.
    pub glossary_id: String,
    /// Name.
    pub name: String,
    /// Whether the glossary can be used. Unset means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ready: Option<bool>,
    /// Source language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_lang: Option<String>,
    /// Target language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_lang: Option<String>,
    /// Time of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    /// Number of entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_count: Option<u64>,
}

impl GlossaryV2 {
    /// Returns whether the glossary can be used.
    pub fn is_ready(&self) -> bool {
        self.ready != Some(false)
    }
}

/// Creates a glossary of one language pair.
#[derive(Serialize, Clone, Debug)]
pub struct CreateGlossaryV2 {
    /// Name.
    pub name: String,
    /// Language pair and entries.
    #[serde(flatten)]
    pub content: DictionaryContent,
}

impl Endpoint for CreateGlossaryV2 {
    type Reply = WithRaw<GlossaryV2>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v2/glossaries";
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)
    }
}

/// Lists all glossaries of this kind in one reply.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct ListGlossariesV2 {}

/// Reply to [`ListGlossariesV2`].
#[derive(Deserialize, Debug)]
pub struct GlossaryListV2 {
    /// Glossaries.
    pub glossaries: Vec<WithRaw<GlossaryV2>>,
}

impl Endpoint for ListGlossariesV2 {
    type Reply = WithRaw<GlossaryListV2>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/glossaries";
}

/// Reads one glossary without its entries.
#[derive(Serialize, Clone, Debug)]
pub struct GetGlossaryV2 {
    /// ID of the glossary.
    pub glossary_id: String,
}

impl Endpoint for GetGlossaryV2 {
    type Reply = WithRaw<GlossaryV2>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/glossaries/{glossary_id}";
}

/// Reads the entries of a glossary as TSV.
#[derive(Serialize, Clone, Debug)]
pub struct GetGlossaryEntriesV2 {
    /// ID of the glossary.
    pub glossary_id: String,
}

impl Endpoint for GetGlossaryEntriesV2 {
    type Reply = Text;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/glossaries/{glossary_id}/entries";

    fn headers(&self, _: &Service, headers: &mut HeaderMap) -> Result<(), Failure> {
        headers.insert(ACCEPT, HeaderValue::from_static("text/tab-separated-values"));
        Ok(())
    }
}

/// Deletes a glossary.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteGlossaryV2 {
    /// ID of the glossary.
    pub glossary_id: String,
}

impl Endpoint for DeleteGlossaryV2 {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/v2/glossaries/{glossary_id}";
}

/// Lists the language pairs that glossaries support.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct ListSupportedPairs {}

/// A language pair that glossaries support.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct SupportedPair {
    /// Source language.
    pub source_lang: String,
    /// Target language.
    pub target_lang: String,
}

/// Reply to [`ListSupportedPairs`].
#[derive(Deserialize, Debug)]
pub struct SupportedPairs {
    /// Language pairs.
    pub supported_languages: Vec<WithRaw<SupportedPair>>,
}

impl Endpoint for ListSupportedPairs {
    type Reply = WithRaw<SupportedPairs>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v2/glossary-language-pairs";
}
