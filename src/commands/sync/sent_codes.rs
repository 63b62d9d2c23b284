//! Chooses the language codes to send: a project may have `de-DE` or `no` where the service has `de` and `nb`.
//!
//! A code that is set in the project file is sent unchanged.

use std::time::Duration;

use tulk_base::error::Failure;
use tulk_client::OpenValue;
use tulk_client::api::langs::{LanguageInclude, ListLanguages};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::{LanguageUse, codes_for};
use tulk_sync::project::{ProjectLang, ProjectSettings};

use crate::commands::langs::query::{self, LanguageCacheArgs};
use crate::context::Context;

/// Maximum wait for the list of languages.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Sets the codes of the source language and of the target languages at these positions. Requests the list of
/// languages, which is free, only if the project has a language that the service is not known to support.
pub async fn settle_codes(ctx: &Context, settings: &mut ProjectSettings, targets: &[usize]) -> Result<(), Failure> {
    let source = settings.source_lang.service.clone();
    let targets = settings.langs.iter_mut().enumerate().filter(|(at, lang)| targets.contains(at) && !lang.is_pseudo);
    let targets = targets.map(|(_, lang)| (lang, false));
    let langs = std::iter::once((&mut settings.source_lang, true)).chain(targets);
    let open = langs.filter_map(|(lang, is_source)| {
        let code: LangCode = lang.service.parse().ok().filter(|_| !lang.has_service)?;
        (!code.is_known(LanguageUse::Text, is_source)).then_some((lang, is_source, code))
    });
    let open: Vec<(&mut ProjectLang, bool, LangCode)> = open.collect();
    if open.is_empty() {
        return Ok(());
    }
    let usable = UsableCodes::of_service(ctx).await?;
    let is_source_code = |found: &str| found.eq_ignore_ascii_case(&source);
    let mut sent = Vec::new();
    for (lang, is_source, code) in open {
        let codes = if is_source { &usable.sources } else { &usable.targets };
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        // Never send a target under the code of the source: `en-PH` in an English project must not fall back to `en`.
        match code.fallback_among(&codes).filter(|found| is_source || !is_source_code(found)) {
            Some(found) if found.eq_ignore_ascii_case(&lang.service) => {}
            Some(found) => {
                sent.push(format!("{} as {found}", lang.tag));
                found.clone_into(&mut lang.service);
            }
            None if ctx.args.dry_run => {
                let tag = &lang.tag;
                let meant = code.did_you_mean(LanguageUse::Text, is_source);
                let meant = meant.map(|question| format!("{question} ")).unwrap_or_default();
                let what = format!("{tag}: the service refuses this language");
                ctx.out.warn(&format!("{what}; {meant}set `service` under [sync.langs.{tag}]"));
            }
            None => {}
        }
    }
    if !sent.is_empty() {
        let what = format!("note: sent under another code: {}", sent.join(", "));
        ctx.out.status(&format!("{what}; `service` under [sync.langs.X] changes it"));
    }
    Ok(())
}

struct UsableCodes {
    sources: Vec<String>,
    targets: Vec<String>,
}

impl UsableCodes {
    /// Requests the codes from the service. If that fails, returns the codes it is known to have.
    async fn of_service(ctx: &Context) -> Result<Self, Failure> {
        let include = vec![OpenValue::Known(LanguageInclude::Beta), OpenValue::Known(LanguageInclude::External)];
        let request = ListLanguages { resource: "translate_text".to_owned(), include };
        let client = ctx.client_without_retries().await;
        let list = async { query::send_through(ctx, &client?, &request, LanguageCacheArgs { no_cache: false }).await };
        let list = match tokio::time::timeout(MAX_WAIT, list).await {
            Ok(Ok(list)) => list,
            Ok(Err(failure)) if failure.kind.is_stop() => return Err(failure),
            _ => {
                let known =
                    |as_source| codes_for(LanguageUse::Text, as_source).into_iter().map(str::to_owned).collect();
                return Ok(Self { sources: known(true), targets: known(false) });
            }
        };
        let sources = list.iter().filter(|lang| lang.usable_as_source).map(|lang| lang.lang.clone());
        let targets = list.iter().filter(|lang| lang.usable_as_target).map(|lang| lang.lang.clone());
        Ok(Self { sources: sources.collect(), targets: targets.collect() })
    }
}
