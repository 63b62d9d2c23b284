//! The versions of glossaries, style rule lists and translation memories: digests of what the service says about them.
//!
//! A result in the cache is used only as long as these are the same. The service sends no time of change for all of them, so
//! that their content is the version. Names do not count.

use futures_util::future::try_join_all;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tulk_base::error::{Failure, Kind};
use tulk_base::files;
use tulk_base::value_error::ValueError;
use tulk_client::api::glossary::v2::GetGlossaryV2;
use tulk_client::api::glossary::{DictionaryInfo, GetDictionaryEntries, GetGlossary, LanguagePair};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::GetStyleRule;
use tulk_client::api::tm::ListTranslationMemories;
use tulk_client::api::translate::TranslateText;

use crate::context::Context;
use crate::named::Named as _;

/// Something that results depend on and that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum VersionedAsset {
    /// A glossary, for one language pair. Without a source language, any of its dictionaries may be used.
    Glossary(String, Option<LanguagePair>),
    Style(String),
    Memory(String),
}

/// The assets of requests with their versions.
#[derive(Debug, Default)]
pub struct AssetVersions {
    assets: Vec<VersionedAsset>,
    versions: Vec<String>,
}

impl AssetVersions {
    /// The assets of requests, each once, without versions.
    pub fn of(requests: &[TranslateText]) -> Self {
        let mut assets = Vec::new();
        for asset in requests.iter().flat_map(assets_of) {
            if !assets.contains(&asset) {
                assets.push(asset);
            }
        }
        Self { assets, versions: Vec::new() }
    }

    /// Returns whether there are no assets.
    pub fn is_empty(&self) -> bool {
        self.assets.is_empty()
    }

    /// Asks the service for all versions at once. Nothing is billed.
    pub async fn look_up(&mut self, ctx: &Context) -> Result<(), Failure> {
        self.versions = try_join_all(self.assets.iter().map(|asset| version(ctx, asset))).await?;
        Ok(())
    }

    /// Returns the versions of the assets of a request, in the order in which it names them.
    pub fn of_request(&self, request: &TranslateText) -> Vec<String> {
        let all = || self.assets.iter().zip(&self.versions);
        let version = |asset| all().find(|(other, _)| **other == asset).map(|(_, version)| version.clone());
        assets_of(request).into_iter().filter_map(version).collect()
    }
}

/// Returns the assets of a request, also those that `--param` names.
fn assets_of(request: &TranslateText) -> Vec<VersionedAsset> {
    let json = request.fields().unwrap_or_default();
    let fields: Map<String, Value> = serde_json::from_str(&json).unwrap_or_default();
    let texts = |name: &str| match fields.get(name) {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    let language = |name| texts(name).first().and_then(|code| base(&code.parse().ok()?));
    // A dictionary is one of base languages and holds for all their variants.
    let pair = language("source_lang").zip(language("target_lang"));
    let pair = pair.map(|(source, target)| LanguagePair { source, target });
    let glossaries = ["glossary_id", "glossary_ids"].into_iter().flat_map(texts);
    let glossaries = glossaries.map(|id| VersionedAsset::Glossary(id, pair.clone()));
    let style = texts("style_id").into_iter().map(VersionedAsset::Style);
    let memory = texts("translation_memory_id").into_iter().map(VersionedAsset::Memory);
    glossaries.chain(style).chain(memory).collect()
}

fn base(code: &LangCode) -> Option<LangCode> {
    code.base().parse().ok()
}

async fn version(ctx: &Context, asset: &VersionedAsset) -> Result<String, Failure> {
    let client = ctx.client().await?;
    match asset {
        VersionedAsset::Glossary(id, pair) => glossary_version(ctx, id, pair.as_ref()).await,
        VersionedAsset::Style(id) => {
            let list = client.send(&GetStyleRule { style_id: id.clone() }).await?;
            // Its rules and instructions say more than a number that each change increases, even a change of the name.
            let is_detailed = list.configured_rules.is_some() && list.custom_instructions.is_some();
            let numbers: &[&str] = if is_detailed { &["version", "updated_time"] } else { &[] };
            Ok(format!("style {}", digest_without(list.raw(), numbers)?))
        }
        VersionedAsset::Memory(id) => {
            let is_wanted = |found: &str| found.eq_ignore_ascii_case(id);
            let all = client.send_all(ListTranslationMemories::all(), None, |page, _| {
                page.translation_memories.iter().any(|memory| is_wanted(memory.id()))
            });
            let all = all.await?.into_typed().translation_memories;
            let memory = all.into_iter().find(|memory| is_wanted(memory.id()));
            let memory = memory.ok_or_else(|| {
                Failure::new(Kind::NotFound, format!("the service does not list the translation memory {id}"))
            })?;
            Ok(format!("memory {}", digest_without(memory.raw(), &[])?))
        }
    }
}

/// Returns the version of a glossary: its entries of a pair, or of all pairs. A glossary of v2 cannot be changed.
async fn glossary_version(ctx: &Context, id: &str, pair: Option<&LanguagePair>) -> Result<String, Failure> {
    let client = ctx.client().await?;
    if let Some(pair) = pair {
        let request = GetDictionaryEntries { glossary_id: id.to_owned(), pair: pair.clone() };
        match client.send(&request).await {
            Ok(entries) => {
                let text = entries.text(pair).unwrap_or(entries.raw().get());
                return Ok(format!("glossary {}", digest(text)));
            }
            Err(failure) if failure.kind != Kind::NotFound => return Err(failure),
            Err(_) => {}
        }
    }
    // It has no dictionary of the pair, or it is one of v2.
    match client.send(&GetGlossary { glossary_id: id.to_owned() }).await {
        Ok(glossary) if pair.is_none() => {
            let request = |dictionary: &DictionaryInfo| {
                let pair = format!("{}:{}", dictionary.source_lang, dictionary.target_lang).parse();
                let pair = pair.map_err(|why: ValueError| Failure::new(Kind::Network, why))?;
                Ok(GetDictionaryEntries { glossary_id: id.to_owned(), pair })
            };
            let requests = glossary.dictionaries.iter().map(request).collect::<Result<Vec<_>, Failure>>()?;
            let all = try_join_all(requests.iter().map(|request| client.send(request))).await?;
            let all: Vec<&str> = all.iter().map(|entries| entries.raw().get()).collect();
            Ok(format!("glossary with all pairs {}", digest(&all.join("\n"))))
        }
        Ok(glossary) => Ok(format!("glossary without the pair {}", digest_without(glossary.raw(), &[])?)),
        Err(failure) if failure.kind == Kind::NotFound => {
            client.send(&GetGlossaryV2 { glossary_id: id.to_owned() }).await.map(|_| "glossary of v2".to_owned())
        }
        Err(failure) => Err(failure),
    }
}

/// Returns the digest of an object without its name and these fields, which change no result.
fn digest_without(object: &RawValue, names: &[&str]) -> Result<String, Failure> {
    let mut fields: Map<String, Value> = serde_json::from_str(object.get())?;
    names.iter().chain(&["name", "creation_time"]).for_each(|name| {
        fields.remove(*name);
    });
    Ok(digest(&serde_json::to_string(&fields)?))
}

fn digest(text: &str) -> String {
    files::sha256_hex(text.as_bytes())
}
