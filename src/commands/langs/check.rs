//! `tulk langs check`: checks whether languages and features are supported together.

use clap::{ArgGroup, Args};
use serde::{Deserialize, Serialize};

use super::{LanguageQueryArgs, cache};
use crate::api::langs::{
    self, LanguageInclude, LanguageRole, ListLanguages, ListResources, ServiceResource, SupportedLanguage,
};
use crate::api::language_code::LangCode;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::output::{Cell, Column, Row};
use crate::suggest::one_of;

/// Check languages and features: exit 0 if supported, else 1
#[derive(Args, Debug)]
#[command(after_help = "tulk langs check --from en --to de --feature glossary,formality\n\
                        tulk langs check --resource write --to de")]
#[command(group = ArgGroup::new("languages").args(["from", "to"]).required(true).multiple(true))]
pub struct LanguageCheckArgs {
    /// Which languages to ask for.
    #[command(flatten)]
    pub query: LanguageQueryArgs,
    /// Source language
    #[arg(short = 'f', long, value_name = "LANG")]
    pub from: Option<LangCode>,
    /// Target language
    #[arg(short = 't', long, value_name = "LANG")]
    pub to: Option<LangCode>,
    /// Feature key, such as glossary; repeatable
    #[arg(long = "feature", value_delimiter = ',', value_name = "FEATURE")]
    pub features: Vec<String>,
}

/// Whether everything is supported, and what is not.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(super) struct LanguageCheckResult {
    supported: bool,
    missing: Vec<String>,
}

impl Row for LanguageCheckResult {
    const COLUMNS: &'static [Column] = &[Column::flag("supported").rank(0), Column::text("missing").rank(0)];

    fn cells(&self) -> Vec<Cell> {
        vec![self.supported.into(), self.missing.join("; ").into()]
    }
}

/// Prints the result; fails with `Kind::No` if something is not supported.
pub async fn run(ctx: &Context, args: LanguageCheckArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let LanguageQueryArgs { resource: name, include, cache: cache_args } = args.query;
    let resources = cache::send(ctx, &ListResources {}, cache_args).await?;
    let Some(resource) = resources.iter().find(|resource| resource.name == name) else {
        let known: Vec<_> = resources.iter().map(|resource| resource.name.as_str()).collect();
        let failure = Failure::new(Kind::NotFound, format!("the service has no resource `{name}`"));
        return Err(failure.hint(format!("available resources: {}", known.join(", "))).into());
    };
    let has_beta = include.contains(&LanguageInclude::Beta);
    let languages = cache::send(ctx, &ListLanguages { resource: name, include }, cache_args).await?;
    let source = args.from.map(|code| LanguageRole { code, is_source: true });
    let target = args.to.map(|code| LanguageRole { code, is_source: false });
    let roles: Vec<_> = source.into_iter().chain(target).collect();
    let features: Vec<_> = args.features.iter().map(|name| name.trim().replace('-', "_")).collect();
    let missing = langs::missing_support(&languages, resource, &roles, &features);
    let supported = missing.is_empty();
    ctx.out.one(&Kept::from_typed(LanguageCheckResult { supported, missing })?)?;
    if supported {
        return Ok(());
    }
    // The result says what is missing.
    let mut failure = Failure::new(Kind::No, "");
    let near_codes = || roles.iter().find_map(|role| near_hint(role, &languages, has_beta));
    failure.hint = near_codes().or_else(|| features_hint(resource, &features));
    Err(failure.into())
}

/// Returns a hint with the features of a resource, if it lacks one.
fn features_hint(resource: &ServiceResource, features: &[String]) -> Option<String> {
    let known: Vec<_> = resource.features.iter().map(|feature| feature.name.as_str()).collect();
    let lacks_one = features.iter().any(|name| !known.contains(&name.as_str()));
    (lacks_one && !known.is_empty()).then(|| format!("features of {}: {}", resource.name, known.join(", ")))
}

/// Returns a hint with the codes that may be meant, if the list lacks a language.
fn near_hint(role: &LanguageRole, list: &[Kept<SupportedLanguage>], has_beta: bool) -> Option<String> {
    let near = role.near_codes(list);
    let beta = if has_beta { "" } else { " --include beta adds languages in beta" };
    (!near.is_empty()).then(|| format!("did you mean {}?{beta}", one_of(&near)))
}
