//! Builds the requests of a run from the options in the project file, one per language and set of options.

use std::sync::Arc;

use serde_json::{Map, Value};
use tulk_base::error::{Failure, Kind};
use tulk_client::ExtraFields;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::translate::{TranslateOptions, TranslateText, broken_rule};
use tulk_client::{OptionalFlag as _, Service};
use tulk_pipeline::{BatchLimit, Job, Protector, SentForm};
use tulk_store::results::ResultCache;
use tulk_sync::run::{GroupJob, SyncGroup};

use super::select::LoadedProject;
use crate::assets::ChosenAssets;
use crate::assets::versions::AssetVersions;
use crate::commands::translate::{add_own_tags, continue_without_cache};
use crate::context::Context;
use crate::runs::result_cache::{self, KeyParts, ResultCacheArgs};

pub struct SyncService {
    service: Service,
    /// Server address or sandbox settings, on which results depend. `None` if the run needs no server, or is a dry run without one.
    pub results_identity: Option<String>,
}

impl SyncService {
    /// Returns the service in use. Only a run that sends something needs a server; a dry run never does.
    pub async fn of_run(ctx: &Context, groups: &[SyncGroup], is_pseudo: bool) -> Result<Self, Failure> {
        let planned = || Ok(Self { service: ctx.config()?.service_without_address()?, results_identity: None });
        // The sandbox does not have the assets that real languages use, so requests for real languages are only planned.
        let is_only_planned = ctx.is_sandbox()? && !is_pseudo;
        if is_only_planned || groups.iter().all(|group| group.work.entries.is_empty()) {
            return planned();
        }
        match ctx.service().await {
            Err(failure) if is_offline_plan(ctx, &failure) => planned(),
            service => Ok(Self { service: service?, results_identity: Some(ctx.results_identity().await?) }),
        }
    }
}

/// Returns whether a failure only means that a dry run has no server or key.
fn is_offline_plan(ctx: &Context, failure: &Failure) -> bool {
    ctx.args.dry_run && failure.kind == Kind::Key && failure.service.is_none()
}

pub struct SyncRequests {
    pub jobs: Vec<GroupJob>,
    pub cache: Option<Arc<ResultCache>>,
}

/// Looks up names of assets only for groups that send something, and not in a dry run without a server or key.
pub async fn requests(
    ctx: &Context,
    loaded: &LoadedProject,
    groups: &[SyncGroup],
    service: &SyncService,
    cache: ResultCacheArgs,
) -> Result<SyncRequests, Failure> {
    let mut translations = Vec::with_capacity(groups.len());
    let mut protectors = Vec::with_capacity(groups.len());
    for group in groups {
        let mut options = group.options.clone();
        let protect: Vec<String> = take_option(&mut options, "protect")?.unwrap_or_default();
        let protector = Protector::new(&protect, SentForm::Tagged).map_err(|failure| Failure {
            what: format!("{}: {}", loaded.project.path.display(), failure.what),
            ..failure
        })?;
        protectors.push(Arc::new(protector));
        translations.push(translation(ctx, loaded, group, options, service).await?);
    }
    let job = |request: &TranslateText| {
        Ok(Job {
            target: request.target_lang.bcp47().to_owned(),
            request: request.request(&service.service)?,
            options: request.fields()?,
            context: None,
            limit: BatchLimit::TRANSLATE,
            keeps_objects: false,
            shows_billed: false,
            key_scope: None,
        })
    };
    let mut jobs = translations.iter().map(job).collect::<Result<Vec<Job>, Failure>>()?;
    let cache = match service.results_identity {
        Some(_) => open_cache(ctx, groups, &translations, &mut jobs, cache).await?,
        None => None,
    };
    let jobs = jobs.into_iter().zip(protectors).map(|(job, protector)| GroupJob { job, protector }).collect();
    Ok(SyncRequests { jobs, cache })
}

async fn translation(
    ctx: &Context,
    loaded: &LoadedProject,
    group: &SyncGroup,
    mut options: Map<String, Value>,
    SyncService { service, results_identity }: &SyncService,
) -> Result<TranslateText, Failure> {
    let settings = &loaded.project.settings;
    let internal = || Failure::internal("a group without a language");
    let lang = settings.langs.get(group.lang).ok_or_else(internal)?;
    let is_pseudo = lang.is_pseudo && lang.service == lang.tag;
    if is_pseudo {
        // The sandbox does not know the account's assets or what a real language supports.
        options.retain(|name, _| name == "preserve_formatting");
    }
    let code = |code: &str| code.parse::<LangCode>().map_err(|why| Failure::usage(format!("{}: {why}", lang.tag)));
    let assets = ChosenAssets {
        glossaries: take_option(&mut options, "glossary")?.unwrap_or_default(),
        style: take_option(&mut options, "style")?,
        translation_memory: take_option(&mut options, "translation_memory")?,
        style_profile: take_option(&mut options, "style_profile")?,
    };
    // `check_characters` enforces this limit before anything is sent.
    options.remove("max_characters");
    if let Some(instructions) = options.remove("custom_instruction") {
        options.insert("custom_instructions".to_owned(), instructions);
    }
    let mut options: TranslateOptions = serde_json::from_value(Value::Object(options))?;
    add_own_tags(&mut options);
    let mut request = TranslateText {
        target_lang: code(if is_pseudo { pseudo_request_language(loaded) } else { &lang.service })?,
        source_lang: Some(code(&settings.source_lang.service)?),
        assets: assets.ids_or_names(),
        options,
        params: ExtraFields::default(),
        reporting_tag: ctx.args.reporting_tag.given().cloned(),
    };
    if !ctx.args.no_check
        && let Some(rule) = broken_rule(&request, service)
    {
        let what = format!("{}: {}", lang.tag, rule.problem);
        return Err(Failure::usage(what).hint(format!("change it in {}", loaded.project.path.display())));
    }
    if !group.work.entries.is_empty() && results_identity.is_some() {
        // Check no language pairs: the service refuses a language without a dictionary, and the others are still
        // translated.
        match assets.resolve(ctx, &[]).await {
            Err(failure) if is_offline_plan(ctx, &failure) => {}
            assets => request.assets = assets?,
        }
    }
    Ok(request)
}

/// Returns the language code sent for a pseudo-language: one that every service knows, but not the source language.
fn pseudo_request_language(loaded: &LoadedProject) -> &'static str {
    let source = &loaded.project.settings.source_lang.service;
    let is_german = source.split('-').next().is_some_and(|base| base.eq_ignore_ascii_case("de"));
    if is_german { "fr" } else { "de" }
}

fn take_option<T: serde::de::DeserializeOwned>(
    options: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, Failure> {
    let Some(value) = options.remove(name) else { return Ok(None) };
    serde_json::from_value(value).map(Some).map_err(|error| Failure::internal(format!("{name}: {error}")))
}

async fn open_cache(
    ctx: &Context,
    groups: &[SyncGroup],
    requests: &[TranslateText],
    jobs: &mut [Job],
    args: ResultCacheArgs,
) -> Result<Option<Arc<ResultCache>>, Failure> {
    let Some(cache) = result_cache::open(ctx, args)? else { return Ok(None) };
    // The names of assets in other groups were not looked up.
    let sent = groups.iter().zip(requests).filter(|(group, _)| !group.work.entries.is_empty());
    let sent: Vec<TranslateText> = sent.map(|(_, request)| request.clone()).collect();
    let mut versions = AssetVersions::of(&sent);
    if let Err(failure) = versions.look_up(ctx).await {
        return continue_without_cache(ctx, &failure).map(|()| None);
    }
    let parts = requests
        .iter()
        .map(|request| Ok(KeyParts { options: request.fields()?, versions: versions.versions_for(request) }))
        .collect::<Result<_, Failure>>()?;
    result_cache::set_scopes(ctx, cache, jobs, parts).await
}
