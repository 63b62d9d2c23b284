//! Versions of glossaries, style rule lists, translation memories and style profiles: digests of what the service returns for them.
//!
//! A cached result is used only while these versions are unchanged. The service does not return a modification time for every
//! asset, so the version is a digest of its content. Names are not part of it.

use futures_util::future::try_join_all;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tulk_base::error::{Failure, Kind};
use tulk_base::files;
use tulk_base::json::WithRaw;
use tulk_client::api::glossary::v2::GetGlossaryV2;
use tulk_client::api::glossary::{GetDictionaryEntries, GetGlossary, LanguagePair};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::GetStyleRule;
use tulk_client::api::style::profiles::GetStyleProfile;
use tulk_client::api::tm::{ListTranslationMemories, TranslationMemory, TranslationMemoryPage};
use tulk_client::api::translate::TranslateText;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Reply as _;

use crate::context::Context;
use crate::named::Named as _;

/// An asset that affects results and can be changed on the server.
#[derive(Clone, Debug, PartialEq, Eq)]
enum VersionedAsset {
    Glossary(String, AssetLanguages),
    Style(String),
    Memory(String),
    /// A style profile, and which of its fields the request replaces.
    StyleProfile(String, AssetLanguages, Vec<&'static str>),
}

/// The base languages of a request. A dictionary for a base language also applies to its variants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct AssetLanguages {
    source: Option<LangCode>,
    target: Option<LangCode>,
}

/// The distinct assets of several requests, with their versions in the same order.
#[derive(Debug, Default)]
pub struct AssetVersions {
    assets: Vec<VersionedAsset>,
    versions: Vec<String>,
}

impl AssetVersions {
    /// Collects the assets of requests, without duplicates. [`AssetVersions::look_up`] adds the versions.
    pub fn of(requests: &[TranslateText]) -> Self {
        let mut assets = Vec::new();
        for asset in requests.iter().flat_map(assets_of) {
            if !assets.contains(&asset) {
                assets.push(asset);
            }
        }
        Self { assets, versions: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.assets.is_empty()
    }

    /// Requests all versions concurrently. Nothing is billed.
    pub async fn look_up(&mut self, ctx: &Context) -> Result<(), Failure> {
        self.versions = try_join_all(self.assets.iter().map(|asset| asset_version(ctx, asset))).await?;
        Ok(())
    }

    /// Returns the versions of the assets of a request, in the order in which the request names them.
    pub fn versions_for(&self, request: &TranslateText) -> Vec<String> {
        let all = || self.assets.iter().zip(&self.versions);
        let version = |asset| all().find(|(other, _)| **other == asset).map(|(_, version)| version.clone());
        assets_of(request).into_iter().filter_map(version).collect()
    }
}

/// Returns the assets of a request, including those set with `--param`.
fn assets_of(request: &TranslateText) -> Vec<VersionedAsset> {
    let json = request.fields().unwrap_or_default();
    let fields: Map<String, Value> = serde_json::from_str(&json).unwrap_or_default();
    let texts = |name: &str| match fields.get(name) {
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    let language = |name| texts(name).first().and_then(|code| base_language(&code.parse().ok()?));
    let languages = AssetLanguages { source: language("source_lang"), target: language("target_lang") };
    let glossaries = ["glossary_id", "glossary_ids"].into_iter().flat_map(texts);
    let glossaries = glossaries.map(|id| VersionedAsset::Glossary(id, languages.clone()));
    let style = texts("style_id").into_iter().map(VersionedAsset::Style);
    let memory = texts("translation_memory_id").into_iter().map(VersionedAsset::Memory);
    let replaced = [
        ("glossary_id", "glossary_ids"),
        ("glossary_ids", "glossary_ids"),
        ("style_id", "style_rule_ids"),
        ("translation_memory_id", "translation_memory_ids"),
    ];
    let replaced = replaced.into_iter().filter(|(field, _)| fields.contains_key(*field)).map(|(_, ids)| ids);
    let replaced: Vec<&str> = replaced.collect();
    let profile = texts("style_profile_id").into_iter();
    let profile = profile.map(|id| VersionedAsset::StyleProfile(id, languages.clone(), replaced.clone()));
    glossaries.chain(style).chain(memory).chain(profile).collect()
}

fn base_language(code: &LangCode) -> Option<LangCode> {
    code.base().parse().ok()
}

async fn asset_version(ctx: &Context, asset: &VersionedAsset) -> Result<String, Failure> {
    match asset {
        VersionedAsset::Glossary(id, languages) => glossary_version(ctx, id, languages).await,
        VersionedAsset::Style(id) => {
            let list = read_without_stopping(ctx, &GetStyleRule { style_id: id.clone() }).await?;
            // `version` also increases when only the name changes, so digest the rules and instructions if the reply contains them.
            let is_detailed = list.configured_rules.is_some() && list.custom_instructions.is_some();
            let numbers: &[&str] = if is_detailed { &["version", "updated_time"] } else { &[] };
            Ok(format!("style {}", digest_without_fields(list.raw(), numbers)?))
        }
        VersionedAsset::Memory(id) => {
            Ok(format!("memory {}", digest_without_fields(find_memory(ctx, id).await?.raw(), &[])?))
        }
        VersionedAsset::StyleProfile(id, languages, replaced) => profile_version(ctx, id, languages, replaced).await,
    }
}

/// Reads an object. `Client::send` would stop the client after a refusal, but a key may use assets that it is not allowed to read.
async fn read_without_stopping<E: Endpoint>(ctx: &Context, endpoint: &E) -> Result<E::Reply, Failure> {
    let client = ctx.client().await?;
    let request = client.prepare(endpoint)?;
    let answer = client.exchange(&request).await?;
    if answer.is_success() { E::Reply::read(&answer) } else { Err(client.refusal(&request, &answer)) }
}

/// Returns the version of a style profile: a digest of the profile and its parts, except the parts that the request replaces.
async fn profile_version(
    ctx: &Context,
    id: &str,
    languages: &AssetLanguages,
    replaced: &[&str],
) -> Result<String, Failure> {
    let profile = read_without_stopping(ctx, &GetStyleProfile { style_profile_id: id.to_owned() }).await?;
    let glossary = |id: &String| VersionedAsset::Glossary(id.clone(), languages.clone());
    let parts = [
        ("glossary_ids", profile.glossary_ids.iter().map(glossary).collect()),
        ("style_rule_ids", profile.style_rule_ids.iter().cloned().map(VersionedAsset::Style).collect()),
        (
            "translation_memory_ids",
            profile.translation_memory_ids.iter().cloned().map(VersionedAsset::Memory).collect(),
        ),
    ];
    let used = parts.into_iter().filter(|(ids, _)| !replaced.contains(ids));
    let used: Vec<VersionedAsset> = used.flat_map(|(_, parts): (_, Vec<_>)| parts).collect();
    let versions = used.iter().map(|part| async move {
        match Box::pin(asset_version(ctx, part)).await {
            // The key may not be allowed to read a part of the profile. The digest of the profile still contains the ID of the part.
            Err(failure) if is_unreadable(&failure) => Ok("unreadable".to_owned()),
            version => version,
        }
    });
    let versions = try_join_all(versions).await?;
    let fields = digest_without_fields(profile.raw(), &[&["updated_time"], replaced].concat())?;
    Ok(format!("style profile {}", digest(&format!("{fields} {}", versions.join(" ")))))
}

fn is_unreadable(failure: &Failure) -> bool {
    let status = failure.service.as_ref().and_then(|service| service.status);
    failure.kind == Kind::NotFound || status == Some(403)
}

async fn find_memory(ctx: &Context, id: &str) -> Result<WithRaw<TranslationMemory>, Failure> {
    let find = |page: &TranslationMemoryPage| {
        page.translation_memories.iter().find(|memory| memory.id().eq_ignore_ascii_case(id)).cloned()
    };
    // Not `Client::send`, because a key that cannot list memories must not end the run.
    let first = read_without_stopping(ctx, &ListTranslationMemories::all()).await?;
    if let Some(memory) = find(&first) {
        return Ok(memory);
    }
    let client = ctx.client().await?;
    let all = client.send_all(ListTranslationMemories::all(), None, |page, _| find(page).is_some()).await?;
    find(&all)
        .ok_or_else(|| Failure::new(Kind::NotFound, format!("the service does not list the translation memory {id}")))
}

/// Returns the version of a glossary: a digest of its entries for the language pair. Glossaries of API v2 cannot be changed.
async fn glossary_version(ctx: &Context, id: &str, languages: &AssetLanguages) -> Result<String, Failure> {
    let pair = languages.source.clone().zip(languages.target.clone());
    if let Some((source, target)) = pair {
        match dictionary_entries(ctx, id, LanguagePair { source, target }).await {
            Ok(entries) => return Ok(format!("glossary {}", digest(&entries))),
            Err(failure) if failure.kind != Kind::NotFound => return Err(failure),
            Err(_) => {}
        }
    }
    // The pair is unknown or the glossary has no dictionary for it, so read the glossary. This request cannot find a v2 glossary.
    let glossary = match read_without_stopping(ctx, &GetGlossary { glossary_id: id.to_owned() }).await {
        Err(failure) if failure.kind == Kind::NotFound => {
            return read_without_stopping(ctx, &GetGlossaryV2 { glossary_id: id.to_owned() })
                .await
                .map(|_| "glossary of v2".to_owned());
        }
        glossary => glossary?,
    };
    // If the service detects the source language, it may use any dictionary for the target language.
    let is_possible = |pair: &LanguagePair| {
        languages.source.is_none() && base_language(&pair.target).is_some_and(|target| Some(target) == languages.target)
    };
    let pairs = glossary.dictionaries.iter().filter_map(|info| {
        Some(LanguagePair { source: info.source_lang.parse().ok()?, target: info.target_lang.parse().ok()? })
    });
    let entries = try_join_all(pairs.filter(is_possible).map(|pair| dictionary_entries(ctx, id, pair))).await?;
    let fields = digest_without_fields(glossary.raw(), &[])?;
    Ok(format!("glossary without the pair {}", digest(&format!("{fields} {}", entries.join("\0")))))
}

async fn dictionary_entries(ctx: &Context, id: &str, pair: LanguagePair) -> Result<String, Failure> {
    let entries =
        read_without_stopping(ctx, &GetDictionaryEntries { glossary_id: id.to_owned(), pair: pair.clone() }).await?;
    Ok(entries.text(&pair).unwrap_or(entries.raw().get()).to_owned())
}

/// Returns a digest of an object without its name, its creation time and the fields in `names`, which do not affect results.
fn digest_without_fields(object: &RawValue, names: &[&str]) -> Result<String, Failure> {
    let mut fields: Map<String, Value> = serde_json::from_str(object.get())?;
    names.iter().chain(&["name", "creation_time"]).for_each(|name| {
        fields.remove(*name);
    });
    Ok(digest(&serde_json::to_string(&fields)?))
}

fn digest(text: &str) -> String {
    files::sha256_hex(text.as_bytes())
}
