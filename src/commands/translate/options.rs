//! From flags, `--param` and the profile's defaults to one request per target.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::args::TranslateArgs;
use crate::api::language_code::LangCode;
use crate::api::translate::{TranslateOptions, TranslateText, broken_rule, check_reporting_tag, without_effect};
use crate::commands::named;
use crate::config::Config;
use crate::context::Context;
use crate::error::{Failure, Kind};

/// The word that drops a default.
const NONE: &str = "none";

/// The requests of a run, one per target, without entries; checked unless `--no-check`.
pub async fn requests(ctx: &Context, args: &TranslateArgs) -> Result<Vec<TranslateText>, Failure> {
    let config = ctx.config()?;
    let defaults = config.defaults();
    let targets = targets(args, defaults, config)?;
    let options = options(args, defaults, config)?;
    let source_lang = match &args.from {
        Some(code) => Some(code.clone()),
        None => default_of(defaults, config, "source_lang")?,
    };
    let mut template = TranslateText {
        target_lang: targets.first().cloned().ok_or_else(|| Failure::usage("no target language"))?,
        source_lang,
        glossary_id: None,
        glossary_ids: None,
        style_id: None,
        translation_memory_id: None,
        options,
        params: Vec::new(),
        reporting_tag: reporting_tag(ctx, defaults),
    };
    template.params = params(&args.param, &template)?;
    check(ctx, args, &template).await?;
    resolve_names(ctx, args, defaults, &mut template).await?;
    Ok(targets.into_iter().map(|target_lang| TranslateText { target_lang, ..template.clone() }).collect())
}

fn targets(args: &TranslateArgs, defaults: &Map<String, Value>, config: &Config) -> Result<Vec<LangCode>, Failure> {
    let mut targets: Vec<LangCode> = Vec::new();
    let given = if args.to.is_empty() {
        default_of(defaults, config, "target_lang")?.into_iter().collect()
    } else {
        args.to.clone()
    };
    for code in given {
        if !targets.contains(&code) {
            targets.push(code);
        }
    }
    if targets.is_empty() {
        return Err(Failure::usage("no target language is set").hint("add --to LANG, such as --to de"));
    }
    Ok(targets)
}

/// A default of the profile, read into its type; a wrong value is named with file and line.
fn default_of<T: serde::de::DeserializeOwned>(
    defaults: &Map<String, Value>,
    config: &Config,
    name: &str,
) -> Result<Option<T>, Failure> {
    let Some(value) = defaults.get(name) else { return Ok(None) };
    serde_json::from_value(value.clone()).map(Some).map_err(|e| {
        let failure = Failure::usage(format!("{name}: {e}"));
        match config.default_origin(name) {
            Some(at) => failure.at(at.clone()),
            None => failure,
        }
    })
}

/// The profile's options under those of the flags.
fn options(args: &TranslateArgs, defaults: &Map<String, Value>, config: &Config) -> Result<TranslateOptions, Failure> {
    let mut flags = args.options.clone();
    if args.no_outline_detection {
        flags.outline_detection = Some(false);
    }
    if let Some(file) = &args.context_file {
        flags.context = Some(context_file(file)?);
    }
    let Ok(Value::Object(own)) = serde_json::to_value(&flags) else {
        return Err(Failure::internal("the options are no object"));
    };
    let known = match serde_json::to_value(every_option()) {
        Ok(Value::Object(known)) => known,
        _ => Map::new(),
    };
    let mut all: Map<String, Value> =
        defaults.iter().filter(|(name, _)| known.contains_key(*name)).map(|(n, v)| (n.clone(), v.clone())).collect();
    // A flag of one kind of context replaces a default of the other.
    for (name, value) in &all.clone() {
        if let Err(error) =
            serde_json::from_value::<TranslateOptions>(Value::Object(Map::from_iter([(name.clone(), value.clone())])))
        {
            let failure = Failure::usage(format!("{name}: {error}"));
            return Err(match config.default_origin(name) {
                Some(at) => failure.at(at.clone()),
                None => failure,
            });
        }
    }
    all.extend(own);
    serde_json::from_value(Value::Object(all)).map_err(|e| Failure::usage(e.to_string()))
}

/// An options value with every field set, to know their names.
fn every_option() -> TranslateOptions {
    use crate::api::translate::{Formality, ModelType, SplitSentences, TagHandling};
    TranslateOptions {
        context: Some(String::new()),
        model_type: Some(ModelType::QualityOptimized),
        split_sentences: Some(SplitSentences::Never),
        preserve_formatting: Some(true),
        formality: Some(Formality::Default),
        custom_instructions: Some(Vec::new()),
        translation_memory_threshold: Some(0),
        show_billed_characters: Some(true),
        tag_handling: Some(TagHandling::Xml),
        tag_handling_version: Some(String::new()),
        outline_detection: Some(true),
        non_splitting_tags: Some(Vec::new()),
        splitting_tags: Some(Vec::new()),
        ignore_tags: Some(Vec::new()),
    }
}

fn context_file(file: &std::path::Path) -> Result<String, Failure> {
    let text = crate::input::whole::read_text(file)?;
    Ok(text.trim_start_matches('\u{feff}').trim_end().to_owned())
}

fn reporting_tag(ctx: &Context, defaults: &Map<String, Value>) -> Option<String> {
    let default = || defaults.get("reporting_tag").and_then(Value::as_str).map(str::to_owned);
    ctx.args.reporting_tag.clone().or_else(default)
}

/// `--param KEY=JSON`; a field that is set already is refused.
fn params(given: &[String], request: &TranslateText) -> Result<Vec<(String, String)>, Failure> {
    let set = serde_json::to_value(request).map_err(|e| Failure::internal(e.to_string()))?;
    let mut params: Vec<(String, String)> = Vec::new();
    for param in given {
        let (key, json) = param.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(|| {
            Failure::usage(format!("--param `{param}` is not KEY=JSON")).hint("such as --param new_option=true")
        })?;
        let value: Box<RawValue> = serde_json::from_str(json).map_err(|e| {
            Failure::usage(format!("--param {key}: the value is not JSON: {e}"))
                .hint("text needs quotes: --param 'key=\"text\"'")
        })?;
        if key == "text" || set.get(key).is_some() || params.iter().any(|(k, _)| k == key) {
            return Err(Failure::usage(format!("--param {key}: that field is set already")));
        }
        params.push((key.to_owned(), value.get().to_owned()));
    }
    Ok(params)
}

/// Checks the rules that need no server. Names are not resolved yet: a name stands in as if it were an ID.
async fn check(ctx: &Context, args: &TranslateArgs, template: &TranslateText) -> Result<(), Failure> {
    let config = ctx.config()?;
    let defaults = config.defaults();
    let mut named = template.clone();
    let glossaries = chosen_list(&args.glossary, defaults, "glossary");
    match glossaries.as_slice() {
        [] => {}
        [one] => named.glossary_id = Some(one.clone()),
        many => named.glossary_ids = Some(many.to_vec()),
    }
    named.style_id = chosen(args.style.as_ref(), defaults, "style");
    named.translation_memory_id = chosen(args.translation_memory.as_ref(), defaults, "translation_memory");
    if let Some(hint) = without_effect(&named) {
        ctx.out.hint(&hint);
    }
    if ctx.args.no_check {
        return Ok(());
    }
    if let Some(tag) = &template.reporting_tag {
        check_reporting_tag(tag)?;
    }
    let service = ctx.service().await?;
    let Some(rule) = broken_rule(&named, &service) else { return Ok(()) };
    let mut failure = Failure::new(Kind::Usage, rule.what).hint(rule.hint);
    // A default that conflicts is named with its place.
    let flags = serde_json::to_value(&args.options).unwrap_or_default();
    let origin = rule.fields.iter().filter(|f| flags.get(**f).is_none()).find_map(|field| {
        let name = match *field {
            "glossary_id" | "glossary_ids" => "glossary",
            "style_id" => "style",
            "translation_memory_id" => "translation_memory",
            other => other,
        };
        config.default_origin(name)
    });
    if let Some(origin) = origin {
        failure = failure.at(origin.clone());
    }
    Err(failure)
}

fn chosen(flag: Option<&String>, defaults: &Map<String, Value>, name: &str) -> Option<String> {
    let default = || defaults.get(name).and_then(Value::as_str).map(str::to_owned);
    flag.cloned().or_else(default).filter(|v| v != NONE)
}

fn chosen_list(flag: &[String], defaults: &Map<String, Value>, name: &str) -> Vec<String> {
    let given: Vec<String> = if flag.is_empty() {
        match defaults.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::String(one)) => vec![one.clone()],
            _ => Vec::new(),
        }
    } else {
        flag.to_vec()
    };
    given.into_iter().filter(|v| v != NONE).collect()
}

/// Turns names into IDs; what has the form of an ID is used as it is, without a look-up.
async fn resolve_names(
    ctx: &Context,
    args: &TranslateArgs,
    defaults: &Map<String, Value>,
    request: &mut TranslateText,
) -> Result<(), Failure> {
    let mut ids = named::glossaries(ctx, &chosen_list(&args.glossary, defaults, "glossary")).await?;
    match ids.len() {
        0 => {}
        1 => request.glossary_id = ids.pop(),
        _ => request.glossary_ids = Some(ids),
    }
    if let Some(name) = chosen(args.style.as_ref(), defaults, "style") {
        request.style_id = Some(named::style(ctx, &name).await?);
    }
    if let Some(name) = chosen(args.translation_memory.as_ref(), defaults, "translation_memory") {
        request.translation_memory_id = Some(named::memory(ctx, &name).await?);
    }
    Ok(())
}
