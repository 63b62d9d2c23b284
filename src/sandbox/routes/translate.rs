//! `POST /v2/translate`. Spec: "Text"; "Errors", "Limits"; C1 to C4.

mod params;
mod tag;

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::post;
use serde::Serialize;

use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::detect::detect;
use crate::sandbox::languages;
use crate::sandbox::markup::{MarkupSyntax, characters};
use crate::sandbox::memories::SandboxMemory;
use crate::sandbox::quota::BilledProduct;
use crate::sandbox::reply::{self, Refusal};
use crate::sandbox::state::kind;
use crate::sandbox::term_index::TermIndex;
use crate::sandbox::translator::Translator;
use crate::sandbox::xml::xml_error;

use params::{Params, TagVersion};

/// The whole body, in bytes.
const BODY_MAX: usize = 128 * 1024;

/// This resource's routes.
pub(super) fn routes() -> Router<App> {
    Router::new().route("/v2/translate", post(translate))
}

#[derive(Serialize)]
struct Answer<'a> {
    translations: Vec<Translation<'a>>,
}

#[derive(Serialize)]
struct Translation<'a> {
    detected_source_language: Cow<'a, str>,
    text: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billed_characters: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_type_used: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag_handling_version: Option<&'static str>,
}

async fn translate(
    caller: Caller,
    State(app): State<App>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    if uri.query().is_some_and(|query| !query.is_empty()) {
        return Err(Refusal::bad("Parameters in the query are not supported. Send them in the body."));
    }
    if body.len() > BODY_MAX {
        return Err(Refusal::too_large(BODY_MAX));
    }
    let tag = tag::read(&headers)?;
    let params = Params::read(&headers, &body)?;
    answer(&app, &caller, &params, tag.as_deref())
}

/// Everything after reading: synchronous, since it looks into the state.
fn answer(app: &App, caller: &Caller, params: &Params, tag: Option<&str>) -> Result<Response, Refusal> {
    let (target, support) = languages::target("translate_text", &params.target_lang)
        .ok_or_else(|| Refusal::bad("Value for 'target_lang' not supported."))?;
    let given = match &params.source_lang {
        None => None,
        Some(code) => Some(
            languages::source("translate_text", code)
                .ok_or_else(|| Refusal::bad("Value for 'source_lang' not supported."))?
                .0,
        ),
    };
    params.check(target, support)?;
    let work = Work {
        app,
        params,
        target: target.lang,
        source: given.map(languages::SandboxLanguage::upper),
        dictionaries: dictionaries(app, params, target.lang)?,
        memory: params.translation_memory_id.as_deref().map(|id| app.memories.get(id, target.lang)).transpose()?,
    };
    check_style(app, params, target.lang)?;
    check_xml(params)?;
    // Beta languages are free of charge.
    let free = support.status == "beta";
    let counts: Vec<u64> =
        params.text.iter().map(|text| if free { 0 } else { characters(text, params.tags()) }).collect();
    app.quota.charge(caller, BilledProduct::Text, counts.iter().sum(), tag)?;
    let mut translator = Translator::new(app.options.engine, target.lang).markup(params.tags(), &params.ignore_tags);
    translator = translator.terms(work.dictionaries.iter().map(Arc::as_ref));
    let translations = params.text.iter().zip(counts).map(|(text, count)| {
        let (source, text) = work.one(text, &translator);
        Translation {
            detected_source_language: source,
            text,
            billed_characters: params.show_billed_characters.then_some(count),
            model_type_used: params.model_type_used(),
            tag_handling_version: params
                .tag_handling
                .map(|_| params.tag_handling_version.map_or("v1", TagVersion::name)),
        }
    });
    Ok(reply::ok(&Answer { translations: translations.collect() }))
}

/// One request after its checks.
struct Work<'a> {
    app: &'a App,
    params: &'a Params,
    target: &'a str,
    /// The source language that was given, in the answer's casing.
    source: Option<String>,
    dictionaries: Vec<Arc<TermIndex>>,
    memory: Option<SandboxMemory>,
}

impl<'a> Work<'a> {
    /// The source language and the translation of one text.
    fn one(&'a self, text: &'a str, translator: &Translator) -> (Cow<'a, str>, Cow<'a, str>) {
        let known = |fallback: Option<&str>| match (&self.source, fallback) {
            (Some(source), _) => Cow::Borrowed(source.as_str()),
            (None, Some(code)) => Cow::Owned(code.to_ascii_uppercase()),
            (None, None) => Cow::Borrowed(detect(text)),
        };
        if let Some(memory) = &self.memory
            && let Some(found) = memory.find(text, self.target, self.params.threshold())
        {
            return (known(Some(&memory.source_language)), Cow::Borrowed(found));
        }
        if let Some(found) = self.app.phrases.find(text, self.source.as_deref(), self.target) {
            return (known(found.source_lang), Cow::Borrowed(found.text));
        }
        // Between variants of one language nothing changes; the two scripts of Chinese are no such variants.
        let same = self.source.as_deref().is_some_and(|source| languages::same_base(source, self.target));
        if same && languages::base(self.target) != "zh" {
            return (known(None), Cow::Borrowed(text));
        }
        (known(None), Cow::Owned(translator.translate(text)))
    }
}

fn dictionaries(app: &App, params: &Params, target: &str) -> Result<Vec<Arc<TermIndex>>, Refusal> {
    let ids = params.glossary_id.iter().chain(&params.glossary_ids);
    let source = params.source_lang.as_deref().unwrap_or_default();
    ids.map(|id| app.glossaries.dictionary(id, source, target)).collect()
}

fn check_style(app: &App, params: &Params, target: &str) -> Result<(), Refusal> {
    let Some(id) = &params.style_id else { return Ok(()) };
    let style = app
        .state
        .get(kind::STYLE, &id.to_ascii_lowercase())?
        .ok_or_else(|| Refusal::not_found("Style rule list not found.").detail(format!("style_id {id}")))?;
    let language = style.get("language").and_then(serde_json::Value::as_str).unwrap_or_default();
    if languages::same_base(language, target) {
        return Ok(());
    }
    Err(Refusal::bad("The language of the style rule list does not match 'target_lang'.")
        .detail(format!("style rule list: {language}, target_lang: {target}")))
}

fn check_xml(params: &Params) -> Result<(), Refusal> {
    if params.tags() != MarkupSyntax::Xml || params.tag_handling_version != Some(TagVersion::V2) {
        return Ok(());
    }
    for (number, text) in params.text.iter().enumerate() {
        if let Some(fault) = xml_error(text) {
            return Err(Refusal::bad("Tag handling parsing failed, please check input.")
                .detail(format!("text {}: {fault}", number + 1)));
        }
    }
    Ok(())
}
