//! Looks up names on the service: a name is looked up in the list of all resources, and an ID takes no request.
//!
//! In two cases, even an ID takes a request: a glossary must be ready before it is used, and a new name must not be in use yet.

use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::grouped;
use tulk_base::shell;
use tulk_client::api::glossary::v2::{GetGlossaryV2, GlossaryV2, ListGlossariesV2};
use tulk_client::api::glossary::{DictionaryInfo, GetGlossary, Glossary, ListGlossaries};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::profiles::{ListStyleProfiles, StyleProfile};
use tulk_client::api::style::{ListStyleRules, StyleRule};
use tulk_client::api::tm::{ListTranslationMemories, TranslationMemory};
use tulk_client::api::voice::terms::{ListSpokenTerms, SpokenTerms};
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::failures::quotable;
use tulk_client::http::reply::Reply as _;

use super::{Named, check_new_name, known_names, pick};
use crate::context::Context;

pub async fn all_glossaries(ctx: &Context) -> Result<Vec<WithRaw<Glossary>>, Failure> {
    let all = ctx.client().await?.send(&ListGlossaries {}).await?.into_typed().glossaries;
    known_names::keep_all(ctx, &all).await;
    Ok(all)
}

/// Returns the ID of a glossary once the glossary is ready. A dry run does not wait.
pub async fn glossary(ctx: &Context, text: &str) -> Result<String, Failure> {
    Ok(ready_glossary(ctx, text, &mut None).await?.0)
}

/// Returns the IDs of several glossaries, with one look-up for all names. Waits like [`glossary`].
///
/// Fails if a language pair has a dictionary in none of the glossaries, unless the dictionaries are unknown.
pub async fn glossaries<S: AsRef<str>>(
    ctx: &Context,
    texts: &[S],
    pairs: &[(LangCode, LangCode)],
) -> Result<Vec<String>, Failure> {
    let mut all = None;
    let mut found = Vec::with_capacity(texts.len());
    for text in texts {
        found.push(ready_glossary(ctx, text.as_ref(), &mut all).await?);
    }
    if !ctx.args.no_check {
        let known: Option<Vec<&Glossary>> = found.iter().map(|(_, glossary)| glossary.as_deref()).collect();
        check_pairs(&known.unwrap_or_default(), pairs)?;
    }
    Ok(found.into_iter().map(|(id, _)| id).collect())
}

/// A dictionary for a language applies to all its variants.
fn check_pairs(glossaries: &[&Glossary], pairs: &[(LangCode, LangCode)]) -> Result<(), Failure> {
    let Some(first) = glossaries.first() else { return Ok(()) };
    let base = |code: &str| code.split('-').next().unwrap_or_default().to_ascii_lowercase();
    let base_pair = |pair: &DictionaryInfo| (base(&pair.source_lang), base(&pair.target_lang));
    let all: Vec<_> = glossaries.iter().flat_map(|glossary| &glossary.dictionaries).map(base_pair).collect();
    let is_missing =
        |(source, target): &&(LangCode, LangCode)| !all.contains(&(base(source.bcp47()), base(target.bcp47())));
    // If there are no dictionaries at all, the service did not list them.
    let Some((source, target)) = pairs.iter().find(is_missing).filter(|_| !all.is_empty()) else { return Ok(()) };
    let names =
        glossaries.iter().map(|glossary| format!("`{}`", quotable(&glossary.name))).collect::<Vec<_>>().join(" and ");
    let pairs = glossaries.iter().flat_map(|glossary| &glossary.dictionaries);
    let pair_name =
        |pair: &DictionaryInfo| quotable(&format!("{}:{}", pair.source_lang, pair.target_lang).to_ascii_lowercase());
    let mut pairs: Vec<String> = pairs.map(pair_name).collect();
    if pairs.len() > SHOWN_PAIRS {
        let others = pairs.len() - SHOWN_PAIRS;
        pairs.truncate(SHOWN_PAIRS);
        pairs.push(format!("{} others", grouped(others)));
    }
    let (has, pair) = (pairs.join(", "), format!("{}:{}", base(source.bcp47()), base(target.bcp47())));
    let verb = if glossaries.len() > 1 { "have" } else { "has" };
    Err(Failure::usage(format!("glossary {names} {verb} {has}; it needs {pair}")).hint(format!(
        "`tulk glossary set {} {pair} FILE` adds it; --no-check sends the request anyway",
        shell::quote(&first.name)
    )))
}

/// Returns the ID of a glossary once it is ready, and the glossary if it can be read. `all` keeps the list of glossaries for the
/// next call.
async fn ready_glossary(
    ctx: &Context,
    text: &str,
    all: &mut Option<Vec<WithRaw<Glossary>>>,
) -> Result<(String, Option<WithRaw<Glossary>>), Failure> {
    if Glossary::is_id(text) {
        let mut known = None;
        if !ctx.args.dry_run {
            match read_if_allowed(ctx, &GetGlossary { glossary_id: text.to_owned() }).await? {
                Ok(glossary) if !glossary.is_ready() => known = Some(wait_for_glossary(ctx, text).await?),
                Ok(glossary) => known = Some(glossary),
                Err(404) => match read_if_allowed(ctx, &GetGlossaryV2 { glossary_id: text.to_owned() }).await? {
                    Ok(glossary) if !glossary.is_ready() => wait_for_glossary_v2(ctx, text).await.map(drop)?,
                    _ => {}
                },
                _ => {}
            }
        }
        return Ok((text.to_owned(), known));
    }
    let all = match all {
        Some(all) => all,
        None => all.insert(all_glossaries(ctx).await?),
    };
    let found = pick(all.clone(), text)?;
    if !found.is_ready() && !ctx.args.dry_run {
        wait_for_glossary(ctx, &found.glossary_id).await?;
    }
    Ok((found.glossary_id.clone(), Some(found)))
}

/// Returns a glossary, or the status if it cannot be read. `Client::send` would stop the client after a refusal, but a key may use
/// glossaries that it is not allowed to read. If the key may not use the glossary either, the request that uses it fails with a clearer
/// message.
async fn read_if_allowed<E: Endpoint>(ctx: &Context, request: &E) -> Result<Result<E::Reply, u16>, Failure> {
    let client = ctx.client().await?;
    let answer = client.exchange(&client.prepare(request)?).await?;
    if answer.is_success() { E::Reply::read(&answer).map(Ok) } else { Ok(Err(answer.status)) }
}

/// Returns the ID of a glossary that need not be ready: to show, rename or delete it.
pub async fn glossary_without_waiting(ctx: &Context, text: &str) -> Result<String, Failure> {
    find_id(text, all_glossaries(ctx)).await
}

pub async fn all_glossaries_v2(ctx: &Context) -> Result<Vec<WithRaw<GlossaryV2>>, Failure> {
    let all = ctx.client().await?.send(&ListGlossariesV2 {}).await?.into_typed().glossaries;
    known_names::keep_all(ctx, &all).await;
    Ok(all)
}

pub async fn glossary_v2(ctx: &Context, text: &str) -> Result<String, Failure> {
    find_id(text, all_glossaries_v2(ctx)).await
}

/// Returns all style rule lists, without their rules.
pub async fn all_styles(ctx: &Context) -> Result<Vec<WithRaw<StyleRule>>, Failure> {
    let lists =
        ctx.client().await?.send_all(ListStyleRules::all(false), None, |_, _| false).await?.into_typed().style_rules;
    known_names::keep_all(ctx, &lists).await;
    Ok(lists)
}

pub async fn style(ctx: &Context, text: &str) -> Result<String, Failure> {
    find_id(text, all_styles(ctx)).await
}

/// Returns all translation memories, without their segments.
pub async fn all_memories(ctx: &Context) -> Result<Vec<WithRaw<TranslationMemory>>, Failure> {
    let all = ctx.client().await?.send_all(ListTranslationMemories::all(), None, |_, _| false).await?;
    let memories = all.into_typed().translation_memories;
    known_names::keep_all(ctx, &memories).await;
    Ok(memories)
}

pub async fn all_style_profiles(ctx: &Context) -> Result<Vec<WithRaw<StyleProfile>>, Failure> {
    let client = ctx.client().await?;
    let profiles = client.send_all(ListStyleProfiles::default(), None, |_, _| false).await?.into_typed().style_profiles;
    known_names::keep_all(ctx, &profiles).await;
    Ok(profiles)
}

pub async fn style_profile(ctx: &Context, text: &str) -> Result<String, Failure> {
    find_id(text, all_style_profiles(ctx)).await
}

pub async fn memory(ctx: &Context, text: &str) -> Result<String, Failure> {
    find_id(text, all_memories(ctx)).await
}

pub async fn all_spoken_terms(ctx: &Context) -> Result<Vec<WithRaw<SpokenTerms>>, Failure> {
    let all = ctx.client().await?.send(&ListSpokenTerms {}).await?.into_typed().spoken_terms;
    known_names::keep_all(ctx, &all).await;
    Ok(all)
}

pub async fn spoken_terms(ctx: &Context, text: &str) -> Result<String, Failure> {
    find_id(text, all_spoken_terms(ctx)).await
}

/// Returns an ID unchanged, or the ID of the resource with this name. `all` is awaited only for a name.
async fn find_id<T: Named>(text: &str, all: impl Future<Output = Result<Vec<T>, Failure>>) -> Result<String, Failure> {
    if T::is_id(text) {
        return Ok(text.to_owned());
    }
    Ok(pick(all.await?, text)?.id().to_owned())
}

/// Returns the ID of a resource to rename. Refuses a new name that another resource has, unless `--no-check` is given.
pub async fn id_to_rename<T: Named + Clone>(
    ctx: &Context,
    text: &str,
    new_name: &str,
    all: impl Future<Output = Result<Vec<T>, Failure>>,
) -> Result<String, Failure> {
    if ctx.args.no_check {
        return find_id(text, all).await;
    }
    let all = all.await?;
    let id = if T::is_id(text) { text.to_owned() } else { pick(all.clone(), text)?.id().to_owned() };
    check_new_name(&all, new_name, Some(&id), "choose another name; --no-check uses this one")?;
    Ok(id)
}

/// Maximum number of language pairs in a message.
const SHOWN_PAIRS: usize = 5;
/// First wait between two requests; doubled after every request.
const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Requests a glossary until it is ready. Fails with `Kind::Unfinished` after `--max-wait`.
pub async fn wait_for_glossary(ctx: &Context, glossary_id: &str) -> Result<WithRaw<Glossary>, Failure> {
    let request = GetGlossary { glossary_id: glossary_id.to_owned() };
    let next = format!("run `tulk glossary wait {glossary_id}` to wait longer");
    wait_until(ctx, glossary_id, &request, |glossary| glossary.is_ready(), next).await
}

/// Requests a v2 glossary until it is ready, like [`wait_for_glossary`].
pub async fn wait_for_glossary_v2(ctx: &Context, glossary_id: &str) -> Result<WithRaw<GlossaryV2>, Failure> {
    let request = GetGlossaryV2 { glossary_id: glossary_id.to_owned() };
    let next = format!("`tulk glossary v2 show {glossary_id}` shows whether it is ready");
    wait_until(ctx, glossary_id, &request, |glossary| glossary.is_ready(), next).await
}

async fn wait_until<E: Endpoint>(
    ctx: &Context,
    glossary_id: &str,
    request: &E,
    is_ready: impl Fn(&E::Reply) -> bool,
    next: String,
) -> Result<E::Reply, Failure> {
    let client = ctx.client().await?;
    let mut wait = FIRST_WAIT;
    let mut task = None;
    loop {
        let glossary = client.send(request).await?;
        if is_ready(&glossary) {
            return Ok(glossary);
        }
        if task.is_none() {
            task = Some(ctx.out.phase(glossary_id, "waiting until the glossary is ready"));
            if !ctx.out.prints_final_lines() {
                ctx.out.status(&format!("waiting for glossary {glossary_id} to be ready"));
            }
        }
        client.pause_for(wait, None).await.map_err(|failure| match failure.kind {
            Kind::Unfinished => Failure {
                what: format!("glossary {glossary_id} is not ready yet: {}", failure.what),
                ..failure.hint(next.clone())
            },
            _ => failure,
        })?;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}
