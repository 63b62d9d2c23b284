//! `tulk langs check`: checks whether the service supports a combination of languages and features.

use clap::{ArgGroup, Args};
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::suggest::one_of;
use tulk_client::OpenValue;
use tulk_client::api::langs::{
    self, LanguageInclude, LanguageRole, ListLanguages, ListResources, ServiceResource, SupportedLanguage,
};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names;

use super::query::{self, LanguageCacheArgs, LanguageQueryArgs};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, Column, Row, StatusWord};

/// Check languages and features: exit 0 if supported, else 1
///
/// Beta languages, beta features and third-party features count as supported; the column `notes` lists them. With
/// --include, only the kinds that it names count, in addition to stable languages and features.
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<LanguageCheckResult>().checks_before_sending())]
#[command(after_help = "tulk langs check --from en --to de --feature glossary,formality\n\
                        tulk langs check --resource write --to de")]
#[command(group = ArgGroup::new("languages").args(["from", "to"]).required(true).multiple(true))]
pub struct LanguageCheckArgs {
    #[command(flatten)]
    pub query: LanguageQueryArgs,
    /// Source language
    #[arg(short = 'f', long, value_name = "LANG")]
    pub from: Option<LangCode>,
    /// Target language
    #[arg(short = 't', long, value_name = "LANG")]
    pub to: Option<LangCode>,
    /// Feature key, such as glossary; repeatable
    #[arg(
        long = "feature",
        value_delimiter = ',',
        value_name = "FEATURE",
        long_help = "Feature key, repeatable: auto_detection, formality, glossary, spoken_terms, style_rules, \
                     tag_handling, tone, transcription, translated_speech, translation_memory, writing_style, or \
                     another of `tulk langs resources`"
    )]
    pub features: Vec<String>,
}

const ALL_INCLUDES: [OpenValue<LanguageInclude>; 2] =
    [OpenValue::Known(LanguageInclude::Beta), OpenValue::Known(LanguageInclude::External)];

type SupportedLanguages = WithRaw<Vec<WithRaw<SupportedLanguage>>>;

#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct LanguageCheckResult {
    supported: bool,
    missing: Vec<String>,
    notes: Vec<String>,
}

const ANSWERS: &[StatusWord] = &[StatusWord::done("true").shown("yes"), StatusWord::failed("false").shown("no")];

impl Row for LanguageCheckResult {
    const COLUMNS: &'static [Column] =
        &[Column::status("supported", ANSWERS).rank(0), Column::text("missing").rank(0), Column::text("notes").rank(0)];

    fn cells(&self) -> Vec<Cell> {
        vec![self.supported.into(), self.missing.join("; ").into(), self.notes.join("; ").into()]
    }
}

struct LanguageQuestion<'a> {
    resource: &'a ServiceResource,
    roles: Vec<LanguageRole>,
    features: Vec<String>,
    cache: LanguageCacheArgs,
}

impl LanguageQuestion<'_> {
    async fn list(&self, ctx: &Context, include: &[OpenValue<LanguageInclude>]) -> Result<SupportedLanguages, Failure> {
        let request = ListLanguages { resource: self.resource.name.clone(), include: include.to_vec() };
        query::send(ctx, &request, self.cache).await
    }

    fn missing_support(&self, languages: &[WithRaw<SupportedLanguage>]) -> Vec<String> {
        langs::missing_support(languages, self.resource, &self.roles, &self.features)
    }

    async fn hint(
        &self,
        ctx: &Context,
        list: &SupportedLanguages,
        included: &[OpenValue<LanguageInclude>],
    ) -> Option<String> {
        if let Some(hint) = features_hint(self.resource, &self.features) {
            return Some(hint);
        }
        let is_partial = ALL_INCLUDES.iter().any(|word| !included.contains(word));
        if is_partial && self.list(ctx, &ALL_INCLUDES).await.is_ok_and(|all| self.missing_support(&all).is_empty()) {
            return Some("without --include it is supported".to_owned());
        }
        let hints = self.roles.iter().filter(|role| role.find(list).is_none()).map(|role| {
            let (flag, side) = if role.is_source { ("--from", " --source") } else { ("--to", " --target") };
            let hint = match role.near_codes(list).as_slice() {
                [] => language_names::list_hint(&self.resource.name, side),
                near => format!("did you mean {}?", one_of(near)),
            };
            if self.roles.len() > 1 { format!("{flag}: {hint}") } else { hint }
        });
        hints.reduce(|all, hint| format!("{all}{} {hint}", if all.ends_with('?') { "" } else { ";" }))
    }
}

impl Run for LanguageCheckArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let LanguageQueryArgs { resource: name, include, cache } = self.query;
        let resources = query::send(ctx, &ListResources {}, cache).await?;
        let Some(resource) = resources.iter().find(|resource| resource.name == name) else {
            let known: Vec<_> = resources.iter().map(|resource| resource.name.as_str()).collect();
            let failure = Failure::new(Kind::NotFound, format!("the service has no resource `{name}`"));
            return Err(failure.hint(format!("available resources: {}", known.join(", "))).into());
        };
        let source = self.from.map(|code| LanguageRole { code, is_source: true });
        let target = self.to.map(|code| LanguageRole { code, is_source: false });
        let roles: Vec<_> = source.into_iter().chain(target).collect();
        let features: Vec<_> = self.features.iter().map(|name| name.trim().replace('-', "_")).collect();
        let question = LanguageQuestion { resource, roles, features, cache };
        // The service translates beta languages like any other, so they count unless --include narrows the question.
        let include = if include.is_empty() { ALL_INCLUDES.to_vec() } else { include };
        let languages = question.list(ctx, &include).await?;
        let missing = question.missing_support(&languages);
        let notes = langs::unfinished_support(&languages, &question.roles, &question.features);
        let supported = missing.is_empty();
        ctx.out.object(&WithRaw::from_typed(LanguageCheckResult { supported, missing, notes })?)?;
        if supported {
            return Ok(());
        }
        // The printed result already says what is missing.
        let mut failure = Failure::new(Kind::No, "");
        if !ctx.out.settings().quiet && !ctx.out.settings().is_json() {
            failure.hint = question.hint(ctx, &languages, &include).await;
        }
        Err(failure.into())
    }
}

/// Returns a hint that lists the resource's features, if it lacks a requested one.
fn features_hint(resource: &ServiceResource, features: &[String]) -> Option<String> {
    let known: Vec<_> = resource.features.iter().map(|feature| feature.name.as_str()).collect();
    let lacks_one = features.iter().any(|name| !known.contains(&name.as_str()));
    (lacks_one && !known.is_empty()).then(|| format!("features of {}: {}", resource.name, known.join(", ")))
}
