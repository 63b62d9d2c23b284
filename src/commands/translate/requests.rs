//! Combines flags, `--param` and the profile's defaults into one request per target language.

use std::cell::LazyCell;
use std::path::Path;

use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_catalogs::inline::{FIXED_ELEMENT, PAIR_ELEMENT};
use tulk_client::api::assets::{BrokenRule, low_threshold};
use tulk_client::api::translate::{
    TagHandling, TranslateOptions, TranslateText, broken_rule, check_reporting_tag, options_without_effect,
};
use tulk_client::{Defaulted, ExtraFields, OptionalFlag as _};
use tulk_formats::input::whole;

use super::args::TranslateArgs;
use crate::assets::ChosenAssets;
use crate::context::Context;
use crate::context::defaults::{self, ProfileDefaults};
use crate::inputs::texts::TextInputs;

/// Returns one request per target language, without texts, and the assets. The requests contain names of assets instead
/// of IDs until `resolve` is called.
///
/// Checks the rules unless `--no-check` is given. `has_own_tags` tells whether tulk adds its own XML tags to the texts.
pub async fn requests(
    ctx: &Context,
    args: &TranslateArgs,
    inputs: &TextInputs<'_>,
    has_own_tags: bool,
) -> Result<(Vec<TranslateText>, ChosenAssets), Failure> {
    let defaults = ProfileDefaults::new(ctx)?;
    let targets = args.languages.targets(&defaults)?;
    let assets = args.assets.choose(&defaults)?;
    let options = options(args)?;
    let mut request = TranslateText {
        target_lang: targets.first().cloned().ok_or_else(|| Failure::internal("no target language"))?,
        source_lang: args.languages.source(&defaults)?,
        assets: assets.ids_or_names(),
        options: defaults.fill_in(&options)?,
        params: ExtraFields::default(),
        reporting_tag: defaults.or(ctx.args.reporting_tag.clone(), "reporting_tag")?,
    };
    let flags = LazyCell::new(|| defaults::object(&options).unwrap_or_default());
    let is_flag = |option: &str| flags.contains_key(option) || args.assets.is_set(option);
    if has_own_tags {
        let reason = if args.protect.is_given() { None } else { inputs.formats.structure_source() };
        let reason = reason.as_deref().unwrap_or("--protect");
        set_own_tags(args, reason, &defaults, &mut request.options, is_flag)?;
    }
    request.params = ExtraFields::parse(&args.param, &request, "text")?;
    if args.context_lines.is_some_and(|lines| lines > 0) && args.inputs.are_texts() {
        ctx.out.hint("--context-lines has no effect with TEXT arguments");
    }
    check(ctx, &defaults, &request, is_flag).await?;
    let requests = targets.into_iter().map(|target_lang| TranslateText { target_lang, ..request.clone() });
    Ok((requests.collect(), assets))
}

/// Replaces the names of assets in requests with their IDs. A blank input sends nothing, so its names stay.
pub async fn resolve(
    ctx: &Context,
    assets: &ChosenAssets,
    inputs: &mut TextInputs<'_>,
    requests: &mut [TranslateText],
) -> Result<(), Failure> {
    if !(assets.needs_requests() && inputs.are_blank(ctx).await?) {
        let pairs = requests.iter().filter_map(|r| r.source_lang.clone().zip(Some(r.target_lang.clone())));
        let ids = assets.resolve(ctx, &pairs.collect::<Vec<_>>()).await?;
        for request in requests {
            request.assets = ids.clone();
        }
    }
    Ok(())
}

fn options(args: &TranslateArgs) -> Result<TranslateOptions, Failure> {
    let mut options = args.options.clone();
    if args.no_outline_detection {
        options.outline_detection = Some(Defaulted::Set(false));
    }
    if let Some(file) = &args.context_file {
        options.context = Some(Defaulted::Set(context_file(file)?));
    }
    Ok(options)
}

fn context_file(file: &Path) -> Result<String, Failure> {
    let text = whole::read_text(file, limits::CONTEXT_FILE)?;
    Ok(text.trim_start_matches('\u{feff}').trim_end().to_owned())
}

/// Checks the rules that need no server. The request still has names instead of IDs.
async fn check(
    ctx: &Context,
    defaults: &ProfileDefaults<'_>,
    request: &TranslateText,
    is_flag: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let threshold = request.options.translation_memory_threshold.given().copied();
    let threshold = low_threshold(threshold).filter(|_| request.assets.has_memory());
    let is_public = ctx.config()?.has_public_rules()?;
    for hint in options_without_effect(request).into_iter().chain(threshold.filter(|_| is_public)) {
        ctx.out.hint(&hint);
    }
    if ctx.args.no_check {
        return Ok(());
    }
    if let Some(tag) = &request.reporting_tag {
        check_reporting_tag(tag)?;
    }
    let service = ctx.service().await?;
    broken_rule(request, &service).map_or(Ok(()), |rule| Err(defaults.refusal(rule, is_flag)))
}

/// Options that conflict with tulk's own tags, as field and flag.
const CONFLICTING_OPTIONS: &[(&str, &str)] = &[
    ("tag_handling", "--tag-handling"),
    ("ignore_tags", "--ignore-tags"),
    ("splitting_tags", "--splitting-tags"),
    ("non_splitting_tags", "--non-splitting-tags"),
    ("outline_detection", "--no-outline-detection"),
];

/// Sets the options for texts with tulk's own tags. Fails if the user has set one of them. `reason` is the flag or file
/// that needs the tags; `is_flag` tells whether an option was given as a flag.
pub fn set_own_tags(
    args: &TranslateArgs,
    reason: &str,
    defaults: &ProfileDefaults,
    options: &mut TranslateOptions,
    is_flag: impl Fn(&str) -> bool,
) -> Result<(), Failure> {
    let given = defaults::object(&options)?;
    if let Some((field, flag)) = CONFLICTING_OPTIONS.iter().find(|(field, _)| given.contains_key(*field)) {
        let what = format!("{reason} sends texts as XML with its own tags and cannot be used with {flag}");
        let hint = if reason.starts_with('-') {
            "remove one of the two; the value `none` drops the default of a profile"
        } else {
            "--as text reads plain text; the value `none` drops the default of a profile"
        };
        return Err(defaults.refusal(BrokenRule::new(what, hint, &[field]), is_flag));
    }
    for param in &args.param {
        let key = param.split('=').next().unwrap_or_default();
        if CONFLICTING_OPTIONS.iter().any(|(field, _)| *field == key) {
            let what = format!("{reason} sends texts as XML with its own tags and cannot be used with --param {key}");
            return Err(Failure::usage(what).hint("remove one of the two"));
        }
    }
    add_own_tags(options);
    Ok(())
}

pub fn add_own_tags(options: &mut TranslateOptions) {
    options.tag_handling = Some(Defaulted::Set(TagHandling::Xml));
    options.ignore_tags = Some(vec![FIXED_ELEMENT.to_owned()]);
    // Both elements appear within sentences.
    options.non_splitting_tags = Some(vec![PAIR_ELEMENT.to_owned(), FIXED_ELEMENT.to_owned()]);
}
