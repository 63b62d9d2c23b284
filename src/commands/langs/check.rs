//! `tulk langs check`: whether languages and features go together. Spec: "Languages", feature check.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::{Asking, cached};
use crate::api::langs::{self, LanguageRole, ListLanguages, ListResources};
use crate::api::language_code::LangCode;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::json::Kept;
use crate::output::{Cell, Row};

/// Check languages and features: exit 0 for yes, 1 for no
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  tulk langs check --from en --to de --feature glossary,formality")]
pub struct CheckArgs {
    /// What to ask for.
    #[command(flatten)]
    pub asking: Asking,
    /// Source language
    #[arg(short = 'f', long, value_name = "LANG", required_unless_present = "to")]
    pub from: Option<LangCode>,
    /// Target language
    #[arg(short = 't', long, value_name = "LANG")]
    pub to: Option<LangCode>,
    /// Feature key, such as glossary; repeatable
    #[arg(long = "feature", value_delimiter = ',', value_name = "F")]
    pub features: Vec<String>,
}

/// The answer.
#[derive(Serialize, Deserialize, Clone, Debug)]
struct Verdict {
    supported: bool,
    missing: Vec<String>,
}

impl Row for Verdict {
    const COLUMNS: &'static [&'static str] = &["supported", "missing"];

    fn cells(&self) -> Vec<Cell> {
        vec![self.supported.into(), self.missing.join("; ").into()]
    }
}

/// Prints the verdict; fails with `Kind::No` when something is missing.
pub async fn run(ctx: &Context, args: CheckArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let Asking { resource: name, include, fresh } = args.asking;
    let resources = cached::ask(ctx, &ListResources {}, fresh).await?;
    let Some(resource) = resources.iter().find(|resource| resource.name == name) else {
        let known: Vec<_> = resources.iter().map(|resource| resource.name.as_str()).collect();
        let failure = Failure::new(Kind::NotFound, format!("the service has no resource `{name}`"));
        return Err(failure.hint(format!("it has {}", known.join(", "))).into());
    };
    let languages = cached::ask(ctx, &ListLanguages { resource: name, include }, fresh).await?;
    let source = args.from.map(|code| LanguageRole { code, is_source: true });
    let target = args.to.map(|code| LanguageRole { code, is_source: false });
    let sides: Vec<_> = source.into_iter().chain(target).collect();
    let features: Vec<_> = args.features.iter().map(|name| name.trim().replace('-', "_")).collect();
    let missing = langs::missing_support(&languages, resource, &sides, &features);
    let what = missing.join("; ");
    let supported = missing.is_empty();
    ctx.out.one(&Kept::made(Verdict { supported, missing })?)?;
    if supported { Ok(()) } else { Err(Failure::new(Kind::No, what).into()) }
}
