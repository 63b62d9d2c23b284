//! `POST /v2/translate`: translates texts. Each text is looked up in the translation memory, then in the exact phrases; the engine
//! translates the rest. See docs/service.md, "Text translation".

mod parameters;

use std::borrow::Cow;
use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use axum::routing::post;
use serde::Serialize;

use self::parameters::{TagHandlingVersion, TranslateParameters};
use super::fields;
use super::profile_parts::ProfileParts;
use super::style::applied_instructions;
use crate::app::App;
use crate::auth::Caller;
use crate::body::BodyReader;
use crate::glossaries::TermIndex;
use crate::languages::{self, SandboxLanguage};
use crate::markup::{MarkupSyntax, characters};
use crate::memories::StoredMemory;
use crate::phrases::PhraseScope;
use crate::pseudo::InstructionMarks;
use crate::quota::BilledProduct;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::translator::Translator;
use crate::xml::xml_error;

const RESOURCE: &str = "translate_text";
const BODY_BYTES_MAX: usize = 128 * 1024;

pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/v2/translate", post(translate))
}

#[derive(Serialize)]
struct TranslateAnswer<'a> {
    translations: Vec<TranslatedText<'a>>,
}

#[derive(Serialize)]
struct TranslatedText<'a> {
    detected_source_language: Cow<'a, str>,
    text: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    billed_characters: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_type_used: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag_handling_version: Option<TagHandlingVersion>,
}

async fn translate(
    caller: Caller,
    app: App,
    uri: Uri,
    headers: HeaderMap,
    body: BodyReader,
) -> Result<Response, Refusal> {
    fields::refuse_query(&uri)?;
    if body.bytes.len() > BODY_BYTES_MAX {
        return Err(Refusal::too_large(BODY_BYTES_MAX));
    }
    let tag = read_reporting_tag(&headers)?;
    let params = TranslateParameters::read(&body)?;
    answer(&app, &caller, &params, tag.as_deref())
}

/// Checks, bills and translates the texts. Not async, because it uses the state.
fn answer(app: &App, caller: &Caller, params: &TranslateParameters, tag: Option<&str>) -> Result<Response, Refusal> {
    let (target, support) = fields::target_lang(app.options.rules, RESOURCE, &params.target_lang)?;
    let source = fields::source_lang(RESOURCE, params.source_lang.as_deref())?;
    params.check(target, support, app.options.rules)?;
    let parts = ProfileParts::load(app, params.style_profile_id.as_deref(), &params.replaced_parts())?;
    let job = |language: Option<&str>| TextJob::new(app, params, target.lang, source, &parts, language);
    // If the language of each text decides which parts apply, each text needs its own job.
    let jobs: Vec<TextJob> = if source.is_none() && (parts.needs_source() || params.detects_dictionaries()) {
        params.text.iter().map(|text| job(Some(&app.detect(text)))).collect::<Result<_, _>>()?
    } else {
        vec![job(source.map(|language| language.lang))?]
    };
    let style = match &params.style_id {
        Some(id) => applied_instructions(app, id, target.lang)?,
        None => parts.instructions(app, target.lang)?,
    };
    let marks = InstructionMarks::of(&[style, params.custom_instructions.clone()].concat());
    check_xml(params)?;
    let is_free = support.status == "beta";
    let counts: Vec<u64> =
        params.text.iter().map(|text| if is_free { 0 } else { characters(text, params.tags()) }).collect();
    app.quota.charge(caller, BilledProduct::Text, counts.iter().sum(), tag)?;
    let jobs: Vec<(&TextJob, Translator)> = jobs.iter().map(|job| (job, job.translator(marks))).collect();
    let texts = params.text.iter().zip(&counts).zip(jobs.iter().cycle());
    let translations = texts.map(|((text, &count), (job, translator))| {
        let (source, text) = job.translate(text, translator);
        TranslatedText {
            detected_source_language: source,
            text,
            billed_characters: params.show_billed_characters.then_some(count),
            model_type_used: params.model_type_used(),
            tag_handling_version: params
                .tag_handling
                .map(|_| params.tag_handling_version.unwrap_or(TagHandlingVersion::V1)),
        }
    });
    let translations: Vec<TranslatedText> = translations.collect();
    let pairs = translations.iter().zip(&counts);
    let pairs = pairs.map(|(text, &count)| (&*text.detected_source_language, target.lang, count));
    app.quota.count_pairs(caller, BilledProduct::Text, pairs)?;
    Ok(reply::ok(&TranslateAnswer { translations }))
}

/// Everything needed to translate one text, or several with the same language.
struct TextJob<'a> {
    app: &'a App,
    params: &'a TranslateParameters,
    target: &'a str,
    /// The `source_lang` of the request, in upper case.
    source: Option<String>,
    dictionaries: Vec<Arc<TermIndex>>,
    /// Names and IDs of the glossaries; empty unless a phrase depends on a glossary.
    glossaries: Vec<String>,
    memory: Option<Arc<StoredMemory>>,
}

impl<'a> TextJob<'a> {
    /// Creates a job. `language` is the given or detected source language; without it, no glossaries or memories of a
    /// style profile apply.
    fn new(
        app: &'a App,
        params: &'a TranslateParameters,
        target: &'a str,
        source: Option<&SandboxLanguage>,
        parts: &ProfileParts,
        language: Option<&str>,
    ) -> Result<Self, Refusal> {
        let mut ids: Vec<&String> = params.glossaries().collect();
        let mut dictionaries = dictionaries(app, params, language.unwrap_or_default(), target)?;
        let mut memory =
            params.translation_memory_id.as_deref().map(|id| app.memories.find_for_target(id, target)).transpose()?;
        if let Some(language) = language {
            for (id, terms) in parts.glossaries(app, language, target)? {
                ids.push(id);
                dictionaries.push(terms);
            }
            memory = memory.or(parts.memory(app, language, target)?);
        }
        let glossaries = if app.phrases.have_glossaries { app.glossaries.names(ids.into_iter())? } else { Vec::new() };
        let source = source.map(SandboxLanguage::v2_code);
        Ok(Self { app, params, target, source, dictionaries, glossaries, memory })
    }

    fn translator(&self, marks: Option<InstructionMarks>) -> Translator<'_> {
        let translator = Translator::new(self.app.options.engine, self.target);
        let translator = translator.markup(self.params.tags(), &self.params.ignore_tags);
        translator.terms(self.dictionaries.iter().map(Arc::as_ref)).phrases(self.phrases()).instructions(marks)
    }

    fn phrases(&self) -> PhraseScope<'_> {
        let scope = self.app.phrases.scope(self.source.as_deref(), self.target);
        scope.formality(self.params.formality.as_deref()).glossaries(&self.glossaries)
    }

    /// Returns the source language and the translation.
    fn translate(&'a self, text: &'a str, translator: &Translator) -> (Cow<'a, str>, Cow<'a, str>) {
        let source = |fallback: Option<&str>| match (&self.source, fallback) {
            (Some(given), _) => Cow::Borrowed(given.as_str()),
            (None, Some(code)) => Cow::Owned(code.to_ascii_uppercase()),
            (None, None) => Cow::Owned(self.app.detect(text)),
        };
        if let Some(memory) = &self.memory
            && let Some(found) = memory.best_match(text, self.target, self.params.threshold(self.app.options.rules))
        {
            // A failure only loses the time of the last use.
            let _ = self.app.memories.record_use(memory, &found.target_id);
            return (source(Some(&memory.source_language)), Cow::Borrowed(found.text));
        }
        if let Some(found) = self.phrases().find(text) {
            return (source(found.source_lang), Cow::Borrowed(found.text));
        }
        // Variants of a language are not translated into each other, except for the two scripts of Chinese.
        let is_same = self.source.as_deref().is_some_and(|source| languages::have_same_base(source, self.target));
        if is_same && languages::base_code(self.target) != "zh" {
            return (source(None), Cow::Borrowed(text));
        }
        (source(None), Cow::Owned(translator.translate(text)))
    }
}

/// Returns the dictionaries of the requested glossaries. If the source language is detected, missing dictionaries are
/// skipped.
fn dictionaries(
    app: &App,
    params: &TranslateParameters,
    detected: &str,
    target: &str,
) -> Result<Vec<Arc<TermIndex>>, Refusal> {
    let dictionary = |id| match params.source_lang.as_deref() {
        Some(source) => app.glossaries.dictionary(id, source, target).map(Some),
        None => app.glossaries.find(id, detected, target),
    };
    params.glossaries().map(|id: &String| dictionary(id)).filter_map(Result::transpose).collect()
}

/// Refuses malformed XML in version 2 of tag handling.
fn check_xml(params: &TranslateParameters) -> Result<(), Refusal> {
    if params.tags() != MarkupSyntax::Xml || params.tag_handling_version != Some(TagHandlingVersion::V2) {
        return Ok(());
    }
    for (number, text) in params.text.iter().enumerate() {
        if let Some(fault) = xml_error(text) {
            return Err(Refusal::bad_request("Tag handling parsing failed, please check input.")
                .detail(format!("'text[{number}]': {fault}")));
        }
    }
    Ok(())
}

const REPORTING_TAG_HEADERS: [&str; 2] = ["x-service-reporting-tag", "x-deepl-reporting-tag"];
const REPORTING_TAG_CHARS_MAX: usize = 100;

/// Returns the tag in lower case. Refuses several tags, and a tag that is too long, not ASCII, or contains whitespace, with 400.
pub(in crate::routes) fn read_reporting_tag(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut tags = REPORTING_TAG_HEADERS.iter().flat_map(|name| headers.get_all(*name));
    let Some(value) = tags.next() else { return Ok(None) };
    if tags.next().is_some() {
        return Err(Refusal::bad_request("Only one reporting tag can be given."));
    }
    let tag = value.as_bytes().trim_ascii();
    if tag.is_empty() {
        return Ok(None);
    }
    if !tag.iter().all(u8::is_ascii_graphic) {
        return Err(Refusal::bad_request("A reporting tag consists of ASCII characters without white space."));
    }
    if tag.len() > REPORTING_TAG_CHARS_MAX {
        return Err(Refusal::bad_request(format!("A reporting tag has at most {REPORTING_TAG_CHARS_MAX} characters.")));
    }
    Ok(Some(String::from_utf8_lossy(tag).to_ascii_lowercase()))
}
