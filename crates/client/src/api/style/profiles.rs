//! Style profiles, `/v3/style_profiles`: glossaries, style rule lists and translation memories under one ID.
//! See `docs/service.md`, "Style profiles".

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;

use crate::Service;
use crate::http::endpoint::{Endpoint, KnownOperation, Paged, Paging};
use crate::http::reply::Empty;
use crate::http::request::{Method, Repeat};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::paged::<ListStyleProfiles>(),
    KnownOperation::new::<CreateStyleProfile>(),
    KnownOperation::new::<GetStyleProfile>(),
    KnownOperation::new::<EditStyleProfile>(),
    KnownOperation::new::<DeleteStyleProfile>(),
];

const PROFILES: &str = "/v3/style_profiles";
const PROFILE: &str = "/v3/style_profiles/{style_profile_id}";

/// A style profile. The service may also link assets of other kinds.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StyleProfile {
    /// ID, a UUID.
    pub style_profile_id: String,
    /// Name.
    #[serde(default)]
    pub name: String,
    /// Description, as free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Industry, as free text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub industry: Option<String>,
    /// IDs of glossaries.
    #[serde(default)]
    pub glossary_ids: Vec<String>,
    /// IDs of style rule lists, at most one per target language.
    #[serde(default)]
    pub style_rule_ids: Vec<String>,
    /// IDs of translation memories, at most one per source language.
    #[serde(default)]
    pub translation_memory_ids: Vec<String>,
    /// Whether the order of the glossaries is their priority, first to last.
    #[serde(default)]
    pub glossary_priority_order_enabled: bool,
    /// Time of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_time: Option<String>,
    /// Time of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_time: Option<String>,
}

/// Style profiles: all of them, or one page.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct StyleProfilePage {
    /// Style profiles.
    pub style_profiles: Vec<WithRaw<StyleProfile>>,
    /// Number of style profiles on all pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_count: Option<u64>,
}

/// Lists all style profiles. More pages are requested only if the first reply has fewer profiles than its `total_count`.
#[derive(Serialize, Clone, Debug, Default)]
pub struct ListStyleProfiles {
    /// Page number; unset for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(skip)]
    received: HashSet<String>,
}

impl Endpoint for ListStyleProfiles {
    type Reply = WithRaw<StyleProfilePage>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = PROFILES;
}

impl Paged for ListStyleProfiles {
    const PAGING: Paging = Paging::UntilTotal;

    fn identities(page: &Self::Reply) -> Vec<&str> {
        page.style_profiles.iter().map(|profile| profile.style_profile_id.as_str()).collect()
    }

    fn advance(&mut self, page: &Self::Reply) -> bool {
        let before = self.received.len();
        self.received.extend(Self::identities(page).into_iter().map(str::to_owned));
        let count = self.received.len();
        self.page = Some(self.page.unwrap_or(0) + 1);
        count > before && page.total_count.is_some_and(|total| (count as u64) < total)
    }

    fn join(mut pages: Vec<Self::Reply>) -> Result<Self::Reply, Failure> {
        if pages.len() == 1
            && let Some(only) = pages.pop()
        {
            return Ok(only);
        }
        let total_count = pages.iter().rev().find_map(|page| page.total_count);
        // A service that ignores page numbers sends the same profiles again.
        let mut seen = HashSet::new();
        let mut style_profiles: Vec<_> = pages.into_iter().flat_map(|page| page.into_typed().style_profiles).collect();
        style_profiles.retain(|profile| seen.insert(profile.style_profile_id.clone()));
        WithRaw::from_typed(StyleProfilePage { style_profiles, total_count })
    }
}

/// The fields of a new or changed profile, except its name. Unset fields are not sent.
#[derive(Serialize, Clone, Debug, Default)]
pub struct StyleProfileFields {
    /// Description. An empty text clears it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Industry. An empty text clears it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub industry: Option<String>,
    /// IDs of all glossaries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glossary_ids: Option<Vec<String>>,
    /// IDs of all style rule lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style_rule_ids: Option<Vec<String>>,
    /// IDs of all translation memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation_memory_ids: Option<Vec<String>>,
    /// Whether the order of the glossaries is their priority.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glossary_priority_order_enabled: Option<bool>,
}

/// Creates a style profile.
#[derive(Serialize, Clone, Debug)]
pub struct CreateStyleProfile {
    /// Name.
    pub name: String,
    /// The other fields.
    #[serde(flatten)]
    pub fields: StyleProfileFields,
}

impl Endpoint for CreateStyleProfile {
    type Reply = WithRaw<StyleProfile>;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = PROFILES;
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        check_name(&self.name)
    }
}

/// Reads a style profile.
#[derive(Serialize, Clone, Debug)]
pub struct GetStyleProfile {
    /// ID of the profile.
    pub style_profile_id: String,
}

impl Endpoint for GetStyleProfile {
    type Reply = WithRaw<StyleProfile>;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = PROFILE;
}

/// Changes the given fields of a style profile and keeps the others.
#[derive(Serialize, Clone, Debug)]
pub struct EditStyleProfile {
    /// ID of the profile.
    pub style_profile_id: String,
    /// New name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The other fields.
    #[serde(flatten)]
    pub fields: StyleProfileFields,
}

impl Endpoint for EditStyleProfile {
    type Reply = WithRaw<StyleProfile>;
    const METHOD: Method = Method::PATCH;
    const PATH: &'static str = PROFILE;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        self.name.as_deref().map_or(Ok(()), check_name)
    }
}

/// Deletes a style profile permanently. The assets that it links are kept.
#[derive(Serialize, Clone, Debug)]
pub struct DeleteStyleProfile {
    /// ID of the profile.
    pub style_profile_id: String,
}

impl Endpoint for DeleteStyleProfile {
    type Reply = Empty;
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = PROFILE;
}

fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() {
        return Err(Failure::usage("the name of the style profile is empty").hint("add a name"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(ids: &[&str], total_count: Option<u64>) -> WithRaw<StyleProfilePage> {
        let profile =
            |id: &&str| WithRaw::parse(format!(r#"{{"style_profile_id":"{id}","new":1}}"#).as_bytes()).unwrap();
        WithRaw::from_typed(StyleProfilePage { style_profiles: ids.iter().map(profile).collect(), total_count })
            .unwrap()
    }

    #[test]
    fn further_pages_are_requested_until_the_total_or_until_nothing_is_new() {
        for (pages, requested) in [
            (vec![page(&["a"], Some(1))], 1),
            (vec![page(&["a"], None)], 1),
            (vec![page(&[], Some(3))], 1),
            (vec![page(&["a"], Some(2)), page(&["b"], Some(2))], 2),
            (vec![page(&["a"], Some(3)), page(&["a"], Some(3))], 2),
            (vec![page(&["a"], Some(3)), page(&["a", "b"], Some(3)), page(&[], Some(3))], 3),
        ] {
            let mut request = ListStyleProfiles::default();
            assert_eq!(serde_json::to_string(&request).unwrap(), "{}");
            let (last, others) = pages.split_last().unwrap();
            assert!(others.iter().all(|page| request.advance(page)), "{pages:?}");
            assert!(!request.advance(last), "{pages:?}");
            assert_eq!(serde_json::to_string(&request).unwrap(), format!(r#"{{"page":{requested}}}"#));
        }
    }

    #[test]
    fn joined_pages_have_each_profile_once_and_keep_unknown_fields() {
        let all = ListStyleProfiles::join(vec![page(&["a", "b"], Some(3)), page(&["b", "c"], Some(4))]).unwrap();
        assert_eq!(
            all.raw().get(),
            r#"{"style_profiles":[{"style_profile_id":"a","new":1},{"style_profile_id":"b","new":1},{"style_profile_id":"c","new":1}],"total_count":4}"#
        );
    }
}
