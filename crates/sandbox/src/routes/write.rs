//! `/v2/write`: rephrases and corrects texts. See docs/service.md, "Writing".

mod improve;

use axum::Router;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::post;
use serde::{Deserialize, Serialize};

use super::fields::{self, missing, unsupported};
use crate::app::App;
use crate::auth::Caller;
use crate::body::{BodyReader, FormSchema};
use crate::detect::detect_certain;
use crate::languages;
use crate::markup::{MarkupSyntax, characters};
use crate::options::Engine;
use crate::options::ServiceRules;
use crate::quota::BilledProduct;
use crate::reply::{self, Refusal};
use crate::sessions::Sessions;
use crate::translator::Translator;

const BODY_BYTES_MAX: usize = 10 * 1024;
const RESOURCE: &str = "write";
const STYLES: &[&str] = &["academic", "business", "casual", "simple"];
const TONES: &[&str] = &["confident", "diplomatic", "enthusiastic", "friendly"];
const FORM: FormSchema = FormSchema { lists: &["text"], booleans: &[], integers: &[] };

pub(super) fn routes() -> Router<Sessions> {
    Router::new().route("/v2/write/rephrase", post(rephrase)).route("/v2/write/correct", post(correct))
}

#[derive(Deserialize)]
struct WriteBody {
    text: Option<WriteTexts>,
    target_lang: Option<String>,
    writing_style: Option<String>,
    tone: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WriteTexts {
    One(String),
    Many(Vec<String>),
}

#[derive(Serialize)]
struct WriteAnswer {
    improvements: Vec<ImprovedText>,
}

#[derive(Serialize)]
struct ImprovedText {
    text: String,
    target_language: String,
    detected_source_language: String,
}

async fn rephrase(caller: Caller, app: App, uri: Uri, body: BodyReader) -> Result<Response, Refusal> {
    let request = read(&uri, &body)?;
    if request.writing_style.is_some() && request.tone.is_some() {
        return Err(Refusal::bad_request("Both writing_style and tone defined. Send one of them."));
    }
    let style = request.writing_style.as_ref().map(|value| ("writing_style", STYLES, value.clone()));
    let feature = style.or_else(|| request.tone.as_ref().map(|value| ("tone", TONES, value.clone())));
    answer(
        &app,
        &caller,
        request,
        |target| match &feature {
            Some((field, values, value)) => check_feature(field, values, value, target),
            None => Ok(()),
        },
        improve::rephrase,
    )
}

async fn correct(caller: Caller, app: App, uri: Uri, body: BodyReader) -> Result<Response, Refusal> {
    let request = read(&uri, &body)?;
    for (name, value) in [("writing_style", &request.writing_style), ("tone", &request.tone)] {
        if value.is_some() {
            return Err(Refusal::bad_request(format!("Parameter '{name}' is not supported here.")));
        }
    }
    answer(&app, &caller, request, |_| Ok(()), improve::correct)
}

fn read(uri: &Uri, body: &BodyReader) -> Result<WriteBody, Refusal> {
    fields::refuse_query(uri)?;
    if body.bytes.len() > BODY_BYTES_MAX {
        return Err(Refusal::too_large(BODY_BYTES_MAX));
    }
    body.json_or_form(&FORM)
}

/// Checks, bills and improves the texts. Not async, because it uses the state.
fn answer(
    app: &App,
    caller: &Caller,
    request: WriteBody,
    check: impl Fn(&str) -> Result<(), Refusal>,
    improve: fn(&str, &str) -> String,
) -> Result<Response, Refusal> {
    let texts = match request.text.ok_or_else(|| missing("text"))? {
        WriteTexts::One(text) => vec![text],
        WriteTexts::Many(texts) => texts,
    };
    if texts.is_empty() {
        return Err(Refusal::bad_request("Parameter 'text' must not be empty."));
    }
    let requested = request.target_lang.filter(|code| !code.is_empty());
    let requested = requested
        .map(|code| fields::target_lang(ServiceRules::Generic, RESOURCE, &code))
        .transpose()?
        .map(|(language, _)| language.lang);
    let mut pairs = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        if let Some(target) = requested {
            check_language(text, number, target)?;
        }
        let detected = app.detect(text).to_ascii_lowercase();
        let target = requested.map_or_else(|| detected.clone(), str::to_owned);
        check(&target)?;
        pairs.push((detected, target));
    }
    let counts: Vec<u64> = texts.iter().map(|text| characters(text, MarkupSyntax::None)).collect();
    app.quota.charge(caller, BilledProduct::Write, counts.iter().sum(), None)?;
    let by_pair = pairs.iter().zip(counts).map(|((source, target), count)| (&**source, &**target, count));
    app.quota.count_pairs(caller, BilledProduct::Write, by_pair)?;
    let improvements = texts.iter().zip(pairs).map(|(text, (detected, target))| ImprovedText {
        text: improve_text(app, text, &detected, &target, improve),
        target_language: if requested.is_some() { default_variant(target) } else { target },
        detected_source_language: languages::base_code(&detected).to_owned(),
    });
    Ok(reply::ok(&WriteAnswer { improvements: improvements.collect() }))
}

/// Refuses a text that is not in the target language. A text in another variant of it is allowed and is converted.
fn check_language(text: &str, number: usize, target: &str) -> Result<(), Refusal> {
    match detect_certain(text).filter(|detected| !languages::have_same_base(detected, target)) {
        Some(detected) => Err(Refusal::bad_request("The text must be in the target language.")
            .detail(format!("'text[{number}]' is {detected}, not {target}"))),
        None => Ok(()),
    }
}

/// Returns the target language named in the answer: `en` and `pt` become one of their variants.
fn default_variant(target: String) -> String {
    match target.as_str() {
        "en" => "en-US".to_owned(),
        "pt" => "pt-PT".to_owned(),
        _ => target,
    }
}

/// Improves a text: as a phrase if the complete text is one, otherwise line by line if any line is a phrase, otherwise
/// with the engine.
fn improve_text(app: &App, text: &str, detected: &str, target: &str, improve: fn(&str, &str) -> String) -> String {
    let phrase = |text: &str| app.phrases.scope(Some(detected), target).find(text).map(|found| found.text);
    let engine = |text: &str| match app.options.engine {
        Engine::Echo => text.to_owned(),
        Engine::Upper => Translator::new(Engine::Upper, target).translate(text),
        Engine::Pseudo => improve(text, target),
    };
    if let Some(found) = phrase(text) {
        return found.to_owned();
    }
    if !text.lines().any(|line| phrase(line.trim()).is_some()) {
        return engine(text);
    }
    let lines = text.split_inclusive('\n').map(|line| match (line.trim(), phrase(line.trim())) {
        (inner, Some(found)) => line.replacen(inner, found, 1),
        (_, None) => engine(line),
    });
    lines.collect()
}

/// Refuses unknown values, and values that the target language does not support. `default` and values with the prefix `prefer_`
/// are accepted for every language.
fn check_feature(field: &str, values: &[&str], value: &str, target: &str) -> Result<(), Refusal> {
    if value == "default" {
        return Ok(());
    }
    let bare = value.strip_prefix("prefer_");
    if !values.contains(&bare.unwrap_or(value)) {
        return Err(unsupported(field));
    }
    // A base code such as `en` supports a feature if any of its variants does.
    let is_supported = languages::all()
        .iter()
        .filter(|language| languages::have_same_base(language.lang, target))
        .filter(|language| !target.contains('-') || language.lang.eq_ignore_ascii_case(target))
        .any(|language| language.support_on(RESOURCE).is_some_and(|support| support.has_feature(field)));
    if is_supported || bare.is_some() {
        return Ok(());
    }
    let feature = field.replace('_', " ");
    Err(Refusal::bad_request(format!("Language {target} does not support setting a {feature}.")))
}
